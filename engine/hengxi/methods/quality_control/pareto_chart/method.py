from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Method,
    Points,
    Refusal,
    Report,
    Table,
    figure,
    num,
    number,
    numbers,
    percent,
    role,
    text,
)

REST = "其他"
SHOWN = 40
"""So many bars can be read; what comes after is combined whatever its share."""


class ParetoChart(Method):
    """Counts or losses of categories from the greatest down, with cumulated shares and ABC classes."""

    title, title_en = "帕累托图", "Pareto chart"
    family, tier = "质量控制", "standard"
    purpose = "哪少数几类原因造成了大部分问题"
    aliases = ("柏拉图", "排列图", "二八法则", "ABC分析", "pareto")
    references = ("montgomery2013",)
    conventions = (
        "类别按频数（或损失）从大到小排列，相同时按原来的次序。",
        "ABC：累计到这一类之前还不足第一个界限的为 A，不足第二个界限的为 B，其余为 C。",
        "合并为“其他”的类别放在最后；只剩一类时不合并。",
    )

    class Input(Form):
        category: Column = role("原因类别", "定类")
        count: Column | None = role("频数或损失（选填）", "定量", hint="不填时每行算 1 次")
        by: Column | None = role("分面变量（选填）", "定类", levels=(1, 12), hint="各组分别画一张")
        combine_after: float = number("累计达此比例后合并为其他（%）", 95, least=50, most=100)
        abc: list[float] = numbers("ABC 分类界限（%）", (80, 95), above=0, below=100, increasing=True, min=2, max=2)

    table = Table(
        "帕累托分析", group=text("组"), category=text("类别"), n=num("频数", least=0), share=percent("百分比"),
        cumulated=percent("累计百分比"), abc=text("ABC 类"), merge=("group",), place="main",
    )  # fmt: skip
    bars = Points("柱", group=text("组"), category=text("类别"), n=num("频数"), cumulated=num("累计百分比"))
    plot = Chart(
        "帕累托图", "bar", of=bars, x="category", y="n", second="cumulated", facet="group", place="main"
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{form.category.title}的帕累托图"

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        n = np.ones(len(form.category)) if form.count is None else form.count.numbers
        if form.count is not None and (n < 0).any():
            raise Refusal(
                "data.negative", "频数不能为负，第 {at} 行的“{v}”小于 0，请核对", field="count", column=form.count.id,
                at=int(np.asarray(form.count.row_numbers)[n < 0][0]), v=form.count.title,
            )  # fmt: skip
        groups: list[tuple[str | None, Any]] = [(None, np.ones(n.size, dtype=bool))]
        if form.by is not None:
            groups = [(level.label, form.by.codes == level.code) for level in form.by.levels]
        vital: list[tuple[str | None, list[str], float, int]] = []
        for name, rows in groups:
            vital.append((name, *cls._write(report, form, name, n, rows)))
        what = "频数" if form.count is None else form.count.title
        report.chart(cls.plot, titles={"x": form.category.title, "y": what})
        cls._say(report, form, vital)
        return report

    @classmethod
    def _write(cls, report: Report, form: Any, name: str | None, n: Any, rows: Any) -> tuple[list[str], float, int]:
        """Rows of one group; gives the classes A, their share, and how many categories there are."""
        levels = form.category.levels
        sums = np.bincount(form.category.codes[rows], weights=n[rows], minlength=len(levels))
        total = float(sums.sum())
        if not total > 0 or not np.isfinite(total):
            where = f"“{name}”组" if name else ""
            words = "频数合计为 0，没有可统计的类别" if np.isfinite(total) else "频数太大，合计超出范围，请换一个单位"
            raise Refusal(
                "data.empty", "{where}" + words, field="count" if form.count is not None else "category", where=where
            )
        order = [int(i) for i in np.argsort(-sums, kind="stable") if sums[i] > 0]
        entries = _combined([(levels[i].label, float(sums[i])) for i in order], total, form.combine_after / 100)
        low, high = (bound / 100 for bound in form.abc)
        cumulated, first = 0.0, list[str]()
        share_of_first = 0.0
        for label, value in entries:
            kind = "A" if cumulated < low - 1e-12 else "B" if cumulated < high - 1e-12 else "C"
            cumulated = min(1.0, cumulated + value / total)
            if kind == "A":
                first.append(label)
                share_of_first = cumulated
            report.row(
                cls.table, group=name, category=label, n=value, share=value / total, cumulated=cumulated, abc=kind
            )
            report.row(cls.bars, group=name or "全部", category=label, n=value, cumulated=100 * cumulated)
        return first, share_of_first, len(order)

    @classmethod
    def _say(cls, report: Report, form: Any, vital: list[tuple[str | None, list[str], float, int]]) -> None:
        name, first, share, kinds = vital[0]
        few = 2 * len(first) <= kinds
        report.lead(
            "{where}{names}占 {share:percent}，"
            + ("是主要原因，先解决它们。" if few else "原因比较分散，没有集中在少数几类。"),
            where=f"“{name}”组的" if name else "", names=_named(first), share=share,
            figures=(figure("A 类占", "{share:percent}", None),),
        )  # fmt: skip
        for other, classes, part, _ in vital[1:]:
            report.say("“{g}”组：{names}占 {share:percent}。", g=other or "", names=_named(classes), share=part)
        report.say("次数多不等于损失大：要看损失时，把损失金额放进“频数或损失”。")


def _named(names: list[str]) -> str:
    shown = "".join(f"“{name}”" for name in names[:3])
    return shown + (f"等 {len(names)} 类" if len(names) > 3 else "")


def _combined(entries: list[tuple[str, float]], total: float, after: float) -> list[tuple[str, float]]:
    """What comes after the share is reached, as one entry; so is what is too many to read."""
    cumulated, keep = 0.0, len(entries)
    for place, (_, value) in enumerate(entries):
        cumulated += value / total
        if cumulated >= after - 1e-12 or place + 1 >= SHOWN:
            keep = place + 1
            break
    rest = entries[keep:]
    if len(rest) < 2:
        return entries
    return [*entries[:keep], (f"{REST}（{len(rest)} 类）", sum(value for _, value in rest))]
