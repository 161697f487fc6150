"""Times of day and durations: numbers of seconds in the table, times for people and in files."""

from __future__ import annotations

import re

import pyarrow as pa
import pyarrow.compute as pc
from msgspec import UnsetType

from hengxi.data.levels import is_missing
from hengxi.data.meta import Column

_SPSS = re.compile(r"^(?:TIME|DTIME|MTIME)\d+(?:\.\d+)?$")
A_DAY = 86_400


def is_clock(column: Column) -> bool:
    return column.storage in ("int", "float") and not isinstance(column.clock, UnsetType)


def words(seconds: pa.Array, column: Column) -> pa.Array:
    """08:30:15, with fractions of a second where there are any; beyond a day the hours go on, as in a spreadsheet.

    A code for a missing answer is no time and stays the number it is.
    """
    encoded = seconds.dictionary_encode()
    texts = [
        _plain(value) if is_missing(value, column.missing) else word(value) for value in encoded.dictionary.to_pylist()
    ]
    return pa.array(texts, pa.large_string()).take(encoded.indices)


def coded(seconds: pa.Array, column: Column) -> pa.Array:
    """Which cells hold a code for a missing answer."""
    encoded = seconds.dictionary_encode()
    flags = [value is not None and is_missing(value, column.missing) for value in encoded.dictionary.to_pylist()]
    return pa.array(flags, pa.bool_()).take(encoded.indices).fill_null(False)


def durations(seconds: pa.Array) -> pa.Array:
    micros = pc.round(pc.multiply(seconds.cast(pa.float64(), safe=False), 1e6))
    return micros.cast(pa.int64()).cast(pa.duration("us"))


def spss_format(column: Column) -> str:
    """The format of the file it came from, else one that shows every time it holds."""
    if not isinstance(column.clock, UnsetType) and _SPSS.match(column.clock):
        return column.clock
    ends = [abs(end) for end in (column.profile.min, column.profile.max) if isinstance(end, (int, float))]
    width = max(8, len(str(int(max(ends, default=0) // 3600))) + 7)
    return f"TIME{width + column.decimals + 1}.{column.decimals}" if column.decimals else f"TIME{width}"


def word(value: float) -> str:
    micros = round(abs(value) * 1_000_000)
    whole, fraction = divmod(micros, 1_000_000)
    sign = "-" if value < 0 and micros else ""
    tail = f".{fraction:06d}".rstrip("0") if fraction else ""
    return f"{sign}{whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d}{tail}"


def _plain(value: float) -> str:
    return f"{value:.15g}"
