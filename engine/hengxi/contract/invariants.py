"""What can never be true of a printed number. A breach stops the report: an error is better than a wrong table."""

from __future__ import annotations

from typing import Any

import numpy as np

from .facts import Broken, plain
from .tables import ColumnSpec, Format, Table

# Rounding of the last bits is no breach; it is set right silently.
SLACK = 1e-9


def check_cell(value: Any, spec: ColumnSpec, where: str) -> Any:
    """One value against its column's rule; inside the slack it is moved onto the bound."""
    form: Format | None = spec.column.part_format or spec.column.format
    if value is None or form not in ("integer", "num", "pvalue", "percent"):
        return value
    if isinstance(value, str):
        if value in ("inf", "-inf") and form != "pvalue":
            return value
        raise Broken(f"{where}: {value!r} is no number")
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Broken(f"{where}: {value!r} is no number")
    if spec.column.format == "integer" and not spec.rule.fractions:
        if abs(value - round(value)) > SLACK * max(1.0, abs(value)):
            raise Broken(f"{where}: {value} is not whole")
        value = round(value)
    least, most = spec.rule.least, spec.rule.most
    if least is not None and value < least:
        return _on_bound(value, least, where)
    if most is not None and value > most:
        return _on_bound(value, most, where)
    return value


def check_cells(values: Any, spec: ColumnSpec, where: str) -> list[Any]:
    """A whole column at once; one by one only where something needs a closer look."""
    if isinstance(values, list) and spec.column.format == "text" and all(type(value) is str for value in values):
        return values
    if not isinstance(values, np.ndarray) or values.dtype.kind not in "fiu":
        return [check_cell(plain(value, where), spec, where) for value in values]
    rule = spec.rule
    is_plain = np.isfinite(values).all() and (spec.column.format != "integer" or values.dtype.kind in "iu")
    if len(values) and rule.least is not None:
        is_plain = is_plain and bool(values.min() >= rule.least)
    if len(values) and rule.most is not None:
        is_plain = is_plain and bool(values.max() <= rule.most)
    cells: list[Any] = values.tolist()
    return cells if is_plain else [check_cell(plain(value, where), spec, where) for value in cells]


def _on_bound(value: float, bound: float, where: str) -> float:
    if abs(value - bound) > SLACK * max(1.0, abs(bound)):
        raise Broken(f"{where}: {value} lies beyond {bound}")
    return bound


def check_row(table: Table, cells: dict[str, Any]) -> None:
    """Bounds in order, and around their estimate where that is declared."""
    for spec in table.all_columns.values():
        if spec.column.format != "interval" or spec.column.parts is None or spec.column.parts[0] not in cells:
            continue
        low, high = (_bound(cells.get(part)) for part in spec.column.parts)
        where = f"“{table.title}”.{spec.column.key}"
        if low is not None and high is not None and low > high + SLACK * max(1.0, abs(low)):
            raise Broken(f"{where}: lower bound {low} above upper bound {high}")
        middle = _bound(cells.get(spec.column.around)) if spec.column.around and spec.rule.inside else None
        if middle is None:
            continue
        slack = SLACK * max(1.0, abs(middle))
        if (low is not None and middle < low - slack) or (high is not None and middle > high + slack):
            raise Broken(f"{where}: [{low}, {high}] does not hold the estimate {middle}")


def _bound(value: Any) -> float | None:
    return None if value is None else float(value)


def check_sums(table: Table, rows: list[Any]) -> None:
    """Percentages add to 1 within their group (totals and indented rows aside), or nothing of the group is given."""
    for key, spec in table.columns.items():
        within = spec.rule.sums_within
        if within is None:
            continue
        sums: dict[tuple[Any, ...], float] = {}
        for row in rows:
            value = row.cells.get(key)
            if value is not None and not row.total and row.depth == 0:
                group = tuple(row.cells.get(name) for name in within)
                sums[group] = sums.get(group, 0.0) + float(value)
        for group, total in sums.items():
            if abs(total - 1) > 1e-6:
                raise Broken(f"“{table.title}”.{key}: {group} adds to {total}, not to 1")
