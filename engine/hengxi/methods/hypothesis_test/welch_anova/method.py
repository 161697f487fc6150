from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from hengxi.contract import (
    Column,
    Form,
    Refusal,
    Report,
    Silent,
    Table,
    choice,
    claim,
    figure,
    integer,
    interval,
    many,
    num,
    number,
    pvalue,
    role,
    stat,
    text,
    weight,
)
from hengxi.interpret import cohen1988
from hengxi.methods.hypothesis_test._shared import post_hoc
from hengxi.methods.hypothesis_test._shared.group_report import GroupReport
from hengxi.methods.hypothesis_test._shared.many_groups import ManyGroups
from hengxi.methods.hypothesis_test._shared.post_hoc import PairTest
from hengxi.stats import one_way, spread_tests
from hengxi.stats.one_way import ChiSquare, OneWay
from hengxi.stats.two_groups import Ratio

TESTS = {"welch": "Welch", "brown_forsythe": "Brown-Forsythe", "alexander_govern": "Alexander-Govern"}
NAMED = 5


class WelchAnova(GroupReport):
    """Means of several groups without equal variances; the first of the tests chosen is read."""

    title, title_en = "Welch方差分析", "Welch / Brown-Forsythe ANOVA"
    rescaled = (("variables",),)
    purpose = "方差不齐时多组均值是否有差异"
    aliases = ("Welch检验", "方差不齐的方差分析", "稳健方差分析", "Games-Howell", "Alexander-Govern", "Brown-Forsythe")
    references = (
        "welch1951", "brown1974b", "alexander1994", "games1976", "dunnett1980", "levene1960", "delacre2019",
        "olejnik2003", "cohen1988",
    )  # fmt: skip
    conventions = (
        "Brown-Forsythe F 的自由度用 Satterthwaite 法（与 SPSS 相同）。",
        "ω²(Welch) = df1(F − 1)/(df1(F − 1) + N)，小于 0 时记作 0；Cohen's f 由它换算。",
        "两两比较的标准误与自由度不假定等方差；*d* 以两组的合并标准差为分母。",
    )

    class Input(Form):
        group: Column = role("分组变量X", "定类")
        variables: Column = role("检验变量Y", "定量", each=True)
        weight: Column | None = weight("频数权重（选填）", kind="frequency", whole=True)
        tests: list[str] = many(
            "检验", TESTS, default=("welch", "brown_forsythe"), min=1, hint="结论采用所选中排在最前的一个"
        )
        post_hoc: str = choice(
            "事后比较",
            {"games_howell": "Games-Howell", "none": "不做", "tamhane_t2": "Tamhane T2", "dunnett_t3": "Dunnett T3"},
        )
        conf_level: float = number("置信水平", 0.95, least=0.8, most=0.999, percent=True, hint="显著性水平 = 1 − 此值")

    result = Table(
        "稳健均值检验", test=text("检验"), read=text("采用"), F=num("*F*", least=0), A=num("*A*", least=0),
        df1=integer("*df*1"), df2=num("*df*2"), p=pvalue(), place="main",
        claim=claim(
            "groups", stat("*F*", "F", "df1", "df2"), stat("*A*", "A", "df1"), outcome="variables", by="group",
            read="read",
        ),
    )  # fmt: skip
    effects = Table("效应量", effect=text("效应量"), value=num("估计", least=0))
    homogeneity = Table(
        "方差齐性检验", test=text("检验"), F=num("*F*", least=0), df1=integer("*df*1"), df2=integer("*df*2"),
        p=pvalue(), claim=Silent("told by its check"),
    )  # fmt: skip
    pairs = Table(
        "两两比较", first=text("组I"), second=text("组J"), difference=num("均值差", stars="p"),
        se=num("标准误", least=0), t=num("*t*"), q=num("*q*", least=0), df=num("*df*"), p=pvalue("校正 *p*"),
        ci=interval("CI", "low", "high", around="difference"), d=num("Cohen's *d*"),
        when={"post_hoc": ("games_howell", "tamhane_t2", "dunnett_t3")}, place="main",
        claim=claim(
            "pair", stat("*t*", "t", "df"), first="first", second="second", effect="d", outcome="variables",
        ),
    )  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        groups = cls._moving(report, cls.read(report, form), form)
        found: dict[str, Ratio | ChiSquare | None] = {
            "welch": groups.whole.welch(), "brown_forsythe": groups.whole.brown_forsythe(),
            "alexander_govern": spread_tests.alexander_govern(groups.each),
        }  # fmt: skip
        name = form.tests[0]
        for key in form.tests:
            one = found[key]
            assert one is not None
            read = "采用" if key == name else ""
            if isinstance(one, Ratio):
                report.row(cls.result, test=TESTS[key], read=read, F=one.F, df1=one.df1, df2=one.df2, p=one.p)
            else:
                report.row(cls.result, test=TESTS[key], read=read, A=one.value, df1=one.df, p=one.p)
        welch = groups.whole.welch()
        assert welch is not None
        above = max(0.0, welch.df1 * (welch.F - 1))
        omega = above / (above + groups.n)
        report.row(cls.effects, effect="ω²（Welch）", value=omega)
        report.row(cls.effects, effect="Cohen's f", value=float(np.sqrt(omega / (1 - omega))))
        pairs = cls._pairs(report, groups, form)
        cls.describe(report, groups, form.conf_level)
        used = found[name]
        assert used is not None
        cls._words(report, groups, form, name, used, omega, pairs)
        cls._homogeneity(report, groups)
        return report

    @classmethod
    def _moving(cls, report: Report, groups: ManyGroups, form: Any) -> ManyGroups:
        """Without groups whose values are all the same: their weight would be infinite."""
        still = [i for i, m in enumerate(groups.each) if m.sd == 0]
        if not still:
            return groups
        kept = [i for i in range(groups.k) if i not in still]
        names = "”、“".join(groups.names[i] for i in still)
        if len(kept) < 2:
            raise Refusal(
                "data.constant", "除去没有变异的组“{g}”后不足 2 组，Welch 检验无法进行（检验变量“{y}”）", field="group",
                also=["variables"], column=form.group.id, g=names, y=groups.y,
            )  # fmt: skip
        report.warn("data.constant_group", "组“{g}”无变异，Welch 权重无穷大，已剔除该组。", g=names)
        each = [groups.each[i] for i in kept]
        return replace(
            groups, levels=[groups.levels[i] for i in kept], names=[groups.names[i] for i in kept],
            samples=[groups.samples[i] for i in kept], each=each, whole=OneWay.of(each),
        )  # fmt: skip

    @classmethod
    def _pairs(cls, report: Report, groups: ManyGroups, form: Any) -> list[PairTest]:
        if form.post_hoc == "none":
            return []
        found = post_hoc.compare(groups, form.post_hoc, form.conf_level)
        for pair in found:
            report.row(
                cls.pairs, first=groups.names[pair.first], second=groups.names[pair.second], d=pair.d,
                difference=pair.difference, se=pair.se, t=pair.t, df=pair.df, p=pair.p, low=pair.low, high=pair.high,
                q=None if pair.t is None else abs(pair.t) * float(np.sqrt(2)),
            )  # fmt: skip
        report.note(
            cls.pairs, "均值差 = 组I − 组J；*q* = √2·|*t*|。*p* 已校正，区间为 {level:percent} 联合 CI，不假定等方差。",
            level=form.conf_level,
        )  # fmt: skip
        return found

    @classmethod
    def _words(
        cls,
        report: Report,
        groups: ManyGroups,
        form: Any,
        name: str,
        used: Ratio | ChiSquare,
        omega: float,
        pairs: list[PairTest],
    ) -> None:
        alpha = 1 - form.conf_level
        differing = sorted(
            (one for one in pairs if one.p is not None and one.p < alpha), key=lambda one: -abs(one.difference or 0)
        )
        top, bottom = groups.order[0], groups.order[-1]
        facts: dict[str, Any] = {
            "y": groups.y, "k": groups.k, "p": used.p, "alpha": alpha, "test": TESTS[name], "omega": omega,
            "unit": groups.unit, "top": groups.level_with(top), "bottom": groups.level_with(bottom),
            "m1": groups.each[top].mean, "m2": groups.each[bottom].mean, "n": groups.n,
        }  # fmt: skip
        strength = cohen1988.spread(float(np.sqrt(omega / (1 - omega))))
        found = used.p < alpha
        told = cls._told(groups, differing, facts)
        means = "样本中最高的是“{top}”组（{m1:num}{unit}），最低的是“{bottom}”组（{m2:num}{unit}）"
        if groups.each[top].centre == groups.each[bottom].centre:
            means = "各组的样本平均值相同（{m1:num}{unit}）"
        if found:
            lead = f"{{k:integer}} 个组的“{{y}}”平均值差异有统计学意义（{{test}}，*p* {{p:peq}}，效应{strength}）："
            lead += f"{told}。" if told else f"{means}。" + ("两两比较没有一对达到统计学意义。" if pairs else "")
        else:
            lead = f"{{k:integer}} 个组的“{{y}}”没有发现明显差异（{{test}}，*p* {{p:peq}}）：{means}。"
            if told:
                lead += f"两两比较中{told}；两者回答的问题不同，请按研究前的计划报告。"
        figures = [figure("检验", "*p* {p:peq}", "{test}"), figure("效应量", "ω² = {omega:num}")]
        report.lead(lead, figures, **facts)
        meaning = (
            "说明不是每一组都一样，哪些组不同看两两比较" if found else "没有发现差异不等于各组一样，也许只是样本不够"
        )
        report.say(
            f"这里的检验不要求各组方差相等。*p* {{p:peq}}，{meaning}。"
            "ω² = {omega:num}，约为“{y}”的变异中与分组对应的份额。",
            voice="student", **facts,
        )  # fmt: skip
        statistic = "*A*({df1:integer}) = {F:num}"
        if isinstance(used, Ratio):
            facts |= {"F": used.F, "df1": used.df1, "df2": used.df2}
            statistic = "*F*({df1:integer}, {df2:num1}) = {F:num}"
        else:
            facts |= {"F": used.value, "df1": used.df}
        verdict = "差异有统计学意义" if found else "差异无统计学意义"
        report.say(
            f"采用 {{test}} 检验比较 {{k:integer}} 个组的“{{y}}”（*N* = {{n:integer}}），{verdict}，{statistic}，"
            f"*p* {{p:peq}}，ω² = {{omega:num}}。本检验要求各行数据互不影响。", voice="paper", **facts,
        )  # fmt: skip

    @classmethod
    def _told(cls, groups: ManyGroups, differing: list[PairTest], facts: dict[str, Any]) -> str:
        parts = []
        for i, pair in enumerate(differing[:NAMED], 1):
            up = (pair.difference or 0) > 0
            high, low = (pair.first, pair.second) if up else (pair.second, pair.first)
            facts |= {
                f"a{i}": groups.names[high], f"b{i}": groups.names[low], f"d{i}": abs(pair.difference or 0),
                f"q{i}": pair.p,
            }  # fmt: skip
            parts.append(f"“{{a{i}}}”组高于“{{b{i}}}”组（差 {{d{i}:num}}{{unit}}，*p* {{q{i}:peq}}）")
        rest = f"等（只列出差值最大的 {NAMED} 对）" if len(differing) > NAMED else ""
        return "、".join(parts) + rest

    @classmethod
    def _homogeneity(cls, report: Report, groups: ManyGroups) -> None:
        one = one_way.levene(groups.samples, [(m.anchor, m.centre) for m in groups.each])
        if one is None:
            report.skip(cls.homogeneity, "各组内的离差全部相同，齐性检验算不出来")
            return
        report.row(cls.homogeneity, test="Levene（均值）", F=one.F, df1=one.df1, df2=one.df2, p=one.p)
        ending = (
            "方差不齐，用本方法是合适的。" if one.p < 0.05 else "没有发现方差不齐；不要求等方差的检验此时也可以用。"
        )
        report.check(
            "方差齐性", "pass", "Levene：*F*({df1:integer}, {df2:integer}) = {F:num}，*p* {p:peq}。" + ending,
            F=one.F, df1=one.df1, df2=one.df2, p=one.p,
        )  # fmt: skip

    @classmethod
    def joined(cls, report: Report, form: dict[str, Any]) -> None:
        rows = [row.cells for row in report.rows_of(cls.result) if row.cells["read"] == "采用"]
        cls.conclude(report, form, {one["variable"]: one["p"] for one in rows}, "比较各组的均值", "各组平均值有差异")
