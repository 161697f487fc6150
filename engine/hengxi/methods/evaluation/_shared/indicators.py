"""One table of indicators: objects in rows, indicators with their direction in columns; what no member can work with is
refused here, and the ways to make indicators comparable are written once.

A member takes the boxes of `Directed` (variables sorted into boxes by direction) or of `Listed` (one box, the direction
in a setting), reads them by `read(form)`, and makes them comparable by `scaled(data, how)`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from hengxi.contract import (
    Column,
    Form,
    Refusal,
    Row,
    SetRemedy,
    StepRemedy,
    at_least,
    choice,
    number,
    role,
    settings,
)
from hengxi.contract.refusal import Remedy

Floats = npt.NDArray[np.float64]
Direction = Literal["high", "low", "interval"]
HUGE, TINY = 1e150, 1e-150
BOXES = ("positive", "negative", "moderate")
MOST_OBJECTS = 20_000


class Directed(Form):
    """Boxes by direction."""

    positive: list[Column] = role("正向指标", "定量", min=0, max=None, hint="越大越好")
    negative: list[Column] = role("负向指标", "定量", min=0, max=None, hint="越小越好")
    moderate: list[Column] = role(
        "中间型、区间型指标（选填）", "定量", min=0, max=None, hint="越接近某个值，或落在某个区间里越好"
    )
    label: Column | None = role("对象名称", "任意", use="label")
    best: list[Row] = settings(
        "最优值或最优区间", of="moderate", low=number("最优值（或下限）"), high=number("上限", auto="同最优值")
    )


DIRECTED = (at_least(1, *BOXES),)


class Listed(Form):
    """One box; the direction of each in a setting."""

    items: list[Column] = role("指标", "定量", min=2, max=None)
    label: Column | None = role("对象名称", "任意", use="label")
    direction: list[Row] = settings(
        "指标方向", of="items",
        kind=choice("方向", {"high": "越大越好", "low": "越小越好", "interval": "中间型或区间型"}),
        low=number("最优值（或下限）", auto="不用填"), high=number("上限", auto="同最优值"),
    )  # fmt: skip


@dataclass(frozen=True)
class Indicator:
    """One column; `low` and `high` are the best interval of a middle or interval type."""

    column: Column
    field: str
    kind: Direction
    low: float = 0.0
    high: float = 0.0

    @property
    def name(self) -> str:
        return self.column.title

    @property
    def words(self) -> str:
        return {"high": "正向", "low": "负向", "interval": "中间型" if self.low == self.high else "区间型"}[self.kind]


@dataclass(frozen=True)
class Data:
    """`x`: objects × indicators, without gaps."""

    indicators: list[Indicator]
    x: Floats
    objects: list[str]
    row_numbers: list[int]

    @property
    def names(self) -> list[str]:
        return [one.name for one in self.indicators]

    @property
    def n(self) -> int:
        return int(self.x.shape[0])

    @property
    def m(self) -> int:
        return int(self.x.shape[1])

    @cached_property
    def spread(self) -> Floats:
        return np.asarray(self.x.max(axis=0) - self.x.min(axis=0))

    @property
    def constant(self) -> list[int]:
        size = np.maximum(np.abs(self.x).max(axis=0), 1e-300)
        return [int(k) for k in np.flatnonzero(self.spread <= 1e-12 * size)]

    def without(self, dropped: Sequence[int]) -> Data:
        kept = [k for k in range(self.m) if k not in set(dropped)]
        return Data([self.indicators[k] for k in kept], self.x[:, kept], self.objects, self.row_numbers)


def read(form: Any, *, least_objects: int = 2, least_indicators: int = 2, constants: bool = False) -> Data:
    """The table of a form; `constants`: may an indicator that does not vary stay?"""
    indicators = _indicators(form)
    if len(indicators) < least_indicators:
        text = f"至少需要 {least_indicators} 个指标，现有 {len(indicators)} 个，请再放入指标"
        raise Refusal("data.indicators", text, field=indicators[0].field if indicators else "positive")
    x = np.stack([one.column.numbers for one in indicators], axis=1).astype(float)
    first = indicators[0]
    if len(x) < least_objects:
        text = f"至少需要 {least_objects} 个评价对象，去掉有缺失的行后只有 {len(x)} 个"
        raise Refusal("data.few", text, field=first.field)
    if len(x) > MOST_OBJECTS:
        text = f"有 {len(x):,} 个评价对象，最多 {MOST_OBJECTS:,} 个；请先筛选，或汇总到每个对象一行"
        raise Refusal("data.many", text, field=first.field)
    for k, one in enumerate(indicators):
        size = np.abs(x[:, k])
        if size.max() > HUGE or (size.max() > 0 and size.max() < TINY):
            text = f"指标“{one.name}”的数值过大或过小，超出可计算的范围，请换一个单位"
            raise Refusal("data.magnitude", text, field=one.field, column=one.column.id)
    data = Data(indicators, x, _objects(form, first), [int(k) for k in first.column.row_numbers])
    if not constants:
        refuse_constants(form, data)
    return data


def _indicators(form: Any) -> list[Indicator]:
    if hasattr(form, "items"):
        rows = {row.column.id: row for row in form.direction}
        return [_of_row("items", column, rows[column.id].kind, rows[column.id]) for column in form.items]
    best = {row.column.id: row for row in form.best}
    found = [Indicator(column, "positive", "high") for column in form.positive]
    found += [Indicator(column, "negative", "low") for column in form.negative]
    return found + [_of_row("moderate", column, "interval", best[column.id]) for column in form.moderate]


def _of_row(field: str, column: Column, kind: Direction, row: Row) -> Indicator:
    if kind != "interval":
        return Indicator(column, field, kind)
    where = "direction" if field == "items" else "best"
    if row.low is None:
        raise Refusal("data.best", f"“{column.title}”是中间型，请填它的最优值", field=where, column=column.id)
    high = row.low if row.high is None else row.high
    if high < row.low:
        text = f"“{column.title}”的最优区间下限 {row.low:g} 大于上限 {high:g}，请对调"
        raise Refusal("data.best", text, field=where, column=column.id)
    return Indicator(column, field, kind, float(row.low), float(high))


def _objects(form: Any, first: Indicator) -> list[str]:
    """Names as given; a name that stands twice gets its row, an empty one is its row."""
    numbers = first.column.row_numbers
    label = getattr(form, "label", None)
    given = [None] * len(numbers) if label is None else [None if one is None else str(one) for one in label.text]
    seen: dict[str, int] = {}
    for one in given:
        if one is not None:
            seen[one] = seen.get(one, 0) + 1
    return [
        f"第 {row} 行" if one is None else one if seen[one] == 1 else f"{one}（第 {row} 行）"
        for one, row in zip(given, numbers, strict=True)
    ]


def refuse_constants(form: Any, data: Data) -> None:
    for k in data.constant:
        one = data.indicators[k]
        others = [other.column.id for other in data.indicators if other.field == one.field and other is not one]
        remedy = SetRemedy(title=f"移去“{one.name}”", set={one.field: others})
        text = f"指标“{one.name}”的 {data.n} 个值都相同（{data.x[0, k]:g}），没有差别，不能用来赋权或区分对象，建议剔除"
        raise Refusal("data.constant", text, field=one.field, column=one.column.id, remedies=[remedy])


# ---- made comparable -----------------------------------------------------------------------------------------------
def distances(one: Indicator, x: Floats) -> Floats:
    """How far each value lies outside the best interval."""
    return np.asarray(np.maximum(np.maximum(one.low - x, x - one.high), 0.0))


def range_scaled(data: Data) -> Floats:
    """极差法, 0 worst to 1 best: (x − min)/(max − min), (max − x)/(max − min), interval 1 − d/max d."""
    out = np.empty_like(data.x)
    for k, one in enumerate(data.indicators):
        x = data.x[:, k]
        low, high = x.min(), x.max()
        match one.kind:
            case "high":
                out[:, k] = (x - low) / (high - low)
            case "low":
                out[:, k] = (high - x) / (high - low)
            case "interval":
                away = distances(one, x)
                out[:, k] = 1 - away / away.max() if away.max() > 0 else 1.0
    return out


def refuse_flat(data: Data, scaled_: Floats) -> None:
    """A middle or interval type of which every value is equally good says nothing."""
    for k, one in enumerate(data.indicators):
        if np.ptp(scaled_[:, k]) <= 1e-12:
            text = f"指标“{one.name}”正向化后没有差别（各对象离最优值同样远），请移去它，或检查最优值"
            raise Refusal("data.constant", text, field=one.field, column=one.column.id)


def forwarded(data: Data) -> Floats:
    """正向化: a low one as max − x, a middle or interval one as max d − d; high ones stay. Units are kept."""
    out = data.x.copy()
    for k, one in enumerate(data.indicators):
        if one.kind == "low":
            out[:, k] = data.x[:, k].max() - data.x[:, k]
        elif one.kind == "interval":
            away = distances(one, data.x[:, k])
            out[:, k] = away.max() - away
    return out


def positive_shares(data: Data, ways: tuple[dict[str, Any], str]) -> Floats:
    """比重法: x/Σx; a low one by its reciprocal, which is why nothing may be 0 or negative."""
    x = forwarded(data)
    for k, one in enumerate(data.indicators):
        if one.kind == "low":
            if (data.x[:, k] <= 0).any():
                refuse_not_positive(data, k, ways)
            x[:, k] = 1 / data.x[:, k]
        elif (x[:, k] < 0).any():
            refuse_not_positive(data, k, ways)
    return np.asarray(x / x.sum(axis=0))


def refuse_not_positive(data: Data, k: int, ways: tuple[dict[str, Any], str]) -> None:
    """`ways`: settings that take such values, and what the button is called."""
    one = data.indicators[k]
    at = int(np.argmin(data.x[:, k]))
    text = (
        f"指标“{one.name}”有不大于 0 的值（{data.objects[at]}：{data.x[at, k]:g}），这种处理不适用。"
        f"请{ways[1]}，或先平移这个指标"
    )
    remedies: list[Remedy] = [SetRemedy(title=ways[1], set=ways[0]), StepRemedy(
        title="计算新变量", step="data_processing/compute_variable", columns=[one.column.id])]  # fmt: skip
    raise Refusal("data.not_positive", text, field=one.field, column=one.column.id, remedies=remedies)


def z_scaled(data: Data) -> Floats:
    """(x − mean)/sd with n − 1; a low one with its sign turned, a middle or interval one after 正向化."""
    x = forwarded(data)
    return np.asarray((x - x.mean(axis=0)) / x.std(axis=0, ddof=1))


def ranked(values: Floats, digits: int = 12) -> list[int]:
    """1 = largest; what is equal but for rounding shares the better rank."""
    rounded = np.round(np.asarray(values, dtype=float), digits)
    ordered = np.sort(rounded)
    return [int(len(rounded) - k) + 1 for k in np.searchsorted(ordered, rounded, side="right")]


Weigher = Callable[[Data], Floats]
