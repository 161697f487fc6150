from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

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
    StepRemedy,
    Table,
    Wide,
    choice,
    claim,
    few_of,
    figure,
    flag,
    integer,
    many,
    num,
    percent,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.methods.descriptive._shared.sample_parts import HUGE
from hengxi.stats.moments import Floats, moments, quantiles
from hengxi.stats.names import level_words, listed, sharing, titles

TITLES = {
    "n": "计数", "sum": "求和", "mean": "均值", "median": "中位数", "sd": "标准差", "var": "方差", "min": "最小值",
    "max": "最大值", "p25": "P25", "p75": "P75", "first": "首值", "last": "末值", "share": "占总和百分比",
}  # fmt: skip
MOST, CONTINUOUS, DRAWN = 2000, 200, 60
FAMILY = {"anova_eta": True}


@dataclass(frozen=True)
class Cut:
    """Rows by the levels of some grouping variables: a code each (−1: a level is missing), and their words."""

    codes: NDArray[np.int64]
    words: list[tuple[str, ...]]


class Subtotal(Method):
    """Rows are gathered once for each depth of the grouping; every statistic is read from the gathered slices."""

    title, title_en = "分类汇总", "Subtotal (grouped summary)"
    family, tier = "描述性分析", "standard"
    purpose = "按一个或多个类别分组后，各组的汇总指标是多少"
    aliases = ("分组汇总", "数据透视", "透视表", "小计", "group by", "pivot", "按类汇总", "Means", "Eta")
    references = ("hyndman1996", "fisher1925")
    conventions = (
        "标准差、方差以 n − 1 为分母；中位数、P25、P75 按 (n + 1)p 插值（Hyndman-Fan 第 6 类，与 SPSS 相同）。",
        "各指标只用有值的行；分类变量有缺失的行不计入任何组，也不计入总计。",
        "占总和百分比 = 本组之和 ÷ 该变量全部组之和；总和为 0 或有负值时不给。",
        "首值、末值按数据文件里的行序。",
        "Eta 与方差分析（Fisher，1925）按单因素；线性趋势以类别的次序 1、2、3…为分值。",
    )
    missing = "pairwise"
    row_order = True

    class Input(Form):
        groups: list[Column] = role("分类变量", "定类", min=1, max=4)
        variables: list[Column] = role("汇总变量", "定量", min=1, max=None)
        functions: list[str] = many("汇总方式", TITLES, default=("n", "mean", "sd", "sum"), min=1)
        layout: str = choice("多分类变量布局", {"nested": "嵌套", "separate": "分别汇总", "cross": "交叉透视"})
        totals: bool = flag("输出小计与总计", True)
        anova_eta: bool = flag("输出Eta与方差分析（单分类变量）", False)

    result = Table(
        "分类汇总", variable=text("变量"), item=text("分类"), n=integer("计数", when={"functions": "n"}),
        sum=num("求和", when={"functions": "sum"}), mean=num("均值", when={"functions": "mean"}),
        median=num("中位数", when={"functions": "median"}), sd=num("标准差", least=0, when={"functions": "sd"}),
        var=num("方差", least=0, when={"functions": "var"}), min=num("最小值", when={"functions": "min"}),
        max=num("最大值", when={"functions": "max"}), p25=num("P25", when={"functions": "p25"}),
        p75=num("P75", when={"functions": "p75"}), first=num("首值", when={"functions": "first"}),
        last=num("末值", when={"functions": "last"}), share=percent("占总和", when={"functions": "share"}),
        merge=("variable",), place="main",
    )  # fmt: skip
    cross = Table(
        "交叉透视", item=text("行"), layout=Wide(value=num("")), place="main", when={"layout": "cross"}
    )  # fmt: skip
    bars = Points("各组汇总", group=text("分类"), series=text("第二个分类"), value=num("值"))
    bar = Chart("各组对比", "bar", of=bars, x="group", y="value", series="series", place="main")
    cells = Points("热力", row=text("行"), column=text("列"), value=num("值"))
    heat = Chart("热力图", "heat", of=cells, row="row", column="column", value="value", place="detail")
    anova = Table(
        "Eta 与方差分析", variable=text("变量"), source=text("来源"), ss=num("平方和", least=0), df=integer("*df*"),
        df2=integer("*df*（组内）"), F=num("*F*", least=0), p=pvalue(), eta=num("η", least=0, most=1),
        eta2=num("η²", least=0, most=1), merge=("variable",), when=FAMILY,
        claim=claim("named", stat("*F*", "F", "df", "df2"), effect="eta2", effect_symbol="η²", names=("source",)),
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"按{few_of(list(titles(form.groups).values()))}汇总{few_of(list(titles(form.variables).values()))}"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        group = form["groups"][0]
        test = "independent_t_test" if columns[group].profile.distinct == 2 else "variance"
        start = {"group": group, "variables": form["variables"]}
        return [
            NextStep(title="检验各组均值的差异", method=f"hypothesis_test/{test}", form=start),
            NextStep(title="看各组的分布", method="descriptive/descriptive_statistics", form=start),
        ]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        _refuse(form)
        names = titles(form.variables)
        _left_out(report, form)
        for column in form.variables:
            for plan in _plans(form):
                cls._rows(report, form, column, names[column.id], plan)
        if form.layout == "cross":
            report.skip(cls.result, "选了交叉透视")
            cls._crossed(report, form, names)
        cls._draw(report, form, names)
        if form.anova_eta:
            cls._eta(report, form, names)
        _words(report, form, names)
        return report

    @classmethod
    def _rows(cls, report: Report, form: Any, column: Column, name: str, plan: list[Column]) -> None:
        if form.layout == "cross":
            return
        at = plan[0].title if len(_plans(form)) > 1 else None
        whole = _cut(form.groups if form.layout == "nested" else plan)
        held = whole.codes >= 0
        every = _summary(column.numbers[held], form, None)
        total = every.get("sum_all")
        cuts = [_cut(plan[: depth + 1]) for depth in range(len(plan))]
        lines: list[tuple[tuple[Any, ...], int, str, dict[str, Any]]] = []
        for depth, cut in enumerate(cuts):
            if depth < len(plan) - 1 and not form.totals:
                continue
            for code, x in _slices(column.numbers, np.where(held, cut.codes, -1)):
                order = tuple(_places(cut.words[code], plan))
                lines.append((order, depth, cut.words[code][-1], _summary(x, form, total)))
        lines.sort(key=lambda line: line[0])
        for order, depth, word, cells in lines:
            shown = depth if form.totals else 0
            told = word if form.totals or len(plan) == 1 else " / ".join(_path(order, plan))
            report.row(cls.result, at=at, variable=name, item=told, depth=shown, **_asked(cells, form))
            if cells["n"] == 0:
                where = " / ".join(_path(order, plan))
                report.warn(
                    "data.empty_group", "组“{g}”的“{v}”没有有效值，汇总值显示为空。", g=where, v=name, columns=[column]
                )
        if form.totals:
            report.row(
                cls.result,
                at=at,
                variable=name,
                item="总计",
                total=True,
                **_asked(_summary(column.numbers[held], form, total), form),
            )

    @classmethod
    def _crossed(cls, report: Report, form: Any, names: dict[str, str]) -> None:
        """One table a variable and statistic: rows of the first grouping, columns of the second, with margins."""
        a, b = form.groups
        both = _cut([a, b])
        held = both.codes >= 0
        rows, columns = level_words(a.levels), level_words(b.levels)
        for column in form.variables:
            x = column.numbers
            total = _summary(x[held], form, None)["sum_all"]
            for key in form.functions:
                at = f"{names[column.id]}：{TITLES[key]}"
                for i, word in [*enumerate(rows), *([(-1, "总计")] if form.totals else [])]:
                    inside = held & ((a.codes == i) | (i < 0))
                    wide = {}
                    for j, other in [*enumerate(columns), *([(-1, "总计")] if form.totals else [])]:
                        part = x[inside & ((b.codes == j) | (j < 0))]
                        wide[other] = {"value": _summary(part, form, total).get(key)}
                    report.row(cls.cross, at=at, item=word, total=i < 0, wide=wide)

    @classmethod
    def _draw(cls, report: Report, form: Any, names: dict[str, str]) -> None:
        """The first statistic that is no count, of each variable (up to six), by the first two groupings."""
        key = next((one for one in form.functions if one not in ("n", "first", "last")), form.functions[0])
        two = len(form.groups) > 1 and form.layout != "separate"
        plan = form.groups[: 2 if two else 1]
        cut = _cut(plan)
        for column in form.variables[:6]:
            total = _summary(column.numbers[cut.codes >= 0], form, None)["sum_all"]
            at = f"{names[column.id]}：{TITLES[key]}"
            for code, x in list(_slices(column.numbers, cut.codes))[:DRAWN]:
                value = _summary(x, form, total).get(key)
                word = cut.words[code]
                report.row(cls.bars, at=at, group=word[0], series=word[1] if two else names[column.id], value=value)
                if two:
                    report.row(cls.cells, at=at, row=word[0], column=word[1], value=value)
            report.chart(cls.bar, at=at, titles={"y": at})
        if not two:
            report.skip(cls.cells, "只有一个分类变量，或选了分别汇总")

    @classmethod
    def _eta(cls, report: Report, form: Any, names: dict[str, str]) -> None:
        group: Column = form.groups[0]
        for column in form.variables:
            parts = {k: x[~np.isnan(x)] for k, x in _slices(column.numbers, group.codes.astype(np.int64))}
            parts = {code: x for code, x in parts.items() if x.size}
            n, k = sum(x.size for x in parts.values()), len(parts)
            made = _between(parts) if k > 1 and n > k else None
            if made is None:
                text_ = "“{v}”只有一组有值，或组内没有差异，没有做方差分析。"
                report.warn("data.few", text_, v=names[column.id], columns=[column])
                continue
            whole, between, line = made
            within = (whole - between) / (n - k)
            lines = [("组间", between, k - 1)]
            lines += [("线性趋势", line, 1), ("偏离线性", between - line, k - 2)] if k > 2 else []
            for source, ss, df in lines:
                f = ss / df / within
                share: dict[str, Any] = (
                    {"eta": float(np.sqrt(ss / whole)), "eta2": ss / whole} if source == "组间" else {}
                )
                report.row(
                    cls.anova, variable=names[column.id], source=source, ss=ss, df=df, df2=n - k, F=f,
                    p=float(stats.f.sf(f, df, n - k)), **share,
                )  # fmt: skip
        if not report.rows_of(cls.anova):
            report.skip(cls.anova, "没有可以比较的变量")


# ---- groups --------------------------------------------------------------------------------------------------------
def _plans(form: Any) -> list[list[Column]]:
    return [[column] for column in form.groups] if form.layout == "separate" else [list(form.groups)]


def _refuse(form: Any) -> None:
    names = titles(form.groups)
    for column in form.groups:
        k = len(column.levels)
        if k > CONTINUOUS and column.is_number:
            raise Refusal(
                "role.levels", "“{v}”有 {k} 个不同取值，疑似定量变量，请先分箱", field="groups", column=column.id,
                remedies=[StepRemedy(title="分成几段", step="data_processing/binning", columns=[column.id])],
                v=names[column.id], k=k,
            )  # fmt: skip
    k = len(_cut(form.groups).words) if form.layout != "separate" else max(len(c.levels) for c in form.groups)
    if k > MOST:
        raise Refusal(
            "data.many_groups", "分类组合共 {k} 个，超过上限 {m}，请减少分类变量或合并类别", field="groups", k=k, m=MOST
        )
    if form.layout == "cross" and len(form.groups) != 2:
        raise Refusal(
            "data.cross",
            "交叉透视要正好 2 个分类变量，现有 {k} 个",
            field="layout",
            also=["groups"],
            k=len(form.groups),
        )
    if form.anova_eta and len(form.groups) != 1:
        raise Refusal(
            "data.single",
            "Eta 与方差分析只用于 1 个分类变量，现有 {k} 个",
            field="anova_eta",
            also=["groups"],
            k=len(form.groups),
        )
    for column in form.variables:
        x = column.numbers[~column.missing]
        if x.size and not float(np.abs(x).max()) < HUGE:
            raise Refusal(
                "data.magnitude",
                "“{v}”的数值过大，无法汇总；请换一个单位",
                field="variables",
                column=column.id,
                v=column.title,
            )


def _cut(columns: list[Column]) -> Cut:
    """Combinations that occur, in the order of the levels."""
    codes = columns[0].codes.astype(np.int64)
    held = codes >= 0
    for column in columns[1:]:
        held &= column.codes >= 0
        codes = codes * max(len(column.levels), 1) + column.codes
    found, places = np.unique(np.where(held, codes, -1), return_inverse=True)
    places = places.reshape(-1).astype(np.int64)
    if found.size and found[0] == -1:
        found, places = found[1:], places - 1
    words = [level_words(column.levels) for column in columns]
    told = []
    for code in found:
        rest, path = int(code), []
        for column, mine in zip(columns[::-1], words[::-1], strict=True):
            rest, place = divmod(rest, max(len(column.levels), 1))
            path.append(mine[place])
        told.append(tuple(path[::-1]))
    return Cut(places, told)


def _places(path: tuple[str, ...], plan: list[Column]) -> Iterator[int]:
    for word, column in zip(path, plan, strict=False):
        yield level_words(column.levels).index(word)


def _path(order: tuple[int, ...], plan: list[Column]) -> list[str]:
    return [level_words(column.levels)[place] for place, column in zip(order, plan, strict=False)]


def _slices(x: Floats, codes: NDArray[np.int64]) -> Iterator[tuple[int, Floats]]:
    """The values of each group in the order of the file, missing ones left in."""
    order = np.argsort(codes, kind="stable")
    ordered = codes[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])) if codes.size else np.array([], dtype=int)
    for start, end in zip(starts, np.append(starts[1:], codes.size), strict=True):
        if ordered[start] >= 0:
            yield int(ordered[start]), x[order[start:end]]


def _summary(values: Floats, form: Any, total: float | None) -> dict[str, Any]:
    """All statistics of one group; `sum_all` for the share of others. Nothing but n where no value is known."""
    x = values[~np.isnan(values)]
    if not x.size:
        return {"n": 0, "sum_all": None}
    asked, m = set(form.functions), moments(x, shape=False)
    added = float(x.sum())
    positive = bool(m.least >= 0) and added > 0
    cells: dict[str, Any] = {
        "n": m.n, "sum": added, "mean": m.mean, "min": m.least, "max": m.most, "first": float(x[0]),
        "last": float(x[-1]), "sum_all": added if positive else None,
    }  # fmt: skip
    cells |= {"sd": m.sd, "var": m.sd**2} if m.n > 1 else {}
    if asked & {"median", "p25", "p75"}:
        cells |= dict(zip(("p25", "median", "p75"), quantiles(x, [0.25, 0.5, 0.75]), strict=True))
    if total:
        cells["share"] = min(1.0, added / total)
    return cells


def _asked(cells: dict[str, Any], form: Any) -> dict[str, Any]:
    return {key: cells.get(key) for key in form.functions}


def _between(parts: dict[int, Floats]) -> tuple[float, float, float] | None:
    """Sums of squares: total, between groups, along a straight line through their places; None without spread."""
    places, known = [code + 1.0 for code in parts], list(parts.values())
    sizes = np.array([x.size for x in known])
    anchor = float(known[0][0])
    means = np.array([float((x - anchor).mean()) for x in known])
    middle = float(np.average(means, weights=sizes))
    between = float(np.dot(sizes, (means - middle) ** 2))
    within = float(sum(((x - anchor - mean) ** 2).sum() for x, mean in zip(known, means, strict=True)))
    away = np.array(places) - np.average(places, weights=sizes)
    line = float(np.dot(sizes * away, means - middle)) ** 2 / float(np.dot(sizes, away**2))
    return (between + within, between, min(line, between)) if within > 0 else None


# ---- words ---------------------------------------------------------------------------------------------------------
def _left_out(report: Report, form: Any) -> None:
    lost = np.zeros(len(form.groups[0]), dtype=bool)
    for column in form.groups:
        lost |= column.codes < 0
    if lost.any() and form.layout != "separate":
        text_ = "分类变量有缺失的 {n:integer} 行不计入任何组，也不计入总计。"
        report.warn("data.dropped_group", text_, n=int(lost.sum()), columns=form.groups)


def _words(report: Report, form: Any, names: dict[str, str]) -> None:
    group, column = form.groups[0], form.variables[0]
    name = names[column.id]
    cut = _cut([group])
    every = _cut(list(form.groups)) if form.layout != "separate" else cut
    parts = [
        (cut.words[code][0], x[~np.isnan(x)])
        for code, x in _slices(column.numbers, np.where(every.codes >= 0, cut.codes, -1))
    ]
    known = {word: float(x.mean()) for word, x in parts if x.size}
    if not known:
        raise Refusal("data.few", "“{v}”在各组都没有有效值，无法汇总", field="variables", column=column.id, v=name)
    groups, means = list(known), list(known.values())
    facts: dict[str, Any] = {"v": name, "g": group.title, "most": max(means), "least": min(means)}
    facts |= {"top": sharing(groups, means, max(means)), "low": sharing(groups, means, min(means))}
    if len(known) == 1:
        report.lead("“{g}”只有“{top}”一组有值，“{v}”的均值为 {most:num}。", [figure("均值", "{most:num}")], **facts)
    else:
        report.lead(
            "按“{g}”分组，“{v}”的均值最高的是“{top}”（{most:num}），最低的是“{low}”（{least:num}）。",
            [figure("最高", "{most:num}", "{top}"), figure("最低", "{least:num}", "{low}")], **facts,
        )  # fmt: skip
    report.say("各组例数相差很大时，总计的均值主要反映例数多的组；差异是不是碰巧，要做检验。", voice="student")
    more = [names[c.id] for c in form.variables[1:]]
    if more:
        report.say("{which}见表 1。", which=listed(more, 3, "个变量"))
