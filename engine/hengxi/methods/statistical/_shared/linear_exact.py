"""A linear regression that leaves nothing over: an identity of the data. It is reported as what it is.

Coefficients, R² = 1 and a residual of 0 are exact; with no residual there is no standard error to test against.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Report, figure
from hengxi.families.regression.design import sum_words
from hengxi.methods.statistical._shared import linear_predictions, linear_tables, linear_words
from hengxi.methods.statistical._shared.linear_model import Model
from hengxi.stats.collinearity import vif
from hengxi.stats.moments import Floats

DUST = 1e-12
"""Share of the largest coefficient, or of the spread of y, below which a number is what rounding leaves of nothing."""
NO_REST = "残差为 0，没有可供检验的变异"
LEFT_OUT = (
    "terms_tests", "assumptions", "outliers", "forest_points", "points", "trend", "quantiles", "partial_points",
    "partial_lines",
)  # fmt: skip


def write(report: Report, cls: Any, model: Model) -> Report:
    """The tables that stay true, the identity in words, and for everything else why it is absent."""
    _coefficients(report, cls, model)
    _summary(report, cls, model)
    linear_words.equation(report, cls, model)
    if model.form.predict_at:
        linear_predictions.predictions(report, cls, model)
    _anova(report, cls, model)
    linear_tables.collinearity(report, cls, model)
    for name in LEFT_OUT:
        report.skip(getattr(cls, name), NO_REST)
    if model.form.save:
        report.skip(cls.saved, "预测值就是实际值，残差和 Cook 距离都是 0")
    _say(report, model)
    return report


def settled(model: Model) -> Floats:
    """The coefficients; what rounding leaves of nothing is 0."""
    fit = model.fit
    found = np.array(model.b)
    first = int(fit.intercept)
    if first and abs(found[0]) <= DUST * fit.y_scale:
        found[0] = 0.0
    found[first:][np.abs(fit.beta) <= DUST * np.max(np.abs(fit.beta))] = 0.0
    return found


def identity(model: Model) -> str:
    """`7 + 3×面积 − 2×房龄`."""
    named = dict(zip(model.names, map(float, settled(model)), strict=True))
    constant = named.pop(model.names[0]) if model.fit.intercept else 0.0
    return sum_words(constant, {name: value for name, value in named.items() if value})


def _coefficients(report: Report, cls: Any, model: Model) -> None:
    fit = model.fit
    inflation, first = vif(fit), int(fit.intercept)
    owners = {j: term for term in model.design.terms for j in term.columns}
    for i, (name, value) in enumerate(zip(model.names, settled(model), strict=True)):
        j = i - first
        cells: dict[str, Any] = {}
        if j >= 0:
            term = owners[j]
            cells = {"beta": fit.beta[j] if term.numeric and len(term.factors) == 1 else None, "vif": inflation[j]}
            report.row(cls.relations, name=name, tolerance=1 / inflation[j], vif=inflation[j])
        report.row(cls.coefficients, name=name, b=value, se=0.0, **cells)
    report.note(
        cls.coefficients,
        "*N* = {n:integer}。因变量：“{y}”。残差为 0，标准误为 0，不作检验，也没有置信区间。",
        n=fit.n,
        y=model.y,
    )
    if model.weighted_words:
        report.note(cls.coefficients, "加权：{told}。", told=model.weighted_words)
    report.note(cls.relations, "容差 = 1/VIF；残差为 0 时不给偏相关和半偏相关。")


def _summary(report: Report, cls: Any, model: Model) -> None:
    fit = model.fit
    report.row(cls.summary, n=fit.n, R=1.0, r2=1.0, adjusted=1.0, sigma=0.0, rmse=0.0, df1=fit.p, df2=fit.df)
    report.note(cls.summary, "残差为 0：*F* 为无穷大，*R*² 的区间、对数似然、AIC、BIC 和 Durbin-Watson 没有定义。")


def _anova(report: Report, cls: Any, model: Model) -> None:
    fit = model.fit
    whole = linear_tables.sum_of_squares(model)
    if whole is None:
        report.skip(cls.anova, linear_tables.NO_SQUARES)
        return
    report.row(cls.anova, source="回归", ss=whole, df=fit.p, ms=whole / fit.p)
    report.row(cls.anova, source="残差", ss=0.0, df=fit.df, ms=0.0)
    report.row(cls.anova, total=True, source="总计", ss=whole, df=fit.n - int(fit.intercept))
    report.note(cls.anova, "总平方和以均值为中心。" if fit.intercept else "总平方和以 0 为中心。")


def _say(report: Report, model: Model) -> None:
    told = {"y": model.y, "told": identity(model), "n": model.fit.n}
    text = (
        "“{y}”可由自变量精确算出（残差为 0）：{y} = {told}。"
        "这是恒等式，不需要检验；请检查是否把同一个量的换算放进了自变量。"
    )
    report.lead(text, [figure("*R*²", "1", "全部变异"), figure("估计标准误", "0", "残差都是 0")], **told)
    student = "每一行的“{y}”都恰好等于 {told}，没有误差：要么本来就是换算关系，要么“{y}”是照公式填的。"
    paper = (
        "“{y}”由自变量完全决定（*n* = {n:integer}，*R*² = 1，残差为 0）：{y} = {told}。残差方差为 0，不报告标准误、"
        "检验和置信区间。"
    )
    report.voices([(student, {})], [(paper, {})], [(text, {})], **told)
    report.check("残差", "fail", "残差全部为 0（只剩舍入），标准误、检验和各项前提检验都没有意义。")
