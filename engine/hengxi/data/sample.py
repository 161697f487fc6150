"""Which rows stand behind a report's account of its sample: used, filtered out, or missing something it needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from hengxi.contract.fields.level import kind_and_value
from hengxi.data.arrays import Bools, Ints
from hengxi.data.evaluate import rows_where
from hengxi.data.meta import Level
from hengxi.data.table import Table

Which = Literal["used", "filtered", "missing"]


def sample_mask(table: Table, ask: dict[str, Any]) -> Bools:
    """`{set, filter: {condition, filter_type} | null, chosen, columns, either, weight, only}` → the rows of that set.

    `columns` are those in which a missing cell drops the row, `either` those of which all must be missing for that,
    `weight` drops where it is missing or not positive; `only` asks for the gaps of one column. `chosen`: the levels
    of a column that are compared, all others are filtered out. The order is that of a run: filter,
    weight, missing.
    """
    which: Which = ask.get("set") or "used"
    mask = filter_mask(table, ask.get("filter"))
    if (chosen := ask.get("chosen")) is not None:
        mask &= in_levels(*table.codes(chosen["column"]), chosen["values"])
    if which == "filtered":
        return ~mask
    only = ask.get("only")
    asked = [column for column in ask.get("columns") or [] if only in (None, column)]
    gaps = np.zeros(table.rows, dtype=np.bool_)
    for column in asked:
        gaps |= _gaps(table, column, column == ask.get("weight"))
    either = ask.get("either") or []
    if either and only is None:
        gaps |= np.logical_and.reduce([table.missing(column) for column in either])
    elif only is not None and only in either:
        gaps |= table.missing(only)
    return mask & (gaps if which == "missing" else ~gaps)


def in_levels(codes: Ints, levels: Sequence[Level], values: Sequence[Any]) -> Bools:
    """Rows of these levels, and those of none: whether a gap drops a row is asked elsewhere."""
    wanted = {kind_and_value(value) for value in values}
    places = [i for i, level in enumerate(levels) if kind_and_value(level.value) in wanted]
    found: Bools = np.isin(codes, [-1, *places])
    return found


def filter_mask(table: Table, given: dict[str, Any] | None) -> Bools:
    """`{condition, filter_type: keep | drop}` or None → the rows that stay.

    Dropping keeps the rows where the condition is missing: only what surely matches goes.
    """
    if not given:
        return np.ones(table.rows, dtype=np.bool_)
    holds = rows_where(table, given["condition"])
    return ~holds if given.get("filter_type") == "drop" else holds


def _gaps(table: Table, column: str, is_weight: bool) -> Bools:
    if not is_weight:
        return table.missing(column)
    with np.errstate(invalid="ignore"):
        return ~(table.numeric(column) > 0)
