"""Text → numbers and dates, vectorised, each way of reading named and never applied unasked.

A *reading* is one rule that turns the text of a cell into a number. `plain` is certain; the others change how a
magnitude is written (1,234.5 · 1.234,5 · 12% · 3万 · ３４) and wait for the user's click.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

import polars as pl
import pyarrow as pa

from hengxi.data.arrays import Floats

MISSING_TOKENS = (
    "", "NA", "N/A", "n/a", "na", "#N/A", "NaN", "nan", "NULL", "null", "None", "none", ".", "-", "--", "—", "——", "/",
    "\\", "\\N", "缺失", "缺失值", "空", "无", "未填", "未填写", "空白", "(空)", "（空）", "(缺失)", "（缺失）",
    "(跳过)", "（跳过）",
)  # fmt: skip
"""Whole cells that mean "nothing here" in a column of numbers or dates. In a text column only the empty cell does."""

NUMBER = r"^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$"


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
DOUBTFUL = (
    Reading("thousands", "逗号是千位分隔符", r"^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$"),
    Reading("comma_decimal", "逗号是小数点", r"^[+-]?\d{1,3}(?:\.\d{3})+(?:,\d+)?$|^[+-]?\d+,\d+$"),
    Reading("percent", "百分数，除以100", r"^[+-]?\d+(?:\.\d+)?\s*[%％]$"),
    Reading("wan", "中文单位（千、万、亿）换算成数", r"^[+-]?\d+(?:\.\d+)?\s*[千万亿]$"),
    Reading("fullwidth", "全角数字转为半角", r"^[+－＋-]?[０-９]+(?:[．.][０-９]+)?$"),
    Reading("currency", "去掉货币符号", r"^[¥￥$€£]\s*[+-]?\d+(?:\.\d+)?$|^[+-]?\d+(?:\.\d+)?\s*元$"),
)
READINGS = {reading.key: reading for reading in (PLAIN, *DOUBTFUL)}


def _convert(key: str, text: pl.Expr) -> pl.Expr:
    if key == "thousands":
        return text.str.replace_all(",", "", literal=True)
    if key == "comma_decimal":
        return text.str.replace_all(".", "", literal=True).str.replace(",", ".", literal=True)
    if key == "percent":
        number = text.str.strip_chars("%％ ").cast(pl.Float64, strict=False)
        return number / 100
    if key == "wan":
        scale = pl.when(text.str.ends_with("千")).then(1e3).when(text.str.ends_with("万")).then(1e4).otherwise(1e8)
        return text.str.strip_chars("千万亿 ").cast(pl.Float64, strict=False) * scale
    if key == "fullwidth":
        return text.str.replace_many(list("０１２３４５６７８９．－＋"), list("0123456789.-+"))
    if key == "currency":
        return text.str.strip_chars("¥￥$€£元 ")
    return text


def is_token(text: pl.Expr) -> pl.Expr:
    """Whole-cell missing tokens (the text is trimmed)."""
    return text.is_in(list(MISSING_TOKENS))


@dataclass(frozen=True)
class DateForm:
    """A way of writing dates, year first only: 03/04/2024 could be March or April and stays text."""

    form: str
    pattern: str
    timed: bool = False

    def expr(self, text: pl.Expr) -> pl.Expr:
        """The date (or datetime in microseconds), null where the cell is none. Years before 1000 are typing errors."""
        if self.timed:
            moment = text.str.to_datetime(self.form, strict=False, time_unit="us")
            return pl.when(moment >= datetime(1000, 1, 1)).then(moment)
        day = text.str.to_date(self.form, strict=False)
        return pl.when(day >= date(1000, 1, 1)).then(day)


_DAY = r"^\d{4}%s\d{1,2}%s\d{1,2}"
_CLOCK = r"\d{1,2}:\d{2}"
DATE_FORMS = tuple(
    DateForm(day + clock, pattern + tail, bool(clock))
    for day, pattern in (
        ("%Y-%m-%d", _DAY % ("-", "-")),
        ("%Y/%m/%d", _DAY % ("/", "/")),
        ("%Y.%m.%d", _DAY % (r"\.", r"\.")),
        ("%Y年%m月%d日", _DAY % ("年", "月") + "日"),
    )
    for clock, tail in (
        ("", "$"),
        (" %H:%M", f" {_CLOCK}$"),
        (" %H:%M:%S%.f", f" {_CLOCK}:\\d{{2}}(?:\\.\\d+)?$"),
        ("T%H:%M:%S%.f", f"T{_CLOCK}:\\d{{2}}(?:\\.\\d+)?$"),
    )
)


def to_numbers(strings: pa.Array, storage: str) -> Floats:
    """Plain reading of text cells: float64, NaN where the cell is not a number (or date, in days since 1970)."""
    series = pl.Series("x", strings.to_pylist(), dtype=pl.String)
    text = pl.col("x").str.strip_chars()
    if storage in ("date", "datetime"):
        moment = pl.coalesce([form.expr(text).cast(pl.Datetime("us")) for form in DATE_FORMS])
        expr = moment.dt.epoch("us").cast(pl.Float64) / 86_400_000_000
    else:
        expr = PLAIN.expr(text)
    values = series.to_frame().select(expr).to_series()
    return values.cast(pl.Float64).fill_null(float("nan")).to_numpy()
