"""Columns of a small table as `run` reads them, without a run."""

from __future__ import annotations

from typing import Any

from hengxi.contract import Column, Form
from hengxi.data.table import Table
from hengxi.jobs.binding import Filled


class Binder:
    """All rows of `table`, for a form judged before."""

    def __init__(self, form: type[Form], table: Table, resolved: dict[str, Any]) -> None:
        self._form, self._table, self._resolved = form, table, resolved

    def column(self, column_id: str, table: str | None = None) -> Column:
        return Column(self._table.column(column_id), Filled(self._table, {}), None)  # type: ignore[arg-type]

    def columns(self, key: str) -> list[Column]:
        return [self.column(column_id) for column_id in self._form.fields[key].column_ids(self._resolved[key])]
