"""One analysis from request to report: version → filter → split → weights → missing → run. No method by name."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from typing import Any

import numpy as np
import orjson

from hengxi import registry
from hengxi.citations import references
from hengxi.contract.columns import Column
from hengxi.contract.declared import CONTRACT
from hengxi.contract.expressions import Expression
from hengxi.contract.fields import RoleField, WeightField
from hengxi.contract.form import bind
from hengxi.contract.layout import lay_out
from hengxi.contract.measures import title_of
from hengxi.contract.method import Method, Processing
from hengxi.contract.models import KeptModel
from hengxi.contract.progress import Progress, no_progress
from hengxi.contract.refusal import Fault, Refusal
from hengxi.contract.report import Report
from hengxi.contract.shapes import (
    ColumnRef,
    FilterUsed,
    Part,
    RefusalBody,
    ReportMethod,
    Sample,
    SplitUsed,
    WeightUsed,
    WhyRows,
)
from hengxi.contract.shapes import Report as WireReport
from hengxi.data.derive import head
from hengxi.data.table import Table
from hengxi.jobs import keeping, kept_columns, kept_rows, processing, weighting
from hengxi.jobs.identity import libraries
from hengxi.jobs.judging import (
    Filter,
    Judged,
    Request,
    alive,
    drop_dead_remedies,
    filter_faults,
    for_kind,
    judge,
    method_of,
)
from hengxi.jobs.judging import draft as draft  # the face has one module to import from
from hengxi.jobs.rows import Fill, Group, Used, groups, judge_copies, judge_rows, use

COLUMN = re.compile(r"\{(c[1-9][0-9]*)\}")


class Filled:
    """A table's cells with gaps filled in some columns."""

    def __init__(self, table: Table, fills: dict[str, Fill]) -> None:
        self._table, self._fills = table, fills

    def numeric(self, column_id: str) -> Any:
        made = self._fills.get(column_id)
        return self._table.numeric(column_id) if made is None or made.numbers is None else made.numbers

    def codes(self, column_id: str) -> Any:
        made = self._fills.get(column_id)
        codes, levels = self._table.codes(column_id)
        return (codes if made is None or made.codes is None else made.codes), levels

    def text(self, column_id: str) -> Any:
        made = self._fills.get(column_id)
        if made is None or made.codes is None:
            return self._table.text(column_id)
        labels = np.array([str(level.value) for level in self._table.codes(column_id)[1]], dtype=object)
        return labels[made.codes]

    def missing_kinds(self, column_id: str) -> Any:
        return self._table.missing_kinds(column_id)

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
        models: dict[str, keeping.Handle],
    ) -> None:
        self._models = models
        self._cells, self._table, self._used = Filled(table, used.fills), table, used
        self._resolved, self._fields = resolved, method.Input.fields
        self._made: dict[str, Column] = {}
        whole = len(used.rows) == table.rows
        self._rows = None if whole else used.rows

    def column(self, column_id: str) -> Column:
        if column_id not in self._made:
            self._made[column_id] = Column(self._table.column(column_id), self._cells, self._rows)  # type: ignore[arg-type]
        return self._made[column_id]

    def formula(self, source: str, kind: str) -> Expression:
        return processing.formula(self._table, self._rows, source, kind, self.column)

    def kept_model(self, key: str, resolved: dict[str, Any]) -> KeptModel:
        return keeping.bind_model(self._models[key], resolved, self.column)

    def columns(self, key: str) -> list[Column]:
        return [self.column(column_id) for column_id in self._fields[key].column_ids(self._resolved[key])]


def analyse(request: Request, table: Table, progress: Progress = no_progress, strict: bool = False) -> WireReport:
    """The report, or a `Refusal`. `strict` (tests) also holds a method to every promise of its declaration."""
    try:
        return _analyse(request, table, progress, strict)
    except Refusal as refusal:
        drop_dead_remedies(refusal.faults)
        raise


def _analyse(request: Request, table: Table, progress: Progress, strict: bool) -> WireReport:
    started = time.perf_counter()
    method = method_of(request.path)
    request = for_kind(method, request)
    whole = table.rows
    if request.preview:
        table = head(table, processing.PREVIEW_ROWS)
    judged = judge(method, request, table.meta.columns)  # type: ignore[arg-type]
    if request.filter is not None:
        judged.faults += filter_faults(table, request.filter)
    if judged.faults:
        weighting.name_rows(method, judged.faults, table)
        raise Refusal.of(judged.faults)
    rows = _filtered(request, table)
    judge_copies(method, request, table, rows)
    watch = _Watch(progress)
    parts, heading = [], method.title
    for group in groups(table, rows, request.split, method):
        part, title = _part(method, request, judged, table, group, watch, strict, whole)
        parts.append(part)
        heading = title or heading
    refused = [part.refusal for part in parts if part.refusal is not None]
    if len(refused) == len(parts):
        raise Refusal.of([fault for body in refused for fault in body.fields])
    kept_rows.write(parts, request.kept)
    return _report(method, request, judged, table, parts, heading, time.perf_counter() - started, watch.stopped)


class _Watch:
    """Remembers whether the user asked to stop and keep."""

    def __init__(self, progress: Progress) -> None:
        self._progress, self.stopped = progress, False

    def __call__(self, done: float, of: float, text: str = "", best: float | None = None) -> bool:
        go_on = self._progress(done, of, text, best)
        self.stopped = self.stopped or not go_on
        return go_on


def _filtered(request: Request, table: Table) -> Any:
    if request.filter is None:
        rows = np.arange(table.rows)
    else:
        holds = table.mask(request.filter.condition)
        # Dropping keeps the rows where the condition is missing: only what surely matches goes.
        rows = np.flatnonzero(holds if request.filter.filter_type == "keep" else ~holds)
    if request.rows_limit is not None and len(rows) > request.rows_limit:
        text = f"参与分析的有 {len(rows):,} 行，当前版本最多 {request.rows_limit:,} 行；请先筛选，或升级后再运行"
        raise Refusal("data.rows", text, rows=len(rows), most=request.rows_limit)
    return rows.astype(np.int64, copy=False)


# ---- one part ------------------------------------------------------------------------------------------------------
def _part(
    method: type[Method],
    request: Request,
    judged: Judged,
    table: Table,
    group: Group,
    watch: _Watch,
    strict: bool,
    whole: int,
) -> tuple[Part, str | None]:
    """All elements of one group; with a split, a refusal stays here. `whole`: rows of the version."""
    try:
        report, used, heading = _run_group(method, request, judged, table, group, watch)
    except Refusal as refusal:
        if request.split is None:
            raise
        empty = Sample(
            file=table.rows, filter=len(group.rows), weight=0, missing=0, used=0, weighted=None, why=[], columns=[]
        )
        return Part(group=group.part, sample=empty, elements=[], refusal=RefusalBody(fields=refusal.faults)), None
    if report.used_rows is not None:
        used.sample.used = report.used_rows
    for said in report.said:
        if said.type == "check":
            said.extra["remedies"] = [one for one in said.extra["remedies"] if alive(one)]
    if issubclass(method, Processing):
        step = processing.plan(method, request, judged.resolved, table, whole, used.rows, report)
        elements = lay_out(method.elements(), report, judged.shown, strict)
        processing.deliver(step, elements, None if request.preview else request.kept)
    else:
        elements = lay_out(method.elements(), report, judged.shown, strict)
        kept_columns.write(elements, report, table, used.rows, request.kept, group.part)
        folders = keeping.Folders(request.kept, request.kept_table, request.kept_model)
        keeping.write(elements, folders, method, request.path)
    return Part(group=group.part, sample=used.sample, elements=elements, refusal=None), heading


def _run_group(
    method: type[Method], request: Request, judged: Judged, table: Table, group: Group, watch: _Watch
) -> tuple[Report, Used, str]:
    each = next((f for f in method.Input.fields.values() if isinstance(f, RoleField) and f.each), None)
    if each is None:
        used = use(table, group, method, judged.resolved, judged.weights, request.fill_missing, None)
        judge_rows(used, method, table, judged.resolved)
        report, heading = _run(method, judged, judged.resolved, table, used, watch)
        _tell_fills(report, used, table)
        return report, used, heading
    return _run_each(method, request, judged, table, group, watch, each)


def _run(
    method: type[Method],
    judged: Judged,
    resolved: dict[str, Any],
    table: Table,
    used: Used,
    watch: Progress,
    each: RoleField | None = None,
) -> tuple[Report, str]:
    """Bind and run. Where the form has a list of one variable for an each-role, `run` sees the Column."""
    binder = Binder(table, used, resolved, method, judged.models)
    unboxed = next((weight for weight in judged.weights if weight.field is None), None)
    platform: dict[str, Any] = {"progress": watch, "case_weight": binder.column(unboxed.column) if unboxed else None}
    if judged.seed is not None:
        # Each part and each variable starts from the seed, so that it equals the same run made alone.
        platform |= {"seed": judged.seed, "rng": np.random.default_rng(judged.seed)}
    if each is not None:
        platform[each.key] = binder.column(resolved[each.key][0])
    form = bind(method.Input, resolved, binder, **platform)
    with np.errstate(all="ignore"):
        return method.run(form), method.heading(form)


def _run_each(
    method: type[Method], request: Request, judged: Judged, table: Table, group: Group, watch: _Watch, each: RoleField
) -> tuple[Report, Used, str]:
    """One run per variable, stacked; a variable that is refused becomes a warning, unless all are."""
    ids = list(judged.resolved[each.key])
    titles = _titles(table, ids)
    report, faults, heading = Report(), list[Fault](), method.title
    spans: list[Used] = []
    for done, column_id in enumerate(ids):
        watch(done, len(ids), titles[column_id])
        used = use(table, group, method, judged.resolved, judged.weights, request.fill_missing, column_id)
        resolved = {**judged.resolved, each.key: [column_id]}
        try:
            judge_rows(used, method, table, resolved)
            one, title = _run(method, judged, resolved, table, used, watch, each)
        except Refusal as refusal:
            faults += [replace(fault, column=fault.column or column_id) for fault in refusal.faults]
            continue
        _tell_fills(one, used, table)
        _spread(one, table.rows, used)
        report.absorb(one, titles[column_id], len(ids) == 1, table.column(column_id).name)
        spans.append(used)
        heading = title if len(ids) == 1 else method.title
    if not spans:
        raise Refusal.of(faults)
    for fault in faults:
        name = title_of(table.column(fault.column)) if fault.column else ""
        report.warn(fault.code, "「{name}」未分析：{why}", columns=[fault.column], name=name, why=fault.text)
    return report, _together(spans), heading


def _titles(table: Table, ids: list[str]) -> dict[str, str]:
    """What the rows of a stacked table are called; two variables with one label are told apart by their names."""
    columns = [table.column(column_id) for column_id in ids]
    titles = [title_of(column) for column in columns]
    return {c.id: t if titles.count(t) == 1 else f"{t}（{c.name}）" for c, t in zip(columns, titles, strict=True)}


def _spread(one: Report, rows: int, used: Used) -> None:
    """New columns are spread over all rows here, because variables may use different ones."""
    for columns in one.new_columns.values():
        for name, cells in columns.items():
            columns[name] = kept_columns.spread(cells, used.rows, rows)


def _together(spans: list[Used]) -> Used:
    """The account of several variables: rows any of them used, reasons of all."""
    if len(spans) == 1:
        return spans[0]
    used_by_any = np.zeros(spans[0].sample.file, dtype=bool)
    why: dict[tuple[str | None, str | None], WhyRows] = {}
    for used in spans:
        used_by_any[used.rows] = True
        why |= {(one.column, one.reason): one for one in used.sample.why}
    rows = np.flatnonzero(used_by_any)
    sample = replace(spans[0].sample, missing=len(rows), used=len(rows), why=list(why.values()))
    sample.weighted = max((used.sample.weighted or 0 for used in spans), default=None) or None
    # Each variable kept its own rows: no one list of columns describes the rows any of them used.
    sample.columns = []
    return Used(rows, sample)


def _tell_fills(report: Report, used: Used, table: Table) -> None:
    for column_id, made in used.fills.items():
        text = "「{name}」的 {n:integer} 个缺失值以{words}填补；填补会低估变异，区间偏窄。"
        name = title_of(table.column(column_id))
        report.warn("data.filled", text, columns=[column_id], name=name, n=made.cells, words=made.words)


# ---- the whole report ----------------------------------------------------------------------------------------------
def _report(
    method: type[Method],
    request: Request,
    judged: Judged,
    table: Table,
    parts: list[Part],
    heading: str,
    elapsed: float,
    stopped: bool,
) -> WireReport:
    boxes = {k: f for k, f in method.Input.fields.items() if isinstance(f, RoleField | WeightField)}
    roles = {k: [_ref(table, c) for c in f.column_ids(judged.resolved[k])] for k, f in boxes.items()}
    own = registry.folder(request.path) / "references.yaml"
    weight = judged.weights[0] if judged.weights else None
    return WireReport(
        contract=CONTRACT,
        path=request.path,
        version=method.version,
        title=heading,
        method=ReportMethod(path=request.path, title=method.title, version=method.version),
        form=judged.wire_form,
        seed=judged.seed,
        libraries=libraries(),
        parts=parts,
        sample=_whole_sample(parts),
        conventions=list(method.conventions),
        references=references(list(method.references), own),
        roles=roles,
        filter=_filter_used(request.filter, table),
        split=_split_used(request.split, table),
        weight=None if weight is None else WeightUsed(**_named(table, weight.column), kind=weight.kind),  # type: ignore[arg-type]
        fill_missing=request.fill_missing and method.missing in ("listwise", "each"),
        elapsed=elapsed,
        stopped=stopped,
    )


def _whole_sample(parts: list[Part]) -> Sample:
    """The account of all parts together: the total part's where there is one."""
    if len(parts) == 1 or (parts[-1].group is not None and parts[-1].group.total and parts[-1].refusal is None):
        return parts[-1].sample
    samples = [part.sample for part in parts if part.group is None or not part.group.total]
    counts = {name: sum(getattr(s, name) for s in samples) for name in ("filter", "weight", "missing", "used")}
    weighted = sum(s.weighted or 0 for s in samples) or None
    why: dict[tuple[str | None, str | None], WhyRows] = {}
    for one in (one for s in samples for one in s.why):
        known = why.get((one.column, one.reason))
        why[one.column, one.reason] = replace(one, rows=one.rows + (known.rows if known else 0))
    columns = list(dict.fromkeys(column for s in samples for column in s.columns))
    return Sample(file=samples[0].file, **counts, weighted=weighted, why=list(why.values()), columns=columns)


def _ref(table: Table, column_id: str) -> ColumnRef:
    column = table.column(column_id)
    return ColumnRef(id=column.id, name=column.name, label=column.label, measure=column.measure)


def _named(table: Table, column_id: str) -> dict[str, str]:
    return {"column": column_id, "name": title_of(table.column(column_id))}


def _filter_used(used: Filter | None, table: Table) -> FilterUsed | None:
    if used is None:
        return None
    names = {column.id: title_of(column) for column in table.meta.columns}
    text = COLUMN.sub(lambda m: names.get(m[1], m[0]), used.condition)
    return FilterUsed(condition=used.condition, filter_type=used.filter_type, text=text)


def _split_used(split: dict[str, Any] | None, table: Table) -> SplitUsed | None:
    if split is None:
        return None
    named = _named(table, split["column"])
    return SplitUsed(**named, levels=split.get("levels"), total=bool(split.get("total", True)))


# ---- the face towards runs -----------------------------------------------------------------------------------------
def run_analysis(payload: dict[str, Any], progress: Progress = no_progress) -> dict[str, Any]:
    """A run of kind "analysis": payload → `{"report": …}`; raises `Refusal`."""
    request = Request.read(payload)
    if request.table is None:
        raise Refusal("data.none", "请先选择一份数据")
    return {"report": plain(analyse(request, Table.open(request.table), progress))}


def plain(report: WireReport) -> dict[str, Any]:
    """Dicts and lists, as they will travel."""
    made: dict[str, Any] = orjson.loads(orjson.dumps(report))
    return made
