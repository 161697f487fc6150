from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from hengxi.contract import (
    Chart,
    Refusal,
    Report,
    Table,
    alternative,
    claim,
    confidence,
    figure,
    flag,
    integer,
    interval,
    num,
    pvalue,
    stat,
    text,
)
from hengxi.interpret import cohen1988
from hengxi.methods.hypothesis_test._shared import rank_parts, sample_checks, samples
from hengxi.methods.hypothesis_test._shared.comparison import TwoSamples, axis
from hengxi.methods.hypothesis_test._shared.finding import INDEPENDENT, UNASSIGNED, Estimate, Finding
from hengxi.methods.hypothesis_test._shared.samples import Groups
from hengxi.stats import effect_size, ranks
from hengxi.stats.effect_size import Effect
from hengxi.stats.moments import levelled
from hengxi.stats.ranks import RankTable

TEST = "Mann-Whitney "


class IndependentSamplesMannWhitneyTest(TwoSamples):
    title, title_en = "独立样本Mann-Whitney U检验", "Mann-Whitney U test"
    rescaled = (("variables",),)
    purpose = "两个独立组的分布位置（中位数）是否有差异"
    aliases = (
        "秩和检验",
        "Wilcoxon秩和检验",
        "U检验",
        "曼-惠特尼",
        "非参数检验",
        "两组非参数",
        "rank sum test",
        "Cliff delta",
    )
    references = (
        "mann1947", "wilcoxon1945", "streitberg1986", "hodges1963", "kerby2014", "cliff1993", "brunner2000",
        "hollander2014", "phipson2010", "cohen1988", "holm1979",
    )  # fmt: skip
    conventions = (
        "*U* 是第一组大于第二组的对数（相同算一半），*W* 是第一组的秩和；相同的值取平均秩。",
        "*Z* 用结校正的方差，默认不做连续性校正（与 SPSS 相同；R 默认校正）。",
        "精确 *p* 由全部分组方式的置换分布得出，有结时也精确；双侧取离期望同样远或更远的各种分法。",
        "Hodges-Lehmann 差值为所有“第一组 − 第二组”的中位数；两组都不足 50 例时区间由无结的精确分布定界，"
        "否则由正态近似。",
        "秩二列相关 = 2U/(n1·n2) − 1，即 Cliff's δ；区间用 Fisher z 变换。",
        "一次检验三个以上变量时，前提检验里另列 Holm 校正后的 *p*。",
    )
    random = True

    class Input(TwoSamples.Input):
        alternative: str = alternative("大于、小于都指第一组对第二组")
        p_method: str = rank_parts.p_method()
        continuity: bool = flag("连续性校正", False, advanced=True, hint="只影响渐近的 p")
        brunner_munzel: bool = flag("附Brunner-Munzel检验", False, advanced=True, hint="两组分布形状不同时也成立")
        conf_level: float = confidence()

    result = Table(
        "Mann-Whitney U检验结果", U=num("*U*", least=0), W=num("Wilcoxon *W*", least=0), z=num("*Z*"),
        asymptotic=pvalue("渐近 *p*"), exact=pvalue("精确 *p*"), p=pvalue("采用的 *p*"), how=text("*p* 的算法"),
        place="main",
        claim=claim("groups", stat("*U*", "U"), beside=("z",), outcome="variables", by="group"),
    )  # fmt: skip
    mean_ranks = Table(
        "秩次", group=text("组别"), n=integer("*n*"), median=num("中位数"), q1=num("P25"), q3=num("P75"),
        mean_rank=num("平均秩", least=0), rank_sum=num("秩和", least=0), place="main",
    )  # fmt: skip
    effects = Table(
        "效应量", effect=text("效应量"), value=num("估计"),
        ci=interval("CI", "low", "high", around="value", inside=False),
    )  # fmt: skip
    brunner = Table(
        "Brunner-Munzel检验", statistic=num("统计量"), df=num("*df*"), p=pvalue(), when={"brunner_munzel": True},
        claim=claim("groups", stat("*t*", "statistic", "df"), outcome="variables", by="group"),
    )  # fmt: skip
    bars = Chart("两组的平均秩", "bar", of=mean_ranks, x="group", y="mean_rank", place="detail")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        groups = samples.two(form, TEST, least=1)
        a, b = groups.samples
        table = RankTable.of([(s.x, s.counts) for s in groups.samples])
        if table.values.size == 1:
            raise Refusal(
                "data.constant", "“{y}”全部观测相同，无法排秩，请核对数据或换一个检验变量", field="variables",
                column=form.variables.id, y=groups.y,
            )  # fmt: skip
        found = ranks.rank_sum(
            table, form.alternative, exact=rank_parts.wants_exact(form.p_method, [a.n, b.n]), continuity=form.continuity
        )
        read = rank_parts.read(
            form.p_method, found.asymptotic, found.exact, cls._drawn(form, table, found), form.continuity
        )
        report.row(
            cls.result, U=found.u, W=found.w, z=found.z, asymptotic=found.asymptotic, exact=found.exact, p=read.p,
            how=read.how,
        )  # fmt: skip
        rank_parts.note_drawn(report, cls.result, read, form.seed)
        for sample, size, total in zip(groups.samples, table.sizes, table.rank_sums, strict=True):
            q1, median, q3 = sample.quartiles
            report.row(
                cls.mean_ranks, group=sample.name, n=sample.n, median=median, q1=q1, q3=q3, mean_rank=total / size,
                rank_sum=total,
            )  # fmt: skip
        shift = ranks.shift(table, form.alternative, form.conf_level)
        biserial = ranks.rank_biserial(found.u, a.n, b.n, form.alternative, form.conf_level)
        cls._effects(report, form, groups, found, shift, biserial)
        if form.brunner_munzel:
            held = ranks.brunner_munzel(table, form.alternative)
            if held is None:
                report.skip(cls.brunner, "两组没有重叠，或有一组不足 2 例")
            else:
                report.row(cls.brunner, statistic=held[0], df=held[1], p=held[2])
        cls.describe(report, groups.samples, "median", form.conf_level)
        label = f"{a.name} − {b.name}"
        if shift is not None:
            ends = rank_parts.bounds(shift)
            report.row(cls.contrast, label=label, y=shift.value, low=ends[0], high=ends[1])
        else:
            report.skip(cls.contrast, "个案很多，没有计算 Hodges-Lehmann 差值")
        report.chart(cls.plot, titles=axis(groups.y, groups.unit))
        cls._say(report, form, groups, found, read, shift, biserial)
        least = 2 / float(special.binom(a.n + b.n, a.n)) if found.exact is not None else None
        if least is not None and form.alternative != "two_sided":
            least /= 2
        sample_checks.size_for_ranks(report, [a.n, b.n], least, 1 - form.conf_level)
        sample_checks.ties(report, table.tied, table.n, "相同的值取平均秩，*p* 已作校正。")
        return report

    @classmethod
    def _drawn(cls, form: Any, table: RankTable, found: ranks.RankSum) -> tuple[float, float, float] | None:
        if form.p_method != "monte_carlo" and (form.p_method != "exact" or found.exact is not None):
            return None
        sums = ranks.draw_sums(table, form.rng)
        middle = float(table.sizes[0]) * (table.n + 1) / 2
        return None if sums is None else ranks.drawn_p(sums[:, 0], found.w, middle, form.alternative)

    @classmethod
    def _effects(
        cls, report: Report, form: Any, groups: Groups, found: ranks.RankSum, shift: Effect | None, biserial: Effect
    ) -> None:
        a, b = groups.samples
        low, high = rank_parts.bounds(biserial)
        report.row(cls.effects, effect="秩二列相关（Cliff's δ）", value=biserial.value, low=low, high=high)
        share = [None if v is None else (v + 1) / 2 for v in (low, high)]
        report.row(cls.effects, effect="优势概率", value=found.u / (a.n * b.n), low=share[0], high=share[1])
        size = None if found.plain_z is None else abs(found.plain_z) / float(np.sqrt(groups.n))
        report.row(cls.effects, effect="r = |Z|/√N", value=size)
        if shift is None:
            report.note(
                cls.effects, "超过 {most:integer} 例且取值很多，不计算 Hodges-Lehmann 差值。", most=ranks.SHIFT_MOST
            )
        else:
            ends = rank_parts.bounds(shift)
            report.row(cls.effects, effect="Hodges-Lehmann 差值", value=shift.value, low=ends[0], high=ends[1])
            if ends[0] is None:
                report.note(cls.effects, "样本太小，Hodges-Lehmann 差值在这个置信水平下没有区间。")
        m1, m2 = levelled([a.moments, b.moments])
        if max(m1.sd, m2.sd) > 0 and a.n + b.n > 2:
            d = effect_size.cohen_d(m1, m2, form.alternative, form.conf_level)
            report.row(cls.effects, effect="Cohen's d（参考）", value=d.value, low=d.low, high=d.high)
        side = "" if form.alternative == "two_sided" else "单侧检验给单侧区间，另一端为界限或无穷。"
        alone = "两组没有重叠时，秩二列相关和优势概率没有区间。" if low is None else ""
        report.note(cls.effects, "CI 的置信水平为 {level:percent}。" + side + alone, level=form.conf_level)

    @classmethod
    def _say(
        cls, report: Report, form: Any, groups: Groups, found: ranks.RankSum, read: rank_parts.Read,
        shift: Effect | None, biserial: Effect,
    ) -> None:  # fmt: skip
        a, b = groups.samples
        word = "高" if biserial.value > 0 else "低"
        asked = f"“{{first}}”组的“{{y}}”总体上比“{{second}}”组{'低' if form.alternative == 'less' else '高'}"
        statistic = "*U* = {U:num}" + ("，*Z* = {z:num}" if found.exact is None and found.z is not None else "")
        share = found.u / (a.n * b.n)
        estimate = Estimate("优势概率", share, None, None, 0.5, percent=True)
        if shift is not None:
            estimate = Estimate("Hodges-Lehmann 差值", shift.value, *rank_parts.bounds(shift), unit=groups.unit)
        Finding(
            test="Mann-Whitney *U* 检验",
            statistic=statistic,
            p=read.p,
            level=form.conf_level,
            side=form.alternative,
            shown=f"“{{first}}”组的“{{y}}”总体上比“{{second}}”组{word}",
            asked=asked,
            nothing="“{first}”组与“{second}”组的“{y}”没有发现明显差异",
            compared="“{first}”组（*n* = {n1:integer}）与“{second}”组（*n* = {n2:integer}）的“{y}”",
            observed="“{first}”组的中位数为 {m1:num}{unit}，“{second}”组为 {m2:num}{unit}；"
            "随机各取一例，“{first}”组较大的机会为 {share:percent1}（相同算一半）",
            estimate=estimate,
            effect="秩二列相关 *r* = {r:num}",
            strength=cohen1988.correlation(biserial.value),
            figures=(figure("秩二列相关", "{r:num}", "−1 到 1，0 表示谁大谁小各一半"),),
            caution=INDEPENDENT + UNASSIGNED,
            facts={
                "y": groups.y, "unit": groups.unit, "first": a.name, "second": b.name, "n1": a.n, "n2": b.n,
                "m1": a.median, "m2": b.median, "U": found.u, "z": found.z, "share": share, "r": biserial.value,
            },
        ).write(report)  # fmt: skip

    @classmethod
    def joined(cls, report: Report, form: dict[str, Any]) -> None:
        rows = report.rows_of(cls.mean_ranks)
        first, second = rows[0].cells["group"], rows[1].cells["group"]
        cls.conclude(report, form, cls.result, f"比较“{first}”组与“{second}”组", "分布位置有差异")
