"""Categories: codes of a column, and the order of its levels."""

from __future__ import annotations

import re
from itertools import pairwise
from math import isnan, nan

import numpy as np
import pyarrow as pa
from msgspec import UnsetType

from hengxi.contract.columns import tally
from hengxi.data.arrays import Ints, number_text, wire_value
from hengxi.data.meta import Column, Level, Missing, Value
from hengxi.data.values import dictionary, indices

# Answers that have an order whatever the data; a column whose labels all stand in one line is 定序.
ORDERED_WORDS = tuple(
    tuple(line.split("|"))
    for line in (
        "非常不同意|很不同意|不同意|比较不同意|有点不同意|不确定|一般|中立|有点同意|比较同意|同意|很同意|非常同意",
        "完全不同意|不同意|一般|同意|完全同意",
        "非常不满意|很不满意|不满意|比较不满意|一般|比较满意|满意|很满意|非常满意",
        "非常不符合|完全不符合|不符合|比较不符合|一般|不确定|比较符合|符合|完全符合|非常符合",
        "非常不重要|不重要|比较不重要|一般|比较重要|重要|非常重要",
        "从不|从来没有|很少|偶尔|有时|经常|常常|总是",
        "很差|非常差|差|较差|一般|较好|好|良好|很好|非常好",
        "不及格|及格|中等|中|良|良好|优|优秀",
        "文盲|小学以下|小学|小学及以下|初中及以下|初中|高中|中专|高中/中专|高中及以下|大专|专科|大专及以下"
        "|本科|大学本科|硕士|硕士研究生|研究生|硕士及以上|博士|博士研究生|博士及以上",
        "大一|大二|大三|大四|大五|研一|研二|研三|博士",
        "一年级|二年级|三年级|四年级|五年级|六年级|七年级|八年级|九年级",
        "初一|初二|初三|高一|高二|高三",
        "极低|很低|低|较低|中|中等|较高|高|很高|极高",
        "小|中|大|特大",
        "轻度|中度|重度|极重度",
        "strongly disagree|disagree|somewhat disagree|neutral|neither agree nor disagree|somewhat agree|agree"
        "|strongly agree",
        "never|rarely|sometimes|often|always",
        "very poor|poor|fair|good|very good|excellent",
        "low|medium|high",
        "mild|moderate|severe",
    )
)
_CODE = re.compile(r"[-+]?\d{1,15}(?:\.\d+)?", re.ASCII)
_BANDS = re.compile(r"^\s*(?:[<≤]=?|小于|不足|低于)?\s*(\d+(?:\.\d+)?)")
_UNDER = re.compile(r"^\s*(?:[<≤]|小于|不足|低于)|(?:以下|及以下|以内)\s*$")
_DATED = re.compile(r"\s*\d{1,2}[-/. ]?[A-Za-z]{3,9}[-/. ]?\d{2,4}|\s*\d{1,4}([-/.])\d{1,2}\1\d{1,4}(?!\d)")
"""04-Mar-2024 and 24-03-04 begin with a number and have a sign of a band, but are days."""
_BAND_SIGN = re.compile(r"[-–—~～至到<≤>≥]|以上|以下|以内|不足|小于|大于|低于|高于")


def word_order(labels: list[str]) -> list[str] | None:
    """The labels in their natural order if they have one (满意度, 学历, 18-25岁 …), else None."""
    if len(labels) < 3:
        return None
    plain = {label: label.strip().lower() for label in labels}
    for line in ORDERED_WORDS:
        rank = {word: i for i, word in enumerate(line)}
        if all(word in rank for word in plain.values()):
            return sorted(labels, key=lambda label: rank[plain[label]])
    return _band_order(labels)


def in_word_order(labels: list[str]) -> bool:
    """Whether labels with a natural order stand in it, up or down: codes given by the alphabet mix it up."""
    order = word_order(labels)
    return order is not None and labels in (order, order[::-1])


def _band_order(labels: list[str]) -> list[str] | None:
    """Bands of numbers: 18岁以下, 18-25岁, 26-35岁, 60岁以上."""
    keys: dict[str, tuple[float, int]] = {}
    for label in labels:
        found = _BANDS.match(label)
        if not found or not _BAND_SIGN.search(label) or _DATED.match(label):
            return None
        keys[label] = (float(found.group(1)), 0 if _UNDER.search(label) else 1)
    if len(set(keys.values())) < len(labels):
        return None
    return sorted(labels, key=lambda label: keys[label])


def codes_of(array: pa.Array | pa.ChunkedArray, column: Column) -> tuple[Ints, list[Level]]:
    """See `Table.codes`. `array` may be dictionary-encoded."""
    encoded = dictionary(array)
    values = [wire_value(value) for value in encoded.dictionary.to_pylist()]
    if column.storage == "int":  # SPSS keeps whole numbers as doubles
        values = [int(value) if isinstance(value, float) else value for value in values]
    order = level_order(values, column)
    place = {key_of(level.value): i for i, level in enumerate(order)}
    lut = np.full(len(values) + 1, -1, dtype=np.int32)
    for i, value in enumerate(values):
        lut[i] = place.get(key_of(value), -1)
    places = indices(encoded)
    same = bool((lut[:-1] == np.arange(len(values))).all())
    codes: Ints = places.astype(np.int32, copy=False) if same else lut[places]  # the last entry answers −1
    counts = tally(codes, len(order))
    levels = [Level(value=level.value, label=level.label, count=int(n)) for level, n in zip(order, counts, strict=True)]
    return codes, levels


def level_order(values: list[Value], column: Column) -> list[Level]:
    """Levels in their order for the distinct values of a column; user-missing codes are no levels.

    The listed levels keep their order: a file's are sorted when it is read (`by_number`), the user may order them anew.
    Codes without a label take their place among listed codes that go up or down; else they follow.
    """
    listed = [level for level in column.levels or [] if not is_missing(level.value, column.missing)]
    known = {key_of(level.value) for level in listed}
    rest = [v for v in values if v is not None and key_of(v) not in known and not is_missing(v, column.missing)]
    if all(isinstance(v, (int, float)) for v in rest):
        rest.sort(key=lambda v: float(v))
    levels = [*listed, *(Level(value=v, label=label_of(v)) for v in rest)]
    if not listed or not rest:
        return levels
    codes = [_number(level.value) for level in listed]
    steps = [after - before for before, after in pairwise(codes)]
    if all(step > 0 for step in steps):
        return by_number(levels)
    return by_number(levels, descending=True) if all(step < 0 for step in steps) else levels


def by_number(levels: list[Level], *, descending: bool = False) -> list[Level]:
    """Levels by the numbers of their codes (1, 2, 10; also "1", "2", "10"); as they came where a code is no number."""
    codes = {key_of(level.value): _number(level.value) for level in levels}
    if any(isnan(code) for code in codes.values()):
        return levels
    return sorted(levels, key=lambda level: codes[key_of(level.value)], reverse=descending)


def _number(value: Value) -> float:
    """The number of a code, NaN where it is none."""
    if isinstance(value, str):
        return float(value) if _CODE.fullmatch(value.strip()) else nan
    return nan if value is None else float(value)


def key_of(value: Value) -> tuple[bool, Value]:
    """1 and 1.0 are the same level, 1 and "1" are not."""
    return (isinstance(value, str), value)


def label_of(value: Value) -> str:
    """The text of a value that has no label."""
    if isinstance(value, bool):
        return "是" if value else "否"
    if isinstance(value, (int, float)):
        return number_text(float(value)) or ""
    return value or ""


def kinds_of(encoded: pa.DictionaryArray, column: Column) -> tuple[Ints, list[Level]]:
    """See `Table.missing_kinds`."""
    values = [wire_value(value) for value in encoded.dictionary.to_pylist()]
    codes = sorted((v for v in values if v is not None and is_missing(v, column.missing)), key=key_of)
    named = [] if isinstance(column.missing_labels, UnsetType) else column.missing_labels
    labels = {key_of(level.value): level.label for level in [*named, *(column.levels or [])]}
    place = {key_of(value): i for i, value in enumerate(codes)}
    # The extra last entry is for empty cells.
    lut = np.array([place.get(key_of(value), -1) for value in values] + [-1], dtype=np.int32)
    cells: Ints = lut[indices(encoded)]
    counts = np.bincount(cells[cells >= 0], minlength=len(codes))
    return cells, [
        Level(value=value, label=labels.get(key_of(value), label_of(value)), count=int(counts[i]))
        for i, value in enumerate(codes)
    ]


def is_missing(value: Value, missing: Missing) -> bool:
    """Whether a value is a user-missing code."""
    if value in missing.values:
        return True
    if isinstance(value, str) or value is None:
        return value is None
    return any(
        (span.low is None or value >= span.low) and (span.high is None or value <= span.high) for span in missing.ranges
    )
