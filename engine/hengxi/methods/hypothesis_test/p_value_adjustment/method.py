from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Form,
    Line,
    Method,
    NextStep,
    Points,
    Reference,
    Refusal,
    Report,
    Silent,
    Table,
    figure,
    integer,
    many,
    num,
    number,
    pvalue,
    role,
    text,
)
from hengxi.stats.moments import Floats
from hengxi.stats.multiple import HOMMEL_MOST, adjust

TITLES = {
    "bonferroni": "Bonferroni",
    "sidak": "Šidák",
    "holm": "Holm",
    "hochberg": "Hochberg",
    "hommel": "Hommel",
    "fdr_bh": "Benjamini-Hochberg",
    "fdr_by": "Benjamini-Yekutieli",
}
FALSE_SHARE = ("fdr_bh", "fdr_by")
"""Methods that bound the share of false discoveries; the others bound the chance of any."""
LISTED, DRAWN = 1000, 2000
EDGE = 1e-12
"""A p that differs from α by rounding only is not below it."""


class PValueAdjustment(Method):
    """Adjusted p values of a list of p values."""

    title, title_en = "p值多重校正", "Multiple-testing correction"
    family, tier = "样本量与其他检验", "standard"
    purpose = "一批p值校正后哪些仍显著"
    aliases = ("多重比较校正", "多重检验", "FDR", "错误发现率", "Bonferroni", "Holm", "BH校正", "q值", "p.adjust")
    references = ("dunn1961", "sidak1967", "holm1979", "hochberg1988", "hommel1988", "benjamini1995", "benjamini2001")
    conventions = (
        "校正 *p* 直接与显著性水平比较，与 R 的 p.adjust 相同；大于 1 的记作 1。",
        "校正的个数是有效 *p* 值的行数，缺失的行不计。",
        "Hochberg、Hommel 与 Benjamini-Hochberg 要求各检验互相独立或正相关；Bonferroni、Holm 与 "
        "Benjamini-Yekutieli 不要求。",
        "Šidák 要求各检验互相独立（或满足其不等式）。",
    )
    missing = "pairwise"
    min_rows = 1

    class Input(Form):
        p_values: Column = role("p值列", "定量", hint="每行一个 p 值，在 0 到 1 之间")
        label: Column | None = role("名称列（选填）", "任意", use="label")
        methods: list[str] = many("校正方法", TITLES, default=("bonferroni", "holm", "fdr_bh"), min=1)
        alpha: float = number("显著性水平", 0.05, least=0.001, most=0.2)

    summary = Table(
        "汇总", method=text("方法"), controls=text("控制什么"), n=integer("检验数"), count=integer("显著个数"),
        least=pvalue("最小的校正 *p*"), place="main", claim=Silent("what is tested is known to the user alone"),
    )  # fmt: skip
    result = Table(
        "校正结果",
        row=integer("行号"),
        label=text("名称"),
        p=pvalue("原 *p*"),
        bonferroni=pvalue("Bonferroni", when={"methods": "bonferroni"}),
        sidak=pvalue("Šidák", when={"methods": "sidak"}),
        holm=pvalue("Holm", when={"methods": "holm"}),
        hochberg=pvalue("Hochberg", when={"methods": "hochberg"}),
        hommel=pvalue("Hommel", when={"methods": "hommel"}),
        fdr_bh=pvalue("BH", when={"methods": "fdr_bh"}),
        fdr_by=pvalue("BY", when={"methods": "fdr_by"}),
        significant=text("仍显著的方法"),
        place="main",
        claim=Silent("what is tested is known to the user alone"),
    )
    points = Points("p值", rank=integer("名次"), p=num("*p*"))
    threshold = Points("BH阈值", rank=integer("名次"), p=num("*p*"))
    plot = Chart(
        "p值排序图", "point", of=points, x="rank", y="p", over=[Line(threshold, x="rank", y="p", label="BH 阈值")],
        place="main",
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{cls.title}：{form.p_values.title}"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        start = {"variables": [form["p_values"]]}
        return [NextStep(title="看 p 值的分布（频数分析）", method="descriptive/frequency", form=start)]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        column = form.p_values
        rows = np.flatnonzero(~column.missing)
        p = _judged(column, rows)
        ways = [way for way in form.methods if way != "hommel" or p.size <= HOMMEL_MOST]
        if len(ways) < len(form.methods):
            report.warn(
                "data.size", "Hommel 法最多用于 {most:integer} 个 *p* 值，没有做；可以用 Hochberg 法代替。",
                most=HOMMEL_MOST,
            )  # fmt: skip
        adjusted = {way: np.array(adjust(p, way)) for way in ways}
        below = {way: _below(values, form.alpha) for way, values in adjusted.items()}
        raw = int(_below(p, form.alpha).sum())
        report.row(
            cls.summary, method="不校正", controls="每个检验各自的错误率", n=p.size, count=raw, least=float(p.min())
        )
        for way in ways:
            report.row(
                cls.summary, method=TITLES[way], controls="错误发现率" if way in FALSE_SHARE else "整体错误率",
                n=p.size, count=int(below[way].sum()), least=float(adjusted[way].min()),
            )  # fmt: skip
        order = np.lexsort((rows, p))
        cls._list(report, form, rows, p, order[:LISTED], adjusted, below)
        cls._draw(report, form, p[order])
        cls._words(report, form, p.size, raw, {way: int(held.sum()) for way, held in below.items()})
        return report

    @classmethod
    def _list(
        cls, report: Report, form: Any, rows: Any, p: Floats, order: Any, adjusted: dict[str, Floats],
        below: dict[str, Any],
    ) -> None:  # fmt: skip
        names = None if form.label is None else form.label.text
        numbers = form.p_values.row_numbers
        for i in order:
            held = [TITLES[way] for way in adjusted if below[way][i]]
            words = "—" if not held else "全部" if len(held) == len(adjusted) > 1 else "、".join(held)
            name = (names[rows[i]] if names is not None else None) or "—"
            cells: dict[str, Any] = {way: float(values[i]) for way, values in adjusted.items()}
            report.row(cls.result, row=int(numbers[rows[i]]), label=name, p=float(p[i]), significant=words, **cells)
        if p.size > LISTED:
            report.note(cls.result, "按原 *p* 由小到大，列出前 {k:integer} 个，共 {n:integer} 个。", k=LISTED, n=p.size)
        else:
            report.note(cls.result, "按原 *p* 由小到大排列。")

    @classmethod
    def _draw(cls, report: Report, form: Any, ordered: Floats) -> None:
        shown = min(ordered.size, DRAWN)
        ranks = np.arange(1, shown + 1)
        report.add_rows(cls.points, {"rank": ranks, "p": ordered[:shown]})
        ends = np.array([1, shown]) if shown > 1 else np.array([1])
        report.add_rows(cls.threshold, {"rank": ends, "p": form.alpha * ends / ordered.size})
        thinned = (shown, ordered.size) if shown < ordered.size else None
        report.chart(
            cls.plot, titles={"x": "由小到大的名次", "y": "原 p 值"}, thinned=thinned,
            over=[Reference(y=form.alpha, label="显著性水平")],
        )  # fmt: skip

    @classmethod
    def _words(cls, report: Report, form: Any, n: int, raw: int, counts: dict[str, int]) -> None:
        facts: dict[str, Any] = {"v": form.p_values.title, "n": n, "raw": raw, "alpha": form.alpha}
        parts = []
        for way, count in counts.items():
            facts |= {f"k_{way}": count, f"t_{way}": TITLES[way]}
            parts.append(f"{{t_{way}}} {{k_{way}:integer}} 个")
        left = "、".join(parts)
        if not raw:
            lead = "“{v}”的 {n:integer} 个 *p* 值都不小于 {alpha:alpha}，不校正也没有显著的。"
        else:
            lead = (
                "“{v}”的 {n:integer} 个 *p* 值里，不校正有 {raw:integer} 个小于 {alpha:alpha}；"
                f"校正后仍显著的：{left}。"
            )
        first = next(iter(counts))
        report.lead(
            lead, [figure("不校正", "{raw:integer} 个", "共 {n:integer} 个"),
                   figure(TITLES[first], f"{{k_{first}:integer}} 个", "校正后仍显著")], **facts,
        )  # fmt: skip
        facts["chance"] = n * form.alpha
        report.say(
            "检验做得越多，碰巧小于 {alpha:alpha} 的就越多：如果 {n:integer} 个检验都没有真实的差异，平均也会有 "
            "{chance:num} 个碰巧显著。校正就是把这种碰巧算进去。",
            voice="student", **facts,
        )  # fmt: skip
        if any(way in FALSE_SHARE for way in counts):
            report.say(
                "整体错误率是“至少错一个”的机会，控制它最严；错误发现率是“宣布显著的里面平均有多大比例是错的”，"
                "筛选很多个检验时常用它。方法要在看结果之前选定，不要挑显著最多的一种。",
                voice="student",
            )  # fmt: skip
        else:
            report.say(
                "整体错误率是“至少错一个”的机会。方法要在看结果之前选定，不要挑显著最多的一种。", voice="student"
            )
        report.say(
            "对 {n:integer} 个检验的 *p* 值做多重校正（α = {alpha:alpha}）：不校正有 {raw:integer} 个小于 α；"
            f"校正后仍显著的，{left}。",
            voice="paper", **facts,
        )  # fmt: skip
        report.say(lead, voice="brief", **facts)
        whole = "校正的个数应当是这次研究做过的全部检验，包括没有写进来的；漏掉一些，校正就不够。"
        report.check("检验的个数", "unknown", f"一共校正 {{n:integer}} 个。{whole}", n=n)


def _below(p: Floats, alpha: float) -> Any:
    return p < alpha * (1 - EDGE)


def _judged(column: Column, rows: Any) -> Floats:
    """The p values of the rows that have one; refuses what is none."""
    p = column.numbers[rows]
    if p.size == 0:
        raise Refusal(
            "data.few", "p值列“{v}”没有有效数字，请换一列", field="p_values", column=column.id, v=column.title
        )
    wrong = np.flatnonzero(~((p >= 0) & (p <= 1)))
    if wrong.size:
        row = int(column.row_numbers[rows[wrong[0]]])
        raise Refusal(
            "data.range", "第 {r} 行p值不在0到1之间（{value}），“{v}”共有 {k} 行这样，请改正或筛选掉这些行",
            field="p_values", column=column.id, r=row, value=f"{p[wrong[0]]:g}", v=column.title, k=int(wrong.size),
        )  # fmt: skip
    return np.asarray(p, dtype=float)
