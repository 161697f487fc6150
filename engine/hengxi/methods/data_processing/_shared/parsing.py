"""Different texts → numbers, dates or yes and no. What cannot be read is null; nothing is guessed."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from hengxi.methods.data_processing._shared.texts import trimmed, without_unseen

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

MOST_DIGITS = 15
"""Whole digits that a number keeps for sure."""
_CURRENCY = "[¥￥$€£]"
YES = ("是", "对", "真", "有", "√", "1", "true", "t", "yes", "y")
NO = ("否", "错", "假", "无", "没有", "×", "0", "false", "f", "no", "n")


@dataclass(frozen=True)
class Marks:
    """How numbers are written: the sign between groups of three digits ("" none) and the one before decimals."""

    thousands: str
    decimal: str
    percent: bool
    """12% is 0.12 (else 12)."""
    units: bool
    """3.5万 is 35000."""


@dataclass
class Numbers:
    """`values`: NaN where the text is no number. `long`: more whole digits than a number keeps. `zeros`: 007."""

    values: Floats
    long: Bools
    zeros: Bools


def numbers(words: pl.Series, marks: Marks) -> Numbers:
    """Trimmed, half-width texts → numbers."""
    text = words.str.replace_all(r"[−–]", "-").str.replace_all("[\u00a0\u2009\u202f]", " ")
    text = text.str.replace(rf"^([+-]?){_CURRENCY}\s*", "${1}").str.replace(r"\s*元$", "")
    is_percent = text.str.ends_with("%")
    text = text.str.replace(r"\s*%$", "")
    power: npt.NDArray[np.int64] = np.where(is_percent.fill_null(False).to_numpy() & marks.percent, -2, 0)
    if marks.units:
        for unit, shift in (("亿", 8), ("万", 4), ("千", 3)):
            here = text.str.ends_with(unit).fill_null(False).to_numpy()
            power = power + np.where(here, shift, 0)
            text = text.str.replace(rf"\s*{unit}$", "")
    point = re.escape(marks.decimal)
    plain = rf"^[+-]?(?:\d+(?:{point}\d*)?|{point}\d+)(?:[eE][+-]?\d{{1,3}})?$"
    is_number = text.str.contains(_ascii(plain))
    if marks.thousands:
        group = re.escape(marks.thousands)
        grouped = text.str.contains(_ascii(rf"^[+-]?\d{{1,3}}(?:{group}\d{{3}})+(?:{point}\d*)?$"))
        bare = text.str.replace_all(marks.thousands, "", literal=True)
        text = pl.select(pl.when(grouped).then(bare).otherwise(text)).to_series()
        is_number = is_number | grouped
    digits = text.str.replace(marks.decimal, ".", literal=True) if marks.decimal != "." else text
    is_number = is_number.fill_null(False)
    exponent = digits.str.extract(r"[eE]([+-]?\d+)$").cast(pl.Int64, strict=False).fill_null(0).to_numpy()
    # The point is moved in the text, where nothing is rounded: 1.1亿 is 110000000.
    head = digits.str.replace(r"[eE][+-]?\d+$", "")
    scaled = head + "e" + pl.Series(exponent + power).cast(pl.String)
    known = pl.select(pl.when(is_number).then(scaled)).to_series()
    values = known.cast(pl.Float64, strict=False).fill_null(np.nan).to_numpy().copy()
    values[~np.isfinite(values)] = np.nan
    there = is_number.to_numpy() & ~np.isnan(values)
    whole = head.str.extract(r"^[+-]?0*(\d*)").str.len_chars().fill_null(0).to_numpy()
    zeros = head.str.contains(r"^[+-]?0[0-9]").fill_null(False).to_numpy()
    return Numbers(values, there & (whole > MOST_DIGITS) & (exponent == 0), there & zeros)


def _ascii(pattern: str) -> str:
    """Of the many digits that Unicode knows only these ten are read."""
    return pattern.replace(r"\d", "[0-9]")


# ---- dates ---------------------------------------------------------------------------------------------------------
_CLOCK = r"(?:[ T](\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?|[ ]?(\d{1,2})[时点](?:(\d{1,2})分)?(?:(\d{1,2})秒)?)?"
_ZONE = r"\s*(Z|[+-]\d{2}:?\d{2}|[+-]\d{2})?"
_YEAR_FIRST = re.compile(rf"^(\d{{4}})[-/.年](\d{{1,2}})[-/.月](\d{{1,2}})[日号]?{_CLOCK}{_ZONE}$")
_COMPACT = re.compile(r"^((?:19|20)\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$")
_MONTH = re.compile(r"^(\d{4})(?:[-/.](\d{1,2})|年(\d{1,2})月?)$")
_LATE = re.compile(rf"^(\d{{1,2}})[-/.](\d{{1,2}})[-/.](\d{{4}}){_CLOCK}$")
_SERIAL = re.compile(r"^[2-7]\d{4}(?:\.\d+)?$")
_EXCEL_START = -25569.0
"""Day 0 of the serial numbers of spreadsheets (1899-12-30), in days since 1970-01-01."""
_TOKENS = {"YYYY": "%Y", "yyyy": "%Y", "YY": "%y", "MM": "%m", "DD": "%d", "dd": "%d", "HH": "%H", "mm": "%M",
           "ss": "%S", "SS": "%S"}  # fmt: skip
_FORMAT = re.compile(r"(?:%[YymdHMSbBpIj]|[^%\n])+")


@dataclass
class Dates:
    """`days` since 1970-01-01 with fractions, NaN where the text is no date."""

    days: Floats
    months: Bools
    """Texts that name a month only: its first day."""
    serials: Bools
    """Serial numbers of a spreadsheet."""
    zones: list[str]
    """Different time zones written behind the time."""
    doubtful: str | None
    """A text whose day and month cannot be told apart, where no other text decides."""


def dates(words: pl.Series) -> Dates:
    """Trimmed, half-width texts → days. Day and month of 03/04/2024 are decided by the other texts, or not at all."""
    days = np.full(len(words), np.nan)
    text = pl.Series("w", words)
    _put(days, _parts(text, _YEAR_FIRST), (1, 2, 3))
    zones = text.str.extract(_ascii(_YEAR_FIRST.pattern), 11).drop_nulls().unique().to_list()
    _put(days, _parts(text, _COMPACT), (1, 2, 3))
    month = _parts(text, _MONTH)
    months = np.isnan(days)
    _put(
        days, [month[0], pl.Series([1] * len(words)), pl.select(pl.coalesce(month[1], month[2])).to_series()], (1, 3, 2)
    )
    months &= ~np.isnan(days)
    serial = text.str.contains(_ascii(_SERIAL.pattern)).fill_null(False).to_numpy() & np.isnan(days)
    days[serial] = text.filter(pl.Series(serial)).cast(pl.Float64).to_numpy() + _EXCEL_START
    late = _parts(text, _LATE)
    first, second = (one.fill_null(0).to_numpy() for one in late[:2])
    here = first > 0
    day_first, month_first = bool((first > 12).any()), bool((second > 12).any())
    doubtful = None
    if here.any() and not day_first and not month_first and bool((first != second)[here].any()):
        doubtful = str(words[int(np.flatnonzero(here & (first != second))[0])])
    elif day_first and month_first:
        doubtful = str(words[int(np.flatnonzero(second > 12)[0])])
    else:
        _put(days, late, (3, 1, 2) if month_first else (3, 2, 1))
    return Dates(days, months, serial, sorted(str(zone) for zone in zones), doubtful)


def _parts(text: pl.Series, pattern: re.Pattern[str]) -> list[pl.Series]:
    """Groups of digits of the pattern, one Series for each; null where it does not match. The seventh is a fraction."""
    whole = _ascii(pattern.pattern)
    groups = [text.str.extract(whole, i + 1) for i in range(min(pattern.groups, 10))]
    if len(groups) == 10:
        groups[6] = "0." + groups[6]
    return [one.cast(pl.Float64 if i == 6 else pl.Int64, strict=False) for i, one in enumerate(groups)]


def _put(days: Floats, parts: list[pl.Series], order: tuple[int, int, int]) -> None:
    """Writes days where year, month and day make a date and nothing is written yet; times of day as fractions."""
    year, month, day = (parts[place - 1] for place in order)
    frame = pl.DataFrame({"y": year, "m": month, "d": day}).with_row_index("i")
    ok = frame.filter(
        pl.col("y").is_between(1000, 9999) & pl.col("m").is_between(1, 12) & pl.col("d").is_between(1, 31)
    )
    written = ok["y"].cast(pl.String) + "-" + ok["m"].cast(pl.String) + "-" + ok["d"].cast(pl.String)
    found = written.str.to_date("%Y-%m-%d", strict=False).to_physical().cast(pl.Float64).fill_null(np.nan).to_numpy()
    made = np.full(len(days), np.nan)
    made[ok["i"].to_numpy()] = found
    if len(parts) > 4:
        clock = [one.fill_null(0).to_numpy().astype(np.float64) for one in parts[3:10]]
        hour, minute, second = clock[0] + clock[4], clock[1] + clock[5], clock[2] + clock[6] + clock[3]
        bad = (hour > 23) | (minute > 59) | (second >= 60)
        made += np.where(bad, np.nan, (hour * 3600 + minute * 60 + second) / 86400)
    days[:] = np.where(np.isnan(days), made, days)


def dates_in(words: pl.Series, form: str) -> Floats:
    """Dates written in a form the user gave: `YYYY/MM/DD HH:mm` or `%d.%m.%Y`. ValueError where it is none."""
    wanted = form
    if "%" not in form:
        for token in sorted(_TOKENS, key=len, reverse=True):
            wanted = wanted.replace(token, f"\x00{list(_TOKENS).index(token)}\x00")
        for i, token in enumerate(_TOKENS.values()):
            wanted = wanted.replace(f"\x00{i}\x00", token)
    if not _FORMAT.fullmatch(wanted) or not re.search("%[Yy]", wanted) or not re.search("%[mbBj]", wanted):
        raise ValueError(form)
    if "%j" not in wanted and "%d" not in wanted:
        wanted, words = f"{wanted} %d", words + " 01"
    if re.search("%[HIMSp]", wanted):
        found = words.str.to_datetime(wanted, strict=False, time_unit="us")
        days = found.to_physical().cast(pl.Float64) / 86_400_000_000
    else:
        days = words.str.to_date(wanted, strict=False).to_physical().cast(pl.Float64)
    made = days.fill_null(np.nan).to_numpy().copy()
    made[(made < -354285) | (made > 2932896)] = np.nan  # years 1000 to 9999
    return made


def truths(words: pl.Series) -> Floats:
    """1 for yes, 0 for no, NaN for anything else."""
    small = words.str.to_lowercase()
    yes, no = small.is_in(list(YES)).to_numpy(), small.is_in(list(NO)).to_numpy()
    return np.where(yes, 1.0, np.where(no, 0.0, np.nan))


def bare(words: pl.Series) -> pl.Series:
    """What is read: without blanks at the ends and signs nobody sees."""
    return trimmed(without_unseen(words))
