from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hengxi.contract import (
    AnswerSet,
    Chart,
    Column,
    ColumnInfo,
    Form,
    Method,
    NextStep,
    Points,
    Refusal,
    Report,
    Table,
    a_set,
    a_variable,
    apart,
    choice,
    few_of,
    filled,
    flag,
    integer,
    interval,
    many,
    measure,
    num,
    number,
    percent,
    role,
    singly,
    text,
    weight,
)
from hengxi.methods.descriptive._shared import answer_counts, frequency_words
from hengxi.methods.descriptive._shared.counting import Counted, count
from hengxi.stats.answer_sets import BASE_HINT, BASES
from hengxi.stats.frequencies import frequencies
from hengxi.stats.names import titles
from hengxi.stats.proportions import wilson

SLICES = 12
"""Most sectors of a pie; the smallest beyond them are joined."""
ALONE: Mapping[str, Any] = {"variables": a_variable}
SET: Mapping[str, Any] = {"variables": a_set}
HISTOGRAM: list[Mapping[str, Any]] = [{"chart": "hist", **ALONE}, {"chart": filled, "variables": measure("定量")}]


class Frequency(Method):
    """Counts with their base always named: share of all cases, share of valid cases, and what is missing and why."""

    title, title_en = "频数分析", "Frequency analysis"
    family, tier = "描述性分析", "standard"
    purpose = "各类别出现了多少次、占多大比例"
    aliases = (
        "有多少人",
        "各有多少",
        "频率",
        "百分比",
        "占比",
        "比例",
        "频次",
        "众数",
        "饼图",
        "条形图",
        "直方图",
        "单选题",
    )
    references = ("wilson1927", "brown2001", "freedman1981")
    conventions = (
        "百分比以全部个案为分母（含缺失），有效百分比和累计百分比以有效个案为分母。",
        "按取值排序时：数值从小到大，认得出等级的文字（如低、中、高）按等级，其余按首次出现；在“变量”页排过次序的，按排好的次序。",
        "比例的置信区间用 Wilson 计分法，不做连续性校正；加权时 n 取有效个案的权重合计。",
        "直方图的组距按 Freedman-Diaconis 规则往上取整为 1、2、5 乘 10 的整数次方，左闭右开，末组两端都闭。",
        "不同取值超过“最大类别数”的定量变量按直方图的组列出。",
        "多选题的响应率以全部选择次数为分母，普及率以所选的基数为分母；一个人的部分选项空白时，空白按没选算。",
    )
    weights = ("frequency",)
    missing = "keep"

    class Input(Form):
        variables: list[Column | AnswerSet] = role("分析变量", "任意", min=1, max=None, sets=True)
        weight: Column | None = weight("频数权重（选填）", kind="frequency")
        sort: str = choice("类别排序", {"value": "按取值", "count_desc": "频数降序", "count_asc": "频数升序"})
        show_missing: bool = flag("缺失值单列", True)
        conf_interval: bool = flag("输出比例的置信区间（Wilson）", False)
        conf_level: float = number("置信水平", 0.95, least=0.5, most=0.999, percent=True, when={"conf_interval": True})
        set_base: str = choice("普及率的基数", BASES, hint=BASE_HINT, when=SET)
        max_levels: int = integer("最大类别数", 200, least=2, most=1000, advanced=True)
        chart: list[str] = many(
            "图形", {"bar": "条形图", "pie": "饼图", "ring": "圆环图", "pareto": "帕累托图", "hist": "直方图"},
            default=("bar", "pie"),
        )  # fmt: skip

    counts = Table(
        "频数分析结果", name=text("名称"), level=text("选项"), n=integer("频数", fractions=True),
        percent=percent("百分比（%）"),
        valid=percent("有效百分比（%）", sums_within=("name",)), cumulative=percent("累计百分比（%）"), merge=("name",),
        when=ALONE,
    )  # fmt: skip
    summary = Table(
        "有效性汇总", variable=text("变量"), valid=integer("有效N"), missing=integer("缺失N"),
        weighted=integer("加权N", fractions=True),
        lost=integer("加权缺失N", fractions=True), lost_share=percent("缺失率"),
        levels=integer("类别数"), mode=text("众数"), when=ALONE,
    )  # fmt: skip
    intervals = Table(
        "比例的置信区间", name=text("名称"), level=text("选项"), share=percent("比例（占有效）"),
        ci=interval("Wilson CI", "low", "high", around="share", format="percent"), merge=("name",),
        when={"conf_interval": True, **ALONE},
    )  # fmt: skip
    choices = Table(
        "多选题频数", name=text("名称"), level=text("选项"), n=integer("频数", fractions=True),
        responses=percent("响应率", sums_within=("name",)), cases=percent("普及率", most=None),
        ci=interval("普及率的 CI", "low", "high", around="cases", format="percent", when={"conf_interval": True}),
        merge=("name",), when=SET, place="main",
    )  # fmt: skip
    respondents = Table(
        "多选题的基数", name=text("名称"), base=integer("基数", fractions=True),
        outside=integer("不在基数里", fractions=True), responses=integer("选择次数", fractions=True),
        mean=num("人均选择项数"), when=SET,
    )  # fmt: skip
    reach = Points("普及率条形图", level=text("选项"), cases=percent("普及率"), when={"chart": "bar", **SET})
    reached = Chart("普及率条形图", "bar", of=reach, x="level", y="cases", when={"chart": "bar", **SET}, place="main")
    bars = Points("条形图", level=text("选项"), n=integer("频数", fractions=True), when={"chart": "bar", **ALONE})
    bar = Chart("条形图", "bar", of=bars, x="level", y="n", when={"chart": "bar", **ALONE}, place="main")
    slices = Points(
        "饼图与圆环图", level=text("选项"), n=integer("频数", fractions=True), when={"chart": ("pie", "ring"), **ALONE}
    )
    pie = Chart(
        "饼图", "share", of=slices, path="level", value="n", draw="pie", when={"chart": "pie", **ALONE}, place="detail"
    )
    ring = Chart(
        "圆环图", "share", of=slices, path="level", value="n", draw="ring", when={"chart": "ring", **ALONE},
        place="detail",
    )  # fmt: skip
    ranked = Points(
        "帕累托图", level=text("选项"), n=integer("频数", fractions=True), cumulative=percent("累计百分比"),
        when={"chart": "pareto", **ALONE},
    )  # fmt: skip
    pareto = Chart(
        "帕累托图", "bar", of=ranked, x="level", y="n", second="cumulative", when={"chart": "pareto", **ALONE},
        place="detail",
    )  # fmt: skip
    bins = Points(
        "直方图", low=num("下限"), high=num("上限"), n=integer("频数", fractions=True), when=HISTOGRAM,
    )  # fmt: skip
    hist = Chart(
        "直方图", "histogram", of=bins, low="low", high="high", count="n", place="main",
        when=HISTOGRAM,
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        names = list(titles(form.variables).values())
        return f"{few_of(names)}的频数"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        known = [one for one in singly(form["variables"]) if one in columns]
        # A set can be crossed as it is.
        grouping = [one for one in form["variables"] if one not in known or columns[one].measure == "定类"]
        numbers = [one for one in known if columns[one].measure == "定量"]
        weight = form.get("weight")
        steps = []
        if grouping:
            title, start = "与另一个变量交叉看（列联分析）", {"rows": grouping, "weight": weight}
            steps.append(NextStep(title=title, method="descriptive/crosstabs", form=start, seek=["columns"]))
        if numbers:
            title, start = "看平均数和离散程度（描述性统计）", {"variables": numbers, "weight": weight}
            steps.append(NextStep(title=title, method="descriptive/descriptive_statistics", form=start))
        title = "按另一个变量分层再看"
        return [*steps, NextStep(title=title, method="descriptive/frequency", form=form, seek=["_split"])]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        counts = frequencies(form.weight)
        names = titles(form.variables)
        columns, sets = apart(form.variables)
        found: list[Counted] = []
        answered: list[answer_counts.AnswerCount] = []
        refused: list[Refusal] = []
        for column in columns:
            try:
                found.append(count(column, names[column.id], counts, form.sort, form.max_levels))
            except Refusal as refusal:
                refused.append(refusal)
        for one_set in sets:
            try:
                answered.append(answer_counts.count(one_set, names[one_set.id], counts, form))
            except Refusal as refusal:
                refused.append(refusal)
        if not found and not answered:
            raise Refusal.of([fault for one in refused for fault in one.faults])
        for left_out in refused:
            report.warn(left_out.code, "{why:text}", why=left_out.text, columns=[left_out.faults[0].column])
        for one in found:
            cls._table(report, one, form)
            cls._charts(report, one, form.chart)
        for counted in answered:
            answer_counts.tables(report, cls, counted, form)
        cls._explain(report, found, form)
        if answered:
            answer_counts.notes(report, cls, form)
        elif sets:
            cls._without_sets(report)
        frequency_words.write(report, found, answered, form)
        if found:
            frequency_words.checks(report, found)
        if answered:
            answer_counts.check(report, answered, form)
        report.used(len(columns[0] if columns else sets[0].columns[0]))
        return report

    @classmethod
    def _without_sets(cls, report: Report) -> None:
        for element in (cls.choices, cls.respondents, cls.reach):
            report.skip(element, "没有选中任何选项的多选题不列出")

    @classmethod
    def _table(cls, report: Report, one: Counted, form: Any) -> None:
        for level, n, cumulative in zip(one.levels, one.n, one.cumulative, strict=True):
            report.row(
                cls.counts, name=one.name, level=level, n=n, percent=n / one.all, valid=n / one.valid,
                cumulative=cumulative,
            )  # fmt: skip
            if form.conf_interval:
                low, high = wilson(n, one.valid, form.conf_level)
                report.row(cls.intervals, name=one.name, level=level, share=n / one.valid, low=low, high=high)
        if form.conf_interval and not one.levels:
            report.warn("data.empty", "“{name}”没有有效值，不能给出比例。", name=one.name)
        if form.show_missing:
            for level, n in one.missing:
                report.row(cls.counts, name=one.name, level=level, n=n, percent=n / one.all)
        whole = one.all if form.show_missing else one.valid
        report.row(
            cls.counts, total=True, name=one.name, level="合计", n=whole, percent=whole / one.all,
            valid=1.0 if one.valid else None,
        )  # fmt: skip
        report.row(
            cls.summary, variable=one.name, valid=one.rows, missing=one.rows_missing, weighted=one.valid,
            lost=one.lost, lost_share=one.lost / one.all if one.all else None, levels=one.distinct, mode=one.mode_text,
        )  # fmt: skip

    @classmethod
    def _charts(cls, report: Report, one: Counted, wanted: list[str]) -> None:
        """Numbers with many values are a histogram whatever was asked for: bars would hide the gaps between them."""
        if not wanted or not one.levels:
            return
        if one.bins is not None:
            for low, high, n in zip(one.bins.edges[:-1], one.bins.edges[1:], one.bins.counts, strict=True):
                report.row(cls.bins, at=one.name, low=float(low), high=float(high), n=float(n))
            report.chart(cls.hist, at=one.name, titles={"low": one.name})
            report.note(
                cls.hist, "“{name}”：{k:integer} 组，组距 {width:num}{unit:text}，左闭右开，末组两端都闭。",
                name=one.name, k=len(one.bins.counts), width=one.bins.width, unit=one.unit,
            )  # fmt: skip
        if one.many_values:
            return
        order = sorted(range(len(one.n)), key=lambda i: -one.n[i])
        if "bar" in wanted:
            for level, n in zip(one.levels, one.n, strict=True):
                report.row(cls.bars, at=one.name, level=level, n=n)
        if "pie" in wanted or "ring" in wanted:
            cls._slices(report, one, order)
        if "pareto" in wanted:
            running = 0.0
            for i in order:
                running += one.n[i]
                share = min(1.0, running / one.valid)
                report.row(cls.ranked, at=one.name, level=one.levels[i], n=one.n[i], cumulative=share)

    @classmethod
    def _slices(cls, report: Report, one: Counted, order: list[int]) -> None:
        kept = set(order) if len(order) <= SLICES else set(order[: SLICES - 1])
        for i, level in enumerate(one.levels):
            if i in kept and one.n[i] > 0:
                report.row(cls.slices, at=one.name, level=level, n=one.n[i])
        if len(kept) < len(order):
            rest = [i for i in order if i not in kept]
            report.row(cls.slices, at=one.name, level=f"其余 {len(rest)} 类", n=sum(one.n[i] for i in rest))

    @classmethod
    def _explain(cls, report: Report, found: list[Counted], form: Any) -> None:
        """Why a declared picture or cell is absent."""
        if not any(one.bins is not None for one in found):
            report.skip(cls.bins, "没有可以画的定量变量，直方图只用于定量变量")
        if all(one.many_values or not one.levels for one in found):
            for element in (cls.bars, cls.slices, cls.ranked):
                report.skip(element, "所选变量是取值很多的定量变量，改给直方图")
        if form.conf_interval:
            report.note(
                cls.intervals,
                "CI 的置信水平为 {level:percent}；n 为有效个案数（加权时为权重合计）。",
                level=form.conf_level,
            )
        if not any(one.levels for one in found):
            report.skip(cls.intervals, "没有有效值")
        listed = form.show_missing and any(one.missing for one in found)
        weighted = "频数为权重“{weight:text}”的合计。" if form.weight else ""
        tail = "缺失的行不计入有效百分比和累计百分比。" if listed else ""
        report.note(
            cls.counts, f"百分比的分母是全部个案，有效百分比和累计百分比的分母是有效个案。{tail}{weighted}",
            weight=form.weight.title if form.weight else "",
        )  # fmt: skip
        report.note(
            cls.summary, "有效N、缺失N 为行数；加权N、加权缺失N 为权重合计，未加权时等于行数；缺失率按权重合计算。"
        )
        for one in found:
            if one.grouped:
                report.warn(
                    "data.grouped",
                    "“{name}”有 {k:integer} 个不同取值，超过最大类别数 {m:integer}，已按组距 {width:num} 分组列出。",
                    name=one.name, k=one.distinct, m=form.max_levels, width=one.bins.width if one.bins else 0.0,
                    columns=[one.column],
                )  # fmt: skip
