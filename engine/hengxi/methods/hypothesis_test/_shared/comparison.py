"""The bases of the members: boxes, shared tables and charts, and what is said of several variables together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

import numpy as np
from scipy import special

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Form,
    Level,
    Method,
    NextStep,
    Points,
    Report,
    Silent,
    Table,
    counted,
    integer,
    num,
    pvalue,
    role,
    text,
)
from hengxi.contract.report import Row
from hengxi.contract.tables import Element
from hengxi.methods.hypothesis_test._shared import many_tests, siblings, two_levels
from hengxi.methods.hypothesis_test._shared.many_variables import Outcome, together
from hengxi.methods.hypothesis_test._shared.samples import Pairs, Sample
from hengxi.stats import boxes
from hengxi.stats.location import median_interval
from hengxi.stats.names import with_unit
from hengxi.stats.normality import TESTED_MOST, standardise

Centre = Literal["mean", "median"]
JOINED_MOST = 50
QQ_POINTS = 1000


class Comparison(Method):
    """What all members have. The member's own tables come first."""

    family = "差异性分析"
    missing: ClassVar[Literal["listwise", "each", "pairwise", "keep"]] = "each"
    weights: ClassVar[Sequence[Literal["frequency", "sampling", "precision"]]] = ("frequency",)
    min_rows = 2

    descriptives = Table(
        "描述统计", sample=text("样本"), n=integer("*n*"), mean=num("均值"), sd=num("标准差", least=0),
        median=num("中位数"), q1=num("P25"), q3=num("P75"), least=num("最小值"), most=num("最大值"),
        skewness=num("偏度"), test=text("正态性检验"), statistic=num("统计量"), p=pvalue(), place="detail",
        claim=Silent("normality is told by its check"),
    )  # fmt: skip
    centres = Points("中心与区间", sample=text("样本"), y=num("中心"), low=num("下限"), high=num("上限"))
    cases = Points("个案", sample=text("样本"), value=num("取值"))
    spread = Points(
        "箱线", sample=text("样本"), min=num("须下端"), q1=num("下折叶点"), median=num("中位数"), q3=num("上折叶点"),
        max=num("须上端"), outliers=text("离群值"), density=text("密度"),
    )  # fmt: skip
    box = Chart(
        "箱线图", "box", of=spread, x="sample", min="min", q1="q1", median="median", q3="q3", max="max",
        outliers="outliers", density="density", place="detail",
    )  # fmt: skip

    @classmethod
    def elements(cls) -> dict[str, Element]:
        found = super().elements()
        own = {key: one for key, one in found.items() if key in vars(cls)}
        return {**own, **found}

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        """The same question in each stratum, and a look at the variables themselves."""
        path = "/".join(cls.__module__.split(".")[-3:-1])
        boxes_of = (form.get(key) or [] for key in ("pairs_a", "pairs_b", "variable", "pair", "variables"))
        asked = [one for box in boxes_of for one in (box if isinstance(box, list) else [box])]
        start = {"variables": list(dict.fromkeys(asked)), "weight": form.get("weight")}
        return [
            *siblings.others(path, form),
            NextStep(title="按另一个变量分层再比较", method=path, form=form, seek=["_split"]),
            NextStep(title="看这些变量的分布（描述统计）", method="descriptive/descriptive_statistics", form=start),
        ]

    @classmethod
    def describe(
        cls,
        report: Report,
        samples: Sequence[Sample],
        centre: Centre,
        level: float,
        *,
        drawn: Sequence[Sample] | None = None,
        intervals: Sequence[tuple[float, float, float]] | None = None,
    ) -> None:
        """Rows of the shared tables; `drawn`: the samples of the figures, where they are not all of them; `intervals`:
        centre and bounds of each in the figure, where a member has others than the mean's or the median's."""
        for sample in samples:
            m, (q1, median, q3), shape = sample.moments, sample.quartiles, sample.shape
            report.row(
                cls.descriptives, sample=sample.name, n=sample.n, mean=m.mean, sd=m.sd if sample.n > 1 else None,
                median=median, q1=q1, q3=q3, least=m.least, most=m.most, skewness=m.skewness,
                test=shape.name if shape else "—", statistic=shape.statistic if shape else None,
                p=shape.p if shape else None,
            )  # fmt: skip
        if any(sample.n > TESTED_MOST for sample in samples):
            report.note(
                cls.descriptives,
                "超过 {most:integer} 例不做正态性检验：再小的偏离也会有很小的 *p*，请看偏度。",
                most=TESTED_MOST,
            )
        for i, sample in enumerate(samples if drawn is None else drawn):
            cls._draw(report, sample, centre, level, None if intervals is None else intervals[i])

    @classmethod
    def _draw(
        cls, report: Report, sample: Sample, centre: Centre, level: float, own: tuple[float, float, float] | None
    ) -> None:
        m = sample.moments
        low: float | None
        high: float | None
        if own is not None:
            y, low, high = own
        elif centre == "mean":
            y, (low, high) = m.mean, m.mean_interval(level) if sample.n > 1 else (m.mean, m.mean)
        else:
            y, (low, high) = sample.median, median_interval(sample.ordered, level)
        report.row(cls.centres, sample=sample.name, y=y, low=low, high=high)
        values = boxes.evenly(sample.ordered)
        report.add_rows(cls.cases, {"sample": [sample.name] * values.size, "value": values})
        shape = boxes.box(sample.ordered)
        report.row(
            cls.spread, sample=sample.name, min=shape.low, q1=shape.q1, median=shape.median, q3=shape.q3,
            max=shape.high, outliers=shape.outliers, density=boxes.density(sample.ordered, m.sd),
        )  # fmt: skip

    @classmethod
    def conclude(cls, report: Report, form: dict[str, Any], main: Table, compared: str, claim: str) -> None:
        """For `joined`: Holm's p beside, and one conclusion where the variables are many. `main`: a row each with p."""
        cls.conclude_rows(report, form, report.rows_of(main), compared, claim)

    @classmethod
    def conclude_rows(
        cls, report: Report, form: dict[str, Any], rows: Sequence[Row], compared: str, claim: str
    ) -> None:
        """The same of those rows of a table that the conclusion reads, one for each variable."""
        alpha = 1 - form.get("conf_level", 0.95)
        p = {row.cells["variable"]: row.cells["p"] for row in rows if row.cells["p"] is not None}
        many_tests.family(report, p, alpha, "多个变量")
        if p:
            together(report, {name: Outcome(value, "见表") for name, value in p.items()}, alpha, compared, claim)


def interval_figure(contrast: Points | None = None) -> Chart:
    return Chart(
        "取值、中心与置信区间", "interval", of=Comparison.centres, x="sample", y="y", low="low", high="high",
        raw=(Comparison.cases, "sample", "value"), place="main",
        contrast=None if contrast is None else (contrast, "label", "y", "low", "high"),
    )  # fmt: skip


def _shift() -> Points:
    return Points("差值", label=text("比较"), y=num("差值"), low=num("下限"), high=num("上限"))


class OneSample(Comparison):
    class Input(Form):
        variables: Column = role("检验变量Y", "定量", each=True)
        weight: Column | None = counted()

    plot = interval_figure()

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{cls.title}：{form.about}"


class PairedSamples(Comparison):
    class Input(Form):
        pairs_a: Column = role("配对变量1", "定量", each=True)
        pairs_b: Column = role(
            "配对变量2", "定量", along="pairs_a", shared_with="pairs_a", hint="与配对变量1按次序一一对应"
        )
        weight: Column | None = counted()

    contrast = _shift()
    plot = interval_figure(contrast)
    lines = Points("前后连线", pair=text("对"), time=text("测量"), value=num("取值"))
    slopes = Chart("各对的前后变化", "line", of=lines, x="time", y="value", series="pair", place="detail")

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{cls.title}：{form.about}"

    @classmethod
    def describe_pairs(cls, report: Report, pairs: Pairs, centre: Centre, level: float) -> None:
        """Both measurements and the difference in the table, the measurements in the figures, up to 50 pairs joined."""
        both = [pairs.first, pairs.second]
        cls.describe(report, [*both, pairs.difference], centre, level, drawn=both)
        if pairs.first.name == pairs.second.name or pairs.first.x.size > JOINED_MOST:
            report.skip(cls.lines, f"超过 {JOINED_MOST} 对，连线会看不清")
            return
        for i, values in enumerate(zip(pairs.first.x, pairs.second.x, strict=True), 1):
            for sample, value in zip(both, values, strict=True):
                report.row(cls.lines, pair=f"{i}", time=sample.name, value=value)

    @classmethod
    def draw_quantiles(cls, report: Report, sample: Sample, points: Points) -> None:
        """Standardised values against normal quantiles, at most 1,000 evenly spaced."""
        values = boxes.evenly(sample.ordered, QQ_POINTS)
        places = (np.arange(1, values.size + 1) - 0.375) / (values.size + 0.25)
        m = sample.moments
        report.add_rows(points, {"theory": special.ndtri(places), "sample": standardise(values, m.mean, m.sd)})


class TwoSamples(Comparison):
    class Input(Form):
        group: Column = role("分组变量X", "定类")
        variables: Column = role("检验变量Y", "定量", each=True)
        weight: Column | None = counted()
        groups: list[Level] = two_levels.field()

    contrast = _shift()
    plot = interval_figure(contrast)

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"按{form.group.title}比较{form.about}"


class ManySamples(Comparison):
    class Input(Form):
        group: Column = role("分组变量X", "定类")
        variables: Column = role("检验变量Y", "定量", each=True)
        weight: Column | None = counted()

    plot = interval_figure()

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"按{form.group.title}比较{form.about}"


def axis(title: str, unit: str) -> dict[str, str]:
    """What the value axis of a figure is called."""
    return {"y": with_unit(title, unit)}
