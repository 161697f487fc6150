"""Whether samples come from one distribution: distances between their distribution functions, runs, with their p.

Everything works on distinct values with counts (`RankTable`). The permuted forms take counts of the first sample in
many draws at once (draws × values).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special, stats

from hengxi.stats.moments import Floats
from hengxi.stats.quadratic_tail import anderson_darling_tail, cramer_von_mises_tail
from hengxi.stats.ranks import RankTable, share_at_least
from hengxi.stats.two_groups import Alternative

EXACT_WORK = 4e7
"""Cells of the walk behind an exact p of Kolmogorov-Smirnov."""
DRAWS = 9999
DRAWN_MOST = 2e8
CHUNK = 2_000_000
RUNS_EXACT = 1000


@dataclass(frozen=True)
class Gap:
    """The largest distances of the first distribution function above and below the second, and where."""

    above: float
    above_at: float
    below: float
    below_at: float

    @property
    def largest(self) -> tuple[float, float]:
        return (self.above, self.above_at) if self.above >= self.below else (self.below, self.below_at)


def gap(table: RankTable) -> Gap:
    first, second = (np.cumsum(row) / row.sum() for row in table.counts)
    over = first - second
    up, down = int(over.argmax()), int(over.argmin())
    return Gap(
        max(0.0, float(over[up])), float(table.values[up]), max(0.0, -float(over[down])), float(table.values[down])
    )


def ks_distance(found: Gap, alternative: Alternative) -> float:
    """`greater`: the first sample lies higher, so its distribution function lies below."""
    return {"greater": found.below, "less": found.above}.get(alternative, found.largest[0])


def ks_asymptotic(distance: float, m: float, n: float, alternative: Alternative) -> float:
    z = distance * float(np.sqrt(m / (m + n) * n))
    return float(special.kolmogorov(z)) if alternative == "two_sided" else float(np.exp(-2 * z * z))


def ks_exact(table: RankTable, distance: float, alternative: Alternative) -> float | None:
    """The chance, over all ways to share the cases out, of a distance at least as large; ties are looked at together.

    A walk along the ordered cases; None where it would take too long.
    """
    m, n = (round(size) for size in table.sizes.tolist())
    total = m + n
    if float(total) * min(m, n) > EXACT_WORK:
        return None
    if m > n:
        swapped: dict[str, Alternative] = {"greater": "less", "less": "greater"}
        return ks_exact(RankTable(table.values, table.counts[::-1]), distance, swapped.get(alternative, alternative))
    ends = np.zeros(total + 1, dtype=bool)
    ends[np.rint(np.cumsum(table.together)).astype(np.int64)] = True
    taken = np.arange(m + 1)
    chance = np.zeros(m + 1)
    chance[0], hit = 1.0, 0.0
    for t in range(1, total + 1):
        left = total - t + 1
        from_first = chance * np.clip((m - taken) / left, 0, None)
        chance = chance * np.clip((n - (t - 1 - taken)) / left, 0, None)
        chance[1:] += from_first[:-1]
        if ends[t]:
            over = taken / m - (t - taken) / n
            side = {"greater": -over, "less": over}.get(alternative, np.abs(over))
            far = side >= distance - 1e-10
            hit += float(chance[far].sum())
            chance[far] = 0.0
    return min(1.0, hit)


def kuiper_asymptotic(v: float, m: float, n: float) -> float:
    """Stephens' finite form of the limit of Kuiper (1960)."""
    size = float(np.sqrt(m / (m + n) * n))
    x = (size + 0.155 + 0.24 / size) * v
    if x < 0.4:
        return 1.0
    j = np.arange(1, 101.0)
    return float(min(1.0, max(0.0, 2 * np.sum((4 * (j * x) ** 2 - 1) * np.exp(-2 * (j * x) ** 2)))))


# ---- statistics of many draws at once ------------------------------------------------------------------------------
def ks_statistics(first: Floats, table: RankTable, alternative: Alternative) -> Floats:
    m, n = table.sizes.tolist()
    over = np.cumsum(first, axis=1) / m - np.cumsum(table.together - first, axis=1) / n
    if alternative == "two_sided":
        return np.asarray(np.abs(over).max(axis=1))
    return np.asarray((-over if alternative == "greater" else over).max(axis=1))


def kuiper_statistics(first: Floats, table: RankTable) -> Floats:
    m, n = table.sizes.tolist()
    over = np.cumsum(first, axis=1) / m - np.cumsum(table.together - first, axis=1) / n
    return np.asarray(np.maximum(over.max(axis=1), 0) + np.maximum(-over.min(axis=1), 0))


def cvm_statistics(first: Floats, table: RankTable) -> Floats:
    """T = U/(mn(m + n)) − (4mn − 1)/(6(m + n)), ties share their mean rank."""
    m, n = table.sizes.tolist()

    def sum_of(counts: Floats) -> Floats:
        apart = table.midranks - (np.cumsum(counts, axis=1) - counts)
        squares = counts * apart**2 - apart * counts * (counts + 1) + counts * (counts + 1) * (2 * counts + 1) / 6
        return np.asarray(squares.sum(axis=1))

    u = m * sum_of(first) + n * sum_of(table.together - first)
    return np.asarray(u / (m * n * (m + n)) - (4 * m * n - 1) / (6 * (m + n)))


def cvm_asymptotic(t: float, m: float, n: float) -> float:
    """T moved and stretched to the mean and variance of its limit (Anderson 1962)."""
    total = m + n
    expected = (1 + 1 / total) / 6
    variance = (total + 1) * (4 * m * n * total - 3 * (m * m + n * n) - 2 * m * n) / (45 * total**2 * 4 * m * n)
    return cramer_von_mises_tail(1 / 6 + (t - expected) / float(np.sqrt(45 * variance)))


def ad_statistics(counts: Floats, table: RankTable) -> Floats:
    """A² of Scholz & Stephens (1987), formula (7): ties share their place. `counts`: draws × samples × values."""
    total, sizes = float(table.n), table.sizes
    together = table.together
    below = np.cumsum(together) - together / 2
    place = np.cumsum(counts, axis=2) - counts / 2
    weight = below * (total - below) - total * together / 4
    kept = weight > 0
    parts = together[kept] / total * (total * place[:, :, kept] - sizes[:, None] * below[kept]) ** 2 / weight[kept]
    return np.asarray((total - 1) / total * (parts.sum(axis=2) / sizes).sum(axis=1))


def ad_standardised(a2: float, table: RankTable) -> tuple[float, float]:
    """T = (A² − (k − 1))/σ and its p by the limit, stretched to the variance of these sizes."""
    sizes, n, k = table.sizes, table.n, table.sizes.size
    inverse = float(np.sum(1 / sizes))
    up = np.arange(1.0, n)
    h = float(np.sum(1 / up))
    tails = np.cumsum(1 / up[::-1])[::-1]  # Σ of 1/j, j from i to n − 1
    g = float(np.sum(tails[1:] / (n - up[:-1])))
    a = (4 * g - 6) * (k - 1) + (10 - 6 * g) * inverse
    b = (2 * g - 4) * k**2 + 8 * h * k + (2 * g - 14 * h - 4) * inverse - 8 * h + 4 * g - 6
    c = (6 * h + 2 * g - 2) * k**2 + (4 * h - 4 * g + 6) * k + (2 * h - 6) * inverse + 4 * h
    d = (2 * h + 6) * k**2 - 4 * h * k
    variance = (a * n**3 + b * n**2 + c * n + d) / ((n - 1.0) * (n - 2.0) * (n - 3.0))
    t = (a2 - (k - 1)) / float(np.sqrt(variance))
    limit = (k - 1) * 2 * (np.pi**2 / 3 - 3)
    return t, anderson_darling_tail((k - 1) + t * float(np.sqrt(limit)), k)


def permuted(table: RankTable, statistic: str, alternative: Alternative, rng: np.random.Generator) -> float | None:
    """p by drawing; None where it would take too long. Larger is further from one distribution, for each statistic."""
    k, distinct = table.sizes.size, table.values.size
    if (float(table.n) if k > 2 else 3.0 * distinct) * k * DRAWS > DRAWN_MOST or table.n > 10**9:
        return None

    def of(counts: Floats) -> Floats:
        """`counts`: draws × samples × values."""
        if statistic == "ad":
            return ad_statistics(counts, table)
        if statistic == "ks":
            return ks_statistics(counts[:, 0], table, alternative)
        return cvm_statistics(counts[:, 0], table) if statistic == "cvm" else kuiper_statistics(counts[:, 0], table)

    seen = float(of(table.counts[None])[0])
    left = np.rint(table.together).astype(np.int64)
    size = max(1, CHUNK // (k * max(distinct, table.n if k > 2 else 1)))
    hits = done = 0
    every = np.repeat(np.arange(distinct), left) if k > 2 else np.empty(0, dtype=np.int64)
    owner = np.repeat(np.arange(k), np.rint(table.sizes).astype(np.int64)) if k > 2 else every
    while done < DRAWS:
        now = min(size, DRAWS - done)
        if k == 2:
            first = rng.multivariate_hypergeometric(left, round(float(table.sizes[0])), size=now, method="marginals")
            counts = np.stack((first, left - first), axis=1).astype(float)
        else:
            counts = np.zeros((now, k, distinct))
            for i in range(now):
                np.add.at(counts[i], (rng.permutation(owner), every), 1.0)
        hits += int(np.count_nonzero(of(counts) >= seen - 1e-10 * max(1.0, abs(seen))))
        done += now
    return share_at_least(hits, DRAWS)[0]


# ---- runs ----------------------------------------------------------------------------------------------------------
def runs_between(table: RankTable) -> tuple[int, int]:
    """The fewest and the most runs of one sample's cases in the ordered whole; they differ where samples are tied."""
    a, b = table.counts
    kind = np.where(b == 0, 0, np.where(a == 0, 1, 2))
    kept = np.flatnonzero((kind == 2) | np.concatenate(([True], kind[1:] != kind[:-1])))
    # Best counts of runs so far, by the sample of the last case; both start free.
    worst = float("-inf")
    fewest, most = [0.0, 0.0], [0.0, 0.0]
    started = False
    for at in kept.tolist():
        if kind[at] < 2:
            own = int(kind[at])
            few = min(fewest[own], fewest[1 - own] + 1) if started else 1.0
            many = max(most[own], most[1 - own] + 1) if started else 1.0
            fewest, most = [np.inf, np.inf], [worst, worst]
            fewest[own], most[own] = few, many
        else:
            x, y = float(a[at]), float(b[at])
            lows, highs = [np.inf, np.inf], [worst, worst]
            for begin in (0, 1):
                joined = min(fewest[begin], fewest[1 - begin] + 1) if started else 1.0
                apart = max(most[begin], most[1 - begin] + 1) if started else 1.0
                lows[1 - begin] = min(lows[1 - begin], joined + 1)
                first, second = (x, y) if begin == 0 else (y, x)
                # Beginning with this sample and ending with the other, or with itself where it has cases to spare.
                highs[1 - begin] = max(highs[1 - begin], apart + 2 * min(first, second) - 1)
                if first > second:
                    highs[begin] = max(highs[begin], apart + 2 * second)
            fewest, most = lows, highs
        started = True
    return round(min(fewest)), round(max(most))


def runs_p(runs: int, m: int, n: int) -> tuple[float, float, str]:
    """Z with a correction of ½ below 50 cases, and P(as few runs); exact up to `RUNS_EXACT` cases."""
    total = m + n
    product = 2.0 * m * n
    expected = product / total + 1
    spread = float(np.sqrt(product * (product - total) / (float(total) ** 2 * (total - 1))))
    apart = runs - expected
    if total < 50:
        apart = float(np.sign(apart)) * max(abs(apart) - 0.5, 0.0)
    z = apart / spread
    if total > RUNS_EXACT:
        return z, float(special.ndtr(z)), "正态近似"
    r = np.arange(2, runs + 1)
    half = r // 2

    def ways(i: Any, j: Any) -> Floats:
        return np.asarray(_log_choose(m - 1, i) + _log_choose(n - 1, j))

    with np.errstate(invalid="ignore"):
        even = np.log(2.0) + ways(half - 1, half - 1)
        odd = np.logaddexp(ways(half - 1, half), ways(half, half - 1))
    terms = np.where(r % 2 == 0, even, odd) - _log_choose(total, np.array([float(m)]))
    return z, float(min(1.0, np.exp(terms).sum())), "精确分布"


def _log_choose(n: int, k: Any) -> Floats:
    inside = (k >= 0) & (k <= n)
    held = np.where(inside, k, 0)
    found = special.gammaln(n + 1) - special.gammaln(held + 1) - special.gammaln(n - held + 1)
    return np.asarray(np.where(inside, found, -np.inf))


def epps_singleton(x: Floats, y: Floats) -> tuple[float, float] | None:
    """W2 at t = 0.4 and 0.8 with the small-sample factor; None where the cases allow none."""
    if min(x.size, y.size) < 5:
        return None
    q1, q3 = np.quantile(np.concatenate((x, y)), [0.25, 0.75])
    if not q3 > q1:
        return None
    try:
        found = stats.epps_singleton_2samp(x, y)
    except (ValueError, np.linalg.LinAlgError):
        return None
    w, p = float(found.statistic), float(found.pvalue)
    return (w, p) if np.isfinite(w) and np.isfinite(p) else None
