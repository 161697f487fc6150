"""Marginal effects on a probability: averaged over the cases, or at one point of all variables; standard errors by the
delta method."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from hengxi.stats.design import Design, Factor, build
from hengxi.stats.linear_fit import Basis
from hengxi.stats.moments import Floats


class Linked(Protocol):
    """A regression in standard coordinates whose mean is a function of the linear predictor."""

    @property
    def beta(self) -> Floats: ...

    @property
    def covariance(self) -> Floats: ...

    @property
    def spread(self) -> Floats:
        """The slope of the mean, of every row."""

    @property
    def bend(self) -> Floats:
        """The slope of `spread`, of every row."""

    def mean(self, eta: Floats) -> Floats: ...

    def density(self, eta: Floats) -> Floats:
        """The slope of the mean."""


@dataclass(frozen=True, slots=True)
class Effect:
    factor: int
    level: int | None
    """Code of the level compared with the reference; None for a quantitative variable."""
    value: float
    se: float | None
    """None where the curve is flat and rounding has left no positive variance."""

    @property
    def z(self) -> float | None:
        return None if self.se is None else self.value / self.se

    def ends(self, reach: float) -> tuple[float, float] | tuple[None, None]:
        """The interval of `reach` standard errors to either side."""
        return (None, None) if self.se is None else (self.value - reach * self.se, self.value + reach * self.se)


def _standard_error(gradient: Floats, covariance: Floats) -> float | None:
    variance = float(gradient @ covariance @ gradient)
    return math.sqrt(variance) if 0 < variance < math.inf else None


def margins(design: Design, plain: Basis, fit: Linked, counts: Floats) -> list[Effect]:
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

    def __init__(self, plain: Basis, fit: Linked, counts: Floats) -> None:
        self.plain, self.fit = plain, fit
        w = counts * fit.spread / float(counts.sum())
        self.middle = float(w.sum())
        turn = counts * fit.bend / float(counts.sum())
        self.turned = np.concatenate(([turn.sum()], plain.z.T @ turn))

    def slope(self, k: int, j: int) -> Effect:
        """Of the variable in column j: the mean density times its coefficient."""
        gradient = self.fit.beta[j + 1] * self.turned
        gradient[j + 1] += self.middle
        se, scale = _standard_error(gradient, self.fit.covariance), float(self.plain.scale[j])
        with np.errstate(over="ignore", under="ignore"):
            value = self.middle * float(self.fit.beta[j + 1]) / scale
            return Effect(k, None, value, None if se is None else se / scale)


def _slope(design: Design, plain: Basis, fit: Linked, counts: Floats, k: int) -> Effect:
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
    turn = counts * fit.bend / whole * tilt
    gradient = np.concatenate(([turn.sum()], plain.z.T @ turn))
    for j, column in moved:
        gradient[j + 1] += float(np.dot(w, column))
    se = _standard_error(gradient, fit.covariance)
    with np.errstate(over="ignore", under="ignore"):
        return Effect(k, None, float(np.dot(w, tilt)) / scale, None if se is None else se / scale)


def _change(design: Design, plain: Basis, fit: Linked, counts: Floats, k: int, level: int) -> Effect:
    parts = []
    for code in (level, design.factors[k].reference):
        parts.append(_as_if(design, plain, fit, counts, k, code))
    gradient = parts[0][1] - parts[1][1]
    return Effect(k, level, parts[0][0] - parts[1][0], _standard_error(gradient, fit.covariance))


def _as_if(design: Design, plain: Basis, fit: Linked, counts: Floats, k: int, code: int) -> tuple[float, Floats]:
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
    w = share * fit.density(eta)
    return float(np.dot(share, fit.mean(eta))), np.concatenate(([w.sum()], z.T @ w))


class Curved(Linked, Protocol):
    def bend_at(self, eta: Floats) -> Floats:
        """The slope of the density."""


Parts = list[list[float]]
"""Of each variable its value, or the values of the columns of its levels."""


def point(design: Design, weights_of_levels: bool) -> Parts:
    """Means of all variables and of the columns of their levels; or medians, and the most frequent level."""
    found: Parts = []
    for factor in design.factors:
        if factor.values is not None:
            found.append([float(np.mean(factor.values) if weights_of_levels else np.median(factor.values))])
            continue
        codes = np.asarray(factor.codes)
        shares = np.bincount(codes, minlength=len(factor.labels)) / codes.size
        if not weights_of_levels:
            shares = (np.arange(shares.size) == shares.argmax()).astype(float)
        found.append([float(shares[k]) for k in factor.shown(True)])
    return found


def margins_at(design: Design, plain: Basis, fit: Curved, at: Parts) -> list[Effect]:
    """Slopes of quantitative variables and changes from the reference level, all others at the point."""
    found = []
    for k, factor in enumerate(design.factors):
        if not any(k in term.factors for term in design.terms):
            continue
        if factor.values is not None:
            found.append(_slope_at(design, plain, fit, at, k))
            continue
        shown = factor.shown(True)
        none = _row(design, plain, [*at[:k], [0.0] * len(shown), *at[k + 1 :]])
        for place, level in enumerate(shown):
            unit = [float(i == place) for i in range(len(shown))]
            row = _row(design, plain, [*at[:k], unit, *at[k + 1 :]])
            ends = [float(np.dot(g, fit.beta)) for g in (none, row)]
            low, high = (float(fit.mean(np.array(eta))) for eta in ends)
            gradient = float(fit.density(np.array(ends[1]))) * row - float(fit.density(np.array(ends[0]))) * none
            found.append(Effect(k, level, high - low, _standard_error(gradient, fit.covariance)))
    return found


def _row(design: Design, plain: Basis, at: Parts) -> Floats:
    """The point as a row of the standard design."""
    cells: list[float] = []
    for term in design.terms:
        cells += _products([at[k] for k in term.factors])
    return np.concatenate(([1.0], (np.array(cells) - plain.centre) / plain.scale))


def _products(parts: Parts) -> list[float]:
    found = [1.0]
    for part in parts:
        found = [a * b for a in found for b in part]
    return found


def _slope_at(design: Design, plain: Basis, fit: Curved, at: Parts, k: int) -> Effect:
    cells: list[float] = []
    for term in design.terms:
        times = term.factors.count(k)
        rest = list(term.factors)
        if times:
            rest.remove(k)
        cells += [times * value for value in _products([at[i] for i in rest])] if times else [0.0] * term.width
    tilt = np.concatenate(([0.0], np.array(cells) / plain.scale))
    row = _row(design, plain, at)
    eta = np.array(float(row @ fit.beta))
    slope, density = float(tilt @ fit.beta), float(fit.density(eta))
    gradient = float(fit.bend_at(eta)) * slope * row + density * tilt
    return Effect(k, None, density * slope, _standard_error(gradient, fit.covariance))
