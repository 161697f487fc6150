"""The copies of a multiple imputation: kept apart and pooled where a method gives estimates, else refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from msgspec import UnsetType

from hengxi.contract.measures import title_of
from hengxi.contract.method import Method, Processing
from hengxi.contract.refusal import Refusal, SetRemedy
from hengxi.contract.report import Report
from hengxi.contract.shapes import Sample
from hengxi.contract.tables import Element
from hengxi.data.table import Table
from hengxi.jobs.rows import Group, Rows, Used
from hengxi.jobs.validation import Request
from hengxi.pooling import report as pooled
from hengxi.pooling.elements import held

Run = tuple[int, Report, Used]
"""Number of the copy, what the method found in it, and its rows."""


def judge_copies(method: type[Method], request: Request, table: Table, rows: Rows) -> None:
    """The m copies of a multiple imputation are not m × n independent cases."""
    imputed = table.meta.imputed
    if method.pool or isinstance(imputed, UnsetType) or len(_numbers(table, rows)) < 2:
        return
    text = (
        f"这个版本是 {imputed.m} 份多重插补的数据，不是 {len(rows):,} 个独立个案；"
        f"“{method.title}”不能合并各份的结果，请只用其中一份"
    )
    first = f"{{{imputed.column}}} = 1"
    if request.filter is not None and request.filter.filter_type == "keep":
        first = f"({request.filter.condition}) and {first}"
    remedy = SetRemedy(title="只用第1份", set={"_filter": first})
    raise Refusal("data.imputed", text, field="_filter", m=imputed.m, remedies=[remedy])


def _numbers(table: Table, rows: Rows) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Which copies the rows belong to."""
    imputed = table.meta.imputed
    return np.empty(0) if isinstance(imputed, UnsetType) else np.unique(table.numeric(imputed.column)[rows])


def most_of_one_copy(table: Table, rows: Rows) -> int:
    """How many cases the rows are: those of the largest copy, where there are copies."""
    imputed = table.meta.imputed
    if isinstance(imputed, UnsetType) or len(rows) == 0:
        return len(rows)
    return int(np.unique(table.numeric(imputed.column)[rows], return_counts=True)[1].max())


def apart(method: type[Method], table: Table, group: Group) -> list[tuple[int, Group]]:
    """The rows of each copy with its number; none where the rows are of one table, or the method takes them as they
    are (a step row by row)."""
    imputed = table.meta.imputed
    if not method.pool or issubclass(method, Processing) or isinstance(imputed, UnsetType):
        return []
    copy = table.numeric(imputed.column)[group.rows]
    numbers = np.unique(copy)
    if len(numbers) < 2:
        return []
    return [(int(number), Group(group.part, group.rows[copy == number])) for number in numbers]


def pooled_report(table: Table, runs: list[Run], shown: dict[str, Element]) -> tuple[Report, dict[str, Element]]:
    """The report of all copies with the elements it holds; refused where they have no estimate in common."""
    copies = [pooled.Copy(number, report, used.sample.used) for number, report, used in runs]
    assert not isinstance(table.meta.imputed, UnsetType)
    report = pooled.write(copies, shown, title_of(table.column(table.meta.imputed.column)))
    if report is None:
        text = "各份插补数据没有一项共同的、带标准误的估计，不能合并；请只用其中一份，或换一种设置"
        first = SetRemedy(title="只用第1份", set={"_filter": f"{{{table.meta.imputed.column}}} = {runs[0][0]}"})
        raise Refusal("data.imputed", text, field="_filter", remedies=[first])
    return report, held(report)


def whole_account(table: Table, runs: list[Run]) -> Sample:
    """The account of rows of the first copy, of which the others are completions."""
    imputed = table.meta.imputed
    assert not isinstance(imputed, UnsetType)
    number, _, used = runs[0]
    return replace(used.sample, file=int(np.sum(table.numeric(imputed.column) == number)))
