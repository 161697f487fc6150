"""Attributes of products with levels, as columns of a design: effects or dummy coding, or one number (a price)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.contract import Column, Level, Refusal, StepRemedy
from hengxi.stats.moments import Floats
from hengxi.stats.names import level_words, titles

MOST_LEVELS = 30


@dataclass(frozen=True)
class Attribute:
    """`first`: its first parameter. A number has no levels and one parameter."""

    name: str
    column: Column
    levels: list[Level]
    words: list[str]
    first: int
    effects: bool
    low: float = 0.0
    high: float = 0.0

    @property
    def is_number(self) -> bool:
        return not self.levels

    @property
    def width(self) -> int:
        return 1 if self.is_number else len(self.levels) - 1

    @property
    def coding(self) -> Floats:
        """Levels × parameters: the last level is minus the others (effects), or the first is 0 (dummy)."""
        k = len(self.levels)
        if self.effects:
            return np.vstack([np.eye(k - 1), -np.ones(k - 1)])
        return np.vstack([np.zeros(k - 1), np.eye(k - 1)])

    @property
    def names(self) -> list[str]:
        shown = self.words[:-1] if self.effects else self.words[1:]
        return [self.name] if self.is_number else [f"{self.name}：{word}" for word in shown]

    def contrast(self, parameters: int) -> Floats:
        """Levels × all parameters: the part-worth of each level."""
        found = np.zeros((len(self.levels), parameters))
        found[:, self.first : self.first + self.width] = self.coding
        return found

    def reach(self, beta: Floats) -> Floats:
        """The largest part-worth minus the smallest, along the last axis of `beta` (… × parameters)."""
        own = beta[..., self.first : self.first + self.width]
        if self.is_number:
            return np.abs(own[..., 0]) * (self.high - self.low)
        worths = own @ self.coding.T
        return np.asarray(worths.max(axis=-1) - worths.min(axis=-1))


def attributes_of(
    columns: list[Column], linear: Column | None, effects: bool, rows: Any, start: int = 0
) -> list[Attribute]:
    """`linear`: the one that enters as a number; `rows`: those used. Raises `Refusal`: one level, too many."""
    names = titles([*columns, *([linear] if linear is not None else [])])
    found: list[Attribute] = []
    first = start
    for column in columns:
        if linear is not None and column.id == linear.id:
            continue
        codes = column.codes[rows]
        held = [level for level in column.levels if (codes == level.code).any()]
        if not 2 <= len(held) <= MOST_LEVELS:
            text = "属性“{v}”只有一个水平，无法估计"
            if len(held) > 1:
                text = "属性“{v}”有 {k} 个水平，最多 {most} 个，请先分箱或合并"
            raise Refusal(
                "data.levels", text, field="attributes", column=column.id, v=names[column.id], k=len(held),
                most=MOST_LEVELS,
                remedies=[StepRemedy(title="合并水平", step="data_processing/value_coding", columns=[column.id])],
            )  # fmt: skip
        found.append(Attribute(names[column.id], column, held, level_words(held), first, effects))
        first += found[-1].width
    if linear is not None:
        values = linear.numbers[rows]
        values = values[~np.isnan(values)]
        ends = (float(values.min()), float(values.max())) if values.size else (0.0, 0.0)
        found.append(Attribute(names[linear.id], linear, [], [], first, effects, *ends))
    return found


def design_of(attributes: list[Attribute], rows: Any, empty: Any = None) -> Floats:
    """Rows × parameters; rows in `empty` are 0 (none of the products)."""
    parts = []
    for one in attributes:
        if one.is_number:
            parts.append(np.nan_to_num(one.column.numbers[rows])[:, None])
            continue
        place = np.zeros(len(one.column.levels) + 1, dtype=int)
        for i, level in enumerate(one.levels):
            place[level.code] = i
        parts.append(one.coding[place[one.column.codes[rows]]])
    x = np.hstack(parts)
    if empty is not None:
        x[empty] = 0.0
    return x


def importances(attributes: list[Attribute], beta: Floats) -> Floats:
    """Shares of the ranges, along the last axis."""
    reach = np.stack([one.reach(beta) for one in attributes], axis=-1)
    whole = reach.sum(axis=-1, keepdims=True)
    return np.asarray(np.divide(reach, whole, out=np.zeros_like(reach), where=whole > 0))


def profile(attributes: list[Attribute], case: Any, parameters: int, field: str) -> Floats:
    """One product of a scenario (`case[column]`: a value of each attribute)."""
    x = np.zeros(parameters)
    for one in attributes:
        value = case[one.column]
        if one.is_number:
            x[one.first] = float(value)
            continue
        place = next((i for i, level in enumerate(one.levels) if same_value(level.value, value)), None)
        if place is None:
            raise Refusal(
                "data.level", "情景里属性“{v}”的水平“{x}”从未出现", field=field, column=one.column.id, v=one.name,
                x=str(value),
            )  # fmt: skip
        x[one.first : one.first + one.width] = one.coding[place]
    return x


def same_value(a: Any, b: Any) -> bool:
    """Is a value typed in a scenario that of a level? 1999 and 1999.0 are one."""
    try:
        return float(a) == float(b)
    except ValueError:
        return str(a) == str(b)
