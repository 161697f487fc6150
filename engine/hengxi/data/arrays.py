"""Arrow columns → numpy: the few conversions that everything above rests on.

A *source* hands out physical columns by name. On disk it is a memory-mapped Arrow file, of which only the named
columns are touched; in memory (tests, results not yet stored) an Arrow table.
"""

from __future__ import annotations

import math
import mmap
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]
Objects = npt.NDArray[np.object_]

RAW = "~raw"
"""Suffix of the physical column that keeps the text of cells whose reading lost something (`NA`, `1,234`, 3万)."""


class Source(Protocol):
    """Physical columns by name, all of the same length."""

    rows: int

    @property
    def names(self) -> list[str]: ...

    def has(self, name: str) -> bool: ...

    def array(self, name: str) -> pa.ChunkedArray: ...

    def release(self) -> None:
        """Gives back what was read only to be looked at; arrays stay valid."""


class MemorySource:
    """Columns of an Arrow table held in memory."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table
        self.rows: int = table.num_rows

    @property
    def names(self) -> list[str]:
        return list(self._table.column_names)

    def has(self, name: str) -> bool:
        return name in self._table.column_names

    def array(self, name: str) -> pa.ChunkedArray:
        return self._table.column(name)

    def release(self) -> None:
        """Nothing can be given back."""


class ArrowFile:
    """A memory-mapped Arrow IPC file, opened when a column is asked for; a column's pages are read when used."""

    def __init__(self, path: Path, rows: int | None = None) -> None:
        self._path = path
        self._batches: list[pa.RecordBatch] | None = None
        self.rows: int = sum(batch.num_rows for batch in self._read()) if rows is None else rows

    @cached_property
    def _map(self) -> mmap.mmap:
        with self._path.open("rb") as file:
            return mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)

    @cached_property
    def _file(self) -> pa.RecordBatchFileReader:
        return pa.ipc.open_file(pa.py_buffer(self._map))

    def release(self) -> None:
        """Gives the pages read so far back to the system. Arrays stay valid: what is read again is mapped again."""
        self._map.madvise(mmap.MADV_DONTNEED)

    @cached_property
    def _index(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self._file.schema.names)}

    def _read(self) -> list[pa.RecordBatch]:
        """The batches: addresses into the mapped file, no cell is read."""
        if self._batches is None:
            self._batches = [self._file.get_batch(i) for i in range(self._file.num_record_batches)]
        return self._batches

    @property
    def names(self) -> list[str]:
        return list(self._index)

    def has(self, name: str) -> bool:
        return name in self._index

    def array(self, name: str) -> pa.ChunkedArray:
        place = self._index[name]
        return pa.chunked_array(
            [batch.column(place) for batch in self._read()], type=self._file.schema.field(place).type
        )


def one_chunk(column: pa.ChunkedArray) -> pa.Array:
    """The column as a single array; copies only when it has several pieces."""
    if column.num_chunks == 1:
        return column.chunk(0)
    if column.num_chunks == 0:
        return pa.array([], type=column.type)
    return pa.concat_arrays(column.chunks) if not pa.types.is_dictionary(column.type) else column.combine_chunks()


def picked(column: pa.ChunkedArray, rows: npt.NDArray[Any]) -> list[Any]:
    """Python values of some rows. Piece by piece: Arrow's own `take` would copy all pieces into one first."""
    ends = np.cumsum([len(chunk) for chunk in column.chunks])
    pieces = np.searchsorted(ends, rows, side="right")
    out: list[Any] = [None] * len(rows)
    for piece in np.unique(pieces):
        at = np.flatnonzero(pieces == piece)
        chunk = column.chunk(int(piece))
        values = chunk.take(pa.array(rows[at] - (int(ends[piece]) - len(chunk)))).to_pylist()
        if len(at) == len(rows):
            return list(values)
        for place, value in zip(at.tolist(), values, strict=True):
            out[place] = value
    return out


def decoded(array: pa.Array) -> pa.Array:
    """A dictionary-encoded array as plain values."""
    return array.dictionary_decode() if pa.types.is_dictionary(array.type) else array


def as_floats(column: pa.Array | pa.ChunkedArray) -> Floats:
    """Numbers, bools and dates as float64, missing as NaN. Dates count days since 1970-01-01 (with fractions).

    A float column of one piece without missing comes back without a copy, and then cannot be written to.
    """
    if isinstance(column, pa.ChunkedArray):
        if column.num_chunks == 1:
            return as_floats(column.chunk(0))
        out: Floats = np.empty(len(column), dtype=np.float64)
        place = 0
        for chunk in column.chunks:
            out[place : place + len(chunk)] = as_floats(chunk)
            place += len(chunk)
        return out
    return _floats(column)


def _floats(array: pa.Array) -> Floats:
    kind = array.type
    if pa.types.is_dictionary(kind):
        return _floats(array.dictionary_decode())
    if pa.types.is_timestamp(kind):
        days: Floats = _floats(array.cast(pa.timestamp("us")).cast(pa.int64())) / 86_400_000_000.0
        return days
    if pa.types.is_date32(kind):
        array = array.cast(pa.int32())
    elif pa.types.is_boolean(kind):
        array = array.cast(pa.int8())
    if array.null_count == 0 and not pa.types.is_null(array.type):
        plain: Floats = array.to_numpy(zero_copy_only=True)
        return plain if plain.dtype == np.float64 else plain.astype(np.float64)
    if pa.types.is_floating(array.type):
        out: Floats = np.asarray(array.to_numpy(zero_copy_only=False), dtype=np.float64)
        return out
    # Filling first is ten times faster than letting Arrow make floats with NaN out of integers.
    filled: Floats = array.fill_null(0).to_numpy(zero_copy_only=False).astype(np.float64)
    filled[array.is_null().to_numpy(zero_copy_only=False)] = np.nan
    return filled


def as_bools(array: pa.BooleanArray) -> Bools:
    """Without missing ones."""
    bits = np.frombuffer(array.buffers()[1] or b"", np.uint8)
    return np.unpackbits(bits, count=array.offset + len(array), bitorder="little")[array.offset :].view(np.bool_)


def cells_of(array: pa.Array) -> tuple[npt.NDArray[Any], Bools | None] | None:
    """The very cells of a column of numbers and which of them hold a value (None: all), without a copy of the cells;
    what stands where there is no value means nothing. None for other types."""
    if not (pa.types.is_integer(array.type) or pa.types.is_floating(array.type)) or not len(array):
        return None
    valid, cells = array.buffers()
    view = np.frombuffer(cells, dtype=array.type.to_pandas_dtype())[array.offset :][: len(array)]
    if array.null_count == 0:
        return view, None
    bits = np.unpackbits(np.frombuffer(valid, np.uint8), count=array.offset + len(array), bitorder="little")
    return view, bits[array.offset :].view(np.bool_)


def as_objects(array: pa.Array) -> Objects:
    """Cells as Python objects, missing as None (dates as `datetime.date`/`datetime`)."""
    out = np.empty(len(array), dtype=object)
    out[:] = array.to_pylist()
    return out


def as_strings(array: pa.Array) -> pa.Array:
    """Cells as text: whole numbers without a point, dates in ISO form, bools as 1/0; missing stays missing."""
    array = decoded(array)
    kind = array.type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return array
    if pa.types.is_string_view(kind):
        return array.cast(pa.string())
    if pa.types.is_boolean(kind):
        return array.cast(pa.int8()).cast(pa.string())
    if pa.types.is_timestamp(kind):
        return pc.strftime(array.cast(pa.timestamp("s"), safe=False), format="%Y-%m-%d %H:%M:%S")
    return array.cast(pa.string())


def number_text(value: float | None) -> str | None:
    """A number as people write it: 3 not 3.0, 0.1 not 0.1000000000000000055."""
    if value is None:
        return None
    return str(int(value)) if value == value and abs(value) < 1e15 and value == int(value) else repr(value)


def wire_value(value: Any) -> Any:
    """A Python cell as it travels in JSON."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if np.isfinite(value) else None
    if hasattr(value, "hour"):
        return value.isoformat(sep=" ", timespec="seconds" if not value.microsecond else "microseconds")
    return value.isoformat()


def agree(first: float, second: float) -> bool:
    """Whether two sums of the same numbers are the same; sums beyond the largest number tell nothing."""
    if not (math.isfinite(first) and math.isfinite(second)):
        return True
    return math.isclose(first, second, rel_tol=1e-9, abs_tol=1e-6 * max(1.0, abs(second)))


def finite(array: pa.Array) -> tuple[pa.Array, int]:
    """Numbers without infinities, which are no values of a table, and how many there were."""
    found = int(pc.sum(pc.is_inf(array)).as_py() or 0)
    return (pc.if_else(pc.is_inf(array), None, array), found) if found else (array, 0)
