"""A text or a pattern looked for in the cells as they are shown.

Patterns are RE2's: the time they take grows with the text alone, whatever the pattern.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from msgspec import UnsetType

from hengxi.data import clock
from hengxi.data.arrays import Bools, as_strings, wire_value
from hengxi.data.meta import Column, Value
from hengxi.data.refusal import DataRefusal
from hengxi.data.special import letters_of
from hengxi.data.table import Table
from hengxi.data.values import dictionary, indices

LONGEST = 200
_FAULTS = {
    "missing )": "缺少右括号 )",
    "unexpected )": "多了右括号 )",
    "missing ]": "缺少右方括号 ]",
    "no argument for repetition operator": "*、+、? 前面没有可重复的内容",
    "bad repetition operator": "连着写了两个重复符号",
    "invalid repetition size": "重复次数最多 1,000",
    "invalid perl operator": "不支持 (?=…)、(?<=…) 这类写法",
    "invalid escape sequence": "不支持这个反斜杠写法（如 \\1）",
    "trailing \\": "末尾多了一个反斜杠",
    "pattern too large": "写得太长",
}


@dataclass(frozen=True)
class Sought:
    """`labels`: cells are looked at by their value labels, as the grid shows them; `columns` None: in all of them."""

    text: str
    is_pattern: bool = False
    is_whole: bool = False
    has_case: bool = False
    labels: bool = False
    columns: tuple[str, ...] | None = None

    @classmethod
    def read(cls, raw: dict[str, Any]) -> Sought:
        text = str(raw.get("text") or "")
        if not text:
            raise DataRefusal("seek.text", "请输入要查找的内容。", {})
        if len(text) > LONGEST:
            raise DataRefusal("seek.text", f"查找内容最多 {LONGEST} 个字。", {"length": len(text)})
        columns = raw.get("columns")
        sought = cls(
            text,
            bool(raw.get("pattern")),
            bool(raw.get("whole")),
            bool(raw.get("case")),
            bool(raw.get("labels")),
            None if columns is None else tuple(str(one) for one in columns),
        )
        if sought.is_pattern:
            sought.matched(pa.array([""], pa.large_string()))
        return sought

    @property
    def pattern(self) -> str:
        inner = self.text if self.is_pattern else re.escape(self.text)
        return ("" if self.has_case else "(?i)") + (f"^(?:{inner})$" if self.is_whole else f"(?:{inner})")

    def matched(self, words: pa.Array) -> Bools:
        """Which texts hold it; missing ones do not."""
        try:
            found = pc.match_substring_regex(words, self.pattern)
        except pa.ArrowInvalid as error:
            raise self._unreadable(str(error)) from error
        hits: Bools = found.fill_null(False).to_numpy(zero_copy_only=False)
        return hits

    def rewritten(self, words: pa.Array, by: str) -> pa.Array:
        """The texts with every place replaced; in a pattern `$1` and `\\1` stand for its first group."""
        rewrite = re.sub(r"\$(\d)", r"\\\1", by) if self.is_pattern else by.replace("\\", "\\\\")
        # The group around the pattern holds nothing: the numbers are those of the person's own groups.
        try:
            return pc.replace_substring_regex(words, self.pattern, rewrite)
        except pa.ArrowInvalid as error:
            if "Invalid replacement" not in str(error):
                raise self._unreadable(str(error)) from error
            text = f"替换内容“{by}”里的分组编号或反斜杠不对：查找内容里没有这个分组。"
            raise DataRefusal("seek.with", text, {}) from error

    def _unreadable(self, why: str) -> DataRefusal:
        reason = next((words for sign, words in _FAULTS.items() if sign in why), "请检查括号和特殊符号")
        return DataRefusal("seek.pattern", f"正则表达式“{self.text}”写得不对：{reason}。", {})

    def ids(self, table: Table) -> list[str]:
        if self.columns is None:
            return [column.id for column in table.meta.columns]
        return [table.column(column_id).id for column_id in self.columns]


def names_of(column: Column) -> dict[Value, str]:
    """What values are called: answers, and codes for missing (`.a 拒答`)."""
    named = [] if isinstance(column.missing_labels, UnsetType) else column.missing_labels
    return {level.value: level.label for level in [*(column.levels or []), *named]}


def shown_words(values: pa.Array, column: Column, labels: bool) -> pa.Array:
    """Distinct values of a column as the grid shows them."""
    if clock.is_clock(column):
        words = clock.words(values, column)
    elif pa.types.is_boolean(values.type):
        words = pc.if_else(values, "是", "否")
    else:
        words = as_strings(values)
    letters = letters_of(column)
    names = names_of(column) if labels else {}
    if not (letters or names):
        return words
    plain = [wire_value(value) for value in values.to_pylist()]
    own = words.to_pylist()
    return pa.array(
        [letters.get(value) or names.get(value) or word for value, word in zip(plain, own, strict=True)],
        pa.large_string(),
    )


def hits_in(table: Table, column_id: str, sought: Sought) -> Bools:
    """Rows whose cell in the column holds it."""
    encoded = dictionary(table.array(column_id))
    match = sought.matched(shown_words(encoded.dictionary, table.column(column_id), sought.labels))
    hits: Bools = np.append(match, False)[indices(encoded)]
    return hits


@lru_cache(4)
def counts_of(key: str, sought: Sought) -> npt.NDArray[np.int32]:
    """How many cells of each row hold it. A version never changes: the next place is asked for soon after the first."""
    table = Table.open(key)
    counts = np.zeros(table.rows, dtype=np.int32)
    for column_id in sought.ids(table):
        counts += hits_in(table, column_id, sought)
    return counts


def columns_at(table: Table, row: int, sought: Sought) -> list[str]:
    """In which columns of one row it stands."""
    ids = []
    for column_id in sought.ids(table):
        cell = dictionary(table.array(column_id).slice(row, 1))
        words = shown_words(cell.dictionary, table.column(column_id), sought.labels)
        if len(words) and sought.matched(words.take(cell.indices)).any():
            ids.append(column_id)
    return ids


def find(key: str, body: dict[str, Any], order: npt.NDArray[Any]) -> dict[str, Any]:
    """As `pages.find`, with the places counted by cells: `cells` in all of the view, `cells_before` above that row.

    `number`: that of the row in the table.
    """
    sought = Sought.read(body["seek"])
    counts = counts_of(key, sought)[order]
    places = np.flatnonzero(counts)
    if not len(places):
        return {"total": 0, "before": 0, "row": None, "columns": [], "cells": 0, "cells_before": 0}
    row = int(body.get("row") or 0)
    if body.get("back"):
        before = (int(np.searchsorted(places, row, side="right")) - 1) % len(places)
    else:
        before = int(np.searchsorted(places, row)) % len(places)
    place = int(places[before])
    return {
        "total": len(places),
        "before": before,
        "row": place,
        "number": int(order[place]),
        "columns": columns_at(Table.open(key), int(order[place]), sought),
        "cells": int(counts.sum()),
        "cells_before": int(counts[:place].sum()),
    }
