"""What both ways to association rules report: items, frequent itemsets, rules with their measures, figures."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.stats import hypergeom

from hengxi.contract import (
    Chart,
    Form,
    Method,
    Points,
    Refusal,
    Report,
    SetRemedy,
    Silent,
    Table,
    choice,
    figure,
    integer,
    num,
    number,
    percent,
    pvalue,
    role,
    text,
    words,
)
from hengxi.contract.tables import Element
from hengxi.methods.unsupervised_learning._shared.baskets import LAYOUTS, Baskets
from hengxi.stats.itemsets import Counts, Itemset, Rule, kinds, redundant, rules
from hengxi.stats.multiple import adjust

MOST, SHOWN, EDGES, NEAR, DRAWN = 100_000, 5000, 40, 0.1, 1000
COMMON = (
    "支持度 = 同时含前项和后项的事务占比；置信度 = P(后项 | 前项)；提升度 = 置信度 / P(后项)；"
    "杠杆率 = P(前项, 后项) − P(前项)P(后项)；确信度 = (1 − P(后项)) / (1 − 置信度)。",
    "Zhang 指标 =（P(前项, 后项) − P(前项)P(后项)）/ max{P(前项, 后项)(1 − P(前项)), "
    "P(前项)(P(后项) − P(前项, 后项))}。",
    "p 是 Fisher 精确检验的单侧 p（前项使后项更多），对达到界限的全部规则按 Holm 法校正。",
    "冗余规则：有一条前项更少、后项相同的规则，置信度不低于它；冗余规则不列出。",
    "最小支持度乘事务数向上取整，为最小频数；提升度与 1 相差不到 0.1 标为近似独立。",
)


def items_role() -> Any:
    return role("项目变量", "任意", min=1, max=None, sets=True, hint="0/1 多列、一列项目，或多选题集")


def tid_role() -> Any:
    return role("事务编号（长表）", "任意", min=0, use="label")


def layout(default: str) -> Any:
    return choice("数据格式", LAYOUTS, default=default)


def separator() -> Any:
    return words("分隔符", "、", kind="delimiter", when={"layout": "cell"})


def bound(title: str, default: float, least: float, most: float = 1) -> Any:
    return number(title, default, least=least, most=most)


class Association(Method):
    """The tables and figures of both; a member mines and calls `write`."""

    family = "关联规则"
    missing = "keep"
    reads_names = True

    class Input(Form):
        pass

    rules = Table(
        "关联规则", left=text("前项"), right=text("后项"), support=percent("支持度"), confidence=percent("置信度"),
        lift=num("提升度", least=0), leverage=num("杠杆率", least=-1, most=1, decimals=4),
        conviction=num("确信度", least=0), zhang=num("Zhang 指标", least=-1, most=1, decimals=3),
        p=pvalue("*p*（Holm）"), remark=text("标注"), place="main",
        claim=Silent("many rules at once: the sentences name the strongest"),
    )  # fmt: skip
    itemsets = Table(
        "频繁项集", items=text("项集"), length=integer("长度"), kind=text("类型"), n=integer("频数"),
        support=percent("支持度"), place="main",
    )  # fmt: skip
    items = Table("项目频数", name=text("项目"), n=integer("频数"), support=percent("支持度"))
    rule_points = Points("规则", x=percent("支持度"), y=percent("置信度"), lift=num("提升度"), label=text("规则"))
    scatter = Chart("规则散点图", "point", of=rule_points, x="x", y="y", size="lift", label="label", place="main")
    nodes = Points("项目", id=text("编号"), label=text("项目"), size=num("支持度"))
    edges = Points("规则的连线", source=text("前项"), target=text("后项"), weight=num("提升度"))
    net = Chart("规则网络图", "network", nodes=nodes, edges=edges, size="size", weight="weight", place="detail")
    heat_points = Points("规则矩阵", left=text("前项"), right=text("后项"), lift=num("提升度"))
    heat = Chart("规则矩阵热力图", "heat", of=heat_points, row="left", column="right", value="lift", place="detail")

    @classmethod
    def heading(cls, form: Any) -> str:
        return cls.title

    @classmethod
    def elements(cls) -> dict[str, Element]:
        return super().elements()

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        return 0.2 + rows * 2e-5 + rows * columns * 1e-7


def least_count(form: Any, baskets: Baskets) -> int:
    """The smallest number of transactions; refuses where no item reaches it."""
    least = max(1, math.ceil(form.min_support * baskets.n - 1e-9))
    largest = int(baskets.held.sum(axis=1).max()) if len(baskets.names) else 0
    if largest < least:
        share = largest / baskets.n
        raise Refusal(
            "data.support", "当前最小支持度下没有频繁项集，最大支持度为{s}", field="min_support", s=f"{share:.4g}",
            remedies=[SetRemedy(title=f"最小支持度改为 {share:.4g}", set={"min_support": float(f"{share:.4g}")})]
            if share >= 0.001 else [],
        )  # fmt: skip
    return int(least)


def too_many() -> Refusal:
    return Refusal("data.many", "频繁项集超过10万个，请提高最小支持度", field="min_support")


def write(
    report: Report, cls: Any, form: Any, baskets: Baskets, found: Counts, pattern: str = "all", only: str = ""
) -> None:
    """`pattern`: which itemsets are listed; `only`: the one item allowed on the right."""
    n, names = baskets.n, baskets.names
    totals = baskets.held.sum(axis=1)
    for i in np.lexsort((np.arange(len(names)), -totals)):
        report.row(cls.items, name=names[i], n=int(totals[i]), support=float(totals[i]) / n)
    largest, closed = kinds(found)
    listed = {"all": set(found), "max": largest, "closed": closed}[pattern]
    order = sorted(listed, key=lambda one: (-found[one], len(one), one))
    report.add_rows(
        cls.itemsets,
        {
            "items": [_called(one, names) for one in order], "length": [len(one) for one in order],
            "kind": ["最大" if one in largest else "闭" if one in closed else "—" for one in order],
            "n": [found[one] for one in order], "support": [found[one] / n for one in order],
        },
    )  # fmt: skip
    report.note(
        cls.itemsets, "最大：没有更长的频繁项集包含它（也是闭的）；闭：包含它的项集频数都更小。按支持度从高到低。"
    )
    if only and only not in names:
        raise Refusal("data.consequent", "没有项目叫“{v}”，限定后项须是一个项目的名字", field="consequent", v=only)
    all_rules = [
        one for one in rules(found, n, form.min_confidence, form.min_lift)
        if not only or [names[i] for i in one.right] == [only]
    ]  # fmt: skip
    p = adjust([_p(one) for one in all_rules], "holm") if all_rules else []
    kept = [(one, float(q)) for one, q in zip(all_rules, p, strict=True) if not redundant(one, found)]
    kept.sort(key=lambda pair: (-round(pair[0].lift, 12), -round(pair[0].confidence, 12), -pair[0].both, pair[0].left))
    _rules(report, cls, kept, names, len(all_rules) - len(kept), (totals / n).tolist())
    _words(report, form, baskets, len(listed), kept)


def _p(rule: Rule) -> float:
    return float(hypergeom.sf(rule.both - 1, rule.n, rule.of_left, rule.of_right))


def _called(one: Itemset, names: list[str]) -> str:
    return " + ".join(names[i] for i in one)


def _rules(
    report: Report, cls: Any, kept: list[tuple[Rule, float]], names: list[str], gone: int, shares: list[float]
) -> None:
    if not kept:
        for element in (cls.rules, cls.rule_points, cls.nodes, cls.edges, cls.heat_points):
            report.skip(element, "没有达到界限的规则")
        return
    for one, p in kept[:SHOWN]:
        near = "近似独立" if abs(one.lift - 1) < NEAR else ""
        report.row(
            cls.rules, left=_called(one.left, names), right=_called(one.right, names), support=one.both / one.n,
            confidence=one.confidence, lift=one.lift, leverage=one.leverage, conviction=one.conviction,
            zhang=None if one.zhang is None else min(1.0, max(-1.0, one.zhang)), p=p, remark=near,
        )  # fmt: skip
    if gone:
        report.note(cls.rules, "另有 {k:integer} 条冗余规则没有列出：更简单的规则置信度不低于它们。", k=gone)
    else:
        report.note(cls.rules, "没有冗余规则。")
    if len(kept) > SHOWN:
        report.note(cls.rules, "只列提升度最高的 5000 条，共 {k:integer} 条。", k=len(kept))
    for one, _ in kept[:DRAWN]:
        label = f"{_called(one.left, names)} → {_called(one.right, names)}"
        report.row(cls.rule_points, x=one.both / one.n, y=one.confidence, lift=one.lift, label=label)
    pairs: dict[tuple[int, int], float] = {}
    cells: dict[tuple[str, str], float] = {}
    for one, _ in kept[:EDGES]:
        cells.setdefault((_called(one.left, names), _called(one.right, names)), one.lift)
        for a in one.left:
            for b in one.right:
                pairs.setdefault((a, b), one.lift)
    for i in sorted({i for pair in pairs for i in pair}):
        report.row(cls.nodes, id=str(i), label=names[i], size=shares[i])
    for (a, b), lift in pairs.items():
        report.row(cls.edges, source=str(a), target=str(b), weight=lift)
    for (left, right), lift in cells.items():
        report.row(cls.heat_points, left=left, right=right, lift=lift)
    report.note(cls.net, "画提升度最高的规则，最多 40 条；箭头从前项到后项，越粗提升度越高。")


def _words(report: Report, form: Any, baskets: Baskets, k: int, kept: list[tuple[Rule, float]]) -> None:
    names = baskets.names
    facts: dict[str, Any] = {"n": baskets.n, "m": len(names), "k": k, "r": len(kept)}
    counted = "{n:integer} 笔事务、{m:integer} 种项目中，有 {k:integer} 个频繁项集、{r:integer} 条规则。"
    best = "没有达到最小置信度和最小提升度的规则。"
    figures = [figure("规则", "{r:integer} 条"), figure("频繁项集", "{k:integer} 个")]
    if kept:
        one = kept[0][0]
        facts |= {"a": _called(one.left, names), "b": _called(one.right, names), "c": one.confidence, "l": one.lift}
        best = "提升度最高的是“{a}”→“{b}”：有“{a}”的事务里，{c:percent1} 也有“{b}”，是全体的 {l:num2} 倍。"
        figures.append(figure("最高提升度", "{l:num2}", "1 为互不相关"))
    report.lead(counted + best, figures, **facts)
    student = (
        "先看提升度：大于 1 说明前项出现时后项更多，1 说明互不相关。再看置信度：有前项的事务里多少有后项。"
        "最后看支持度：太低的规则涉及的事务很少。"
    )
    careful = "规则说明一起出现，不说明谁引起谁。"
    facts |= {"s": form.min_support, "f": form.min_confidence}
    how = "以最小支持度 {s:num}、最小置信度 {f:num} 挖掘关联规则。"
    report.voices([(student, {}), (careful, {})], [(how + counted + best, {})], [(counted + best, {})], **facts)
    near = sum(abs(one.lift - 1) < NEAR for one, _ in kept)
    if near:
        report.check("近似独立的规则", "care", "{k:integer} 条规则的提升度接近 1，没有用处。请提高最小提升度。", k=near)
    elif kept:
        report.check("近似独立的规则", "pass", "没有提升度接近 1 的规则。")
    low = sum(p >= 0.05 for _, p in kept)
    if kept:
        report.check(
            "偶然的规则", "care" if low else "pass",
            "{k:integer} 条规则校正后 p 不小于 .05，可能是偶然。" if low else "各规则校正后 p 都小于 .05。", k=low,
        )  # fmt: skip
