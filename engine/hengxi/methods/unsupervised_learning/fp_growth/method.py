from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import AnswerSet, Chart, Column, Form, Points, Report, choice, integer, text
from hengxi.methods.unsupervised_learning._shared import baskets, rules
from hengxi.methods.unsupervised_learning._shared.rules import COMMON, MOST, Association
from hengxi.stats import itemsets

PATTERNS = {"all": "全部频繁项集", "max": "最大频繁项集", "closed": "闭频繁项集"}
TREE = 30


class FpGrowth(Association):
    """Frequent itemsets from a tree of shared prefixes: the same as Apriori's, sooner where transactions are many."""

    title, title_en = "FP-Growth关联规则", "Association rules (FP-growth)"
    slug = "fp-growth"
    tier = "member"
    purpose = "用频繁模式树快速挖掘大样本的频繁项集与关联规则"
    aliases = ("FP树", "频繁模式", "购物篮分析", "关联规则", "闭频繁项集", "最大频繁项集")
    references = ("han2000", "agrawal1994", "brin1997", "piatetskyshapiro1991", "yan2009", "bayardo1999", "holm1979")
    conventions = (*COMMON, "项集类型只决定列出哪些项集；规则由全部频繁项集得出，与 Apriori 在同样参数下相同。")

    class Input(Form):
        items: list[Column | AnswerSet] = rules.items_role()
        tid: Column | None = rules.tid_role()
        layout: str = rules.layout("long")
        sep: str = rules.separator()
        min_support: float = rules.bound("最小支持度", 0.05, 0.00001)
        pattern: str = choice("项集类型", PATTERNS)
        min_confidence: float = rules.bound("最小置信度", 0.5, 0)
        min_lift: float = rules.bound("最小提升度", 1, 0, 1000)

    branches = Points("FP树", node=text("结点"), parent=text("上级"), label=text("项目"), value=integer("事务数"))
    tree = Chart("FP 树图（事务最多的 30 个结点）", "tree", of=branches, node="node", parent="parent", label="label",
                 value="value", draw="outline", place="detail")  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        held = baskets.read(report, form)
        least = rules.least_count(form, held)
        # Transactions of the same items are one path: there are far fewer of them.
        different, times = np.unique(held.held.T, axis=0, return_counts=True)
        paths = [(np.flatnonzero(row).tolist(), int(n)) for row, n in zip(different, times, strict=True)]
        try:
            found = itemsets.fp_growth(paths, least, MOST)
        except itemsets.TooManyError:
            raise rules.too_many() from None
        rules.write(report, cls, form, held, found, form.pattern)
        cls._tree(report, itemsets.tree_of(paths, least), held.names, held.n)
        return report

    @classmethod
    def _tree(cls, report: Report, tree: itemsets.Tree, names: list[str], n: int) -> None:
        nodes = sorted((node for held in tree.places.values() for node in held), key=lambda node: -node.count)
        drawn: dict[int, str] = {id(tree.root): "0"}
        report.row(cls.branches, node="0", parent=None, label=f"全部 {n}", value=n)
        waiting: list[Any] = nodes[:TREE]
        # A parent has at least the count of its child, but may come behind it among equals.
        while waiting:
            later = []
            for node in waiting:
                above = drawn.get(id(node.parent))
                if above is None:
                    later.append(node)
                    continue
                drawn[id(node)] = str(len(drawn))
                label = f"{names[node.item]} {node.count}"
                report.row(cls.branches, node=drawn[id(node)], parent=above, label=label, value=node.count)
            if len(later) == len(waiting):
                break
            waiting = later
        report.note(cls.tree, "每条路径是一些事务共有的项目，频数高的项目在上；数字是经过的事务数。")
