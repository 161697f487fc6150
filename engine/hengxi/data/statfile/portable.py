"""Our own reader of SPSS portable files (por): pyreadstat takes their text for single letters and drops user-missing.

The layout is the one that PSPP documents: lines of 80 bytes, numbers with base 30, text with its length in front. Read
piece by piece; nothing in the file can make it hold more than one window and one chunk of rows.
"""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl

from hengxi.data.delimited.sniff import CODECS, guess_encodings

LINE = 80
SAMPLE = 1 << 20
MAX_TEXT = 32_767
MAX_LABELS = 1_000_000
_PIECE = 1 << 20
_WINDOW = 1 << 16
_HEAD = 464
_KNOWN = 65_536
_TAG = b"SPSSPORT"
_PLAIN = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz .<(+|&[]!$*);^-/\0,%_>?`:#@'=\""
"""What the 256 bytes in front of the tag stand for, from the 64th on."""
_NUMBER = re.compile(rb" *(?:(\*)\.|(-?)([0-9A-T]{0,64})(?:\.([0-9A-T]{0,64}))?(?:([+-])([0-9A-T]{1,3}))?/)")
_FORMS = {
    1: "A", 2: "AHEX", 3: "COMMA", 4: "DOLLAR", 5: "F", 6: "IB", 7: "PIBHEX", 8: "P", 9: "PIB", 10: "PK", 11: "RB",
    12: "RBHEX", 15: "Z", 16: "N", 17: "E", 20: "DATE", 21: "TIME", 22: "DATETIME", 23: "ADATE", 24: "JDATE",
    25: "DTIME", 26: "WKDAY", 27: "MONTH", 28: "MOYR", 29: "QYR", 30: "WKYR", 31: "PCT", 32: "DOT", 33: "CCA",
    34: "CCB", 35: "CCC", 36: "CCD", 37: "CCE", 38: "EDATE", 39: "SDATE", 40: "MTIME", 41: "YMDHMS",
}  # fmt: skip


class BrokenPortableError(ValueError):
    """The bytes are not what the layout says."""


def encodings_of(path: Path) -> list[str]:
    """Encodings that fit the text of the file, best first; all that can be chosen."""
    source = _Bytes(path)
    source.ahead(_HEAD)
    source.at = _HEAD
    sample = source.ahead(SAMPLE)
    return list(dict.fromkeys([*guess_encodings([sample]), "UTF-8", "GB18030", "Big5"]))


class _Bytes:
    """The file as one run of bytes without its line ends. Short lines are filled up: editors cut blanks away."""

    def __init__(self, path: Path) -> None:
        self.path, self.place, self.ended = path, 0, False
        self.buffer, self.at, self.rest = b"", 0, b""
        self.table: bytes | None = None

    def ahead(self, count: int) -> bytes:
        """At least `count` bytes from here, fewer only at the end; `at` stays."""
        while len(self.buffer) - self.at < count and not self.ended:
            self._more()
        return self.buffer[self.at : self.at + count]

    def _more(self) -> None:
        with self.path.open("rb") as file:
            file.seek(self.place)
            piece = file.read(_PIECE)
        self.place, self.ended = self.place + len(piece), not piece
        *lines, self.rest = (self.rest + piece).split(b"\n")
        if self.rest and (self.ended or len(self.rest) > _PIECE):  # a file without line ends is one long line
            lines, self.rest = [*lines, self.rest], b""
        fresh = b"".join([line.rstrip(b"\r").ljust(LINE) for line in lines])
        self.buffer, self.at = self.buffer[self.at :] + (fresh.translate(self.table) if self.table else fresh), 0

    def skip(self, count: int) -> bytes:
        skipped = self.ahead(count)
        if len(skipped) < count:
            raise BrokenPortableError
        self.at += count
        return skipped

    def translated(self, table: bytes) -> None:
        self.table = table
        self.buffer, self.at = self.buffer[self.at :].translate(table), 0


class Portable:
    """One file, read with the face of pyreadstat's functions: `(frame, meta)`. Chunks are read one after the other."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.codec, self.row = "", -1
        self.known: dict[bytes, float | None] = {}

    def read(self, path: Path, **options: Any) -> tuple[pl.DataFrame, Any]:
        """`metadataonly`, or `row_offset` and `row_limit`; `encoding` of the text."""
        codec = CODECS[options["encoding"]]
        offset, limit = options.get("row_offset", 0), options.get("row_limit", 0)
        if options.get("metadataonly") or offset != self.row or codec != self.codec:
            self._open(codec)
        if options.get("metadataonly"):
            return pl.DataFrame(), self.meta
        while self.row < offset and self._rows(min(offset - self.row, 1000)).height:
            pass
        return self._rows(limit), self.meta

    def _open(self, codec: str) -> None:
        self.codec, self.row = codec, 0
        for words in (codec, "utf-8"):
            self.words, self.strange, self.han = words, 0, 0
            self.source = _Bytes(self.path)
            self._head()
            self.meta = self._dictionary()
            if words == "utf-8" or self.strange or not self.han:
                return

    # -- pieces ---------------------------------------------------------------------------------------------------

    def _head(self) -> None:
        """Titles, what the characters stand for, the tag; then version and date."""
        head = self.source.skip(_HEAD)
        table = head[200:456]
        if head[456:464] != _TAG or table[64:74] != b"0123456789":
            wanted = bytearray(range(256))
            for i, letter in enumerate(_PLAIN):
                if letter and (table[64 + i] != table[64] or i == 0):
                    wanted[table[64 + i]] = letter
            if head[456:464].translate(bytes(wanted)) != _TAG:
                raise BrokenPortableError
            self.source.translated(bytes(wanted))
        self.source.skip(1)
        self._bytes()
        self._bytes()

    def _number(self) -> float | None:
        source = self.source
        if len(source.buffer) - source.at < _WINDOW:
            source.ahead(_WINDOW)
        match = _NUMBER.match(source.buffer, source.at)
        if not match:
            raise BrokenPortableError
        source.at = match.end()
        word = match[0]
        if word not in self.known:
            if len(self.known) > _KNOWN:
                self.known.clear()
            self.known[word] = _value(*match.groups())
        return self.known[word]

    def _count(self, most: int) -> int:
        value = self._number()
        if value is None or value != int(value) or not 0 <= value <= most:
            raise BrokenPortableError
        return int(value)

    def _bytes(self) -> bytes:
        length = self._count(MAX_TEXT)
        source = self.source
        if len(source.buffer) - source.at >= length:
            source.at += length
            return source.buffer[source.at - length : source.at]
        return source.skip(length)

    def _cell(self) -> str:
        return self._bytes().decode(self.codec, "replace").rstrip(" ")

    def _text(self) -> str:
        """A name or a label. PSPP writes them in UTF-8 whatever the cells are in: so all are read when all fit."""
        raw = self._bytes()
        if self.words != "utf-8" and not raw.isascii():
            seen = raw.decode("utf-8", "replace")
            self.strange += seen.count("\ufffd")
            self.han += sum("\u4e00" <= letter <= "\u9fff" for letter in seen)
        return raw.decode(self.words, "replace").rstrip(" ")

    # -- dictionary -----------------------------------------------------------------------------------------------

    def _dictionary(self) -> Any:
        meta = SimpleNamespace(
            column_names=[], column_labels=[], variable_value_labels={}, missing_user_values={}, missing_ranges={},
            variable_measure={}, readstat_variable_types={}, original_variable_types={}, variable_storage_width={},
            number_rows=None, file_encoding=self.codec, boundless=[],
        )  # fmt: skip
        labels, promised = 0, -1
        while (tag := self.source.skip(1)) != b"F":
            if tag in b"123":
                self._bytes()
            elif tag == b"4":
                promised = self._count(1_000_000)
            elif tag == b"5":
                self._count(1000)
            elif tag == b"6":
                self._bytes()
            elif tag == b"7":
                self._variable(meta)
            elif tag in b"89ABC":
                self._about(meta, tag)
            elif tag == b"D":
                labels += self._labels(meta, MAX_LABELS - labels)
            elif tag == b"E":
                for _ in range(self._count(1_000_000)):
                    self._bytes()
            else:
                raise BrokenPortableError
        if promised != len(meta.column_names):
            raise BrokenPortableError
        self.texts = [meta.readstat_variable_types[name] == "string" for name in meta.column_names]
        return meta

    def _variable(self, meta: Any) -> None:
        width, name = self._count(MAX_TEXT), self._text()
        form, wide, decimals, *_ = (self._count(100_000) for _ in range(6))
        if not name or len(meta.column_names) > MAX_TEXT:
            raise BrokenPortableError
        stem, n = name, 1
        while name in meta.readstat_variable_types:  # some writers repeat a name
            name, n = f"{stem}_{n}", n + 1
        meta.column_names.append(name)
        meta.column_labels.append(None)
        meta.readstat_variable_types[name] = "string" if width else "double"
        meta.variable_storage_width[name] = width or 8
        meta.original_variable_types[name] = f"{_FORMS.get(form, 'F')}{wide}" + (f".{decimals}" if decimals else "")

    def _about(self, meta: Any, tag: bytes) -> None:
        """Label and user-missing values of the variable before."""
        name = meta.column_names[-1] if meta.column_names else ""
        if tag == b"C":
            meta.column_labels[-1] = self._text()
        elif tag == b"8":
            value = self._value_of(meta, name)
            if value is not None:
                meta.missing_user_values.setdefault(name, []).append(value)
        else:
            low = self._value_of(meta, name) if tag in b"AB" else float("-inf")
            high = self._value_of(meta, name) if tag in b"9B" else float("inf")
            if low == float("inf"):
                meta.boundless.append(name)
            elif isinstance(low, float) and isinstance(high, float):
                meta.missing_ranges.setdefault(name, []).append({"lo": low, "hi": high})

    def _value_of(self, meta: Any, name: str) -> Any:
        return self._text() if meta.readstat_variable_types[name] == "string" else self._number()

    def _labels(self, meta: Any, most: int) -> int:
        names = [self._text() for _ in range(self._count(MAX_TEXT))]
        if not names or any(name not in meta.readstat_variable_types for name in names):
            raise BrokenPortableError
        count = self._count(most // len(names))
        found = {self._value_of(meta, names[0]): self._text() for _ in range(count)}
        found.pop(None, None)
        for name in names:
            meta.variable_value_labels.setdefault(name, {}).update(found)
        return count * len(names)

    # -- rows -----------------------------------------------------------------------------------------------------

    def _rows(self, limit: int) -> pl.DataFrame:
        """The next rows; fewer at the end of the data, which is a Z where a row would begin."""
        columns: list[list[Any]] = [[] for _ in self.texts]
        readers = [self._cell if text else self._number for text in self.texts]
        done = 0
        while done < limit and self.source.ahead(1) not in (b"Z", b""):
            for column, reader in zip(columns, readers, strict=True):
                column.append(reader())
            done += 1
        if done < limit and self.source.ahead(1) != b"Z":
            raise BrokenPortableError  # cut off
        self.row += done
        types = [pl.String if text else pl.Float64 for text in self.texts]
        named = zip(self.meta.column_names, columns, types, strict=True)
        return pl.DataFrame([pl.Series(name, cells, dtype=kind) for name, cells, kind in named])


def _value(none: Any, minus: bytes, whole: bytes, part: bytes | None, sign: Any, power: bytes | None) -> float | None:
    """Exact: whole numbers are divided once, and that is rounded right."""
    if none:
        return None
    digits = whole + (part or b"")
    if not digits:
        raise BrokenPortableError
    exponent = (int(power, 30) if power else 0) * (-1 if sign == b"-" else 1) - len(part or b"")
    if abs(exponent) > 1000:
        raise BrokenPortableError
    number = int(digits, 30)
    try:
        value = float(number * 30**exponent) if exponent >= 0 else number / 30**-exponent
    except OverflowError:  # PSPP rounds the largest number there is upwards
        value = float("inf")
    return -value if minus else value
