"""Points for the pictures of a linear regression; above 5,000 rows a stated part of them is drawn."""

from __future__ import annotations

from typing import Any

from hengxi.contract import Report
from hengxi.families.regression.charts import Residuals, forest, normal_quantiles, residual_plots
from hengxi.methods.statistical._shared.linear_model import Model
from hengxi.stats.influence import Influence
from hengxi.stats.thin import thin

PARTIAL_MOST, PARTIAL_POINTS = 12, 4000


def draw(report: Report, cls: Any, model: Model, found: Influence) -> None:
    if not _drawable(model):
        for element in (cls.points, cls.trend, cls.quantiles, cls.partial_points, cls.partial_lines):
            report.skip(element, "数值过大或过小，画不出来；请给因变量换一个单位")
    else:
        residuals = model.fit.residuals * model.fit.y_scale
        measures = Residuals(model.fit.fitted(), model.y_values, residuals, found.internal, found.leverage, found.cook)
        residual_plots(report, cls, model, measures, found.external)
        normal_quantiles(report, cls, found.internal)
        _partial(report, cls, model)
    forest(report, cls, model)


def _drawable(model: Model) -> bool:
    return 1e-290 < model.fit.y_scale < 1e290


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
