from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special, stats

from hengxi.contract import (
    Chart,
    Points,
    Refusal,
    Report,
    Table,
    choice,
    claim,
    confidence,
    figure,
    flag,
    integer,
    num,
    numbers,
    pvalue,
    stat,
    text,
)
from hengxi.methods.hypothesis_test._shared import samples
from hengxi.methods.hypothesis_test._shared.comparison import OneSample, axis
from hengxi.methods.hypothesis_test._shared.finding import INDEPENDENT, Finding
from hengxi.methods.hypothesis_test._shared.samples import Sample
from hengxi.stats import ranks
from hengxi.stats.moments import Floats
from hengxi.stats.normality import lilliefors_p

Cdf = Callable[[Floats], Floats]
NAMES = {"norm": "正态", "uniform": "均匀", "poisson": "泊松", "expon": "指数"}
PARAMETERS = {
    "norm": ("均值", "标准差"),
    "uniform": ("最小值", "最大值"),
    "poisson": ("λ（均值）",),
    "expon": ("均值（1/λ）",),
}
EXACT_MOST = 100
DRAWS, DRAWN_MOST = 2000, 20_000
CURVE = 200


@dataclass(frozen=True)
class Distance:
    above: float
    """The sample's distribution function lies this far above the theoretical one."""
    below: float

    @property
    def D(self) -> float:  # noqa: N802
        return max(self.above, self.below)


class KsOneSample(OneSample):
    title, title_en = "单样本K-S检验", "One-sample Kolmogorov-Smirnov"
    family = "非参数检验"
    rescaled = (("variables",),)
    purpose = "样本是否来自指定分布"
    aliases = ("Kolmogorov-Smirnov", "拟合优度", "正态性检验", "Lilliefors", "分布检验", "KS检验")
    references = ("massey1951", "lilliefors1967", "stephens1974", "dallal1986", "phipson2010", "holm1979")
    conventions = (
        "*D* 为样本与理论累积分布的最大差；K-S *Z* = √n·*D*，渐近 *p* 由 Kolmogorov 极限分布得出。",
        "参数事先给定、连续分布且不足 100 例时采用精确 *p*。",
        "参数由样本估计时，K-S 的 *p* 偏大，不能用：正态分布采用 Lilliefors 校正"
        "（Dallal-Wilkinson 与 Stephens 的公式），其他分布按估计的参数模拟 2000 个样本。",
        "泊松分布是离散的，给定参数时的 *p* 偏保守。",
        "均匀分布的参数估计为样本的最小值和最大值；正态分布的标准差以 n − 1 为分母。",
    )
    random = True

    class Input(OneSample.Input):
        distribution: str = choice("理论分布", NAMES)
        parameters: str = choice("参数来源", {"estimate": "样本估计", "given": "给定"})
        param_values: list[float] = numbers(
            "给定参数", max=2, when={"parameters": "given"},
            hint="正态：均值、标准差；均匀：最小、最大；泊松：λ；指数：均值",
        )  # fmt: skip
        lilliefors: bool = flag("估计参数时用Lilliefors校正", True, when={"parameters": "estimate"})
        conf_level: float = confidence(0.8, hint="显著性水平 = 1 − 此值")

    result = Table(
        "单样本K-S检验结果", n=integer("*n*"), D=num("*D*", least=0, most=1), z=num("K-S *Z*", least=0),
        asymptotic=pvalue("渐近 *p*"), p=pvalue("采用的 *p*"), how=text("*p* 的算法"), place="main",
        claim=claim("distribution", stat("*D*", "D"), outcome="variables"),
    )  # fmt: skip
    used = Table("参数", parameter=text("参数"), value=num("取值"), source=text("来源"), place="main")
    extremes = Table("最极端差别", difference=text("差别"), value=num("取值"))
    curve = Points("累积分布", x=num("取值"), y=num("累积概率"), series=text("分布"))
    cdf_plot = Chart("经验与理论累积分布", "line", of=curve, x="x", y="y", series="series", place="main")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        sample = samples.one(form)
        cls._judge(form, sample)
        parameters = cls._parameters(form, sample)
        cdf = _cdf(form.distribution, parameters)
        gap = _distance(sample, cdf, form.distribution == "poisson")
        z = gap.D * sample.n**0.5
        asymptotic = float(special.kolmogorov(z))
        p, how = cls._p(form, sample, parameters, gap.D, asymptotic)
        report.row(cls.result, n=sample.n, D=gap.D, z=z, asymptotic=asymptotic, p=p, how=how)
        source = "样本估计" if form.parameters == "estimate" else "给定"
        for name, value in zip(PARAMETERS[form.distribution], parameters, strict=True):
            report.row(cls.used, parameter=name, value=value, source=source)
        for name, value in (("绝对值", gap.D), ("正（样本在上）", gap.above), ("负（样本在下）", -gap.below)):
            report.row(cls.extremes, difference=name, value=value)
        cls.describe(report, [sample], "mean", form.conf_level)
        report.chart(cls.plot, titles=axis(sample.name, samples.unit(form.variables)))
        cls._curve(report, sample, cdf)
        report.chart(cls.cdf_plot, titles={"x": sample.name})
        cls._say(report, form, sample, gap, p)
        plain = form.parameters == "estimate" and not form.lilliefors
        given = "参数事先给定，不是从这份数据估计的。"
        estimated = "参数由样本估计，*p* 已作校正。" if form.parameters == "estimate" else given
        if plain:
            estimated = "参数由样本估计，没有校正，*p* 偏大，容易漏掉真实的偏离；请打开“估计参数时用Lilliefors校正”。"
        report.check("参数来源", "fail" if plain else "pass", estimated)
        small, large = sample.n < 20, sample.n > 2000
        ending = "样本小，只有很大的偏离才看得出来。" if small else "样本量合适。"
        if large:
            ending = "样本很大，再小的偏离也会显著，请看图。"
        report.check("样本量", "care" if small or large else "pass", "{n:integer} 例。" + ending, n=sample.n)
        return report

    @classmethod
    def _judge(cls, form: Any, sample: Sample) -> None:
        facts: dict[str, Any] = {
            "field": "variables",
            "also": ["distribution"],
            "column": form.variables.id,
            "v": sample.name,
        }
        if form.distribution == "poisson" and (sample.x.min() < 0 or bool((sample.x != np.floor(sample.x)).any())):
            raise Refusal("role.values", "“{v}”含有负数或小数，泊松分布要求非负整数，请换一个分布或变量", **facts)
        if form.distribution == "expon" and sample.x.min() < 0:
            raise Refusal("role.values", "“{v}”含有负数，指数分布要求非负数，请换一个分布或变量", **facts)
        if form.parameters == "estimate" and sample.x.min() == sample.x.max():
            raise Refusal("data.constant", "“{v}”没有变异，估计不出分布的参数，请换一个变量", **facts)
        if form.parameters != "given":
            return
        wanted, given = PARAMETERS[form.distribution], form.param_values
        where: dict[str, Any] = {
            "field": "param_values",
            "d": NAMES[form.distribution],
            "k": len(wanted),
            "names": "、".join(wanted),
        }
        if len(given) != len(wanted):
            raise Refusal("numbers.count", "{d}分布需要 {k} 个参数（{names}），请在“给定参数”里填齐", **where)
        apart = form.distribution != "uniform"
        if (not apart and given[0] >= given[1]) or (apart and given[-1] <= 0):
            raise Refusal("number.range", "{d}分布的参数不合适：标准差、λ、均值须大于 0，最小值须小于最大值", **where)

    @classmethod
    def _parameters(cls, form: Any, sample: Sample) -> list[float]:
        if form.parameters == "given":
            return [float(value) for value in form.param_values]
        m = sample.moments
        return {
            "norm": [m.mean, m.sd], "uniform": [m.least, m.most], "poisson": [m.mean], "expon": [m.mean],
        }[form.distribution]  # fmt: skip

    @classmethod
    def _p(cls, form: Any, sample: Sample, parameters: list[float], d: float, asymptotic: float) -> tuple[float, str]:
        n = sample.n
        if form.parameters == "given":
            if n < EXACT_MOST and form.distribution != "poisson":
                return float(stats.kstwo.sf(d, n)), "精确分布"
            return asymptotic, "渐近分布"
        if not form.lilliefors:
            return asymptotic, "渐近分布，未校正"
        if form.distribution == "norm" and n > 4:
            return lilliefors_p(d, n), "Lilliefors 校正"
        if n > DRAWN_MOST:
            return asymptotic, f"渐近分布（超过 {DRAWN_MOST} 例，未校正）"
        hits = 0
        for _ in range(DRAWS):
            drawn = Sample("", _draw(form.distribution, parameters, n, form.rng))
            if drawn.x.min() == drawn.x.max():
                continue
            own = _cdf(form.distribution, cls._parameters(form, drawn))
            hits += d - 1e-12 <= _distance(drawn, own, form.distribution == "poisson").D
        return ranks.share_at_least(hits, DRAWS)[0], f"模拟 {DRAWS} 个样本，种子 {form.seed}"

    @classmethod
    def _curve(cls, report: Report, sample: Sample, cdf: Cdf) -> None:
        places = np.linspace(0, 1, CURVE)
        at = np.unique(np.array(sample.ordered.quantiles(places.tolist(), kind=7)))
        values, place = np.unique(sample.x, return_inverse=True)
        ends = np.cumsum(np.bincount(place, weights=sample.counts, minlength=values.size)) / sample.n
        share = np.concatenate(([0.0], ends))[np.searchsorted(values, at, side="right")]
        report.add_rows(cls.curve, {"x": at, "y": share, "series": ["样本"] * at.size})
        grid = np.linspace(float(at[0]), float(at[-1]), CURVE)
        report.add_rows(cls.curve, {"x": grid, "y": cdf(grid), "series": ["理论"] * grid.size})

    @classmethod
    def _say(cls, report: Report, form: Any, sample: Sample, gap: Distance, p: float) -> None:
        name = NAMES[form.distribution]
        Finding(
            test="单样本 K-S 检验", statistic="*D* = {D:num}", p=p, level=form.conf_level, side="none",
            shown=f"“{{y}}”的分布与{name}分布不符", asked="", nothing=f"没有发现“{{y}}”的分布偏离{name}分布",
            compared=f"“{{y}}”的分布（*n* = {{n:integer}}）与{name}分布",
            observed="样本与理论的累积分布最多相差 {D:percent1}",
            figures=(figure("最大差别", "{D:percent1}", "两条累积分布曲线之间"),), caution=INDEPENDENT,
            facts={"y": sample.name, "n": sample.n, "D": gap.D},
        ).write(report)  # fmt: skip

    @classmethod
    def joined(cls, report: Report, form: dict[str, Any]) -> None:
        cls.conclude(report, form, cls.result, f"与{NAMES[form['distribution']]}分布比较", "分布不符")


def _cdf(distribution: str, parameters: list[float]) -> Cdf:
    a, b = parameters[0], parameters[-1]
    made: dict[str, Cdf] = {
        "norm": lambda x: np.asarray(special.ndtr((x - a) / b)),
        "uniform": lambda x: np.clip((x - a) / (b - a), 0, 1),
        "poisson": lambda x: np.where(x < 0, 0.0, special.pdtr(np.maximum(np.floor(x), 0), a)),
        "expon": lambda x: -np.expm1(-np.maximum(x, 0) / a),
    }
    return made[distribution]


def _draw(distribution: str, parameters: list[float], n: int, rng: np.random.Generator) -> Floats:
    a, b = parameters[0], parameters[-1]
    made: dict[str, Callable[[], Any]] = {
        "norm": lambda: rng.normal(a, b, n),
        "uniform": lambda: rng.uniform(a, b, n),
        "poisson": lambda: rng.poisson(a, n).astype(float),
        "expon": lambda: rng.exponential(a, n),
    }
    return np.asarray(made[distribution](), dtype=float)


def _distance(sample: Sample, cdf: Cdf, discrete: bool) -> Distance:
    """A discrete distribution is compared below a value at the whole number before it."""
    values, place = np.unique(sample.x, return_inverse=True)
    counts = np.bincount(place, weights=sample.counts, minlength=values.size)
    ends = np.cumsum(counts) / sample.n
    starts = np.concatenate(([0.0], ends[:-1]))
    before = cdf(values - 1) if discrete else cdf(values)
    return Distance(max(0.0, float(np.max(ends - cdf(values)))), max(0.0, float(np.max(before - starts))))
