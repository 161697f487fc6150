"""Assumptions of a comparison of several means: said with what they do to the result, never decided by a p alone."""

from __future__ import annotations

from typing import Any

from hengxi.contract import MethodRemedy, Report, SetRemedy, more
from hengxi.contract.shapes import State
from hengxi.methods.hypothesis_test._shared import post_hoc
from hengxi.methods.hypothesis_test._shared.many_group_words import FORMS
from hengxi.methods.hypothesis_test._shared.many_groups import ManyGroups
from hengxi.methods.hypothesis_test._shared.rank_checks import RankWords, rank_check
from hengxi.methods.hypothesis_test._shared.sample_checks import ALPHA, HEAVY, MANY, SKEWED, SMALL
from hengxi.methods.hypothesis_test._shared.two_group_checks import BROWN, LEVENE
from hengxi.stats import one_way
from hengxi.stats.normality import Normality, normality
from hengxi.stats.one_way import ChiSquare, Ranks
from hengxi.stats.two_groups import Ratio

RANKS = "hypothesis_test/multiple_sample_kruskal_wallis_test"


def homogeneity(groups: ManyGroups) -> dict[str, Ratio | None]:
    means = [(m.anchor, m.centre) for m in groups.each]
    medians = [(one.median, 0.0) for one in groups.ordered]
    return {LEVENE: one_way.levene(groups.samples, means), BROWN: one_way.levene(groups.samples, medians)}


def other_homogeneity(groups: ManyGroups) -> dict[str, ChiSquare | None]:
    """Tests whose statistic is χ²; Fligner-Killeen ranks all cases and is left out of large tables."""
    tests: dict[str, ChiSquare | None] = {"Bartlett": one_way.bartlett(groups.each)}
    if groups.n <= one_way.FLIGNER_MOST:
        tests["Fligner-Killeen"] = one_way.fligner(groups.samples, [ordered.median for ordered in groups.ordered])
    return tests


def report_all(
    report: Report,
    groups: ManyGroups,
    form: Any,
    name: str,
    checks: dict[str, Ratio | None],
    how: str,
    read: Ratio,
    ranks: Ranks | None,
) -> None:
    _normality(report, groups, form)
    _homogeneity(report, groups, form, name, checks)
    _size(report, groups, form)
    if how != "none" and groups.k > 2:
        _family(report, groups, how, form.conf_level)
    if ranks is not None:
        _rank(report, form, read, ranks)


def _state(groups: ManyGroups, test: Normality | None) -> State:
    skew, heavy = abs(groups.residual_shape[0] or 0), groups.residual_shape[1] or 0
    least = min(m.n for m in groups.each)
    severe = skew > SKEWED or heavy > HEAVY
    small_p = test is not None and test.p < ALPHA
    if (small_p and least < SMALL and skew > 1) or (severe and least < 2 * MANY):
        return "fail"
    return "care" if severe or small_p else "pass"


def _normality(report: Report, groups: ManyGroups, form: Any) -> None:
    (skewness, kurtosis), test = groups.residual_shape, normality(*groups.residuals)
    state = _state(groups, test)
    least = min(m.n for m in groups.each)
    ending = {
        "pass": "近似正态。",
        "care": "不太正态；每组至少 30 例，对均值的比较影响不大。"
        if least >= SMALL
        else "不太正态，而且有的组不足 30 例，请看 Q-Q 图并与秩检验对照。",
        "fail": "明显不正态而样本不大，*p* 和区间可能不准，请与秩检验对照。",
        "unknown": "",
    }[state]
    shape = "偏度 {skew:num}" if skewness is not None else "偏度无法计算"
    shape += "，峰度 {kurt:num}" if kurtosis is not None else ""
    tested = "，{which} *p* {p:peq}" if test else "，样本很大，不做检验，看偏度、峰度"
    remedies: list[Any] = []
    if state != "pass" and not form.robust:
        remedies = [
            SetRemedy(title="另加 Kruskal-Wallis 检验", set={"robust": True}),
            MethodRemedy(title="改用 Kruskal-Wallis 检验", method=RANKS, carry=["group", "variables"]),
        ]
    report.check(
        "正态性",
        state,
        f"残差（取值减去本组均值）：{shape}{tested}。{ending}",
        more=more(
            "方差分析假定各组内的取值大致呈正态。这里看全部残差；各组的检验列在描述统计表里。",
            f"{shape}{tested}；最小的一组 {{n:integer}} 例。",
            "样本小时检验查不出偏离，样本大时无关紧要的偏离也会有很小的 *p*，所以按偏度、峰度和样本量一起判断"
            "（参考标准：偏度绝对值 2、峰度 7，West 等，1995；有的组不足 30 例时，检验的 *p* 小于 .05 而"
            "偏度绝对值超过 1 也当作明显偏离，这是经验界限）。",
            "看 Q-Q 图两端和箱线图的离群值；偏离明显又样本小时，另加 Kruskal-Wallis 检验对照，或先对变量取对数。",
        ),
        remedies=remedies,
        skew=skewness,
        kurt=kurtosis,
        which=test.name if test else "",
        p=test.p if test else None,
        n=least,
    )


def _homogeneity(report: Report, groups: ManyGroups, form: Any, name: str, checks: dict[str, Ratio | None]) -> None:
    found, classic = checks[LEVENE], name == "fisher"
    sds = sorted(zip([m.sd for m in groups.each], groups.names, strict=True))
    facts: dict[str, Any] = {"s1": sds[-1][0], "s2": sds[0][0], "first": sds[-1][1], "second": sds[0][1]}
    facts["unit"] = groups.unit
    independent = f"采用 {FORMS[name]}，方差不齐也不影响结论。"
    if found is None:
        ending = "采用的是经典 F，请核对各组标准差。" if classic else independent
        report.check("方差齐性", "unknown", "各组内的离差全部相同，齐性检验算不出来。" + ending, **facts)
        return
    unequal = found.p < ALPHA
    state: State = "pass" if not unequal else "fail" if classic else "care"
    if form.method == "auto":
        ending = f"据此采用{FORMS[name] if classic else f' {FORMS[name]}'}；事先定好用 Welch 更稳妥。"
    elif not classic:
        ending = independent
    else:
        ending = "各组方差不等，而采用的是经典 F。" if unequal else "没有发现方差不等。"
    remedies = [SetRemedy(title="改用 Welch F", set={"method": "welch"})] if state == "fail" else []
    report.check(
        "方差齐性",
        state,
        "Levene（均值）：*F*({df1:integer}, {df2:integer}) = {F:num}，*p* {p:peq}。" + ending,
        more=more(
            "经典 F 检验假定各组方差相同；Welch 与 Brown-Forsythe 的 F 不作这个假定。",
            "标准差最大的是“{first}”组（{s1:num}{unit}），最小的是“{second}”组（{s2:num}{unit}）。",
            "各组例数相近时影响较小；例数悬殊而方差不等时，经典 F 的 *p* 可能偏大或偏小很多。",
            "默认采用 Welch F 与 Games-Howell，不看齐性检验的结果。",
        ),
        remedies=remedies,
        F=found.F,
        df1=found.df1,
        df2=found.df2,
        p=found.p,
        **facts,
    )


def _size(report: Report, groups: ManyGroups, form: Any) -> None:
    least = min(m.n for m in groups.each)
    f = one_way.detectable(groups.whole, form.conf_level)
    state: State = "care" if least < 10 else "pass"
    ending = "有的组不足 10 例，只有很大的差异才看得出来，区间也会很宽。" if least < 10 else ""
    start = "有八成把握发现 Cohen's *f* ≥ {f:num} 的差异。" if f is not None else ""
    report.check(
        "样本量",
        state,
        "{k:integer} 组共 {n:integer} 例，最小的一组 {least:integer} 例。" + start + ending,
        more=more(
            "功效是真有差异时查得出来的机会。这里按经典 F 检验、各组现有例数和 α = {alpha:alpha} 计算。",
            "{k:integer} 组共 {n:integer} 例，最小的一组 {least:integer} 例。",
            "比这更小的真实差异，这个样本查得出来的机会不到八成，越小机会越小：未达到统计学意义时不能当作没有差异。",
            "研究之前按预期的效应大小算样本量；已有的数据请看置信区间有多宽。",
        ),
        k=groups.k,
        n=groups.n,
        least=least,
        f=f,
        alpha=1 - form.conf_level,
    )


def _family(report: Report, groups: ManyGroups, how: str, level: float) -> None:
    m = groups.k - 1 if how == "dunnett" else groups.k * (groups.k - 1) // 2
    loose = how in post_hoc.UNCONTROLLED
    ending = "已把整体错误率控制在 {alpha:alpha} 以内。"
    if how == "games_howell":
        # Close to the level, above it by little in small and very unequal groups.
        ending = "已把整体错误率大致控制在 {alpha:alpha} 以内。"
    elif how == "snk":
        ending = (
            "只在各组总体均值全都相同时把整体错误率控制在 {alpha:alpha} 以内；有四组以上而只有一部分相同时，"
            "至少错报一对的机会可能更大。"
        )
    elif loose:
        ending = "不控制整体错误率：各组真的没有差异时，至少错报一对的机会大于 {alpha:alpha}。"
    what = "与对照组的比较" if how == "dunnett" else "两两比较"
    report.check(
        "多重比较",
        "care" if loose else "pass",
        f"{what}共 {{m:integer}} 次，{{how}} {ending}",
        more=more(
            "比较的次数越多，碰巧出现小 *p* 的机会越大。",
            "这里比较 {m:integer} 次，用 {how}。",
            "不校正时，20 次比较中平均会有 1 次在没有差异时给出 *p* < .05。",
            "等方差时用 Tukey HSD，不等方差时用 Games-Howell；只与一个对照组比时用 Dunnett。",
        ),
        remedies=[SetRemedy(title="改用 Games-Howell", set={"post_hoc": "games_howell"})] if loose else [],
        m=m,
        how=post_hoc.TITLES[how],
        alpha=1 - level,
    )


def _rank(report: Report, form: Any, read: Ratio, ranks: Ranks) -> None:
    words = RankWords(
        "Kruskal-Wallis",
        "*H*({df:integer}) = {H:num}，*p* {p:peq}",
        "Kruskal-Wallis 检验只用大小次序，不要求正态，离群值影响小；它比较的是谁更常较大，不是均值。",
    )
    rank_check(report, words, "方差分析", read.p, 1 - form.conf_level, p=ranks.p, H=ranks.H, df=ranks.df)
