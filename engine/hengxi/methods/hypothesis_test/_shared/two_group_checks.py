"""Assumptions of a comparison of two means: said with what they do to the result, never decided by a p value alone."""

from __future__ import annotations

from typing import Any

from hengxi.contract import MethodRemedy, Report, SetRemedy, more
from hengxi.contract.shapes import State
from hengxi.methods.hypothesis_test._shared.pair import Pair
from hengxi.methods.hypothesis_test._shared.rank_checks import RankWords, rank_check
from hengxi.stats.effect_size import detectable
from hengxi.stats.moments import Moments
from hengxi.stats.normality import TESTED_MOST, Normality
from hengxi.stats.two_groups import RankTest, Ratio, TTest, levene, variance_ratio

ALPHA = 0.05
"""Level of the checks themselves, whatever the confidence level of the result."""
SMALL, MANY = 30, 50
MEDIUM = 0.5
"""Cohen's medium d: a sample that finds it is called large enough."""
SKEWED, HEAVY = 2.0, 7.0
"""|skewness| and kurtosis beyond which means of normal size become unreliable (West, Finch & Curran 1995)."""

LEVENE, BROWN, FISHER = "Levene（均值）", "Brown-Forsythe（中位数）", "F 检验"


def homogeneity(pair: Pair, form: Any) -> dict[str, Ratio | None]:
    """Levene and Brown-Forsythe always; Fisher's F only where it is what the user lets decide."""
    (x, fx), (z, fz) = pair.samples
    means = (pair.a.anchor, pair.a.centre), (pair.b.anchor, pair.b.centre)
    medians = (pair.ordered[0].median, 0.0), (pair.ordered[1].median, 0.0)
    found = {LEVENE: levene(x, z, fx, fz, means), BROWN: levene(x, z, fx, fz, medians)}
    if form.test == "auto" and form.equal_check == "f":
        found[FISHER] = variance_ratio(pair.a, pair.b)
    return found


def decisive(form: Any, checks: dict[str, Ratio | None]) -> tuple[str, Ratio | None]:
    name = {"levene_median": BROWN, "f": FISHER}.get(form.equal_check, LEVENE) if form.test == "auto" else LEVENE
    return name, checks[name]


def chosen(form: Any, checks: dict[str, Ratio | None]) -> str:
    """Which of the two rows the conclusion reads. Without a usable test of homogeneity: Welch, which needs none."""
    if form.test != "auto":
        return "Welch" if form.test == "welch" else "Student"
    found = decisive(form, checks)[1]
    return "Student" if found is not None and found.p >= ALPHA else "Welch"


def report_all(
    report: Report,
    pair: Pair,
    form: Any,
    name: str,
    shapes: list[Normality | None],
    checks: dict[str, Ratio | None],
    read: TTest,
    ranks: RankTest | None,
) -> None:
    _normality(report, pair, form, shapes)
    _homogeneity(report, pair, form, name, checks)
    _size(report, pair, form)
    if ranks is not None:
        _rank(report, pair, form, name, read, ranks)


def normality_state(pair: Pair, shapes: list[Normality | None]) -> State:
    """Shape and size decide together: with many cases a small p is no harm, with few a large p is no proof."""
    if any(test is None and not untested(m) for (_, m), test in zip(pair.both, shapes, strict=True)):
        return "unknown"
    worst: State = "pass"
    for (_, m), test in zip(pair.both, shapes, strict=True):
        skew, heavy = abs(m.skewness or 0), (m.kurtosis or 0)
        severe = skew > SKEWED or heavy > HEAVY
        if test is not None and test.p < ALPHA and ((m.n < SMALL and skew > 1) or (severe and m.n < 2 * MANY)):
            return "fail"
        if severe or (test is not None and test.p < ALPHA):
            worst = "care"
    return worst


def untested(m: Moments) -> bool:
    """So many cases that any deviation would be found: shape alone is looked at."""
    return m.n > TESTED_MOST and m.sd > 0


def _normality(report: Report, pair: Pair, form: Any, shapes: list[Normality | None]) -> None:
    state: State = normality_state(pair, shapes)
    facts: dict[str, Any] = {"first": pair.first, "second": pair.second, "n": min(pair.a.n, pair.b.n)}
    data = []
    for i, ((_, m), test) in enumerate(zip(pair.both, shapes, strict=True), 1):
        word = "first" if i == 1 else "second"
        facts |= {f"g{i}": m.skewness, f"w{i}": test.name if test else "", f"p{i}": test.p if test else None}
        skewness = f"偏度 {{g{i}:num}}" if m.skewness is not None else "偏度无法计算"
        if untested(m) and m.kurtosis is not None:
            facts[f"k{i}"] = m.kurtosis
            skewness += f"，峰度 {{k{i}:num}}"
        why = "，样本很大，不做检验，看偏度、峰度" if untested(m) else "，样本太小或没有变异，未做正态性检验"
        tested = f"，{{w{i}}} *p* {{p{i}:peq}}" if test else why
        data.append(f"“{{{word}}}”组：{skewness}{tested}")
    judged = {
        "pass": "近似正态。",
        "care": "不太正态；每组至少 30 例，对均值的比较影响不大。"
        if facts["n"] >= SMALL
        else "不太正态，而且有一组不足 30 例，请看图并与秩检验对照。",
        "fail": "明显不正态而样本不大，*p* 和区间可能不准，请与秩检验对照。",
        "unknown": "有的组太小或没有变异，不能判断是否正态。",
    }[state]
    remedies = _rank_remedies(form) if state in ("care", "fail", "unknown") else []
    report.check(
        "正态性",
        state,
        "；".join(data) + "。" + judged,
        more=more(
            "t 检验假定每组的取值大致呈正态。Shapiro-Wilk 用于 3 到 5000 例，更多时用 Lilliefors"
            "（*p* 由 Dallal-Wilkinson 与 Stephens 的公式近似）；超过 50000 例不做检验，只看偏度、峰度。",
            "；".join(data) + "。较小的一组有 {n:integer} 例。",
            "样本小时正态性检验查不出偏离，样本大时无关紧要的偏离也会有很小的 *p*，所以这里按偏度、峰度和样本量一起判断"
            "（参考标准：偏度绝对值 2、峰度 7，West 等，1995；不足 30 例的组，检验的 *p* 小于 .05 而偏度绝对值超过 1 时"
            "也当作明显偏离，这是经验界限）。",
            "看箱线图有没有长尾和离群值；偏离明显又样本小时，另加 Mann-Whitney U 检验对照，或先对变量取对数。",
        ),
        remedies=remedies,
        **facts,
    )


def _rank_remedies(form: Any) -> list[Any]:
    if form.robust:
        return []
    other = "hypothesis_test/independent_samples_mann_whitney_test"
    return [
        SetRemedy(title="另加 Mann-Whitney U 检验", set={"robust": True}),
        MethodRemedy(title="改用 Mann-Whitney U 检验", method=other, carry=["group", "variables"]),
    ]


def _homogeneity(report: Report, pair: Pair, form: Any, name: str, checks: dict[str, Ratio | None]) -> None:
    which, found = decisive(form, checks)
    facts: dict[str, Any] = {
        "which": which,
        "s1": pair.a.sd,
        "s2": pair.b.sd,
        "first": pair.first,
        "second": pair.second,
        "unit": pair.unit,
    }
    if found is None:
        reading = (
            "采用 Welch 检验，方差不齐也不影响结论。"
            if name == "Welch"
            else "采用的是等方差 t 检验，请核对两组标准差。"
        )
        report.check(
            "方差齐性", "unknown", "组内没有变异，或各组内的离差全部相同，齐性检验算不出来。" + reading, **facts
        )
        return
    facts |= {"F": found.F, "df1": found.df1, "df2": found.df2, "p": found.p}
    unequal = found.p < ALPHA
    state: State = "pass" if not unequal else "care" if name == "Welch" else "fail"
    still = [word for word, m in pair.both if m.sd == 0]
    if form.test == "auto":
        row = " Welch " if name == "Welch" else "等方差 t "
        ending = f"据此采用{row}检验；事先定好用 Welch 更稳妥。"
    elif name == "Welch":
        ending = "采用 Welch 检验，方差不齐也不影响结论。"
    else:
        ending = "两组方差不等，而采用的是等方差 t 检验。" if unequal else "没有发现方差不等。"
    if still and state == "pass":
        state = "care"
        ending = f"“{{still}}”组没有变异，这个 *p* 大不能当作方差相同。{ending}"
        facts["still"] = still[0]
    remedies = [SetRemedy(title="改用 Welch", set={"test": "welch"})] if state == "fail" or form.test == "auto" else []
    report.check(
        "方差齐性",
        state,
        "{which}：*F*({df1:integer}, {df2:integer}) = {F:num}，*p* {p:peq}。" + ending,
        more=more(
            "等方差 t 检验假定两组的方差相同；Welch 检验不作这个假定。",
            "“{first}”组的标准差为 {s1:num}{unit}，“{second}”组为 {s2:num}{unit}。",
            "两组例数相近时影响很小；例数悬殊而方差不等时，等方差一行的 *p* 可能偏大或偏小很多。",
            "默认采用 Welch 检验，不看齐性检验的结果。",
        ),
        remedies=remedies,
        **facts,
    )


def _size(report: Report, pair: Pair, form: Any) -> None:
    d = detectable(pair.a.n, pair.b.n, form.alternative, form.conf_level)
    least = min(pair.a.n, pair.b.n)
    state: State = "care" if least < 10 else "pass"
    few = "两组都不足" if max(pair.a.n, pair.b.n) < 10 else "有一组不足"
    ending = f"{few} 10 例，只有很大的差异才看得出来，区间也会很宽。" if least < 10 else ""
    report.check(
        "样本量",
        state,
        f"两组 {{n1:integer}} 与 {{n2:integer}} 例，{'样本够大：' if d <= MEDIUM else ''}"
        "有八成把握发现 |*d*| ≥ {d:num} 的差异。" + ending,
        more=more(
            "功效是真有差异时查得出来的机会。这里算的是等方差 t 检验在所选备择假设和 α = {alpha:alpha} 下，"
            "有八成机会查出的最小效应。",
            "“{first}”组 {n1:integer} 例，“{second}”组 {n2:integer} 例。",
            "比 |*d*| = {d:num} 更小的真实差异，这个样本查得出来的机会不到八成，越小机会越小："
            "未达到统计学意义时不能当作没有差异。",
            "研究之前按预期的效应大小算样本量；已有的数据请看置信区间有多宽。",
        ),
        n1=pair.a.n,
        n2=pair.b.n,
        d=d,
        alpha=1 - form.conf_level,
        first=pair.first,
        second=pair.second,
    )


def _rank(report: Report, pair: Pair, form: Any, name: str, read: TTest, ranks: RankTest) -> None:
    words = RankWords(
        "Mann-Whitney",
        "*U* = {U:num}，*p* {p:peq}",
        "Mann-Whitney U 检验只用大小次序，不要求正态，离群值影响小；它比较的是谁更常较大，不是均值差。",
        added="；随机各取一例，“{first}”组较大的概率为 {share:percent1}（相同算一半）",
    )
    facts = {"U": ranks.u, "share": ranks.superiority, "first": pair.first}
    rank_check(report, words, " t 检验", read.p, 1 - form.conf_level, p=ranks.p, **facts)
