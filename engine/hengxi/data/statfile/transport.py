"""What the reader does not tell of SAS transport files: several data sets in one, and special missing values.

The reader takes the headers of a second data set, and its cells, for rows of the first. Special missing values
(.A … .Z, ._) it gives as plain missing.
"""

from __future__ import annotations

import mmap
import re
import struct
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from hengxi.data.formats import Job
from hengxi.data.refusal import DataRefusal

_RECORD = 80
_HEAD = 1 << 20
_NAMESTRS = re.compile(rb"HEADER RECORD\*{7}NAM(?:ESTR|STV8) HEADER RECORD!{7}(\d{10})")
_ROWS = re.compile(rb"HEADER RECORD\*{7}OBS(?:V8)? +HEADER RECORD!{7}")
_SIZE = 140
_LIBRARY = 3 * _RECORD
_MEMBER = re.compile(rb"HEADER RECORD\*{7}MEMB(ER  |V8  )HEADER RECORD!{7}")


@dataclass(frozen=True)
class Member:
    """One data set of the file, from its first header to that of the next."""

    name: str
    start: int
    end: int


def members(path: Path) -> list[Member]:
    """The data sets in their order; empty where no header is as the standard says."""
    size = path.stat().st_size
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as raw:
        found = [match for match in _MEMBER.finditer(raw) if match.start() % _RECORD == 0]
        ends = [match.start() for match in found[1:]] + [size] * bool(found)
        return [Member(_name(raw, match), match.start(), end) for match, end in zip(found, ends, strict=True)]


def _name(raw: mmap.mmap, header: re.Match[bytes]) -> str:
    """Behind two headers and the word SAS: 8 letters, in version 8 up to 32."""
    at = header.start() + 2 * _RECORD + 8
    return raw[at : at + (32 if header[1] == b"V8  " else 8)].decode("ascii", "replace").strip()


@contextmanager
def alone(job: Job) -> Iterator[tuple[Job, list[str], str]]:
    """(the job with a file of one data set, the names of all, the chosen one). DataRefusal `xpt.member`."""
    data_sets = members(job.path)
    names = [member.name for member in data_sets]
    wanted = job.settings.get("member")
    if len(data_sets) < 2:
        yield job, names, ""
        return
    if wanted is not None and wanted not in names:
        text = f"“{job.name}”中没有名为“{wanted}”的数据集。"
        raise DataRefusal("xpt.member", text, {"member": wanted, "members": names})
    chosen = data_sets[0 if wanted is None else names.index(wanted)]
    with job.path.open("rb") as file, tempfile.NamedTemporaryFile(dir=job.work if job.work != Path() else None) as copy:
        copy.write(file.read(_LIBRARY))
        file.seek(chosen.start)
        left = chosen.end - chosen.start
        while left > 0 and (piece := file.read(min(left, 1 << 20))):
            copy.write(piece)
            left -= len(piece)
        copy.flush()
        yield replace(job, path=Path(copy.name)), names, chosen.name


@dataclass(frozen=True)
class Layout:
    """Where the numbers of the first data set lie: number of the variable → (place in a row, bytes)."""

    start: int
    row: int
    numbers: dict[int, tuple[int, int]]


def layout(path: Path) -> Layout | None:
    """None where the headers are not as the standard says; the file is then read without."""
    with path.open("rb") as file:
        head = file.read(_HEAD)
    names, rows = _NAMESTRS.search(head), _ROWS.search(head)
    if not names or not rows:
        return None
    first = names.start() + _RECORD
    count = int(names[1])
    if count > (rows.start() - first) // _SIZE:
        return None
    numbers, width = {}, 0
    for i in range(count):
        entry = head[first + i * _SIZE : first + (i + 1) * _SIZE]
        kind, length = struct.unpack_from(">h", entry, 0)[0], struct.unpack_from(">h", entry, 4)[0]
        place = struct.unpack_from(">i", entry, 84)[0]
        if place < 0 or length <= 0:
            return None
        width = max(width, place + length)
        if kind == 1:
            numbers[i] = (place, length)
    return Layout(rows.start() + _RECORD, width, numbers) if width else None


def letters(path: Path, layout: Layout, offset: int, rows: int) -> dict[int, dict[int, str]]:
    """Number of the variable → {row of the chunk: letter} for the cells that hold a special missing value."""
    out: dict[int, dict[int, str]] = {}
    with path.open("rb") as file:
        file.seek(layout.start + offset * layout.row)
        raw = file.read(rows * layout.row)
    cells = np.frombuffer(raw, np.uint8, count=len(raw) // layout.row * layout.row).reshape(-1, layout.row)
    for variable, (place, length) in layout.numbers.items():
        lead = cells[:, place]
        special = ((lead >= ord("A")) & (lead <= ord("Z"))) | (lead == ord("_"))
        special &= ~cells[:, place + 1 : place + length].any(axis=1)
        if special.any():
            out[variable] = {int(row): chr(lead[row]) for row in np.flatnonzero(special)}
    return out
