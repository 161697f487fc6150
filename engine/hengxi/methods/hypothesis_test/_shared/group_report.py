"""What reports on the groups of one variable share: their description, figures, and how many variables are told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import special

from hengxi.contract import (
    Chart,
    ColumnInfo,
    Method,
    NextStep,
    Points,
    Report,
    Table,
    integer,
    interval,
    num,
    text,
)
from hengxi.methods.hypothesis_test._shared import many_tests, siblings
from hengxi.methods.hypothesis_test._shared.many_groups import ManyGroups
from hengxi.methods.hypothesis_test._shared.many_variables import Outcome, together
from hengxi.stats import boxes
from hengxi.stats.names import with_unit


class GroupReport(Method):
    family, tier = "方差分析", "standard"
    weights = ("frequency",)
    missing = "each"
    min_rows = 4

    groups = Table(
        "各组描述", group=text("组别"), n=integer("*n*"), mean=num("均值"), sd=num("标准差", least=0),
        variance=num("方差", least=0), iqr=num("四分位距", least=0),
        ci=interval("均值CI", "low", "high", around="mean"),
    )  # fmt: skip
    cases = Points("个案", group=text("组别"), value=num("取值"))
    plot = Chart(
        "各组的取值、均值与置信区间", "interval", of=groups, x="group", y="mean", low="low", high="high",
        raw=(cases, "group", "value"), place="main",
    )  # fmt: skip
    spread = Points(
        "箱线", group=text("组别"), min=num("须下端"), q1=num("下折叶点"), median=num("中位数"), q3=num("上折叶点"),
        max=num("须上端"), outliers=text("离群值"), density=text("密度"),
    )  # fmt: skip
    box = Chart(
        "箱线图", "box", of=spread, x="group", min="min", q1="q1", median="median", q3="q3", max="max",
        outliers="outliers", density="density", place="detail",
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{cls.title}：按{form.group.title}看{form.about}"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        path = "/".join(cls.__module__.split(".")[-3:-1])
        same = {key: form.get(key) for key in ("group", "variables", "weight")}
        means = NextStep(title="比较各组的均值（单因素方差分析）", method="hypothesis_test/variance", form=same)
        return [
            *(siblings.others(path, form) or [means]),
            NextStep(title="按另一个变量分层再看", method=path, form=form, seek=["_split"]),
        ]

    @classmethod
    def read(cls, report: Report, form: Any) -> ManyGroups:
        """Refuses what has no groups to compare; says which groups have no case."""
        groups = ManyGroups.of(form)
        if groups.empty:
            names = "、".join(f"“{name}”" for name in groups.empty)
            report.warn("data.dropped_group", "{names}组在“{y}”上没有有效值，未参与比较。", names=names, y=groups.y)
        return groups

    @classmethod
    def describe(cls, report: Report, groups: ManyGroups, level: float) -> None:
        for name, m, ordered in zip(groups.names, groups.each, groups.ordered, strict=True):
            low, high = m.mean_interval(level)
            with np.errstate(over="ignore", under="ignore"):
                variance = float(np.float64(m.sd) ** 2)
            q1, q3 = ordered.quantiles([0.25, 0.75], kind=6)
            lost = not np.isfinite(variance) or (variance == 0 and m.sd > 0)
            report.row(
                cls.groups, group=name, n=m.n, mean=m.mean, sd=m.sd, variance=None if lost else variance, iqr=q3 - q1,
                low=low, high=high,
            )  # fmt: skip
            values = boxes.evenly(ordered)
            report.add_rows(cls.cases, {"group": [name] * values.size, "value": values})
            shape = boxes.box(ordered)
            report.row(
                cls.spread, group=name, min=shape.low, q1=shape.q1, median=shape.median, q3=shape.q3,
                max=shape.high, outliers=shape.outliers, density=boxes.density(ordered, m.sd),
            )  # fmt: skip
        weights = "*n* 为频数权重的合计。" if groups.weighted else ""
        report.note(
            cls.groups, "四分位距按 SPSS 的算法；均值 CI 的置信水平为 {level:percent}，各组单独计算。" + weights,
            level=level,
        )  # fmt: skip
        report.chart(cls.plot, titles={"y": with_unit(groups.y, groups.unit)})

    @classmethod
    def conclude(cls, report: Report, form: dict[str, Any], p: dict[str, float], compared: str, claim: str) -> None:
        """For `joined`, where there are several variables; `p` by variable."""
        alpha = 1 - form["conf_level"]
        many_tests.family(report, p, alpha, "多个变量")
        if p:
            together(report, {name: Outcome(value, "见表") for name, value in p.items()}, alpha, compared, claim)


def chi_bounds(sd: float, df: float, level: float) -> tuple[float, float]:
    """Interval of a standard deviation of normal values."""
    tail = (1 - level) / 2
    ends = [2 * float(special.gammaincinv(df / 2, share)) for share in (1 - tail, tail)]
    return sd * float(np.sqrt(df / ends[0])), sd * float(np.sqrt(df / ends[1]))
