"""From cells to tokens: which words stand in which row, in order, with their part of speech.

Words of a user are put into a segmenter of the run alone: in a shared one they would stay. Texts are brought to one
form first (NFKC: full width letters and digits become half width), English is lower case, and only what holds a letter
or a Chinese character is a word: punctuation, numbers alone and pictures are not counted.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from hengxi.contract import Column, Dictionary, Refusal, Report, SetRemedy
from hengxi.contract.assets import clean

LONGEST_CELL = 20_000
MOST_CHARACTERS = 20_000_000
MOST_ROWS_OF_WORD = 1_000
USER_FREQUENCY = 2_000_000
"""Above every word of the dictionary: a word of the user's is never cut."""
LEXICONS = Path(__file__).parent / "lexicons"
ENGLISH = re.compile(r"[a-z]+(?:['’-][a-z]+)*")
LETTER = re.compile(r"[^\W\d_]")
CLASSES = {"n": "n", "v": "v", "a": "a", "d": "d", "e": "eng"}
KEPT: dict[str, tuple[str, ...]] = {"n": ("n",), "nv": ("n", "v"), "nva": ("n", "v", "a")}
STEP = 2_000


@lru_cache(maxsize=4)
def lexicon(name: str) -> tuple[str, ...]:
    """Lines of a list of ours without its comments."""
    lines = (LEXICONS / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return tuple(line for line in lines if line and not line.startswith("#"))


def pos_class(tag: str) -> str:
    """n, v, a, d, eng or other, of a tag of the segmenter (nz, vn, ad …)."""
    return "eng" if tag == "eng" else CLASSES.get(tag[:1], "other")


def normal(text: str) -> str:
    return unicodedata.normalize("NFKC", text).lower()


@dataclass
class Tokens:
    """Tokens in order: `codes` along `words`, `docs` along the rows used; `tags` holds the usual tag of each word."""

    words: list[str]
    tags: list[str]
    codes: np.ndarray[Any, np.dtype[np.int64]]
    docs: np.ndarray[Any, np.dtype[np.int64]]
    size: int
    """Rows of text, those without a word too."""
    row_numbers: np.ndarray[Any, np.dtype[np.int64]]
    characters: int
    raw: int
    """Tokens before stop words, part of speech and length took some out."""

    @cached_property
    def counts(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        return np.bincount(self.codes, minlength=len(self.words))

    @cached_property
    def pairs(self) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """(row, word, how often), each pair once, by row then word."""
        key, n = np.unique(self.docs * max(1, len(self.words)) + self.codes, return_counts=True)
        return key // max(1, len(self.words)), key % max(1, len(self.words)), n

    @cached_property
    def doc_counts(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """In how many rows each word stands."""
        return np.bincount(self.pairs[1], minlength=len(self.words))

    @cached_property
    def lengths(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Words of each row."""
        return np.bincount(self.docs, minlength=self.size)

    @cached_property
    def _rows_by_word(self) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        docs, words, _ = self.pairs
        order = np.argsort(words, kind="stable")
        return docs[order], np.searchsorted(words[order], np.arange(len(self.words) + 1))

    def rows_of(self, word: int) -> list[int]:
        """Row numbers of the file in which a word stands; the first thousand."""
        docs, ends = self._rows_by_word
        found = docs[ends[word] : ends[word + 1]][:MOST_ROWS_OF_WORD]
        return [int(row) for row in self.row_numbers[found]]

    def among(self, rows: np.ndarray[Any, np.dtype[np.bool_]]) -> Tokens:
        """The tokens of some rows, along the same words."""
        kept = rows[self.docs]
        place = np.cumsum(rows) - 1
        return Tokens(
            self.words, self.tags, self.codes[kept], place[self.docs[kept]], int(rows.sum()), self.row_numbers[rows],
            0, int(kept.sum()),
        )  # fmt: skip

    def used(self) -> Tokens:
        """Along the words that occur alone."""
        present = np.flatnonzero(self.counts)
        place = np.zeros(len(self.words), dtype=np.int64)
        place[present] = np.arange(len(present))
        words, tags = [self.words[i] for i in present], [self.tags[i] for i in present]
        return Tokens(words, tags, place[self.codes], self.docs, self.size, self.row_numbers, self.characters, self.raw)

    def grams(self, n: int) -> Tokens:
        """Runs of `n` words that stand next to each other in a row, joined by a blank."""
        if n == 1:
            return self
        starts = np.arange(max(0, len(self.codes) - n + 1))
        starts = starts[self.docs[starts] == self.docs[starts + n - 1]]
        runs = [tuple(self.codes[start : start + n]) for start in starts]
        place: dict[tuple[int, ...], int] = {}
        codes = np.array([place.setdefault(run, len(place)) for run in runs], dtype=np.int64)
        words = [" ".join(self.words[code] for code in run) for run in place]
        return Tokens(
            words, ["" for _ in words], codes, self.docs[starts], self.size, self.row_numbers, self.characters, self.raw
        )

    def sequences(self) -> Iterator[np.ndarray[Any, np.dtype[np.int64]]]:
        """The codes of each row that has any."""
        ends = np.flatnonzero(np.diff(self.docs)) + 1
        return iter(np.split(self.codes, ends)) if len(self.codes) else iter(())

    def ranked(self, values: Sequence[float] | np.ndarray[Any, Any] | None = None) -> list[int]:
        """Words by value (their count) falling; of equal ones the more frequent, then by the word itself."""
        by = self.counts if values is None else np.asarray(values)
        order = {i: (-round(float(by[i]), 12), -int(self.counts[i]), self.words[i]) for i in range(len(self.words))}
        return sorted(order, key=order.__getitem__)


def texts_of(column: Column, report: Report | None = None) -> list[str]:
    """The cells, missing as empty; those too long are cut, which the report says; too much in all is refused."""
    texts = ["" if cell is None else str(cell) for cell in column.text]
    long = [i for i, text in enumerate(texts) if len(text) > LONGEST_CELL]
    for i in long:
        texts[i] = texts[i][:LONGEST_CELL]
    total = sum(map(len, texts))
    if total > MOST_CHARACTERS:
        words = f"文本总量 {total:,} 字超过上限 {MOST_CHARACTERS:,} 字，请先筛选或抽样"
        raise Refusal("data.too_long", words, field="text", column=column.id, k=total, max=MOST_CHARACTERS)
    if not any(text.strip() for text in texts):
        raise Refusal("data.empty", f"变量“{column.name}”没有文本内容", field="text", column=column.id)
    if long and report is not None:
        rows = [int(column.row_numbers[i]) for i in long]
        report.warn(
            "data.cut", "第 {row:integer} 行等 {k:integer} 行超过 {max:integer} 字，只用了前面的部分。",
            columns=[column], rows=rows, row=rows[0], k=len(rows), max=LONGEST_CELL,
        )  # fmt: skip
    return [clean(text) for text in texts]


def fresh_jieba() -> Any:
    """One of a run's own, into which words of the user may be put."""
    import rjieba  # a library of 25 MB, for text methods alone

    return rjieba.Jieba()


@lru_cache(maxsize=1)
def plain_jieba() -> Any:
    """The one of this process; nothing is ever put into it."""
    return fresh_jieba()


class Segmenter:
    """Cuts texts; knows the words of the user. `lang` en: by letters alone."""

    def __init__(self, lang: str = "auto", words: Dictionary | None = None, hmm: bool = True) -> None:
        self.lang, self.hmm = lang, hmm
        self.jieba = fresh_jieba() if words is not None and words.words else plain_jieba()
        self.own: dict[str, str | None] = {}
        for word, frequency, tag in words.words if words is not None else ():
            form = normal(word)
            self.own[form] = tag
            self.jieba.add_word(form, frequency or USER_FREQUENCY, tag or "nz")

    def knows(self, word: str) -> bool:
        return bool(self.jieba.has_word(word))

    def cut(self, text: str) -> list[tuple[str, str]]:
        """Words with their tags, in order; only what holds a letter."""
        if self.lang == "en":
            return [(word, "eng") for word in ENGLISH.findall(normal(text))]
        found = self.jieba.tag(normal(text), self.hmm)
        return [(word, tag) for word, tag in found if LETTER.search(word)]


def read_tokens(
    column: Column, form: Any, report: Report | None = None, progress: Callable[..., bool] | None = None,
    hmm: bool = True,
) -> Tokens:  # fmt: skip
    """The tokens of a column by a `WordForm`; refused where none is left."""
    texts = texts_of(column, report)
    segmenter = Segmenter(form.lang, form.user_dict, hmm)
    return tokens_of(_cut_all(segmenter, texts, progress), form, column, texts)


def _cut_all(
    segmenter: Segmenter, texts: list[str], progress: Callable[..., bool] | None
) -> Iterator[list[tuple[str, str]]]:
    for i, text in enumerate(texts):
        if progress is not None and i % STEP == 0:
            progress(i, len(texts), f"分词 {i:,}/{len(texts):,} 行")
        yield segmenter.cut(text)


def stop_set(stopwords: Dictionary | None) -> frozenset[str]:
    if stopwords is None:
        return frozenset()
    own = {normal(word) for word, _, _ in stopwords.words}
    return frozenset(own | set(lexicon("stopwords") if stopwords.builtin else ()))


def tokens_of(cut: Iterable[list[tuple[str, str]]], form: Any, column: Column, texts: list[str]) -> Tokens:
    """Synonyms first, then stop words, part of speech and length."""
    heads = {normal(word): normal(head) for word, head in (form.synonyms.heads if form.synonyms else {}).items()}
    stop = stop_set(form.stopwords)
    kept = None if form.pos_keep == "all" else frozenset(KEPT.get(form.pos_keep, tuple(form.pos_keep_value)))
    place: dict[str, int] = {}
    tags: list[Counter[str]] = []
    codes: list[int] = []
    docs: list[int] = []
    raw = 0
    for i, found in enumerate(cut):
        for word, tag in found:
            raw += 1
            name = heads.get(word, word)
            if name in stop or len(name) < form.min_len or (kept is not None and pos_class(tag) not in kept):
                continue
            at = place.setdefault(name, len(place))
            if at == len(tags):
                tags.append(Counter())
            tags[at][tag] += 1
            codes.append(at)
            docs.append(i)
    if not codes:
        raise Refusal(
            "data.no_words", "当前停用词与词性设置下没有剩余词语，请放宽“停用词”“保留词性”或“最短词长”", field="text",
            column=column.id, remedies=[
                SetRemedy(title="放宽后再算", set={"pos_keep": "all", "min_len": 1, "stopwords": {"builtin": None}})
            ],
        )  # fmt: skip
    usual = [min(one, key=lambda tag: (-one[tag], tag)) for one in tags]
    return Tokens(
        list(place), usual, np.array(codes, dtype=np.int64), np.array(docs, dtype=np.int64), len(texts),
        column.row_numbers, sum(map(len, texts)), raw,
    )  # fmt: skip
