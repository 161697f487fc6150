from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import rankdata

from hengxi.contract import (
    Chart,
    Column,
    Method,
    NewColumns,
    NextStep,
    Points,
    Refusal,
    Report,
    SetRemedy,
    Table,
    action,
    choice,
    flag,
    integer,
    num,
    percent,
    role,
    rows_column,
    text,
)
from hengxi.families.text.form import SEGMENTED, WordForm
from hengxi.families.text.tables import links, tag_of, warn_wordless
from hengxi.families.text.tokens import Tokens, read_tokens
from hengxi.families.text.weights import mean_tfidf, neighbours, textrank, tfidf

ALL, ROW, GROUP = {"scope": "all"}, {"scope": "row"}, {"scope": "group"}
COMPARED = 20
DRAWN_NODES, DRAWN_EDGES = 40, 120
FEW_ROWS, FEW_WORDS = 10, 3


class KeywordExtraction(Method):
    """Words that stand for a text: by TF-IDF of this corpus, or by TextRank."""

    title, title_en = "关键词提取", "Keyword extraction"
    family, tier = "文本分析", "standard"
    purpose = "用TF-IDF或TextRank找出每行或全部文本的关键词"
    aliases = ("关键词", "主题词", "TFIDF", "TF-IDF", "TextRank", "提取关键字", "标签提取")
    references = ("salton1988", "mihalcea2004")
    conventions = (
        SEGMENTED,
        "先合并同义词，再去掉停用词、词性不符和过短的词。",
        "TF-IDF：词频 × [ln((1+n)/(1+df))+1]，n 为有词的行数，df 为出现行数，每行缩放到长度 1。",
        "全部文本和各组的 TF-IDF 取各行的平均。",
        "TextRank：相距小于“TextRank窗口”的不同词相连，阻尼系数 0.85，得分合计为 1；每行、每组各用自己的图。",
        "权重相同时，词频高的在前，再按词的编码次序。",
    )
    queue = "text"
    row_order = True

    class Input(WordForm):
        group: Column = role("分组变量", "定类", min=1, max=1, levels=(1, 50), when=GROUP)
        method: str = choice("方法", {"tfidf": "TF-IDF", "textrank": "TextRank"})
        scope: str = choice("范围", {"all": "全部文本", "row": "每行", "group": "每组"})
        top_k: int = integer("关键词个数", 20, least=1, most=200)
        window: int = integer("TextRank窗口", 5, least=2, most=20, when={"method": "textrank"})
        append: bool = flag("保存为新变量", False, when=ROW)

    words = Table(
        "关键词", rank=integer("名次"), word=text("词"), tag=text("词性"), weight=num("权重", decimals=4),
        n=integer("词频"), docs=integer("出现行数"), rows=rows_column("所在行"), stop=action("停用", "add_stopword"),
        join=action("合并", "rename"), when=ALL, place="main",
    )  # fmt: skip
    by_row = Table(
        "每行的关键词", row=rows_column("行"), rank=integer("名次"), word=text("词"), weight=num("权重", decimals=4),
        when=ROW, place="main",
    )  # fmt: skip
    by_group = Table(
        "各组的关键词", group=text("组"), rank=integer("名次"), word=text("词"), weight=num("权重", decimals=4),
        n=integer("词频"), merge=("group",), when=GROUP, place="main",
    )  # fmt: skip
    bars = Points("关键词条形图", word=text("词"), weight=num("权重"), when=ALL)
    bar = Chart("关键词条形图", "bar", of=bars, x="word", y="weight", when=ALL, place="main")
    methods = Table(
        "两种方法对照", shown=integer("比较的词数"), same=integer("都选中的词"), share=percent("重合率"),
        rho=num("秩相关"), layout="record", when=ALL,
    )  # fmt: skip
    nodes = Points("词", id=text("编号"), label=text("词"), size=num("权重"), when=ALL)
    edges = Points("相邻", source=text("词"), target=text("词"), weight=num("次数"), when=ALL)
    graph = Chart("词图", "network", nodes=nodes, edges=edges, size="size", weight="weight", when=ALL, place="detail")
    saved = NewColumns("关键词", when={"append": True})

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        carry = {"text": form["text"]}
        return [
            NextStep(title="看词频", method="text_analysis/word_frequency", form=carry),
            NextStep(title="画成词云", method="text_analysis/word_cloud", form={**carry, "weight": form["method"]}),
        ]

    @classmethod
    def run(cls, form: Any) -> Report:
        report = Report()
        tokens = read_tokens(form.text, form, report, form.progress)
        warn_wordless(report, tokens)
        longest = int(tokens.lengths.max())
        if form.method == "textrank" and form.window > longest > 1:
            words = f"“TextRank窗口”为 {form.window}，不应大于最长文本的词数 {longest}"
            remedy = SetRemedy(title=f"窗口改为 {longest}", set={"window": longest})
            raise Refusal("data.window", words, field="window", remedies=[remedy])
        if form.method == "tfidf" and tokens.size < FEW_ROWS:
            report.warn(
                "data.few_rows", "只有 {k:integer} 行，TF-IDF 分不清哪些词到处都有；可改用 TextRank。", k=tokens.size
            )
        {"all": _all, "row": _by_row, "group": _by_group}[form.scope](cls, report, form, tokens)
        return report


def _weights(tokens: Tokens, form: Any, method: str | None = None) -> np.ndarray[Any, Any]:
    by = method or form.method
    return mean_tfidf(tokens) if by == "tfidf" else textrank(tokens, form.window or 5)


def _all(cls: type[KeywordExtraction], report: Report, form: Any, tokens: Tokens) -> None:
    weights = _weights(tokens, form)
    ranked = tokens.ranked(weights)[: form.top_k]
    for rank, i in enumerate(ranked, start=1):
        report.row(
            cls.words, rank=rank, word=tokens.words[i], tag=tag_of(tokens, i), weight=float(weights[i]),
            n=int(tokens.counts[i]), docs=int(tokens.doc_counts[i]), **links(tokens, i),
        )  # fmt: skip
    for i in ranked[:20]:
        report.row(cls.bars, word=tokens.words[i], weight=float(weights[i]))
    _compare_methods(cls, report, form, tokens, weights)
    _graph(cls, report, form, tokens, ranked, weights)
    names = "".join(f"“{tokens.words[i]}”" for i in ranked[:5])
    report.lead("全部文本的关键词是{names}。", names=names)


def _compare_methods(
    cls: type[KeywordExtraction], report: Report, form: Any, tokens: Tokens, weights: np.ndarray[Any, Any]
) -> None:
    other = _weights(tokens, form, "textrank" if form.method == "tfidf" else "tfidf")
    shown = min(COMPARED, len(tokens.words))
    same = len(set(tokens.ranked(weights)[:shown]) & set(tokens.ranked(other)[:shown]))
    a, b = rankdata(np.round(weights, 12)), rankdata(np.round(other, 12))
    rho = float(np.corrcoef(a, b)[0, 1]) if np.ptp(a) > 0 and np.ptp(b) > 0 else None
    report.row(cls.methods, shown=shown, same=same, share=same / shown, rho=rho)
    report.note(
        cls.methods,
        "TF-IDF 与 TextRank（窗口 {window:integer}）各取前几个词比较；秩相关用全部词。",
        window=form.window or 5,
    )


def _graph(
    cls: type[KeywordExtraction], report: Report, form: Any, tokens: Tokens, ranked: list[int], weights: Any
) -> None:
    shown = ranked[:DRAWN_NODES]
    near = neighbours(tokens, form.window or 5)[np.ix_(shown, shown)].tocoo()
    edges = sorted(
        ((float(n), int(i), int(j)) for i, j, n in zip(near.row, near.col, near.data, strict=True) if i < j),
        key=lambda edge: (-edge[0], edge[1], edge[2]),
    )[:DRAWN_EDGES]
    if not edges:
        for element in (cls.graph, cls.nodes, cls.edges):
            report.skip(element, "没有相邻的词")
        return
    for i in shown:
        report.row(cls.nodes, id=tokens.words[i], label=tokens.words[i], size=float(weights[i]))
    for n, i, j in edges:
        report.row(cls.edges, source=tokens.words[shown[i]], target=tokens.words[shown[j]], weight=n)


def _by_row(cls: type[KeywordExtraction], report: Report, form: Any, tokens: Tokens) -> None:
    short = int(((tokens.lengths > 0) & (tokens.lengths < FEW_WORDS)).sum())
    if short:
        report.warn(
            "data.short_rows", "有 {k:integer} 行少于 {least:integer} 个词，关键词不可靠。", k=short, least=FEW_WORDS
        )
    matrix = tfidf(tokens) if form.method == "tfidf" else None
    kept: list[str | None] = []
    for doc in range(tokens.size):
        if doc % 1000 == 0:
            form.progress(doc, tokens.size, f"提取 {doc:,}/{tokens.size:,} 行")
        pairs = _of_row(tokens, form, matrix, doc)
        for rank, (word, weight) in enumerate(pairs, start=1):
            report.row(cls.by_row, row=int(tokens.row_numbers[doc]), rank=rank, word=word, weight=weight)
        kept.append("；".join(word for word, _ in pairs) or None)
    if form.append:
        report.columns(cls.saved, {"关键词": kept})
    report.lead("给 {k:integer} 行文本各提取了最多 {most:integer} 个关键词。", k=sum(map(bool, kept)), most=form.top_k)


def _of_row(tokens: Tokens, form: Any, matrix: Any, doc: int) -> list[tuple[str, float]]:
    if matrix is not None:
        row = matrix[[doc]].tocoo()
        found = [(tokens.words[int(i)], float(x)) for i, x in zip(row.col, row.data, strict=True)]
    else:
        only = np.zeros(tokens.size, dtype=bool)
        only[doc] = True
        part = tokens.among(only).used()
        scores = textrank(part, form.window) if len(part.words) else np.zeros(0)
        found = [(word, float(score)) for word, score in zip(part.words, scores, strict=True)]
    return sorted(found, key=lambda one: (-round(one[1], 12), one[0]))[: form.top_k]


def _by_group(cls: type[KeywordExtraction], report: Report, form: Any, tokens: Tokens) -> None:
    whole = tfidf(tokens) if form.method == "tfidf" else None
    first: list[str] = []
    for level in form.group.levels:
        rows = form.group.codes == level.code
        part = tokens.among(rows)
        if not len(part.codes):
            report.warn("data.wordless_group", "“{group}”没有剩下可计数的词。", group=level.label)
            continue
        if whole is not None:
            having = max(1, int((part.lengths > 0).sum()))
            weights = np.asarray(whole[np.flatnonzero(rows)].sum(axis=0)).ravel() / having
        else:
            part = part.used()
            weights = textrank(part, form.window)
        ranked = [i for i in part.ranked(weights) if part.counts[i] > 0][: form.top_k]
        for rank, i in enumerate(ranked, start=1):
            report.row(
                cls.by_group, group=level.label, rank=rank, word=part.words[i], weight=float(weights[i]),
                n=int(part.counts[i]),
            )  # fmt: skip
        first.append(f"“{level.label}”：" + "".join(f"“{part.words[i]}”" for i in ranked[:3]))
    names = "；".join(first[:6]) + ("等" if len(first) > 6 else "")
    report.lead("各组的关键词：{names}。", names=names)
