"""Reading files. One module of this package per format: a file dropped in here is a format that works.

A format module offers `KIND`, `TITLE`, `ENDINGS`, `PRIORITY` (asked first when small), `recognises(head, name)`,
`preview(job)` and `stage(job)`. Recognition is by content; the name decides only where content cannot (a text file),
and a name that promises another format than the content is refused.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from hengxi.data.delimited.sniff import is_table
from hengxi.data.delimited.wide import wide_of
from hengxi.data.foreign import archived, foreign, is_text_mark, unreadable
from hengxi.data.meta import AnswerSet, Check, Column, ColumnReport, Warn
from hengxi.data.refusal import Cancelled, DataRefusal
from hengxi.data.workbook.compound import directory
from hengxi.data.workbook.ods_guard import kind_of

Progress = Callable[[float, float, str], bool | None]
"""`progress(done, of, text)`; False means stop and leave nothing behind."""


@dataclass(frozen=True)
class CompanionFile:
    """A second file that belongs to the one being read: the value labels of a SAS data set."""

    path: Path
    name: str


@dataclass
class Job:
    """One file to read. `work` is an empty scratch folder on the disk of the tables; paths never leave the engine."""

    path: Path
    name: str
    settings: dict[str, Any] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)
    on_doubt: str = "ask"
    password: str | None = None
    work: Path = Path()
    progress: Progress = lambda done, of, text: True
    partial: bool = False
    catalogue: CompanionFile | None = None

    def tick(self, share: float, text: str) -> None:
        """Reports progress between 0 and 1; raises Cancelled if the caller asks to stop."""
        if self.progress(round(share * 100, 1), 100, text) is False:
            raise Cancelled


@dataclass
class Staged:
    """A file read into an Arrow file of plain typed columns `c1` … (and `c1~raw`), not yet profiled."""

    arrow: Path
    columns: list[Column]
    notes: dict[str, ColumnReport]
    settings: dict[str, Any]
    check: Check
    warnings: list[Warn] = field(default_factory=list)
    declared: set[str] = field(default_factory=set)
    flags: dict[str, list[str]] = field(default_factory=dict)
    sets: list[AnswerSet] = field(default_factory=list)


class Asking(Exception):  # noqa: N818 - not a fault: the import waits for the user
    """Columns whose reading could change magnitudes; answered by `answers: {question id: choice key}`."""

    def __init__(self, questions: list[dict[str, Any]]) -> None:
        super().__init__(questions)
        self.questions = questions


class Format(Protocol):
    """What a module of this package looks like."""

    KIND: str
    TITLE: str
    ENDINGS: tuple[str, ...]
    PRIORITY: int

    def recognises(self, head: bytes, name: str) -> bool: ...

    def preview(self, job: Job) -> dict[str, Any]: ...

    def stage(self, job: Job) -> Staged: ...


@cache
def formats() -> tuple[Format, ...]:
    """All format modules, by priority."""
    found: list[Any] = [importlib.import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__)]
    return tuple(sorted(found, key=lambda module: module.PRIORITY))


def format_of(path: Path, name: str) -> Format:
    """The format of a file, by its first bytes. DataRefusal `file.empty`, `file.type`, `file.mismatch`."""
    with path.open("rb") as file:
        head = file.read(4096)
    if not head:
        raise DataRefusal("file.empty", f"“{name}”是空文件（0 字节），请检查后重新上传。", {"name": name})
    head += directory(path) + (kind_of(path) if head.startswith(b"PK\x03\x04") else b"")
    for module in formats():
        if module.recognises(head, name):
            _check_ending(module, name, path)
            return module
    raise unreadable(name, foreign(head))


def check_companion(job: Job, module: Format) -> None:
    """A second file is there, and belongs to a file of this kind."""
    beside = job.catalogue
    if beside is None:
        return
    if module.KIND not in LABELLED:
        text = f"值标签目录“{beside.name}”只能与 SAS 数据集（sas7bdat、xpt）一起导入，“{job.name}”不是。"
        raise DataRefusal("sas7bcat.kind", text, {"name": job.name})
    if not beside.path.is_file():
        raise DataRefusal("upload.gone", f"值标签目录“{beside.name}”已不在，请重新上传。", {"name": beside.name})


LABELLED = ("sas7bdat", "xpt")
"""Kinds whose value labels lie in a file beside."""


def _promised(found: Format, name: str) -> str:
    """The ending of a name that promises another format than the content is; empty where it does not."""
    ending = name.rpartition(".")[2].lower() if "." in name else ""
    fits = ending in found.ENDINGS or not any(ending in module.ENDINGS for module in formats())
    return "" if fits else ending


def ending_note(detected: Format, name: str) -> list[Warn]:
    """What is said of a file that was read by its content, under the ending of another format."""
    ending = _promised(detected, name)
    if not ending:
        return []
    space = " " if detected.TITLE[:1].isascii() else ""
    text = f"扩展名是 .{ending}，内容是{space}{detected.TITLE}，已按内容读入。"
    return [Warn(code="file.ending", text=text, facts={"ending": ending, "kind": detected.KIND})]


def _check_ending(detected: Format, name: str, path: Path) -> None:
    """A name that promises another format: where the content may be anything the person should know (error 30031)."""
    ending = _promised(detected, name)
    if not ending:
        return
    if detected.KIND == "xlsx" and (kind := archived(path)):
        raise unreadable(name, kind)
    if detected.KIND != "csv" or (ending not in ("json", "jsonl") and is_table(path)):
        return
    space = " " if detected.TITLE[:1].isascii() else ""
    wanted = "JSON 应为 UTF-8 编码，以 [ 或 { 开头。" if ending.startswith("json") else ""
    text = (
        f"文件类型与内容不符：扩展名为 .{ending}，内容为{space}{detected.TITLE}。{wanted}"
        f"如果内容无误，请把扩展名改为 .{detected.ENDINGS[0]} 后重新上传。"
    )
    raise DataRefusal("file.mismatch", text, {"name": name, "ending": ending, "kind": detected.KIND})


def binary(head: bytes) -> bool:
    """Whether bytes are no text in any of the encodings we read."""
    if foreign(head) and not is_text_mark(head):
        return True
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or wide_of(head):
        return False
    zeros = head.count(0)
    even, odd = head[0::2].count(0), head[1::2].count(0)
    utf16 = zeros > len(head) // 5 and (even == 0 or odd == 0)
    controls = sum(head.count(c) for c in (*range(1, 9), *range(14, 27), *range(28, 32)))
    return not utf16 and (zeros > len(head) // 50 + 1 or controls > len(head) // 50 + 1)
