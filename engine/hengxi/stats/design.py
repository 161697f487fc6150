"""From chosen variables and model terms to the columns of a regression, with a name for each."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hengxi.stats.moments import Floats
from hengxi.stats.names import unique

Codes = NDArray[np.integer]


@dataclass(frozen=True, slots=True)
class Factor:
    """A quantitative variable (`values`) or a categorical one (`codes` into `labels`, one of them the reference)."""

    name: str
    values: Floats | None = None
    codes: Codes | None = None
    labels: tuple[str, ...] = ()
    reference: int = 0
    full: bool = False
    """All levels in the main effect: the first categorical variable of a model without a constant (as R)."""

    def shown(self, alone: bool) -> list[int]:
        """Levels that have a column, in a term of this variable alone or in an interaction."""
        return [k for k in range(len(self.labels)) if k != self.reference or (alone and self.full)]

    def columns(self, alone: bool) -> list[tuple[str, Floats]]:
        """Treatment coding: one 0/1 column for each level but the reference."""
        if self.values is not None:
            return [(self.name, self.values)]
        codes = np.asarray(self.codes)
        return [(f"{self.name}：{self.labels[k]}", (codes == k).astype(float)) for k in self.shown(alone)]

    def at(self, value: float, alone: bool) -> list[float]:
        """The same columns for one new case; categories are given by their code."""
        if self.values is not None:
            return [value]
        return [1.0 if k == int(value) else 0.0 for k in self.shown(alone)]


@dataclass(frozen=True, slots=True)
class Term:
    name: str
    factors: tuple[int, ...]
    first: int
    width: int
    numeric: bool

    @property
    def columns(self) -> list[int]:
        return list(range(self.first, self.first + self.width))


@dataclass(frozen=True, slots=True)
class Design:
    whole: Floats
    """The columns, after as many of ones as were asked for."""
    values: Floats
    """The columns alone: a part of `whole`."""
    names: list[str]
    terms: list[Term]
    factors: list[Factor]

    def at(self, case: Sequence[float]) -> Floats:
        cells: list[float] = []
        for term in self.terms:
            part = [1.0]
            for k in term.factors:
                part = [a * b for a in part for b in self.factors[k].at(case[k], len(term.factors) == 1)]
            cells += part
        return np.array(cells)


def build(factors: list[Factor], terms: Sequence[tuple[int, ...]], rows: int, ones: int = 0) -> Design:
    """One Fortran-ordered array, filled column by column: no second dense copy."""
    alone = [factor.columns(True) for factor in factors]
    joined = [factor.columns(False) if factor.full else alone[k] for k, factor in enumerate(factors)]
    parts = [[(alone if len(term) == 1 else joined)[k] for k in term] for term in terms]
    widths = [int(np.prod([len(part) for part in own])) for own in parts]
    whole = np.empty((rows, ones + sum(widths)), order="F")
    whole[:, :ones] = 1.0
    values = whole[:, ones:]
    names: list[str] = []
    listed: list[Term] = []
    at = 0
    for term, own, width in zip(terms, parts, widths, strict=True):
        numeric = all(factors[k].values is not None for k in term)
        power = len(set(term)) == 1 and numeric and len(term) > 1
        title = f"{factors[term[0]].name}{POWERS[len(term)]}" if power else " × ".join(factors[k].name for k in term)
        listed.append(Term(title, term, at, width, numeric))
        for name, column in _products(own, title if power else None):
            values[:, at] = column
            names.append(name)
            at += 1
    return Design(whole, values, unique(names), listed, factors)


POWERS = {2: "²", 3: "³", 4: "⁴", 5: "⁵"}


def _products(parts: list[list[tuple[str, Floats]]], whole: str | None) -> list[tuple[str, Floats]]:
    """The columns of an interaction; `whole` is the name of a power."""
    products = parts[0]
    with np.errstate(over="ignore", under="ignore"):
        for part in parts[1:]:
            products = [(whole or f"{a} × {b}", x * z) for a, x in products for b, z in part]
    return products
