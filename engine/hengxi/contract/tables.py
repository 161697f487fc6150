"""Tables: columns with title and format, and the layouts a table can have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from .claims import Claim, Silent, columns_of
from .fields.flag import FlagField
from .fields.level import LevelField
from .fields.number import IntegerField
from .when import Condition, When, read_when

Format = Literal[
    "text",
    "integer",
    "num",
    "pvalue",
    "percent",
    "date",
    "flag",
    "level",
    "interval",
    "mean_sd",
    "median_iqr",
    "n_percent",
    "estimate_se",
    "estimate_ci",
    "marked",
    "rows",
    "action",
    "values",
]
NumberFormat = Literal["integer", "num", "pvalue", "percent"]
Action = Literal["add_word", "add_stopword", "rename"]
Place = Literal["lead", "main", "check", "text", "detail"]
LayoutName = Literal["long", "record", "wide", "matrix"]
Show = Literal["lower", "upper", "full"]

NUMERIC_FORMATS = ("integer", "num", "pvalue", "percent")
COMBO_PARTS: dict[str, tuple[str, ...]] = {
    "interval": ("low", "high"),
    "mean_sd": ("mean", "sd"),
    "median_iqr": ("median", "q1", "q3"),
    "n_percent": ("n", "percent"),
    "estimate_se": ("estimate", "se"),
    "estimate_ci": ("estimate", "low", "high"),
}
RESERVED = frozenset({"at", "depth", "total", "wide", "layout", "merge", "when", "place"})


@dataclass(kw_only=True)
class TableColumn:
    """One column. `title` may hold markup (*t* is an italic symbol); `span` is plain text, often the user's."""

    key: str = ""
    title: str
    format: Format
    hint: str | None = None
    span: list[str] = field(default_factory=list)
    # interval and combinations: the keys of the numbers inside one cell, in order, and how they are written
    parts: list[str] | None = None
    part_format: NumberFormat | None = None
    # an interval or a standard error: the column of its estimate; all are written with one number of decimals
    around: str | None = None
    # stars after the number, from the p in this column
    stars: str | None = None
    decimals: int | None = None
    unit: str | None = None
    # wide tables: the item this column was made for at run time, plain text; drawn as the outermost spanner
    wide: str | None = None
    action: Action | None = None


@dataclass(kw_only=True)
class Rule:
    """What may stand in a column; broken = an error of ours, never a table."""

    least: float | None = None
    most: float | None = None
    # an interval has its estimate inside
    inside: bool = True
    sums_within: tuple[str, ...] | None = None
    fractions: bool = False


@dataclass
class ColumnSpec:
    """A column as declared: what travels, and what must hold."""

    column: TableColumn
    rule: Rule = field(default_factory=Rule)
    # absent from the table where the form says so
    when: When | None = None

    @property
    def keys(self) -> list[str]:
        """The keywords of `report.row` this column takes."""
        return self.column.parts if self.column.parts is not None else [self.column.key]


def _spec(
    title: str,
    format: Format,
    span: str | tuple[str, ...] = (),
    rule: Rule | None = None,
    when: Condition | None = None,
    **more: Any,
) -> ColumnSpec:
    """`when`: the column stands in the table only where the form says so (a statistic that was asked for)."""
    spans = [span] if isinstance(span, str) else list(span)
    return ColumnSpec(TableColumn(title=title, format=format, span=spans, **more), rule or Rule(), read_when(when))


def text(
    title: str, *, span: str | tuple[str, ...] = (), hint: str | None = None, when: Condition | None = None
) -> ColumnSpec:
    return _spec(title, "text", span, hint=hint, when=when)


def num(
    title: str,
    *,
    least: float | None = None,
    most: float | None = None,
    stars: str | None = None,
    around: str | None = None,
    decimals: int | None = None,
    unit: str | None = None,
    span: str | tuple[str, ...] = (),
    hint: str | None = None,
    when: Condition | None = None,
) -> ColumnSpec:
    """A number. `least=0` for what cannot be negative (sums of squares, sd); `stars="p"` names the column of its p;
    `around="b"`: a standard error, written with as many decimals as its estimate."""
    rule = Rule(least=least, most=most)
    more = {"stars": stars, "around": around, "decimals": decimals, "unit": unit, "hint": hint}
    return _spec(title, "num", span, rule, when, **more)


def pvalue(
    title: str = "*p*", *, span: str | tuple[str, ...] = (), hint: str | None = None, when: Condition | None = None
) -> ColumnSpec:
    return _spec(title, "pvalue", span, Rule(least=0, most=1), when, hint=hint)


def percent(
    title: str,
    *,
    least: float | None = 0,
    most: float | None = 1,
    sums_within: tuple[str, ...] | None = None,
    span: str | tuple[str, ...] = (),
    hint: str | None = None,
    when: Condition | None = None,
) -> ColumnSpec:
    """A fraction shown as percent. `sums_within=("variable",)`: rows (no totals, depth 0) of a variable add to 1."""
    return _spec(title, "percent", span, Rule(least=least, most=most, sums_within=sums_within), when, hint=hint)


def date(title: str, *, span: str | tuple[str, ...] = ()) -> ColumnSpec:
    return _spec(title, "date", span)


def interval(
    title: str,
    low: str = "low",
    high: str = "high",
    *,
    around: str | None = None,
    inside: bool = True,
    format: NumberFormat = "num",
    span: str | tuple[str, ...] = (),
    hint: str | None = None,
    when: Condition | None = None,
) -> ColumnSpec:
    """Two bounds in one cell, given to `row` as `low=` and `high=`; the number of column `around` must lie inside.

    `inside=False`: an interval that need not hold its estimate (of a share of variance where F is almost 0)."""
    rule = Rule(least=0, most=1, inside=inside) if format == "percent" else Rule(inside=inside)
    return _spec(title, "interval", span, rule, when, parts=[low, high], part_format=format, around=around, hint=hint)


def combo(
    title: str,
    kind: Literal["mean_sd", "median_iqr", "n_percent", "estimate_se", "estimate_ci"],
    *parts: str,
    format: NumberFormat = "num",
    span: str | tuple[str, ...] = (),
    hint: str | None = None,
    when: Condition | None = None,
) -> ColumnSpec:
    """Several numbers in one cell at full precision; `parts` are the keywords of `row`."""
    names = list(parts) or list(COMBO_PARTS[kind])
    return _spec(title, kind, span, None, when, parts=names, part_format=format, hint=hint)


POINT_ROWS = 100
"""So many rows behind one point of a chart are named."""


def rows_column(title: str) -> ColumnSpec:
    """Row numbers of the data; a click opens them."""
    return _spec(title, "rows")


def few_rows(rows: Sequence[int]) -> list[int]:
    """The rows behind a point, of very many the first; one more than `POINT_ROWS` says that there are others."""
    return list(rows[: POINT_ROWS + 1])


def values_column(title: str) -> ColumnSpec:
    """A list of numbers in one cell, for charts (outliers, densities)."""
    return _spec(title, "values")


def marked(title: str) -> ColumnSpec:
    """Text with highlighted spans: `[["好", "hit"], ["的", null]]`."""
    return _spec(title, "marked")


def action(title: str, does: Action) -> ColumnSpec:
    return _spec(title, "action", action=does)


class Layout:
    """How the rows are laid out."""


class Wide(Layout):
    """Columns named at run time, each item a spanner over these: `row(t, wide={"甲": {"n": 3, "share": .2}})`."""

    def __init__(self, **columns: Any) -> None:
        self.columns = _keyed(columns)


class Matrix(Layout):
    """Square tables in layers: `row(t, item="x1", against="x2", r=.5, p=.03)`."""

    def __init__(self, show: Show = "full", diagonal: str | None = None, **layers: Any) -> None:
        self.show, self.diagonal = show, diagonal
        self.layers = _keyed(layers)


def _keyed(columns: dict[str, Any]) -> dict[str, ColumnSpec]:
    specs = {key: _column(given) for key, given in columns.items()}
    for key, spec in specs.items():
        if key in RESERVED:
            raise TypeError(f"the column key {key!r} is reserved")
        spec.column.key = key
    return specs


def _column(given: Any) -> ColumnSpec:
    """`integer`, `flag` and `level` are words of forms and of tables; here they are columns."""
    match given:
        case ColumnSpec():
            return given
        case IntegerField():
            rule = Rule(least=given.least, fractions=given.fractions)
            spec = _spec(given.title, "integer", given.span, rule, hint=given.hint, unit=given.unit)
            spec.when = given.when
            return spec
        case FlagField():
            return _spec(given.title, "flag", hint=given.hint)
        case LevelField():
            return _spec(given.title, "level", hint=given.hint)
    raise TypeError(f"{given!r} is no column")


class Element:
    """Something the report declares. `id` is the attribute's name."""

    type = ""

    def __init__(self, title: str, *, when: Condition | None, place: Place | None) -> None:
        self.id = ""
        self.title = title
        self.when: When | None = read_when(when)
        self.place: Place | None = place

    def __set_name__(self, owner: Any, name: str) -> None:
        self.id = name

    def declare(self) -> dict[str, Any]:
        """What the method's JSON says about it."""
        when = None if self.when is None else [[test.__dict__ for test in branch] for branch in self.when]
        return {"type": self.type, "id": self.id, "title": self.title, "place": self.place or "detail", "when": when}


class Table(Element):
    type = "table"
    hidden = False

    def __init__(
        self,
        title: str,
        *,
        layout: Literal["long", "record"] | Wide | Matrix = "long",
        merge: tuple[str, ...] = (),
        turned: bool = False,
        when: Condition | None = None,
        place: Place | None = None,
        claim: Claim | Silent | None = None,
        **columns: Any,
    ) -> None:
        """`merge`: equal neighbouring cells become one; `turned`: variables stand in columns; `claim`: what a row
        with a *p* tells (`contract.claims`), owed by every table that has one."""
        super().__init__(title, when=when, place=place)
        self.layout = layout
        self.claim = claim
        self.merge, self.turned = list(merge), turned
        self.columns = _keyed(columns)
        self._check_names()

    def _check_names(self) -> None:
        names = [key for spec in self.all_columns.values() for key in spec.keys]
        twice = {name for name in names if names.count(name) > 1}
        if twice:
            raise TypeError(f"{self.title}: the keys {twice} are given twice")
        for key in self.merge:
            if key not in self.columns:
                raise TypeError(f"{self.title}: merge names no column: {key}")
        if isinstance(self.claim, Claim):
            unknown = columns_of(self.claim) - set(self.all_columns)
            if unknown:
                raise TypeError(f"{self.title}: the claim names no column: {unknown}")

    @property
    def layout_name(self) -> LayoutName:
        match self.layout:
            case Wide():
                return "wide"
            case Matrix():
                return "matrix"
            case name:
                return name

    @property
    def inner(self) -> dict[str, ColumnSpec]:
        """The columns inside a layout."""
        match self.layout:
            case Wide(columns=columns):
                return columns
            case Matrix(layers=layers):
                return layers
            case _:
                return {}

    @property
    def all_columns(self) -> dict[str, ColumnSpec]:
        return {**self.columns, **self.inner}

    def part_names(self) -> set[str]:
        """Everything a chart may take from this table."""
        return {key for spec in self.all_columns.values() for key in [spec.column.key, *spec.keys]}

    def declare(self) -> dict[str, Any]:
        columns = [_wire_column(spec) for spec in self.columns.values()]
        inner = [_wire_column(spec) for spec in self.inner.values()]
        facts = {"layout": self.layout_name, "hidden": self.hidden, "columns": columns, "inner": inner}
        return {**super().declare(), **facts}


class Points(Table):
    """Data that only feeds a chart: never shown as a table, oracles may check count, sums and three rows.

    Points given by columns (by the thousand) travel with nine digits: on the screen, in its data and in exports.
    """

    hidden = True

    def __init__(self, title: str, *, when: Condition | None = None, **columns: Any) -> None:
        super().__init__(title, when=when, place="detail", **columns)


def _wire_column(spec: ColumnSpec) -> dict[str, Any]:
    return dict(spec.column.__dict__)
