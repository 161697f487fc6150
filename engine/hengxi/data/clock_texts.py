"""Texts that are times of day or durations (08:30, 1:02:03.5, 1小时20分): seconds in the table, shown as times."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from hengxi.contract.missing_tokens import MISSING_TOKENS
from hengxi.data.arrays import RAW, ArrowFile, one_chunk, picked
from hengxi.data.formats import Job, Staged
from hengxi.data.meta import Column
from hengxi.data.staging import with_arrays
from hengxi.data.values import dictionary, indices

KINDS = frozenset({"csv", "html", "xlsx", "xls", "ods", "json", "parquet", "feather"})
"""Formats that have no durations of their own, or whose clocks are texts to us."""
SAMPLE = 40
_CLOCK = re.compile(r"([+-]?)(\d{1,5}):([0-5]\d)(?::([0-5]\d(?:\.\d{1,6})?))?")
_SPELT = re.compile(r"(?:(\d{1,5})\s*(?:小时|时))?\s*(?:(\d{1,6})\s*(?:分钟|分))?\s*(?:(\d{1,7}(?:\.\d{1,6})?)\s*秒)?")
_SURE = re.compile(r"小时|分钟|秒")
"""90分 alone is a mark."""
_EPOCH = re.compile(r"1900-0([12])-(\d\d)(?: (.*))?")
"""A duration beyond a day that the reader of workbooks took for a moment, days being counted from 1899-12-31."""
_HEADED = re.compile(r"时间|时刻|用时|时长|耗时|几点|起床|入睡|睡眠|\b(?:time|duration|clock|elapsed)\b", re.IGNORECASE)
WHY = "时刻或时长，按秒计算"


def take_clocks(staged: Staged, job: Job, kind: str) -> None:
    """Makes columns of such texts seconds with the look of a clock; one other cell, and the column stays text."""
    if kind not in KINDS:
        return
    source = ArrowFile(staged.arrow)
    arrays: dict[str, pa.Array] = {}
    for column in staged.columns:
        # How long the questionnaire took has a column of seconds of its own already.
        if column.storage == "text" and source.has(column.id) and "用时" not in staged.flags.get(column.id, []):
            arrays |= _taken(column, source)
    if arrays:
        staged.arrow = with_arrays(Path(staged.arrow), arrays, job.work / "clocks.arrow")


def _taken(column: Column, source: ArrowFile) -> dict[str, pa.Array]:
    if column.missing or column.levels:
        return {}
    array = source.array(column.id)
    if not pa.types.is_large_string(array.type):
        return {}
    places = np.unique(np.linspace(0, max(len(array) - 1, 0), min(SAMPLE, len(array))).astype(np.int64))
    sample = [cell.strip() for cell in picked(array, places) if cell]
    if any(seconds_of(cell) is None for cell in sample if cell not in MISSING_TOKENS):
        return {}
    encoded = dictionary(array)
    words = [str(word).strip() for word in encoded.dictionary.to_pylist()]
    clocks = [word for word in words if word not in MISSING_TOKENS]
    values = {word: seconds_of(word) for word in clocks}
    if not clocks or None in values.values() or not _are_clocks(clocks, column.name):
        return {}
    lut = np.array([np.nan if (found := values.get(word)) is None else found for word in words] + [np.nan])
    cells = lut[indices(encoded)]
    gone = np.isnan(cells)
    whole = bool((cells[~gone] == np.floor(cells[~gone])).all())
    seconds = pa.array(np.where(gone, 0, cells), mask=gone)
    column.storage, column.measure, column.unit = "int" if whole else "float", "定量", "秒"
    column.clock, column.why = "TIME8", WHY
    arrays = {column.id: seconds.cast(pa.int64()) if whole else seconds}
    if gone.any() and len(clocks) < len(words):
        text = one_chunk(array)
        arrays[column.id + RAW] = pc.if_else(pa.array(gone), text, pa.scalar(None, text.type))
    return arrays


def seconds_of(text: str) -> float | None:
    """08:30 and 1:02:03.5 by the clock, 2分5秒 in words; None for anything else."""
    if match := _CLOCK.fullmatch(text):
        sign, hours, minutes, rest = match.groups()
        value = int(hours) * 3600 + int(minutes) * 60 + float(rest or 0)
        return -value if sign == "-" else value
    if match := _EPOCH.fullmatch(text):
        day = int(match[2]) + (31 if match[1] == "2" else 0)
        rest_of_day = seconds_of(match[3]) if match[3] else 0
        return None if rest_of_day is None else day * 86_400 + rest_of_day
    match = _SPELT.fullmatch(text) if text else None
    if match and any(match.groups()):
        hours, minutes, rest = match.groups()
        return int(hours or 0) * 3600 + int(minutes or 0) * 60 + float(rest or 0)
    return None


def are_clocks(cells: list[str], name: str = "") -> bool:
    """Whether the first cells of a column are all of them times or durations."""
    words = [cell.strip() for cell in cells if cell.strip() not in MISSING_TOKENS]
    return bool(words) and all(seconds_of(word) is not None for word in words) and _are_clocks(words, name)


def _are_clocks(words: list[str], name: str) -> bool:
    """16:9 and 21:15 may be a ratio or a result: without seconds a column is of times by its name, or by 08:30."""
    words = [word for word in words if not _EPOCH.fullmatch(word)]
    if any(":" in word for word in words):
        seconds = all(word.count(":") != 1 for word in words)
        padded = any(re.match(r"0\d:", word) for word in words)
        return seconds or padded or _HEADED.search(name) is not None
    return any(_SURE.search(word) for word in words)
