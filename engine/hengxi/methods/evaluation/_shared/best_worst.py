"""The best-worst method: its two models, its consistency tables (Rezaei 2015, 2016; Liang et al. 2020)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from .envelopment import Floats, minimise

INDEX = {1: 0.0, 2: 0.44, 3: 1.0, 4: 1.63, 5: 2.3, 6: 3.0, 7: 3.73, 8: 4.47, 9: 5.23}
"""Consistency index by a_BW (Rezaei 2015, table 1)."""
LIMITS = {
    3: (0.1667, 0.1667, 0.1667, 0.1667, 0.1667, 0.1667, 0.1667),
    4: (0.1121, 0.1529, 0.1898, 0.2206, 0.2527, 0.2577, 0.2683),
    5: (0.1354, 0.1994, 0.2306, 0.2546, 0.2716, 0.2844, 0.2960),
    6: (0.1330, 0.1990, 0.2643, 0.3044, 0.3144, 0.3221, 0.3262),
    7: (0.1294, 0.2457, 0.2819, 0.3029, 0.3144, 0.3251, 0.3403),
    8: (0.1309, 0.2521, 0.2958, 0.3154, 0.3408, 0.3620, 0.3657),
    9: (0.1359, 0.2681, 0.3062, 0.3337, 0.3517, 0.3620, 0.3662),
}
"""Thresholds of the input-based ratio by a_BW for 3 … 9 criteria (Liang, Brunelli and Rezaei 2020)."""


@dataclass(frozen=True)
class Vectors:
    """Best to others, others to worst; which are the best and the worst."""

    bo: Floats
    ow: Floats
    best: int
    worst: int

    @property
    def scale(self) -> float:
        return float(self.bo[self.worst])

    def neighbours(self) -> Iterator[Vectors]:
        """One judgement a grade up or down, within 1 and a_BW; a_BW itself stays."""
        for key, fixed in (("bo", (self.best, self.worst)), ("ow", (self.best, self.worst))):
            values = getattr(self, key)
            for j in range(len(values)):
                for step in (-1.0, 1.0):
                    if j not in fixed and 1 <= values[j] + step <= self.scale:
                        changed = values.copy()
                        changed[j] += step
                        yield replace(self, **{key: changed})


def _rows(one: Vectors) -> tuple[Floats, Floats]:
    """Rows a·w of the comparisons: w_B − a_Bj·w_j and w_j − a_jW·w_W; and what ξ is multiplied with in a ratio."""
    n, rows, under = len(one.bo), [], []
    for j in range(n):
        for base, other, value in ((one.best, j, one.bo[j]), (j, one.worst, one.ow[j])):
            if base != other and not (j == one.best and base == j):  # the pair best-worst once
                row, part = np.zeros(n), np.zeros(n)
                row[base] += 1.0
                row[other] -= value
                part[other] = 1.0
                rows.append(row)
                under.append(part)
    return np.array(rows), np.array(under)


def linear(one: Vectors) -> tuple[Floats, float]:
    """Weights and ξ of the linear model: min ξ, |a·w| ≤ ξ, Σw = 1, w ≥ 0."""
    rows, _ = _rows(one)
    m, n = rows.shape
    both = np.vstack([rows, -rows])
    equal = np.hstack([both, -np.ones((2 * m, 1)), np.eye(2 * m)])
    equal = np.vstack([equal, np.concatenate([np.ones(n), np.zeros(1 + 2 * m)])])
    cost = np.zeros(n + 1 + 2 * m)
    cost[n] = 1.0
    found = minimise(cost, equal, np.concatenate([np.zeros(2 * m), [1.0]]))
    assert found is not None  # equal weights and a large ξ fulfil it
    w = np.maximum(found[0][:n], 0.0)
    return np.asarray(w / w.sum()), 0.0 if found[0][n] < 1e-10 else float(found[0][n])


def _within(one: Vectors, xi: float, cost: Floats) -> Floats | None:
    """The weights of least cost with all ratios within ξ."""
    rows, under = _rows(one)
    m, n = rows.shape
    both = np.vstack([rows - xi * under, -rows - xi * under])
    equal = np.vstack([np.hstack([both, np.eye(2 * m)]), np.concatenate([np.ones(n), np.zeros(2 * m)])])
    right = np.concatenate([np.zeros(2 * m), [1.0]])
    found = minimise(np.concatenate([cost, np.zeros(2 * m)]), equal, right)
    return None if found is None else found[0][:n]


def nonlinear(one: Vectors) -> tuple[Floats, float, Floats, Floats]:
    """Weights (middles of the ranges, brought to sum 1), ξ*, and the range of each weight over all optima.

    For a given ξ the model is linear, so ξ* is found by bisection.
    """
    n = len(one.bo)
    low, high = 0.0, one.scale
    if _within(one, 1e-9, np.zeros(n)) is not None:
        high = 0.0
    while high - low > 1e-10:
        middle = (low + high) / 2
        low, high = (low, middle) if _within(one, middle, np.zeros(n)) is not None else (middle, high)
    ends = np.empty((2, n))
    for j in range(n):
        for k, sign in enumerate((1.0, -1.0)):
            cost = np.zeros(n)
            cost[j] = sign
            found = _within(one, high + 1e-8, cost)
            assert found is not None
            ends[k, j] = found[j]
    lows, highs = ends.min(axis=0), ends.max(axis=0)
    middle_ = (lows + highs) / 2
    return middle_ / middle_.sum(), high, lows, highs


def input_ratio(one: Vectors) -> Floats:
    """Of each criterion |a_Bj·a_jW − a_BW|/(a_BW² − a_BW); 0 where a_BW = 1."""
    width = one.scale**2 - one.scale
    away = np.abs(one.bo * one.ow - one.scale)
    return np.asarray(away / width if width > 0 else np.zeros_like(away))


def threshold(scale: float, n: int) -> float | None:
    """None outside the table; a_BW up to 2 must be consistent."""
    if scale <= 2:
        return 0.0
    if float(scale).is_integer() and int(scale) in LIMITS and 3 <= n <= 9:
        return LIMITS[int(scale)][n - 3]
    return None
