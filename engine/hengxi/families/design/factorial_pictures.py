"""Pictures of two-level effects: which are large, how the means move, the corners of the cube."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import Diagonal, Reference, Report
from hengxi.families.design.factorial_model import FactorialModel
from hengxi.families.design.least import Lenth, lenth
from hengxi.stats.moments import Floats

PICTURED = 6
"""Interactions drawn: those of the largest effects."""
CORNERS = ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (0.4, 0.4), (1.4, 0.4), (0.4, 1.4), (1.4, 1.4))


def pictures(report: Report, cls: Any, alpha: float, model: FactorialModel, margins: Lenth | None, y: Floats) -> None:
    least = model.least
    sizes = {effect.name: abs(2 * float(least.b[effect.place])) for effect in model.effects}
    shown = {e.name: abs(least.t(e.place) or 0.0) for e in model.effects} if least.has_error else sizes
    for name in sorted(shown, key=lambda one: -shown[one]):
        report.row(cls.pareto, name=name, size=shown[name])
    limit = float(stats.t.isf(alpha / 2, least.df)) if least.has_error else margins.margin if margins else None
    title = "标准化效应 |t|" if least.has_error else "效应绝对值"
    over = [] if limit is None else [Reference(y=limit, label="界限")]
    report.chart(cls.pareto_plot, titles={"y": title}, over=over)
    ranked = sorted(sizes, key=lambda one: sizes[one])
    theory = stats.norm.ppf(0.5 + 0.5 * (np.arange(1, len(ranked) + 1) - 0.5) / len(ranked))
    for name, at in zip(ranked, theory, strict=True):
        report.row(cls.halfs, theory=float(at), size=sizes[name], name=name)
    pse = lenth(np.array(list(sizes.values())), alpha).pse
    report.chart(cls.half_plot, over=[Diagonal(slope=pse, label="没有影响时的位置")])
    for factor in model.factors:
        for code, level in ((-1.0, factor.low), (0.0, "中心"), (1.0, factor.high)):
            own = y[factor.coded == code]
            if own.size:
                report.row(cls.cells, factor=factor.name, level=level, mean=float(own.mean()), n=own.size)
    pairs = sorted(model.order(2), key=lambda effect: -sizes[effect.name])[:PICTURED]
    for effect in pairs:
        a, b = (model.factors[j] for j in effect.members)
        for one, low in ((-1.0, a.low), (1.0, a.high)):
            for other, label in ((-1.0, b.low), (1.0, b.high)):
                own = y[(a.coded == one) & (b.coded == other)]
                if own.size:
                    second = f"{b.name} = {label}"
                    report.row(cls.crossed, pair=effect.name, first=low, second=second, mean=float(own.mean()))
    if not pairs:
        report.skip(cls.crossed, "模型里没有两因子交互")
    _cube(report, cls, model)


def _cube(report: Report, cls: Any, model: FactorialModel) -> None:
    k = len(model.factors)
    if k not in (2, 3):
        report.skip(cls.corners, "只在 2 个或 3 个因子时画立方图")
        report.skip(cls.edges, "只在 2 个或 3 个因子时画立方图")
        return
    for i in range(2**k):
        levels = [2.0 * (i >> j & 1) - 1 for j in range(k)]
        row = np.zeros(model.least.p)
        row[0] = 1
        for effect in model.effects:
            row[effect.place] = np.prod([levels[j] for j in effect.members])
        x, y = CORNERS[i]
        report.row(cls.corners, id=str(i), label=f"{model.least.at(row)[0]:.4g}", x=x, y=y)
        for j in range(k):
            if not i >> j & 1:
                report.row(cls.edges, source=str(i), target=str(i | 1 << j))
    names = [factor.name for factor in model.factors]
    report.note(
        cls.cube_plot, "向右为“{a}”高水平，向上为“{b}”高水平" + ("，向右上为“{c}”高水平。" if k == 3 else "。"),
        a=names[0], b=names[1], **({"c": names[2]} if k == 3 else {}),
    )  # fmt: skip
