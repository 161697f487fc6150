"""A look at a workbook's zip before the reader sees it, in a stream and in constant memory.

The reader allocates the rectangle of all used cells at once: one cell at XFD1048576 would end the process, and no
`except` sees that. So every XML part is unpacked here piece by piece first: true sizes, ratios, cell references, DTDs.
"""

from __future__ import annotations

import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from hengxi.data.foreign import in_archive, unreadable
from hengxi.data.refusal import DataRefusal
from hengxi.data.workbook.references import furthest
from hengxi.data.workbook.sheet_names import sheet_names

MAX_ENTRIES = 2000
MAX_RATIO = 100
MAX_UNPACKED = 4 << 30
MAX_CELLS = 50_000_000
MAX_COLUMNS = 16_384
CHUNK = 1 << 20
OVERLAP = 512
_EMPTY_FORMULA = re.compile(
    rb"(?:</(?:\w+:)?f>|<(?:\w+:)?f/>)\s*(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v></(?:\w+:)?v>|</(?:\w+:)?c>)"
)
_ERROR = re.compile(rb"""<(?:\w+:)?c\b[^>]*?\st\s*=\s*["']e["']""")
_REFERENCE = re.compile(rb"""<(?:\w+:)?c\b[^>]*?\sr\s*=\s*["']([A-Z]{1,3}\d{1,7})["']""")
_HIDDEN_ROW = re.compile(
    rb"""<(?:\w+:)?row\b(?=[^>]*?\shidden\s*=\s*["'](?:1|true)["'])[^>]*?\sr\s*=\s*["'](\d{1,7})["']"""
)
_HIDDEN_COLUMN = re.compile(rb"""<(?:\w+:)?col\b(?=[^>]*?\shidden\s*=\s*["'](?:1|true)["'])([^>]*)>""")
_SPAN = re.compile(rb"""\s(min|max)\s*=\s*["'](\d{1,5})["']""")
_DTD = re.compile(rb"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)


@dataclass
class Sheet:
    """What the scan saw of one worksheet part; of cells without a value also where the first is (C2)."""

    rows: int = 0
    columns: int = 0
    formulas: int = 0
    errors: int = 0
    first_formula: str = ""
    first_error: str = ""
    hidden_rows: list[int] = field(default_factory=list)
    """Counted from 1, as the columns."""
    hidden_columns: set[int] = field(default_factory=set)
    merged: list[tuple[int, int]] = field(default_factory=list)
    """Row and column, from 0, of merged cells that only the file itself tells."""

    def formula(self, cell: str) -> None:
        """A formula whose result is not in the file."""
        self.formulas += 1
        self.first_formula = self.first_formula or cell

    def error(self, cell: str) -> None:
        """A cell that holds #DIV/0! or the like."""
        self.errors += 1
        self.first_error = self.first_error or cell


def check(path: Path, name: str, tick: Callable[[float], None]) -> dict[str, Sheet]:
    """Name of the sheet (or of its part) → what it holds. DataRefusal `xlsx.*`, `file.type`."""
    try:
        with zipfile.ZipFile(path) as book:
            entries = book.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, EOFError, NotImplementedError) as error:
        raise damaged(name) from error
    check_entries(entries, name)
    parts = sheet_names(path)
    sheets: dict[str, Sheet] = {}
    done, total = 0, max(sum(entry.compress_size for entry in entries), 1)
    for entry in entries:
        if entry.filename.lower().endswith((".xml", ".rels", ".vml")):
            sheet = Sheet()
            _scan(path, entry, sheet, name)
            if entry.filename.startswith("xl/worksheets/"):
                sheets[parts.get(entry.filename, entry.filename)] = sheet
        done += entry.compress_size
        tick(done / total)
    for sheet in sheets.values():
        check_size(sheet)
    return sheets


def check_entries(entries: list[zipfile.ZipInfo], name: str, needed: str = "xl/workbook.xml") -> None:
    """Names, number and promised sizes of the parts; `needed` tells the kind of the workbook."""
    names = [entry.filename for entry in entries]
    if needed not in names:
        raise unreadable(name, in_archive(names))
    if any(entry.flag_bits & 1 for entry in entries):
        raise damaged(name)  # a password of the zip itself is no form of workbook
    hostile = len(entries) > MAX_ENTRIES or len(set(names)) < len(names)
    hostile |= any(".." in part.split("/") or part.startswith(("/", "\\")) for part in names)
    hostile |= sum(entry.file_size for entry in entries) > MAX_UNPACKED
    hostile |= any(e.file_size > 1 << 20 and e.file_size > MAX_RATIO * max(e.compress_size, 1) for e in entries)
    if hostile:
        raise _bomb(name)


def _scan(path: Path, entry: zipfile.ZipInfo, sheet: Sheet, name: str) -> None:
    """Walks through one part; each match lies wholly in a piece or in its overlap with the next."""
    tail, size = b"", 0
    for piece in unpacked(path, entry, name):
        size += len(piece)
        if size > max(entry.file_size, 1):
            raise _bomb(name)
        data = tail + piece
        wide = size == len(piece) and data.startswith((b"\xff\xfe", b"\xfe\xff"))
        if wide or (b"<!" in data and _DTD.search(data)):
            raise dtd(name)
        column, row = furthest(data)
        sheet.columns, sheet.rows = max(sheet.columns, column), max(sheet.rows, row)
        overlap = len(tail)
        if b"f>" in data or b"f/>" in data:
            for match in _EMPTY_FORMULA.finditer(data):
                if match.end() > overlap:
                    sheet.formula(_place(data[: match.start()]) if not sheet.formulas else "")
        if b't="e"' in data or b"t='e'" in data:
            for match in _ERROR.finditer(data):
                if match.end() > overlap:
                    sheet.error(_place(data[: match.end()]) if not sheet.errors else "")
        if b"hidden" in data:
            _hidden(data, overlap, sheet)
        tail = data[-OVERLAP:]


def _hidden(data: bytes, overlap: int, sheet: Sheet) -> None:
    """Rows and columns that nobody sees, by hand or by a filter."""
    sheet.hidden_rows += [int(match[1]) for match in _HIDDEN_ROW.finditer(data) if match.end() > overlap]
    for match in _HIDDEN_COLUMN.finditer(data):
        ends = {bytes(name): int(place) for name, place in _SPAN.findall(match[1])}
        if match.end() > overlap and b"min" in ends:
            last = min(ends.get(b"max", ends[b"min"]), MAX_COLUMNS)
            sheet.hidden_columns |= set(range(ends[b"min"], last + 1))


def _place(before: bytes) -> str:
    """The reference of the last cell that begins in these bytes; empty where it does not say."""
    cells = _REFERENCE.findall(before[-OVERLAP:])
    return cells[-1].decode() if cells else ""


def unpacked(path: Path, entry: zipfile.ZipInfo, name: str) -> Iterator[bytes]:
    """The true content of a part, whatever size the directory claims."""
    if entry.header_offset < 0:  # something was cut out of the middle: the directory at the end points before the file
        raise damaged(name)
    with path.open("rb") as file:
        file.seek(entry.header_offset)
        header = file.read(30)
        if len(header) < 30 or header[:4] != b"PK\x03\x04":
            raise damaged(name)
        file.seek(sum(struct.unpack("<HH", header[26:30])), 1)
        left = entry.compress_size
        if entry.compress_type == zipfile.ZIP_STORED:
            while left > 0 and (raw := file.read(min(CHUNK, left))):
                left -= len(raw)
                yield raw
            return
        if entry.compress_type != zipfile.ZIP_DEFLATED:
            raise damaged(name)
        inflate = zlib.decompressobj(-15)
        try:
            while left > 0 and (raw := file.read(min(CHUNK // 4, left))):
                left -= len(raw)
                out = inflate.decompress(raw, CHUNK)
                while out:
                    yield out
                    out = inflate.decompress(inflate.unconsumed_tail, CHUNK)
            yield inflate.flush()
        except zlib.error as error:
            raise damaged(name) from error
        if left > 0 or not inflate.eof:
            raise damaged(name)


def check_size(sheet: Sheet) -> None:
    """DataRefusal `xlsx.reference`, `xlsx.range`: the reader allocates the whole rectangle."""
    if sheet.rows > 1_048_576 or sheet.columns > MAX_COLUMNS:
        raise DataRefusal("xlsx.reference", "工作表中有超出表格范围的单元格地址，文件可能已损坏。", {})
    if sheet.rows * sheet.columns > MAX_CELLS:
        text = (
            f"工作表的使用范围有 {sheet.rows:,} 行 × {sheet.columns:,} 列，超过 {MAX_CELLS:,} 个单元格。"
            "常见原因是远处有一个多余的单元格：请删除空白行列后另存，或导出为 csv 上传。"
        )
        raise DataRefusal("xlsx.range", text, {"rows": sheet.rows, "columns": sheet.columns, "cells": MAX_CELLS})


def dtd(name: str) -> DataRefusal:
    return DataRefusal("xlsx.dtd", f"“{name}”中含有不允许的文档类型声明，为安全起见不予读取。", {"name": name})


def damaged(name: str) -> DataRefusal:
    text = f"“{name}”不完整或已损坏，可能是上传或下载中断。请在表格软件中打开并另存后再上传。"
    return DataRefusal("xlsx.damaged", text, {"name": name})


def _bomb(name: str) -> DataRefusal:
    text = f"“{name}”的压缩结构异常（解压后过大或条目过多），为安全起见不予读取。请在表格软件中另存后再上传。"
    return DataRefusal("xlsx.bomb", text, {"name": name})
