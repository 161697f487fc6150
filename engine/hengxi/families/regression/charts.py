"""Points for the pictures of a regression; above 5,000 rows a stated part of them is drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import Report
from hengxi.families.regression.model import Model
from hengxi.families.regression.words import HUGE, ratio
from hengxi.stats.moments import Floats, Ordered
from hengxi.stats.stretches import stretch_of
from hengxi.stats.thin import extremes, thin

QQ_POINTS, TREND = 1000, 15


def forest(report: Report, cls: Any, model: Model) -> None:
    """Every coefficient but the constant with its interval, in the unit of y."""
    for i in range(model.first, len(model.names)):
        low, high = model.read_interval(i)
        report.row(cls.forest_points, name=model.names[i], b=float(model.b[i]), low=low, high=high)
    several = "各自变量的单位不同，长短不能直接比大小。" if len(model.columns) > 1 else ""
    report.note(cls.forest, "估计值为系数 *B*，区间为 {level:percent} CI。" + several, level=model.level)


def ratio_forest(report: Report, cls: Any, model: Model, symbol: str, key: str = "odds") -> None:
    """Every exponentiated coefficient but the constant with its interval; `key` is their column in the points."""
    left_out = 0
    for i in range(model.first, len(model.names)):
        low, high = model.read_interval(i)
        if high >= HUGE or low <= -HUGE:
            left_out += 1
            continue
        cells: dict[str, Any] = {key: ratio(float(model.b[i])), "low": ratio(low), "high": ratio(high)}
        report.row(cls.forest_points, name=model.names[i], **cells)
    if left_out == len(model.names) - model.first:
        report.skip(cls.forest_points, f"{symbol} 的区间超出可画的范围，请给自变量换一个单位")
        return
    report.note(
        cls.forest,
        f"估计值为 {symbol}，区间为 {{level:percent}} CI，虚线为 1（没有关联）；定量变量的 {symbol} "
        "随单位而变，长短不能直接比大小。",
        level=model.level,
    )


@dataclass(frozen=True)
class Residuals:
    """Of each fitted row, in the unit of y but for the standardised ones and the leverage."""

    fitted: Floats
    observed: Floats
    residual: Floats
    standardized: Floats
    leverage: Floats
    cook: Floats


def residual_plots(report: Report, cls: Any, model: Model, found: Residuals, extreme: Callable[[], Floats]) -> None:
    """Residuals against fitted values, their spread, leverage, observed against predicted.

    `extreme` gives the residuals whose largest are always drawn, such as the ones with the case left out.
    """
    n = found.residual.size
    marked = np.unique(np.concatenate((extremes(extreme()), extremes(found.leverage), extremes(found.cook))))
    shown = thin(n, marked)
    numbers = model.form.y.row_numbers
    with np.errstate(invalid="ignore"):
        roots = np.sqrt(np.abs(found.standardized))
    shown = shown[np.isfinite(found.standardized[shown])]
    report.add_rows(
        cls.points,
        {
            "row": numbers[model.rows[shown]],
            "fitted": found.fitted[shown],
            "observed": found.observed[shown],
            "residual": found.residual[shown],
            "standardized": found.standardized[shown],
            "root": roots[shown],
            "leverage": found.leverage[shown],
            "cook": found.cook[shown],
        },
    )
    stretches = _trend(found.fitted, found.residual, roots)
    if not stretches:
        report.skip(cls.trend, "个案太少，不分段")
    for x, (middle, root) in stretches:
        report.row(cls.trend, fitted=x, residual=middle, root=root)
    thinned = (int(shown.size), n) if shown.size < n else None
    for chart in (cls.residual_plot, cls.scale_plot, cls.leverage_plot, cls.observed_plot):
        report.chart(chart, thinned=thinned)
    report.note(
        cls.residual_plot, "折线为拟合值分段后的平均残差（每段个案数相近）；没有问题时应在 0 附近，不弯也不散开。"
    )
    report.note(cls.scale_plot, "折线为各段 √|标准化残差| 的平均；水平说明残差的离散程度不随拟合值改变。")
    report.note(cls.leverage_plot, "右上、右下角的点杠杆大而残差也大，对结果影响最大；点的大小表示 Cook 距离。")
    if thinned:
        report.note(cls.residual_plot, "图中为等距抽取的个案和全部极端个案，统计用全部个案。")


def _trend(fitted: Floats, residuals: Floats, roots: Floats) -> list[tuple[float, tuple[float, float]]]:
    """Means within stretches of about equal size along the fitted values; equal ones are in one stretch."""
    parts = min(TREND, fitted.size // 4)
    if parts < 2:
        return []
    at = Ordered.of(fitted).at([fitted.size * i // parts for i in range(1, parts)])
    cuts = np.unique(np.array(list(at.values())))
    place = stretch_of(fitted, cuts, "right")
    known = np.isfinite(roots)
    n, sums = np.bincount(place), np.bincount(place, fitted)
    below = np.bincount(place, residuals)
    n_roots, sum_roots = np.bincount(place, known), np.bincount(place, np.where(known, roots, 0.0))
    return [
        (float(sums[i] / n[i]), (float(below[i] / n[i]), float(sum_roots[i] / n_roots[i])))
        for i in np.flatnonzero(n_roots)
    ]


def normal_quantiles(report: Report, cls: Any, standardized: Floats) -> None:
    """The sorted standardised residuals against normal quantiles."""
    x = np.sort(standardized[np.isfinite(standardized)])
    n = x.size
    places = (
        np.arange(n)
        if n <= QQ_POINTS
        else np.unique(
            np.concatenate((np.arange(50), np.linspace(0, n - 1, QQ_POINTS - 100).astype(int), np.arange(n - 50, n)))
        )
    )
    # Blom's plotting positions, as SPSS.
    theory = stats.norm.ppf((places + 1 - 0.375) / (n + 0.25))
    report.add_rows(cls.quantiles, {"theory": theory, "sample": x[places]})
    if places.size < n:
        report.chart(cls.qq_plot, thinned=(int(places.size), int(n)))
    report.note(cls.qq_plot, "点越贴近对角线，残差越接近正态；两端上翘或下弯表示长尾或偏斜。绘图位置用 Blom 公式。")
