from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Method,
    NewColumns,
    NextStep,
    Points,
    Report,
    Table,
    action,
    choice,
    flag,
    integer,
    num,
    percent,
    rows_column,
    text,
)
from hengxi.families.text.form import POS_CLASSES, SEGMENTED, WordForm
from hengxi.families.text.tables import links, tag_of, warn_wordless
from hengxi.families.text.tokens import LETTER, STEP, Segmenter, Tokens, normal, pos_class, texts_of, tokens_of

SHOWN_ROWS, SHOWN_NEW = 200, 50
PRECISE = {"mode": "precise"}


class WordSegmentation(Method):
    """Texts cut into words with their part of speech, beside the rows they come from."""

    title, title_en = "分词与词性标注", "Word segmentation and tagging"
    family, tier = "文本分析", "standard"
    purpose = "把每行文本切成词并标注词性，供后续分析使用"
    aliases = ("中文分词", "切词", "词性标注", "结巴分词", "jieba", "词性", "新词识别")
    references = ("rabiner1989",)
    conventions = (
        SEGMENTED,
        "先合并同义词，再去掉停用词、词性不符和过短的词。",
        "一个词在各处的词性不同时，取最常见的一种；并列时取标记次序在前的。",
        "全模式列出词典里的所有词，单字只在没有长词包含它时留下；搜索引擎模式把长词再切一次。",
        "后两种模式重复计数同一段文字，词性按单独的词标注。",
        "新词：模型识别出、词典和自定义词里都没有的中文词，只在精确模式下列出。",
    )
    queue = "text"
    row_order = True  # the first rows are listed

    class Input(WordForm):
        mode: str = choice("分词模式", {"precise": "精确", "full": "全模式", "search": "搜索引擎"})
        hmm: bool = flag("识别新词（HMM）", True)
        tagged: bool = flag("写出词性", False, hint="在每个词后面写词性，如“酒店/名词”。")
        append: bool = flag("保存为新变量", False)

    summary = Table(
        "分词汇总", size=integer("文本行数"), empty=integer("没有词的行数"), raw=integer("切出的词数"),
        counted=integer("保留的词数"), types=integer("不重复词数"), mean=num("每行平均词数"), layout="record",
        place="main",
    )  # fmt: skip
    cuts = Table(
        "分词结果", row=rows_column("行"), original=text("原文"), words=text("分词"), n=integer("词数"), place="main"
    )
    parts = Table(
        "词性分布", tag=text("词性"), n=integer("词数"), share=percent("占比"), types=integer("不重复词数"),
        place="main",
    )  # fmt: skip
    bars = Points("词性分布图", tag=text("词性"), n=integer("词数"))
    bar = Chart("词性分布图", "bar", of=bars, x="tag", y="n", place="main")
    unknown = Table(
        "识别出的新词", word=text("词"), tag=text("词性"), n=integer("词频"), rows=rows_column("所在行"),
        stop=action("停用", "add_stopword"), join=action("合并", "rename"), when=PRECISE,
    )  # fmt: skip
    saved = NewColumns("分词", when={"append": True})

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        carry = {"text": form["text"]}
        return [
            NextStep(title="看词频", method="text_analysis/word_frequency", form=carry),
            NextStep(title="提取关键词", method="text_analysis/keyword_extraction", form=carry),
        ]

    @classmethod
    def run(cls, form: Any) -> Report:
        report = Report()
        texts = texts_of(form.text, report)
        segmenter = Segmenter(form.lang, form.user_dict, form.hmm)
        tokens = tokens_of(_cut(segmenter, texts, form), form, form.text, texts)
        warn_wordless(report, tokens)
        counted, types = len(tokens.codes), len(tokens.words)
        report.row(
            cls.summary, size=tokens.size, empty=int((tokens.lengths == 0).sum()), raw=tokens.raw, counted=counted,
            types=types, mean=counted / tokens.size,
        )  # fmt: skip
        _rows(cls, report, form, tokens, texts)
        _parts(cls, report, tokens)
        if form.mode == "precise":
            _unknown(cls, report, segmenter, tokens)
        report.lead(
            "{size:integer} 行文本切出 {raw:integer} 个词，保留 {counted:integer} 个，"
            "其中不重复的有 {types:integer} 个。",
            size=tokens.size, raw=tokens.raw, counted=counted, types=types,
        )  # fmt: skip
        return report


def _cut(segmenter: Segmenter, texts: list[str], form: Any) -> Iterator[list[tuple[str, str]]]:
    for i, cell in enumerate(texts):
        if i % STEP == 0:
            form.progress(i, len(texts), f"分词 {i:,}/{len(texts):,} 行")
        if form.mode == "precise" or form.lang == "en":
            yield segmenter.cut(cell)
            continue
        jieba, whole = segmenter.jieba, normal(cell)
        pieces = (
            _every_word(whole, jieba.cut_all(whole)) if form.mode == "full" else jieba.cut_for_search(whole, form.hmm)
        )
        yield [(piece, _tag(segmenter, piece)) for piece in pieces if LETTER.search(piece)]


def _every_word(whole: str, pieces: list[str]) -> list[str]:
    """Without the single letters that stand inside a longer word, as jieba's full mode gives them.

    The pieces come by their start, shorter ones first: that is how their places are known again.
    """
    starts: list[int] = []
    at, before = 0, ""
    for piece in pieces:
        at = whole.index(piece, at if len(piece) > len(before) else at + 1)
        starts.append(at)
        before = piece
    inside = {
        place for start, piece in zip(starts, pieces, strict=True) if len(piece) > 1
        for place in range(start, start + len(piece))
    }  # fmt: skip
    return [piece for start, piece in zip(starts, pieces, strict=True) if len(piece) > 1 or start not in inside]


def _tag(segmenter: Segmenter, word: str) -> str:
    """Of a word by itself; "x" where the segmenter would cut it again."""
    found = segmenter.jieba.tag(word, False)
    return str(found[0][1]) if len(found) == 1 else "x"


def _rows(cls: type[WordSegmentation], report: Report, form: Any, tokens: Tokens, texts: list[str]) -> None:
    names = [f"{word}/{tag_of(tokens, i)}" if form.tagged else word for i, word in enumerate(tokens.words)]
    ends = np.searchsorted(tokens.docs, np.arange(tokens.size + 1))
    lines = [" ".join(names[code] for code in tokens.codes[ends[i] : ends[i + 1]]) for i in range(tokens.size)]
    for i in range(min(SHOWN_ROWS, tokens.size)):
        report.row(
            cls.cuts, row=int(tokens.row_numbers[i]), original=texts[i], words=lines[i] or None,
            n=int(tokens.lengths[i]),
        )  # fmt: skip
    if tokens.size > SHOWN_ROWS:
        report.note(
            cls.cuts, "只列出前 {k:integer} 行；打开“保存为新变量”可得到全部 {size:integer} 行。", k=SHOWN_ROWS,
            size=tokens.size,
        )  # fmt: skip
    if form.append:
        report.columns(cls.saved, {"分词": [line or None for line in lines]})


def _parts(cls: type[WordSegmentation], report: Report, tokens: Tokens) -> None:
    classes = [pos_class(tag) for tag in tokens.tags]
    for key, name in POS_CLASSES.items():
        inside = np.array([one == key for one in classes], dtype=bool)
        if not inside.any():
            continue
        n = int(tokens.counts[inside].sum())
        report.row(cls.parts, tag=name, n=n, share=n / len(tokens.codes), types=int(inside.sum()))
        report.row(cls.bars, tag=name, n=n)
    report.note(cls.parts, "占比以保留的词为分母。")


def _unknown(cls: type[WordSegmentation], report: Report, segmenter: Segmenter, tokens: Tokens) -> None:
    heads = [i for i in tokens.ranked() if tokens.tags[i] != "eng" and not segmenter.knows(tokens.words[i])]
    if not heads:
        report.skip(cls.unknown, "保留的词都在词典里")
        return
    for i in heads[:SHOWN_NEW]:
        report.row(
            cls.unknown, word=tokens.words[i], tag=tag_of(tokens, i), n=int(tokens.counts[i]), **links(tokens, i)
        )
    report.note(cls.unknown, "新词可能切错；切错的词请写进“自定义词”再算一次。")
    if len(heads) > SHOWN_NEW:
        report.note(cls.unknown, "另有 {left:integer} 个新词没有列出。", left=len(heads) - SHOWN_NEW)
