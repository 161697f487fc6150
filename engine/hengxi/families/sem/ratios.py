"""Heterotrait-monotrait ratios of correlations with bootstrap intervals: discriminant validity of dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.stats.moments import Floats

LEAST = 100


@dataclass(frozen=True, slots=True)
class Ratios:
    """Lower triangles by pair (i > j): `plain` of arithmetic, `geometric` of geometric means (HTMT2)."""

    plain: Floats
    geometric: Floats


def ratios(r: Floats, groups: Sequence[Sequence[int]]) -> Ratios:
    """Of absolute correlations, so that reversed items do not matter (Henseler et al. 2015; Roemer et al. 2021).

    `r`: correlations (or their stack, last two axes); groups of one item have no ratio (NaN).
    """
    size = np.abs(r)
    logs = np.log(np.maximum(size, 1e-300))
    k = len(groups)
    within, roots = [], []
    for items in groups:
        i, j = np.tril_indices(len(items), -1)
        places = np.asarray(items)
        if len(items) < 2:
            within.append(np.full(r.shape[:-2], np.nan))
            roots.append(np.full(r.shape[:-2], np.nan))
            continue
        within.append(size[..., places[i], places[j]].mean(axis=-1))
        roots.append(logs[..., places[i], places[j]].mean(axis=-1))
    plain, geometric = np.full((*r.shape[:-2], k, k), np.nan), np.full((*r.shape[:-2], k, k), np.nan)
    for a in range(k):
        for b in range(a):
            i, j = np.asarray(groups[a])[:, None], np.asarray(groups[b])[None, :]
            plain[..., a, b] = size[..., i, j].mean(axis=(-2, -1)) / np.sqrt(within[a] * within[b])
            geometric[..., a, b] = np.exp(logs[..., i, j].mean(axis=(-2, -1)) - (roots[a] + roots[b]) / 2)
    return Ratios(plain, geometric)


def resampled(rows: Floats, groups: Sequence[Sequence[int]], form: Any, share: float) -> tuple[Floats, Floats] | None:
    """Percentile limits of the plain ratios, each tail `share`. None where stopped too early.

    `form` has n_boot, rng and progress; resamples in which an item does not vary are left out.
    """
    rows = rows[np.lexsort(rows.T)]  # the order of the rows must not decide what is drawn
    n = len(rows)
    drawn = []
    for time in range(form.n_boot):
        if time % 50 == 0 and not form.progress(time, form.n_boot, f"第 {time}/{form.n_boot} 次 Bootstrap"):
            break
        counts = np.bincount(form.rng.integers(0, n, n), minlength=n).astype(float)
        away = rows - counts @ rows / n
        s = (away * counts[:, None]).T @ away
        spread = np.sqrt(np.diag(s))
        if spread.min() <= 1e-12 * np.abs(rows).max():
            continue
        drawn.append(ratios(s / np.outer(spread, spread), groups).plain)
    if len(drawn) < LEAST:
        return None
    low, high = np.quantile(np.array(drawn), [share, 1 - share], axis=0)
    return low, high
