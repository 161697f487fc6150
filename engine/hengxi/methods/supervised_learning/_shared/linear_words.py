"""The equation of a model of coded columns, and how strongly its columns hang together."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Report
from hengxi.stats.moments import Floats

MOST_TERMS = 40
HIGH_VIF = 10


def equation(report: Report, cls: Any, left: str, head: str, intercept: float | None, terms: Any, **said: str) -> None:
    """Letters in the formula, names below it. `left`: TeX of the left side, `head`: what the note begins with, `said`
    its facts, `terms`: names and coefficients."""
    names, values = [name for name, _ in terms], [float(b) for _, b in terms]
    symbolic = (
        left
        + "="
        + "+".join(([] if intercept is None else ["b_0"]) + [f"b_{{{j}}}x_{{{j}}}" for j in range(1, len(names) + 1)])
    )
    facts: dict[str, Any] = {f"b{j}": b for j, b in enumerate(values, 1)}
    filled = left + "="
    if intercept is not None:
        facts["b0"] = intercept
        filled += "{b0:num}"
    for j in range(1, len(names) + 1):
        sign = "num" if j == 1 and intercept is None else "+num"
        filled += rf" {{b{j}:{sign}}}\,x_{{{j}}}"
    report.formula(cls.equation, symbolic, filled, **facts)
    legend = {f"n{j}": name for j, name in enumerate(names[:MOST_TERMS], 1)}
    text = head + "".join(f"，x{j} = “{{n{j}}}”" for j in range(1, len(legend) + 1))
    text += "，其余依系数表的次序。" if len(names) > MOST_TERMS else "。"
    report.note(cls.equation, text, **said, **legend)


def vifs(z: Floats, weight: Floats | None) -> Floats:
    """Variance inflation of each column against the others, 1 / (1 − R²); NaN where it is one of the others."""
    w = np.ones(z.shape[0]) if weight is None else weight / weight.mean()
    d = z - np.average(z, axis=0, weights=w)
    spread = np.sqrt(np.average(d**2, axis=0, weights=w))
    d = d / np.where(spread > 0, spread, 1.0)
    r = (d * w[:, None]).T @ d / z.shape[0]
    if z.shape[1] == 0 or np.linalg.cond(r) > 1e12:
        return np.full(z.shape[1], np.nan)
    return np.asarray(np.diag(np.linalg.inv(r)))


def check_vif(report: Report, names: list[str], values: Floats, remedy: Any) -> None:
    """Of columns that hang together their coefficients cannot be told apart, the predictions are not hurt."""
    if not values.size or np.isnan(values).all():
        return
    top = int(np.nanargmax(values))
    facts: dict[str, Any] = {"x": names[top], "vif": float(values[top])}
    if values[top] > HIGH_VIF:
        text = (
            "“{x}”的 VIF = {vif:num}，超过 10：自变量之间相关很强，单个系数不稳定；预测不受影响。"
            "要解释系数，请删去重复的变量，或选择正则化。"
        )
        report.check("多重共线性", "care", text, remedies=[remedy] if remedy else [], **facts)
    else:
        report.check("多重共线性", "pass", "最大的 VIF 是“{x}”的 {vif:num}，没有超过 10。", **facts)
