"""Preview and import of a statistics program's file, in chunks of bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
from pyreadstat import ReadstatError

from hengxi.data import clock
from hengxi.data.arrays import ArrowFile, agree, finite
from hengxi.data.formats import Job, Staged
from hengxi.data.meta import AnswerSet, Check, Warn, left_out
from hengxi.data.names import tidy
from hengxi.data.refusal import DataRefusal
from hengxi.data.statfile.catalogue import Format
from hengxi.data.statfile.cells import ARROW, WHOLE, convert, shown, special_letters, without_declared
from hengxi.data.statfile.columns import columns_of, measure_of
from hengxi.data.statfile.dialect import NUMBER, TEXT, Dialect, Kind, Unsure, sas_format
from hengxi.data.statfile.encodings import hidden_chinese
from hengxi.data.statfile.labelling import catalogue_formats, catalogue_warnings, name_periods, put_labels

CHUNK_CELLS = 2_000_000
CHUNK_BYTES = 128 << 20
MAX_VARIABLES = 32_767
MAX_RATIO = 100
# What the reader raises on hostile bytes; some of them end the process instead, hence the child.
_FAULTS = (
    ReadstatError,
    OSError,
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    OverflowError,
    MemoryError,
    pl.exceptions.PolarsError,
)


@dataclass
class Opened:
    """The opened file: its metadata and the encoding that reads it."""

    job: Job
    dialect: Dialect
    encoding: str | None
    meta: Any = None
    formats: dict[str, Format] = field(default_factory=dict)
    """What a catalogue beside the file defines."""

    def load(self) -> None:
        _, self.meta = self.dialect.read(
            self.job.path, metadataonly=True, disable_datetime_conversion=True, **self._options()
        )
        put_labels(self.meta, self.formats)
        if self.dialect.named:
            name_periods(self.meta, self.dialect.named)

    def chunk(self, offset: int, rows: int) -> pl.DataFrame:
        try:
            read, _ = self.dialect.read(
                self.job.path,
                disable_datetime_conversion=True,
                row_offset=offset,
                row_limit=rows,
                output_format="polars",
                **self._options(),
            )
        except _FAULTS as error:
            raise damaged(self.job.name, self.dialect) from error
        frame: pl.DataFrame = read
        return self._with_letters(frame, offset)

    def _with_letters(self, frame: pl.DataFrame, offset: int) -> pl.DataFrame:
        """Letters of special missing values in place of the plain missing that the reader gives."""
        found = self.dialect.special(self.job.path, offset, frame.height) if self.dialect.special else {}
        for place, letters in found.items():
            series = frame.to_series(place)
            cells = [letters.get(row, cell) if cell is None else cell for row, cell in enumerate(series.to_list())]
            frame = frame.with_columns(pl.Series(series.name, cells, dtype=pl.Object))
        return frame

    def _options(self) -> dict[str, Any]:
        options: dict[str, Any] = {"user_missing": True} if self.dialect.user_missing else {}
        return options if self.encoding is None else {**options, "encoding": self.encoding}

    @property
    def kinds(self) -> list[Kind]:
        types = self.meta.readstat_variable_types
        forms = self.meta.original_variable_types
        return [
            TEXT
            if types.get(name) == "string"
            else NUMBER  # a user's own format, whatever of SAS's its name is like
            if sas_format(forms.get(name) or "") in self.formats
            else self.dialect.kind_of(forms.get(name) or "")
            for name in self.meta.column_names
        ]

    @property
    def width(self) -> int:
        """Bytes of a row as the file declares them."""
        return sum(int(width or 8) for width in self.meta.variable_storage_width.values())

    @property
    def chunk_rows(self) -> int:
        columns = max(len(self.meta.column_names), 1)
        return max(1, min(50_000, max(100, CHUNK_CELLS // columns), CHUNK_BYTES // max(self.width, 1)))


def open_file(job: Job, dialect: Dialect) -> Opened:
    """DataRefusal `<kind>.damaged`, `<kind>.size`, `<kind>.columns`, `file.empty`."""
    given = job.settings.get("encoding")
    failed: Exception | None = None
    formats = catalogue_formats(job) if dialect.catalogued else {}
    encodings = (given,) if given and len(dialect.encodings) > 1 else dialect.encodings
    for encoding in encodings:
        opened = Opened(job, dialect, encoding, formats=formats)
        try:
            opened.load()
            if encoding is not encodings[-1]:
                first = opened.chunk(0, 200)  # a file may promise UTF-8 and hold GBK
                if encoding is None and (better := hidden_chinese(opened.meta, first)):
                    opened = Opened(job, dialect, better, formats=formats)
                    opened.load()
                    opened.chunk(0, 200)
        except (*_FAULTS, DataRefusal) as error:
            failed = failed or error
            continue
        _check_size(opened)
        return opened
    raise damaged(job.name, dialect) from failed


def _check_size(opened: Opened) -> None:
    """The promises of the metadata against the size of the file."""
    name, columns, rows = opened.job.name, len(opened.meta.column_names), opened.meta.number_rows or 0
    if not columns:
        raise DataRefusal("file.empty", f"“{name}”中没有变量。", {"name": name})
    if columns > MAX_VARIABLES:
        text = f"文件有 {columns:,} 个变量，最多支持 {MAX_VARIABLES:,} 个。"
        raise DataRefusal(f"{opened.dialect.kind}.columns", text, {"columns": columns})
    if rows > 0 and rows * opened.width > MAX_RATIO * opened.job.path.stat().st_size:
        raise promised(opened.job, opened.dialect, rows)


def promised(job: Job, dialect: Dialect, rows: int) -> DataRefusal:
    """A header that claims more rows than the file can hold."""
    text = f"“{job.name}”声称有 {rows:,} 行，与文件大小不符，文件可能已损坏或被改动，为安全起见不予读取。"
    return DataRefusal(f"{dialect.kind}.size", text, {"rows": rows, "bytes": job.path.stat().st_size})


def damaged(name: str, dialect: Dialect) -> DataRefusal:
    text = f"“{name}”不完整或已损坏，无法读取。请在 {dialect.program} 中打开并另存后再上传。"
    return DataRefusal(f"{dialect.kind}.damaged", text, {"name": name})


FIRST = 50


def _total(promised: int | None, read_rows: int) -> int | None:
    """Rows of the file: some formats do not say, and then only a short one is known."""
    if promised is not None and promised >= 0:
        return promised
    return read_rows if read_rows < FIRST else None


def preview(job: Job, dialect: Dialect) -> dict[str, Any]:
    """The first rows and the declared measures."""
    opened = open_file(job, dialect)
    meta, kinds, frame = opened.meta, opened.kinds, opened.chunk(0, FIRST)
    cells = [_shown(frame.to_series(i), kind, meta) for i, kind in enumerate(kinds)]
    columns = []
    for name, kind in zip(meta.column_names, kinds, strict=True):
        measure, ordered = measure_of(meta, name, kind)
        usual = "文本" if kind.name == "text" else "时间" if kind.dated else "定量"
        why = "文件中声明" if measure else "导入时判断"
        columns.append({"name": name, "measure": measure or usual, "ordered": ordered, "why": why})
    return {
        "kind": dialect.kind,
        "settings": _settings(opened),
        "candidates": {"encoding": list(dialect.encodings)} if len(dialect.encodings) > 1 else {},
        "columns": columns,
        "rows": [list(row) for row in zip(*cells, strict=True)],
        "total_rows": _total(meta.number_rows, frame.height),
        "notes": [said.text for said in catalogue_warnings(job, meta, opened.formats)] if dialect.catalogued else [],
    }


def _shown(series: pl.Series, kind: Kind, meta: Any) -> list[Any]:
    """Cells for the preview; times as times, but not the codes among them that stand for a missing answer."""
    cells = [shown(value, kind) for value in series.to_list()]
    if kind.name != "duration":
        return cells
    spans = meta.missing_ranges.get(series.name) or []
    return [
        cell
        if not isinstance(cell, (int, float)) or any(span["lo"] <= cell <= span["hi"] for span in spans)
        else clock.word(cell)
        for cell in cells
    ]


def _settings(opened: Opened) -> dict[str, Any]:
    return {"encoding": opened.encoding or opened.meta.file_encoding} if len(opened.dialect.encodings) > 1 else {}


def stage(job: Job, dialect: Dialect) -> Staged:
    """Reads the file into an Arrow file, chunk by chunk."""
    opened = open_file(job, dialect)
    meta, kinds = opened.meta, opened.kinds
    out = job.work / "raw.arrow"
    schema = pa.schema([(f"c{i + 1}", ARROW[kind.name]) for i, kind in enumerate(kinds)])
    whole = [kind.name == "number" for kind in kinds]
    sums = np.zeros(len(kinds))
    letters: list[set[str]] = [set() for _ in kinds]
    rows = lost = infinite = unsaid = 0
    with pa.OSFile(str(out), "wb") as sink, pa.ipc.new_file(sink, schema) as writer:
        for frame in _chunks(opened):
            arrays = [convert(frame.to_series(i), kind) for i, kind in enumerate(kinds)]
            for i, array in enumerate(arrays):
                if kinds[i].dated:
                    lost += array.null_count - frame.to_series(i).null_count()
                    arrays[i], gone = without_declared(array, frame.to_series(i), meta)
                    unsaid += gone
                elif kinds[i].name == "number":
                    array, gone = finite(array)
                    arrays[i], infinite = array, infinite + gone
                    values = array.drop_null().to_numpy(zero_copy_only=False)
                    sums[i] += float(np.sum(values))
                    whole[i] = whole[i] and bool(np.all((values == np.floor(values)) & (np.abs(values) < WHOLE)))
                    letters[i] |= special_letters(frame.to_series(i))
            writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=schema))
            rows += frame.height
            job.tick(0.02 + 0.65 * min(rows / max(meta.number_rows or rows, 1), 1), "读取")
    if meta.number_rows is not None and rows < meta.number_rows:
        raise damaged(job.name, dialect)
    names, warnings = tidy(list(meta.column_names))
    for own, found in zip(meta.column_names, letters, strict=True):
        if found:  # the metadata alone do not tell them
            meta.missing_user_values[own] = sorted({*(meta.missing_user_values.get(own) or []), *found}, key=str)
    columns, declared = columns_of(meta, names, kinds, whole, out)
    if rows == 0:
        warnings.append(Warn(code="rows.none", text="文件只有变量，没有数据行。"))
    warnings += [*_durations(names, kinds), *left_out(infinite)]
    if dialect.further_warnings:
        warnings += dialect.further_warnings(job.path, meta)
    if dialect.catalogued:
        warnings += catalogue_warnings(job, meta, opened.formats)
    if unsaid:
        text = f"{unsaid:,} 个日期是文件声明的缺失值（如用 9999-12-31 表示不详），已作缺失。"
        warnings.append(Warn(code=f"{dialect.kind}.missing_dates", text=text, facts={"count": unsaid}))
    if lost:
        text = f"{lost:,} 个日期超出公历 1582 至 9999 年或是特殊缺失值，已作缺失。"
        warnings.append(Warn(code=f"{dialect.kind}.dates", text=text, facts={"count": lost}))
    return Staged(
        arrow=out,
        columns=columns,
        notes={},
        settings=_settings(opened),
        check=_check(job.name, meta, rows, kinds, sums, out),
        warnings=warnings,
        declared=declared,
        sets=_sets(meta),
    )


def _sets(meta: Any) -> list[AnswerSet]:
    """Multiple-response sets as SPSS keeps them."""
    ids = {own: f"c{i + 1}" for i, own in enumerate(meta.column_names)}
    sets: list[AnswerSet] = []
    for name, given in (getattr(meta, "mr_sets", None) or {}).items():
        columns = [ids[own] for own in given.get("variable_list", []) if own in ids]
        if len(columns) < 2:
            continue
        counted = given.get("counted_value") if given.get("is_dichotomy") else None
        label = str(given.get("label") or "") or None
        sets.append(
            AnswerSet(id=f"s{len(sets) + 1}", name=str(name).lstrip("$"), label=label, columns=columns, counted=counted)
        )
    return sets


def _chunks(opened: Opened) -> Iterator[pl.DataFrame]:
    size, offset = opened.chunk_rows, 0
    for frame in _quick(opened, size):
        offset += frame.height
        yield frame
    if offset and offset == opened.meta.number_rows:
        return
    while True:
        frame = opened.chunk(offset, size)
        if frame.height:
            yield frame
        if frame.height < size:
            return
        offset += size


def _quick(opened: Opened, size: int) -> Iterator[pl.DataFrame]:
    """As many chunks as can be had the quick way: all, or those before something that the reader shall judge."""
    if opened.dialect.frames is None:
        return
    try:
        for place, frame in enumerate(opened.dialect.frames(opened.job.path, opened.meta, opened.encoding, size)):
            if place == 0 and not _same(frame.head(FIRST), opened.chunk(0, FIRST), opened.kinds):
                return
            yield frame
    except Unsure:
        return


def _same(one: pl.DataFrame, other: pl.DataFrame, kinds: list[Kind]) -> bool:
    """Whether the rows of two readers are the same, cell by cell."""
    return one.shape == other.shape and all(
        convert(one.to_series(i), kind).equals(convert(other.to_series(i), kind)) for i, kind in enumerate(kinds)
    )


def _durations(names: list[str], kinds: list[Kind]) -> list[Warn]:
    durations = [name for name, kind in zip(names, kinds, strict=True) if kind.name == "duration"]
    if not durations:
        return []
    text = f"{len(durations)} 个时刻或时长变量（如“{durations[0]}”）显示为时刻，计算时用秒数。"
    return [Warn(code="sav.duration", text=text, facts={"names": durations[:50]})]


def _check(name: str, meta: Any, rows: int, kinds: list[Kind], sums: Any, out: Path) -> Check:
    """Rows of the header and sums of the chunks against the stored table."""
    source = ArrowFile(out)
    numeric = [i for i, kind in enumerate(kinds) if kind.name == "number"]
    for i in numeric:
        stored = pc.sum(source.array(f"c{i + 1}")).as_py() or 0.0
        if not agree(float(stored), sums[i]):
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
