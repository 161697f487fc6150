"""The head of a delimited text as a table: names, labels, the rows below, and what its columns look like."""

from __future__ import annotations

from typing import Any

from hengxi.data import decide
from hengxi.data.clock_texts import are_clocks
from hengxi.data.delimited.sniff import HEAD, Sniffed, is_short, sniff
from hengxi.data.formats import Job
from hengxi.data.names import tidy
from hengxi.data.notes import notes_at_end
from hengxi.data.questionnaire import headers


def look(job: Job) -> dict[str, Any]:
    """The preview: the first rows under the given settings."""
    sniffed = sniff(job.path, job.settings, job.partial)
    header, _, rows = header_of(sniffed)
    width = named_width(header, rows)
    names, _ = tidy(header[:width])
    columns = []
    for place, name in enumerate(names):
        cells = [row[place] for row in rows if len(row) == len(header) and row[place].strip()]
        columns.append({"name": name, **outlook(cells)})
    whole = not job.partial and job.path.stat().st_size <= HEAD
    rows = rows[: len(rows) - len(notes_at_end(rows, len(header)))] if whole else rows
    return {
        "settings": sniffed.settings.wire(),
        "candidates": sniffed.candidates,
        "columns": columns,
        "rows": [row[:width] + [""] * (width - len(row)) for row in rows[:50]],
        "total_rows": len(rows) if whole else None,
    }


def outlook(cells: list[str]) -> dict[str, str]:
    """Measure as it looks from the first rows; the import decides on all of them."""
    plan = decide.guess(cells)
    if plan.kind in ("int", "float"):
        return {"measure": "定量", "why": "前几行是数字"}
    if plan.dates:
        return {"measure": "时间", "why": "前几行是日期"}
    if cells and are_clocks(cells):
        return {"measure": "定量", "why": "前几行是时刻或时长"}
    few = len(set(cells)) <= 20
    return {"measure": "定类" if few else "文本", "why": f"前几行有 {len(set(cells))} 个不同取值"}


def header_of(sniffed: Sniffed) -> tuple[list[str], list[str | None], list[list[str]]]:
    """(names, labels, rows below). DataRefusal `csv.header_only` never here: a preview may be empty."""
    place = sniffed.settings.header_row
    if place and len(sniffed.head) >= place and sniffed.head[place - 1]:
        lines = sniffed.head[place - 1 : place - 1 + sniffed.settings.header_rows]
        rows = [row for row in sniffed.head[place - 1 + len(lines) :] if row]
        names, labels = headers.join(lines)
        fit = fitted(names, rows)
        return fit, [*[None] * (len(fit) - len(names)), *labels], rows
    rows = [row for row in sniffed.head[max(place, 0) :] if row]
    width = max((len(row) for row in rows[:100]), default=0)
    return [""] * width, [None] * width, rows


ROW_NAMES = "行名"


def fitted(header: list[str], rows: list[list[str]]) -> list[str]:
    """The header without separators at its end that the rows do not have, and with a name for the row names of R."""
    if is_short(header, rows):
        return [ROW_NAMES, *header]
    named = len(header) - _blanks_at_end(header)
    return header[:named] if named and {len(row) for row in rows if row} == {named} else header


def named_width(header: list[str], rows: list[list[str]]) -> int:
    """Columns before those that only a separator at the end of every line makes: no name and, so far, no cell."""
    width = len(header)
    if not _blanks_at_end(header):
        return max(width, 1)
    blank = min([_blanks_at_end(header), *(_blanks_at_end(row) for row in rows if len(row) == width)])
    return max(width - blank, 1)


def _blanks_at_end(cells: list[str]) -> int:
    return next((count for count, cell in enumerate(reversed(cells)) if cell.strip()), len(cells))
