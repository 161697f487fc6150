"""Pearson, Spearman and Kendall τ-b of one pair, with p and interval; a value may stand for several cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
from scipy import special, stats

from hengxi.stats.moments import BLOCK, Floats, Moments, expand, moments
from hengxi.stats.two_groups import Alternative, tail

EXACT_MOST = 9
FEWEST = 4
"""So few cases have no interval."""


@dataclass(frozen=True, slots=True)
class Association:
    """`statistic` is t (Pearson, Spearman) or z (Kendall); None where p is exact. Bounds are None with n ≤ 4."""

    r: float
    statistic: float | None
    df: float | None
    p: float
    low: float | None
    high: float | None
    n: int
    exact: bool


def size(x: Floats, counts: Floats | None) -> int:
    return int(x.size if counts is None else round(float(counts.sum())))


def deviations(x: Floats, counts: Floats | None) -> Floats:
    """Distances from the mean divided by their largest: products neither lose the small nor overflow."""
    m = moments(x, counts, shape=False)
    up = int(np.frexp(max(abs(m.most), abs(m.least)))[1])
    scaled = (np.ldexp(x, -up) - np.ldexp(m.anchor, -up)) - float(np.ldexp(m.centre, -up))
    top = float(np.abs(scaled).max())
    found: Floats = scaled / top if top > 0 else scaled
    return found


def settled(value: float) -> float:
    """Inside [-1, 1]; what differs from a perfect correlation, or from none, by rounding alone is one."""
    if abs(value) < 1e-15:
        return 0.0
    return float(np.sign(value)) if abs(value) > 1 - 1e-14 else value


def matrix(columns: Sequence[Floats], counts: Floats | None, known: Sequence[Moments]) -> Floats:
    """Pearson's correlations of columns of one length without gaps, in one pass over blocks of rows.

    `known`: their moments; no column may be constant. Distances from the mean are divided by their largest, as in
    `deviations`.
    """
    k = len(columns)
    products = np.zeros((k, k))
    exponents = [int(np.frexp(max(abs(m.most), abs(m.least)))[1]) for m in known]
    middles = [
        (float(np.ldexp(m.anchor, -up)), float(np.ldexp(m.centre, -up))) for m, up in zip(known, exponents, strict=True)
    ]
    tops = [
        max(abs(float(np.ldexp(end, -up)) - anchor - centre) for end in (m.least, m.most))
        for m, up, (anchor, centre) in zip(known, exponents, middles, strict=True)
    ]
    for start in range(0, columns[0].size, BLOCK):
        span = slice(start, start + BLOCK)
        table = np.empty((k, columns[0][span].size))
        for row, x, up, (anchor, centre), top in zip(table, columns, exponents, middles, tops, strict=True):
            # 2^-up itself is a double unless up is extreme.
            part = x[span] * 2.0**-up if abs(up) < 1000 else np.ldexp(x[span], -up)
            np.subtract(part, anchor, out=row)
            row -= centre
            row /= top
        weighted = table if counts is None else table * counts[span]
        products += weighted @ table.T
    length = np.sqrt(np.diag(products))
    return np.asarray(products / np.outer(length, length))


def cosine(a: Floats, b: Floats, counts: Floats | None) -> float:
    """The correlation of two tables of deviations."""
    wa, wb = (a, b) if counts is None else (a * counts, b * counts)
    value = float(np.dot(wa, b)) / float(np.sqrt(np.dot(wa, a) * np.dot(wb, b)))
    return settled(value)


def pearson(x: Floats, y: Floats, counts: Floats | None) -> float:
    return cosine(deviations(x, counts), deviations(y, counts), counts)


def ranks(x: Floats, counts: Floats | None) -> Floats:
    """Mean ranks of tied values."""
    _, code = np.unique(x, return_inverse=True)
    held = np.bincount(code, weights=counts).astype(float)
    found: Floats = (np.cumsum(held) - (held - 1) / 2)[code]
    return found


def coefficient(method: str, x: Floats, y: Floats, counts: Floats | None) -> float:
    match method:
        case "pearson":
            return pearson(x, y, counts)
        case "spearman":
            return pearson(ranks(x, counts), ranks(y, counts), counts)
        case _:
            return float(stats.kendalltau(expand(x, counts), expand(y, counts), method="asymptotic").statistic)


def associate(
    method: str,
    x: Floats,
    y: Floats,
    counts: Floats | None,
    alternative: Alternative,
    level: float,
    r: float | None = None,
) -> Association:
    """Neither variable may be constant; n ≥ 3. `r`: the coefficient, where already known."""
    n = size(x, counts)
    if r is None:
        r = coefficient(method, x, y, counts)
    untied = n <= EXACT_MOST and all(np.unique(v).size == n for v in (x, y))
    low, high = interval(method, r, n, alternative, level)
    if method == "kendall":
        if untied:
            side = {"two_sided": "two-sided"}.get(alternative, alternative)
            p = float(stats.kendalltau(x, y, method="exact", alternative=side).pvalue)
            return Association(r, None, None, min(1.0, p), low, high, n, True)
        z = kendall_z(x, y, counts, r)
        p = {"greater": stats.norm.sf(z), "less": stats.norm.cdf(z)}.get(alternative, 2 * stats.norm.sf(abs(z)))
        return Association(r, z, None, float(min(1.0, p)), low, high, n, False)
    if method == "spearman" and untied:
        d = ranks(x, None) - ranks(y, None)
        return Association(r, None, None, spearman_exact(float(d @ d), n, alternative), low, high, n, True)
    with np.errstate(divide="ignore"):
        t = float(r * np.sqrt(np.float64(n - 2) / np.float64((1 - r) * (1 + r))))
    return Association(r, t, float(n - 2), tail(t, n - 2, alternative), low, high, n, False)


def interval(
    method: str, r: float, n: int, alternative: Alternative, level: float
) -> tuple[float | None, float | None]:
    """Fisher's z with the standard error of each coefficient (Fieller 1957; Bonett & Wright 2000), one-sided as the
    test is."""
    if n <= FEWEST:
        return None, None
    variance = {"pearson": 1 / (n - 3), "spearman": (1 + r * r / 2) / (n - 3), "kendall": 0.437 / (n - 4)}[method]
    alpha = (1 - level) / 2 if alternative == "two_sided" else 1 - level
    half = float(-special.ndtri(alpha)) * float(np.sqrt(variance))
    with np.errstate(divide="ignore"):
        middle = float(np.arctanh(r))
    low = -1.0 if alternative == "less" else float(np.tanh(middle - half))
    high = 1.0 if alternative == "greater" else float(np.tanh(middle + half))
    return min(low, r), max(high, r)


def kendall_z(x: Floats, y: Floats, counts: Floats | None, tau: float) -> float:
    """Concordant minus discordant pairs by its standard error under independence, corrected for ties (Kendall 1970)."""
    n = float(size(x, counts))
    tx, ty = (np.bincount(np.unique(v, return_inverse=True)[1], weights=counts).astype(float) for v in (x, y))

    def sums(t: Floats) -> tuple[float, float, float]:
        pairs, triples = t * (t - 1), t * (t - 1) * (t - 2)
        return float(pairs.sum()), float(triples.sum()), float(np.sum(pairs * (2 * t + 5)))

    (x1, x2, x3), (y1, y2, y3) = sums(tx), sums(ty)
    whole = n * (n - 1)
    score = tau * np.sqrt((whole - x1) / 2) * np.sqrt((whole - y1) / 2)
    variance = (whole * (2 * n + 5) - x3 - y3) / 18 + x1 * y1 / (2 * whole)
    if n > 2:
        variance += x2 * y2 / (9 * whole * (n - 2))
    return float(score / np.sqrt(variance))


@lru_cache(maxsize=16)
def _square_counts(n: int) -> Floats:
    """How many permutations have Σd² = 0, 1, 2, …"""
    most = (n**3 - n) // 3
    tables = {0: np.eye(1, most + 1)[0]}
    for place in range(n):
        grown: dict[int, Floats] = {}
        for (mask, table), value in product(tables.items(), range(n)):
            if mask >> value & 1:
                continue
            d = (place - value) ** 2
            moved = np.zeros(most + 1)
            moved[d:] = table[: most + 1 - d]
            key = mask | 1 << value
            grown[key] = grown[key] + moved if key in grown else moved
        tables = grown
    found: Floats = tables[(1 << n) - 1]
    return found


def spearman_exact(squares: float, n: int, alternative: Alternative) -> float:
    """Small Σd² means a positive correlation."""
    counts = _square_counts(n)
    at, whole = round(squares), float(counts.sum())
    below, above = float(counts[: at + 1].sum()) / whole, float(counts[at:].sum()) / whole
    return {"greater": below, "less": above}.get(alternative, min(1.0, 2 * min(below, above)))


def bootstrap(
    method: str, x: Floats, y: Floats, counts: Floats | None, level: float, rng: np.random.Generator, times: int
) -> tuple[float, float] | None:
    """Percentile interval from resampled cases; None where too many samples had no variation.

    Equal cases are drawn together, in the order of their values: neither the order of rows nor writing a case twice
    instead of counting it twice changes the interval.
    """
    n = size(x, counts)
    distinct, place = np.unique(np.column_stack((x, y)), axis=0, return_inverse=True)
    copies = np.bincount(place.ravel(), weights=counts)
    x, y = distinct[copies > 0].T
    shares = copies[copies > 0] / n
    draws = []
    for _ in range(times):
        drawn = rng.multinomial(n, shares).astype(float)
        held = drawn > 0
        a, b = x[held], y[held]
        if a.min() < a.max() and b.min() < b.max():
            draws.append(coefficient(method, a, b, drawn[held]))
    if len(draws) < 0.9 * times:
        return None
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
