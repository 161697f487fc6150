"""How often two rows share a leaf (Breiman 2001), and a picture of it in two dimensions (classical scaling)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from hengxi.stats.moments import Floats

Bools = NDArray[np.bool_]
Codes = NDArray[np.int64]
MOST_ROWS = 2000


@dataclass(frozen=True)
class Map:
    """`share`: part of the positive eigenvalues in two dimensions; `unseen`: only trees that saw neither row count."""

    x: Floats
    y: Floats
    share: float | None
    unseen: bool


def proximity(leaves: Codes, in_bag: Bools | None) -> tuple[Floats, bool]:
    """Shares of trees in which two rows fall into one leaf, and whether only trees that saw neither row were counted.

    `leaves` and `in_bag` are rows × trees; `in_bag`: the tree learned from the row. Where no tree has both rows of some
    pair out of its bag, all trees count for all pairs.
    """
    n, trees = leaves.shape
    together, both = np.zeros((n, n)), np.zeros((n, n))
    if in_bag is not None:
        unseen = (~in_bag).astype(np.float32)
        both = (unseen @ unseen.T).astype(np.float64)
        np.fill_diagonal(both, 1)
    fair = in_bag is not None and bool((both > 0).all())
    for tree in range(trees):
        here = np.ones(n, dtype=bool) if not fair or in_bag is None else ~in_bag[:, tree]
        rows = np.flatnonzero(here)
        same = leaves[rows, tree][:, None] == leaves[rows, tree][None, :]
        if rows.size == n:
            together += same
        else:
            together[np.ix_(rows, rows)] += same
    found: Floats = together / (both if fair else trees)
    np.fill_diagonal(found, 1.0)
    return found, fair


def scale(distance: Floats) -> tuple[Floats, float | None]:
    """Classical scaling into two dimensions; the largest coordinate of each is positive, as a sign has no meaning."""
    squared = distance**2
    centred = -(squared - squared.mean(axis=0) - squared.mean(axis=1)[:, None] + squared.mean()) / 2
    values, vectors = linalg.eigh(centred)
    values, vectors = values[::-1], vectors[:, ::-1]
    out = np.zeros((distance.shape[0], 2))
    for place in range(min(2, values.size)):
        if values[place] > 0:
            axis = vectors[:, place] * np.sqrt(values[place])
            out[:, place] = axis * np.sign(axis[int(np.abs(axis).argmax())])
    positive = float(values[values > 0].sum())
    return out, float(np.maximum(values[:2], 0).sum()) / positive if positive > 0 else None


def draw(leaves: Codes, in_bag: Bools | None) -> Map:
    """The map of rows by 1 − proximity."""
    near, unseen = proximity(leaves, in_bag)
    places, share = scale(1 - near)
    return Map(places[:, 0], places[:, 1], share, unseen)
