"""Which rows a chart shows when there are too many; chosen without chance and always stated."""

import numpy as np
from numpy.typing import NDArray

from hengxi.stats.moments import Floats

POINTS = 5000
STRETCH = 512


def thin(rows: int, keep: NDArray[np.integer] | None = None, most: int = POINTS) -> NDArray[np.int64]:
    """All rows, or every k-th one together with the marked rows, in their order."""
    if rows <= most:
        return np.arange(rows)
    even = np.linspace(0, rows - 1, most).astype(np.int64)
    return np.unique(even if keep is None else np.concatenate((even, keep.astype(np.int64))))


def extremes(x: Floats, most: int = 50) -> NDArray[np.int64]:
    """Rows of the largest absolute values."""
    if x.size <= most:
        return np.arange(x.size)
    size = np.nan_to_num(np.abs(x))
    whole = size.size // STRETCH
    if whole < 2 * most:
        return np.argpartition(size, -most)[-most:]
    # Enough stretches hold a value this large, so all that are wanted are: few are left to be put in order.
    largest = size[: whole * STRETCH].reshape(whole, STRETCH).max(axis=1)
    rows = np.flatnonzero(size >= np.partition(largest, -most)[-most])
    return rows[np.argpartition(size[rows], -most)[-most:]]
