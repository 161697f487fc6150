"""Two ratings of the same cases as a square table of counts, and whether they changed (McNemar, Bowker, Stuart)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy import stats

from hengxi.contract import Column, Level
from hengxi.stats.contingency import ChiSquare
from hengxi.stats.moments import Floats
from hengxi.stats.names import level_words
from hengxi.stats.proportions import clopper_pearson, wilson

FEW = 25
"""Fewer discordant pairs are tested exactly."""


@dataclass(frozen=True)
class Square:
    """Rows: the first rating; columns: the second; `only`: labels of categories one of the two never used."""

    levels: list[Level]
    table: Floats
    only_first: list[str]
    only_second: list[str]

    @property
    def words(self) -> list[str]:
        return level_words(self.levels)

    @property
    def n(self) -> float:
        return float(self.table.sum())


def square(first: Column, second: Column, weights: Floats | None) -> Square:
    """Counts over the union of the categories: in the order of the first, numbers and declared orders from small to
    large. Rows without a rating are left out."""
    known = {one.value: one for one in second.all_levels}
    levels = list(first.all_levels) + [one for value, one in known.items() if value not in _values(first)]
    if all(not isinstance(one.value, str) for one in levels):
        levels.sort(key=lambda one: float(one.value))
    place = {one.value: i for i, one in enumerate(levels)}
    k = len(levels)
    a = np.array([place[one.value] for one in first.levels] + [-1])[first.codes]
    b = np.array([place[one.value] for one in second.levels] + [-1])[second.codes]
    both = (a >= 0) & (b >= 0)
    w = None if weights is None else weights[both]
    table = np.bincount(a[both] * k + b[both], weights=w, minlength=k * k).astype(float).reshape(k, k)
    used = (table.sum(axis=0) + table.sum(axis=1)) > 0
    rows, columns = table.sum(axis=1)[used], table.sum(axis=0)[used]
    kept = [one for one, present in zip(levels, used, strict=True) if present]
    return Square(
        kept, table[np.ix_(used, used)], [one.label for one, n in zip(kept, columns, strict=True) if n == 0],
        [one.label for one, n in zip(kept, rows, strict=True) if n == 0],
    )  # fmt: skip


def _values(column: Column) -> set[object]:
    return {one.value for one in column.all_levels}


# ---- change --------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class McNemar:
    """`b`: yes before and no after; `c`: no before and yes after."""

    plain: ChiSquare
    corrected: ChiSquare
    exact: float
    mid: float


def mcnemar(b: float, c: float) -> McNemar:
    """Asymptotic without and with Edwards' correction, exact binomial, mid-p (Fagerland, Lydersen & Laake 2013)."""
    n = b + c
    corrected = max(0.0, abs(b - c) - 1) ** 2 / n
    least = min(b, c)
    tail = float(stats.binom.cdf(least, n, 0.5))
    exact = min(1.0, 2 * tail)
    here = float(stats.binom.pmf(least, n, 0.5))
    mid = 1 - here if b == c else 2 * tail - here
    plain = (b - c) ** 2 / n
    return McNemar(
        ChiSquare(plain, 1, float(stats.chi2.sf(plain, 1))),
        ChiSquare(corrected, 1, float(stats.chi2.sf(corrected, 1))),
        exact, float(min(1.0, mid)),
    )  # fmt: skip


def bowker(table: Floats) -> ChiSquare | None:
    """Symmetry; df is the number of pairs of categories that anybody changed between. None where nobody changed."""
    i, j = np.triu_indices(table.shape[0], 1)
    both, gap = table[i, j] + table[j, i], table[i, j] - table[j, i]
    held = both > 0
    if not held.any():
        return None
    value, df = float(np.sum(gap[held] ** 2 / both[held])), int(held.sum())
    return ChiSquare(value, df, float(stats.chi2.sf(value, df)))


def stuart_maxwell(table: Floats) -> ChiSquare | None:
    """Equal margins; categories nobody moved to or from are left out. None where that leaves nothing."""
    off = table.sum(axis=1) + table.sum(axis=0) - 2 * np.diag(table)
    kept = table[np.ix_(off > 0, off > 0)]
    if kept.shape[0] < 2:
        return None
    d = (kept.sum(axis=1) - kept.sum(axis=0))[:-1]
    s = -(kept + kept.T)
    s[np.diag_indices_from(s)] = kept.sum(axis=1) + kept.sum(axis=0) - 2 * np.diag(kept)
    try:
        value = float(d @ np.linalg.solve(s[:-1, :-1], d))
    except np.linalg.LinAlgError:
        return None
    df = kept.shape[0] - 1
    return ChiSquare(value, df, float(stats.chi2.sf(value, df)))


def paired_difference(table: Floats, level: float) -> tuple[float, float, float]:
    """Share of the first category after minus before, with Newcombe's interval (1998b, method 10)."""
    (a, b), (c, d) = ((float(v) for v in row) for row in table)
    n = a + b + c + d
    before, after = (a + b) / n, (a + c) / n
    l1, u1 = wilson(a + c, n, level)
    l2, u2 = wilson(a + b, n, level)
    product = (a + b) * (c + d) * (a + c) * (b + d)
    gap = a * d - b * c
    phi = 0.0 if product <= 0 else (max(gap - n / 2, 0.0) if gap > 0 else gap) / float(np.sqrt(product))
    value = after - before

    def reach(x: float, y: float) -> float:
        return float(np.sqrt(max(0.0, x * x - 2 * phi * x * y + y * y)))

    return value, value - reach(after - l1, u2 - before), value + reach(u1 - after, before - l2)


def paired_odds(b: float, c: float, level: float) -> tuple[float, float, float]:
    """Odds of turning to the category over turning away, c/b, with the exact conditional interval."""
    low, high = clopper_pearson(c, b + c, level)

    def odds(p: float) -> float:
        return float("inf") if p >= 1 else p / (1 - p)

    return (float("inf") if b == 0 else c / b), odds(low), odds(high)


def cochran_q(hits: Floats, weights: Floats | None) -> ChiSquare | None:
    """`hits`: cases × measurements of 0 and 1. None where every case has the same result throughout."""
    w = np.ones(hits.shape[0]) if weights is None else weights
    k = hits.shape[1]
    columns, rows = w @ hits, hits.sum(axis=1)
    below = k * float(w @ rows) - float(w @ rows**2)
    if below <= 0:
        return None
    total = float(columns.sum())
    value = (k - 1) * (k * float(columns @ columns) - total**2) / below
    return ChiSquare(value, k - 1, float(stats.chi2.sf(value, k - 1)))


@dataclass(frozen=True, slots=True)
class PairOfHits:
    """Two results of the same cases: the first share minus the second; `chi2` is None where the exact p was read."""

    first: int
    second: int
    difference: float
    chi2: float | None
    p: float


def pairs_of_hits(hits: Floats, w: Floats) -> list[PairOfHits]:
    """McNemar's test of every pair of columns: exact with fewer than `FEW` discordant cases, χ² without correction
    otherwise; p = 1 where nobody differs."""
    found = []
    for i, j in combinations(range(hits.shape[1]), 2):
        b, c = float(w @ (hits[:, i] > hits[:, j])), float(w @ (hits[:, i] < hits[:, j]))
        test = mcnemar(b, c) if b + c > 0 else None
        few = b + c < FEW
        p = 1.0 if test is None else test.exact if few else test.plain.p
        found.append(PairOfHits(i, j, (b - c) / float(w.sum()), None if test is None or few else test.plain.value, p))
    return found
