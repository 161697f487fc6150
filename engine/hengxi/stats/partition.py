"""Partitions of cases around K centres (k-means), and how good one is: silhouette, Calinski-Harabasz, Davies-Bouldin,
the gap statistic. Everything is a matter of squared Euclidean distances between rows of `u` (rows × variables)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from hengxi.stats.moments import Floats
from hengxi.stats.restarts import GoOn, Rows, Sampled, of_many

Codes = NDArray[np.int64]
EXACT = 200_000
"""Rows × variables up to which every restart runs until no case moves and single cases are exchanged; above, restarts
are those of a sample and only the best go on with all rows (see `restarts.of_many`)."""
BATCH, MOVES = 5, 500
CELLS = 8_000_000


@dataclass(frozen=True, slots=True)
class Partition:
    """`labels` from 0 by falling size, then by rising centre of the first variable; `within` is the sum of squares."""

    labels: Codes
    centres: Floats
    sizes: Codes
    within: float
    emptied: int
    """Clusters that lost all cases and were left out."""
    runs: int
    """Restarts made; fewer than asked for where the user stopped."""
    sampled: Sampled | None = None
    """Where the rows are many."""

    @property
    def k(self) -> int:
        return len(self.centres)


def canonical(columns: Sequence[Floats]) -> Codes:
    """An order of the rows that depends on their values alone: results do not depend on the order of the file."""
    key = np.zeros(columns[0].size)
    for place, x in enumerate(columns):
        top = float(np.max(np.abs(x)))
        # Irrational shares: different rows have different keys but for a chance of rounding.
        key += (x / top if top > 0 else x) * np.sqrt(2.0 + place)
    return np.asarray(np.argsort(key, kind="stable"), dtype=np.int64)


def distinct(columns: Sequence[Floats], order: Codes, enough: int) -> int:
    """How many different rows there are, or some number above `enough`."""
    changed = np.zeros(order.size, dtype=bool)
    changed[0] = True
    for x in columns:
        sorted_x = x[order]
        changed[1:] |= sorted_x[1:] != sorted_x[:-1]
    # Rows that differ may have one key by a chance of rounding, and then lie between each other.
    rows_met: set[tuple[float, ...]] = set()
    for i in order[changed]:
        rows_met.add(tuple(float(x[i]) for x in columns))
        if len(rows_met) > enough:
            break
    return len(rows_met)


def partition(
    u: Floats,
    k: int,
    runs: int,
    seed: int,
    go_on: GoOn = lambda done, best, where: True,
    each: bool = True,
) -> Partition:
    """The best of `runs` restarts. False from `go_on` keeps the best so far. `each=False`: single cases are
    exchanged only after the best of a batch. The same to the last bit only in one thread: the caller holds
    scikit-learn to that (looking the thread pools up costs more than a small fit)."""
    if u.size > EXACT:
        many, sampled = of_many(u, k, runs, seed, go_on)
        return replace(settle(u, many, k, sampled.restarts), sampled=sampled)
    best: tuple[float, Codes, Floats] | None = None
    done = 0
    rows = Rows(u, k)
    tried: set[bytes] = set()
    while done < runs:
        more = 1 if each else min(BATCH, runs - done)
        labels = rows.restarts(more, (seed + done) % 2**32)
        mark = _mark(labels, k)
        if mark not in tried:
            tried.add(mark)
            found = exchange(rows.centred, labels, k)
            if best is None or found[0] < best[0] * (1 - 1e-12):
                best = found
        done += more
        assert best is not None
        if not go_on(done, best[0], f"第 {done}/{runs} 次重启"):
            break
    assert best is not None
    return settle(u, best[1], k, done)


def _mark(labels: Codes, k: int) -> bytes:
    """The same for the same partition, however its clusters are numbered: many restarts come to one they had."""
    first = np.full(k, len(labels))
    np.minimum.at(first, labels, np.arange(len(labels)))
    return bytes(np.argsort(np.argsort(first, kind="stable"), kind="stable")[labels])


def exchange(u: Floats, labels: Codes, k: int) -> tuple[float, Codes, Floats]:
    """Single cases change class as long as that lowers the sum of squares (Hartigan & Wong, 1979, without their order):
    where Lloyd's algorithm stands still, a case near a border may still gain by moving, since it moves both means.
    A move changes two means only, so only what hangs on those two is computed again; `u` is centred, so that means
    brought up to date lose no digits to its place. None gains only where means made anew say so as well."""
    labels = labels.copy()
    state = _Exchange(u, labels, k)
    for _ in range(MOVES):
        i, gains = state.most()
        if not gains and state.moved:
            state = _Exchange(u, labels, k)
            i, gains = state.most()
        if not gains:
            break
        state.move(i)
    centres = np.nan_to_num(centres_of(u, labels, k)) if state.moved else state.centres
    return float(np.sum((u - centres[labels]) ** 2)), labels, centres


class _Exchange:
    """What the sum of squares loses when a case leaves its class, and gains when it joins another one."""

    def __init__(self, u: Floats, labels: Codes, k: int) -> None:
        self.u, self.labels = u, labels
        self.sizes: list[float] = np.bincount(labels, minlength=k).astype(float).tolist()
        self.centres = np.nan_to_num(centres_of(u, labels, k))
        self.own = np.arange(k)[:, None] == labels
        self.leaving, self.joining = np.empty(len(u)), np.empty((k, len(u)))
        self.least, self.gain = np.empty(len(u)), np.empty(len(u))
        self.moved = False
        self._measure(list(range(k)))

    def _measure(self, classes: list[int]) -> None:
        for one, away in zip(classes, cdist(self.centres[classes], self.u, "sqeuclidean"), strict=True):
            size, own, joining = self.sizes[one], self.own[one], self.joining[one]
            np.multiply(away, size / (size + 1), out=joining)
            np.putmask(joining, own, np.inf)
            away *= size / (size - 1) if size > 1 else 0.0
            np.putmask(self.leaving, own, away)

    def most(self) -> tuple[int, bool]:
        """The case that gains most by moving, and whether it gains at all."""
        np.minimum.reduce(self.joining, axis=0, out=self.least)
        np.subtract(self.leaving, self.least, out=self.gain)
        i = int(self.gain.argmax())
        return i, bool(self.gain[i] > 1e-12 * max(float(self.leaving[i]), 1e-300))

    def move(self, i: int) -> None:
        old, new = int(self.labels[i]), int(self.joining[:, i].argmin())
        self.labels[i] = new
        self.own[old, i], self.own[new, i] = False, True
        # The mean of n moves by an n ± 1-th of the way to the case.
        self.centres[old] -= (self.u[i] - self.centres[old]) / (self.sizes[old] - 1)
        self.centres[new] += (self.u[i] - self.centres[new]) / (self.sizes[new] + 1)
        self.sizes[old] -= 1
        self.sizes[new] += 1
        self.moved = True
        self._measure([old, new])


def settle(u: Floats, labels: Codes, k: int, runs: int = 0) -> Partition:
    """Clusters in their order, empty ones left out, centres as exact means."""
    sizes = np.bincount(labels, minlength=k)
    held = np.flatnonzero(sizes > 0)
    centres = centres_of(u, labels, k)[held]
    order = np.lexsort((*np.round(centres.T[::-1], 9), -sizes[held]))
    place = np.full(k, -1, dtype=np.int64)
    place[held[order]] = np.arange(held.size)
    found, sorted_centres = place[labels], centres[order]
    within = float(within_squares(u, found, sorted_centres).sum())
    return Partition(found, sorted_centres, sizes[held][order], within, k - held.size, runs)


def centres_of(u: Floats, labels: Codes, k: int) -> Floats:
    """Means by cluster; NaN where it is empty."""
    sizes = np.bincount(labels, minlength=k)
    sums = np.column_stack([np.bincount(labels, weights=column, minlength=k) for column in u.T])
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = sums / sizes[:, None]
    return found


def within_squares(u: Floats, labels: Codes, centres: Floats) -> Floats:
    """Of each variable and cluster: squared distances from the centre, added up (k × variables)."""
    columns = []
    for j, column in enumerate(u.T):
        away = column - centres[labels, j]
        columns.append(np.bincount(labels, weights=away * away, minlength=len(centres)))
    return np.column_stack(columns)


def total_squares(u: Floats) -> Floats:
    """Of each variable, around its mean."""
    found: Floats = np.array([float(np.sum((column - column.mean()) ** 2)) for column in u.T])
    return found


def silhouettes(u: Floats, partitions: Sequence[Codes], metric: Any = "euclidean") -> list[Floats]:
    """s(i) of every row for each partition, from one pass over the distances (Rousseeuw, 1987); 0 in a cluster of 1.
    `metric` is a name scipy's `cdist` knows."""
    n = len(u)
    marks = [np.eye(int(labels.max()) + 1)[labels] for labels in partitions]
    joined = np.hstack(marks)
    widths = [np.zeros(n) for _ in partitions]
    step = max(1, CELLS // n)
    for start in range(0, n, step):
        rows = slice(start, min(start + step, n))
        sums = cdist(u[rows], u, metric) @ joined
        first = 0
        for one, labels, mark in zip(widths, partitions, marks, strict=True):
            k = mark.shape[1]
            one[rows] = _silhouette(sums[:, first : first + k], labels[rows], mark.sum(axis=0))
            first += k
    return widths


def _silhouette(sums: Floats, labels: Codes, sizes: Floats) -> Floats:
    rows = np.arange(labels.size)
    own = sums[rows, labels]
    mine = sizes[labels]
    with np.errstate(invalid="ignore", divide="ignore"):
        a = own / (mine - 1)
        others = sums / sizes
        others[rows, labels] = np.inf
        b = others.min(axis=1)
        s = (b - a) / np.maximum(a, b)
    return np.where((mine > 1) & np.isfinite(s), s, 0.0)


def calinski(within: float, total: float, n: int, k: int) -> float | None:
    """Calinski & Harabasz (1974); None where no variation is left within."""
    if k < 2 or n <= k or within <= 0:
        return None
    return (total - within) / (k - 1) / (within / (n - k))


def davies(u: Floats, clusters: Partition) -> float | None:
    """Davies & Bouldin (1979), with mean distances to the centre."""
    if clusters.k < 2:
        return None
    away = np.sqrt(np.sum((u - clusters.centres[clusters.labels]) ** 2, axis=1))
    spread = np.bincount(clusters.labels, weights=away, minlength=clusters.k) / clusters.sizes
    apart = cdist(clusters.centres, clusters.centres)
    np.fill_diagonal(apart, np.inf)
    return float(np.mean(np.max((spread[:, None] + spread) / apart, axis=1)))


@dataclass(frozen=True, slots=True)
class Gap:
    """Of each K from 1: gap and its standard error s·√(1 + 1/B) (Tibshirani, Walther & Hastie, 2001)."""

    gap: Floats
    error: Floats
    references: int

    @property
    def chosen(self) -> int:
        """The smallest K with gap(K) ≥ gap(K + 1) − error(K + 1); the largest where none is."""
        for k in range(len(self.gap) - 1):
            if self.gap[k] >= self.gap[k + 1] - self.error[k + 1]:
                return k + 1
        return len(self.gap)


def gap(
    u: Floats, within: Sequence[float], runs: int, seed: int, references: int, go_on: Callable[[int], bool]
) -> Gap | None:
    """`within[k - 1]`: the sum of squares found in `u` for K = k. References are uniform in the box of the data turned
    to their principal axes. None where the user stopped before two references were done."""
    rng = np.random.default_rng(seed)
    centred = u - u.mean(axis=0)
    axes = np.linalg.svd(centred, full_matrices=False)[2]
    turned = centred @ axes.T
    low, high = turned.min(axis=0), turned.max(axis=0)
    logs = []
    for b in range(references):
        # Distances do not change when the box is turned back, so it is left as it lies.
        drawn = rng.uniform(low, high, size=turned.shape)
        row = [float(total_squares(drawn).sum())]
        row += [partition(drawn, k, runs, seed + b, each=False).within for k in range(2, len(within) + 1)]
        logs.append(np.log(row))
        if not go_on(b + 1):
            break
    if len(logs) < 2:
        return None
    table = np.array(logs)
    with np.errstate(divide="ignore"):
        found = table.mean(axis=0) - np.log(np.asarray(within))
    return Gap(found, table.std(axis=0) * np.sqrt(1 + 1 / len(logs)), len(logs))
