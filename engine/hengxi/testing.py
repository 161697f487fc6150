"""What the tests beside a method share: run it on a small table, and read its report.

Not imported by the product.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
import pytest

from hengxi import registry
from hengxi.contract import Refusal
from hengxi.data.table import Table
from hengxi.jobs.other_tables import TableHandle, choice_of
from hengxi.prepare import read_table, run_on_frame


def other_tables(*frames: pd.DataFrame) -> TableHandle:
    """What a `dataset` field may name, for `kept={"right": other_tables(frame)}`: 表1 has the vid 1."""
    tables = [read_table(frame, {}) for frame in frames]
    return TableHandle([(choice_of(vid, f"表{vid}", table), table) for vid, table in enumerate(tables, 1)])


Elements = list[dict[str, Any]]
AROUND = ("filter", "split", "weight", "fill_missing", "kept", "assets")
"""What goes to the platform, unless the method's form has a field of that name (the weight of a frequency table)."""


class Trial:
    """A method with the table, form and measures its tests start from.

    `form` and `measures` of a call go over those given here; measures of columns a table lacks are left out.
    """

    def __init__(
        self,
        path: str,
        frame: pd.DataFrame | Table | None = None,
        form: Mapping[str, Any] | None = None,
        measures: Mapping[str, str] | None = None,
        *,
        strict: bool = True,
    ) -> None:
        self.path, self.frame, self.form, self.measures = path, frame, dict(form or {}), dict(measures or {})
        self.strict = strict

    def document(
        self, frame: pd.DataFrame | Table | None = None, measures: Mapping[str, str] | None = None, **form: Any
    ) -> dict[str, Any]:
        """The whole report; raises `Refusal`."""
        table = self.frame if frame is None else frame
        fields = registry.load(self.path).Input
        around = {key: form.pop(key) for key in AROUND if key in form and not hasattr(fields, key)}
        kinds = {**self.measures, **(measures or {})}
        if isinstance(table, pd.DataFrame):
            kinds = {name: kind for name, kind in kinds.items() if name in table.columns}
        else:
            kinds = {}
        return run_on_frame(self.path, table, {**self.form, **form}, measures=kinds, strict=self.strict, **around)

    def report(
        self, frame: pd.DataFrame | Table | None = None, measures: Mapping[str, str] | None = None, **form: Any
    ) -> Elements:
        """Elements of the first part."""
        elements: Elements = self.document(frame, measures, **form)["parts"][0]["elements"]
        return elements

    def refused(
        self, frame: pd.DataFrame | Table | None = None, measures: Mapping[str, str] | None = None, **form: Any
    ) -> Refusal:
        """The refusal; fails where there is none."""
        with pytest.raises(Refusal) as caught:
            self.document(frame, measures, **form)
        return caught.value


def element(elements: Elements, name: str) -> dict[str, Any]:
    """The element declared under this name."""
    return next(e for e in elements if e.get("name") == name)


def cells(elements: Elements, name: str) -> list[list[Any]]:
    """Rows of all tables of this name, as they stand; none where the table was left out."""
    return [row for e in elements if e["type"] == "table" and e["name"] == name for row in e["rows"]]


def records(elements: Elements, name: str) -> list[dict[str, Any]]:
    """The same rows by key of the column; a column of several parts (an interval) gives each part its key."""
    rows = []
    for table in (e for e in elements if e["type"] == "table" and e["name"] == name):
        for line in table["rows"]:
            row: dict[str, Any] = {}
            for column, cell in zip(table["columns"], line, strict=True):
                parts = column["parts"]
                row |= dict(zip(parts, cell or [None] * len(parts), strict=True)) if parts else {column["key"]: cell}
            rows.append(row)
    return rows


def said(elements: Elements) -> str:
    """Every sentence, line by line, places for facts not filled."""
    return "\n".join(e["text"] for e in elements if e["type"] in ("lead", "text", "check", "warning"))


def check(elements: Elements, title: str) -> dict[str, Any]:
    """The assumption of this title."""
    return next(e for e in elements if e["type"] == "check" and e["title"] == title)


def warnings(elements: Elements) -> list[str]:
    """Codes of the warnings."""
    return [e["code"] for e in elements if e["type"] == "warning"]
