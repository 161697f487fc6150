"""Restarts of Lloyd's algorithm (Lloyd, 1982) from k-means++ centres (Arthur & Vassilvitskii, 2007): of all rows, or of
a sample first where the rows are many (Bradley & Fayyad, 1998)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster._kmeans import _kmeans_plusplus, _kmeans_single_lloyd
from sklearn.utils.extmath import row_norms

from hengxi.stats.moments import Floats

_lloyd = _kmeans_single_lloyd.__wrapped__
"""Without what holds the threads of BLAS to one in each restart: the caller does, once."""
Codes = NDArray[np.int64]
GoOn = Callable[[float, float, str], bool]
"""Asked between restarts: how many of those asked for (or what share of the work stands for so many), the best sum of
squares so far, and words for where it is. False stops."""
ROUNDS, TOLERANCE = 1000, 1e-4
CELLS = 200_000
"""Rows × variables of a sample."""
IDLE, GAIN, LAST = 3, 1e-6, 10
"""So many starts of all rows in turn without a share of `GAIN` less end the search; the best goes on for `LAST` more
rounds without tolerance."""
SHARE = 0.4
"""Of the work, what the restarts of the sample take, roughly."""


class Rows:
    """The rows as `KMeans.fit` prepares them, once for all restarts: for a thousand rows it takes as long over checking
    and preparing as over a restart. The restarts are those of `KMeans(k, random_state=seed, tol=0).fit`."""

    def __init__(self, u: Floats, k: int) -> None:
        self.centred = np.ascontiguousarray(u - u.mean(axis=0))
        self.norms = row_norms(self.centred, squared=True)
        self.weights = np.ones(len(u))
        self.k = k

    def restarts(self, times: int, seed: int) -> Codes:
        """Labels of the best of `times`."""
        stream = np.random.RandomState(seed)
        least, best = np.inf, None
        for _ in range(times):
            labels, within, _centres = self.lloyd(self.start(stream), 0.0)
            if best is None or within < least:
                least, best = within, labels
        return np.asarray(best, dtype=np.int64)

    def start(self, stream: np.random.RandomState) -> Floats:
        centres: Floats = _kmeans_plusplus(self.centred, self.k, self.norms, self.weights, stream)[0]
        return centres

    def lloyd(self, start: Floats, tolerance: float, rounds: int = ROUNDS) -> tuple[NDArray[np.int32], float, Floats]:
        """Labels, sum of squares and centres; `tolerance` is a squared movement of the centres."""
        labels, within, centres, _rounds = _lloyd(
            self.centred, self.weights, start, max_iter=rounds, tol=tolerance, n_threads=1
        )
        return labels, float(within), centres


@dataclass(frozen=True, slots=True)
class Sampled:
    """How the partition of many rows came about."""

    rows: int
    """Of a sample."""
    restarts: int
    """Of the sample."""
    whole: int
    """Starts that all rows went on from, one of them chosen among all rows."""


def of_many(u: Floats, k: int, runs: int, seed: int, go_on: GoOn) -> tuple[Codes, Sampled]:
    """`runs` restarts on a sample; from their best centres, and from some chosen among all rows, all rows go on.

    A sample finds the centres nearly where all rows have them, so that few rounds are left. The start among all rows is
    for a small class far away that the sample may miss.
    """
    rows = Rows(u, k)
    tolerance = TOLERANCE * float(np.mean(np.var(rows.centred, axis=0)))
    stream = np.random.RandomState(seed % 2**32)
    size = min(len(u), max(CELLS // u.shape[1], 100 * k))
    starts, started, stopped = _of_sample(rows, size, runs, stream, tolerance, go_on)
    if not stopped:
        starts.insert(0, rows.start(stream))
    best: tuple[float, Floats] | None = None
    idle = whole = 0
    for start in starts[: runs + 1]:
        _labels, within, centres = rows.lloyd(start, tolerance)
        whole += 1
        idle = 0 if best is None or within < best[0] * (1 - GAIN) else idle + 1
        if best is None or within < best[0]:
            best = within, centres
        share = runs * (1 - (1 - SHARE) * 0.7**whole)
        if stopped or idle == IDLE or not go_on(share, best[0], f"全部个案的第 {whole} 次迭代"):
            break
    assert best is not None
    labels = rows.lloyd(best[1], 0.0, LAST)[0]
    return np.asarray(labels, dtype=np.int64), Sampled(size, started, whole)


def _of_sample(
    rows: Rows, size: int, runs: int, stream: np.random.RandomState, tolerance: float, go_on: GoOn
) -> tuple[list[Floats], int, bool]:
    """Different centres found in a sample, the best first; how many restarts were made, and whether it was stopped."""
    places = np.sort(stream.choice(len(rows.centred), size, replace=False))
    drawn = rows.centred[places]
    middle = drawn.mean(axis=0)
    sample = Rows(drawn, rows.k)
    best_starts: list[tuple[float, Floats]] = []
    stopped = False
    for done in range(1, runs + 1):
        _labels, within, centres = sample.lloyd(sample.start(stream), tolerance)
        best_starts.append((within, centres + middle))
        best = min(best_starts, key=lambda one: one[0])[0] * len(rows.centred) / size
        if not go_on(done * SHARE, best, f"抽取的个案的第 {done}/{runs} 次重启"):
            stopped = True
            break
    best_starts.sort(key=lambda one: one[0])
    different: list[Floats] = []
    last = -np.inf
    for within, centres in best_starts:
        if within > last * (1 + GAIN):
            different.append(centres)
            last = within
    return different, len(best_starts), stopped
