"""Words that stand together as a network: how often, how closely, and what the network says of each word."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from hengxi.contract import Column
from hengxi.families.text.tokens import Segmenter, Tokens, texts_of, tokens_of
from hengxi.families.text.weights import count_matrix, neighbours
from hengxi.stats.moments import Floats

SENTENCE = re.compile(r"[。！？!?；;\n]+")
STEP = 2_000


@dataclass(frozen=True)
class Together:
    """Of the words looked at: `pairs` how often two stand together, `alone` how often each stands, `units` how many
    rows, sentences or words there are."""

    words: list[str]
    pairs: Floats
    alone: Floats
    units: int

    def strength(self, measure: str) -> Floats:
        """0 where two words never stand together. Jaccard, cosine (Ochiai), PMI in bits (negative ones 0), equivalence
        index (Callon et al. 1991)."""
        both, a, b = self.pairs, self.alone[:, None], self.alone[None, :]
        if measure == "count":
            return both
        with np.errstate(divide="ignore", invalid="ignore"):
            found = {
                "jaccard": both / (a + b - both), "cosine": both / np.sqrt(a * b),
                "pmi": np.maximum(np.log2(both * self.units / (a * b)), 0.0), "equivalence": both**2 / (a * b),
            }[measure]  # fmt: skip
        return np.where(both > 0, found, 0.0)


def sentence_tokens(form: Any, report: Any) -> tuple[Tokens, npt.NDArray[np.int64]]:
    """Tokens whose `docs` are sentences, and the row of each sentence."""
    texts = texts_of(form.text, report)
    sentences, rows = [], []
    for i, cell in enumerate(texts):
        parts = [part for part in SENTENCE.split(cell) if part.strip()]
        sentences += parts
        rows += [i] * len(parts)
    segmenter = Segmenter(form.lang, form.user_dict)

    def cut() -> Any:
        for k, sentence in enumerate(sentences):
            if k % STEP == 0:
                form.progress(k, len(sentences), f"分词 {k:,}/{len(sentences):,} 句")
            yield segmenter.cut(sentence)

    tokens = tokens_of(cut(), form, form.text, sentences)
    places = np.array(rows, dtype=np.int64)
    return replace(tokens, row_numbers=form.text.row_numbers[places]), places


def by_row(tokens: Tokens, rows: npt.NDArray[np.int64], column: Column) -> Tokens:
    """The same tokens along the rows of the table."""
    return replace(tokens, docs=rows[tokens.docs], size=len(column), row_numbers=column.row_numbers)


def together(tokens: Tokens, units: Tokens, window: int, chosen: list[int]) -> Together:
    """`window` 0: in one unit of `units`; else less than `window` words apart in one row."""
    words = [tokens.words[i] for i in chosen]
    if window:
        pairs = neighbours(tokens, window)[np.ix_(chosen, chosen)].toarray()
        return Together(words, pairs, tokens.counts[chosen].astype(float), len(tokens.codes))
    held = (count_matrix(units)[:, chosen] > 0).astype(float)
    pairs = np.asarray((held.T @ held).todense(), dtype=float)
    alone = np.diag(pairs).copy()
    np.fill_diagonal(pairs, 0.0)
    return Together(words, pairs, alone, int((units.lengths > 0).sum()))


def graph_of(found: Together, strength: Floats, least: int) -> nx.Graph[str]:
    """Edges where two words stand together at least so often; words without any are left out."""
    graph: nx.Graph[str] = nx.Graph()
    for i, j in zip(*np.nonzero(np.triu((found.pairs >= least) & (strength > 0), 1)), strict=True):
        graph.add_edge(found.words[i], found.words[j], weight=float(strength[i, j]), n=float(found.pairs[i, j]))
    return graph


def communities_of(graph: nx.Graph[str], way: str, seed: int) -> dict[str, int]:
    """Number of the community of each word, the largest is 1 (equal ones by their first word)."""
    if way == "none":
        return dict.fromkeys(graph, 1)
    # Numbers instead of words: sets of words have another order in every process.
    words = list(graph)
    coded = nx.convert_node_labels_to_integers(graph)
    if way == "louvain":
        groups = nx.community.louvain_communities(coded, weight="weight", seed=seed)
    else:
        groups = nx.community.greedy_modularity_communities(coded, weight="weight")
    named = [[words[i] for i in group] for group in groups]
    ordered = sorted(named, key=lambda group: (-len(group), min(group)))
    return {word: k for k, group in enumerate(ordered, 1) for word in group}


@dataclass(frozen=True)
class Measures:
    """Of one word; `closeness` within its component, `eigenvector` in the largest component alone."""

    degree: int
    strength: float
    betweenness: float
    closeness: float
    eigenvector: float | None
    clustering: float


def measures_of(graph: nx.Graph[str]) -> dict[str, Measures]:
    """Betweenness (Freeman 1977) and closeness without weights; the eigenvector with them, of length 1."""
    between = nx.betweenness_centrality(graph)
    near = nx.closeness_centrality(graph, wf_improved=False)
    clustering = nx.clustering(graph)
    largest = min(nx.connected_components(graph), key=lambda part: (-len(part), min(part)))
    values = eigenvector(graph.subgraph(sorted(largest)))
    return {
        word: Measures(
            int(graph.degree(word)), float(graph.degree(word, weight="weight")), float(between[word]),
            float(near[word]), values.get(word), float(clustering[word]),
        )
        for word in graph
    }  # fmt: skip


def eigenvector(graph: Any) -> dict[str, float]:
    words = list(graph)
    _, vectors = np.linalg.eigh(nx.to_numpy_array(graph, nodelist=words, weight="weight"))
    first = np.abs(vectors[:, -1])
    return dict(zip(words, (float(x) for x in first), strict=True))


def circles(graph: nx.Graph[str], community: dict[str, int]) -> dict[str, tuple[float, float]]:
    """Places for a figure: each community on a circle of its own, its words by how strongly they are tied, the circles
    around a common middle without touching."""
    groups: dict[int, list[str]] = {}
    for word in sorted(graph, key=lambda word: (-float(graph.degree(word, weight="weight")), word)):
        groups.setdefault(community[word], []).append(word)
    sizes = {k: max(0.6, len(members) / (2 * np.pi) * 0.9) for k, members in groups.items()}
    around = 3.0 * sum(sizes.values()) / (2 * np.pi) if len(groups) > 1 else 0.0
    around = max(around, 1.5 * max(sizes.values())) if len(groups) > 1 else 0.0
    found, angle, whole = {}, 0.0, sum(sizes.values())
    for k in sorted(groups):
        middle = angle + np.pi * sizes[k] / whole
        angle += 2 * np.pi * sizes[k] / whole
        x, y = 1.8 * around * np.cos(middle), around * np.sin(middle)
        for i, word in enumerate(groups[k]):
            turn = 2 * np.pi * i / len(groups[k]) + np.pi / 2
            found[word] = (float(x + 1.3 * sizes[k] * np.cos(turn)), float(y + sizes[k] * np.sin(turn)))
    return found
