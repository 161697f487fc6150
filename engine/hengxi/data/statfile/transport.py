"""Special missing values (.A … .Z, ._) of SAS transport files, which the reader gives as plain missing."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np

_RECORD = 80
_HEAD = 1 << 20
_NAMESTRS = re.compile(rb"HEADER RECORD\*{7}NAM(?:ESTR|STV8) HEADER RECORD!{7}(\d{10})")
_ROWS = re.compile(rb"HEADER RECORD\*{7}OBS(?:V8)? +HEADER RECORD!{7}")
_SIZE = 140


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


def letters(path: Path, found: Layout, offset: int, rows: int) -> dict[int, dict[int, str]]:
    """Number of the variable → {row of the chunk: letter} for the cells that hold a special missing value."""
    out: dict[int, dict[int, str]] = {}
    with path.open("rb") as file:
        file.seek(found.start + offset * found.row)
        raw = file.read(rows * found.row)
    cells = np.frombuffer(raw, np.uint8, count=len(raw) // found.row * found.row).reshape(-1, found.row)
    for variable, (place, length) in found.numbers.items():
        lead = cells[:, place]
        special = ((lead >= ord("A")) & (lead <= ord("Z"))) | (lead == ord("_"))
        special &= ~cells[:, place + 1 : place + length].any(axis=1)
        if special.any():
            out[variable] = {int(row): chr(lead[row]) for row in np.flatnonzero(special)}
    return out
