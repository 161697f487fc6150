from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    MethodRemedy,
    Report,
    Table,
    choice,
    claim,
    figure,
    integer,
    interval,
    num,
    percent,
    pvalue,
    stat,
    text,
)
from hengxi.methods.hypothesis_test._shared.rates import Rates, RatesByGroup
from hengxi.stats import proportions
from hengxi.stats.count_table import CountTable
from hengxi.stats.multiple import adjust
from hengxi.stats.proportions import Two

PAIRS_MOST = 30
"""Groups compared pair by pair; more make hundreds of tests nobody reads."""
HOW = {"none": "不做", "bonferroni": "Bonferroni", "holm": "Holm", "marascuilo": "Marascuilo"}


class MultiProportionTest(RatesByGroup):
    """The rates of several groups: one test of all, then every pair."""

    title, title_en = "多样本率比较", "k-sample proportion test"
    purpose = "三个及以上组的率是否相同，两两差异在哪"
    aliases = ("多个率的比较", "k样本率", "Marascuilo", "率的两两比较", "转化率比较")
    references = (
        "pearson1900",
        "wilson1927",
        "marascuilo1966",
        "newcombe1998",
        "cramer1946",
        "smithson2003",
        "holm1979",
    )
    conventions = (
        "χ² 不作连续性校正。",
        "Marascuilo：率差的平方除以两组各自的方差之和，与自由度为组数减 1 的 χ² 比较；区间同时成立。",
        "Bonferroni、Holm：每对用合并方差的 Z 检验，再校正 p；区间为 Newcombe 法，Bonferroni 同时置信水平。",
        "Cramér's V 的区间由非中心 χ² 反解。",
    )

    class Input(RatesByGroup.Input):
        post_hoc: str = choice(
            "两两比较",
            {"bonferroni": "Bonferroni", "holm": "Holm", "marascuilo": "Marascuilo", "none": "不做"},
        )

    result = Table(
        "检验结果", chi2=num("χ²", least=0), df=integer("*df*"), p=pvalue(), g2=num("似然比 χ²", least=0),
        g2_p=pvalue("似然比 *p*"), v=num("Cramér's *V*", least=0, most=1),
        ci=interval("V 的CI", "low", "high", around="v"), place="main",
        claim=claim("groups", stat("χ²", "chi2", "df"), effect="v", interval="ci", outcome="y", by="group"),
    )  # fmt: skip
    pairs = Table(
        "两两比较", first=text("组1"), second=text("组2"), difference=percent("率差", least=-1),
        ci=interval("率差CI（同时）", "low", "high", around="difference", inside=False), p=pvalue("校正后 *p*"),
        place="main", when={"post_hoc": ("bonferroni", "holm", "marascuilo")},
        claim=claim("pair", effect="difference", interval="ci", outcome="y", by="group", first="first",
        second="second"),
    )  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        rates = cls.rates_of(report, form)
        one = CountTable(table=rates.table, conf_level=form.conf_level)
        pearson, g2, v = one.pearson, one.likelihood, one.v
        report.row(
            cls.result, chi2=pearson.value, df=pearson.df, p=pearson.p, g2=g2.value, g2_p=g2.p, v=v.value, low=v.low,
            high=v.high,
        )  # fmt: skip
        differing = cls._pairs(report, form, rates)
        cls._words(report, form, rates, one, differing)
        few = one.sparse or one.least < 1
        end = "χ² 近似不可靠，请改用精确检验。" if few else "χ² 近似可用。"
        remedy = MethodRemedy(
            title="改用 Fisher 精确检验", method="hypothesis_test/fisher_exact_test", carry=["y", "weight"]
        )
        report.check(
            "期望频数", "care" if few else "pass",
            "期望频数小于 5 的单元格有 {low:integer} 个（{share:percent1}），最小 {least:num}。" + end,
            low=one.low, share=one.low_share, least=one.least, remedies=[remedy] if few else [],
        )  # fmt: skip
        cls.judge_independence(report)
        return report

    @classmethod
    def _pairs(cls, report: Report, form: Any, rates: Rates) -> list[tuple[str, str]] | None:
        how, k, level = form.post_hoc, len(rates.levels), form.conf_level
        if how == "none":
            return None
        if k > PAIRS_MOST:
            report.skip(cls.pairs, f"组数超过 {PAIRS_MOST}")
            return None
        ij = list(combinations(range(k), 2))
        held = [Two(*(float(v) for v in (rates.hits[i], rates.sizes[i], rates.hits[j], rates.sizes[j]))) for i, j in ij]
        spread = [two.p1 * (1 - two.p1) / two.n1 + two.p2 * (1 - two.p2) / two.n2 for two in held]
        if how == "marascuilo":
            p = [_marascuilo(two.difference, v, k) for two, v in zip(held, spread, strict=True)]
            reach = float(np.sqrt(stats.chi2.isf(1 - level, k - 1)))
            ends = [
                (max(-1.0, two.difference - reach * v**0.5), min(1.0, two.difference + reach * v**0.5))
                for two, v in zip(held, spread, strict=True)
            ]
        else:
            raw = [1.0 if (z := two.z()) is None else proportions.tail(z, "two_sided") for two in held]
            p = adjust(raw, how)
            ends = [proportions.newcombe(two, 1 - (1 - level) / len(ij)) for two in held]
        differing = []
        for (i, j), two, value, (low, high) in zip(ij, held, p, ends, strict=True):
            a, b = rates.names[i], rates.names[j]
            report.row(cls.pairs, first=a, second=b, difference=two.difference, low=low, high=high, p=value)
            if value < 1 - level:
                differing.append((a, b))
        report.note(
            cls.pairs, "用 {how:text} 法校正；区间同时成立的把握为 {level:percent}。率差 = 组1 − 组2。", how=HOW[how],
            level=level,
        )  # fmt: skip
        return differing

    @classmethod
    def _words(
        cls, report: Report, form: Any, rates: Rates, one: CountTable, differing: list[tuple[str, str]] | None
    ) -> None:
        top, bottom = int(rates.shares.argmax()), int(rates.shares.argmin())
        facts: dict[str, Any] = {
            "x": form.group.title, "y": form.y.title, "c": rates.word, "k": len(rates.levels), "a": rates.names[top],
            "b": rates.names[bottom], "s1": float(rates.shares[top]), "s2": float(rates.shares[bottom]),
            "chi": one.pearson.value, "df": one.pearson.df, "p": one.pearson.p, "v": one.v.value, "n": one.n,
        }  # fmt: skip
        yes = one.pearson.p < 1 - form.conf_level
        shares = "“{y}”为“{c}”的率，最高的“{a}”组 {s1:percent1}，最低的“{b}”组 {s2:percent1}"
        test = "χ²({df:integer}, *N* = {n:integer}) = {chi:num}，*p* {p:peq}，*V* = {v:num}"
        lead = f"{shares}；{{k:integer}} 组的率"
        lead += f"有差异（{test}）。" if yes else f"没有发现明显差异（{test}）。"
        if differing is not None:
            facts["pairs"] = len(differing)
            count = "有 {pairs:integer} 对" if differing else "没有一对"
            lead += f"两两比较：校正后{count}达到统计学意义"
            lead += (
                (f"：{'，'.join(f'“{{a{i}}}”与“{{b{i}}}”' for i in range(len(differing)))}。")
                if 0 < len(differing) < 4
                else "。"
            )
            if len(differing) < 4:
                facts |= {f"a{i}": a for i, (a, _) in enumerate(differing)} | {
                    f"b{i}": b for i, (_, b) in enumerate(differing)
                }
        report.lead(
            lead, [figure("检验", "*p* {p:peq}", ("χ²({df:integer}) = {chi:num}")), figure("*V*", "{v:num}")], **facts
        )
        student = "哪两组不同，看两两比较，*p* 已校正。" if yes else "“没有发现”不等于各组的率相同，也可能是样本不够。"
        report.say(f"先看各组的率和区间：区间越宽，率越不准。{student}", voice="student")
        word = "有" if yes else "没有"
        report.say(f"{shares}，{{k:integer}} 组的差异{word}统计学意义，{test}。", voice="paper", **facts)
        report.say(f"{shares}，差异{word}统计学意义（*p* {{p:peq}}）。", voice="brief", **facts)


def _marascuilo(difference: float, variance: float, k: int) -> float:
    if variance <= 0:
        return 1.0 if difference == 0 else 0.0
    return float(stats.chi2.sf(difference**2 / variance, k - 1))
