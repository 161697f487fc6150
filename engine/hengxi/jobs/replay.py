"""Steps done once, done again on another table: on an edited version, on a new upload. All of them, or none."""

from __future__ import annotations

import re
import secrets
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from hengxi.contract.fields import Field, FormulaField, MatchedField, ModelField, RoleField, SettingsField, WeightField
from hengxi.contract.method import Method, Processing
from hengxi.contract.progress import Progress, no_progress
from hengxi.contract.refusal import Fault, Refusal
from hengxi.contract.shapes import ColumnRef
from hengxi.data import append, cells, edits, replacing, shaping, store
from hengxi.data.refusal import DataRefusal
from hengxi.data.table import Table
from hengxi.jobs.analysis import analyse, plain
from hengxi.jobs.validation import Request, method_of

_COLUMN = re.compile(r"\{\s*(c[1-9][0-9]*)\s*\}")
_ID = re.compile(r"c[1-9][0-9]*")


@dataclass
class Done:
    """What one step did."""

    table: str
    rows: int
    columns: int
    added: list[ColumnRef]
    changed: int
    left_out: str | None = None
    cells: list[dict[str, Any]] | None = None
    """What a step of cells wrote, where, over what."""
    weight: dict[str, Any] | None = None
    """What the version is weighted by from the step on, where the step says so."""
    cells_gone: int = 0
    """Cells whose case is not in the data now."""
    told: dict[str, Any] | None = None
    """What a replacement changed, or an act on rows and columns as it is remembered now."""


def run_replay(payload: dict[str, Any], progress: Progress = no_progress) -> dict[str, Any]:
    """A run of kind "replay": `{table, steps, tables, first?}` → `{tables, steps, columns}`.

    A `title` is what a person calls the step, its `number` the place it has in the list that the person sees, which
    still holds what is to be deleted.
    A step that does not fit refuses the whole.
    """
    steps, keys = list(payload["steps"]), list(payload["tables"])
    if len(steps) != len(keys):
        raise DataRefusal("replay.shape", "步骤与新数据的个数不同，请刷新页面后再试。", {"steps": len(steps)})
    done: list[Done] = []
    new_ids: dict[str, str] = {}
    key = payload["table"]
    try:
        for place, (step, new) in enumerate(zip(steps, keys, strict=True)):
            progress(place, len(steps), f"第 {place + 1}/{len(steps)} 步")
            number = int(step.get("number") or place + 1)
            try:
                step_done, columns = _step(key, step, new, payload.get("first"), new_ids)
            except (Refusal, DataRefusal) as error:
                raise _unfit(step, place, number, error) from error
            new_ids |= columns
            done.append(step_done)
            key = new
    except BaseException:
        for new in keys:
            shutil.rmtree(store.table_path(new), ignore_errors=True)
        raise
    return {"tables": keys, "steps": [asdict(step_done) for step_done in done], "columns": new_ids}


def _unfit(step: dict[str, Any], place: int, number: int, error: Refusal | DataRefusal) -> Refusal:
    """Which step does not fit, and why."""
    faults = error.faults if isinstance(error, Refusal) else [Fault(field=None, code=error.code, text=error.text)]
    facts = {"step": place, "number": number, "code": faults[0].code}
    why = "；".join(dict.fromkeys(fault.text.rstrip("。") for fault in faults))
    text = f"第 {number} 步“{_title(step)}”不适用：{why}"
    return Refusal.of([Fault(field=None, code="replay.step", text=text, facts=facts), *faults])


def _title(step: dict[str, Any]) -> str:
    if step.get("title"):
        return str(step["title"])
    if "path" in step:
        try:
            return method_of(step["path"]).title
        except Refusal:
            return str(step["path"])
    names = {"edit": "修改变量属性", "replace": "查找替换", "shape": "增删行列"}
    return next((name for key, name in names.items() if key in step), "修改单元格")


def _step(
    key: str, step: dict[str, Any], new: str, first: int | None, new_ids: Mapping[str, str]
) -> tuple[Done, dict[str, str]]:
    """One step on the table `key`, written under `new`; and old id → new id of what it used and made."""
    table = Table.open(key)
    ids = match(table, step.get("names") or {}, new_ids)
    if "element" in step:
        return _data_step(table, key, step, new, ids)
    if "path" in step:
        return _method_step(table, step, new, first, ids)
    if "edit" in step:
        changes = [{**change, "id": ids[change["id"]]} for change in _known(step["edit"], "id", ids, step)]
        sets = step.get("sets")
        if sets is not None:
            _known([{"id": one} for item in sets for one in item["columns"]], "id", ids, step)
            sets = [{**item, "columns": [ids[one] for one in item["columns"]]} for item in sets]
        meta = edits.edit(key, {"table": new, "columns": changes, "sets": sets})
        return Done(new, meta["rows"], len(meta["columns"]), [], 0), ids
    if "replace" in step:
        return _replace_step(key, step["replace"], new, ids)
    if "shape" in step:
        return _shape_step(table, key, step["shape"], new, ids)
    wanted = [{**cell, "column": ids[cell["column"]]} for cell in _known(step["cells"], "column", ids, step)]
    meta = cells.edit_cells(key, {"table": new, "cells": wanted})
    done = Done(new, meta["rows"], len(meta["columns"]), [], len(meta["changes"]))
    return replace(done, cells=meta["changes"], cells_gone=meta["left_out"]), ids


def _replace_step(key: str, asked: dict[str, Any], new: str, ids: _Ids) -> tuple[Done, dict[str, str]]:
    seek, condition = dict(asked["seek"]), asked.get("condition")
    if seek.get("columns") is not None:
        columns = _known([{"id": one} for one in seek["columns"]], "id", ids, asked)
        seek["columns"] = [ids[one["id"]] for one in columns]
    body = {
        "table": new,
        "seek": seek,
        "with": asked.get("with"),
        "condition": condition and in_formula(condition, ids),
    }
    meta = replacing.replace(key, body)
    told = meta["told"]
    return Done(new, meta["rows"], len(meta["columns"]), [], told["cells"], told=told), dict(ids)


def _shape_step(table: Table, key: str, act: dict[str, Any], new: str, ids: _Ids) -> tuple[Done, dict[str, str]]:
    """Rows are cases of one import: in other data there are none of them."""
    if act["op"].endswith("_rows") and not act.get("same_import"):
        text = "这一步增删的是原来那份数据里的行，这份数据里没有对应的行"
        raise Refusal("replay.rows", text)
    act = {name: value for name, value in act.items() if name != "same_import"}
    new_ids: dict[str, str] = {}
    if act["op"] == "delete_columns":
        _known([{"id": one} for one in act["columns"]], "id", ids, act)
        act["columns"] = [ids[one] for one in act["columns"]]
    elif act["op"] == "insert_columns":
        act["before"] = _neighbour(act.get("before"), ids)
    meta = shaping.shape(key, {"table": new, "act": act})
    act_done = meta["act"]
    if act["op"] == "insert_columns":
        new_ids = dict(zip(act.get("ids") or [], act_done["ids"], strict=False))
    before_ids = {column.id for column in table.meta.columns}
    fresh = [column for column in meta["columns"] if column["id"] not in before_ids]
    added = [ColumnRef(id=c["id"], name=c["name"], label=c["label"], measure=c["measure"]) for c in fresh]
    return Done(new, meta["rows"], len(meta["columns"]), added, 0, told=act_done), dict(ids) | new_ids


def _neighbour(column_id: str | None, ids: _Ids) -> str | None:
    """None where it is gone: the new columns come last then."""
    try:
        return None if column_id is None else ids[column_id]
    except Refusal:
        return None


def match(table: Table, names: Mapping[str, str], made: Mapping[str, str]) -> _Ids:
    """Old id → id in this table: by name, else what an earlier step found, else the same id where no name is known."""
    return _Ids(table, names, made)


class _Ids(dict[str, str]):
    """Looks an old id up when it is asked for; a column that is not there is refused by its name."""

    def __init__(self, table: Table, names: Mapping[str, str], new_ids: Mapping[str, str]) -> None:
        super().__init__()
        self._by_name = {column.name: column.id for column in table.meta.columns}
        self._ids = {column.id for column in table.meta.columns}
        self._names, self._made = names, new_ids

    def __missing__(self, old: str) -> str:
        name = self._names.get(old)
        if name is not None and name in self._by_name:
            self[old] = self._by_name[name]
        elif old in self._made and self._made[old] in self._ids:
            self[old] = self._made[old]
        elif name is None and old in self._ids:
            self[old] = old
        else:
            text = f"没有变量“{name}”" if name else "所用的变量不存在"
            raise Refusal("replay.column", text, column=old, name=name)
        return self[old]


def _known(items: list[dict[str, Any]], key: str, ids: _Ids, step: dict[str, Any]) -> list[dict[str, Any]]:
    """All columns that are missing, named at once."""
    faults = []
    for item in items:
        try:
            ids[item[key]]
        except Refusal as refusal:
            faults += refusal.faults
    if faults:
        raise Refusal.of(faults)
    return items


def _method_step(
    table: Table, step: dict[str, Any], new: str, first: int | None, ids: _Ids
) -> tuple[Done, dict[str, str]]:
    method = method_of(step["path"])
    if not issubclass(method, Processing):
        raise Refusal("replay.method", f"“{method.title}”不是数据处理步骤")
    form = method.upgrade(dict(step["form"]), int(step.get("version") or method.version))
    request = Request.read({"path": step["path"], "seed": step.get("seed", form.get("seed")), "kept": new})
    again, others = list(step.get("made") or []), dict(step.get("datasets") or {})
    request = replace(request, form=_moved(method, form, ids), first=first, again=again, models=others)
    if step.get("filter"):
        request = replace(request, filter=_filter(step["filter"], ids))
    report = plain(analyse(request, table))
    element = next(e for part in report["parts"] for e in part["elements"] if e["type"] == "data")
    account = element["step"]
    added = [ColumnRef(**one) for one in account["added"]]
    done = Done(new, account["rows_after"], account["columns_after"], added, account["cells"], account["left_out"])
    return replace(done, weight=account["weight"]), dict(ids)


def _data_step(table: Table, key: str, step: dict[str, Any], new: str, ids: _Ids) -> tuple[Done, dict[str, str]]:
    """An analysis asked once more; the columns it makes are added as they were taken over the first time."""
    method = method_of(step["path"])
    form = method.upgrade(dict(step["form"]), int(step.get("version") or method.version))
    folder = f"t_{secrets.token_hex(16)}"
    asked = {"path": step["path"], "seed": step.get("seed", form.get("seed")), "kept": folder}
    request = Request.read({**asked, "models": step.get("models")})
    request = replace(request, form=_moved(method, form, ids), fill_missing=bool(step.get("fill_missing")))
    if step.get("filter"):
        request = replace(request, filter=_filter(step["filter"], ids))
    weight, split = (_moved_column(step.get(name), ids) for name in ("weight", "split"))
    request = replace(request, weight=weight, split=split)
    try:
        report = plain(analyse(request, table))
        elements = [e for part in report["parts"] for e in part["elements"]]
        element = next((e for e in elements if e["type"] == "data" and e["id"] == step["element"]), None)
        if element is None or not element["kept"]:
            raise Refusal("replay.data", f"“{method.title}”这次没有得到可以存入的变量")
        wanted = {"table": new, "from": folder, "columns": [column["id"] for column in element["columns"]]}
        meta = append.append(key, wanted)
    finally:
        shutil.rmtree(store.table_path(folder), ignore_errors=True)
    before = {column.id for column in table.meta.columns}
    fresh = [column for column in meta["columns"] if column["id"] not in before]
    added = [ColumnRef(id=c["id"], name=c["name"], label=c["label"], measure=c["measure"]) for c in fresh]
    return Done(new, meta["rows"], len(meta["columns"]), added, 0), dict(ids)


def _moved_column(asked: dict[str, Any] | None, ids: _Ids) -> dict[str, Any] | None:
    return asked and {**asked, "column": ids[asked["column"]]}


def _filter(raw: Any, ids: _Ids) -> Any:
    from hengxi.jobs.validation import Filter

    found = Filter.read(raw)
    return None if found is None else replace(found, condition=in_formula(found.condition, ids))


def in_formula(source: str, ids: Mapping[str, str]) -> str:
    return _COLUMN.sub(lambda found: "{" + ids[found[1]] + "}", source)


def _moved(method: type[Method], form: dict[str, Any], ids: _Ids) -> dict[str, Any]:
    """A form with other ids; all columns that are missing are named at once."""
    moved: dict[str, Any] = {}
    faults: dict[str, Fault] = {}
    for key, value in form.items():
        if key.startswith("_"):
            continue
        try:
            moved[key] = _value(method.Input.fields.get(key), value, ids)
        except Refusal as refusal:
            faults |= {fault.text: replace(fault, field=key) for fault in refusal.faults}
    if faults:
        raise Refusal.of(list(faults.values()))
    return moved


def _value(field: Field | None, value: Any, ids: _Ids) -> Any:
    match field:
        case RoleField() if field.table is not None:
            return value
        case RoleField() | WeightField():
            return _column(value, ids)
        case FormulaField():
            return in_formula(value, ids) if isinstance(value, str) else value
        case ModelField():
            return _model(value, ids)
        case MatchedField():
            # Columns of another table, which is at a version of its own, stay.
            own = {slot.key for slot in field.slots if slot.table is None}
            return [{key: _column(one, ids) if key in own else one for key, one in row.items()} for row in value or []]
        case SettingsField():
            return [{**row, "for": _column(row["for"], ids)} for row in value or []]
        case None:
            return value
        case _ if field.type in ("terms", "cases"):
            return _deep(value, ids)
        case _:
            return value


def _column(value: Any, ids: _Ids) -> Any:
    if isinstance(value, list):
        return [_column(one, ids) for one in value]
    if isinstance(value, dict):
        return {**value, "columns": _column(value["columns"], ids)}
    return ids[value] if isinstance(value, str) and _ID.fullmatch(value) else value


def _model(value: Any, ids: _Ids) -> Any:
    """The columns that answer a saved model; its outcome need not be in the new table."""
    if not isinstance(value, dict):
        return value
    moved = dict(value)
    if "columns" in value:
        moved["columns"] = {feature: _column(one, ids) for feature, one in (value["columns"] or {}).items()}
    if value.get("target") is not None:
        try:
            moved["target"] = _column(value["target"], ids)
        except Refusal:
            moved["target"] = None
    return moved


def _deep(value: Any, ids: _Ids) -> Any:
    """Terms and cases hold ids in lists and as keys."""
    if isinstance(value, dict):
        return {_column(key, ids): _deep(inner, ids) for key, inner in value.items()}
    return [_deep(one, ids) for one in value] if isinstance(value, list) else _column(value, ids)
