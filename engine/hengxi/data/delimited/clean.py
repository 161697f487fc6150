"""A faulty text file → a regular UTF-8 csv: rows whose quotes or fields do not fit.

Slow and careful (one Python step per line); only files that are not regular come here. Nothing is repaired silently:
every row that was joined, padded, read literally or left out is counted and sampled.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from hengxi.data.delimited.sniff import Settings
from hengxi.data.refusal import DataRefusal
from hengxi.data.workbook.areas import Area

MAX_JOIN = 50
"""A field in quotes may run over this many lines; a quote that closes later is taken for a stray sign."""


def cut(path: Path, settings: Settings, area: Area, out: Path, tick: Callable[[float], None]) -> None:
    """The rows and columns of `area` of a UTF-8 file, written as the file is; UnicodeDecodeError where it is none."""
    size = max(path.stat().st_size, 1)
    how = {"quotechar": settings.quote} if settings.quote else {"quoting": csv.QUOTE_NONE}
    csv.field_size_limit(16 << 20)
    with path.open("rb") as raw, out.open("w", encoding="utf-8", newline="") as sink:
        source = io.TextIOWrapper(raw, encoding="utf-8-sig", newline="")
        write = csv.writer(sink, delimiter=settings.delimiter, lineterminator="\n", **how).writerow
        for number, row in enumerate(csv.reader(source, delimiter=settings.delimiter, **how)):
            if area.bottom is not None and number >= area.bottom:
                return
            if number >= area.top:
                write(area.row(row, 0))
            if number % 20_000 == 0:
                tick(raw.tell() / size)


@dataclass
class BadRow:
    line: int
    fields: int
    text: str


MOST_PLACES = 10_000
"""So many lines are remembered of each kind."""


@dataclass
class Cleaned:
    """`bad`: the first row left out; the counts say what was done to the others, `places` on which lines.

    Of rows left out `short` and `long` are those with too few and too many fields.
    """

    rows: int = 0
    skipped: int = 0
    short: int = 0
    long: int = 0
    extra: int = 0
    literal: int = 0
    joined: int = 0
    padded: int = 0
    trimmed: int = 0
    blank: int = 0
    bad: BadRow | None = None
    places: dict[str, list[int]] = field(default_factory=dict)

    def place(self, what: str, line: int) -> None:
        held = self.places.setdefault(what, [])
        if len(held) < MOST_PLACES:
            held.append(line)


class Cleaner:
    """Rows of exactly `columns` fields out of lines, by the mode in `settings.on_bad_row`."""

    def __init__(self, settings: Settings, columns: int) -> None:
        self.settings, self.columns = settings, columns
        self.done = Cleaned()
        self.keeps_extra = settings.on_bad_row == "extra"
        """Whether what a row has too much goes into a column of its own, behind the others."""

    def run(self, path: Path, start: int, first_line: int, out: Path, tick: Callable[[float], None]) -> Cleaned:
        """Writes the regular rows to `out` (comma, double quote, no header)."""
        size = max(path.stat().st_size, 1)
        with path.open("rb") as source, out.open("w", encoding="utf-8", newline="") as sink:
            source.seek(start)
            write = csv.writer(sink, lineterminator="\n").writerow
            for fields in self._rows(_Lines(source, first_line)):
                write([*fields, ""] if self.keeps_extra and len(fields) == self.columns else fields)
                self.done.rows += 1
                if self.done.rows % 20_000 == 0:
                    tick(source.tell() / size)
        return self.done

    def _rows(self, lines: _Lines) -> Iterator[list[str]]:
        for line in lines:
            if not line and self.columns > 1:
                self.done.blank += 1
                continue
            fields = self._whole(line, lines)
            if fields is not None:
                yield fields

    def _whole(self, line: str, lines: _Lines) -> list[str] | None:
        """The row that begins with this line, or None after recording it as bad."""
        number, quote = lines.number, self.settings.quote
        if not quote or line.count(quote) % 2 == 0:
            return self._fit(line, number, lines)
        alone = self._split(line)
        if alone is not None and len(alone) == self.columns:  # a sign inside a field, as in 5" pipe
            self.done.literal += 1
            self.done.place("literal", number)
            return alone
        text = line
        for following in lines.ahead(MAX_JOIN):
            text += "\n" + following
            if text.count(quote) % 2 == 0:
                fields = self._split(text)
                if fields is not None and len(fields) == self.columns:
                    lines.skip(text.count("\n"))
                    return fields
        return self._literal(line, number)

    def _fit(self, line: str, number: int, lines: _Lines) -> list[str] | None:
        fields = self._split(line)
        if fields is None:
            return self._literal(line, number)
        if len(fields) == self.columns:
            return fields
        extra = fields[self.columns :]
        if len(fields) > self.columns and not any(cell.strip() for cell in extra):
            self.done.trimmed += 1
            return fields[: self.columns]
        if len(fields) < self.columns:
            return self._short(line, fields, number, lines)
        return self._literal(line, number)

    def _short(self, line: str, fields: list[str], number: int, lines: _Lines) -> list[str] | None:
        """Too few fields: with the user's leave, joined with the next lines (a break inside a cell) or padded."""
        mode = self.settings.on_bad_row
        if mode == "repair":
            text = line
            for following in lines.ahead(MAX_JOIN):
                text += "\n" + following
                joined = text.split(self.settings.delimiter)
                if len(joined) > self.columns:
                    break
                if len(joined) == self.columns and self._alone(following):
                    lines.skip(text.count("\n"))
                    self.done.joined += 1
                    self.done.place("joined", number)
                    return joined
        if mode in ("pad", "repair", "extra"):
            self.done.padded += 1
            self.done.place("padded", number)
            return fields + [""] * (self.columns - len(fields))
        self._bad(number, len(fields), line)
        return None

    def _alone(self, line: str) -> bool:
        """A line that is no row by itself may be the rest of the one before."""
        fields = self._split(line)
        return fields is None or len(fields) != self.columns

    def _literal(self, line: str, number: int) -> list[str] | None:
        """Quotes taken as ordinary signs, if that gives the right number of fields."""
        fields = line.split(self.settings.delimiter)
        if len(fields) == self.columns:
            self.done.literal += 1
            self.done.place("literal", number)
            return fields
        whole = self._split(line) or fields
        if self.keeps_extra and len(whole) > self.columns:
            self.done.extra += 1
            self.done.place("extra", number)
            return [*whole[: self.columns], self.settings.delimiter.join(whole[self.columns :])]
        if self.keeps_extra:
            self.done.padded += 1
            self.done.place("padded", number)
            return whole + [""] * (self.columns - len(whole))
        self._bad(number, len(whole), line)
        return None

    def _bad(self, number: int, count: int, line: str) -> None:
        done = self.done
        done.skipped += 1
        done.bad = done.bad or BadRow(number, count, line[:200])
        done.place("skipped", number)
        if count < self.columns:
            done.short += 1
            done.place("short", number)
        else:
            done.long += 1
            done.place("long", number)

    def _split(self, text: str) -> list[str] | None:
        quote = self.settings.quote
        try:
            if not quote:
                return text.split(self.settings.delimiter)
            return next(csv.reader([text], delimiter=self.settings.delimiter, quotechar=quote, strict=True), [""])
        except csv.Error:
            return None


class _Lines:
    """Lines without their ends, counted, with a look ahead."""

    def __init__(self, source: object, first_line: int) -> None:
        self._source = iter(source)  # type: ignore[call-overload]
        self._next: list[str] = []
        self.number = first_line - 1

    def __iter__(self) -> Iterator[str]:
        while True:
            line = self._next.pop(0) if self._next else self._read()
            if line is None:
                return
            self.number += 1
            yield line

    def _read(self) -> str | None:
        raw = next(self._source, None)
        if raw is None:
            return None
        if len(raw) > 16 << 20:
            raise DataRefusal(
                "csv.line", f"第 {self.number + 1:,} 行超过 16 MB，可能缺少配对的引号。", {"line": self.number + 1}
            )
        text: str = raw.decode("utf-8").rstrip("\r\n")
        return text

    def ahead(self, most: int) -> Iterator[str]:
        """Following lines without consuming them."""
        for i in range(most):
            if len(self._next) <= i:
                line = self._read()
                if line is None:
                    return
                self._next.append(line)
            yield self._next[i]

    def skip(self, count: int) -> None:
        """Consumes lines that were seen by `ahead`."""
        del self._next[:count]
        self.number += count
