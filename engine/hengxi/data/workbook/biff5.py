"""Workbooks of Excel 5 and 95, whose texts are bytes of a code page: the reader takes those of two bytes for UTF-16.

It is shown the same workbook under a code page of one byte a letter, and its letters are turned back into bytes.
"""

from __future__ import annotations

import shutil
import struct
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import olefile
from python_calamine import CalamineSheet, CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

from hengxi.data.workbook.guard import damaged

_CODEPAGE, _STREAM = 0x0042, "Book"
_CODECS = {932: "cp932", 936: "gb18030", 949: "cp949", 950: "big5"}
_PLAIN = 1252
_LETTERS = {bytes([i]).decode("cp1252", "ignore") or chr(i): chr(i) for i in range(256)}
_BYTES = str.maketrans(_LETTERS)


@dataclass
class Named:
    """A sheet of the list of a workbook."""

    name: str
    own: str
    """The name by which the reader knows it."""
    typ: SheetTypeEnum
    visible: SheetVisibleEnum


@dataclass
class Book:
    """A workbook as the reader gives it, its texts decoded where the reader cannot."""

    book: CalamineWorkbook
    codec: str | None

    @property
    def sheets(self) -> list[Named]:
        """Tables only, no charts; those that are seen first."""
        listed = [
            Named(_decoded(one.name, self.codec), one.name, one.typ, one.visible) for one in self.book.sheets_metadata
        ]
        found = [one for one in listed if one.typ == SheetTypeEnum.WorkSheet]
        return sorted(found, key=lambda one: one.visible != SheetVisibleEnum.Visible)

    def sheet(self, named: Named) -> Any:
        found = self.book.get_sheet_by_name(named.own)
        return found if self.codec is None else _Decoded(found, self.codec)


class _Decoded:
    """A sheet with the face of the reader's."""

    def __init__(self, sheet: CalamineSheet, codec: str) -> None:
        self._sheet, self._codec = sheet, codec

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sheet, name)

    def iter_rows(self) -> Iterator[list[Any]]:
        for row in self._sheet.iter_rows():
            yield [_decoded(cell, self._codec) if isinstance(cell, str) else cell for cell in row]


def open_book(path: Path, name: str) -> Book:
    """CalamineError for what is no workbook; DataRefusal `xlsx.damaged`."""
    stream, place = _codepage(path)
    codec = _CODECS.get(struct.unpack_from("<H", stream, place)[0]) if place else None
    if codec is None:
        return Book(CalamineWorkbook.from_path(str(path)), None)
    plain = stream[:place] + struct.pack("<H", _PLAIN) + stream[place + 2 :]
    with tempfile.NamedTemporaryFile(suffix=".xls") as copy:
        shutil.copyfile(path, copy.name)
        try:
            with olefile.OleFileIO(copy.name, write_mode=True) as compound:
                compound.write_stream(_STREAM, plain)
        except (OSError, ValueError) as error:
            raise damaged(name) from error
        return Book(CalamineWorkbook.from_path(copy.name), codec)


def _codepage(path: Path) -> tuple[bytes, int]:
    """The stream of a workbook of Excel 5 or 95 and where its code page stands; 0 for all others."""
    if not olefile.isOleFile(str(path)):
        return b"", 0
    try:
        with olefile.OleFileIO(str(path)) as compound:
            stream = b"" if compound.exists("Workbook") else compound.openstream(_STREAM).read()
    except OSError:
        return b"", 0
    at = 0
    while at + 6 <= len(stream):
        kind, size = struct.unpack_from("<HH", stream, at)
        if kind == _CODEPAGE:
            return stream, at + 4
        at += 4 + size
    return stream, 0


def _decoded(text: str, codec: str | None) -> str:
    return text.translate(_BYTES).encode("latin-1", "replace").decode(codec, "replace") if codec else text
