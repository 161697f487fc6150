"""Assumptions of a comparison of samples: said with what they do to the result, never decided by a p value alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hengxi.contract import Report, more
from hengxi.contract.shapes import State
from hengxi.methods.hypothesis_test._shared.samples import Sample
from hengxi.stats.moments import Moments
from hengxi.stats.normality import TESTED_MOST, Normality

ALPHA = 0.05
"""Level of the checks themselves, whatever the confidence level of the result."""
SMALL, MANY = 30, 50
SKEWED, HEAVY = 2.0, 7.0
"""|skewness| and kurtosis beyond which means of normal size become unreliable (West, Finch & Curran 1995)."""
TIED = 0.25
"""Share of tied cases from which it is said."""


@dataclass(frozen=True)
class Shape:
    """A sample as its normality is judged: what it is called, its moments, the test of it where there is one."""

    word: str
    moments: Moments
    test: Normality | None

    @classmethod
    def of(cls, sample: Sample) -> Shape:
        return cls(sample.name, sample.moments, sample.shape)


def untested(m: Moments) -> bool:
    """So many cases that any deviation would be found: shape alone is looked at."""
    return m.n > TESTED_MOST and m.sd > 0


def normality_state(shapes: Sequence[Shape]) -> State:
    """Shape and size decide together: with many cases a small p is no harm, with few a large p is no proof."""
    if any(s.test is None and not untested(s.moments) for s in shapes):
        return "unknown"
    worst: State = "pass"
    for s in shapes:
        m, test = s.moments, s.test
        skew, heavy = abs(m.skewness or 0), (m.kurtosis or 0)
        severe = skew > SKEWED or heavy > HEAVY
        if test is not None and test.p < ALPHA and ((m.n < SMALL and skew > 1) or (severe and m.n < 2 * MANY)):
            return "fail"
        if severe or (test is not None and test.p < ALPHA):
            worst = "care"
    return worst


def normality(report: Report, shapes: Sequence[Shape], remedies: Sequence[Any], alone: str = "") -> None:
    """Of the groups whose means are compared; `alone`: what the one sample is called (检验变量, 差值)."""
    state = normality_state(shapes)
    facts: dict[str, Any] = {"n": min(s.moments.n for s in shapes)}
    data = []
    for i, s in enumerate(shapes, 1):
        m, test = s.moments, s.test
        word = {1: "first", 2: "second"}.get(i, f"word{i}")
        facts |= {
            word: s.word,
            f"g{i}": m.skewness,
            f"w{i}": test.name if test else "",
            f"p{i}": test.p if test else None,
        }
        skewness = f"偏度 {{g{i}:num}}" if m.skewness is not None else "偏度无法计算"
        if untested(m) and m.kurtosis is not None:
            facts[f"k{i}"] = m.kurtosis
            skewness += f"，峰度 {{k{i}:num}}"
        why = "，样本很大，不做检验，看偏度、峰度" if untested(m) else "，样本太小或没有变异，未做正态性检验"
        tested = f"，{{w{i}}} *p* {{p{i}:peq}}" if test else why
        data.append(f"{alone}：{skewness}{tested}" if alone else f"“{{{word}}}”组：{skewness}{tested}")
    large = facts["n"] >= SMALL
    care = (
        "不太正态；每组至少 30 例，对均值的比较影响不大。"
        if large
        else ("不太正态，而且有一组不足 30 例，请看图并与秩检验对照。")
    )
    unknown = "有的组太小或没有变异，不能判断是否正态。"
    if alone:
        care = (
            "不太正态；至少有 30 例，对均值的检验影响不大。" if large else "不太正态，而且不足 30 例，请与秩检验对照。"
        )
        unknown = "样本太小或没有变异，不能判断是否正态。"
    judged = {
        "pass": "近似正态。",
        "care": care,
        "fail": "明显不正态而样本不大，*p* 和区间可能不准，请与秩检验对照。",
        "unknown": unknown,
    }[state]
    report.check(
        "正态性",
        state,
        "；".join(data) + "。" + judged,
        more=more(
            f"t 检验假定{alone or '每组'}的取值大致呈正态。Shapiro-Wilk 用于 3 到 5000 例，更多时用 Lilliefors"
            "（*p* 由 Dallal-Wilkinson 与 Stephens 的公式近似）；超过 50000 例不做检验，只看偏度、峰度。",
            "；".join(data) + ("。共 {n:integer} 例。" if alone else "。较小的一组有 {n:integer} 例。"),
            "样本小时正态性检验查不出偏离，样本大时无关紧要的偏离也会有很小的 *p*，所以这里按偏度、峰度和样本量一起判断"
            "（参考标准：偏度绝对值 2、峰度 7，West 等，1995；不足 30 例的组，检验的 *p* 小于 .05 而偏度绝对值超过 1 时"
            "也当作明显偏离，这是经验界限）。",
            "看箱线图有没有长尾和离群值；偏离明显又样本小时，"
            + ("改用秩检验对照，或先对变量取对数。" if alone else "另加 Mann-Whitney U 检验对照，或先对变量取对数。"),
        ),
        remedies=list(remedies) if state in ("care", "fail", "unknown") else [],
        **facts,
    )


def size_for_mean(report: Report, n: int, d: float, alpha: float) -> None:
    """How small a difference a test of one mean finds: `d` as `effect_size.detectable_one` gives it."""
    few = n < 10
    report.check(
        "样本量",
        "care" if few else "pass",
        f"{{n:integer}} 例，{'样本够大：' if d <= 0.5 else ''}有八成把握发现 |*d*| ≥ {{d:num}} 的差异。"
        + ("不足 10 例，只有很大的差异才看得出来，区间也会很宽。" if few else ""),
        more=more(
            "功效是真有差异时查得出来的机会。这里算的是 t 检验在所选备择假设和 α = {alpha:alpha} 下，"
            "有八成机会查出的最小效应。",
            "共 {n:integer} 例。",
            "比 |*d*| = {d:num} 更小的真实差异，查得出来的机会不到八成：未达到统计学意义时不能当作没有差异。",
            "研究之前按预期的效应大小算样本量；已有的数据请看置信区间有多宽。",
        ),
        n=n,
        d=d,
        alpha=alpha,
    )


def size_for_ranks(
    report: Report, sizes: Sequence[int], least_p: float | None, alpha: float, test: str = "秩检验"
) -> None:
    """Whether a rank test can find anything: `least_p` is the smallest p these sizes allow, where it is exact."""
    cannot = least_p is not None and least_p >= alpha
    few = min(sizes) < 5
    ending = (
        "样本太小：数据再极端，*p* 最小也只能是 {least_p:pvalue}，不可能小于 {alpha:alpha}。"
        if cannot
        else "样本很小，只有很大的差异才看得出来。"
        if few
        else f"样本量足够做{test}。"
    )
    report.check(
        "样本量", "fail" if cannot else "care" if few else "pass",
        ("各样本 {sizes} 例。" if len(sizes) > 1 else "{sizes} 个非零差值。") + ending,
        sizes="、".join(f"{n}" for n in sizes), least_p=least_p, alpha=alpha,
    )  # fmt: skip


def ties(report: Report, tied: int, n: int, how: str) -> None:
    """`tied`: cases that share their value with another; `how`: what the p does about it."""
    share = tied / n
    report.check(
        "相同的值", "care" if share > TIED else "pass",
        f"{{tied:integer}} 例与别的取值相同，占 {{share:percent1}}。{how}", tied=tied, share=share,
    )  # fmt: skip
