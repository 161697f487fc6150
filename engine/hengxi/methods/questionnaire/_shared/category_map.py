"""The map of categories that correspondence analyses draw: coordinates with masses, contributions and cos²."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.contract import Chart, Points, Reference, Report, Table, Wide, num, percent, text
from hengxi.stats.correspondence import Side
from hengxi.stats.moments import Floats


@dataclass(frozen=True)
class MapSide:
    """Categories of one kind; `power` of the singular values that standard coordinates are multiplied by."""

    kind: str
    names: list[str]
    of: Side
    power: float


def side_table(title: str) -> Table:
    return Table(
        title, name=text("类别"), kind=text("类型"), mass=percent("质量"), inertia=num("惯量", least=0, decimals=4),
        quality=percent("质量度"),
        layout=Wide(score=num("得分"), contribution=percent("贡献"), cos2=percent("cos²")),
    )  # fmt: skip


def biplot(title: str) -> tuple[Points, Chart]:
    spots = Points(title, name=text("类别"), x=num("维1"), y=num("维2"), kind=text("类型"))
    chart = Chart(
        title, "point", of=spots, x="x", y="y", label="name", series="kind", over=[Reference(x=0), Reference(y=0)],
        place="main",
    )  # fmt: skip
    return spots, chart


def axes(inertia: Floats, total: float) -> dict[str, str]:
    shares = [f"{100 * one / total:.1f}%" for one in inertia[:2]]
    return {"x": f"维1（{shares[0]}）", "y": f"维2（{shares[1]}）" if len(shares) > 1 else "维2"}


def write_side(report: Report, cls: Any, table: Table, side: MapSide, singular: Floats, dims: int) -> None:
    """Rows of `table`, points of `cls.spots`, contributions of `cls.parts`."""
    scores = side.of.standard * singular**side.power
    for i, name in enumerate(side.names):
        wide = {
            f"维{d + 1}": {
                "score": scores[i, d], "contribution": _known(side.of.contribution[i, d]),
                "cos2": min(1.0, float(side.of.cos2[i, d])),
            }
            for d in range(dims)
        }  # fmt: skip
        report.row(
            table, name=name, kind=side.kind, mass=_known(side.of.mass[i]), inertia=_known(side.of.inertia[i]),
            quality=min(1.0, float(side.of.cos2[i, :dims].sum())), wide=wide,
        )  # fmt: skip
        y = float(scores[i, 1]) if scores.shape[1] > 1 else 0.0
        report.row(cls.spots, name=name, x=float(scores[i, 0]), y=y, kind=side.kind)
        for d in range(min(dims, 2)):
            if _known(side.of.contribution[i, d]) is not None:
                report.row(cls.parts, name=name, dimension=f"维{d + 1}", contribution=side.of.contribution[i, d])


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
