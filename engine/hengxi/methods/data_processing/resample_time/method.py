"""A series at another frequency, every period from the first to the last of each individual: summed up or filled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from hengxi.contract import Column, Form, Refusal, Report, Table, choice, figure, integer, num, role, text
from hengxi.contract.calendar import FREQUENCIES, detect, units
from hengxi.contract.derived import Part
from hengxi.methods.data_processing._shared import dates
from hengxi.methods.data_processing._shared.rows import NewTableStep, bounded, groups_of, shown_at, tell

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
FREQ = {"hour": "小时", "day": "日", "week": "周", "month": "月", "quarter": "季", "year": "年"}
AGGREGATES = {"mean": "均值", "sum": "求和", "first": "首", "last": "末", "max": "最大", "min": "最小"}
FILLS = {"none": "留缺失", "ffill": "向前", "linear": "线性", "zero": "0"}


@dataclass
class Grid:
    """All periods of all individuals, below one another. `place`: the row of the grid of each used row."""

    unit: Ints
    individual: Ints
    used: Ints
    place: Ints
    first_row: Ints
    """A row of the table that lies in the period, −1 where there is none."""
    twice: int
    """Times an individual has more than once."""
    example: int
    """The row of such a time."""


class ResampleTime(NewTableStep):
    """One row for each period and individual; a period nobody recorded is empty until it is filled."""

    title, title_en = "时间序列重采样与补齐", "Resample and complete time series"
    family, tier = "数据处理", "member"
    purpose = "改变时间频率或补齐缺失日期"
    aliases = ("重采样", "补齐日期", "改频率", "按月汇总", "插值", "resample", "asfreq")
    references = ("wickham2014",)
    conventions = (
        "每个个体从自己的第一期到最后一期，每期一行；期的日期是这一期的第一天，周从星期一开始。",
        "汇总只用有值的记录；一期里全部缺失，汇总也缺失，求和不记为 0。首和末按时间的先后取有值的。",
        "填补只填空的期：向前用上一期的值，线性在前后两期之间按期数插值，两端以外不填；0 填所有空期。",
        "升频（如月变日）时，原来的值在那一期的第一天，其余的日按“填补”处理。",
        "没有时间或个体的行不参加；没有放入的变量不进入新数据。时间按数据里的钟点，不换算时区和夏令时。",
    )
    row_order = True

    class Input(Form):
        time: Column = role("时间变量", "时间")
        variables: list[Column] = role("数值变量", "定量", max=None)
        group: list[Column] = role("个体变量（选填）", "任意", min=0, max=2)
        freq: str = choice("目标频率", FREQ, default="month")
        agg: str = choice("降频汇总", AGGREGATES)
        fill: str = choice("升频/缺期填补", FILLS)

    result = Table(
        "重采样概况", before=text("原频率"), after=text("新频率"), rows=integer("原来的行数"),
        periods=integer("现在的行数"), individuals=integer("个体数"), missing=integer("缺的期数"),
        filled=integer("补齐的格"), left=integer("仍缺失的格"), unused=integer("没有用到的行"), layout="record",
    )  # fmt: skip
    each = Table(
        "各变量", variable=text("变量"), n=integer("有值", span="原来"), mean=num("均值", span="原来"),
        sum_before=num("合计", span="原来"), n_after=integer("有值", span="现在"), mean_after=num("均值", span="现在"),
        sum_after=num("合计", span="现在"), filled=integer("补齐"),
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"按{FREQ[form.freq]}重采样"

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        days = dates.days_in(form.time, "time")
        grid = _grid(form, days)
        cls._warn(report, form, grid)
        first = grid.first_row
        of_individual = np.zeros(int(grid.individual.max()) + 1, dtype=np.int64)
        has = first >= 0
        of_individual[grid.individual[has][::-1]] = first[has][::-1]
        report.reshape(first)
        for column in form.group:
            report.lay(column.name, [Part(column=column, index=of_individual[grid.individual])], column)
        moments = _starts(grid.unit, form.freq)
        report.make(form.time.name, moments, stored="datetime" if form.freq == "hour" else "date", measure="时间",
                    label=form.time.label)  # fmt: skip
        made, filled, left = [], 0, 0
        for column in form.variables:
            cells = _summed(column.numbers[grid.used], grid, form.agg)
            whole = _filled(cells, grid, form.fill)
            gained = int((np.isnan(cells) & ~np.isnan(whole)).sum())
            report.make(column.name, whole, measure="定量", label=column.label)
            made.append((column.name, whole))
            cls._each(report, column, whole, gained)
            filled, left = filled + gained, left + int(np.isnan(whole).sum())
        report.only([])
        cls.list_columns(report, made)
        known = days[~np.isnan(days)]
        facts: dict[str, Any] = {
            "before": _frequency(form, days), "after": FREQ[form.freq], "rows": len(days), "periods": len(grid.unit),
            "individuals": len(of_individual), "missing": int((~has).sum()), "filled": filled, "left": left,
            "unused": len(days) - len(grid.used),
        }  # fmt: skip
        assert len(known)
        report.row(cls.result, **facts)
        lead = "{rows:integer} 行按{after}重采样成 {periods:integer} 行，"
        lead += "缺 {missing:integer} 期，补齐 {filled:integer} 格。"
        student = "每行是一期，日期是这一期的第一天。"
        if facts["filled"]:
            student += "补齐的值不是观测值，报告里要说明。"
        if facts["left"]:
            student += "仍有 {left:integer} 格缺失。"
        tell(report, lead, student, [figure("现在", "{periods:integer} 行", "缺 {missing:integer} 期")], **facts)
        return report

    @classmethod
    def _warn(cls, report: Report, form: Any, grid: Grid) -> None:
        if grid.twice:
            text_ = "“{t}”等 {k:integer} 个时间有多条记录，已按{agg}汇总。"
            report.warn("time.twice", text_, columns=[form.time], t=shown_at(form.time, grid.example), k=grid.twice,
                        agg=AGGREGATES[form.agg])  # fmt: skip
        unused = len(form.time) - len(grid.used)
        if unused:
            text_ = "有 {k:integer} 行没有时间或个体，没有用到。"
            report.warn("time.without", text_, columns=[form.time], k=unused)

    @classmethod
    def _each(cls, report: Report, column: Column, whole: Floats, gained: int) -> None:
        before, after = (one[~np.isnan(one)] for one in (column.numbers, whole))
        report.row(
            cls.each, variable=column.title, n=len(before), mean=before.mean() if len(before) else None,
            sum_before=before.sum(), n_after=len(after), mean_after=after.mean() if len(after) else None,
            sum_after=after.sum(), filled=gained,
        )  # fmt: skip


def _grid(form: Any, days: Floats) -> Grid:
    gone = np.isnan(days)
    for column in form.group:
        gone = gone | column.missing
    used = np.flatnonzero(~gone)
    if not len(used):
        raise Refusal(
            "role.empty", f"“{form.time.title}”没有一行可用，请核对日期和缺失", field="time", column=form.time.id
        )
    codes = groups_of(form.group, len(days)).codes[used] if form.group else np.zeros(len(used), dtype=np.int64)
    # Individuals count from 0 among the rows used, by first appearance.
    _, where, codes = np.unique(codes, return_index=True, return_inverse=True)
    rank = np.empty(len(where), dtype=np.int64)
    rank[np.argsort(where)] = np.arange(len(where))
    codes = rank[codes]
    order = np.lexsort((days[used], codes))
    used, codes = used[order], codes[order]
    at = units(days[used], form.freq)
    starts = np.flatnonzero(np.concatenate([[True], codes[1:] != codes[:-1]]))
    ends = np.append(starts[1:], len(codes)) - 1
    low, high = at[starts], at[ends]
    lengths = high - low + 1
    bounded(int(lengths.sum()))
    offset = np.cumsum(lengths) - lengths
    individual = np.repeat(np.arange(len(starts)), lengths)
    unit = np.arange(int(lengths.sum())) - np.repeat(offset, lengths) + np.repeat(low, lengths)
    place = at - low[codes] + offset[codes]
    first_row = np.full(len(unit), -1, dtype=np.int64)
    first_row[place[::-1]] = used[::-1]
    same = np.flatnonzero((codes[1:] == codes[:-1]) & (days[used][1:] == days[used][:-1])) + 1
    return Grid(unit, individual, used, place, first_row, len(same), int(used[same[0]]) if len(same) else -1)


def _starts(unit: Ints, freq: str) -> Floats:
    """The first day of each period, since 1970."""
    match freq:
        case "hour":
            return unit / 24
        case "day":
            return unit.astype(np.float64)
        case "week":
            return (unit * 7 + 4).astype(np.float64)  # 1970-01-05 was a Monday
        case _:
            months = unit * {"month": 1, "quarter": 3, "year": 12}[freq]
            return months.astype("datetime64[M]").astype("datetime64[D]").astype(np.int64).astype(np.float64)


def _summed(values: Floats, grid: Grid, agg: str) -> Floats:
    """One value for each period, NaN where nothing is known; rows are in order of time."""
    known = ~np.isnan(values)
    frame = pl.DataFrame({"p": grid.place[known], "x": values[known]})
    x = pl.col("x")
    how = {"mean": x.mean(), "sum": x.sum(), "first": x.first(), "last": x.last(), "max": x.max(), "min": x.min()}[agg]
    found = frame.group_by("p", maintain_order=True).agg(how)
    cells = np.full(len(grid.unit), np.nan)
    cells[found["p"].to_numpy()] = found["x"].to_numpy()
    return cells


def _filled(cells: Floats, grid: Grid, fill: str) -> Floats:
    gaps = np.isnan(cells)
    if fill == "none" or not gaps.any():
        return cells
    if fill == "zero":
        return np.where(gaps, 0.0, cells)
    index = np.arange(len(cells))
    before = np.maximum.accumulate(np.where(gaps, -1, index))
    begins = np.searchsorted(grid.individual, grid.individual)  # where the individual begins
    has_before = before >= begins
    if fill == "ffill":
        return np.where(gaps & has_before, cells[np.maximum(before, 0)], cells)
    after = np.minimum.accumulate(np.where(gaps, len(cells), index)[::-1])[::-1]
    ends = np.searchsorted(grid.individual, grid.individual, side="right")
    between = gaps & has_before & (after < ends)
    out = cells.copy()
    a, b, i = before[between], after[between], index[between]
    out[between] = cells[a] + (cells[b] - cells[a]) * ((i - a) / (b - a))
    return out


def _frequency(form: Any, days: Floats) -> str:
    """How often it was recorded; 不规则 where no step is kept."""
    known = np.unique(days[~np.isnan(days)])
    frequency = detect(known, True)
    steps = np.diff(units(known, frequency))
    if len(steps) and bool((steps != steps[0]).any()) and float((steps == np.median(steps)).mean()) < 0.5:
        return "不规则"
    return FREQUENCIES[frequency]
