from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Points,
    Refusal,
    Report,
    SetRemedy,
    Table,
    choice,
    flag,
    integer,
    num,
    number,
    percent,
    text,
)
from hengxi.methods.unsupervised_learning._shared import clusters, space
from hengxi.methods.unsupervised_learning._shared.clusters import COMMON, NOISE, Clustering
from hengxi.stats.density_tree import Condensed, condense
from hengxi.stats.moments import Floats

MOST_ROWS, MOST_DIRECTIONS, SHOWN, BINS = 20_000, 5_000, 200, 10
SELECTIONS = {"eom": "超额质量（EOM）", "leaf": "叶簇"}


class Hdbscan(Clustering):
    """Clusters of different density, taken from the tree of all radii by how long they last."""

    title, title_en = "HDBSCAN层次密度聚类", "HDBSCAN clustering"
    slug = "hdbscan"
    tier = "member"
    purpose = "不需指定半径，自动找出不同密度的簇并给出归属强度"
    aliases = ("层次密度聚类", "HDBSCAN", "压缩树", "归属强度", "密度不同的簇")
    references = ("campello2013", "mcinnes2017", "rousseeuw1987", "kaufman1990", "calinski1974", "davies1979")
    conventions = (
        "核心距离：到第（最小邻居数 − 1）个邻居的距离；相互可达距离为两点的核心距离与它们的距离中最大的一个。",
        "同一距离上的合并算作一次分裂，次序不影响结果；scikit-learn 按先后分裂，边上的个别样本可能归得不同。",
        "λ = 1/距离。小于最小簇大小的部分从簇中脱落，不成为新簇；整个样本不算一个簇。",
        "稳定性 = Σ（样本离开簇的 λ − 簇出现的 λ）；超额质量法选总稳定性最大的一组簇。",
        "归属强度 = 样本脱落时的 λ 除以簇中最大的 λ，不超过 1；噪声为 0。",
        *COMMON,
    )

    class Input(Form):
        x: list[Column] = space.variables()
        label: Column | None = space.identity()
        min_cluster_size: int = integer("最小簇大小", 5, least=2, most=1000)
        min_samples: int | None = integer("最小邻居数", None, least=1, most=500, auto="同最小簇大小")
        selection: str = choice("簇选取方法", SELECTIONS)
        epsilon: float = number("合并阈值 ε", 0, least=0, most=1_000_000)
        metric: str = space.metric()
        standardize: bool = space.standardize()
        missing: str = space.gaps()
        append: bool = space.append()

    sizes = Table(
        "聚类汇总", name=text("类别"), n=integer("频数"), share=percent("百分比"), strength=num("平均归属强度",
        decimals=3),
        stability=num("稳定性", least=0), place="main",
    )  # fmt: skip
    tree = Table(
        "压缩树", node=text("簇"), parent=text("上级"), birth=num("出现的 λ", least=0), size=integer("例数"),
        stability=num("稳定性", least=0), chosen=flag("入选"), place="detail",
    )  # fmt: skip
    branches = Points("压缩树图", node=text("簇"), parent=text("上级"), label=text("簇"), height=num("λ"))
    branching = Chart("压缩树图", "tree", of=branches, node="node", parent="parent", label="label", height="height",
                      draw="dendrogram", place="main")  # fmt: skip
    bins = Points("归属强度", low=num("下限"), high=num("上限"), count=integer("频数"))
    strengths = Chart(
        "归属强度直方图", "histogram", of=bins, low="low", high="high", count="count", place="detail",
        titles={"x": "归属强度", "y": "频数"},
    )  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        from sklearn.cluster import HDBSCAN

        report = Report()
        held = space.space_of(report, form, MOST_DIRECTIONS if form.metric == "cosine" else MOST_ROWS)
        least, m = form.min_cluster_size, form.min_samples or form.min_cluster_size
        if least > held.n / 2:
            raise Refusal(
                "data.cluster_size", "最小簇大小过大，无法形成两个簇：{n} 行时最多 {most}", field="min_cluster_size",
                n=held.n, most=held.n // 2,
                remedies=[SetRemedy(title=f"改为 {held.n // 2}", set={"min_cluster_size": held.n // 2})],
            )  # fmt: skip
        if m > held.n:
            raise Refusal(
                "data.neighbours", "最小邻居数 {k} 大于样本量 {n}，请改小", field="min_samples", k=m, n=held.n
            )
        unit = 1.0 if form.metric == "cosine" else held.unit
        found = HDBSCAN(
            min_cluster_size=least, min_samples=m, copy=True, metric=form.metric,
        ).fit(held.u)  # fmt: skip
        merges = found._single_linkage_tree_
        tree = condense([merges[key] for key in merges.dtype.names], least)
        labels, strength = np.full(held.n, -1), np.zeros(held.n)
        taken = tree.chosen(form.selection == "leaf", form.epsilon / unit)
        for node in taken:
            rows = tree.inside(node)
            labels[rows], strength[rows] = node, tree.strength(node)
        made = clusters.clusters_of(held, labels, form.metric)
        if made.k == 0:
            raise Refusal(
                "data.noise", "没有形成任何类，全部样本都是噪声。请减小最小簇大小或最小邻居数",
                field="min_cluster_size",
                also=["min_samples"],
            )  # fmt: skip
        order = [int(labels[np.flatnonzero(made.labels == i)[0]]) for i in range(made.k)]
        cls._tables(report, made, tree, order, strength, unit)
        clusters.write(report, cls, form, made)
        cls._words(report, form, made, m)
        return report

    @classmethod
    def _tables(
        cls, report: Report, made: clusters.Clusters, tree: Condensed, chosen: list[int], strength: Floats, unit: float
    ) -> None:
        n, stability, birth = made.space.n, tree.stability / unit, tree.birth / unit
        for i, name in enumerate(made.names):
            mine = made.labels == i
            report.row(
                cls.sizes, name=name, n=int(mine.sum()), share=float(mine.mean()),
                strength=float(strength[mine].mean()),
                stability=_finite(stability[chosen[i]]),
            )  # fmt: skip
        report.row(cls.sizes, name=NOISE, n=made.noise, share=made.noise / n)
        report.note(cls.sizes, "归属强度从 0 到 1，1 为簇的中心部分；稳定性越大，簇在越宽的密度范围里存在。")
        if not np.isfinite(stability).all():
            report.note(cls.sizes, "有重复的样本，λ 为无穷大，有的稳定性没有给出。")
        names = {node: made.names[i] for i, node in enumerate(chosen)}
        called = ["全部", *(names.get(i, f"簇{i}") for i in range(1, birth.size))]
        for i in range(min(birth.size, SHOWN)):
            above = called[int(tree.parent[i])] if i else None
            report.row(
                cls.tree, node=called[i], parent=above, birth=_finite(birth[i]), size=int(tree.size[i]),
                stability=_finite(stability[i]) if i else None, chosen=i in names,
            )  # fmt: skip
            if np.isfinite(birth[i]):
                label = f"{called[i]}（{int(tree.size[i])}）"
                report.row(cls.branches, node=called[i], parent=above, label=label, height=float(birth[i]))
        if birth.size > SHOWN:
            report.note(cls.tree, "只列前 200 个簇。")
        report.note(cls.branching, "从全部样本开始，λ 增大（距离变小）时分裂成更小的簇；写作“第几类”的是选中的簇。")
        counts, edges = np.histogram(strength, bins=BINS, range=(0, 1))
        report.add_rows(cls.bins, {"low": edges[:-1], "high": edges[1:], "count": counts})

    @classmethod
    def _words(cls, report: Report, form: Any, made: clusters.Clusters, m: int) -> None:
        how = (
            f"HDBSCAN（{space.METRICS[form.metric]}距离，最小簇大小 {{least:integer}}，最小邻居数 {{m:integer}}，"
            f"{SELECTIONS[form.selection]}选取）"
        )
        clusters.tell(
            report, cls, made, how,
            "HDBSCAN 把所有可能的半径都试一遍，留下在很宽的密度范围里都存在的簇，所以不用填半径，各类的密度可以不同。"
            "归属强度低的样本在类的边缘。",
            least=form.min_cluster_size, m=m,
        )  # fmt: skip
        smaller = max(2, form.min_cluster_size // 2)
        clusters.check_noise(
            report, made, "请减小最小簇大小或最小邻居数再看。",
            [SetRemedy(title=f"最小簇大小改为 {smaller}", set={"min_cluster_size": smaller})]
            if smaller < form.min_cluster_size else [],
        )  # fmt: skip


def _finite(value: Any) -> float | None:
    return float(value) if np.isfinite(value) else None
