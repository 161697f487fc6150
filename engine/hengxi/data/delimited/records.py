"""Where records of a delimited text begin and end, looked at before it is known to be regular."""

from __future__ import annotations

import csv
from pathlib import Path

from hengxi.data.delimited.sniff import HEAD, Settings


def lone_returns(path: Path) -> bool:
    """Line ends of old Macintosh files (\\r alone), judged from the head: cells may hold a few of the other kind.

    Also those that were turned into Windows' twice (\\r\\r\\n).
    """
    with path.open("rb") as file:
        head = file.read(HEAD)
    return head.count(b"\r") - head.count(b"\r\n") > head.count(b"\n") or b"\r\r\n" in head


def record_end(raw: bytes, at: int, settings: Settings) -> int:
    """Byte after the record that begins at `at`; line breaks in quotes do not end it, a stray quote does not run on."""
    quote = settings.quote.encode()
    first = end = at
    for _ in range(50):
        found = raw.find(b"\n", end)
        end = len(raw) if found < 0 else found + 1
        first = first if first > at else end
        text = raw[at:end].decode("utf-8", errors="replace")
        if not quote or raw.count(quote, at, end) % 2 == 0 or _parses(text, settings):
            return end
        if end == len(raw):
            break
    return first


def _parses(text: str, settings: Settings) -> bool:
    """Whether an odd number of quotes is harmless (signs inside a field)."""
    try:
        csv.reader([text], delimiter=settings.delimiter, quotechar=settings.quote, strict=True).__next__()
    except (csv.Error, StopIteration):
        return False
    return True
