from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Arrays,
    Formula,
    Progress,
    Refusal,
    Report,
    SetRemedy,
    Table,
    choice,
    estimates,
    flag,
    integer,
    interval,
    num,
    number,
    pvalue,
    stat,
    text,
)
from hengxi.methods.supervised_learning._shared import linear_words
from hengxi.methods.supervised_learning._shared.coded import column_names, references
from hengxi.methods.supervised_learning._shared.fitting import Rows
from hengxi.methods.supervised_learning.classifier._shared.classifier import CONVENTIONS, Classifier, ClassifierForm
from hengxi.stats.learning import logits
from hengxi.stats.moments import Floats

PENALTIES = {"none": "无", "l2": "L2", "l1": "L1", "elastic": "弹性网"}
PENALISED = ("l2", "l1", "elastic")
WIDE = 1000
"""Standard errors beyond this: the outcome is told apart by some of the columns."""
MOST = 700.0
"""Exponents beyond this have no finite odds ratio."""


class LogisticRegression(Classifier):
    """Linear log odds with and without a penalty, judged by rows left out."""

    title, title_en = "逻辑回归分类", "Logistic regression classifier"
    slug = "logistic-regression-classifier"
    family, tier = "机器学习分类", "standard"
    purpose = "以可解释的线性对数几率模型做分类，并在新样本上验证"
    aliases = ("逻辑回归", "Logistic", "逻辑斯蒂", "logit", "L1", "L2", "正则化", "机器学习", "判断类别")
    references = (
        "cox1958", "hoerl1970", "tibshirani1996", "zou2005", "beck2009", "lundberg2017", "delong1988", "wilson1927",
        "cohen1960", "gorodkin2004", "brier1950", "bergstra2011",
    )  # fmt: skip
    conventions = (
        *CONVENTIONS,
        "一个变量编码成几列时，略去第一列作参照。标准化：减训练行的均值，除以标准差（除以 n − 1）。",
        "使 Σw·(−log p) + [(1 − r)·Σb²/2 + r·Σ|b|]/C 最小，L2 的 r = 0，L1 的 r = 1，弹性网由你定；截距不受罚。"
        "用牛顿法；有 L1 时先用加速的近端梯度法（Beck 和 Teboulle）挑出不为 0 的列。",
        "两类时只有一组系数，说的是正类；多于两类时，没有正则化则各类与第一类比，有正则化则每类一组。",
        "标准误、*z*、*p* 与 OR 的区间（Wald）由训练行的信息矩阵求得，有权重时把权重当作频数。",
        "模型重要性是（各类平均的）标准化系数绝对值的份额，一个变量的各列相加。",
    )

    class Input(ClassifierForm):
        penalty: str = choice("正则化", PENALTIES)
        C: float = number("正则化强度倒数C", 1, least=0.0001, most=10000, when={"penalty": PENALISED})
        l1_ratio: float = number("弹性网L1占比", 0.5, least=0, most=1, when={"penalty": "elastic"})
        standardize: bool = flag("标准化自变量", True)
        max_iter: int = integer("最大迭代次数", 1000, least=50, most=10000, advanced=True)

    coefficients = Table(
        "回归系数与优势比", series=text("类别"), name=text("自变量"), b=num("*B*", stars="p"),
        se=num("标准误", least=0, around="b"), z=num("*z*"), wald=num("Wald χ²", least=0), p=pvalue(),
        odds=num("OR", least=0), ci=interval("OR 的 95% CI", "low", "high", around="odds"), place="main",
        when={"penalty": "none"}, claim=estimates(stat("*z*", "z"), ratio=("odds", "OR"), interval_of="ratio"),
    )  # fmt: skip
    plain = Table(
        "模型系数", series=text("类别"), name=text("自变量"), b=num("*B*"), odds=num("OR", least=0), place="main"
    )
    equation = Formula("模型方程")

    @classmethod
    def params(cls, form: Any) -> dict[str, Any]:
        return {name: getattr(form, name) for name in ("penalty", "C", "l1_ratio", "standardize", "max_iter")}

    @classmethod
    def learn(cls, params: dict[str, Any], rows: Rows, seed: int, tell: Progress, text: str) -> logits.Logits:
        tell(1, 1, text)
        return logits.learn(params, rows.x, rows.y, rows.weight, rows.k, references(rows.places))

    @classmethod
    def answers(cls, learner: logits.Logits, x: Floats) -> Floats:
        return learner.answers(x)

    @classmethod
    def stored(cls, learner: logits.Logits) -> Arrays:
        return learner.pack()

    @classmethod
    def restored(cls, arrays: Arrays, k: int) -> logits.Logits:
        return logits.Logits.unpack(arrays)

    @classmethod
    def weights_of(cls, learner: logits.Logits) -> Floats:
        return np.asarray(np.abs(learner.coefficients).mean(axis=1) * learner.sds)

    @classmethod
    def grid(cls) -> dict[str, list[Any]]:
        return {"penalty": ["l2", "l1"], "C": [0.01, 0.1, 1.0, 10.0, 100.0]}

    @classmethod
    def scored(cls, task: Any, form: Any, fit: Any, params: dict[str, Any], trials: list[Any]) -> Any:
        """A model that fits without a fault has no best coefficients: refused before the rest is computed."""
        if fit.learner.perfect:
            text = "自变量可以完全区分因变量“{y}”，最大似然估计不存在（系数趋于无穷），请选择 L2 正则"
            remedy = SetRemedy(title="改用 L2", set={"penalty": "l2"})
            raise Refusal("data.separated", text, field="penalty", also=["x"], remedies=[remedy], y=form.y.title)
        return super().scored(task, form, fit, params, trials)

    @classmethod
    def own(cls, report: Report, form: Any, found: Any) -> None:
        task, model, coding = found.task, found.fit.learner, found.fit.coding
        used = np.setdiff1d(np.arange(coding.places.size), references(coding.places))
        every = column_names(task, coding)
        names, scales = [every[j] for j in used], coding.scales[coding.places[used]]
        shown = _shown(task, model)
        b = np.vstack([model.intercept, model.coefficients[used] * scales[:, None]])
        unpenalised = found.params["penalty"] == "none"
        is_wide = unpenalised and model.covariance is None
        if unpenalised and not is_wide:
            report.skip(cls.plain, "没有正则化，见表“回归系数与优势比”")
            is_wide = _write_tested(report, cls, task, model, names, scales, b, shown)
        else:
            why = "系数不唯一或趋于无穷" if unpenalised else "搜索选择了正则化，系数见表“模型系数”"
            report.skip(cls.coefficients, why)
            _write_plain(report, cls, task, names, b, shown, unpenalised)
        if unpenalised:
            _check_separation(report, model, is_wide)
        _check_vif(report, form, found)
        if task.event is None:
            report.skip(cls.equation, "因变量多于两类，各类的方程见系数表")
        else:
            c = shown[0]
            b = b - b[:, [1 - c]]
            left, head = r"\ln\frac{p}{1-p}", "p 为“{y}”是“{c}”的概率"
            terms = list(zip(names, b[1:, c], strict=True))
            said = {"y": form.y.title, "c": task.classes[c]}
            linear_words.equation(report, cls, left, head, float(b[0, c]), terms, **said)
        if not model.converged and not unpenalised:
            text = "迭代到 {k:integer} 次还没有收敛，系数不准；请标准化自变量，或增加最大迭代次数。"
            report.check("收敛", "care", text, k=form.max_iter)


def _shown(task: Any, model: logits.Logits) -> list[int]:
    """Classes with coefficients of their own; of two classes they speak of the event."""
    if task.event is not None:
        return [task.event]
    return [int(c) for c in model.here if np.any(model.coefficients[:, c]) or model.intercept[c] != 0]


def _write_tested(
    report: Report, cls: Any, task: Any, model: Any, names: list[str], scales: Floats, b: Floats, shown: list[int]
) -> bool:
    """Coefficients with their tests; gives whether any standard error says that the outcome is separated."""
    errors = np.zeros((len(names) + 1, model.here.size))
    errors.ravel()[model.free] = np.sqrt(np.maximum(np.diag(model.covariance), 0.0))
    errors[1:] *= scales[:, None]
    place = {int(c): i for i, c in enumerate(model.here)}
    for c in shown:
        # The one set of two classes is that of the second: the event may be the first.
        turned = task.event is not None and place[c] == 0
        column = errors[:, 1 if turned else place[c]]
        values = b[:, c] - (b[:, int(model.here[1])] if turned else 0.0)
        for j, name in enumerate(["常数项", *names]):
            value, se = float(values[j]), float(column[j])
            z = value / se if se > 0 else None
            reach = float(stats.norm.isf(0.025)) * se
            report.row(
                cls.coefficients, series=task.classes[c], name=name, b=value, se=se, z=z,
                wald=None if z is None else z**2, p=None if z is None else float(2 * stats.norm.sf(abs(z))),
                odds=_ratio(value), low=_ratio(value - reach), high=_ratio(value + reach),
            )  # fmt: skip
    if task.event is None:
        text = "系数由训练集求得，各类与“{c}”比：OR 是自变量增加 1 时，判为该类而不是“{c}”的几率变为原来的几倍。"
        report.note(cls.coefficients, text, c=task.classes[int(model.here[0])])
    else:
        text = "系数由训练集求得；OR 是自变量增加 1 时，发生“{c}”的几率变为原来的几倍。"
        report.note(cls.coefficients, text, c=task.classes[shown[0]])
    return bool(errors[1:].max(initial=0.0) > WIDE)


def _write_plain(
    report: Report, cls: Any, task: Any, names: list[str], b: Floats, shown: list[int], unpenalised: bool
) -> None:
    for c in shown:
        values = b[:, c] - (b[:, 1 - c] if task.event is not None else 0.0)
        for name, value in zip(["常数项", *names], values, strict=True):
            report.row(cls.plain, series=task.classes[c], name=name, b=float(value) + 0.0, odds=_ratio(float(value)))
    kept = int(np.sum(np.any(b[1:] != 0, axis=1)))
    text = "{k:integer} 列里有 {kept:integer} 列的系数不为 0。"
    text = ("系数不唯一或趋于无穷，没有标准误与 *p* 值；" if unpenalised else "系数受罚，没有标准误与 *p* 值；") + text
    report.note(cls.plain, text, k=len(names), kept=kept)


def _ratio(value: float) -> float | None:
    return float(np.exp(value)) if abs(value) < MOST else None


def _check_separation(report: Report, model: logits.Logits, is_wide: bool) -> None:
    if is_wide or not model.converged:
        text = (
            "系数不唯一或趋于无穷（标准误超过 1000）：有自变量几乎可以完全区分类别，或自变量之间完全共线。"
            "系数、OR 与 *p* 值都不能用，请选择 L2 正则；也可以用 Firth 法的二元Logistic回归。"
        )
        remedy = SetRemedy(title="改用 L2", set={"penalty": "l2"})
        report.check("完全分离", "fail", text, remedies=[remedy])
    else:
        report.check("完全分离", "pass", "系数的标准误都是有限的，没有变量能完全区分类别。")


def _check_vif(report: Report, form: Any, found: Any) -> None:
    task, coding = found.task, found.fit.coding
    single = np.flatnonzero(np.bincount(coding.places)[coding.places] == 1)
    if single.size < 2:
        return
    x = coding.apply(task.x[task.train])[:, single]
    every = column_names(task, coding)
    remedy = SetRemedy(title="改用 L2", set={"penalty": "l2"}) if form.penalty == "none" else None
    linear_words.check_vif(report, [every[j] for j in single], linear_words.vifs(x, None), remedy)
