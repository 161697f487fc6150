"""Box-Cox and Yeo-Johnson with λ by maximum likelihood, and Johnson's families; all on known values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import optimize, special, stats

from hengxi.contract.columns import Floats

SEARCHED = 5.0
"""λ is looked for between −5 and 5."""
JOHNSON_Z = np.arange(25, 126) / 100
SCORED = 5000
"""Order statistics that judge which of Johnson's curves is nearest to normal."""


def _grown(t: Floats, logs: Floats) -> Floats:
    """(e^t − 1)/λ with t = λ·logs, which is logs where λ is 0."""
    return np.asarray(logs * special.exprel(t))


def _slope(lam: float, logs: Floats) -> Floats:
    """Its derivative by λ: (e^t(t − 1) + 1)/λ², by its series near 0."""
    t = lam * logs
    near = np.abs(t) < 1e-3
    series = logs**2 * (1 / 2 + t / 3 + t**2 / 8 + t**3 / 30)
    whole = (np.exp(t) * (t - 1) + 1) / (lam * lam if lam else 1.0)
    return np.where(near, series, whole)


@dataclass
class PowerFit:
    """λ with the interval in which the profile likelihood is within χ²₁(0.95)/2; None where an end is not reached."""

    lam: float
    low: float | None
    high: float | None


class BoxCox:
    """x > 0; y = (x^λ − 1)/λ."""

    def __init__(self, x: Floats) -> None:
        self.logs = np.log(x)
        self.middle = float(self.logs.mean())
        self._from_middle = self.logs - self.middle

    def values(self, lam: float) -> Floats:
        return _grown(lam * self.logs, self.logs)

    def log_likelihood(self, lam: float) -> float:
        """Up to the constant of the normal density, as MASS::boxcox and scipy.stats.boxcox_llf give it."""
        n = len(self.logs)
        spread = float(_grown(lam * self._from_middle, self._from_middle).var())
        return -n * self.middle - n / 2 * float(np.log(spread))

    def slope(self, lam: float) -> float:
        z = _grown(lam * self._from_middle, self._from_middle)
        z -= z.mean()
        return -float(np.divide(np.dot(z, _slope(lam, self._from_middle)), np.dot(z, z))) * len(z)


class YeoJohnson:
    """Any x (Yeo & Johnson 2000)."""

    def __init__(self, x: Floats) -> None:
        self.below = x < 0
        self.logs = np.log1p(np.abs(x))
        self.sum = float(np.where(self.below, -self.logs, self.logs).sum())

    def values(self, lam: float) -> Floats:
        done = np.empty_like(self.logs)
        up, down = self.logs[~self.below], self.logs[self.below]
        done[~self.below] = _grown(lam * up, up)
        done[self.below] = -_grown((2 - lam) * down, down)
        return done

    def log_likelihood(self, lam: float) -> float:
        return (lam - 1) * self.sum - len(self.logs) / 2 * float(np.log(self.values(lam).var()))

    def slope(self, lam: float) -> float:
        y = self.values(lam)
        y -= y.mean()
        change = np.empty_like(self.logs)
        change[~self.below] = _slope(lam, self.logs[~self.below])
        change[self.below] = _slope(2 - lam, self.logs[self.below])
        return self.sum - float(np.divide(np.dot(y, change), np.dot(y, y))) * len(y)


def fitted(family: BoxCox | YeoJohnson) -> PowerFit | None:
    """Where the likelihood is highest; None where that is not between −5 and 5. Values that vary."""
    with np.errstate(all="ignore"):
        ends = family.slope(-SEARCHED), family.slope(SEARCHED)
        if not (ends[0] > 0 > ends[1]):
            return None
        lam = float(optimize.brentq(family.slope, -SEARCHED, SEARCHED, xtol=1e-13))
        floor = family.log_likelihood(lam) - float(stats.chi2.ppf(0.95, 1)) / 2

        def above(one: float) -> float:
            return family.log_likelihood(one) - floor

        low, high = (
            float(optimize.brentq(above, *sorted((lam, end)), xtol=1e-12)) if above(end) < 0 else None
            for end in (-2 * SEARCHED, 2 * SEARCHED)
        )
    return PowerFit(lam, low, high)


@dataclass
class Johnson:
    """y = γ + η·asinh((x − ε)/λ) (SU), or γ + η·ln((x − ε)/(λ + ε − x)) (SB); `z` chose the quantiles."""

    family: str
    gamma: float
    eta: float
    epsilon: float
    lam: float
    z: float

    def values(self, x: Floats) -> Floats:
        at = (x - self.epsilon) / self.lam
        with np.errstate(all="ignore"):
            inner = np.arcsinh(at) if self.family == "SU" else np.log(at / (1 - at))
        return np.asarray(self.gamma + self.eta * inner)


def johnson(x: Floats) -> Johnson | None:
    """Slifker & Shapiro (1980) by four quantiles for each z of a grid; the one whose values lie straightest on normal
    scores (Chou et al. 1998). None where no curve fits."""
    ordered = np.sort(x)
    some = ordered[np.unique(np.linspace(0, len(x) - 1, min(SCORED, len(x))).round().astype(np.int64))]
    scores = stats.norm.ppf((np.arange(1, len(some) + 1) - 0.375) / (len(some) + 0.25))
    best: tuple[float, Johnson | None] = (-np.inf, None)
    for z in JOHNSON_Z.tolist():
        curve = _by_quantiles(ordered, z)
        if curve is None:
            continue
        y = curve.values(some)
        if not np.isfinite(y).all():
            continue
        straight = float(np.corrcoef(y, scores)[0, 1])
        if straight > best[0] + 1e-12:
            best = straight, curve
    return best[1]


def _by_quantiles(ordered: Floats, z: float) -> Johnson | None:
    places = stats.norm.cdf([-3 * z, -z, z, 3 * z])
    x1, x2, x3, x4 = np.quantile(ordered, places)
    m, n, p = x4 - x3, x2 - x1, x3 - x2
    if min(m, n, p) <= 0:
        return None
    ratio, middle = (m / p) * (n / p), (x3 + x2) / 2
    if 1 < ratio < np.inf:
        a, b = m / p, n / p
        eta = 2 * z / np.arccosh((a + b) / 2)
        gamma = eta * np.arcsinh((b - a) / (2 * np.sqrt(a * b - 1)))
        lam = 2 * p * np.sqrt(a * b - 1) / ((a + b - 2) * np.sqrt(a + b + 2))
        epsilon = middle + p * (b - a) / (2 * (a + b - 2))
        return Johnson("SU", float(gamma), float(eta), float(epsilon), float(lam), z)
    if ratio < 1:
        a, b = p / m, p / n
        both = (1 + a) * (1 + b)
        eta = z / np.arccosh(np.sqrt(both) / 2)
        gamma = eta * np.arcsinh((b - a) * np.sqrt(both - 4) / (2 * (a * b - 1)))
        lam = p * np.sqrt((both - 2) ** 2 - 4) / (a * b - 1)
        epsilon = middle - lam / 2 + p * (b - a) / (2 * (a * b - 1))
        if not epsilon < ordered[0] or not ordered[-1] < epsilon + lam:
            return None
        return Johnson("SB", float(gamma), float(eta), float(epsilon), float(lam), z)
    return None
