"""The data a step makes: new and changed variables, rows kept, columns left out. The platform writes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from .measures import Measure, Value

COPY = "_imp_"
KEEP: object = object()
"""A word that stays as it is, where None would take it away."""
Stored = Literal["number", "text", "date", "datetime"]
EMPTY: npt.NDArray[Any] = np.empty(0)


@dataclass(kw_only=True)
class Part:
    """Cells of a column as they lie in its table: of these rows used, in order (−1: empty; None: all of them).

    Where `column` is None the part is `rows` empty cells.
    """

    column: Any = None
    index: npt.NDArray[np.int64] | None = None
    rows: int = 0


@dataclass(kw_only=True)
class Made:
    """One variable. `values` has one cell for each row of the result: floats (NaN missing; dates in days) or texts.

    `source` is the variable it comes from; with `replaces` it takes its place and keeps its id, name and label.
    `measure` None: decided from the values. `levels`: values with their labels, in their order.
    """

    name: str
    values: npt.NDArray[Any]
    stored: Stored = "number"
    source: Any = None
    replaces: bool = False
    label: str | None = None
    measure: Measure | None = None
    ordered: bool = False
    levels: list[tuple[Value, str]] | None = None
    flags: list[str] = field(default_factory=list)
    keeps_words: bool = False
    """Do unit, levels and flags of the source still fit the values (a filled gap, not another coding)?"""
    parts: list[Part] | None = None
    """The cells are those of other columns, one part below the other, with their codes and words; `values` is empty."""
    then: npt.NDArray[np.int64] | None = None
    """Which of the cells of all parts together make the column, in order."""


@dataclass(kw_only=True)
class Words:
    """What a variable is called from now on; what stands at KEEP stays. `levels`: all values with their labels.

    `missing`: the single codes that count as missing from now on; declared ranges stay.
    """

    column: Any
    name: str | None = None
    label: str | object | None = KEEP
    measure: Measure | None = None
    ordered: bool | None = None
    levels: list[tuple[Value, str]] | None = None
    missing: list[Value] | None = None
    decimals: int | None = None


@dataclass(kw_only=True)
class Answers:
    """A set of multiple answers made of columns of the result: by name, for they may be new."""

    name: str
    columns: list[str]
    counted: Value = 1


@dataclass(kw_only=True)
class Derived:
    """`index`: which of the rows used make the rows of the result, in order (None: all rows of the version stay).

    −1 in `index` stands for a row that no row of the version is. `reshaped`: rows before and after are not the same
    things (a pivot), so that they are shown one after the other and not side by side. `order`: names of the variables
    that come first, in their order. `weight`: the variable the version is weighted by from now on, None for none.

    `left_out`: a condition that holds for exactly the rows that do not stay; None where there is none to name them.
    """

    made: list[Made] = field(default_factory=list)
    index: npt.NDArray[np.int64] | None = None
    left_out: str | None = None
    removed: list[Any] = field(default_factory=list)
    copies: int | None = None
    """The result holds so many completed copies; the variable `COPY` says which."""
    words: list[Words] = field(default_factory=list)
    order: list[str] | None = None
    sets: list[Answers] = field(default_factory=list)
    reshaped: bool = False
    weight: Any = KEEP
    only: list[Any] | None = None
    """Of the variables there were only these stay."""


def stored_as(values: npt.NDArray[Any]) -> Stored:
    return "number" if values.dtype.kind in "fiub" else "text"


class DataSteps:
    """What a `Processing` method says about its data; mixed into `Report`."""

    def __init__(self) -> None:
        super().__init__()
        self.derived: Derived | None = None

    def _derived(self) -> Derived:
        if self.derived is None:
            self.derived = Derived()
        return self.derived

    def make(self, name: str, values: npt.NDArray[Any], *, stored: Stored | None = None, **words: Any) -> None:
        """A new variable: `make("BMI", values, label=…, measure=…, ordered=…, levels=[(1, "低")], source=column)`."""
        self._derived().made.append(Made(name=name, values=values, stored=stored or stored_as(values), **words))

    def replace(self, column: Any, values: npt.NDArray[Any], *, stored: Stored | None = None, **words: Any) -> None:
        """A variable with other values, in its own place."""
        made = Made(
            name=column.name, values=values, stored=stored or stored_as(values), source=column, replaces=True, **words
        )
        self._derived().made.append(made)

    def put(self, form: Any, column: Any, values: npt.NDArray[Any], **words: Any) -> None:
        """`make` or `replace`, as `form.mode` says; a new variable is called after its source, with `form.suffix`."""
        if form.mode == "replace":
            words.pop("label", None)
            self.replace(column, values, **words)
        else:
            words.setdefault("label", None if column.label is None else f"{column.label}{form.suffix}")
            self.make(f"{column.name}{form.suffix}", values, source=column, **words)

    def take(self, index: npt.NDArray[Any], left_out: str | None = None) -> None:
        """Only these of the rows used, by their place; a place may stand several times. `left_out`: see `Derived`."""
        self._derived().index = np.asarray(index, dtype=np.int64)
        self._derived().left_out = left_out

    def copies(self, m: int, rows: int) -> None:
        """The result is `m` copies of the rows one below the other, numbered from 1 in a variable of their own."""
        self.take(np.tile(np.arange(rows), m))
        self.make(COPY, np.repeat(np.arange(1.0, m + 1), rows), label="插补份号", measure="定类")
        self._derived().copies = m

    def remove(self, columns: Sequence[Any]) -> None:
        self._derived().removed += list(columns)

    def lay(
        self,
        name: str,
        parts: Sequence[Part],
        like: Any,
        then: npt.NDArray[np.int64] | None = None,
        label: str | None = None,
    ) -> None:
        """A new variable of cells that lie in other columns, with the codes and the words of the column `like`.

        `then`: which of the cells of all parts, one below the other, in order.
        """
        made = Made(name=name, values=EMPTY, parts=list(parts), source=like, label=label, then=then)
        self._derived().made.append(made)

    def relay(self, column: Any, parts: Sequence[Part], then: npt.NDArray[np.int64] | None = None) -> None:
        """A variable whose cells are other ones from now on: its own with those of another table below."""
        made = Made(name=column.name, values=EMPTY, parts=list(parts), source=column, replaces=True, then=then)
        self._derived().made.append(made)

    def reshape(self, index: npt.NDArray[Any] | int) -> None:
        """Rows of another kind: each is called after one of the rows used (or so many rows that are after none)."""
        whole = np.full(index, -1, dtype=np.int64) if isinstance(index, int) else index
        self.take(whole)
        self._derived().reshaped = True

    def reword(self, column: Any, **words: Any) -> None:
        """`reword(column, name=…, label=…, levels=…, missing=…)`: what is not given stays."""
        self._derived().words.append(Words(column=column, **words))

    def arrange(self, names: Sequence[str]) -> None:
        """These variables first, in this order, by their names in the result; the others follow as they stood."""
        self._derived().order = list(names)

    def answers(self, name: str, columns: Sequence[str], counted: Value = 1) -> None:
        """A set of multiple answers: names of columns of the result; `counted` is the value of a chosen option."""
        self._derived().sets.append(Answers(name=name, columns=list(columns), counted=counted))

    def weigh(self, column: Any | None) -> None:
        """From now on the version is weighted by this variable, as by a frequency; None: no longer weighted."""
        self._derived().weight = column

    def only(self, columns: Sequence[Any]) -> None:
        """All other variables go."""
        self._derived().only = list(columns)

    def unchanged(self) -> None:
        """The step leaves the data as they are."""
        self._derived()
