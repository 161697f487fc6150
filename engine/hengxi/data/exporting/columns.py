"""Whole columns as the writer of SPSS and Stata files takes them: doubles and texts, never None in a text."""

from __future__ import annotations

import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from hengxi.data.exporting.cells import DAY_US, Cells
from hengxi.data.exporting.job import Job, listed, short
from hengxi.data.exporting.names import cut_bytes
from hengxi.data.meta import Value
from hengxi.data.refusal import DataRefusal

MOST_BYTES = 4 * 2**30
"""A text column takes its widest cell in every row; beyond this the file is of no use to anybody."""


def numbers(array: pa.Array, kind: str, epoch: int = 0, a_day: int = 1) -> pa.Array:
    """Doubles; dates and moments in parts of a day (`a_day` of them) since `epoch` days before 1970-01-01.

    Added up in whole microseconds: 10:02:00 must not become 10:01:59.999 on the way.
    """
    if kind == "bool":
        array = array.cast(pa.int8())
    elif kind in ("date", "datetime"):
        micros = pc.add(array.cast(pa.timestamp("us")).cast(pa.int64()), epoch * DAY_US)
        return pc.divide(micros.cast(pa.float64(), safe=False), DAY_US / a_day)
    return array.cast(pa.float64(), safe=False)


def bounded(job: Job, program: str, name: str, series: pl.Series, most: float) -> pl.Series:
    """Numbers up to `most`; the program takes larger ones for missing, which is said."""
    beyond = int((series.abs() > most).sum())
    if not beyond:
        return series
    text = f"“{short(name)}”有 {beyond:,} 个数超过 {program} 能保存的最大值（约 {most:.2e}），已作缺失。"
    job.note("export.large", text, name=name, count=beyond)
    return series.to_frame("x").select(pl.when(pl.col("x").abs() <= most).then(pl.col("x"))).to_series()


def texts_of(job: Job, cells: Cells, most: int) -> tuple[pl.Series, int]:
    """(cells of at most `most` bytes, how many were cut)."""
    series = pl.Series(cells.column.id, cells.whole(), dtype=pl.String).fill_null("")
    wide = (series.str.len_bytes() > most).sum() if len(series) else 0
    if wide:
        series = pl.Series(cells.column.id, [cut_bytes(text, most) for text in series], dtype=pl.String)
    widest = int(series.str.len_bytes().max() or 0) if len(series) else 0  # type: ignore[arg-type]
    if widest * len(series) > MOST_BYTES and widest > 255:
        text = f"“{short(cells.column.name)}”最长的单元格有 {widest:,} 个字节，每一行都要占这么多，文件会过大"
        text += "。请改用 parquet 或 csv。"
        raise DataRefusal("export.wide", text, {"column": cells.column.id, "bytes": widest})
    return series, int(wide)


def say_text(job: Job, program: str, digits: list[str], cut: int, most: int) -> None:
    if digits:
        text = f"{listed(digits)} 的整数超过 {program} 的精度，已写成文本，以免丢掉末位。"
        job.note("export.digits", text, names=digits)
    if cut:
        job.note("export.cut", f"{cut:,} 个单元格超过 {most:,} 个字节，{program} 放不下，已截短。", count=cut)


def number_of(value: Value) -> float | None:
    """A code or level of a numeric column; None for a text among them."""
    return float(value) if isinstance(value, (bool, int, float)) else None
