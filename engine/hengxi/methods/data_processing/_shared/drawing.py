"""Rows drawn by chance: parts of a table, samples, folds. The generator is numpy's PCG64, the same on every machine."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from hengxi.contract import Column
from hengxi.methods.data_processing._shared.rows import Groups, Rows, groups_of, shown_key

Rng = np.random.Generator
Floats = npt.NDArray[np.float64]


NAMED = 1000
"""Strata whose names are read; of more, as of persons with several rows, nobody reads them."""


def strata_of(columns: Sequence[Column], rows: int) -> tuple[Groups, list[str]]:
    """Groups of equal cells by first appearance (empty cells are a stratum, too), and their names."""
    if not columns:
        return Groups(np.zeros(rows, dtype=np.int64), np.zeros(1, dtype=np.int64), np.array([rows])), ["全部"]
    groups = groups_of(columns, rows)
    names = [shown_key(columns, int(row)) for row in groups.first[:NAMED].tolist()]
    return groups, [*names, *(f"第 {i + 1} 组" for i in range(len(names), groups.k))]


def shuffled_within(codes: Rows, rng: Rng) -> Rows:
    """All rows, stratum by stratum, in an order drawn by chance within each."""
    order = rng.permutation(len(codes))
    return np.asarray(order[np.argsort(codes[order], kind="stable")])


def allocated(sizes: Rows, total: int) -> Rows:
    """`total` over strata in proportion to their sizes, by largest remainders (equal ones: the first)."""
    exact = sizes * (total / sizes.sum())
    given = np.floor(exact + 1e-9).astype(np.int64)
    rest = total - int(given.sum())
    order = np.argsort(-(exact - given), kind="stable")
    given[order[:rest]] += 1
    return np.asarray(given)


def drawn_within(codes: Rows, sizes: Rows, wanted: Rows, rng: Rng) -> Rows:
    """So many rows of each stratum, without replacement; in the order of the table."""
    order = shuffled_within(codes, rng)
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    place = np.arange(len(order)) - np.repeat(starts, sizes)
    return np.sort(order[place < np.repeat(wanted, sizes)])


def parts_within(codes: Rows, sizes: Rows, cuts: Sequence[float], rng: Rng) -> Rows:
    """For each row its part 0 … k: in each stratum of n rows part i ends after round(n·cut) rows."""
    order = shuffled_within(codes, rng)
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    place = np.arange(len(order)) - np.repeat(starts, sizes)
    part = np.zeros(len(order), dtype=np.int64)
    for cut in cuts:
        part += place >= np.repeat(np.round(sizes * cut + 1e-9), sizes)
    found = np.empty(len(order), dtype=np.int64)
    found[order] = part
    return found


def parts_of_groups(codes: Rows, sizes: Rows, cuts: Sequence[float], rng: Rng) -> Rows:
    """Whole groups, in an order drawn by chance, to the part in which the middle of the group falls; none is empty.

    Needs as many groups as parts.
    """
    k = len(cuts) + 1
    order = rng.permutation(len(sizes))
    ends = np.cumsum(sizes[order])
    middle = (ends - sizes[order] / 2) / ends[-1]
    part = np.sum(middle[:, None] >= np.asarray(cuts)[None, :], axis=1)
    last = 0
    for i, wished in enumerate(part.tolist()):  # No part is skipped, and enough groups are left for those to come.
        last = max(min(wished, last + 1 if i else 0), last, k - len(part) + i)
        part[i] = last
    found = np.empty(len(sizes), dtype=np.int64)
    found[order] = part
    return np.asarray(found[codes])


def folds_within(codes: Rows, k: int, rng: Rng) -> Rows:
    """Rows dealt out in turn, stratum after stratum: folds and strata within folds differ by one row at most."""
    order = shuffled_within(codes, rng)
    found = np.empty(len(order), dtype=np.int64)
    found[order] = np.arange(len(order)) % k
    return found


def folds_of_groups(codes: Rows, sizes: Rows, k: int, rng: Rng) -> Rows:
    """Whole groups, large ones first, each to the fold with the fewest rows so far."""
    order = rng.permutation(len(sizes))
    order = order[np.argsort(-sizes[order], kind="stable")]
    filled = np.zeros(k, dtype=np.int64)
    found = np.empty(len(sizes), dtype=np.int64)
    for group in order.tolist():
        fold = int(np.argmin(filled))
        found[group] = fold
        filled[fold] += sizes[group]
    return np.asarray(found[codes])


def systematic(rows: int, wanted: int, rng: Rng) -> Rows:
    """Every (rows/wanted)-th row after a random start."""
    return np.asarray(np.floor((rng.random() + np.arange(wanted)) * (rows / wanted)), dtype=np.int64)


def inclusion(size: Floats, wanted: int) -> Floats:
    """Probabilities in proportion to size; what would exceed 1 is certain, the rest share what is left."""
    chance = np.zeros(len(size))
    certain = np.zeros(len(size), dtype=np.bool_)
    while True:
        left = wanted - int(certain.sum())
        chance = np.where(certain, 1.0, left * size / size[~certain].sum() if left else 0.0)
        over = (chance >= 1) & ~certain
        if not over.any():
            return chance
        certain |= over


def drawn_by_chance(chance: Floats, rng: Rng) -> Rows:
    """Madow's systematic sampling with unequal probabilities, rows in random order; exactly Σπ rows."""
    order = rng.permutation(len(chance))
    ends = np.cumsum(chance[order])
    ends[-1] = round(float(ends[-1]))
    steps = np.floor(ends - rng.random()).astype(np.int64)
    taken = np.diff(steps, prepend=-1) > 0
    return np.sort(order[taken])
