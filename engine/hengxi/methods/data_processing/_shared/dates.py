"""Whole dates in numpy: calendar parts, complete months between two moments, months added. Days count from 1970."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hengxi.contract import Column, Refusal, StepRemedy
from hengxi.contract.calendar import days_of

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
DAY = 86_400
EARLIEST, LATEST = -354_285.0, 2_932_896.0
"""The years 1000 to 9999."""


def days_in(column: Column, field: str) -> Floats:
    """The column as days with fractions, NaN where missing. Refuses what holds no dates."""
    values = column.numbers
    known = values[~np.isnan(values)]
    is_date = column.info.storage in ("date", "datetime")
    found, dated = days_of(known, is_date)
    if len(known) and not dated:
        text_ = f"“{column.title}”不是日期类型，请先转换类型"
        remedy = StepRemedy(title="转为日期", step="data_processing/type_convert", columns=[column.id])
        raise Refusal("date.type", text_, field=field, column=column.id, remedies=[remedy])
    days = np.full(len(values), np.nan)
    days[~np.isnan(values)] = found
    days[(days < EARLIEST) | (days > LATEST)] = np.nan
    return days


def seconds(days: Floats) -> Ints:
    """Whole seconds since 1970: days are doubles, in which 5:00 may lie a microsecond before itself."""
    return np.round(days * DAY, 3).astype(np.int64)


def year_month_day(days: Ints) -> tuple[Ints, Ints, Ints]:
    dates = days.astype("datetime64[D]")
    months = dates.astype("datetime64[M]").astype(np.int64)
    day = days - months.astype("datetime64[M]").astype("datetime64[D]").astype(np.int64) + 1
    return months // 12 + 1970, months % 12 + 1, day


def month_length(year: Ints, month: Ints) -> Ints:
    start = ((year - 1970) * 12 + month - 1).astype("datetime64[M]")
    return np.asarray(((start + 1).astype("datetime64[D]") - start.astype("datetime64[D]")).astype(np.int64))


def iso_week(days: Ints) -> Ints:
    """The week its Thursday lies in: 2021-01-03 is in week 53."""
    thursday = days + 3 - (days + 3) % 7
    year = thursday.astype("datetime64[D]").astype("datetime64[Y]").astype("datetime64[D]").astype(np.int64)
    return (thursday - year) // 7 + 1


def weekday(days: Ints) -> Ints:
    """1 Monday … 7 Sunday."""
    return (days + 3) % 7 + 1


def complete_months(start: Ints, end: Ints) -> Ints:
    """Seconds → whole months from start to end; the last day of a shorter month completes one. Backwards: negative."""
    sign = np.where(end < start, -1, 1)
    first, last = np.minimum(start, end), np.maximum(start, end)
    (a, clock_a), (b, clock_b) = np.divmod(first, DAY), np.divmod(last, DAY)
    (ya, ma, da), (yb, mb, db) = year_month_day(a), year_month_day(b)
    due = np.minimum(da, month_length(yb, mb))
    incomplete = (db < due) | ((db == due) & (clock_b < clock_a))
    return np.asarray(sign * ((yb - ya) * 12 + mb - ma - incomplete))


def add_months(days: Floats, months: int | Ints) -> Floats:
    """The same day so many months on (one number, or one for each), or the last of a shorter month; clocks stay."""
    whole = np.floor(days + 1e-9).astype(np.int64)
    year, month, day = year_month_day(whole)
    total = (year - 1970) * 12 + month - 1 + months
    new_year, new_month = total // 12 + 1970, total % 12 + 1
    start = total.astype("datetime64[M]").astype("datetime64[D]").astype(np.int64)
    made: Floats = start + np.minimum(day, month_length(new_year, new_month)) - 1 + (days - whole)
    return made
