"""Columns of a few whole numbers (items of 1–5, counts, codes): counted once instead of gathered again for each pair.

A sample of such columns is its distinct values with how often each occurs; every function of this package that takes
counts gives the same number for it as for the cases themselves.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MOST = 64
"""So many whole numbers from the least to the greatest; a pair has a table of that many squared at most."""
LOOKED_AT = 1000
"""Cells looked at first: most columns of other numbers are told by them."""


@dataclass(frozen=True)
class FewValues:
    """`codes`: 0 where missing, else the place in `values` and 1 (whole numbers from the least to the greatest)."""

    values: Floats
    codes: NDArray[np.uint8]


def few_values(x: Floats) -> FewValues | None:
    """The column coded; None where it holds other numbers, or too many different ones."""
    if not x.size or not _may_be_few(x[:: max(1, x.size // LOOKED_AT)]):
        return None
    least, most = np.fmin.reduce(x), np.fmax.reduce(x)
    if np.isnan(least) or most - least >= MOST or not float(least).is_integer():
        return None
    shifted = x - (least - 1)
    known = shifted > 0  # False for NaN
    np.copyto(shifted, 0.0, where=~known)
    codes = shifted.astype(np.uint8)
    if not (codes == shifted).all():
        return None
    return FewValues(np.arange(int(least), int(most) + 1, dtype=float), codes)


def _may_be_few(some: Floats) -> bool:
    known = some[~np.isnan(some)]
    if not known.size:
        return True
    with np.errstate(invalid="ignore", over="ignore"):
        whole = bool(np.isfinite(known).all() and (known == np.floor(known)).all())
    return whole and bool(known.max() - known.min() < MOST)


def sample(columns: list[FewValues], counts: Floats | None) -> tuple[list[Floats], Floats]:
    """Distinct combinations of the values of one or two columns where none is missing, and how often each occurs.

    `counts`: cases a row stands for. Combinations that do not occur are left out.
    """
    if len(columns) == 1:
        (one,) = columns
        held = np.bincount(one.codes, weights=counts, minlength=one.values.size + 1)[1:]
        kept = held > 0
        return [one.values[kept]], held[kept].astype(float)
    a, b = columns
    width = b.values.size + 1
    joined = a.codes.astype(np.uint16)
    joined *= width
    joined += b.codes
    table = np.bincount(joined, weights=counts, minlength=(a.values.size + 1) * width).reshape(-1, width)[1:, 1:]
    first, second = np.nonzero(table > 0)
    return [a.values[first], b.values[second]], table[first, second].astype(float)
