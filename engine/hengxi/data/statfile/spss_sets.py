"""Multiple-response sets of SPSS files in a Chinese encoding: the reader takes their text for UTF-8, and fails.

Where the records of the sets are no UTF-8, the reader is given a copy of the file without them, and they are read here.
The layout is the one that PSPP documents ("Extra Product Info", records of type 7, subtypes 7 and 19).
"""

from __future__ import annotations

import re
import shutil
import struct
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from hengxi.data.delimited.decoding import is_utf8
from hengxi.data.formats import Job

_HEADER = 176
_SETS, _LONG_NAMES = (7, 19), 13
_OVER = 999
"""The last record of the dictionary."""
_UNKNOWN = 9_999
"""A subtype that no reader knows, and every reader skips."""
_MOST = 16 << 20
_SET = re.compile(rb"\$([^=]*)=(?:C|E (?:1|11) (?=\d)|D(?=\d))")


@contextmanager
def readable(job: Job) -> Iterator[tuple[Job, list[bytes], bytes]]:
    """(a job whose file the reader can open, the sets it does not see, the long names of the variables)."""
    records = list(_records(job.path))
    sets = [(place, raw) for place, kind, raw in records if kind in _SETS and not is_utf8(raw)]
    if not sets:
        yield job, [], b""
        return
    names = b"\t".join(raw for _, kind, raw in records if kind == _LONG_NAMES)
    with tempfile.TemporaryFile(dir=job.work if job.work != Path() else None) as copy:
        with job.path.open("rb") as file:
            order = _order(file)
            file.seek(0)
            shutil.copyfileobj(file, copy, 1 << 20)
        for place, _ in sets:
            copy.seek(place)
            copy.write(struct.pack(f"{order}i", _UNKNOWN))
        copy.flush()
        yield replace(job, path=Path(f"/proc/self/fd/{copy.fileno()}")), [raw for _, raw in sets], names


def read_sets(raw: list[bytes], names: bytes, encoding: str) -> dict[str, dict[str, Any]]:
    """The sets as the reader would tell them; what does not decode is left out."""
    long = dict(pair.split(b"=", 1) for pair in names.split(b"\t") if b"=" in pair)
    wanted = {short.upper(): name for short, name in long.items()}
    sets: dict[str, dict[str, Any]] = {}
    for record in raw:
        for line in record.rstrip(b"\0 ").split(b"\n"):
            answer_set = _set(line, wanted)
            if answer_set is None:
                continue
            try:
                name, label, variables = (
                    _text(part, encoding) for part in (answer_set[0], answer_set[2], b"\t".join(answer_set[3]))
                )
            except (UnicodeDecodeError, LookupError):
                continue
            counted = answer_set[1] if answer_set[1] is None else answer_set[1].decode("latin-1")
            sets[name] = {
                "is_dichotomy": counted is not None,
                "counted_value": int(counted) if counted and counted.strip().isdecimal() else counted,
                "label": label,
                "variable_list": variables.split("\t"),
            }
    return sets


def _text(raw: bytes, encoding: str) -> str:
    return raw.decode({"cp936": "gb18030", "gbk": "gb18030"}.get(encoding.lower(), encoding))


def _set(line: bytes, names: dict[bytes, bytes]) -> tuple[bytes, bytes | None, bytes, list[bytes]] | None:
    """(name, counted value or None, label, variables) of `$fruit=D1 1 6 水果 V1 V2`; lengths are in bytes."""
    head = _SET.match(line)
    if head is None:
        return None
    rest, counted = line[head.end() :], None
    if not head[0].endswith(b"C"):
        counted, rest = _counted(rest)
    label, rest = _counted(rest.lstrip(b" "))
    return head[1], counted, label, [names.get(short.upper(), short) for short in rest.split()]


def _counted(raw: bytes) -> tuple[bytes, bytes]:
    """A text with its length in front, and what follows."""
    length, _, rest = raw.partition(b" ")
    size = int(length) if length.isdigit() and len(length) < 6 else 0
    return rest[:size], rest[size:]


def _order(file: IO[bytes]) -> str:
    file.seek(64)
    return "<" if struct.unpack("<i", file.read(4))[0] in (2, 3) else ">"


def _records(path: Path) -> Iterator[tuple[int, int, bytes]]:
    """(place of the subtype, subtype, content) of the records of type 7; ends where the file is not as it should be."""
    with path.open("rb") as file:
        try:
            order = _order(file)
            file.seek(_HEADER)
            yield from _walk(file, order)
        except (struct.error, OSError, IndexError):
            return


def data_begins(path: Path) -> int | None:
    """Where the dictionary is over; None where it is not as it should be."""
    with path.open("rb") as file:
        try:
            order = _order(file)
            file.seek(_HEADER)
            for _ in _walk(file, order):
                pass
            over = file.tell() - 4
            file.seek(over)
            return over + 8 if file.read(4) == struct.pack(f"{order}i", _OVER) else None
        except (struct.error, OSError, IndexError):
            return None


def _walk(file: IO[bytes], order: str) -> Iterator[tuple[int, int, bytes]]:
    def numbers(count: int) -> tuple[int, ...]:
        return struct.unpack(f"{order}{count}i", file.read(4 * count))

    def skip(size: int) -> None:
        if size < 0:
            raise struct.error
        file.seek(size, 1)

    while True:
        (kind,) = numbers(1)
        if kind == 2:
            _, labelled, missing, *_ = numbers(5)
            skip(8)
            if labelled:
                (size,) = numbers(1)
                skip(-(-size // 4) * 4)
            skip(8 * abs(missing))
        elif kind == 3:
            (count,) = numbers(1)
            for _ in range(count):
                skip(8)
                skip(-(-(file.read(1)[0] + 1) // 8) * 8 - 1)
        elif kind in (4, 6):
            (count,) = numbers(1)
            skip(count * (4 if kind == 4 else 80))
        elif kind == 7:
            place = file.tell()
            subtype, size, count = numbers(3)
            length = size * count
            if length > _MOST:
                return
            if subtype in _SETS or subtype == _LONG_NAMES:
                yield place, subtype, file.read(length)
            else:
                skip(length)
        else:
            return
