from __future__ import annotations

from typing import Any

from hengxi.contract import (
    Chart,
    Refusal,
    Report,
    Table,
    adjustment,
    choice,
    claim,
    confidence,
    figure,
    integer,
    num,
    pvalue,
    stat,
    text,
)
from hengxi.interpret import cohen1988
from hengxi.methods.hypothesis_test._shared import pair_words, rank_parts, sample_checks, samples
from hengxi.methods.hypothesis_test._shared.comparison import ManySamples, axis
from hengxi.methods.hypothesis_test._shared.finding import INDEPENDENT, UNASSIGNED, Finding
from hengxi.methods.hypothesis_test._shared.samples import Groups
from hengxi.stats import ranks
from hengxi.stats.multiple import adjust
from hengxi.stats.names import sharing
from hengxi.stats.ranks import RankTable

POST_HOC = {
    "dunn": "Dunn",
    "none": "不做",
    "conover": "Conover-Iman",
    "dscf": "DSCF",
    "pairwise_mw": "两两Mann-Whitney",
}
PAIRWISE = tuple(key for key in POST_HOC if key != "none")


class MultipleSampleKruskalWallisTest(ManySamples):
    title, title_en = "多独立样本Kruskal-Wallis检验", "Kruskal-Wallis test"
    rescaled = (("variables",),)
    purpose = "三个及以上独立组的分布位置是否有差异"
    aliases = ("K-W检验", "H检验", "多组秩和检验", "非参数方差分析", "克鲁斯卡尔", "Dunn", "DSCF", "多组非参数")
    references = (
        "kruskal1952", "dunn1964", "conover1979", "critchlow1991", "tomczak2014", "holm1979", "hollander2014",
        "phipson2010", "cohen1988",
    )  # fmt: skip
    conventions = (
        "全部个案一起排秩，相同的值取平均秩；*H* 已作结校正，*p* 由 χ² 分布得出。",
        "ε² = H/(N − 1)；η²H = (H − k + 1)/(N − k)，小于 0 时记作 0；f = √(η²/(1 − η²))。",
        "Dunn 与 Conover-Iman 用全体的秩，标准误含结校正；DSCF 与两两 Mann-Whitney 只用这两组的秩，不做连续性校正。",
        "DSCF 的 *p* 来自学生化范围分布，本身已控制整体错误率，不再校正。",
        "蒙特卡洛 *p* 把个案随机重分到各组 10000 次，另给 99% 区间。",
        "一次检验三个以上变量时，前提检验里另列 Holm 校正后的 *p*。",
    )
    random = True

    class Input(ManySamples.Input):
        post_hoc: str = choice("事后比较", POST_HOC)
        adjust: str = adjustment("bonferroni", when={"post_hoc": ("dunn", "conover", "pairwise_mw")})
        p_method: str = rank_parts.p_method("asymptotic", "monte_carlo")
        conf_level: float = confidence(0.8, hint="显著性水平 = 1 − 此值")

    result = Table(
        "Kruskal-Wallis检验结果", k=integer("组数"), n=integer("*N*"), H=num("*H*", least=0), df=integer("*df*"),
        p=pvalue(), how=text("*p* 的算法"), epsilon2=num("ε²", least=0, most=1), place="main",
        claim=claim("groups", stat("*H*", "H", "df"), effect="epsilon2", outcome="variables", by="group"),
    )  # fmt: skip
    mean_ranks = Table(
        "秩次", group=text("组别"), n=integer("*n*"), median=num("中位数"), q1=num("P25"), q3=num("P75"),
        mean_rank=num("平均秩", least=0), place="main",
    )  # fmt: skip
    pairs = Table(
        "事后比较", first=text("组I"), second=text("组J"), difference=num("平均秩差", stars="adjusted"),
        se=num("标准误", least=0), statistic=num("统计量"), p=pvalue("未校正 *p*"), adjusted=pvalue("校正 *p*"),
        when={"post_hoc": PAIRWISE},
        claim=claim("pair", p="adjusted", first="first", second="second", outcome="variables"),
    )  # fmt: skip
    effects = Table("效应量", effect=text("效应量"), value=num("估计", least=0))
    bars = Chart("各组的平均秩", "bar", of=mean_ranks, x="group", y="mean_rank", place="detail")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        groups = samples.several(form)
        if groups.empty:
            names = "".join(f"“{name}”" for name in groups.empty)
            report.warn("data.dropped_group", "组{names}在“{y}”上没有有效值，已剔除。", names=names, y=groups.y)
        table = RankTable.of([(s.x, s.counts) for s in groups.samples])
        if table.values.size == 1:
            raise Refusal(
                "data.constant", "“{y}”全部观测值相同，H统计量无定义，请核对数据或换一个检验变量", field="variables",
                column=form.variables.id, y=groups.y,
            )  # fmt: skip
        test = ranks.kruskal_wallis(table)
        drawn = cls._drawn(form, table) if form.p_method == "monte_carlo" else None
        read = rank_parts.read(form.p_method, test.p, None, drawn)
        how = read.how.replace("正态近似，结校正，不做连续性校正", "χ² 近似，结校正")
        n, k = table.n, len(groups.samples)
        epsilon = min(1.0, test.H / (n - 1))
        eta = max(0.0, (test.H - k + 1) / (n - k)) if n > k else None
        f = None if eta is None or eta >= 1 else (eta / (1 - eta)) ** 0.5
        report.row(cls.result, k=k, n=n, H=test.H, df=test.df, p=read.p, how=how, epsilon2=epsilon)
        rank_parts.note_drawn(report, cls.result, read, form.seed)
        for sample, size, total in zip(groups.samples, table.sizes, table.rank_sums, strict=True):
            q1, median, q3 = sample.quartiles
            report.row(
                cls.mean_ranks, group=sample.name, n=sample.n, median=median, q1=q1, q3=q3, mean_rank=total / size
            )
        for name, value in (("ε²", epsilon), ("η²H", eta), ("Cohen's f（由 η²H）", f)):
            report.row(cls.effects, effect=name, value=value)
        differing = cls._pairs(report, form, groups, table)
        cls.describe(report, groups.samples, "median", form.conf_level)
        report.chart(cls.plot, titles=axis(groups.y, groups.unit))
        cls._say(report, form, groups, test, read, epsilon, f)
        pair_words.say(report, groups, differing, POST_HOC[form.post_hoc], read.p < 1 - form.conf_level)
        sample_checks.size_for_ranks(report, [s.n for s in groups.samples], None, 1 - form.conf_level)
        sample_checks.ties(report, table.tied, n, "相同的值取平均秩，*p* 已作校正。")
        return report

    @classmethod
    def _drawn(cls, form: Any, table: RankTable) -> tuple[float, float, float] | None:
        sums = ranks.draw_sums(table, form.rng)
        if sums is None:
            return None
        # H grows with Σ R²/n; all else is the same in every draw.
        spread, seen = sums**2 @ (1 / table.sizes), float(table.rank_sums**2 @ (1 / table.sizes))
        return ranks.drawn_p(spread, seen, seen, "greater")

    @classmethod
    def _pairs(cls, report: Report, form: Any, groups: Groups, table: RankTable) -> list[pair_words.PairFound]:
        if form.post_hoc == "none":
            return []
        found = ranks.compared(table, form.post_hoc)
        way = "none" if form.post_hoc == "dscf" else form.adjust
        names = [sample.name for sample in groups.samples]
        made = []
        for pair, p in zip(found, adjust([pair.p for pair in found], way), strict=True):
            report.row(
                cls.pairs, first=names[pair.first], second=names[pair.second], difference=pair.difference, se=pair.se,
                statistic=pair.statistic, p=pair.p, adjusted=p,
            )  # fmt: skip
            made.append(pair_words.PairFound(names[pair.first], names[pair.second], pair.difference, p))
        note = {
            "dunn": "统计量为 *Z*。", "conover": "统计量为 *t*，自由度 N − k。",
            "dscf": "统计量为 *q*，平均秩差是这两组单独排秩的差；*p* 已控制整体错误率。",
            "pairwise_mw": "统计量为 *Z*，平均秩差是这两组单独排秩的差。",
        }[form.post_hoc]  # fmt: skip
        loose = "各 *p* 没有校正，不控制整体错误率。" if way == "none" and form.post_hoc != "dscf" else ""
        report.note(cls.pairs, note + loose)
        return [pair for pair in made if pair.p < 1 - form.conf_level]

    @classmethod
    def _say(
        cls, report: Report, form: Any, groups: Groups, test: ranks.KruskalWallis, read: rank_parts.Read,
        epsilon: float, f: float | None,
    ) -> None:  # fmt: skip
        ordered = sorted(groups.samples, key=lambda sample: sample.median)
        low, high = ordered[0], ordered[-1]
        names, medians = [sample.name for sample in ordered], [sample.median for sample in ordered]
        observed = "中位数最高的是“{top}”组（{m1:num}{unit}），最低的是“{bottom}”组（{m2:num}{unit}）"
        if high.median == low.median:
            observed = "各组的中位数相同，都是 {m1:num}{unit}"
        Finding(
            test="Kruskal-Wallis 检验",
            statistic="*H*({df:integer}) = {H:num}",
            p=read.p,
            level=form.conf_level,
            side="none",
            shown="{k:integer} 个组的“{y}”总体高低不同",
            asked="",
            nothing="{k:integer} 个组的“{y}”没有发现明显差异",
            compared="{k:integer} 个组（*N* = {n:integer}）的“{y}”",
            observed=observed,
            effect="ε² = {epsilon:num}",
            strength="" if f is None else cohen1988.spread(f),
            figures=(figure("效应量", "ε² = {epsilon:num}", "0 到 1，分组能说明多少秩的变异"),),
            caution=INDEPENDENT + UNASSIGNED,
            facts={
                "y": groups.y, "unit": groups.unit, "k": len(groups.samples), "n": groups.n, "H": test.H,
                "df": test.df, "epsilon": epsilon, "m1": high.median, "m2": low.median,
                "top": sharing(names, medians, high.median), "bottom": sharing(names, medians, low.median),
            },
        ).write(report)  # fmt: skip

    @classmethod
    def joined(cls, report: Report, form: dict[str, Any]) -> None:
        cls.conclude(report, form, cls.result, "比较各组", "分布位置有差异")
