"""The last look at a table that was just read: is it a questionnaire, and which columns belong together?"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pyarrow as pa

from hengxi.data.arrays import ArrowFile
from hengxi.data.formats import Asking, Job, Staged
from hengxi.data.meta import Column, ColumnReport, Warn
from hengxi.data.questionnaire.codes import days_of, flag_of, seconds_of, take_skips
from hengxi.data.questionnaire.joined import made_columns, split_joined
from hengxi.data.questionnaire.joined_asked import split_asked
from hengxi.data.questionnaire.marked import find_marked, marked_columns
from hengxi.data.questionnaire.scored import score_items
from hengxi.data.questionnaire.sets import NUMBERED, answer_set, find_sets, is_chosen, is_single, options_of, worded
from hengxi.data.staging import with_arrays

MAX_COLUMNS = 20_000
HEADINGS = 3
PLAIN = frozenset({"csv", "html", "xlsx", "xls", "ods", "json"})
"""Formats that know no labels and codes of their own."""


def enrich(staged: Staged, job: Job, kind: str) -> None:
    """Adds labels, missing codes, columns of options, answer sets and what is said about them to `staged`."""
    if job.settings.get("questionnaire") is False:
        return
    source = ArrowFile(staged.arrow)
    if kind in PLAIN:
        asked = _headings(staged)
        _codes(staged, source, asked)
        questions = score_items(staged, source, job, asked)
        splits = [found for column in staged.columns if (found := split_joined(column, source, asked))]
        if not asked:
            known = {split.column.id for split in splits}
            more, joined = split_asked([one for one in staged.columns if one.id not in known], source, job)
            splits, questions = [*splits, *more], [*questions, *joined]
        if questions:
            raise Asking(questions)
        marked = find_marked(staged.columns, source)
        arrays = _seconds(staged, source)
        arrays |= _days(staged, source)
        for split in splits:
            arrays |= _added(staged, split.column.name, partial(made_columns, split), split.arrays)
        for one in marked:
            arrays |= _added(staged, one.stem, partial(marked_columns, one), one.arrays)
        if arrays:
            staged.arrow = with_arrays(staged.arrow, arrays, job.work / "options.arrow")
    taken = {column_id for found in staged.sets for column_id in found.columns}
    source = ArrowFile(staged.arrow)
    for stem, columns in find_sets(staged.columns, source, taken):
        staged.sets.append(answer_set(len(staged.sets) + 1, stem, columns))
        for column in [c for c in columns if kind in PLAIN and is_single(c, source)]:
            chosen = is_chosen(column, source)
            column.measure, column.why = "定类", "多选题的选项，选中为 1" if chosen else "多选题的选项，没有人选"
            staged.declared.add(column.id)
    _tell_sets(staged)


def _headings(staged: Staged) -> bool:
    """Labels without the number of the question; whether the table looks like a questionnaire."""
    numbered = [column for column in staged.columns if NUMBERED.match(column.name)]
    flagged = {column.id: flag for column in staged.columns if (flag := flag_of(column.name))}
    for column_id, flag in flagged.items():
        staged.flags.setdefault(column_id, []).append(flag)
    asked = len(numbered) >= HEADINGS or (bool(numbered) and bool(flagged))
    if asked:
        for column, option in zip(staged.columns, options_of(staged.columns), strict=True):
            if NUMBERED.match(column.name):
                column.label = column.label or (option.label if option and option.counted else worded(column.name))
    if flagged:
        names = [column.name for column in staged.columns if column.id in flagged]
        text = f"{len(names)} 列是答题的时间、用时或来源，不是题目：{_list(names)}。"
        staged.warnings.append(Warn(code="questionnaire.flags", text=text, facts={"columns": flagged}))
    return asked or bool(flagged)


def _codes(staged: Staged, source: ArrowFile, asked: bool) -> None:
    skipping = [column for column in staged.columns if take_skips(column, source, asked) is not None]
    if skipping:
        names = _list([column.name for column in skipping])
        text = f"{len(skipping)} 列有跳过或未答的题（-3、-2、“(跳过)”或“(空)”），按缺失处理，原值保留：{names}。"
        facts = {"columns": [column.id for column in skipping]}
        staged.warnings.append(Warn(code="questionnaire.skipped", text=text, facts=facts))


def _seconds(staged: Staged, source: ArrowFile) -> dict[str, pa.Array]:
    """The time of answering in seconds, where the platform wrote it in words."""
    arrays: dict[str, pa.Array] = {}
    taken = {column.name for column in staged.columns}
    for column in [c for c in staged.columns if {"用时", "答题时间"} & set(staged.flags.get(c.id, []))]:
        when = "答题时间" in staged.flags[column.id]  # 答题时间 heads either the moment or how long it took
        name, cells = f"{column.name}(秒)", seconds_of(column, source, spelt=when)
        if cells is None or name in taken:
            continue
        staged.flags[column.id] = ["用时"]
        seconds_column = Column(id=f"c{len(staged.columns) + 1}", name=name, measure="定量", storage="int", unit="秒")
        seconds_column.why = f"由“{column.name}”换算成秒"
        staged.columns.append(seconds_column)
        staged.declared.add(seconds_column.id)
        staged.flags[seconds_column.id] = ["用时"]
        staged.notes[seconds_column.id] = ColumnReport(id=seconds_column.id, name=name, type="", why="")
        arrays[seconds_column.id] = cells
    return arrays


def _days(staged: Staged, source: ArrowFile) -> dict[str, pa.Array]:
    """Days written as one number (20240304) as dates."""
    arrays: dict[str, pa.Array] = {}
    for column in [c for c in staged.columns if c.storage == "int"]:
        cells = days_of(column, source) if source.has(column.id) else None
        name = f"{column.name}(日期)"
        if cells is None or name in {c.name for c in staged.columns}:
            continue
        days_column = Column(id=f"c{len(staged.columns) + 1}", name=name, measure="时间", storage="date")
        days_column.label = f"{column.label}(日期)" if column.label else None
        days_column.why = f"由“{column.name}”的八位数字换算成日期"
        staged.columns.append(days_column)
        staged.declared.add(days_column.id)
        staged.notes[days_column.id] = ColumnReport(id=days_column.id, name=name, type="", why="")
        arrays[days_column.id] = cells
    return arrays


def _added(
    staged: Staged, name: str, make: Callable[[int], list[Column]], arrays: list[pa.Array]
) -> dict[str, pa.Array]:
    """New columns at the end, as one set; none where their names are taken."""
    first = len(staged.columns) + 1
    columns = make(first)
    if first + len(columns) > MAX_COLUMNS or {c.name for c in columns} & {c.name for c in staged.columns}:
        return {}
    staged.columns += columns
    staged.declared |= {column.id for column in columns}
    staged.notes |= {c.id: ColumnReport(id=c.id, name=c.name, type="", why="") for c in columns}
    staged.sets.append(answer_set(len(staged.sets) + 1, name, columns))
    return {column.id: array for column, array in zip(columns, arrays, strict=True)}


def _tell_sets(staged: Staged) -> None:
    if staged.sets:
        names = [f"{found.name}（{len(found.columns)} 个选项）" for found in staged.sets]
        text = f"识别出 {len(names)} 个多选题：{_list(names)}。"
        facts = {"sets": [found.name for found in staged.sets][:50]}
        staged.warnings.append(Warn(code="questionnaire.sets", text=text, facts=facts))


def _list(names: list[str]) -> str:
    return "、".join(f"“{name}”" for name in names[:3]) + (" 等" if len(names) > 3 else "")
