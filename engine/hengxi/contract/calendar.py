"""Periods of a time variable: how often it was measured, where each row stands in the regular series, what a period is
called. Dates are days since 1970-01-01, as `Column.numbers` has them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Frequency = Literal["year", "quarter", "month", "week", "day", "workday", "hour", "minute", "second", "number"]

FREQUENCIES: dict[Frequency, str] = {
    "year": "年",
    "quarter": "季",
    "month": "月",
    "week": "周",
    "day": "日",
    "workday": "工作日",
    "hour": "小时",
    "minute": "分钟",
    "second": "秒",
    "number": "序号",
}
SEASON: dict[Frequency, int] = {"quarter": 4, "month": 12, "week": 52, "day": 7, "workday": 5, "hour": 24}
"""Periods of the usual season; the others have none."""

_SECONDS: dict[Frequency, int] = {"hour": 3600, "minute": 60, "second": 1}
_DAY = 86_400
_EPOCH_WEEK = np.datetime64("1970-01-05")  # a Monday


@dataclass(frozen=True)
class Calendar:
    """A regular series of periods: `step` in units of the frequency (2 = every second month), `origin` the first."""

    frequency: Frequency
    step: int
    origin: int

    @property
    def season(self) -> int | None:
        """Periods of one season, where the step leaves it whole."""
        length = SEASON.get(self.frequency)
        return None if length is None or length % self.step else length // self.step

    @property
    def title(self) -> str:
        unit = FREQUENCIES[self.frequency]
        return unit if self.step == 1 else f"每 {self.step} {unit}"

    def places(self, days: Floats) -> Ints:
        """The place of each value in the series, from 0; values between two periods are in the earlier."""
        return (units(days, self.frequency) - self.origin) // self.step

    def label(self, place: int) -> str:
        """The period's name, also before the first and after the last."""
        return unit_label(self.origin + place * self.step, self.frequency)


def days_of(values: Floats, is_date: bool) -> tuple[Floats, bool]:
    """Days since 1970, and whether the values are dates: numbers such as 2024, 202403 and 20240315 are read as such."""
    if is_date or len(values) == 0 or not bool(np.all(values == np.floor(values))):
        return values, is_date
    low, high = float(values.min()), float(values.max())
    whole = values.astype(np.int64)
    if low >= 1000 and high <= 2999:
        return _month_starts(whole, np.ones_like(whole)), True
    if low >= 100_001 and high <= 299_912:
        year, month = np.divmod(whole, 100)
        if bool(np.all((month >= 1) & (month <= 12))):
            return _month_starts(year, month), True
    if low >= 10_000_101 and high <= 29_991_231:
        year, rest = np.divmod(whole, 10_000)
        month, day = np.divmod(rest, 100)
        if bool(np.all((month >= 1) & (month <= 12) & (day >= 1) & (day <= 31))):
            return _month_starts(year, month) + (day - 1), True
    return values, False


def _month_starts(year: Ints, month: Ints) -> Floats:
    months = ((year - 1970) * 12 + month - 1).astype("datetime64[M]")
    return months.astype("datetime64[D]").astype(np.int64).astype(float)


def units(days: Floats, frequency: Frequency) -> Ints:
    """The number of the unit (year, month, …) each value lies in."""
    if frequency == "number":
        return np.floor(days).astype(np.int64)
    if frequency in _SECONDS:
        # Days are doubles: 5:00 may lie a microsecond before itself.
        return np.asarray(np.floor(np.round(days * _DAY, 3) / _SECONDS[frequency]), dtype=np.int64)
    dates = np.floor(days + 1e-9).astype(np.int64).astype("datetime64[D]")
    match frequency:
        case "year":
            return dates.astype("datetime64[Y]").astype(np.int64)
        case "quarter":
            return dates.astype("datetime64[M]").astype(np.int64) // 3
        case "month":
            return dates.astype("datetime64[M]").astype(np.int64)
        case "week":
            return np.asarray((dates - _EPOCH_WEEK).astype(np.int64) // 7)
        case "workday":
            # A Saturday or Sunday counts with the Friday before it.
            return np.asarray(
                np.busday_count("1970-01-01", np.busday_offset(dates, 0, roll="backward")), dtype=np.int64
            )
        case _:
            return dates.astype(np.int64)


def unit_label(unit: int, frequency: Frequency) -> str:
    """2024, 2024Q1, 2024-03, 2024-03-15, 2024-03-15 05:00; of a plain number itself; of a week its Monday."""
    match frequency:
        case "number":
            return str(unit)
        case "year":
            return str(1970 + unit)
        case "quarter":
            return f"{1970 + unit // 4}Q{unit % 4 + 1}"
        case "month":
            return str(np.datetime64(unit, "M"))
        case "week":
            return str(_EPOCH_WEEK + 7 * unit)
        case "workday":
            return str(np.busday_offset("1970-01-01", unit, roll="forward"))
        case "day":
            return str(np.datetime64(unit, "D"))
        case _:
            moment = np.datetime64(unit * _SECONDS[frequency], "s")
            return str(moment).replace("T", " ")[: 19 if frequency == "second" else 16]


def detect(days: Floats, is_date: bool) -> Frequency:
    """How often it was measured: the coarsest frequency that keeps all different values apart.

    `days`: at least one value, no gaps.
    """
    if not is_date:
        return "number"
    known = np.unique(days)
    if bool(np.any(np.abs(known - np.round(known)) > 1e-9)):
        seconds = np.round(known * _DAY).astype(np.int64)
        for frequency in ("hour", "minute"):
            if bool(np.all(seconds % _SECONDS[frequency] == seconds[0] % _SECONDS[frequency])):
                return frequency
        return "second"
    dates = known.astype(np.int64).astype("datetime64[D]")
    if _same_day_of_month(dates):
        months = dates.astype("datetime64[M]").astype(np.int64)
        step = int(np.gcd.reduce(np.diff(months))) if len(months) > 1 else 1
        return "year" if step % 12 == 0 else "quarter" if step % 3 == 0 else "month"
    steps = np.diff(known).astype(np.int64)
    if bool(np.all(steps % 7 == 0)):
        return "week"
    weekdays = (known.astype(np.int64) + 3) % 7  # Monday is 0
    # Without a single weekend in two weeks or more it is working days, not days with gaps.
    if bool(np.all(weekdays < 5)) and known[-1] - known[0] >= 13:
        return "workday"
    return "day"


def _same_day_of_month(dates: npt.NDArray[np.datetime64]) -> bool:
    """All on one day of the month, or all on the last."""
    if len(dates) < 2:
        return False
    months = dates.astype("datetime64[M]")
    if len(np.unique(months)) < len(dates):
        return False
    day = (dates - months.astype("datetime64[D]")).astype(np.int64)
    last = ((months + 1).astype("datetime64[D]") - dates).astype(np.int64) == 1
    return bool(np.all(day == day[0]) or np.all(last))


def regular(days: Floats, frequency: Frequency) -> Calendar:
    """The series of periods these values lie in: its first period and the step that all of them keep."""
    # A period that comes twice makes a step of nothing, which no common divisor minds.
    known = np.sort(units(days, frequency))
    step = int(np.gcd.reduce(np.diff(known))) if len(known) > 1 else 1
    return Calendar(frequency, max(step, 1), int(known[0]))


_WRITTEN = re.compile(
    r"(?P<year>\d{4})(?:[-/.年]?(?:Q(?P<quarter>[1-4])|(?P<month>\d{1,2})月?(?:[-/.]?(?P<day>\d{1,2})日?)?)?)?年?"
    r"(?:[ T](?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?)?",
    re.IGNORECASE,
)


def read_period(text: str, is_date: bool) -> float | None:
    """Days since 1970 of a period as people write it: 2008, 2008Q1, 2008-03, 2008-03-05 10:00; None: it cannot be read.

    Of a plain number (a series without dates) the number itself.
    """
    if not is_date:
        try:
            number = float(text)
        except ValueError:
            return None
        return number if np.isfinite(number) else None
    match = _WRITTEN.fullmatch(text.strip())
    if match is None:
        return None
    part = {key: int(value) for key, value in match.groupdict().items() if value is not None}
    month = part.get("month", (part.get("quarter", 1) - 1) * 3 + 1)
    hour, minute, second = (part.get(key, 0) for key in ("hour", "minute", "second"))
    try:
        day = np.datetime64(f"{part['year']:04d}-{month:02d}-{part.get('day', 1):02d}", "D")
    except ValueError:
        return None
    if hour > 23 or minute > 59 or second > 59:
        return None
    return float(day.astype(np.int64)) + (hour * 3600 + minute * 60 + second) / _DAY
