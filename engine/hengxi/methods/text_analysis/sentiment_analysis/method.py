from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Chart,
    Column,
    Dictionary,
    Method,
    NewColumns,
    NextStep,
    Points,
    Refusal,
    Report,
    Silent,
    Table,
    choice,
    dictionary,
    filled,
    flag,
    integer,
    interval,
    less,
    marked,
    num,
    number,
    percent,
    pvalue,
    role,
    rows_column,
    text,
)
from hengxi.families.text.form import TextForm
from hengxi.families.text.sentiment import Hit, built_in, by_sentence, hits_of, score, words_of
from hengxi.families.text.tokens import STEP, normal, texts_of
from hengxi.stats.histogram import histogram
from hengxi.stats.one_way import kruskal
from hengxi.stats.proportions import wilson

OWN = "通用情感词"
GROUPED: dict[str, Any] = {"group": filled}
RATED: dict[str, Any] = {"rating": filled}
SHOWN_ROWS, SHOWN_WORDS, MOST_ROWS = 200, 50, 1000
COVERED = 0.5
LEVEL = 0.95
DIRECTIONS = ("正向", "中性", "负向")
EDGE = 1e-9


@dataclass(frozen=True)
class Scored:
    """One row: its place in the column, its score, its hits."""

    place: int
    score: float
    hits: list[Hit]


class SentimentAnalysis(Method):
    """Scores by a dictionary of feeling words with negation, degree, contrast and wishes."""

    title, title_en = "情感分析", "Sentiment analysis"
    family, tier = "文本分析", "standard"
    purpose = "判断每行文本的情感方向与强度，并比较组间差异"
    aliases = ("情感倾向", "正负面", "情绪分析", "舆情", "好评差评", "情感词典")
    references = ("taboada2011", "wilson1927")
    conventions = (
        f"情感词典由本产品编写，共 {sum(isinstance(one, float) and one != 0 for one in built_in().values())} 个情感词，"
        "没有采用他人的词表；只有中文。",
        "先转成半角；逐字查找，长词优先；自定义情感词先于通用词典。",
        "修饰词在同一小句里、离情感词不超过 4 个字才起作用。",
        "一个否定词乘 −0.8，两个乘 0.6；程度词取最近的一个，乘 0.7 到 1.8。",
        "小句以“但是、可是、就是”等开头时，本句此后的情感词乘 1.6；“希望、建议”后面的正向词乘 −0.3。",
        "得分 = S/√(S²+1)，S 为各情感词的和；没有情感词的行得 0 分。按句时先算各句，再对有情感词的句子求平均。",
        "占比的置信区间用 Wilson 法，平均得分的置信区间用 *t* 分布；空白的行不计入。",
    )
    queue = "text"
    row_order = True  # the first rows are listed
    limits = (less("low", "high"),)

    class Input(TextForm):
        group: Column | None = role("分组变量（选填）", "定类", min=0, max=1, levels=(2, 10))
        rating: Column | None = role("人工评分（选填）", "定量", min=0, max=1, hint="放入后给出得分与评分的相关。")
        user_lexicon: Dictionary | None = dictionary(
            "情感词",
            kind="lexicon",
            builtins=(OWN,),
            default=OWN,
            hint="每行写“词 分值”，分值从 -1 到 1，如“贴心 0.8”。",
        )
        low: float = number("负向分界", -0.3333, least=-1, most=0)
        high: float = number("正向分界", 0.3333, least=0, most=1)
        unit: str = choice("计分单位", {"row": "按行", "sentence": "按句再平均"})
        append: bool = flag("保存为新变量", False)

    shares = Table(
        "情感方向", direction=text("方向"), n=integer("行数"), share=percent("占比"),
        ci=interval("95% CI", around="share", format="percent"), place="main",
    )  # fmt: skip
    overall = Table(
        "总体", size=integer("文本行数"), covered=integer("有情感词的行数"), coverage=percent("覆盖率"),
        mean=num("平均得分"), ci=interval("95% CI", around="mean"), layout="record", place="main",
    )  # fmt: skip
    bins = Points("得分分布", low=num("下限"), high=num("上限"), count=integer("行数"))
    bar = Chart("得分分布", "histogram", of=bins, low="low", high="high", count="count", place="main")
    groups = Table(
        "各组的情感", group=text("组"), n=integer("行数"), mean=num("平均得分"), ci=interval("95% CI", around="mean"),
        positive=percent("正向"), negative=percent("负向"), when=GROUPED, place="main",
    )  # fmt: skip
    test = Table(
        "各组得分的比较", h=num("*H*", least=0), df=integer("*df*"), p=pvalue(), layout="record", when=GROUPED,
        claim=Silent("the sentence names the groups"), place="main",
    )  # fmt: skip
    rated = Table("得分与人工评分", n=integer("行数"), rho=num("Spearman 相关"), layout="record", when=RATED)
    words = Table(
        "情感词", word=text("词"), direction=text("方向"), n=integer("次数"), docs=integer("出现行数"),
        mean=num("平均贡献"), rows=rows_column("所在行"), place="main",
    )  # fmt: skip
    cloud = Points("情感词云", word=text("词"), weight=integer("次数"), group=text("方向"))
    drawn = Chart("情感词云", "words", of=cloud, word="word", weight="weight", group="group", place="detail")
    lines = Table(
        "各行的情感", row=rows_column("行"), text=marked("文本"), score=num("得分"), direction=text("方向"),
        why=text("依据"), place="main",
    )  # fmt: skip
    saved = NewColumns("情感", when={"append": True})

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        return [NextStep(title="看词频", method="text_analysis/word_frequency", form={"text": form["text"]})]

    @classmethod
    def run(cls, form: Any) -> Report:
        report = Report()
        texts = texts_of(form.text, report)
        scored = _score_all(form, texts)
        values = np.array([one.score for one in scored])
        _shares(cls, report, form, scored, values)
        _words(cls, report, form, scored)
        _lines(cls, report, form, texts, scored)
        if form.group is not None:
            _groups(cls, report, form, scored, values)
        if form.rating is not None:
            _rated(cls, report, form, scored, values)
        if form.append:
            _save(cls, report, form, texts, scored)
        return report


def _score_all(form: Any, texts: list[str]) -> list[Scored]:
    lexicon = form.user_lexicon
    words = words_of(lexicon.scores if lexicon else {}, bool(lexicon and lexicon.builtin))
    if not (lexicon and (lexicon.builtin or lexicon.scores)):
        raise Refusal("data.no_lexicon", "没有情感词，请选通用情感词或写入自定义情感词", field="user_lexicon")
    scored: list[Scored] = []
    for i, cell in enumerate(texts):
        if i % STEP == 0:
            form.progress(i, len(texts), f"计分 {i:,}/{len(texts):,} 行")
        if cell:
            plain = normal(cell)
            hits = hits_of(plain, words)
            value = by_sentence(plain, hits) if form.unit == "sentence" else score(math.fsum(h.value for h in hits))
            scored.append(Scored(i, value, hits))
    return scored


def _direction(value: float, form: Any) -> str:
    # A score on the border is of that side, rounding forgiven.
    return (
        "正向"
        if value >= form.high - EDGE and value > 0
        else "负向"
        if value <= form.low + EDGE and value < 0
        else "中性"
    )


def _mean(values: Any) -> dict[str, Any]:
    n, mean = len(values), float(np.mean(values))
    if n < 2:
        return {"mean": mean, "low": None, "high": None}
    half = float(stats.t.isf((1 - LEVEL) / 2, n - 1)) * float(np.std(values, ddof=1)) / math.sqrt(n)
    return {"mean": mean, "low": mean - half, "high": mean + half}


def _shares(cls: type[SentimentAnalysis], report: Report, form: Any, scored: list[Scored], values: Any) -> None:
    size, found = len(scored), [_direction(one.score, form) for one in scored]
    for name in DIRECTIONS:
        n = found.count(name)
        low, high = wilson(n, size, LEVEL)
        report.row(cls.shares, direction=name, n=n, share=n / size, low=low, high=high)
    covered = sum(bool(one.hits) for one in scored)
    report.row(cls.overall, size=size, covered=covered, coverage=covered / size, **_mean(values))
    report.note(cls.overall, "词典法不能识别反讽和隐含的意思，请抽查“各行的情感”。")
    if covered < COVERED * size:
        report.warn(
            "data.coverage",
            "只有 {share:percent} 的行含有情感词，请把这类文本的用词加进“情感词”。",
            share=covered / size,
        )
    bins = histogram(values)
    report.add_rows(cls.bins, {"low": bins.edges[:-1], "high": bins.edges[1:], "count": bins.counts})
    most = max(DIRECTIONS, key=found.count)
    report.lead(
        f"{{size:integer}} 行文本中{most}最多，有 {{n:integer}} 行（{{share:percent}}）；平均得分 {{mean:num}}。",
        size=size, n=found.count(most), share=found.count(most) / size, mean=float(np.mean(values)),
    )  # fmt: skip


def _words(cls: type[SentimentAnalysis], report: Report, form: Any, scored: list[Scored]) -> None:
    added: dict[str, list[float]] = {}
    rows: dict[str, dict[int, None]] = {}
    for one in scored:
        for hit in one.hits:
            added.setdefault(hit.word, []).append(hit.value)
            rows.setdefault(hit.word, {})[int(form.text.row_numbers[one.place])] = None
    if not added:
        for element in (cls.words, cls.cloud, cls.drawn):
            report.skip(element, "没有一行含有情感词")
        return
    ranked = sorted(added, key=lambda word: (-len(added[word]), word))
    for word in ranked[:SHOWN_WORDS]:
        mean = math.fsum(added[word]) / len(added[word])
        side = "正向" if mean > 0 else "负向"
        report.row(
            cls.words, word=word, direction=side, n=len(added[word]), docs=len(rows[word]), mean=mean,
            rows=list(rows[word])[:MOST_ROWS],
        )  # fmt: skip
        report.row(cls.cloud, word=word, weight=len(added[word]), group=side)
    report.note(cls.words, "平均贡献已算入否定词和程度词，方向以它为准。")
    if len(ranked) > SHOWN_WORDS:
        report.note(cls.words, "另有 {left:integer} 个情感词没有列出。", left=len(ranked) - SHOWN_WORDS)


def _why(one: Scored) -> str | None:
    return "；".join(f"{'…'.join((*hit.before, hit.word))} {hit.value:+.2f}" for hit in one.hits) or None


def _lines(cls: type[SentimentAnalysis], report: Report, form: Any, texts: list[str], scored: list[Scored]) -> None:
    for one in scored[:SHOWN_ROWS]:
        report.row(
            cls.lines, row=int(form.text.row_numbers[one.place]), text=_marked(texts[one.place], one.hits),
            score=one.score, direction=_direction(one.score, form), why=_why(one),
        )  # fmt: skip
    if len(scored) > SHOWN_ROWS:
        report.note(
            cls.lines, "只列出前 {k:integer} 行；打开“保存为新变量”可得到全部 {size:integer} 行。", k=SHOWN_ROWS,
            size=len(scored),
        )  # fmt: skip


def _marked(cell: str, hits: list[Hit]) -> list[list[str | None]]:
    plain = normal(cell)
    # Where full width signs changed the length, the normal form is shown: places are known there alone.
    shown = cell if len(cell) == len(plain) else plain
    pieces: list[list[str | None]] = []
    at = 0
    for hit in hits:
        pieces += [[shown[at : hit.start], None], [shown[hit.start : hit.end], "hit"]]
        at = hit.end
    return [piece for piece in [*pieces, [shown[at:], None]] if piece[0]]


def _groups(cls: type[SentimentAnalysis], report: Report, form: Any, scored: list[Scored], values: Any) -> None:
    codes = np.array([form.group.codes[one.place] for one in scored])
    parts = [(level.label, values[codes == level.code]) for level in form.group.levels]
    parts = [(name, part) for name, part in parts if len(part)]
    for name, part in parts:
        found = [_direction(float(value), form) for value in part]
        report.row(
            cls.groups, group=name, n=len(part), positive=found.count("正向") / len(part),
            negative=found.count("负向") / len(part), **_mean(part),
        )  # fmt: skip
    # Sums of hits differ in the last digits by their order; equal scores must tie.
    ranks = kruskal([(np.round(part, 10), np.ones(len(part))) for _, part in parts]) if len(parts) > 1 else None
    if ranks is None:
        report.skip(cls.test, "只有一组有文本，或得分全部相同")
        return
    report.row(cls.test, h=ranks.H, df=int(ranks.df), p=ranks.p)
    report.note(cls.test, "Kruskal-Wallis 检验，比较各组得分的高低。")
    best = max(parts, key=lambda one: float(np.mean(one[1])))[0]
    if ranks.p < 1 - LEVEL:
        report.say("各组的情感得分有差异（*p* {p:peq}），平均得分最高的是“{best}”。", p=ranks.p, best=best)
    else:
        report.say("没有发现各组的情感得分有差异（*p* {p:peq}）。", p=ranks.p)


def _rated(cls: type[SentimentAnalysis], report: Report, form: Any, scored: list[Scored], values: Any) -> None:
    ratings = np.array([form.rating.values[one.place] for one in scored], dtype=float)
    if len(scored) < 3 or np.ptp(ratings) == 0 or np.ptp(np.round(values, 10)) == 0:
        report.skip(cls.rated, "评分或得分没有变化，或不足 3 行")
        return
    a, b = stats.rankdata(np.round(values, 10)), stats.rankdata(ratings)
    rho = float(np.corrcoef(a, b)[0, 1])
    report.row(cls.rated, n=len(scored), rho=rho)
    report.note(cls.rated, "相关越接近 1，得分的排序与人工评分越一致。")


def _save(cls: type[SentimentAnalysis], report: Report, form: Any, texts: list[str], scored: list[Scored]) -> None:
    values: list[float | None] = [None] * len(texts)
    sides: list[str | None] = [None] * len(texts)
    for one in scored:
        values[one.place], sides[one.place] = one.score, _direction(one.score, form)
    report.columns(cls.saved, {"情感得分": values, "情感方向": sides})
