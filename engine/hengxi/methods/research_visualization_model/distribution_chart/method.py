"""The distribution of variables, of numbers or categories, as the figure a person asks for."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Line,
    NextStep,
    Points,
    Reference,
    Refusal,
    Report,
    SetRemedy,
    Table,
    Visualization,
    choice,
    claim,
    filled,
    flag,
    integer,
    interval,
    num,
    percent,
    pvalue,
    role,
    stat,
    text,
    values_column,
)
from hengxi.stats import boxes
from hengxi.stats.moments import Floats, Ordered, moments, quantiles
from hengxi.stats.names import level_words

from . import shapes

CHARTS = {
    "auto": "自动", "histogram": "直方图", "density": "核密度", "box": "箱线图", "violin": "小提琴图",
    "ridgeline": "山脊图", "ecdf": "累积分布", "qq": "Q-Q图", "beeswarm": "蜂群图", "bar": "条形图",
    "pie": "饼图", "treemap": "矩形树图",
    "pyramid": "人口金字塔",
}  # fmt: skip
OF_NUMBERS = ("histogram", "density", "box", "violin", "ridgeline", "ecdf", "qq", "beeswarm")
FITS = {"none": "不叠加", "normal": "正态", "lognormal": "对数正态", "gamma": "伽马"}
NAMES = {"normal": ("均值", "标准差"), "lognormal": ("ln 均值", "ln 标准差"), "gamma": ("形状", "尺度")}
MOST_LEVELS, MOST_GROUPS, SWARM = 30, 12, 60
LARGEST = 1e100
GROUPED: dict[str, Any] = {"group": filled}
WHOLE = "全部"
FITTED: dict[str, Any] = {"fit": ("normal", "lognormal", "gamma")}


def drawn(*charts: str) -> dict[str, Any]:
    """The condition of a figure."""
    return {"chart": charts}


class DistributionChart(Visualization):
    title, title_en = "分布图", "Distribution chart"
    family, tier = "可视化模型", "standard"
    slug = "distribution-chart"
    purpose = "变量的分布形状如何，各组有何不同"
    aliases = ("直方图", "核密度图", "箱线图", "小提琴图", "饼图", "条形图", "累积分布", "Q-Q图", "人口金字塔")
    references = ("freedman1981", "scott1979", "botev2010", "silverman1986", "tukey1977", "kruskal1952")
    conventions = (
        "组数：Sturges ⌈log₂n + 1⌉；Scott 组距 3.5·s·n^(−1/3)；Freedman-Diaconis 组距 2·IQR·n^(−1/3)。",
        "从最小值到最大值等分。",
        "整数且范围不超过 40 时，每个整数一组（自定义组数除外）。组限左闭右开，最后一组两端都含。",
        "核密度用正态核；Scott 带宽 s·n^(−1/5)，Silverman s·(3n/4)^(−1/5)，ISJ 为 Botev 等（2010）。",
        "理论分布用最大似然；正态的标准差除以 n。",
        "偏度、峰度为校正后的 G1、G2；四分位数按 (n + 1)p 插值。众数有多个时取最小的。",
        "箱线图的须到 1.5 倍箱长以内的最后一个值。",
        "组间差异：数值用 Kruskal-Wallis 检验，类别用 Pearson χ² 检验。",
    )
    missing = "each"

    class Input(Form):
        variables: Column = role("分析变量", "任意", each=True, max=20)
        group: Column | None = role("分组变量（选填）", "定类", min=0, levels=(2, MOST_GROUPS))
        facet: Column | None = role("分面变量（选填）", "定类", min=0, levels=(2, 8))
        chart: str = choice("图形", CHARTS, hint="自动：数值画直方图，类别画条形图")
        bins: str = choice(
            "组数", {"fd": "Freedman-Diaconis", "sturges": "Sturges", "scott": "Scott", "custom": "自定义"}
        )  # fmt: skip
        n_bins: int = integer("自定义组数", 20, least=2, most=shapes.MOST_BINS, when={"bins": "custom"})
        bandwidth: str = choice("核带宽", {"scott": "Scott", "silverman": "Silverman", "isj": "改进 Sheather-Jones"})
        fit: str = choice("叠加理论分布", FITS)
        scale: str = choice("纵轴", {"count": "频数", "percent": "百分比", "density": "密度"})
        show_mean_ci: bool = flag("标出均值和95%CI", False)

    bars = Points(
        "直方图数据",
        low=num("下限"),
        high=num("上限"),
        n=num("高度"),
        group=text("组"),
        facet=text("分面"),
        when=drawn("auto", "histogram"),
    )
    curve = Points(
        "理论曲线", x=num("取值"), y=num("高度"), when={**drawn("auto", "histogram"), **FITTED},
    )  # fmt: skip
    hist = Chart(
        "直方图", "histogram", of=bars, low="low", high="high", count="n", series="group", facet="facet", place="main",
        when=drawn("auto", "histogram"),
    )  # fmt: skip
    heights = Points(
        "密度", x=num("取值"), y=num("密度"), group=text("组"), facet=text("分面"), when=drawn("density", "ridgeline")
    )
    dense = Chart(
        "核密度图", "line", of=heights, x="x", y="y", series="group", facet="facet", place="main", when=drawn("density")
    )
    ridge = Chart("山脊图", "line", of=heights, x="x", y="y", facet="group", place="main", when=drawn("ridgeline"))
    spread = Points(
        "箱线", group=text("组"), facet=text("分面"), min=num("须下端"), q1=num("下折叶点"), median=num("中位数"),
        q3=num("上折叶点"), max=num("须上端"), outliers=values_column("离群值"), density=text("密度"),
        when=drawn("box", "violin"),
    )  # fmt: skip
    box = Chart(
        "箱线图", "box", of=spread, x="group", min="min", q1="q1", median="median", q3="q3", max="max",
        outliers="outliers", facet="facet", place="main", when=drawn("box"),
    )  # fmt: skip
    violin = Chart(
        "小提琴图", "box", of=spread, x="group", min="min", q1="q1", median="median", q3="q3", max="max",
        outliers="outliers", density="density", facet="facet", place="main", when=drawn("violin"),
    )  # fmt: skip
    steps = Points(
        "累积分布", x=num("取值"), y=num("累积比例"), group=text("组"), facet=text("分面"), when=drawn("ecdf")
    )
    ecdf = Chart(
        "累积分布图", "line", of=steps, x="x", y="y", series="group", facet="facet", place="main", when=drawn("ecdf")
    )
    pairs = Points("Q-Q", x=num("理论分位数"), y=num("观测值"), line=num("直线"), group=text("组"), when=drawn("qq"))
    qq = Chart("Q-Q图", "point", of=pairs, x="x", y="y", series="group", place="main", when=drawn("qq"))
    cases = Points("个案", value=num("取值"), group=text("组"), when=drawn("beeswarm"))
    swarm = Chart("蜂群图", "point", of=cases, x="value", y="group", place="main", when=drawn("beeswarm"))
    parts = Points(
        "类别",
        level=text("类别"),
        n=num("高度"),
        group=text("组"),
        facet=text("分面"),
        when=drawn("auto", "bar", "pyramid"),
    )
    bar = Chart(
        "条形图",
        "bar",
        of=parts,
        x="level",
        y="n",
        series="group",
        facet="facet",
        place="main",
        when=drawn("auto", "bar"),
    )
    pyramid = Chart(
        "人口金字塔",
        "bar",
        of=parts,
        x="level",
        y="n",
        series="group",
        arrange="stacked",
        place="main",
        when=drawn("pyramid"),
    )
    slices = Points("构成", level=text("类别"), n=num("个数"), when=drawn("pie", "treemap"))
    pie = Chart("饼图", "share", of=slices, path="level", value="n", place="main", when=drawn("pie"))
    treemap = Chart(
        "矩形树图", "share", of=slices, path="level", value="n", draw="treemap", place="main", when=drawn("treemap")
    )
    summary = Table(
        "分布摘要", group=text("组"), n=integer("*n*"), mean=num("均值"),
        ci=interval("均值的95% CI", "low", "high", around="mean"), sd=num("标准差", least=0),
        median=num("中位数"), q1=num("P25"), q3=num("P75"), skewness=num("偏度"),
        kurtosis=num("峰度"), mode=text("众数"), place="main",
    )  # fmt: skip
    frequencies = Table(
        "频数分布", label=text("取值"), n=integer("频数"), share=percent("百分比"), cumulated=percent("累计百分比"),
    )  # fmt: skip
    fits = Table(
        "理论分布", group=text("组"), law=text("分布"), first=num("参数 1"), second=num("参数 2"),
        names=text("参数的含义"), when=FITTED,
    )  # fmt: skip
    between = Table(
        "组间差异", test=text("检验"), value=num("统计量", least=0), df=integer("*df*"), p=pvalue(), when=GROUPED,
        claim=claim("groups", stat("统计量", "value", "df"), outcome="variables", by="group", names=("test",)),
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{form.about}的分布"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        return [NextStep(title="是否服从正态分布", method="descriptive/normality_test", form={})]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        column = form.variables
        is_number = column.is_number and not column.is_categorical
        asked = ("histogram" if is_number else "bar") if form.chart == "auto" else form.chart
        if not is_number and asked in OF_NUMBERS:
            raise Refusal(
                "data.categories", "“{v}”是定类变量，不能画{chart}，请选择条形图或饼图", field="chart",
                also=["variables"], column=column.id, v=column.title, chart=CHARTS[asked],
                remedies=[SetRemedy(title="自动选图", set={"chart": "auto"})],
            )  # fmt: skip
        groups = _parts(form.group, len(column))
        if asked == "pyramid" and (form.group is None or len(groups) != 2):
            raise Refusal("data.pyramid", "人口金字塔需要恰好两类的分组变量", field="group", also=["chart"])
        if is_number:
            _numbers(cls, report, form, column, groups, asked)
        else:
            _categories(cls, report, form, column, groups, asked)
        _skip(cls, report, form, is_number)
        return report


# ---- numbers -------------------------------------------------------------------------------------------------------
def _numbers(cls: Any, report: Report, form: Any, column: Column, groups: list[tuple[str, Any]], asked: str) -> None:
    values, known = column.numbers, ~column.missing
    x = values[known]
    largest = float(np.abs(x).max())
    if largest > LARGEST or 0 < float(np.ptp(x)) < 1 / LARGEST:
        raise Refusal(
            "data.magnitude", "“{v}”的取值太大或相差太小，画不出图，请先换单位", field="variables", column=column.id,
            v=column.title,
        )  # fmt: skip
    if asked in ("density", "violin", "ridgeline") and x.min() == x.max():
        raise Refusal(
            "role.constant", "“{v}”取值完全相同，核密度无法估计，请改用条形图", field="variables", column=column.id,
            v=column.title, remedies=[SetRemedy(title="改用直方图", set={"chart": "histogram"})],
        )  # fmt: skip
    parts = [(label, values[known & rows]) for label, rows in groups]
    parts = [(label, own) for label, own in parts if own.size]
    for label, own in parts:
        _summary(cls, report, label, own)
    limits = shapes.edges(x, form.bins, form.n_bins)
    labels, counts = _classes(cls, report, x, limits)
    if asked in ("pie", "treemap"):
        for level, n in zip(labels, counts, strict=True):
            if n:
                report.row(cls.slices, level=level, n=int(n))
    if form.fit != "none":
        _fits(cls, report, form, parts)
    facets = _parts(form.facet, len(column)) if form.facet is not None else [("", np.ones(len(column), dtype=bool))]
    for facet, inside in facets:
        own = [(label, values[known & rows & inside]) for label, rows in groups]
        own = [(label, cells) for label, cells in own if cells.size]
        _draw(cls, report, form, own, facet, asked, limits, labels)
    titles = {"x": column.title}
    over: list[Any] = []
    if form.show_mean_ci and len(parts) == 1:
        row = moments(parts[0][1])
        low, high = _mean_bounds(parts[0][1])
        over = [Reference(x=row.mean, label="均值")]
        over += [Reference(x=end, label="95% CI") for end in (low, high) if end is not None]
    if asked == "histogram":
        if form.fit != "none" and len(parts) == 1 and len(facets) == 1 and _theory(cls, report, form, x, limits):
            over.append(Line(cls.curve, x="x", y="y", label=FITS[form.fit]).wire())
        report.chart(cls.hist, titles={**titles, "y": _axis(form)}, over=over)
    elif asked in ("density", "ridgeline"):
        report.chart(cls.dense if asked == "density" else cls.ridge, titles=titles, over=over)
    elif asked in ("box", "violin"):
        report.chart(cls.box if asked == "box" else cls.violin, titles={"y": column.title})
    elif asked == "ecdf":
        report.chart(cls.ecdf, titles={**titles, "y": "累积比例"}, over=over)
    elif asked == "beeswarm":
        report.chart(cls.swarm, titles=titles)
    test = _between(cls, report, form, [cells for _, cells in parts], "Kruskal-Wallis H")
    _number_words(report, column, parts, test)


def _summary(cls: Any, report: Report, label: str, x: Floats) -> None:
    row = moments(x)
    q1, middle, q3 = quantiles(x, [0.25, 0.5, 0.75])
    low, high = _mean_bounds(x)
    levels, counts = np.unique(x, return_counts=True)
    mode = f"{levels[np.argmax(counts)]:.10g}" if counts.max() > 1 else "无"
    report.row(
        cls.summary, group=label, n=x.size, mean=row.mean, low=low, high=high, sd=row.sd if x.size > 1 else None,
        median=middle, q1=q1, q3=q3, skewness=row.skewness, kurtosis=row.kurtosis, mode=mode,
    )  # fmt: skip


def _mean_bounds(x: Floats) -> tuple[float | None, float | None]:
    if x.size < 2:
        return None, None
    half = float(stats.t.isf(0.025, x.size - 1) * x.std(ddof=1) / np.sqrt(x.size))
    return float(x.mean()) - half, float(x.mean()) + half


def _classes(cls: Any, report: Report, x: Floats, limits: Floats) -> tuple[list[str], Any]:
    """Names of the classes, and how many cases each holds."""
    labels = []
    counts, _ = np.histogram(x, bins=limits)
    total = np.cumsum(counts)
    whole = bool((limits[:-1] + 0.5 == np.floor(limits[:-1] + 0.5)).all() and (np.diff(limits) == 1).all())
    for k, n in enumerate(counts):
        last = k == len(counts) - 1
        label = f"{limits[k] + 0.5:g}" if whole else f"[{limits[k]:.6g}, {limits[k + 1]:.6g}{']' if last else ')'}"
        labels.append(label)
        report.row(cls.frequencies, label=label, n=int(n), share=n / x.size, cumulated=total[k] / x.size)
    return labels, counts


def _fits(cls: Any, report: Report, form: Any, parts: list[tuple[str, Floats]]) -> None:
    for label, own in parts:
        found = shapes.fitted(own, form.fit)
        if found is not None:
            report.row(
                cls.fits, group=label, law=FITS[form.fit], first=found.first, second=found.second,
                names="、".join(NAMES[form.fit]),
            )  # fmt: skip
    if not report.rows_of(cls.fits):
        report.skip(cls.fits, "取值完全相同，或有不大于 0 的值，拟合不了")


def _theory(cls: Any, report: Report, form: Any, x: Floats, limits: Floats) -> bool:
    found = shapes.fitted(x, form.fit)
    if found is None:
        return False
    width = float(limits[1] - limits[0])
    unit = {"count": x.size * width, "percent": 100 * width, "density": 1.0}[form.scale]
    for value in np.linspace(limits[0], limits[-1], 101):
        report.row(cls.curve, x=float(value), y=float(found.at(np.array([value]))[0] * unit))
    return True


def _draw(
    cls: Any, report: Report, form: Any, parts: list[tuple[str, Floats]], facet: str, asked: str, limits: Floats,
    labels: list[str],
) -> None:  # fmt: skip
    for label, x in parts:
        if asked in ("histogram", "bar", "pyramid", "pie", "treemap"):
            counts, _ = np.histogram(x, bins=limits)
            heights = _scaled(form, counts, x.size, float(limits[1] - limits[0]))
            if asked == "histogram":
                for k, height in enumerate(heights):
                    report.row(
                        cls.bars, low=limits[k], high=limits[k + 1], n=float(height), group=label, facet=facet
                    )  # fmt: skip
            elif asked in ("bar", "pyramid"):
                side = -1 if asked == "pyramid" and label == parts[0][0] else 1
                for level, height in zip(labels, heights, strict=True):
                    report.row(cls.parts, level=level, n=side * float(height), group=label, facet=facet)
        elif asked in ("density", "ridgeline"):
            if x.size > 1 and x.min() < x.max():
                for value, height in zip(*shapes.density(x, shapes.bandwidth(x, form.bandwidth)), strict=True):
                    report.row(cls.heights, x=float(value), y=float(height), group=label, facet=facet)
        elif asked in ("box", "violin"):
            _box(cls, report, form, label, facet, x)
        elif asked == "ecdf":
            _steps(cls, report, label, facet, x)
        elif asked == "qq":
            _quantiles(cls, report, label, x)
        else:
            for value in boxes.evenly(Ordered.of(x), SWARM):
                report.row(cls.cases, value=float(value), group=label)


def _scaled(form: Any, counts: Any, n: int, width: float) -> Floats:
    by = {"count": 1.0, "percent": 100 / n, "density": 1 / (n * width)}
    return np.asarray(counts * by[form.scale])


def _axis(form: Any) -> str:
    return {"count": "频数", "percent": "百分比（%）", "density": "密度"}[form.scale]


def _box(cls: Any, report: Report, form: Any, label: str, facet: str, x: Floats) -> None:
    shape = boxes.box(Ordered.of(x))
    trace: list[list[float]] = []
    if x.size > 1 and x.min() < x.max():
        grid, heights = shapes.density(x, shapes.bandwidth(x, form.bandwidth))
        trace = [[float(a), float(b)] for a, b in zip(grid, heights, strict=True) if x.min() <= a <= x.max()]
    report.row(
        cls.spread, group=label, facet=facet, min=shape.low, q1=shape.q1, median=shape.median, q3=shape.q3,
        max=shape.high, outliers=shape.outliers, density=trace,
    )  # fmt: skip


def _steps(cls: Any, report: Report, label: str, facet: str, x: Floats) -> None:
    levels, counts = np.unique(x, return_counts=True)
    shares = np.cumsum(counts) / x.size
    for k in np.unique(np.linspace(0, levels.size - 1, min(levels.size, 150)).round().astype(int)):
        report.row(cls.steps, x=float(levels[k]), y=float(shares[k]), group=label, facet=facet)


def _quantiles(cls: Any, report: Report, label: str, x: Floats) -> None:
    """Against a normal distribution at (i − 0.5)/n."""
    ordered = np.sort(x)
    sd = float(x.std(ddof=1)) if x.size > 1 else 0.0
    for k in np.unique(np.linspace(0, x.size - 1, min(x.size, 200)).round().astype(int)):
        z = float(stats.norm.ppf((k + 0.5) / x.size))
        report.row(cls.pairs, x=z, y=float(ordered[k]), line=float(x.mean()) + sd * z, group=label)


# ---- categories ----------------------------------------------------------------------------------------------------
def _categories(
    cls: Any, report: Report, form: Any, column: Column, groups: list[tuple[str, Any]], asked: str
) -> None:  # fmt: skip
    levels = column.levels
    labels = level_words(levels)
    if len(levels) > MOST_LEVELS:
        order = sorted(range(len(levels)), key=lambda k: -levels[k].count)[:MOST_LEVELS]
        kept = sorted(order)
        report.warn(
            "data.levels", "“{v}”有 {k:integer} 个类别，图形无法辨认，只显示最多的 {m:integer} 个。", v=column.title,
            k=len(levels), m=MOST_LEVELS, columns=[column],
        )  # fmt: skip
    else:
        kept = list(range(len(levels)))
    n = sum(level.count for level in levels)
    running = 0
    for k in kept:
        running += levels[k].count
        report.row(
            cls.frequencies, label=labels[k], n=levels[k].count, share=levels[k].count / n, cumulated=running / n
        )  # fmt: skip
    facets = _parts(form.facet, len(column)) if form.facet is not None else [("", np.ones(len(column), dtype=bool))]
    codes = column.codes
    for facet, inside in facets:
        for place, (label, rows) in enumerate(groups):
            own = codes[rows & inside & (codes >= 0)]
            counts = np.bincount(own, minlength=len(levels))
            heights = counts * (100 / own.size if form.scale == "percent" and own.size else 1.0)
            for k in kept:
                if asked in ("bar", "pyramid"):
                    side = -1 if asked == "pyramid" and place == 0 else 1
                    report.row(cls.parts, level=labels[k], n=side * float(heights[k]), group=label, facet=facet)
    if asked in ("pie", "treemap"):
        for k in kept:
            report.row(cls.slices, level=labels[k], n=levels[k].count)
    if asked in ("bar", "pyramid"):
        report.chart(
            cls.bar if asked == "bar" else cls.pyramid,
            titles={"x": column.title, "y": "百分比（%）" if form.scale == "percent" else "频数"},
        )  # fmt: skip
    top = max(kept, key=lambda k: levels[k].count)
    facts: dict[str, Any] = {"v": column.title, "top": labels[top], "share": levels[top].count / n, "n": n}
    words = "“{v:text}”中最多的是“{top:text}”，占 {share:percent1}（*n* = {n:integer}）。"
    test = None
    if form.group is not None:
        table = np.array([np.bincount(codes[rows & (codes >= 0)], minlength=len(levels)) for _, rows in groups])
        test = _chi_square(cls, report, table.astype(float))
    report.lead(words + _difference(test), **{**facts, **_test_facts(test)})


def _chi_square(cls: Any, report: Report, table: Floats) -> tuple[str, float, int, float] | None:
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    if min(table.shape) < 2:
        report.skip(cls.between, "只有一组，或只有一类")
        return None
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0) / table.sum()
    value = float(((table - expected) ** 2 / expected).sum())
    df = (table.shape[0] - 1) * (table.shape[1] - 1)
    p = float(stats.chi2.sf(value, df))
    report.row(cls.between, test="Pearson χ²", value=value, df=df, p=p)
    if (expected < 5).mean() > 0.2:
        report.note(cls.between, "超过 20% 的期望数不足 5，*p* 不可靠。")
    return "Pearson χ²", value, df, p


# ---- both ----------------------------------------------------------------------------------------------------------
def _parts(column: Column | None, size: int) -> list[tuple[str, Any]]:
    """Groups with their rows; one of all rows where there is no variable."""
    if column is None:
        return [(WHOLE, np.ones(size, dtype=bool))]
    return [
        (name, column.where(level)) for level, name in zip(column.levels, level_words(column.levels), strict=True)
    ]  # fmt: skip


def _between(
    cls: Any, report: Report, form: Any, samples: list[Floats], name: str
) -> tuple[str, float, int, float] | None:
    if form.group is None:
        return None
    whole = np.concatenate(samples)
    if len(samples) < 2 or whole.min() == whole.max():
        report.skip(cls.between, "只有一组，或取值完全相同")
        return None
    found = stats.kruskal(*samples)
    df = len(samples) - 1
    report.row(cls.between, test=name, value=float(found.statistic), df=df, p=float(found.pvalue))
    return name, float(found.statistic), df, float(found.pvalue)


def _difference(test: tuple[str, float, int, float] | None) -> str:
    if test is None:
        return ""
    return "各组的分布不同（*p* {p:peq}）。" if test[3] < 0.05 else "没有发现各组的分布不同（*p* {p:peq}）。"


def _test_facts(test: tuple[str, float, int, float] | None) -> dict[str, float]:
    return {} if test is None else {"p": test[3]}


def _number_words(
    report: Report, column: Column, parts: list[tuple[str, Floats]], test: tuple[str, float, int, float] | None
) -> None:  # fmt: skip
    if len(parts) == 1:
        x = parts[0][1]
        row = moments(x)
        (middle,) = quantiles(x, [0.5])
        facts: dict[str, Any] = {"v": column.title, "mean": row.mean, "median": middle, "n": x.size}
        words = "“{v:text}”的均值为 {mean:num}，中位数为 {median:num}（*n* = {n:integer}）。"
        if row.skewness is not None and abs(row.skewness) >= 1:
            words += "右端拖得长。" if row.skewness > 0 else "左端拖得长。"
        report.lead(words + _difference(test), **{**facts, **_test_facts(test)})
        return
    middles = {label: quantiles(x, [0.5])[0] for label, x in parts}
    high, low = max(middles, key=lambda k: middles[k]), min(middles, key=lambda k: middles[k])
    facts = {"v": column.title, "high": high, "h": middles[high], "low": low, "l": middles[low]}
    words = "“{v:text}”的中位数，“{high:text}”最高（{h:num}），“{low:text}”最低（{l:num}）。"
    if middles[high] == middles[low]:
        facts = {"v": column.title, "h": middles[high]}
        words = "“{v:text}”的中位数各组相同，为 {h:num}。"
    report.lead(words + _difference(test), **{**facts, **_test_facts(test)})


def _skip(cls: Any, report: Report, form: Any, is_number: bool) -> None:
    """What does not fit the variable, and curves that could not be drawn."""
    if form.chart == "auto":
        report.skip(
            cls.parts if is_number else cls.bars,
            "变量是定量的，画了直方图" if is_number else "变量是定类的，画了条形图",
        )
    if not is_number:
        report.skip(cls.summary, "变量是定类的")
        report.skip(cls.fits, "变量是定类的")
    if not report.rows_of(cls.curve):
        report.skip(cls.curve, "只在一组、一面的直方图上叠加能拟合的分布")
