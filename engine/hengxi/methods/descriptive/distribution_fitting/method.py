from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Diagonal,
    Form,
    Line,
    Method,
    NextStep,
    Points,
    Refusal,
    Report,
    Table,
    choice,
    claim,
    figure,
    flag,
    integer,
    interval,
    many,
    num,
    pvalue,
    role,
    stat,
    text,
    weight,
)
from hengxi.methods.descriptive._shared.sample_parts import Part, sample_parts
from hengxi.stats import fitting, ranks
from hengxi.stats.fitting import FAMILIES, Family, Theta, binomial, shifted
from hengxi.stats.frequencies import frequencies
from hengxi.stats.goodness import normal_places
from hengxi.stats.histogram import histogram
from hengxi.stats.moments import Floats, Ordered

NAMES = {key: family.name for key, family in FAMILIES.items()} | {"binom": "二项"}
CRITERIA = {"aic": "AIC", "bic": "BIC", "ad": "A-D 统计量", "ks": "K-S 统计量"}
DRAWS, DRAWN_MOST = 199, 5000
SHOWN = 500
PLACES = (1, 5, 10, 25, 50, 75, 90, 95, 99)


@dataclass(frozen=True)
class Fit:
    family: Family
    theta: Theta
    loglik: float
    aic: float
    bic: float
    d: float
    a: float | None
    p: float | None = None

    def by(self, criterion: str) -> float:
        value = {"aic": self.aic, "bic": self.bic, "ad": self.a, "ks": self.d}[criterion]
        return float("inf") if value is None else value


class DistributionFitting(Method):
    title, title_en = "分布拟合", "Distribution fitting"
    family, tier = "描述性分析", "member"
    purpose = "数据更像哪一种理论分布，参数是多少"
    aliases = ("拟合分布", "最大似然", "威布尔拟合", "伽马分布", "对数正态", "fitdistr", "泊松分布拟合", "概率分布")
    references = ("akaike1974", "stute1993", "phipson2010")
    conventions = (
        "参数都用最大似然估计；正态、对数正态的标准差因此以 n 为分母。",
        "AIC = −2 ln L + 2k，BIC = −2 ln L + k ln n，k 为估计的参数个数。",
        "标准误由观测信息得出；正的参数在对数尺度、概率在 logit 尺度上求 95% 置信区间。",
        "*D*、*A*² 用估计的参数计算；参数来自样本时普通 K-S 的 *p* 偏大，因此不给，只给参数自助法的 *p*。",
        f"参数自助法：从拟合的分布抽 {DRAWS} 个样本，各自重新估计，*p* = (达到或超过 *D* 的个数 + 1)/(个数 + 1)。",
        "二项分布的试验次数由您给定；几何分布数的是首次成功之前的失败次数；负二项用 size 和均值表示。",
        "位置不固定时，指数分布的位置取最小值，其他分布取似然的内部极大；没有内部极大时不参加比较。",
    )
    weights = ("frequency",)
    missing = "each"
    min_rows = 5
    random = True

    class Input(Form):
        variables: Column = role("分析变量", "定量", each=True)
        weight: Column | None = weight("频数权重（选填）", kind="frequency", whole=True)
        distributions: list[str] = many(
            "候选分布", NAMES, default=("norm", "lognorm", "expon", "gamma", "weibull_min"), min=1
        )  # fmt: skip
        trials: int = integer("二项分布的试验次数", 10, least=1, most=1_000_000, when={"distributions": "binom"})
        fix_loc: bool = flag("位置参数固定为0", True, hint="对数正态、指数、伽马、威布尔")
        criterion: str = choice("排序准则", CRITERIA)
        bootstrap: bool = flag("参数自助法p值", False)

    compare = Table(
        "候选分布比较", rank=integer("排名"), distribution=text("分布"), estimates=text("参数估计"),
        loglik=num("对数似然"), aic=num("AIC"), bic=num("BIC"), D=num("K-S *D*", least=0, most=1),
        A2=num("A-D *A*²"), p=pvalue("自助法 *p*", when={"bootstrap": True}), place="main",
        claim=claim("distribution", stat("*D*", "D"), outcome="variables", against="distribution"),
    )  # fmt: skip
    best = Table(
        "排名第一的分布的参数", parameter=text("参数"), value=num("估计值"), se=num("标准误", least=0),
        ci=interval("95% CI", "low", "high"), place="main",
    )  # fmt: skip
    percentiles = Table("分位数", place_p=text("百分位"), theory=num("理论值"), sample=num("样本值"))
    bins = Points("直方图", low=num("下限"), high=num("上限"), n=integer("频数"))
    curve = Points("拟合曲线", x=num("取值"), y=num("频数"))
    hist = Chart(
        "直方图与拟合的分布", "histogram", of=bins, low="low", high="high", count="n",
        over=[Line(curve, x="x", y="y", label="拟合的分布")], place="main",
    )  # fmt: skip
    pairs = Points(
        "图上的点", x=num("理论分位数"), y=num("观测值"), line=num("直线"), expected=num("理论累积概率"),
        share=num("经验累积概率"),
    )  # fmt: skip
    qq = Chart("Q-Q图", "point", of=pairs, x="x", y="y", over=[Line(pairs, x="x", y="line")], place="main")
    pp = Chart("P-P图", "point", of=pairs, x="share", y="expected", over=[Diagonal()])
    steps = Points("累积分布", x=num("取值"), y=num("累积概率"), series=text("分布"))
    cdf = Chart("经验与理论累积分布", "line", of=steps, x="x", y="y", series="series")

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        start = {"variables": form["variables"], "weight": form.get("weight")}
        described = "看均值、中位数和离散程度（描述性统计）"
        return [
            NextStep(title="专门检验是不是正态（正态性检验）", method="descriptive/normality_test", form=start),
            NextStep(title=described, method="descriptive/descriptive_statistics", form=start),
        ]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        (part,) = sample_parts(form.variables, None, frequencies(form.weight))
        if part.n < 5:
            words = "“{v}”有效样本仅 {n} 个，分布拟合至少需要5个；请换一个变量"
            raise Refusal(
                "data.few", words, field="variables", column=form.variables.id, v=form.variables.title, n=part.n
            )
        if not part.varies:
            words = "“{v}”没有变异（或数值过大、过小），无法拟合分布；请换一个变量或换一个单位"
            raise Refusal("role.constant", words, field="variables", column=form.variables.id, v=form.variables.title)
        x, at = np.unique(part.x, return_inverse=True)
        c = np.bincount(at, weights=part.counts, minlength=x.size).astype(float)
        fits = cls._fits(report, form, x, c)
        fits = [cls._with_p(form, fit, c) for fit in fits] if form.bootstrap and part.n <= DRAWN_MOST else fits
        if form.bootstrap and part.n > DRAWN_MOST:
            report.note(cls.compare, f"超过 {DRAWN_MOST} 例，没有做参数自助法，只作排序。")
        for rank, fit in enumerate(fits, 1):
            pairs = zip(fit.family.parameters, fit.theta, strict=True)
            report.row(
                cls.compare, rank=rank, distribution=fit.family.name,
                estimates="，".join(f"{name} = {value:.4g}" for name, value in pairs), loglik=fit.loglik, aic=fit.aic,
                bic=fit.bic, D=fit.d, A2=fit.a, p=fit.p,
            )  # fmt: skip
        if any(fit.a is None for fit in fits):
            report.note(cls.compare, "离散分布，以及最小或最大值恰在边界上的分布，没有 *A*²。")
        first = fits[0]
        ses = fitting.errors(first.family, first.theta, x, c)
        for name, kind, value, se in zip(first.family.parameters, first.family.kinds, first.theta, ses, strict=True):
            low, high = fitting.interval(kind, value, se, 1.959963984540054)
            report.row(cls.best, parameter=name, value=value, se=se, low=low, high=high)
        if None in ses:
            report.note(cls.best, "由样本的最小、最大值决定的参数，或信息矩阵不能求逆时，没有标准误。")
        cls._draw(report, form, part, first, x, c)
        cls._words(report, form, fits, part, x)
        return report

    @classmethod
    def _fits(cls, report: Report, form: Any, x: Floats, c: Floats) -> list[Fit]:
        fits, why = [], []
        for key in form.distributions:
            family = binomial(form.trials) if key == "binom" else FAMILIES[key]
            family = shifted(family) if family.shifts and not form.fix_loc else family
            theta = None
            reason = _unfit(family, form, x)
            if not reason:
                theta = fitting.fitted(family, x, c)
                reason = f"分布“{family.name}”参数估计未收敛，已从比较中剔除" if theta is None else ""
            if theta is None:
                why.append(reason)
                continue
            n, k, value = float(c.sum()), len(theta), fitting.log_likelihood(family, theta, x, c)
            d, a = fitting.distances(family, theta, x, c)
            fits.append(Fit(family, theta, value, 2 * k - 2 * value, k * np.log(n) - 2 * value, d, a))
        if not fits:
            raise Refusal(
                "role.values", "{why}；请在“候选分布”里换别的分布", field="distributions", also=["variables"],
                column=form.variables.id, why="；".join(dict.fromkeys(why)),
            )  # fmt: skip
        if why:
            report.warn(
                "data.left_out", "{why}。", why="；".join(dict.fromkeys(why)), columns=[form.variables],
            )  # fmt: skip
        return sorted(fits, key=lambda fit: fit.by(form.criterion))

    @classmethod
    def _with_p(cls, form: Any, fit: Fit, c: Floats) -> Fit:
        n, hits, done = int(c.sum()), 0, 0
        law = fit.family.frozen(fit.theta)
        for _ in range(DRAWS):
            x, counts = np.unique(law.rvs(n, random_state=form.rng), return_counts=True)
            own = fitting.fitted(fit.family, x, counts.astype(float)) if x.size > 1 else None
            if own is not None:
                done += 1
                hits += fit.d - 1e-12 <= fitting.distances(fit.family, own, x, counts.astype(float))[0]
        p = ranks.share_at_least(hits, done)[0] if done >= DRAWS / 2 else None
        return Fit(fit.family, fit.theta, fit.loglik, fit.aic, fit.bic, fit.d, fit.a, p)

    @classmethod
    def _draw(cls, report: Report, form: Any, part: Part, fit: Fit, x: Floats, c: Floats) -> None:
        law, ends, axis = fit.family.frozen(fit.theta), np.cumsum(c), {"x": form.variables.title}
        ordered = Ordered.of(part.x, part.counts)
        own = ordered.quantiles([p / 100 for p in PLACES], kind=7)
        for p, value in zip(PLACES, own, strict=True):
            report.row(cls.percentiles, place_p=f"P{p}", theory=float(law.ppf(p / 100)), sample=float(value))
        found = histogram(part.x, part.counts)
        report.add_rows(cls.bins, {"low": found.edges[:-1], "high": found.edges[1:], "n": found.counts})
        some = np.unique(np.linspace(0, x.size - 1, min(SHOWN, x.size)).astype(int))
        grid = np.linspace(found.edges[0], found.edges[-1], 200)
        with np.errstate(all="ignore"):
            if fit.family.discrete:
                middle = (found.edges[:-1] + found.edges[1:]) / 2
                mass = law.cdf(np.ceil(found.edges[1:]) - 1) - law.cdf(np.ceil(found.edges[:-1]) - 1)
                report.add_rows(cls.curve, {"x": middle, "y": part.n * mass})
            else:
                height = part.n * found.width * law.pdf(grid)
                keep = np.isfinite(height)
                report.add_rows(cls.curve, {"x": grid[keep], "y": height[keep]})
            place = normal_places(ends, float(part.n))[some]
            theory = law.ppf(place)
            report.add_rows(
                cls.pairs,
                {"x": theory, "y": x[some], "line": theory, "expected": law.cdf(x[some]), "share": ends[some] / part.n},
            )  # fmt: skip
            report.add_rows(cls.steps, {"x": x[some], "y": ends[some] / part.n, "series": ["样本"] * some.size})
            report.add_rows(cls.steps, {"x": grid, "y": law.cdf(grid), "series": [fit.family.name] * grid.size})
        report.chart(cls.hist, titles=axis)
        report.chart(cls.qq, titles={"y": form.variables.title})
        report.chart(cls.pp)
        report.chart(cls.cdf, titles=axis)

    @classmethod
    def _words(cls, report: Report, form: Any, fits: list[Fit], part: Part, x: Floats) -> None:
        first = fits[0]
        facts: dict[str, Any] = {
            "v": form.variables.title, "d": first.family.name, "n": part.n, "k": len(fits),
            "c": CRITERIA[form.criterion], "D": first.d, "aic": first.aic,
        }  # fmt: skip
        ahead = "只有“{d}”一种分布可以拟合" if len(fits) == 1 else "{k:integer} 种候选分布中，“{d}”的 {c} 最小"
        end = "。"
        if first.p is not None:
            facts["p"] = first.p
            end = f"；{'它与数据也有出入' if first.p < 0.05 else '没有发现它与数据不符'}（自助法 *p* {{p:peq}}）。"
        report.lead(
            f"“{{v}}”：{ahead}，拟合曲线与样本的累积分布最多相差 {{D:percent1}}{end}",
            [figure("最大差别", "{D:percent1}", "两条累积分布曲线之间"), figure("样本量", "{n:integer}")], **facts,
        )  # fmt: skip
        if len(fits) > 1 and form.criterion in ("aic", "bic"):
            gap = fits[1].by(form.criterion) - first.by(form.criterion)
            close = "，不到 2，两者难分高下。" if gap < 2 else "。"
            report.say(
                "排在第二的是“{e}”，{c} 只大 {g:num}" + close if gap < 2 else "排在第二的是“{e}”，{c} 大 {g:num}。",
                e=fits[1].family.name, c=CRITERIA[form.criterion], g=gap,
            )  # fmt: skip
        report.say("排第一只是候选中相对最好，不等于数据就来自这种分布；请看 Q-Q 图。", voice="student")
        kinds = {fit.family.discrete for fit in fits}
        mixed = len(kinds) == 2
        report.check(
            "候选分布的类型", "care" if mixed else "pass",
            "候选中既有连续分布又有离散分布，它们的对数似然、AIC、BIC 不宜互相比较。"
            if mixed else "候选分布同属一类，可以互相比较。",
        )  # fmt: skip
        report.check(
            "*p* 的来源", "pass" if first.p is not None else "care",
            "参数由样本估计，*p* 用参数自助法得出。" if first.p is not None
            else "参数由样本估计，普通 K-S 的 *p* 偏大，没有给出；*D* 和 *A*² 只作排序。",
        )  # fmt: skip
        coarse = x.size < 10 and False in kinds
        report.check(
            "取值的精细程度", "care" if coarse else "pass",
            "不同的取值有 {m:integer} 个。" + ("取值太粗，连续分布只能是近似。" if coarse else ""), m=x.size,
        )  # fmt: skip


def _unfit(family: Family, form: Any, x: Floats) -> str:
    """Why these values cannot come from the family; empty where they can."""
    v, least, most = form.variables.title, float(x[0]), float(x[-1])
    if family.values == "positive" and least <= 0:
        return f"“{v}”含小于等于0的值，不能拟合{family.name}分布"
    if family.values == "nonnegative" and least < 0:
        return f"“{v}”含小于0的值，不能拟合{family.name}分布"
    if family.values == "unit" and (least <= 0 or most >= 1):
        return f"贝塔分布要求取值在0与1之间，“{v}”不是"
    if family.discrete and (least < 0 or bool((x != np.floor(x)).any())):
        return f"计数分布要求非负整数，“{v}”含有小数或负数"
    if family.values == "trials" and most > form.trials:
        return f"“{v}”有大于试验次数 {form.trials} 的值，不能拟合二项分布"
    return ""
