"""Text → numbers and dates, vectorised, each way of reading named and never applied unasked.

A *reading* is one rule that turns the text of a cell into a number. `plain` is certain; the others change how a
magnitude is written (1,234.5 · 1.234,5 · 1 234 · 12% · 3万 · ３４ · −5) and wait for the user's click.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime

import polars as pl
import pyarrow as pa

from hengxi.contract.missing_tokens import MISSING_TOKENS
from hengxi.data.arrays import Floats

NUMBER = r"^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$"
# A line once read is never read another way: a blank cell after many numbers would otherwise be tried in all of them.
_NUMBERS = re.compile("(?>" + NUMBER.strip("^$") + r"\n)*+")

GROUPED = r"^[+-]?\d{1,3}(?:\.\d{3})+$"
"""2.000: a plain number, unless commas stand before the decimals of its table; then points group digits."""


def holds_numbers(cells: Collection[str]) -> bool:
    """Whether all are plain numbers, by one look at the whole block; a cell of two lines is none."""
    lines = "\n".join(cells) + "\n"
    return lines.count("\n") == len(cells) and _NUMBERS.fullmatch(lines) is not None


@dataclass(frozen=True)
class Reading:
    """`pattern` must match the whole (trimmed) cell; `key` is what the answer to a question names."""

    key: str
    title: str
    pattern: str

    def expr(self, text: pl.Expr) -> pl.Expr:
        """The number, null where the pattern does not match."""
        number = _convert(self.key, pl.when(text.str.contains(self.pattern)).then(text)).cast(pl.Float64, strict=False)
        return pl.when(number.is_finite()).then(number)


PLAIN = Reading("plain", "普通数字", NUMBER)
_DIGITS = r"(?:\d{1,3}(?:[,，]\d{3})+|\d+)(?:[.．]\d+)?"
"""Digits of any width that may be grouped by commas, where a sign beside them leaves no doubt that they are."""
_WIDE = r"[0-9０-９]+(?:[.．][0-9０-９]+)?"
_GAP = "[ \u00a0\u2009\u202f'’]"
_WRITTEN = (
    Reading("thousands", "逗号是千位分隔符", r"^[+-]?\d{1,3}(?:[,，]\d{3})+(?:\.\d+)?$"),
    Reading(
        "comma_decimal", "逗号是小数点", r"^[+-]?\d{1,3}(?:\.\d{3})+(?:,\d+)?$|^[+-]?\d+,\d+(?:[eE][+-]?\d{1,3})?$"
    ),
    Reading("percent", "百分数，除以100", rf"^[+-]?(?:{_DIGITS}|{_WIDE})\s*[%％]$"),
    Reading("wan", "中文单位（千、万、亿）换算成数", rf"^[+-]?{_DIGITS}\s*(?:千|[十百千]?[万亿])元?$"),
    Reading("fullwidth", "全角数字和符号转为半角", rf"^[+＋－−–-]?{_WIDE}$"),
    Reading(
        "currency",
        "去掉货币符号和千位逗号",
        rf"^[+-]?[¥￥$€£]\s*{_DIGITS}$|^[¥￥$€£]\s*[+-]{_DIGITS}$|^[+-]?{_DIGITS}\s*元$",
    ),
    Reading("spaces", "空格或撇号是千位分隔符", rf"^[+-]?\d{{1,3}}(?:{_GAP}\d{{3}})+(?:[.,]\d+)?$"),
    Reading("permille", "千分数，除以1000", rf"^[+-]?{_DIGITS}\s*‰$"),
    Reading("parentheses", "括号里的数是负数", rf"^[(（]{_DIGITS}[)）]$"),
)
DOUBTFUL = tuple(replace(reading, pattern=reading.pattern.replace(r"\d", "[0-9０-９]")) for reading in _WRITTEN)
"""Of the many digits that Unicode knows only these are converted."""
READINGS = {reading.key: reading for reading in (PLAIN, *DOUBTFUL)}


def _convert(key: str, text: pl.Expr) -> pl.Expr:
    if key == "plain":
        return text
    # Digits and spaces are of any width: １，２３４ has commas, ３万 a unit, 50\u00a0% a space that never breaks.
    text = _half(text).str.replace_all(r"\s", " ")
    if key == "thousands":
        return text.str.replace_all(",", "", literal=True)
    if key == "comma_decimal":
        return text.str.replace_all(".", "", literal=True).str.replace(",", ".", literal=True)
    if key == "spaces":
        return text.str.replace_all(_GAP, "").str.replace(",", ".", literal=True)
    if key in ("percent", "permille"):
        return _scaled(text.str.strip_chars("%％‰ "), pl.lit(-2 if key == "percent" else -3))
    if key == "wan":
        zeros = [pl.when(text.str.contains(unit, literal=True)).then(n).otherwise(0) for unit, n in _ZEROS.items()]
        return _scaled(text.str.strip_chars("十百千万亿元 "), pl.sum_horizontal(zeros))
    if key == "currency":
        return _scaled(text.str.replace_all("[¥￥$€£元 ]", ""))
    if key == "parentheses":
        return -_scaled(text.str.strip_chars("()（）")).cast(pl.Float64, strict=False)
    return text


_ZEROS = {"十": 1, "百": 2, "千": 3, "万": 4, "亿": 8}


def _half(text: pl.Expr) -> pl.Expr:
    return text.str.replace_many(list("０１２３４５６７８９．，－−–＋"), list("0123456789.,---+"))


def _scaled(text: pl.Expr, zeros: pl.Expr | None = None) -> pl.Expr:
    """Digits without their commas; the point is moved in the text, where nothing is rounded: 1.1亿 is 110000000."""
    plain = text.str.replace_all(",", "", literal=True)
    return plain if zeros is None else pl.concat_str(plain, pl.lit("e"), zeros.cast(pl.String))


def is_token(text: pl.Expr) -> pl.Expr:
    """Whole-cell missing tokens (the text is trimmed)."""
    return text.is_in(list(MISSING_TOKENS))


@dataclass(frozen=True)
class DateForm:
    """A way of writing dates. `order` ymd is certain; 03/04/2024 is of March (mdy) or of April (dmy)."""

    form: str
    pattern: str
    timed: bool = False
    order: str = "ymd"
    zone: str = ""
    """What stands behind the time: the moment is the one that the clock on that wall showed."""

    @property
    def rare(self) -> bool:
        """With a zone, with a time of day from 1 to 12 and which half is meant, with the month or the hour in words."""
        return bool(self.zone) or any(sign in self.form for sign in ("%p", "%b", "%B", "时"))

    def expr(self, text: pl.Expr) -> pl.Expr:
        """The date (or datetime in microseconds), null where the cell is none. Years before 1000 are typing errors."""
        # What does not look like it is not parsed at all: a failed attempt costs more than the look. Where the year
        # comes first the look tells its size as well; to compare moments would parse them twice.
        year_first = self.pattern.startswith(_YEAR)
        look = _LATER + self.pattern.removeprefix(_YEAR) if year_first else self.pattern
        text = pl.when(text.str.contains(look.replace(r"\d", "[0-9]"))).then(text)
        if self.form in EXTRA:
            return _extra(self.form, text)
        if self.timed:
            if self.zone:
                text = text.str.replace(_ZONES[self.zone], "")
            elif "%p" in self.form:
                text = text.str.replace(_ZONE, "").str.replace_many(["上午", "下午"], ["AM", "PM"])
            moment = text.str.to_datetime(self.form.removesuffix(self.zone), strict=False, time_unit="us")
            return moment if year_first else pl.when(moment >= datetime(1000, 1, 1)).then(moment)
        # Remembering what was parsed costs more than to parse digits in their places again.
        day = text.str.to_date(self.form, strict=False, cache=self.form != "%Y-%m-%d")
        return day if year_first else pl.when(day >= date(1000, 1, 1)).then(day)


EXTRA = {"compact": "20240405", "serial": "Excel 日期序号"}
"""Numbers that are days only among dates, and what they are called."""
_EXCEL = date(1899, 12, 30)
"""Day 0 of the serial numbers of spreadsheets, as far as they are of later than February 1900."""


def _extra(form: str, text: pl.Expr) -> pl.Expr:
    if form == "compact":
        return text.str.to_date("%Y%m%d", strict=False)
    days = text.cast(pl.Float64, strict=False).floor().cast(pl.Int64, strict=False)
    return pl.lit(_EXCEL) + pl.duration(days=days)


_YEAR, _LATER = r"^\d{4}", r"^[1-9]\d{3}"
_DAY = r"^\d{4}%s\d{1,2}%s\d{1,2}"
_LATE = r"^\d{1,2}%s\d{1,2}%s\d{4}"
_CLOCK = r"\d{1,2}:\d{2}"
_HALF = "(?:[AaPp][Mm]|上午|下午)"
_ZONE = r" (?:GMT|UTC)(?:[+-]\d{1,2}(?::?\d{2})?)?$"
"""After a time of day in halves; the moment is the one that the clock on the wall showed."""
_HALVES = (
    (" %I:%M %p", rf" {_CLOCK} ?{_HALF}"),
    (" %I:%M:%S %p", rf" {_CLOCK}:\d{{2}} ?{_HALF}"),
    (" %p%I:%M", rf" {_HALF} ?{_CLOCK}"),
    (" %p%I:%M:%S", rf" {_HALF} ?{_CLOCK}:\d{{2}}"),
)
_ZONES = {"Z": r"(?:Z|[+-]00(?::?00)?)$", "+08": r"\+08(?::?00)?$"}
RARE = rf"{_HALF}|\d(?:Z|[+-]\d\d(?::?\d\d)?)$|\d[- ]?[A-Za-z]{{3,9}}[- ,]*\d{{4}}|^[A-Za-z]{{3,9}} \d|\d时\d"
"""A sign of the forms that are hardly ever met."""
_ZONED = f"(?:{_ZONE[:-1]})?$"


def _forms(order: str, days: tuple[tuple[str, str], ...]) -> tuple[DateForm, ...]:
    return tuple(
        DateForm(day + clock, pattern + tail, bool(clock), order)
        for day, pattern in days
        for clock, tail in (
            ("", "$"),
            (" %H:%M", f" {_CLOCK}$"),
            (" %H:%M:%S%.f", f" {_CLOCK}:\\d{{2}}(?:\\.\\d+)?$"),
            ("T%H:%M:%S%.f", f"T{_CLOCK}:\\d{{2}}(?:\\.\\d+)?$"),
            *((clock, tail + _ZONED) for clock, tail in _HALVES),
        )
    ) + tuple(
        DateForm(day + clock + zone, f"{pattern}{sign}{_CLOCK}:\\d{{2}}(?:\\.\\d+)?{tail}", True, order, zone)
        for day, pattern in days
        for sign, clock in ((" ", " %H:%M:%S%.f"), ("T", "T%H:%M:%S%.f"))
        for zone, tail in _ZONES.items()
    )


_MONTHS = (
    ("%B %d, %Y", r"^[A-Za-z]{4,9} \d{1,2}, \d{4}$"),
    ("%B %d %Y", r"^[A-Za-z]{4,9} \d{1,2} \d{4}$"),
    ("%d %B %Y", r"^\d{1,2} [A-Za-z]{4,9} \d{4}$"),
    ("%d %B, %Y", r"^\d{1,2} [A-Za-z]{3,9}, \d{4}$"),
    ("%d-%B-%Y", r"^\d{1,2}-[A-Za-z]{4,9}-\d{4}$"),
)
"""Months in full: April 5, 2024 and 5 April 2024."""
_WORDED = (
    *(
        DateForm(f"%d{sign}%b{sign}%Y{clock}", rf"^\d{{1,2}}{sign}[A-Za-z]{{3}}{sign}\d{{4}}{tail}$", bool(clock))
        for sign in ("-", " ", "")
        for clock, tail in (
            ("", ""),
            (" %H:%M:%S%.f", rf" {_CLOCK}:\d{{2}}(?:\.\d+)?"),
            (":%H:%M:%S%.f", rf":{_CLOCK}:\d{{2}}(?:\.\d+)?"),
        )
    ),
    DateForm("%b %d, %Y", r"^[A-Za-z]{3} \d{1,2}, \d{4}$"),
    DateForm("%b %d %Y", r"^[A-Za-z]{3} \d{1,2} \d{4}$"),
    *(DateForm(form, pattern) for form, pattern in _MONTHS),
    *(
        DateForm(
            f"%Y年%m月%d日{gap}%H时%M分{clock}", _DAY % ("年", "月") + rf"日{gap}\d{{1,2}}时\d{{1,2}}分{tail}$", True
        )
        for gap in ("", " ")
        for clock, tail in (("", ""), ("%S秒", r"\d{1,2}秒"))
    ),
)
"""04-MAR-2024 of SPSS, 04MAR2024:10:05:00 of SAS, Mar 4, 2024, 2024年3月4日10时5分."""
EXTRA_FORMS = (
    DateForm("compact", r"^(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$"),
    DateForm("serial", r"^[2-7]\d{4}(?:\.0+)?$"),
)
"""1954 to 2119 in serial numbers."""
DATE_FORMS = _WORDED + _forms(
    "ymd",
    (
        ("%Y-%m-%d", _DAY % ("-", "-")),
        ("%Y/%m/%d", _DAY % ("/", "/")),
        ("%Y.%m.%d", _DAY % (r"\.", r"\.")),
        ("%Y年%m月%d日", _DAY % ("年", "月") + "日"),
    ),
)
_SIGNS = (("/", "/"), ("-", "-"), (".", r"\."))
ORDERS = {
    "mdy": _forms("mdy", tuple((f"%m{sign}%d{sign}%Y", _LATE % (own, own)) for sign, own in _SIGNS)),
    "dmy": _forms("dmy", tuple((f"%d{sign}%m{sign}%Y", _LATE % (own, own)) for sign, own in _SIGNS)),
}
"""Dates with the year last, by what comes first: the cells alone may not tell."""
ORDER_TITLES = {"mdy": "月/日/年", "dmy": "日/月/年"}
_LATE_CLOCK = rf"[ T]{_CLOCK}(?::\d{{2}}(?:\.\d+)?)?|" + "|".join(tail + _ZONED[:-1] for _, tail in _HALVES)
LATE_DATE = rf"^\d{{1,2}}([/.-])\d{{1,2}}([/.-])\d{{4}}(?:{_LATE_CLOCK})?$"


_USUAL = tuple(form for form in DATE_FORMS if not form.rare)
_USUAL_DATE = re.compile("|".join(f"({form.pattern})" for form in _USUAL))
"""One group for each form; no cell has two of them, and none that is a rare one as well."""
_RARE_DATES = tuple((form, re.compile(form.pattern)) for form in DATE_FORMS if form.rare)


def date_forms(cells: Mapping[str, int]) -> dict[DateForm, int]:
    """Of different cells and how often each occurs: how many are written in each form."""
    counts = dict.fromkeys(DATE_FORMS, 0)
    for cell, n in cells.items():
        usual = _USUAL_DATE.match(cell)
        if usual:
            counts[_USUAL[(usual.lastindex or 0) - 1]] += n
            continue
        for form, pattern in _RARE_DATES:
            if pattern.match(cell):
                counts[form] += n
    return counts


def to_numbers(strings: pa.Array, storage: str, order: str = "", ways: tuple[str, ...] = ()) -> Floats:
    """Text cells read: float64, NaN where the cell is not a number (or date, in days since 1970).

    `order` (mdy, dmy) reads dates with the year last; without it they are none. `ways` are keys of READINGS that are
    tried in turn, plain numbers where there is none; of dates those of EXTRA that are read besides.
    """
    series = pl.Series("x", strings.to_pylist(), dtype=pl.String)
    text = pl.col("x").str.strip_chars()
    if storage in ("date", "datetime"):
        moment = pl.coalesce(
            [
                form.expr(text).cast(pl.Datetime("us"))
                for form in (*DATE_FORMS, *ORDERS.get(order, ()), *(one for one in EXTRA_FORMS if one.form in ways))
            ]
        )
        expr = moment.dt.epoch("us").cast(pl.Float64) / 86_400_000_000
    else:
        expr = pl.coalesce([READINGS[way].expr(text) for way in ways or ("plain",)])
    values = series.to_frame().select(expr).to_series()
    return values.cast(pl.Float64).fill_null(float("nan")).to_numpy()


def orders_of(strings: pa.Array) -> dict[str, int]:
    """How many of the texts each order reads as a date with the year last; empty where there is none."""
    text = pl.col("x").str.strip_chars()
    frame = pl.DataFrame({"x": pl.Series(strings.to_pylist(), dtype=pl.String)})
    taken = frame.select(
        pl.coalesce([form.expr(text).cast(pl.Datetime("us")) for form in forms]).count().alias(order)
        for order, forms in ORDERS.items()
    ).row(0, named=True)
    return {order: int(n) for order, n in taken.items()} if any(taken.values()) else {}
