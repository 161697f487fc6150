"""Numbers that are names of columns."""

from __future__ import annotations

import re
from itertools import pairwise

from hengxi.data.readings import NUMBER

_NUMBER = re.compile(NUMBER)
_YEAR = re.compile(r"(?:19|20)\d\d")


def are_years(line: list[str], below: list[list[str]]) -> bool:
    """Years over figures (地区, 2020, 2021): all numbers of the line are years at even steps, those below are not."""
    places = [i for i, cell in enumerate(line) if _NUMBER.fullmatch(cell.strip())]
    years = [int(cell) for i in places if _YEAR.fullmatch(cell := line[i].strip())]
    steps = {later - year for year, later in pairwise(years)}
    if len(years) < 2 or len(years) < len(places) or len(steps) > 1 or 0 in steps:
        return False
    cells = [row[i].strip() for row in below for i in places if len(row) > i and row[i].strip()]
    return 2 * sum(bool(_YEAR.fullmatch(cell)) for cell in cells) < len(cells)
