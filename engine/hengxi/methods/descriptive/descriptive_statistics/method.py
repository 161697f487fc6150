from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hengxi.contract import (
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
    Wide,
    choice,
    few_of,
    filled,
    integer,
    many,
    num,
    number,
    numbers,
    role,
    text,
    values_column,
    weight,
)
from hengxi.methods.descriptive._shared import describing, describing_checks, describing_words
from hengxi.methods.descriptive._shared.describing import TITLES, Description, describe
from hengxi.stats.frequencies import frequencies
from hengxi.stats.histogram import histogram
from hengxi.stats.names import level_words, titles, with_unit

MEANS = {"chart": ("bar", "line")}
ALIKE = 5.0
"""Variables whose ranges differ by more than this factor do not share a picture."""
QUANTILES = {
    "weibull": "分位数按 (n + 1)p 加权平均（HAVERAGE，Hyndman-Fan 第 6 类，与 SPSS 相同）",
    "linear": "分位数按 (n − 1)p + 1 线性插值（Hyndman-Fan 第 7 类，与 Excel、R 默认相同）",
    "tukey": "P25、P75 和四分位距用 Tukey 枢纽，其余百分位按 (n + 1)p 加权平均（Hyndman-Fan 第 6 类）",
}


class DescriptiveStatistics(Method):
    """Every statistic equals the one of the data written out case by case, whatever the frequencies."""

    title, title_en = "描述性统计", "Descriptive statistics"
    family, tier = "描述性分析", "standard"
    rescaled = (("variables",),)
    purpose = "定量变量的平均水平、离散程度和分布形状"
    aliases = (
        "均值",
        "平均数",
        "平均值",
        "标准差",
        "中位数",
        "四分位数",
        "偏度",
        "偏度峰度",
        "峰度",
        "集中趋势",
        "箱线图",
        "正态性",
    )
    references = ("joanes1998", "hyndman1996", "tukey1977", "bulmer1979", "freedman1981")
    conventions = (
        "标准差、方差以 n − 1 为分母；标准误为标准差除以 √n，均值的置信区间用 t 分布。",
        "偏度、峰度默认为校正后的 G1、G2（与 SPSS、Excel 相同），可选未校正的 g1、g2；峰度为超额峰度，正态时都为 0。",
        "分位数的算法可选，默认 (n + 1)p 加权平均（第 6 类，与 SPSS 相同），写在表下。",
        "5%截尾均值两端各截去 ⌊0.05n⌋ 个；中位数绝对偏差不乘 1.4826；众数不唯一时取最小的一个。",
        "变异系数 = 标准差 ÷ 均值，只在均值大于 0 时给出；几何均值、调和均值只在全部取值为正时给出。",
        "频数权重下全部统计量等于按权重展开后的结果；缺失按变量处理，一个变量缺失不影响其他变量。",
        "箱线图用 Tukey 折叶点，须端不超过 1.5 倍箱长；直方图的组距按 Freedman-Diaconis 规则取整。",
    )
    weights = ("frequency",)
    missing = "pairwise"

    class Input(Form):
        variables: list[Column] = role("分析变量", "定量", min=1, max=None)
        group: Column | None = role("分组变量（选填）", "定类", levels=(1, 50))
        weight: Column | None = weight("频数权重（选填）", kind="frequency", whole=True)
        statistics: list[str] = many(
            "统计量", TITLES, default=("n", "mean", "sd", "min", "max", "median", "skewness", "kurtosis"), min=1
        )
        percentiles: list[float] = numbers("自定义百分位", (5, 10, 90, 95), least=0, most=100, max=30)
        quantile_def: str = choice(
            "分位数算法",
            {
                "weibull": "加权平均 HAVERAGE（SPSS、R 第 6 类）",
                "linear": "线性插值（Excel、R 第 7 类）",
                "tukey": "Tukey枢纽",
            },
        )
        shape: str = choice(
            "偏度和峰度",
            {"sample": "按样本校正（G1、G2，SPSS、Excel）", "population": "按总体计算（g1、g2）"},
            hint="数据就是全部研究对象时选后一种",
            advanced=True,
        )
        conf_level: float = number("置信水平", 0.95, least=0.5, most=0.999, percent=True)
        chart: list[str] = many(
            "图形", {"box": "箱线图", "bar": "均值条形图（误差线）", "hist": "直方图", "line": "均值折线图"},
            default=("box",),
        )  # fmt: skip

    overall = Table("总体描述结果", variable=text("变量名"), **describing.columns())
    groups = Table(
        "分组描述结果", variable=text("变量名"), level=text("组别"), **describing.columns(), merge=("variable",),
        when={"group": filled}, place="main",
    )  # fmt: skip
    percentiles = Table(
        "百分位数", variable=text("变量名"), level=text("组别", when={"group": filled}), layout=Wide(value=num("")),
        merge=("variable",),
    )  # fmt: skip
    shape = Table(
        "偏度与峰度", variable=text("变量名"), level=text("组别", when={"group": filled}), n=integer("样本量"),
        skewness=num("偏度"), skewness_se=num("偏度标准误", least=0), skewness_z=num("偏度*Z*"),
        kurtosis=num("峰度"), kurtosis_se=num("峰度标准误", least=0), kurtosis_z=num("峰度*Z*"), merge=("variable",),
        when={"statistics": ("skewness", "kurtosis")},
    )  # fmt: skip
    boxes = Points(
        "箱线", label=text("变量"), min=num("须下端"), q1=num("下折叶点"), median=num("中位数"), q3=num("上折叶点"),
        max=num("须上端"), outliers=values_column("离群值"), when={"chart": "box"},
    )  # fmt: skip
    box = Chart(
        "箱线图", "box", of=boxes, x="label", min="min", q1="q1", median="median", q3="q3", max="max",
        outliers="outliers", place="main", when={"chart": "box"},
    )  # fmt: skip
    means = Points("均值", label=text("变量"), mean=num("均值"), low=num("下限"), high=num("上限"), when=MEANS)
    bar = Chart(
        "均值条形图", "bar", of=means, x="label", y="mean", low="low", high="high", place="main", when={"chart": "bar"}
    )
    line = Chart(
        "均值折线图", "line", of=means, x="label", y="mean", low="low", high="high", place="main",
        when={"chart": "line"},
    )  # fmt: skip
    bins = Points(
        "直方图", low=num("下限"), high=num("上限"), n=integer("频数", fractions=True), when={"chart": "hist"}
    )
    hist = Chart(
        "直方图", "histogram", of=bins, low="low", high="high", count="n", place="main", when={"chart": "hist"}
    )

    @classmethod
    def heading(cls, form: Any) -> str:
        names = list(titles(form.variables).values())
        by = f"按{form.group.title}分组的" if form.group else ""
        return f"{by}{few_of(names)}的描述统计"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        variables, group = form["variables"], form.get("group")
        steps = []
        if group:
            two = columns[group].profile.distinct == 2
            title = f"检验各组平均值的差异（{'独立样本 t 检验' if two else '单因素方差分析'}）"
            test = "independent_t_test" if two else "variance"
            start = {"group": group, "variables": variables, "weight": form.get("weight")}
            steps.append(NextStep(title=title, method=f"hypothesis_test/{test}", form=start))
        else:
            path = "descriptive/descriptive_statistics"
            steps.append(NextStep(title="按一个变量分组再看", method=path, form=form, seek=["group"]))
        if len(variables) > 1:
            title = "看变量之间的关系（相关性分析）"
            start = {"variables": variables, "weight": form.get("weight")}
            steps.append(NextStep(title=title, method="descriptive/correlation", form=start))
        return steps

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        counts = frequencies(form.weight)
        names = titles(form.variables)
        whole = [describe(column, names[column.id], None, counts, form) for column in form.variables]
        if all(one.n < 2 for one in whole):
            raise cls._too_few(whole[0])
        parts = [cls._groups(one, counts, form) for one in whole]
        for one, inside in zip(whole, parts, strict=True):
            cls._rows(report, one, inside, form)
        cls._charts(report, whole, parts, form)
        cls._notes(report, whole, form)
        describing_words.write(report, whole, parts, form)
        describing_checks.report_all(report, whole, parts, form)
        rows = describing_checks.rows_used(whole)
        report.used(int(rows.sum()), None if counts is None else float(counts[rows].sum()))
        return report

    @staticmethod
    def _too_few(one: Description) -> Refusal:
        return Refusal(
            "data.few", "“{v}”有效样本仅 {n} 个，无法计算标准差、偏度和峰度", field="variables", column=one.column.id,
            v=one.name, n=one.n,
        )  # fmt: skip

    @staticmethod
    def _groups(one: Description, counts: Any, form: Any) -> list[Description]:
        if form.group is None:
            return []
        levels = form.group.levels
        words = level_words(levels)
        found = [
            describe(one.column, one.name, form.group.codes == level.code, counts, form, word)
            for level, word in zip(levels, words, strict=True)
        ]
        return [part for part in found if part.n or part.missing]

    @classmethod
    def _rows(cls, report: Report, one: Description, inside: list[Description], form: Any) -> None:
        report.row(cls.overall, variable=one.name, **one.found)
        for part in inside:
            report.row(cls.groups, variable=one.name, level=part.group, **part.found)
        for part in [one, *inside]:
            level = part.group or ("全部" if form.group else None)
            if part.n:
                wide = {f"P{share:g}": {"value": value} for share, value in part.percentiles.items()}
                report.row(cls.percentiles, variable=one.name, level=level, wide=wide)
            if part.m is not None and {"skewness", "kurtosis"} & set(form.statistics):
                report.row(cls.shape, variable=one.name, level=level, n=part.n, **part.shape)

    # ---- charts ----------------------------------------------------------------------------------------------------
    @classmethod
    def _charts(cls, report: Report, whole: list[Description], parts: list[list[Description]], form: Any) -> None:
        """One picture a variable, or one for all where there are no groups and the scales are alike."""
        together = form.group is None and len(whole) > 1 and _alike(whole)
        for one, inside in zip(whole, parts, strict=True):
            if one.m is None:
                continue
            at = None if together or len(whole) == 1 else one.name
            for part in inside or [one]:
                cls._marks(report, part, at, part.group or one.name, form)
            axis = "" if together else with_unit(one.name, one.unit)
            for chart in (cls.box, cls.bar, cls.line):
                report.chart(chart, at=at, titles={"y": axis} if axis else {})
            if "hist" in form.chart:
                found = histogram(one.x, one.counts)
                place = None if len(whole) == 1 else one.name
                for low, high, n in zip(found.edges[:-1], found.edges[1:], found.counts, strict=True):
                    report.row(cls.bins, at=place, low=float(low), high=float(high), n=float(n))
                report.chart(cls.hist, at=place, titles={"x": axis or one.name})
        if form.group and {"bar", "box", "line"} & set(form.chart):
            empty = [part.where for inside in parts for part in inside if not part.n]
            if empty:
                report.note(cls.groups, "没有有效值的组不画：{which}。", which="".join(f"“{one}”" for one in empty[:5]))

    @classmethod
    def _marks(cls, report: Report, part: Description, at: str | None, label: str, form: Any) -> None:
        if part.m is None or part.box is None:
            return
        if "box" in form.chart:
            shape = part.box
            report.row(
                cls.boxes, at=at, label=label, min=shape.low, q1=shape.q1, median=shape.median, q3=shape.q3,
                max=shape.high, outliers=shape.outliers,
            )  # fmt: skip
        if {"bar", "line"} & set(form.chart):
            low, high = part.get("low"), part.get("high")
            report.row(cls.means, at=at, label=label, mean=part.m.mean, low=low, high=high)

    # ---- notes -----------------------------------------------------------------------------------------------------
    @classmethod
    def _notes(cls, report: Report, whole: list[Description], form: Any) -> None:
        asked = set(form.statistics)
        ranks = {"p25", "p75", "iqr", "median"} & asked
        said = [QUANTILES[form.quantile_def]] if ranks else []
        facts: dict[str, Any] = {"level": form.conf_level, "weight": form.weight.title if form.weight else ""}
        if {"sd", "var", "se"} & asked:
            said.append("标准差、方差以 n − 1 为分母")
        if "ci" in asked:
            said.append("均值CI 的置信水平为 {level:percent}")
        if {"skewness", "kurtosis"} & asked:
            which = "未作样本校正的 g1、g2" if form.shape == "population" else " G1、G2"
            said.append(f"偏度、峰度为{which}，正态时为 0")
        if form.weight:
            said.append("样本量、缺失数为权重“{weight:text}”的合计")
        if said:
            report.note(cls.overall, "；".join(said) + "。", **facts)
        report.note(cls.percentiles, QUANTILES[form.quantile_def] + "。")
        if {"skewness", "kurtosis"} & asked:
            report.note(
                cls.shape, "*Z* = 统计量 ÷ 标准误。标准误按正态总体计算，样本越大越小，大样本的 *Z* 很容易超过 1.96。"
            )
        if "bar" in form.chart:
            report.note(cls.bar, "误差线为均值的 {level:percent} 置信区间。", level=form.conf_level)
        if "line" in form.chart:
            report.note(cls.line, "阴影为均值的 {level:percent} 置信区间。", level=form.conf_level)


def _alike(whole: list[Description]) -> bool:
    shown = [one for one in whole if one.m is not None]
    if len({one.column.unit for one in shown}) > 1:
        return False
    reach = [max(abs(one.m.least), abs(one.m.most)) for one in shown if one.m is not None]
    return bool(reach) and max(reach) <= ALIKE * max(min(reach), 1e-300)
