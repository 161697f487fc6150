from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Reference,
    Refusal,
    Report,
    Table,
    choice,
    claim,
    confidence,
    figure,
    flag,
    integer,
    num,
    percent,
    pvalue,
    stat,
    text,
)
from hengxi.interpret import cohen1988
from hengxi.methods.hypothesis_test._shared import pair_words, samples
from hengxi.methods.hypothesis_test._shared.comparison import ManySamples, axis
from hengxi.methods.hypothesis_test._shared.finding import INDEPENDENT, UNASSIGNED, Finding
from hengxi.methods.hypothesis_test._shared.samples import Groups
from hengxi.stats.moments import Floats
from hengxi.stats.ranks import RankTable

FISHER_MOST = 100_000


class MedianTest(ManySamples):
    title, title_en = "中位数检验", "Mood's median test"
    family = "非参数检验"
    rescaled = (("variables",),)
    purpose = "各独立组高于总中位数的比例是否相同"
    aliases = ("Mood中位数检验", "Brown-Mood", "多组中位数比较", "median test", "非参数检验")
    references = ("mood1950", "fisher1935", "conover1999", "cohen1988", "holm1979")
    conventions = (
        "总中位数由所有个案得出；等于它的个案按设置归入一边或剔除。",
        "χ² 不做连续性校正（与 SPSS 相同）；Fisher 精确 *p* 为双侧，按概率不大于观测表的各表相加。",
        "效应量 *w* = √(χ²/N)。",
        "两两比较各用这两组的 2 × 2 表（总中位数不变），*p* 用 Bonferroni 校正；期望频数小时用 Fisher 精确 *p*。",
    )

    class Input(ManySamples.Input):
        ties: str = choice("等于中位数的归入", {"below": "归入不大于", "above": "归入大于", "ignore": "剔除"})
        exact: bool = flag("两组小样本Fisher精确", True, hint="只有两组时另给，期望频数不足 5 时采用它")
        post_hoc: bool = flag("两两比较（Bonferroni）", True)
        conf_level: float = confidence(0.8, hint="显著性水平 = 1 − 此值")

    result = Table(
        "中位数检验结果", k=integer("组数"), n=integer("*N*"), median=num("总中位数"), chi2=num("χ²", least=0),
        df=integer("*df*"), chi2_p=pvalue("χ² 的 *p*"), fisher=pvalue("Fisher精确 *p*"), p=pvalue("采用的 *p*"),
        w=num("*w*", least=0, most=1), place="main",
        claim=claim("groups", stat("χ²", "chi2", "df"), effect="w", outcome="variables", by="group"),
    )  # fmt: skip
    counts = Table(
        "频数", group=text("组别"), above=integer("大于中位数"), below=integer("不大于中位数"),
        share=percent("大于的比例"), place="main",
    )  # fmt: skip
    pairs = Table(
        "两两比较", first=text("组I"), second=text("组J"), difference=num("比例之差"), p=pvalue("未校正 *p*"),
        adjusted=pvalue("校正 *p*"), when={"post_hoc": True},
        claim=claim("pair", p="adjusted", first="first", second="second", outcome="variables"),
    )  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        groups = samples.several(form)
        if groups.empty:
            names = "".join(f"“{name}”" for name in groups.empty)
            report.warn("data.dropped_group", "组{names}在“{y}”上没有有效值，已剔除。", names=names, y=groups.y)
        table = RankTable.of([(s.x, s.counts) for s in groups.samples])
        median, cells = cls._cells(form, table)
        cls._judge(form, groups, cells)
        chi2, p, expected = _chi2(cells)
        fisher = None
        if form.exact and len(groups.samples) == 2 and table.n <= FISHER_MOST:
            fisher = float(stats.fisher_exact(cells.astype(np.int64)).pvalue)
        read = fisher if fisher is not None and expected < 5 else p
        n, k = round(float(cells.sum())), len(groups.samples)
        w = min(1.0, float(np.sqrt(chi2 / n)))
        report.row(cls.result, k=k, n=n, median=median, chi2=chi2, df=k - 1, chi2_p=p, fisher=fisher, p=read, w=w)
        for sample, (above, below) in zip(groups.samples, cells, strict=True):
            report.row(
                cls.counts, group=sample.name, above=round(above), below=round(below),
                share=above / (above + below) if above + below else None,
            )  # fmt: skip
        differing = cls._pairs(report, form, groups, cells) if form.post_hoc else []
        cls.describe(report, groups.samples, "median", form.conf_level)
        mark = [Reference(y=median, label="总中位数")]
        report.chart(cls.plot, titles=axis(groups.y, groups.unit), over=mark)
        report.chart(cls.box, over=mark)
        used = fisher is not None and expected < 5
        cls._say(report, form, groups, cells, (chi2, read, w, median), used)
        pair_words.say(
            report, groups, differing, "Bonferroni" if form.post_hoc else "不做", read < 1 - form.conf_level,
            high="高于总中位数的比例大于",
        )  # fmt: skip
        report.check(
            "期望频数", "pass" if expected >= 5 else "care",
            "最小的期望频数为 {expected:num}。"
            + ("" if expected >= 5 else "采用了 Fisher 精确 *p*。" if used else "不足 5，χ² 的 *p* 不太准。"),
            expected=expected,
        )  # fmt: skip
        return report

    @classmethod
    def _cells(cls, form: Any, table: RankTable) -> tuple[float, Floats]:
        """The median of all, and a row (above, not above) for each group."""
        ends = np.cumsum(table.together)
        low, high = (float(table.values[int(np.searchsorted(ends, r))]) for r in ((table.n + 1) // 2, table.n // 2 + 1))
        median = low / 2 + high / 2
        above, level = table.values > median, table.values == median
        if form.ties == "above":
            above = above | level
        below = ~above & ~level if form.ties == "ignore" else ~above
        return median, np.column_stack((table.counts[:, above].sum(axis=1), table.counts[:, below].sum(axis=1)))

    @classmethod
    def _judge(cls, form: Any, groups: Groups, cells: Floats) -> None:
        facts: dict[str, Any] = {"field": "variables", "column": form.variables.id, "y": groups.y}
        if cells.sum() == 0:
            raise Refusal("data.constant", "“{y}”全部观测等于中位数，无法构成频数表，请换一个检验变量", **facts)
        if cells[:, 0].sum() == 0:
            text = "“{y}”没有观测大于总中位数，无法检验；可以把等于中位数的“归入大于”"
            raise Refusal("data.constant", text, **facts)
        if cells[:, 1].sum() == 0:
            raise Refusal(
                "data.constant", "“{y}”没有观测小于总中位数，无法检验；可以把等于中位数的“归入不大于”", **facts
            )
        if (cells.sum(axis=1) == 0).any():
            raise Refusal("data.few", "“{y}”剔除等于中位数的观测后，有的组没有观测，请改用“归入不大于”", **facts)

    @classmethod
    def _pairs(cls, report: Report, form: Any, groups: Groups, cells: Floats) -> list[pair_words.PairFound]:
        k, made = len(groups.samples), []
        share = cells[:, 0] / cells.sum(axis=1)
        for i in range(k):
            for j in range(i + 1, k):
                own = cells[[i, j]]
                p = 1.0
                if (own.sum(axis=0) > 0).all():
                    _, p, expected = _chi2(own)
                    if expected < 5 and own.sum() <= FISHER_MOST:
                        p = float(stats.fisher_exact(own.astype(np.int64)).pvalue)
                adjusted = min(1.0, p * k * (k - 1) / 2)
                names, gap = (groups.samples[i].name, groups.samples[j].name), float(share[i] - share[j])
                report.row(cls.pairs, first=names[0], second=names[1], difference=gap, p=p, adjusted=adjusted)
                made.append(pair_words.PairFound(*names, gap, adjusted))
        return [pair for pair in made if pair.p < 1 - form.conf_level]

    @classmethod
    def _say(
        cls, report: Report, form: Any, groups: Groups, cells: Floats, found: tuple[float, float, float, float],
        exact: bool,
    ) -> None:  # fmt: skip
        chi2, p, w, median = found
        share = cells[:, 0] / cells.sum(axis=1)
        top, bottom = int(share.argmax()), int(share.argmin())
        Finding(
            test="中位数检验",
            statistic="Fisher 精确检验" if exact else "χ²({df:integer}) = {chi2:num}",
            p=p,
            level=form.conf_level,
            side="none",
            shown="{k:integer} 个组的“{y}”高于总中位数的比例不同",
            asked="",
            nothing="{k:integer} 个组的“{y}”没有发现明显差异",
            compared="{k:integer} 个组（*N* = {n:integer}）的“{y}”",
            observed="总中位数为 {median:num}{unit}；高于它的比例最大的是“{top}”组（{s1:percent1}），"
            "最小的是“{bottom}”组（{s2:percent1}）",
            effect="*w* = {w:num}",
            strength=cohen1988.association(w),
            figures=(figure("总中位数", "{median:num}{unit}", "所有个案一起的中位数"),),
            caution=INDEPENDENT + UNASSIGNED,
            facts={
                "y": groups.y, "unit": groups.unit, "k": len(groups.samples), "n": round(float(cells.sum())),
                "chi2": chi2, "df": len(groups.samples) - 1, "w": w, "median": median,
                "top": groups.samples[top].name, "bottom": groups.samples[bottom].name, "s1": float(share[top]),
                "s2": float(share[bottom]),
            },
        ).write(report)  # fmt: skip

    @classmethod
    def joined(cls, report: Report, form: dict[str, Any]) -> None:
        cls.conclude(report, form, cls.result, "比较各组", "高于总中位数的比例不同")


def _chi2(cells: Floats) -> tuple[float, float, float]:
    """Pearson's χ², its p, and the smallest expected count."""
    expected = np.outer(cells.sum(axis=1), cells.sum(axis=0)) / cells.sum()
    chi2 = float(((cells - expected) ** 2 / expected).sum())
    return chi2, float(stats.chi2.sf(chi2, len(cells) - 1)), float(expected.min())
