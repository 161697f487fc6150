from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Column,
    Form,
    Refusal,
    Report,
    Table,
    adjustment,
    choice,
    claim,
    confidence,
    figure,
    integer,
    many,
    num,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.interpret import cohen1988
from hengxi.methods.hypothesis_test._shared import pair_words, samples
from hengxi.methods.hypothesis_test._shared.comparison import ManySamples, axis
from hengxi.methods.hypothesis_test._shared.finding import Finding
from hengxi.methods.hypothesis_test._shared.samples import Groups, Sample
from hengxi.stats import blocks
from hengxi.stats.blocks import Friedman
from hengxi.stats.moments import Floats
from hengxi.stats.multiple import adjust
from hengxi.stats.names import sharing

POST_HOC = {"nemenyi": "Nemenyi", "none": "不做", "dunn": "Dunn", "conover": "Conover", "wilcoxon": "两两Wilcoxon"}
PAIRWISE = tuple(key for key in POST_HOC if key != "none")


class MultiplePairedSampleFriedmanTest(ManySamples):
    title, title_en = "多配对样本Friedman检验", "Friedman test"
    rescaled = (("variables",),)
    purpose = "同一批对象在三个及以上条件下的分布是否有差异"
    aliases = (
        "弗里德曼",
        "多次重复测量",
        "多个评委",
        "随机区组秩检验",
        "Kendall W",
        "Quade",
        "Nemenyi",
        "非参数重复测量",
    )
    references = (
        "friedman1937", "iman1980", "quade1979", "kendall1939", "nemenyi1963", "demsar2006", "conover1999",
        "holm1979", "cohen1988",
    )  # fmt: skip
    conventions = (
        "在每一行之内排秩，相同的值取平均秩；有缺失的行整行不用。",
        "χ² 已作结校正；Iman-Davenport *F* = (n − 1)χ²/(n(k − 1) − χ²)。",
        "Kendall *W* = χ²/(n(k − 1))，平均 Spearman ρ 为各对象两两之间的平均；f = √(W/(1 − W))。",
        "Nemenyi 用学生化范围分布，Dunn 用正态分布，两者的标准误为 √(k(k + 1)/(6n))；"
        "Conover 用 *t* 分布，df = (n − 1)(k − 1)。",
        "Nemenyi 的 *p* 本身已控制整体错误率，不再校正。两两 Wilcoxon 剔除零差值，不做连续性校正。",
    )
    missing = "listwise"
    weights = ()

    class Input(Form):
        variables: list[Column] = role("配对变量", "定量", min=3, max=50, hint="每列一个条件，同一行是同一个对象")
        post_hoc: str = choice("事后比较", POST_HOC)
        adjust: str = adjustment("bonferroni", "none", "bonferroni", "holm", when={"post_hoc": PAIRWISE[1:]})
        variant: list[str] = many(
            "附加检验", {"iman_davenport": "Iman-Davenport F", "quade": "Quade", "kendall_w": "Kendall W"},
            default=("iman_davenport",),
        )  # fmt: skip
        conf_level: float = confidence(0.8, hint="显著性水平 = 1 − 此值")

    result = Table(
        "Friedman检验结果", k=integer("条件数"), n=integer("*n*"), chi2=num("χ²", least=0), df=integer("*df*"),
        p=pvalue(), w=num("Kendall *W*", least=0, most=1), place="main",
        claim=claim("named", stat("χ²", "chi2", "df"), effect="w"),
    )  # fmt: skip
    mean_ranks = Table(
        "秩次", condition=text("条件"), n=integer("*n*"), median=num("中位数"), q1=num("P25"), q3=num("P75"),
        mean_rank=num("平均秩", least=0), place="main",
    )  # fmt: skip
    others = Table(
        "附加检验", test=text("检验"), statistic=num("统计量"), df1=integer("*df*1"), df2=integer("*df*2"), p=pvalue(),
        when={"variant": ("iman_davenport", "quade", "kendall_w")}, claim=claim("named", names=("test",)),
    )  # fmt: skip
    pairs = Table(
        "事后两两比较", first=text("条件I"), second=text("条件J"), difference=num("平均秩差", stars="adjusted"),
        se=num("标准误", least=0), statistic=num("统计量"), p=pvalue("未校正 *p*"), adjusted=pvalue("校正 *p*"),
        when={"post_hoc": PAIRWISE}, claim=claim("paired", p="adjusted", first="first", second="second"),
    )  # fmt: skip
    effects = Table("效应量", effect=text("效应量"), value=num("估计"))

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        held = samples.repeated(form)
        values = np.column_stack([sample.x for sample in held])
        ranks = blocks.within_ranks(values)
        if np.ptp(values, axis=1).max() == 0:
            raise Refusal(
                "data.constant", "各对象在所有条件下评分相同，无法排秩，请核对是否放错了变量", field="variables"
            )
        test = blocks.friedman(ranks)
        report.row(cls.result, k=len(held), n=len(values), chi2=test.chi2, df=test.df, p=test.p, w=test.w)
        for sample, mean in zip(held, ranks.mean(axis=0), strict=True):
            q1, median, q3 = sample.quartiles
            report.row(
                cls.mean_ranks, condition=sample.name, n=sample.n, median=median, q1=q1, q3=q3, mean_rank=float(mean)
            )
        cls._others(report, form, test, values)
        f = None if test.F is None else (test.w / (1 - test.w)) ** 0.5
        for name, value in (("Kendall W", test.w), ("平均 Spearman ρ", test.rho), ("Cohen's f（由 W）", f)):
            report.row(cls.effects, effect=name, value=value)
        differing = cls._pairs(report, form, held, values)
        cls.describe(report, held, "median", form.conf_level)
        report.chart(cls.plot, titles=axis("取值", samples.unit(form.variables[0])))
        cls._say(report, form, held, ranks, test, f)
        groups = Groups("", "", "", held, [])
        pair_words.say(report, groups, differing, POST_HOC[form.post_hoc], test.p < 1 - form.conf_level, noun="")
        cls._size(report, len(values), len(held), ranks)
        return report

    @classmethod
    def _others(cls, report: Report, form: Any, test: Friedman, values: Floats) -> None:
        if "iman_davenport" in form.variant:
            report.row(cls.others, test="Iman-Davenport F", statistic=test.F, df1=test.df, df2=test.df2, p=test.F_p)
        if "quade" in form.variant:
            f, df1, df2, p = blocks.quade(values) or (None, test.df, test.df2, 0.0)
            report.row(cls.others, test="Quade F", statistic=f, df1=df1, df2=df2, p=p)
        if "kendall_w" in form.variant:
            report.row(cls.others, test="Kendall W（χ²）", statistic=test.w, df1=test.df, p=test.p)
        if test.F is None and form.variant:
            report.note(cls.others, "所有对象的排序完全一致，*F* 为无穷大。")

    @classmethod
    def _pairs(cls, report: Report, form: Any, held: list[Sample], values: Floats) -> list[pair_words.PairFound]:
        if form.post_hoc == "none":
            return []
        found = blocks.compared(values, form.post_hoc)
        way = "none" if form.post_hoc == "nemenyi" else form.adjust
        made = []
        for pair, p in zip(found, adjust([pair.p for pair in found], way), strict=True):
            first, second = held[pair.first].name, held[pair.second].name
            report.row(
                cls.pairs, first=first, second=second, difference=pair.difference, se=pair.se,
                statistic=pair.statistic, p=pair.p, adjusted=p,
            )  # fmt: skip
            made.append(pair_words.PairFound(first, second, pair.difference, p))
        note = {
            "nemenyi": "统计量为 *q*；*p* 已控制整体错误率。", "dunn": "统计量为 *Z*。",
            "conover": "统计量为 *t*。", "wilcoxon": "统计量为符号秩检验的 *Z*，只用这两个条件的差值。",
        }[form.post_hoc]  # fmt: skip
        loose = "各 *p* 没有校正，不控制整体错误率。" if way == "none" and form.post_hoc != "nemenyi" else ""
        report.note(cls.pairs, note + loose)
        return [pair for pair in made if pair.p < 1 - form.conf_level]

    @classmethod
    def _say(
        cls, report: Report, form: Any, held: list[Sample], ranks: Floats, test: Friedman, f: float | None
    ) -> None:
        means = ranks.mean(axis=0)
        top, bottom = int(means.argmax()), int(means.argmin())
        names = [sample.name for sample in held]
        observed = "平均秩最高的是“{top}”（{r1:num}），最低的是“{bottom}”（{r2:num}）"
        if means[top] == means[bottom]:
            observed = "各条件的平均秩相同，都是 {r1:num}"
        Finding(
            test="Friedman 检验",
            statistic="χ²({df:integer}) = {chi2:num}",
            p=test.p,
            level=form.conf_level,
            side="none",
            shown="{k:integer} 个条件下的取值总体高低不同",
            asked="",
            nothing="{k:integer} 个条件下的取值没有发现明显差异",
            compared="{k:integer} 个条件（{n:integer} 个对象）",
            observed=observed,
            effect="Kendall *W* = {w:num}",
            strength="大" if f is None else cohen1988.spread(f),
            figures=(figure("效应量", "Kendall *W* = {w:num}", "0 到 1，1 表示各对象的排序完全一致"),),
            caution="本检验要求各对象之间互不影响。各条件的先后次序固定时，差异也可能来自练习或疲劳。",
            facts={
                "k": len(held), "n": ranks.shape[0], "chi2": test.chi2, "df": test.df, "w": test.w,
                "r1": float(means[top]), "r2": float(means[bottom]),
                "top": sharing(names, means.tolist(), means[top]),
                "bottom": sharing(names, means.tolist(), means[bottom]),
            },
        ).write(report)  # fmt: skip

    @classmethod
    def _size(cls, report: Report, n: int, k: int, ranks: Floats) -> None:
        few = n < 10 and k < 5
        report.check(
            "样本量", "care" if few else "pass",
            "{n:integer} 个对象，{k:integer} 个条件。"
            + ("对象少，χ² 近似不太准，请看 Iman-Davenport *F*。" if few else "χ² 近似可用。"),
            n=n, k=k,
        )  # fmt: skip
        tied = float(np.mean([np.unique(row).size < k for row in ranks[:100_000]]))
        report.check(
            "相同的值", "care" if tied > 0.5 else "pass",
            "{tied:percent1} 的对象在几个条件下取值相同。相同的值取平均秩，*p* 已作校正。", tied=tied,
        )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return (
            f"{cls.title}：{'、'.join(column.title for column in form.variables[:3])}{'等' * (len(form.variables) > 3)}"
        )
