from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

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
    Silent,
    Table,
    Wide,
    choice,
    figure,
    filled,
    flag,
    integer,
    num,
    number,
    percent,
    pvalue,
    role,
    rows_column,
    text,
    words,
)
from hengxi.families.text.form import SEGMENTED, WordForm
from hengxi.families.text.tables import warn_wordless
from hengxi.families.text.tokens import Tokens, read_tokens
from hengxi.families.text.weights import count_matrix
from hengxi.stats import topics
from hengxi.stats.contingency import pearson
from hengxi.stats.moments import Floats
from hengxi.stats.topics import Topics

LEAST, CHOICE_ROWS, SHOWN, LISTED, COHERENT, TESTED, DRAWN_TOPICS = 10, 3000, 15, 1000, 10, 5, 20
FEW_ROWS, FEW_WORDS, LEVEL, MOST_PERIODS = 50, 5, 0.05, 100
GROUPED: dict[str, Any] = {"group": filled}
TIMED: dict[str, Any] = {"time": filled}
AUTO = {"choose": "auto"}


class LdaTopic(Method):
    """Topics as distributions of words, and how much of each stands in every row (latent Dirichlet allocation)."""

    title, title_en = "LDA主题模型", "LDA topic model"
    family, tier = "文本分析", "member"
    purpose = "从大量文本中归纳潜在主题，给出主题词与每行的主题占比"
    aliases = ("LDA", "主题模型", "主题挖掘", "潜在狄利克雷分配", "困惑度", "主题一致性")
    references = ("blei2003", "hoffman2010", "roder2015", "mimno2011", "sievert2014", "wallach2009")
    conventions = (
        SEGMENTED,
        "变分贝叶斯估计，每遍用全部行；超过 10000 行时每批 2048 行。主题中词的先验为 1/K。同一随机种子结果相同。",
        "主题按占比从大到小编号；占比 = 各行主题概率按词数加权的平均。",
        "C_v：前 10 个词在 110 词的滑动窗口里的共现（NPMI 向量的余弦）；U_mass：ln[(共现行数 + 1)/前词行数] 的平均。",
        "困惑度：用 80% 的行估计，其余 20% 的行用单数位置的词推断主题，再用双数位置的词计算，越小越好。",
        "自动的主题数：候选中 C_v 最大的；行数超过 3000 时用等距抽取的 3000 行选择。困惑度与 C_v 不一致时以 C_v 为主。",
        "相关度 = λ ln φ + (1 − λ) ln(φ/p)，p 为词在全部文本中的占比。主题地图是 Jensen-Shannon 距离的主坐标。",
        "组间检验：各行占比最大的主题与分组的 Pearson 卡方检验。",
    )
    queue = "text"
    random = True
    row_order = True

    class Input(WordForm):
        group: Column | None = role("分组变量（选填）", "定类", min=0, levels=(2, 20))
        time: Column | None = role("时间变量（选填）", "任意", min=0, use="label")
        choose: str = choice("主题数", {"auto": "自动选择", "given": "自己指定"})
        n_topics: int = integer("主题数 K", 5, least=2, most=50, when={"choose": "given"})
        k_range: str = words("候选主题数", "2-10", longest=10, hint="如 2-10", when=AUTO)
        alpha: float | None = number("文档先验 α", None, above=0, most=1, auto="1/K", advanced=True,
                                     hint="小：一行文本集中在少数主题")  # fmt: skip
        passes: int = integer("遍数", 20, least=1, most=500, advanced=True)
        min_df: int = integer("最少出现行数", 2, least=1, most=1000)
        max_df: float = number("最大行占比", 0.8, least=0.05, most=1)
        relevance: float = number("相关度 λ", 1, least=0, most=1, hint="1 按概率排词；小的 λ 突出主题独有的词")
        names: str | None = words("主题名称（选填）", None, longest=500, hint="按编号，用、隔开", advanced=True)
        append: bool = flag("保存主题占比为新变量", False)

    chosen = Table(
        "主题数的选择", k=integer("主题数"), cv=num("一致性 C_v", decimals=3), umass=num("U_mass", decimals=3),
        perplexity=num("困惑度", least=1), similarity=num("主题间平均相似度", decimals=3), used=text("采用"), when=AUTO,
    )  # fmt: skip
    curve = Chart("一致性与主题数", "line", of=chosen, x="k", y="cv", when=AUTO, place="detail")
    topics = Table(
        "主题", name=text("主题"), share=percent("占比"), rows=integer("为主的行数"), words=text("主题词"), place="main"
    )
    terms = Table(
        "主题词", name=text("主题"), rank=integer("名次"), word=text("词"), probability=percent("概率"),
        overall=percent("全部文本中"), relevance=num("相关度"), rows=rows_column("所在行"), merge=("name",),
    )  # fmt: skip
    bars = Points("主题词图", word=text("词"), probability=percent("概率"), topic=text("主题"))
    bar = Chart("各主题的词", "bar", of=bars, x="word", y="probability", facet="topic", place="main")
    quality = Table(
        "模型", rows=integer("行数"), words=integer("词种"), tokens=integer("词数"), alpha=num("α"),
        cv=num("一致性 C_v", decimals=3), umass=num("U_mass", decimals=3),
        similarity=num("主题间平均相似度", decimals=3), layout="record",
    )  # fmt: skip
    places = Points("主题地图", x=num("第1坐标"), y=num("第2坐标"), size=percent("占比"), name=text("主题"))
    map = Chart("主题地图", "point", of=places, x="x", y="y", size="size", label="name", place="main")
    alike = Points("主题间相似度", first=text("主题"), second=text("主题（列）"), cosine=num("余弦"))
    heat = Chart("主题间相似度", "heat", of=alike, row="first", column="second", value="cosine", place="detail")
    by_group = Table("各组的主题占比", group=text("组"), n=integer("行数"),
                     layout=Wide(share=percent("占比")), when=GROUPED, place="main")  # fmt: skip
    group_bars = Points("各组", group=text("组"), topic=text("主题"), share=percent("占比"), when=GROUPED)
    group_chart = Chart("各组的主题占比", "bar", of=group_bars, x="group", y="share", series="topic", arrange="full",
                        when=GROUPED, place="detail")  # fmt: skip
    test = Table(
        "为主的主题与分组", chi2=num("*χ*²", least=0), df=integer("*df*"), p=pvalue(), v=num("Cramér *V*", decimals=3),
        layout="record", when=GROUPED, claim=Silent("the sentence names the groups"), place="main",
    )  # fmt: skip
    periods = Points("各时间", period=text("时间"), topic=text("主题"), share=percent("占比"), when=TIMED)
    evolution = Chart("主题占比的变化", "line", of=periods, x="period", y="share", series="topic", when=TIMED,
                      place="main")  # fmt: skip
    documents = Table("各行的主题", row=rows_column("行"), main=text("占比最大的主题"), top=percent("占比"),
                      layout=Wide(share=percent("占比")))  # fmt: skip
    saved = NewColumns("主题占比", when={"append": True})

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        a_fit = min(rows, 200_000) * int(form.get("passes") or 20) * 1e-4
        # The choice of K fits every candidate twice, on at most 3,000 rows.
        choice = 18 * min(1.0, CHOICE_ROWS / max(rows, 1)) * a_fit if form.get("choose") != "given" else 0.0
        return 2.0 + a_fit + choice

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        return [NextStep(title="每行只归一类", method="text_analysis/text_clustering", form={"text": form["text"]})]

    @classmethod
    def run(cls, form: Any) -> Report:
        report = Report()
        tokens = read_tokens(form.text, form, report, form.progress)
        warn_wordless(report, tokens)
        corpus = _corpus(form, tokens)
        _warn_short(report, corpus)
        k = _choose(cls, report, form, corpus) if form.choose == "auto" else _given(form, corpus)
        form.progress(19, 20, f"{k} 个主题")
        model = Model.fit(form, corpus, k)
        _topics(cls, report, form, corpus, model)
        _map(cls, report, corpus, model)
        _documents(cls, report, form, corpus, model)
        main = _groups(cls, report, form, corpus, model) if form.group is not None else None
        if form.time is not None:
            _periods(cls, report, form, corpus, model)
        _words(cls, report, form, corpus, model)
        if main is not None:
            report.say(main[0], **main[1])
        return report


@dataclass(frozen=True)
class Corpus:
    """Rows that have a word left, words sorted; `docs`: their places among the rows read."""

    counts: sp.csr_matrix
    names: list[str]
    docs: Any
    tokens: Tokens
    place: Any
    """Of each word of the tokens its place in `names`; −1 where it is too rare or too common."""

    @property
    def n(self) -> int:
        return int(self.counts.shape[0])

    def sequences(self) -> list[Any]:
        """The words of each row in order, those left out skipped."""
        rows = [self.place[part] for part in self.tokens.sequences()]
        return [row[row >= 0] for row in rows if (row >= 0).any()]


@dataclass(frozen=True)
class Model:
    fitted: Topics
    names: list[str]
    shares: Floats
    tops: list[list[int]]

    @classmethod
    def fit(cls, form: Any, corpus: Corpus, k: int) -> Model:
        raw = topics.fit_topics(corpus.counts, k, form.alpha or 1 / k, form.passes, form.seed)
        lengths = np.asarray(corpus.counts.sum(axis=1)).ravel()
        shares = lengths @ raw.theta / lengths.sum()
        order = np.argsort(-np.round(shares, 9), kind="stable")
        fitted = Topics(raw.phi[order], raw.theta[:, order], raw.machine)
        own = [name.strip() for name in (form.names or "").replace("，", "、").replace(",", "、").split("、")]
        own += [""] * k
        names = [f"主题{j + 1}" + (f" {own[j]}" if own[j] else "") for j in range(k)]
        return cls(fitted, names, shares[order], topics.top_words(fitted.phi, corpus.names, COHERENT))

    @property
    def k(self) -> int:
        return len(self.names)


def _corpus(form: Any, tokens: Tokens) -> Corpus:
    rows = int((tokens.lengths > 0).sum())
    if rows < LEAST:
        raise Refusal("data.few", "至少需要{least}行有效文本，现在有 {n} 行", field="text", least=LEAST, n=rows)
    kept = (tokens.doc_counts >= form.min_df) & (tokens.doc_counts <= form.max_df * rows)
    by_name = sorted(np.flatnonzero(kept).tolist(), key=lambda i: tokens.words[i])
    counts = sp.csr_matrix(count_matrix(tokens)[:, by_name])
    docs = np.flatnonzero(np.asarray(counts.sum(axis=1)).ravel() > 0)
    if len(by_name) < 2 or len(docs) < LEAST:
        raise Refusal(
            "data.no_words", "最少出现行数或最大行占比过严，词表为空（剩下 {v} 个词、{n} 行）", field="min_df",
            also=["max_df"], v=len(by_name), n=len(docs),
            remedies=[SetRemedy(title="放宽", set={"min_df": 1, "max_df": 1})],
        )  # fmt: skip
    codes = np.full(len(tokens.words), -1)
    codes[by_name] = np.arange(len(by_name))
    return Corpus(counts[docs], [tokens.words[i] for i in by_name], docs, tokens, codes)


def _warn_short(report: Report, corpus: Corpus) -> None:
    mean = float(corpus.counts.sum() / corpus.n)
    if corpus.n < FEW_ROWS or mean < FEW_WORDS:
        report.warn(
            "data.short", "{n:integer} 行，平均每行 {m:num} 个词：文本少或短，主题不稳定，换随机种子再看。", n=corpus.n,
            m=mean,
        )  # fmt: skip


def _given(form: Any, corpus: Corpus) -> int:
    if form.n_topics > len(corpus.names):
        raise Refusal(
            "data.topics", "主题数不能大于词语种类数{v}", field="n_topics", v=len(corpus.names),
            remedies=[SetRemedy(title="自动选择", set={"choose": "auto"})],
        )  # fmt: skip
    return int(form.n_topics)


def _range(form: Any, corpus: Corpus) -> list[int]:
    low, _, high = str(form.k_range).replace("－", "-").replace("—", "-").replace("~", "-").partition("-")
    if not (low.strip().isdecimal() and high.strip().isdecimal() and 2 <= int(low) <= int(high) <= 50):
        raise Refusal(
            "data.range", "候选主题数请写成 2-10（2 到 50 之间）", field="k_range",
            remedies=[SetRemedy(title="改为 2-10", set={"k_range": "2-10"})],
        )  # fmt: skip
    most = min(int(high), len(corpus.names))
    if int(low) > most:
        raise Refusal("data.topics", "主题数不能大于词语种类数{v}", field="k_range", v=len(corpus.names))
    return list(range(int(low), most + 1))


def _choose(cls: type[LdaTopic], report: Report, form: Any, corpus: Corpus) -> int:
    some = np.unique(np.linspace(0, corpus.n - 1, min(corpus.n, CHOICE_ROWS)).astype(int))
    counts = corpus.counts[some]
    sequences = corpus.sequences()
    part = [sequences[i] for i in some]
    held = np.arange(len(some)) % TESTED == TESTED - 1
    ks = _range(form, corpus)
    rows: list[dict[str, Any]] = []
    for done, k in enumerate(ks):
        form.progress(done, len(ks) + 1, f"试 {k} 个主题")
        fitted = topics.fit_topics(counts, k, form.alpha or 1 / k, form.passes, form.seed)
        tops = topics.top_words(fitted.phi, corpus.names, COHERENT)
        cv, umass = _coherence(part, counts, tops)
        rows.append(
            {
                "k": k, "cv": cv, "umass": umass, "perplexity": _held_out(form, counts, part, held, k),
                "similarity": _similarity(fitted.phi),
            }
        )  # fmt: skip
    best = max(rows, key=lambda row: (round(row["cv"], 9), -row["k"]))["k"]
    for row in rows:
        report.row(cls.chosen, **row, used="是" if row["k"] == best else None)
    report.chart(cls.curve, over=[Reference(x=float(best), label="采用")])
    if any(row["perplexity"] is None for row in rows):
        report.note(cls.chosen, "留出的行不足两个词，算不出困惑度，只看 C_v。")
        lowest = None
    else:
        lowest = min(rows, key=lambda row: row["perplexity"])["k"]
    if lowest is not None and lowest != best:
        report.note(
            cls.chosen,
            "困惑度最小的是 {a:integer} 个主题，C_v 最大的是 {b:integer} 个；以 C_v 为主。",
            a=lowest,
            b=best,
        )
    elif lowest is not None:
        report.note(cls.chosen, "C_v 和困惑度都支持 {b:integer} 个主题。", b=best)
    if len(some) < corpus.n:
        report.note(cls.chosen, "选择主题数用等距抽取的 3000 行。")
    return int(best)


def _coherence(sequences: list[Any], counts: sp.csr_matrix, tops: list[list[int]]) -> tuple[float, float]:
    needed = sorted({word for top in tops for word in top})
    place = {word: i for i, word in enumerate(needed)}
    together, n = topics.window_counts(sequences, needed)
    present = counts.copy()
    present.data = np.ones_like(present.data)
    inside = [[place[word] for word in top] for top in tops]
    return topics.coherence_cv(together, n, inside), topics.coherence_umass(sp.csc_matrix(present), tops)


def _similarity(phi: Floats) -> float:
    return float(topics.cosines(phi)[np.tril_indices(len(phi), -1)].mean())


def _held_out(form: Any, counts: sp.csr_matrix, sequences: list[Any], held: Any, k: int) -> float | None:
    """Document completion (Wallach et al., 2009); None where no held row has two words."""
    pairs = [(row[0::2], row[1::2]) for row, away in zip(sequences, held, strict=True) if away and len(row) > 1]
    if not pairs:
        return None
    fitted = topics.fit_topics(counts[~held], k, form.alpha or 1 / k, form.passes, form.seed)
    seen, asked = (_rows_of([pair[side] for pair in pairs], counts.shape[1]) for side in (0, 1))
    return topics.perplexity(fitted.phi, np.asarray(fitted.machine.transform(seen)), asked)


def _rows_of(rows: list[Any], width: int) -> sp.csr_matrix:
    owner = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    return sp.csr_matrix((np.ones(len(owner)), (owner, np.concatenate(rows))), shape=(len(rows), width))


def _topics(cls: type[LdaTopic], report: Report, form: Any, corpus: Corpus, model: Model) -> None:
    main = np.bincount(np.round(model.fitted.theta, 12).argmax(axis=1), minlength=model.k)
    overall = np.asarray(corpus.counts.sum(axis=0)).ravel() / corpus.counts.sum()
    by_name = np.arange(len(corpus.names))
    sources = {int(at): word for word, at in enumerate(corpus.place) if at >= 0}
    for j, name in enumerate(model.names):
        phi = model.fitted.phi[j]
        relevance = form.relevance * np.log(phi) + (1 - form.relevance) * np.log(phi / overall)
        order = np.lexsort((by_name, -np.round(relevance, 9)))[:SHOWN]
        report.row(
            cls.topics, name=name, share=float(model.shares[j]), rows=int(main[j]),
            words="、".join(corpus.names[i] for i in order[:8]),
        )  # fmt: skip
        for rank, i in enumerate(order, start=1):
            report.row(
                cls.terms, name=name, rank=rank, word=corpus.names[i], probability=float(phi[i]),
                overall=float(overall[i]), relevance=float(relevance[i]),
                rows=corpus.tokens.rows_of(sources[int(i)]),
            )  # fmt: skip
            if j < DRAWN_TOPICS and rank <= 10:
                report.row(cls.bars, word=corpus.names[i], probability=float(phi[i]), topic=name)
    if model.k > DRAWN_TOPICS:
        report.note(cls.bar, "只画前 20 个主题。")
    cv, umass = _coherence(corpus.sequences(), corpus.counts, model.tops)
    report.row(
        cls.quality, rows=corpus.n, words=len(corpus.names), tokens=int(corpus.counts.sum()),
        alpha=float(form.alpha or 1 / model.k), cv=cv, umass=umass, similarity=_similarity(model.fitted.phi),
    )  # fmt: skip


def _map(cls: type[LdaTopic], report: Report, corpus: Corpus, model: Model) -> None:
    axes = topics.principal_coordinates(topics.distances(model.fitted.phi))
    for j, name in enumerate(model.names):
        report.row(cls.places, x=float(axes[j, 0]), y=float(axes[j, 1]), size=float(model.shares[j]), name=name)
    report.note(cls.map, "圆的大小是占比；离得近的主题用词相近，可以考虑合并。")
    shown = model.names[:30]
    cosine = topics.cosines(model.fitted.phi)
    for j, name in enumerate(shown):
        report.add_rows(cls.alike, {"first": [name] * len(shown), "second": shown, "cosine": cosine[j, : len(shown)]})


def _documents(cls: type[LdaTopic], report: Report, form: Any, corpus: Corpus, model: Model) -> None:
    theta = model.fitted.theta
    main = np.round(theta, 12).argmax(axis=1)
    for i in range(min(corpus.n, LISTED)):
        report.row(
            cls.documents, row=[int(corpus.tokens.row_numbers[corpus.docs[i]])], main=model.names[main[i]],
            top=float(theta[i, main[i]]),
            wide={name: {"share": float(theta[i, j])} for j, name in enumerate(model.names)},
        )  # fmt: skip
    if corpus.n > LISTED:
        report.note(cls.documents, "只列前 1000 行；保存为新变量可以得到全部。")
    if not form.append:
        return
    columns: dict[str, Any] = {}
    for j, name in enumerate(model.names):
        values = np.full(corpus.tokens.size, np.nan)
        values[corpus.docs] = theta[:, j]
        columns[name] = values
    labels: list[str | None] = [None] * corpus.tokens.size
    for i, place in enumerate(corpus.docs):
        labels[int(place)] = model.names[main[i]]
    report.columns(cls.saved, {**columns, "主要主题": labels})


def _groups(
    cls: type[LdaTopic], report: Report, form: Any, corpus: Corpus, model: Model
) -> tuple[str, dict[str, Any]] | None:
    codes = np.asarray(form.group.codes)[corpus.docs]
    main = np.round(model.fitted.theta, 12).argmax(axis=1)
    levels = [level for level in form.group.levels if (codes == level.code).any()]
    counts = np.array([np.bincount(main[codes == level.code], minlength=model.k) for level in levels], dtype=float)
    for level in levels:
        mean = model.fitted.theta[codes == level.code].mean(axis=0)
        wide = {name: {"share": float(mean[j])} for j, name in enumerate(model.names)}
        report.row(cls.by_group, group=level.label, n=int((codes == level.code).sum()), wide=wide)
        report.add_rows(cls.group_bars, {"group": [level.label] * model.k, "topic": model.names, "share": mean})
    report.note(cls.by_group, "占比是组内各行主题概率的平均。")
    counts = counts[:, counts.sum(axis=0) > 0]
    if min(counts.shape) < 2:
        report.skip(cls.test, "只有一组，或各行的主要主题相同")
        return None
    chi = pearson(counts)
    report.row(cls.test, chi2=chi.value, df=chi.df, p=chi.p,
               v=float(np.sqrt(chi.value / counts.sum() / (min(counts.shape) - 1))))  # fmt: skip
    report.note(cls.test, "每行取占比最大的主题，与分组作卡方检验。主题由同一批文本得出，*p* 只作参考。")
    if chi.p < LEVEL:
        return "各组的主要主题有差异（*p* {p:peq}）。", {"p": chi.p}
    return "没有发现各组的主要主题有差异（*p* {p:peq}）。", {"p": chi.p}


def _periods(cls: type[LdaTopic], report: Report, form: Any, corpus: Corpus, model: Model) -> None:
    cells = [None if cell is None else str(cell) for cell in form.time.text[corpus.docs]]
    numbers = np.asarray(form.time.numbers, dtype=float)[corpus.docs] if form.time.is_number else None
    first = {cell: i for i, cell in reversed(list(enumerate(cells))) if cell is not None}
    places = sorted(
        first, key=lambda cell: (float(numbers[first[cell]]) if numbers is not None else 0.0, _by_number(cell))
    )
    if len(places) > MOST_PERIODS:
        raise Refusal(
            "data.periods", "时间变量有 {k} 个不同的值，最多 {most} 个，请先合并成月或年", field="time", k=len(places),
            most=MOST_PERIODS,
        )  # fmt: skip
    owner = np.array([-1 if cell is None else places.index(cell) for cell in cells])
    shown = model.names[:10]
    for at, period in enumerate(places):
        mean = model.fitted.theta[owner == at].mean(axis=0)
        report.add_rows(cls.periods, {"period": [period] * len(shown), "topic": shown, "share": mean[: len(shown)]})
    if model.k > len(shown):
        report.note(cls.evolution, "只画前 10 个主题。")


def _by_number(cell: str) -> tuple[list[tuple[int, int, str]], str]:
    """2月 before 10月: digits inside a text count as numbers."""
    parts = re.findall(r"[0-9]+|[^0-9]+", cell)
    return [(0, int(part), "") if part[0] in "0123456789" else (1, 0, part) for part in parts], cell


def _words(cls: type[LdaTopic], report: Report, form: Any, corpus: Corpus, model: Model) -> None:
    first = "".join(f"“{corpus.names[i]}”" for i in model.tops[0][:3])
    facts: dict[str, Any] = {
        "n": corpus.n, "k": model.k, "name": model.names[0], "share": float(model.shares[0]), "words": first,
    }  # fmt: skip
    sentence = (
        "{n:integer} 行文本归纳出 {k:integer} 个主题。占比最大的是{name:text}（{share:percent1}），"
        "概率最高的词是{words:text}。"
    )
    report.lead(sentence, [figure("主题", "{k:integer}")], **facts)
    student = "LDA 把每个主题看成一组常在一起出现的词，每行文本是几个主题的混合。读主题词，给每个主题起名字。"
    report.voices([(student, {})], [("用 LDA 主题模型，" + sentence, {})], [(sentence, {})], **facts)
