"""Columns a method makes: written for all rows of the version into a table folder of their own."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract.report import Report
from hengxi.contract.report_shapes import PartGroup
from hengxi.data.build import table_of
from hengxi.data.table import Table

PREVIEW = 8


def spread(cells: Any, rows: Any, total: int) -> np.ndarray[Any, Any]:
    """Cells of the rows used → all rows of the version, missing elsewhere; already spread ones stay."""
    values = np.asarray(cells)
    if len(values) == total and len(rows) != total:
        return values
    gap, kind = (np.nan, np.float64) if values.dtype.kind in "fiub" else (None, object)
    whole: np.ndarray[Any, Any] = np.full(total, gap, dtype=kind)
    whole[rows] = values
    return whole


def write(
    elements: list[dict[str, Any]], report: Report, table: Table, rows: Any, key: str | None, group: PartGroup | None
) -> None:
    """Turn what `lay_out` left in a data element into files and the wire's words. Of a split only the total is kept."""
    columns_by_element = {e["name"]: e.pop("columns_made") for e in elements if "columns_made" in e}
    if not columns_by_element:
        return
    everything = {
        name: spread(cells, rows, table.rows)
        for columns in columns_by_element.values()
        for name, cells in columns.items()
    }
    described = described_as(everything, key if group is None or group.total else None)
    for element in elements:
        if element.get("name") not in columns_by_element:
            continue
        names = list(columns_by_element[element["name"]])
        columns = [ref for ref in described if ref["name"] in names]
        present = [_present(everything[name]) for name in names]
        changed = np.logical_or.reduce(present) if present else np.zeros(0, dtype=bool)
        first = np.flatnonzero(changed)[:PREVIEW]
        element |= {
            "vid": None,
            "kept": key if group is None or group.total else None,
            "table": False,
            "filled": None,
            "rows": table.rows,
            "columns": columns,
            "changed": int(changed.sum()),
            "preview": [[_cell(everything[name][i]) for name in names] for i in first],
            "step": None,
        }


def _present(values: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    return ~np.isnan(values) if values.dtype.kind == "f" else np.array([v is not None for v in values], dtype=bool)


def _cell(value: Any) -> Any:
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return None
    return value.item() if isinstance(value, np.generic) else value


def described_as(columns: dict[str, np.ndarray[Any, Any]], key: str | None) -> list[dict[str, Any]]:
    """Written where a key was given; described either way."""
    if key is not None:
        from hengxi.data.append import write_columns

        described = write_columns(key, columns).columns
    else:
        # Nobody keeps them: their kind shows in the first rows.
        some = {name: [_cell(value) for value in values[:1000].tolist()] for name, values in columns.items()}
        described = table_of(some).meta.columns
    return [{"id": c.id, "name": c.name, "label": c.label, "measure": c.measure} for c in described]
