"""Pairwise judgements as triangular fuzzy numbers: n × n × (l, m, u)."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def fuzzified(m: Floats, spread: float) -> Floats:
    """A grade with its neighbours `spread` away; reciprocal, 1 on the diagonal."""
    up = np.where(m >= 1, m, 1 / m)
    three = np.stack([np.maximum(up - spread, 1 / (1 + spread)), up, up + spread], axis=2)
    a = np.where((m >= 1)[:, :, None], three, 1 / three[:, :, ::-1])
    for i, j in combinations(range(len(m)), 2):
        a[j, i] = 1 / a[i, j, ::-1]
    a[np.arange(len(m)), np.arange(len(m))] = 1.0
    return np.asarray(a)


def buckley(a: Floats) -> Floats:
    """Fuzzy weights by row geometric means (Buckley 1985)."""
    r = np.exp(np.log(a).mean(axis=1))
    return np.asarray(r / r.sum(axis=0)[::-1])


def chang(a: Floats) -> tuple[Floats, Floats, Floats]:
    """Weights, possibilities V(row ≥ column) and synthetic extents (Chang 1996)."""
    rows = a.sum(axis=1)
    s = rows / rows.sum(axis=0)[::-1]
    n = len(a)
    v = np.ones((n, n))
    for i in range(n):
        for j in range(n):
            if s[i, 1] < s[j, 1]:
                gap = (s[i, 1] - s[i, 2]) - (s[j, 1] - s[j, 0])
                v[i, j] = 0.0 if s[j, 0] >= s[i, 2] else (s[j, 0] - s[i, 2]) / gap
    least = v.min(axis=1)
    return np.asarray(least / least.sum()), v, np.asarray(s)


def cut(a: Floats, alpha: float, optimism: float) -> Floats:
    """The crisp reciprocal matrix of the α-cuts, mixed by optimism above the diagonal."""
    low = a[:, :, 0] + alpha * (a[:, :, 1] - a[:, :, 0])
    high = a[:, :, 2] - alpha * (a[:, :, 2] - a[:, :, 1])
    upper = np.triu(optimism * high + (1 - optimism) * low, 1)
    out = np.eye(len(a)) + upper
    lower = np.tril_indices(len(a), -1)
    out[lower] = 1 / upper.T[lower]
    return np.asarray(out)


def crisp(fuzzy: Floats, how: str, optimism: float) -> Floats:
    low, middle, high = fuzzy.T
    match how:
        case "graded_mean":
            return np.asarray((low + 4 * middle + high) / 6)
        case "alpha_optimism":
            return np.asarray((optimism * high + middle + (1 - optimism) * low) / 2)
    return np.asarray((low + middle + high) / 3)


def deviation(r: Floats) -> float:
    """Mean of |r_ij + r_jk − r_ik − ½| over all triples of a complementary matrix."""
    return float(np.mean([abs(r[i, j] + r[j, k] - r[i, k] - 0.5) for i, j, k in combinations(range(len(r)), 3)]))
