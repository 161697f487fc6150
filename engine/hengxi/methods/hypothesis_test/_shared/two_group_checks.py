"""Assumptions of a comparison of two means: said with what they do to the result, never decided by a p value alone."""

from __future__ import annotations

from typing import Any

from hengxi.contract import MethodRemedy, Report, SetRemedy, more
from hengxi.contract.shapes import State
from hengxi.methods.hypothesis_test._shared import sample_checks
from hengxi.methods.hypothesis_test._shared.pair import Pair
from hengxi.methods.hypothesis_test._shared.rank_checks import RankWords, rank_check
from hengxi.methods.hypothesis_test._shared.sample_checks import ALPHA
from hengxi.stats.effect_size import detectable
from hengxi.stats.normality import Normality
from hengxi.stats.two_groups import RankTest, Ratio, TTest, levene, variance_ratio

MEDIUM = 0.5
"""Cohen's medium d: a sample that finds it is called large enough."""

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


def _normality(report: Report, pair: Pair, form: Any, shapes: list[Normality | None]) -> None:
    looked = [sample_checks.Shape(word, m, test) for (word, m), test in zip(pair.both, shapes, strict=True)]
    sample_checks.normality(report, looked, _rank_remedies(form))


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
