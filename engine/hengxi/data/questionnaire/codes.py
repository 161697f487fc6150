"""Codes of skipped items, and the columns in which a platform tells about the answering itself."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from hengxi.data.arrays import Source
from hengxi.data.meta import Column, Level, Value
from hengxi.data.values import dictionary, indices

SKIPPED = {"(跳过)": "跳过", "（跳过）": "跳过", "(空)": "未答", "（空）": "未答"}
CODES = {-3: "跳过", -2: "未答"}
"""What questionnaire platforms write for an item that was not shown, and for one left empty."""
_ASIDE = r"\s*(?:[(（][^()（）]*[)）])?\s*"
FLAGS = (
    (re.compile(r"^(?:提交|开始|结束|(?:答题|作答|填写)(?:开始|结束)?)(?:答卷|答题|作答|填写)?时间" + _ASIDE
                + r"$|^时间戳记?$|^(?:Start|End|Recorded)\s?Date$|^(?:Survey[ _])?Timestamp$", re.IGNORECASE),
     "答题时间"),
    (re.compile(r"^(?:所用时间|(?:答题|作答|填写|答卷|总)?用时|(?:答题|作答|填写|答卷)总?时长)" + _ASIDE
                + r"$|^Duration \(in seconds\)$"), "用时"),
    (re.compile(r"^(?:来自|提交)?\s*IP\s?(?:地址|Address)?$", re.IGNORECASE), "IP"),
)  # fmt: skip


def flag_of(name: str) -> str | None:
    """答题时间, 用时 or IP by the usual headings."""
    return next((flag for pattern, flag in FLAGS if pattern.match(name.strip())), None)


def take_skips(column: Column, source: Source, numeric: bool) -> Value:
    """Makes the codes of skipped items user-missing where the column holds them; one of them, or None.

    `numeric`: the table is a questionnaire, so that −3 and −2 among answers from 0 on cannot be values.
    """
    array = source.array(column.id)
    if column.storage == "text" and pa.types.is_large_string(array.type):
        tokens = _held(array)
        _add(column, tokens)
        return str(tokens[0]) if tokens else None
    if not numeric or column.storage != "int" or not pa.types.is_integer(array.type):
        return None
    low: int | None = pc.min(array).as_py()
    if low is None or low not in CODES:
        return None
    below: list[Value] = array.filter(pc.less(array, 0)).unique().to_pylist()
    if any(code not in CODES for code in below) or pc.max(array).as_py() < 0:
        return None
    _add(column, sorted(below, key=str, reverse=True))
    return low


_SIGNS = tuple({word[:1].encode() for word in SKIPPED})


def _held(array: pa.ChunkedArray) -> list[Value]:
    """The words of SKIPPED that are cells of a column: hardly ever do they stand in its bytes, or even begin there."""
    held: set[str] = set()
    for piece in array.chunks:
        cells = piece.buffers()[2]
        data = b"" if cells is None else cells.to_pybytes()
        if any(sign in data for sign in _SIGNS):
            words = [word for word in SKIPPED if word.encode() in data]
            held |= {word for word in words if pc.any(pc.equal(piece, word)).as_py()}
    return [word for word in SKIPPED if word in held]


def _add(column: Column, codes: list[Value]) -> None:
    if codes:
        column.missing.values = [*column.missing.values, *codes]
        words: dict[Any, str] = {**CODES, **SKIPPED}
        labels = [Level(value=code, label=words.get(code, "跳过")) for code in codes]
        column.levels = [*(column.levels or []), *labels]


_CLOCK = re.compile(r"(?:(\d+):)?(\d{1,2}):(\d{2})")
_SPELT = re.compile(r"(?:(\d+)\s*(?:小时|时|h))?\s*(?:(\d+)\s*(?:分钟|分|m))?\s*(?:(\d+)\s*(?:秒|s))?")


def seconds_of(column: Column, source: Source, spelt: bool = False) -> pa.Array | None:
    """`125秒`, `2分5秒`, `0:02:05` as whole seconds; None unless nearly all cells are such.

    `spelt`: only in words; 10:02:03 may be the time of day.
    """
    array = source.array(column.id)
    if column.storage != "text" or not pa.types.is_large_string(array.type):
        return None
    encoded = dictionary(array)
    parsed = [_seconds(str(answer).strip(), spelt) for answer in encoded.dictionary.to_pylist()]
    lut = np.array([-1 if value is None else value for value in parsed] + [-1], dtype=np.int64)
    cells = lut[indices(encoded)]
    found = int(np.count_nonzero(cells >= 0))
    if not found or found < 0.95 * (len(encoded) - encoded.null_count):
        return None
    return pa.array(cells, mask=cells < 0)


def _seconds(text: str, spelt: bool) -> int | None:
    match = (None if spelt else _CLOCK.fullmatch(text)) or (_SPELT.fullmatch(text) if text else None)
    if not match or max(len(part or "") for part in match.groups()) > 9:
        return None
    hours, minutes, rest = (int(part or 0) for part in match.groups())
    return hours * 3600 + minutes * 60 + rest


_DATED = re.compile(r"日期|时间|生日|出生|\b(?:date|birth|dob)", re.IGNORECASE)
_FIRST, _LAST = 19_000_101, 21_001_231


def days_of(column: Column, source: Source) -> pa.Array | None:
    """20240304 under a heading that promises a date, as dates; None where a single cell is none."""
    array = source.array(column.id)
    if not _DATED.search(column.name) or not pa.types.is_integer(array.type) or column.missing:
        return None
    low, high = pc.min_max(array).as_py().values()
    if low is None or low < _FIRST or high > _LAST:
        return None
    days = pl.Series(array.cast(pa.int64()).combine_chunks()).cast(pl.String).str.to_date("%Y%m%d", strict=False)
    found = days.to_arrow().cast(pa.date32())
    return found if found.null_count == array.null_count else None
