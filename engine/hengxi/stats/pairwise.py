"""Matrices of pairwise judgements: priorities, consistency, what makes them inconsistent (Saaty 1977, 1980)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Priorities = Literal["geometric_mean", "arithmetic_mean", "eigenvector"]

RANDOM_INDEX: dict[int, float] = {
    3: 0.58, 4: 0.90, 5: 1.12, 6: 1.24, 7: 1.32, 8: 1.41, 9: 1.45, 10: 1.49, 11: 1.51, 12: 1.48, 13: 1.56, 14: 1.57,
    15: 1.59,
}  # fmt: skip
"""Mean consistency index of random reciprocal matrices by order (Saaty 1980, table 1-1)."""

GRADES = (1, 2, 3, 4, 5, 6, 7, 8, 9)


@dataclass(frozen=True)
class Consistency:
    """`ratio` is None below three things, which are always consistent, and beyond the table."""

    largest: float
    index: float
    random: float | None
    ratio: float | None


@dataclass(frozen=True)
class Repair:
    """One judgement that fits the others badly: what the priorities imply, the nearest grade, the CR with it."""

    row: int
    column: int
    current: float
    implied: float
    proposed: float
    ratio: float


def priorities(judgements: Floats, method: Priorities) -> Floats:
    """Weights that sum to 1, of an n × n positive reciprocal matrix.

    `geometric_mean`: row geometric means (Crawford and Williams 1985); `arithmetic_mean`: row means of the columns
    scaled to 1; `eigenvector`: the principal eigenvector (Saaty 1977).
    """
    match method:
        case "geometric_mean":
            raw = np.exp(np.log(judgements).mean(axis=1))
        case "arithmetic_mean":
            raw = (judgements / judgements.sum(axis=0)).mean(axis=1)
        case "eigenvector":
            values, vectors = np.linalg.eig(judgements)
            raw = np.abs(vectors[:, int(np.argmax(values.real))].real)
    return np.asarray(raw / raw.sum())


def consistency(judgements: Floats) -> Consistency:
    """λmax, CI = (λmax − n)/(n − 1), RI by the table, CR = CI/RI."""
    n = len(judgements)
    largest = float(np.max(np.linalg.eigvals(judgements).real))
    # Rounding may leave λmax a hair beside n, below which it cannot be.
    if largest < n * (1 + 1e-12):
        largest = float(n)
    index = (largest - n) / (n - 1)
    random = RANDOM_INDEX.get(n)
    return Consistency(largest, index, random, None if random is None else index / random)


def repairs(judgements: Floats, most: int = 3, grades: Sequence[float] = GRADES) -> list[Repair]:
    """The judgements that differ most from w_i/w_j of the eigenvector, on a log scale, worst first; each changed alone.

    Only those whose change to the nearest of `grades` (or a reciprocal) makes the matrix more consistent.
    """
    weights = priorities(judgements, "eigenvector")
    before = consistency(judgements).ratio
    if before is None:
        return []
    scale = np.array(sorted({*map(float, grades), *(1 / grade for grade in grades)}))
    found = []
    for i, j in combinations(range(len(judgements)), 2):
        implied = float(weights[i] / weights[j])
        proposed = float(scale[np.argmin(np.abs(np.log(scale / implied)))])
        if np.isclose(proposed, judgements[i, j]):
            continue
        changed = judgements.copy()
        changed[i, j], changed[j, i] = proposed, 1 / proposed
        ratio = consistency(changed).ratio
        if ratio is not None and ratio < before:
            found.append(Repair(i, j, float(judgements[i, j]), implied, proposed, ratio))
    found.sort(key=lambda repair: -abs(np.log(repair.current / repair.implied)))
    return found[:most]
