"""Association of two categorical variables within strata: Mantel & Haenszel (1959), Landis, Heyman & Koch (1978).

`strata`: (k, r, c) counts, a table for each stratum, each with at least two cases.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import stats

from hengxi.stats.contingency import ChiSquare, Ratio
from hengxi.stats.moments import Floats

RANK_TOLERANCE = 1e-10


def mantel_haenszel_test(strata: Floats, corrected: bool) -> ChiSquare | None:
    """2×2 tables; the correction of ½ is left out where the sum lies closer to its expectation (as R). None where the
    sum cannot vary."""
    n = strata.sum(axis=(1, 2))
    rows, columns = strata.sum(axis=2), strata.sum(axis=1)
    gap = abs(float(np.sum(strata[:, 0, 0] - rows[:, 0] * columns[:, 0] / n)))
    variance = float(np.sum(rows.prod(axis=1) * columns.prod(axis=1) / (n**2 * (n - 1))))
    if variance <= 0:
        return None
    step = 0.5 if corrected and gap >= 0.5 else 0.0
    value = (gap - step) ** 2 / variance
    return ChiSquare(value, 1, float(stats.chi2.sf(value, 1)))


def risk_ratio(strata: Floats, level: float) -> Ratio | None:
    """Common ratio of the shares of the first column, with the interval of Greenland & Robins (1985)."""
    n, sizes = strata.sum(axis=(1, 2)), strata.sum(axis=2)
    a, c = strata[:, 0, 0], strata[:, 1, 0]
    up, down = float(np.sum(a * sizes[:, 1] / n)), float(np.sum(c * sizes[:, 0] / n))
    if up <= 0 or down <= 0:
        return None
    variance = float(np.sum(((a + c) * sizes[:, 0] * sizes[:, 1] - a * c * n) / n**2)) / (up * down)
    half = float(stats.norm.isf((1 - level) / 2)) * float(np.sqrt(variance))
    return Ratio(up / down, up / down * float(np.exp(-half)), up / down * float(np.exp(half)))


def woolf(strata: Floats) -> ChiSquare:
    """Equal odds ratios: weighted spread of their logarithms; ½ is added to every cell where one is empty."""
    t = strata + 0.5 if bool((strata == 0).any()) else strata
    logs = np.log(t[:, 0, 0]) + np.log(t[:, 1, 1]) - np.log(t[:, 0, 1]) - np.log(t[:, 1, 0])
    weights = 1 / (1 / t).sum(axis=(1, 2))
    value = float(weights @ (logs - float(weights @ logs) / float(weights.sum())) ** 2)
    return ChiSquare(value, t.shape[0] - 1, float(stats.chi2.sf(value, t.shape[0] - 1)))


def table_scores(strata: Floats, axis: int) -> list[Floats]:
    """1, 2, 3 … of the categories, the same in each stratum; `axis`: 0 rows, 1 columns."""
    return [np.arange(1.0, strata.shape[axis + 1] + 1)] * strata.shape[0]


def rank_scores(strata: Floats, axis: int) -> list[Floats]:
    """Mean ranks of the categories within each stratum."""
    margins = [table.sum(axis=1 - axis) for table in strata]
    return [np.cumsum(counts) - (counts - 1) / 2 for counts in margins]


def general(strata: Floats) -> ChiSquare | None:
    """Any departure: (r − 1)(c − 1) degrees of freedom."""
    _, r, c = strata.shape
    return _landis(strata, [np.eye(r)[:-1]] * len(strata), [np.eye(c)[:-1]] * len(strata))


def row_means(strata: Floats, columns: Sequence[Floats]) -> ChiSquare | None:
    """Mean scores of the rows differ: r − 1 degrees of freedom; `columns`: (c,) scores for each stratum."""
    return _landis(strata, [np.eye(strata.shape[1])[:-1]] * len(strata), [scores[None, :] for scores in columns])


def correlation(strata: Floats, rows: Sequence[Floats], columns: Sequence[Floats]) -> ChiSquare | None:
    """Scores rise or fall together: one degree of freedom."""
    return _landis(strata, [scores[None, :] for scores in rows], [scores[None, :] for scores in columns])


def _landis(strata: Floats, rows: Sequence[Floats], columns: Sequence[Floats]) -> ChiSquare | None:
    """Q = G′V⁻G, G the summed contrasts of observed minus expected counts; its degrees of freedom are the rank of V."""
    size = rows[0].shape[0] * columns[0].shape[0]
    gaps, spread = np.zeros(size), np.zeros((size, size))
    for table, left, right in zip(strata, rows, columns, strict=True):
        n = float(table.sum())
        p, q = table.sum(axis=1) / n, table.sum(axis=0) / n
        gaps += (left @ (table - n * np.outer(p, q)) @ right.T).ravel()
        of_rows, of_columns = (m @ (np.diag(s) - np.outer(s, s)) @ m.T for m, s in ((left, p), (right, q)))
        spread += n**2 / (n - 1) * np.kron(of_rows, of_columns)
    values, vectors = np.linalg.eigh(spread)
    kept = values > RANK_TOLERANCE * max(float(values.max()), 0.0)
    if not kept.any() or values.max() <= 0:
        return None
    value = float(np.sum((vectors[:, kept].T @ gaps) ** 2 / values[kept]))
    df = int(kept.sum())
    return ChiSquare(value, df, float(stats.chi2.sf(value, df)))
