"""New cases put into a fitted regression, and the columns it gives back to the data."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Column, Level, Report
from hengxi.methods.statistical._shared.linear_model import Model
from hengxi.stats.design import Codes
from hengxi.stats.influence import Influence
from hengxi.stats.names import number_words


def predictions(report: Report, cls: Any, model: Model) -> None:
    fit = model.fit
    made = 0
    for number, case in enumerate(model.form.predict_at, 1):
        values, words = [], []
        for column, factor in zip(model.columns, model.design.factors, strict=True):
            given = case[column]
            if factor.labels:
                place = next((i for i, one in enumerate(fitted_levels(column, model.rows)) if one.value == given), None)
                if place is None:
                    report.warn(
                        "cases.value",
                        "试算第 {i:integer} 行：“{v}”的取值“{x}”在参与分析的行里没有出现，这一行未预测。",
                        i=number,
                        v=factor.name,
                        x=str(given),
                        columns=[column],
                    )
                    break
                values.append(float(place))
                words.append(f"{factor.name} = {factor.labels[place]}")
            else:
                values.append(float(given))
                words.append(f"{factor.name} = {number_words(float(given))}")
        else:
            made += _predict(report, cls, model, fit, number, values, "，".join(words))
    if not made:
        report.skip(cls.predicted, "没有一行可以预测，原因见提示")
        return
    report.note(
        cls.predicted,
        "区间的置信水平为 {level:percent}。均值CI 是这类个案平均值的区间；"
        "个体预测区间是一个新个案的区间，按残差标准误计算"
        + ("，假定它的精度权重为 1。" if model.form.weight is not None else "。")
        + ("" if model.kind == "classic" else "均值CI 用所选的稳健标准误。"),
        level=model.level,
    )


def fitted_levels(column: Column, rows: Codes) -> list[Level]:
    """The levels that occur in the fitted rows, in the order of the factor's codes."""
    present = np.unique(column.codes[rows])
    return [column.levels[i] for i in present]


def _predict(report: Report, cls: Any, model: Model, fit: Any, number: int, values: list[float], words: str) -> bool:
    with np.errstate(over="ignore", invalid="ignore"):
        z = (model.design.at(values) - fit.centre) / fit.scale
        g = np.concatenate(([1.0], z)) if fit.intercept else z
        mean = fit.y_centre + fit.y_scale * float(z @ fit.beta)
        se = fit.y_scale * float(np.sqrt(max(0.0, float(g @ model.cov @ g))))
        wide = float(np.hypot(se, model.sigma))
    if not np.isfinite([mean, se, wide]).all():
        report.warn("cases.value", "试算第 {i:integer} 行的数值过大，这一行未预测。", i=number)
        return False
    outside = [
        factor.name
        for factor, value in zip(model.design.factors, values, strict=True)
        if factor.values is not None and not float(factor.values.min()) <= value <= float(factor.values.max())
    ]
    if outside:
        report.warn(
            "cases.outside",
            "试算第 {i:integer} 行的{names}超出数据的范围，属外推，预测靠不住。",
            i=number,
            names="、".join(f"“{name}”" for name in outside),
        )
    report.row(
        cls.predicted,
        number=number,
        case=words,
        mean=mean,
        low=mean - model.reach * se,
        high=mean + model.reach * se,
        single_low=mean - model.reach * wide,
        single_high=mean + model.reach * wide,
    )
    return True


def saved(report: Report, cls: Any, model: Model, found: Influence) -> None:
    """One value for each row used; rows of frequency 0 were not fitted and stay empty."""
    size = len(model.form.y)
    with np.errstate(over="ignore", invalid="ignore"):
        columns = {
            "预测值": model.fit.fitted(),
            "残差": model.fit.residuals * model.fit.y_scale,
            "Cook距离": found.cook,
        }
    made = {}
    for name, values in columns.items():
        whole = np.full(size, np.nan)
        whole[model.rows] = values
        made[f"{model.form.y.name}_{name}"] = whole
    report.columns(cls.saved, made)
