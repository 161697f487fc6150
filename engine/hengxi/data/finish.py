"""The last stretch of every import: profile, compact storage, files on disk, and the rename that makes it exist."""

from __future__ import annotations

import mmap
import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from io import FileIO
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from msgspec import UNSET

from hengxi.data import folder
from hengxi.data.arrays import ArrowFile, Source, one_chunk
from hengxi.data.describe import describe
from hengxi.data.formats import Job, Staged
from hengxi.data.meta import Column, ColumnReport, ImportReport, Meta, Warn
from hengxi.data.values import dictionary

DICTIONARY = 4096
"""Text columns with up to this many values are stored as small codes beside their values."""
GROUP_ROWS = 1 << 18
LARGEST = 128 << 20
"""Bytes of the largest column that is joined in memory."""


@dataclass
class Shrunk:
    """How one physical column is stored: its final type, and for texts with few values their codes."""

    kind: pa.DataType
    codes: pa.DictionaryArray | None = None

    def piece(self, column: pa.ChunkedArray, start: int, rows: int) -> pa.Array:
        if self.codes is not None:
            return self.codes.slice(start, rows)
        array = one_chunk(column.slice(start, rows))
        return array if array.type == self.kind else array.cast(self.kind)


def finish(staged: Staged, job: Job, kind: str, target: Path, started: float) -> Meta:
    """Profiles the staged columns, writes the table folder and puts it in place. Nothing remains if it fails."""
    source = ArrowFile(staged.arrow)
    total = max(len(staged.columns), 1)

    def tick(done: int) -> None:
        source.release()
        job.tick(0.72 + 0.13 * done / total, "统计各列")

    codes: dict[str, pa.DictionaryArray] = {}

    def cells(name: str) -> pa.Array | pa.ChunkedArray:
        """A column for the profile; the codes of texts with few values are kept, the encoding is not done twice."""
        column = source.array(name)
        if not pa.types.is_large_string(column.type):
            return column
        encoded = dictionary(column)
        if len(encoded.dictionary) <= min(DICTIONARY, max(len(encoded) // 2, 1)):
            codes[name] = narrow(encoded)
        return encoded

    describe(staged.columns, cells, tick, staged.declared)
    for column in staged.columns:
        column.flags = list(dict.fromkeys([*staged.flags.get(column.id, []), *column.flags]))
    shrunk = {c.id: Shrunk(codes[c.id].type, codes[c.id]) if c.id in codes else shrink(c, source.array(c.id))
              for c in staged.columns}  # fmt: skip
    part = job.work / "table"
    part.mkdir()
    job.tick(0.86, "写入")

    def written(share: float) -> None:
        source.release()
        job.tick(0.86 + 0.12 * share, "写入")

    write_data(source, shrunk, part, written)
    meta = Meta(data=None, rows=source.rows, columns=staged.columns, sets=staged.sets or UNSET)
    meta.sha256 = {"data.parquet": folder.sha256(part / "data.parquet")}
    meta.report = ImportReport(
        kind=kind,
        settings=staged.settings,
        columns=[_noted(column, staged.notes.get(column.id)) for column in staged.columns],
        check=staged.check,
        warnings=[*staged.warnings, *_empty(staged.columns, source.rows)],
        seconds=round(time.perf_counter() - started, 3),
    )
    publish(meta, part, target)
    return meta


def _empty(columns: list[Column], rows: int) -> list[Warn]:
    """Columns without any cell: they look like numbers, as in SPSS, and nothing can be calculated with them."""
    names = [column.name for column in columns if rows and _is_void(column)]
    if not names:
        return []
    text = (
        f"{len(names)} 列没有任何值（如“{names[0]}”），没有内容可以判断类型，暂按定量变量读入；"
        "分析时用不上，可以隐藏，或在“变量”中改类型。"
    )
    return [Warn(code="columns.empty", text=text, facts={"names": names[:50], "count": len(names)})]


def _is_void(column: Column) -> bool:
    return column.measure == "定量" and column.profile.n == 0 and not column.missing and not column.levels


def _noted(column: Column, note: ColumnReport | None) -> ColumnReport:
    """The column's line of the import report, with what only the profile knows."""
    note = note or ColumnReport(id=column.id, name=column.name, type="", why="")
    note.type = "定序" if column.ordered and column.measure == "定类" else column.measure
    note.why = column.why
    note.missing = column.profile.missing
    return note


def shrink(column: Column, array: pa.Array | pa.ChunkedArray) -> Shrunk:
    """The smallest storage that loses nothing."""
    found = column.profile
    few = 0 < found.distinct <= min(DICTIONARY, max(len(array) // 2, 1))
    if pa.types.is_dictionary(array.type) or (column.stored == "text" and few):
        encoded = narrow(dictionary(array))
        return Shrunk(encoded.type, encoded)
    if column.stored == "text":
        return Shrunk(pa.large_string())
    if column.stored == "int" and not pa.types.is_boolean(array.type):
        low, high = pc.min_max(array).as_py().values()
        for kind in (pa.int8(), pa.int16(), pa.int32()):
            edge = np.iinfo(kind.to_pandas_dtype())
            if low is None or (edge.min <= low and high <= edge.max):
                return Shrunk(kind)
        return Shrunk(pa.int64())
    return Shrunk(array.type)


def narrow(encoded: pa.DictionaryArray) -> pa.DictionaryArray:
    """The codes in as few bytes as their number allows."""
    words = encoded.dictionary.cast(pa.string())
    kind = pa.int8() if len(words) < 128 else pa.int16() if len(words) < 32_768 else pa.int32()
    return pa.DictionaryArray.from_arrays(encoded.indices.cast(kind), words)


def write_data(source: Source, shrunk: dict[str, Shrunk], part: Path, tick: Callable[[float], None]) -> None:
    """Both data files; the two encoders work side by side.

    The Arrow file gets one batch, so that a column is read where it lies, without a copy. Columns are joined one at a
    time on disk, never the whole table in memory; where one is larger than `LARGEST`, the file gets several batches.
    """
    names = source.names
    kinds = [shrunk[name].kind if name in shrunk else source.array(name).type for name in names]
    schema = pa.schema(list(zip(names, kinds, strict=True)))
    pieces = _pieces(source, names, shrunk)
    coded = {name: how.codes for name, how in shrunk.items() if how.codes is not None}
    rows = max(1, min(GROUP_ROWS, (256 << 20) // (8 * max(len(names), 1))))
    spans = [(start, min(rows, source.rows - start)) for start in range(0, source.rows, rows)]
    with (
        ThreadPoolExecutor(1) as pool,
        pq.ParquetWriter(
            part / "data.parquet", schema, compression="zstd", compression_level=1, write_page_checksum=True,
            use_dictionary=[name for name in names if name in coded],
            write_statistics=False,
        ) as parquet,
    ):  # fmt: skip
        if all((coded[name] if name in coded else source.array(name)).nbytes <= LARGEST for name in names):
            with TemporaryFile(dir=part) as scratch:
                batch, release = _joined(pieces, schema, source.rows, scratch, lambda share: tick(share / 3))
                pending = pool.submit(_write_arrow, part, schema, [batch], release)
                for start, count in spans:
                    parquet.write_batch(batch.slice(start, count))
                    release()
                    tick(1 / 3 + 2 / 3 * (start + count) / source.rows)
                pending.result()
            return

        def batches() -> Iterator[pa.RecordBatch]:
            pending = None
            for start, count in spans:
                batch = pa.RecordBatch.from_arrays([piece(start, count) for piece in pieces], schema=schema)
                if pending is not None:
                    pending.result()
                pending = pool.submit(parquet.write_batch, batch)
                yield batch
                tick((start + count) / source.rows)
            if pending is not None:
                pending.result()

        _write_arrow(part, schema, batches(), lambda: None)


def _pieces(source: Source, names: list[str], shrunk: dict[str, Shrunk]) -> list[Callable[[int, int], pa.Array]]:
    """Of each column the function (start, rows) → its cells as they are stored."""
    hows = [shrunk[name] if name in shrunk else Shrunk(source.array(name).type) for name in names]
    return [partial(how.piece, source.array(name)) for name, how in zip(names, hows, strict=True)]


def _joined(
    pieces: list[Callable[[int, int], pa.Array]],
    schema: pa.Schema,
    rows: int,
    scratch: IO[bytes],
    tick: Callable[[float], None],
) -> tuple[pa.RecordBatch, Callable[[], None]]:
    """The whole table as one batch whose columns lie in a mapped scratch file; the function gives its pages back."""
    ends = [0]
    for i, piece in enumerate(pieces):
        column = pa.record_batch([piece(0, rows)], schema=pa.schema([schema.field(i)]))
        with pa.ipc.new_stream(scratch, column.schema) as out:
            out.write_batch(column)
        del column
        ends.append(scratch.tell())
        tick((i + 1) / len(pieces))
    scratch.flush()
    if not pieces:
        return pa.RecordBatch.from_arrays([], schema=schema), lambda: None
    mapped = mmap.mmap(scratch.fileno(), 0, prot=mmap.PROT_READ)
    whole = pa.py_buffer(mapped)
    parts = [whole.slice(start, end - start) for start, end in pairwise(ends)]
    columns = [pa.ipc.open_stream(one).read_next_batch().column(0) for one in parts]
    return pa.RecordBatch.from_arrays(columns, schema=schema), lambda: mapped.madvise(mmap.MADV_DONTNEED)


class _Draining(FileIO):
    """Calls `after` with every write: what was read to be written need not stay in memory."""

    def __init__(self, path: Path, after: Callable[[], None]) -> None:
        super().__init__(path, "wb")
        self._after = after

    def write(self, data: Any) -> int:
        left = memoryview(data).cast("B")
        whole = len(left)
        while len(left):
            left = left[super().write(left) :]
        self._after()
        return whole


def _write_arrow(part: Path, schema: pa.Schema, batches: Iterable[pa.RecordBatch], release: Callable[[], None]) -> None:
    options = pa.ipc.IpcWriteOptions(unify_dictionaries=True)
    with _Draining(part / "data.arrow", release) as sink, pa.ipc.new_file(sink, schema, options=options) as arrow:
        for batch in batches:
            arrow.write_batch(batch)


def publish(meta: Meta, part: Path, target: Path) -> None:
    """Writes meta.json, flushes everything to disk and renames the folder into place."""
    (part / "meta.json").write_bytes(meta.to_json())
    for path in part.iterdir():
        folder.sync(path)
    folder.sync(part)
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.exists():
        shutil.rmtree(target)
    os.rename(part, target)
    folder.sync(target.parent)
