from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Column,
    Form,
    FrozenLimits,
    Level,
    Refusal,
    Report,
    Silent,
    Table,
    choice,
    flag,
    integer,
    num,
    pvalue,
    role,
)
from hengxi.families.control.constants import d2, d3, range_median
from hengxi.methods.quality_control._shared import chart
from hengxi.methods.quality_control._shared.chart import Bools, Floats, Panel, Run, Standard, by_phase
from hengxi.methods.quality_control._shared.counts import phases_of

MOST_SHAPIRO = 5000


class IMr(chart.Freezes, chart.ControlChart):
    """Individuals and moving ranges."""

    title, title_en = "单值-移动极差控制图（I-MR）", "Individuals and moving range chart"
    tier = "standard"
    rescaled = (("measure",),)
    purpose = "逐件测量的过程是否受控"
    aliases = ("X-MR", "单值图", "移动极差", "I-MR", "SPC", "individuals chart")
    references = ("montgomery2013", "nelson1984", "gbt17989", "shapiro1965")
    conventions = (
        "移动极差为相邻 w 个值的极差，σ̂ = 平均移动极差/d2(w)，或移动极差的中位数/极差分布的中位数。",
        "移动极差不跨阶段；移动极差图只判准则 1–4。",
        "填了时间时先按时间排序；缺失的行跳过。",
    )
    measured = "measure"
    min_rows = 3

    class Input(Form):
        measure: Column = role("测量值（按时间顺序）", "定量")
        time: Column | None = role("时间或序号（选填）", "任意", hint="数值或日期时先按它排序；文字只作点的名称")
        phase: Column | None = role("阶段变量（选填）", "定类", hint="各阶段分别计算控制限")
        frozen_limits: FrozenLimits | None = chart.frozen_limits()
        baseline: Level | None = chart.baseline()
        span: int = integer("移动极差跨度", 2, least=2, most=10)
        sigma_method: str = choice("σ 的估计", {"mrbar": "平均移动极差", "mr_median": "移动极差的中位数"})
        boxcox: bool = flag("Box-Cox 变换", False, hint="数据偏态时先变换，控制限按变换后的值")
        rules: list[str] = chart.rules()
        rule_set: str = chart.rule_set()
        k_sigma: float = chart.k_sigma()
        center: float | None = chart.known_centre()
        sigma: float | None = chart.known_sigma()
        exclude: bool = chart.exclude()

    shape = Table(
        "正态性与自相关", W=num("Shapiro-Wilk *W*"), p=pvalue(), r=num("一阶自相关"), bound=num("自相关的界限 2/√*n*"),
        lam=num("Box-Cox λ", when={"boxcox": True}), place="detail", claim=Silent("检验的是前提，不是结论"),
    )  # fmt: skip

    sized = False
    spread_means = "说明相邻几次测量之间的变化不稳定，单值图的控制限不可靠，先解决它。"
    counted = "观测序号"

    @classmethod
    def kind_of(cls, form: Any) -> tuple[str | None, str]:
        return ("boxcox", "Box-Cox 变换后的值") if form.boxcox else (None, "没有变换的值")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        chart.check_rules(report, form)
        form = cls.settled(form, np.ones(1, dtype=np.int64))
        order, labels = _order(form)
        x = form.measure.numbers[order]
        if x.size < form.span + 1:
            raise Refusal("data.few", "至少需要 {k} 个观测", field="measure", column=form.measure.id, k=form.span + 1)
        lam = None
        if form.boxcox:
            x, lam = _transformed(form, x)
        phases = phases_of(form.phase, x.size)
        phases = type(phases)(phases.code[order], phases.names)
        rows = [[int(row)] for row in np.asarray(form.measure.row_numbers)[order]]
        run = Run(labels, np.ones(x.size, dtype=np.int64), rows, phases)
        moving = _moving(x, phases.code, form.span)
        phases = chart.frozen(form, phases)

        def sigma(kept: Bools) -> Floats:
            if form.sigma is not None:
                return np.full(len(phases.names), float(form.sigma))
            found = []
            for code, name in enumerate(phases.names):
                steps = moving[kept & (phases.code == code) & ~np.isnan(moving)]
                if steps.size == 0:
                    raise Refusal(
                        "data.few", "阶段“{g}”不足 {k} 个观测，请与相邻阶段合并", field="phase", g=name, k=form.span
                    )
                by_mean = form.sigma_method == "mrbar"
                spread = float(steps.mean() / d2(form.span) if by_mean else np.median(steps) / range_median(form.span))
                if not spread > 0:
                    text = "“{v}”相邻的值没有变化，控制限无意义，请核对数据"
                    raise Refusal("data.constant", text, field="measure", column=form.measure.id, v=form.measure.title)
                found.append(spread)
            return np.array(found)

        def estimate(kept: Bools) -> list[Panel]:
            spread = by_phase(phases, sigma(kept))
            means = [float(x[kept & (phases.code == code)].mean()) for code in range(len(phases.names))]
            centre = by_phase(phases, means) if form.center is None else np.full(x.size, float(form.center))
            ranges = Panel(
                "移动极差", moving, d2(form.span) * spread, d3(form.span) * spread, lower=0.0, zones=False,
                reach=form.span,
            )  # fmt: skip
            return [Panel("单值", x, centre, spread), ranges]

        def rests(kept: Bools) -> list[Standard]:
            rows = chart.drawn_standards(form, run, estimate(kept), sigma(kept))
            return [replace(one, extra=lam) for one in rows]

        cls.write(report, form, run, estimate, sigma, rests)
        cls._shape(report, form, x, lam)
        return report

    @classmethod
    def _shape(cls, report: Report, form: Any, x: Floats, lam: float | None) -> None:
        away = x - x.mean()
        away = away / (np.abs(away).max() or 1.0)
        total = float((away * away).sum())
        r = float((away[1:] * away[:-1]).sum() / total) if total > 0 else 0.0
        bound = 2 / float(np.sqrt(x.size))
        tested = stats.shapiro(x) if 3 <= x.size <= MOST_SHAPIRO and total > 0 else None
        W, p = (None, None) if tested is None else (float(tested.statistic), float(tested.pvalue))
        report.row(cls.shape, W=W, p=p, r=r, bound=bound, lam=lam)
        dependent = abs(r) > bound
        report.check(
            "自相关", "care" if dependent else "pass",
            "一阶自相关 {r:num}"
            + ("，相邻的值不独立，误报会增多，可拉长抽样间隔。" if dependent else "，没有发现明显的自相关。"),
            r=r,
        )  # fmt: skip
        if p is not None:
            skewed = p < 0.05
            report.check(
                "正态性", "care" if skewed else "pass",
                "Shapiro-Wilk *p* {p:peq}。"
                + ("偏离正态，单值图的误报会增多，可试 Box-Cox 变换。" if skewed else "没有发现明显偏离正态。"),
                p=p,
            )  # fmt: skip


def _order(form: Any) -> tuple[Any, list[str]]:
    """Rows by time, where it is a number or a date, and the names of the points."""
    n, time = len(form.measure), form.time
    if time is None:
        return np.arange(n), [str(i + 1) for i in range(n)]
    labels = [str(cell) for cell in time.text]
    is_words = time.info.storage == "text" and time.measure != "时间"
    order = np.arange(n) if is_words else np.argsort(time.numbers, kind="stable")
    seen = sorted(labels)
    twice = next((a for a, b in itertools.pairwise(seen) if a == b), None)
    if twice is not None:
        raise Refusal(
            "data.duplicate_time", "时间“{t}”重复，无法确定先后，请核对“{v}”，或者不填时间、按行的次序分析",
            field="time",
            column=time.id, t=twice, v=time.title,
        )  # fmt: skip
    return order, [labels[i] for i in order]


def _moving(x: Floats, phase: Any, span: int) -> Floats:
    """Ranges of so many values in a row, NaN where there are not yet so many in the phase."""
    out = np.full(x.size, np.nan)
    windows = np.lib.stride_tricks.sliding_window_view(x, span)
    out[span - 1 :] = windows.max(axis=1) - windows.min(axis=1)
    first = np.r_[0, np.flatnonzero(np.diff(phase)) + 1]
    for start in first.tolist():
        out[start : start + span - 1] = np.nan
    return out


def _transformed(form: Any, x: Floats) -> tuple[Floats, float]:
    if not (x > 0).all():
        text = "Box-Cox 变换只用于大于 0 的值，请关闭它，或先给“{v}”加上一个常数"
        raise Refusal("data.not_positive", text, field="boxcox", column=form.measure.id, v=form.measure.title)
    if np.ptp(x) == 0:
        text = "“{v}”没有变异，控制限无意义，请核对数据"
        raise Refusal("data.constant", text, field="measure", column=form.measure.id, v=form.measure.title)
    if form.frozen_limits is not None:
        return np.asarray(stats.boxcox(x, lmbda=form.frozen_limits.extra)), float(form.frozen_limits.extra)
    values, lam = stats.boxcox(x)
    return np.asarray(values), float(lam)
