"""Merged cells of the body: only the first of them holds the value, which may stand for all of its rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

BLANK, FILL = "blank", "fill"
"""The setting `merged`."""
Span = tuple[int, int, int]
"""First row, column, last row, counted from 0."""
_Range = tuple[tuple[int, int], tuple[int, int]]


def spans_of(merged: Iterable[_Range], first: int) -> list[Span]:
    """Merged cells that reach down over rows of the body, which begins in row `first`."""
    return sorted((top, left, bottom) for (top, left), (bottom, _) in merged if top >= first and bottom > top)


def filled(rows: Iterable[list[Any]], first: int, left: int, spans: list[Span]) -> Iterator[list[Any]]:
    """Rows, the first of which is row `first` and begins in column `left`, with the value in all rows of a span."""
    waiting = iter(spans)
    upcoming = next(waiting, None)
    open_spans: dict[int, tuple[Any, int]] = {}
    for place, row in enumerate(rows, first):
        for column, (value, bottom) in list(open_spans.items()):
            if place > bottom:
                del open_spans[column]
            elif 0 <= column - left < len(row):
                row[column - left] = value
        while upcoming is not None and upcoming[0] <= place:
            top, column, bottom = upcoming
            if top == place and 0 <= column - left < len(row):
                open_spans[column] = row[column - left], bottom
            upcoming = next(waiting, None)
        yield row
