"""Answering without reading: long runs of one answer, one answer nearly everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pandas as pd

from hengxi.contract import Column

Ints = npt.NDArray[np.int64]
BLOCK = 1 << 16


def answers(items: Sequence[Column]) -> list[Ints]:
    """Small codes, equal for equal answers in all items; −1 is a gap. Numbers by value, words by text."""
    seen: dict[object, int] = {}
    coded = []
    for item in items:
        place = np.array([seen.setdefault(level.value, len(seen)) for level in item.levels] + [-1], dtype=np.int64)
        coded.append(place[item.codes])
    return coded


def longest_run(coded: Sequence[Ints]) -> Ints:
    """The longest run of equal answers in the order of the items; a gap ends a run."""
    run = (coded[0] >= 0).astype(np.int64)
    longest = run.copy()
    for before, now in pairwise(coded):
        run = np.where(now < 0, 0, np.where(now == before, run + 1, 1))
        np.maximum(longest, run, out=longest)
    return longest


def most_equal(coded: Sequence[Ints]) -> tuple[Ints, Ints]:
    """For each row how often its most frequent answer comes, and how many answers it has."""
    rows = len(coded[0])
    most, answered = np.zeros(rows, dtype=np.int64), np.zeros(rows, dtype=np.int64)
    for start in range(0, rows, BLOCK):
        block = np.sort(np.column_stack([one[start : start + BLOCK] for one in coded]), axis=1)
        same = np.ones(len(block), dtype=np.int64)
        best = (block[:, 0] >= 0).astype(np.int64)
        for j in range(1, block.shape[1]):
            same = np.where(block[:, j] == block[:, j - 1], same + 1, 1)
            best = np.where(block[:, j] >= 0, np.maximum(best, same), best)
        most[start : start + BLOCK] = best
        answered[start : start + BLOCK] = (block >= 0).sum(axis=1)
    return most, answered


def repeats(column: Column) -> npt.NDArray[np.bool_]:
    """Rows whose value came in a row before; gaps repeat nothing."""
    found: npt.NDArray[np.bool_] = pd.Series(column.identities).duplicated().to_numpy() & ~column.missing
    return found
