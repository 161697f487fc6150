"""What a logistic regression says on the scale of probabilities, case by case and when a variable is bent."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import expit

from hengxi.stats.design import Design, Factor, build
from hengxi.stats.linear_fit import Collinear, Fit, least_squares
from hengxi.stats.logistic_fit import Data, Logit, fit_logit
from hengxi.stats.moments import Floats


@dataclass(frozen=True, slots=True)
class Effect:
    factor: int
    level: int | None
    """Code of the level compared with the reference; None for a quantitative variable."""
    value: float
    se: float


def margins(design: Design, plain: Fit, fit: Logit, counts: Floats) -> list[Effect]:
    """Average marginal effects with standard errors of the delta method; categories as a change from the reference."""
    found = []
    for k, factor in enumerate(design.factors):
        if not any(k in term.factors for term in design.terms):
            continue
        if factor.values is not None:
            found.append(_slope(design, plain, fit, counts, k))
        else:
            found += [_change(design, plain, fit, counts, k, level) for level in factor.shown(True)]
    return found


def _slope(design: Design, plain: Fit, fit: Logit, counts: Floats, k: int) -> Effect:
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


def _change(design: Design, plain: Fit, fit: Logit, counts: Floats, k: int, level: int) -> Effect:
    parts = []
    for code in (level, design.factors[k].reference):
        parts.append(_as_if(design, plain, fit, counts, k, code))
    gradient = parts[0][1] - parts[1][1]
    return Effect(k, level, parts[0][0] - parts[1][0], float(np.sqrt(gradient @ fit.covariance @ gradient)))


def _as_if(design: Design, plain: Fit, fit: Logit, counts: Floats, k: int, code: int) -> tuple[float, Floats]:
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
    half = data.design @ (vectors * np.sqrt(np.maximum(values, 0)))
    leverage = np.minimum(np.einsum("ij,ij->i", half, half) * fit.spread, 1.0)
    rest = np.where(leverage > 1 - 1e-10, np.nan, 1 - leverage)
    # (y − p) / √(p (1 − p)) without cancellation: e^(−η/2) for events, −e^(η/2) for the others.
    pearson = np.where(data.y > 0, np.exp(-fit.eta / 2), -np.exp(fit.eta / 2))
    standardized = pearson / np.sqrt(rest)
    return Cases(leverage, standardized, standardized**2 * leverage / rest / data.k)


@dataclass(frozen=True, slots=True)
class Bend:
    factor: int
    wald: float
    p: float


def box_tidwell(design: Design, data: Data, places: list[int]) -> tuple[list[Bend], list[int]]:
    """x ln x of all these positive variables added together: Wald's test of each; and those not to be judged."""
    from scipy import stats

    columns = []
    for k in places:
        x = np.asarray(design.factors[k].values)
        x = x / np.max(x)
        columns.append(x * np.log(x))
    if not columns:
        return [], []
    whole = np.column_stack((data.design[:, 1:], *columns))
    try:
        plain = least_squares(np.asfortranarray(whole), data.y, True, None, data.counts)
    except Collinear:
        return [], places
    more = Data(np.column_stack((np.ones(data.y.size), plain.z)), data.y, data.counts)
    fit = fit_logit(more, False)
    if not fit.converged:
        return [], places
    found = []
    for place, k in enumerate(places):
        j = data.k + place
        wald = float(fit.beta[j] ** 2 / fit.covariance[j, j])
        found.append(Bend(k, wald, float(stats.chi2.sf(wald, 1))))
    return found, []
