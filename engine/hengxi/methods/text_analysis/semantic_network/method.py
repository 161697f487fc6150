from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    Method,
    NextStep,
    Points,
    Refusal,
    Report,
    SetRemedy,
    Table,
    action,
    choice,
    figure,
    filled,
    integer,
    num,
    role,
    rows_column,
    text,
)
from hengxi.families.text.form import SEGMENTED, WordForm
from hengxi.families.text.tables import links, warn_wordless
from hengxi.families.text.tokens import Tokens, read_tokens

from .network import (
    Together,
    by_row,
    circles,
    communities_of,
    graph_of,
    measures_of,
    sentence_tokens,
    together,
)

RANGES = {"row": "同一行", "sentence": "同一句", "window5": "滑动窗口 5 个词", "window10": "滑动窗口 10 个词"}
WINDOWS = {"window5": 5, "window10": 10}
MEASURES = {
    "count": "共现次数", "jaccard": "Jaccard", "cosine": "余弦", "pmi": "点互信息 PMI", "equivalence": "等价指数",
}  # fmt: skip
COMMUNITIES = {"louvain": "Louvain", "greedy": "贪心模块度", "none": "不划分"}
MOST_EDGES, DRAWN_EDGES, HEATED, LISTED = 20_000, 240, 25, 300
GROUPED: dict[str, Any] = {"group": filled}
PARTED: dict[str, Any] = {"community": ("louvain", "greedy")}


class SemanticNetwork(Method):
    """Which words stand together: the network of a text, its central words and its groups of words."""

    title, title_en = "语义网络与共现分析", "Semantic network and co-occurrence"
    family, tier = "文本分析", "member"
    slug = "semantic-network"
    purpose = "用词语共现关系构建网络，找出核心词与词群"
    aliases = ("共现网络", "共词分析", "语义网络", "词群", "社区划分", "中心度")
    references = ("freeman1977", "blondel2008", "callon1991", "church1990")
    conventions = (
        SEGMENTED,
        "先取词频最高的词，再数它们两两的共现；没有达到最小共现次数的边的词不在网络里。",
        "同一行、同一句：一行（句）里有两个词就算一次。滑动窗口：相距小于窗口的每一对都算一次。",
        "a、b 为各词出现的行（句）数，滑动窗口时为词频；c 为共现次数，N 为行（句）数或总词数。Jaccard c/(a+b−c)，"
        "余弦 c/√(ab)，PMI log₂(cN/(ab))（负的按 0），等价指数 c²/(ab)。",
        "中介中心度、接近中心度、聚集系数不加权；接近中心度在所在的连通部分内计算。",
        "特征向量中心度加权，只在最大的连通部分内计算，向量长度为 1。",
        "模块度加权。Louvain 与词的先后有关，种子固定。词群按大小编号。",
        "战略坐标：中心度为一个词群与其他词群的关联度之和，密度为群内关联度之和除以词数。",
    )
    queue = "text"
    random = True

    class Input(WordForm):
        group: Column | None = role("分组变量（选填）", "定类", min=0, max=1, levels=(2, 10))
        top: int = integer("词数", 60, least=5, most=300)
        window: str = choice("共现范围", RANGES)
        measure: str = choice("关联度", MEASURES)
        min_edge: int = integer("最小共现次数", 2, least=1, most=1000)
        community: str = choice("社区划分", COMMUNITIES)

    nodes = Points(
        "词", id=text("编号"), label=text("词"), size=num("加权度"), community=text("词群"), x=num("横"), y=num("纵"),
    )  # fmt: skip
    edges = Points("共现", source=text("词"), target=text("词"), weight=num("关联度"))
    net = Chart(
        "语义网络", "network", nodes=nodes, edges=edges, size="size", weight="weight", group="community", x="x", y="y",
        arrange="fixed", place="main",
    )  # fmt: skip
    words = Table(
        "节点指标", word=text("词"), n=integer("词频"), degree=integer("度"), strength=num("加权度", least=0),
        betweenness=num("中介中心度", least=0, most=1, decimals=4),
        closeness=num("接近中心度", least=0, most=1, decimals=4),
        eigenvector=num("特征向量中心度", least=0, most=1, decimals=4),
        clustering=num("聚集系数", least=0, most=1, decimals=4), community=integer("词群"), rows=rows_column("所在行"),
        stop=action("停用", "add_stopword"), join=action("合并", "rename"), place="main",
    )  # fmt: skip
    whole = Table(
        "网络整体", layout="record", nodes=integer("节点数"), edges=integer("边数"),
        density=num("密度", least=0, most=1, decimals=4), parts=integer("连通部分"), path=num("平均路径长度", least=0),
        diameter=integer("直径"), clustering=num("平均聚集系数", least=0, most=1, decimals=4),
        modularity=num("模块度", most=1, decimals=4), place="main",
    )  # fmt: skip
    groups = Table(
        "词群", community=integer("词群"), n=integer("词数"), centrality=num("中心度", least=0),
        density=num("密度", least=0), members=text("最常出现的词"), when=PARTED, place="main",
    )  # fmt: skip
    spots = Points(
        "战略坐标", name=text("词群"), centrality=num("中心度"), density=num("密度"), n=num("词数"), when=PARTED
    )
    strategy = Chart(
        "战略坐标图",
        "point",
        of=spots,
        x="centrality",
        y="density",
        size="n",
        label="name",
        when=PARTED,
        place="detail",
    )
    pairs = Table(
        "共现最多的词对", a=text("词 1"), b=text("词 2"), n=integer("共现次数"), strength=num("关联度"),
    )  # fmt: skip
    heated = Points("共现热力", row=text("词"), column=text("词 "), n=num("共现次数"))
    heat = Chart("共现热力图", "heat", of=heated, row="row", column="column", value="n", place="detail")
    by_group = Table(
        "各组的共现", group=text("组"), edges=integer("边数"), density=num("密度", least=0, most=1, decimals=4),
        first=text("共现最多的词对"), n=integer("共现次数"), when=GROUPED,
    )  # fmt: skip

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        carry = {"text": form["text"]}
        return [NextStep(title="看词频", method="text_analysis/word_frequency", form=carry)]

    @classmethod
    def run(cls, form: Any) -> Report:
        report = Report()
        tokens, units = _read(form, report)
        warn_wordless(report, tokens)
        chosen = sorted(tokens.ranked()[: form.top], key=lambda i: tokens.words[i])
        if len(chosen) < 3:
            raise Refusal(
                "data.no_words",
                "剩余词语少于 3 个，无法构建网络，请放宽停用词或词性",
                field="text",
                column=form.text.id,
            )
        found = together(tokens, units, WINDOWS.get(form.window, 0), chosen)
        strength = found.strength(form.measure)
        graph = graph_of(found, strength, form.min_edge)
        _refuse(form, graph)
        community = communities_of(graph, form.community, int(form.rng.integers(2**31)))
        place = {tokens.words[i]: i for i in chosen}
        cls._words(report, tokens, graph, community, place)
        modularity = cls._whole(report, form, graph, community)
        if form.community != "none":
            cls._groups(report, tokens, graph, community, place)
        cls._pairs(report, found, strength)
        cls._draw(report, graph, community)
        if form.group is not None:
            cls._by_group(report, form, tokens, units, chosen)
        cls._say(report, form, graph, community, modularity)
        return report

    @classmethod
    def _words(
        cls, report: Report, tokens: Tokens, graph: Any, community: dict[str, int], place: dict[str, int]
    ) -> None:  # fmt: skip
        measures = measures_of(graph)
        for word in sorted(graph, key=lambda word: (-round(measures[word].strength, 12), word)):
            own = measures[word]
            report.row(
                cls.words, word=word, n=int(tokens.counts[place[word]]), degree=own.degree, strength=own.strength,
                betweenness=own.betweenness, closeness=own.closeness, eigenvector=own.eigenvector,
                clustering=own.clustering, community=community[word], **links(tokens, place[word]),
            )  # fmt: skip

    @classmethod
    def _whole(cls, report: Report, form: Any, graph: Any, community: dict[str, int]) -> float | None:
        parts = list(nx.connected_components(graph))
        largest = graph.subgraph(min(parts, key=lambda part: (-len(part), min(part))))
        groups: dict[int, set[str]] = {}
        for word, k in community.items():
            groups.setdefault(k, set()).add(word)
        modularity = None
        if form.community != "none":
            modularity = float(nx.community.modularity(graph, groups.values(), weight="weight"))
        report.row(
            cls.whole, nodes=graph.number_of_nodes(), edges=graph.number_of_edges(), density=float(nx.density(graph)),
            parts=len(parts), path=float(nx.average_shortest_path_length(largest)), diameter=int(nx.diameter(largest)),
            clustering=float(nx.average_clustering(graph)), modularity=modularity,
        )  # fmt: skip
        if len(parts) > 1:
            report.note(
                cls.whole, "网络不连通：平均路径长度和直径只看最大的连通部分（{k:integer} 个词）。", k=len(largest)
            )
        return modularity

    @classmethod
    def _groups(
        cls, report: Report, tokens: Tokens, graph: Any, community: dict[str, int], place: dict[str, int]
    ) -> None:  # fmt: skip
        for k in sorted(set(community.values())):
            members = [word for word in graph if community[word] == k]
            inside = sum(d["weight"] for a, b, d in graph.edges(data=True) if community[a] == k == community[b])
            outside = sum(
                d["weight"] for a, b, d in graph.edges(data=True) if (community[a] == k) != (community[b] == k)
            )
            ordered = sorted(members, key=lambda word: (-int(tokens.counts[place[word]]), word))
            density = inside / len(members)
            report.row(
                cls.groups, community=k, n=len(members), centrality=float(outside), density=float(density),
                members="、".join(ordered[:8]),
            )  # fmt: skip
            report.row(
                cls.spots, name="、".join(ordered[:2]), centrality=float(outside), density=float(density),
                n=len(members),
            )  # fmt: skip

    @classmethod
    def _pairs(cls, report: Report, found: Together, strength: Any) -> None:
        held = [
            (found.pairs[i, j], strength[i, j], *sorted((found.words[i], found.words[j])))
            for i, j in zip(*np.nonzero(np.triu(found.pairs, 1)), strict=True)
        ]
        held.sort(key=lambda row: (-row[0], -round(float(row[1]), 12), row[2], row[3]))
        for n, value, a, b in held[:LISTED]:
            report.row(cls.pairs, a=a, b=b, n=int(n), strength=float(value))
        if len(held) > LISTED:
            report.note(cls.pairs, "另有 {k:integer} 对没有列出。", k=len(held) - LISTED)
        order = sorted(range(len(found.words)), key=lambda i: (-found.pairs[i].sum(), found.words[i]))[:HEATED]
        for i in order:
            for j in order:
                if i != j:
                    report.row(cls.heated, row=found.words[i], column=found.words[j], n=float(found.pairs[i, j]))

    @classmethod
    def _draw(cls, report: Report, graph: Any, community: dict[str, int]) -> None:
        places = circles(graph, community)
        for word in sorted(graph, key=lambda word: (community[word], word)):
            size = float(graph.degree(word, weight="weight"))
            x, y = places[word]
            report.row(cls.nodes, id=word, label=word, size=size, community=f"词群 {community[word]}", x=x, y=y)
        edges = sorted(graph.edges(data=True), key=lambda edge: (-edge[2]["weight"], *sorted(edge[:2])))
        for a, b, data in edges[:DRAWN_EDGES]:
            report.row(cls.edges, source=a, target=b, weight=float(data["weight"]))
        if len(edges) > DRAWN_EDGES:
            report.note(cls.net, "一个词群围成一圈。只画关联度最高的 {k:integer} 条边。", k=DRAWN_EDGES)

    @classmethod
    def _by_group(cls, report: Report, form: Any, tokens: Tokens, units: Tokens, chosen: list[int]) -> None:
        # Sentences are of the group of their row; a unit without a row of the group has no token left.
        row_of = np.zeros(units.size, dtype=np.int64)
        row_of[units.docs] = tokens.docs
        for level in form.group.levels:
            rows = form.group.codes == level.code
            own = together(tokens.among(rows), units.among(rows[row_of]), WINDOWS.get(form.window, 0), chosen)
            kept = np.triu(own.pairs >= form.min_edge, 1)
            edges, k = int(kept.sum()), len(chosen)
            n = float(own.pairs.max())
            best = sorted(
                tuple(sorted((own.words[i], own.words[j])))
                for i, j in zip(*np.nonzero(np.triu(own.pairs == n, 1)), strict=True)
            )
            report.row(
                cls.by_group, group=level.label, edges=edges, density=2 * edges / (k * (k - 1)),
                first="—".join(best[0]) if n > 0 else None, n=int(n),
            )  # fmt: skip
        report.note(cls.by_group, "各组用同样的词；密度以全部 {k:integer} 个词计。组大，共现自然多。", k=len(chosen))

    @classmethod
    def _say(
        cls, report: Report, form: Any, graph: Any, community: dict[str, int], modularity: float | None
    ) -> None:  # fmt: skip
        ranked = sorted(graph, key=lambda word: (-round(float(graph.degree(word, weight="weight")), 12), word))
        facts: dict[str, Any] = {
            "core": "".join(f"“{word}”" for word in ranked[:3]), "n": graph.number_of_nodes(),
            "m": graph.number_of_edges(),
        }  # fmt: skip
        main = "网络有 {n:integer} 个词、{m:integer} 条边，最核心的词是{core}。"
        if modularity is not None:
            facts |= {"k": len(set(community.values())), "q": modularity}
            main += "词分成 {k:integer} 群（模块度 {q:num}）。"
        report.lead(main, [figure("词", "{n:integer}"), figure("边", "{m:integer}")], **facts)
        if modularity is not None and modularity < 0.3:
            report.say("模块度低于 0.3，词群之间的界线不明显。")
        report.say("两个词常在一起，不说明它们意思相近，也不说明谁引起谁。")


def _read(form: Any, report: Report) -> tuple[Tokens, Tokens]:
    """Tokens along the rows, and along the units in which words stand together."""
    if form.window != "sentence":
        tokens = read_tokens(form.text, form, report, form.progress)
        return tokens, tokens
    units, rows = sentence_tokens(form, report)
    return by_row(units, rows, form.text), units


def _refuse(form: Any, graph: Any) -> None:
    if graph.number_of_edges() == 0:
        raise Refusal(
            "data.no_edges", "最小共现次数为 {m} 时没有任何共现，请降低该值", field="min_edge", m=form.min_edge,
            remedies=[SetRemedy(title="降到 1", set={"min_edge": 1})] if form.min_edge > 1 else [],
        )  # fmt: skip
    if graph.number_of_edges() > MOST_EDGES:
        raise Refusal(
            "data.dense", "网络过密（{k} 条边，最多 {most} 条），请提高最小共现次数或减少词数", field="min_edge",
            also=["top"], k=graph.number_of_edges(), most=MOST_EDGES,
        )  # fmt: skip
