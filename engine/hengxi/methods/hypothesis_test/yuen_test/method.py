from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from scipy import special

from hengxi.contract import (
    Refusal,
    Report,
    SetRemedy,
    Table,
    alternative,
    claim,
    confidence,
    figure,
    flag,
    integer,
    interval,
    num,
    number,
    pvalue,
    stat,
    text,
)
from hengxi.contract.when import levels
from hengxi.methods.hypothesis_test._shared import samples
from hengxi.methods.hypothesis_test._shared.comparison import ManySamples, axis
from hengxi.methods.hypothesis_test._shared.finding import INDEPENDENT, UNASSIGNED, Estimate, Finding
from hengxi.methods.hypothesis_test._shared.samples import Groups
from hengxi.stats import trimmed
from hengxi.stats.moments import expand
from hengxi.stats.multiple import adjust
from hengxi.stats.trimmed import Trimmed

DRAWS = 1999
BOOTSTRAP_MOST = 20_000
NAMED = 3
LEFT_LEAST = 2


class YuenTest(ManySamples):
    """Two groups: Yuen's t. More: Welch's F of trimmed means and all pairs with Holm's p."""

    title, title_en = "截尾均值检验(Yuen)", "Yuen trimmed-mean test"
    tier = "member"
    rescaled = (("variables",),)
    purpose = "有离群或重尾时，两组或多组的截尾均值是否有差异"
    aliases = ("Yuen检验", "截尾均值", "稳健t检验", "修剪均值", "缩尾方差", "trimmed mean", "robust t test", "离群值")
    references = ("yuen1974", "wilcox2017", "wilcox_tian2011", "welch1951", "shapiro1965", "lilliefors1967", "holm1979")
    conventions = (
        "每侧截去 ⌊截尾比例 × n⌋ 个个案；缩尾标准差以 n − 1 为分母。",
        "截尾比例为 0 时就是 Welch t 检验（多组时是 Welch 方差分析）。",
        "均值差 = 第一组 − 第二组，组的先后按取值标签，没有标签时按首次出现（数值从小到大）。",
        "效应量 ξ 中各组权重相同；Wilcox 与 Tian（2011）在组大小不同时随机抽取等量个案，这里改为加权，结果可重现。",
        "bootstrap-t 区间为对称区间（单侧检验取一端），重抽 1999 次，种子见设置；超过 20000 例不做。",
        "多组的两两比较列 Yuen 检验，*p* 用 Holm 法校正，区间未校正。",
    )
    random = True

    class Input(ManySamples.Input):
        trim: float = number("每侧截尾比例", 0.2, least=0, most=0.45, hint="常用 0.2：两端各去掉五分之一")
        alternative: str = alternative("大于、小于都指第一组对第二组", when={"group": levels(2, 2)})
        conf_level: float = confidence()
        bootstrap_t: bool = flag(
            "bootstrap-t", False, hint="另列一个不靠 t 分布的区间和 p", when={"group": levels(2, 2)}
        )

    result = Table(
        "Yuen检验结果", pair=text("比较"), t=num("*T*y"), df=num("*df*"), p=pvalue(), difference=num("截尾均值差"),
        se=num("标准误", least=0), ci=interval("CI", "low", "high", around="difference"),
        boot=interval("bootstrap-t CI", "boot_low", "boot_high", when={"bootstrap_t": True}),
        boot_p=pvalue("bootstrap-t *p*", when={"bootstrap_t": True}), xi=num("ξ", least=0, most=1),
        when={"group": levels(2, 2)}, place="main",
        claim=claim(
            "groups", stat("*T*y", "t", "df"), effect="difference", interval="ci", outcome="variables", by="group",
        ),
    )  # fmt: skip
    omnibus = Table(
        "截尾均值的Welch检验", k=integer("组数"), F=num("*F*", least=0), df1=integer("*df*1"), df2=num("*df*2"),
        p=pvalue(), xi=num("ξ", least=0, most=1), when={"group": levels(3, None)}, place="main",
        claim=claim("groups", stat("*F*", "F", "df1", "df2"), effect="xi", outcome="variables", by="group"),
    )  # fmt: skip
    robust = Table(
        "稳健描述", group=text("组别"), n=integer("*n*"), h=integer("截尾后 *n*"), trimmed_mean=num("截尾均值"),
        winsorised=num("缩尾标准差", least=0), se=num("标准误", least=0), median=num("中位数"), mean=num("均值"),
        place="main",
    )  # fmt: skip
    pairs = Table(
        "两两比较", first=text("组I"), second=text("组J"), difference=num("截尾均值差", stars="p"),
        se=num("标准误", least=0), t=num("*T*y"), df=num("*df*"), raw=pvalue("未校正 *p*"), p=pvalue("Holm *p*"),
        ci=interval("CI", "low", "high", around="difference"), when={"group": levels(3, None)},
        claim=claim(
            "pair", stat("*T*y", "t", "df"), first="first", second="second", effect="difference", outcome="variables",
        ),
    )  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        groups = samples.several(form)
        cut = [cls._trimmed(form, groups, i) for i in range(len(groups.samples))]
        for sample, group in zip(groups.samples, cut, strict=True):
            report.row(
                cls.robust, group=sample.name, n=group.n, h=group.h, trimmed_mean=group.mean, winsorised=group.sd,
                se=float(np.sqrt(group.q)), median=sample.median, mean=sample.moments.mean,
            )  # fmt: skip
        if groups.empty:
            names = "”、“".join(groups.empty)
            report.warn("data.dropped_group", "组“{g}”在“{y}”上没有有效值，已剔除。", g=names, y=groups.y)
        cls.describe(
            report, groups.samples, "mean", form.conf_level, intervals=[_interval(one, form.conf_level) for one in cut]
        )
        report.chart(cls.plot, titles=axis(groups.y, groups.unit))
        xi = trimmed.explanatory([(s.x, s.counts) for s in groups.samples], cut, form.trim)
        # The boxes and tables follow the levels of the whole column, not those that have a value of this variable.
        if form.alternative is not None:
            cls._two(report, form, groups, cut, xi)
        else:
            cls._many(report, form, groups, cut, xi)
        cls._outside(report, form, groups, cut)
        return report

    @classmethod
    def _trimmed(cls, form: Any, groups: Groups, i: int) -> Trimmed:
        sample = groups.samples[i]
        group = trimmed.trimmed(sample.x, sample.counts, form.trim)
        if group.h < LEFT_LEAST:
            raise Refusal(
                "data.few", "组“{g}”截尾后样本不足：“{y}”有 {n} 个值，每侧截去 {cut} 个，剩 {h} 个；请减小截尾比例",
                field="trim", also=["group"], g=sample.name, y=groups.y, n=group.n, h=group.h,
                cut=(group.n - group.h) // 2,
                remedies=[SetRemedy(title="截尾比例改为 0.1", set={"trim": 0.1})] if form.trim > 0.1 else [],
            )  # fmt: skip
        if group.variance == 0:
            raise Refusal(
                "data.constant", "组“{g}”中间部分取值全部相同（“{y}”），算不出误差；请减小截尾比例或换一个变量",
                field="trim", also=["variables"], column=form.variables.id, g=sample.name, y=groups.y,
                remedies=[SetRemedy(title="不截尾（Welch 检验）", set={"trim": 0})] if form.trim > 0 else [],
            )  # fmt: skip
        return group

    @classmethod
    def _two(cls, report: Report, form: Any, groups: Groups, cut: list[Trimmed], xi: float) -> None:
        test = trimmed.yuen(cut[0], cut[1], form.alternative, form.conf_level)
        a, b = groups.samples
        low, high, p = cls._bootstrap(report, form, groups, test) if form.bootstrap_t else (None, None, None)
        report.row(
            cls.result, pair=f"{a.name} − {b.name}", t=test.t, df=test.df, p=test.p, difference=test.difference,
            se=test.se, low=test.low, high=test.high, boot_low=low, boot_high=high, boot_p=p, xi=xi,
        )  # fmt: skip
        report.note(cls.result, "CI 的置信水平为 {level:percent}。", level=form.conf_level)
        Finding(
            test="Yuen 截尾均值检验",
            statistic="*T*y({df:num1}) = {t:num}",
            p=test.p,
            level=form.conf_level,
            side=form.alternative,
            shown=f"“{{first}}”组的“{{y}}”截尾均值{'高于' if test.difference > 0 else '低于'}“{{second}}”组",
            asked=f"“{{first}}”组的“{{y}}”截尾均值{'低于' if form.alternative == 'less' else '高于'}“{{second}}”组",
            nothing="没有发现“{first}”组与“{second}”组的“{y}”截尾均值有明显差异",
            compared="“{first}”组（*n* = {n1:integer}）与“{second}”组（*n* = {n2:integer}）的“{y}”",
            observed="两端各截去 {trim:percent} 后，“{first}”组的均值为 {m1:num}{unit}，“{second}”组为 {m2:num}{unit}",
            estimate=Estimate("截尾均值差", test.difference, test.low, test.high, unit=groups.unit),
            effect="ξ = {xi:num}",
            figures=(figure("效应量", "ξ = {xi:num}", "0.10、0.30、0.50 约为小、中、大"),),
            caution=INDEPENDENT + UNASSIGNED,
            facts={
                "y": groups.y, "unit": groups.unit, "first": a.name, "second": b.name, "n1": a.n, "n2": b.n,
                "trim": form.trim, "m1": cut[0].mean, "m2": cut[1].mean, "t": test.t, "df": test.df, "xi": xi,
            },
        ).write(report)  # fmt: skip

    @classmethod
    def _bootstrap(
        cls, report: Report, form: Any, groups: Groups, test: trimmed.YuenTest
    ) -> tuple[float | None, float | None, float | None]:
        if groups.n > BOOTSTRAP_MOST:
            report.note(
                cls.result, "超过 {most:integer} 例不做 bootstrap-t：这时 t 分布已经可靠。", most=BOOTSTRAP_MOST
            )
            return None, None, None
        drawn = trimmed.bootstrap_t(
            [np.sort(expand(s.x, s.counts)) for s in groups.samples], form.trim, DRAWS, form.rng
        )  # fmt: skip
        drawn = drawn[np.isfinite(drawn)]
        report.note(cls.result, "bootstrap-t 重抽 {draws:integer} 次。", draws=int(drawn.size))
        if form.alternative == "two_sided":
            half = float(np.quantile(np.abs(drawn), form.conf_level)) * test.se
            p = float(np.mean(np.abs(drawn) >= abs(test.t)))
            return test.difference - half, test.difference + half, p
        if form.alternative == "greater":
            low = test.difference - float(np.quantile(drawn, form.conf_level)) * test.se
            return low, np.inf, float(np.mean(drawn >= test.t))
        high = test.difference - float(np.quantile(drawn, 1 - form.conf_level)) * test.se
        return -np.inf, high, float(np.mean(drawn <= test.t))

    @classmethod
    def _many(cls, report: Report, form: Any, groups: Groups, cut: list[Trimmed], xi: float) -> None:
        test = trimmed.welch_f(cut)
        report.row(cls.omnibus, k=len(cut), F=test.F, df1=test.df1, df2=test.df2, p=test.p, xi=xi)
        couples = list(combinations(range(len(cut)), 2))
        tests = [trimmed.yuen(cut[i], cut[j], "two_sided", form.conf_level) for i, j in couples]
        adjusted = adjust([one.p for one in tests], "holm")
        alpha = 1 - form.conf_level
        differing = list[tuple[str, str, float, float]]()
        for (i, j), pair, p in zip(couples, tests, adjusted, strict=True):
            first, second = groups.samples[i].name, groups.samples[j].name
            report.row(
                cls.pairs, first=first, second=second, difference=pair.difference, se=pair.se, t=pair.t, df=pair.df,
                raw=pair.p, p=p, low=pair.low, high=pair.high,
            )  # fmt: skip
            if p < alpha:
                high, low = (first, second) if pair.difference > 0 else (second, first)
                differing.append((high, low, abs(pair.difference), p))
        report.note(
            cls.pairs, "截尾均值差 = 组I − 组J；CI 的置信水平为 {level:percent}，未校正。", level=form.conf_level
        )
        facts: dict[str, Any] = {
            "y": groups.y, "unit": groups.unit, "k": len(cut), "F": test.F, "df1": test.df1, "df2": test.df2,
            "p": test.p, "xi": xi, "trim": form.trim,
        }  # fmt: skip
        cls._say(report, facts, differing, test.p < alpha)

    @classmethod
    def _say(
        cls, report: Report, facts: dict[str, Any], differing: list[tuple[str, str, float, float]], shown: bool
    ) -> None:
        differing.sort(key=lambda pair: pair[3])
        parts = []
        for i, (high, low, size, p) in enumerate(differing[:NAMED], 1):
            facts |= {f"a{i}": high, f"b{i}": low, f"d{i}": size, f"q{i}": p}
            parts.append(f"“{{a{i}}}”组高于“{{b{i}}}”组（差 {{d{i}:num}}{{unit}}，*p* {{q{i}:peq}}）")
        rest = f"等（只列出 *p* 最小的 {NAMED} 对）" if len(differing) > NAMED else ""
        pairs = (
            f"两两比较中达到统计学意义的有：{'、'.join(parts)}{rest}。" if parts else "两两比较没有一对达到统计学意义。"
        )
        verdict = "差异有统计学意义" if shown else "没有发现明显差异"
        report.lead(
            f"{{k:integer}} 个组的“{{y}}”截尾均值{verdict}（*p* {{p:peq}}）。{pairs}",
            [
                figure("检验", "*p* {p:peq}", "*F*({df1:integer}, {df2:num1}) = {F:num}"),
                figure("效应量", "ξ = {xi:num}"),
            ],
            **facts,
        )
        meaning = "不是每一组都一样，哪些组不同看两两比较" if shown else "没有发现差异不等于各组一样，也许只是样本不够"
        report.say(
            "每组先去掉两端各 {trim:percent} 的个案，再比较剩下的平均值，少数极端值因此影响不大。"
            f"*p* {{p:peq}}，{meaning}。",
            voice="student", **facts,
        )  # fmt: skip
        ending = "差异有统计学意义" if shown else "差异无统计学意义"
        report.say(
            f"采用截尾均值的 Welch 检验（每侧截尾 {{trim:percent}}）比较 {{k:integer}} 个组的“{{y}}”，{ending}，"
            f"*F*({{df1:integer}}, {{df2:num1}}) = {{F:num}}，*p* {{p:peq}}，ξ = {{xi:num}}。{INDEPENDENT}",
            voice="paper", **facts,
        )  # fmt: skip

    @classmethod
    def _outside(cls, report: Report, form: Any, groups: Groups, cut: list[Trimmed]) -> None:
        """What trimming changed: the groups' means before and after."""
        if form.trim == 0:
            report.check("截尾", "care", "截尾比例为 0，没有截尾：结果与 Welch 检验相同，离群值照样有影响。")
            return
        moved = [abs(s.moments.mean - group.mean) / s.moments.sd for s, group in zip(groups.samples, cut, strict=True)]
        i = int(np.argmax(moved))
        report.check(
            "截尾", "pass",
            "截尾使“{g}”组的均值从 {before:num} 变为 {after:num}，在各组中相对变动最大。"
            "结论说的是截尾均值，不是全体的平均值。",
            g=groups.samples[i].name, before=groups.samples[i].moments.mean, after=cut[i].mean,
        )  # fmt: skip

    @classmethod
    def joined(cls, report: Report, form: dict[str, Any]) -> None:
        rows = report.rows_of(cls.result) or report.rows_of(cls.omnibus)
        cls.conclude_rows(report, form, rows, "比较各组的截尾均值", "截尾均值有差异")


def _interval(group: Trimmed, level: float) -> tuple[float, float, float]:
    """Of one trimmed mean (Tukey & McLaughlin 1963): t with the cases left."""
    half = float(special.stdtrit(group.h - 1, (1 + level) / 2) * np.sqrt(group.q))
    return group.mean, group.mean - half, group.mean + half
