"""A look at an ods workbook: a repeated cell of a few bytes may stand for a million rows."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from xml.parsers import expat

from hengxi.data.refusal import DataRefusal
from hengxi.data.workbook.areas import cell_name
from hengxi.data.workbook.guard import MAX_COLUMNS, Sheet, check_entries, check_size, damaged, dtd, unpacked

CONTENT = "content.xml"
LOOKED_AT = 16
"""Pieces of the content that are unpacked to find its body; styles come first."""
_BODY = re.compile(rb"<office:body[^>]*>\s*<office:(\w+)")
_OVERLAP = 500
ENTRY = "mimetype"
MIMETYPE = b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet"
_FAULTS = (
    zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, OSError, ValueError, EOFError, NotImplementedError,
    RuntimeError,
)  # fmt: skip
_REPEATED = 1 << 31
MAX_HIDDEN = 1 << 21
"""Rows of a sheet, all told: more than one has; what promises more is refused by its size."""
_CELLS = ("table:table-cell", "table:covered-table-cell")


def check(path: Path, name: str, tick: Callable[[float], None]) -> dict[str, Sheet]:
    """Name of the sheet → what it holds. DataRefusal `xlsx.*`, `ods.encryption`."""
    try:
        with zipfile.ZipFile(path) as book:
            entries = book.infolist()
            manifest = [entry for entry in entries if entry.filename == "META-INF/manifest.xml"]
            check_entries(entries, name, CONTENT)
            if any(
                b"encryption-data" in book.read(entry)[: 4 << 20] for entry in manifest if entry.file_size < 4 << 20
            ):
                text = f"“{name}”经过加密，无法读取。请在表格软件中另存为未加密的文件（xlsx 或 ods）后再上传。"
                raise DataRefusal("ods.encryption", text, {"name": name})
    except _FAULTS as error:
        raise damaged(name) from error
    walk = _Walk(name)
    for entry in entries:
        if entry.filename.lower().endswith(".xml"):
            part = walk if entry.filename == CONTENT else _Walk(name)
            done = 0
            for piece in unpacked(path, entry, name):
                done += len(piece)
                if done > max(entry.file_size, 1):
                    raise damaged(name)
                part.feed(piece)
                tick(min(done / max(entry.file_size, 1), 1) if part is walk else 0)
            part.feed(b"", True)
    for sheet in walk.sheets.values():
        check_size(sheet)
    return walk.sheets


def kind_of(path: Path) -> bytes:
    """What the entry that names the kind of document would say, told by the content where that entry is missing."""
    try:
        with zipfile.ZipFile(path) as book:
            entry = next((entry for entry in book.infolist() if entry.filename == CONTENT), None)
        seen = b""
        for piece in islice(unpacked(path, entry, path.name), LOOKED_AT) if entry else ():
            seen = seen[-_OVERLAP:] + piece
            if found := _BODY.search(seen):
                return MIMETYPE if found[1] == b"spreadsheet" else b""
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, DataRefusal):
        pass  # the reader of workbooks says what is wrong with it
    return b""


class _Walk:
    """Counts rows and columns up to the last cell with content, repeats included."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.sheets: dict[str, Sheet] = {}
        self._sheet = Sheet()
        self._row = self._column = self._rows = self._columns = 0
        self._last = self._passed = 0
        self._is_hidden = False
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.StartDoctypeDeclHandler = self._refuse

    def feed(self, piece: bytes, final: bool = False) -> None:
        try:
            self._parser.Parse(piece, final)
        except expat.ExpatError as error:
            raise damaged(self.name) from error

    def _refuse(self, *_: object) -> None:
        raise dtd(self.name)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag in _CELLS:
            self._columns = _times(attributes.get("table:number-columns-repeated"))
            if attributes.get("table:number-rows-spanned", "1") != "1" or (
                attributes.get("table:number-columns-spanned", "1") != "1"
            ):
                self._sheet.merged.append((self._row, self._column))
            if "office:value-type" in attributes:
                self._full()
                if attributes.get("calcext:value-type") == "error":
                    self._sheet.error(cell_name(self._row, self._column))
        elif tag == "table:table-column":
            times = min(_times(attributes.get("table:number-columns-repeated")), MAX_COLUMNS)
            if attributes.get("table:visibility", "visible") != "visible":
                self._sheet.hidden_columns |= set(range(self._passed + 1, self._passed + times + 1))
            self._passed = min(self._passed + times, MAX_COLUMNS)
        elif tag == "table:table-row":
            self._is_hidden = attributes.get("table:visibility", "visible") != "visible"
            self._rows = _times(attributes.get("table:number-rows-repeated"))
            self._column = self._last = self._columns = 0
        elif tag == "table:table":
            self._sheet = self.sheets.setdefault(attributes.get("table:name", ""), Sheet())
            self._row = self._passed = 0

    def _full(self) -> None:
        self._last = self._column + self._columns

    def _text(self, text: str) -> None:
        if self._columns and text.strip():
            self._full()

    def _end(self, tag: str) -> None:
        if tag in _CELLS:
            self._column = min(self._column + self._columns, _REPEATED)
            self._columns = 0
        elif tag == "table:table-row":
            if self._last and self._is_hidden and len(self._sheet.hidden_rows) + self._rows < MAX_HIDDEN:
                self._sheet.hidden_rows += range(self._row + 1, self._row + self._rows + 1)
            self._row = min(self._row + self._rows, _REPEATED)
            if self._last:
                self._sheet.rows = self._row
                self._sheet.columns = max(self._sheet.columns, self._last)


def _times(text: str | None) -> int:
    if not text:
        return 1
    return min(int(text), _REPEATED) if text.isascii() and text.isdigit() else _REPEATED
