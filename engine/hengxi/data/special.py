"""Special missing values of Stata and SAS: a cell holds a number for each, people read and write the letter."""

from __future__ import annotations

from msgspec import UnsetType

from hengxi.data.meta import Column, Value

_SPECIAL = 2_147_483_622
"""Stata's own number for `.a` in a variable of type long; `.b` follows. SAS's `._` lies one below."""


def special_code(letter: str) -> int:
    """The number that stands for `.a` … `.z` (Stata), `.A` … `.Z`, `._` (SAS): no data of type long can hold it."""
    return _SPECIAL - 1 if letter == "_" else _SPECIAL + ord(letter.lower()) - ord("a")


def special_letter(code: float) -> str | None:
    """`a` for the number of `.a`; None for any other number."""
    place = code - _SPECIAL
    if place == -1:
        return "_"
    return chr(ord("a") + int(place)) if 0 <= place < 26 and place == int(place) else None


def letters_of(column: Column) -> dict[Value, str]:
    """Code → `.a` for the special missing values of a column.

    Only a code whose label begins with its letter: 2147483647 may be somebody's own code for missing.
    """
    named = [] if isinstance(column.missing_labels, UnsetType) else column.missing_labels
    letters: dict[Value, str] = {}
    for level in named:
        if isinstance(level.value, str) or level.value is None:
            continue
        letter, sign = special_letter(level.value), level.label.split(" ")[0]
        if letter and sign.lower() == f".{letter}":
            letters[level.value] = sign
    return letters
