"""What a logistic regression says on the scale of probabilities, case by case and when a variable is bent."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import expit

from hengxi.stats.design import Design, Factor, build
from hengxi.stats.linear_fit import EPS, Basis, Collinear, Standard, refuse_collinear, standard
from hengxi.stats.logistic_fit import Data, Logit, fit_logit
from hengxi.stats.moments import Floats
from hengxi.stats.triangle import column_stack, triangle


@dataclass(frozen=True, slots=True)
class Effect:
    factor: int
    level: int | None
    """Code of the level compared with the reference; None for a quantitative variable."""
    value: float
    se: float


def margins(design: Design, plain: Basis, fit: Logit, counts: Floats) -> list[Effect]:
    """Average marginal effects with standard errors of the delta method; categories as a change from the reference."""
    effects = []
    shared = _Shared(plain, fit, counts)
    for k, factor in enumerate(design.factors):
        own = [term for term in design.terms if k in term.factors]
        if not own:
            continue
        if factor.values is not None and len(own) == 1 and len(own[0].factors) == 1:
            effects.append(shared.slope(k, own[0].first))
        elif factor.values is not None:
            effects.append(_slope(design, plain, fit, counts, k))
        else:
            effects += [_change(design, plain, fit, counts, k, level) for level in factor.shown(True)]
    return effects


class _Shared:
    """What the slopes of all variables without products or powers have in common."""

    def __init__(self, plain: Basis, fit: Logit, counts: Floats) -> None:
        self.plain, self.fit = plain, fit
        w = counts * fit.spread / float(counts.sum())
        self.middle = float(w.sum())
        turn = w * (1 - 2 * fit.p)
        self.turned = np.concatenate(([turn.sum()], plain.z.T @ turn))

    def slope(self, k: int, j: int) -> Effect:
        """Of the variable in column j: the mean of p (1 − p) times its coefficient."""
        gradient = self.fit.beta[j + 1] * self.turned
        gradient[j + 1] += self.middle
        se, scale = float(np.sqrt(gradient @ self.fit.covariance @ gradient)), float(self.plain.scale[j])
        with np.errstate(over="ignore", under="ignore"):
            return Effect(k, None, self.middle * float(self.fit.beta[j + 1]) / scale, se / scale)


def _slope(design: Design, plain: Basis, fit: Logit, counts: Floats, k: int) -> Effect:
    rows = plain.z.shape[0]
    whole = float(counts.sum())
    tilt = np.zeros(rows)
    moved = []
    scale = float(np.max(plain.scale[[j for term in design.terms if k in term.factors for j in term.columns]]))
    for term in design.terms:
        times = term.factors.count(k)
        if times == 0:
            continue
        rest = list(term.factors)
        rest.remove(k)
        part = build(design.factors, [tuple(rest)], rows).values if rest else np.ones((rows, 1))
        for place, j in enumerate(term.columns):
            column = times * part[:, place] * (scale / plain.scale[j])
            moved.append((j, column))
            tilt += fit.beta[j + 1] * column
    w = counts * fit.spread / whole
    turn = w * (1 - 2 * fit.p) * tilt
    gradient = np.concatenate(([turn.sum()], plain.z.T @ turn))
    for j, column in moved:
        gradient[j + 1] += float(np.dot(w, column))
    se = float(np.sqrt(gradient @ fit.covariance @ gradient))
    with np.errstate(over="ignore", under="ignore"):
        return Effect(k, None, float(np.dot(w, tilt)) / scale, se / scale)


def _change(design: Design, plain: Basis, fit: Logit, counts: Floats, k: int, level: int) -> Effect:
    parts = []
    for code in (level, design.factors[k].reference):
        parts.append(_as_if(design, plain, fit, counts, k, code))
    gradient = parts[0][1] - parts[1][1]
    return Effect(k, level, parts[0][0] - parts[1][0], float(np.sqrt(gradient @ fit.covariance @ gradient)))


def _as_if(design: Design, plain: Basis, fit: Logit, counts: Floats, k: int, code: int) -> tuple[float, Floats]:
    """The mean probability if every case had this level, and how it moves with the coefficients."""
    rows = plain.z.shape[0]
    z = plain.z.copy(order="F")
    factors: list[Factor] = list(design.factors)
    factors[k] = replace(factors[k], codes=np.full(rows, code))
    for term in design.terms:
        if k in term.factors:
            made = build(factors, [term.factors], rows).values
            z[:, term.columns] = (made - plain.centre[term.columns]) / plain.scale[term.columns]
    eta = fit.beta[0] + z @ fit.beta[1:]
    share = counts / counts.sum()
    w = share * expit(eta) * expit(-eta)
    return float(np.dot(share, expit(eta))), np.concatenate(([w.sum()], z.T @ w))


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
