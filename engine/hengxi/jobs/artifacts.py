"""What a method wants to keep beside its report: models, files, tables. And saved models met again by a form."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from hengxi import registry
from hengxi.contract.fields import Field, ModelField
from hengxi.contract.method import Method, Model
from hengxi.contract.models import Arrays, Fitted, KeptModel, Matrix, ModelCard, ModelChoice
from hengxi.contract.refusal import Refusal, SetRemedy
from hengxi.contract.report import Filled
from hengxi.contract.shapes import FilledForm
from hengxi.data import models, store
from hengxi.jobs.identity import libraries
from hengxi.jobs.stored_columns import described_as

PREVIEW = 8


@dataclass(frozen=True)
class Folders:
    """Keys the server gave for what a run may keep; None: nobody keeps it."""

    columns: str | None = None
    table: str | None = None
    model: str | None = None


# ---- written beside a report ---------------------------------------------------------------------------------------
def write(elements: list[dict[str, Any]], folders: Folders, method: type[Method], path: str) -> None:
    """Turn what `lay_out` left in model, file and table elements into files and the wire's words."""
    for element in elements:
        if "fitted" in element:
            element |= _model(element.pop("fitted"), folders.model, method, path)
        elif "table_made" in element:
            element |= _table(element.pop("table_made"), folders.table)
            element["filled"] = _by_id(element["filled"], element["columns"])
        elif "content" in element:
            element |= _file(element, element.pop("content"), folders.columns)


_HEARERS: list[Callable[[Fitted], None]] = []


@contextmanager
def hearing(hear: Callable[[Fitted], None]) -> Iterator[None]:
    """Tells of every fitted model while it lasts: for tests, and for use without a server."""
    _HEARERS.append(hear)
    try:
        yield
    finally:
        _HEARERS.remove(hear)


def _model(fitted: Fitted, key: str | None, method: type[Method], path: str) -> dict[str, Any]:
    card = fitted.card
    card.path, card.method, card.version, card.libraries = path, method.title, method.version, libraries()
    for hear in _HEARERS:
        hear(fitted)
    if key is None or not models.can_keep():
        return {"model_id": None, "kept": None, "sha256": None, "bytes": 0, "card": card}
    digest, size = models.write(key, card, fitted.arrays)
    return {"model_id": None, "kept": key, "sha256": digest, "bytes": size, "card": card}


def _table(columns: dict[str, Any], key: str | None) -> dict[str, Any]:
    cells = {name: np.asarray(values) for name, values in columns.items()}
    rows = len(next(iter(cells.values()), ()))
    first = [[_cell(values[i]) for values in cells.values()] for i in range(min(PREVIEW, rows))]
    facts = {"vid": None, "kept": key, "table": True, "rows": rows, "changed": 0, "preview": first, "step": None}
    return {**facts, "columns": described_as(cells, key)}


def _by_id(filled: Filled | None, columns: list[dict[str, Any]]) -> FilledForm | None:
    """Variables are named by what they are called where a table is made; in the table they have ids."""
    if filled is None:
        return None
    ids = {one["name"]: one["id"] for one in columns}
    boxes = {
        key: [ids[name] for name in names] if isinstance(names, list) else None if names is None else ids[names]
        for key, names in filled.roles.items()
    }
    return FilledForm(path=filled.path, form={**filled.settings, **boxes})


def _file(element: dict[str, Any], content: bytes, key: str | None) -> dict[str, Any]:
    """CompanionFile the columns the report keeps, so that it goes when they go."""
    name = element["id"].replace(":", "_")
    if key is not None:
        place = store.table_path(key) / "files"
        place.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(content)
    return {"bytes": len(content), "file_id": name if key is not None else ""}


def _cell(value: Any) -> Any:
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return None
    return value.item() if isinstance(value, np.generic) else value


# ---- met again -----------------------------------------------------------------------------------------------------
@dataclass
class Handle:
    """A saved model as the server names it: its owner was checked there."""

    model_id: int
    name: str
    card: ModelCard
    arrays: bytes

    @property
    def choice(self) -> ModelChoice:
        return ModelChoice(self.model_id, self.name, self.card)


def read_handles(method: type[Method], given: dict[str, Any]) -> dict[str, Handle]:
    """Field key → model, from `{"model": {"model_id", "name", "key", "sha256"}}`; refuses what cannot be used."""
    handles: dict[str, Handle] = {}
    for key, raw in given.items():
        if not isinstance(method.Input.fields.get(key), ModelField) or raw is None:
            continue
        if isinstance(raw, Handle):
            handles[key] = raw
            continue
        card, arrays = _read(raw["key"], raw["sha256"])
        handles[key] = Handle(int(raw["model_id"]), str(raw["name"]), card, arrays)
    return handles


@lru_cache(maxsize=8)
def _read(key: str, digest: str) -> tuple[ModelCard, bytes]:
    # A model never changes under its key; a draft comes with every click.
    return models.read(key, digest)


def judge_version(field: Field, handle: Handle) -> None:
    """A model made by other code, or by libraries that may read it otherwise, must be trained again."""
    card = handle.card
    again = SetRemedy(title="换最近保存的模型", set={field.key: None})
    if not registry.exists(card.path):
        raise Refusal("model.version", "训练该模型的方法已不存在，请重新训练", field=field.key, remedies=[again])
    ours, theirs = libraries(), card.libraries
    name = next((name for name in ("scikit-learn", "numpy") if _minor(ours[name]) != _minor(theirs.get(name))), None)
    if registry.load(card.path).version != card.version:
        text = f"模型“{handle.name}”由“{card.method}”的旧版本（{card.version}）训练，请重新训练"
    elif name is not None:
        text = f"模型“{handle.name}”由 {name} {theirs.get(name)} 训练，现在是 {ours[name]}，请重新训练"
    else:
        return
    raise Refusal("model.version", text, field=field.key, remedies=[again])


def _minor(version: str | None) -> list[str]:
    return (version or "").split(".")[:2]


def bind_model(handle: Handle, resolved: dict[str, Any], column: Any) -> KeptModel:
    """What `run` reads; the arrays are opened only now, after the seal was checked."""
    card = handle.card
    owner = registry.load(card.path)
    if not issubclass(owner, Model):
        raise Refusal("model.gone", "未找到该模型，请先训练并保存模型")
    fitted = owner.unpack(models.open_arrays(handle.arrays), card)

    def predict(matrix: Matrix) -> Matrix:
        return owner.predict(fitted, matrix)

    columns = {key: column(column_id) for key, column_id in resolved["columns"].items()}
    target = column(resolved["target"]) if resolved.get("target") else None
    return KeptModel(handle.model_id, handle.name, card, columns, target, predict)


def handle_of(card: ModelCard, arrays: Arrays, name: str = "模型") -> Handle:
    """A model that was never written, for tests and for use without a server."""
    kept, content = models.in_memory(card, arrays)
    return Handle(1, name, kept, content)


# ---- 试算 ------------------------------------------------------------------------------------------------------
def answer(payload: dict[str, Any]) -> dict[str, Any]:
    """`{model: {key, sha256}, cases: [{"x1": 5.1}]}` → `{classes, rows: [{value, probabilities, status}]}`."""
    raw = payload["model"]
    card, arrays = _read(raw["key"], raw["sha256"])
    handle = Handle(int(raw.get("model_id") or 0), str(raw.get("name") or ""), card, arrays)
    judge_version(ModelField(type="model", key="model", title="模型", task=card.task), handle)
    owner = registry.load(card.path)
    fitted = owner.unpack(models.open_arrays(arrays), card)  # type: ignore[attr-defined]
    cases = list(payload["cases"])
    matrix, status = matrix_of(card, cases)
    good = np.array([one is None for one in status], dtype=bool)
    predictions = owner.predict(fitted, matrix[good]) if good.any() else np.zeros((0, 1))  # type: ignore[attr-defined]
    rows: list[dict[str, Any]] = [{"value": None, "probabilities": None, "status": one} for one in status]
    for place, prediction in zip(np.flatnonzero(good), predictions, strict=True):
        rows[place] |= _answered(card, np.atleast_1d(prediction))
    labels = [one.label for one in card.target.classes or []]
    return {"classes": labels, "rows": rows}


def _answered(card: ModelCard, prediction: Matrix) -> dict[str, Any]:
    if card.task == "regression":
        return {"value": float(prediction[0])}
    chosen = int(np.argmax(prediction))
    if card.target.event is not None and card.threshold is not None and len(prediction) == 2:
        event = card.target.event
        chosen = event if prediction[event] >= card.threshold else 1 - event
    label = (card.target.classes or [])[chosen].label
    return {"value": label, "probabilities": [float(p) for p in prediction]}


def matrix_of(card: ModelCard, cases: list[dict[str, Any]]) -> tuple[Matrix, list[str | None]]:
    """Typed values → the model's matrix; per case None or why it is not answered."""
    matrix = np.full((len(cases), len(card.features)), np.nan)
    status: list[str | None] = []
    for i, case in enumerate(cases):
        why: str | None = None
        for j, feature in enumerate(card.features):
            name = feature.label or feature.name
            value = case.get(feature.key)
            if value is None or value == "":
                if feature.fill is None and not feature.gaps:
                    why = why or f"请填写“{name}”"
                continue
            if feature.levels is not None:
                place = next((k for k, one in enumerate(feature.levels) if one.value == value), None)
                why = why or (f"“{name}”没有取值“{value}”" if place is None else None)
                matrix[i, j] = np.nan if place is None else place
            elif isinstance(value, bool) or not isinstance(value, int | float):
                why = why or f"“{name}”须填数值"
            else:
                matrix[i, j] = float(value)
        status.append(why)
    return matrix, status
