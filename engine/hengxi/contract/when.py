"""Conditions as data: when a field is shown, an element appears, or one choice is greyed out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from .answer_sets import is_set
from .measures import ColumnInfo, Wanted, fits


@dataclass(frozen=True, kw_only=True)
class IsTest:
    """The field holds one of the values; for a field of several values, at least one of them."""

    field: str
    test: Literal["is"] = "is"
    values: list[str | int | float | bool | None]


@dataclass(frozen=True, kw_only=True)
class FilledTest:
    field: str
    test: Literal["filled"] = "filled"


@dataclass(frozen=True, kw_only=True)
class LevelsTest:
    """The (first) column in the field has between low and high levels."""

    field: str
    test: Literal["levels"] = "levels"
    low: int | None
    high: int | None


@dataclass(frozen=True, kw_only=True)
class MeasureTest:
    """Some column in the field fits the measure."""

    field: str
    test: Literal["measure"] = "measure"
    measure: Wanted


@dataclass(frozen=True, kw_only=True)
class HoldsTest:
    """The field holds a set of multiple answers, or a variable of its own."""

    field: str
    test: Literal["holds"] = "holds"
    kind: Literal["set", "variable"]


Test = IsTest | FilledTest | LevelsTest | MeasureTest | HoldsTest
When = list[list[Test]]  # or of ands


class _Filled:
    """The field holds something: a column, a row, a word, a number, a ticked flag."""


filled = _Filled()


@dataclass(frozen=True)
class _Levels:
    low: int | None
    high: int | None


@dataclass(frozen=True)
class _Measure:
    measure: Wanted


@dataclass(frozen=True)
class _Holding:
    kind: Literal["set", "variable"]


a_set, a_variable = _Holding("set"), _Holding("variable")


def levels(low: int | None, high: int | None) -> _Levels:
    return _Levels(low, high)


def measure(wanted: Wanted) -> _Measure:
    return _Measure(wanted)


Condition = Mapping[str, Any] | list[Mapping[str, Any]]


def read_when(condition: Condition | None) -> When | None:
    """What a method writes → what travels: one dict is "and", a list of dicts is "or"."""
    if condition is None:
        return None
    branches = condition if isinstance(condition, list) else [condition]
    return [[_read_test(field, wanted) for field, wanted in branch.items()] for branch in branches]


def _read_test(field: str, wanted: Any) -> Test:
    match wanted:
        case _Filled():
            return FilledTest(field=field)
        case _Levels(low, high):
            return LevelsTest(field=field, low=low, high=high)
        case _Measure(kind):
            return MeasureTest(field=field, measure=kind)
        case _Holding(what):
            return HoldsTest(field=field, kind=what)
        case tuple() | list():
            return IsTest(field=field, values=list(wanted))
        case _:
            return IsTest(field=field, values=[wanted])


def holds(when: When | None, value_of: Callable[[str], Any], columns_of: Callable[[str], list[ColumnInfo]]) -> bool:
    """Is the condition true, given the resolved values of the form?"""
    if when is None:
        return True
    return any(all(_holds(test, value_of, columns_of) for test in branch) for branch in when)


def _holds(test: Test, value_of: Callable[[str], Any], columns_of: Callable[[str], list[ColumnInfo]]) -> bool:
    value = value_of(test.field)
    match test:
        case FilledTest():
            return value is not None and value is not False and value != [] and value != ""
        case IsTest():
            held = value if isinstance(value, list) else [value]
            # `is` on booleans, because 1 == True would let a number stand for a ticked flag.
            return any(h == w and isinstance(h, bool) == isinstance(w, bool) for h in held for w in test.values)
        case LevelsTest():
            columns = columns_of(test.field)
            if not columns:
                return False
            k = level_count(columns[0])
            return (test.low is None or k >= test.low) and (test.high is None or k <= test.high)
        case HoldsTest():
            return any(is_set(item) == (test.kind == "set") for item in value or [])
        case MeasureTest():
            return any(fits(column, test.measure) for column in columns_of(test.field))


def level_count(column: ColumnInfo) -> int:
    """How many categories occur; labelled values nobody chose are not counted."""
    if column.levels is None or len(column.levels) >= 200:
        return column.profile.distinct
    return sum(1 for level in column.levels if level.count > 0)
