"""A multivariate normal distribution from incomplete rows: EM, and Little's test of missing completely at random.

Rows are gathered by what they lack first; an iteration then costs as much as there are patterns, not rows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from hengxi.stats.moments import Floats

Bools = NDArray[np.bool_]
ROUNDS, CLOSE = 5000, 1e-11


@dataclass(frozen=True, slots=True)
class Pattern:
    """Rows that lack the same variables: `known` of them, their means and cross-products there (standard scores)."""

    known: Bools
    n: int
    mean: Floats
    products: Floats


@dataclass(frozen=True, slots=True)
class Estimate:
    """Maximum likelihood: `covariance` is divided by n. `chi2`, `df`, `p` are Little's (1988)."""

    n: int
    mean: Floats
    covariance: Floats
    patterns: int
    converged: bool
    chi2: float
    df: int
    p: float | None


def gathered(z: Floats) -> list[Pattern]:
    """Rows without any value are left out."""
    gaps, owner = np.unique(np.isnan(z), axis=0, return_inverse=True)
    owner = owner.reshape(-1)
    found = []
    for i, gone in enumerate(gaps):
        if gone.all():
            continue
        rows = z[owner == i][:, ~gone]
        mean = rows.mean(axis=0)
        found.append(Pattern(~gone, len(rows), mean, (rows - mean).T @ (rows - mean)))
    return found


def estimate(x: Floats) -> Estimate | None:
    """`x`: rows × variables, NaN where missing, no variable constant. None where the covariance becomes singular."""
    centre, scale = np.nanmean(x, axis=0), np.nanstd(x, axis=0)
    patterns = gathered((x - centre) / scale)
    n, p = sum(one.n for one in patterns), x.shape[1]
    mu, sigma = np.zeros(p), np.eye(p)
    moved = np.inf
    for _ in range(ROUNDS):
        new_mu, new_sigma = _step(patterns, n, mu, sigma)
        moved = max(float(np.abs(new_mu - mu).max()), float(np.abs(new_sigma - sigma).max()))
        mu, sigma = new_mu, new_sigma
        if np.linalg.eigvalsh(sigma)[0] < 1e-10:
            return None
        if moved < CLOSE:
            break
    chi2 = 0.0
    for one in patterns:
        away = one.mean - mu[one.known]
        chi2 += one.n * float(away @ np.linalg.solve(sigma[np.ix_(one.known, one.known)], away))
    df = sum(int(one.known.sum()) for one in patterns) - p
    value = float(stats.chi2.sf(chi2, df)) if df > 0 else None
    return Estimate(
        n, mu * scale + centre, sigma * np.outer(scale, scale), len(patterns), moved < CLOSE, chi2, df, value
    )


def _step(patterns: list[Pattern], n: int, mu: Floats, sigma: Floats) -> tuple[Floats, Floats]:
    """Expected sums and products given the last estimate, and what they make the next one."""
    p = len(mu)
    total, products = np.zeros(p), np.zeros((p, p))
    for one in patterns:
        known, gone = one.known, ~one.known
        weights = np.zeros((p, int(known.sum())))
        weights[known] = np.eye(int(known.sum()))
        rest = np.zeros((p, p))
        if gone.any():
            inner = np.linalg.solve(sigma[np.ix_(known, known)], sigma[np.ix_(known, gone)])
            weights[gone] = inner.T
            rest[np.ix_(gone, gone)] = sigma[np.ix_(gone, gone)] - sigma[np.ix_(gone, known)] @ inner
        mean = mu + weights @ (one.mean - mu[known])
        total += one.n * mean
        products += one.n * (np.outer(mean, mean) + rest) + weights @ one.products @ weights.T
    new_mu = total / n
    found: Floats = products / n - np.outer(new_mu, new_mu)
    return new_mu, (found + found.T) / 2
