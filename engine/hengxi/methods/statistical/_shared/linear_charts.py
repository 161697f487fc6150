"""Points for the pictures of a linear regression; above 5,000 rows a stated part of them is drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import Report
from hengxi.methods.statistical._shared.linear_model import Model
from hengxi.stats.influence import Influence
from hengxi.stats.moments import Floats, Ordered
from hengxi.stats.stretches import stretch_of
from hengxi.stats.thin import extremes, thin

PARTIAL_MOST, PARTIAL_POINTS, QQ_POINTS, TREND = 12, 4000, 1000, 15


def draw(report: Report, cls: Any, model: Model, found: Influence) -> None:
    if not _drawable(model):
        for element in (cls.points, cls.trend, cls.quantiles, cls.partial_points, cls.partial_lines):
            report.skip(element, "数值过大或过小，画不出来；请给因变量换一个单位")
    else:
        _residuals(report, cls, model, found)
        _quantiles(report, cls, found.internal)
        _partial(report, cls, model)
    _forest(report, cls, model)


def _drawable(model: Model) -> bool:
    return 1e-290 < model.fit.y_scale < 1e290


def _residuals(report: Report, cls: Any, model: Model, found: Influence) -> None:
    fit = model.fit
    n = fit.residuals.size
    marked = np.unique(np.concatenate((extremes(found.external()), extremes(found.leverage), extremes(found.cook))))
    shown = thin(n, marked)
    fitted, residuals = fit.fitted(), fit.residuals * fit.y_scale
    numbers = model.form.y.row_numbers
    with np.errstate(invalid="ignore"):
        roots = np.sqrt(np.abs(found.internal))
    shown = shown[np.isfinite(found.internal[shown])]
    report.add_rows(
        cls.points,
        {
            "row": numbers[model.rows[shown]],
            "fitted": fitted[shown],
            "observed": model.y_values[shown],
            "residual": residuals[shown],
            "standardized": found.internal[shown],
            "root": roots[shown],
            "leverage": found.leverage[shown],
            "cook": found.cook[shown],
        },
    )
    stretches = _trend(fitted, residuals, roots)
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


def _quantiles(report: Report, cls: Any, standardized: Floats) -> None:
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


def _partial(report: Report, cls: Any, model: Model) -> None:
    """Added-variable plots: both y and the column with everything else taken out; the slope is the coefficient."""
    fit = model.fit
    first = int(fit.intercept)
    names = model.names[first:]
    # Small pictures beside each other: the points are shared out among them.
    rows = thin(fit.residuals.size, most=min(1000, PARTIAL_POINTS // min(len(names), PARTIAL_MOST)))
    inner = fit.root_inverse @ fit.root_inverse.T
    for j, name in enumerate(names[:PARTIAL_MOST]):
        x = fit.z[rows] @ inner[:, j] / inner[j, j]
        y = fit.residuals[rows] + fit.beta[j] * x
        x, y = x * fit.scale[j], y * fit.y_scale
        report.add_rows(cls.partial_points, {"name": [name] * x.size, "x": x, "y": y})
        slope = float(model.b[j + first])
        for end in (float(x.min()), float(x.max())):
            report.row(cls.partial_lines, name=name, x=end, y=slope * end)
    if rows.size < fit.residuals.size:
        report.chart(cls.partial_plot, thinned=(int(rows.size), int(fit.residuals.size)))
    report.note(
        cls.partial_plot,
        "横轴、纵轴都已扣除其他自变量的部分，直线的斜率就是系数 *B*。"
        + (f"只画前 {PARTIAL_MOST} 列。" if len(names) > PARTIAL_MOST else ""),
    )


def _forest(report: Report, cls: Any, model: Model) -> None:
    first = int(model.fit.intercept)
    for i, name in enumerate(model.names):
        if i >= first:
            low, high = model.interval(i)
            report.row(cls.forest_points, name=name, b=float(model.b[i]), low=low, high=high)
    report.note(
        cls.forest,
        "估计值为系数 *B*，区间为 {level:percent} CI。"
        + ("各自变量的单位不同，长短不能直接比大小。" if len(model.columns) > 1 else ""),
        level=model.level,
    )
