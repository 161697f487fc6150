from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Form,
    Line,
    MethodRemedy,
    NextStep,
    Points,
    Refusal,
    Report,
    Silent,
    Table,
    choice,
    confidence,
    few_of,
    few_rows,
    figure,
    integer,
    num,
    number,
    pvalue,
    role,
    rows_column,
    text,
)
from hengxi.families.control import capability as indices_of
from hengxi.families.control.capability import MILLION, Spec
from hengxi.families.control.constants import d2, d3
from hengxi.families.control.rules import RULES
from hengxi.families.control.subgroups import Subgroups, read
from hengxi.methods.quality_control._shared import capability, variables
from hengxi.methods.quality_control._shared.chart import DRAWN, Panel
from hengxi.stats.goodness import OfNormal
from hengxi.stats.moments import Floats, moments
from hengxi.stats.normalising import Transformation
from hengxi.stats.normality import normality

WAYS = {"rbar": "range", "sbar": "sd", "pooled": "pooled"}
WITHIN, OVERALL = "潜在能力（组内）", "整体能力"
LAST, LARGE = 25, 10
SHIFT = 1.5
"""What is customarily added to the long-term Z for the sigma level."""


class ProcessCapability(capability.SpecFigures):
    """Cp, Cpk from the spread within subgroups; Pp, Ppk, Cpm from all values; PPM and Z; on a transformed scale too."""

    title, title_en = "过程能力分析（正态）", "Process capability"
    tier = "standard"
    purpose = "过程满足规格的能力有多大"
    aliases = ("Cpk", "Ppk", "Cp", "Pp", "Cpm", "六合一图", "制程能力", "工序能力", "capability sixpack")
    references = ("bissell1990", "boyles1991", "montgomery2013", "slifker1980", "chou1998")
    conventions = (
        "组内 σ̂：R/d2(n) 或 s/c4(n) 的平均，合并标准差 √(ΣSS/Σ(n − 1))（不再除以 c4），或平均移动极差/d2(2)。",
        "整体 σ̂：全部数据的标准差，分母 N − 1。",
        "Cp、Pp 的区间用 χ² 分布；CPL、CPU、Cpk 和整体的同类指数用 Bissell（1990）近似。",
        "组内 σ̂ 的自由度取 1/(2CV²)，CV 为估计量的变异系数；合并标准差为 Σ(n − 1)。",
        "Cpm = (USL − LSL)/(6√(s² + (x̄ − T)²))，两个规格限和目标值都填了才给；区间按 Boyles（1991）。",
        "Z.bench = Φ⁻¹(1 − 两侧超出规格的概率之和)；西格玛水平 = 整体 Z.bench + 1.5。",
        "能力等级按 Cpk：≥ 1.67 特级，≥ 1.33 一级，≥ 1.00 二级，≥ 0.67 三级，其余四级。",
        "Box-Cox 的 λ 用最大似然，限于 −5 到 5；Johnson 按 Slifker-Shapiro 分位数法拟合，取 A-D 统计量最小的一种。",
    )
    row_order = True
    missing = "keep"
    min_rows = 2
    limits = capability.SPEC_LIMITS

    class Input(Form):
        measures: list[Column] = role(
            "测量值", "定量", max=25, hint="一列测量值，另填子组变量或子组大小；或者每列一个样品，每行一个子组"
        )
        subgroup: Column | None = role("子组变量（选填）", "任意")
        lsl: float | None = capability.lower_limit()
        usl: float | None = capability.upper_limit()
        target: float | None = number("目标值", None, auto="不算 Cpm")
        sigma_within: str = choice(
            "组内 σ 的估计", {"rbar": "R̄/d2", "sbar": "s̄/c4", "pooled": "合并标准差", "mr": "移动极差"}
        )
        size: int = integer("子组大小", 5, least=1, most=100, hint="只有一列测量值、没有子组变量时，每几行一个子组")
        transform: str = choice("变换", {"none": "不变换", "boxcox": "Box-Cox", "johnson": "Johnson"}, advanced=True)
        conf_level: float = confidence()

    indices = capability.index_table(with_interval=True)
    performance = capability.performance_table()
    bench = Table(
        "基准 Z 与西格玛水平", basis=text("依据"), z_lower=num("Z.LSL"), z_upper=num("Z.USL"), z_bench=num("Z.bench"),
        sigma_level=num("西格玛水平"),
    )  # fmt: skip
    process = Table(
        "过程数据", lsl=num("规格下限 LSL"), target=num("目标值"), usl=num("规格上限 USL"), n=integer("*N*"),
        subgroups=integer("子组数"), mean=num("均值"), within=num("组内 σ̂", least=0), df=num("组内 σ̂ 的自由度"),
        overall=num("整体 σ̂", least=0), layout="record",
    )  # fmt: skip
    shape = Table(
        "正态性", of=text("数据"), test=text("检验"), statistic=num("统计量"), p=pvalue(),
        claim=Silent("检验的是前提，不是过程能力"),
    )  # fmt: skip
    fitted = Table(
        "变换", name=text("变换"), parameter=text("参数"), value=num("值"), when=[{"transform": ("boxcox", "johnson")}]
    )
    inner = Points("正态曲线（组内）", x=num("取值"), y=num("频数"))
    hist = Chart(
        "直方图与规格限", "histogram", of=capability.SpecFigures.bins, low="low", high="high", count="n",
        over=[
            Line(capability.SpecFigures.curve, x="x", y="y", label="整体"), Line(inner, x="x", y="y", label="组内"),
        ], place="main",
    )  # fmt: skip
    drawn = Points(
        "控制图数据", panel=text("图"), index=integer("序号"), label=text("子组"), value=num("取值"),
        cl=num("中心线 CL"), lcl=num("下限 LCL"), ucl=num("上限 UCL"), signal=text("判异"), rows=rows_column("数据行"),
    )  # fmt: skip
    control = Chart(
        "控制图", "control", of=drawn, index="index", value="value", cl="cl", ucl="ucl", lcl="lcl", panel="panel",
        signal="signal", label="label", rows="rows", place="main",
    )  # fmt: skip
    latest = Points("末 25 个子组", x=integer("子组"), y=num("取值"))
    last = Chart("末 25 个子组的值", "point", of=latest, x="x", y="y")
    bars = Points("能力图", label=text("依据"), y=num("均值"), low=num("下端"), high=num("上端"))
    reach = Chart("能力图：均值 ± 3σ 与规格", "interval", of=bars, x="label", y="y", low="low", high="high")

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{few_of([column.title for column in form.measures])}的过程能力"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        start = {"measures": form["measures"], "subgroup": form["subgroup"]}
        limits = {"lsl": form["lsl"], "usl": form["usl"]}
        steps = [NextStep(title="确认过程受控（均值-极差控制图）", method="quality_control/xbar_r", form=start)]
        if len(form["measures"]) == 1 and form["subgroup"] is None and form["size"] == 1:
            one = {"measure": form["measures"][0]}
            steps = [NextStep(title="确认过程受控（单值-移动极差控制图）", method="quality_control/i_mr", form=one)]
        shape = {"measure": form["measures"][:10], **limits}
        return [
            *steps,
            NextStep(title="看分布的形态（质量直方图）", method="quality_control/histogram_spec", form=shape),
        ]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        data, way = _subgroups(report, form)
        spec = capability.spec_of(form)
        by = None
        observed = spec.outside(data.values)
        cls._shape_row(report, "原始数据", data.values)
        if form.transform != "none":
            title = form.measures[0].title
            _judge_spread(float(np.ptp(data.values)))
            by = capability.transformed(form.transform, data.values, "transform", title)
            spec, data = capability.through(report, spec, by, "transform"), data.mapped(by.apply)
            for key, value in by.parameters.items():
                report.row(cls.fitted, name=by.name, parameter=key, value=value)
            cls._shape_row(report, "变换后", data.values)
        m = moments(data.values)
        within = _within(form, data, way)
        _judge_spread(m.sd)
        _judge_spread(within)
        capability.judge_unit(spec, m.mean, min(m.sd, within), "measures")
        df = indices_of.df_of(way, data.n[data.n > 1] if way != "mr" else data.n)
        report.row(
            cls.process, lsl=spec.lsl, target=spec.target, usl=spec.usl, n=m.n, subgroups=len(data), mean=m.mean,
            within=within, df=df, overall=m.sd,
        )  # fmt: skip
        if by is not None:
            report.note(cls.process, "除 *N* 和子组数外，各值都在变换后的尺度上。")
        cls._indices(report, form, spec, m, within, df, observed)
        cls._draw(report, form, data, spec, m, within, way, by)
        cls._checks(report, form, data, m, within, way, by)
        return report

    @classmethod
    def _shape_row(cls, report: Report, of: str, x: Floats) -> None:
        if x.size < 8 or np.ptp(x) == 0:
            return
        for found in (OfNormal(x, None, moments(x)).anderson(), normality(x)):
            if found is not None:
                report.row(cls.shape, of=of, test=found.name, statistic=found.statistic, p=found.p)

    @classmethod
    def _indices(
        cls, report: Report, form: Any, spec: Spec, m: Any, within: float, df: float, observed: tuple[int, int]
    ) -> None:
        level = form.conf_level
        short = indices_of.indices(spec, m.mean, 3 * within, 3 * within)
        long = indices_of.indices(spec, m.mean, 3 * m.sd, 3 * m.sd)
        for kind, found, freedom, names in (
            (WITHIN, short, df, ("Cp", "CPL", "CPU", "Cpk")), (OVERALL, long, m.n - 1.0, ("Pp", "PPL", "PPU", "Ppk")),
        ):  # fmt: skip
            for name, value in capability.named(found, *names):
                exact = name in ("Cp", "Pp")
                low, high = (
                    indices_of.chi_interval(value, freedom, level) if exact
                    else indices_of.bissell(value, m.n, freedom, level)
                )  # fmt: skip
                report.row(cls.indices, kind=kind, index=name, value=value, low=low, high=high)
        taguchi = indices_of.cpm(spec, m.n, m.mean, m.sd, level)
        if taguchi is not None:
            report.row(cls.indices, kind=OVERALL, index="Cpm", value=taguchi[0], low=taguchi[1][0], high=taguchi[1][1])
        original = capability.spec_of(form)
        capability.shares_row(report, cls.performance, original, "观测", observed[0] / m.n, observed[1] / m.n)
        for basis, sd, shift in (("组内", within, None), ("整体", m.sd, SHIFT)):
            out = indices_of.outside(spec, m.mean, sd)
            capability.shares_row(report, cls.performance, original, f"期望（{basis}）", out.below, out.above)
            report.row(
                cls.bench, basis=basis, z_lower=out.z_lower, z_upper=out.z_upper, z_bench=out.z_bench,
                sigma_level=None if shift is None else out.z_bench + shift,
            )  # fmt: skip
        cls._say(report, form, short, long, indices_of.bissell(short.least, m.n, df, level), MILLION * out.total)

    @classmethod
    def _say(cls, report: Report, form: Any, short: Any, long: Any, interval: tuple[float, float], ppm: float) -> None:
        report.lead(
            "过程能力{grade}：Cpk = {cpk:num}（{level:percent} CI {low:num} 到 {high:num}），"
            "按整体波动预计每百万件有 {ppm:num} 件超出规格。",
            (
                figure("Cpk", "{cpk:num}", "组内波动"), figure("Ppk", "{ppk:num}", "整体波动"),
                figure("PPM", "{ppm:num}", "预计"),
            ),
            grade=indices_of.grade(short.least), cpk=short.least, ppk=long.least, low=interval[0], high=interval[1],
            level=form.conf_level, ppm=ppm,
        )  # fmt: skip
        drifts = long.least < 0.9 * short.least
        report.say(
            "Cpk 看子组内的波动，是过程的潜力；Ppk 看全部数据的波动，是实际的表现。"
            + (
                "Ppk 明显小于 Cpk，子组之间还有波动，先找漂移的原因。"
                if drifts
                else "两者接近，子组之间没有明显的漂移。"
            )
        )
        if short.both is not None:
            off = short.least < 0.9 * short.both
            report.say(
                "均值偏离规格中心；居中后 Cpk 可达到 {cp:num}。" if off
                else "均值接近规格中心（Cp = {cp:num}），再提高能力要靠减小波动。", cp=short.both,
            )  # fmt: skip

    @classmethod
    def _draw(
        cls, report: Report, form: Any, data: Subgroups, spec: Spec, m: Any, within: float, way: str,
        by: Transformation | None,
    ) -> None:  # fmt: skip
        title = few_of([column.title for column in form.measures]) + ("" if by is None else "（变换后）")
        bins = cls.draw(
            report, data.values, spec, title, capability.normal_density(m.mean, m.sd), capability.normal_scores,
            lambda place: m.mean + m.sd * place,
        )  # fmt: skip
        cls.add_curve(report, cls.inner, bins, m.n, capability.normal_density(m.mean, within))
        for panel in _panels(data, m.mean, within, way):
            there = np.flatnonzero(~np.isnan(panel.value))[-DRAWN:]
            low, high = panel.limits(3)
            beyond = panel.beyond(3)
            report.add_rows(cls.drawn, {
                "panel": [panel.name] * there.size, "index": there + 1, "label": [data.labels[i] for i in there],
                "value": panel.value[there], "cl": panel.cl[there], "lcl": low[there], "ucl": high[there],
                "signal": [RULES["nelson1"] if beyond[i] else None for i in there],
                "rows": [few_rows(data.rows[i]) for i in there],
            })  # fmt: skip
        report.chart(
            cls.control,
            titles={"x": "子组序号", "y": "取值"},
            thinned=(DRAWN, len(data)) if len(data) > DRAWN else None,
        )
        first = max(0, len(data) - LAST)
        owner = np.repeat(np.arange(len(data)), data.n)
        keep = np.flatnonzero(owner >= first)[:DRAWN]
        report.add_rows(cls.latest, {"x": owner[keep] + 1, "y": data.values[keep]})
        report.chart(cls.last, titles={"x": "子组序号", "y": title})
        if spec.lsl is not None and spec.usl is not None:
            report.row(cls.bars, label="规格", y=(spec.lsl + spec.usl) / 2, low=spec.lsl, high=spec.usl)
        for label, sd in (("组内", within), ("整体", m.sd)):
            report.row(cls.bars, label=label, y=m.mean, low=m.mean - 3 * sd, high=m.mean + 3 * sd)
        report.chart(cls.reach, titles={"y": title})

    @classmethod
    def _checks(
        cls, report: Report, form: Any, data: Subgroups, m: Any, within: float, way: str, by: Transformation | None
    ) -> None:
        panels = _panels(data, m.mean, within, way)
        beyond = sum(int(np.nan_to_num(panel.beyond(3)).astype(bool).sum()) for panel in panels)
        report.check(
            "过程受控", "care" if beyond else "pass",
            "控制图上有 {k:integer} 个点超出控制限，过程不稳定；能力指数不能代表以后的表现，先消除失控的原因。"
            if beyond else "控制图上没有点超出控制限。", k=beyond,
        )  # fmt: skip
        found = normality(data.values)
        if found is None:
            report.check("正态性", "unknown", "样本太小或太大，没有做正态性检验，请看概率图。")
        else:
            bad = found.p < 0.05
            carry = ["lsl", "usl"]
            remedies = [
                MethodRemedy(
                    title="改用非正态过程能力", method="quality_control/process_capability_nonnormal", carry=carry
                )
            ]
            report.check(
                "正态性", "care" if bad else "pass", "{name} *p* {p:peq}。" + (
                    "没有发现明显偏离正态。" if not bad
                    else "数据偏离正态，指数和预计的 PPM 不可靠，建议换变换或改用非正态过程能力。"
                ), remedies=remedies if bad else [], name=found.name, p=found.p,
            )  # fmt: skip
        report.check(
            "样本量", "care" if m.n < capability.FEW else "pass",
            "共 {n:integer} 个值"
            + ("，不足 100 个，指数的误差大，请看区间的下端。" if m.n < capability.FEW else "，够用。"),
            n=m.n,
        )  # fmt: skip


def _subgroups(report: Report, form: Any) -> tuple[Subgroups, str]:
    """The subgroups and how σ within them is estimated: single values have only moving ranges."""
    way = form.sigma_within
    if way == "mr" and (form.subgroup is not None or len(form.measures) > 1):
        words = "移动极差要求每个子组只有 1 个值：只放一列测量值，不填子组变量；有子组时请改用 R̄/d2"
        raise Refusal("sigma.single", words, field="sigma_within")
    data = read(report, form, None if way == "mr" or form.size == 1 else form.size)
    if data.values.size < 3:
        raise Refusal("data.few", "至少需要 3 个测量值", field="measures", column=form.measures[0].id)
    if not np.isfinite(data.values).all() or np.abs(data.values).max() > 1e150:
        raise Refusal(
            "data.range", "数值太大，算不出能力指数，请换一个单位", field="measures", column=form.measures[0].id
        )
    if (data.n == 1).all():
        if way != "mr":
            report.warn("sigma.single", "每个子组只有 1 个值，组内 σ 改用移动极差估计。")
        return data, "mr"
    if data.n.min() < data.n.max():
        report.warn(
            "data.sizes", "子组大小不一致（{low:integer} 到 {high:integer}），已按各组的 n 分别计算。",
            low=int(data.n.min()), high=int(data.n.max()),
        )  # fmt: skip
    return data, way


def _within(form: Any, data: Subgroups, way: str) -> float:
    if way == "mr":
        return float(np.abs(np.diff(data.values)).mean() / d2(2))
    return float(variables.sigma_of(form, data, np.ones(len(data), dtype=bool), WAYS[way])[0])


def _judge_spread(sd: float) -> None:
    if not sd > 0 or not np.isfinite(sd):
        raise Refusal("data.constant", "数据没有变异，能力指数无穷大，请核对数据和子组", field="measures")


def _panels(data: Subgroups, mean: float, within: float, way: str) -> list[Panel]:
    """X̄ beside R or S, or single values beside moving ranges, with limits from the spread within."""
    centre, sigma = np.array([mean]), np.array([within])
    if way == "mr":
        ones = np.ones(len(data))
        moving = np.r_[np.nan, np.abs(np.diff(data.values))]
        return [
            Panel("单值", data.values, mean * ones, within * ones),
            Panel("移动极差", moving, d2(2) * within * ones, d3(2) * within * ones, lower=0.0, zones=False),
        ]
    by_sd = way == "sbar" or int(data.n.max()) > LARGE
    spread = variables.sd_panel(data, sigma) if by_sd else variables.range_panel(data, sigma)
    return [variables.mean_panel(data, centre, sigma), spread]
