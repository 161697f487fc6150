"""A workbook of Excel 95 made byte by byte: no program here writes one any more (LibreOffice reads this one)."""

from __future__ import annotations

import struct

_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


def compound(name: str, stream: bytes) -> bytes:
    """An OLE container with one stream: the table of sectors, the directory, the stream."""
    stream = stream.ljust(4096, b"\0")
    stream += bytes(-len(stream) % 512)
    count = len(stream) // 512
    table = [_FAT, _END, *range(3, 2 + count), _END]
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    head += struct.pack("<HHHHH6xIIIIIIIIII", 0x3E, 3, 0xFFFE, 9, 6, 0, 1, 1, 0, 4096, _END, 0, _END, 0, 0)
    head += struct.pack("<108I", *[_FREE] * 108)

    def entry(title: str, kind: int, child: int, start: int, size: int) -> bytes:
        raw = title.encode("utf-16-le") + b"\0\0"
        links = struct.pack("<HBBIII", len(raw), kind, 1, _FREE, _FREE, child)
        return raw.ljust(64, b"\0") + links + bytes(36) + struct.pack("<IQ", start, size)

    listed = entry("Root Entry", 5, 1, _END, 0) + entry(name, 2, _FREE, 2, len(stream))
    table += [_FREE] * (128 - len(table))
    return head + struct.pack("<128I", *table) + listed.ljust(512, b"\0") + stream


def record(kind: int, body: bytes = b"") -> bytes:
    return struct.pack("<HH", kind, len(body)) + body


def biff5(rows: list[list[str | float]], title: str, codec: str, codepage: int) -> bytes:
    """One sheet; dates are the numbers of the third column below the header."""
    cells = b""
    for row, line in enumerate(rows):
        for column, cell in enumerate(line):
            place = struct.pack("<HHH", row, column, 18 if column == 2 and row else 16)
            if isinstance(cell, str):
                raw = cell.encode(codec)
                rich = row == 1 and column == 1  # a text with a letter in another font
                cells += record(0x00D6 if rich else 0x0204, place + struct.pack("<H", len(raw)) + raw + bytes(rich))
            else:
                cells += record(0x0203, place + struct.pack("<d", cell))
    begin = struct.pack("<HHHH", 0x0500, 5, 0, 0)
    font = record(0x31, struct.pack("<HHHHHBBBBB", 200, 0, 0x7FFF, 400, 0, 0, 0, 0, 0, 5) + b"Arial")
    formats = [0] * 17 + [14, 164]
    whole = record(0x0809, begin) + record(0x42, struct.pack("<H", codepage)) + record(0x22, b"\0\0") + font * 4
    whole += record(0x041E, struct.pack("<HB", 164, 10) + b"yyyy-mm-dd")
    whole += b"".join(record(0xE0, struct.pack("<HH12x", 0, one)) for one in formats)
    raw = title.encode(codec)
    start = len(whole) + 4 + 7 + len(raw) + 4
    whole += record(0x85, struct.pack("<IHB", start, 0, len(raw)) + raw) + record(0x0A)
    size = struct.pack("<HHHHH", 0, len(rows), 0, len(rows[0]), 0)
    sheet = record(0x0809, begin[:2] + b"\x10\0" + begin[4:]) + record(0x0200, size) + cells + record(0x0A)
    return compound("Book", whole + sheet)
