"""Which rows a run uses: filter, split, weights, missing; and the account of how many were left after each step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from hengxi.contract.columns import Floats
from hengxi.contract.fields import LevelField, RoleField, WeightField
from hengxi.contract.fields.level import kind_and_value
from hengxi.contract.form import named_columns
from hengxi.contract.measures import is_number, title_of
from hengxi.contract.method import Method
from hengxi.contract.refusal import Refusal, SetRemedy
from hengxi.contract.report_shapes import PartGroup
from hengxi.contract.shapes import ChosenLevels, Sample, WhyRows
from hengxi.data.sample import in_levels
from hengxi.data.table import Table
from hengxi.jobs.validation import Request
from hengxi.jobs.weighting import Acting, judge_values

Rows = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
MOST_GROUPS = 30


@dataclass
class Fill:
    """A gap filled in one column: the code or number put there, and how many cells."""

    numbers: Floats | None
    codes: npt.NDArray[np.int32] | None
    cells: int
    words: str


@dataclass
class Used:
    """The rows of one run, and how they came about."""

    rows: Rows
    sample: Sample
    fills: dict[str, Fill] = field(default_factory=dict)


@dataclass(frozen=True)
class Group:
    """Rows of one part before weights and missing. `outside`: rows that passed the filter but are in none of the groups
    (all groups together only)."""

    part: PartGroup | None
    rows: Rows
    outside: WhyRows | None = None


# ---- split ---------------------------------------------------------------------------------------------------------
def groups(table: Table, rows: Rows, split: dict[str, Any] | None, method: type[Method]) -> Iterator[Group]:
    """The parts in the order of the levels, all together last."""
    if split is None:
        yield Group(None, rows)
        return
    if not method.split:
        text = f"“{method.title}”不能分组运行，请先取消分组"
        remedy = SetRemedy(title="不分组运行", set={"_split": None})
        raise Refusal("split.unsupported", text, field="_split", remedies=[remedy])
    column = table.column(split["column"])
    codes, levels = table.codes(column.id)
    codes = codes[rows]
    chosen = split.get("levels")
    places = [i for i, level in enumerate(levels) if chosen is None or level.value in chosen]
    counts = np.bincount(codes[codes >= 0], minlength=len(levels))
    places = [i for i in places if counts[i] > 0]
    _judge_groups(title_of(column), len(places))
    for i in places:
        level = levels[i]
        part = PartGroup(column=column.id, name=title_of(column), value=level.value, label=level.label, total=False)
        yield Group(part, rows[codes == i])
    if split.get("total", True):
        part = PartGroup(column=column.id, name=title_of(column), value=None, label="合计", total=True)
        held = np.isin(codes, places)
        gone = int((~held).sum())
        reason = None if gone == int((codes < 0).sum()) else f"“{title_of(column)}”缺失或不在所选各组"
        outside = WhyRows(column=column.id, name=title_of(column), rows=gone, reason=reason) if gone else None
        yield Group(part, rows[held], outside)


def _judge_groups(name: str, k: int) -> None:
    if k > MOST_GROUPS:
        text = f"分组变量“{name}”有 {k:,} 个类别，最多按 {MOST_GROUPS} 个分组；请只选其中几类，或先合并类别"
        raise Refusal("split.many", text, field="_split", k=k)
    if k == 0:
        raise Refusal("split.empty", f"分组变量“{name}”在筛选后的行里没有任何取值，请更换或取消分组", field="_split")


# ---- weights and missing -------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Columns:
    """The columns of one run by what a gap in them does."""

    drop: list[str]  # a gap drops the row (listwise)
    each: list[str]  # a gap drops the row for this variable only
    told: list[str] = field(default_factory=list)  # the method leaves the gaps out itself; the account names them


def by_gap(method: type[Method], resolved: dict[str, Any]) -> Columns:
    """Labels and weights never drop a row here; the each-role does so per variable when missing is "each"."""
    drop: list[str] = []
    each: list[str] = []
    chosen = method.dropped_by(resolved)
    for key, role in method.Input.fields.items():
        if chosen is not None and key not in chosen:
            continue
        if isinstance(role, WeightField) or (isinstance(role, RoleField) and role.use is not None):
            continue
        # A blank among the options of a set is an answer like others: the method counts it.
        ids = role.alone_ids(resolved[key]) if isinstance(role, RoleField) else role.column_ids(resolved[key])
        own = isinstance(role, RoleField) and (role.each or role.along is not None) and method.missing == "each"
        (each if own else drop).extend(c for c in ids if c not in drop and c not in each)
    if chosen is None and method.missing in ("keep", "pairwise"):
        return Columns([], [], drop if method.missing == "pairwise" else [])
    return Columns(drop, each)


def use(
    table: Table,
    group: Group,
    method: type[Method],
    resolved: dict[str, Any],
    weights: list[Acting],
    fill: bool,
    only: Sequence[str] | None,
) -> Used:
    """The rows one run gets. `only`: the variable of an each-role this run is for, and those that go along with it."""
    rows_left = group.rows
    why: list[WhyRows] = [] if group.outside is None else [group.outside]
    outside = 0 if group.outside is None else group.outside.rows
    for weight in weights:
        rows_left = _weighted_rows(table, weight, rows_left, why)
    sample = Sample(
        file=table.rows,
        filter=len(group.rows) + outside,
        weight=len(rows_left) + outside,
        missing=0,
        used=0,
        weighted=None,
        why=why,
        columns=[],
    )
    rows_left, sample.chosen = _of_levels(table, method, resolved, rows_left)
    gaps = by_gap(method, resolved)
    columns = [*gaps.drop, *(gaps.each if only is None else [c for c in only if c in gaps.each])]
    used = Used(rows_left, sample)
    if fill and method.missing in ("listwise", "each"):
        for column_id in columns:
            if (made := _fill(table, column_id, rows_left)) is not None:
                used.fills[column_id] = made
    used.rows = _drop_gaps(table, [c for c in columns if c not in used.fills], rows_left, why)
    _cut_fills(used, rows_left)
    for _ in _tell_gaps(table, gaps.told, used.rows, why):
        pass  # the method leaves them out itself
    sample.missing = sample.used = len(used.rows)
    apart = [one.column for one in why if one is group.outside and one.reason is None and one.column is not None]
    sample.columns = [*apart, *(weight.column for weight in weights), *(c for c in columns if c not in used.fills)]
    frequency = next((weight for weight in weights if weight.kind == "frequency"), None)
    if frequency is not None:
        sample.weighted = float(np.nansum(table.numeric(frequency.column)[used.rows]))
    return used


def _weighted_rows(table: Table, weight: Acting, rows: Rows, why: list[WhyRows]) -> Rows:
    if len(rows) == 0:
        return rows  # it is not the weight that left nothing
    values = table.numeric(weight.column)[rows]
    name = title_of(table.column(weight.column))
    judge_values(weight, name, values, rows)
    keep = values > 0
    if dropped := int(len(rows) - keep.sum()):
        why.append(WhyRows(column=weight.column, name=name, rows=dropped, reason="权重缺失或为 0"))
    return rows[keep]


def _of_levels(
    table: Table, method: type[Method], resolved: dict[str, Any], rows: Rows
) -> tuple[Rows, ChosenLevels | None]:
    """Rows of the levels a form compares, where it compares some only; a row without any is a gap like others."""
    for key, one in method.Input.fields.items():
        if not isinstance(one, LevelField) or not one.alone or not resolved[key]:
            continue
        [column_id] = (c for role in one.of for c in method.Input.fields[role].column_ids(resolved[role]))
        codes, levels = table.codes(column_id)
        keep = in_levels(codes, levels, resolved[key])[rows]
        gone = int(len(rows) - keep.sum())
        if gone == 0:
            continue
        places = {kind_and_value(value): i for i, value in enumerate(resolved[key])}
        found = [(at, level.label) for level in levels if (at := places.get(kind_and_value(level.value))) is not None]
        labels = [label for _, label in sorted(found, key=lambda one: one[0])]
        name = title_of(table.column(column_id))
        chosen = ChosenLevels(column=column_id, name=name, values=list(resolved[key]), labels=labels, rows=gone)
        return rows[keep], chosen
    return rows, None


def _drop_gaps(table: Table, columns: list[str], rows: Rows, why: list[WhyRows]) -> Rows:
    gone: Any = None
    for missing in _tell_gaps(table, columns, rows, why):
        gone = missing if gone is None else gone | missing
    if gone is None:
        return rows
    return np.flatnonzero(~gone) if len(rows) == table.rows else rows[~gone]


def _tell_gaps(table: Table, columns: list[str], rows: Rows, why: list[WhyRows]) -> Iterator[Bools]:
    """The account of each column's gaps; and the gaps, where there are any."""
    for column_id in columns:
        missing = table.missing(column_id)
        if len(rows) < table.rows:
            missing = missing[rows]
        if count := int(np.count_nonzero(missing)):
            why.append(WhyRows(column=column_id, name=title_of(table.column(column_id)), rows=count, reason=None))
            yield missing


def _fill(table: Table, column_id: str, rows: Rows) -> Fill | None:
    """The mean of numbers, the mode of categories (the first in order on a tie), from the rows given; None: no gap."""
    missing = table.missing(column_id)
    cells = int(missing[rows].sum())
    if cells == 0 or cells == len(rows):
        return None
    column = table.column(column_id)
    if column.measure == "定量" and is_number(column):  # type: ignore[arg-type]
        numbers = table.numeric(column_id)
        mean = float(np.nanmean(numbers[rows]))
        return Fill(np.where(missing, mean, numbers), None, cells, f"均值 {mean:.6g}")
    if column.measure != "定类":
        return None
    codes, levels = table.codes(column_id)
    picked = codes[rows]
    mode = int(np.bincount(picked[picked >= 0]).argmax())
    filled = np.where(codes < 0, mode, codes).astype(np.int32)
    put: Floats | None = None
    if is_number(column):  # type: ignore[arg-type]
        put = np.where(missing, float(str(levels[mode].value)), table.numeric(column_id))
    return Fill(put, filled, cells, f"众数“{levels[mode].label}”")


def _cut_fills(used: Used, kept: Rows) -> None:
    """Count only cells filled in rows that stayed."""
    if len(used.rows) == len(kept):
        return
    for column_id in list(used.fills):
        made = used.fills[column_id]
        made.cells = min(made.cells, len(used.rows))


def judge_rows(used: Used, method: type[Method], table: Table, request: Request, resolved: dict[str, Any]) -> None:
    """Nothing, or too little, is left: say at which step it went, and mark the boxes that took it."""
    if not table.meta.columns and method.needs_data is not True:
        return
    n = len(used.rows)
    sample = used.sample
    # Of one group of several, most rows are in the others.
    filtered = sample.file - sample.filter if request.filter is not None and request.split is None else 0
    marked = _fields_that_lost(method, resolved, sample) + (["_filter"] if filtered else [])
    first, also = (marked[0] if marked else None), marked[1:]
    if sample.file == 0:
        raise Refusal("data.empty", "这份数据没有任何行，请换一份数据")
    if sample.filter == 0:
        raise Refusal("data.filtered", "筛选后没有任何行，请放宽筛选条件", field=first, also=also)
    if n == 0:
        named = [table.column(c) for c in named_columns(method.Input, resolved)]
        worst = max(sample.why, key=lambda one: one.rows, default=None)
        name = f"，其中“{worst.name}”缺失 {worst.rows} 行" if worst and worst.name else ""
        text = f"没有一行在所选 {len(named)} 个变量上都有值{name}；请移去缺失多的变量，或先处理缺失"
        raise Refusal("data.empty", text, field=first, also=also, column=worst.column if worst else None)
    if n < method.min_rows:
        text = f"有效样本只有 {n} 行，“{method.title}”至少需要 {method.min_rows} 行{_way_to_more(sample, filtered)}"
        raise Refusal("data.few", text, field=first, also=also, n=n, min=method.min_rows)


def _fields_that_lost(method: type[Method], resolved: dict[str, Any], sample: Sample) -> list[str]:
    """The boxes whose variables, and the levels chosen, took rows away."""
    lost = {one.column for one in sample.why if one.rows}
    return [
        key
        for key, one in method.Input.fields.items()
        if lost.intersection(one.column_ids(resolved[key]))
        or (isinstance(one, LevelField) and one.alone and resolved[key] and sample.chosen is not None)
    ]


def _way_to_more(sample: Sample, by_filter: int) -> str:
    """What took most rows away, and what to do about it."""
    worst = max((one for one in sample.why if one.name), key=lambda one: one.rows, default=None)
    by_level = sample.chosen.rows if sample.chosen is not None else 0
    by_gap = worst.rows if worst is not None else 0
    most = max(by_filter, by_level, by_gap)
    if most == 0:
        return ""
    if worst is not None and by_gap == most:
        if worst.reason is not None:
            return f"；“{worst.name}”去掉了 {by_gap:,} 行（{worst.reason}），请核对或更换"
        return f"；“{worst.name}”缺失 {by_gap:,} 行，请换一个变量或先处理缺失"
    return f"；筛选去掉了 {by_filter:,} 行，请放宽条件" if by_filter == most else "；所选类别的行太少，请另选类别"
