"""What text columns hold that an analysis would take otherwise: numbers and dates as text, signs nobody sees."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from hengxi.data import values
from hengxi.data.arrays import Bools, as_bools
from hengxi.data.table import Table

# RE2: linear in the length of the cell. Numbers of people are left out: 010020 and 18 digits are codes.
NUMBER = r"^[-+]?(?:0|[1-9]\d{0,14}|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d+)?%?$"
DAY = r"(?:19|20)\d{2}(?:[-/.]\d{1,2}[-/.]\d{1,2}|年\d{1,2}月\d{1,2}日)"
DATE = rf"^{DAY}$"
MOMENT = rf"^{DAY}[ T]+\d{{1,2}}:\d{{2}}(?::\d{{2}}(?:\.\d+)?)?$"
STRAY = "^[ \t]|[ \t]$|[\u3000\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\u00a0\u200b\u2060\ufeff]"
"""Blanks at an end; letters, digits and blanks of full width; signs of no width."""


def text_check(key: str) -> dict[str, Any]:
    """Of every text column: cells with a text, and how many of them hold a number, a date, a moment, stray signs."""
    table = Table.open(key)
    columns = [one for one in table.meta.columns if one.storage == "text" and one.stored == "text"]
    return {"columns": {one.id: _counted(table, one.id) for one in columns}}


def _counted(table: Table, column_id: str) -> dict[str, int]:
    encoded = values.dictionary(table.array(column_id))
    words = encoded.dictionary.cast(pa.large_string())
    codes = values.indices(encoded)
    rows = np.bincount(codes[codes >= 0], minlength=len(words))
    coded = values.text_missing(encoded, table.column(column_id))
    if coded is not None and coded.any():
        rows = np.bincount(codes[(codes >= 0) & ~coded], minlength=len(words))
    bare = pc.utf8_trim_whitespace(words)

    def cells(texts: Any, pattern: str) -> int:
        hits: Bools = as_bools(pc.match_substring_regex(texts, pattern).fill_null(False))
        return int(rows[hits].sum())

    return {
        "n": int(rows.sum()),
        "numbers": cells(bare, NUMBER),
        "dates": cells(bare, DATE),
        "moments": cells(bare, MOMENT),
        "stray": cells(words, STRAY),
    }
