from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any

from hengxi.contract import (
    Chart,
    Dictionary,
    Method,
    NextStep,
    Points,
    Refusal,
    Report,
    SetRemedy,
    Table,
    action,
    dictionary,
    flag,
    integer,
    marked,
    num,
    number,
    rows_column,
    text,
)
from hengxi.families.text.form import GENERAL, TextForm
from hengxi.families.text.tokens import LETTER, MOST_ROWS_OF_WORD, Segmenter, normal, stop_set, texts_of

HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003134f]+")
LEAST_CHARACTERS, FEW_CHARACTERS, LEAST_SHARE = 500, 5_000, 0.3
SHOWN, DRAWN, COMPARED, AROUND, STEP = 300, 200, 20, 12, 2_000


@dataclass(frozen=True)
class Candidate:
    """`pmi`: the smallest over its cuts, in bits; `left`, `right`: entropy of its neighbours, in nats."""

    word: str
    n: int
    pmi: float
    left: float
    right: float

    @property
    def score(self) -> float:
        return self.pmi * min(self.left, self.right)


class NewWordDiscovery(Method):
    """Strings that hold together inside and stand freely outside: words the dictionary may not know."""

    title, title_en = "新词发现", "New word discovery"
    family, tier = "文本分析", "member"
    slug = "new-word-discovery"
    purpose = "从语料中找出词典未收录的词语，一键加入自定义词"
    aliases = ("未登录词", "凝固度", "左右熵", "自由度", "品牌词", "新词识别")
    references = ("church1990", "shannon1948")
    conventions = (
        "只看连续的汉字；标点、字母、数字把文字断开，全角先转成半角。",
        "凝固度：把词切成两段的各种切法里，log₂[P(词)/(P(前段)P(后段))] 的最小值；P 为次数除以总字数。",
        "左熵、右熵：左右邻字的信息熵（自然对数）；在开头、结尾或标点旁时，每次算一个不同的邻字。",
        "综合得分 = 凝固度 × 左右熵中较小的。",
        "排除已在词典的词时，由词典里两字以上的词（和停用词）拼成的短语也排除。",
        "一个候选包含另一个、且次数较少的不少于较多的一半时，只留得分高的。",
    )
    queue = "text"
    row_order = True  # example sentences are the first ones

    class Input(TextForm):
        user_dict: Dictionary | None = dictionary("自定义词", kind="words", hint="已经知道的词，不再列出。")
        stopwords: Dictionary | None = dictionary(
            "停用词", kind="stopwords", builtins=(GENERAL,), default=GENERAL, hint="不列出的词。"
        )
        max_len: int = integer("最大字数", 4, least=2, most=8)
        min_freq: int = integer("最低频次", 5, least=2, most=1000)
        min_pmi: float = number("最小凝固度", 3, least=0, most=20)
        min_entropy: float = number("最小左右熵", 0.8, least=0, most=10)
        exclude: bool = flag("排除已在词典的词", True)

    words = Table(
        "新词候选", rank=integer("名次"), word=text("词"), n=integer("频次"), pmi=num("凝固度"),
        left=num("左熵", least=0), right=num("右熵", least=0), score=num("综合得分"), rows=rows_column("所在行"),
        add=action("加入自定义词", "add_word"), stop=action("停用", "add_stopword"), place="main",
    )  # fmt: skip
    spots = Points("凝固度与自由度", word=text("词"), pmi=num("凝固度"), free=num("较小的熵"), n=integer("频次"))
    plot = Chart("凝固度与自由度", "point", of=spots, x="pmi", y="free", size="n", label="word", place="main")
    examples = Table("例句", word=text("词"), row=rows_column("行"), context=marked("前后文"), place="detail")
    cuts = Table("加入前后的分词", row=rows_column("行"), before=text("加入前"), after=text("加入后"), place="detail")
    summary = Table(
        "语料", layout="record", rows=integer("文本行数"), characters=integer("汉字数"),
        strings=integer("够频次的字串"), words=integer("新词"),
    )  # fmt: skip

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        return [NextStep(title="用这些词再数词频", method="text_analysis/word_frequency", form={"text": form["text"]})]

    @classmethod
    def run(cls, form: Any) -> Report:
        report = Report()
        texts = texts_of(form.text, report)
        runs = [HAN.findall(normal(cell)) for cell in texts]
        total = _characters(form, report, texts, runs)
        counts = _counted(form, runs)
        found = _chosen(form, counts, runs, total)
        if not found:
            raise Refusal(
                "data.no_words", "当前阈值下没有新词，请降低最低频次或凝固度", field="min_freq",
                also=["min_pmi", "min_entropy"],
                remedies=[SetRemedy(title="放宽", set={"min_freq": 2, "min_pmi": 1, "min_entropy": 0.3})],
            )  # fmt: skip
        frequent = sum(1 for string, n in counts.items() if 2 <= len(string) <= form.max_len and n >= form.min_freq)
        report.row(cls.summary, rows=len(texts), characters=total, strings=frequent, words=len(found))
        where = _rows(texts, found[:SHOWN])
        for rank, own in enumerate(found[:SHOWN], 1):
            rows = [int(form.text.row_numbers[i]) for i in where[own.word]]
            report.row(
                cls.words, rank=rank, word=own.word, n=own.n, pmi=own.pmi, left=own.left, right=own.right,
                score=own.score, rows=rows[:MOST_ROWS_OF_WORD], add=own.word, stop=own.word,
            )  # fmt: skip
        if len(found) > SHOWN:
            report.note(cls.words, "另有 {k:integer} 个候选没有列出。", k=len(found) - SHOWN)
        for own in found[:DRAWN]:
            report.row(cls.spots, word=own.word, pmi=own.pmi, free=min(own.left, own.right), n=own.n)
        cls._examples(report, form, texts, found, where)
        names = "".join(f"“{own.word}”" for own in found[:5])
        report.lead(
            "找到 {k:integer} 个词典里可能没有的词，得分最高的是{names}。" if form.exclude
            else "找到 {k:integer} 个自成一体的词，得分最高的是{names}。", k=len(found), names=names,
        )  # fmt: skip
        report.say("候选由统计得出，不都是词。请逐个看例句，再加入自定义词。")
        return report

    @classmethod
    def _examples(
        cls, report: Report, form: Any, texts: list[str], found: list[Candidate], where: dict[str, list[int]]
    ) -> None:  # fmt: skip
        for own in found[:COMPARED]:
            for i in where[own.word][:1]:
                cell = normal(texts[i])
                at = cell.find(own.word)
                end = at + len(own.word)
                context = [[cell[max(0, at - AROUND) : at], None], [own.word, "hit"], [cell[end : end + AROUND], None]]
                report.row(cls.examples, word=own.word, row=[int(form.text.row_numbers[i])], context=context)
        held = sorted({i for own in found for i in where.get(own.word, [])[:3]})[:COMPARED]
        before, after = Segmenter("auto", form.user_dict), Segmenter("auto", _with(form.user_dict, found))
        for i in held:
            old, new = (" / ".join(word for word, _ in cutter.cut(texts[i])) for cutter in (before, after))
            report.row(cls.cuts, row=[int(form.text.row_numbers[i])], before=old[:400], after=new[:400])


def _characters(form: Any, report: Report, texts: list[str], runs: list[list[str]]) -> int:
    total = sum(len(run) for row in runs for run in row)
    letters = sum(1 for cell in texts for character in normal(cell) if LETTER.match(character))
    if letters and total < LEAST_SHARE * letters:
        raise Refusal("data.language", "新词发现仅支持中文文本，这一列多半不是中文", field="text", column=form.text.id)
    if total < LEAST_CHARACTERS:
        raise Refusal(
            "data.short", "总字数 {n} 少于 {least}，无法发现新词", field="text", column=form.text.id, n=total,
            least=LEAST_CHARACTERS,
        )  # fmt: skip
    if total < FEW_CHARACTERS:
        report.warn("data.few", "总字数 {n:integer} 少于 5000，结果不可靠。", n=total)
    return total


def _counted(form: Any, runs: list[list[str]]) -> Counter[str]:
    """How often each string of 1 to the largest number of characters occurs."""
    counts: Counter[str] = Counter()
    for i, row in enumerate(runs):
        if i % STEP == 0:
            form.progress(i, len(runs), f"数字串 {i:,}/{len(runs):,} 行")
        for run in row:
            for size in range(1, min(form.max_len, len(run)) + 1):
                counts.update(run[k : k + size] for k in range(len(run) - size + 1))
    return counts


def _chosen(form: Any, counts: Counter[str], runs: list[list[str]], total: int) -> list[Candidate]:
    held: dict[str, float] = {}
    for string, n in counts.items():
        if len(string) >= 2 and n >= form.min_freq:
            pmi = min(math.log2(n * total / (counts[string[:k]] * counts[string[k:]])) for k in range(1, len(string)))
            if pmi >= form.min_pmi:
                held[string] = pmi
    left, right = _neighbours(form, runs, held)
    segmenter = Segmenter("auto", form.user_dict, hmm=False)
    stop = stop_set(form.stopwords)
    own = {normal(word) for word, _, _ in (form.user_dict.words if form.user_dict is not None else ())}
    found = []
    for string, pmi in held.items():
        known = string in own or string in stop or (form.exclude and _is_known(segmenter, string, stop))
        candidate = Candidate(string, counts[string], pmi, _entropy(left[string]), _entropy(right[string]))
        if not known and min(candidate.left, candidate.right) >= form.min_entropy:
            found.append(candidate)
    return _alone(sorted(found, key=lambda own: (-round(own.score, 12), own.word)))


def _is_known(segmenter: Segmenter, string: str, stop: frozenset[str]) -> bool:
    """A word of the dictionary, or a phrase of such words (环境安静), not counting single characters."""
    if segmenter.knows(string):
        return True
    pieces = [word for word, _ in segmenter.cut(string)]
    return "".join(pieces) == string and all(len(piece) > 1 or piece in stop for piece in pieces)


def _neighbours(
    form: Any, runs: list[list[str]], held: dict[str, float]
) -> tuple[dict[str, Counter[str]], dict[str, Counter[str]]]:
    """Characters beside each string; an edge is a character of its own every time."""
    left: dict[str, Counter[str]] = defaultdict(Counter)
    right: dict[str, Counter[str]] = defaultdict(Counter)
    sizes = sorted({len(string) for string in held})
    edge = 0
    for i, row in enumerate(runs):
        if i % STEP == 0:
            form.progress(i, len(runs), f"看邻字 {i:,}/{len(runs):,} 行")
        for run in row:
            for size in sizes:
                for k in range(len(run) - size + 1):
                    string = run[k : k + size]
                    if string not in held:
                        continue
                    edge += 1
                    left[string][run[k - 1] if k else f"<{edge}"] += 1
                    right[string][run[k + size] if k + size < len(run) else f">{edge}"] += 1
    return left, right


def _entropy(counts: Counter[str]) -> float:
    total = sum(counts.values())
    return max(0.0, -sum(n / total * math.log(n / total) for n in counts.values()))


def _alone(found: list[Candidate]) -> list[Candidate]:
    """Of candidates one inside the other, nearly as frequent, the one with the higher score."""
    kept: list[Candidate] = []
    for own in found:
        if not any(
            (own.word in other.word or other.word in own.word) and 2 * min(own.n, other.n) >= max(own.n, other.n)
            for other in kept
        ):
            kept.append(own)
    return kept


def _rows(texts: list[str], found: list[Candidate]) -> dict[str, list[int]]:
    where: dict[str, list[int]] = {own.word: [] for own in found}
    if not found:
        return where
    # Rows that hold any are few; in them each word is looked for by itself, for one may lie inside another.
    any_of = re.compile("|".join(re.escape(own.word) for own in found))
    for i, cell in enumerate(texts):
        line = normal(cell)
        if any_of.search(line):
            for own in found:
                if own.word in line:
                    where[own.word].append(i)
    return where


def _with(known: Dictionary | None, found: list[Candidate]) -> Dictionary:
    words = list(known.words) if known is not None else []
    return Dictionary(kind="words", words=tuple(words) + tuple((own.word, None, None) for own in found[:SHOWN]))
