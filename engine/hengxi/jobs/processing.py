"""What the platform does around a `Processing` method: the new version, the record, the look before and after."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import UnsetType

from hengxi.contract.columns import Column
from hengxi.contract.derived import KEEP, Made
from hengxi.contract.derived import Derived as Told
from hengxi.contract.expressions import Expression
from hengxi.contract.facts import Broken
from hengxi.contract.fields.formula import in_words
from hengxi.contract.form import named_columns
from hengxi.contract.grammar import MAX_LENGTH, And, Call, Node, Or, parse
from hengxi.contract.measures import title_of
from hengxi.contract.method import Method, Processing
from hengxi.contract.refusal import Refusal, SetRemedy
from hengxi.contract.report import Report
from hengxi.contract.shapes import (
    CameRow,
    ChangedColumn,
    ColumnRef,
    DataStep,
    LevelCell,
    PreviewColumn,
    StepPreview,
    StepWeight,
)
from hengxi.data.arrays import wire_value
from hengxi.data.clock import is_clock
from hengxi.data.derive import Derived, changed_cells, derive
from hengxi.data.evaluate import Evaluated, compiled, evaluation
from hengxi.data.evaluation import Texts
from hengxi.data.levels import label_of
from hengxi.data.table import Table
from hengxi.jobs.settings_words import form_words
from hengxi.jobs.validation import Request

PREVIEW = 8
PREVIEW_COLUMNS = 12
AHEAD = 40
"""A look ahead fills a screen: so many rows, and the variables the step leaves alone as far as there is room."""
CAME = 8
"""Of rows that come, so many are shown."""
PREVIEW_ROWS = 10_000
"""A look ahead computes on this many rows at most."""

Rows = npt.NDArray[np.int64]


# ---- formulas ------------------------------------------------------------------------------------------------------
def expression(
    table: Table, rows: Rows | None, source: str, kind: str, column: Callable[[str], Column], node: Node | None = None
) -> Expression:
    """A formula as `run` reads it. It is computed on all rows (LAG looks at the row before), then cut to those used."""
    whole, parsed = compiled(table, source, kind)
    node = node or whole
    names = {one.id: one.name for one in table.meta.columns}

    def evaluate() -> Evaluated:
        run = evaluation(table)
        values: Any
        if parsed == "logical":
            values = run.logic(node)
        elif parsed == "text":
            texts: Texts = run.texts(node)
            values = texts.lookup()[texts.codes]
        else:
            values = run.numbers(node)
        return Evaluated(parsed, values if rows is None else values[rows], run.lost)

    def read(wanted: str) -> Evaluated:
        run = evaluation(table)
        values = run.numbers(Call(node.at, "number" if wanted == "number" else "datevalue", (node,)))
        return Evaluated("number" if wanted == "number" else "date", values if rows is None else values[rows], run.lost)

    items = node.items if isinstance(node, And | Or) else ()
    parts = [expression(table, rows, source, kind, column, item) for item in items]
    from hengxi.contract.grammar import columns

    used = [column(one) for one in columns(node)]
    return Expression(source, in_words(node, names), parsed, used, parts, evaluate, read)


def formula(table: Table, rows: Rows | None, source: str, kind: str, column: Callable[[str], Column]) -> Expression:
    """A formula of a form; what can be wrong with it was judged before."""
    parse(source, kind)  # type: ignore[arg-type]
    return expression(table, rows, source, kind, column)


# ---- the step ------------------------------------------------------------------------------------------------------
@dataclass
class Step:
    """What will be done: the new version in memory, and its account."""

    derived: Derived
    account: DataStep


def plan(
    method: type[Method],
    request: Request,
    resolved: dict[str, Any],
    table: Table,
    whole: int,
    rows: Rows,
    report: Report,
) -> Step:
    """The new version in memory; the record's row is added to the report. `whole`: rows of the version itself."""
    asked = report.derived
    if asked is None:
        raise Broken(f"“{method.title}” made no data")
    index = _index(asked, request, table, rows)
    changes = [_spread(one, asked, table, rows) for one in asked.made]
    if asked.only is not None:
        kept = {column.id for column in asked.only}
        asked.removed = [column for column in table.meta.columns if column.id not in kept]
    removed = {column.id for column in asked.removed}
    derived = derive(
        table,
        changes,
        copies=asked.copies,
        index=index,
        removed=removed,
        first=request.first or 0,
        why=f"由“{method.title}”得到",
        words=asked.words,
        order=asked.order,
        sets=asked.sets,
    )
    for wished, name in derived.renamed.items():
        text = "变量“{wished}”已存在，新变量改名为“{name}”。"
        report.warn("data.renamed", text, wished=wished, name=name)
    account = _account(request, resolved, method, table, derived, asked, changes, index, sampled=whole > table.rows)
    assert issubclass(method, Processing)
    report.row(
        method.record, method=method.title, settings=form_words(method, resolved, table),
        rows_before=account.rows_before, rows_after=account.rows_after, columns_before=account.columns_before,
        columns_after=account.columns_after, cells=account.cells,
    )  # fmt: skip
    return Step(derived, account)


def _index(asked: Told, request: Request, table: Table, rows: Rows) -> Rows | None:
    if asked.index is None:
        return None
    if request.filter is not None:
        text = "筛选生效时不能增删行：没有参与筛选的行会一起丢失，请先取消筛选再运行"
        raise Refusal(
            "data.filtered", text, field="_filter", remedies=[SetRemedy(title="不筛选运行", set={"_filter": None})]
        )
    whole = len(asked.index) == table.rows and bool(np.array_equal(asked.index, np.arange(table.rows)))
    return None if whole else np.append(rows, -1)[asked.index]


def _spread(change: Made, asked: Told, table: Table, rows: Rows) -> Made:
    """Values of the rows used → of all rows; a variable changed in place keeps its cells in the others."""
    if asked.index is not None or len(rows) == table.rows:
        return change
    if change.parts is not None:
        text_ = "筛选生效时不能合并别的数据：没有参与筛选的行没有对应的值，请先取消筛选再运行"
        remedy = SetRemedy(title="不筛选运行", set={"_filter": None})
        raise Refusal("data.filtered", text_, field="_filter", remedies=[remedy])
    text = change.stored == "text"
    old: np.ndarray[Any, Any] = np.full(table.rows, None if text else np.nan, dtype=object if text else np.float64)
    if change.replaces:
        was_text = table.column(change.source.id).storage == "text"
        if was_text != text:
            kinds = "文本改成数值" if was_text else "数值改成文本"
            words = (
                f"筛选生效时不能把“{title_of(table.column(change.source.id))}”由{kinds}，请改为新增变量，或先取消筛选"
            )
            raise Refusal("data.filtered", words, field="mode", column=change.source.id)
        old = table.text(change.source.id).copy() if text else table.numeric(change.source.id).copy()
    old[rows] = change.values
    return replace(change, values=old)


def _account(
    request: Request,
    resolved: dict[str, Any],
    method: type[Method],
    table: Table,
    derived: Derived,
    asked: Told,
    changes: list[Made],
    index: Rows | None,
    sampled: bool,
) -> DataStep:
    new = derived.table.meta.by_id()
    differs = {
        one.source.id: changed_cells(table, one.source.id, one.values, one.stored, index)
        for one in changes
        if one.replaces and one.parts is None
    }
    # A variable beside its source with the gaps filled: where it is filled is what one wants to look at.
    filled = [changed_cells(table, one.source.id, one.values, one.stored, index) for one in changes if _repeats(one)]
    counts = {column_id: int(mask.sum()) for column_id, mask in differs.items()}
    added = [_ref(new[i]) for i, one in zip(derived.ids, changes, strict=True) if not one.replaces]
    removed = [_ref(table.column(column.id)) for column in asked.removed]
    changed = [ChangedColumn(**asdict(_ref(new[i])), cells=k) for i, k in counts.items()]
    named = named_columns(method.Input, resolved)
    named += [one.source.id for one in changes if one.replaces and one.parts and one.source.id not in named]
    sources = {i: one.source.id for i, one in zip(derived.ids, changes, strict=True) if _repeats(one)}
    shown = _shown_columns(table, derived, named, added, set(counts), removed, sources, fill=request.preview)
    rows = AHEAD if request.preview else PREVIEW
    return DataStep(
        rows_before=table.rows,
        rows_after=derived.table.rows,
        left_out=_left_out(asked, index),
        columns_before=len(table.meta.columns),
        columns_after=len(derived.table.meta.columns),
        missing_before=table.missing_cells(),
        missing_after=derived.table.missing_cells(),
        cells=sum(counts.values()),
        added=added,
        changed=changed,
        removed=removed,
        sampled=sampled,
        preview=_beside(table, derived.table, shown, rows)
        if asked.reshaped
        else _look(table, derived.table, shown, [*differs.values(), *filled], index, rows),
        reshaped=asked.reshaped,
        reworded=[_ref(new[one.column.id]) for one in asked.words],
        weight=None if asked.weight is KEEP else _weight_of(asked.weight, derived.table),
    )


def _repeats(made: Made) -> bool:
    """A variable beside its source that differs from it in some cells only."""
    return made.keeps_words and made.source is not None and not made.replaces


def _weight_of(column: Column | None, after: Table) -> StepWeight:
    return StepWeight(column=None if column is None else column.id, name="" if column is None else column.name)


def _left_out(told: Told, index: Rows | None) -> str | None:
    """The condition of the rows that go, where some go and it is short enough to be asked again."""
    condition = told.left_out
    return condition if index is not None and condition is not None and len(condition) <= MAX_LENGTH else None


def _ref(column: Any) -> ColumnRef:
    return ColumnRef(id=column.id, name=column.name, label=column.label, measure=column.measure)


def _shown_columns(
    table: Table,
    derived: Derived,
    named: list[str],
    added: list[ColumnRef],
    changed: set[str],
    removed: list[ColumnRef],
    sources: dict[str, str],
    fill: bool,
) -> list[PreviewColumn]:
    """What the step reads, changes and makes; where it names nothing, or to `fill` the screen, the first variables."""
    gone = {one.id for one in removed}
    old = [c for c in named if c not in changed and c not in gone]
    if not (old or changed or added or gone):
        old = [column.id for column in table.meta.columns[:PREVIEW_COLUMNS]]
    known = {column.id: column for column in [*table.meta.columns, *derived.table.meta.columns]}
    kinds: list[tuple[str, Any]] = [(c, "changed") for c in known if c in changed]
    kinds += [(one.id, "removed") for one in removed]
    new: list[tuple[str, Any]] = [(one.id, "new") for one in added]
    room = max(PREVIEW_COLUMNS - len(kinds) - len(new), 2)
    kinds = [*((c, "same") for c in old[:room]), *kinds, *new][: 2 * PREVIEW_COLUMNS]
    if fill:
        seen = {c for c, _ in kinds}
        others = (c.id for c in derived.table.meta.columns if c.id not in seen)
        kinds += [(c, "same") for c in islice(others, max(PREVIEW_COLUMNS - len(kinds), 0))]
    return [
        PreviewColumn(
            id=c,
            name=known[c].name,
            label=known[c].label,
            change=kind,
            source=sources.get(c),
            labels_before=[],
            labels_after=[],
            clock_after=kind != "removed" and is_clock(derived.table.column(c)),
        )
        for c, kind in kinds
    ]


def _look(
    table: Table, after: Table, shown: list[PreviewColumn], differs: list[Any], index: Rows | None, rows: int
) -> StepPreview:
    """The first rows where something happens (changed or filled cells, dropped rows), or simply the first.

    On a screen of rows, changed cells come before the rows that stay as they are, and some of those are seen too.
    """
    place = np.arange(table.rows)
    if index is not None:
        place = np.full(table.rows, -1)
        old = np.flatnonzero(index >= 0)[::-1]
        place[index[old]] = old
    happens = np.logical_or.reduce(differs) if differs else np.zeros(after.rows, dtype=bool)
    touched = place < 0
    touched[place >= 0] |= happens[place[place >= 0]]
    if rows == PREVIEW:
        first = np.flatnonzero(touched)[:rows]
        rest = np.setdiff1d(np.arange(min(table.rows, 2 * rows)), first)[: rows - len(first)]
        first = np.sort(np.concatenate([first, rest])).astype(np.int64)
    else:
        first = np.flatnonzero(touched)[: rows * 3 // 4]
        first = np.concatenate([first, np.flatnonzero(~touched)[: rows - len(first)]]).astype(np.int64)
        first = first if index is None else np.sort(first)
    before = {c.id: _cells(table, c.id, first) for c in shown if c.change != "new"}
    kept = first[place[first] >= 0]
    later = {c.id: _cells(after, c.id, place[kept]) for c in shown if c.change != "removed"}
    at = {int(row): i for i, row in enumerate(kept)}
    named = [
        replace(
            c, labels_before=_labels(table, c.id, before.get(c.id)), labels_after=_labels(after, c.id, later.get(c.id))
        )
        for c in shown
    ]
    return StepPreview(
        rows=[int(row) + 1 for row in first],
        columns=named,
        before=[[before[c.id][i] if c.id in before else None for c in shown] for i in range(len(first))],
        after=[
            [later[c.id][at[int(row)]] if c.id in later else None for c in shown] if int(row) in at else None
            for row in first
        ],
        came=_came(after, shown, index, place),
    )


def _came(after: Table, shown: list[PreviewColumn], index: Rows | None, place: Rows) -> list[CameRow]:
    """Rows that are new, and copies of a row beside the one that stands for it."""
    if index is None:
        return []
    old = np.zeros(len(index), dtype=bool)
    old[place[place >= 0]] = True
    rows = np.flatnonzero(~old)[:CAME]
    cells = {c.id: _cells(after, c.id, rows) for c in shown if c.change != "removed"}
    return [
        CameRow(row=int(row) + 1, cells=[cells[c.id][i] if c.id in cells else None for c in shown])
        for i, row in enumerate(rows)
    ]


def _beside(table: Table, after: Table, shown: list[PreviewColumn], most: int) -> StepPreview:
    """The first rows of either table: a row after is no row before. A row one of them has not is all empty."""
    rows = max(min(table.rows, most), min(after.rows, most))
    sides: list[list[Any]] = []
    words: list[dict[str, list[LevelCell]]] = []
    for one, hidden in ((table, "new"), (after, "removed")):
        first = np.arange(min(one.rows, most))
        cells = {c.id: _cells(one, c.id, first) for c in shown if c.change != hidden}
        words.append({c: _labels(one, c, found) for c, found in cells.items()})
        lines = [[cells[c.id][i] if c.id in cells else None for c in shown] for i in range(len(first))]
        sides.append([*lines, *([None] * (rows - len(lines)))])
    named = [replace(c, labels_before=words[0].get(c.id, []), labels_after=words[1].get(c.id, [])) for c in shown]
    return StepPreview(rows=[*range(1, rows + 1)], columns=named, before=sides[0], after=sides[1], came=[])


def _labels(table: Table, column_id: str, cells: list[Any] | None) -> list[LevelCell]:
    """Only of the codes that are shown: a column may have thousands."""
    if not cells:
        return []
    column = table.column(column_id)
    coded = [] if isinstance(column.missing_labels, UnsetType) else column.missing_labels
    return [
        LevelCell(value=one.value, label=one.label)
        for one in [*(column.levels or []), *coded]
        if one.value is not None and one.value in cells and one.label not in ("", label_of(one.value))
    ]


def _cells(table: Table, column_id: str, rows: Rows) -> list[Any]:
    return [wire_value(value) for value in table.shown(column_id, rows.astype(np.int64))]


_HEARERS: list[Callable[[Table], None]] = []


@contextmanager
def hearing(hear: Callable[[Table], None]) -> Iterator[None]:
    """Tells of every table a step made while it lasts: for use without a server."""
    _HEARERS.append(hear)
    try:
        yield
    finally:
        _HEARERS.remove(hear)


def deliver(step: Step, elements: list[dict[str, Any]], key: str | None) -> None:
    """Store the version where a key was given, and put the account into the data element."""
    for hear in _HEARERS:
        hear(step.derived.table)
    element = next(one for one in elements if one["type"] == "data")
    if key is not None:
        step.derived.write(key)
    account = step.account
    new = [one.id for one in account.added]
    first = np.arange(min(PREVIEW, step.derived.table.rows))
    cells = [_cells(step.derived.table, column_id, first) for column_id in new]
    element |= {
        "vid": None,
        "kept": key,
        "table": False,
        "filled": None,
        "rows": account.rows_after,
        "columns": [asdict(one) for one in account.added],
        "changed": account.cells,
        "preview": [list(row) for row in zip(*cells, strict=True)],
        "step": asdict(account),
    }
