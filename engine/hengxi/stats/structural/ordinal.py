"""Ordered categories as cuts of normal variables: thresholds, polychoric correlations, how exact they are.

Muthén's (1984) two steps; the asymptotic covariances by the products of the rows' scores, as lavaan has them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from hengxi.stats.moments import Floats
from hengxi.stats.polychoric import IMPOSSIBLE, MOST, bivariate, density, polychoric, thresholds

from .fit import Part, Sample

Codes = NDArray[np.int64]
HALF = 0.5
"""Moved into an empty cell of a 2 × 2 table, its margins kept, so that ρ has an estimate inside (−1, 1)."""


class Alike(Exception):  # noqa: N818
    """Two items order the rows alike: their correlation has no estimate below 1. `pair`: their places."""

    def __init__(self, pair: tuple[int, int]) -> None:
        super().__init__(str(pair))
        self.pair = pair


@dataclass(frozen=True)
class OrdinalSample(Sample):
    """`s`: polychoric correlations; `mean`: 0. `cuts`: thresholds of each item, without the ends.

    `gamma`: n × the asymptotic covariances of the correlations (the order of `np.tril_indices(p, -1)`); `cut_errors`:
    standard errors of the thresholds, item by item.
    """

    counts: list[Floats] = field(default_factory=list)
    cuts: list[Floats] = field(default_factory=list)
    cut_errors: list[Floats] = field(default_factory=list)
    gamma: Floats = field(default_factory=lambda: np.zeros((0, 0)), repr=False)

    @property
    def order(self) -> int:
        """How many thresholds there are."""
        return sum(len(one) for one in self.cuts)


def ordinal(codes: Codes, sizes: list[int]) -> OrdinalSample:
    """`codes`: rows × items, 0 … `sizes[i]` − 1, every category taken. Raises `Alike`."""
    n, p = codes.shape
    # Rows alike have one score: they are counted, and their order does not matter.
    rows, times = np.unique(codes, axis=0, return_counts=True)
    weight = times.astype(float)
    counts = [np.bincount(rows[:, i], weights=weight, minlength=k).astype(float) for i, k in enumerate(sizes)]
    ends = [thresholds(one) for one in counts]
    below = np.tril_indices(p, -1)
    first = np.concatenate(([0], np.cumsum([k - 1 for k in sizes])))
    r, by_cut = np.eye(p), np.empty((len(rows), int(first[-1])))
    for i in range(p):
        by_cut[:, first[i] : first[i + 1]] = _cut_scores(counts[i] / n, ends[i])[rows[:, i]]
    pairs = [(int(i), int(j)) for i, j in zip(*below, strict=True)]
    by_pair = np.empty((len(rows), len(below[0])))
    across = np.zeros((len(below[0]), int(first[-1])))
    for at, (i, j) in enumerate(pairs):
        table = np.zeros((sizes[i], sizes[j]))
        np.add.at(table, (rows[:, i], rows[:, j]), weight)
        rho = polychoric(_filled(table))
        if abs(rho) >= MOST:
            raise Alike((i, j))
        r[i, j] = r[j, i] = rho
        slope, up, side = _pair_scores(ends[i], ends[j], rho)
        by_pair[:, at] = slope[rows[:, i], rows[:, j]]
        across[at, first[i] : first[i + 1]] = np.einsum("ab,ab,abt->t", table, slope, up)
        across[at, first[j] : first[j + 1]] = np.einsum("ab,ab,abt->t", table, slope, side)
    cut_v, gamma = _asymptotic(by_cut, by_pair, across, weight, first)
    errors = np.sqrt(np.diag(cut_v))
    everything = Part(np.ones(p, dtype=bool), n, np.zeros(p), r)
    return OrdinalSample(
        n, np.zeros(p), r, [everything], codes.astype(float), counts, [one[1:-1] for one in ends],
        [errors[first[i] : first[i + 1]] for i in range(p)], n * gamma,
    )  # fmt: skip


def _filled(table: Floats) -> Floats:
    empty = np.argwhere(table == 0)
    if table.shape != (2, 2) or len(empty) != 1:
        return table
    same = empty[0, 0] == empty[0, 1]
    move = np.array([[1.0, -1.0], [-1.0, 1.0]]) * (HALF if same else -HALF)
    return table + move


def _cut_scores(shares: Floats, ends: Floats) -> Floats:
    """∂ log P(category) / ∂ threshold: categories × thresholds."""
    dense = stats.norm.pdf(ends[1:-1])
    found = np.zeros((len(shares), len(dense)))
    at = np.arange(len(dense))
    found[at, at] = dense / shares[:-1]
    found[at + 1, at] = -dense / shares[1:]
    return found


def _pair_scores(h: Floats, k: Floats, rho: float) -> tuple[Floats, Floats, Floats]:
    """∂ log P(cell) by ρ (cells), by the thresholds of the rows and of the columns (cells × thresholds)."""
    cells = np.maximum(np.diff(np.diff(bivariate(h, k, rho), axis=0), axis=1), IMPOSSIBLE)
    slope = np.diff(np.diff(density(h, k, rho), axis=0), axis=1) / cells
    root = np.sqrt(1 - rho * rho)
    # ∂Φ₂(h, k)/∂h = φ(h) Φ((k − ρh)/√(1 − ρ²)): a threshold is the top of one category and the bottom of the next.
    inner, sides = h[1:-1], k[1:-1]
    over = stats.norm.cdf((k - rho * inner[:, None]) / root)
    beside = stats.norm.cdf((h[:, None] - rho * sides) / root)
    by_row = stats.norm.pdf(inner)[:, None] * np.diff(over, axis=1)
    by_side = stats.norm.pdf(sides) * np.diff(beside, axis=0)
    up, side = np.zeros((*cells.shape, len(inner))), np.zeros((*cells.shape, len(sides)))
    for t in range(len(inner)):
        up[t, :, t], up[t + 1, :, t] = by_row[t] / cells[t], -by_row[t] / cells[t + 1]
    for t in range(len(sides)):
        side[:, t, t], side[:, t + 1, t] = by_side[:, t] / cells[:, t], -by_side[:, t] / cells[:, t + 1]
    return slope, up, side


def _asymptotic(by_cut: Floats, by_pair: Floats, across: Floats, weight: Floats, first: Codes) -> tuple[Floats, Floats]:
    """Covariances of the thresholds and of the correlations: B⁻¹ (Σ of the products of scores) B⁻ᵀ."""
    weighted = by_cut * weight[:, None]
    inner_cut, inner_both = weighted.T @ by_cut, weighted.T @ by_pair
    inner_pair = (by_pair * weight[:, None]).T @ by_pair
    bread = np.zeros_like(inner_cut)
    for low, high in pairwise(first):
        bread[low:high, low:high] = np.linalg.inv(inner_cut[low:high, low:high])
    own = 1 / np.diag(inner_pair)
    back = -(own[:, None] * across) @ bread
    mixed = back @ inner_both * own[None, :]
    v: Floats = back @ inner_cut @ back.T + mixed + mixed.T + inner_pair * np.outer(own, own)
    return bread @ inner_cut @ bread, (v + v.T) / 2
