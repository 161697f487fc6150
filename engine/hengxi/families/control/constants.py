"""Constants of control charts by integration, not from rounded tables: d2, d3, c4 and the median of a range."""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy import optimize, special

_X, _W = np.polynomial.legendre.leggauss(400)
REACH = 9.0
"""Beyond it the standard normal density is below 1e-18."""


def _cdf_of_range(w: float, n: int) -> float:
    """P(range of n standard normal values ≤ w) = n ∫ φ(x) (Φ(x + w) − Φ(x))^(n − 1) dx."""
    x = REACH * _X
    inner = special.ndtr(x + w) - special.ndtr(x)
    density = np.exp(-x * x / 2) / np.sqrt(2 * np.pi)
    return float(n * REACH * np.sum(_W * density * inner ** (n - 1)))


@cache
def d2(n: int) -> float:
    """Mean of the range of n standard normal values: ∫ 1 − Φ^n − (1 − Φ)^n dx (Tippett 1925)."""
    x = REACH * _X
    below = special.ndtr(x)
    return float(REACH * np.sum(_W * (1 - below**n - special.ndtr(-x) ** n)))


@cache
def d3(n: int) -> float:
    """Standard deviation of the range: E(W²) = 2 ∫ w (1 − F(w)) dw."""
    w = REACH * (_X + 1)
    beyond = np.array([1 - _cdf_of_range(float(at), n) for at in w])
    return float(np.sqrt(2 * REACH * np.sum(_W * w * beyond) - d2(n) ** 2))


@cache
def range_median(n: int) -> float:
    """Median of the range of n standard normal values (d4; .9539 for two)."""
    return float(optimize.brentq(lambda w: _cdf_of_range(w, n) - 0.5, 1e-6, 2 * REACH, xtol=1e-14))


@cache
def c4(n: int) -> float:
    """Mean of the standard deviation of n standard normal values."""
    return float(np.sqrt(2 / (n - 1)) * np.exp(special.gammaln(n / 2) - special.gammaln((n - 1) / 2)))


def per_size(constant: object, n: np.ndarray) -> np.ndarray:
    """A constant for each subgroup size; sizes repeat, so each is computed once."""
    sizes, place = np.unique(n.astype(int), return_inverse=True)
    assert callable(constant)
    return np.array([constant(int(size)) for size in sizes])[place]
