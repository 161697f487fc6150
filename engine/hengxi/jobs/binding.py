"""The columns of a run: cells of the rows used, gaps filled, each column made once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from hengxi.contract.columns import Column
from hengxi.contract.expressions import Expression
from hengxi.contract.few_values import FewValues, few_values
from hengxi.contract.fields.dataset import OtherTable, TableChoice
from hengxi.contract.method import Method
from hengxi.contract.models import KeptModel
from hengxi.data.arrays import RAW, decoded, one_chunk
from hengxi.data.levels import is_missing
from hengxi.data.table import Table
from hengxi.jobs import artifacts, processing
from hengxi.jobs.other_tables import TableHandle
from hengxi.jobs.rows import Fill, Used


class Filled:
    """A table's cells with gaps filled in some columns."""

    def __init__(self, table: Table, fills: dict[str, Fill]) -> None:
        self._table, self._fills = table, fills

    @property
    def rows(self) -> int:
        return self._table.rows

    def numeric(self, column_id: str) -> Any:
        made = self._fills.get(column_id)
        return self._table.numeric(column_id) if made is None or made.numbers is None else made.numbers

    def few(self, column_id: str) -> FewValues | None:
        made = self._fills.get(column_id)
        return self._table.few(column_id) if made is None or made.numbers is None else few_values(made.numbers)

    def codes(self, column_id: str) -> Any:
        made = self._fills.get(column_id)
        codes, levels = self._table.codes(column_id)
        return (codes if made is None or made.codes is None else made.codes), levels

    def text(self, column_id: str) -> Any:
        fill = self._fills.get(column_id)
        if fill is None or fill.codes is None:
            return self._table.text(column_id)
        labels = np.array([str(level.value) for level in self._table.codes(column_id)[1]], dtype=object)
        return labels[fill.codes]

    def missing_kinds(self, column_id: str) -> Any:
        return self._table.missing_kinds(column_id)

    def physical(self, column_id: str) -> Any:
        source = self._table.source
        return source.array(column_id), source.array(column_id + RAW) if source.has(column_id + RAW) else None

    def identities(self, column_id: str) -> Any:
        encoded = one_chunk(pa.chunked_array([decoded(self._table.array(column_id))]).dictionary_encode("mask"))
        return encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)

    def cell(self, column_id: str, row: int) -> Any:
        column = self._table.column(column_id)
        value = self._table.cells(column_id, np.array([row]))[0]
        if value is None or value != value or is_missing(value, column.missing):
            return None
        return value if isinstance(value, str | int | float) else str(value).removesuffix(" 00:00:00")

    def release(self) -> None:
        self._table.source.release()


class Binder:
    """Gives `run` its columns in the rows used; each column is made once."""

    def __init__(
        self,
        table: Table,
        used: Used,
        resolved: dict[str, Any],
        method: type[Method],
        models: dict[str, artifacts.Handle | TableHandle],
        assets: dict[str, Any],
    ) -> None:
        self._models, self._assets = models, assets
        self._cells, self._table, self._used = Filled(table, used.fills), table, used
        self._resolved, self._fields = resolved, method.Input.fields
        self._made: dict[str, Column] = {}
        self._others: dict[tuple[str, int], OtherTable] = {}
        whole = len(used.rows) == table.rows
        self._rows = None if whole else used.rows

    def column(self, column_id: str, table: str | None = None) -> Column:
        if table is not None:
            other = self.other_table(table, self._resolved[table]["vid"])
            found: Column = next(column for column in other.columns if column.id == column_id)
            return found
        if column_id not in self._made:
            self._made[column_id] = Column(self._table.column(column_id), self._cells, self._rows)  # type: ignore[arg-type]
        return self._made[column_id]

    def whole(self) -> OtherTable:
        """The table itself; columns are read when they are asked for."""
        rows = len(self._used.rows)
        columns = [self.column(column.id) for column in self._table.meta.columns]
        return OtherTable(TableChoice(0, "", rows, [column.info for column in columns]), columns)

    def formula(self, source: str, kind: str) -> Expression:
        return processing.formula(self._table, self._rows, source, kind, self.column)

    def kept_model(self, key: str, resolved: dict[str, Any]) -> KeptModel:
        handle = self._models[key]
        assert isinstance(handle, artifacts.Handle)
        return artifacts.bind_model(handle, resolved, self.column)

    def other_table(self, key: str, vid: int) -> OtherTable:
        if (key, vid) not in self._others:
            handle = self._models[key]
            assert isinstance(handle, TableHandle)
            choice, table = handle.table(vid)
            cells = Filled(table, {})
            columns = [Column(info, cells, None) for info in choice.columns]
            self._others[key, vid] = OtherTable(choice, columns)
        return self._others[key, vid]

    def asset(self, key: str) -> Any:
        return self._assets[key]

    def columns(self, key: str) -> list[Column]:
        return [self.column(column_id) for column_id in self._fields[key].column_ids(self._resolved[key])]
