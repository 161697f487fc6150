"""The correlation of two normal variables of which only ordered categories are seen (Olsson, 1979, two steps)."""

from __future__ import annotations

import numpy as np
from scipy import optimize, stats

from hengxi.stats.moments import Floats

_NODES, _SHARES = np.polynomial.legendre.leggauss(96)
MOST = 0.9999
"""Beyond this the two variables order the cases alike: the likelihood has no maximum inside."""
IMPOSSIBLE = 1e-13


def thresholds(counts: Floats) -> Floats:
    """Cut points of a standard normal variable with these counts in its ordered categories, ends included."""
    shares = np.cumsum(counts) / counts.sum()
    return np.concatenate(([-np.inf], stats.norm.ppf(shares[:-1]), [np.inf]))


def bivariate(h: Floats, k: Floats, rho: float) -> Floats:
    """P(X < h_i, Y < k_j) of a standard bivariate normal: Plackett's integral over the correlation in its angle."""
    top = float(np.arcsin(rho))
    angles = top * (_NODES + 1) / 2
    sines, cosines = np.sin(angles), np.cos(angles)
    a = np.clip(h, -40, 40)[:, None, None]
    b = np.clip(k, -40, 40)[None, :, None]
    inside = np.exp(-(a * a + b * b - 2 * a * b * sines) / (2 * cosines**2)) @ _SHARES
    found: Floats = np.outer(stats.norm.cdf(h), stats.norm.cdf(k)) + top / 2 * inside / (2 * np.pi)
    return found


def _density(h: Floats, k: Floats, rho: float) -> Floats:
    """φ₂ at the cut points: how P(X < h, Y < k) grows with ρ."""
    a, b = np.clip(h, -40, 40)[:, None], np.clip(k, -40, 40)[None, :]
    rest = 1 - rho * rho
    found: Floats = np.exp(-(a * a + b * b - 2 * rho * a * b) / (2 * rest)) / (2 * np.pi * np.sqrt(rest))
    return found


def polychoric(table: Floats) -> float:
    """`table`: counts of ordered categories, rows and columns without empty ones. ±1 if the maximum is at the end."""
    h, k = thresholds(table.sum(axis=1)), thresholds(table.sum(axis=0))

    held = table > 0

    def slope(rho: float) -> float:
        cells = np.diff(np.diff(bivariate(h, k, rho), axis=0), axis=1)[held]
        if float(cells.min()) < IMPOSSIBLE:
            # What was seen is all but impossible here: back towards 0. Differences of probabilities are noise below.
            return -float(np.sign(rho))
        growth = np.diff(np.diff(_density(h, k, rho), axis=0), axis=1)[held]
        return float(np.sum(table[held] * growth / cells))

    side = 1.0 if slope(0.0) >= 0 else -1.0
    near = 0.0
    for far in (0.3, 0.6, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, MOST):
        if slope(side * far) * side < 0:
            low, high = sorted((side * near, side * far))
            return float(optimize.brentq(slope, low, high, xtol=1e-14, rtol=1e-14))
        near = far
    return side
