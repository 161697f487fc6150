from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from hengxi.contract import (
    Chart,
    Column,
    Method,
    NextStep,
    Points,
    Refusal,
    Report,
    Table,
    choice,
    integer,
    num,
    number,
    percent,
    role,
    rows_column,
    text,
    words,
)
from hengxi.families.text.edit_distance import alike
from hengxi.families.text.form import SEGMENTED, WordForm
from hengxi.families.text.tables import warn_wordless
from hengxi.families.text.tokens import Segmenter, Tokens, normal, read_tokens, stop_set, texts_of
from hengxi.families.text.weights import count_matrix, idf, tfidf

MOST_ROWS = 20_000
MOST_EDIT = 300
DRAWN = 60
CHUNK = 500
BINS = 20
SHOWN_TEXT = 60


class TextSimilarity(Method):
    """How alike texts are, two by two; near duplicates as groups; the rows nearest to a typed text."""

    title, title_en = "文本相似度", "Text similarity"
    family, tier = "文本分析", "member"
    purpose = "计算文本之间的相似程度，查找重复或近似的回答"
    aliases = ("查重", "重复回答", "近似文本", "余弦相似度", "编辑距离", "Jaccard", "去重")
    references = ("salton1988", "levenshtein1966")
    conventions = (
        SEGMENTED,
        "TF-IDF 余弦：词频 × [ln((1+n)/(1+df))+1]，每行缩放到长度 1 后的内积。",
        "词 Jaccard：两行共有的词种数 / 两行合起来的词种数。",
        "编辑距离相似度：1 − 编辑距离 / 较长一行的字数，不分词。",
        "字对 Dice：2 × 共有的不同字对数 / 两行不同字对数之和，字对是相邻的两个字，不分词。",
        "近似重复组：相似度达到阈值的行连在一起。",
    )
    queue = "text"
    split = False
    min_rows = 2
    row_order = True  # of two equal pairs the earlier rows come first

    class Input(WordForm):
        label: Column | None = role("样本标识（选填）", "任意", min=0, max=1, use="label")
        method: str = choice(
            "方法",
            {"tfidf": "TF-IDF余弦", "jaccard": "词 Jaccard", "edit": "编辑距离相似度", "dice": "字对 Dice"},
        )
        threshold: float = number("高度相似阈值", 0.8, least=0.05, most=1)
        query: str | None = words("查询文本（选填）", kind="text", hint="找出与这段文字最像的行。")
        top: int = integer("列出前几对", 100, least=1, most=1000)

    pairs = Table(
        "最相似的文本对", first=rows_column("行A"), second=rows_column("行B"), similarity=num("相似度", decimals=4),
        a=text("文本A"), b=text("文本B"), place="main",
    )  # fmt: skip
    groups = Table(
        "近似重复组", group=integer("组号"), size=integer("行数"), rows=rows_column("行"), sample=text("代表文本"),
        place="main",
    )  # fmt: skip
    summary = Table(
        "概况", texts=integer("比较的行数"), pairs=integer("文本对数"), high=integer("达到阈值的对数"),
        mean=num("平均相似度", decimals=4), most=num("最高相似度", decimals=4), doubled=integer("在近似重复组里的行数"),
        share=percent("占比"), layout="record",
    )  # fmt: skip
    bins = Points("相似度分布", low=num("下限"), high=num("上限"), n=integer("对数"))
    hist = Chart("相似度分布", "histogram", of=bins, low="low", high="high", count="n", place="main")
    cells = Points("相似度矩阵", row=text("行"), column=text("列"), value=num("相似度"))
    heat = Chart("相似度矩阵", "heat", of=cells, row="row", column="column", value="value", place="detail")
    found = Table(
        "与查询文本最像的行", rank=integer("名次"), row=rows_column("行"), similarity=num("相似度", decimals=4),
        sample=text("文本"), place="main",
    )  # fmt: skip

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        return 0.05 + rows * rows * (2e-5 if form.get("method") == "edit" else 4e-8)

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        return [NextStep(title="看词频", method="text_analysis/word_frequency", form={"text": form["text"]})]

    @classmethod
    def run(cls, form: Any) -> Report:
        report = Report()
        texts = texts_of(form.text, report)
        _bound(form, len(texts))
        texts, likeness = _prepared(form, report, texts)
        found = _collect(likeness, len(texts), form)
        _print(cls, report, form, texts, found)
        return report


def _bound(form: Any, n: int) -> None:
    most = MOST_EDIT if form.method == "edit" else MOST_ROWS
    if n > most:
        text_ = f"“{form.text.name}”有 {n:,} 行，这种方法最多比较 {most:,} 行；请先筛选、抽样，或换一种方法"
        raise Refusal("data.too_many", text_, field="method", k=n, max=most)
    if n < 2:
        raise Refusal("data.few", "至少需要 2 行文本", field="text", column=form.text.id)


def _prepared(form: Any, report: Report, texts: list[str]) -> tuple[list[str], Any]:
    """The texts and something that gives the similarities of some rows with all; a query stands last."""
    query = form.query.strip() if form.query else ""
    if form.method in ("tfidf", "jaccard"):
        tokens = read_tokens(form.text, form, None, form.progress)
        warn_wordless(report, tokens)
        return texts, _Vectors(_unit(tokens, form.method), tokens, form, query)
    return texts, (_Edits(texts, query) if form.method == "edit" else _Pairs(texts, query))


def _unit(tokens: Tokens, method: str) -> sp.csr_matrix:
    if method == "tfidf":
        return tfidf(tokens)
    present = count_matrix(tokens)
    present.data[:] = 1.0
    return present


def _shares(both: Any, one: Any, other: Any, dice: bool) -> Any:
    """Jaccard or Dice from sizes; two empty rows are alike in nothing."""
    whole = one[:, None] + other[None, :]
    top, under = (2 * both, whole) if dice else (both, whole - both)
    return np.divide(top, under, out=np.zeros_like(both), where=under > 0)


class _Vectors:
    """Rows of words: cosine of TF-IDF, or Jaccard."""

    def __init__(self, matrix: sp.csr_matrix, tokens: Tokens, form: Any, query: str) -> None:
        self.matrix, self.method = matrix, form.method
        self.sizes = np.asarray(matrix.sum(axis=1)).ravel()
        self.query = _query_vector(query, tokens, form) if query else (np.zeros(len(tokens.words)), 0.0)

    def rows(self, start: int, stop: int) -> Any:
        both = (self.matrix[start:stop] @ self.matrix.T).toarray()
        return both if self.method == "tfidf" else _shares(both, self.sizes[start:stop], self.sizes, False)

    def asked(self) -> Any:
        vector, size = self.query
        both = (self.matrix @ vector)[None, :]
        return both[0] if self.method == "tfidf" else _shares(both, np.array([size]), self.sizes, False)[0]


def _query_vector(query: str, tokens: Tokens, form: Any) -> tuple[Any, float]:
    """The query among the words of the texts; words none of them has count for its size alone."""
    place = {word: i for i, word in enumerate(tokens.words)}
    heads = {normal(word): normal(head) for word, head in (form.synonyms.heads if form.synonyms else {}).items()}
    stop = stop_set(form.stopwords)
    named = [heads.get(word, word) for word, _ in Segmenter(form.lang, form.user_dict).cut(query)]
    kept = [word for word in named if word not in stop and len(word) >= form.min_len]
    vector = np.zeros(len(tokens.words))
    for word in kept:
        if word in place:
            vector[place[word]] += 1
    if form.method == "jaccard":
        return (vector > 0).astype(float), float(len(set(kept)))
    vector = vector * idf(tokens, int((tokens.lengths > 0).sum()))
    length = float(np.sqrt((vector**2).sum()))
    return (vector / length if length else vector), length


class _Pairs:
    """Pairs of neighbouring characters: Dice."""

    def __init__(self, texts: list[str], query: str) -> None:
        place: dict[str, int] = {}
        rows, columns = [], []
        for i, one in enumerate([*texts, *([query] if query else [])]):
            body = "".join(normal(one).split())
            for pair in {body[k : k + 2] for k in range(len(body) - 1)}:
                rows.append(i)
                columns.append(place.setdefault(pair, len(place)))
        shape = (len(texts) + bool(query), max(1, len(place)))
        self.n = len(texts)
        self.matrix = sp.csr_matrix((np.ones(len(rows)), (rows, columns)), shape=shape)
        self.sizes = np.asarray(self.matrix.sum(axis=1)).ravel()

    def rows(self, start: int, stop: int) -> Any:
        both = (self.matrix[start:stop] @ self.matrix[: self.n].T).toarray()
        return _shares(both, self.sizes[start:stop], self.sizes[: self.n], True)

    def asked(self) -> Any:
        return self.rows(self.n, self.n + 1)[0]


class _Edits:
    """1 − Levenshtein distance / the longer length."""

    def __init__(self, texts: list[str], query: str) -> None:
        self.texts, self.query = [normal(one) for one in texts], normal(query)

    def rows(self, start: int, stop: int) -> Any:
        out = np.zeros((stop - start, len(self.texts)))
        for i in range(start, stop):
            for j in range(i + 1, len(self.texts)):
                out[i - start, j] = alike(self.texts[i], self.texts[j])
        return out

    def asked(self) -> Any:
        return np.array([alike(self.query, one) for one in self.texts])


def _blocks(likeness: Any, n: int, form: Any) -> Iterator[tuple[int, Any]]:
    for start in range(0, n, CHUNK):
        form.progress(start, n, f"比较 {start:,}/{n:,} 行")
        yield start, likeness.rows(start, min(n, start + CHUNK))


def _collect(likeness: Any, n: int, form: Any) -> dict[str, Any]:
    """The best pairs, the distribution and the links above the threshold, block by block."""
    best: list[tuple[float, int, int]] = []
    counts = np.zeros(BINS, dtype=np.int64)
    total, links = 0.0, []
    corner = np.zeros((min(n, DRAWN), min(n, DRAWN)))
    for start, block in _blocks(likeness, n, form):
        i, j = np.triu_indices(block.shape[0], start + 1, n)
        values = np.minimum(1.0, block[i, j])
        total += float(values.sum())
        # Rounded, so that 0.3 from a product falls into the bin of 0.3.
        counts += np.bincount(np.minimum(BINS - 1, (np.round(values, 10) * BINS).astype(int)), minlength=BINS)
        high = np.round(values, 10) >= form.threshold
        links.append((i[high] + start, j[high]))
        top = np.argsort(-np.round(values, 10), kind="stable")[: form.top]
        best += [(float(values[k]), int(i[k]) + start, int(j[k])) for k in top]
        if start < DRAWN:
            corner[start : start + block.shape[0]] = block[: max(0, DRAWN - start), : corner.shape[1]]
    ends = [np.concatenate(side) for side in zip(*links, strict=True)]
    graph = sp.csr_matrix((np.ones(len(ends[0])), (ends[0], ends[1])), shape=(n, n))
    best.sort(key=lambda one: (-round(one[0], 10), one[1], one[2]))
    found = likeness.asked() if form.query and form.query.strip() else None
    return {
        "best": best[: form.top], "counts": counts, "mean": total / (n * (n - 1) / 2), "high": len(ends[0]),
        "member": connected_components(graph, directed=False)[1], "corner": corner, "asked": found,
    }  # fmt: skip


def _short(text_: str) -> str:
    return text_ if len(text_) <= SHOWN_TEXT else text_[:SHOWN_TEXT] + "…"


def _print(cls: type[TextSimilarity], report: Report, form: Any, texts: list[str], found: dict[str, Any]) -> None:
    numbers, n = form.text.row_numbers, len(texts)
    for value, i, j in found["best"]:
        report.row(
            cls.pairs, first=int(numbers[i]), second=int(numbers[j]), similarity=value, a=_short(texts[i]),
            b=_short(texts[j]),
        )  # fmt: skip
    sizes = np.bincount(found["member"])
    first = {int(g): int(np.argmax(found["member"] == g)) for g in np.flatnonzero(sizes > 1)}
    order = sorted(first, key=lambda g: (-sizes[g], first[g]))
    for place, g in enumerate(order, start=1):
        rows = np.flatnonzero(found["member"] == g)
        shown = [int(numbers[row]) for row in rows[:1000]]
        report.row(cls.groups, group=place, size=int(sizes[g]), rows=shown, sample=_short(texts[rows[0]]))
    if not order:
        report.skip(cls.groups, "没有达到阈值的文本对")
    doubled, pairs = int(sizes[sizes > 1].sum()), n * (n - 1) // 2
    report.row(
        cls.summary, texts=n, pairs=pairs, high=found["high"], mean=found["mean"], most=found["best"][0][0],
        doubled=doubled, share=doubled / n,
    )  # fmt: skip
    for k, count in enumerate(found["counts"].tolist()):
        report.row(cls.bins, low=k / BINS, high=(k + 1) / BINS, n=count)
    _matrix(cls, report, form, found["corner"], n)
    _asked(cls, report, form, texts, found["asked"])
    facts: dict[str, Any] = {"k": found["high"], "min": form.threshold, "rows": doubled, "share": doubled / n}
    if found["high"]:
        words_ = (
            "{k:integer} 对文本的相似度达到 {min:num}，涉及 {rows:integer} 行（{share:percent}），"
            "可能是重复或抄写的回答。"
        )
        report.lead(words_, **facts)
        report.say("相似度高不等于抄写：答案短、选择少的题，本来就容易写得一样。请打开原文再判断。")
    else:
        report.lead(
            "没有相似度达到 {min:num} 的文本对，最高 {most:num}。", min=form.threshold, most=found["best"][0][0]
        )


def _matrix(cls: type[TextSimilarity], report: Report, form: Any, corner: Any, n: int) -> None:
    names = [f"第{row}行" for row in form.text.row_numbers[: len(corner)]]
    if form.label is not None:
        names = [f"{name} {cell or ''}".strip() for name, cell in zip(names, form.label.text, strict=False)]
    whole = np.triu(corner, 1)
    whole = np.minimum(1.0, whole + whole.T + np.eye(len(corner)))
    for i, row in enumerate(names):
        for j, column in enumerate(names):
            report.row(cls.cells, row=row, column=column, value=float(whole[i, j]))
    if n > len(corner):
        report.note(cls.heat, "只画前 {k:integer} 行。", k=len(corner))


def _asked(cls: type[TextSimilarity], report: Report, form: Any, texts: list[str], values: Any) -> None:
    if values is None:
        report.skip(cls.found, "没有填写查询文本")
        return
    order = np.argsort(-np.round(values, 10), kind="stable")[:20]
    for rank, i in enumerate(order, start=1):
        row = int(form.text.row_numbers[i])
        report.row(cls.found, rank=rank, row=row, similarity=float(min(1.0, values[i])), sample=_short(texts[i]))
