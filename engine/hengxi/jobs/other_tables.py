"""Other tables a form names: opened by the key the server gave, which has asked whose they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hengxi.contract.fields import DatasetField
from hengxi.contract.fields.dataset import TableChoice
from hengxi.contract.method import Method
from hengxi.data.refusal import DataRefusal
from hengxi.data.table import Table


@dataclass
class TableHandle:
    """The tables of one field; one that is gone is not among them."""

    tables: list[tuple[TableChoice, Table]]

    @property
    def choice(self) -> list[TableChoice]:
        return [choice for choice, _ in self.tables]

    @property
    def identity(self) -> list[Any]:
        return [choice.vid for choice in self.choice]

    def table(self, vid: int) -> tuple[TableChoice, Table]:
        return next(one for one in self.tables if one[0].vid == vid)


def read_tables(method: type[Method], given: dict[str, Any]) -> dict[str, TableHandle]:
    """Field key → tables, from `{"right": [{"vid", "name", "key"}]}`."""
    handles: dict[str, TableHandle] = {}
    for key, raw in given.items():
        if not isinstance(method.Input.fields.get(key), DatasetField) or raw is None:
            continue
        handles[key] = raw if isinstance(raw, TableHandle) else TableHandle([*_open(raw)])
    return handles


def _open(raw: list[dict[str, Any]]) -> list[tuple[TableChoice, Table]]:
    found = []
    for one in raw:
        try:
            table = Table.open(one["key"])
        except DataRefusal:
            continue
        found.append((choice_of(int(one["vid"]), str(one["name"]), table), table))
    return found


def choice_of(vid: int, name: str, table: Table) -> TableChoice:
    return TableChoice(vid, name, table.rows, table.meta.columns)  # type: ignore[arg-type]
