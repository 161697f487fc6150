"""SHAP of predicted numbers: elements, values, and what is told of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Chart, Points, Report, Table, measure, num, text
from hengxi.contract.tables import Element
from hengxi.methods.supervised_learning._shared.elements import SHAP
from hengxi.methods.supervised_learning._shared.explained import (
    BACKGROUND,
    MOST_BARS,
    Explanation,
    dependence,
    drawn_rows,
    swarm,
    value_words,
)
from hengxi.methods.supervised_learning.regression._shared.task import Task
from hengxi.stats.moments import Floats
from hengxi.stats.names import short

MOST_SWARMS, MOST_STEPS = 8, 9
LEVELS = {"shap": True, "x": measure("定类")}


class Explained:
    """The elements; every one is absent where the form does not ask for SHAP."""

    shap_means = Table("SHAP 重要性", name=text("变量"), mean=num("平均 |SHAP|", least=0), when=SHAP)
    shap_bars = Points("平均 |SHAP| 条形图", name=text("变量"), mean=num("平均 |SHAP|"), when=SHAP)
    shap_bars_plot = Chart("平均 |SHAP| 条形图", "bar", of=shap_bars, x="name", y="mean", when=SHAP)
    swarm = Points(
        "SHAP 蜂群图", series=text("因变量"), name=text("变量"), value=num("SHAP 值"), shade=num("变量取值"), when=SHAP,
    )  # fmt: skip
    swarm_plot = Chart("SHAP 蜂群图", "point", of=swarm, x="value", y="name", shade="shade", when=SHAP, place="detail")
    dependence = Points(
        "SHAP 依赖图", name=text("变量"), series=text("因变量"), x=num("变量取值"), value=num("SHAP 值"), when=SHAP,
    )  # fmt: skip
    dependence_plot = Chart(
        "SHAP 依赖图", "point", of=dependence, x="x", y="value", facet="name", when=SHAP, place="detail",
    )  # fmt: skip
    by_level = Points(
        "SHAP 依赖图（定类变量）", name=text("变量"), series=text("因变量"), level=text("取值"), low=num("下须"),
        q1=num("下铰链"), median=num("SHAP 值"), q3=num("上铰链"), high=num("上须"), when=LEVELS,
    )  # fmt: skip
    by_level_plot = Chart(
        "SHAP 依赖图（定类变量）", "box", of=by_level, x="level", min="low", q1="q1", median="median", q3="q3",
        max="high", facet="name", when=LEVELS, place="detail",
    )  # fmt: skip
    case = Table(
        "单个样本的 SHAP 解释", name=text("变量"), value=text("取值"), shap=num("SHAP 值"), start=num("由"),
        after=num("到"), when=SHAP,
    )  # fmt: skip
    steps = Points(
        "单个样本的 SHAP 瀑布图", label=text("变量"), way=text("方向"), start=num("由"), after=num("预测值"), when=SHAP,
    )  # fmt: skip
    case_plot = Chart(
        "单个样本的 SHAP 瀑布图", "bar", of=steps, x="label", y="after", start="start", series="way", when=SHAP,
        place="detail",
    )  # fmt: skip

    @classmethod
    def shap_elements(cls) -> list[Element]:
        return [cls.shap_means, cls.shap_bars, cls.swarm, cls.dependence, cls.by_level, cls.case, cls.steps]


def write(report: Report, method: Any, task: Task, explanation: Explanation, predicted: Floats) -> None:
    means = explanation.means([0])[:, 0]
    order = np.argsort(-means, kind="stable").tolist()
    for place, j in enumerate(order):
        report.row(method.shap_means, name=task.names[j], mean=float(means[j]))
        if place < MOST_BARS:
            report.row(method.shap_bars, name=task.names[j], mean=float(means[j]))
    drawn = drawn_rows(explanation.rows.size)
    swarm(report, method, task, explanation, order[:MOST_SWARMS], [0], drawn)
    dependence(report, method, task, explanation, order, [0], drawn)
    _case(report, method, task, explanation, predicted)
    _notes(report, method, task, explanation)
    top = order[0]
    if means[top] > 0:
        text = "按 SHAP 值，推动预测最多的是“{x}”：平均把“{y}”的预测推高或压低 {m:num}。"
        report.say(text, x=short(task.names)[top], y=short([task.title])[0], m=float(means[top]))


def _case(report: Report, method: Any, task: Task, explanation: Explanation, predicted: Floats) -> None:
    """From the mean prediction to the row's, the largest step first."""
    moves = explanation.case[:, 0]
    order = np.argsort(-np.abs(moves), kind="stable").tolist()
    at = float(explanation.base[0])
    steps: list[tuple[str, str, float]] = []
    for j in order[:MOST_STEPS]:
        steps.append((task.names[j], value_words(task, explanation.case_row, j), float(moves[j])))
    if rest := order[MOST_STEPS:]:
        steps.append((f"其余 {len(rest)} 个变量", "", float(moves[rest].sum())))
    mean = "起点：平均"
    report.row(method.case, name=mean, value="", shap=None, start=None, after=at)
    report.row(method.steps, label=mean, way="平均与结果", start=0.0, after=at)
    for name, value, move in steps:
        before, at = at, at + move
        report.row(method.case, name=name, value=value, shap=move, start=before, after=at)
        label = f"{name} = {value}" if value else name
        report.row(method.steps, label=label, way="升高" if move >= 0 else "降低", start=before, after=at)
    end = float(predicted[explanation.case_row])
    report.row(method.case, name="结果：预测值", value="", shap=None, start=None, after=end, total=True)
    report.row(method.steps, label="结果", way="平均与结果", start=0.0, after=end)
    text = "第 {row:integer} 行，预测值 {p:num}。起点是不看任何变量时的平均预测；各段相加正好到预测值。"
    row = int(task.columns[0].row_numbers[explanation.case_row])
    report.note(method.case, text, row=row, p=end)


def _notes(report: Report, method: Any, task: Task, explanation: Explanation) -> None:
    text = (
        "用 {kind:text} 解释测试集 {of:integer} 行中的 {n:integer} 行，单位与“{y}”相同。"
        "一行各变量的 SHAP 值加上不看任何变量时的平均预测，就是这一行的预测值（最大误差 {error:num}）。"
    )
    facts: dict[str, Any] = {"n": int(explanation.rows.size), "of": int(task.test.size), "error": explanation.error}
    report.note(method.shap_means, text, kind=explanation.kind, y=task.title, **facts)
    if explanation.background is not None:
        report.note(method.shap_means, BACKGROUND, b=int(explanation.background.size))
    if explanation.rows.size < task.test.size:
        report.note(method.shap_means, "抽取的行由随机种子决定；模型越大，能解释的行越少。")
    report.note(method.swarm_plot, "每个点是一行；往右表示把预测推高，颜色深浅表示该变量在这一行取值的高低。")
