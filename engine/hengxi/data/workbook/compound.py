"""The directory of an OLE container: it tells an xls workbook, an encrypted xlsx and a doc apart."""

from __future__ import annotations

import struct
from pathlib import Path

MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
MOST = 64 << 10


def directory(path: Path) -> bytes:
    """The first part of the directory as it lies in the file (its names are UTF-16); empty if there is none."""
    with path.open("rb") as file:
        head = file.read(76)
        if len(head) < 76 or not head.startswith(MAGIC):
            return b""
        shift, first = struct.unpack_from("<H", head, 30)[0], struct.unpack_from("<I", head, 48)[0]
        if shift not in (9, 12):
            return b""
        file.seek((first + 1) << shift)
        return file.read(MOST)


def holds(head: bytes, stream: str) -> bool:
    """Whether a stream of this name is in the bytes of a container."""
    return head.startswith(MAGIC) and stream.encode("utf-16-le") + b"\0\0" in head + b"\0\0"
