"""The word cloud as a figure: words already cut by others, rare words left out, bars and a comparison of groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from scipy import stats

from hengxi.contract import Chart, Points, Report, Silent, Table, choice, filled, flag, integer, num, pvalue, text
from hengxi.families.text.cloud import Cloud, CloudForm
from hengxi.families.text.tokens import Tokens, normal, read_tokens, texts_of, tokens_of
from hengxi.stats.multiple import adjust

BARS, LEAST_EXPECTED, ALPHA = 20, 5, 0.05
GROUPED: dict[str, Any] = {"group": filled}


class WordCloudChart(Cloud):
    title, title_en = "词云图", "Word cloud"
    family, tier = "可视化模型", "standard"
    slug = "word-cloud-chart"
    purpose = "一列文本里哪些词出现最多"
    aliases = ("词云", "文字云", "标签云", "词频图", "热词", "高频词", "开放题")
    references = ("salton1988", "mihalcea2004", "holm1979")
    conventions: ClassVar[Sequence[str]] = (
        *Cloud.conventions,
        "已分词的文本按空格切开，没有词性。次数少于“最低词频”的词不算在任何表里。",
        "组间比较：“这个词 / 其他词”乘各组的列联表的 Pearson χ²，自由度为组数减 1；p 对表中各词按 Holm 法校正。",
    )

    class Input(CloudForm):
        cut: str = choice("文本是否已分词", {"raw": "原始文本（自动分词）", "words": "已分词（空格隔开）"})
        min_count: int = integer("最低词频", 2, least=1, most=1000)

    bars = Points("词频条形图", word=text("词"), n=num("词频"))
    bar = Chart("高频词", "bar", of=bars, x="word", y="n")
    compared = Table(
        "各组用词的比较", word=text("词"), chi2=num("*χ*²", least=0), df=integer("*df*"), p=pvalue("*p*（Holm）"),
        most=text("用得最多"), few=flag("期望不足 5"), when=GROUPED,
        claim=Silent("many words at once: the sentences name those that differ"),
    )  # fmt: skip

    @classmethod
    def tokens(cls, form: Any, report: Report) -> Tokens:
        tokens = read_tokens(form.text, form, report, form.progress) if form.cut == "raw" else _split(form, report)
        return tokens if form.min_count == 1 else _often(tokens, form, report)

    @classmethod
    def further(
        cls, form: Any, report: Report, tokens: Tokens | None, ranked: list[int], often: list[tuple[str, float]]
    ) -> None:
        for word, n in often[:BARS]:
            report.row(cls.bars, word=word, n=n)
        if tokens is None:
            report.skip(cls.compared, "现成的词频表没有分组")
        elif form.group is not None:
            cls._compare(form, report, tokens, ranked)

    @classmethod
    def _compare(cls, form: Any, report: Report, tokens: Tokens, ranked: list[int]) -> None:
        parts = [(level.label, tokens.among(form.group.codes == level.code)) for level in form.group.levels]
        parts = [(label, part) for label, part in parts if len(part.codes)]
        if len(parts) < 2:
            report.skip(cls.compared, "只有一组还有词，无法比较")
            return
        sizes = np.array([len(part.codes) for _, part in parts], dtype=float)
        own = np.array([part.counts for _, part in parts], dtype=float)[:, ranked]
        expected = sizes[:, None] * own.sum(axis=0) / sizes.sum()
        with np.errstate(divide="ignore", invalid="ignore"):
            others = (own - expected) ** 2 / (sizes[:, None] - expected)
        chi2 = ((own - expected) ** 2 / expected + np.nan_to_num(others)).sum(axis=0)
        df = len(parts) - 1
        p = adjust(stats.chi2.sf(chi2, df), "holm")
        differing = []
        for k, i in enumerate(ranked):
            rates = own[:, k] / sizes
            most = parts[int(np.argmax(rates))][0] if np.ptp(rates) > 0 else "–"
            few = bool((expected[:, k] < LEAST_EXPECTED).any())
            report.row(cls.compared, word=tokens.words[i], chi2=float(chi2[k]), df=df, p=p[k], most=most, few=few)
            if p[k] < ALPHA and not few:
                differing.append((p[k], f"“{tokens.words[i]}”（{most}用得最多）"))
        report.note(cls.compared, "“期望不足 5”的词 *p* 不可靠。同一人反复说一个词会使 *p* 偏小。")
        if differing:
            names = "".join(name for _, name in sorted(differing)[:5])
            report.say(
                "{k:integer} 个词各组用得不一样多（Holm 校正后 *p* < .05）：{names}。", k=len(differing), names=names
            )
        else:
            report.say("没有发现各组用得不一样多的词（Holm 校正后 *p* 均不小于 .05，或次数太少）。")


def _split(form: Any, report: Report) -> Tokens:
    """Cells whose words stand between blanks."""
    texts = texts_of(form.text, report)
    cut = ([(word, "") for word in normal(cell).split()] for cell in texts)
    return tokens_of(cut, _Plain(form), form.text, texts)


class _Plain:
    """The form without its parts of speech, which words cut by others do not have."""

    pos_keep, pos_keep_value = "all", ()

    def __init__(self, form: Any) -> None:
        self.synonyms, self.stopwords, self.min_len = form.synonyms, form.stopwords, form.min_len


def _often(tokens: Tokens, form: Any, report: Report) -> Tokens:
    """Without words that occur less often than asked; all of them, where none would be left."""
    kept = tokens.counts >= form.min_count
    if not kept.any():
        report.warn("data.rare", "没有词出现 {k:integer} 次，已改为显示全部词。", k=form.min_count)
        return tokens
    rare = int((~kept).sum())
    if not rare:
        return tokens
    report.say("另有 {rare:integer} 个词出现不到 {k:integer} 次，没有计入。", rare=rare, k=form.min_count)
    held = kept[tokens.codes]
    return Tokens(
        tokens.words, tokens.tags, tokens.codes[held], tokens.docs[held], tokens.size, tokens.row_numbers,
        tokens.characters, tokens.raw,
    ).used()  # fmt: skip
