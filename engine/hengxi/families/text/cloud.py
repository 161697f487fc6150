"""The word cloud: of texts, or of a table of words and counts. Two methods stand on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    NextStep,
    Points,
    Refusal,
    Report,
    Table,
    Upload,
    Visualization,
    Wide,
    action,
    choice,
    filled,
    integer,
    num,
    option,
    percent,
    role,
    rows_column,
    text,
    upload,
)
from hengxi.contract.assets import clean
from hengxi.families.text import shapes
from hengxi.families.text.form import POS_CLASSES, SEGMENTED, WordForm
from hengxi.families.text.tokens import MOST_ROWS_OF_WORD, Tokens, pos_class, read_tokens
from hengxi.families.text.weights import mean_tfidf, textrank

GROUPED: dict[str, Any] = {"group": filled}
MOST_GROUPS = 6
LISTED = "已有词频时按词频定大小"
TFIDF = option("TF-IDF", unless={"freq": filled}, why=LISTED)
TEXTRANK = option("TextRank", unless={"freq": filled}, why=LISTED)


class CloudForm(WordForm):
    """Boxes and settings of every cloud."""

    freq: Column | None = role("词频变量（已有词频表时）", "定量", min=0, max=1)
    group: Column | None = role("分组变量（选填）", "定类", min=0, max=1, levels=(1, MOST_GROUPS))
    weight: str = choice("大小依据", {"count": "词频", "tfidf": TFIDF, "textrank": TEXTRANK})
    max_words: int = integer("最多词数", 100, least=10, most=500)
    shape: str = choice("形状", {**shapes.SHAPES, "mask": "自定义图片蒙版"}, default="ellipse")
    mask: Upload = upload("蒙版图片", types=("png", "jpg"), most="2MB", when={"shape": "mask"})
    palette: str = choice("配色", {"theme": "主题", "pos": "按词性", "single": "单色"})
    rotate: str = choice("旋转", {"none": "水平", "some": "部分竖排", "random": "随机"})


class Cloud(Visualization):
    """Words by size. What stands in the figure stands in the table, and every word opens its rows."""

    conventions: ClassVar[Sequence[str]] = (
        SEGMENTED,
        "先合并同义词，再去掉停用词、词性不符和过短的词。",
        "TF-IDF：词频 × [ln((1+n)/(1+df))+1]，每行缩放到长度 1，再对有词的行求平均；n 为有词的行数，df 为出现行数。",
        "TextRank：窗口 5 个词，阻尼系数 0.85，全部词的得分合计为 1。",
        "字号从最小到最大按权重的平方根变化。同一种子的方向相同，位置按权重由大到小固定。",
        f"一个词最多列出所在的前 {MOST_ROWS_OF_WORD:,} 行。",
    )
    queue = "text"
    random = True
    row_order = True  # upright words are drawn along the ranking; rows a word opens follow the table

    cloud_words = Points(
        "词云", word=text("词"), weight=num("权重"), kind=text("颜色"), turn=num("方向"), rows=rows_column("所在行"),
        group=text("组"),
    )  # fmt: skip
    frame = Points("形状", line=text("行"))
    cloud = Chart(
        "词云图", "words", of=cloud_words, mask=frame, word="word", weight="weight", group="kind", turn="turn",
        rows="rows", facet="group", place="main",
    )  # fmt: skip
    words = Table(
        "词表", word=text("词"), tag=text("词性"), n=num("词频"), share=percent("占比"), docs=integer("出现行数"),
        weight=num("权重", decimals=4), rows=rows_column("所在行"), stop=action("停用", "add_stopword"),
        join=action("合并", "rename"), place="main",
    )  # fmt: skip
    groups = Table(
        "各组的词", word=text("词"), whose=text("归属"), layout=Wide(n=num("词频"), rate=num("每千词")), when=GROUPED,
    )  # fmt: skip
    summary = Table(
        "文本概况", rows=integer("文本行数"), empty=integer("没有词的行数"), characters=integer("总字数"),
        counted=num("计数的词数"), distinct=integer("不同的词数"), layout="record",
    )  # fmt: skip

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        carry = {"text": form["text"]} | ({"group": form["group"]} if form.get("group") else {})
        return [
            NextStep(title="看词频和组间差异", method="text_analysis/word_frequency", form=carry),
            NextStep(title="看情感倾向", method="text_analysis/sentiment_analysis", form=carry),
        ]

    @classmethod
    def run(cls, form: Any) -> Report:
        report = Report()
        if form.freq is not None:
            return _from_list(cls, form, report)
        return _from_text(cls, form, report, cls.tokens(form, report))

    @classmethod
    def tokens(cls, form: Any, report: Report) -> Tokens:
        """The words of the texts, as the form cuts and leaves them out."""
        return read_tokens(form.text, form, report, form.progress)

    @classmethod
    def further(
        cls, form: Any, report: Report, tokens: Tokens | None, ranked: list[int], often: list[tuple[str, float]]
    ) -> None:
        """What a method adds to the cloud. `tokens` is None where a table of words and counts was given; `often`: the
        words of the table with their counts, the most frequent first."""


def _from_text(cls: type[Cloud], form: Any, report: Report, tokens: Tokens) -> Report:
    weights = _weights(tokens, form.weight)
    ranked = tokens.ranked(weights)[: form.max_words]
    total = int(tokens.counts.sum())
    for i in ranked:
        report.row(
            cls.words, word=tokens.words[i], tag=POS_CLASSES[pos_class(tokens.tags[i])], n=int(tokens.counts[i]),
            share=float(tokens.counts[i] / total), docs=int(tokens.doc_counts[i]), weight=float(weights[i]),
            rows=tokens.rows_of(i), stop=tokens.words[i], join=tokens.words[i],
        )  # fmt: skip
    empty = int((tokens.lengths == 0).sum())
    report.row(
        cls.summary, rows=tokens.size, empty=empty, characters=tokens.characters, counted=total,
        distinct=len(tokens.words),
    )  # fmt: skip
    if empty:
        report.warn("data.wordless", "{k:integer} 行没有剩下可计数的词。", k=empty)
    _say(cls, report, form, tokens, ranked)
    if form.group is None:
        _draw(cls, report, form, tokens, weights, ranked, "")
    else:
        _draw_groups(cls, report, form, tokens, ranked)
    cls.further(form, report, tokens, ranked, [(tokens.words[i], float(tokens.counts[i])) for i in tokens.ranked()])
    return report


def _weights(tokens: Tokens, kind: str) -> Any:
    if kind == "count":
        return tokens.counts.astype(float)
    return mean_tfidf(tokens) if kind == "tfidf" else textrank(tokens)


def _say(cls: type[Cloud], report: Report, form: Any, tokens: Tokens, ranked: list[int]) -> None:
    top = ranked[0]
    by = {"count": "出现最多的词", "tfidf": "按 TF-IDF 最突出的词", "textrank": "按 TextRank 最突出的词"}[form.weight]
    others = "".join(f"“{tokens.words[i]}”" for i in ranked[1:4])
    facts: dict[str, Any] = {"others": others} if others else {}
    report.lead(
        by + "是“{word}”，共 {n:integer} 次，出现在 {docs:integer} 行（占有文本的行的 {share:percent}）"
        + ("。其次是{others}。" if others else "。"),
        word=tokens.words[top], n=int(tokens.counts[top]), docs=int(tokens.doc_counts[top]),
        share=float(tokens.doc_counts[top] / tokens.size), **facts,
    )  # fmt: skip
    report.say("词云只展示词的多少，不说明态度好坏，也不能比较两组是否真有差别。")
    left = len(tokens.words) - len(ranked)
    if left > 0:
        report.note(cls.cloud, "另有 {left:integer} 个词没有画出；可调大“最多词数”。", left=left)


def _kind(form: Any, tag: str) -> str:
    return {"theme": "", "single": "词"}.get(form.palette, POS_CLASSES[pos_class(tag)])


def _turns(form: Any, size: int) -> list[float]:
    """Degrees of each word; the largest three lie flat, so that the eye begins with them."""
    share = {"none": 0.0, "some": 0.25, "random": 0.5}[form.rotate]
    turns = np.where(form.rng.random(size) < share, 90.0, 0.0)
    turns[:3] = 0.0
    return list(turns.tolist())


def _draw(
    cls: type[Cloud], report: Report, form: Any, tokens: Tokens, weights: Any, ranked: list[int], group: str
) -> None:
    turns = _turns(form, len(ranked))
    for i, turn in zip(ranked, turns, strict=True):
        report.row(
            cls.cloud_words, word=tokens.words[i], weight=float(weights[i]), kind=_kind(form, tokens.tags[i]),
            turn=turn, rows=tokens.rows_of(i), group=group,
        )  # fmt: skip
    if (cls.frame.id, None) not in report.rows:
        _frame(cls, report, form)


def _frame(cls: type[Cloud], report: Report, form: Any) -> None:
    for line in form.mask.shape if form.shape == "mask" else shapes.grid(form.shape):
        report.row(cls.frame, line=line)


def _draw_groups(cls: type[Cloud], report: Report, form: Any, tokens: Tokens, ranked: list[int]) -> None:
    codes = form.group.codes
    parts = [(level, tokens.among(codes == level.code)) for level in form.group.levels]
    parts = [(level, part) for level, part in parts if len(part.codes)]
    for level, part in parts:
        weights = _weights(part, form.weight)
        shown = [i for i in part.ranked(weights) if part.counts[i] > 0][: form.max_words]
        _draw(cls, report, form, part, weights, shown, level.label)
    for i in ranked:
        counts = [int(part.counts[i]) for _, part in parts]
        having = [level.label for (level, _), n in zip(parts, counts, strict=True) if n]
        whose = "共有" if len(having) == len(parts) else f"只在{having[0]}" if len(having) == 1 else "部分组"
        wide = {
            level: {"n": n, "rate": 1000 * n / len(part.codes)} for (level, part), n in zip(parts, counts, strict=True)
        }
        report.row(cls.groups, word=tokens.words[i], whose=whose, wide=wide)


def _from_list(cls: type[Cloud], form: Any, report: Report) -> Report:
    """A table of words and counts: nothing is cut, equal words are added up."""
    counts: dict[str, float] = {}
    rows: dict[str, list[int]] = {}
    for word, value, row in zip(form.text.text, form.freq.numbers, form.freq.row_numbers, strict=True):
        if not value >= 0:
            raise Refusal(
                "data.negative", f"第 {row} 行词频不是非负数（变量“{form.freq.name}”为 {value:g}）", field="freq",
                column=form.freq.id, row=int(row),
            )  # fmt: skip
        name = clean(str(word))
        if name and value > 0:
            counts[name] = counts.get(name, 0.0) + float(value)
            rows.setdefault(name, []).append(int(row))
    if not counts:
        raise Refusal(
            "data.no_words", f"当前设置下没有词语：“{form.freq.name}”全为 0", field="freq", column=form.freq.id
        )
    ranked = sorted(counts, key=lambda word: (-counts[word], word))
    total = sum(counts.values())
    shown = ranked[: form.max_words]
    for word, turn in zip(shown, _turns(form, len(shown)), strict=True):
        own = rows[word][:MOST_ROWS_OF_WORD]
        report.row(
            cls.words, word=word, n=counts[word], share=counts[word] / total, docs=len(rows[word]), weight=counts[word],
            rows=own,
        )  # fmt: skip
        kind = "" if form.palette != "single" else "词"
        report.row(cls.cloud_words, word=word, weight=counts[word], kind=kind, turn=turn, rows=own, group="")
    report.row(
        cls.summary, rows=len(form.freq), empty=len(form.freq) - sum(map(len, rows.values())),
        characters=sum(map(len, map(str, form.text.text))), counted=total, distinct=len(ranked),
    )  # fmt: skip
    _frame(cls, report, form)
    report.lead(
        "词频最高的是“{word}”，为 {n:num}，占全部的 {share:percent}。", word=shown[0], n=counts[shown[0]],
        share=counts[shown[0]] / total,
    )  # fmt: skip
    if form.group is not None:
        report.skip(cls.groups, "用现成的词频表时不分组，请用“分组”设置分开画")
    cls.further(form, report, None, [], [(word, counts[word]) for word in ranked])
    return report
