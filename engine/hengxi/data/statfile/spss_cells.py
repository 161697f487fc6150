"""The cells of an SPSS file read where they lie: eight bytes a slot, as they are or packed by the program's own codes.

The library hands over one Python object a cell; this takes a tenth of its time. It reads what is beyond doubt (short
strings, little-endian, text that is UTF-8 or plain ASCII); anything else is `Unsure`, and the library reads from there.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

from hengxi.data.statfile.dialect import Unsure
from hengxi.data.statfile.spss_sets import data_begins

Words = npt.NDArray[np.uint64]

BLOCK = 1 << 18
LONGEST = 255
"""Longer strings are kept in several variables."""
_AS_IS, _PACKED = 0, 1
_MISSING = np.array([0xFFEFFFFFFFFFFFFF, 0xFFEFFFFFFFFFFFFE, 0x7FEFFFFFFFFFFFFF], np.uint64)
"""System-missing, and the lowest and highest number, which stand for open ends."""
_NOTHING, _END, _RAW, _BLANKS, _SYSTEM = 0, 252, 253, 254, 255
_SPACES = 0x2020202020202020
_RAWS = np.uint64(0xFDFDFDFDFDFDFDFD)
_LOW = np.uint64(0x7F7F7F7F7F7F7F7F)


@dataclass
class Layout:
    """Where the cells begin and how a row is made up: (name, first slot, slots, whether it is text)."""

    path: Path
    place: int
    rows: int
    slots: int
    packed: bool
    bias: float
    columns: list[tuple[str, int, int, bool]]
    utf8: bool


def quick(path: Path, meta: Any, encoding: str | None, size: int) -> Iterator[pl.DataFrame]:
    """All rows of a file of the plain kind, `size` at a time, as the library would give them. Unsure."""
    layout = layout_of(path, meta, encoding)
    if layout is None:
        raise Unsure
    yield from frames(layout, size)


def layout_of(path: Path, meta: Any, encoding: str | None) -> Layout | None:
    """None for a file that is not of the plain kind."""
    with path.open("rb") as file:
        head = file.read(176)
    if not head.startswith(b"$FL2") or struct.unpack_from("<i", head, 64)[0] not in (2, 3):
        return None
    slots, packing, _, rows = struct.unpack_from("<iiii", head, 68)
    place = data_begins(path)
    if place is None or packing not in (_AS_IS, _PACKED) or rows <= 0 or rows != meta.number_rows:
        return None
    columns, at = [], 0
    for name in meta.column_names:
        text = meta.readstat_variable_types.get(name) == "string"
        width = int(meta.variable_storage_width.get(name) or 8) if text else 8
        if width > LONGEST + 1:
            return None
        columns.append((name, at, -(-width // 8), text))
        at += -(-width // 8)
    if at != slots:
        return None
    utf8 = str(encoding or meta.file_encoding or "").upper() in ("UTF-8", "UTF8")
    (bias,) = struct.unpack_from("<d", head, 84)
    return Layout(path, place, rows, slots, packing == _PACKED, bias, columns, utf8)


def frames(layout: Layout, size: int) -> Iterator[pl.DataFrame]:
    with layout.path.open("rb") as file:
        file.seek(layout.place)
        given = _packed(file, layout, size) if layout.packed else _plain(file, layout, size)
        for words in given:
            yield _frame(layout, words)


def _plain(file: IO[bytes], layout: Layout, size: int) -> Iterator[Words]:
    for start in range(0, layout.rows, size):
        wanted = min(size, layout.rows - start) * layout.slots
        words = np.fromfile(file, "<u8", wanted)
        if len(words) < wanted:
            raise Unsure
        yield words.reshape(-1, layout.slots)


def _packed(file: IO[bytes], layout: Layout, size: int) -> Iterator[Words]:
    """A word of eight codes, then what its codes for "as it is" stand for, word by word."""
    left = layout.rows
    held: list[Words] = []
    cells = _cells(file, layout.bias)
    while left:
        wanted = min(size, left) * layout.slots
        while sum(map(len, held)) < wanted:
            more = next(cells, None)
            if more is None:
                raise Unsure
            held.append(more)
        joined = np.concatenate(held)
        held = [joined[wanted:]]
        left -= wanted // layout.slots
        yield joined[:wanted].reshape(-1, layout.slots)


def _cells(file: IO[bytes], bias: float) -> Iterator[Words]:
    meant = (np.arange(256) - bias).view(np.uint64)
    meant[_BLANKS], meant[_SYSTEM] = _SPACES, _MISSING[0]
    rest = np.empty(0, np.uint64)
    while True:
        read = np.fromfile(file, "<u8", BLOCK)
        words = np.concatenate((rest, read))
        places, end = _commands(words)
        if not len(read) and not len(places):
            return
        codes = words[places].view(np.uint8)
        is_raw = np.ones(end, np.bool_)
        is_raw[places] = False
        cells = meant[codes]
        cells[codes == _RAW] = words[:end][is_raw]
        stop = np.flatnonzero(codes == _END)[:1]
        if len(stop):
            codes, cells = codes[: stop[0]], cells[: stop[0]]
        yield cells[codes != _NOTHING] if (codes == _NOTHING).any() else cells
        if len(stop):
            return
        rest = words[end:]


def _commands(words: Words) -> tuple[npt.NDArray[np.int64], int]:
    """Which words are codes, and where the last of them with all that belongs to it ends."""
    other = words ^ _RAWS
    raws = ~(((other & _LOW) + _LOW) | other | _LOW)  # one bit where a byte is the code for "as it is"
    step = (np.bitwise_count(raws) + np.uint8(1)).tobytes()
    places, at, count = [], 0, len(step)
    while at < count:
        places.append(at)
        at += step[at]
    if at > count:
        at = places.pop()
    return np.array(places, np.int64), at


def _frame(layout: Layout, words: Words) -> pl.DataFrame:
    return pl.DataFrame(
        [
            _text(name, words[:, at : at + slots], layout.utf8) if text else _numbers(name, words[:, at])
            for name, at, slots, text in layout.columns
        ]
    )


def _numbers(name: str, words: Words) -> pl.Series:
    bits = np.ascontiguousarray(words)
    numbers = bits.view(np.float64)
    gone = (bits == _MISSING[0]) | (bits == _MISSING[1]) | (bits == _MISSING[2]) | np.isnan(numbers)
    if not gone.any():
        return pl.Series(name, numbers)
    return pl.Series(name, np.where(gone, np.nan, numbers), nan_to_null=True)


def _text(name: str, words: Words, utf8: bool) -> pl.Series:
    raw = np.ascontiguousarray(words).view(np.uint8)
    if not raw.all() or not (utf8 or bool((raw < 128).all())):
        raise Unsure
    cells = pa.FixedSizeBinaryArray.from_buffers(pa.binary(raw.shape[1]), len(raw), [None, pa.py_buffer(raw)])
    try:
        texts = cells.cast(pa.large_binary()).cast(pa.large_string())
    except pa.ArrowInvalid as error:
        raise Unsure from error
    return pl.Series(name, pc.ascii_rtrim(texts, characters=" "))
