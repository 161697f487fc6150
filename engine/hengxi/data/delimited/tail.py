"""The end of a delimited text: lines below the table are cut off before it is read."""

from __future__ import annotations

import shutil
from pathlib import Path

from hengxi.data.delimited.sniff import Settings, split
from hengxi.data.notes import MOST, notes_at_end

TAIL = 64 * 1024
LOOKED_AT = 2 * MOST
"""Lines: some of the table have to stand above the notes."""


def without_notes(path: Path, settings: Settings, start: int, width: int, out: Path) -> tuple[Path, list[str]]:
    """(the file, or a copy without the lines below its table, and these lines). `start`: byte where the rows begin."""
    size = path.stat().st_size
    lines = _last_lines(path, max(start, size - TAIL), size)
    rows: list[list[str]] = []
    for line in reversed(lines):
        text = line.decode("utf-8", errors="replace").rstrip("\r\n")
        if settings.quote and text.count(settings.quote) % 2:
            break  # the end of a cell of several lines
        rows.insert(0, next(iter(split(text, settings.delimiter, settings.quote, True)), []))
    notes = notes_at_end(rows, width) if width > 1 else []
    if not notes:
        return path, []
    kept = size - sum(map(len, lines[-len(notes) :]))
    with path.open("rb") as source, out.open("wb") as sink:
        shutil.copyfileobj(source, sink)
        sink.truncate(kept)
    return out, notes


def _last_lines(path: Path, begin: int, size: int) -> list[bytes]:
    with path.open("rb") as file:
        file.seek(max(begin - 1, 0))
        raw = file.read(size - max(begin - 1, 0))
    if begin > 0:  # from the first whole line on
        raw = raw[raw.find(b"\n") + 1 :]
    return raw.splitlines(keepends=True)[-LOOKED_AT:] if b"\n" in raw else []
