"""User-missing codes as Stata's extended missing values: .a to .z."""

from __future__ import annotations

import numpy as np

from hengxi.data.arrays import Floats
from hengxi.data.exporting.columns import number_of
from hengxi.data.meta import Column
from hengxi.data.special import special_letter
from hengxi.data.values import numeric_missing

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def letters_for(column: Column, values: Floats) -> dict[float, str] | None:
    """Code → letter: those that came from Stata get their own back, the others the next free one in their order.

    Declared codes count also where no cell holds them, as their labels do. None: more codes than letters.
    """
    gone = numeric_missing(values, column)
    found = set() if gone is None else {float(value) for value in np.unique(values[gone])}
    declared = {number for value in column.missing.values if (number := number_of(value)) is not None}
    codes = sorted(found | declared) if len(found | declared) <= len(LETTERS) else sorted(found)
    own = {code: letter for code in codes if (letter := special_letter(code)) and letter in LETTERS}
    free = [letter for letter in LETTERS if letter not in own.values()]
    others = [code for code in codes if code not in own]
    return own | dict(zip(others, free, strict=False)) if len(others) <= len(free) else None


def label_of(letter: str, code: float, label: str | None) -> str | None:
    """The label of a letter; without one it says which code it was. `.a 拒答`, as read from Stata, is 拒答 again."""
    is_own = special_letter(code) == letter
    if label and is_own:
        return label.removeprefix(f".{letter}").strip() or None
    return label or (None if is_own else f"{code:g}")
