from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import chi2

from hengxi.contract import (
    Chart,
    Column,
    Method,
    NextStep,
    Points,
    Refusal,
    Report,
    SetRemedy,
    Silent,
    Table,
    Wide,
    action,
    filled,
    flag,
    integer,
    marked,
    num,
    percent,
    pvalue,
    role,
    rows_column,
    text,
)
from hengxi.families.text.form import SEGMENTED, WordForm
from hengxi.families.text.richness import WINDOW, richness
from hengxi.families.text.tables import context, links, tag_of, warn_wordless
from hengxi.families.text.tokens import Tokens, read_tokens, texts_of
from hengxi.families.text.weights import mean_tfidf
from hengxi.stats.multiple import adjust

GROUPED: dict[str, Any] = {"group": filled}
LEAST_EXPECTED = 5
SHOWN_WORDS = 5
ALPHA = 0.05


class WordFrequency(Method):
    """How often words stand in a text, and which words one group uses more than another."""

    title, title_en = "词频分析", "Word frequency"
    family, tier = "文本分析", "standard"
    purpose = "统计文本中词语出现的次数，并比较不同组的用词差异"
    aliases = ("词频统计", "高频词", "用词差异", "词汇丰富度", "齐夫定律", "开放题", "词组")
    references = ("dunning1993", "holm1979")
    conventions = (
        SEGMENTED,
        "先合并同义词，再去掉停用词、词性不符和过短的词；词组由剩下的相邻词组成，不跨行。",
        "TF-IDF 均值：词频 × [ln((1+n)/(1+df))+1]，每行缩放到长度 1，再对有词的行求平均。",
        "组间比较用“这个词 / 其他词”乘各组的列联表的对数似然比 G²，自由度为组数减 1；p 对表中各词按 Holm 法校正。",
        f"MATTR 的窗口为 {WINDOW} 个词，按行的先后连成一串；Yule K = 10⁴(Σc²−N)/N²；Honoré R = 100 ln N/(1−V₁/V)。",
    )
    queue = "text"
    row_order = True  # the moving window of MATTR goes along the rows

    class Input(WordForm):
        group: Column | None = role("分组变量（选填）", "定类", min=0, max=1, levels=(2, 10))
        top: int = integer("显示前几个词", 50, least=5, most=500)
        ngram: int = integer("词组长度（词）", 1, least=1, most=3, hint="2 表示数两个相邻的词。")

    bars = Points("词频条形图", word=text("词"), n=integer("词频"))
    bar = Chart("词频条形图", "bar", of=bars, x="word", y="n", place="main")
    words = Table(
        "词频", word=text("词"), tag=text("词性"), n=integer("词频"), share=percent("占比"), docs=integer("出现行数"),
        doc_share=percent("行占比"), tfidf=num("TF-IDF均值", decimals=4), rows=rows_column("所在行"),
        stop=action("停用", "add_stopword"), join=action("合并", "rename"), place="main",
    )  # fmt: skip
    compare = Table(
        "各组的用词", word=text("词"), layout=Wide(n=integer("词频"), rate=num("每千词")), g2=num("*G*²", least=0),
        df=integer("*df*"), p=pvalue("*p*（Holm）"), most=text("用得最多"), few=flag("期望不足 5"), when=GROUPED,
        claim=Silent("many words at once: the sentences name those that differ"), place="main",
    )  # fmt: skip
    variety = Table(
        "词汇丰富度", whose=text("范围"), counted=integer("总词数"), types=integer("词种数"), ttr=num("TTR"),
        mattr=num("MATTR"), yule=num("Yule *K*"), honore=num("Honoré *R*"),
    )  # fmt: skip
    ranks = Points("齐夫图", rank=num("ln 名次"), count=num("ln 词频"))
    zipf = Chart("齐夫图", "point", of=ranks, x="rank", y="count", place="detail")
    where = Table("词的上下文", word=text("词"), row=rows_column("行"), context=marked("前后文"), merge=("word",))

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        carry = {"text": form["text"]}
        return [
            NextStep(title="画成词云", method="text_analysis/word_cloud", form=carry),
            NextStep(title="提取关键词", method="text_analysis/keyword_extraction", form=carry),
        ]

    @classmethod
    def run(cls, form: Any) -> Report:
        report = Report()
        single = read_tokens(form.text, form, report, form.progress)
        tokens = single.grams(form.ngram)
        if not len(tokens.codes):
            raise _no_runs(form)
        ranked = tokens.ranked()[: form.top]
        _list(cls, report, tokens, ranked)
        warn_wordless(report, single)
        compared = _compare(cls, report, form, tokens, ranked) if form.group is not None else None
        _variety(cls, report, form, single)
        _say(report, form, tokens, ranked, compared)
        context(cls.where, report, tokens, texts_of(form.text), ranked[:SHOWN_WORDS])
        return report


def _no_runs(form: Any) -> Refusal:
    words = f"没有由 {form.ngram} 个词组成的词组：每行剩下的词都不够"
    return Refusal("data.no_words", words, field="ngram", remedies=[SetRemedy(title="改为单个词", set={"ngram": 1})])


def _list(cls: type[WordFrequency], report: Report, tokens: Tokens, ranked: list[int]) -> None:
    weights, total = mean_tfidf(tokens), int(tokens.counts.sum())
    for i in ranked:
        n, docs = int(tokens.counts[i]), int(tokens.doc_counts[i])
        report.row(
            cls.words, word=tokens.words[i], tag=tag_of(tokens, i), n=n, share=n / total, docs=docs,
            doc_share=docs / tokens.size, tfidf=float(weights[i]), **links(tokens, i),
        )  # fmt: skip
    for i in ranked[:20]:
        report.row(cls.bars, word=tokens.words[i], n=int(tokens.counts[i]))
    counts = np.sort(tokens.counts)[::-1]
    ranks = np.arange(1, len(counts) + 1)
    report.add_rows(cls.ranks, {"rank": np.log(ranks), "count": np.log(counts)})
    report.note(cls.zipf, "每点一个词。自然语言的点大致落在一条下降的直线附近。")
    left = len(tokens.words) - len(ranked)
    if left:
        report.note(
            cls.words,
            "另有 {left:integer} 个词没有列出；占比以全部 {total:integer} 个词为分母。",
            left=left,
            total=total,
        )


def _compare(
    cls: type[WordFrequency], report: Report, form: Any, tokens: Tokens, ranked: list[int]
) -> list[tuple[str, str, float]]:
    """Words that differ at 5 % after correction: (word, the group that uses it most, p)."""
    parts = [(level, tokens.among(form.group.codes == level.code)) for level in form.group.levels]
    parts = [(level, part) for level, part in parts if len(part.codes)]
    sizes = np.array([len(part.codes) for _, part in parts], dtype=float)
    own = np.array([part.counts for _, part in parts], dtype=float)[:, ranked]
    if len(parts) < 2:
        report.skip(cls.compare, "去掉停用词后只有一组还有词，无法比较")
        return []
    expected = sizes[:, None] * own.sum(axis=0) / sizes.sum()
    others = sizes[:, None] - own
    expected_others = sizes[:, None] - expected
    g2 = 2 * (_flow(own, expected) + _flow(others, expected_others)).sum(axis=0)
    df = len(parts) - 1
    p = adjust(chi2.sf(np.maximum(g2, 0), df), "holm")
    differing = []
    for k, i in enumerate(ranked):
        rates = 1000 * own[:, k] / sizes
        best = parts[int(np.argmax(rates))][0].label if np.ptp(rates) > 0 else "–"
        few = bool((expected[:, k] < LEAST_EXPECTED).any())
        wide = {level: {"n": int(own[g, k]), "rate": float(rates[g])} for g, (level, _) in enumerate(parts)}
        report.row(
            cls.compare, word=tokens.words[i], wide=wide, g2=max(0.0, float(g2[k])), df=df, p=float(p[k]), most=best,
            few=few,
        )  # fmt: skip
        if p[k] < ALPHA and not few:
            differing.append((tokens.words[i], best, float(p[k])))
    report.note(
        cls.compare, "“期望不足 5”的词次数太少，p 不可靠。检验把每个词当作独立的一次，同一人反复说会使 p 偏小。"
    )
    return differing


def _flow(observed: Any, expected: Any) -> Any:
    """O ln(O/E), 0 where nothing was observed."""
    ratio = np.divide(observed, expected, out=np.ones_like(observed), where=(observed > 0) & (expected > 0))
    return observed * np.log(ratio)


def _variety(cls: type[WordFrequency], report: Report, form: Any, tokens: Tokens) -> None:
    parts = [("全部", tokens)]
    if form.group is not None:
        parts += [(level.label, tokens.among(form.group.codes == level.code)) for level in form.group.levels]
    short = False
    for whose, part in parts:
        if len(part.codes):
            found = richness(part.codes)
            short = short or found.mattr is None
            report.row(
                cls.variety, whose=whose, counted=found.tokens, types=found.types, ttr=found.ttr, mattr=found.mattr,
                yule=found.yule, honore=found.honore,
            )  # fmt: skip
    report.note(
        cls.variety,
        "TTR 随词数变小，词数不同的两组请比较 MATTR。" + (f"不足 {WINDOW} 个词的不算 MATTR。" if short else ""),
    )


def _say(
    report: Report, form: Any, tokens: Tokens, ranked: list[int], compared: list[tuple[str, str, float]] | None
) -> None:
    top, what = ranked[0], "词" if form.ngram == 1 else "词组"
    others = "".join(f"“{tokens.words[i]}”" for i in ranked[1:4])
    facts: dict[str, Any] = {"others": others} if others else {}
    report.lead(
        f"出现最多的{what}是“{{word}}”，共 {{n:integer}} 次，{{docs:integer}} 行提到（{{share:percent}}）"
        + ("。其次是{others}。" if others else "。"),
        word=tokens.words[top], n=int(tokens.counts[top]), docs=int(tokens.doc_counts[top]),
        share=float(tokens.doc_counts[top] / tokens.size), **facts,
    )  # fmt: skip
    if compared is None:
        return
    if compared:
        names = "".join(
            f"“{word}”（{group}用得最多）" for word, group, _ in sorted(compared, key=lambda one: one[2])[:5]
        )
        report.say("{k:integer} 个词各组用得不一样多（Holm 校正后 *p* < .05）：{names}。", k=len(compared), names=names)
    else:
        report.say("没有发现各组用得不一样多的词（Holm 校正后 *p* 均不小于 .05，或次数太少）。")
