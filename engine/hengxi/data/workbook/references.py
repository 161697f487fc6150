"""The furthest column and row that the cell references in a piece of XML name."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

BEYOND = 1 << 40
"""Stands for a reference with more letters or digits than any sheet needs: a reader may count it round the corner."""
_LETTERS, _DIGITS, _LONGEST = 4, 12, 40
_PLAIN = b' r="'
_WORD = int.from_bytes(_PLAIN, "little")
_ANY = re.compile(rb"""\sr\s*=\s*["']([A-Za-z]*)(\d+)""")
_LETTER = np.zeros(256, np.int64)
_LETTER[ord("A") : ord("Z") + 1] = _LETTER[ord("a") : ord("z") + 1] = np.arange(1, 27)
_DIGIT = np.full(256, -1, np.int64)
_DIGIT[ord("0") : ord("9") + 1] = np.arange(10)


def furthest(data: bytes) -> tuple[int, int]:
    """(column, row), from 1, of the furthest references ` r="B7"`, also of rows (` r="7"`); 0 where there is none.

    All programs write the attribute like this, millions of times, so it is read in whole arrays. A piece with any
    other spelling that XML allows goes through a regular expression, which takes several times as long.
    """
    starts = _starts(data)
    if _other_spelling(data, len(starts)):
        return _spelled(data)
    return _plain(data, starts) if len(starts) else (0, 0)


def _starts(data: bytes) -> npt.NDArray[np.int64]:
    """Where the text of each plain reference begins."""
    padded = np.frombuffer(data + bytes(8), np.uint8)
    words = len(data) // 4 + 1
    found = [np.flatnonzero(padded[at : at + words * 4].view("<u4") == _WORD) * 4 + at for at in range(4)]
    return np.concatenate(found) + len(_PLAIN)


def _other_spelling(data: bytes, plain: int) -> bool:
    """Whether an attribute `r` may stand there in another form than the plain ones."""
    if any(space in data and space + b"r" in data for space in (b"\t", b"\n", b"\r")):
        return True
    if data.count(b" r") == plain:
        return False
    return data.count(b" r=") > plain or any(b" r" + space in data for space in (b" ", b"\t", b"\n", b"\r"))


def _spelled(data: bytes) -> tuple[int, int]:
    found = set(_ANY.findall(data))
    columns = (number(letters) if len(letters) <= _LETTERS else BEYOND for letters, _ in found)
    rows = (int(digits) if len(digits) <= _DIGITS else BEYOND for _, digits in found)
    return max(columns, default=0), max(rows, default=0)


def _plain(data: bytes, starts: npt.NDArray[np.int64]) -> tuple[int, int]:
    """Steps through all references at once, character by character, until the last has ended."""
    cells = np.frombuffer(data + bytes(_LONGEST), np.uint8)
    column, row, letters, digits = np.zeros((4, len(starts)), np.int64)
    far_column = far_row = 0
    for step in range(_LONGEST):
        bytes_at = cells[starts + step]
        digit = _DIGIT[bytes_at]
        numbered = digit >= 0
        lettered = (_LETTER[bytes_at] > 0) & (digits == 0)
        going = numbered | lettered
        ended = ~going & (digits > 0)
        if ended.any():
            far_column = max(far_column, BEYOND if letters[ended].max() > _LETTERS else int(column[ended].max()))
            far_row = max(far_row, BEYOND if digits[ended].max() > _DIGITS else int(row[ended].max()))
        if not going.all():
            if not going.any():
                return far_column, far_row
            starts, column, row, letters, digits = (kept[going] for kept in (starts, column, row, letters, digits))
            bytes_at, digit, numbered, lettered = (kept[going] for kept in (bytes_at, digit, numbered, lettered))
        column = np.where(lettered, column * 26 + _LETTER[bytes_at], column)
        row = np.where(numbered, row * 10 + digit, row)
        letters += lettered
        digits += numbered
    return BEYOND, BEYOND


def number(letters: bytes) -> int:
    """A → 1, XFD → 16384; no letters → 0."""
    value = 0
    for letter in letters.upper():
        value = value * 26 + letter - 64
    return value
