"""What a logistic regression says case by case, and when a variable is bent."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from hengxi.stats.design import Design
from hengxi.stats.linear_fit import EPS, Collinear, Standard, refuse_collinear, standard
from hengxi.stats.logistic_fit import Data, Logit, fit_logit
from hengxi.stats.moments import Floats
from hengxi.stats.triangle import column_stack, triangle


@dataclass(frozen=True, slots=True)
class Cases:
    leverage: Floats
    standardized: Floats
    """Pearson residual over the root of 1 − h."""
    cook: Floats


def case_measures(data: Data, fit: Logit) -> Cases:
    """Of one copy of each case; NaN where a case determines its own fitted value."""
    values, vectors = np.linalg.eigh((fit.covariance + fit.covariance.T) / 2)
    turn = vectors * np.sqrt(np.maximum(values, 0))
    leverage = fit.spread
    for span in data.spans():
        half = data.block(span) @ turn
        leverage[span] *= np.einsum("ij,ij->i", half, half)
    leverage = np.minimum(leverage, 1.0)
    rest = np.where(leverage > 1 - 1e-10, np.nan, 1 - leverage)
    # (y − p) / √(p (1 − p)) without cancellation: e^(−η/2) for events, −e^(η/2) for the others.
    signs = 2 * data.y - 1
    standardized = signs * np.exp(-signs * fit.eta / 2) / np.sqrt(rest)
    return Cases(leverage, standardized, standardized**2 * leverage / rest / data.k)


@dataclass(frozen=True, slots=True)
class Bend:
    factor: int
    wald: float
    p: float


KEPT = 1 << 24
"""Cells of x ln x that are kept (128 MB): logarithms are half the work of this test."""


@dataclass(frozen=True)
class _Bent(Data):
    """The design with x ln x of some variables beside it."""

    ratios: list[tuple[Floats, float]]
    """Values and their largest."""
    places: list[tuple[float, float]]
    """Centre and scale of each x ln x."""
    kept: list[Floats] | None
    """All of x ln x in standard units; None where the table is large: each block is made anew then."""

    @property
    def k(self) -> int:
        return int(self.design.shape[1]) + len(self.ratios)

    def block(self, span: slice) -> Floats:
        if self.kept is not None:
            return column_stack(self.design[span], *(one[span] for one in self.kept))
        made = [
            (bent(values[span], top) - centre) / scale
            for (values, top), (centre, scale) in zip(self.ratios, self.places, strict=True)
        ]
        return column_stack(self.design[span], *made)


def bent(values: Floats, top: float) -> Floats:
    ratio = values / top
    return np.asarray(ratio * np.log(ratio))


def box_tidwell(design: Design, data: Data, fit: Logit, places: list[int]) -> tuple[list[Bend], list[int]]:
    """x ln x of all these positive variables added together: Wald's test of each; and those not to be judged."""
    from scipy import stats

    if not places:
        return [], []
    n = float(data.counts.sum())
    z = data.design[:, 1:]
    columns = [Standard(z[:, j], 0.0, 1.0, float(np.abs(z[:, j]).max()), EPS) for j in range(z.shape[1])]
    ratios = []
    kept: list[Floats] | None = [] if data.y.size * len(places) <= KEPT else None
    for k in places:
        x = np.asarray(design.factors[k].values)
        ratios.append((x, float(x.max())))
        made = standard(bent(*ratios[-1]), data.counts, n, True)
        if kept is not None:
            kept.append(made.values)
        columns.append(replace(made, values=x))
    own = [(one.centre, one.scale) for one in columns[z.shape[1] :]]
    if any(scale == 0 for _, scale in own):
        return [], places
    more = _Bent(data.design, data.y, data.counts, ratios, own, kept)
    root = triangle(data.y.size, more.k - 1, lambda s: (more.block(s)[:, 1:].T * np.sqrt(data.counts[s])).T)
    try:
        refuse_collinear(root / np.sqrt(n), columns, True)
    except Collinear:
        return [], places
    wider = fit_logit(more, False, np.concatenate((fit.beta, np.zeros(len(places)))))
    if not wider.converged:
        return [], places
    bends = []
    for place, k in enumerate(places):
        j = data.k + place
        wald = float(wider.beta[j] ** 2 / wider.covariance[j, j])
        bends.append(Bend(k, wald, float(stats.chi2.sf(wald, 1))))
    return bends, []
