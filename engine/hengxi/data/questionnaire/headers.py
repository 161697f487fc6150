"""Headers of two lines: questions above their options, or codes above their wording."""

from __future__ import annotations

import re

from hengxi.data.readings import MISSING_TOKENS, NUMBER

_NUMBER = re.compile(NUMBER)
_CODE = re.compile(r"[A-Za-z][A-Za-z0-9]{0,15}(?:[_.-][A-Za-z0-9]{1,8}){0,3}")
_WORDS = re.compile(r"[\u3400-\u9fff]|\s")
LOOK = 200


def rows_of_header(rows: list[list[str]], line: int) -> int:
    """1, or 2 where the line below the header `line` (from 1) belongs to it."""
    if line <= 0 or len(rows) < line + 3:
        return 1
    first, second = _cells(rows[line - 1]), _cells(rows[line])
    width = len(first)
    below = [_cells(row) for row in rows[line + 1 : line + 1 + LOOK] if len(row) == width]
    if len(second) != width or len(below) < 2:
        return 1
    if any(_NUMBER.fullmatch(cell) or cell in MISSING_TOKENS for cell in second if cell):
        return 1
    numeric = [i for i in range(width) if _numeric([row[i] for row in below])]
    if len([i for i in numeric if second[i]]) < 2 or not (_grouped(first, second) or _coded(first, second)):
        return 1
    return 2


def _cells(row: list[str]) -> list[str]:
    return [cell.strip() for cell in row]


def _numeric(cells: list[str]) -> bool:
    full = [cell for cell in cells if cell and cell not in MISSING_TOKENS]
    return bool(full) and sum(1 for cell in full if _NUMBER.fullmatch(cell)) >= 0.8 * len(full)


def _grouped(first: list[str], second: list[str]) -> bool:
    """Blanks of the first line stand beside a question and above an option."""
    blank = [i for i, cell in enumerate(first) if not cell]
    return bool(blank) and blank[0] > 0 and all(second[i] for i in blank) and len(set(second)) > 1


def _coded(first: list[str], second: list[str]) -> bool:
    worded = sum(1 for cell in second if _WORDS.search(cell))
    return all(_CODE.fullmatch(cell) for cell in first) and all(second) and worded >= 0.5 * len(second)


def join(first: list[str], second: list[str]) -> tuple[list[str], list[str | None]]:
    """(names, labels): `5、用过哪些(微信)` for options, the code with its wording as label for coded headers."""
    first, second = _cells(first), _cells(second)
    filled = list(first)
    for i in range(1, len(filled)):
        filled[i] = filled[i] or (filled[i - 1] if second[i] else "")
    if all(first):
        return first, [cell or None for cell in second]
    shared = {cell for cell in filled if filled.count(cell) > 1}
    names = [
        f"{top}({low})" if top in shared and low and low != top else top or low
        for top, low in zip(filled, second, strict=True)
    ]
    labels = [None if top in shared or low == top else low or None for top, low in zip(filled, second, strict=True)]
    return names, labels
