"""What a text column shall become, and what was counted in it."""

from __future__ import annotations

from dataclasses import dataclass, field

import polars as pl

from hengxi.data.meta import OddCell
from hengxi.data.readings import GROUPED, PLAIN, READINGS, DateForm


@dataclass
class Plan:
    """How a text column becomes a physical column. `readings` are tried in turn on the trimmed cell."""

    kind: str = "text"
    readings: tuple[str, ...] = ()
    dates: tuple[DateForm, ...] = ()
    trim: bool = False
    keep_raw: bool = False
    why: str = ""
    doubt: bool = False
    """What the sample cannot tell: to be settled from all cells even where every cell fits."""

    @property
    def grouping(self) -> bool:
        """Points group digits: even plain numbers are converted."""
        return self.readings[:1] == ("comma_decimal",)

    @property
    def typed(self) -> bool:
        return self.kind != "text"

    def expr(self, name: str) -> pl.Expr:
        """Typed cells; null for missing and for what the readings do not take."""
        text = pl.col(name)
        if self.kind == "text":
            return text
        text = text.str.strip_chars() if self.trim else text
        if self.dates:
            whole = pl.Date if self.kind == "date" else pl.Datetime("us")
            return pl.coalesce([form.expr(text).cast(whole) for form in self.dates])
        if self.readings:
            number = pl.coalesce([READINGS[key].expr(text) for key in self.readings])
            return number.cast(pl.Int64, strict=False) if self.kind == "int" else number
        if self.kind == "int":
            return text.cast(pl.Int64, strict=False)
        number = text.cast(pl.Float64, strict=False)
        return pl.when(number.is_finite()).then(number)

    def raw_expr(self, name: str) -> pl.Expr:
        """The text of cells whose typed form does not say it all; null elsewhere."""
        trimmed = pl.col(name).str.strip_chars()
        plain = PLAIN.expr(trimmed)
        if self.dates:
            plain = pl.coalesce([form.expr(trimmed).cast(pl.Datetime("us")) for form in self.dates])
        converted = plain.is_null()
        if self.grouping:
            converted |= trimmed.str.contains(GROUPED)
        return pl.when((trimmed != "") & converted).then(pl.col(name))


@dataclass
class Counts:
    """What lies in a text column; `rows` of samples count data rows from 1."""

    cells: int = 0
    tokens: dict[str, int] = field(default_factory=dict)
    plain: int = 0
    whole: int = 0
    zeros: int = 0
    long: int = 0
    grouped: int = 0
    """Plain numbers like 2.000, which are two thousand where a comma is the decimal sign."""
    kinds: dict[str, int] = field(default_factory=dict)
    dates: dict[str, int] = field(default_factory=dict)
    orders: dict[str, dict[str, int]] = field(default_factory=dict)
    """Dates with the year last: order → form → cells. A cell may count for both."""
    extra: dict[str, int] = field(default_factory=dict)
    """Numbers that are days among dates, by form: 20240405, 45387."""
    extras: list[OddCell] = field(default_factory=list)
    odd_dates: list[OddCell] = field(default_factory=list)
    """Of a column with `extra`: cells that are no date at all."""
    odd: list[OddCell] = field(default_factory=list)
    """Cells that are neither numbers nor dates; in a column of dates whatever is no date, numbers too."""
    unfit: dict[str, list[OddCell]] = field(default_factory=dict)
    """Dates with the year last that an order does not take, by order."""
    doubt: list[OddCell] = field(default_factory=list)
    groups: list[OddCell] = field(default_factory=list)
    late: list[OddCell] = field(default_factory=list)
