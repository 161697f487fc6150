"""A text file in any encoding → the same text in UTF-8, and what is said of bytes that are none in its encoding.

Real files have single broken bytes: a character cut in two by another program, a name in another encoding. Such a
byte is read as U+FFFD, counted and told with its lines; the file is refused where the encoding itself is in doubt.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from hengxi.data.delimited.sniff import CODECS, TRUST, Settings, unescaped
from hengxi.data.meta import ColumnReport, OddCell, Warn
from hengxi.data.refusal import DataRefusal

CHUNK = 1 << 20
BROKEN = "\ufffd"
LINES = 10
SAMPLES = 5


@dataclass
class Decoded:
    """`broken` places that are no characters of the encoding, `foreign` characters beyond ASCII that are."""

    broken: int = 0
    foreign: int = 0
    lines: list[int] = field(default_factory=list)

    def place(self, text: str, line: int) -> None:
        """Notes the lines of a decoded block in which bytes were replaced."""
        for offset, part in enumerate(text.split("\n")):
            if BROKEN in part and len(self.lines) < LINES:
                self.lines = list(dict.fromkeys([*self.lines, line + offset]))


def transcode(path: Path, settings: Settings, out: Path, tick: Callable[[float], None]) -> Decoded:
    """The file in UTF-8 with `\\n` line ends, block by block; bytes that do not decode become U+FFFD."""
    decoded = Decoded()

    def replace(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeDecodeError)
        decoded.broken += 1
        return BROKEN, error.end

    codecs.register_error("hengxi.broken", replace)
    decoder = codecs.getincrementaldecoder(CODECS[settings.encoding])("hengxi.broken")
    wide = settings.encoding.startswith("UTF-16")
    size, line, first, ended_return, held = max(path.stat().st_size, 1), 1, True, False, ""
    with path.open("rb") as source, out.open("wb") as sink:
        while True:
            block = source.read(CHUNK)
            before = decoded.broken
            text = decoder.decode(block, final=not block)
            if first:
                text, first = text.removeprefix("\ufeff"), not block
            if ended_return and text.startswith("\n"):
                text = text[1:]
            ended_return = text.endswith("\r")
            text = text.replace("\r\r\n", "\n").replace("\r\n", "\n").replace("\r", "\n")
            text, held = held + text, ""
            if settings.escape and block and text.endswith("\\"):  # the quote may begin the next block
                text, held = text[:-1], "\\"
            text = unescaped(text, settings)
            if settings.nul == "drop":
                text = text.replace("\0", "")
            if decoded.broken > before:
                decoded.place(text, line)
            decoded.foreign += len(text) if wide else len(text) - len(text.encode("ascii", "ignore"))
            sink.write(text.encode("utf-8"))
            line += text.count("\n")
            tick(source.tell() / size)
            if not block:
                decoded.foreign = max(decoded.foreign - decoded.broken, 0)
                return decoded


def judge(decoded: Decoded, settings: Settings) -> list[Warn]:
    """What is told of broken bytes. DataRefusal `csv.encoding` where few characters speak for the encoding."""
    if not decoded.broken:
        return []
    trusted = decoded.foreign >= TRUST * decoded.broken
    if not trusted and settings.broken != "replace":
        raise _undecodable(settings, decoded)
    lines = "、".join(f"{line:,}" for line in decoded.lines)
    more = " 等" if len(decoded.lines) == LINES and decoded.broken > LINES else ""
    text = (
        f"第 {lines}{more} 行有 {decoded.broken:,} 处字节不能按 {settings.encoding} 解读，读成了“{BROKEN}”，"
        "其余照常读入。请对照原文件核对这些单元格；要是成片乱码，请换一种编码重新导入。"
    )
    return [Warn(code="bytes.broken", text=text, facts={"count": decoded.broken, "lines": decoded.lines})]


def _undecodable(settings: Settings, decoded: Decoded) -> DataRefusal:
    others = [name for name in ("UTF-8", "GB18030", "Big5", "Latin-1") if name != settings.encoding]
    line = decoded.lines[0] if decoded.lines else 1
    text = (
        f"第 {line:,} 行有不能按 {settings.encoding} 解读的字符（共 {decoded.broken:,} 处），"
        "请换一种编码，或检查文件是否完整。"
    )
    choices: list[Any] = [{"title": f"按 {name} 读取", "set": {"encoding": name}} for name in others]
    choices.append({"title": f"坏字符读成“{BROKEN}”，其余照常读入", "set": {"broken": "replace"}})
    facts = {"line": line, "encoding": settings.encoding, "count": decoded.broken}
    return DataRefusal("csv.encoding", text, facts, choices)


def note_cells(frame: pl.LazyFrame, names: list[str], notes: dict[str, ColumnReport], ids: list[str]) -> None:
    """Counts and samples, in the report of each column, the cells of `frame` that hold a replaced byte.

    `frame` has the cells as texts in columns `ids` and their row, from 0, in `row`.
    """
    tests = {column: pl.col(column).str.contains(BROKEN, literal=True) for column in ids}
    counts = frame.select(**{column: test.sum() for column, test in tests.items()}).collect(engine="streaming").row(0)
    for column, name, count in zip(ids, names, counts, strict=True):
        note = notes.setdefault(column, ColumnReport(id=column, name=name, type="", why="")) if count else None
        if note is None or note.odd:  # a typed column has counted it among what is no number
            continue
        note.odd = count
        cells = frame.select(row="row", value=column).filter(pl.col("value").str.contains(BROKEN, literal=True))
        rows = cells.head(SAMPLES).collect(engine="streaming").iter_rows(named=True)
        note.samples = [OddCell(row=cell["row"] + 1, value=cell["value"]) for cell in rows]


def is_utf8(raw: bytes) -> bool:
    """Whether bytes that are whole, not cut out of a file, are UTF-8."""
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
