"""Time to an event that not everybody has: the product-limit curve and what is read off it, tests between groups.

Kaplan & Meier (1958), Greenwood (1926); Brookmeyer & Crowley (1982) for quantiles; Irwin (1949), Royston & Parmar
(2013) for the mean up to a time; Mantel (1966), Gehan (1965), Tarone & Ware (1977), Harrington & Fleming (1982) for
the tests. Arrays are of n cases; `f` counts how often each case stands for one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy import stats

from hengxi.stats.contingency import ChiSquare
from hengxi.stats.moments import Floats

Bools = npt.NDArray[np.bool_]

SAME = 1e-9
"""Times closer than this share of their size are one time: 0.1 + 0.2 and 0.3 would otherwise be two."""


def joined_times(time: Floats) -> Floats:
    """Times that differ by rounding alone made equal (as `timefix` of R's survival)."""
    order = np.argsort(time, kind="stable")
    ordered = time[order]
    far = np.append(True, np.diff(ordered) > SAME * np.maximum(np.abs(ordered[1:]), SAME))
    out = np.empty_like(time)
    out[order] = ordered[np.flatnonzero(far)[np.cumsum(far) - 1]]
    return out


@dataclass(frozen=True)
class Curve:
    """One row a distinct time, event or not. `variance` is Greenwood's sum Σ d/(n(n − d)) up to there; infinite once
    everybody at risk had the event."""

    time: Floats
    at_risk: Floats
    events: Floats
    censored: Floats
    survival: Floats
    variance: Floats

    @property
    def n(self) -> float:
        return float(self.at_risk[0]) if self.time.size else 0.0

    @cached_property
    def se(self) -> Floats:
        """Standard error of the survival; 0 where the curve has come to 0."""
        with np.errstate(invalid="ignore"):
            return np.where(self.survival > 0, self.survival * np.sqrt(self.variance), 0.0)

    def place(self, t: float) -> int:
        """The last row at or before t; −1 before the first."""
        return int(np.searchsorted(self.time, t * (1 + SAME), "right")) - 1

    def at(self, t: float) -> tuple[float, float, float]:
        """Survival, its standard error, and how many are still at risk at t."""
        k = self.place(t)
        later = int(np.searchsorted(self.time, t * (1 - SAME), "left"))
        risk = float(self.at_risk[later]) if later < self.time.size else 0.0
        return (1.0, 0.0, risk) if k < 0 else (float(self.survival[k]), float(self.se[k]), risk)

    def quantile(self, share: float, heights: Floats | None = None) -> float | None:
        """The first time at which the curve (or `heights`, a bound of it) is at most 1 − share; the middle of the flat
        stretch where it stays exactly there. None where it never comes so low."""
        values = self.survival if heights is None else heights
        level = 1 - share
        below = np.flatnonzero(values <= level + 1e-12)
        if below.size == 0:
            return None
        k = int(below[0])
        if abs(values[k] - level) > 1e-12:
            return float(self.time[k])
        further = np.flatnonzero(values < level - 1e-12)
        return float(self.time[k]) if further.size == 0 else float((self.time[k] + self.time[further[0]]) / 2)

    def mean(self, until: float) -> tuple[float, float]:
        """Area under the curve up to `until`, and its standard error."""
        inside = self.time < until
        edges = np.concatenate([[0.0], self.time[inside], [until]])
        heights = np.concatenate([[1.0], self.survival[inside]])
        pieces = np.diff(edges) * heights
        # What lies to the right of each time inside.
        right = np.cumsum(pieces[::-1])[::-1][1:]
        d, n = self.events[inside], self.at_risk[inside]
        with np.errstate(divide="ignore", invalid="ignore"):
            parts = np.where(d > 0, right**2 * d / (n * (n - d)), 0.0)
        # Nobody is left: nothing to the right of it.
        return float(pieces.sum()), float(np.sqrt(np.where(np.isfinite(parts), parts, 0.0).sum()))


def kaplan_meier(time: Floats, event: Bools, f: Floats | None = None) -> Curve:
    """The product-limit estimate; censored cases are still at risk at their own time."""
    weight = np.ones(time.size) if f is None else f
    times, place = np.unique(time, return_inverse=True)
    events: Floats = np.bincount(place, weight * event, times.size).astype(float)
    censored: Floats = np.bincount(place, weight * ~event, times.size).astype(float)
    leaving = events + censored
    at_risk: Floats = np.cumsum(leaving[::-1])[::-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        step = np.where(events > 0, events / (at_risk * (at_risk - events)), 0.0)
    survival = np.asarray(np.cumprod(1 - events / at_risk), dtype=float)
    return Curve(times, at_risk, events, censored, survival, np.cumsum(step))


def _plain(s: Floats, v: Floats, z: float) -> tuple[Floats, Floats]:
    half = z * s * np.sqrt(v)
    return s - half, s + half


def _log(s: Floats, v: Floats, z: float) -> tuple[Floats, Floats]:
    return s * np.exp(-z * np.sqrt(v)), s * np.exp(z * np.sqrt(v))


def _log_log(s: Floats, v: Floats, z: float) -> tuple[Floats, Floats]:
    half = z * np.sqrt(v) / np.log(s)
    return s ** np.exp(-half), s ** np.exp(half)


def _logit(s: Floats, v: Floats, z: float) -> tuple[Floats, Floats]:
    centre, half = np.log(s / (1 - s)), z * np.sqrt(v) / (1 - s)
    return 1 / (1 + np.exp(half - centre)), 1 / (1 + np.exp(-half - centre))


def _arcsine(s: Floats, v: Floats, z: float) -> tuple[Floats, Floats]:
    centre, half = np.arcsin(np.sqrt(s)), z / 2 * np.sqrt(v * s / (1 - s))
    return np.sin(np.maximum(0, centre - half)) ** 2, np.sin(np.minimum(np.pi / 2, centre + half)) ** 2


TRANSFORMS: dict[str, Callable[[Floats, Floats, float], tuple[Floats, Floats]]] = {
    "plain": _plain, "log": _log, "log_log": _log_log, "logit": _logit, "arcsine": _arcsine,
}  # fmt: skip


def bounds(curve: Curve, how: str, level: float) -> tuple[Floats, Floats]:
    """Pointwise confidence bounds within 0 and 1; NaN where the curve is at 0. At 1 both bounds are 1."""
    z = float(stats.norm.isf((1 - level) / 2))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        low, high = TRANSFORMS[how](curve.survival, curve.variance, z)
    sure, gone = curve.survival >= 1, curve.survival <= 0
    low, high = np.clip(low, 0, 1), np.clip(high, 0, 1)
    return (
        np.where(gone, np.nan, np.where(sure, 1.0, low)),
        np.where(gone, np.nan, np.where(sure, 1.0, high)),
    )


def quantile_bounds(curve: Curve, share: float, how: str, level: float) -> tuple[float | None, float | None]:
    """Where the bounds of the curve come down to 1 − share (Brookmeyer & Crowley)."""
    low, high = bounds(curve, how, level)
    # Where the curve is at 0 its bounds are unknown: neither reaches the level there (as R).
    return tuple(curve.quantile(share, np.where(np.isnan(b), np.inf, b)) for b in (low, high))  # type: ignore[return-value]


# ---- tests between groups --------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Ranked:
    """Sums over the times of events of weighted observed minus expected events: (k,) and its covariance (k, k)."""

    observed: Floats
    expected: Floats
    gap: Floats
    covariance: Floats
    size: float
    """What the covariance is small against: weights may be large or tiny."""

    @cached_property
    def test(self) -> ChiSquare | None:
        """As many degrees of freedom as the covariance has directions: k − 1, fewer where a group could have no events
        or shares no stratum with some other groups; None where nothing can differ."""
        values, vectors = np.linalg.eigh(self.covariance)
        kept = values > 1e-12 * self.size
        if not kept.any():
            return None
        value = float(np.sum((vectors[:, kept].T @ self.gap) ** 2 / values[kept]))
        return ChiSquare(value, int(kept.sum()), float(stats.chi2.sf(value, kept.sum())))

    def trend(self, scores: Floats) -> ChiSquare | None:
        """One degree of freedom along the scores of the groups."""
        variance = float(scores @ self.covariance @ scores)
        if variance <= 1e-12 * self.size:
            return None
        value = float(scores @ self.gap) ** 2 / variance
        return ChiSquare(value, 1, float(stats.chi2.sf(value, 1)))


Weighting = Callable[[Floats, Floats], Floats]
"""Pooled numbers at risk, pooled survival just before → weight at each time of events."""

WEIGHTINGS: dict[str, Weighting] = {
    "logrank": lambda n, s: np.ones(n.size),
    "gehan": lambda n, s: n,
    "tarone": lambda n, s: np.sqrt(n),
    "peto": lambda n, s: s,
}


def fleming_harrington(rho: float, gamma: float) -> Weighting:
    """S(t−)^ρ (1 − S(t−))^γ."""
    return lambda n, s: s**rho * (1 - s) ** gamma


def ranked(
    time: Floats, event: Bools, group: npt.NDArray[np.intp], k: int, weighting: Weighting,
    strata: npt.NDArray[np.intp] | None = None, f: Floats | None = None,
) -> Ranked:  # fmt: skip
    """Weighted log-rank sums of k groups (codes 0 … k − 1), added over the strata."""
    weight = np.ones(time.size) if f is None else f
    layer = np.zeros(time.size, np.intp) if strata is None else strata
    observed, expected, gap, covariance = np.zeros(k), np.zeros(k), np.zeros(k), np.zeros((k, k))
    size = 0.0
    for stratum in np.unique(layer):
        own = layer == stratum
        times, place = np.unique(time[own], return_inverse=True)
        cell = group[own] * times.size + place
        shape = (k, times.size)
        leaving = np.bincount(cell, weight[own], k * times.size).reshape(shape)
        d = np.bincount(cell, weight[own] * event[own], k * times.size).reshape(shape)
        n = np.cumsum(leaving[:, ::-1], axis=1)[:, ::-1]
        total, deaths = n.sum(axis=0), d.sum(axis=0)
        before = np.concatenate([[1.0], np.cumprod(1 - deaths / total)[:-1]])
        at = deaths > 0
        d, n, total, deaths, before = d[:, at], n[:, at], total[at], deaths[at], before[at]
        w = weighting(total, before)
        share = n / total
        observed += d.sum(axis=1)
        expected += (share * deaths).sum(axis=1)
        gap += ((d - share * deaths) * w).sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            factor = np.where(total > 1, w**2 * deaths * (total - deaths) / (total - 1), 0.0)
        covariance += np.diag((share * factor).sum(axis=1)) - (share * factor) @ share.T
        size += float(factor.sum())
    return Ranked(observed, expected, gap, covariance, size)
