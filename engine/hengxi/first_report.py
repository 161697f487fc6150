"""The first report of a whole questionnaire: which methods, on which questions, in which order.

A list of ordinary analyses; the person sees it first and leaves out what is not wanted. Rules only, as in `selectors`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from hengxi import registry
from hengxi.contract.measures import FEW_VALUES, ColumnInfo, few_of, is_number, title_of
from hengxi.data.questionnaire.structure import is_aside
from hengxi.data.table import Table

MOST = 50
"""As many reports as one document takes."""
FEWEST_GROUPS, MOST_GROUPS = 2, 8
"""A background question with more groups makes tables nobody reads."""
MOST_COMPARED = 4
"""Background questions compared by at first; the others are offered."""
ROWS_OF_A_TABLE = 12
MOST_LEVELS = 100

SAMPLE, RELIABILITY, VALIDITY = "样本构成", "信度", "效度"
QUESTIONS, GROUPS = "各题结果", "不同人群的比较"
FREQUENCY, MOMENTS = "descriptive/frequency", "descriptive/descriptive_statistics"
ALPHA, FACTORS = "descriptive/reliability", "questionnaire/validity"
CHOICES, CHOICES_BY = "questionnaire/multiple_choice", "questionnaire/multiple_choice_crosstab"
CROSS = "descriptive/crosstabs"


@dataclass(frozen=True)
class Part:
    section: str
    title: str
    path: str
    form: dict[str, Any]
    chosen: bool = True


@dataclass
class Questions:
    """The columns of a questionnaire by what they are."""

    background: list[ColumnInfo]
    choices: list[ColumnInfo]
    numbers: list[ColumnInfo]
    texts: list[ColumnInfo]
    uncountable: list[ColumnInfo]
    """Of so many different answers that no table holds them."""
    unanswered: list[ColumnInfo]
    sets: list[dict[str, Any]]
    dimensions: list[dict[str, Any]]
    groups: list[tuple[str, list[str]]]
    """Matrix questions, and dimensions whose items are in none."""
    known: dict[str, ColumnInfo] = field(default_factory=dict)


def plan(key: str, body: dict[str, Any]) -> dict[str, Any]:
    """`parts` in their order, and `left_out`: what is in the file and in no part, in one sentence each."""
    return plan_of(Table.open(key), body["questionnaire"], body.get("sets") or [])


def plan_of(table: Table, questionnaire: dict[str, Any], sets: list[dict[str, Any]]) -> dict[str, Any]:
    asked = _sorted(table, questionnaire, sets)
    parts = [part for part in _parts(asked) if registry.exists(part.path)]
    kept: list[dict[str, Any]] = []
    for n, part in enumerate(parts, 1):
        chosen = part.chosen and sum(one["chosen"] for one in kept) < MOST
        kept.append({"key": f"p{n}", **vars(part), "chosen": chosen})
    return {"parts": kept, "left_out": _left_out(asked)}


def _sorted(table: Table, questionnaire: dict[str, Any], sets: list[dict[str, Any]]) -> Questions:
    columns: list[ColumnInfo] = list(table.meta.columns)  # type: ignore[arg-type]
    known = {column.id: column for column in columns}
    dimensions, matrices = questionnaire["dimensions"], questionnaire["matrices"]
    in_sets = {column_id for one in sets for column_id in one["columns"]}
    groups = [(one["name"], list(one["columns"])) for one in matrices]
    in_matrices = {column_id for _, ids in groups for column_id in ids}
    groups += [
        (one["name"], rest)
        for one in dimensions
        if (rest := [column_id for column_id in one["columns"] if column_id not in in_matrices])
    ]
    grouped = {column_id for _, ids in groups for column_id in ids}
    background = [known[column_id] for column_id in questionnaire["background"] if column_id in known]
    # The answers in one cell that a set of columns was made of.
    sources = {one["name"] for one in sets}
    taken = in_sets | grouped | {column.id for column in background}
    asked = [c for c in columns if c.id not in taken and c.name not in sources and not is_aside(c)]
    rest = [column for column in asked if column.profile.n > 0]
    choices = [column for column in rest if _is_choice(column) and not _is_open(column)]
    numbers = [c for c in rest if not _is_choice(c) and c.measure == "定量" and is_number(c)]
    texts = [column for column in rest if column.measure == "文本" or _is_open(column)]
    told = {column.id for column in (*choices, *numbers, *texts)}
    return Questions(
        background,
        choices,
        numbers,
        texts,
        [c for c in rest if c.id not in told] + [c for c in background if not _is_grouping(c) and not is_number(c)],
        [column for column in asked if column.profile.n == 0],
        sets,
        dimensions,
        sorted(groups, key=lambda group: min(_place(columns, column_id) for column_id in group[1])),
        known,
    )


def _place(columns: list[ColumnInfo], column_id: str) -> int:
    return next((i for i, column in enumerate(columns) if column.id == column_id), len(columns))


_OPEN = re.compile(r"建议|意见|为什么|请说明|请填写|请简述|备注|感想|想说")


def _is_open(column: ColumnInfo) -> bool:
    """A question answered in one's own words, even where many wrote the same few."""
    return column.storage == "text" and _OPEN.search(title_of(column)) is not None


def _is_choice(column: ColumnInfo) -> bool:
    if column.measure == "定类":
        return column.profile.distinct <= MOST_LEVELS
    return "量表" in column.flags and is_number(column) and column.profile.distinct <= FEW_VALUES


def _is_grouping(column: ColumnInfo) -> bool:
    return _is_choice(column) or column.profile.distinct <= FEW_VALUES


def _parts(asked: Questions) -> Iterator[Part]:
    yield from _sample(asked)
    yield from _scales(asked)
    yield from _each(asked)
    yield from _compared(asked)


def _sample(asked: Questions) -> Iterator[Part]:
    groups = [column for column in asked.background if _is_grouping(column)]
    numbers = [column for column in asked.background if column not in groups and is_number(column)]
    if groups:
        form = {"variables": _ids(groups), "chart": []}
        yield Part(SAMPLE, f"样本构成：{_names(groups)}", FREQUENCY, form)
    if numbers:
        yield Part(SAMPLE, f"样本构成：{_names(numbers)}", MOMENTS, {"variables": _ids(numbers)})


def _scales(asked: Questions) -> Iterator[Part]:
    """With one dimension there is nothing to tell apart, and with two items no factors."""
    if not asked.dimensions:
        return
    blocks = [{"id": one["id"], "name": one["name"], "columns": one["columns"]} for one in asked.dimensions]
    turned = [{"for": item, "reversed": True} for one in asked.dimensions for item in one["reversed"]]
    count = f"{len(blocks)} 个维度" if len(blocks) > 1 else asked.dimensions[0]["name"]
    yield Part(RELIABILITY, f"信度：{count}", ALPHA, {"items": blocks, "turned": turned})
    if sum(len(one["columns"]) for one in asked.dimensions) > 2:
        yield Part(VALIDITY, f"效度：{count}", FACTORS, {"items": blocks})


def _each(asked: Questions) -> Iterator[Part]:
    """Every question in the order of the questionnaire."""
    places = {column_id: i for i, column_id in enumerate(asked.known)}
    found: list[tuple[int, Part]] = []
    for column in asked.choices:
        form = {"variables": [column.id], "chart": ["bar"]}
        found.append((places[column.id], Part(QUESTIONS, title_of(column), FREQUENCY, form)))
    for one in asked.sets:
        part = Part(QUESTIONS, _title_of_set(one), CHOICES, {"items": [_as_item(one)]})
        found.append((min((places.get(i, 0) for i in one["columns"]), default=0), part))
    for name, ids in asked.groups:
        found.append((min(places[i] for i in ids), Part(QUESTIONS, name, FREQUENCY, {"variables": ids, "chart": []})))
    yield from (part for _, part in sorted(found, key=lambda pair: pair[0]))
    if asked.numbers:
        numbers = {"variables": _ids(asked.numbers)}
        yield Part(QUESTIONS, f"数值题：{_names(asked.numbers)}", MOMENTS, numbers)


def _compared(asked: Questions) -> Iterator[Part]:
    dividing = [column for column in asked.background if FEWEST_GROUPS <= _groups_of(column) <= MOST_GROUPS]
    questions = [column for column in asked.choices if _groups_of(column) >= FEWEST_GROUPS]
    for n, column in enumerate(dividing):
        at_first = n < MOST_COMPARED
        by = title_of(column)
        for start in range(0, len(questions), ROWS_OF_A_TABLE):
            some = questions[start : start + ROWS_OF_A_TABLE]
            rows = {"rows": _ids(some), "columns": [column.id], "percent": ["col"]}
            yield Part(GROUPS, f"按“{by}”比较：{_names(some)}", CROSS, rows, at_first)
        for one in asked.sets:
            options: dict[str, Any] = {"items": [_as_item(one)], "group": [column.id]}
            yield Part(GROUPS, f"按“{by}”比较：{_title_of_set(one)}", CHOICES_BY, options, at_first)


def _groups_of(column: ColumnInfo) -> int:
    return column.profile.distinct if column.measure == "定类" or _is_choice(column) else 0


def _left_out(asked: Questions) -> list[str]:
    found = []
    if asked.texts:
        found.append(f"开放题不在报告里，可以另做文本分析：{_names(asked.texts)}。")
    if asked.uncountable:
        names = _names(asked.uncountable)
        found.append(f"类别超过 {MOST_LEVELS} 种的题不在报告里：{names}。")
    if asked.unanswered:
        found.append(f"没有人回答的题不在报告里：{_names(asked.unanswered)}。")
    wide = [column for column in asked.background if _groups_of(column) > MOST_GROUPS]
    if wide:
        found.append(f"超过 {MOST_GROUPS} 组的背景题不用来比较：{_names(wide)}。")
    return found


def _ids(columns: list[ColumnInfo]) -> list[str]:
    return [column.id for column in columns]


def _names(columns: list[ColumnInfo]) -> str:
    return few_of([title_of(column) for column in columns])


def _title_of_set(one: dict[str, Any]) -> str:
    return str(one.get("label") or one["name"])


def _as_item(one: dict[str, Any]) -> dict[str, Any]:
    return {"set": one["id"], "name": _title_of_set(one), "columns": one["columns"], "counted": one["counted"]}
