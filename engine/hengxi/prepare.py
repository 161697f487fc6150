"""A method on a file or a small table without a server, as the tests and `hengxi.notebook` run it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from hengxi import registry
from hengxi.contract.assets import Assets
from hengxi.contract.fields import Field, LevelField, MatchedField, ModelField, RoleField, SettingsField, WeightField
from hengxi.contract.method import Method
from hengxi.contract.models import Matrix
from hengxi.contract.progress import Progress, no_progress
from hengxi.contract.report_shapes import Report
from hengxi.data import models
from hengxi.data.build import table_of
from hengxi.data.table import Table
from hengxi.jobs import artifacts
from hengxi.jobs.analysis import analyse as run_request
from hengxi.jobs.analysis import plain
from hengxi.jobs.artifacts import Handle
from hengxi.jobs.validation import Filter, Request


def run_on_frame(
    path: str,
    data: str | Path | pd.DataFrame | Table | None,
    form: dict[str, Any],
    *,
    measures: dict[str, str] | None = None,
    strict: bool = False,
    filter: str | dict[str, Any] | None = None,
    split: dict[str, Any] | None = None,
    weight: dict[str, Any] | None = None,
    fill_missing: bool = False,
    **more: Any,
) -> dict[str, Any]:
    """The testing face: names or ids of variables; `measures` overrules the level found, by name.

    `more`: `kept`, `assets` and `progress` of `report_on`.
    """
    table = read_table(data, measures or {})
    around: dict[str, Any] = {"filter": filter, "split": split, "weight": weight, "fill": fill_missing, **more}
    return plain(report_on(path, table, form, strict, **around))


def report_on(
    path: str,
    table: Table,
    form: dict[str, Any],
    strict: bool = False,
    *,
    filter: str | dict[str, Any] | None = None,
    split: dict[str, Any] | None = None,
    weight: dict[str, Any] | None = None,
    fill: bool = False,
    kept: dict[str, Any] | None = None,
    assets: Assets | None = None,
    progress: Progress = no_progress,
) -> Report:
    """The report before it becomes plain dicts. `kept`: field key → a model made by `trained`; `assets`: what
    dictionary and upload fields name."""
    method = registry.load(path)
    ids = ids_by_name(table)
    named = {key: value for key, value in form.items() if not key.startswith("_")}
    request = Request(
        path=path,
        form=to_ids(method, named, ids),
        filter=Filter.read(form.get("_filter", filter)),
        split=_one(form.get("_split", split), ids),
        weight=_one(form.get("_weight", weight), ids),
        fill_missing=fill,
        models=dict(kept or {}),
        assets=dict(assets or {}),
    )
    return run_request(request, table, progress, strict=strict)


def trained(path: str, data: Any, form: dict[str, Any], name: str = "模型", **around: Any) -> Handle:
    """A model made by a method, as a form that names it would get it; nothing is written."""
    fitted: list[Handle] = []
    with artifacts.hearing(lambda one: fitted.append(artifacts.handle_of(one.card, one.arrays, name))):
        report_on(path, read_table(data, around.pop("measures", {})), form, **around)
    return fitted[0]


def answers(handle: Handle) -> Callable[[Matrix], Matrix]:
    """What a model made by `trained` says to rows × features, after it was packed and unpacked."""
    method: Any = registry.load(handle.card.path)
    fitted = method.unpack(models.open_arrays(handle.arrays), handle.card)
    return lambda matrix: method.predict(fitted, matrix)


def read_table(data: str | Path | pd.DataFrame | Table | None, measures: dict[str, str]) -> Table:
    """A frame as a small table in memory; a file through the importer's own typing."""
    if isinstance(data, Table):
        return data
    if data is None:
        return table_of({})
    if isinstance(data, pd.DataFrame):
        return table_of(_cells(data), measures)
    from hengxi.data.files import open_file

    table = open_file(Path(data))
    return _with_measures(table, measures)


def _cells(frame: pd.DataFrame) -> dict[str, list[Any]]:
    return {str(name): [None if pd.isna(v) else v for v in frame[name].tolist()] for name in frame.columns}


def _with_measures(table: Table, measures: dict[str, str]) -> Table:
    if not measures:
        return table
    # Typed anew in memory, because another measure needs other levels.
    every = np.arange(table.rows)
    return table_of({column.name: table.cells(column.id, every) for column in table.meta.columns}, measures)


def ids_by_name(table: Table) -> dict[str, str]:
    return {column.name: column.id for column in table.meta.columns}


def _one(raw: dict[str, Any] | None, ids: dict[str, str]) -> dict[str, Any] | None:
    return None if raw is None else {**raw, "column": ids.get(raw["column"], raw["column"])}


def to_ids(method: type[Method], form: dict[str, Any], ids: dict[str, str]) -> dict[str, Any]:
    """Names of variables in a form → ids; what is an id already stays."""
    return {key: _field_ids(method.Input.fields.get(key), value, ids) for key, value in form.items()}


def _field_ids(field: Field | None, value: Any, ids: dict[str, str]) -> Any:
    def name(one: Any) -> Any:
        if isinstance(one, dict) and isinstance(one.get("columns"), list):
            return {**one, "columns": [name(column) for column in one["columns"]]}
        return ids.get(one, one) if isinstance(one, str) else one

    match field:
        case MatchedField():
            own = {slot.key for slot in field.slots if slot.table is None}
            return [{key: name(one) if key in own else one for key, one in row.items()} for row in value or []]
        case RoleField() if field.table is not None:
            return value
        case RoleField() | WeightField():
            if isinstance(field, RoleField) and field.many:
                return [name(one) for one in ([value] if isinstance(value, str) else value or [])]
            return name(value)
        case SettingsField():
            return [{**row, "for": name(row["for"])} for row in value or []]
        case ModelField() if isinstance(value, dict):
            return {**value, "columns": {k: name(v) for k, v in (value.get("columns") or {}).items()}}
        case LevelField() | None:
            return value
        case _ if field.type == "within" and isinstance(value, dict):
            return _within_ids(value, name)
        case _ if field.type == "blocks":
            return [
                {**one, "columns": [name(inner) for inner in one["columns"]]} if isinstance(one, dict) else name(one)
                for one in value or []
            ]
        case _ if field.type == "matched":
            return [{slot: name(one) for slot, one in row.items()} for row in value or []]
        case _ if field.type == "paths" and isinstance(value, dict):
            edges = [{**e, "source": name(e["source"]), "target": name(e["target"])} for e in value.get("edges") or []]
            return {**value, "edges": edges}
        case _:
            return _deep(value, name) if field.type in ("terms", "cases", "timeline") else value


def _within_ids(value: dict[str, Any], name: Callable[[Any], Any]) -> dict[str, Any]:
    """Wide: the names of factors and levels stay, even where a variable is called the same."""
    single = dict.fromkeys(("subject", "value"))
    return {
        key: name(inner) if key in single else [name(one) for one in inner] if isinstance(inner, list) else inner
        for key, inner in value.items()
    }


def _deep(value: Any, name: Callable[[Any], Any]) -> Any:
    """Terms and cases hold ids inside lists and as keys."""
    match value:
        case dict():
            return {name(key): _deep(inner, name) if key not in ("preset",) else inner for key, inner in value.items()}
        case list():
            return [_deep(inner, name) for inner in value]
        case _:
            return value if not isinstance(value, str) else name(value)
