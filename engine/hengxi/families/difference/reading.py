"""Who is treated, since when: a panel or repeated samples as the estimators need them; what is refused."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from hengxi.contract import Column, Level, Moment, Refusal, SetRemedy, Timeline
from hengxi.stats.moments import Floats

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
NEVER = -1
LARGEST = 1e100
MOST_CONTROLS = 60


@dataclass
class Panel:
    """`first`: for each row the place where its unit (without units: its group) is first treated, or NEVER."""

    y: Floats
    time: Timeline
    place: Ints
    unit: Ints | None
    unit_labels: list[str]
    first: Ints
    x: Floats
    x_names: list[str]
    rows: Ints

    @property
    def n(self) -> int:
        return int(self.y.size)

    @cached_property
    def treated(self) -> Bools:
        return np.asarray(self.first != NEVER)

    @cached_property
    def d(self) -> Bools:
        return self.treated & (self.place >= self.first)

    @cached_property
    def cohorts(self) -> list[int]:
        return [int(g) for g in np.unique(self.first[self.treated])]

    @cached_property
    def places(self) -> Ints:
        """Periods that have a row."""
        return np.unique(self.place)

    @property
    def is_staggered(self) -> bool:
        return len(self.cohorts) > 1

    @cached_property
    def unit_first(self) -> Ints:
        assert self.unit is not None
        found = np.full(int(self.unit.max()) + 1, NEVER, dtype=np.int64)
        found[self.unit] = self.first
        return found

    @property
    def units(self) -> int:
        return 0 if self.unit is None else int(self.unit.max()) + 1

    @cached_property
    def wide(self) -> Floats:
        """Units × periods; NaN where a unit lacks a period."""
        assert self.unit is not None
        found = np.full((self.units, self.places.size), np.nan)
        found[self.unit, np.searchsorted(self.places, self.place)] = self.y
        return found

    @property
    def is_balanced(self) -> bool:
        return self.unit is not None and not np.isnan(self.wide).any()

    def label(self, place: int) -> str:
        return self.time.label(place)


def read_panel(
    y: Column,
    treat: Column,
    time: Timeline,
    entity: Column | None,
    x: list[Column],
    since: Moment | None,
    level: Level | None,
    keys: dict[str, str],
) -> Panel:
    """`keys`: what the form calls treat, time, entity, since."""  # fmt: skip
    place = time.place.astype(np.int64)
    if np.unique(place).size < 2:
        raise Refusal(
            "data.periods", "时间变量“{t}”只有一个取值，看不出前后变化", field=keys["time"], t=time.column.title
        )
    values = y.numbers
    size = np.abs(values).max()
    if size > LARGEST or 0 < size < 1 / LARGEST:
        raise Refusal("data.magnitude", "“{v}”的数值太大或太小，请换一个单位", field="y", column=y.id, v=y.title)
    if not np.ptp(values) > 0:
        raise Refusal("data.constant", "“{v}”每行都是同一个值，没有变化", field="y", column=y.id, v=y.title)
    unit = None if entity is None else entity.codes.astype(np.int64)
    labels = [] if entity is None else entity.labels
    first = _first(treat, time, place, unit, labels, since, level, keys)
    dummies, names = _controls(x)
    if unit is not None:
        unit, labels = _in_order(unit, labels, values, place, first)
    panel = Panel(values, time, place, unit, labels, first, dummies, names, y.row_numbers)
    _refuse_one_sided(panel, treat, keys)
    return panel


def _in_order(unit: Ints, labels: list[str], y: Floats, place: Ints, first: Ints) -> tuple[Ints, list[str]]:
    """Units by when they are treated and by their values, so that chance deals alike whatever rows and names are."""
    counts = np.bincount(unit)
    start = np.zeros(counts.size)
    start[unit] = first
    z = y / float(np.abs(y).max())
    keys = [np.round(np.bincount(unit, v) / np.maximum(counts, 1), 10) for v in (z * z, z * place, z)]
    order = np.lexsort((*keys, start))
    rank = np.empty(order.size, dtype=np.int64)
    rank[order] = np.arange(order.size)
    return rank[unit], [labels[k] for k in order]


def _first(
    treat: Column, time: Timeline, place: Ints, unit: Ints | None, labels: list[str], since: Moment | None,
    level: Level | None, keys: dict[str, str],
) -> Ints:  # fmt: skip
    binary = _binary(treat, level, keys)
    if binary is None:
        return _by_period(treat, time, place, unit, labels, keys)
    varies = unit is not None and _varies(binary, unit)
    if varies and unit is not None:
        return _by_status(binary, place, unit, labels, time, treat, keys)
    if since is None:
        if np.unique(place).size > 2:
            raise Refusal(
                "data.policy_time", "“{v}”只说明谁是处理组，请填政策从哪一期开始", field=keys["since"],
                also=[keys["treat"]], column=treat.id, v=treat.title,
            )  # fmt: skip
        start = int(np.unique(place)[-1])
    else:
        start = since.place(time)
    return np.where(binary, start, NEVER)


def _binary(treat: Column, level: Level | None, keys: dict[str, str]) -> Bools | None:
    """Who carries the treated value; None where the column holds periods."""
    levels = treat.levels
    if treat.missing.any() and len(levels) <= 2:
        row = int(treat.row_numbers[treat.missing][0])
        raise Refusal(
            "data.treat_missing", "“{v}”第 {r} 行等 {k} 行缺失，分不清是处理组还是对照组，请补上或剔除这些行",
            field=keys["treat"], column=treat.id, v=treat.title, r=row, k=int(treat.missing.sum()), row=row,
        )  # fmt: skip
    if len(levels) > 2:
        if treat.is_number or "date" in treat.info.storage:
            return None
        raise Refusal(
            "data.treat", "“{v}”有 {k} 类，处理变量须为 0/1 两类，或写首次处理的时间（没有处理的填 0）",
            field=keys["treat"], column=treat.id, v=treat.title, k=len(levels),
        )  # fmt: skip
    if len(levels) == 2 and treat.is_number and float(np.nanmin(treat.numbers)) == 0 and np.nanmax(treat.numbers) > 1:
        return None
    if len(levels) < 2:
        raise Refusal(
            "data.no_control", "“{v}”只有一个取值：所有行都在同一组，缺少对照组", field=keys["treat"],
            column=treat.id, v=treat.title,
        )  # fmt: skip
    return treat.where(level if level is not None else levels[-1])


def _varies(binary: Bools, unit: Ints) -> bool:
    share = np.bincount(unit, binary) / np.maximum(np.bincount(unit), 1)
    return bool(((share > 0) & (share < 1)).any())


def _by_status(
    binary: Bools, place: Ints, unit: Ints, labels: list[str], time: Timeline, treat: Column, keys: dict[str, str]
) -> Ints:
    """Treated since the first row with the treated value; going back is refused."""
    k = int(unit.max()) + 1
    start = np.full(k, np.iinfo(np.int64).max)
    np.minimum.at(start, unit[binary], place[binary])
    back = ~binary & (place > start[unit])
    if back.any():
        at = int(np.flatnonzero(back)[0])
        raise Refusal(
            "data.reversal", "“{u}”在处理后又变为未处理（{t}），当前方法不支持处理状态回退", field=keys["treat"],
            column=treat.id, u=labels[int(unit[at])], t=time.label(int(place[at])),
        )  # fmt: skip
    found = start[unit]
    return np.where(found == np.iinfo(np.int64).max, NEVER, found)


def _by_period(
    treat: Column, time: Timeline, place: Ints, unit: Ints | None, labels: list[str], keys: dict[str, str]
) -> Ints:
    """A column of periods; empty, 0 or later than the data = not treated in the data."""
    from hengxi.contract.calendar import days_of

    known = ~treat.missing & (treat.numbers != 0)
    if not known.any():
        raise Refusal("data.no_treated", "“{v}”没有一行是处理组", field=keys["treat"], column=treat.id, v=treat.title)
    days, is_date = days_of(treat.numbers[known], "date" in treat.info.storage)
    if is_date != time.is_date or float(np.abs(days).max()) > 1e9:
        raise Refusal(
            "data.treat", "“{v}”不是 0/1，也不像“{t}”那样的时间；首次处理的时点要与时间变量写法相同，没有处理的填 0",
            field=keys["treat"], column=treat.id, v=treat.title, t=time.column.title,
        )  # fmt: skip
    first = np.full(place.size, NEVER, dtype=np.int64)
    starts = time.calendar.places(days)
    first[known] = np.where(starts > place.max(), NEVER, np.maximum(starts, 0))
    if unit is not None:
        low, high = np.full(int(unit.max()) + 1, 1 << 60), np.full(int(unit.max()) + 1, -2)
        np.minimum.at(low, unit, first)
        np.maximum.at(high, unit, first)
        if (low != high).any():
            u = int(np.flatnonzero(low != high)[0])
            raise Refusal(
                "data.treat_varies", "“{u}”的首次处理时点各行不同，每个个体只能有一个", field=keys["treat"],
                column=treat.id, u=labels[u],
            )  # fmt: skip
    return first


def _controls(x: list[Column]) -> tuple[Floats, list[str]]:
    columns, names = [], []
    for one in x:
        if one.is_number and not one.is_categorical:
            columns.append(one.numbers - float(one.numbers.mean()))
            names.append(one.title)
            continue
        if len(one.levels) > MOST_CONTROLS:
            raise Refusal(
                "data.levels", "控制变量“{v}”有 {k} 类，太多，请合并类别或移出", field="x", column=one.id, v=one.title,
                k=len(one.levels),
            )  # fmt: skip
        for level in one.levels[1:]:
            columns.append(one.where(level).astype(float))
            names.append(f"{one.title}：{level.label}")
    rows = len(x[0]) if x else 0
    return (np.column_stack(columns) if columns else np.zeros((rows, 0))), names


def _refuse_one_sided(panel: Panel, treat: Column, keys: dict[str, str]) -> None:
    if not panel.treated.any():
        raise Refusal("data.no_treated", "“{v}”没有一行是处理组", field=keys["treat"], column=treat.id, v=treat.title)
    if panel.treated.all() and not panel.is_staggered:
        raise Refusal(
            "data.no_control", "所有个体都被处理，缺少对照组", field=keys["treat"], column=treat.id, v=treat.title
        )
    if not (panel.treated & ~panel.d).any():
        raise Refusal(
            "data.no_before", "处理组没有政策前观测，请检查政策时点（数据从 {t} 开始）", field=keys["since"],
            also=[keys["treat"]], t=panel.label(int(panel.places[0])),
        )  # fmt: skip
    if panel.is_staggered:
        if panel.unit is None:
            raise Refusal(
                "data.staggered_units", "处理的时点不止一个，需要个体标识才能估计，请放入个体变量",
                field=keys["entity"], also=[keys["treat"]],
            )  # fmt: skip
        return
    start = panel.cohorts[0]
    for who, rows in (("处理组", panel.treated), ("对照组", ~panel.treated)):
        for when, then in (("干预前", panel.place < start), ("干预后", panel.place >= start)):
            if not (rows & then).any():
                raise Refusal(
                    "data.cell", "没有“{w}-{t}”的观测，无法计算双重差分", field=keys["treat"], also=[keys["time"]],
                    w=who, t=when, remedies=[SetRemedy(title="重新填政策时点", set={keys["since"]: None})],
                )  # fmt: skip
