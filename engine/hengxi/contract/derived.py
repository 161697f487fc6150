"""The data a step makes: new and changed variables, rows kept, columns left out. The platform writes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from .measures import Measure, Value

COPY = "_imp_"
Stored = Literal["number", "text", "date", "datetime"]


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


@dataclass(kw_only=True)
class Derived:
    """`index`: which of the rows used make the rows of the result, in order (None: all rows of the version stay).

    `left_out`: a condition that holds for exactly the rows that do not stay; None where there is none to name them.
    """

    made: list[Made] = field(default_factory=list)
    index: npt.NDArray[np.int64] | None = None
    left_out: str | None = None
    removed: list[Any] = field(default_factory=list)
    copies: int | None = None
    """The result holds so many completed copies; the variable `COPY` says which."""


def stored_as(values: npt.NDArray[Any]) -> Stored:
    return "number" if values.dtype.kind in "fiub" else "text"


class DataSteps:
    """What a `Processing` method says about its data; mixed into `Report`."""

    def __init__(self) -> None:
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

    def unchanged(self) -> None:
        """The step leaves the data as they are."""
        self._derived()
