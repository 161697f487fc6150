"""What a table tells: which test or estimate stands in a row, so that a sentence of a paper can be made from it.

A table with a *p* states a claim or says why it makes none; nothing is guessed from column keys. Exact wire shapes
(`contract.ts` is generated from them), with constructors for declarations below.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

About = Literal[
    "groups",  # the outcome differs between the groups of a variable
    "pair",  # the outcome differs between two levels named in the row
    "paired",  # two variables named in the row differ
    "value",  # the outcome differs from a fixed value
    "association",  # two variables are associated
    "correlation",  # two variables named in the row are correlated
    "trend",  # the outcome changes along ordered groups
    "agreement",  # raters agree beyond chance
    "distribution",  # the outcome departs from a distribution
    "model",  # a model as a whole explains the outcome
    "coefficient",  # one term of a model is associated with the outcome
    "named",  # a test that is only named: assumptions, sources of variance
]


@dataclass(kw_only=True)
class SymbolBy:
    """The symbol of a statistic that a setting decides, by the value of that field."""

    field: str
    symbols: dict[str, str]


@dataclass(kw_only=True)
class Elsewhere:
    """A cell of another table of the same part: the first row with these words and the same cells as the own row."""

    table: str
    column: str
    row: dict[str, str]
    match: list[str]


@dataclass(kw_only=True)
class Estimates:
    """What a table of coefficients holds, by column; `ratio` is the exponentiated coefficient (OR, HR, IRR)."""

    term: str
    value: str
    se: str | None
    interval: str | None
    interval_of: Literal["value", "ratio"]
    ratio: str | None
    ratio_symbol: str | None


@dataclass(kw_only=True)
class Statistic:
    """A test statistic: its symbol with markup (`*t*` is italic), its column, the columns of its degrees of freedom."""

    symbol: str
    symbol_by: SymbolBy | None
    column: str
    df: list[str]
    df_elsewhere: Elsewhere | None


@dataclass(kw_only=True)
class Claim:
    """Columns are named by key, `outcome` and `by` by role. Of `statistics` a row prints the first it has a value of;
    a row without any (exact tests) prints its *p* and the name of its test."""

    about: About
    p: str
    statistics: list[Statistic]
    # further statistics printed after the first under their titles, such as the z of a U
    beside: list[str]
    effect: str | None
    effect_symbol: str | None
    effect_elsewhere: Elsewhere | None
    interval: str | None
    outcome: str | None
    by: str | None
    first: str | None
    second: str | None
    # the column or form field of what is compared with
    against: str | None
    # columns that name the test of a row
    names: list[str]
    # the column of the layer a row is computed in
    within: str | None
    # the column that says 采用 in the rows the conclusion reads
    read: str | None
    estimates: Estimates | None


@dataclass(frozen=True)
class Silent:
    """A table with a *p* that makes no sentence, and why (for whoever reads the declaration)."""

    why: str


def elsewhere(table: str, column: str, row: dict[str, str] | None = None, match: tuple[str, ...] = ()) -> Elsewhere:
    return Elsewhere(table=table, column=column, row=row or {}, match=list(match))


def stat(
    symbol: str,
    column: str,
    *df: str,
    elsewhere: Elsewhere | None = None,
    by: tuple[str, dict[str, str]] | None = None,
) -> Statistic:
    """`stat("*F*", "F", "df1", "df2")`; `by` names the field of the form that decides the symbol, with its symbols."""
    symbol_by = None if by is None else SymbolBy(field=by[0], symbols=by[1])
    return Statistic(symbol=symbol, symbol_by=symbol_by, column=column, df=list(df), df_elsewhere=elsewhere)


def claim(
    about: About,
    *statistics: Statistic,
    p: str = "p",
    beside: tuple[str, ...] = (),
    effect: str | Elsewhere | None = None,
    effect_symbol: str | None = None,
    interval: str | None = None,
    outcome: str | None = None,
    by: str | None = None,
    first: str | None = None,
    second: str | None = None,
    against: str | None = None,
    names: tuple[str, ...] = (),
    within: str | None = None,
    read: str | None = None,
    estimates: Estimates | None = None,
) -> Claim:
    """`claim("groups", stat("*t*", "t", "df"), effect="d", outcome="variables", by="group")`."""
    return Claim(
        about=about,
        p=p,
        statistics=list(statistics),
        beside=list(beside),
        effect=effect if isinstance(effect, str) else None,
        effect_symbol=effect_symbol,
        effect_elsewhere=effect if isinstance(effect, Elsewhere) else None,
        interval=interval,
        outcome=outcome,
        by=by,
        first=first,
        second=second,
        against=against,
        names=list(names),
        within=within,
        read=read,
        estimates=estimates,
    )


def estimates(
    statistic: Statistic,
    *,
    term: str = "name",
    value: str = "b",
    se: str | None = "se",
    interval: str | None = "ci",
    interval_of: Literal["value", "ratio"] = "value",
    ratio: tuple[str, str] | None = None,
    p: str = "p",
    outcome: str = "y",
) -> Claim:
    """A table of coefficients: `estimates(stat("*z*", "z"), ratio=("hr", "HR"), interval_of="ratio")`."""
    held = Estimates(
        term=term,
        value=value,
        se=se,
        interval=interval,
        interval_of=interval_of,
        ratio=None if ratio is None else ratio[0],
        ratio_symbol=None if ratio is None else ratio[1],
    )
    return claim("coefficient", statistic, p=p, outcome=outcome, estimates=held)


def columns_of(stated: Claim) -> set[str]:
    """Every column of its own table that a claim names (`against` may also be a field of the form)."""
    parts = stated.estimates
    inside = [] if parts is None else [parts.term, parts.value, parts.se, parts.interval, parts.ratio]
    single = [stated.p, stated.effect, stated.interval, stated.first, stated.second, stated.read, stated.within]
    others = [stated.effect_elsewhere, *(statistic.df_elsewhere for statistic in stated.statistics)]
    matched = [key for other in others if other for key in other.match]
    tested = [key for statistic in stated.statistics for key in (statistic.column, *statistic.df)]
    named = [*single, *tested, *stated.beside, *stated.names, *inside, *matched]
    return {key for key in named if key is not None}
