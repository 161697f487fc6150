"""From the many types of Arrow to the few of a table."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

EXACT = 10**15
"""Whole numbers from here on do not fit a double exactly and are kept as text."""


@dataclass(frozen=True)
class Reader:
    """How a column is stored and the function that makes it so; `note` says what was changed."""

    kind: pa.DataType
    convert: Callable[[pa.Array], pa.Array]
    note: str = ""
    unit: str | None = None


def reader_of(kind: pa.DataType) -> Reader | None:
    """None for what is no flat column (lists, records, maps) and for raw bytes."""
    if pa.types.is_dictionary(kind):
        return _unpacked(kind, _spelled)
    if pa.types.is_run_end_encoded(kind):
        return _unpacked(kind, pc.run_end_decode)
    if pa.types.is_boolean(kind):
        return Reader(pa.bool_(), lambda a: a)
    if pa.types.is_uint64(kind):
        return Reader(pa.large_string(), lambda a: a.cast(pa.large_string()), "有取值超过 15 位数字，按编号保留为文本")
    if pa.types.is_integer(kind):
        return Reader(pa.int64(), lambda a: a.cast(pa.int64()))
    if pa.types.is_floating(kind):
        return Reader(pa.float64(), lambda a: _finite(a.cast(pa.float64())))
    if pa.types.is_decimal(kind):
        note = "" if kind.precision <= 15 else f"定点小数（{kind.precision} 位），按双精度读入"
        # By way of the digits: the direct way is off by the last bit.
        return Reader(pa.float64(), lambda a: a.cast(pa.string()).cast(pa.float64()), note)
    if isinstance(kind, pa.UuidType):
        return Reader(
            pa.large_string(), lambda a: pa.array([cell and str(cell) for cell in a.to_pylist()], pa.large_string())
        )
    return _worded(kind) or _dated(kind)


def period_of(field: pa.Field) -> Reader | None:
    """Months, quarters and years of pandas, which the file holds as their number since 1970: their first days.

    Other periods stay numbers, and that is said. None for what is no period.
    """
    said = field.metadata or {}
    named = said.get(b"ARROW:extension:name"), said.get(b"ARROW:extension:metadata", b"")
    if isinstance(field.type, pa.ExtensionType):  # where pandas is loaded it has made the type known
        named = field.type.extension_name.encode(), field.type.__arrow_ext_serialize__()
    kind = getattr(field.type, "storage_type", field.type)
    if named[0] != b"pandas.period" or not pa.types.is_int64(kind):
        return None
    try:
        unit = str(json.loads(named[1])["freq"])
    except (ValueError, KeyError, TypeError):
        unit = "?"
    months = _PERIODS.get(unit)
    if months is None:
        return Reader(pa.int64(), _stored, f"期间（{unit}）按从 1970 年起的序号读入")
    return Reader(pa.date32(), lambda a: _first_days(a, months), "期间按其第一天读入")


_PERIODS = {"M": 1, "Q-DEC": 3, "Y-DEC": 12, "A-DEC": 12}
_YEARS = (1 - 1970) * 12, (10_000 - 1970) * 12


def _stored(array: pa.Array) -> pa.Array:
    return array.storage if isinstance(array, pa.ExtensionArray) else array


def _first_days(array: pa.Array, months: int) -> pa.Array:
    array = _stored(array)
    numbers = array.fill_null(0).to_numpy(zero_copy_only=False)
    low, high = _YEARS[0] // months, _YEARS[1] // months
    gone = ~array.is_valid().to_numpy(zero_copy_only=False) | (numbers < low) | (numbers >= high)
    days = (np.where(gone, 0, numbers) * months).astype("datetime64[M]").astype("datetime64[D]")
    return pa.array(days, pa.date32(), mask=gone)


def _spelled(array: pa.DictionaryArray) -> pa.Array:
    """The values in place of their numbers; Arrow cannot take from the views that Polars writes."""
    if pa.types.is_string_view(array.type.value_type):
        array = pa.DictionaryArray.from_arrays(array.indices, array.dictionary.cast(pa.large_string()))
        return array.dictionary_decode().cast(pa.string_view())
    return array.dictionary_decode()


def _unpacked(kind: pa.DataType, unpack: Callable[[pa.Array], pa.Array]) -> Reader | None:
    inner = reader_of(kind.value_type)
    if inner is None:
        return None
    convert = inner.convert
    return Reader(inner.kind, lambda array: convert(unpack(array)), inner.note, inner.unit)


def _finite(array: pa.Array) -> pa.Array:
    """NaN and infinity are no values of a table."""
    return pc.if_else(pc.is_finite(array), array, None)


def _worded(kind: pa.DataType) -> Reader | None:
    if pa.types.is_null(kind):
        return Reader(pa.large_string(), lambda a: a.cast(pa.large_string()), "全部缺失")
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return Reader(pa.large_string(), lambda a: _full(a.cast(pa.large_string())))
    if pa.types.is_time(kind):
        return Reader(pa.large_string(), _clock, "时刻没有日期，保留为文本")
    return None


def _clock(array: pa.Array) -> pa.Array:
    """01:02:03.5 without the zeros of a unit of billionths."""
    words = pc.replace_substring_regex(array.cast(pa.large_string()), r"(\.\d*?)0+$", r"\1")
    return pc.replace_substring_regex(words, r"\.$", "")


def _full(array: pa.Array) -> pa.Array:
    return pc.if_else(pc.equal(array, ""), None, array)


def _dated(kind: pa.DataType) -> Reader | None:
    if pa.types.is_date(kind):
        return Reader(pa.date32(), lambda a: a.cast(pa.date32(), safe=False))
    if pa.types.is_timestamp(kind) and kind.tz:
        note = f"带时区（{kind.tz}），按当地时间读入"
        return Reader(pa.timestamp("us"), lambda a: pc.local_timestamp(a).cast(pa.timestamp("us"), safe=False), note)
    if pa.types.is_timestamp(kind):
        return Reader(pa.timestamp("us"), lambda a: a.cast(pa.timestamp("us"), safe=False))
    if pa.types.is_duration(kind):
        parts = {"s": 1, "ms": 1e3, "us": 1e6, "ns": 1e9}[kind.unit]
        return Reader(
            pa.float64(),
            lambda a: pc.divide(a.cast(pa.int64()).cast(pa.float64(), safe=False), parts),
            "时刻或时长，计算时用秒数",
            "秒",
        )
    return None


def too_long(array: pa.Array | pa.ChunkedArray) -> bool:
    """Whether a column of whole numbers holds one that a double cannot."""
    low, high = pc.min_max(array).as_py().values()
    return high is not None and max(abs(low), abs(high)) >= EXACT
