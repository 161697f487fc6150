"""Rank tests against an order stated beforehand: Jonckheere-Terpstra for groups, Page for repeated measures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

import numpy as np

from hengxi.stats.moments import Floats
from hengxi.stats.ranks import DRAWN_MOST, DRAWS, RankTable

EXACT_ROWS, EXACT_CONDITIONS = 200, 8
"""Up to so many rows and conditions Page's exact distribution is a matter of a second."""


@dataclass(frozen=True)
class Jonckheere:
    """J, its moments given the ties, and Kendall's τb of group order and value."""

    j: float
    mean: float
    sd: float
    tau: float

    @property
    def z(self) -> float:
        return (self.j - self.mean) / self.sd


def jonckheere(table: RankTable) -> Jonckheere:
    """Pairs of cases in the order of their groups, ties one half; variance with ties by Hollander & Wolfe (2014, 6.19).

    `table`: samples in the order of the hypothesis, at least two values in all.
    """
    n, sizes, ties = float(table.n), table.sizes, table.together
    pairs = (n**2 - float(sizes @ sizes)) / 2
    j = _ordered_pairs(table.counts)
    variance = (_c(n) - float(_c(sizes).sum()) - float(_c(ties).sum())) / 72
    if n > 2:
        triples = float(_falling(sizes, 3).sum()) * float(_falling(ties, 3).sum())
        variance += triples / (36 * n * (n - 1) * (n - 2))
    doubles = float(_falling(sizes, 2).sum()) * float(_falling(ties, 2).sum())
    variance += doubles / (8 * n * (n - 1))
    whole = n * (n - 1) / 2
    untied = whole - float(_falling(ties, 2).sum()) / 2
    return Jonckheere(j, pairs / 2, float(np.sqrt(variance)), (2 * j - pairs) / float(np.sqrt(pairs * untied)))


def _c(n: Floats | float) -> Floats:
    return np.asarray(n * (n - 1) * (2 * n + 5))


def _falling(n: Floats, k: int) -> Floats:
    """n (n − 1) … of k factors."""
    return np.asarray(np.prod([n - i for i in range(k)], axis=0))


def _ordered_pairs(counts: Floats) -> float:
    lower = np.cumsum(counts, axis=0) - counts
    return float(np.sum(counts * (np.cumsum(lower, axis=1) - lower / 2)))


def draw_jonckheere(table: RankTable, rng: np.random.Generator) -> Floats | None:
    """J when the cases are shared out at random, `DRAWS` times; None where that takes too long."""
    if table.n * DRAWS > DRAWN_MOST:
        return None
    k, m = table.counts.shape
    values = np.repeat(np.arange(m), np.rint(table.together).astype(np.int64))
    groups = np.repeat(np.arange(k) * m, np.rint(table.sizes).astype(np.int64))
    drawn = np.empty(DRAWS)
    for i in range(DRAWS):
        places = rng.permutation(groups) + values
        drawn[i] = _ordered_pairs(np.bincount(places, minlength=k * m).reshape(k, m).astype(float))
    return drawn


@dataclass(frozen=True)
class Page:
    """L, its moments given the ties in each row, and the mean Spearman correlation of the rows with the order."""

    l: float  # noqa: E741 — Page's letter
    mean: float
    sd: float
    rho: float

    @property
    def z(self) -> float:
        return (self.l - self.mean) / self.sd


def page(ranks: Floats) -> Page:
    """Page (1963). `ranks`: mid-ranks inside each row, columns in the order of the hypothesis; not all rows tied.

    The variance is that of permutations inside the rows: n k²(k + 1)²(k − 1)/144 where no row has ties.
    """
    n, k = ranks.shape
    order = np.arange(1.0, k + 1) - (k + 1) / 2
    gaps = ranks - (k + 1) / 2
    spread, reach = (gaps**2).sum(axis=1), float(order @ order)
    across = gaps @ order
    told = spread > 0
    mean = n * k * (k + 1) ** 2 / 4
    rho = float(np.mean(across[told] / np.sqrt(spread[told] * reach)))
    return Page(mean + float(across.sum()), mean, float(np.sqrt(reach * spread.sum() / (k - 1))), rho)


def page_exact(ranks: Floats) -> float | None:
    """P(L ≥ the one seen) over all permutations inside the rows, ties kept; None where that takes too long."""
    n, k = ranks.shape
    if n > EXACT_ROWS or k > EXACT_CONDITIONS:
        return None
    # Twice the ranks are whole numbers, so L falls on a lattice of halves.
    doubled = np.rint(2 * ranks).astype(np.int64)
    seen = int((doubled @ np.arange(1, k + 1)).sum())
    whole, start = np.ones(1), 0
    for row in np.sort(doubled, axis=1):
        chances, least = _row_chances(tuple(row.tolist()))
        whole, start = np.convolve(whole, chances), start + least
    return float(min(1.0, whole[seen - start :].sum()))


@lru_cache(maxsize=256)
def _row_chances(row: tuple[int, ...]) -> tuple[Floats, int]:
    """Chances of Σ j·rank over the permutations of one row, from the least sum on."""
    every = np.array(list(permutations(row)), dtype=np.int64)
    sums = every @ np.arange(1, len(row) + 1)
    least = int(sums.min())
    return np.bincount(sums - least) / sums.size, least
