"""Permutation tests: the cases shared out anew, the signs of differences turned, one variable paired anew.

All arrangements where there are few, else drawn ones. Cases are put in order first, so that the order of the rows
changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from math import comb, factorial

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from hengxi.stats.moments import Floats
from hengxi.stats.two_groups import Alternative

EXACT_MOST = 200_000
"""Arrangements that are all gone through."""
CELLS_MOST = 3e8
"""Cases × draws that are worked on; beyond, fewer are drawn."""
DRAWS_LEAST = 999
CHUNK = 1_000_000
SLACK = 1e-10


@dataclass(frozen=True)
class Permuted:
    """The statistic as it is, and of every other arrangement looked at."""

    seen: float
    others: Floats
    complete: bool
    """Whether these are all arrangements there are."""
    shifts: Floats | None = None
    """For each arrangement the shift at which it reaches the one seen; of mean differences only."""

    @property
    def of(self) -> int:
        return self.others.size + 1

    def hits(self, alternative: Alternative) -> int:
        """How many of the others are at least as far out."""
        room = SLACK * max(1e-300, float(np.abs(self.others).max(initial=abs(self.seen))))
        if alternative == "greater":
            return int(np.count_nonzero(self.others >= self.seen - room))
        if alternative == "less":
            return int(np.count_nonzero(self.others <= self.seen + room))
        return int(np.count_nonzero(np.abs(self.others) >= abs(self.seen) - room))

    def p(self, alternative: Alternative) -> float:
        """The arrangement seen counts as one of them (Phipson & Smyth 2010)."""
        return (self.hits(alternative) + 1) / self.of

    def p_interval(self, alternative: Alternative, level: float = 0.95) -> tuple[float, float] | None:
        """Clopper-Pearson of what all arrangements would give; None where they were all looked at."""
        if self.complete:
            return None
        hits, n, tail = self.hits(alternative), self.others.size, (1 - level) / 2
        low = float(stats.beta.ppf(tail, hits, n - hits + 1)) if hits else 0.0
        return low, float(stats.beta.ppf(1 - tail, hits + 1, n - hits)) if hits < n else 1.0

    def shift_interval(self, alternative: Alternative, level: float) -> tuple[float, float] | None:
        """Shifts that this very test would not reject (Tritchler 1984); None where no shift is ever rejected."""
        if self.shifts is None:
            return None
        tail = (1 - level) / 2 if alternative == "two_sided" else 1 - level
        k = int(np.floor(tail * self.of + 1e-9))
        if k < 1:
            return None
        ordered = np.sort(self.shifts)
        low, high = float(ordered[k - 1]), float(ordered[-k])
        return (-np.inf if alternative == "less" else low), (np.inf if alternative == "greater" else high)


def draws_for(wanted: int, cases: int) -> int:
    return int(max(DRAWS_LEAST, min(wanted, CELLS_MOST // max(cases, 1))))


# ---- independent samples -------------------------------------------------------------------------------------------
def shared_out(samples: Sequence[Floats], statistic: str, draws: int, rng: np.random.Generator) -> Permuted:
    """`statistic`: mean_diff, median_diff, t (Welch) of two samples; f of two and more."""
    pooled = np.concatenate([np.sort(x) for x in samples])
    centre = float(pooled[0])
    pooled = pooled - centre
    reach = 1.0 if statistic in ("mean_diff", "median_diff") else float(np.abs(pooled).max())
    pooled = pooled / reach if reach > 0 else pooled
    sizes = [x.size for x in samples]
    m, n = sizes[0], pooled.size
    complete = len(sizes) == 2 and comb(n, m) <= EXACT_MOST
    parts = list(_chosen(n, m) if complete else _drawn(sizes, draws_for(draws, n), rng))
    found = np.concatenate([_of_groups(pooled[order], sizes, statistic) for order in parts])
    seen = float(_of_groups(pooled[None], sizes, statistic)[0])
    if statistic != "mean_diff":
        return Permuted(seen, found, complete)
    kept = np.concatenate([(order[:, :m] < m).sum(axis=1) for order in parts])
    weight = kept / m - (m - kept) / (n - m)
    with np.errstate(divide="ignore", invalid="ignore"):
        shifts = np.where(weight < 1, (seen - found) / (1 - weight), -np.inf)
    # An arrangement drawn that is the one seen counts for every shift, on both sides.
    same = int(np.count_nonzero(weight >= 1))
    if same:
        shifts = np.sort(shifts)
        shifts[: same // 2] = -np.inf
        shifts[same // 2 : same] = np.inf
    return Permuted(seen, found, complete, shifts)


def _chosen(n: int, m: int) -> Iterator[NDArray[np.int64]]:
    """Every way to choose the first sample but the one seen, as orders of all cases."""
    picks = np.array(list(combinations(range(n), m)), dtype=np.int64)[1:]
    size = max(1, CHUNK // n)
    for start in range(0, len(picks), size):
        part = picks[start : start + size]
        taken = np.zeros((len(part), n), dtype=bool)
        taken[np.arange(len(part))[:, None], part] = True
        yield np.argsort(~taken, axis=1, kind="stable")


def _drawn(sizes: Sequence[int], draws: int, rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    n = sum(sizes)
    size = max(1, CHUNK // n)
    for start in range(0, draws, size):
        now = min(size, draws - start)
        yield rng.permuted(np.tile(np.arange(n), (now, 1)), axis=1)


def _of_groups(values: Floats, sizes: Sequence[int], statistic: str) -> Floats:
    """Of each row of `values`, whose first cases are the first sample."""
    m = sizes[0]
    if statistic == "f":
        starts = np.cumsum([0, *sizes[:-1]])
        counts = np.array(sizes, dtype=float)
        means = np.add.reduceat(values, starts, axis=1) / counts
        grand = values.mean(axis=1)
        between = (counts * (means - grand[:, None]) ** 2).sum(axis=1)
        within = np.maximum(((values - grand[:, None]) ** 2).sum(axis=1) - between, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            f = (between / (len(sizes) - 1)) / (within / (values.shape[1] - len(sizes)))
        return np.asarray(np.where(np.isnan(f), 0.0, f))
    a, b = values[:, :m], values[:, m:]
    if statistic == "median_diff":
        return np.asarray(np.median(a, axis=1) - np.median(b, axis=1))
    apart = a.mean(axis=1) - b.mean(axis=1)
    if statistic == "mean_diff":
        return np.asarray(apart)
    return _ratio(apart, np.sqrt(a.var(axis=1, ddof=1) / m + b.var(axis=1, ddof=1) / b.shape[1]))


def _ratio(apart: Floats, se: Floats) -> Floats:
    """Infinite where the spread is nothing and the difference is not."""
    tiny = se <= 1e-12 * np.abs(apart)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(tiny, np.sign(apart) * 1e300, apart / se)
    return np.asarray(np.where(np.isnan(t), 0.0, t))


# ---- pairs ---------------------------------------------------------------------------------------------------------
def turned(difference: Floats, statistic: str, draws: int, rng: np.random.Generator) -> Permuted:
    """Signs of differences turned at random; `statistic`: mean_diff, median_diff, t."""
    d = np.sort(difference)
    d = _unit(d) if statistic == "t" else d
    n = d.size
    complete = 2.0**n <= EXACT_MOST
    size = max(1, CHUNK // n)
    found, level = list[Floats](), list[Floats]()
    total = 2**n - 1 if complete else draws_for(draws, n)
    for start in range(0, total, size):
        now = min(size, total - start)
        if complete:
            numbers = np.arange(start + 1, start + now + 1)
            signs = 1.0 - 2.0 * ((numbers[:, None] >> np.arange(n)) & 1)
        else:
            signs = 1.0 - 2.0 * rng.integers(0, 2, size=(now, n))
        found.append(_of_differences(signs * d, statistic))
        level.append(signs.mean(axis=1))
    others, seen = np.concatenate(found), float(_of_differences(d[None], statistic)[0])
    if statistic != "mean_diff":
        return Permuted(seen, others, complete)
    weight = np.concatenate(level)
    with np.errstate(divide="ignore", invalid="ignore"):
        shifts = np.where(weight < 1, (seen - others) / (1 - weight), 0.0)
    same = np.flatnonzero(weight >= 1)
    shifts[same[: same.size // 2]], shifts[same[same.size // 2 :]] = -np.inf, np.inf
    return Permuted(seen, others, complete, shifts)


def _unit(values: Floats) -> Floats:
    """Squares of very small and very large numbers leave the range of a double."""
    reach = float(np.abs(values).max())
    return values / reach if reach > 0 else values


def _of_differences(values: Floats, statistic: str) -> Floats:
    if statistic == "median_diff":
        return np.asarray(np.median(values, axis=1))
    mean = values.mean(axis=1)
    if statistic == "mean_diff":
        return np.asarray(mean)
    return _ratio(mean, values.std(axis=1, ddof=1) / np.sqrt(values.shape[1]))


# ---- correlation ---------------------------------------------------------------------------------------------------
def paired_anew(x: Floats, y: Floats, draws: int, rng: np.random.Generator) -> Permuted:
    """Pearson's r with one variable put in every other order."""
    order = np.lexsort((y, x))
    a, b = (_unit(v[order] - v.mean()) for v in (x, y))
    scale = float(np.sqrt(np.dot(a, a)) * np.sqrt(np.dot(b, b)))
    n = a.size
    complete = n < 10 and factorial(n) <= EXACT_MOST
    if complete:
        ways = np.array(list(permutations(range(n))), dtype=np.int64)[1:]
        others = b[ways] @ a / scale
    else:
        total = draws_for(draws, n)
        size = max(1, CHUNK // n)
        parts = []
        for start in range(0, total, size):
            now = min(size, total - start)
            parts.append(rng.permuted(np.tile(b, (now, 1)), axis=1) @ a / scale)
        others = np.concatenate(parts)
    return Permuted(float(np.dot(a, b)) / scale, np.clip(others, -1, 1), complete)
