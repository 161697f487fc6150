"""Complete blocks: the same cases under several conditions, ranked inside each case."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from hengxi.stats.moments import Floats
from hengxi.stats.multiple import range_tail
from hengxi.stats.ranks import PairOfRanks, normal_p, signed_rank
from hengxi.stats.ties import settled


@dataclass(frozen=True)
class Friedman:
    chi2: float
    df: int
    p: float
    w: float
    """Kendall's W."""
    F: float | None
    """Iman & Davenport (1980); None where all cases agree wholly."""
    F_p: float
    df2: int
    rho: float | None
    """Mean Spearman correlation of the cases that rank the conditions at all."""


def within_ranks(values: Floats) -> Floats:
    """Mid-ranks inside each row (cases × conditions)."""
    return np.asarray(stats.rankdata(values, axis=1))


def friedman(ranks: Floats) -> Friedman:
    """χ² with ties corrected (Conover 1999, 5.8): (k − 1) Σ (R − n(k + 1)/2)² / (Σ r² − n k (k + 1)²/4)."""
    n, k = ranks.shape
    gap = ranks.sum(axis=0) - n * (k + 1) / 2
    spread = float((ranks**2).sum()) - n * k * (k + 1) ** 2 / 4
    chi2 = (k - 1) * float(gap @ gap) / spread
    w = chi2 / (n * (k - 1))
    full = w >= 1 - 1e-12
    f = None if full else (n - 1) * chi2 / (n * (k - 1) - chi2)
    df2 = (n - 1) * (k - 1)
    f_p = 0.0 if f is None else float(stats.f.sf(f, k - 1, df2))
    return Friedman(chi2, k - 1, float(stats.chi2.sf(chi2, k - 1)), w, f, f_p, df2, mean_spearman(ranks))


def mean_spearman(ranks: Floats) -> float | None:
    """From the sum of the cases' unit vectors; None where fewer than two cases tell the conditions apart."""
    gaps = ranks - ranks.mean(axis=1, keepdims=True)
    sizes = np.sqrt((gaps**2).sum(axis=1))
    units = gaps[sizes > 0] / sizes[sizes > 0, None]
    m = len(units)
    return float(((units.sum(axis=0) ** 2).sum() - m) / (m * (m - 1))) if m > 1 else None


def quade(values: Floats) -> tuple[float, int, int, float] | None:
    """F, both df and p of Quade (1979): cases weigh by the rank of their range. None where all cases agree wholly."""
    n, k = values.shape
    weights = stats.rankdata(settled(values.max(axis=1) - values.min(axis=1), float(np.abs(values).max())))
    scores = weights[:, None] * (within_ranks(values) - (k + 1) / 2)
    sums = scores.sum(axis=0)
    between, whole = float(sums @ sums) / n, float((scores**2).sum())
    if whole - between <= 1e-12 * whole:
        return None
    f = (n - 1) * between / (whole - between)
    return f, k - 1, (n - 1) * (k - 1), float(stats.f.sf(f, k - 1, (n - 1) * (k - 1)))


def compared(values: Floats, how: str) -> list[PairOfRanks]:
    """All pairs of conditions: `nemenyi` (q), `dunn` (z), `conover` (t), `wilcoxon` (z of the signed ranks)."""
    ranks = within_ranks(values)
    n, k = ranks.shape
    means, found = ranks.mean(axis=0), list[PairOfRanks]()
    sums = ranks.sum(axis=0)
    rest = 2 * (n * float((ranks**2).sum()) - float(sums @ sums)) / ((n - 1) * (k - 1))
    for i in range(k):
        for j in range(i + 1, k):
            gap = float(means[i] - means[j])
            se: float | None = float(np.sqrt(k * (k + 1) / (6 * n)))
            if how == "conover":
                se = float(np.sqrt(rest)) / n
                value = gap / se if se > 0 else float(np.sign(gap)) * 1e300
                p = float(2 * stats.t.sf(abs(value), (n - 1) * (k - 1)))
            elif how == "wilcoxon":
                se = None
                moved = values[:, i] - values[:, j]
                z = signed_rank((moved, None), "two_sided").z if moved.any() else 0.0
                value, p = (z or 0.0), normal_p(z or 0.0, "two_sided")
            elif how == "dunn":
                value = gap / float(se or 1)
                p = normal_p(value, "two_sided")
            else:
                value = gap / float(se or 1) * float(np.sqrt(2))
                p = float(range_tail(np.array([abs(value)]), k)[0])
            found.append(PairOfRanks(i, j, gap, se, value, p))
    return found
