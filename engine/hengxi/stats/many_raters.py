"""Agreement of several raters on categories: Fleiss, Conger, Randolph, Gwet and Krippendorff, with resampled cases.

Cases with the same ratings are one pattern with a weight; every coefficient is a function of weights × patterns, so
that thousands of resamples are one matrix product.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy import stats

from hengxi.stats.moments import Floats

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Ratings:
    """`codes`: patterns × raters, −1 where a rater gave none; `weights`: cases of each pattern; k categories."""

    codes: Ints
    weights: Floats
    k: int

    @cached_property
    def counts(self) -> Floats:
        """Patterns × categories: how many raters chose it."""
        found: Floats = np.stack([(self.codes == j).sum(axis=1) for j in range(self.k)], axis=1).astype(float)
        return found

    @property
    def raters(self) -> int:
        return int(self.codes.shape[1])

    @property
    def n(self) -> float:
        return float(self.weights.sum())

    @cached_property
    def agreement(self) -> Floats:
        """Share of agreeing pairs of raters in each pattern."""
        m = self.raters
        found: Floats = (np.sum(self.counts**2, axis=1) - m) / (m * (m - 1))
        return found

    def shares(self, w: Floats) -> Floats:
        """Share of each category among all ratings, for each row of weights."""
        found: Floats = w @ self.counts / (w.sum(axis=1, keepdims=True) * self.raters)
        return found


def patterns(codes: Ints, weights: Floats | None, k: int) -> Ratings:
    """Cases × raters → distinct patterns."""
    rows, place = np.unique(codes, axis=0, return_inverse=True)
    return Ratings(rows, np.bincount(place.ravel(), weights=weights, minlength=len(rows)).astype(float), k)


def chance(kind: str, r: Ratings, w: Floats) -> Floats:
    """Agreement expected by chance."""
    p = r.shares(w)
    if kind == "fleiss":
        found: Floats = np.sum(p**2, axis=1)
    elif kind == "randolph":
        found = np.full(len(w), 1 / r.k)
    elif kind == "gwet":
        found = np.sum(p * (1 - p), axis=1) / (r.k - 1)
    else:
        # Conger (1980): chance of each pair of raters by their own margins.
        total = w.sum(axis=1)
        own = np.stack([w @ (r.codes == j) / total[:, None] for j in range(r.k)], axis=2)
        found = np.sum(p**2, axis=1) - np.sum(own.var(axis=1, ddof=1), axis=1) / r.raters
    return found


def coefficient(kind: str, r: Ratings, w: Floats) -> Floats:
    """For each row of weights; NaN where chance agreement is 1."""
    observed, expected = w @ r.agreement / w.sum(axis=1), chance(kind, r, w)
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = np.where(1 - expected > 1e-12, (observed - expected) / (1 - expected), np.nan)
    return found


def fleiss_null(r: Ratings) -> float:
    """Standard error of κ where raters agree by chance only (Fleiss, Nee & Landis 1979)."""
    p = r.shares(r.weights[None, :])[0]
    q, m = 1 - p, r.raters
    spread = float(p @ q) ** 2 - float(np.sum(p * q * (q - p)))
    return float(np.sqrt(max(0.0, 2 * spread / (r.n * m * (m - 1))))) / float(p @ q)


@dataclass(frozen=True, slots=True)
class OfCategory:
    share: float
    conditional: float
    """The chance that another rater chooses it too."""
    kappa: float | None
    z: float | None
    p: float | None


def by_category(r: Ratings) -> list[OfCategory]:
    m, n = r.raters, r.n
    share = r.shares(r.weights[None, :])[0]
    null = float(np.sqrt(2 / (n * m * (m - 1))))
    made = []
    for j, p in enumerate(share):
        c = r.counts[:, j]
        both = float(r.weights @ (c * (c - 1)))
        off = float(r.weights @ (c * (m - c)))
        if p <= 0 or p >= 1:
            made.append(OfCategory(float(p), 1.0 if p >= 1 else 0.0, None, None, None))
            continue
        value = 1 - off / (n * m * (m - 1) * p * (1 - p))
        z = value / null
        made.append(OfCategory(float(p), both / (n * m * (m - 1) * p), value, z, float(2 * stats.norm.sf(abs(z)))))
    return made


# ---- Krippendorff --------------------------------------------------------------------------------------------------
def distances(scale: str, totals: Floats, values: Floats) -> Floats:
    """Squared differences of the categories: nominal, ordinal by their totals, interval by their values."""
    k = totals.size
    if scale == "nominal":
        return 1 - np.eye(k)
    if scale == "interval":
        gap: Floats = np.subtract.outer(values, values) ** 2
        return gap
    upto = np.cumsum(totals)
    low, high = np.minimum.outer(np.arange(k), np.arange(k)), np.maximum.outer(np.arange(k), np.arange(k))
    inside = upto[high] - upto[low] + totals[low] - (totals[low] + totals[high]) / 2
    squared: Floats = inside**2
    return squared


def krippendorff(r: Ratings, w: Floats, scale: str, values: Floats) -> Floats:
    """α for each row of weights; cases with one rating tell nothing. NaN where all ratings are the same."""
    c = r.counts
    m = c.sum(axis=1)
    held = m >= 2
    c, m, w = c[held], m[held], w[:, held]
    pairs = (c[:, :, None] * c[:, None, :] - np.eye(r.k) * c[:, :, None]) / (m - 1)[:, None, None]
    made = []
    for coincidence in np.tensordot(w, pairs, axes=1):
        totals = coincidence.sum(axis=1)
        d = distances(scale, totals, values)
        n = float(totals.sum())
        below = float(totals @ d @ totals)
        made.append(np.nan if below <= 0 else 1 - (n - 1) * float(np.sum(coincidence * d)) / below)
    return np.array(made)


def resampled(r: Ratings, draws: int, rng: np.random.Generator) -> Floats:
    """Weights of cases drawn with replacement."""
    found: Floats = rng.multinomial(round(r.n), r.weights / r.n, size=draws).astype(float)
    return found


def left_out(r: Ratings) -> Floats:
    """Weights with one case of each pattern left out, for the jackknife."""
    found: Floats = r.weights[None, :] - np.eye(len(r.weights))
    return found


def jackknife(r: Ratings, values: Floats) -> float:
    """Standard error from the coefficients of `left_out`."""
    n = r.n
    mean = float(r.weights @ values) / n
    return float(np.sqrt(max(0.0, (n - 1) / n * float(r.weights @ (values - mean) ** 2))))
