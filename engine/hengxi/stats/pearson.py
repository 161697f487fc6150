"""The Pearson curve with given skewness and kurtosis, standardised: distribution function, density and quantiles.

From the differential equation p'/p = −(x + c1)/(c0 + c1 x + c2 x²): type I (beta), III (gamma), IV, VI (beta prime).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import optimize, stats

from hengxi.stats.moments import Floats

_X, _W = np.polynomial.legendre.leggauss(400)
NEAR = 1e-9
"""Below it c2 counts as 0: the limit is the gamma distribution, or the normal one."""


@dataclass(frozen=True)
class Pearson:
    """Mean 0 and standard deviation 1."""

    type: str
    cdf: Callable[[float], float]
    pdf: Callable[[Floats], Floats]
    ppf: Callable[[float], float]


def pearson(skewness: float, excess: float) -> Pearson | None:
    """The curve; None where no distribution has these moments (kurtosis ≤ 1 + skewness²)."""
    b1, b2 = skewness**2, excess + 3
    if b2 <= b1 + 1 + 1e-9:
        return None
    if skewness < 0:
        mirror = pearson(-skewness, excess)
        return None if mirror is None else _mirrored(mirror)
    whole = 10 * b2 - 12 * b1 - 18
    if abs(whole) < NEAR:
        whole = NEAR
    c0, c1, c2 = (4 * b2 - 3 * b1) / whole, skewness * (b2 + 3) / whole, (2 * b2 - 3 * b1 - 6) / whole
    if abs(c2) < NEAR:
        return _frozen("正态", stats.norm()) if skewness < 1e-6 else _frozen("III", _gamma(skewness))
    disc = c1**2 - 4 * c0 * c2
    if disc <= 0:
        return _fourth(c0, c1, c2)
    low, high = sorted(((-c1 - np.sqrt(disc)) / (2 * c2), (-c1 + np.sqrt(disc)) / (2 * c2)))
    m1, m2 = (c1 + low) / (c2 * (high - low)), -(c1 + high) / (c2 * (high - low))
    if low < 0 < high:
        return _frozen("I", stats.beta(m1 + 1, m2 + 1, low, high - low))
    return _frozen("VI", stats.betaprime(m2 + 1, -m1 - m2 - 1, high, high - low))


def _gamma(skewness: float) -> object:
    shape = 4 / skewness**2
    return stats.gamma(shape, -np.sqrt(shape), 1 / np.sqrt(shape))


def _frozen(type_: str, law: object) -> Pearson:
    return Pearson(type_, lambda x: float(law.cdf(x)), law.pdf, lambda p: float(law.ppf(p)))  # type: ignore[attr-defined]


def _mirrored(of: Pearson) -> Pearson:
    return Pearson(of.type, lambda x: 1 - of.cdf(-x), lambda x: of.pdf(-x), lambda p: -of.ppf(1 - p))


def _fourth(c0: float, c1: float, c2: float) -> Pearson:
    """Type IV over θ = atan((2 c2 x + c1)/√Δ), where its density is cos^r θ e^(−νθ) up to a factor."""
    root = float(np.sqrt(max(4 * c0 * c2 - c1**2, 1e-300)))
    r, nu = 1 / c2 - 2, 2 * (c1 - c1 / (2 * c2)) / root
    mode = float(np.arctan(-nu / r))
    reach = 40 / np.sqrt(r)
    start, end = max(-np.pi / 2, mode - reach), min(np.pi / 2, mode + reach)
    top = r * np.log(np.cos(mode)) - nu * mode

    def height(at: Floats) -> Floats:
        with np.errstate(divide="ignore"):
            return np.asarray(np.exp(r * np.log(np.maximum(np.cos(at), 0.0)) - nu * at - top))

    def mass(low: float, high: float) -> float:
        half = (high - low) / 2
        return float(half * np.sum(_W * height((low + high) / 2 + half * _X)))

    below, above = mass(start, mode), mass(mode, end)

    def share(at: float) -> float:
        at = min(max(at, start), end)
        part = mass(start, at) if at < mode else below + above - mass(at, end)
        return part / (below + above)

    def angle(x: Floats | float) -> Floats | float:
        return np.arctan((2 * c2 * x + c1) / root)

    def density(x: Floats) -> Floats:
        inside = (2 * c2 * x + c1) / root
        return np.asarray(height(np.arctan(inside)) * 2 * c2 / root / (1 + inside**2) / (below + above))

    def quantile(p: float) -> float:
        at = optimize.brentq(lambda t: share(t) - p, start, end, xtol=1e-15, rtol=1e-14)
        return float((root * np.tan(at) - c1) / (2 * c2))

    return Pearson("IV", lambda x: share(float(angle(x))), density, quantile)
