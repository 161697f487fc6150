"""Tables of web pages, which platforms and hospital systems hand out as “.xls”: the largest one is read like a csv."""

from __future__ import annotations

import codecs
import csv
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from hengxi.data.delimited.sniff import CODECS, guess_encodings
from hengxi.data.formats import Job, Staged
from hengxi.data.formats import csv as text
from hengxi.data.refusal import DataRefusal

KIND = "html"
TITLE = "网页表格（HTML）"
ENDINGS = ("html", "htm")
PRIORITY = 80
CHUNK = 1 << 20
MOST_CELLS = 20_000_000
MOST_COLUMNS = 16_384
_PAGE = re.compile(r"^\ufeff?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|table|head|meta)[\s>]",
                   re.IGNORECASE | re.DOTALL)  # fmt: skip
_TABLE = re.compile(r"<table[\s>]", re.IGNORECASE)
_CHARSET = re.compile(rb"charset\s*=\s*[\"']?([\w-]+)", re.IGNORECASE)
_OF_TEXT = {"encoding", "delimiter", "quote", "escape", "garbled"}
"""Choices of a csv that a page does not leave."""
_HIDDEN = {"script", "style", "title", "head"}


def recognises(head: bytes, name: str) -> bool:
    """A page, told by its first bytes; whether it holds a table is seen when it is read."""
    encoding = _encoding(head)
    return _PAGE.match(head.decode(encoding, "replace")) is not None


def preview(job: Job) -> dict[str, Any]:
    with _as_csv(job) as plain:
        seen = text.preview(plain)
        candidates = {key: values for key, values in seen["candidates"].items() if key not in _OF_TEXT}
        return {**seen, "kind": KIND, "candidates": candidates}


def stage(job: Job) -> Staged:
    with _as_csv(job) as plain:
        return text.stage(plain)


@contextmanager
def _as_csv(job: Job) -> Iterator[Job]:
    """The largest table of the page as a csv."""
    folder = job.work if job.work != Path() else None
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        out = Path(scratch) / "table.csv"
        _write(job, out)
        yield replace(job, path=out, settings={**job.settings, "encoding": "UTF-8", "delimiter": ",", "quote": '"'})


def _write(job: Job, out: Path) -> None:
    with job.path.open("rb") as file:
        encoding = _encoding(file.read(1 << 16))
        file.seek(0)
        decoder = codecs.getincrementaldecoder(encoding)("replace")
        tables = _Tables(job.name)
        while chunk := file.read(CHUNK):
            tables.feed(decoder.decode(chunk))
        tables.close()
    rows = max((table.rows for table in tables.found), key=lambda rows: sum(map(len, rows)), default=[])
    rows = [row for row in rows if any(row)]
    if len(rows) < 2:
        raise DataRefusal("html.table", f"网页“{job.name}”里没有表格。请把数据存为 xlsx 或 csv 后再上传。", {})
    width = max(map(len, rows))
    with out.open("w", encoding="utf-8", newline="") as sink:
        csv.writer(sink, lineterminator="\n").writerows([*row, *[""] * (width - len(row))] for row in rows)


def _encoding(head: bytes) -> str:
    """As the page says, else as its bytes look."""
    told = _CHARSET.search(head[:4096]) if not head.startswith((b"\xff\xfe", b"\xfe\xff")) else None
    name = told[1].decode().lower() if told else ""
    name = "gb18030" if name in ("gb2312", "gbk") else name
    try:
        return codecs.lookup(name).name if name else CODECS[guess_encodings([head])[0]]
    except LookupError:
        return CODECS[guess_encodings([head])[0]]


@dataclass
class _Table:
    rows: list[list[str]] = field(default_factory=list)
    below: dict[int, int] = field(default_factory=dict)
    """Columns that a cell of a row above still covers: how many rows more."""


class _Tables(HTMLParser):
    """The cells of all tables; one within a cell of another is a table of its own."""

    def __init__(self, name: str) -> None:
        super().__init__(convert_charrefs=True)
        self.name = name
        self.found: list[_Table] = []
        self.open: list[_Table] = []
        self.cell: list[str] | None = None
        self.spans = (1, 1)
        self.hidden = 0
        self.cells = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _HIDDEN:
            self.hidden += 1
        elif tag == "table":
            self._end_cell()
            self.open.append(_Table())
            self.found.append(self.open[-1])
        elif tag == "tr" and self.open:
            self._end_row()
            self.open[-1].rows.append([])
        elif tag in ("td", "th") and self.open:
            self._end_cell()
            told = dict(attrs)
            self.cell, self.spans = [], (_span(told.get("colspan")), _span(told.get("rowspan")))
        elif tag == "br" and self.cell is not None:
            self.cell.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in _HIDDEN:
            self.hidden = max(self.hidden - 1, 0)
        elif tag in ("td", "th", "tr"):
            self._end_cell()
        elif tag == "table" and self.open:
            self._end_cell()
            self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.cell is not None and not self.hidden:
            self.cell.append(data)

    def _end_cell(self) -> None:
        if self.cell is None or not self.open:
            self.cell = None
            return
        table, (across, down) = self.open[-1], self.spans
        if not table.rows:
            table.rows.append([])
        row = table.rows[-1]
        self._skip(table, row)
        lines = [" ".join(line.split()) for line in "".join(self.cell).replace("\xa0", " ").split("\n")]
        place = len(row)
        row += ["\n".join(lines).strip() if len(lines) < 3 else " ".join(lines).strip(), *[""] * (across - 1)]
        if down > 1:
            table.below |= dict.fromkeys(range(place, place + across), down)
        self.cells += across
        if self.cells > MOST_CELLS or len(row) > MOST_COLUMNS:
            text = f"网页“{self.name}”里的表格过大，请存为 csv 后再上传。"
            raise DataRefusal("html.large", text, {"cells": MOST_CELLS})
        self.cell = None

    def _end_row(self) -> None:
        """What reaches down from above into columns behind the last cell of the row."""
        self._end_cell()
        table = self.open[-1]
        row = table.rows[-1] if table.rows else []
        for place in sorted(place for place, left in table.below.items() if left > 1 and place >= len(row)):
            row += [""] * (place + 1 - len(row))
            table.below[place] -= 1

    @staticmethod
    def _skip(table: _Table, row: list[str]) -> None:
        """Empty cells where one of a row above reaches down."""
        while table.below.get(len(row), 0) > 1:
            table.below[len(row)] -= 1
            row.append("")


def _span(given: str | None) -> int:
    return min(max(int(given), 1), 1000) if given and given.isascii() and given.isdigit() else 1
