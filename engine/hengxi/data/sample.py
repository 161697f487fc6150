"""Which rows stand behind a report's account of its sample: used, filtered out, or missing something it needs."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from hengxi.data.arrays import Bools
from hengxi.data.table import Table

Which = Literal["used", "filtered", "missing"]


def sample_mask(table: Table, ask: dict[str, Any]) -> Bools:
    """`{set, filter: {condition, filter_type} | null, columns, weight, only}` → the rows of that set.

    `columns` are those in which a missing cell drops the row, `weight` drops where it is missing or not positive;
    `only` asks for the gaps of one column. The same order as a run: filter, then weight, then missing.
    """
    which: Which = ask.get("set") or "used"
    kept = filter_mask(table, ask.get("filter"))
    if which == "filtered":
        return ~kept
    only = ask.get("only")
    asked = [column for column in ask.get("columns") or [] if only in (None, column)]
    gaps = np.zeros(table.rows, dtype=np.bool_)
    for column in asked:
        gaps |= _gaps(table, column, column == ask.get("weight"))
    return kept & (gaps if which == "missing" else ~gaps)


def filter_mask(table: Table, given: dict[str, Any] | None) -> Bools:
    """`{condition, filter_type: keep | drop}` or None → the rows that stay.

    Dropping keeps the rows where the condition is missing: only what surely matches goes.
    """
    if not given:
        return np.ones(table.rows, dtype=np.bool_)
    holds = table.mask(given["condition"])
    return ~holds if given.get("filter_type") == "drop" else holds


def _gaps(table: Table, column: str, is_weight: bool) -> Bools:
    if not is_weight:
        return table.missing(column)
    with np.errstate(invalid="ignore"):
        return ~(table.numeric(column) > 0)
