"""Exact tests of tables with given margins (Fisher; Freeman & Halton 1951), and their Monte Carlo where too many exist.

The p is the probability of all tables no likelier than the one observed. The lines of the table are parted into two
halves; every filling of a half is listed with what it takes from the margins, and the halves are joined where they
add up: a table is never listed as a whole, so the square root of their number suffices.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

from hengxi.stats.moments import Floats
from hengxi.stats.proportions import wilson

Ints = NDArray[np.int64]
MOST = 2_000_000
"""Fillings of a half that are listed; about a second."""
SAME = 1e-7
"""Tables whose probabilities differ by less than this share are equally likely (as in R)."""


@dataclass(frozen=True, slots=True)
class Exact:
    p: float
    draws: int | None = None
    """None where the p is exact."""
    low: float | None = None
    high: float | None = None


def fisher(table: Floats, most: int = MOST) -> Exact | None:
    """None where there are too many tables to list."""
    t = np.rint(table).astype(np.int64)
    if t.shape == (2, 2):
        return Exact(float(min(1.0, stats.fisher_exact(t)[1])))
    plan = min((found for found in (_plan(t), _plan(t.T)) if found is not None), key=lambda one: one[0], default=None)
    if plan is None or plan[0] > most:
        return None
    _, turned, first = plan
    return Exact(_joined(turned, first))


def _plan(t: Ints) -> tuple[int, Ints, list[int]] | None:
    """How the rows are parted so that the larger half is smallest; None where even that is too large."""
    limits = t.sum(axis=0)
    sizes = [_fillings(int(s), limits) for s in t.sum(axis=1)]
    lines = range(len(sizes))
    if len(sizes) > 12 or np.sum(np.log2(limits + 1.0)) > 62:
        return None
    best: tuple[int, list[int]] | None = None
    for k in range(1, len(sizes) // 2 + 1):
        for first in combinations(lines, k):
            rows_count, other = 1, 1
            for i in lines:
                if i in first:
                    rows_count *= sizes[i]
                else:
                    other *= sizes[i]
            if best is None or max(rows_count, other) < best[0]:
                best = (max(rows_count, other), list(first))
    if best is None or best[0] > MOST:
        return None
    return best[0], t, best[1]


def _fillings(total: int, limits: Ints) -> int:
    """In how many ways a line of this total fits under the margins."""
    ways = np.zeros(total + 1)
    ways[0] = 1
    for limit in limits:
        sums = np.cumsum(ways)
        ways = sums - np.concatenate((np.zeros(min(limit + 1, total + 1)), sums[: max(0, total - limit)]))
        if ways.max() > 1e15:
            return 10**15
    return int(ways[total])


def _lines(total: int, limits: Ints) -> tuple[Ints, Floats]:
    """All fillings of one line, and the sum of −log x! of each."""
    partial = np.zeros((1, 0), dtype=np.int64)
    rest = np.array([total])
    room = int(limits.sum())
    for limit in limits:
        room -= int(limit)
        least, most = np.maximum(0, rest - room), np.minimum(limit, rest)
        times = most - least + 1
        held = times > 0
        partial, rest, least, times = partial[held], rest[held], least[held], times[held]
        first = np.repeat(np.cumsum(times) - times, times)
        here = np.repeat(least, times) + np.arange(int(times.sum())) - first
        partial = np.column_stack((np.repeat(partial, times, axis=0), here))
        rest = np.repeat(rest, times) - here
    return partial, -np.sum(special.gammaln(partial + 1.0), axis=1)


def _half(totals: list[int], limits: Ints) -> tuple[Ints, Floats]:
    """What each filling of these lines takes from the margins, and its −Σ log x!."""
    taken, logs = np.zeros((1, limits.size), dtype=np.int64), np.zeros(1)
    for total in sorted(totals):
        lines, more = _lines(total, limits)
        both = (taken[:, None, :] + lines[None, :, :]).reshape(-1, limits.size)
        sums = (logs[:, None] + more[None, :]).ravel()
        fits = np.all(both <= limits, axis=1)
        taken, logs = both[fits], sums[fits]
    return taken, logs


def _joined(t: Ints, first: list[int]) -> float:
    limits = t.sum(axis=0)
    totals = [int(s) for s in t.sum(axis=1)]
    base = np.concatenate(([1], np.cumprod(limits[:-1] + 1)))
    taken, logs = _half([totals[i] for i in first], limits)
    other, more = _half([s for i, s in enumerate(totals) if i not in first], limits)
    keys, places = taken @ base, (limits - other) @ base
    order, by = np.argsort(keys, kind="stable"), np.lexsort((more, places))
    keys, logs, places, more = keys[order], logs[order], places[by], more[by]
    constant = float(np.sum(special.gammaln(limits + 1.0)) + np.sum(special.gammaln(np.array(totals) + 1.0)))
    constant -= float(special.gammaln(t.sum() + 1.0))
    limit = -float(np.sum(special.gammaln(t + 1.0))) + SAME
    found, starts = np.unique(keys, return_index=True)
    ends = np.append(starts[1:], keys.size)
    from_, to = np.searchsorted(places, found, side="left"), np.searchsorted(places, found, side="right")
    p = 0.0
    for a, b, c, d in zip(starts.tolist(), ends.tolist(), from_.tolist(), to.tolist(), strict=True):
        if c == d:
            continue
        inside = more[c:d]
        top = float(inside[-1])
        sums = np.concatenate(([0.0], np.cumsum(np.exp(inside - top))))
        upto = np.searchsorted(inside, limit - logs[a:b], side="right")
        p += float(np.sum(np.exp(logs[a:b] + (top + constant)) * sums[upto]))
    return min(1.0, p)


def monte_carlo(table: Floats, draws: int, rng: np.random.Generator, level: float = 0.99) -> Exact:
    """Random tables with the same margins; (1 + hits)/(1 + draws), with Wilson's interval of the share of hits."""
    t = np.rint(table).astype(np.int64)
    observed = -float(np.sum(special.gammaln(t + 1.0))) + SAME
    tables = stats.random_table(t.sum(axis=1), t.sum(axis=0))
    hits = 0
    step = max(1, min(draws, 2_000_000 // t.size))
    for start in range(0, draws, step):
        drawn = tables.rvs(min(step, draws - start), random_state=rng)
        hits += int(np.sum(-np.sum(special.gammaln(drawn + 1.0), axis=(1, 2)) <= observed))
    low, high = wilson(hits, draws, level)
    return Exact((1 + hits) / (1 + draws), draws, low, high)
