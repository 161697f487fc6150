"""A text as it is compared: only letters, digits and Han characters, all written the same way, each with its place.

Full and half width, upper and lower case, traditional and simplified are one; spaces, punctuation and what cannot be
seen are left out; letters of another script that look like Latin ones are those. What looks like hiding is counted.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from hengxi.families.text.cleaning import simplified_pairs

Codes = npt.NDArray[np.uint32]
Places = npt.NDArray[np.int64]

_LATIN_TWINS = dict(
    zip(
        "аеорсухіјѕԁԛԝһмнткв" + "οανρτυκγχι",
        "aeopcyxijsdqwhmhtkb" + "oavptukyxi",
        strict=True,
    )
)
"""Cyrillic and Greek letters, lower case, that are drawn like Latin ones."""

_UNSEEN = re.compile(
    "[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff]+"
)
_TWINS = "".join(_LATIN_TWINS) + "".join(_LATIN_TWINS).upper()
_MIXED = re.compile(f"(?<=[A-Za-z])[{_TWINS}]|[{_TWINS}](?=[A-Za-z])")
_GREEK_ALONE = re.compile("[ανρτυκγχιΑΝΡΤΥΚΓΧΙ]")
"""Greek letters are used beside Latin ones in formulas; only the omicron is a sign of nothing there."""
_RADICALS = re.compile("[\u2e80-\u2fd5\uf900-\ufaff\U0002f800-\U0002fa1f]")
_UNREADABLE = re.compile("[\ufffd\ue000-\uf8ff\U000f0000-\U0010fffd]|\\(cid:\\d+\\)")


@dataclass(frozen=True)
class Normal:
    """`codes[i]` stands at `places[i]` of the text (in characters)."""

    codes: Codes
    places: Places

    def __len__(self) -> int:
        return len(self.codes)

    def text(self, start: int, end: int) -> str:
        return self.codes[start:end].astype("<u4").tobytes().decode("utf-32-le")

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where the characters start..end of the compared text stand in the whole one."""
        return int(self.places[start]), int(self.places[end - 1]) + 1

    def count(self, start: int, end: int) -> tuple[int, int]:
        """The other way: which compared characters lie within a range of the text."""
        first, last = np.searchsorted(self.places, [start, end])
        return int(first), int(last)


@cache
def _simplified() -> dict[str, str]:
    return dict(zip(*simplified_pairs(), strict=True))


@cache
def _written(char: str) -> str:
    """One character as it is compared; empty where it does not count."""
    plain = unicodedata.normalize("NFKD", char).casefold()
    kept = [sign for sign in plain if unicodedata.category(sign)[0] in "LN"]
    return "".join(_simplified().get(_LATIN_TWINS.get(sign, sign), _LATIN_TWINS.get(sign, sign)) for sign in kept)


def points(text: str) -> Codes:
    """The code points of a text."""
    return np.frombuffer(text.encode("utf-32-le", "replace"), dtype="<u4").astype(np.uint32)


def normalise(text: str) -> Normal:
    raw = points(text)
    if not len(raw):
        return Normal(np.zeros(0, np.uint32), np.zeros(0, np.int64))
    distinct, which = np.unique(raw, return_inverse=True)
    written = [points(_written(chr(code))) for code in distinct]
    lengths = np.array([len(codes) for codes in written], dtype=np.int64)
    firsts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    table = np.concatenate([*written, np.zeros(1, np.uint32)])
    of_char = lengths[which]
    places = np.repeat(np.arange(len(raw), dtype=np.int64), of_char)
    starts = np.cumsum(of_char) - of_char
    within = np.arange(len(places), dtype=np.int64) - np.repeat(starts, of_char)
    return Normal(table[np.repeat(firsts[which], of_char) + within].astype(np.uint32), places)


def oddities(text: str) -> dict[str, int]:
    """What is in the text that a reader does not see or takes for something else; only kinds that are there."""
    found = {
        "unseen": sum(1 for match in _UNSEEN.finditer(text) if _between_letters(text, *match.span())),
        "twins": sum(1 for match in _MIXED.finditer(text) if not _GREEK_ALONE.match(match.group())),
        "radicals": len(_RADICALS.findall(text)),
    }
    return {kind: count for kind, count in found.items() if count}


def _between_letters(text: str, start: int, end: int) -> bool:
    """Within a word: at the edges of a text, beside spaces and within joined pictures such marks are usual."""
    return start > 0 and end < len(text) and bool(_written(text[start - 1])) and bool(_written(text[end]))


def unreadable(text: str) -> int:
    """Characters of which the file does not tell what they are."""
    return len(_UNREADABLE.findall(text))
