"""The chain of a multiple imputation as the step uses it: variables in, copies and pictures out."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hengxi.contract import Points, Report
from hengxi.contract.columns import Floats
from hengxi.methods.data_processing._shared import chained
from hengxi.methods.data_processing._shared.gaps import Gaps

GRID = 64
DRAWN = 5
"""Copies whose density is drawn; more are a tangle."""


def impute(found: list[Gaps], form: Any) -> chained.Chain:
    series = [_series(one) for one in found]

    def step(done: int, of: int) -> bool:
        return bool(form.progress(done, of, f"第 {done}/{of} 轮"))

    return chained.impute(series, form.m, form.iterations, form.rng, step)


def _is_category(one: Gaps) -> bool:
    return one.is_text or one.column.is_categorical


def _values(one: Gaps) -> list[Any]:
    """The categories that occur, in the order of the variable's levels."""
    present = set(one.cells[~one.gone].tolist())
    listed = [level.value for level in one.column.levels if level.value in present]
    return [*listed, *sorted(present - set(listed), key=str)]


def _series(one: Gaps) -> chained.Series:
    if not _is_category(one):
        return chained.Series(one.cells, one.gone)
    place = {value: float(i) for i, value in enumerate(_values(one))}
    codes = np.array([0.0 if gone else place[v] for v, gone in zip(one.cells.tolist(), one.gone, strict=True)])
    return chained.Series(codes, one.gone, levels=len(place))


def cells_of(one: Gaps, copy: Floats) -> npt.NDArray[Any]:
    """A completed copy in the variable's own values."""
    if not _is_category(one):
        return copy
    listed = np.empty(len(_values(one)), dtype=object)
    listed[:] = _values(one)
    cells = listed[copy.astype(np.int64)]
    return cells if one.is_text else cells.astype(np.float64)


def draw(report: Report, rounds: Points, curves: Points, one: Gaps, place: int, chain: chained.Chain) -> None:
    """The mean of the imputed values round by round, and the density of what is known beside what was put in."""
    if not one.is_number:
        return
    for number, means in enumerate(chain.means, 1):
        for i, mean in enumerate(means[:, place]):
            if np.isfinite(mean):
                report.row(rounds, at=one.name, iteration=i + 1, mean=float(mean), copy=f"第{number}份")
    known = one.cells[~one.gone]
    spread = float(known.max() - known.min())
    if not (np.isfinite(spread) and spread > 0):
        return
    grid = np.linspace(float(known.min()), float(known.max()), GRID)
    sets = [("有值", known), *((f"第{i}份", copy[place][one.gone]) for i, copy in enumerate(chain.copies[:DRAWN], 1))]
    for name, values in sets:
        for x, density in zip(grid, _density(values, grid, spread), strict=True):
            report.row(curves, at=one.name, value=float(x), density=float(density), copy=name)


def _density(values: Floats, grid: Floats, spread: float) -> Floats:
    """A normal kernel with Silverman's width."""
    z, at = values / spread, grid / spread
    width = 1.06 * max(float(z.std(ddof=1)) if len(z) > 1 else 0.0, 0.02) * len(z) ** -0.2
    kernel = np.exp(-0.5 * ((at[:, None] - z[None, :]) / width) ** 2)
    found: Floats = kernel.sum(axis=1) / (len(z) * width * np.sqrt(2 * np.pi) * spread)
    return found
