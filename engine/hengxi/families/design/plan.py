"""A plan of runs: coded settings, natural values, blocks, random order, and the table a user takes to the bench."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hengxi.contract import Filled, Refusal, Report, SetRemedy
from hengxi.stats.moments import Floats
from hengxi.stats.names import number_words, unique

LETTERS = "ABCDEFGHJKLMNOPQRSTU"
"""I stands for the identity in defining relations, so no factor is called so."""
MOST_RUNS = 512
CENTRE, CORNER, AXIAL, EDGE = "中心点", "析因点", "轴点", "边中点"

Ints = NDArray[np.integer[Any]]


@dataclass(frozen=True)
class Axis:
    """A factor to be set: its name and what −1 and +1 stand for; numbers, or two texts."""

    name: str
    low: float | str = -1.0
    high: float | str = 1.0

    @property
    def is_number(self) -> bool:
        return not isinstance(self.low, str) and not isinstance(self.high, str)

    def at(self, coded: float) -> float | str:
        """The natural value of a coded one."""
        if isinstance(self.low, str) or isinstance(self.high, str):
            return self.low if coded < 0 else self.high
        middle, half = (self.low + self.high) / 2, (self.high - self.low) / 2
        return float(round(middle + half * coded, 10))


def axes_of(form: Any, count: int) -> list[Axis]:
    """The rows of the form's `names` (name, low, high); without any, letters and the coded values themselves."""
    if not form.names:
        return [Axis(letter) for letter in LETTERS[:count]]
    made = [_axis(row.name, row.low, row.high, i) for i, row in enumerate(form.names, 1)]
    return made


def _axis(name: str, low: Any, high: Any, row: int) -> Axis:
    ends = [_value(-1.0 if low is None else low), _value(1.0 if high is None else high)]
    if any(isinstance(end, str) for end in ends):
        ends = [end if isinstance(end, str) else number_words(end) for end in ends]
    if ends[0] == ends[1]:
        raise Refusal(
            "data.constant", "“因子”第 {at} 行“{v}”的低水平与高水平相同，请改其中一个", field="names", at=row, v=name
        )
    if not isinstance(ends[0], str) and not isinstance(ends[1], str) and ends[0] > ends[1]:
        raise Refusal("data.order", "“因子”第 {at} 行“{v}”的低水平大于高水平，请对调", field="names", at=row, v=name)
    return Axis(name, ends[0], ends[1])


def _value(cell: Any) -> float | str:
    try:
        value = float(cell)
    except (TypeError, ValueError):
        return str(cell).strip()
    return value if np.isfinite(value) and abs(value) < 1e100 else str(cell).strip()


@dataclass(frozen=True)
class Plan:
    """Runs × factors in coded units, in standard order until `shuffled`."""

    axes: Sequence[Axis]
    coded: Floats
    kinds: Sequence[str]
    block: Ints
    standard: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    @classmethod
    def of(cls, axes: Sequence[Axis], coded: Floats, kinds: Sequence[str], block: Ints | None = None) -> Plan:
        places = np.ones(len(coded), dtype=np.int64) if block is None else block
        return cls(axes, coded, list(kinds), places, np.arange(1, len(coded) + 1))

    @property
    def runs(self) -> int:
        return len(self.coded)

    @property
    def blocks(self) -> int:
        return int(self.block.max())

    def in_order(self, order: Ints) -> Plan:
        kinds = [self.kinds[i] for i in order]
        return replace(
            self, coded=self.coded[order], kinds=kinds, block=self.block[order], standard=self.standard[order]
        )

    def shuffled(self, rng: np.random.Generator | None) -> Plan:
        """Blocks one after another, the runs of each in random order; without `rng` in standard order."""
        keys = self.standard if rng is None else rng.permutation(self.runs)
        return self.in_order(np.lexsort((keys, self.block)))

    def natural(self, j: int) -> list[float | str]:
        return [self.axes[j].at(float(value)) for value in self.coded[:, j]]


def refuse_long(runs: int, field_name: str, remedies: Sequence[SetRemedy] = ()) -> None:
    """Nobody runs thousands of experiments; the table would not end."""
    if runs > MOST_RUNS:
        raise Refusal(
            "data.many", "这个设计要做 {n} 次试验，超过 {most} 次。请减少因子或重复，或选次数少的设计",
            field=field_name, n=runs, most=MOST_RUNS, remedies=remedies,
        )  # fmt: skip


def shown(value: float | str) -> str:
    return value if isinstance(value, str) else number_words(value)


def path_of(method: Any) -> str:
    """The address of a method: its folder."""
    return str(method.__module__).removeprefix("hengxi.methods.").removesuffix(".method").replace(".", "/")


def write_plan(report: Report, cls: Any, plan: Plan, responses: Sequence[str] = ("响应",)) -> None:
    """The table `design` (standard, run, point, block, Wide(value=text)) and the new table `made` with empty responses.

    Both in run order and natural units.
    """
    names = unique(["标准序", "试验顺序", "点类型", "区组", *(axis.name for axis in plan.axes), *responses])
    factors = names[4 : 4 + len(plan.axes)]
    values = [plan.natural(j) for j in range(len(plan.axes))]
    for i in range(plan.runs):
        report.row(
            cls.design, standard=int(plan.standard[i]), run=i + 1, point=plan.kinds[i],
            block=int(plan.block[i]) if plan.blocks > 1 else None,
            wide={name: {"value": shown(values[j][i])} for j, name in enumerate(factors)},
        )  # fmt: skip
    columns: dict[str, Any] = {
        names[0]: plan.standard.astype(float), names[1]: np.arange(1.0, plan.runs + 1), names[2]: list(plan.kinds),
    }  # fmt: skip
    if plan.blocks > 1:
        columns[names[3]] = plan.block.astype(float)
    for j, name in enumerate(factors):
        columns[name] = np.array(values[j], dtype=float) if plan.axes[j].is_number else [shown(v) for v in values[j]]
    answers = names[4 + len(plan.axes) :]
    columns |= {name: np.full(plan.runs, np.nan) for name in answers}
    boxes = {"response": answers, "factors": factors, "block": names[3] if plan.blocks > 1 else None}
    report.table_made(cls.made, columns, Filled(path_of(cls), {"task": "analyze"}, boxes))
