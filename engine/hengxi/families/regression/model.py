"""What every fitted regression answers: coefficients, their errors, tests and intervals, and tests of whole terms."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import Column
from hengxi.families.regression.design import CONSTANT
from hengxi.stats.design import Codes, Design, Factor, Term
from hengxi.stats.moments import Floats
from hengxi.stats.names import unique, unit_of, unit_words


@dataclass
class Model(ABC):
    """An estimator gives `b` and `se` in the user's units, and `term_p`; the rest follows, or is overridden.

    Coefficient i is the constant for i = 0 where there is one; column j of the design is coefficient j + `first`.
    """

    form: Any
    columns: list[Column]
    design: Design
    rows: Codes
    """Place of each fitted row among the rows used (rows of frequency 0 are not fitted)."""

    @property
    @abstractmethod
    def b(self) -> Floats:
        """Of the constant first, where there is one."""

    @property
    @abstractmethod
    def se(self) -> Floats: ...

    @abstractmethod
    def term_p(self, term: Term) -> float:
        """Of all coefficients of a term being 0."""

    def predicted(self, values: list[float]) -> dict[str, Any] | None:
        """Cells of a new case (codes for categories); None where no double can hold them."""
        raise NotImplementedError

    @property
    def first(self) -> int:
        """How many coefficients stand before the columns of the design."""
        return 1

    @property
    def df(self) -> float | None:
        """Degrees of freedom of *t*; None: the normal distribution."""
        return None

    @property
    def y(self) -> str:
        return str(self.form.y.title)

    @property
    def unit(self) -> str:
        return unit_words(unit_of(self.form.y))

    @property
    def level(self) -> float:
        return float(self.form.conf_level)

    @property
    def counter(self) -> str:
        """What is counted: rows, or the cases that rows stand for."""
        return "行" if getattr(self.form, "freq", None) is None else "例"

    @property
    def names(self) -> list[str]:
        """Of the coefficients; a variable that is itself called 常数项 is told apart, since wide tables go by name."""
        return unique([CONSTANT, *self.design.names]) if self.first else list(self.design.names)

    @cached_property
    def used(self) -> list[Factor]:
        """The variables of the model: a choosing of terms may have left some out."""
        held = {k for term in self.design.terms for k in term.factors}
        return [factor for k, factor in enumerate(self.design.factors) if k in held]

    @cached_property
    def statistic(self) -> Floats:
        return np.asarray(self.b / self.se)

    @cached_property
    def p(self) -> Floats:
        size = np.abs(self.statistic)
        tail = stats.norm.sf(size) if self.df is None else stats.t.sf(size, self.df)
        return np.asarray(np.minimum(1.0, 2 * tail))

    @cached_property
    def reach(self) -> float:
        """Standard errors from an estimate to the end of its interval."""
        tail = (1 - self.level) / 2
        return float(stats.norm.isf(tail) if self.df is None else stats.t.isf(tail, self.df))

    def interval(self, i: int) -> tuple[float, float]:
        return float(self.b[i] - self.reach * self.se[i]), float(self.b[i] + self.reach * self.se[i])

    # What the conclusion reads, where a model has more than one kind of interval.
    @property
    def read_p(self) -> Floats:
        return self.p

    def read_interval(self, i: int) -> tuple[float, float]:
        return self.interval(i)

    @property
    def references(self) -> list[str]:
        """`学区 = 否`: the reference level of each categorical variable in the model."""
        return [f"{f.name} = {f.labels[f.reference]}" for f in self.used if f.labels and not f.full]
