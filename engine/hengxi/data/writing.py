"""The two data files of a table folder: Parquet, the version of record, and Arrow, from which columns are read."""

from __future__ import annotations

import mmap
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from io import FileIO
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryFile
from threading import Event
from typing import IO, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from hengxi.data import folder
from hengxi.data.arrays import Source, one_chunk
from hengxi.data.meta import Column
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

    def cells(self, column: pa.ChunkedArray, start: int, rows: int) -> pa.ChunkedArray:
        if self.codes is not None:
            return pa.chunked_array([self.codes.slice(start, rows)])
        cells = column.slice(start, rows)
        return cells if cells.type == self.kind else cells.cast(self.kind)


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


def write_data(source: Source, shrunk: dict[str, Shrunk], part: Path, tick: Callable[[float], None]) -> dict[str, str]:
    """Both data files, side by side and flushed to disk; answers the SHA-256 of the version of record by its name.

    `tick` may raise to stop them.
    """
    stored = _Stored(source, shrunk)
    parquet = part / "data.parquet"
    halt = Event()
    with ThreadPoolExecutor(2) as pool:
        futures = [pool.submit(_write_arrow, stored, part, halt)]
        try:
            for done in _write_parquet(stored, parquet):
                for future in futures:
                    if future.done():
                        future.result()
                if done < 1:
                    folder.send(parquet)  # the disk takes it while more is packed
                tick(done)
            futures.append(pool.submit(folder.sync, parquet))
            digest = folder.sha256(parquet)
            for future in futures:
                future.result()
        except BaseException:
            halt.set()
            raise
    return {parquet.name: digest}


class _Stored:
    """The columns of a source as they are stored."""

    def __init__(self, source: Source, shrunk: dict[str, Shrunk]) -> None:
        self.source, self.rows = source, source.rows
        self.columns = [source.array(name) for name in source.names]
        self.hows = [
            shrunk.get(name) or Shrunk(column.type) for name, column in zip(source.names, self.columns, strict=True)
        ]
        self.schema = pa.schema([(name, how.kind) for name, how in zip(source.names, self.hows, strict=True)])
        rows = max(1, min(GROUP_ROWS, (256 << 20) // (8 * max(len(self.hows), 1))))
        self.spans = [(start, min(rows, self.rows - start)) for start in range(0, self.rows, rows)]
        held = (column if how.codes is None else how.codes for how, column in zip(self.hows, self.columns, strict=True))
        self.can_be_joined = all(one.nbytes <= LARGEST for one in held)

    def cells(self, place: int, start: int, rows: int) -> pa.ChunkedArray:
        return self.hows[place].cells(self.columns[place], start, rows)

    def batch(self, start: int, rows: int) -> pa.RecordBatch:
        cells = [one_chunk(self.cells(place, start, rows)) for place in range(len(self.hows))]
        return pa.RecordBatch.from_arrays(cells, schema=self.schema)


def _write_parquet(stored: _Stored, path: Path) -> Iterable[float]:
    """Tells after each group of rows the share that is written."""
    coded = [field.name for field in stored.schema if pa.types.is_dictionary(field.type) or field.type == pa.int8()]
    # Decimals hardly become smaller: what makes the file a quarter smaller takes twice as long.
    floats = {field.name for field in stored.schema if pa.types.is_floating(field.type)}
    packed = [field.name for field in stored.schema if field.name not in floats]
    with pq.ParquetWriter(
        path, stored.schema, compression={name: "lz4" if name in floats else "zstd" for name in stored.schema.names},
        compression_level=dict.fromkeys(packed, 1), write_page_checksum=True, use_dictionary=coded,
        write_statistics=False,
    ) as parquet:  # fmt: skip
        for start, rows in stored.spans:
            cells = [stored.cells(place, start, rows) for place in range(len(stored.hows))]
            parquet.write_table(pa.Table.from_arrays(cells, schema=stored.schema), row_group_size=rows)
            del cells
            yield (start + rows) / stored.rows


class _Halted(Exception):  # noqa: N818 - what stopped the other file is told, not this
    """The other file could not be written."""


def _write_arrow(stored: _Stored, part: Path, halt: Event) -> None:
    """One batch, so that a column is read where it lies, without a copy; several where a column is too large to join.

    Columns are joined one at a time on disk, never the whole table in memory.
    """

    def go_on() -> None:
        if halt.is_set():
            raise _Halted

    path = part / "data.arrow"
    if stored.can_be_joined:
        with TemporaryFile(dir=part) as scratch:
            batch, release = _joined(stored, scratch, go_on)

            def written() -> None:
                release()
                go_on()

            _write_batches(path, stored.schema, [batch], written)
    else:
        _write_batches(path, stored.schema, (stored.batch(start, rows) for start, rows in stored.spans), go_on)
    folder.sync(path)  # while the other file is still being packed


def _joined(stored: _Stored, scratch: IO[bytes], tick: Callable[[], None]) -> tuple[pa.RecordBatch, Callable[[], None]]:
    """The whole table as one batch whose columns lie in a mapped scratch file; the function gives its pages back."""
    ends = [0]
    for place, how in enumerate(stored.hows):
        cells = one_chunk(stored.cells(place, 0, stored.rows))
        column = pa.record_batch([cells], schema=pa.schema([("cells", how.kind)]))
        with pa.ipc.new_stream(scratch, column.schema) as out:
            out.write_batch(column)
        del cells, column
        ends.append(scratch.tell())
        stored.source.release()
        tick()
    scratch.flush()
    if not stored.hows:
        return pa.RecordBatch.from_arrays([], schema=stored.schema), lambda: None
    mapped = mmap.mmap(scratch.fileno(), 0, prot=mmap.PROT_READ)
    whole = pa.py_buffer(mapped)
    parts = [whole.slice(start, end - start) for start, end in pairwise(ends)]
    columns = [pa.ipc.open_stream(one).read_next_batch().column(0) for one in parts]
    return pa.RecordBatch.from_arrays(columns, schema=stored.schema), lambda: mapped.madvise(mmap.MADV_DONTNEED)


class _Draining(FileIO):
    """Calls `after` with every write: what was read to be written need not stay in memory."""

    def __init__(self, path: Path, after: Callable[[], object]) -> None:
        super().__init__(path, "wb")
        self._after = after

    def write(self, data: Any) -> int:
        left = memoryview(data).cast("B")
        whole = len(left)
        while len(left):
            left = left[super().write(left) :]
        self._after()
        return whole


def _write_batches(
    path: Path, schema: pa.Schema, batches: Iterable[pa.RecordBatch], after: Callable[[], object]
) -> None:
    options = pa.ipc.IpcWriteOptions(unify_dictionaries=True)
    with _Draining(path, after) as sink, pa.ipc.new_file(sink, schema, options=options) as arrow:
        for batch in batches:
            arrow.write_batch(batch)
