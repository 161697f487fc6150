"""One analysis from request to report: version → filter → split → weights → missing → run. No method by name."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import orjson

from hengxi.contract.fields import RoleField
from hengxi.contract.form import bind
from hengxi.contract.layout import lay_out
from hengxi.contract.measures import few_of, title_of
from hengxi.contract.method import Method, Processing
from hengxi.contract.progress import Progress, no_progress
from hengxi.contract.refusal import Fault, Refusal
from hengxi.contract.report import Report
from hengxi.contract.report_shapes import (
    Part,
    RefusalBody,
)
from hengxi.contract.report_shapes import Report as WireReport
from hengxi.contract.shapes import Sample, WhyRows
from hengxi.data.build import table_of
from hengxi.data.derive import head
from hengxi.data.evaluate import rows_where
from hengxi.data.table import Table
from hengxi.jobs import artifacts, processing, stored_columns, stored_rows, weighting
from hengxi.jobs.binding import Binder
from hengxi.jobs.copies import apart, judge_copies, most_of_one_copy, pooled_report, whole_account
from hengxi.jobs.framing import whole_report
from hengxi.jobs.rows import Group, Used, groups, judge_rows, use
from hengxi.jobs.validation import (
    Judged,
    Request,
    alive,
    drop_dead_remedies,
    filter_faults,
    for_kind,
    judge,
    method_of,
)
from hengxi.jobs.validation import draft as draft  # the face has one module to import from


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
    shares = list(groups(table, rows, request.split, method))
    runs = [max(1, len(apart(method, table, group))) for group in shares]
    watch = Watch(progress, sum(runs))
    parts, heading = [], method.title
    for group in shares:
        part, title = _part(method, request, judged, table, group, watch, strict, whole)
        parts.append(part)
        heading = title or heading
    refused = [part.refusal for part in parts if part.refusal is not None]
    if len(refused) == len(parts):
        raise Refusal.of([fault for body in refused for fault in body.fields])
    stored_rows.write(parts, request.kept)
    elapsed = time.perf_counter() - started
    return whole_report(
        method, request, judged, table, parts, heading, elapsed, watch.stopped, pooled=len(runs) != sum(runs)
    )


class Watch:
    """Progress of all parts as one share, with the time left by the same share; remembers a stop that was asked for."""

    SETTLED_SECONDS, SETTLED_SHARE = 3.0, 0.05
    """Before that the pace says nothing about the rest."""

    def __init__(self, progress: Progress, parts: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._progress, self._parts, self._clock = progress, parts, clock
        self._began, self.finished, self.stopped = clock(), 0, False

    def __call__(self, done: float, of: float, text: str = "", best: float | None = None) -> bool:
        share = (self.finished + (min(done / of, 1.0) if of else 0.0)) / self._parts
        go_on = self._progress(share, 1.0, text + self._left(share), best)
        self.stopped = self.stopped or not go_on
        return go_on

    def of_variable(self, number: int, variables: int) -> Progress:
        """The progress of one of several dependent variables, as its share of the part."""

        def tell(done: float, of: float, text: str = "", best: float | None = None) -> bool:
            return self(number + (min(done / of, 1.0) if of else 0.0), variables, text, best)

        return tell

    def _left(self, share: float) -> str:
        took = self._clock() - self._began
        if took < self.SETTLED_SECONDS or share < self.SETTLED_SHARE or share >= 1:
            return ""
        seconds = took * (1 - share) / share
        words = f"{max(1, round(seconds))} 秒" if seconds < 90 else f"{round(seconds / 60)} 分钟"
        return f"，还需约 {words}"


def _filtered(request: Request, table: Table) -> Any:
    if request.filter is None:
        rows = np.arange(table.rows)
    else:
        holds = rows_where(table, request.filter.condition)
        # Dropping keeps the rows where the condition is missing: only what surely matches goes.
        rows = np.flatnonzero(holds if request.filter.filter_type == "keep" else ~holds)
    n = most_of_one_copy(table, rows)
    if request.rows_limit is not None and n > request.rows_limit:
        text = f"参与分析的有 {n:,} 行，当前版本最多 {request.rows_limit:,} 行；请先筛选，或升级后再运行"
        raise Refusal("data.rows", text, rows=n, most=request.rows_limit)
    return rows.astype(np.int64, copy=False)


# ---- one part ------------------------------------------------------------------------------------------------------
def _part(
    method: type[Method],
    request: Request,
    judged: Judged,
    table: Table,
    group: Group,
    watch: Watch,
    strict: bool,
    whole: int,
) -> tuple[Part, str | None]:
    """All elements of one group; with a split, a refusal stays here. `whole`: rows of the version."""
    copies = apart(method, table, group)
    try:
        if copies:
            return _pooled_part(method, request, judged, table, copies, watch, strict)
        report, used, heading = _run_group(method, request, judged, table, group, watch)
    except Refusal as refusal:
        if request.split is None:
            raise
        rows = len(group.rows)
        empty = Sample(
            file=table.rows, filter=rows, weight=rows, missing=rows, used=0, weighted=None, why=[], columns=[]
        )
        return Part(group=group.part, sample=empty, elements=[], refusal=RefusalBody(fields=refusal.faults)), None
    if report.used_rows is not None:
        used.sample.used = report.used_rows
    if report.used_cases is not None:
        used.sample.weighted = report.used_cases
    for said in report.said:
        if said.type == "check":
            said.extra["remedies"] = [one for one in said.extra["remedies"] if alive(one)]
    if request.split is None:
        judged.followed += report.followed
    if issubclass(method, Processing):
        step = processing.plan(method, request, judged.resolved, table, whole, used.rows, report)
        elements = lay_out(method.elements(), report, judged.shown, strict)
        processing.deliver(step, elements, None if request.preview else request.kept)
    else:
        elements = lay_out(method.elements(), report, judged.shown, strict)
        stored_columns.write(elements, report, table, used.rows, request.kept, group.part)
        folders = artifacts.Folders(request.kept, request.kept_table, request.kept_model)
        artifacts.write(elements, folders, method, request.path)
    return Part(group=group.part, sample=used.sample, elements=elements, refusal=None), heading


def _pooled_part(
    method: type[Method],
    request: Request,
    judged: Judged,
    table: Table,
    copies: list[tuple[int, Group]],
    watch: Watch,
    strict: bool,
) -> tuple[Part, str | None]:
    """The method on each copy of a multiple imputation, and its estimates by Rubin's rules."""
    runs, heading = [], None
    for number, group in copies:
        try:
            report, used, heading = _run_group(method, request, judged, table, group, watch, copy=True)
        except Refusal as refusal:
            faults = [replace(fault, text=f"第 {number} 份插补数据：{fault.text}") for fault in refusal.faults]
            raise Refusal.of(faults) from None
        if report.used_rows is not None:
            used.sample.used = report.used_rows
        runs.append((number, report, used))
    shown = {name: element for name, element in method.elements().items() if judged.shown(element)}
    report, elements = pooled_report(table, runs, shown)
    laid = lay_out(elements, report, lambda _: True, strict)
    return Part(group=copies[0][1].part, sample=whole_account(table, runs), elements=laid, refusal=None), heading


def _run_group(
    method: type[Method],
    request: Request,
    judged: Judged,
    table: Table,
    group: Group,
    watch: Watch,
    copy: bool = False,
) -> tuple[Report, Used, str]:
    """`copy`: one of several, whose variables are not spoken of together before all are pooled."""
    each = next((f for f in method.Input.fields.values() if isinstance(f, RoleField) and f.each), None)
    if each is None:
        used = use(table, group, method, judged.resolved, judged.weights, request.fill_missing, None)
        judge_rows(used, method, table, request, judged.resolved)
        report, heading = _run(method, judged, judged.resolved, table, used, watch)
        _tell_fills(report, used, table)
        watch.finished += 1
        return report, used, heading
    report, used, heading = _run_each(method, request, judged, table, group, watch, each, copy)
    watch.finished += 1
    return report, used, heading


def _run(
    method: type[Method],
    judged: Judged,
    resolved: dict[str, Any],
    table: Table,
    used: Used,
    watch: Progress,
    each: RoleField | None = None,
    about: str = "",
) -> tuple[Report, str]:
    """Bind and run. Where the form has a list of one variable for an each-role, `run` sees the Column.

    `about`: all variables of that role in words, for the heading."""
    binder = Binder(table, used, resolved, method, judged.models, judged.assets)
    unboxed = next((weight for weight in judged.weights if weight.field is None), None)
    platform: dict[str, Any] = {"progress": watch, "case_weight": binder.column(unboxed.column) if unboxed else None}
    platform["again"] = judged.again
    if issubclass(method, Processing):
        platform["whole"] = binder.whole()
    if judged.seed is not None:
        # Each part and each variable starts from the seed, so that it equals the same run made alone.
        platform |= {"seed": judged.seed, "rng": np.random.default_rng(judged.seed)}
    if each is not None:
        platform |= {each.key: binder.column(resolved[each.key][0]), "about": about}
        for key in _along(method, each):
            platform[key] = binder.column(resolved[key][0]) if resolved[key] else None
    form = bind(method.Input, resolved, binder, **platform)
    with np.errstate(all="ignore"):
        return method.run(form), method.heading(form)


def _run_each(
    method: type[Method],
    request: Request,
    judged: Judged,
    table: Table,
    group: Group,
    watch: Watch,
    each: RoleField,
    copy: bool,
) -> tuple[Report, Used, str]:
    """One run per variable, stacked; a variable that is refused becomes a warning, unless all are."""
    ids = list(judged.resolved[each.key])
    beside = [key for key in _along(method, each) if judged.resolved[key]]
    titles = _titles(table, ids, [judged.resolved[key] for key in beside])
    about = few_of(list(titles.values()))
    report, faults, heading = Report(), list[tuple[str, Fault]](), method.title
    spans: list[Used] = []
    for done, column_id in enumerate(ids):
        watch(done, len(ids), titles[column_id])
        resolved = {**judged.resolved, each.key: [column_id], **{key: [judged.resolved[key][done]] for key in beside}}
        only = [column_id, *(resolved[key][0] for key in beside)]
        used = use(table, group, method, judged.resolved, judged.weights, request.fill_missing, only)
        try:
            judge_rows(used, method, table, request, resolved)
            own, heading = _run(method, judged, resolved, table, used, watch.of_variable(done, len(ids)), each, about)
        except Refusal as refusal:
            faults += [(column_id, replace(fault, column=fault.column or column_id)) for fault in refusal.faults]
            continue
        _tell_fills(own, used, table)
        _spread(own, table.rows, used)
        report.absorb(own, titles[column_id], len(ids) == 1, table.column(column_id).name)
        spans.append(used)
    if not spans:
        raise Refusal.of(_once([fault for _, fault in faults]))
    if len(spans) > 1 and not copy:
        method.joined(report, judged.resolved)
    for column_id, fault in _each_sentence(faults):
        # What is at fault may be the grouping variable; what was not analysed is the one of this run.
        name = titles[column_id]
        report.warn(fault.code, "没有分析“{name}”：{why}", columns=[column_id], name=name, why=fault.text)
    return report, _together(spans), heading


def _along(method: type[Method], each: RoleField) -> list[str]:
    """Boxes whose variables go along with those of the each-role, pair by pair."""
    return [key for key, f in method.Input.fields.items() if isinstance(f, RoleField) and f.along == each.key]


def _once(faults: list[Fault]) -> list[Fault]:
    """What stands in the way of all variables alike (three groups where two are compared) is said once."""
    return list({(fault.field, fault.code, fault.text): fault for fault in reversed(faults)}.values())[::-1]


def _each_sentence(faults: list[tuple[str, Fault]]) -> list[tuple[str, Fault]]:
    """A report says once what a form marks at several fields."""
    return list({(column_id, fault.text): (column_id, fault) for column_id, fault in reversed(faults)}.values())[::-1]


def _titles(table: Table, ids: list[str], beside: Sequence[list[str]] = ()) -> dict[str, str]:
    """What the rows of a stacked table are called; two variables with one label are told apart by their names.

    Pairs are called by both: 前测 − 后测."""
    columns = [table.column(column_id) for column_id in ids]
    titles = [title_of(column) for column in columns]
    for others in beside:
        titles = [f"{title} − {title_of(table.column(other))}" for title, other in zip(titles, others, strict=True)]
    return {c.id: t if titles.count(t) == 1 else f"{t}（{c.name}）" for c, t in zip(columns, titles, strict=True)}


def _spread(one: Report, rows: int, used: Used) -> None:
    """New columns are spread over all rows here, because variables may use different ones."""
    for columns in one.new_columns.values():
        for name, cells in columns.items():
            columns[name] = stored_columns.spread(cells, used.rows, rows)


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
    # Each variable kept its own rows: out are those with a gap in what all share, or in every one of them.
    shared = [c for c in spans[0].sample.columns if all(c in used.sample.columns for used in spans)]
    sample.columns = shared
    sample.either = [c for used in spans for c in used.sample.columns if c not in shared]
    # One that drops no row of its own keeps every row of the others.
    if any(set(used.sample.columns) <= set(shared) for used in spans):
        sample.either = None
    return Used(rows, sample)


def _tell_fills(report: Report, used: Used, table: Table) -> None:
    for column_id, made in used.fills.items():
        text = "“{name}”的 {n:integer} 个缺失值以{words}填补；填补会低估变异，区间偏窄。"
        name = title_of(table.column(column_id))
        report.warn("data.filled", text, columns=[column_id], name=name, n=made.cells, words=made.words)


# ---- the face towards runs -----------------------------------------------------------------------------------------
def run_analysis(payload: dict[str, Any], progress: Progress = no_progress) -> dict[str, Any]:
    """A run of kind "analysis": payload → `{"report": …}`, which its sender writes as JSON; raises `Refusal`."""
    request = Request.read(payload)
    if request.table is None and method_of(request.path).needs_data is True:
        raise Refusal("data.none", "请先选择一份数据")
    table = table_of({}) if request.table is None else Table.open(request.table)
    return {"report": analyse(request, table, progress)}


def plain(report: WireReport) -> dict[str, Any]:
    """Dicts and lists, as they will travel."""
    made: dict[str, Any] = orjson.loads(orjson.dumps(report))
    return made
