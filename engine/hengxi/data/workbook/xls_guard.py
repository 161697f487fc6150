"""A look at the records of an xls workbook (1997–2003) before the reader allocates the rectangle of each sheet."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import olefile

from hengxi.data.refusal import DataRefusal
from hengxi.data.workbook.areas import cell_name
from hengxi.data.workbook.guard import MAX_CELLS, Sheet, check_size, damaged

_BOF, _BOOLERR, _FILEPASS, _FORMULA = 0x0809, 0x0205, 0x002F, 0x0006
_ROW, _COLUMNS = 0x0208, 0x007D
_HIDDEN_ROW, _HIDDEN_COLUMN = 0x20, 0x01
_ERROR, _EMPTY = 2, 3
"""Results of formulas that are no number."""
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
    return {f"#{place}": sheet for place, sheet in enumerate(sheets)}


def _stream(path: Path, name: str) -> bytes:
    try:
        with olefile.OleFileIO(str(path)) as compound:
            stream = "Workbook" if compound.exists("Workbook") else "Book"
            found: bytes = compound.openstream(stream).read()
            return found
    except _FAULTS as error:
        raise damaged(name) from error


def _count(sheet: Sheet, kind: int, cell: bytes, name: str) -> None:
    """Errors, and formulas without a result."""
    if kind == _BOOLERR and len(cell) >= 8 and cell[7] == 1:
        sheet.error(name)
    elif kind == _FORMULA and len(cell) == 14 and cell[12:] == b"\xff\xff":
        if cell[6] == _ERROR:
            sheet.error(name)
        elif cell[6] == _EMPTY:
            sheet.formula(name)


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
        elif sheets and kind == _ROW and size >= 16 and data[body + 12] & _HIDDEN_ROW:
            sheets[-1].hidden_rows.append(struct.unpack_from("<H", data, body)[0] + 1)
        elif sheets and kind == _COLUMNS and size >= 10 and data[body + 8] & _HIDDEN_COLUMN:
            first, last = struct.unpack_from("<HH", data, body)
            sheets[-1].hidden_columns |= set(range(first + 1, min(last, 255) + 2))
        elif sheets and size >= 4 and (kind in _CELLS or kind in _RUNS):
            row, column = struct.unpack_from("<HH", data, body)
            if kind in _RUNS:
                column = max(column, struct.unpack_from("<H", data, body + size - 2)[0])
            sheet = sheets[-1]
            sheet.rows, sheet.columns = max(sheet.rows, row + 1), max(sheet.columns, column + 1)
            _count(sheet, kind, data[body : body + min(size, 14)], cell_name(row, column))
        place = body + size
        step += 1
        if step % 200_000 == 0:
            tick(place / len(data))
    if not sheets:
        raise damaged(name)
    return sheets
