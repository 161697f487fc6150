"""New cases put into a fitted regression, and the columns it gives back to the data."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Report
from hengxi.families.regression.tables import new_cases
from hengxi.methods.statistical._shared.linear_model import Model
from hengxi.stats.influence import Influence


def predictions(report: Report, cls: Any, model: Model) -> None:
    note = (
        "区间的置信水平为 {level:percent}。均值CI 是这类个案平均值的区间；"
        "个体预测区间是一个新个案的区间，按残差标准误计算"
        + ("，假定它的精度权重为 1。" if model.form.weight is not None else "。")
        + ("" if model.kind == "classic" else "均值CI 用所选的稳健标准误。")
    )
    new_cases(report, cls.predicted, model, note)


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
