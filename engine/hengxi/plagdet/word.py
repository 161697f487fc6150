"""The text of a docx: paragraphs, tables, text boxes, notes; without what is deleted, hidden, or a formula.

The file is untrusted: parts are unpacked in a stream up to a bound, and a document type, which is where entities are
made, ends the reading.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from hengxi.data.refusal import DataRefusal

_MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"
_MATH = "http://schemas.openxmlformats.org/officeDocument/2006/math"
_STRICT_MATH = "http://purl.oclc.org/ooxml/officeDocument/math"
_FALLBACK = "http://schemas.openxmlformats.org/markup-compatibility/2006 Fallback"
_PARTS = ("word/document.xml", "word/footnotes.xml", "word/endnotes.xml")
_MATH_TAGS = {f"{_MATH} oMath", f"{_STRICT_MATH} oMath"}

MOST_ENTRIES = 5000
MOST_UNPACKED = 200 << 20
"""All parts that are read, together."""
MOST_RATIO = 200
MOST_TEXT = 2_000_000
MOST_DEPTH = 400
CHUNK = 1 << 18


@dataclass
class Found:
    text: str
    notes: dict[str, int] = field(default_factory=dict)


def read(path: Path, name: str, tick: Callable[[float], None]) -> Found:
    try:
        with zipfile.ZipFile(path) as book:
            entries = {entry.filename: entry for entry in _checked(book.infolist(), name)}
            if "word/document.xml" not in entries:
                text = f"“{name}”不是 docx、pdf 或 txt，请另存为其中一种。"
                raise DataRefusal("file.type", text, {"name": name})
            reader = _Reader(name)
            present = [part for part in _PARTS if part in entries]
            for number, part in enumerate(present, 1):
                reader.read(book, entries[part])
                tick(number / len(present))
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise DataRefusal("file.damaged", f"“{name}”已损坏，无法解析。请重新导出后再上传。", {"name": name}) from error
    return Found("".join(reader.out), {kind: count for kind, count in reader.notes.items() if count})


def _checked(entries: list[zipfile.ZipInfo], name: str) -> list[zipfile.ZipInfo]:
    names = [entry.filename for entry in entries]
    hostile = len(entries) > MOST_ENTRIES or len(set(names)) < len(names)
    for entry in entries:
        if entry.filename in _PARTS:
            if entry.flag_bits & 1:
                raise DataRefusal("file.encrypted", f"“{name}”已加密，请去掉密码后再上传。", {"name": name})
            hostile |= entry.file_size > MOST_UNPACKED
            hostile |= entry.file_size > 1 << 20 and entry.file_size > MOST_RATIO * max(entry.compress_size, 1)
    if hostile:
        raise _bomb(name)
    return entries


def _bomb(name: str) -> DataRefusal:
    return DataRefusal("file.bomb", f"“{name}”解压后过大，已拒绝。请另存一份再上传。", {"name": name})


class _Reader:
    """Takes the parts of one document in turn and gathers its text in `out`."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.out: list[str] = []
        self.notes = {"hidden": 0, "formulas": 0, "deleted": 0}
        self.unpacked = 0
        self.length = 0

    def read(self, book: zipfile.ZipFile, entry: zipfile.ZipInfo) -> None:
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.StartDoctypeDeclHandler = self._doctype
        self.depth, self.skipped = 0, 0
        self.in_text, self.hidden = False, False
        try:
            with book.open(entry) as stream:
                while piece := stream.read(CHUNK):
                    self.unpacked += len(piece)
                    if self.unpacked > MOST_UNPACKED:
                        raise _bomb(self.name)
                    parser.Parse(piece, False)
            parser.Parse(b"", True)
        except expat.ExpatError as error:
            text = f"“{self.name}”已损坏，无法解析。请重新导出后再上传。"
            raise DataRefusal("file.damaged", text, {"name": self.name}) from error

    def _doctype(self, *_: object) -> None:
        text = f"“{self.name}”含有文档类型声明，Word 不会写出这样的文件，已拒绝。"
        raise DataRefusal("file.dtd", text, {"name": self.name})

    def _start(self, tag: str, given: dict[str, str]) -> None:
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise _bomb(self.name)
        if self.skipped:
            self.skipped += 1
            return
        space, _, local = tag.rpartition(" ")
        if tag == _FALLBACK or tag in _MATH_TAGS:
            # A text box is written twice, and the second time for old programs.
            self.notes["formulas"] += tag in _MATH_TAGS
            self.skipped = 1
        elif space in (_MAIN, _STRICT):
            self._word(local, {key.rpartition(" ")[2]: value for key, value in given.items()})

    def _word(self, local: str, given: dict[str, str]) -> None:
        if local in ("del", "moveFrom"):
            self.notes["deleted"] += 1
            self.skipped = 1
        elif local == "rPrChange":
            # How a run looked before it was changed.
            self.skipped = 1
        elif local == "r":
            self.hidden = False
        elif local == "vanish":
            self.hidden |= given.get("val", "true") not in ("0", "false", "off")
        elif local == "color":
            self.hidden |= given.get("val", "").upper() == "FFFFFF"
        elif local == "sz":
            self.hidden |= given.get("val", "").isdigit() and int(given["val"]) <= 2
        elif local == "t":
            self.in_text = True
        elif local in ("tab", "br", "cr"):
            self._put("\t" if local == "tab" else "\n")

    def _end(self, tag: str) -> None:
        self.depth -= 1
        if self.skipped:
            self.skipped -= 1
            return
        space, _, local = tag.rpartition(" ")
        if space not in (_MAIN, _STRICT):
            return
        if local == "t":
            self.in_text = False
        elif local == "r":
            self.hidden = False
        elif local in ("p", "tr"):
            self._put("\n")
        elif local == "pPr":
            # What is said of the mark at the end of a paragraph is not said of its text.
            self.hidden = False

    def _text(self, data: str) -> None:
        if not self.in_text or self.skipped:
            return
        if self.hidden:
            self.notes["hidden"] += len(data.strip())
        else:
            self._put(data)

    def _put(self, data: str) -> None:
        self.length += len(data)
        if self.length > MOST_TEXT:
            raise DataRefusal("text.long", "文字超过 20 万字，请分成几份上传。", {})
        self.out.append(data)
