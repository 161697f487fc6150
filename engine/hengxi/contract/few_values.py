"""Columns of a few whole numbers (items of 1–5, counts, codes) as small codes: a byte a cell instead of eight."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

MOST = 64
"""So many whole numbers from the least to the greatest; a pair has a table of that many squared at most."""
LOOKED_AT = 1000
"""Cells looked at first: most columns of other numbers are told by them."""
BLOCK = 1 << 15
"""Cells coded at once: their temporaries stay in the processor's cache."""


@dataclass(frozen=True)
class FewValues:
    """`codes`: 0 where missing, else the place in `values` and 1 (whole numbers from the least to the greatest)."""

    values: Floats
    codes: npt.NDArray[np.uint8]

    @property
    def width(self) -> int:
        """Different codes, missing among them."""
        return self.values.size + 1

    def among(self, rows: npt.NDArray[np.int64] | Bools) -> FewValues:
        return FewValues(self.values, self.codes[rows])

    def numbers(self, rows: npt.NDArray[np.int64] | slice = slice(None)) -> Floats:
        """NaN where missing."""
        return np.append(np.nan, self.values)[self.codes[rows]]


def few_values(x: Floats) -> FewValues | None:
    """The column coded; None where it holds other numbers, or too many different ones."""
    if not x.size or not _may_be_few(x[:: max(1, x.size // LOOKED_AT)]):
        return None
    return coded(x, None, float(np.fmin.reduce(x)), float(np.fmax.reduce(x)))


def coded(cells: npt.NDArray[np.number], known: Bools | None, least: float, most: float) -> FewValues | None:
    """The cells coded, in one pass; None where some value is no whole number from `least` to `most`.

    `known`: False where a cell holds no value, whatever number stands there. NaN is missing as well.
    """
    if np.isnan(least) or most - least >= MOST or not float(least).is_integer():
        return None
    codes = np.empty(cells.size, dtype=np.uint8)
    part, back = np.empty(BLOCK), np.empty(BLOCK)
    missing = 0
    for start in range(0, cells.size, BLOCK):
        inside = codes[start : start + BLOCK]
        shifted, again = part[: inside.size], back[: inside.size]
        held = None if known is None else known[start : start + BLOCK]
        np.subtract(cells[start : start + BLOCK], least - 1, out=shifted)
        with np.errstate(invalid="ignore"):
            # What does not fit becomes any code, and shows when it is turned back.
            np.copyto(inside, shifted, casting="unsafe")
        np.copyto(again, inside)
        if not (again == shifted).all():
            gaps = _gaps(again != shifted, shifted, held)
            if gaps is None:
                return None
            inside[gaps] = 0
            missing += int(np.count_nonzero(gaps))
        if held is not None:
            inside *= held.view(np.uint8)
            missing += inside.size - int(np.count_nonzero(held))
    # A value below the least has the code of a gap.
    if codes.max() > most - least + 1 or int(np.count_nonzero(codes)) + missing != codes.size:
        return None
    return FewValues(np.arange(int(least), int(most) + 1, dtype=float), codes)


def _gaps(odd: Bools, shifted: Floats, held: Bools | None) -> Bools | None:
    """Which cells that hold something are NaN; None where one of the odd cells holds another number."""
    gaps: Bools = np.isnan(shifted)
    others = odd & ~gaps
    if held is not None:
        gaps &= held
        others &= held
    return None if others.any() else gaps


def _may_be_few(some: Floats) -> bool:
    known = some[~np.isnan(some)]
    if not known.size:
        return True
    with np.errstate(invalid="ignore", over="ignore"):
        whole = bool(np.isfinite(known).all() and (known == np.floor(known)).all())
    return whole and bool(known.max() - known.min() < MOST)
