"""SHAP: how far each variable moved the probabilities of test rows; elements, values, and what is told of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Chart, Points, Report, Table, Wide, measure, num, text
from hengxi.contract.tables import Element
from hengxi.methods.supervised_learning._shared.elements import SHAP
from hengxi.methods.supervised_learning._shared.explained import (
    BACKGROUND,
    MOST_BARS,
    TREES,
    Explanation,
    dependence,
    drawn_rows,
    swarm,
    value_words,
)
from hengxi.methods.supervised_learning.classifier._shared.task import Task
from hengxi.stats.learning.scoring import called
from hengxi.stats.moments import Floats
from hengxi.stats.names import short

MOST_CLASSES = 4
MOST_SWARMS, MOST_STEPS = 8, 9
LEVELS = {"shap": True, "x": measure("定类")}


class Explained:
    """The elements; every one is absent where the form does not ask for SHAP."""

    shap_means = Table(
        "SHAP 重要性", name=text("变量"), overall=num("平均 |SHAP| 合计", least=0),
        layout=Wide(mean=num("平均 |SHAP|", least=0)), when=SHAP,
    )  # fmt: skip
    shap_bars = Points("平均 |SHAP| 条形图", series=text("类别"), name=text("变量"), mean=num("平均 |SHAP|"), when=SHAP)
    shap_bars_plot = Chart(
        "平均 |SHAP| 条形图", "bar", of=shap_bars, x="name", y="mean", series="series", arrange="stacked", when=SHAP,
    )  # fmt: skip
    swarm = Points(
        "SHAP 蜂群图", series=text("类别"), name=text("变量"), value=num("SHAP 值（概率）"),
        shade=num("变量取值"), when=SHAP,
    )  # fmt: skip
    swarm_plot = Chart(
        "SHAP 蜂群图", "point", of=swarm, x="value", y="name", shade="shade", facet="series", when=SHAP, place="detail"
    )
    dependence = Points(
        "SHAP 依赖图", name=text("变量"), series=text("类别"), x=num("变量取值"), value=num("SHAP 值（概率）"),
        when=SHAP,
    )  # fmt: skip
    dependence_plot = Chart(
        "SHAP 依赖图", "point", of=dependence, x="x", y="value", series="series", facet="name", when=SHAP,
        place="detail",
    )  # fmt: skip
    by_level = Points(
        "SHAP 依赖图（定类变量）", name=text("变量"), series=text("类别"), level=text("取值"), low=num("下须"),
        q1=num("下铰链"), median=num("SHAP 值（概率）"), q3=num("上铰链"), high=num("上须"), when=LEVELS,
    )  # fmt: skip
    by_level_plot = Chart(
        "SHAP 依赖图（定类变量）", "box", of=by_level, x="level", min="low", q1="q1", median="median", q3="q3",
        max="high", facet=("name", "series"), when=LEVELS, place="detail",
    )  # fmt: skip
    case = Table(
        "单个样本的 SHAP 解释", name=text("变量"), value=text("取值"), shap=num("SHAP 值"), start=num("由"),
        after=num("到"), when=SHAP,
    )  # fmt: skip
    steps = Points(
        "单个样本的 SHAP 瀑布图",
        label=text("变量"),
        way=text("方向"),
        start=num("由"),
        after=num("预测概率"),
        when=SHAP,
    )
    case_plot = Chart(
        "单个样本的 SHAP 瀑布图", "bar", of=steps, x="label", y="after", start="start", series="way", when=SHAP,
        place="detail",
    )  # fmt: skip

    @classmethod
    def shap_elements(cls) -> list[Element]:
        return [cls.shap_means, cls.shap_bars, cls.swarm, cls.dependence, cls.by_level, cls.case, cls.steps]


# ---- told ----------------------------------------------------------------------------------------------------------
class OfScores(Explained):
    """In front of the learners whose values add up on the scale that trees are summed on, not to a probability."""

    swarm = Points(
        "SHAP 蜂群图", series=text("类别"), name=text("变量"), value=num("SHAP 值"), shade=num("变量取值"), when=SHAP,
    )  # fmt: skip
    dependence = Points(
        "SHAP 依赖图", name=text("变量"), series=text("类别"), x=num("变量取值"), value=num("SHAP 值"), when=SHAP,
    )  # fmt: skip
    by_level = Points(
        "SHAP 依赖图（定类变量）", name=text("变量"), series=text("类别"), level=text("取值"), low=num("下须"),
        q1=num("下铰链"), median=num("SHAP 值"), q3=num("上铰链"), high=num("上须"), when=LEVELS,
    )  # fmt: skip
    steps = Points(
        "单个样本的 SHAP 瀑布图", label=text("变量"), way=text("方向"), start=num("由"), after=num("得分"), when=SHAP,
    )  # fmt: skip


def write(report: Report, method: Any, task: Task, one: Explanation, proba: Floats, threshold: float) -> None:
    every = [task.event] if task.event is not None else list(range(task.k))
    shown = every
    if len(every) > MOST_CLASSES:
        shown = sorted(np.argsort(-task.counts, kind="stable")[:MOST_CLASSES].tolist())
    means = one.means(every)
    total = means.sum(axis=1)
    order = np.argsort(-total, kind="stable").tolist()
    _means(report, method, task, (order, total, means), every, shown)
    drawn = drawn_rows(one.rows.size)
    swarm(report, method, task, one, order[:MOST_SWARMS], shown, drawn)
    dependence(report, method, task, one, order, shown, drawn)
    _case(report, method, task, one, int(called(proba[[one.case_row]], task.event, threshold)[0]))
    _notes(report, method, task, one, shown)
    top = order[0]
    c = int(means[top].argmax())
    if total[top] > 0 and is_of_scores(method):
        text = "按 SHAP 值，推动判断最多的是“{x}”：平均把判为“{c}”的{scale:text}推高或压低 {m:num}。"
        scale = _scale(task)
        report.say(text, x=short(task.names)[top], c=task.classes[every[c]], m=float(means[top, c]), scale=scale)
    elif total[top] > 0:
        text = "按 SHAP 值，推动概率最多的是“{x}”：平均把判为“{c}”的概率推高或压低 {m:num1} 个百分点。"
        report.say(text, x=short(task.names)[top], c=task.classes[every[c]], m=float(100 * means[top, c]))


def is_of_scores(method: Any) -> bool:
    return issubclass(method, OfScores)


def _scale(task: Task) -> str:
    return "对数几率" if task.k == 2 else "得分"


def _means(report: Report, method: Any, task: Task, found: Any, every: list[int], shown: list[int]) -> None:
    order, total, means = found
    for j in order:
        each = {task.classes[c]: {"mean": float(means[j, every.index(c)])} for c in shown} if len(every) > 1 else None
        report.row(method.shap_means, name=task.names[j], overall=float(total[j]), wide=each)
    for c in shown:
        for j in order[:MOST_BARS]:
            mean = float(means[j, every.index(c)])
            report.row(method.shap_bars, series=task.classes[c], name=task.names[j], mean=mean)


def _case(report: Report, method: Any, task: Task, one: Explanation, chosen: int) -> None:
    """From the model's mean to the row's probability (or score), the largest step first."""
    moves = one.case[:, chosen]
    order = np.argsort(-np.abs(moves), kind="stable").tolist()
    start, at = float(one.base[chosen]), float(one.base[chosen])
    lines: list[tuple[str, str, float]] = []
    for j in order[:MOST_STEPS]:
        lines.append((task.names[j], value_words(task, one.case_row, j), float(moves[j])))
    if rest := order[MOST_STEPS:]:
        lines.append((f"其余 {len(rest)} 个变量", "", float(moves[rest].sum())))
    mean = "起点：平均"
    report.row(method.case, name=mean, value="", shap=None, start=None, after=start)
    report.row(method.steps, label=mean, way="平均与结果", start=0.0, after=start)
    for name, value, move in lines:
        before, at = at, at + move
        report.row(method.case, name=name, value=value, shap=move, start=before, after=at)
        label = f"{name} = {value}" if value else name
        report.row(method.steps, label=label, way="升高" if move >= 0 else "降低", start=before, after=at)
    end, of_scores = float(one.case_end[chosen]), is_of_scores(method)
    result = f"结果：{_scale(task)}" if of_scores else "结果：预测概率"
    report.row(method.case, name=result, value="", shap=None, start=None, after=end, total=True)
    report.row(method.steps, label="结果", way="平均与结果", start=0.0, after=end)
    # Not the mean of the model's answers to the training rows: it knows those by heart, and each learner drew its own.
    start_words = (
        "按学习时抽到的行和类别权重求得，与该类的占比可能不同；" if one.kind == TREES else "是背景行预测概率的平均；"
    )
    text = (
        "第 {row:integer} 行，判为“{c}”，预测概率 {p:num}。起点是不看任何变量时的平均概率，"
        + start_words
        + "各段相加正好到预测概率。"
    )
    facts: dict[str, Any] = {}
    if of_scores:
        text = (
            "第 {row:integer} 行，判为“{c}”，{scale:text}为 {p:num}。起点是不看任何变量时的平均{scale:text}，"
            "按学习时的行求得；各段相加正好到这一行的{scale:text}。"
        )
        facts["scale"] = _scale(task)
    row = int(task.columns[0].row_numbers[one.case_row])
    report.note(method.case, text, row=row, c=task.classes[chosen], p=end, **facts)


def _notes(report: Report, method: Any, task: Task, one: Explanation, shown: list[int]) -> None:
    text = (
        "用 {kind:text} 解释测试集 {of:integer} 行中的 {n:integer} 行，单位是概率。"
        "一行各变量的 SHAP 值加上不看任何变量时的平均概率，就是这一行的预测概率（最大误差 {error:num}）。"
    )
    facts: dict[str, Any] = {"n": int(one.rows.size), "of": int(task.test.size), "error": one.error}
    if is_of_scores(method):
        text = (
            "用 {kind:text} 解释测试集 {of:integer} 行中的 {n:integer} 行，单位是{scale:text}。"
            "一行各变量的 SHAP 值加上不看任何变量时的平均{scale:text}，就是这一行的{scale:text}"
            "（最大误差 {error:num}）；"
            + ("概率 = 1 / (1 + e^−{scale:text})。" if task.k == 2 else "各类的得分取 softmax 就是概率。")
        )
        facts["scale"] = _scale(task)
    report.note(method.shap_means, text, kind=one.kind, **facts)
    if one.background is not None:
        report.note(method.shap_means, BACKGROUND, b=int(one.background.size))
    if one.rows.size < task.test.size:
        text = "抽取的行由随机种子决定；" + (
            "树越大，能解释的行越少，限制树的深度或加大叶子可以解释更多的行。"
            if one.kind == TREES
            else "自变量越多，能解释的行越少。"
        )
        report.note(method.shap_means, text)
    if task.event is None:
        text = "合计一列是各类之和" + ("。" if len(shown) == task.k else "；另列最多的 {k:integer} 类。")
        facts = {} if len(shown) == task.k else {"k": len(shown)}
        report.note(method.shap_means, text, **facts)
    else:
        text = "SHAP 值说的是判为“{c}”的概率；另一类的正好相反。"
        text = text.replace("概率", "对数几率") if is_of_scores(method) else text
        report.note(method.shap_means, text, c=task.classes[shown[0]])
    text = "每个点是一行；往右表示把判为该类的概率推高，颜色深浅表示该变量在这一行取值的高低。"
    text = text.replace("概率", _scale(task)) if is_of_scores(method) else text
    report.note(method.swarm_plot, text)
