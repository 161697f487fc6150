"""A look at the records of an xls workbook (1997–2003) before the reader allocates the rectangle of each sheet."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import olefile

from hengxi.data.refusal import DataRefusal
from hengxi.data.workbook.guard import MAX_CELLS, Sheet, check_size, damaged

_BOF, _BOOLERR, _FILEPASS = 0x0809, 0x0205, 0x002F
_CELLS = frozenset({0x0201, 0x0203, 0x0204, 0x0205, 0x0006, 0x027E, 0x00FD, 0x00D6, 0x0001, 0x0002, 0x0003, 0x0004})
_RUNS = frozenset({0x00BD, 0x00BE})  # several cells of a row; their last column stands at the end
_FAULTS = (OSError, ValueError, KeyError, IndexError, TypeError, AttributeError, OverflowError, struct.error)


def check(path: Path, name: str, tick: Callable[[float], None]) -> dict[str, Sheet]:
    """Number of the sheet → what it holds. DataRefusal `xlsx.damaged`, `xlsx.range`."""
    data = _stream(path, name)
    sheets = _walk(data, name, tick)
    for sheet in sheets:
        check_size(sheet)
    # The reader holds all sheets of this format at once.
    whole = Sheet(rows=sum(sheet.rows * sheet.columns for sheet in sheets), columns=1)
    if whole.rows > MAX_CELLS:
        check_size(Sheet(rows=1_048_576, columns=whole.rows // 1_048_576 + 1))
    return {str(place): sheet for place, sheet in enumerate(sheets)}


def _stream(path: Path, name: str) -> bytes:
    try:
        with olefile.OleFileIO(str(path)) as compound:
            stream = "Workbook" if compound.exists("Workbook") else "Book"
            found: bytes = compound.openstream(stream).read()
            return found
    except _FAULTS as error:
        raise damaged(name) from error


def _walk(data: bytes, name: str, tick: Callable[[float], None]) -> list[Sheet]:
    sheets: list[Sheet] = []
    place, step = 0, 0
    while place + 4 <= len(data):
        kind, size = struct.unpack_from("<HH", data, place)
        body = place + 4
        if body + size > len(data):
            raise damaged(name)
        if kind == _FILEPASS:
            text = f"“{name}”经过加密，无法读取。请在表格软件中另存为未加密的 xlsx 后再上传。"
            raise DataRefusal("xls.encryption", text, {"name": name})
        if kind == _BOF:
            sheets.append(Sheet())
        elif sheets and size >= 4 and (kind in _CELLS or kind in _RUNS):
            row, column = struct.unpack_from("<HH", data, body)
            if kind in _RUNS:
                column = max(column, struct.unpack_from("<H", data, body + size - 2)[0])
            sheet = sheets[-1]
            sheet.rows, sheet.columns = max(sheet.rows, row + 1), max(sheet.columns, column + 1)
            sheet.errors += kind == _BOOLERR and size >= 8 and data[body + 7] == 1
        place = body + size
        step += 1
        if step % 200_000 == 0:
            tick(place / len(data))
    if not sheets:
        raise damaged(name)
    return sheets
