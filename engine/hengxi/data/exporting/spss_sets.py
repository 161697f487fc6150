"""Multiple-response sets in a finished SPSS file: the writer cannot make the record, so it is put in afterwards.

A system file is a header of 176 bytes, records of a dictionary, the record 999, then the cells. The sets are one more
extension record (type 7, subtype 7) before 999; nothing in an uncompressed or row-compressed file counts bytes from
the beginning, so what follows is copied as it is. Layout: GNU PSPP, "System File Format".
"""

from __future__ import annotations

import os
import shutil
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

_HEADER = 176
_VARIABLE, _LABELS, _LABELLED, _DOCUMENT, _EXTENSION, _END = 2, 3, 4, 6, 7, 999
_SETS, _LONG_NAMES = 7, 13


@dataclass(frozen=True)
class SpssSet:
    """`name` without `$`, `variables` by their names in the file; `counted` None: every variable holds a category."""

    name: str
    label: str
    variables: list[str]
    counted: str | None

    def line(self, short: dict[str, str]) -> bytes:
        kind = "C" if self.counted is None else f"D{len(self.counted.encode())} {self.counted}"
        names = " ".join(short[name].lower() for name in self.variables)
        return f"${self.name}={kind} {len(self.label.encode())} {self.label} {names}\n".encode()


def add_sets(path: Path, sets: list[SpssSet]) -> None:
    """The file at `path` with the sets in its dictionary; it is replaced whole."""
    with path.open("rb") as file:
        short, end = _dictionary(file)
        record = b"".join(one.line(short) for one in sets)
        fresh = path.with_name(f"{path.name}.sets")
        with fresh.open("wb") as out:
            file.seek(0)
            _copy(file, out, end)
            out.write(struct.pack("<4i", _EXTENSION, _SETS, 1, len(record)) + record)
            shutil.copyfileobj(file, out, 1 << 20)
    os.replace(fresh, path)


def _copy(file: BinaryIO, out: BinaryIO, size: int) -> None:
    while size > 0:
        block = file.read(min(size, 1 << 20))
        if not block:
            raise ValueError("The file ends inside its dictionary")
        out.write(block)
        size -= len(block)


def _dictionary(file: BinaryIO) -> tuple[dict[str, str], int]:
    """(name → the short name records use, where the dictionary ends)."""
    file.seek(_HEADER)
    short: dict[str, str] = {}
    while True:
        at = file.tell()
        kind = _int(file)
        if kind == _END:
            return short, at
        if kind == _VARIABLE:
            name = _variable(file)
            if name:
                short[name] = name
        elif kind == _LABELS:
            for _ in range(_int(file)):
                file.seek(8, os.SEEK_CUR)
                length = file.read(1)[0]
                file.seek(_padded(length + 1, 8) - 1, os.SEEK_CUR)
        elif kind == _LABELLED:
            file.seek(4 * _int(file), os.SEEK_CUR)
        elif kind == _DOCUMENT:
            file.seek(80 * _int(file), os.SEEK_CUR)
        elif kind == _EXTENSION:
            subtype, size, count = _int(file), _int(file), _int(file)
            data = file.read(size * count)
            if subtype == _LONG_NAMES:
                pairs = (pair.partition("=") for pair in data.decode().split("\t"))
                short |= {long: own for own, _, long in pairs}
        else:
            raise ValueError(f"No record of an SPSS dictionary: {kind}")


def _variable(file: BinaryIO) -> str | None:
    """The short name; None for what only continues a long text."""
    width, labelled, missing = _int(file), _int(file), _int(file)
    file.seek(8, os.SEEK_CUR)
    name = file.read(8).decode(errors="replace").rstrip()
    if labelled:
        file.seek(_padded(_int(file), 4), os.SEEK_CUR)
    file.seek(8 * abs(missing), os.SEEK_CUR)
    return name if width >= 0 else None


def _int(file: BinaryIO) -> int:
    (value,) = struct.unpack("<i", file.read(4))
    return int(value)


def _padded(size: int, to: int) -> int:
    return -(-size // to) * to
