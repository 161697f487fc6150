"""Value labels of SAS catalogues (sas7bcat): what PROC FORMAT made, `SEX` for numbers and `$SEX` for text.

The layout is SAS's own and unpublished; it is read as ReadStat (MIT) found it out. Our own reader, since ReadStat gives
the label of a range (18-29 = 青年) to the first number of the range alone, and can be led astray by hostile bytes.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hengxi.data.refusal import DataRefusal
from hengxi.data.statfile.cells import is_special

MAGIC = bytes(12) + bytes.fromhex("c2ea8163b31411cfbd92080009c7318c181f1011")
MAX_BYTES = 256 << 20
_OFFSET = 0x33
_CODECS = {
    20: "utf-8", 28: "ascii", 29: "latin-1", 40: "iso8859-15", 60: "cp1250", 61: "cp1251", 62: "cp1252", 118: "cp950",
    123: "big5", 125: "gb18030", 126: "gb18030", 128: "gb18030", 134: "euc-jp", 136: "cp932", 138: "cp932",
    140: "euc-kr", 141: "cp949", 142: "cp949", 205: "gb18030",
}  # fmt: skip
"""What SAS calls its encodings in the header; an unknown one is tried as Western European, then as GB18030."""


@dataclass
class Format:
    """One format: its labels by value (a letter: a special missing value), and whether it also labels ranges, 其他."""

    name: str
    labels: dict[Any, str] = field(default_factory=dict)
    ranged: bool = False


class _BrokenError(Exception):
    """The bytes are not what the layout says."""


def read_catalogue(path: Path, name: str, encoding: str | None = None) -> dict[str, Format]:
    """Formats by their names in capitals. DataRefusal `sas7bcat.size`, `sas7bcat.damaged`."""
    size = path.stat().st_size
    if size > MAX_BYTES:
        text = f"值标签目录“{name}”有 {size >> 20:,} MB，最多支持 {MAX_BYTES >> 20} MB。"
        raise DataRefusal("sas7bcat.size", text, {"bytes": size})
    try:
        whole = _Catalogue(path.read_bytes())
        codecs = [encoding] if encoding else [whole.codec, "gb18030"]
        return _decoded(whole.blocks(), whole, codecs)
    except (_BrokenError, struct.error, IndexError) as error:
        text = f"值标签目录“{name}”不完整或已损坏，无法读取。请在 SAS 中重新生成，或去掉它只导入数据。"
        raise DataRefusal("sas7bcat.damaged", text, {"name": name}) from error


def _decoded(blocks: list[bytes], whole: _Catalogue, codecs: list[str]) -> dict[str, Format]:
    for codec in codecs:
        try:
            formats = [fmt for block in blocks if (fmt := whole.format_of(block, codec, "strict"))]
            break
        except UnicodeDecodeError:
            continue
    else:
        formats = [fmt for block in blocks if (fmt := whole.format_of(block, codecs[0], "replace"))]
    return {fmt.name: fmt for fmt in formats}


class _Catalogue:
    """The bytes of a catalogue: pages with an index (XLSR) of blocks, each block a chain of pieces."""

    def __init__(self, raw: bytes) -> None:
        if not raw.startswith(MAGIC) or len(raw) < 288:
            raise _BrokenError
        self.raw = raw
        self.wide = raw[32] == _OFFSET
        self.pad = 4 if raw[35] == _OFFSET else 0
        self.order = "<" if raw[37] == 1 else ">"
        self.codec = _CODECS.get(raw[70], "cp1252")
        self.start, self.page = self.number("II", 196 + self.pad)
        if not (1024 <= self.start <= 1 << 24 and 1024 <= self.page <= 1 << 24):
            raise _BrokenError
        promised = self.number("Q" if self.wide else "I", 204 + self.pad)[0]
        if promised > (len(raw) - self.start) // self.page:
            raise _BrokenError  # cut off
        self.pages = promised

    def number(self, form: str, place: int, raw: bytes | None = None) -> tuple[Any, ...]:
        return struct.unpack_from(self.order + form, self.raw if raw is None else raw, place)

    def blocks(self) -> list[bytes]:
        """The bytes of every format, in the order of the file."""
        left = 2 * len(self.raw)  # pieces that many entries share are no catalogue any more
        chains = []
        for page, place in sorted(self._index()):
            block = self._chain(page, place)
            left -= len(block)
            if left < 0:
                raise _BrokenError
            chains.append(block)
        return chains

    def _index(self) -> set[tuple[int, int]]:
        first = 856 + 2 * self.pad + (144 if self.wide else 0)
        entries = self._entries(self.start + self.page + first, self.start + 2 * self.page)
        for page in range(3, self.pages):
            begin = self.start + page * self.page
            entries |= self._entries(begin + (32 if self.wide else 16), begin + self.page)
        return entries

    def _entries(self, place: int, end: int) -> set[tuple[int, int]]:
        size = 212 + self.pad + (72 if self.wide else 0)
        mark = 50 + self.pad + (24 if self.wide else 0)
        entries = set()
        while place + size <= end:
            if self.raw[place : place + 4] != b"XLSR":
                place += 8  # some entries stand eight bytes later
            if self.raw[place : place + 4] != b"XLSR" or place + mark >= len(self.raw):
                break
            if self.raw[place + mark] == ord("O"):
                form, at = ("Q", 8) if self.wide else ("I", 4)
                entries.add((self.number(form, place + at)[0], self.number("H", place + 2 * at)[0]))
            place += size
        return entries

    def _chain(self, page: int, inside: int) -> bytes:
        head, at, size = (32, 8, 10) if self.wide else (16, 4, 6)
        pieces, visited = [], set()
        while 0 < page <= self.pages and inside > 0:
            place = self.start + (page - 1) * self.page + inside
            if place in visited or place + head > len(self.raw):
                raise _BrokenError
            visited.add(place)
            length = self.number("H", place + size)[0]
            if place + head + length > len(self.raw):
                raise _BrokenError
            pieces.append(self.raw[place + head : place + head + length])
            page, inside = self.number("I", place)[0], self.number("H", place + at)[0]
        return b"".join(pieces)

    def format_of(self, block: bytes, codec: str, errors: str) -> Format | None:
        """None for what labels nothing: informats, empty formats, other entries of the index."""
        if len(block) < 106:
            return None
        flags = self.number("H", 2, block)[0]
        pad = 4 if flags & 0x08 else 0
        if len(block) < (128 if self.wide else 106) + pad:
            return None
        form, places = ("Q", (42, 50, 74)) if self.wide else ("I", (38, 42, 66))
        slots, used, rest = (self.number(form, at + pad, block)[0] for at in places)
        shift = self.number("I", 124 + pad, block)[0] if self.wide else self.number("H", 104 + pad, block)[0]
        start = (138 if self.wide else 106) + (pad and pad + 16)
        name = block[8:16]
        if flags & (0x20 if self.wide else 0x80):
            name, start = block[start : start + 32], start + 32
        title = name.decode(codec, errors).strip("\0 ").upper()
        if not used or start > len(block) or title.startswith("@"):
            return None
        if rest > used:
            raise _BrokenError
        made = Format(title, ranged=rest > 0)
        self._labels(made, block[start:], (slots, used, rest - 1, shift), (codec, errors))
        return made

    def _labels(self, fmt: Format, raw: bytes, counts: tuple[int, int, int, int], words: tuple[str, str]) -> None:
        slots, used, rest, shift = counts
        if slots > len(raw) // 6 or used > slots + (rest >= 0):
            raise _BrokenError
        entries: dict[int, tuple[int, int]] = {}
        place = 0
        for i in range(slots):
            length = 6 + self.number("H", place + 2, raw)[0]
            if i < used:
                entries[self.number("I", place + 10 + self.pad, raw)[0]] = (place, length)
            place += length
        for i in range(used):
            length = self.number("H", place + 8, raw)[0]
            label = raw[place + 10 : place + 10 + length].decode(*words).strip("\0 ")
            place += 11 + length
            if i == rest:
                continue
            if i not in entries:
                raise _BrokenError
            at, size = entries[i]
            if fmt.name.startswith("$"):
                fmt.labels[raw[at + 22 + shift : at + size].decode(*words).strip("\0").rstrip()] = label
            elif size >= 38 and raw[at + 22 : at + 30] != raw[at + 30 : at + 38]:
                fmt.ranged = True
            elif (value := _number(raw[at + 22 : at + 30])) is not None:
                fmt.labels[value] = label


def _number(raw: bytes) -> float | str | None:
    """Numbers stand with the sign turned and, if positive, all bits; missing values with their letter; None: `.`."""
    (bits,) = struct.unpack(">Q", raw)
    if bits | 0xFF0000000000 == 0xFFFFFFFFFFFF:
        tag = bits >> 40
        letter = "_" if tag == 0 else chr(ord("A") + tag - 2) if 2 <= tag < 28 else chr(tag)
        return letter if is_special(letter) else None
    (value,) = struct.unpack(">d", raw)
    if value > 0:
        (value,) = struct.unpack(">d", struct.pack(">Q", bits ^ 0xFFFFFFFFFFFFFFFF))
        return float(value)
    return float(-value) + 0.0
