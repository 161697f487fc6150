"""Tables, pictures and sentences of difference-in-differences."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Method,
    Points,
    Reference,
    Report,
    Silent,
    Table,
    claim,
    figure,
    integer,
    interval,
    more,
    num,
    percent,
    pvalue,
    stat,
    text,
)
from hengxi.families.difference.reading import NEVER, Panel
from hengxi.families.difference.regression import (
    Base,
    Fit,
    base_of,
    base_time,
    estimate,
    event_columns,
    placebo,
)
from hengxi.families.difference.staggered import (
    Average,
    Staggered,
    bacon,
    group_time,
    joint_before,
    permuted_effect,
)

ALPHA = 0.05
FEW_CLUSTERS = 20
SE_WORDS = {
    "classic": "普通", "robust": "稳健（HC1）", "unit": "按个体聚类", "bootstrap": "按个体聚类自助",
}  # fmt: skip
CONVENTIONS = (
    "聚类标准误的小样本校正为 G/(G−1)·(N−1)/(N−k)，k 不含个体固定效应（个体嵌套在聚类里），t 检验的自由度为 G−1；"
    "与 Stata reghdfe、R plm 的 vcovHC(type = \"sss\") 相同。",
    "稳健标准误为 HC1，自由度为 N 减全部参数（含个体固定效应）。",
    "事件研究以所选基期为 0；事前各期的系数联合检验同时为 0。",
    "多时点：组-时效应 ATT(g,t) 用组均值相减（不含控制变量），对照为从未处理的个体，没有时用尚未处理的；"
    "基期统一为处理前一期。"
    "汇总按组的大小加权，标准误由影响函数按个体计算，含权重的误差（Callaway-Sant'Anna）。",
    "Bacon 分解：两两比较的加权和恒等于双向固定效应的系数；只在平衡面板、不含控制变量时给出。",
    "安慰剂：把处理（连同时点）随机分给其他个体，经验 p =（|系数| 不小于实际的次数 + 1）/（次数 + 1）。",
)  # fmt: skip


class DifferenceMethod(Method):
    random = True

    effects = Table(
        "双重差分估计", model=text("模型"), effect=num("政策效应", stars="p"),
        se=num("标准误", least=0, around="effect"),
        t=num("*t*（*z*）"), df=num("*df*"), p=pvalue(), ci=interval("95% CI", around="effect"), r2=num("*R*²", most=1),
        n=integer("*N*"), clusters=integer("聚类数"), place="main",
        claim=claim("named", stat("*t*", "t", "df"), names=("model",), effect="effect", outcome="y"),
    )  # fmt: skip
    means = Table(
        "四格均值", group=text("组"), before=num("干预前"), after=num("干预后"), diff=num("差"),
        n_before=integer("干预前 *N*"), n_after=integer("干预后 *N*"),
    )  # fmt: skip
    events = Table(
        "各期效应（事件研究）", since=integer("距处理的期数"), effect=num("系数", stars="p"),
        se=num("标准误", least=0, around="effect"), p=pvalue(), ci=interval("95% CI", around="effect"),
        claim=Silent("the course of one effect over time; told by the check of trends and the effect as a whole"),
    )  # fmt: skip
    pretrend = Table(
        "平行趋势检验", layout="record", statistic=num("统计量", least=0), df1=integer("*df*1"), df2=num("*df*2"),
        p=pvalue(), claim=Silent("an assumption, told by its check"),
    )  # fmt: skip
    group_times = Table(
        "组-时效应", cohort=text("首次处理"), period=text("时间"), effect=num("ATT", stars="p"),
        se=num("标准误", least=0, around="effect"), p=pvalue(), n_treated=integer("处理个体"),
        n_control=integer("对照个体"),
        merge=("cohort",), claim=Silent("single cells of what is told as one average"),
    )  # fmt: skip
    cohort_table = Table(
        "分批效应", cohort=text("首次处理"), effect=num("平均效应", stars="p"),
        se=num("标准误", least=0, around="effect"),
        p=pvalue(), ci=interval("95% CI", around="effect"), claim=Silent("parts of the effect told as one average"),
    )  # fmt: skip
    bacon_table = Table(
        "Bacon 分解", kind=text("比较"), weight=percent("权重", most=1), effect=num("平均效应"),
        pairs=integer("比较数"),
    )  # fmt: skip
    placebo_table = Table(
        "安慰剂检验", layout="record", draws=integer("次数"), mean=num("系数均值"), sd=num("系数标准差", least=0),
        observed=num("实际系数"), p=pvalue("经验 *p*"), claim=Silent("a check of the effect told above"),
    )  # fmt: skip
    trends = Points("组均值", period=text("时间"), mean=num("平均值"), group=text("组"))
    trend_plot = Chart("各组平均值的走势", "line", of=trends, x="period", y="mean", series="group", place="main")
    event_points = Points("事件研究", since=text("距处理的期数"), effect=num("系数"), low=num("下限"), high=num("上限"))
    event_plot = Chart(
        "事件研究", "interval", of=event_points, x="since", y="effect", low="low", high="high",
        over=[Reference(y=0)], place="main",
    )  # fmt: skip
    placebo_bins = Points("安慰剂系数", low=num("从"), high=num("到"), count=integer("次数"))
    placebo_plot = Chart("安慰剂系数的分布", "histogram", of=placebo_bins, low="low", high="high", count="count")


@dataclass
class Settings:
    kind: str
    """The standard errors, as `estimate` has them."""
    unit_effects: bool
    time_effects: bool
    base: int = -1
    placebo: int = 0
    events: bool = True
    draws: int = 500
    staggered: bool = False
    """Group-time effects instead of the regression."""
    y: str = "y"
    conf: float = 0.95


@dataclass
class Result:
    effect: float
    se: float
    p: float
    low: float
    high: float
    symbol: str
    statistic: float
    words: str
    pre_p: float | None = None
    units: int = 0
    staggered: Staggered | None = None
    twoway: Fit | None = None
    dropped: list[str] = field(default_factory=list)


def analyse(report: Report, cls: Any, panel: Panel, how: Settings, form: Any) -> Result | None:
    """Everything but the sentences. None where the effect cannot be told from the fixed effects."""
    plain = base_of(panel, how.unit_effects, how.time_effects, False)
    d = panel.d.astype(float)[:, None]
    first = estimate(panel, plain, d, how.kind, form.rng, how.draws)
    if first is None:
        return None
    rows: list[tuple[str, Fit, Base]] = [("不含控制变量", first, plain)]
    if panel.x.shape[1]:
        with_x = base_of(panel, how.unit_effects, how.time_effects, True)
        second = estimate(panel, with_x, d, how.kind, form.rng, how.draws)
        if second is not None:
            rows.append(("含控制变量", second, with_x))
    design = _design_words(how)
    last, base = rows[-1][1], rows[-1][2]
    staggered = group_time(panel, how.base) if how.staggered else None
    if staggered is not None:
        result = _from_average(staggered.overall, how.conf)
        result.staggered, result.twoway = staggered, last
        _average_row(report, cls, result, staggered)
    else:
        low, high = last.interval(0, how.conf)
        result = Result(float(last.b[0]), float(last.se[0]), last.p(0), low, high, "*t*",
                        float(last.b[0] / last.se[0]), f"{design}，{rows[-1][0]}")  # fmt: skip
    for name, fit, _ in rows:
        low, high = fit.interval(0, how.conf)
        report.row(
            cls.effects, model=f"{design}，{name}" if staggered is None else f"双向固定效应，{name}（对照用）",
            effect=float(fit.b[0]), se=float(fit.se[0]), t=float(fit.b[0] / fit.se[0]), df=fit.df, p=fit.p(0), low=low,
            high=high, r2=fit.r2, n=fit.n, clusters=fit.clusters or None,
        )  # fmt: skip
    result.units = last.clusters
    result.dropped = last.dropped
    if staggered is None:
        report.note(cls.effects, f"标准误：{SE_WORDS[how.kind]}。政策效应是“处理 × 政策后”的系数。")
    else:
        report.note(
            cls.effects,
            f"采用的一行标准误由影响函数按个体计算；对照用的双向固定效应，标准误{SE_WORDS[how.kind]}。"
            "处理时点不一时双向固定效应可能有偏，不要读它。",
        )
    _means(report, cls, panel)
    _trends(report, cls, panel, how)
    if how.events:
        result.pre_p = _events(report, cls, panel, how, form, base, staggered)
    else:
        for element in (cls.events, cls.event_points, cls.pretrend):
            report.skip(element, "没有要求做事件研究")
    _staggered_tables(report, cls, panel, staggered, last if len(rows) == 1 else rows[0][1])
    _placebo(report, cls, panel, how, form, base, result)
    return result


def _design_words(how: Settings) -> str:
    if how.unit_effects and how.time_effects:
        return "双向固定效应"
    if how.unit_effects:
        return "个体固定效应"
    return "时间固定效应" if how.time_effects else "经典 2×2"


def _from_average(one: Average, level: float) -> Result:
    low, high = one.interval(level)
    return Result(one.effect, one.se, one.p, low, high, "*z*", one.z, "Callaway-Sant'Anna 组-时效应按组的大小汇总")


def _average_row(report: Report, cls: Any, result: Result, staggered: Staggered) -> None:
    report.row(
        cls.effects, model="组-时效应的平均（采用）", effect=result.effect, se=result.se, t=result.statistic,
        p=result.p, low=result.low, high=result.high, clusters=int(staggered.first.size),
    )  # fmt: skip


def _means(report: Report, cls: Any, panel: Panel) -> None:
    if panel.is_staggered:
        report.skip(cls.means, "处理的时点不止一个，没有共同的“前”和“后”，见分批效应")
        return
    after = panel.place >= panel.cohorts[0]
    diffs = []
    for name, who in (("处理组", panel.treated), ("对照组", ~panel.treated)):
        before, later = panel.y[who & ~after], panel.y[who & after]
        diffs.append(float(later.mean() - before.mean()))
        report.row(
            cls.means, group=name, before=float(before.mean()), after=float(later.mean()), diff=diffs[-1],
            n_before=before.size, n_after=later.size,
        )  # fmt: skip
    report.row(cls.means, group="差中差", diff=diffs[0] - diffs[1], total=True)
    report.note(cls.means, "差中差 = 处理组的差 − 对照组的差，是没有控制变量时政策效应的直接算法。")


def _trends(report: Report, cls: Any, panel: Panel, how: Settings) -> None:
    groups = [NEVER, *panel.cohorts] if (panel.first == NEVER).any() else panel.cohorts
    for g in groups[:12]:
        name = "对照组" if g == NEVER else "处理组" if not panel.is_staggered else f"{panel.label(g)} 起处理"
        rows = panel.first == g
        for place in panel.places:
            hits = rows & (panel.place == place)
            if hits.any():
                report.row(cls.trends, period=panel.label(int(place)), mean=float(panel.y[hits].mean()), group=name)
    report.chart(cls.trend_plot, titles={"x": panel.time.column.title, "y": how.y})
    starts = "、".join(panel.label(g) for g in panel.cohorts[:6])
    report.note(cls.trend_plot, "政策从 {g} 开始。之前各组的线应当大致平行。", g=starts)


def _events(
    report: Report, cls: Any, panel: Panel, how: Settings, form: Any, base: Base, staggered: Staggered | None
) -> float | None:
    if staggered is not None:
        found = staggered.events()
        for k, one in found:
            low, high = one.interval(how.conf)
            report.row(cls.events, since=k, effect=one.effect, se=one.se, p=one.p, low=low, high=high)
            report.row(cls.event_points, since=str(k), effect=one.effect, low=low, high=high)
        report.note(cls.events, "每期是各批组-时效应按组的大小的平均，0 是开始处理的那一期，负数是处理之前。")
        joint = joint_before(found)
        if joint is None:
            report.skip(cls.pretrend, "处理前除基期外没有可比的期，不能检验")
            return None
        report.row(cls.pretrend, statistic=joint[0], df1=joint[1], p=joint[2])
        report.note(cls.pretrend, "原假设：处理前各期的效应都为 0。统计量为 Wald χ²。")
        return joint[2]
    if how.time_effects or not how.unit_effects:
        whole = base_of(panel, how.unit_effects, True, panel.x.shape[1] > 0)
    else:
        whole = base
    zero = base_time(panel, how.base)
    times, columns = event_columns(panel, zero)
    fit = estimate(panel, whole, columns, how.kind, form.rng, how.draws) if times else None
    if fit is None:
        for element in (cls.events, cls.event_points, cls.pretrend):
            report.skip(element, "只有一期在前、一期在后，或各期的系数分不开")
        return None
    for j, k in enumerate(times):
        low, high = fit.interval(j, how.conf)
        report.row(cls.events, since=k, effect=float(fit.b[j]), se=float(fit.se[j]), p=fit.p(j), low=low, high=high)
    points = [(k, float(fit.b[j]), *fit.interval(j, how.conf)) for j, k in enumerate(times)]
    for k, b, low, high in sorted([*points, (zero, 0.0, 0.0, 0.0)]):
        report.row(cls.event_points, since=str(k), effect=b, low=low, high=high)
    report.note(
        cls.events,
        "系数是处理组与对照组的差距比基期（距处理 {k:integer} 期）多多少；"
        "0 是开始处理的那一期，负数是处理之前。", k=zero,
    )  # fmt: skip
    before = [j for j, k in enumerate(times) if k < 0]
    joint_f = fit.joint(before)
    if joint_f is None:
        report.skip(cls.pretrend, "处理前只有一期，看不出趋势是否平行" if not before else "聚类太少，不能联合检验")
        return None
    f, df1, df2, p = joint_f
    report.row(cls.pretrend, statistic=f, df1=df1, df2=df2, p=p)
    report.note(cls.pretrend, "原假设：处理前各期的系数都为 0。统计量为 *F*。")
    return p


def _staggered_tables(report: Report, cls: Any, panel: Panel, staggered: Staggered | None, plain: Fit) -> None:
    if staggered is None:
        for element in (cls.group_times, cls.cohort_table, cls.bacon_table):
            report.skip(element, "所有处理组同时开始，不需要")
        return
    for cell in staggered.cells:
        se = cell.se
        z = cell.effect / se if se > 0 else None
        report.row(
            cls.group_times, cohort=panel.label(cell.g), period=panel.label(cell.t), effect=cell.effect, se=se,
            p=None if z is None else Average(cell.effect, cell.influence).p, n_treated=cell.treated,
            n_control=cell.controls,
        )  # fmt: skip
    kind = "从未处理的" if staggered.never else "尚未处理的"
    report.note(cls.group_times, f"对照是{kind}个体。时间早于首次处理的是事前的差别。")
    for g, one in staggered.by_cohort():
        low, high = one.interval(0.95)
        report.row(cls.cohort_table, cohort=panel.label(g), effect=one.effect, se=one.se, p=one.p, low=low, high=high)
    if not panel.is_balanced:
        report.skip(cls.bacon_table, "面板不平衡，不作 Bacon 分解")
        return
    parts = bacon(panel)
    for name in dict.fromkeys(part.kind for part in parts):
        own = [part for part in parts if part.kind == name]
        weight = sum(part.weight for part in own)
        mean = sum(part.weight * part.effect for part in own) / weight
        report.row(cls.bacon_table, kind=name, weight=weight, effect=mean, pairs=len(own))
    report.row(
        cls.bacon_table, kind="双向固定效应系数", weight=sum(part.weight for part in parts), effect=float(plain.b[0]),
        pairs=len(parts), total=True,
    )  # fmt: skip
    report.note(
        cls.bacon_table, "“晚处理与早处理的”把已经受政策影响的个体当对照，这部分权重大时，双向固定效应的系数有偏。"
    )


def _placebo(report: Report, cls: Any, panel: Panel, how: Settings, form: Any, base: Base, result: Result) -> None:
    why = (
        "没有要求做安慰剂检验"
        if how.placebo == 0
        else ""
        if panel.unit is not None
        else "没有个体标识，不能把处理分给别的个体"
    )
    if why:
        for element in (cls.placebo_table, cls.placebo_bins):
            report.skip(element, why)
        return

    def tell(done: int) -> bool:
        return bool(form.progress(done, how.placebo, f"安慰剂 {done}/{how.placebo}"))

    if result.staggered is not None:
        values = []
        for k in range(how.placebo):
            if k % 20 == 0 and not tell(k):
                break
            one = permuted_effect(panel, how.base, form.rng)
            if one is not None:
                values.append(one)
        found = np.array(values)
    else:
        found = placebo(panel, base, how.placebo, form.rng, tell)
    if found.size < 2 or not np.ptp(found) > 0:
        for element in (cls.placebo_table, cls.placebo_bins):
            report.skip(element, "个体太少，随机分配没有别的可能")
        return
    extreme = int(np.sum(np.abs(found) >= abs(result.effect) * (1 - 1e-9)))
    report.row(
        cls.placebo_table, draws=found.size, mean=float(found.mean()), sd=float(found.std(ddof=1)),
        observed=result.effect, p=(extreme + 1) / (found.size + 1),
    )  # fmt: skip
    report.note(cls.placebo_table, "把处理随机分给别的个体再算系数；实际系数应当落在这些系数之外。")
    counts, edges = np.histogram(found, bins=min(30, max(5, int(np.sqrt(found.size)))))
    report.add_rows(cls.placebo_bins, {"low": edges[:-1], "high": edges[1:], "count": counts})
    report.chart(cls.placebo_plot, over=[Reference(x=result.effect, label="实际系数")])


def check_trends(report: Report, result: Result) -> None:
    if result.pre_p is None:
        report.check("平行趋势", "unknown", "处理前的期数不够，看不出两组原来的趋势是否平行，请用背景知识说明。")
        return
    bad = result.pre_p < ALPHA
    report.check(
        "平行趋势", "fail" if bad else "pass",
        "处理前各期联合检验 *p* {p:peq}。"
        + ("处理之前两组的趋势已经不同，政策效应不可信。" if bad
           else "没有发现处理前趋势不同；这不等于证明了平行趋势。"),
        more=more(
            "没有政策时，两组的结果会同样变化。", "处理前各期系数都为 0 的联合检验 *p* {p:peq}。",
            "不平行时，原有的趋势差别会被算成政策的效应。",
            "看事件研究图：加入能解释趋势差别的控制变量，换更相近的对照组，或只用趋势平行的时段。",
        ),
        p=result.pre_p,
    )  # fmt: skip


def check_clusters(report: Report, result: Result, kind: str) -> None:
    if kind not in ("unit", "bootstrap"):
        return
    few = result.units < FEW_CLUSTERS
    report.check(
        "聚类数", "care" if few else "pass",
        "共 {g:integer} 个聚类。"
        + ("聚类太少，标准误偏小；请同时看安慰剂检验的经验 *p*。" if few else "聚类标准误可用。"),
        g=result.units,
    )  # fmt: skip


def check_staggered(report: Report, panel: Panel, result: Result) -> None:
    if not panel.is_staggered:
        return
    if result.staggered is None:
        report.check(
            "处理时点", "care",
            "处理的时点有 {k:integer} 个：双向固定效应把早处理的个体当作晚处理的对照，系数可能有偏，见 Bacon 分解。",
            k=len(panel.cohorts),
        )  # fmt: skip
        return
    report.check(
        "处理时点", "pass",
        "处理的时点有 {k:integer} 个，采用组-时效应，不受双向固定效应偏误的影响。", k=len(panel.cohorts),
    )  # fmt: skip
    if result.staggered.always:
        report.warn(
            "data.always_treated", "有 {k:integer} 个个体从第一期起就被处理，没有处理前的数据，组-时效应不用它们。",
            k=result.staggered.always,
        )  # fmt: skip


def write_words(report: Report, panel: Panel, result: Result, y: str, kind: str) -> None:
    found = result.p < ALPHA
    direction = "提高" if result.effect > 0 else "降低"
    facts: dict[str, Any] = {
        "y": y, "effect": result.effect, "size": abs(result.effect), "low": result.low, "high": result.high,
        "p": result.p, "se": result.se, "stat": result.statistic, "n": panel.n, "words": result.words,
        "units": panel.units, "kind": SE_WORDS[kind] if result.staggered is None else "由影响函数按个体计算",
    }  # fmt: skip
    opening = (
        f"政策使“{{y}}”平均{direction} {{size:num}}"
        "（95% CI {low:num} 到 {high:num}，*p* {p:peq}），有统计学意义。"
        if found
        else "没有发现政策对“{y}”有明显的效应：{effect:num}（95% CI {low:num} 到 {high:num}，*p* {p:peq}）。"
    )
    bad = result.pre_p is not None and result.pre_p < ALPHA
    facts |= {"pre": result.pre_p} if result.pre_p is not None else {}
    warned = "处理前两组的趋势已经不同（*p* {pre:peq}），下面的效应不可信。" if bad else ""
    figures = [figure("政策效应", "{effect:num}", "95% CI {low:num} 到 {high:num}"), figure("*p*", "{p:pvalue}")]
    if result.pre_p is not None:
        figures.append(figure("平行趋势 *p*", "{pre:pvalue}", "大于 .05 时没有发现问题"))
    told = ("y", "effect", "size", "low", "high", "p", "pre")
    report.lead(warned + opening, figures, **{key: facts[key] for key in told if key in facts})
    report.say(
        "双重差分拿处理组前后的变化，减去对照组同期的变化：两组共同的变化、两组原有的差距都被减掉了。", voice="student"
    )
    report.say(
        "只有在没有政策时两组会同样变化，这个差才是政策的效应。先看事件研究图：处理前的点应在 0 附近。"
        + ("" if found else "“不显著”不等于没有效应，效应最大可能有多大，看置信区间。"),
        voice="student",
    )
    report.say(
        "{words}：政策效应 = {effect:num}，*SE* = {se:num}，" + f"{result.symbol} = {{stat:num}}，*p* {{p:peq}}，"
        "95% CI [{low:num}, {high:num}]；标准误{kind}，{n:integer} 行。"
        + ("处理前各期的联合检验 *p* {pre:peq}。" if result.pre_p is not None else ""),
        voice="paper", **facts,
    )  # fmt: skip
    report.say(
        f"政策效应 {{effect:num}}（95% CI {{low:num}} 到 {{high:num}}）{'，有统计学意义' if found else '，不显著'}。",
        voice="brief", **{k: v for k, v in facts.items() if k != "p"},
    )  # fmt: skip
    if result.dropped:
        report.warn(
            "data.absorbed", "控制变量 {names} 不随时间变化（或已由固定效应包含），没有放入模型。",
            names="、".join(f"“{name}”" for name in result.dropped),
        )  # fmt: skip
