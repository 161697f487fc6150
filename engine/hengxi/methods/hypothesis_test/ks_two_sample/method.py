from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Level,
    MethodRemedy,
    Points,
    Refusal,
    Report,
    SetRemedy,
    Table,
    alternative,
    choice,
    claim,
    confidence,
    figure,
    many,
    num,
    percent,
    pvalue,
    stat,
    text,
)
from hengxi.methods.hypothesis_test._shared import sample_checks, samples, two_levels
from hengxi.methods.hypothesis_test._shared.comparison import ManySamples, axis
from hengxi.methods.hypothesis_test._shared.finding import INDEPENDENT, UNASSIGNED, Finding
from hengxi.methods.hypothesis_test._shared.samples import Groups
from hengxi.stats import boxes, ranks, two_distributions
from hengxi.stats.moments import expand
from hengxi.stats.ranks import RankTable

TESTS = {
    "ks": "K-S", "cvm": "Cramér-von Mises", "ad": "Anderson-Darling", "kuiper": "Kuiper",
    "wald_wolfowitz": "Wald-Wolfowitz 游程", "epps": "Epps-Singleton",
}  # fmt: skip
SYMBOLS = {"ks": "*D*", "cvm": "*T*", "ad": "*A*²", "kuiper": "*V*", "wald_wolfowitz": "游程数", "epps": "*W*₂"}
LEAST = 3
CURVE = 400
SMALL = 50
RUNS_MOST, EPPS_MOST = 200_000, 5_000_000
Found = tuple[float, float | None, float, str]
"""Statistic, its standardised form, p and how it came about."""


class KsTwoSample(ManySamples):
    title, title_en = "两独立样本K-S检验", "Two-sample Kolmogorov-Smirnov"
    family = "非参数检验"
    purpose = "两组的整体分布是否相同"
    aliases = ("Kolmogorov-Smirnov", "KS检验", "分布比较", "Anderson-Darling", "Cramér-von Mises", "Kuiper", "游程检验",
               "经验分布函数")  # fmt: skip
    references = ("massey1951", "smirnov1948", "schroer1995", "anderson1962", "scholz1987", "kuiper1960", "wald1940",
                  "epps1986", "phipson2010", "holm1979")  # fmt: skip
    conventions = (
        "*D* 为两条经验累积分布的最大差，K-S *Z* = √(mn/(m+n))·*D*；"
        "渐近 *p* 由 Kolmogorov 极限分布得出（与 SPSS 和 R 相同），单侧为 exp(−2*Z*²)。",
        "右侧（大于）指第一组的取值整体偏大，即它的累积分布在下方（R 的 alternative = \"less\"）。",
        "精确 *p* 由全部分组方式得出，有相同的值时也精确。",
        "Cramér-von Mises 与 Anderson-Darling 按本样本量的方差标准化后查极限分布；"
        "Anderson-Darling 取 Scholz 与 Stephens（1987）式 (7)，相同的值取中间位置（kSamples 的 version 2）。",
        "Kuiper 用 Stephens 的有限样本修正；Wald-Wolfowitz 有相同的值时取最多的游程数（最保守），不足 50 例作 0.5 的"
        "连续性校正，1000 例以内的 *p* 精确；Epps-Singleton 取 t = 0.4 与 0.8。",
        "置换 *p* 抽 9999 次，适用于 K-S、Cramér-von Mises、Anderson-Darling 与 Kuiper。结论读所选检验中的第一种。",
    )  # fmt: skip
    random = True

    class Input(ManySamples.Input):
        groups: list[Level] = two_levels.field("超过两类时须选出两类；只用 Anderson-Darling 时可以不选，各组一起比较")
        tests: list[str] = many("检验", TESTS, default=("ks",), min=1)
        alternative: str = alternative("大于、小于指第一组的取值对第二组；只用于 K-S", when={"tests": "ks"})
        p_method: str = choice("p值", {"asymptotic": "渐近（SPSS、R 的算法）", "exact": "精确", "permutation": "置换"},
                               hint="精确只用于 K-S，样本小时选它")  # fmt: skip
        conf_level: float = confidence(0.8, hint="显著性水平 = 1 − 此值")

    result = Table(
        "检验结果", test=text("检验"), read=text("采用"), symbol=text("统计量"), statistic=num("取值", least=0),
        z=num("标准化值"), p=pvalue(), how=text("*p* 的算法"), place="main",
        claim=claim("named", stat("统计量", "statistic"), names=("test",), read="read"),
    )  # fmt: skip
    extremes = Table(
        "最极端差别", difference=text("差别"), value=num("累积比例之差"), where=num("出现在取值"),
        first=percent("第一组不超过它的比例"), second=percent("第二组不超过它的比例"), place="main",
    )  # fmt: skip
    curve = Points("累积分布", x=num("取值"), y=num("累积比例"), series=text("组别"))
    cdf_plot = Chart("各组的经验累积分布", "line", of=curve, x="x", y="y", series="series", place="main")
    paired = Points("分位数对照", x=num("第一组"), y=num("第二组"))
    qq_plot = Chart("分位数-分位数图", "point", of=paired, x="x", y="y", place="detail")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        together = form.tests == ["ad"] and not form.groups
        groups = samples.several(form, LEAST) if together else samples.two(form, "K-S ", LEAST)
        table = RankTable.of([(s.x, s.counts) for s in groups.samples])
        if table.values.size == 1:
            raise Refusal(
                "data.constant", "“{y}”全部观测相同，没有分布可比，请核对数据或换一个检验变量", field="variables",
                column=form.variables.id, y=groups.y,
            )  # fmt: skip
        two = len(groups.samples) == 2
        first: tuple[str, Found] | None = None
        for key in [key for key in TESTS if key in form.tests]:
            found = cls._test(report, form, key, groups, table)
            if found is None:
                report.note(cls.result, f"{TESTS[key]} 检验没有结果：样本太小、太大，或一半以上的取值相同。")
                continue
            report.row(
                cls.result, test=TESTS[key], read="" if first else "采用", symbol=SYMBOLS[key], statistic=found[0],
                z=found[1], p=found[2], how=found[3],
            )  # fmt: skip
            first = first or (key, found)
        if first is None:
            raise Refusal(
                "data.few", "“{y}”不够做所选的检验，请改选 K-S", field="tests", also=["variables"], y=groups.y
            )
        if form.p_method == "permutation":
            report.note(cls.result, "置换的随机种子为 {seed}。", seed=f"{form.seed}")
        cls.describe(report, groups.samples, "median", form.conf_level)
        cls._draw_curves(report, form, groups)
        gap = cls._extremes(report, table) if two else None
        if not two:
            report.skip(cls.extremes, "多于两组时不给出")
            report.skip(cls.paired, "多于两组时不给出")
        cls._say(report, form, groups, table, first, gap)
        cls._checks(report, form, groups, table, first)
        return report

    @classmethod
    def _test(cls, report: Report, form: Any, key: str, groups: Groups, table: RankTable) -> Found | None:
        m, n = float(table.sizes[0]), float(table.sizes[1])
        counts = table.counts[None]
        side = form.alternative or "two_sided"
        drawn = None
        if form.p_method == "permutation" and key in ("ks", "cvm", "ad", "kuiper"):
            drawn = two_distributions.permuted(table, key, side, form.rng)
        how, slow = f"置换，抽 {two_distributions.DRAWS} 次", "样本太大，改用" if form.p_method == "permutation" else ""
        if key == "ks":
            distance = two_distributions.ks_distance(two_distributions.gap(table), side)
            p = two_distributions.ks_asymptotic(distance, m, n, side)
            exact = two_distributions.ks_exact(table, distance, side) if form.p_method == "exact" else None
            z = distance * float(np.sqrt(m / (m + n) * n))
            if exact is not None:
                return distance, z, exact, "精确（含相同的值）"
            late = "样本太大，改用" if form.p_method == "exact" else slow
            return (distance, z, p, late + "渐近分布") if drawn is None else (distance, z, drawn, how)
        if key == "cvm":
            t = float(two_distributions.cvm_statistics(counts[:, 0], table)[0])
            p = two_distributions.cvm_asymptotic(t, m, n)
            return (max(t, 0.0), None, p, slow + "渐近分布") if drawn is None else (max(t, 0.0), None, drawn, how)
        if key == "ad":
            a2 = float(two_distributions.ad_statistics(counts, table)[0])
            t, p = two_distributions.ad_standardised(a2, table)
            return (a2, t, p, slow + "渐近分布") if drawn is None else (a2, t, drawn, how)
        if key == "kuiper":
            v = float(two_distributions.kuiper_statistics(counts[:, 0], table)[0])
            p = two_distributions.kuiper_asymptotic(v, m, n)
            return (v, None, p, slow + "渐近分布") if drawn is None else (v, None, drawn, how)
        if key == "wald_wolfowitz":
            if table.values.size > RUNS_MOST:
                return None
            fewest, runs = two_distributions.runs_between(table)
            if fewest < runs:
                text = "两组有相同的值，游程数在 {fewest:integer} 与 {most:integer} 之间，取最多的。"
                report.note(cls.result, text, fewest=fewest, most=runs)
            z, p, way = two_distributions.runs_p(runs, round(m), round(n))
            return float(runs), z, p, f"{way}，单侧（游程少）"
        if table.n > EPPS_MOST:
            return None
        held = two_distributions.epps_singleton(*(expand(s.x, s.counts) for s in groups.samples[:2]))
        return None if held is None else (held[0], None, held[1], "χ² 近似，*df* = 4")

    @classmethod
    def _extremes(cls, report: Report, table: RankTable) -> two_distributions.Gap:
        gap = two_distributions.gap(table)
        named = (
            ("绝对值", *gap.largest), ("正（第一组偏小）", gap.above, gap.above_at),
            ("负（第一组偏大）", 0.0 - gap.below, gap.below_at),
        )  # fmt: skip
        for name, value, where in named:
            first, second = cls._shares(table, where) if value else (None, None)
            at = where if value else None
            report.row(cls.extremes, difference=name, value=value, where=at, first=first, second=second)
        return gap

    @classmethod
    def _shares(cls, table: RankTable, at: float) -> tuple[float, float]:
        """Of each of two samples: the share not above a value."""
        held = table.values <= at
        first, second = (float(row[held].sum() / row.sum()) for row in table.counts)
        return first, second

    @classmethod
    def _draw_curves(cls, report: Report, form: Any, groups: Groups) -> None:
        for s in groups.samples:
            x = boxes.evenly(s.ordered, CURVE)
            report.add_rows(cls.curve, {"x": x, "y": np.arange(1.0, x.size + 1) / x.size, "series": [s.name] * x.size})
        report.chart(cls.plot, titles=axis(groups.y, groups.unit))
        report.chart(cls.cdf_plot, titles={"x": axis(groups.y, groups.unit)["y"]})
        if len(groups.samples) == 2:
            a, b = groups.samples
            places = [(i + 0.5) / 100 for i in range(100)]
            both = [s.ordered.quantiles(places, kind=7) for s in (a, b)]
            report.add_rows(cls.paired, {"x": np.array(both[0]), "y": np.array(both[1])})
            report.chart(cls.qq_plot, titles={"x": f"{a.name}的分位数", "y": f"{b.name}的分位数"})

    @classmethod
    def _say(
        cls, report: Report, form: Any, groups: Groups, table: RankTable, first: tuple[str, Found],
        gap: two_distributions.Gap | None,
    ) -> None:  # fmt: skip
        key, (statistic, z, p, _) = first
        side = form.alternative if key == "ks" else "none"
        a, b = groups.samples[0], groups.samples[1]
        facts: dict[str, Any] = {
            "y": groups.y, "unit": groups.unit, "first": a.name, "second": b.name, "n1": a.n, "n2": b.n, "s": statistic,
            "z": z, "n": table.n,
        }  # fmt: skip
        figures: tuple[Any, ...] = ()
        note = ""
        if gap is None:
            whose, observed = "{k:integer} 个组", "各组的中位数见描述统计，分布见图"
            facts["k"] = len(groups.samples)
        else:
            whose = "“{first}”组与“{second}”组"
            largest, at = gap.largest
            shares = cls._shares(table, at)
            facts |= {"gap": largest, "at": at, "f1": shares[0], "f2": shares[1]}
            shares_words = "“{first}”组占 {f1:percent1}，“{second}”组占 {f2:percent1}"
            observed = "两组的累积比例在 {at:num}{unit}处相差最大：不超过它的，" + shares_words
            note = f"相差最大处：不超过 {{at:num}}{{unit}}的，{shares_words}。"
            figures = (figure("最大差别", "{gap:percent1}", "两条累积分布曲线之间"),)
        sizes = "（*N* = {n:integer}）" if gap is None else "（*n* = {n1:integer} 与 {n2:integer}）"
        shape = "integer" if key == "wald_wolfowitz" else "num"
        Finding(
            test=f"{TESTS[key]} 检验", statistic=f"{SYMBOLS[key]} = {{s:{shape}}}",
            p=p, level=form.conf_level, side="none" if side == "two_sided" else side,
            shown=f"{whose}的“{{y}}”分布不同",
            asked=f"“{{first}}”组的“{{y}}”整体上比“{{second}}”组{'低' if form.alternative == 'less' else '高'}",
            nothing=f"{whose}的“{{y}}”分布没有发现明显差异", compared=f"{whose}{sizes}的“{{y}}”分布",
            observed=observed, figures=figures, note=note, caution=INDEPENDENT + UNASSIGNED, facts=facts,
        ).write(report)  # fmt: skip

    @classmethod
    def _checks(cls, report: Report, form: Any, groups: Groups, table: RankTable, first: tuple[str, Found]) -> None:
        carry = ["group", "variables", "groups"]
        if len(groups.samples) == 2:
            found = ranks.rank_sum(table, "two_sided", exact=max(table.sizes) < ranks.EXACT_MOST)
            p = found.asymptotic if found.exact is None else found.exact
            moved = p < sample_checks.ALPHA
            report.check(
                "差别的种类", "pass",
                "Mann-Whitney U 检验 *p* {p:peq}，"
                + ("两组的位置（谁大谁小）不同。" if moved else "没有发现位置不同；分布不同的话，多半在离散程度。"),
                remedies=[
                    MethodRemedy(title="比较位置（Mann-Whitney）", carry=carry,
                                 method="hypothesis_test/independent_samples_mann_whitney_test"),
                    MethodRemedy(title="比较离散程度（Mood）", method="hypothesis_test/mood_test", carry=carry),
                ],
                p=p,
            )  # fmt: skip
        least = round(float(table.sizes.min()))
        rough = first[0] == "ks" and form.p_method == "asymptotic" and least < SMALL
        report.check(
            "样本量", "care" if rough or least < 10 else "pass",
            "最小的一组 {least:integer} 例。"
            + ("渐近 *p* 在样本小或相同的值多时偏大（保守），请用精确 *p*。" if rough else
               "样本很小，只有很大的差别才看得出来。" if least < 10 else "样本量合适。"),
            remedies=[SetRemedy(title="改用精确 p", set={"p_method": "exact"})] if rough else [], least=least,
        )  # fmt: skip
        sample_checks.ties(
            report, table.tied, table.n,
            "K-S 的渐近 *p* 在相同的值多时偏保守。" if first[0] == "ks" and form.p_method == "asymptotic" else "",
        )  # fmt: skip

    @classmethod
    def joined(cls, report: Report, form: dict[str, Any]) -> None:
        rows = [row for row in report.rows_of(cls.result) if row.cells["read"] == "采用"]
        cls.conclude_rows(report, form, rows, "比较各组的分布", "分布不同")
