"""Counts of categories against expected shares: power divergence, exact multinomial p, pooled tails of a law."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np
from scipy import special, stats

from hengxi.stats import contingency
from hengxi.stats.exact_tables import Exact
from hengxi.stats.moments import Floats
from hengxi.stats.proportions import wilson

MOST_OUTCOMES = 200_000
"""Tables of counts that are listed for an exact p."""


def divergence(observed: Floats, expected: Floats, kind: str) -> Floats:
    """Pearson's χ², the likelihood ratio G or Freeman and Tukey's, along the last axis."""
    value: Floats
    if kind == "pearson":
        value = np.sum((observed - expected) ** 2 / expected, axis=-1)
    elif kind == "likelihood":
        value = 2 * np.sum(special.xlogy(observed, observed / expected), axis=-1)
    else:
        value = 4 * np.sum((np.sqrt(observed) - np.sqrt(expected)) ** 2, axis=-1)
    kept: Floats = np.maximum(value, 0.0)
    return kept


def w_interval(value: float, df: int, n: float, level: float) -> tuple[float, float]:
    """Bounds of Cohen's w = √(χ²/n) by inverting the noncentral χ²."""
    alpha = (1 - level) / 2
    low, high = (contingency.noncentrality(value, df, q) for q in (1 - alpha, alpha))
    return float(np.sqrt(low / n)), float(np.sqrt(high / n))


def exact(observed: Floats, shares: Floats, kind: str) -> Exact | None:
    """P of all tables whose statistic is no smaller; None where there are too many tables."""
    n, k = round(float(observed.sum())), observed.size
    if comb(n + k - 1, k - 1) > MOST_OUTCOMES:
        return None
    tables = _compositions(n, k)
    values = divergence(tables.astype(float), n * shares, kind)
    here = float(divergence(observed, n * shares, kind))
    kept = tables[values >= here * (1 - 1e-9) - 1e-12]
    logs = special.gammaln(n + 1) - special.gammaln(kept + 1.0).sum(axis=1) + special.xlogy(kept, shares).sum(axis=1)
    return Exact(float(min(1.0, np.exp(logs).sum())))


def _compositions(n: int, k: int) -> Floats:
    """Every way to part n into k counts."""
    found = np.arange(n + 1)[:, None]
    for _ in range(k - 2):
        left = n - found.sum(axis=1)
        times = left + 1
        starts = np.repeat(np.cumsum(times) - times, times)
        here = np.arange(int(times.sum())) - starts
        found = np.column_stack((np.repeat(found, times, axis=0), here))
    whole: Floats = np.column_stack((found, n - found.sum(axis=1)))
    return whole


def drawn(
    observed: Floats, shares: Floats, kind: str, draws: int, rng: np.random.Generator, level: float = 0.99
) -> Exact:
    """Random multinomial tables: (1 + hits)/(1 + draws), with Wilson's interval."""
    n = round(float(observed.sum()))
    here = float(divergence(observed, n * shares, kind)) * (1 - 1e-9) - 1e-12
    values = divergence(rng.multinomial(n, shares / shares.sum(), size=draws).astype(float), n * shares, kind)
    hits = int((values >= here).sum())
    low, high = wilson(hits, draws, level)
    return Exact((1 + hits) / (1 + draws), draws, low, high)


@dataclass(frozen=True, slots=True)
class Fitted:
    """A distribution over pooled values: their words, counts, shares; `parameter` was estimated from the data."""

    words: list[str]
    observed: Floats
    shares: Floats
    parameter: float


def poisson(values: Floats, counts: Floats, least: float = 1.0) -> Fitted:
    """λ is the mean; tails are pooled until each expected count is at least `least`."""
    n = float(counts.sum())
    mean = float(values @ counts) / n
    top = int(values.max())
    observed = np.bincount(values.astype(int), weights=counts, minlength=top + 1).astype(float)
    shares = stats.poisson.pmf(np.arange(top + 1), mean)
    shares[-1] = stats.poisson.sf(top - 1, mean)
    return _pooled(observed, shares, mean, n, least, open_end=True)


def binomial(values: Floats, counts: Floats, trials: int, least: float = 1.0) -> Fitted:
    """p is the mean over the number of trials."""
    n = float(counts.sum())
    p = float(values @ counts) / n / trials
    observed = np.bincount(values.astype(int), weights=counts, minlength=trials + 1).astype(float)
    return _pooled(observed, stats.binom.pmf(np.arange(trials + 1), trials, p), p, n, least, open_end=False)


def _pooled(observed: Floats, shares: Floats, parameter: float, n: float, least: float, open_end: bool) -> Fitted:
    low, high = 0, observed.size - 1
    while low < high and shares[: low + 1].sum() * n < least:
        low += 1
    while high > low and shares[high:].sum() * n < least:
        high -= 1
    words = [str(i) for i in range(low, high + 1)]
    if low > 0:
        words[0] = f"≤{low}"
    if high < observed.size - 1 or open_end:
        words[-1] = f"≥{high}"
    inside = slice(low, high + 1)
    o, e = observed[inside].copy(), shares[inside].copy()
    o[0], e[0] = observed[: low + 1].sum(), shares[: low + 1].sum()
    o[-1], e[-1] = observed[high:].sum(), shares[high:].sum()
    return Fitted(words, o, e, parameter)


BENFORD: Floats = np.log10(1 + 1 / np.arange(1, 10))


def first_digits(values: Floats) -> Floats:
    """The first digit of each number, 0 where it has none."""
    found = np.zeros(values.shape)
    known = np.isfinite(values) & (values != 0)
    size = np.abs(values[known])
    lead = size / 10.0 ** np.floor(np.log10(size))
    # 0.001 is just below 10⁻³ in binary: rounding puts 9.999999999999999 where it belongs.
    lead = np.round(lead, 12)
    found[known] = np.floor(np.where(lead >= 10, 1.0, np.maximum(lead, 1.0)))
    return found
