"""Texts of a variable by its different cells: work is done once for each, whatever the number of rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
import pyarrow as pa

from hengxi.contract import Column

Codes = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]

_WIDE = [chr(code) for code in range(0xFF01, 0xFF5F)]
_NARROW = [chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)]
UNSEEN = "[\u0000\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]"
"""Characters nobody sees: NUL, soft hyphens, zero-width signs, marks of direction and of byte order."""
JOINED_BY = "\u200d"
"""Zero-width too, but it joins the parts of one emoji."""


@dataclass
class Distinct:
    """`words`: the different cells by first appearance; `codes`: which of them each row holds, −1 where missing."""

    words: pl.Series
    codes: Codes

    @cached_property
    def counts(self) -> npt.NDArray[np.int64]:
        """Rows of each word."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.words))

    @property
    def valid(self) -> int:
        return int(self.counts.sum())

    def lay(self, values: Any, empty: Any = None) -> npt.NDArray[Any]:
        """Values of the words (a Series or an array) → one cell for each row."""
        if isinstance(values, pl.Series):
            values = values.to_numpy() if values.dtype.is_numeric() else np.array(values.to_list(), dtype=object)
        table = np.empty(len(values) + 1, dtype=values.dtype)
        table[:-1], table[-1] = values, empty
        return table[self.codes]

    def rows_where(self, which: Any) -> int:
        """In how many rows the word is one of these."""
        return int(self.counts[np.asarray(which, dtype=bool)].sum())


def distinct(column: Column) -> Distinct:
    """The different texts of a variable as they are written; codes that count as missing are missing."""
    if column.info.storage == "text":
        cells = column.physical[0]
        rows = column.row_numbers - 1
        if len(rows) != len(cells):
            cells = cells.take(pa.array(rows))
    else:
        cells = pa.array(column.text, pa.large_string())
    encoded = cells if pa.types.is_dictionary(cells.type) else cells.cast(pa.large_string()).dictionary_encode()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.combine_chunks()
        encoded = encoded.chunk(0) if isinstance(encoded, pa.ChunkedArray) else encoded
    words = pl.Series("", encoded.dictionary.cast(pa.large_string()))
    codes = encoded.indices.cast(pa.int32()).fill_null(-1).to_numpy(zero_copy_only=False)
    gone = [value for value in column.info.missing.values if isinstance(value, str)]
    if gone and column.info.storage == "text":
        place = np.append(np.where(words.is_in(gone).to_numpy(), -1, np.arange(len(words))), -1).astype(np.int32)
        codes = place[codes]
    return Distinct(words, codes)


def half_width(text: pl.Series) -> pl.Series:
    """Ａ１％ as A1%; the wide blank as a blank. Characters without a narrow form stay."""
    return text.str.replace_many([*_WIDE, "\u3000"], [*_NARROW, " "])


def without_unseen(text: pl.Series) -> pl.Series:
    """NUL, zero-width and direction marks out; the joiner stays between the parts of an emoji."""
    bare = text.str.replace_all(UNSEEN.replace("\u200b-\u200f", "\u200b\u200c\u200e\u200f"), "")
    return bare.str.replace_all(rf"(^|[\x00-\u1fff\u3000-\uffff]){JOINED_BY}", "${1}")


def trimmed(text: pl.Series) -> pl.Series:
    """Without blanks of any kind at the ends."""
    return text.str.replace_all(r"^[\s\u00a0\u3000]+|[\s\u00a0\u3000]+$", "")


def most_frequent(found: Distinct, which: Any, most: int) -> list[tuple[str, int]]:
    """Words among `which` with their rows, the most frequent first; of equal ones the first that appears."""
    places = np.flatnonzero(np.asarray(which, dtype=bool) & (found.counts > 0))
    order = places[np.argsort(-found.counts[places], kind="stable")][:most]
    return [(str(found.words[int(i)]), int(found.counts[i])) for i in order]


def visible(word: str, longest: int = 60) -> str:
    """A text as a table shows it: blanks at its ends and signs nobody sees are named, long ones are cut."""
    if word.strip() == "":
        return "（空白）" if word else "（空串）"
    shown = "".join(f"⟨{ord(c):04X}⟩" if _is_unseen(c) else c for c in word[:longest])
    is_whole = len(word) <= longest
    head, tail = len(word) - len(word.lstrip()), len(word) - len(word.rstrip()) if is_whole else 0
    middle = shown.strip()
    before, after = (_blanks(part) for part in (word[:head], word[len(word) - tail :]))
    return f"{before}{middle}{after}{'' if is_whole else '…'}"


def _blanks(part: str) -> str:
    return "".join("␣" if sign == " " else f"⟨{ord(sign):04X}⟩" for sign in part)


def _is_unseen(sign: str) -> bool:
    code = ord(sign)
    return (code < 32 and not sign.isspace()) or code in (0xAD, 0x2060, 0xFEFF) or 0x200B <= code <= 0x200F
