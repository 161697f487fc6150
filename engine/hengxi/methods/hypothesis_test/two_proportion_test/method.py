from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Column,
    Level,
    MethodRemedy,
    Refusal,
    Report,
    Table,
    alternative,
    choice,
    claim,
    figure,
    integer,
    interval,
    num,
    number,
    percent,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.families.counts.sides import SIDE_WORDS, span
from hengxi.methods.hypothesis_test._shared import two_levels
from hengxi.methods.hypothesis_test._shared.rates import Rates, RatesByGroup
from hengxi.stats import contingency, exact_two_by_two, proportions
from hengxi.stats.proportions import Two

WAYS = {
    "newcomb": "Newcombe", "wald": "Wald", "agresti_caffo": "Agresti-Caffo", "score": "Miettinen-Nurminen",
}  # fmt: skip
OTHER = MethodRemedy(
    title="改用多样本率比较", method="hypothesis_test/multi_proportion_test", carry=["group", "y", "weight"]
)


class TwoProportionTest(RatesByGroup):
    """The rates of two independent groups: difference with its interval, ratio, odds."""

    title, title_en = "两样本率检验", "Two-sample proportion test"
    purpose = "两个独立组的率是否有差异"
    aliases = ("两个率的比较", "率差", "RR", "OR", "NNT", "two-sample proportion", "A/B测试", "转化率比较")
    references = (
        "newcombe1998", "wilson1927", "miettinen1985", "agresticaffo2000", "farrington1990", "fisher1922", "cohen1988",
        "holm1979",
    )  # fmt: skip
    conventions = (
        "率差 = 第一组 − 第二组；组的先后照所选次序，未选时按取值次序。",
        "检验差值为 0 时 Z 用合并方差（Z² 即不作连续性校正的 χ²）；不为 0 时用约束极大似然方差（Farrington-Manning）。",
        "Newcombe 为其第 10 种方法（由两个 Wilson 区间合成）；Miettinen-Nurminen 带 N/(N − 1)。",
        "OR 的区间用 Woolf 法，RR 用 Katz 法；有空单元格时不给，不加 0.5。",
        "NNT = 1/率差，只在率差的双侧区间不含 0 时给出；Cohen's h 的标准误为 √(1/n₁ + 1/n₂)。",
        "Fisher 检验只检验率差为 0；单侧与备择假设同向。",
    )

    class Input(RatesByGroup.Input):
        group: Column = role("分组变量X", "定类")
        groups: list[Level] = two_levels.field("超过两类时须选出两类；率差 = 第一个 − 第二个")
        alternative: str = alternative("大于、小于都指第一组对第二组")
        ci_method: str = choice("率差区间", WAYS)
        null_diff: float = number("检验差值", 0, above=-1, below=1, hint="检验率差是否等于这个数，一般填 0")

    result = Table(
        "两率比较", difference=percent("率差", least=-1), ci=interval("率差CI", "low", "high", around=(
            "diffe"
            "rence"
        ), inside=False),
        z=num("*Z*"), chi2=num("χ²", least=0), df=integer("*df*"), p=pvalue(), fisher=pvalue(
            "Fisher "
            "*p*"
        ), place="main",
        claim=claim(
            "groups", stat("*Z*", "z"), effect="difference", interval="ci", outcome="y", by="group",
        ),
    )  # fmt: skip
    effects = Table(
        "效应量",
        effect=text("效应量"),
        value=num("估计"),
        ci=interval("CI", "low", "high", around="value", inside=False),
    )

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        for one in form.groups:
            if not form.group.where(one).any():
                text = "组“{g}”在“{y}”有值的行里没有样本，请换一组或换一个变量"
                raise Refusal("data.few", text, field="groups", column=form.group.id, g=one.label, y=form.y.title)
        many = "需要恰好两组，分组变量“{v}”有 {k} 个类别：请在“比较的两组”中选两组，或改用多样本率比较"
        rates = cls.rates_of(report, form, list(two_levels.chosen(form, many, OTHER)))
        two = Two(*(float(v) for v in (rates.hits[0], rates.sizes[0], rates.hits[1], rates.sizes[1])))
        z = two.z(form.null_diff)
        assert z is not None  # somebody is of the category and somebody is not
        p = proportions.tail(z, form.alternative)
        low, high = proportions.difference(form.ci_method, two, form.conf_level, form.alternative)
        fisher = exact_two_by_two.fisher(rates.table).of(form.alternative) if form.null_diff == 0 else None
        report.row(
            cls.result, difference=two.difference, low=low, high=high, z=z, chi2=z * z, df=1, p=p, fisher=fisher
        )  # fmt: skip
        if fisher is None:
            report.note(cls.result, "检验差值不为 0，没有 Fisher 检验。")
        report.note(
            cls.result, (
                "率差区间用 {how:text} 法，置信水平 {level:percent}；检验不作连续性校正。"
                ""
            ), how=WAYS[form.ci_method],
            level=form.conf_level,
        )  # fmt: skip
        h = cls._effects(report, form, rates, two)
        cls._words(report, form, rates, {"diff": two.difference, "low": low, "high": high, "z": z, "p": p, "h": h})
        cls._check(report, rates)
        cls.judge_independence(report)
        return report

    @classmethod
    def _effects(cls, report: Report, form: Any, rates: Rates, two: Two) -> float:
        level = form.conf_level
        for name, ratio in (
            ("RR", contingency.risk_ratio(rates.table, 0, level)),
            ("OR", contingency.odds_ratio(rates.table, level)),
        ):
            if ratio is not None:
                report.row(cls.effects, effect=name, value=ratio.value, low=ratio.low, high=ratio.high)
        low, high = proportions.difference(form.ci_method, two, level)
        if low > 0 or high < 0:
            value = 1 / two.difference
            report.row(cls.effects, effect="NNT", value=value, low=1 / high, high=1 / low)
        h = proportions.cohen_h(two.p1, two.p2)
        half = proportions.z_of(level) * float(np.sqrt(1 / two.n1 + 1 / two.n2))
        report.row(cls.effects, effect="Cohen's h", value=h, low=h - half, high=h + half)
        report.note(
            cls.effects, (
                "区间都是双侧的。NNT 在率差的区间含 0 时不给，负数表示第一组的率较低；RR、OR 在有组为 "
                "0 时不给。"
            )
        )  # fmt: skip
        return h

    @classmethod
    def _words(cls, report: Report, form: Any, rates: Rates, facts: dict[str, Any]) -> None:
        side, level = form.alternative, form.conf_level
        names = rates.names
        facts |= {
            "y": form.y.title, "c": rates.word, "a": names[0], "b": names[1], "s1": float(rates.shares[0]),
            "s2": float(rates.shares[1]), "n1": rates.sizes[0], "n2": rates.sizes[1], "level": level,
            "d0": form.null_diff,
        }  # fmt: skip
        yes = facts["p"] < 1 - level
        ends = span(side, "percent1")
        shares = "“{y}”为“{c}”的率，“{a}”组 {s1:percent1}，“{b}”组 {s2:percent1}"
        size = f"率差 {{diff:percent1}}（{ends}）"
        test = "*Z* = {z:num}，*p* {p:peq}"
        verdict = _verdict(side, form.null_diff, yes)
        if yes:
            lead = f"{shares}，{size}。{verdict}（{test}）。"
            student = "两组的差别不像是碰巧。差几个百分点算大，由您的领域决定；有差异不等于因果。"
        else:
            lead = f"{shares}。{verdict}：{size}，{test}。"
            student = "“没有发现”不等于两组的率相同，真实的率差可能在区间里的任何地方。"
        figures = [figure("率差", "{diff:percent1}", ends), figure("检验", "*p* {p:peq}", "*Z* = {z:num}")]
        report.lead(lead, figures, **facts)
        report.say(f"先看率差：{size}。{student}", voice="student", **facts)
        report.say(
            f"两样本率检验（{SIDE_WORDS[side]}）：{shares}（*n* = {{n1:integer}} 与 {{n2:integer}}），"
            f"{verdict}，"
            f"{test}，{size}，Cohen's *h* = {{h:num}}。",
            voice="paper", **facts,
        )  # fmt: skip
        report.say(f"{shares}。{verdict}（*p* {{p:peq}}）。", voice="brief", **facts)

    @staticmethod
    def _check(report: Report, rates: Rates) -> None:
        least = float(contingency.expected(rates.table).min())
        few = least < 5
        end = "小于 5，*Z* 的近似不可靠，请以 Fisher 精确检验为准。" if few else "近似可用。"
        remedy = MethodRemedy(
            title="改用 Fisher 精确检验", method="hypothesis_test/fisher_exact_test", carry=["y", "weight"]
        )
        report.check(
            "期望频数", "care" if few else "pass", "最小期望频数 {least:num}，" + end, least=least,
            remedies=[remedy] if few else [],
        )  # fmt: skip


def _verdict(side: str, gap: float, yes: bool) -> str:
    """What p speaks for, in the words of the hypothesis."""
    if gap == 0:
        if side == "two_sided":
            return "差异有统计学意义" if yes else "没有发现明显差异"
        claim = f"“{{a}}”组的率较{'高' if side == 'greater' else '低'}"
    else:
        relation = {"two_sided": "不等于", "greater": "大于", "less": "小于"}[side]
        claim = f"率差{relation}检验差值 {{d0:percent1}}"
    return f"{claim}，有统计学意义" if yes else f"没有发现{claim}"
