"""SPSS files (sav, zsav), in chunks: names, labels, value labels, user-missing codes and measures are kept as they are.

User-missing codes stay values in the table (the grid shows 99) and become missing in every analysis by the metadata.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyreadstat
from pyreadstat import ReadstatError

from hengxi.data.arrays import ArrowFile
from hengxi.data.formats import Job, Staged
from hengxi.data.levels import word_order
from hengxi.data.meta import Check, Column, Level, Missing, Range, Warn
from hengxi.data.names import tidy
from hengxi.data.refusal import DataRefusal

KIND = "sav"
PRIORITY = 10
CHUNK_CELLS = 2_000_000
MAX_VARIABLES = 32_767
MAX_RATIO = 100
_EPOCH = 12_219_379_200  # seconds from 1582-10-14 (SPSS) to 1970-01-01
_DATE = re.compile(r"^(?:DATE|ADATE|EDATE|SDATE|JDATE|QYR|MOYR|WKYR)\d*")
_DATETIME = re.compile(r"^(?:DATETIME|YMDHMS)\d*")
_DURATION = re.compile(r"^(?:TIME|DTIME|MTIME)\d*")
_DECIMALS = re.compile(r"\.(\d+)$")
_WHOLE = 1e15
_LAST = 265_621_593_600  # 9999-12-31 in SPSS seconds
# What the reader raises on hostile bytes; some of them end the process instead, hence the child.
_FAULTS = (
    ReadstatError,
    OSError,
    ValueError,
    TypeError,
    KeyError,
    OverflowError,
    MemoryError,
    pl.exceptions.PolarsError,
)


def recognises(head: bytes, name: str) -> bool:
    """$FL2 (sav), $FL3 (zsav), or the wrapper of an encrypted file."""
    return head.startswith((b"$FL2", b"$FL3")) or head[8:20] == b"ENCRYPTEDSAV"


# -- reading -----------------------------------------------------------------------------------------------------------


@dataclass
class _File:
    """The opened file: its metadata and the encoding that reads it."""

    job: Job
    meta: Any
    encoding: str | None

    def chunk(self, offset: int, rows: int) -> pl.DataFrame:
        try:
            frame, _ = pyreadstat.read_sav(
                self.job.path,
                encoding=self.encoding,
                user_missing=True,
                disable_datetime_conversion=True,
                row_offset=offset,
                row_limit=rows,
                output_format="polars",
            )
        except _FAULTS as error:
            raise _damaged(self.job.name) from error
        return frame


def _open(job: Job) -> _File:
    _guard(job)
    given = job.settings.get("encoding")
    failed: Exception | None = None
    for encoding in [given] if given else [None, "GB18030", "BIG5"]:
        try:
            _, meta = pyreadstat.read_sav(job.path, metadataonly=True, encoding=encoding, user_missing=True)
            opened = _File(job, meta, encoding)
            if encoding is None:
                opened.chunk(0, 200)  # a file may promise UTF-8 and hold GBK
        except (*_FAULTS, DataRefusal) as error:
            failed = failed or error
            continue
        if not meta.column_names:
            raise DataRefusal("file.empty", f"“{job.name}”中没有变量。", {"name": job.name})
        return opened
    raise _damaged(job.name) from failed


def _guard(job: Job) -> None:
    """The header's promises against the size of the file, before anything is allocated."""
    with job.path.open("rb") as file:
        head = file.read(176)
    if head[8:20] == b"ENCRYPTEDSAV":
        text = f"“{job.name}”设有打开密码，无法读取。请在 SPSS 中取消加密后另存，再上传。"
        raise DataRefusal("file.password", text, {"name": job.name})
    if len(head) < 176:
        raise _damaged(job.name)
    order = "<" if struct.unpack("<i", head[64:68])[0] in (2, 3) else ">"
    slots, _, _, cases = struct.unpack(order + "iiii", head[68:84])
    size = job.path.stat().st_size
    if slots > 0 and cases > 0 and slots * cases * 8 > MAX_RATIO * size:
        text = f"“{job.name}”声称有 {cases:,} 行，与文件大小不符，文件可能已损坏或被改动，为安全起见不予读取。"
        raise DataRefusal("sav.size", text, {"cases": cases, "slots": slots, "bytes": size})


def _damaged(name: str) -> DataRefusal:
    text = f"“{name}”不完整或已损坏，无法读取。请在 SPSS 中打开并另存后再上传。"
    return DataRefusal("sav.damaged", text, {"name": name})


def _kind(meta: Any, name: str) -> str:
    """number | text | date | datetime | duration"""
    form = meta.original_variable_types.get(name) or ""
    if meta.readstat_variable_types.get(name) == "string" or re.match(r"^A\d+", form):
        return "text"
    if _DATETIME.match(form):
        return "datetime"
    if _DATE.match(form):
        return "date"
    return "duration" if _DURATION.match(form) else "number"


# -- preview -----------------------------------------------------------------------------------------------------------


def preview(job: Job) -> dict[str, Any]:
    """First 50 rows and the declared measures."""
    opened = _open(job)
    frame = opened.chunk(0, 50)
    kinds = [_kind(opened.meta, name) for name in opened.meta.column_names]
    shown = [[None if v is None else _shown(v, kind) for v in frame[name].to_list()]
             for name, kind in zip(opened.meta.column_names, kinds, strict=True)]  # fmt: skip
    columns = []
    for name, kind in zip(opened.meta.column_names, kinds, strict=True):
        measure, ordered = _measure(opened.meta, name, kind)
        usual = "文本" if kind == "text" else "时间" if kind in ("date", "datetime") else "定量"
        word = "定序" if ordered else measure or usual
        columns.append({"name": name, "measure": word, "why": "文件中声明" if measure else "导入时判断"})
    return {
        "kind": KIND,
        "settings": {"encoding": opened.encoding or opened.meta.file_encoding},
        "candidates": {"encoding": [None, "UTF-8", "GB18030", "BIG5"]},
        "columns": columns,
        "rows": [list(row) for row in zip(*shown, strict=True)],
        "total_rows": opened.meta.number_rows,
    }


def _shown(value: Any, kind: str) -> Any:
    if kind in ("date", "datetime") and isinstance(value, float) and math.isfinite(value):
        moment = np.datetime64(int(value) - _EPOCH, "s")
        return str(moment.astype("datetime64[D]")) if kind == "date" else str(moment).replace("T", " ")
    if isinstance(value, float) and value == int(value) and abs(value) < _WHOLE:
        return int(value)
    return value


# -- import ------------------------------------------------------------------------------------------------------------


def stage(job: Job) -> Staged:
    """Reads the file into an Arrow file, chunk by chunk. DataRefusal `sav.*`, `file.password`."""
    opened = _open(job)
    meta = opened.meta
    if len(meta.column_names) > MAX_VARIABLES:
        text = f"文件有 {len(meta.column_names):,} 个变量，最多支持 {MAX_VARIABLES:,} 个。"
        raise DataRefusal("sav.columns", text, {"columns": len(meta.column_names)})
    kinds = [_kind(meta, name) for name in meta.column_names]
    out = job.work / "raw.arrow"
    schema = pa.schema([(f"c{i + 1}", _ARROW[kind]) for i, kind in enumerate(kinds)])
    whole = [kind == "number" for kind in kinds]
    sums = np.zeros(len(kinds))
    rows = lost = 0
    with pa.OSFile(str(out), "wb") as sink, pa.ipc.new_file(sink, schema) as writer:
        for frame in _chunks(opened):
            arrays = [_convert(frame.to_series(i), kind) for i, kind in enumerate(kinds)]
            lost += sum(
                array.null_count - frame.to_series(i).null_count()
                for i, array in enumerate(arrays)
                if kinds[i] in ("date", "datetime")
            )
            for i, array in enumerate(arrays):
                if kinds[i] == "number":
                    values = array.drop_null().to_numpy(zero_copy_only=False)
                    sums[i] += float(np.sum(values))
                    whole[i] = whole[i] and bool(np.all((values == np.floor(values)) & (np.abs(values) < _WHOLE)))
            writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=schema))
            rows += frame.height
            job.tick(0.02 + 0.65 * min(rows / max(meta.number_rows or rows, 1), 1), "读取")
    if meta.number_rows is not None and rows < meta.number_rows:
        raise _damaged(job.name)
    names, warnings = tidy(list(meta.column_names))
    columns, declared = _columns(meta, names, kinds, whole, out)
    if rows == 0:
        warnings.append(Warn(code="rows.none", text="文件只有变量，没有数据行。"))
    warnings += _durations(names, kinds)
    if lost:
        text = f"{lost:,} 个日期超出公历 1582 至 9999 年，已作缺失。"
        warnings.append(Warn(code="sav.dates", text=text, facts={"count": lost}))
    return Staged(
        arrow=out,
        columns=columns,
        notes={},
        settings={"encoding": opened.encoding or meta.file_encoding},
        check=_check(job.name, meta, rows, kinds, sums, out),
        warnings=warnings,
        declared=declared,
    )


_ARROW = {
    "number": pa.float64(),
    "duration": pa.float64(),
    "text": pa.large_string(),
    "date": pa.date32(),
    "datetime": pa.timestamp("us"),
}


def _chunks(opened: _File) -> Iterator[pl.DataFrame]:
    size = max(100, min(50_000, CHUNK_CELLS // len(opened.meta.column_names)))
    offset = 0
    while True:
        frame = opened.chunk(offset, size)
        if frame.height:
            yield frame
        if frame.height < size:
            return
        offset += size


def _convert(series: pl.Series, kind: str) -> pa.Array:
    """A chunk of one variable as Arrow: empty text is missing, dates count from 1970."""
    if kind == "text":
        text = series.cast(pl.String)
        cells = text.to_frame("x").select(pl.when(pl.col("x") != "").then(pl.col("x"))).to_series()
        return cells.to_arrow().cast(pa.large_string())
    numbers = series.cast(pl.Float64).fill_nan(None).to_arrow()
    if kind not in ("date", "datetime"):
        return numbers
    # Beyond the calendar: kept as missing, and counted by the caller as cells that were lost.
    numbers = pc.if_else(pc.and_(pc.greater_equal(numbers, 0.0), pc.less(numbers, float(_LAST))), numbers, None)
    micros = pc.multiply(pc.subtract(numbers, float(_EPOCH)), 1e6)
    stamps = pc.round(micros).cast(pa.int64()).cast(pa.timestamp("us"))
    return stamps.cast(pa.date32(), safe=False) if kind == "date" else stamps


def _columns(
    meta: Any, names: list[str], kinds: list[str], whole: list[bool], out: Any
) -> tuple[list[Column], set[str]]:
    """Columns with labels, levels, missing codes and declared measures."""
    source = ArrowFile(out)
    columns, declared = [], set()
    for i, (own, name, kind) in enumerate(zip(meta.column_names, names, kinds, strict=True)):
        column = Column(id=f"c{i + 1}", name=name, measure="文本", storage="text")
        column.label = (meta.column_labels[i] or "").strip() or None
        if kind in ("date", "datetime"):
            column.storage = "date" if kind == "date" else "datetime"
        elif kind != "text":
            column.storage = "int" if whole[i] else "float"
        column.missing = _missing(meta.missing_ranges.get(own) or [], meta.missing_user_values.get(own) or [])
        labels = meta.variable_value_labels.get(own) or {}
        if labels:
            column.levels = [Level(value=_value(v), label=str(label)) for v, label in labels.items()]
        measure, ordered = _measure(meta, own, kind)
        if kind == "duration":
            column.unit = "秒"
        if measure and not (kind == "text" and _open_text(source, column)):
            column.measure, column.ordered, column.why = measure, ordered, "文件中声明"  # type: ignore[assignment]
            declared.add(column.id)
        columns.append(column)
    return columns, declared


def _measure(meta: Any, name: str, kind: str) -> tuple[str | None, bool]:
    """(measure, ordered) as declared; labelled numbers without a declaration are 定类."""
    if kind in ("date", "datetime"):
        return None, False
    found = meta.variable_measure.get(name, "unknown")
    labels = [str(label) for label in (meta.variable_value_labels.get(name) or {}).values()]
    if found == "nominal" or (found == "unknown" and len(labels) >= 2 and kind != "duration"):
        return "定类", word_order(labels) is not None
    if found == "ordinal":
        return "定类", True
    return ("定量", False) if found == "scale" and kind != "text" else (None, False)


def _open_text(source: ArrowFile, column: Column) -> bool:
    """SPSS calls every string nominal; one with mostly different values is an open answer and is typed by our rules."""
    if column.levels:
        return False
    cells = source.array(column.id)
    distinct = pc.count_distinct(cells, mode="only_valid").as_py()
    return bool(distinct > 20 and distinct >= 0.05 * len(cells))


def _missing(ranges: list[Any], values: list[Any]) -> Missing:
    """Single codes and ranges; the lowest and highest numbers SPSS knows are open ends."""
    missing = Missing(values=[_value(v) for v in values])
    for span in ranges:
        low, high = span["lo"], span["hi"]
        if low == high:
            missing.values.append(_value(low))
        else:
            missing.ranges.append(
                Range(low=None if low < -1e300 else float(low), high=None if high > 1e300 else float(high))
            )
    return missing


def _value(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value == math.floor(value) and abs(value) < _WHOLE else value


def _durations(names: list[str], kinds: list[str]) -> list[Warn]:
    found = [name for name, kind in zip(names, kinds, strict=True) if kind == "duration"]
    if not found:
        return []
    text = f"{len(found)} 个时长变量按秒数读入（如“{found[0]}”）。"
    return [Warn(code="sav.duration", text=text, facts={"names": found[:50]})]


def _check(name: str, meta: Any, rows: int, kinds: list[str], sums: Any, out: Any) -> Check:
    """Rows of the header and sums of the chunks against the stored table."""
    source = ArrowFile(out)
    numeric = [i for i, kind in enumerate(kinds) if kind == "number"]
    for i in numeric:
        stored = pc.sum(source.array(f"c{i + 1}")).as_py() or 0.0
        if not math.isclose(stored, sums[i], rel_tol=1e-9, abs_tol=1e-6 * max(1.0, abs(sums[i]))):
            text = f"“{name}”读入的数据前后不一致（{meta.column_names[i]}），已停止导入，原文件未受影响。请联系我们。"
            raise DataRefusal("import.check", text, {"column": meta.column_names[i]})
    width = len(kinds)
    text = f"原文件 {rows:,} 行 × {width} 列；已读 {rows:,} × {width}" + (
        "；数值列合计一致" if numeric and rows else ""
    )
    return Check(
        raw_rows=rows, raw_columns=width, rows=rows, columns=width, sums="same" if numeric and rows else "none",
        checked_rows=rows, text=text,
    )  # fmt: skip
