"""A form judged from metadata alone: what `draft` answers and what every run does first."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal

from hengxi import registry
from hengxi.contract.form import SEED, Judge, named_columns
from hengxi.contract.grammar import FormulaError
from hengxi.contract.measures import ColumnInfo
from hengxi.contract.method import Method, Processing
from hengxi.contract.refusal import Fault, MethodRemedy, NextStep, Refusal, StepRemedy
from hengxi.contract.run_shapes import ColumnToBe
from hengxi.contract.tables import ColumnSpec, Element
from hengxi.contract.when import holds
from hengxi.data.evaluate import compiled
from hengxi.data.refusal import DataRefusal
from hengxi.data.table import Table
from hengxi.jobs import weighting
from hengxi.jobs.artifacts import Handle, judge_version, read_handles
from hengxi.jobs.identity import key
from hengxi.jobs.other_tables import TableHandle, read_tables
from hengxi.jobs.weighting import Acting

# Steps the data page does itself, without a method.
STEPS = frozenset({"measure"})


@dataclass(frozen=True)
class Filter:
    """A condition of the formula grammar; `drop` takes out the rows for which it holds."""

    condition: str
    filter_type: Literal["keep", "drop"] = "keep"

    @classmethod
    def read(cls, raw: Any) -> Filter | None:
        """Text means keep; empty means none."""
        if isinstance(raw, Filter):
            return raw
        given: dict[str, Any] = {"condition": raw} if isinstance(raw, str) else raw or {}
        condition = (given.get("condition") or "").strip()
        return cls(condition, given.get("filter_type") or "keep") if condition else None


@dataclass
class Request:
    """What a run is asked to do; `table` is the key of a stored table."""

    path: str
    form: dict[str, Any]
    table: str | None = None
    filter: Filter | None = None
    split: dict[str, Any] | None = None
    weight: dict[str, Any] | None = None
    fill_missing: bool = False
    seed: int | None = None
    rows_limit: int | None = None
    kept: str | None = None
    kept_table: str | None = None
    kept_model: str | None = None
    models: dict[str, Any] = field(default_factory=dict)
    """Saved models and other tables, by the field that names them."""
    assets: dict[str, Any] = field(default_factory=dict)
    """Dictionaries and pictures the form names (contract.assets), by field."""
    preview: bool = False
    first: int | None = None
    again: list[str] | None = None
    """Names of what the step made before; None where it is run for the first time."""

    @classmethod
    def read(cls, raw: dict[str, Any]) -> Request:
        known = {name: raw[name] for name in cls.__dataclass_fields__ if name in raw}
        known["filter"] = Filter.read(known.get("filter"))
        known["assets"] = dict(known.get("assets") or {})
        known["models"] = {**(known.get("models") or {}), **(raw.get("datasets") or {})}
        known["fill_missing"] = bool(known.get("fill_missing"))
        known["preview"] = bool(known.get("preview"))
        # Keys with an underscore are the platform's: the server has resolved them into the fields beside the form.
        known["form"] = {name: value for name, value in (known.get("form") or {}).items() if not name.startswith("_")}
        return cls(**known)


@dataclass
class Judged:
    """The resolved form, what is wrong with it, and the weights in force."""

    resolved: dict[str, Any]
    faults: list[Fault]
    weights: list[Acting]
    seed: int | None
    judge: Judge = field(repr=False)
    models: dict[str, Handle | TableHandle] = field(default_factory=dict)
    assets: dict[str, Any] = field(default_factory=dict)
    again: list[str] | None = None
    followed: list[NextStep] = field(default_factory=list)
    """Next steps that carry numbers of the result, as the run gave them."""

    def shown(self, element: Element | ColumnSpec) -> bool:
        return holds(element.when, self.judge.value, self.judge.columns)

    @property
    def wire_form(self) -> dict[str, Any]:
        """The form as the report keeps it: with the seed, where chance is involved."""
        return self.resolved if self.seed is None else {**self.resolved, "seed": self.seed}


def judge(method: type[Method], request: Request, columns: list[ColumnInfo]) -> Judged:
    """Fields, limits and weights."""
    form, faults = weighting.fill_in(method, request.form, request.weight)
    unknown = form.keys() - method.Input.fields.keys() - {"seed"}
    for name in sorted(unknown):
        faults.append(Fault(field=name, code="form.unknown", text=f"“{method.title}”没有设置项“{name}”"))
    handles = _models(method, request, faults)
    choices = {name: handle.choice for name, handle in handles.items()}
    judge = Judge(
        method.Input, method.limits, form, columns, is_filtered=request.filter is not None, models=choices,
        assets=request.assets,
    )  # fmt: skip
    resolved = judge.judge()
    unusable = {fault.field for fault in faults}
    faults += [fault for fault in judge.faults if fault.code != "model.gone" or fault.field not in unusable]
    acting = weighting.acting(method, resolved, request.weight if not faults else None)
    by_id = {column.id: column for column in columns}
    for weight in acting:
        faults += weighting.check_active(weight, by_id.get(weight.column))
    split = request.split
    if split is not None and split["column"] not in by_id:
        text = "分组变量在当前数据版本里不存在，请重新选择或取消分组"
        faults.append(Fault(field="_split", code="split.gone", text=text, column=split["column"]))
    return Judged(resolved, faults, acting, _seed(method, request), judge, handles, request.assets, request.again)


def _models(method: type[Method], request: Request, faults: list[Fault]) -> dict[str, Handle | TableHandle]:
    """The saved models and tables the form names; a model that cannot be used is a fault of its field."""
    if not request.models:
        return {}
    tables = read_tables(method, request.models)
    try:
        handles = read_handles(method, request.models)
        for name, handle in handles.items():
            judge_version(method.Input.fields[name], handle)
    except Refusal as refusal:
        faults += refusal.faults
    except DataRefusal as refusal:
        name = next(iter(request.models))
        title = method.Input.fields[name].title if name in method.Input.fields else ""
        faults.append(Fault(field=name, code=refusal.code, text=f"“{title}”：{refusal.text}"))
    else:
        return {**handles, **tables}
    return {**tables}


def _seed(method: type[Method], request: Request) -> int | None:
    if not method.random:
        return None
    given = request.form.get("seed")
    return int(given if given is not None else request.seed if request.seed is not None else SEED)


def identity(method: type[Method], request: Request, judged: Judged) -> str:
    """Two runs with this key give the same report."""
    facts = {
        "path": request.path,
        "version": method.version,
        "form": judged.resolved,
        "table": request.table,
        "filter": request.filter and [request.filter.condition, request.filter.filter_type],
        "split": request.split,
        "weight": [[weight.kind, weight.column] for weight in judged.weights],
        "fill_missing": request.fill_missing,
        "seed": judged.seed,
    } | ({"models": {name: _identity_of(one) for name, one in judged.models.items()}} if judged.models else {})
    return key(facts)


def _identity_of(handle: Handle | TableHandle) -> list[Any]:
    """A renamed model gives the same numbers; its name stands in the report all the same."""
    if isinstance(handle, TableHandle):
        return handle.identity
    return [handle.model_id, handle.name]


def seconds(method: type[Method], request: Request, judged: Judged, rows: int) -> float:
    """Predicted run time, from the method's own cost."""
    parts = 1
    if request.split is not None:
        parts = min(31, len(request.split.get("levels") or []) + 1 or 10)
    columns = max(1, len(named_columns(method.Input, judged.resolved)))
    return float(method.cost(rows, columns, judged.resolved)) + 0.01 * parts


def draft(payload: dict[str, Any]) -> dict[str, Any]:
    """What a form would do: `{resolved, fields, seconds, key}`, from metadata alone."""
    request = Request.read(payload)
    method = method_of(request.path)
    request = for_kind(method, request)
    table = _stored(request.table) if request.table else None
    rows, columns = (table.rows, table.meta.columns) if table else (0, [])
    judged = judge(method, request, columns)  # type: ignore[arg-type]
    if table is not None and request.filter is not None:
        judged.faults += filter_faults(table, request.filter)
    if table is not None:
        weighting.name_rows(method, judged.faults, table)
    drop_dead_remedies(judged.faults)
    return {
        "resolved": judged.wire_form,
        "fields": [asdict(fault) for fault in judged.faults],
        "seconds": seconds(method, request, judged, rows),
        "key": identity(method, request, judged),
        "makes": [asdict(one) for one in makes(method, judged, columns)],  # type: ignore[arg-type]
        "notes": [asdict(one) for one in method.notes(judged.resolved)],
    }


def makes(method: type[Method], judged: Judged, columns: list[ColumnInfo]) -> list[ColumnToBe]:
    """The variables a data step will add, where that is known before it runs."""
    if not issubclass(method, Processing) or judged.faults:
        return []
    return method.schema(judged.resolved, columns)


def for_kind(method: type[Method], request: Request) -> Request:
    """A data step does the same whatever weight or split is active: they are about analyses.

    The form of an analysis may be that of an old report; a step's is brought up to date where it is replayed.
    """
    if issubclass(method, Processing):
        return replace(request, split=None, weight=None)
    return replace(request, form=method.upgrade(dict(request.form), 1))


@lru_cache(maxsize=32)
def _stored(key: str) -> Table:
    """A stored table, which never changes: a draft comes with every click, and reads metadata only."""
    return Table.open(key)


def method_of(path: str) -> type[Method]:
    """The class of a path that came from outside."""
    try:
        return registry.load(path)
    except registry.UnknownMethod:
        raise Refusal("method.unknown", "没有这种分析方法，可能已改名或尚未开放") from None


def filter_faults(table: Table, used: Filter) -> list[Fault]:
    """Why the condition cannot be read, with the position."""
    try:
        compiled(table, used.condition, "condition")
    except (FormulaError, DataRefusal) as error:
        text = getattr(error, "text", None) or str(error)
        facts = dict(getattr(error, "facts", None) or {})
        return [Fault(field="_filter", code=error.code, text=f"筛选条件：{text}", facts=facts)]
    return []


def drop_dead_remedies(faults: list[Fault]) -> None:
    """A button that opens a method or step nobody has built yet is not shown."""
    for fault in faults:
        fault.remedies = [one for one in fault.remedies if alive(one)]


def alive(remedy: Any) -> bool:
    if isinstance(remedy, MethodRemedy):
        return registry.exists(remedy.method)
    if isinstance(remedy, StepRemedy):
        return remedy.step in STEPS or registry.exists(remedy.step)
    return True
