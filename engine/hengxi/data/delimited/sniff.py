"""Guesses about a delimited text file from its first and some later bytes: encoding, separator, quote, header row."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from hengxi.contract.missing_tokens import MISSING_TOKENS
from hengxi.data.delimited.double_bytes import are_accents, commonness
from hengxi.data.delimited.headings import are_years
from hengxi.data.delimited.wide import wide_of
from hengxi.data.questionnaire import headers
from hengxi.data.readings import GROUPED, NUMBER
from hengxi.data.refusal import DataRefusal
from hengxi.data.sniffed_dates import DATE_ORDERS, date_order, has_late_dates
from hengxi.data.workbook.areas import Area, area_of

HEAD = 256 * 1024
SAMPLE = 64 * 1024
AREA_HEAD = 8 << 20
"""A part of the file must begin within these bytes, so that it can be looked at."""
DELIMITERS = (",", "\t", ";", "|")
RARE = (" ", ":", "^", "~", "\x01")
"""Tried where none of the usual signs separates anything; runs of spaces separate once."""
CODECS = {
    "UTF-8": "utf-8",
    "GB18030": "gb18030",
    "Big5": "big5hkscs",
    "UTF-16LE": "utf-16-le",
    "UTF-16BE": "utf-16-be",
    "Latin-1": "cp1252",
}
TRUST = 10
"""Characters beyond ASCII that must decode for each that does not, so that the encoding is not in doubt."""
_CONTINUED = bytes(range(0x80, 0xC0))
"""Bytes of UTF-8 that are no first byte of a character."""
_NUMBER = re.compile(NUMBER)
_ANNOUNCED = re.compile(r'"?sep=([^\w\s"]|\t)"?\r?\n', re.IGNORECASE)
"""The first line by which spreadsheet programs tell each other the separator; no row of the table."""
_GROUPED = re.compile(GROUPED)
_COMMA_NUMBER = re.compile(r"[+-]?\d+,\d+(?:[eE][+-]?\d{1,3})?")


@dataclass
class Settings:
    """The 识别条 of a text file. `header_row` counts lines from 1, 0 = no header; `header_rows`: with those below.

    `date_order`: how 03/04/2024 is read – mdy, dmy, or "" = found out from the cells, else asked.
    `range`: A3:F40, the part that is read (rows are records); lines of the header count from its first row.
    `escape`: what stands before a quote inside quotes – "" = it is written twice, else a backslash (R's write.table).
    `on_bad_row`: refuse | repair | skip | pad | extra (a column of what rows have too much); `nul`: refuse | drop.
    `broken`: refuse | replace bytes that do not decode, where they are too many to be replaced without asking.
    """

    encoding: str = "UTF-8"
    delimiter: str = ","
    quote: str = '"'
    escape: str = ""
    decimal: str = "."
    date_order: str = ""
    header_row: int = 1
    header_rows: int = 1
    on_bad_row: str = "refuse"
    nul: str = "refuse"
    broken: str = "refuse"
    range: str = ""

    @property
    def is_plain(self) -> bool:
        """Whether a file may be read as it lies."""
        return self.encoding == "UTF-8" and self.nul != "drop" and not self.escape

    def wire(self) -> dict[str, Any]:
        return asdict(self)


@dataclass
class Sniffed:
    settings: Settings
    candidates: dict[str, Any]
    head: list[list[str]]
    """The first rows, split with these settings (line 1 first)."""


def sniff(path: Path, given: dict[str, Any], partial: bool = False) -> Sniffed:
    """Settings (what the user `given` wins), the alternatives for each, and the head of the file."""
    settings = Settings()
    chosen = {key: value for key, value in given.items() if value is not None and hasattr(settings, key)}
    samples = _samples(path, partial)
    encodings = guess_encodings(samples)
    settings.encoding = _known(chosen.get("encoding") or encodings[0])
    text = decode(samples[0], settings.encoding)
    settings.quote = str(chosen.get("quote", '"'))
    settings.escape = str(chosen.get("escape", "\\" if _is_escaped(text, settings.quote) else ""))
    if settings.escape not in ("", "\\"):
        raise DataRefusal("csv.settings", "引号内的引号只能写两遍，或在前面加反斜杠。", {})
    slashed = bool(settings.quote) and "\\" + settings.quote in text
    text = unescaped(text, settings)
    announced = _ANNOUNCED.match(text)
    guessed = announced[1] if announced else _delimiter(text, settings.quote)
    settings.delimiter = str(chosen.get("delimiter") or guessed)
    signs = settings.delimiter + settings.quote
    if len(settings.delimiter) != 1 or len(settings.quote) > 1 or settings.delimiter in "\r\n" + settings.quote:
        raise DataRefusal("csv.settings", "分隔符和引号必须是各一个字符，且不能相同。", {})
    if not signs.isascii():
        raise DataRefusal("csv.settings", "分隔符和引号必须是英文（半角）字符。", {})
    text = squeezed(text) if settings.delimiter == " " else text
    area = area_of(chosen.get("range"))
    settings.range = area.text
    if area.whole:
        rows = split(text, settings.delimiter, settings.quote, not partial and path.stat().st_size <= HEAD)
    else:
        rows = _rows_of(path, settings, area, partial)
    header = chosen.get("header_row")
    above = 1 if announced and area.whole else 0
    line = header_line(rows[above:]) if header is None else int(header)
    settings.header_row = line + above if header is None and line else line
    settings.header_row += header is None and headers.is_title(rows, settings.header_row)
    lines = chosen.get("header_rows")
    settings.header_rows = (
        headers.rows_of_header(rows, settings.header_row) if lines is None else headers.bounded(lines)
    )
    settings.decimal = str(chosen.get("decimal") or _decimal(rows, settings))
    settings.date_order = date_order(chosen.get("date_order"))
    settings.on_bad_row = str(chosen.get("on_bad_row", "refuse"))
    settings.nul = str(chosen.get("nul", "refuse"))
    settings.broken = str(chosen.get("broken", "refuse"))
    candidates = {
        "encoding": list(dict.fromkeys([*encodings, *CODECS])),
        "delimiter": list(dict.fromkeys([*DELIMITERS, " ", settings.delimiter])),
        "quote": ['"', "'", ""],
        **({"escape": ["", "\\"]} if slashed else {}),
        "decimal": [".", ","],
        **({"date_order": DATE_ORDERS} if has_late_dates(rows) else {}),
        "header_row": [0, *range(1, min(len(rows), 10) + 1)],
        "header_rows": headers.choices(settings.header_rows),
        "range": list(dict.fromkeys(["", settings.range])),
        "garbled": garbled(samples[0], settings.encoding, encodings),
    }
    return Sniffed(settings, candidates, rows)


def is_table(path: Path) -> bool:
    """Whether a text is a table beyond doubt: lines that one sign splits into the same number of cells."""
    try:
        sniffed = sniff(path, {})
    except DataRefusal:
        return False
    rows = [row for row in sniffed.head if row]
    width = Counter(map(len, rows)).most_common(1)[0] if rows else (0, 0)
    return sniffed.settings.delimiter in DELIMITERS and width[0] > 1 and len(rows) > 1 and width[1] >= 0.95 * len(rows)


def _is_escaped(text: str, quote: str) -> bool:
    """Whether in a quoted cell a quote follows a backslash amid a word: `\\"hi`. `C:\\",` ends it, `\\""` is JSON."""
    if not quote or "\\" + quote not in text:
        return False
    sign = re.escape(quote)
    return re.search(rf"(?:^|[,;|\s]){sign}[^{sign}\n]*\\{sign}[^\s,;|{sign}]", text) is not None


def unescaped(text: str, settings: Settings) -> str:
    """The text with every quote inside quotes written twice."""
    return text.replace("\\" + settings.quote, settings.quote * 2) if settings.escape and settings.quote else text


def _rows_of(path: Path, settings: Settings, area: Area, partial: bool) -> list[list[str]]:
    """The first rows of a part of the file. DataRefusal `csv.range` where none begins within the first megabytes."""
    with path.open("rb") as file:
        text = unescaped(decode(file.read(AREA_HEAD), settings.encoding), settings)
    text = squeezed(text) if settings.delimiter == " " else text
    whole = not partial and path.stat().st_size <= AREA_HEAD
    rows = split(text, settings.delimiter, settings.quote, whole, area.top + 2000)
    part = [area.row(row, 0) for row in rows[area.top : area.bottom]]
    if not any(cell.strip() for row in part for cell in row):
        far = "" if whole else f"（起始行要在文件的前 {AREA_HEAD >> 20} MB 之内）"
        raise DataRefusal("csv.range", f"{area.text} 中没有数据，请检查区域{far}。", {"range": area.text})
    return part


def _known(encoding: str) -> str:
    found = {name.lower(): name for name in CODECS}.get(str(encoding).lower().replace("gbk", "gb18030"))
    if found is None:
        raise DataRefusal("csv.settings", f"不认识编码“{encoding}”。", {"encoding": encoding})
    return found


def _samples(path: Path, partial: bool) -> list[bytes]:
    """The head, and of a whole large file four later pieces: the first Chinese cell may come late."""
    size = path.stat().st_size
    with path.open("rb") as file:
        samples = [file.read(HEAD)]
        if size > HEAD and not partial:
            for part in range(1, 5):
                file.seek(max(HEAD, size * part // 4 - SAMPLE))
                samples.append(file.read(SAMPLE))
    return samples


def guess_encodings(samples: list[bytes]) -> list[str]:
    """Encodings that fit, best first."""
    head = samples[0]
    if head.startswith(codecs.BOM_UTF8):
        return ["UTF-8"]
    if head.startswith(codecs.BOM_UTF16_LE):
        return ["UTF-16LE"]
    if head.startswith(codecs.BOM_UTF16_BE):
        return ["UTF-16BE"]
    zeros = head.count(0)
    if zeros > len(head) // 5:
        return ["UTF-16LE", "UTF-16BE"] if head[1::2].count(0) > head[0::2].count(0) else ["UTF-16BE", "UTF-16LE"]
    if wide := wide_of(head):
        return [wide, "UTF-8"]
    if all(_is_utf8(sample, i > 0) for i, sample in enumerate(samples)):
        return ["UTF-8"]
    if _is_nearly_utf8(samples):
        return ["UTF-8", "GB18030", "Big5"]
    if are_accents(head):
        return ["Latin-1", "GB18030", "UTF-8"]
    scores = {name: sum(commonness(s, name) for s in samples) for name in ("GB18030", "Big5")}
    best = sorted(scores, key=lambda name: -scores[name])
    if scores[best[0]] > 0:
        return [*best, "UTF-8"]
    # No everyday Chinese at all: where the bytes are none either, the accents of western Europe.
    return ["GB18030", "Latin-1", "UTF-8"] if _is_gb18030(head) else ["Latin-1", "GB18030", "UTF-8"]


def _is_utf8(sample: bytes, cut_start: bool) -> bool:
    """Whether bytes decode; a piece may begin and end inside a character (a cell may be longer than the piece)."""
    if cut_start:
        sample = sample[:3].lstrip(_CONTINUED) + sample[3:]
    try:
        codecs.getincrementaldecoder("utf-8")("strict").decode(sample, final=False)
    except UnicodeDecodeError:
        return False
    return True


def _is_nearly_utf8(samples: list[bytes]) -> bool:
    """A broken byte among many whole characters of UTF-8, which hardly arise by chance."""
    decoders = [codecs.getincrementaldecoder("utf-8")("replace") for _ in samples]
    text = "".join(decoder.decode(sample) for decoder, sample in zip(decoders, samples, strict=True))
    broken = text.count("\ufffd")
    whole = len(text) - len(text.encode("ascii", "ignore")) - broken
    return whole >= TRUST * max(broken, 1)


def _is_gb18030(head: bytes) -> bool:
    try:
        codecs.getincrementaldecoder("gb18030")("strict").decode(head, final=False)
    except UnicodeDecodeError:
        return False
    return True


def decode(sample: bytes, encoding: str) -> str:
    """Text for looking at: bad bytes as U+FFFD, no byte-order mark."""
    return sample.decode(CODECS[encoding], errors="replace").removeprefix("\ufeff")


def garbled(head: bytes, encoding: str, fitting: list[str]) -> dict[str, Any]:
    """The first line with foreign characters in three encodings; `suspicious` if the chosen one shows nonsense."""
    wide = encoding.startswith("UTF-16")
    lines = [head] if wide else head.split(b"\n")[:2000]
    line = next((item for item in lines if any(byte > 0x7F for byte in item[:400])), None)
    if line is None:
        return {"suspicious": False, "lines": []}
    names = list(dict.fromkeys([encoding, *fitting, "UTF-8", "GB18030", "Big5"]))[:3]
    shown = [{"encoding": name, "text": decode(line[:400], name).strip().split("\n")[0][:120]} for name in names]
    whole = decode(head[: HEAD - 8], encoding)
    return {"suspicious": bool(re.search("[\ufffd\ue000-\uf8ff]", whole[:-4])), "lines": shown}


def split(text: str, delimiter: str, quote: str, whole: bool, most: int = 2000) -> list[list[str]]:
    """The first rows of a text, split; the last line is left out unless the text is `whole`."""
    lines = io.StringIO(text, newline="")
    quoting = {"quoting": csv.QUOTE_NONE} if not quote else {"quotechar": quote}
    rows: list[list[str]] = []
    csv.field_size_limit(1 << 20)
    try:
        for row in csv.reader(lines, delimiter=delimiter, **quoting):
            rows.append(row)
            if len(rows) >= most:
                return rows
    except csv.Error:
        pass
    return rows if whole or len(rows) < 2 else rows[:-1]


def _delimiter(text: str, quote: str) -> str:
    """The separator that splits most lines into the same number (> 1) of fields."""
    best, score = ",", 0.0
    for delimiter in DELIMITERS:
        rows = [row for row in split(text, delimiter, quote, False, 100) if row]
        counts = Counter(len(row) for row in rows if len(row) > 1)
        if not counts:
            continue
        width, times = counts.most_common(1)[0]
        rate = times / len(rows) + min(width, 50) / 1000
        if rate > score:
            best, score = delimiter, rate
    return best if score else _rare(text, quote) or best


def _rare(text: str, quote: str) -> str | None:
    """A sign that splits the first and nearly all lines alike: times of day in a single column do not."""
    for delimiter in RARE:
        lines = squeezed(text) if delimiter == " " else text
        rows = [row for row in split(lines, delimiter, quote, False, 100) if row]
        if rows and is_short(rows[0], rows[1:]):
            rows = rows[1:]
        width = len(rows[0]) if rows else 0
        if width > 1 and len(rows) > 1 and sum(1 for row in rows if len(row) == width) >= 0.95 * len(rows):
            return delimiter
    return None


def squeezed(text: str) -> str:
    """Runs of spaces as one, none at the ends of lines."""
    return re.sub(r"(?m)^ +| +(?=\r?$)", "", re.sub(" +", " ", text))


def squeeze_file(source: Path, out: Path) -> None:
    """The same for a UTF-8 file, line by line."""
    with source.open("rb") as old, out.open("wb") as new:
        while line := old.readline(16 << 20):
            new.write(
                squeezed(line.decode("utf-8", errors="surrogateescape")).encode("utf-8", errors="surrogateescape")
            )


def header_line(rows: list[list[str]]) -> int:
    """Line of the header: the first line as wide as the table whose cells are names; 0 if that line holds data."""
    if not rows:
        return 1
    width = Counter(len(row) for row in rows if row).most_common(1)
    usual = width[0][0] if width else 1
    full = [row for row in rows if len(row) == usual]
    if len(full) > 1 and usual > 2 and all(row[-1].strip() == "" for row in full):
        usual -= 1  # every data row ends with a separator, the header does not
    if is_short(rows[0], [row for row in rows[1:] if row]):
        return 1
    filled = [sum(1 for cell in row if cell.strip()) for row in rows[:20]]
    # One cell alone over a wider table is its title.
    least = 2 if usual > 2 and any(n > 1 for n in filled) else 1
    place = next((i for i, row in enumerate(rows[:20]) if len(row) >= usual and filled[i] >= least), 0)
    first, below = rows[place], rows[place + 1 : place + 200]
    if not below:
        return place + 1
    if are_years(first, below):
        return place + 1
    numeric_here = numeric_below = named = 0
    for i, name in enumerate(first):
        cell = name.strip()
        texts = [row[i].strip() for row in below if len(row) > i]
        column = [text for text in texts if text and text not in MISSING_TOKENS]
        numbers = bool(column) and sum(1 for c in column if _NUMBER.fullmatch(c)) >= 0.8 * len(column)
        # A lone point is no name: some programs write it for a missing number.
        is_number = bool(_NUMBER.fullmatch(cell)) or cell == "."
        numeric_below += numbers
        numeric_here += is_number and numbers
        named += numbers and not is_number and cell != ""
    return 0 if numeric_here and not named else place + 1


def is_short(header: list[str], rows: list[list[str]]) -> bool:
    """Whether the header lacks one cell, as where R writes the names of the rows: all rows have one more, each its own.

    A separator at the end of every row makes an empty last cell instead; numbers in the header are no names.
    """
    if len(header) < 2 or len(rows) < 2 or not all(header) or {len(row) for row in rows} != {len(header) + 1}:
        return False
    names = [row[0] for row in rows]
    ended = all(not row[-1].strip() for row in rows)
    numbered = names == [str(i + 1) for i in range(len(names))]
    own = len(set(names)) == len(names) and (numbered or not any(_NUMBER.fullmatch(name) for name in names))
    # A title above a table: its first row holds the names, where numbers follow.
    titled = any(
        _NUMBER.fullmatch(two) and not _NUMBER.fullmatch(one) for one, two in zip(rows[0], rows[1], strict=True)
    )
    return own and not ended and not titled and not any(_NUMBER.fullmatch(cell.strip()) for cell in header)


def _decimal(rows: list[list[str]], settings: Settings) -> str:
    """A comma only where another sign separates, numbers are written with commas, and points at most group digits."""
    if settings.delimiter == ",":
        return "."
    cells = [cell.strip() for row in rows[settings.header_row : 200] for cell in row]
    commas = sum(1 for cell in cells if _COMMA_NUMBER.fullmatch(cell))
    points = sum(1 for cell in cells if "." in cell and _NUMBER.fullmatch(cell) and not _GROUPED.fullmatch(cell))
    return "," if commas > 0 and points == 0 else "."
