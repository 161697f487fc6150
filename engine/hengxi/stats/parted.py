"""A column cut into the values of its groups."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hengxi.stats.moments import Floats, drop_empty

Sample = tuple[Floats, Floats | None]
"""Values, and how many cases each stands for."""

FEW = 8
"""Up to here one search for each group is quicker than sorting all rows by their group."""
BLOCK = 1 << 16
"""Rows worked on at once: what is found in them stays in the processor's cache."""


def samples_of(values: Floats, counts: Floats | None, codes: NDArray[np.int32], wanted: Sequence[int]) -> list[Sample]:
    """The samples of the codes wanted: without missing values and without cases of frequency 0."""
    gone = np.isnan(values)
    if gone.any():
        kept = ~gone
        values, codes = values.compress(kept), codes.compress(kept)
        counts = None if counts is None else counts.compress(kept)
    weights = [None] * len(wanted) if counts is None else parted(counts, codes, wanted)
    return [drop_empty(x, f) for x, f in zip(parted(values, codes, wanted), weights, strict=True)]


def parted(values: Floats, codes: NDArray[np.int32], wanted: Sequence[int]) -> list[Floats]:
    """The values of each code wanted, in the order of the rows."""
    if len(wanted) > FEW:
        return _by_sorting(values, codes, wanted)
    sizes = [int(np.count_nonzero(codes == code)) for code in wanted]
    # One array for all groups: a large one is given large pages of memory, which come quicker.
    parts = np.split(np.empty(sum(sizes)), np.cumsum(sizes)[:-1])
    at = [0] * len(wanted)
    for start in range(0, values.size, BLOCK):
        inside, part = codes[start : start + BLOCK], values[start : start + BLOCK]
        for i, code in enumerate(wanted):
            # compress, since indexing by a mask takes five times as long where the groups lie mixed.
            held = part.compress(inside == code)
            parts[i][at[i] : at[i] + held.size] = held
            at[i] += held.size
    return parts


def _by_sorting(values: Floats, codes: NDArray[np.int32], wanted: Sequence[int]) -> list[Floats]:
    k = max(wanted) + 1
    order = np.argsort(codes.astype(np.int16), kind="stable")
    # Rows without a group (code -1) come first.
    ends = np.cumsum(np.bincount(codes + 1, minlength=k + 1))
    return [values[order[ends[code] : ends[code + 1]]] for code in wanted]
