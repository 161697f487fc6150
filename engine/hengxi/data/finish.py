"""The last stretch of every import: profile, compact storage, files on disk, and the rename that makes it exist."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from msgspec import UNSET

from hengxi.data import folder
from hengxi.data.arrays import ArrowFile, Source, one_chunk
from hengxi.data.describe import describe
from hengxi.data.formats import Job, Staged
from hengxi.data.meta import Column, ColumnReport, ImportReport, Meta
from hengxi.data.values import dictionary

DICTIONARY = 4096
"""Text columns with up to this many values are stored as small codes beside their values."""
GROUP_ROWS = 1 << 18


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
    write_data(source, shrunk, part, lambda share: job.tick(0.86 + 0.12 * share, "写入"))
    meta = Meta(data=None, rows=source.rows, columns=staged.columns, sets=staged.sets or UNSET)
    meta.sha256 = {"data.parquet": folder.sha256(part / "data.parquet")}
    meta.report = ImportReport(
        kind=kind,
        settings=staged.settings,
        columns=[_noted(column, staged.notes.get(column.id)) for column in staged.columns],
        check=staged.check,
        warnings=staged.warnings,
        seconds=round(time.perf_counter() - started, 3),
    )
    publish(meta, part, target)
    return meta


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
    """Both data files from the staged one, batch by batch; the two encoders work side by side."""
    names = source.names
    kinds = [shrunk[name].kind if name in shrunk else source.array(name).type for name in names]
    schema = pa.schema(list(zip(names, kinds, strict=True)))
    options = pa.ipc.IpcWriteOptions(unify_dictionaries=True)
    rows = max(1, min(GROUP_ROWS, (256 << 20) // (8 * max(len(names), 1))))
    with (
        ThreadPoolExecutor(1) as pool,
        pa.OSFile(str(part / "data.arrow"), "wb") as sink,
        pa.ipc.new_file(sink, schema, options=options) as arrow,
        pq.ParquetWriter(
            part / "data.parquet", schema, compression="zstd", compression_level=1, write_page_checksum=True,
            use_dictionary=[name for name in names if name in shrunk and shrunk[name].codes is not None],
            write_statistics=False,
        ) as parquet,
    ):  # fmt: skip
        pending = None
        for start in range(0, source.rows, rows) if source.rows else ():
            batch = _batch(source, names, shrunk, schema, start, rows)
            if pending is not None:
                pending.result()
            pending = pool.submit(parquet.write_batch, batch)
            arrow.write_batch(batch)
            tick((start + batch.num_rows) / source.rows)
        if pending is not None:
            pending.result()


def _batch(
    source: Source, names: list[str], shrunk: dict[str, Shrunk], schema: pa.Schema, start: int, rows: int
) -> pa.RecordBatch:
    arrays = []
    for name in names:
        column = source.array(name)
        how = shrunk[name] if name in shrunk else Shrunk(column.type)
        arrays.append(how.piece(column, start, rows))
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


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
