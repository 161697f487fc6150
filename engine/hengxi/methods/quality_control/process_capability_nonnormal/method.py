from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.contract import (
    Column,
    ColumnInfo,
    Form,
    NextStep,
    Refusal,
    Report,
    SetRemedy,
    Silent,
    Table,
    choice,
    claim,
    figure,
    flag,
    integer,
    num,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.families.control import capability as indices_of
from hengxi.families.control.capability import MILLION, Indices, Spec
from hengxi.methods.quality_control._shared import capability
from hengxi.stats import fitting, ranks
from hengxi.stats.fitting import FAMILIES, Family, Theta
from hengxi.stats.goodness import OfNormal
from hengxi.stats.moments import Floats, moments
from hengxi.stats.normality import normality
from hengxi.stats.pearson import Pearson, pearson

CANDIDATES = ("weibull_min", "lognorm", "gamma", "expon", "gumbel_r")
WAYS = {"distribution": "分位数法（拟合分布）", "boxcox": "Box-Cox", "johnson": "Johnson", "clements": "Clements"}
LOW, MIDDLE, HIGH = 0.00135, 0.5, 0.99865
DRAWS, DRAWN_MOST = 199, 5000


@dataclass(frozen=True)
class Fit:
    family: Family
    theta: Theta
    a2: float
    p: float | None = None


class ProcessCapabilityNonnormal(capability.SpecFigures):
    """Pp and Ppk from percentiles of a fitted distribution or a Pearson curve, or after Box-Cox or Johnson."""

    title, title_en = "过程能力分析（非正态）", "Nonnormal process capability"
    tier = "member"
    purpose = "非正态特性满足规格的能力有多大"
    aliases = ("非正态能力", "分位数法", "Clements", "威布尔能力", "Box-Cox 能力", "Johnson 变换", "ISO 22514")
    references = ("clements1989", "slifker1980", "chou1998", "stute1993", "phipson2010", "montgomery2013")
    conventions = (
        "分位数法：Pp = (USL − LSL)/(P99.865 − P0.135)，PPL = (P50 − LSL)/(P50 − P0.135)，PPU 同理（ISO 22514）。",
        "分布的参数用最大似然估计，位置固定为 0（极值分布除外）；自动选择取 A-D 统计量最小的一种。",
        f"分布的 *p* 用参数自助法：抽 {DRAWS} 个样本，各自重新估计，比较 *A*²；超过 {DRAWN_MOST} 个值时不做。",
        "Clements 法用偏度、峰度相同的 Pearson 曲线的分位数；偏度、峰度为校正值 G1、G2。",
        "Box-Cox 和 Johnson 在变换后的尺度上按正态计算，σ 为全部数据的标准差；规格限一起变换。",
        "Box-Cox 的 λ 用最大似然，限于 −5 到 5；Johnson 按 Slifker-Shapiro 分位数法拟合，取 A-D 统计量最小的一种。",
        "这些指数都是整体能力（Pp、Ppk），没有组内能力，也不给区间。",
    )
    min_rows = 8
    random = True
    limits = capability.SPEC_LIMITS

    class Input(Form):
        measure: Column = role("测量值", "定量")
        lsl: float | None = capability.lower_limit()
        usl: float | None = capability.upper_limit()
        method: str = choice("方法", WAYS)
        distribution: str = choice(
            "分布", {"auto": "自动选最优"} | {key: FAMILIES[key].name for key in CANDIDATES},
            when={"method": "distribution"},
        )  # fmt: skip
        bootstrap: bool = flag(
            "分布的 p 值（自助法）", True, when={"method": "distribution"}, hint="数据很多时可关闭，更快", advanced=True
        )

    indices = capability.index_table(with_interval=False)
    performance = capability.performance_table()
    compare = Table(
        "分布拟合比较", rank=integer("排名"), distribution=text("分布"), a2=num("*A*²"),
        p=pvalue("自助法 *p*", when={"bootstrap": True}), estimates=text("参数"), used=text("采用"), place="main",
        when={"method": "distribution"}, claim=claim("distribution", stat("*A*²", "a2"), against="distribution"),
    )  # fmt: skip
    percentiles = Table(
        "分位数",
        place_p=text("百分位"),
        value=num("值"),
        sample=num("样本值"),
        when={"method": ("distribution", "clements")},
    )
    fitted = Table(
        "变换", name=text("变换"), parameter=text("参数"), value=num("值"), when={"method": ("boxcox", "johnson")}
    )
    shape = Table(
        "变换后的正态性", test=text("检验"), statistic=num("统计量"), p=pvalue(),
        when={"method": ("boxcox", "johnson")}, claim=Silent("检验的是前提，不是过程能力"),
    )  # fmt: skip
    curve_moments = Table(
        "Pearson 曲线", type=text("类型"), mean=num("均值"), sd=num("标准差", least=0), skewness=num("偏度"),
        kurtosis=num("峰度"), layout="record", when={"method": "clements"},
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{form.measure.title}的非正态过程能力"

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        slow = form.get("method") == "distribution" and form.get("bootstrap") and rows <= DRAWN_MOST
        return 0.05 + rows * 2e-6 + (4.0 + rows * 5e-4 if slow else 0.0)

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        own = form["measure"]
        return [
            NextStep(title="确认过程受控（单值-移动极差控制图）", method="quality_control/i_mr", form={"measure": own}),
            NextStep(
                title="比较更多的分布（分布拟合）", method="descriptive/distribution_fitting", form={"variables": [own]}
            ),
        ]

    @classmethod
    def run(cls, form: Input) -> Report:
        report, spec, x = Report(), capability.spec_of(form), form.measure.numbers
        title = form.measure.title
        m = moments(x)
        if not m.sd > 0 or not np.isfinite(m.sd) or not 1e-150 < np.abs(x).max() < 1e150:
            words = "“{v}”没有变异（或数值过大、过小），算不出能力指数，请核对数据"
            raise Refusal("data.constant", words, field="measure", column=form.measure.id, v=title)
        capability.judge_unit(spec, m.mean, m.sd, "measure")
        below, above = spec.outside(x)
        capability.shares_row(report, cls.performance, spec, "观测", below / m.n, above / m.n)
        match form.method:
            case "distribution":
                found, shares, named = cls._by_distribution(report, form, spec, x)
            case "clements":
                found, shares, named = cls._by_curve(report, form, spec, x, m)
            case _:
                found, shares, named = cls._by_transformation(report, form, spec, x)
        for name, value in capability.named(found, "Pp", "PPL", "PPU", "Ppk"):
            report.row(cls.indices, kind="整体能力", index=name, value=value)
        capability.shares_row(report, cls.performance, spec, "期望", *shares)
        report.lead(
            "过程能力{grade}：Ppk = {ppk:num}（{way}），预计每百万件有 {ppm:num} 件超出规格。",
            (figure("Ppk", "{ppk:num}", "整体波动"), figure("PPM", "{ppm:num}", "预计")),
            grade=indices_of.grade(found.least), ppk=found.least, way=named, ppm=MILLION * sum(shares),
        )  # fmt: skip
        report.say("等级按 Ppk 划分，和正态过程能力的等级相同。指数看的是全部数据的波动，请先用控制图确认过程受控。")
        report.check(
            "样本量", "care" if m.n < capability.FEW else "pass",
            "共 {n:integer} 个值"
            + ("，不足 100 个，分布的尾部估计不准，指数只作参考。" if m.n < capability.FEW else "，够用。"),
            n=m.n,
        )  # fmt: skip
        return report

    # ---- a fitted distribution -------------------------------------------------------------------------------------
    @classmethod
    def _by_distribution(
        cls, report: Report, form: Any, spec: Spec, x: Floats
    ) -> tuple[Indices, tuple[float, float], str]:
        fits = cls._fits(report, form, x)
        chosen = fits[0] if form.distribution == "auto" else _named_fit(form, fits)
        for rank, fit in enumerate(fits, 1):
            pairs = zip(fit.family.parameters, fit.theta, strict=True)
            report.row(
                cls.compare, rank=rank, distribution=fit.family.name, a2=fit.a2, p=fit.p,
                estimates="，".join(f"{name} = {value:.4g}" for name, value in pairs),
                used="采用" if fit is chosen else None,
            )  # fmt: skip
        law = chosen.family.frozen(chosen.theta)
        below = 0.0 if spec.lsl is None else float(law.cdf(spec.lsl))
        above = 0.0 if spec.usl is None else float(law.sf(spec.usl))
        cls.draw(report, x, spec, form.measure.title, law.pdf, law.ppf, lambda place: place)
        found = cls._percentiles(report, spec, x, law.ppf)
        poor = chosen.p is not None and chosen.p < 0.05
        facts: dict[str, Any] = {} if chosen.p is None else {"p": chosen.p}
        report.check(
            "分布的拟合", "unknown" if chosen.p is None else "care" if poor else "pass",
            "没有做拟合检验，请看概率图。" if chosen.p is None
            else "数据与“{d}”分布有出入（自助法 *p* {p:peq}），预计的 PPM 不可靠，可试 Johnson 变换。" if poor
            else "没有发现数据与“{d}”分布不符（自助法 *p* {p:peq}）。",
            remedies=[SetRemedy(title="改用 Johnson 变换", set={"method": "johnson"})] if poor else [],
            d=chosen.family.name, **facts,
        )  # fmt: skip
        return found, (below, above), f"{chosen.family.name}分布"

    @classmethod
    def _fits(cls, report: Report, form: Any, x: Floats) -> list[Fit]:
        """All candidates the values allow, the least A² first."""
        values, at = np.unique(x, return_inverse=True)
        counts = np.bincount(at, minlength=values.size).astype(float)
        if form.distribution not in ("auto", "gumbel_r") and values[0] <= 0:
            words = "“{d}”分布要求数据大于 0，请换“极值（I 型）”分布或 Johnson 变换"
            remedy = SetRemedy(title="改用 Johnson 变换", set={"method": "johnson"})
            name = FAMILIES[form.distribution].name
            raise Refusal("data.not_positive", words, field="distribution", d=name, remedies=[remedy])
        if values[0] <= 0:
            report.warn("data.left_out", "数据含小于等于 0 的值，只能拟合极值分布，其他分布没有参加比较。")
        fits = []
        for key in CANDIDATES if values[0] > 0 else ("gumbel_r",):
            fit = _fit(FAMILIES[key], values, counts)
            if fit is not None:
                fits.append(cls._with_p(form, fit, x.size) if form.bootstrap and x.size <= DRAWN_MOST else fit)
        if not fits:
            raise Refusal("data.fit", "没有一种分布能拟合，请改用 Johnson 变换", field="distribution", also=["measure"])
        return sorted(fits, key=lambda fit: fit.a2)

    @classmethod
    def _with_p(cls, form: Any, fit: Fit, n: int) -> Fit:
        hits, done = 0, 0
        law = fit.family.frozen(fit.theta)
        for sample in law.rvs((DRAWS, n), random_state=form.rng):
            values, counts = np.unique(sample, return_counts=True)
            own = _fit(fit.family, values, counts.astype(float)) if values.size > 1 else None
            if own is not None:
                done += 1
                hits += fit.a2 - 1e-12 <= own.a2
        p = ranks.share_at_least(hits, done)[0] if done >= DRAWS / 2 else None
        return Fit(fit.family, fit.theta, fit.a2, p)

    # ---- a Pearson curve -------------------------------------------------------------------------------------------
    @classmethod
    def _by_curve(
        cls, report: Report, form: Any, spec: Spec, x: Floats, m: Any
    ) -> tuple[Indices, tuple[float, float], str]:
        law = None if m.skewness is None or m.kurtosis is None else pearson(m.skewness, m.kurtosis)
        if law is None:
            words = "“{v}”的偏度和峰度没有对应的 Pearson 曲线，请改用 Johnson 变换"
            remedy = SetRemedy(title="改用 Johnson 变换", set={"method": "johnson"})
            raise Refusal("data.shape", words, field="method", v=form.measure.title, remedies=[remedy])
        report.row(cls.curve_moments, type=law.type, mean=m.mean, sd=m.sd, skewness=m.skewness, kurtosis=m.kurtosis)
        curve: Pearson = law

        def quantile(share: Any) -> Any:
            return m.mean + m.sd * np.array([curve.ppf(float(p)) for p in np.atleast_1d(share)])

        below = 0.0 if spec.lsl is None else curve.cdf((spec.lsl - m.mean) / m.sd)
        above = 0.0 if spec.usl is None else 1 - curve.cdf((spec.usl - m.mean) / m.sd)
        cls.draw(
            report, x, spec, form.measure.title, lambda at: curve.pdf((at - m.mean) / m.sd) / m.sd, quantile,
            lambda place: place,
        )  # fmt: skip
        found = cls._percentiles(report, spec, x, lambda p: float(quantile(p)[0]))
        return found, (below, max(above, 0.0)), f"Clements 法，Pearson {law.type} 型曲线"

    # ---- a transformation ------------------------------------------------------------------------------------------
    @classmethod
    def _by_transformation(
        cls, report: Report, form: Any, spec: Spec, x: Floats
    ) -> tuple[Indices, tuple[float, float], str]:
        by = capability.transformed(form.method, x, "method", form.measure.title)
        inside, y = capability.through(report, spec, by, "method"), by.apply(x)
        m = moments(y)
        if not m.sd > 0 or not np.isfinite(m.sd):
            raise Refusal("data.transform", "变换后的数值太大或太小，请换一种方法", field="method")
        for key, value in by.parameters.items():
            report.row(cls.fitted, name=by.name, parameter=key, value=value)
        tested = normality(y)
        for one in (OfNormal(y, None, m).anderson(), tested):
            if one is not None:
                report.row(cls.shape, test=one.name, statistic=one.statistic, p=one.p)
        cls.draw(
            report, y, inside, f"{form.measure.title}（变换后）", capability.normal_density(m.mean, m.sd),
            capability.normal_scores, lambda place: m.mean + m.sd * place,
        )  # fmt: skip
        bad = tested is not None and tested.p < 0.05
        facts: dict[str, Any] = {} if tested is None else {"name": tested.name, "p": tested.p}
        report.check(
            "变换后的正态性", "unknown" if tested is None else "care" if bad else "pass",
            "样本太大，没有做正态性检验，请看概率图。" if tested is None else "{name} *p* {p:peq}。" + (
                "变换后仍偏离正态，预计的 PPM 不可靠。" if bad else "变换后没有发现明显偏离正态。"
            ), **facts,
        )  # fmt: skip
        out = indices_of.outside(inside, m.mean, m.sd)
        return indices_of.indices(inside, m.mean, 3 * m.sd, 3 * m.sd), (out.below, out.above), f"{by.name} 变换"

    @classmethod
    def _percentiles(cls, report: Report, spec: Spec, x: Floats, quantile: Any) -> Indices:
        """P0.135, P50 and P99.865, and the indices from them."""
        low, middle, high = (float(quantile(p)) for p in (LOW, MIDDLE, HIGH))
        own = np.quantile(x, (LOW, MIDDLE, HIGH))
        for name, value, sample in zip(("P0.135", "P50", "P99.865"), (low, middle, high), own.tolist(), strict=True):
            report.row(cls.percentiles, place_p=name, value=value, sample=sample)
        return indices_of.indices(spec, middle, middle - low, high - middle)


def _fit(family: Family, values: Floats, counts: Floats) -> Fit | None:
    theta = fitting.fitted(family, values, counts)
    a2 = None if theta is None else fitting.distances(family, theta, values, counts)[1]
    return None if theta is None or a2 is None else Fit(family, theta, a2)


def _named_fit(form: Any, fits: list[Fit]) -> Fit:
    name = FAMILIES[form.distribution].name
    found = next((fit for fit in fits if fit.family.name == name), None)
    if found is None:
        raise Refusal("data.fit", "“{d}”分布的参数估计未收敛，请换一种分布", field="distribution", d=name)
    return found
