from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from hengxi.contract import (
    Arrays,
    Progress,
    Refusal,
    Report,
    SetRemedy,
    Table,
    Wide,
    choice,
    combo,
    integer,
    number,
    numbers,
    percent,
    text,
)
from hengxi.methods.supervised_learning._shared.coded import column_names
from hengxi.methods.supervised_learning._shared.elements import WithoutImportance
from hengxi.methods.supervised_learning._shared.fitting import Rows
from hengxi.methods.supervised_learning.classifier._shared.classifier import CONVENTIONS, Classifier, ClassifierForm
from hengxi.methods.supervised_learning.classifier._shared.task import Task
from hengxi.stats.learning import naive_bayes
from hengxi.stats.learning.features import is_category
from hengxi.stats.moments import Floats

VARIANTS = {
    "mixed": "自动（按变量类型混合）", "gaussian": "高斯", "multinomial": "多项式", "bernoulli": "伯努利",
    "complement": "补集", "categorical": "类别",
}  # fmt: skip
COUNTED = ("multinomial", "complement")
SMOOTHED = ("mixed", "multinomial", "bernoulli", "complement", "categorical")
HIGH = 0.8


class NaiveBayes(WithoutImportance, Classifier):
    """Bayes' rule with variables that are independent within each class."""

    title, title_en = "朴素贝叶斯分类", "Naive Bayes classification"
    slug = "naive-bayes-classifier"
    family, tier = "机器学习分类", "standard"
    purpose = "假设自变量条件独立，用贝叶斯公式快速分类"
    aliases = ("贝叶斯", "朴素贝叶斯", "NB", "高斯贝叶斯", "多项式贝叶斯", "机器学习", "判断类别")
    references = (
        "domingos1997", "rennie2003", "lundberg2017", "delong1988", "wilson1927", "cohen1960", "gorodkin2004",
        "brier1950", "bergstra2011",
    )  # fmt: skip
    conventions = (
        *CONVENTIONS,
        "自动：定量变量在每类里取正态分布（方差除以 n，再加上“方差平滑”乘以最大的变量方差）；定类变量取各水平的占比，"
        "每格加上平滑系数。目标编码后的定类变量按定量处理。",
        "高斯、多项式、伯努利、补集用编码后的各列；伯努利只看是否大于 0；补集不用先验概率。",
        "先验概率不加平滑。类别权重与样本权重都乘在行上，也改变按频率的先验。",
    )

    class Input(ClassifierForm):
        variant: str = choice("模型类型", VARIANTS)
        alpha: float = number("拉普拉斯平滑系数", 1, least=0, most=100, when={"variant": SMOOTHED})
        var_smoothing: float = number(
            "方差平滑", 1e-9, least=0, most=1, advanced=True, when={"variant": ("mixed", "gaussian")}
        )
        prior: str = choice("先验概率", {"counted": "按样本频率", "even": "均匀", "own": "自定义"})
        prior_values: list[float] = numbers(
            "各类的先验概率", above=0, when={"prior": "own"}, hint="按类别的顺序，例如 0.3, 0.7；和不是 1 时按比例换算"
        )

    priors = Table(
        "先验概率", level=text("类别"), n=integer("训练行数"), prior=percent("先验概率"), place="detail",
    )  # fmt: skip
    normals = Table(
        "各类的均值与标准差", name=text("变量"), place="detail",
        layout=Wide(value=combo("均值 ± 标准差", "mean_sd", "mean", "sd")),
    )  # fmt: skip
    shares = Table(
        "各类的条件概率", name=text("变量"), level=text("取值"), layout=Wide(share=percent("概率")), place="detail",
    )  # fmt: skip

    @classmethod
    def params(cls, form: Any) -> dict[str, Any]:
        return {name: getattr(form, name) for name in ("variant", "alpha", "var_smoothing", "prior", "prior_values")}

    @classmethod
    def learn(cls, params: dict[str, Any], rows: Rows, seed: int, tell: Progress, text: str) -> Any:
        tell(1, 1, text)
        return naive_bayes.learn(params, rows)

    @classmethod
    def answers(cls, learner: Any, x: Floats) -> Floats:
        return np.asarray(learner.answers(x))

    @classmethod
    def stored(cls, learner: Any) -> Arrays:
        packed: Arrays = learner.pack()
        return packed

    @classmethod
    def restored(cls, arrays: Arrays, k: int) -> Any:
        return naive_bayes.NaiveBayes.unpack(arrays)

    @classmethod
    def grid(cls) -> dict[str, list[Any]]:
        return {"alpha": [0.01, 0.1, 0.5, 1.0, 2.0, 5.0], "var_smoothing": [1e-9, 1e-6, 1e-3, 1e-2, 1e-1]}

    @classmethod
    def build(cls, form: Any, report: Report) -> Task:
        task = super().build(form, report)
        _judge_prior(form, task)
        _judge_variant(form, task)
        _judge_gaps(form, task)
        return task

    @classmethod
    def own(cls, report: Report, form: Any, found: Any) -> None:
        task, model = found.task, found.fit.learner
        n = np.bincount(task.y[task.train], minlength=task.k)
        for c, name in enumerate(task.classes):
            prior = None if form.variant == "complement" else float(model.prior[c])
            report.row(cls.priors, level=name, n=int(n[c]), prior=prior)
        if form.variant == "complement":
            report.note(cls.priors, "补集模型不用先验概率。")
        _write_normals(report, cls, found)
        _write_shares(report, cls, form, found)
        _check_correlations(report, task)


def _write_normals(report: Report, cls: Any, found: Any) -> None:
    task, model = found.task, found.fit.learner
    names = column_names(task, found.fit.coding)
    for i, column in enumerate(model.normal):
        scale = found.fit.coding.scales[found.fit.coding.places[column]]
        wide = {
            name: {"mean": float(model.means[c, i] / scale), "sd": float(np.sqrt(model.variances[c, i]) / scale)}
            for c, name in enumerate(task.classes)
        }
        report.row(cls.normals, name=names[column], wide=wide)
    if not model.normal.size:
        report.skip(cls.normals, "没有按正态分布处理的变量")


def _write_shares(report: Report, cls: Any, form: Any, found: Any) -> None:
    """Of levels within each class; of counts, each column's share of the class's total."""
    task, model, coding = found.task, found.fit.learner, found.fit.coding
    for columns, table in model.tables:
        j = int(coding.places[columns[0]])
        for place, level in enumerate(task.features[j].levels):
            wide = {name: {"share": float(np.exp(table[place, c]))} for c, name in enumerate(task.classes)}
            report.row(cls.shares, name=task.names[j], level=level.label, wide=wide)
    if form.variant in ("mixed", "gaussian", "categorical"):
        if not model.tables:
            report.skip(cls.shares, "没有按类别处理的变量")
        return
    shares = _column_shares(form.variant, model)
    for column, name in enumerate(column_names(task, coding)):
        wide = {one: {"share": float(shares[column, c])} for c, one in enumerate(task.classes)}
        report.row(cls.shares, name=name, level="大于 0" if form.variant == "bernoulli" else "计数", wide=wide)
    text = "概率是该列的计数占这一类各列总计数的份额（平滑之后）。"
    if form.variant == "complement":
        text = "概率是该列的计数占其余各类总计数的份额（平滑之后）；份额越小，越像这一类。"
    report.note(cls.shares, "概率是这一类里该列大于 0 的占比（平滑之后）。" if form.variant == "bernoulli" else text)


def _column_shares(variant: str, model: Any) -> Floats:
    w = model.weights
    return np.asarray(1 / (1 + np.exp(-w)) if variant == "bernoulli" else np.exp(w if variant == "multinomial" else -w))


def _judge_prior(form: Any, task: Task) -> None:
    if form.prior == "own" and len(form.prior_values) != task.k:
        text = "因变量有 {k} 类（{names}），“各类的先验概率”要写 {k} 个数，现有 {n} 个"
        remedy = SetRemedy(title="按样本频率", set={"prior": "counted"})
        facts: dict[str, Any] = {"k": task.k, "n": len(form.prior_values), "names": "、".join(task.classes)}
        raise Refusal("data.prior", text, field="prior_values", also=["prior"], remedies=[remedy], **facts)


def _judge_variant(form: Any, task: Task) -> None:
    mixed = SetRemedy(title="改用自动", set={"variant": "mixed"})
    for name, size, values in zip(task.names, task.sizes, task.x.T, strict=True):
        if form.variant in COUNTED and not size and np.nanmin(values) < 0:
            title = VARIANTS[form.variant]
            text = "{title}朴素贝叶斯要求自变量为非负计数，而“{x}”有负数；请改用自动或高斯"
            raise Refusal("data.negative", text, field="variant", also=["x"], remedies=[mixed], x=name, title=title)
        if form.variant == "categorical" and (not size or form.encode == "target"):
            text = "类别朴素贝叶斯要求自变量都是定类，且不用目标编码，而“{x}”按数值处理；请改用自动"
            raise Refusal("data.number", text, field="variant", also=["x", "encode"], remedies=[mixed], x=name)


def _judge_gaps(form: Any, task: Task) -> None:
    """Without smoothing, a level that a class does not hold, or a number that does not vary within it, decides all."""
    y, x = task.y[task.train], task.x[task.train]
    for name, size, values in zip(task.names, task.sizes, x.T, strict=True):
        known = ~np.isnan(values)
        if form.alpha == 0 and form.variant in ("mixed", "categorical") and size and form.encode != "target":
            table = np.zeros((task.k, size))
            np.add.at(table, (y[known], values[known].astype(int)), 1)
            empty = (table == 0) & (table.sum(axis=1, keepdims=True) > 0) & (table.sum(axis=0) > 0)
        elif form.alpha == 0 and form.variant in ("multinomial", "bernoulli", "complement"):
            sums = np.array([np.sum(values[known & (y == c)] != 0) for c in range(task.k)])
            empty = sums == 0
        else:
            continue
        if empty.any():
            text = "存在零概率组合：类别“{c}”的训练行里“{x}”有一种取值一次也没有出现；请使用大于 0 的平滑系数"
            remedy = SetRemedy(title="平滑系数改为 1", set={"alpha": 1})
            c = task.classes[int(np.argwhere(empty)[0][0])]
            raise Refusal("data.zero", text, field="alpha", also=["x"], remedies=[remedy], c=c, x=name)


def _check_correlations(report: Report, task: Task) -> None:
    columns = [j for j, column in enumerate(task.columns) if not is_category(column)]
    if len(columns) < 2:
        return
    x = task.x[task.train][:, columns]
    x = x[~np.isnan(x).any(axis=1)]
    x = x / np.maximum(np.abs(x).max(axis=0, initial=0.0), naive_bayes.LEAST)
    moves = np.flatnonzero(np.ptp(x, axis=0) > 0) if x.shape[0] > 2 else np.zeros(0, dtype=int)
    if moves.size < 2:
        return
    r = np.corrcoef(x[:, moves], rowvar=False)
    pairs = list(combinations(range(moves.size), 2))
    a, b = max(pairs, key=lambda pair: abs(r[pair]))
    k = sum(bool(abs(r[pair]) > HIGH) for pair in pairs)
    facts: dict[str, Any] = {
        "a": task.names[columns[moves[a]]], "b": task.names[columns[moves[b]]], "r": float(r[a, b]), "k": k,
    }  # fmt: skip
    if k:
        text = (
            "有 {k:integer} 对定量自变量的 |*r*| 超过 0.8（“{a}”“{b}”的 *r* = {r:num}）：各变量独立的假设不成立，"
            "概率会偏向 0% 或 100%，判为哪一类通常仍可用。"
        )
        report.check("条件独立", "care", text, **facts)
    else:
        text = "定量自变量两两相关最强的是“{a}”“{b}”（*r* = {r:num}），没有超过 0.8。"
        report.check("条件独立", "pass", text, **facts)
