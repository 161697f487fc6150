"""Chunks of the reader as Arrow: empty text is missing, moments count from 1970, special missing values get a code."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from hengxi.data.special import special_code
from hengxi.data.statfile.dialect import Kind

ARROW = {
    "number": pa.float64(),
    "duration": pa.float64(),
    "text": pa.large_string(),
    "date": pa.date32(),
    "datetime": pa.timestamp("us"),
}
WHOLE = 1e15
_FIRST, _LAST = -12_219_379_200_000_000, 253_402_300_800_000_000  # 1582-10-14 and 10000-01-01 in microseconds


def is_special(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 1 and (value == "_" or (value.isascii() and value.isalpha()))


def special_letters(series: pl.Series) -> set[str]:
    """Letters of the special missing values in a chunk of one variable."""
    return {cell for cell in series.to_list() if is_special(cell)} if series.dtype == pl.Object else set()


def convert(series: pl.Series, kind: Kind) -> pa.Array:
    """A chunk of one variable as Arrow."""
    if kind.name == "text":
        text = series.cast(pl.String)
        cells = text.to_frame("x").select(pl.when(pl.col("x") != "").then(pl.col("x"))).to_series()
        return cells.to_arrow().cast(pa.large_string())
    if series.dtype == pl.Object:  # numbers and letters of special missing values
        plain = [special_code(cell) if is_special(cell) and not kind.dated else cell for cell in series.to_list()]
        series = pl.Series([None if isinstance(cell, str) else cell for cell in plain], dtype=pl.Float64)
    numbers = series.cast(pl.Float64).fill_nan(None).to_arrow()
    return _moments(numbers, kind) if kind.dated else numbers


def _moments(numbers: pa.Array, kind: Kind) -> pa.Array:
    """Beyond the calendar: kept as missing, and counted by the caller as cells that were lost."""
    gone = numbers.is_null().to_numpy(zero_copy_only=False)
    values = numbers.fill_null(0.0).to_numpy(zero_copy_only=False)
    if kind.weeks:
        weeks = np.clip(values, -100_000, 1_000_000).astype(np.int64)
        years = (weeks // 52 - 10).astype("datetime64[Y]").astype("datetime64[D]")
        micros = (years + 7 * (weeks % 52)).astype("datetime64[us]").astype(np.int64).astype(np.float64)
    elif kind.months:
        months = np.clip(values, -10_000, 100_000).astype(np.int64) * kind.months - 120
        micros = months.astype("datetime64[M]").astype("datetime64[us]").astype(np.int64).astype(np.float64)
    else:
        micros = np.round(values * kind.step + kind.epoch)
    gone |= ~((micros >= _FIRST) & (micros < _LAST))
    stamps = pa.array(np.where(gone, 0, micros).astype(np.int64), mask=gone).cast(pa.timestamp("us"))
    return pc.floor_temporal(stamps, unit="day").cast(pa.date32()) if kind.name == "date" else stamps


def without_declared(array: pa.Array, series: pl.Series, meta: Any) -> tuple[pa.Array, int]:
    """A chunk of dates without those that the file declares to be user-missing, and how many: codes are numbers."""
    spans = meta.missing_ranges.get(series.name) or []
    codes = [value for value in meta.missing_user_values.get(series.name) or [] if isinstance(value, (int, float))]
    if not spans and not codes:
        return array, 0
    numbers = series.cast(pl.Float64).to_numpy()
    gone = np.isin(numbers, codes)
    for span in spans:
        gone |= (numbers >= span["lo"]) & (numbers <= span["hi"])
    kept = pc.if_else(pa.array(gone), pa.scalar(None, array.type), array)
    return kept, kept.null_count - array.null_count


def shown(value: Any, kind: Kind) -> Any:
    """A cell for the preview."""
    if value is None:
        return None
    if kind.dated or kind.name == "text":
        cell = convert(pl.Series([value]), kind)[0].as_py()
        return None if cell is None else str(cell)
    if is_special(value):
        return f".{value}"
    if isinstance(value, float):
        if not np.isfinite(value):
            return None
        return int(value) if value == int(value) and abs(value) < WHOLE else value
    return value


def coded(value: Any) -> Any:
    """A value of a label or of a missing code: whole numbers as int, letters as their number."""
    if is_special(value):
        return special_code(value)
    if isinstance(value, float):
        return int(value) if np.isfinite(value) and value == np.floor(value) and abs(value) < WHOLE else value
    return value
