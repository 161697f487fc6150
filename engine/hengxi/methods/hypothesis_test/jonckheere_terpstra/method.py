from __future__ import annotations

from dataclasses import replace
from typing import Any

from hengxi.contract import (
    Chart,
    Level,
    Refusal,
    Report,
    SetRemedy,
    Table,
    alternative,
    choice,
    claim,
    confidence,
    figure,
    integer,
    level,
    num,
    pvalue,
    stat,
    text,
)
from hengxi.methods.hypothesis_test._shared import rank_parts, sample_checks, samples
from hengxi.methods.hypothesis_test._shared.comparison import ManySamples, axis
from hengxi.methods.hypothesis_test._shared.finding import INDEPENDENT, UNASSIGNED, Finding
from hengxi.methods.hypothesis_test._shared.samples import Groups
from hengxi.stats import ordered_trend, ranks
from hengxi.stats.names import level_words
from hengxi.stats.ordered_trend import Jonckheere
from hengxi.stats.ranks import RankTable


class JonckheereTerpstra(ManySamples):
    title, title_en = "Jonckheere-Terpstra趋势检验", "Jonckheere-Terpstra test"
    family, tier = "非参数检验", "standard"
    rescaled = (("variables",),)
    purpose = "有序组间的位置是否单调递增/递减"
    aliases = ("JT检验", "有序多组", "趋势检验", "剂量反应", "有序备择", "Jonckheere", "Terpstra", "非参数趋势")
    references = ("jonckheere1954", "terpstra1952", "hollander2014", "kendall1938", "phipson2010", "holm1979")
    conventions = (
        "J-T 数每两组里“后一组较大”的对数，相同的值各算一半；方差含结校正（Hollander 等，2014）。",
        "*p* 由标准化 J-T 的正态近似得出，不做连续性校正。",
        "置换 *p* 把个案随机重分到各组 10000 次，另给 99% 区间。",
        "Kendall τb 是组次序与检验变量的秩相关。",
        "组的次序：数值由小到大，有序变量按其次序；没有次序的文字分组要自己排。",
    )
    random = True

    class Input(ManySamples.Input):
        alternative: str = alternative("大于指随组的次序递增，小于指递减")
        p_method: str = choice("p值", {"asymptotic": "渐近", "permutation": "置换"})
        level_order: list[Level] = level(
            "组次序", of="group", many=(3, None), ordered=True, auto="数值从小到大，有序变量按其次序",
            hint="由前到后；文字分组没有设成有序时要排",
        )  # fmt: skip
        conf_level: float = confidence(0.8, hint="显著性水平 = 1 − 此值")

    result = Table(
        "J-T检验结果", k=integer("组数"), n=integer("*N*"), jt=num("观测 J-T", least=0), mean=num("期望 J-T", least=0),
        sd=num("标准差", least=0), z=num("标准化 J-T"), p=pvalue(), how=text("*p* 的算法"),
        tau=num("Kendall τb", least=-1, most=1), place="main",
        claim=claim("trend", stat("*Z*", "z"), effect="tau", outcome="variables", by="group"),
    )  # fmt: skip
    ordered = Table(
        "各组（按次序）", place_no=integer("次序"), group=text("组别"), n=integer("*n*"), median=num("中位数"),
        mean_rank=num("平均秩", least=0), place="main",
    )  # fmt: skip
    line = Chart("各组的中位数", "line", of=ordered, x="group", y="median", place="detail")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        groups = _in_order(form, samples.several(form))
        if groups.empty:
            names = "".join(f"“{name}”" for name in groups.empty)
            report.warn("data.dropped_group", "组{names}在“{y}”上没有有效值，已剔除。", names=names, y=groups.y)
        table = RankTable.of([(s.x, s.counts) for s in groups.samples])
        if table.values.size == 1:
            raise Refusal(
                "data.constant", "“{y}”全部观测值相同，没有高低可比，请核对数据或换一个检验变量", field="variables",
                column=form.variables.id, y=groups.y,
            )  # fmt: skip
        test = ordered_trend.jonckheere(table)
        drawn = None
        if form.p_method == "permutation" and (sums := ordered_trend.draw_jonckheere(table, form.rng)) is not None:
            drawn = ranks.drawn_p(sums, test.j, test.mean, form.alternative)
        way = "monte_carlo" if form.p_method == "permutation" else "asymptotic"
        read = rank_parts.read(way, ranks.normal_p(test.z, form.alternative), None, drawn)
        report.row(
            cls.result, k=len(groups.samples), n=table.n, jt=test.j, mean=test.mean, sd=test.sd, z=test.z, p=read.p,
            how=read.how, tau=test.tau,
        )  # fmt: skip
        rank_parts.note_drawn(report, cls.result, read, form.seed)
        for i, (sample, size, total) in enumerate(zip(groups.samples, table.sizes, table.rank_sums, strict=True), 1):
            report.row(
                cls.ordered, place_no=i, group=sample.name, n=sample.n, median=sample.median, mean_rank=total / size
            )
        cls.describe(report, groups.samples, "median", form.conf_level)
        report.chart(cls.plot, titles=axis(groups.y, groups.unit))
        report.chart(cls.line, titles={"x": groups.by, "y": axis(groups.y, groups.unit)["y"]})
        cls._say(report, form, groups, test, read.p)
        order = "组由前到后：{order}。次序要在看数据之前定好，次序错了，检验就没有意义。"
        report.check("组的次序", "unknown", order, order=" → ".join(sample.name for sample in groups.samples[:12]))
        sample_checks.size_for_ranks(report, [s.n for s in groups.samples], None, 1 - form.conf_level)
        sample_checks.ties(report, table.tied, table.n, "相同的值各算一半，*p* 已作校正。")
        return report

    @classmethod
    def _say(cls, report: Report, form: Any, groups: Groups, test: Jonckheere, p: float) -> None:
        first, last = groups.samples[0], groups.samples[-1]
        falling = form.alternative == "less"
        Finding(
            test="Jonckheere-Terpstra 趋势检验",
            statistic="标准化 J-T = {z:num}",
            p=p,
            level=form.conf_level,
            side=form.alternative,
            shown=f"“{{y}}”随“{{by}}”的次序{'上升' if test.z > 0 else '下降'}",
            asked=f"“{{y}}”随“{{by}}”的次序{'下降' if falling else '上升'}",
            nothing="没有发现“{y}”随“{by}”的次序上升或下降",
            compared="{k:integer} 个有序组（*N* = {n:integer}）的“{y}”",
            observed="最前的“{first}”组中位数为 {m1:num}{unit}，最后的“{last}”组为 {m2:num}{unit}",
            effect="Kendall τb = {tau:num}",
            figures=(figure("趋势的强弱", "τb = {tau:num}", "−1 到 1，0 表示没有趋势"),),
            caution=INDEPENDENT + UNASSIGNED,
            facts={
                "y": groups.y, "unit": groups.unit, "by": groups.by, "k": len(groups.samples), "n": groups.n,
                "z": test.z, "tau": test.tau, "first": first.name, "last": last.name, "m1": first.median,
                "m2": last.median,
            },
        ).write(report)  # fmt: skip

    @classmethod
    def joined(cls, report: Report, form: dict[str, Any]) -> None:
        cls.conclude(report, form, cls.result, "看各变量随组的次序变化", "有上升或下降的趋势")


def _in_order(form: Any, groups: Groups) -> Groups:
    """The samples in the order of the hypothesis; refuses text without an order and fewer than three groups."""
    if len(groups.samples) < 3:
        raise Refusal(
            "role.levels", "趋势检验至少需要3个有序组，“{v}”在“{y}”有值的行里只有 {k} 个", field="group",
            column=form.group.id, v=form.group.title, y=groups.y, k=len(groups.samples),
        )  # fmt: skip
    levels = form.group.levels
    if form.level_order:
        places = {word: i for i, word in enumerate(_words_of(form, form.level_order))}
        lost = next((sample.name for sample in groups.samples if sample.name not in places), None)
        if lost is not None:
            raise Refusal("level.order", "“组次序”里没有“{g}”，请把出现的组都排进去", field="level_order", g=lost)
        return replace(groups, samples=sorted(groups.samples, key=lambda sample: places[sample.name]))
    if not form.group.ordered and any(isinstance(one.value, str) for one in levels):
        raise Refusal(
            "level.order", "请指定“{v}”各组的先后次序：分组是文字，没有设成有序", field="level_order", also=["group"],
            column=form.group.id, v=form.group.title,
            remedies=[SetRemedy(title="按首次出现的次序试算", set={"level_order": [one.value for one in levels]})],
        )  # fmt: skip
    return groups


def _words_of(form: Any, chosen: list[Level]) -> list[str]:
    """Names of the levels as the samples have them."""
    names = dict(zip((one.value for one in form.group.levels), level_words(form.group.levels), strict=True))
    return [names[one.value] for one in chosen if one.value in names]
