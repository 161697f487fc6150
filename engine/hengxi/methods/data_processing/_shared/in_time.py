"""Rows in order of time within each individual: where each series begins, and whether time leaves gaps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hengxi.contract import Column, Refusal, Report, StepRemedy
from hengxi.contract.calendar import days_of, read_period, regular
from hengxi.contract.calendar import detect as frequency_of
from hengxi.methods.data_processing._shared.rows import groups_of, shown_at, shown_key

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


@dataclass
class InTime:
    """`order`: rows by individual and time; those without a time or an individual are not among them.

    `starts`, `sizes`: where each individual's series begins in `order`, and its length. `at`: the time of each of
    these rows as a number (its place where no time was given).
    """

    order: Ints
    starts: Ints
    sizes: Ints
    at: Floats
    rows: int
    was_sorted: bool
    gaps: int
    """Steps of time longer than the usual one."""
    without: int
    """Rows that have no time or no individual."""

    @property
    def series(self) -> Ints:
        """The number of the individual of each ordered row."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    @property
    def within(self) -> Ints:
        """The place of each ordered row in its series, from 0."""
        return np.arange(len(self.order)) - np.repeat(self.starts, self.sizes)

    @property
    def longest(self) -> int:
        return int(self.sizes.max(initial=0))

    def back(self, values: Floats) -> Floats:
        """Values of the ordered rows → of all rows; NaN for the others."""
        out = np.full(self.rows, np.nan)
        out[self.order] = values
        return out

    def told(self, report: Report, time: Column | None, by_row: bool = True) -> None:
        """What a reader must know of the order: sorted first, rows left out, gaps (where rows count as periods)."""
        if time is None:
            return
        if not self.was_sorted:
            text_ = "数据未按时间排序，已按“{t}”排序后计算，行的先后不变。"
            report.warn("time.unsorted", text_, columns=[time], t=time.title)
        if self.without:
            text_ = "有 {k:integer} 行没有时间或个体，不参加计算，结果缺失。"
            report.warn("time.without", text_, columns=[time], k=self.without)
        if self.gaps and by_row:
            text_ = "“{t}”有 {k:integer} 处间隔比平常长，计算按上一条记录，不补缺的时期；要补齐，请先重采样。"
            report.warn("time.gaps", text_, columns=[time], t=time.title, k=self.gaps)


def times_of(time: Column) -> tuple[Floats, bool]:
    """A number for each row that orders it, NaN where missing, and whether they are days.

    Periods written as text (2024-03, 2024Q1) are read; words in an order of their own count 0, 1, 2 …
    """
    if time.info.storage != "text":
        return time.numbers, "date" in time.info.storage
    read = [read_period(str(level.value), True) for level in time.levels]
    dated = all(one is not None for one in read)
    if not dated and not time.ordered:
        text_ = f"“{time.title}”不是时间，不能定先后，请先转换类型"
        remedy = StepRemedy(title="转为日期", step="data_processing/type_convert", columns=[time.id])
        raise Refusal("time.type", text_, field="time", column=time.id, remedies=[remedy])
    table = np.array([*(read if dated else range(len(read))), np.nan], dtype=np.float64)
    return table[time.codes], dated


def in_time(time: Column | None, group: list[Column], rows: int) -> InTime:
    """Refuses a time that an individual has twice."""
    codes = groups_of(group, rows).codes.astype(np.int64) if group else np.zeros(rows, dtype=np.int64)
    at, is_date = (np.arange(rows, dtype=np.float64), False) if time is None else times_of(time)
    gone = np.isnan(at)
    for column in group:
        gone |= column.missing
    there = np.flatnonzero(~gone)
    order = there[np.lexsort((at[there], codes[there]))]
    group_of, at_of = codes[order], at[order]
    first = np.ones(len(order), dtype=bool)
    first[1:] = group_of[1:] != group_of[:-1]
    twice = np.flatnonzero(~first[1:] & (at_of[1:] == at_of[:-1])) + 1
    if time is not None and len(twice):
        row = int(order[twice[0]])
        who = f"个体“{shown_key(group, row)}”在" if group else ""
        text_ = f"{who}“{shown_at(time, row)}”有重复记录（共 {len(twice):,} 处），请先合并或去重"
        raise Refusal("time.twice", text_, field="time", column=time.id, row=int(time.row_numbers[row]), k=len(twice))
    starts = np.flatnonzero(first)
    sizes = np.diff(starts, append=len(order))
    # Within each individual the rows stand in order where their places rise.
    was_sorted = bool(np.all(first[1:] | (order[1:] > order[:-1])))
    return InTime(
        order, starts, sizes, at_of, rows, was_sorted, _gaps(at_of, is_date, first) if time else 0, int(gone.sum())
    )


def _gaps(at: Floats, is_date: bool, first: Bools) -> int:
    if len(at) < 3:
        return 0
    days, is_date = days_of(at, is_date)
    distinct = np.unique(days)
    if len(distinct) < 3 or (not is_date and not bool((distinct == np.floor(distinct)).all())):
        return 0
    calendar = regular(distinct, frequency_of(distinct, is_date))
    steps = np.diff(calendar.places(days))
    return int((steps[~first[1:]] > 1).sum())


def spacing(found: InTime) -> tuple[float, float]:
    """The usual step of time and the largest relative departure from it, over all series."""
    steps = np.diff(found.at)
    steps = steps[np.diff(found.series) == 0]
    if not len(steps):
        return 1.0, 0.0
    usual = float(np.median(steps))
    return usual, float(np.abs(steps - usual).max() / usual) if usual > 0 else 0.0


def thin(values: Any, most: int = 500) -> Ints:
    """Places of at most so many points, evenly spread, the last among them."""
    n = len(values)
    return np.unique(np.linspace(0, max(n - 1, 0), min(n, most)).astype(np.int64)) if n else np.empty(0, dtype=np.int64)
