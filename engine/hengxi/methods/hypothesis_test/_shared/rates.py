"""Rates of one category in several groups: what the tests of two, of several and of ordered groups share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Form,
    Level,
    Method,
    NextStep,
    Refusal,
    Report,
    Table,
    confidence,
    counted,
    integer,
    interval,
    percent,
    role,
    text,
)
from hengxi.methods.hypothesis_test._shared import many_tests, target
from hengxi.stats import proportions
from hengxi.stats.moments import Floats
from hengxi.stats.names import level_words

MOST_GROUPS = 100


@dataclass(frozen=True)
class Rates:
    """`hits` of `sizes` in each group are of the category `word`."""

    word: str
    levels: list[Level]
    hits: Floats
    sizes: Floats

    @property
    def names(self) -> list[str]:
        return level_words(self.levels)

    @property
    def shares(self) -> Floats:
        share: Floats = self.hits / self.sizes
        return share

    @property
    def table(self) -> Floats:
        """Groups × (of the category, not)."""
        return np.column_stack((self.hits, self.sizes - self.hits))

    @property
    def varies(self) -> bool:
        """Is somebody of the category, and somebody not?"""
        return 0 < float(self.hits.sum()) < float(self.sizes.sum())


class RatesByGroup(Method):
    """A member adds its settings and tables, and tests what `rates_of` gives."""

    family, tier = "率与计数检验", "standard"
    weights = ("frequency",)
    missing = "each"

    class Input(Form):
        group: Column = role("分组变量X", "定类", levels=(2, MOST_GROUPS))
        y: Column = role("二分结果变量", "定类", each=True)
        weight: Column | None = counted()
        success: Level | None = target.field("y")
        conf_level: float = confidence()

    rates = Table(
        "各组的率", group=text("组"), category=text("目标类别"), n=integer("*n*"), count=integer("成功数"),
        share=percent("率"), ci=interval("率的CI（Wilson）", "low", "high", around="share", format="percent"),
        place="main",
    )  # fmt: skip
    plot = Chart("各组的率与置信区间", "interval", of=rates, x="group", y="share", low="low", high="high", place="main")

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"按{form.group.title}比较{form.about}的率"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        start = {"x": form["group"], "y": form["y"], "weight": form.get("weight")}
        y = form["y"][0] if isinstance(form["y"], list) else form["y"]
        held = {"y": y, "x": [form["group"]], "freq": form.get("weight")}
        return [
            NextStep(
                title=("看百分比、残差和关联强度（卡方检验）"),
                method="hypothesis_test/chi_square_test",
                form={**start, "y": [y]},
            ),
            NextStep(
                title=("加入其他变量一起考虑（二元 Logistic 回归）"),
                method="statistical/logistic_regression",
                form=held,
                seek=["x"],
            ),
        ]

    @classmethod
    def rates_of(cls, report: Report, form: Any, levels: list[Level] | None = None) -> Rates:
        """Counts by group, and the table of rates. `levels`: the groups and their order."""
        aim = target.target(form.y, form.success, "y", ("group",))
        weights = target.weights_of(form)
        groups = form.group.levels if levels is None else levels
        hits, sizes, present = [], [], []
        for one in groups:
            count, n = aim.counts(weights, form.group.where(one))
            if n <= 0:
                if levels is not None and len(groups) == 2:
                    text = "组“{g}”在“{y}”上没有样本，请换一组或换一个变量"
                    raise Refusal("data.few", text, field="group", column=form.group.id, g=one.label, y=form.y.title)
                report.warn("data.empty_level", "组“{g}”没有样本，没有计入。", g=one.label, columns=[form.group])
                continue
            hits.append(count)
            sizes.append(n)
            present.append(one)
        if len(present) < 2:
            text = "分组变量“{v}”在“{y}”有值的行里只有一个类别"
            raise Refusal("role.levels", text, field="group", column=form.group.id, v=form.group.title, y=form.y.title)
        made = Rates(aim.word, present, np.array(hits), np.array(sizes))
        if not made.varies:
            text = "“{y}”的各行都{are}“{g}”，率没有差别，无法检验"
            are = "是" if made.hits.sum() > 0 else "不是"
            raise Refusal("data.constant", text, field="y", column=form.y.id, y=form.y.title, are=are, g=made.word)
        for name, x, n in zip(made.names, made.hits, made.sizes, strict=True):
            low, high = proportions.wilson(float(x), float(n), form.conf_level)
            report.row(cls.rates, group=name, category=made.word, n=n, count=x, share=x / n, low=low, high=high)
        report.note(cls.rates, "CI 的置信水平为 {level:percent}。", level=form.conf_level)
        report.chart(cls.plot, titles={"x": form.group.title, "y": f"“{made.word}”的率"})
        return made

    @classmethod
    def judge_independence(cls, report: Report) -> None:
        report.check("个案独立", "unknown", "每人（每份答卷）只能计一次；同一批人前后两次请用 McNemar 检验。")

    @classmethod
    def joined(cls, report: Report, form: dict[str, Any]) -> None:
        """Several outcomes: what is left when their number is counted."""
        held = {row.cells["variable"]: row.cells["p"] for row in report.rows_of(cls.result)}  # type: ignore[attr-defined]
        many_tests.family(report, {name: p for name, p in held.items() if p is not None}, 1 - form["conf_level"])
