"""Steps that compute cells of some variables, row for row, and the rows their settings are learned from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from hengxi.contract import (
    Column,
    ColumnInfo,
    ColumnToBe,
    Level,
    Processing,
    Refusal,
    Report,
    Table,
    dataset,
    few_of,
    filled,
    integer,
    level,
    num,
    role,
    text,
)
from hengxi.contract.columns import Floats
from hengxi.contract.measures import Measure
from hengxi.stats.names import titles

Bools = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.int64]
MOST_GROUPS = 1000
LEFT_OVER = 1e-12
"""A mean below this share of the largest value is what rounding left over of zero."""


def train_column() -> Any:
    """The box for a mark of training rows: what a step learns, it learns from these."""
    hint = "放入后，参数只用训练行求得，再用于所有行"
    return role("训练标记（选填）", "定类", min=0, levels=(2, 20), hint=hint, advanced=True)


def train_level() -> Any:
    return level("训练行的取值", of="train", auto="first", when={"train": filled}, advanced=True)


def learn_from() -> Any:
    """The box for the version whose rows give the settings, so that new data get the very same."""
    hint = "新数据要用训练时的参数：选当时那份数据，参数由它求得，再用到这份数据"
    return dataset("参数取自（选填）", required=False, hint=hint, advanced=True)


@dataclass
class Share:
    """The rows of one group; `label` None where there are no groups."""

    label: str | None
    rows: Rows
    level: Level | None = None

    @property
    def words(self) -> str:
        """Behind the name of a variable: “身高”在“男”组中."""
        return "" if self.label is None else f"在“{self.label}”组中"


def shares_of(group: Column | None, rows: int) -> list[Share]:
    """Rows of each group in order of the levels; rows whose group is missing are in none."""
    if group is None:
        return [Share(None, np.arange(rows))]
    order = np.argsort(group.codes, kind="stable")
    ends = np.searchsorted(group.codes[order], np.arange(len(group.levels) + 1))
    return [Share(one.label, order[ends[i] : ends[i + 1]], one) for i, one in enumerate(group.levels)]


class Learning:
    """Where a step learns its settings: all rows, those marked as training, or the version in `learn_from`.

    The form has `learn_from`, `train`, `train_level`. Columns of the other version are found by name.
    """

    def __init__(self, form: Any) -> None:
        self._other, self._train, self._level = form.learn_from, form.train, form.train_level
        self._group: Column | None = getattr(form, "group", None)

    @property
    def is_elsewhere(self) -> bool:
        return self._other is not None

    @property
    def name(self) -> str:
        return "" if self._other is None else str(self._other.name)

    def column(self, column: Column) -> Column:
        """The column to learn from; refused where the other version has none of its name, or words for numbers."""
        if self._other is None:
            return column
        found: Column | None = next((one for one in self._other.columns if one.name == column.name), None)
        if found is None:
            text_ = f"“{self.name}”里没有变量“{column.name}”，不能从它求参数，请换一份数据"
            raise Refusal("dataset.column", text_, field="learn_from", column=column.id)
        if column.is_number and not found.is_number:
            text_ = f"“{self.name}”里的“{column.name}”不是数值，不能从它求参数，请换一份数据"
            raise Refusal("dataset.measure", text_, field="learn_from", column=column.id)
        return found

    def rows(self, like: Column) -> Bools:
        """Which rows of the column to learn from count; `like`: any column of this form."""
        if self._train is None:
            return np.ones(len(self.column(like)), dtype=np.bool_)
        mask: Bools = self.column(self._train).where(self._level)
        return mask

    def known(self, column: Column, share: Share | None = None) -> Floats:
        """The values there are, of one group where groups are given."""
        source = self.column(column)
        keep = self.rows(column) & ~np.isnan(source.numbers)
        if share is not None and share.level is not None and self._group is not None:
            keep &= self.column(self._group).where(share.level)
        return np.asarray(source.numbers[keep])


def some_left(name: str, known: Floats, share: Share, column: Column) -> None:
    """Refuses a group without any value to learn from."""
    if not len(known):
        text_ = f"“{name}”{share.words}没有可以用来求参数的值"
        raise Refusal("role.empty", text_, field="variables", column=column.id)


def moments_of(values: Floats) -> dict[str, Any]:
    """n, mean, sd (n − 1), smallest and largest of what is there."""
    known = values[np.isfinite(values)]
    if not len(known):
        return {"n": 0, "mean": None, "sd": None, "least": None, "most": None}
    # A sum over extreme values must not overflow: what is constant has no spread at all.
    constant = known.min() == known.max()
    sd = 0.0 if constant else float(known.std(ddof=1))
    mean = float(known[0]) if constant else float(known.mean())
    if abs(mean) <= LEFT_OVER * max(abs(float(known.min())), abs(float(known.max()))):
        mean = 0.0
    found: dict[str, Any] = {"n": len(known), "mean": mean, "sd": sd if len(known) > 1 else None}
    return found | {"least": float(known.min()), "most": float(known.max())}


class ColumnsStep(Processing):
    """New cells for `variables`, beside the old ones or in their place (`mode`, `suffix`); rows stay as they are.

    `noun`: what is done, for the heading. `measure_made`: measure of the new variables, None as found.
    """

    noun: ClassVar[str]
    measure_made: ClassVar[Measure | None] = "定量"

    compared = Table(
        "处理前后对比", variable=text("变量"), n=integer("有效", span="处理前"), mean=num("均值", span="处理前"),
        sd=num("标准差", least=0, span="处理前"), least=num("最小", span="处理前"), most=num("最大", span="处理前"),
        n_after=integer("有效", span="处理后"), mean_after=num("均值", span="处理后"),
        sd_after=num("标准差", least=0, span="处理后"), least_after=num("最小", span="处理后"),
        most_after=num("最大", span="处理后"),
    )  # fmt: skip

    @classmethod
    def elements(cls) -> dict[str, Any]:
        """The comparison after the method's own tables."""
        found = super().elements()
        last = {name: found.pop(name) for name in ("compared", "data", "record")}
        return {**found, **last}

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{few_of(list(titles(form.variables).values()))}的{cls.noun}"

    @classmethod
    def schema(cls, form: dict[str, Any], columns: Any) -> list[ColumnToBe]:
        if form["mode"] != "new":
            return []
        chosen: list[ColumnInfo] = [column for column in columns if column.id in form["variables"]]
        return [
            ColumnToBe(name=f"{one.name}{form['suffix']}", measure=cls.measure_made, source=one.id) for one in chosen
        ]

    @classmethod
    def compare(cls, report: Report, name: str, old: Floats, new: Floats) -> dict[str, Any]:
        before, after = moments_of(old), moments_of(new)
        facts = {**before, **{f"{key}_after": value for key, value in after.items()}}
        report.row(cls.compared, variable=name, **facts)
        return facts

    @classmethod
    def way(cls, form: Any, key: str = "method") -> str:
        """The title of what was chosen in a field."""
        options = cls.Input.fields[key].options  # type: ignore[attr-defined]
        return str(next(option.title for option in options if option.key == getattr(form, key)))


def tell_each(
    report: Report, names: Sequence[str], line: Callable[[int], tuple[str, dict[str, Any]]], most: int = 5
) -> tuple[str, dict[str, Any]]:
    """One sentence a variable, of the first few; the text and its facts. `line(i)`: slots end in the number i."""
    lines: list[str] = []
    facts: dict[str, Any] = {}
    for i in range(min(len(names), most)):
        words, own = line(i)
        lines.append(words)
        facts |= own
    if len(names) > most:
        lines.append("其余变量见结果表，共 {variables:integer} 个变量。")
        facts["variables"] = len(names)
    return "\n".join(lines), facts
