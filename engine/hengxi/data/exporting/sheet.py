"""The data sheet of a workbook as XML, whole blocks of rows at a time.

A library that takes cells one by one needs four minutes for twenty million of them. So it writes the workbook around
an empty sheet (styles, widths, the codebook), and the rows are put between its head and its end here.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import pyarrow as pa

LEVEL = 1
"""Compression: the next levels cost three times the time for a tenth of the size."""
_PART = "xl/worksheets/sheet1.xml"
_STYLED = re.compile(r'<c r="([A-Z]+)(\d+)" s="(\d+)"/>')
_ROWS = re.compile(r"<sheetData\s*/>|<sheetData>.*</sheetData>", re.DOTALL)
_DIMENSION = re.compile(r'<dimension ref="[^"]*"/>')
_SPECIAL = re.compile(r"[&<>\x00-\x08\x0b-\x1f\ufffe\uffff]|_x[0-9A-Fa-f]{4}_")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


@dataclass
class Column:
    """The cells of a column in one block, each in at most one of the two; missing in both is no cell at all."""

    numbers: pa.Array | None
    words: pa.Array | None


def styles(skeleton: Path) -> dict[tuple[str, int], str]:
    """Number of the style of each blank cell of the first sheet, by letters of the column and row."""
    with zipfile.ZipFile(skeleton) as book:
        text = book.read(_PART).decode()
    return {(letters, int(row)): style for letters, row, style in _STYLED.findall(text)}


def fill(skeleton: Path, target: Path, last: str, blocks: Iterable[pa.Buffer]) -> None:
    """Copies a workbook; the rows of its first sheet become the `blocks`. `last`: address of the last cell."""
    with (
        zipfile.ZipFile(skeleton) as old,
        zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as new,
        ThreadPoolExecutor(1) as pool,
    ):
        for entry in old.infolist():
            if entry.filename != _PART:
                new.writestr(entry, old.read(entry), zipfile.ZIP_DEFLATED)
        text = _DIMENSION.sub(f'<dimension ref="A1:{last}"/>', old.read(_PART).decode())
        head, tail = _ROWS.split(text)
        with new.open(_PART, "w", force_zip64=True) as sheet:
            sheet.write(f"{head}<sheetData>".encode())
            pending = None
            for block in blocks:  # the next block is made while this one is being compressed
                if pending is not None:
                    pending.result()
                pending = pool.submit(sheet.write, block)
            if pending is not None:
                pending.result()
            sheet.write(f"</sheetData>{tail}".encode())


def rows(first: int, columns: list[Column], letters: list[str], style: list[str | None]) -> pa.Buffer:
    """Rows of the sheet from number `first` on (the header is row 1), as UTF-8."""
    height = next((len(one) for column in columns for one in (column.numbers, column.words) if one is not None), 0)
    frame = pl.DataFrame({"row": pl.int_range(first, first + height, eager=True).cast(pl.String)})
    parts: list[pl.Expr] = [pl.lit('<row r="'), pl.col("row"), pl.lit('">')]
    for column, name, look in zip(columns, letters, style, strict=True):
        begin = f'<c r="{name}'
        ready: list[pl.Series] = []
        if column.numbers is not None:
            shown = f'" s="{look}"><v>' if look else '"><v>'
            values = pl.Series(column.numbers).cast(pl.String)
            if column.words is None and values.null_count() == 0:
                frame = frame.with_columns(values.alias(name))
                parts += [pl.lit(begin), pl.col("row"), pl.lit(shown), pl.col(name), pl.lit("</v></c>")]
                continue
            ready.append(_joined(frame, begin, shown, values, "</v></c>"))
        if column.words is not None:
            ready.append(_joined(frame, begin, '"', _inline(column.words), ""))
        cells = ready[0] if len(ready) == 1 else pl.select(pl.coalesce(ready)).to_series()
        frame = frame.with_columns(cells.fill_null("").alias(name))
        parts.append(pl.col(name))
    lines = frame.select(pl.concat_str([*parts, pl.lit("</row>")])).to_series()
    return _bytes(lines)


def _joined(frame: pl.DataFrame, begin: str, middle: str, values: pl.Series, end: str) -> pl.Series:
    """Cells with their addresses; null where the value is."""
    cell = pl.concat_str([pl.lit(begin), pl.col("row"), pl.lit(middle), pl.col("value"), pl.lit(end)])
    return frame.with_columns(values.alias("value")).select(cell).to_series()


def _inline(words: pa.Array) -> pl.Series:
    """What follows the address of a cell that holds a text; each different text is made once."""
    encoded = words.dictionary_encode()
    made = pa.array([_text(word) for word in encoded.dictionary.to_pylist()], pa.large_string())
    return pl.Series(made.take(encoded.indices), dtype=pl.String)


def _text(word: str) -> str:
    kept = ' xml:space="preserve"' if word != word.strip() else ""
    return f' t="inlineStr"><is><t{kept}>{escaped(word)}</t></is></c>'


def escaped(word: str) -> str:
    """Markup as entities; what XML cannot hold as the workbook's own `_x0001_`, and so the look of such a thing."""
    return _SPECIAL.sub(_escape, word)


def _escape(found: re.Match[str]) -> str:
    sign = found.group()
    if len(sign) > 1:
        return f"_x005F{sign}"
    return _ENTITIES.get(sign) or f"_x{ord(sign):04X}_"


def _bytes(lines: pl.Series) -> pa.Buffer:
    """All texts one after the other."""
    array = lines.to_arrow().cast(pa.large_string())
    _, ends, data = array.buffers()
    if data is None:
        return pa.py_buffer(b"")
    edges = memoryview(ends).cast("q")
    return data.slice(edges[array.offset], edges[array.offset + len(array)] - edges[array.offset])
