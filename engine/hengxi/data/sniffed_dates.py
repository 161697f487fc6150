"""Dates with the year last, as a setting of the whole file: 03/04/2024 is of March or of April."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from hengxi.data.readings import LATE_DATE, ORDERS
from hengxi.data.refusal import DataRefusal

DATE_ORDERS = ["", *ORDERS]
"""Found out or asked, month first, day first."""
_LATE = re.compile(LATE_DATE)
_SHORTEST = len("1/2/2024")


def has_late_dates(rows: Iterable[Sequence[Any]]) -> bool:
    """Whether the choice is worth showing: some cell of the first rows is such a date."""
    cells = (cell for row in rows for cell in row if isinstance(cell, str) and len(cell) >= _SHORTEST)
    return any(_LATE.match(cell.strip()) for cell in cells)


def date_order(given: Any) -> str:
    """The setting as sent; DataRefusal `settings.date_order` for anything else."""
    if given is None or given in DATE_ORDERS:
        return given or ""
    raise DataRefusal("settings.date_order", "日期写法只能是 月/日/年 或 日/月/年。", {"given": str(given)[:40]})
