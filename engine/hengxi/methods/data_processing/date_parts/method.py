"""Parts of dates, time between two dates, and dates moved on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hengxi.contract import (
    Column,
    ColumnToBe,
    Form,
    Processing,
    Refusal,
    Report,
    Table,
    choice,
    figure,
    integer,
    many,
    num,
    role,
    text,
    words,
)
from hengxi.methods.data_processing._shared import dates
from hengxi.methods.data_processing._shared.dates import DAY, Floats, Ints
from hengxi.methods.data_processing._shared.rows import tell

SHOWN = 10
PARTS = {"year": "年", "quarter": "季", "month": "月", "week": "ISO周", "day": "日", "weekday": "星期", "hour": "时",
         "minute": "分", "yearmonth": "年月", "dayofyear": "年内日", "is_weekend": "是否周末",
         "is_holiday": "中国法定节假日", "days_in_month": "当月天数", "age": "年龄"}  # fmt: skip
UNITS = {"second": "秒", "minute": "分", "hour": "时", "day": "天", "week": "周", "month": "月", "year": "年"}
LENGTH = {"second": 1, "minute": 60, "hour": 3600, "day": DAY, "week": 7 * DAY}
LABELS: dict[str, list[tuple[Any, str]]] = {
    "quarter": [(i, f"第{i}季度") for i in range(1, 5)],
    "month": [(i, f"{i}月") for i in range(1, 13)],
    "weekday": [(i, f"星期{name}") for i, name in enumerate("一二三四五六日", 1)],
    "is_weekend": [(0, "否"), (1, "是")],
    "is_holiday": [(0, "否"), (1, "是")],
}


@dataclass
class Made:
    """One new variable: its name, cells (NaN or None missing) and words."""

    name: str
    cells: npt.NDArray[Any]
    words: dict[str, Any]


class DateParts(Processing):
    """Everything is worked out on whole days and seconds; the clock on the wall, no time zones."""

    title, title_en = "日期处理", "Date parts and arithmetic"
    family, tier = "数据处理", "standard"
    purpose = "由日期得到年、季、月、周、星期、节假日或时间差"
    aliases = ("提取年月", "星期几", "时间差", "天数差", "年龄", "节假日", "日期加减", "date parts", "DATEDIFF")
    references = ("iso8601",)
    conventions = (
        "ISO 周从星期一开始，含一年第一个星期四的是第 1 周；年初和年末几天可能属于上一年或下一年的周。",
        "时间差 = 第二日期 − 日期；秒到周可以有小数，月和年只计满的：到当月同一日（没有这一日则到月末）才满一个月。",
        "加减月和年时，没有对应的日就取当月最后一日，钟点不变。",
        "节假日按国务院办公厅每年的放假通知（2010 到 2026 年），不含没有调休的普通周末；周末只看星期六和星期日。",
        "年龄是满周岁；时间按数据里的钟点，不换算时区和夏令时。2024、202403、20240305 这样的整数也可以当日期。",
    )
    pool = True

    class Input(Form):
        date: Column = role("日期变量", "时间")
        date2: Column | None = role("第二日期（算差，选填）", "时间", min=0)
        parts: list[str] = many("提取", PARTS, default=("year", "month"))
        as_of: str | None = words("计算年龄的日期", longest=10, hint="例如 2024-12-31；不填时用第二日期")
        diff_unit: str = choice("时间差和加减的单位", UNITS, default="day")
        shift: int = integer("加减量", 0, least=-100000, most=100000, hint="正数往后，负数往前，0 为不加减")

    result = Table(
        "新变量", variable=text("变量"), n=integer("有值"), missing=integer("缺失"), distinct=integer("不同取值"),
        least=num("最小"), most=num("最大"), mean=num("均值"),
    )  # fmt: skip
    first = Table("提取预览", row=integer("行"), date=text("日期"), values=text("结果"))

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"“{form.date.title}”的日期处理"

    @classmethod
    def schema(cls, form: dict[str, Any], columns: Any) -> list[ColumnToBe]:
        name = next(column.name for column in columns if column.id == form["date"])
        return [ColumnToBe(name=f"{name}_{PARTS[part]}", measure=None, source=form["date"]) for part in form["parts"]]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        days = dates.days_in(form.date, "date")
        known = ~np.isnan(days)
        if not known.any():
            raise Refusal(
                "role.empty",
                f"“{form.date.title}”没有一个日期，请换一个变量或先做类型转换",
                field="date",
                column=form.date.id,
            )
        end = None if form.date2 is None else dates.days_in(form.date2, "date2")
        made = cls._parts(report, form, days, end)
        if end is not None:
            made.append(cls._difference(report, form, days, end))
        if form.shift:
            made.append(_shifted(report, form, days))
        if not made:
            raise Refusal("date.nothing", "请选要提取的部分，或放入第二日期，或填加减量", field="parts")
        for one in made:
            report.make(one.name, one.cells, source=form.date, **one.words)
            cls._row(report, one)
        titles = form.date.text[:SHOWN]
        for row, title in enumerate(titles.tolist()):
            shown = "，".join(f"{one.name} = {_shown(one, row)}" for one in made)
            report.row(cls.first, row=int(form.date.row_numbers[row]), date=title or "缺失", values=shown)
        facts: dict[str, Any] = {
            "k": len(made),
            "v": form.date.title,
            "n": int(known.sum()),
            "gone": int((~known).sum()),
        }
        lead = "由“{v}”得到 {k:integer} 个新变量，{n:integer} 行有日期。"
        student = "原有变量不变。年、月、星期等可以当分组变量用。"
        if facts["gone"]:
            student += "{gone:integer} 行没有日期，结果缺失。"
        tell(report, lead, student, [figure("新变量", "{k:integer}", "{n:integer} 行有日期")], **facts)
        return report

    @classmethod
    def _parts(cls, report: Report, form: Any, days: Floats, end: Floats | None) -> list[Made]:
        known = np.flatnonzero(~np.isnan(days))
        second = dates.seconds(days[known])
        whole = second // DAY
        made = []
        for part in form.parts:
            cells: npt.NDArray[Any] = np.full(len(days), np.nan)
            if part == "age":
                cells = cls._age(report, form, days, end)
            elif part == "yearmonth":
                cells = _year_months(whole, known, len(days))
            elif part == "is_holiday":
                cells[known] = cls._holidays(report, form, whole)
            else:
                cells[known] = _part(part, second, whole)
            if part in ("hour", "minute") and not bool((second % DAY).any()):
                text_ = "“{v}”没有钟点，时和分都是 0。"
                report.warn("date.clock", text_, columns=[form.date], v=form.date.title)
            more: dict[str, Any] = {"measure": "定类" if part in LABELS or part == "yearmonth" else "定量"}
            if part in LABELS:
                more |= {"levels": LABELS[part], "ordered": not part.startswith("is_")}
            elif part == "yearmonth":
                seen = sorted({cell for cell in cells.tolist() if cell is not None})
                more |= {"ordered": True, "levels": [(one, one) for one in seen]}
            made.append(Made(f"{form.date.name}_{PARTS[part]}", cells, more))
        return made

    @classmethod
    def _age(cls, report: Report, form: Any, days: Floats, end: Floats | None) -> Floats:
        if form.as_of:
            try:
                at = np.full(len(days), np.datetime64(form.as_of.strip(), "D").astype(np.int64), dtype=float)
            except ValueError:
                text_ = f"“{form.as_of}”不是日期，请写作 2024-12-31"
                raise Refusal("date.as_of", text_, field="as_of") from None
        elif end is not None:
            at = end
        else:
            text_ = "计算年龄要一个日期：请填“计算年龄的日期”，或放入第二日期"
            raise Refusal("date.as_of", text_, field="as_of")
        cells = np.full(len(days), np.nan)
        both = np.flatnonzero(~np.isnan(days) & ~np.isnan(at))
        age = dates.complete_months(dates.seconds(days[both]) // DAY * DAY, dates.seconds(at[both]) // DAY * DAY) / 12
        cells[both] = np.floor(age)
        if unborn := int((cells < 0).sum()):
            cells[cells < 0] = np.nan
            text_ = "有 {k:integer} 行的日期晚于计算年龄的日期，年龄记为缺失。"
            report.warn("date.unborn", text_, columns=[form.date], k=unborn)
        return cells

    @classmethod
    def _holidays(cls, report: Report, form: Any, whole: Ints) -> Floats:
        free, covered = _holiday_table()
        years = whole.astype("datetime64[D]").astype("datetime64[Y]").astype(np.int64) + 1970
        outside = ~np.isin(years, covered)
        if outside.any():
            absent = np.unique(years[outside]).tolist()
            listed = "、".join(map(str, absent)) if len(absent) < 4 else f"{absent[0]}、{absent[1]}…{absent[-1]}"
            text_ = "没有 {y} 年的法定节假日数据，这些年份的 {k:integer} 行记为缺失。"
            report.warn("date.holidays", text_, columns=[form.date], y=listed, k=int(outside.sum()))
        return np.where(outside, np.nan, np.isin(whole, free).astype(float))

    @classmethod
    def _difference(cls, report: Report, form: Any, days: Floats, end: Floats) -> Made:
        cells = np.full(len(days), np.nan)
        both = np.flatnonzero(~np.isnan(days) & ~np.isnan(end))
        start, stop = dates.seconds(days[both]), dates.seconds(end[both])
        if form.diff_unit in ("month", "year"):
            months = dates.complete_months(start, stop)
            cells[both] = months if form.diff_unit == "month" else np.trunc(months / 12)
        else:
            cells[both] = (stop - start) / LENGTH[form.diff_unit]
        if negative := int((stop < start).sum()):
            text_ = "有 {k:integer} 行时间差为负：“{b}”早于“{a}”，请核对。"
            report.warn("date.negative", text_, columns=[form.date, form.date2], k=negative, a=form.date.title,
                        b=form.date2.title)  # fmt: skip
        name = f"{form.date2.name}减{form.date.name}_{UNITS[form.diff_unit]}"
        return Made(name, cells, {"measure": "定量"})

    @classmethod
    def _row(cls, report: Report, one: Made) -> None:
        if one.cells.dtype.kind == "O":
            known = [cell for cell in one.cells.tolist() if cell is not None]
            numbers: dict[str, Any] = {}
            distinct = len(set(known))
        else:
            values = one.cells[~np.isnan(one.cells)]
            known, distinct = values.tolist(), len(np.unique(values))
            counted = len(values) and one.words.get("measure") == "定量"
            numbers = {"least": values.min(), "most": values.max(), "mean": values.mean()} if counted else {}
        missing = len(one.cells) - len(known)
        report.row(cls.result, variable=one.name, n=len(known), missing=missing, distinct=distinct, **numbers)


def _part(part: str, second: Ints, whole: Ints) -> Ints:
    year, month, day = dates.year_month_day(whole)
    match part:
        case "year":
            return year
        case "quarter":
            return (month + 2) // 3
        case "month":
            return month
        case "week":
            return dates.iso_week(whole)
        case "day":
            return day
        case "weekday":
            return dates.weekday(whole)
        case "hour":
            return second % DAY // 3600
        case "minute":
            return second % 3600 // 60
        case "dayofyear":
            start = whole.astype("datetime64[D]").astype("datetime64[Y]").astype("datetime64[D]").astype(np.int64)
            return whole - start + 1
        case "is_weekend":
            return (dates.weekday(whole) >= 6).astype(np.int64)
        case _:
            return dates.month_length(year, month)


def _year_months(whole: Ints, known: Ints, rows: int) -> npt.NDArray[Any]:
    months, place = np.unique(whole.astype("datetime64[D]").astype("datetime64[M]"), return_inverse=True)
    cells = np.full(rows, None, dtype=object)
    cells[known] = months.astype(str).astype(object)[place]
    return cells


def _shifted(report: Report, form: Any, days: Floats) -> Made:
    known = ~np.isnan(days)
    cells = np.full(len(days), np.nan)
    if form.diff_unit in ("month", "year"):
        cells[known] = dates.add_months(days[known], form.shift * (12 if form.diff_unit == "year" else 1))
    else:
        cells[known] = (dates.seconds(days[known]) + form.shift * LENGTH[form.diff_unit]) / DAY
    out = known & ((cells < dates.EARLIEST) | (cells > dates.LATEST))
    if k := int(out.sum()):
        cells[out] = np.nan
        report.warn("date.range", "有 {k:integer} 行加减后超出 1000 到 9999 年，记为缺失。", columns=[form.date], k=k)
    way = "加" if form.shift > 0 else "减"
    name = f"{form.date.name}_{way}{abs(form.shift)}{UNITS[form.diff_unit]}"
    return Made(name, cells, {"measure": "时间", "stored": "datetime"})


def _shown(one: Made, row: int) -> str:
    cell = one.cells[row]
    if cell is None or cell != cell:
        return "缺失"
    if one.words.get("stored"):
        moment = np.datetime64(round(cell * DAY), "s")
        return str(moment)[:10] if cell == np.floor(cell) else str(moment).replace("T", " ")
    return str(cell) if isinstance(cell, str) else f"{cell:.10g}"


@cache
def _holiday_table() -> tuple[Ints, Ints]:
    """Days off (since 1970) and the years that are covered, from the yearly notices of the State Council's office."""
    free: list[np.datetime64] = []
    years = []
    for line in (Path(__file__).parent / "holidays.txt").read_text(encoding="utf-8").splitlines():
        year, *spans = line.split()
        years.append(int(year))
        for span in spans:
            first, _, last = span.partition("-")
            start, stop = (np.datetime64(f"{year}-{one[:2]}-{one[2:]}") for one in (first, last or first))
            free += list(np.arange(start, stop + 1))
    return np.array(free, dtype="datetime64[D]").astype(np.int64), np.array(years, dtype=np.int64)
