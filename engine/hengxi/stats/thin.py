"""Which rows a chart shows when there are too many; chosen without chance and always stated."""

import numpy as np
from numpy.typing import NDArray

from hengxi.stats.moments import Floats

POINTS = 5000


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
    return np.argpartition(np.nan_to_num(np.abs(x)), -most)[-most:]
