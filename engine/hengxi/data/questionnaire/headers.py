"""Headers of several lines: questions above their options, codes above their wording, and a platform's own marks."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from hengxi.contract.missing_tokens import MISSING_TOKENS
from hengxi.data.readings import NUMBER

_NUMBER = re.compile(NUMBER)
_CODE = re.compile(r"[A-Za-z][A-Za-z0-9]{0,15}(?:[_.-][A-Za-z0-9]{1,8}){0,3}")
_WORDS = re.compile(r"[\u3400-\u9fff]|\s")
_MARK = re.compile(r"\{\s*[\"']ImportId[\"']")
"""What Qualtrics writes below the wording, for reading its own files back."""
_SAME = frozenset({"Response", "Open-Ended Response", "回复", "答复", "开放式回复"})
"""Stands below a question of a single column, as if it were an option."""
LOOK = 200
MOST = 3


def rows_of_header(rows: list[list[str]], line: int) -> int:
    """1, or 2 or 3 where lines below the header `line` (from 1) belong to it."""
    if line <= 0:
        return 1
    if place := next((i for i in range(line, min(line + MOST - 1, len(rows))) if _marks(rows[i])), 0):
        return place - line + 2
    if len(rows) < line + 3:
        return 1
    first, second = _cells(rows[line - 1]), _cells(rows[line])
    width = len(first)
    below = [_cells(row) for row in rows[line + 1 : line + 1 + LOOK] if len(row) == width]
    if len(second) != width or len(below) < 2:
        return 1
    if any(_NUMBER.fullmatch(cell) or cell in MISSING_TOKENS for cell in second if cell):
        return 1
    # A gap between two tables beside each other is no question without options.
    held = [i for i in range(width) if first[i] or second[i] or any(row[i] for row in below)]
    first, second, *below = [[row[i] for i in held] for row in (first, second, *below)]
    width = len(held)
    grouped, coded = _grouped(_once(first, second), second), _coded(first, second)
    if grouped and _aside(second, below):
        return 2
    numeric = [i for i in range(width) if _numeric([row[i] for row in below])]
    return 2 if (grouped or coded) and len([i for i in numeric if second[i]]) >= 2 else 1


def is_title(rows: list[list[str]], line: int) -> bool:
    """A single text over the whole table, merged or not, above a line of different names over numbers: it says nothing
    that tells one column from another."""
    if not 0 < line < len(rows) - 1:
        return False
    title, names = _cells(rows[line - 1]), _cells(rows[line])
    below = [_cells(row) for row in rows[line + 1 : line + 1 + LOOK] if len(row) == len(names)]
    if not title or not title[0] or any(title[1:]) or len(names) < 2 or len({*names, ""}) <= len(names):
        return False
    if any(_NUMBER.fullmatch(cell) for cell in names):
        return False
    return any(_numeric([row[i] for row in below]) for i in range(len(names)))


def bounded(given: Any) -> int:
    """The number of lines as it was set."""
    return min(max(int(given), 1), MOST)


def choices(now: int) -> list[int]:
    """Three lines are offered only where there are such."""
    return [1, 2, *([MOST] if now == MOST else [])]


def _cells(row: list[str]) -> list[str]:
    return [cell.strip() for cell in row]


def _marks(row: list[str]) -> bool:
    full = [cell for cell in _cells(row) if cell]
    return bool(full) and all(_MARK.match(cell) for cell in full)


def _numeric(cells: list[str]) -> bool:
    full = [cell for cell in cells if cell and cell not in MISSING_TOKENS]
    return bool(full) and sum(1 for cell in full if _NUMBER.fullmatch(cell)) >= 0.8 * len(full)


def _once(first: list[str], second: list[str]) -> list[str]:
    """A question written above each of its options, as merged cells are filled by some programs: only the first time.

    A code stands above its own wording, even where the next column bears it too.
    """
    pairs = list(zip(first, second, strict=True))
    again = [low and low != left and top == above for (above, left), (top, low) in pairwise(pairs)]
    return first[:1] + [
        "" if same and not _CODE.fullmatch(top) else top for top, same in zip(first[1:], again, strict=True)
    ]


def _grouped(first: list[str], second: list[str]) -> bool:
    """Blanks of the first line stand beside a question and above an option."""
    blank = [i for i, cell in enumerate(first) if not cell]
    return bool(blank) and blank[0] > 0 and all(second[i] for i in blank) and len(set(second)) > 1


def _aside(second: list[str], below: list[list[str]]) -> bool:
    """The columns before the first question tell about the answering: no options, and nearly never blank."""
    start = next((i for i, cell in enumerate(second) if cell), 0)
    return sum(1 for i in range(start) if all(row[i] for row in below)) >= 2


def _coded(first: list[str], second: list[str]) -> bool:
    """Codes above words; what tells about the answering is named alike in both lines, but for a name or two."""
    worded = sum(1 for cell in second if _WORDS.search(cell))
    codes = sum(1 for cell in first if _CODE.fullmatch(cell))
    named = sum(1 for above, below in zip(first, second, strict=True) if _CODE.fullmatch(above) or above == below)
    return named >= 0.8 * len(first) and codes >= 2 and all(second) and worded >= 0.5 * len(second)


def join(lines: list[list[str]]) -> tuple[list[str], list[str | None]]:
    """(names, labels): `5、用过哪些(微信)` for options, the code with its wording as label for coded headers."""
    first, *rest = [_cells(line) for line in lines] or [[]]
    rest = [line for line in rest if len(line) == len(first) and not _marks(line)]
    if not rest:
        return first, [None] * len(first)
    second = [" ".join(" ".join(parts).split()) for parts in zip(*rest, strict=True)]
    first = _once(first, second)
    filled = list(first)
    for i in range(1, len(filled)):
        filled[i] = filled[i] or (filled[i - 1] if second[i] else "")
    if all(first):
        return first, [_label(top, low) for top, low in zip(first, second, strict=True)]
    shared = {cell for cell in filled if cell and filled.count(cell) > 1}
    names = [
        f"{top}({low})" if top in shared and low and low != top else top or low
        for top, low in zip(filled, second, strict=True)
    ]
    return names, [
        None if not top or top in shared else _label(top, low) for top, low in zip(filled, second, strict=True)
    ]


def _label(name: str, wording: str) -> str | None:
    return wording if wording and wording != name and wording not in _SAME else None
