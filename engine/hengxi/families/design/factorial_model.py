"""Two-level factors as they stand in a table, and the model of their effects: what can be told apart, what cannot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hengxi.contract import Column, Refusal
from hengxi.families.design.least import Least, independent
from hengxi.stats.moments import Floats
from hengxi.stats.names import level_words, number_words, titles

Flags = NDArray[np.bool_]
MOST_TERMS = 300


@dataclass(frozen=True)
class Factor:
    """−1 and +1 for its two levels, 0 in a centre run (numbers only)."""

    name: str
    coded: Floats
    low: str
    high: str


def read_factors(columns: Sequence[Column]) -> tuple[list[Factor], Flags]:
    """The factors, and which runs are centre points: there every numeric factor lies midway between its levels."""
    names = titles(columns)
    made, middles = [], []
    for column in columns:
        factor, middle = _factor(column, names[column.id])
        made.append(factor)
        if middle is not None:
            middles.append((column, middle))
    centre = np.ones(len(columns[0]), dtype=bool) if middles else np.zeros(len(columns[0]), dtype=bool)
    for _, middle in middles:
        centre &= middle
    for column, middle in middles:
        if (middle & ~centre).any():
            raise _levels(column, names[column.id], 3)
    return made, centre


def _factor(column: Column, name: str) -> tuple[Factor, Flags | None]:
    if column.is_number:
        x = column.numbers
        values = np.unique(x)
        middle = (values[0] + values[-1]) / 2
        at_middle = np.abs(x - middle) <= 1e-9 * (values[-1] - values[0])
        if values.size == 2 or (values.size > 2 and (at_middle | (x == values[0]) | (x == values[-1])).all()):
            coded = np.where(at_middle, 0.0, np.where(x == values[0], -1.0, 1.0))
            return Factor(name, coded, number_words(values[0]), number_words(values[-1])), at_middle
        raise _levels(column, name, values.size)
    present = np.unique(column.codes)
    if present.size != 2:
        raise _levels(column, name, present.size)
    labels = level_words([column.levels[i] for i in present])
    return Factor(name, np.where(column.codes == present[0], -1.0, 1.0), labels[0], labels[1]), None


def _levels(column: Column, name: str, k: int) -> Refusal:
    return Refusal(
        "role.levels", "因子“{f}”有 {k} 个水平，两水平析因要求恰好 2 个（中心点除外），请换一个因子或合并水平",
        field="factors", column=column.id, f=name, k=int(k),
    )  # fmt: skip


@dataclass(frozen=True)
class Effect:
    """A main effect or an interaction: the factors it is of, and the columns of the model it stands in."""

    name: str
    members: tuple[int, ...]
    place: int


class FactorialModel:
    """Constant, blocks, effects up to an order, curvature: what of it can be estimated."""

    def __init__(self, factors: Sequence[Factor], centre: Flags, blocks: Column | None, order: int, y: Floats) -> None:
        self.factors, self.centre = list(factors), centre
        wanted = [g for size in range(1, order + 1) for g in combinations(range(len(factors)), size)]
        if len(wanted) > MOST_TERMS:
            raise Refusal(
                "data.many", "{k} 个因子到 {order} 阶共 {n} 项，超过 {most} 项，请降低“最高交互阶”", field="max_order",
                also=["factors"], k=len(factors), order=order, n=len(wanted), most=MOST_TERMS,
            )  # fmt: skip
        dummies = block_columns(blocks)
        every = [np.prod([factors[j].coded for j in group], axis=0) for group in wanted]
        columns = np.column_stack([np.ones(y.size), *dummies, *every, centre.astype(float)])
        kept = independent(columns)
        self.block_columns = [i for i, j in enumerate(kept) if 0 < j <= len(dummies)]
        self.effects: list[Effect] = []
        self.lost: list[tuple[str, str]] = []
        """Effects that cannot be estimated, each with what it is confounded with."""
        first = 1 + len(dummies)
        for i, group in enumerate(wanted):
            name = self.name(group)
            if first + i in kept:
                self.effects.append(Effect(name, group, kept.index(first + i)))
            else:
                self.lost.append((name, self._other(columns, kept, first, i, wanted)))
        last = columns.shape[1] - 1
        self.curvature = kept.index(last) if centre.any() and last in kept else None
        self.least = Least(columns[:, kept], y)

    def name(self, group: tuple[int, ...]) -> str:
        return " × ".join(self.factors[j].name for j in group)

    def _other(self, columns: Floats, kept: list[int], first: int, i: int, wanted: list[tuple[int, ...]]) -> str:
        own = columns[:, first + i]
        if float(own @ own) == 0:
            return "没有数据"
        for j in range(i):
            if first + j not in kept:
                continue
            for sign, word in ((1.0, ""), (-1.0, "−")):
                if np.array_equal(own, sign * columns[:, first + j]):
                    return word + self.name(wanted[j])
        return (
            "区组"
            if self.block_columns
            and len(independent(columns[:, [*range(first), first + i]])) < (1 + len(self.block_columns) + 1)
            else "前面几项的组合"
        )

    @property
    def is_orthogonal(self) -> bool:
        """Are the effects estimated independently, each as well as the others?"""
        return bool(all(abs(self.least.vif(effect.place) - 1) < 1e-9 for effect in self.effects))

    def order(self, size: int) -> list[Effect]:
        return [effect for effect in self.effects if len(effect.members) == size]


def block_columns(blocks: Column | None) -> list[Floats]:
    """One column less than there are blocks, each summing to zero over the blocks."""
    if blocks is None:
        return []
    codes: Any = blocks.codes
    present = np.unique(codes)
    return [(codes == code).astype(float) - (codes == present[-1]) for code in present[:-1]]
