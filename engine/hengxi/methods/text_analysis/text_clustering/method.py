from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage

from hengxi.contract import (
    Chart,
    Column,
    Method,
    NewColumns,
    NextStep,
    Points,
    Reference,
    Refusal,
    Report,
    SetRemedy,
    Table,
    choice,
    figure,
    flag,
    integer,
    num,
    percent,
    role,
    rows_column,
    text,
)
from hengxi.families.text.form import SEGMENTED, WordForm
from hengxi.families.text.tables import warn_wordless
from hengxi.families.text.tokens import Tokens, read_tokens, texts_of
from hengxi.families.text.vectors import MOST_WORDS, VECTORS, TextVectors, vectors_of
from hengxi.stats.moments import Floats
from hengxi.stats.nonnegative import factorise
from hengxi.stats.partition import Codes, partition, settle, silhouettes

METHODS = {"kmeans": "K 均值", "ward": "层次聚类（Ward）", "hdbscan": "HDBSCAN", "nmf": "NMF 主题"}
LEAST, MOST_K, STARTS, SAMPLE, DRAWN, NEAREST, TOP = 10, 10, 20, 2000, 1000, 3, 10
TREE_ROWS, WARD_ROWS, NMF_ROWS, LIST_ROWS, LONG, WEAK = 300, 5000, 5000, 1000, 80, 0.1
NOISE = "未归类"
COUNTED = {"method": ["kmeans", "ward", "nmf"]}


class TextClustering(Method):
    """Rows of text put into groups of like content, and the words that mark each group."""

    title, title_en = "文本聚类", "Text clustering"
    family, tier = "文本分析", "member"
    purpose = "把内容相近的文本自动归为若干类并概括每类特征词"
    aliases = ("文本聚类", "评论归类", "意见分组", "主题聚类", "LSA", "潜在语义分析")
    references = ("salton1988", "deerwester1990", "rousseeuw1987", "ward1963")
    conventions = (
        SEGMENTED,
        "TF-IDF 与关键词提取相同。LSA 取其奇异值分解的前几维（得分 = 左奇异向量 × 奇异值）；每行再缩放到长度 1，"
        "所以欧氏距离的次序就是余弦的次序。",
        "K 均值换 20 次起点取组内平方和最小的一次；行 × 维超过 20 万时在样本上换起点。",
        "自动的聚类数：2 到 10 中平均轮廓系数最大的；行数多于 2000 时用等距抽取的 2000 行算轮廓系数。",
        f"不用 LSA 时，词超过 {MOST_WORDS} 个只用出现行数最多的 {MOST_WORDS} 个。NMF 主题把每行归到权重最大的主题。",
        "特征词按“类内平均 TF-IDF − 其他行平均 TF-IDF”从大到小；χ² 比较该词在类内、类外的出现行数，不作连续性校正。",
        "代表文本是离类的中心（平均向量）最近的 3 行。",
    )
    queue = "text"
    random = True
    row_order = True

    class Input(WordForm):
        label: Column | None = role("样本标识（选填）", "任意", min=0, use="label")
        method: str = choice("聚类方法", METHODS)
        k: int | None = integer("聚类数", None, least=2, most=50, auto="轮廓系数最大", when=COUNTED)
        vector: str = choice("向量", VECTORS)
        dims: int = integer("LSA 维数", 100, least=2, most=500, when={"vector": "lsa"}, advanced=True)
        least: int = integer("最小类的行数", 5, least=2, most=1000, when={"method": "hdbscan"})
        append: bool = flag("保存类别为新变量", False)

    sizes = Table(
        "聚类汇总", name=text("类别"), n=integer("行数"), share=percent("占比"),
        width=num("平均轮廓系数", least=-1, most=1, decimals=3), words=text("特征词"), place="main",
    )  # fmt: skip
    terms = Table(
        "特征词", name=text("类别"), rank=integer("名次"), word=text("词"), docs=integer("类内行数"),
        inside=num("类内平均", least=0, decimals=4), outside=num("类外平均", least=0, decimals=4),
        difference=num("差", decimals=4), chi2=num("*χ*²", least=0), merge=("name",),
    )  # fmt: skip
    typical = Table(
        "代表文本", name=text("类别"), row=rows_column("行"), label=text("样本"), distance=num("离中心", decimals=3),
        sample=text("文本"), merge=("name",), place="main",
    )  # fmt: skip
    chosen = Table(
        "聚类数的选择", k=integer("聚类数"), width=num("平均轮廓系数", least=-1, most=1, decimals=3),
        within=num("组内平方和", least=0), used=text("采用"), when=COUNTED,
    )  # fmt: skip
    curve = Chart("轮廓系数与聚类数", "line", of=chosen, x="k", y="width", when=COUNTED, place="detail")
    points = Points("文本", x=num("第1维"), y=num("第2维"), group=text("类别"), label=text("文本"))
    map = Chart("文本散点图", "point", of=points, x="x", y="y", series="group", label="label", place="main")
    nodes = Points(
        "合并", node=text("节点"), parent=text("上级"), label=text("样本"), height=num("高度"), when={"method": "ward"}
    )
    tree = Chart("树状图", "tree", of=nodes, node="node", parent="parent", label="label", height="height",
                 draw="dendrogram", when={"method": "ward"}, place="detail")  # fmt: skip
    members = Table("文本类别", row=rows_column("行"), label=text("样本"), name=text("类别"), sample=text("文本"))
    saved = NewColumns("文本类别", when={"append": True})

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        return 1.0 + rows * 4e-4

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        carry = {"text": form["text"]}
        return [
            NextStep(title="归纳主题", method="text_analysis/lda_topic", form=carry),
            NextStep(title="看关键词", method="text_analysis/keyword_extraction", form=carry),
        ]

    @classmethod
    def run(cls, form: Any) -> Report:
        report = Report()
        texts = texts_of(form.text)
        tokens = read_tokens(form.text, form, report, form.progress)
        warn_wordless(report, tokens)
        vectors = _vectors(form, tokens, texts)
        corpus = Corpus(form, tokens, vectors, [texts[i] for i in vectors.docs])
        groups = _grouped(cls, report, corpus)
        marks = _sizes_and_words(cls, report, corpus, groups)
        _typical(cls, report, corpus, groups)
        _map(cls, report, corpus, groups)
        _words(cls, report, corpus, groups, marks[0])
        return report


@dataclass(frozen=True)
class Corpus:
    form: Any
    tokens: Tokens
    vectors: TextVectors
    texts: list[str]

    @property
    def numbers(self) -> list[int]:
        return [int(row) for row in self.tokens.row_numbers[self.vectors.docs]]

    def called(self, i: int) -> str:
        label = self.form.label
        cell = label.text[self.vectors.docs[i]] if label is not None else None
        return str(cell) if cell is not None else f"第 {self.numbers[i]} 行"

    def short(self, i: int) -> str:
        text_ = self.texts[i].strip()
        return text_ if len(text_) <= LONG else text_[:LONG] + "…"


@dataclass(frozen=True)
class Groups:
    """`labels`: −1 for a row in no cluster; `widths`: silhouettes, of those in a cluster alone, None of one cluster."""

    labels: Codes
    centres: Floats
    names: list[str]
    widths: Floats | None
    thinned: bool

    @property
    def k(self) -> int:
        return len(self.centres)

    @property
    def width(self) -> float | None:
        return None if self.widths is None else float(np.nanmean(self.widths))


def _vectors(form: Any, tokens: Tokens, texts: list[str]) -> TextVectors:
    n = int((tokens.lengths > 0).sum())
    if n < LEAST:
        raise Refusal("data.few", "至少需要{least}行有效文本，现在有 {n} 行", field="text", least=LEAST, n=n)
    if form.method != "hdbscan" and form.k is not None and form.k >= n:
        raise Refusal(
            "data.clusters", "聚类数必须小于文本行数{n}", field="k", n=n,
            remedies=[SetRemedy(title="自动选择", set={"k": None})],
        )  # fmt: skip
    for method, most, title in (("ward", WARD_ROWS, "层次聚类"), ("nmf", NMF_ROWS, "NMF")):
        if form.method == method and n > most:
            raise Refusal(
                "data.long", "{m}最多 {most} 行，现在有 {n} 行，请用 K 均值或先抽样", field="method", m=title,
                most=most, n=n, remedies=[SetRemedy(title="改用 K 均值", set={"method": "kmeans"})],
            )  # fmt: skip
    if len({texts[i].strip() for i in np.flatnonzero(tokens.lengths > 0)}) == 1:
        raise Refusal("data.alike", "文本内容完全相同，无法聚类", field="text")
    vectors = vectors_of(tokens, form.vector, form.dims or 100)
    if np.ptp(vectors.u, axis=0).max() < 1e-9:
        raise Refusal("data.alike", "各行剩下的词完全相同，无法聚类", field="text")
    return vectors


def _grouped(cls: type[TextClustering], report: Report, corpus: Corpus) -> Groups:
    form, vectors = corpus.form, corpus.vectors
    u = vectors.u
    some = np.unique(np.linspace(0, len(u) - 1, min(len(u), SAMPLE)).astype(int))
    if form.method == "hdbscan":
        return _named(u, _dense(form, u), some)
    different = len(np.unique(np.round(u, 9), axis=0))
    most = min(MOST_K, different - 1)
    if form.k is not None and form.k > different:
        raise Refusal(
            "data.clusters", "只有 {n} 种不同的文本，聚类数不能更大", field="k", n=different,
            remedies=[SetRemedy(title=f"聚类数改为 {different}", set={"k": different})],
        )  # fmt: skip
    if most < 2 and form.k is None:
        raise Refusal("data.alike", "只有两种不同的文本，不需要聚类", field="text")
    ks = sorted({*range(2, most + 1), *([form.k] if form.k is not None else [])})
    merges = linkage(u, "ward") if form.method == "ward" else None
    if merges is not None:
        _tree(cls, report, corpus, merges)
    candidates: dict[int, Codes] = {}
    for done, k in enumerate(ks):
        form.progress(done, len(ks), f"分成 {k} 类")
        candidates[k] = _labels(form, vectors, k, merges)
    means = {
        k: float(widths.mean())
        for k, widths in zip(ks, silhouettes(u[some], [_dense_codes(candidates[k][some]) for k in ks]), strict=True)
    }
    k = form.k or max(ks, key=lambda each: (round(means[each], 9), -each))
    for each in ks:
        within = settle(u, candidates[each], int(candidates[each].max()) + 1).within
        report.row(cls.chosen, k=each, width=means[each], within=within, used="是" if each == k else None)
    report.chart(cls.curve, over=[Reference(x=float(k), label="采用")])
    return _named(u, candidates[k], some)


def _labels(form: Any, vectors: TextVectors, k: int, merges: Any) -> Codes:
    if form.method == "kmeans":
        return partition(vectors.u, k, STARTS, form.seed).labels
    if form.method == "ward":
        return np.asarray(fcluster(merges, k, "maxclust") - 1, dtype=np.int64)
    often = np.asarray((vectors.weights > 0).sum(axis=0)).ravel().argsort(kind="stable")[::-1][:MOST_WORDS]
    dense = vectors.weights[:, np.sort(often)].toarray()
    fit = factorise(dense, min(k, min(dense.shape) - 1), seed=form.seed, most=400)
    return np.asarray(np.round(fit.w, 12).argmax(axis=1), dtype=np.int64)


def _dense(form: Any, u: Floats) -> Codes:
    from sklearn.cluster import HDBSCAN

    labels = np.asarray(HDBSCAN(min_cluster_size=min(form.least, len(u)), copy=True).fit_predict(u), dtype=np.int64)
    if labels.max() < 0:
        raise Refusal(
            "data.noise", "没有找到足够密的类，全部文本都未归类", field="method",
            remedies=[SetRemedy(title="改用 K 均值", set={"method": "kmeans"})],
        )  # fmt: skip
    return labels


def _dense_codes(labels: Codes) -> Codes:
    return np.asarray(np.unique(labels, return_inverse=True)[1], dtype=np.int64)


def _named(u: Floats, labels: Codes, some: Any) -> Groups:
    inside = labels >= 0
    settled = settle(u[inside], _dense_codes(labels[inside]), len(np.unique(labels[inside])))
    codes = np.full(len(u), -1, dtype=np.int64)
    codes[inside] = settled.labels
    used = some[codes[some] >= 0]
    widths = None
    if settled.k > 1 and len(np.unique(codes[used])) > 1:
        widths = np.full(len(u), np.nan)
        widths[used] = silhouettes(u[used], [_dense_codes(codes[used])])[0]
    return Groups(codes, settled.centres, [f"类{j + 1}" for j in range(settled.k)], widths, len(some) < len(u))


def _sizes_and_words(cls: type[TextClustering], report: Report, corpus: Corpus, groups: Groups) -> list[list[str]]:
    """Gives the words that mark each cluster."""
    weights, words = corpus.vectors.weights, corpus.tokens.words
    present = weights.copy()
    present.data = np.ones_like(present.data)
    n = len(groups.labels)
    marks: list[list[str]] = []
    for j, name in enumerate(groups.names):
        inside = groups.labels == j
        size = int(inside.sum())
        mean = np.asarray(weights[inside].mean(axis=0)).ravel()
        rest = np.asarray(weights[~inside].mean(axis=0)).ravel() if size < n else np.zeros(len(words))
        docs = np.asarray(present[inside].sum(axis=0)).ravel()
        elsewhere = np.asarray(present[~inside].sum(axis=0)).ravel()
        gap = mean - rest
        order = sorted(range(len(words)), key=lambda i: (-round(float(gap[i]), 10), words[i]))[:TOP]
        top = [i for i in order if gap[i] > 0]
        marks.append([words[i] for i in top])
        width = None
        if groups.widths is not None and np.isfinite(groups.widths[inside]).any():
            width = float(np.nanmean(groups.widths[inside]))
        report.row(
            cls.sizes, name=name, n=size, share=size / n, width=width, words="、".join(words[i] for i in top[:5])
        )
        for rank, i in enumerate(top, start=1):
            report.row(
                cls.terms, name=name, rank=rank, word=words[i], docs=int(docs[i]), inside=float(mean[i]),
                outside=float(rest[i]), difference=float(gap[i]), chi2=_chi2(docs[i], size, elsewhere[i], n - size),
            )  # fmt: skip
    noise = int((groups.labels < 0).sum())
    if noise:
        report.row(cls.sizes, name=NOISE, n=noise, share=noise / n, width=None, words=None)
    if groups.thinned:
        report.note(cls.sizes, "轮廓系数用等距抽取的 {k:integer} 行计算。", k=SAMPLE)
    if corpus.vectors.words_left:
        report.note(cls.sizes, "有 {k:integer} 个少见的词没有参加聚类。", k=corpus.vectors.words_left)
    return marks


def _chi2(a: float, inside: int, b: float, outside: int) -> float | None:
    """Of the 2 × 2 table (word there or not) × (row inside or outside)."""
    n, there = inside + outside, a + b
    below = there * (n - there) * inside * outside
    return float(n * (a * (outside - b) - b * (inside - a)) ** 2 / below) if below > 0 else None


def _typical(cls: type[TextClustering], report: Report, corpus: Corpus, groups: Groups) -> None:
    for j, name in enumerate(groups.names):
        rows = np.flatnonzero(groups.labels == j)
        away = np.linalg.norm(corpus.vectors.u[rows] - groups.centres[j], axis=1)
        for at in np.lexsort((rows, np.round(away, 9)))[:NEAREST]:
            i = int(rows[at])
            report.row(
                cls.typical, name=name, row=[corpus.numbers[i]], label=corpus.called(i), distance=float(away[at]),
                sample=corpus.short(i),
            )  # fmt: skip
    names = [groups.names[code] if code >= 0 else NOISE for code in groups.labels]
    for i in range(min(len(names), LIST_ROWS)):
        report.row(cls.members, row=[corpus.numbers[i]], label=corpus.called(i), name=names[i], sample=corpus.short(i))
    if len(names) > LIST_ROWS:
        report.note(cls.members, "只列前 1000 行；保存为新变量可以得到全部。")
    if corpus.form.append:
        column: list[str | None] = [None] * corpus.tokens.size
        for i, name in zip(corpus.vectors.docs, names, strict=True):
            column[int(i)] = name
        report.columns(cls.saved, {"文本类别": column})


def _map(cls: type[TextClustering], report: Report, corpus: Corpus, groups: Groups) -> None:
    n = len(groups.labels)
    rows = np.unique(np.linspace(0, n - 1, min(n, DRAWN)).astype(int))
    plane = corpus.vectors.plane[rows]
    names = [groups.names[code] if code >= 0 else NOISE for code in groups.labels[rows]]
    report.add_rows(
        cls.points,
        {"x": plane[:, 0], "y": plane[:, 1], "group": names, "label": [corpus.called(int(i)) for i in rows]},
    )
    thinned = (len(rows), n) if len(rows) < n else None
    report.chart(cls.map, titles={"x": "LSA 第1维", "y": "LSA 第2维"}, thinned=thinned)
    report.note(cls.map, "图只画两维，分类用全部维数，所以图上重叠的类在别的维上可能分得开。")


def _tree(cls: type[TextClustering], report: Report, corpus: Corpus, merges: Floats) -> None:
    n = len(corpus.vectors.docs)
    if n > TREE_ROWS:
        report.skip(cls.nodes, "超过 300 行，不画树状图")
        return
    parent: dict[int, int] = {}
    for step, (left, right, _, _) in enumerate(merges):
        parent[int(left)] = parent[int(right)] = n + step
    for node in range(2 * n - 1):
        report.row(
            cls.nodes, node=str(node), parent=str(parent[node]) if node in parent else None,
            label=corpus.called(node) if node < n else "", height=float(merges[node - n, 2]) if node >= n else 0.0,
        )  # fmt: skip


def _words(cls: type[TextClustering], report: Report, corpus: Corpus, groups: Groups, marks: list[str]) -> None:
    sizes = np.bincount(groups.labels[groups.labels >= 0])
    first = "".join(f"“{word}”" for word in marks[:3]) or "（无）"
    n, noise = len(groups.labels), int((groups.labels < 0).sum())
    facts: dict[str, Any] = {
        "n": n, "k": groups.k, "m": int(sizes[0]), "share": float(sizes[0] / n), "words": first, "noise": noise,
        "s": groups.width,
    }  # fmt: skip
    sentence = (
        "{n:integer} 行文本分成 {k:integer} 类。类1 有 {m:integer} 行（{share:percent1}），特征词是{words:text}。"
    )
    if groups.width is not None:
        sentence = sentence.replace("类。类1", "类，平均轮廓系数 {s:num3}。类1")
    if noise:
        sentence += "{noise:integer} 行未归类。"
    report.lead(sentence, [figure("类", "{k:integer}")], **facts)
    student = "文本聚类把用词相近的文本放在一起。先看每类的特征词，再读几行代表文本，给每类起一个名字。"
    how = f"用{METHODS[corpus.form.method]}（{VECTORS[corpus.form.vector]}）聚类："
    report.voices([(student, {})], [(how + sentence, {})], [(sentence, {})], **facts)
    if groups.width is None:
        return
    if groups.width < WEAK:
        report.check(
            "类的清晰程度", "care", "平均轮廓系数 {s:num3} 低于 0.1，类的结构很弱，分类只供参考。", s=groups.width
        )
    else:
        report.check("类的清晰程度", "pass", "平均轮廓系数 {s:num3}，类有可见的结构。", s=groups.width)
