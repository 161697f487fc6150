"""Power of common designs as a function of a (real) sample size, from noncentral distributions; and its inverses.

`n` is the first group's size where a design has groups of its own size, the size of each group in an analysis of
variance, else the whole sample; in a survival design the number of all cases.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import optimize, special

from hengxi.stats.effect_size import noncentral_t_cdf

MOST = 1e7
NODES, WEIGHTS = np.polynomial.legendre.leggauss(300)


@dataclass(frozen=True)
class Design:
    key: str
    alpha: float
    two_sided: bool = True
    ratio: float = 1.0
    groups: int = 3
    df: int = 1
    predictors: int = 1
    events: float = 1.0

    @property
    def least(self) -> float:
        """The smallest n that leaves a degree of freedom."""
        return {
            "t_one": 2.0, "t_paired": 2.0, "t_ind": 2.0, "tost": 2.0, "anova": 2.0, "corr": 4.0,
            "regression": self.predictors + 2.0,
        }.get(self.key, 2.0)  # fmt: skip

    def power(self, n: float, effect: float) -> float:
        """`effect`: d, f, h, w, r or f² above 0; the margin (in sd) of an equivalence; the hazard ratio."""
        tail = self.alpha / 2 if self.two_sided else self.alpha
        return float(min(1.0, max(0.0, _POWERS[self.key](self, n, effect, tail))))

    def total(self, n: float) -> float:
        if self.key in ("t_ind", "prop_two", "tost"):
            return n * (1 + self.ratio)
        return n * self.groups if self.key == "anova" else n

    def size(self, effect: float, power: float, near: float | None = None, fine: float = 1e-12) -> float | None:
        """The real n with this power; None beyond ten million cases in all. `near`: where it is looked for first."""

        def gap(n: float) -> float:
            return self.power(n, effect) - power

        low = self.least
        if near is not None and near / 1.2 > low and gap(near / 1.2) < 0 < gap(near * 1.2):
            low, high = near / 1.2, near * 1.2
        else:
            if gap(low) >= 0:
                return low
            high = low * 2
            while gap(high) < 0:
                low, high = high, high * 2
                if self.total(high) > 2 * MOST:
                    return None
        found = float(optimize.brentq(gap, low, high, xtol=fine, rtol=max(fine / 100, 1e-14)))
        return found if self.total(found) <= MOST else None

    def whole(self, effect: float, power: float, near: float | None = None) -> int | None:
        """The smallest whole n with at least this power."""
        found = self.size(effect, power, near, 1e-3)
        if found is None:
            return None
        n = int(np.ceil(found - 0.01))
        return n if self.power(n, effect) >= power - 1e-12 else n + 1

    def effect(self, n: float, power: float) -> float | None:
        """The smallest effect found with this power; of hazard ratios the one below 1."""
        if self.key == "logrank":
            need = _z(self.alpha / 2) + float(special.ndtri(power))
            shares = self.ratio / (1 + self.ratio) ** 2
            return float(np.exp(-need / np.sqrt(n * self.events * shares))) if need > 0 else None
        most = 1 - 1e-9 if self.key == "corr" else 1e4
        low, high = 1e-9, min(0.1, most)
        while self.power(n, high) < power:
            if high >= most:
                return None
            low, high = high, min(high * 2, most)
        if self.power(n, low) >= power:
            return None
        return float(optimize.brentq(lambda e: self.power(n, e) - power, low, high, xtol=1e-14, rtol=1e-14))


def _z(tail: float) -> float:
    return -float(special.ndtri(tail))


def _t(d: Design, df: float, delta: float, tail: float) -> float:
    limit = float(special.stdtrit(df, 1 - tail))
    found = 1 - noncentral_t_cdf(limit, df, delta)
    return found + (noncentral_t_cdf(-limit, df, delta) if d.two_sided else 0.0)


def _normal(d: Design, delta: float, tail: float) -> float:
    limit = _z(tail)
    return float(special.ndtr(delta - limit)) + (float(special.ndtr(-delta - limit)) if d.two_sided else 0.0)


def _anova(d: Design, n: float, f: float, _: float) -> float:
    df1, df2 = d.groups - 1.0, (n - 1) * d.groups
    limit = float(special.fdtri(df1, df2, 1 - d.alpha))
    return 1 - float(special.ncfdtr(df1, df2, d.groups * n * f * f, limit))


def _regression(d: Design, n: float, f2: float, _: float) -> float:
    df1, df2 = float(d.predictors), n - d.predictors - 1
    limit = float(special.fdtri(df1, df2, 1 - d.alpha))
    return 1 - float(special.ncfdtr(df1, df2, n * f2, limit))


def _chi2(d: Design, n: float, w: float, _: float) -> float:
    return 1 - float(special.chndtr(float(special.chdtri(d.df, d.alpha)), d.df, n * w * w))


def _corr(d: Design, n: float, r: float, tail: float) -> float:
    """Fisher's z with its bias, against the critical r of the t test (as R's pwr)."""
    limit = float(special.stdtrit(n - 2, 1 - tail))
    critical = float(np.arctanh(np.sqrt(limit**2 / (limit**2 + n - 2))))
    z, root = float(np.arctanh(r)) + r / (2 * (n - 1)), float(np.sqrt(n - 3))
    return float(special.ndtr((z - critical) * root)) + (
        float(special.ndtr((-z - critical) * root)) if d.two_sided else 0.0
    )


def _tost(d: Design, n: float, margin: float, _: float) -> float:
    """Both one-sided tests reject, no true difference: integrated over the estimated sd."""
    se, df = float(np.sqrt((1 + 1 / d.ratio) / n)), n * (1 + d.ratio) - 2
    limit = float(special.stdtrit(df, 1 - d.alpha))
    top = margin / (limit * se)

    spread = 10 / float(np.sqrt(2 * df))
    low, high = max(0.0, 1 - spread), min(top, 1 + spread)
    if high <= low:
        return 0.0
    s = low + (high - low) * (NODES + 1) / 2
    log_density = np.log(2 * df * s) + (df / 2 - 1) * np.log(df * s * s) - df * s * s / 2
    density = np.exp(log_density - df / 2 * np.log(2) - special.gammaln(df / 2))
    within = 2 * special.ndtr(margin / se - limit * s) - 1
    return float((high - low) / 2 * np.dot(WEIGHTS, within * density))


def _logrank(d: Design, n: float, hazard: float, _: float) -> float:
    shares = d.ratio / (1 + d.ratio) ** 2
    return float(special.ndtr(abs(np.log(hazard)) * np.sqrt(n * d.events * shares) - _z(d.alpha / 2)))


_POWERS: dict[str, Callable[[Design, float, float, float], float]] = {
    "t_one": lambda d, n, e, tail: _t(d, n - 1, e * np.sqrt(n), tail),
    "t_paired": lambda d, n, e, tail: _t(d, n - 1, e * np.sqrt(n), tail),
    "t_ind": lambda d, n, e, tail: _t(d, n * (1 + d.ratio) - 2, e * np.sqrt(n * d.ratio / (1 + d.ratio)), tail),
    "anova": _anova,
    "prop_one": lambda d, n, e, tail: _normal(d, e * np.sqrt(n), tail),
    "prop_two": lambda d, n, e, tail: _normal(d, e * np.sqrt(n * d.ratio / (1 + d.ratio)), tail),
    "chi2": _chi2,
    "corr": _corr,
    "regression": _regression,
    "tost": _tost,
    "logrank": _logrank,
}


def survey_size(margin: float, share: float, level: float, population: float | None) -> float:
    """Cases for a proportion ± margin (Cochran 1977), with the finite population corrected."""
    n0 = _z((1 - level) / 2) ** 2 * share * (1 - share) / margin**2
    return n0 if population is None else n0 / (1 + (n0 - 1) / population)


def survey_margin(n: float, share: float, level: float, population: float | None) -> float:
    """The inverse of `survey_size`."""
    n0 = n if population is None else n * (1 - 1 / population) / (1 - n / population)
    return float(_z((1 - level) / 2) * np.sqrt(share * (1 - share) / n0))
