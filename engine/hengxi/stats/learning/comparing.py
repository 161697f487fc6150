"""Scores of models on the same folds, compared: the corrected resampled t test of Nadeau & Bengio (2003).

Training rows of the folds overlap, so their scores vary too little. With K folds of one cross-validation the variance
of a mean of differences is (1/K + n₂/n₁)·s², n₂/n₁ = 1/(K − 1) test rows to training rows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from hengxi.stats.moments import Floats

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Corrected:
    """A mean over folds with its interval; no test where the folds do not differ."""

    mean: float
    sd: float
    low: float
    high: float
    t: float | None
    p: float | None
    df: int


def corrected(values: Floats) -> Corrected:
    """Of one value a fold (a score, or a difference of two scores): mean against 0."""
    k = values.size
    mean, sd = float(values.mean()), float(values.std(ddof=1))
    error = float(np.sqrt(1 / k + 1 / (k - 1))) * sd
    reach = float(stats.t.isf((1 - LEVEL) / 2, k - 1)) * error
    if error <= 1e-15 * max(1.0, abs(mean)):
        return Corrected(mean, sd, mean - reach, mean + reach, None, None, k - 1)
    t = mean / error
    return Corrected(mean, sd, mean - reach, mean + reach, t, float(2 * stats.t.sf(abs(t), k - 1)), k - 1)


def holm(p: list[float | None]) -> list[float | None]:
    """Adjusted for their number (Holm 1979); what has no p is not counted."""
    known = [place for place, value in enumerate(p) if value is not None]
    out: list[float | None] = [None] * len(p)
    most = 0.0
    for rank, place in enumerate(sorted(known, key=lambda i: p[i] or 0.0)):
        most = max(most, min(1.0, (len(known) - rank) * (p[place] or 0.0)))
        out[place] = most
    return out


def simplest(means: Floats, sds: Floats, ranks: list[int], folds: int) -> int:
    """The simplest within a standard error of the best (Breiman et al. 1984), larger means are better."""
    best = int(np.argmax(means))
    near = [i for i in range(means.size) if means[i] >= means[best] - sds[best] / np.sqrt(folds)]
    return min(near, key=lambda i: (ranks[i], -means[i], i))


def left_out_choice(scores: Floats) -> Floats:
    """Models × folds → of each fold the score of the model that the other folds would choose."""
    others = scores.sum(axis=1, keepdims=True) - scores
    return np.asarray(scores[others.argmax(axis=0), np.arange(scores.shape[1])])
