"""What a user keeps beside the tables and a form names by id: dictionaries of words, uploaded pictures.

Whose they are the server has judged; the engine gets the content itself (`Assets`: field → content or None).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Assets = Mapping[str, Mapping[str, Any] | None]
"""For each `dictionary`, `upload` or `frozen` field whose form names an id: what it is, or None where its owner has
none."""

DictionaryKind = Literal["words", "stopwords", "synonyms", "lexicon", "labels"]

MOST_LINES = 10_000
LONGEST_WORD = 30
LONGEST_LINE = 500
MOST_LABELS = 200
MOST_LABEL_WORDS = 5_000
LONGEST_PATTERN = 200


@dataclass(frozen=True)
class Upload:
    """An uploaded picture. `shape` is what is dark or opaque of it: rows of `1` and `0`, from the top."""

    file_id: str
    mime: str
    bytes: int
    shape: tuple[str, ...]


@dataclass(frozen=True)
class FrozenLimits:
    """Limits of a control chart kept from a report. `kind`: which of the method's distributions or corrections;
    `extra`: its further number (the shape of a Weibull distribution, Laney's σz, λ of Box-Cox); `n`: the size all
    subgroups had, where that matters."""

    id: int
    name: str
    path: str
    method: str
    report: str
    made_at: str
    """The day of the report, 2026-11-28."""
    variable: str
    phase: str | None
    points: int
    center: float
    sigma: float | None
    extra: float | None
    n: int | None
    kind: str | None


@dataclass(frozen=True)
class Label:
    """A label and what a text must hold for it: any of `include` or `pattern`, all of one of `all_of`, no `exclude`."""

    name: str
    include: tuple[str, ...] = ()
    all_of: tuple[tuple[str, ...], ...] = ()
    exclude: tuple[str, ...] = ()
    pattern: str | None = None


@dataclass(frozen=True)
class Dictionary:
    """Words of one kind as a method reads them: the built-in list by name, own lines, and lines of this form."""

    kind: DictionaryKind
    builtin: str | None = None
    name: str | None = None
    version: int | None = None
    words: tuple[tuple[str, int | None, str | None], ...] = ()
    """kind words: word, frequency, part of speech. Of stopwords the word alone counts."""
    heads: Mapping[str, str] = field(default_factory=dict)
    """kind synonyms: word → the word it counts as."""
    scores: Mapping[str, float] = field(default_factory=dict)
    labels: tuple[Label, ...] = ()

    @property
    def size(self) -> int:
        return len(self.words) + len(self.heads) + len(self.scores) + len(self.labels)


@dataclass
class Read:
    """Lines as read, and what is wrong with them: (code, line from 1, words)."""

    dictionary: Dictionary
    faults: list[tuple[str, int, str]] = field(default_factory=list)


def read_lines(kind: DictionaryKind, lines: Sequence[str], **about: Any) -> Read:
    """The entries of a dictionary. A line that cannot be read, and a word given twice in two senses, are faults."""
    reader = _Reader(kind)
    for number, line in enumerate(lines, start=1):
        text = clean(line)
        if text and not text.startswith("#"):
            reader.read(number, text)
    return Read(
        Dictionary(
            kind, words=tuple(reader.words.values()), heads=reader.heads, scores=reader.scores,
            labels=tuple(reader.labels.values()), **about,
        ),
        reader.faults,
    )  # fmt: skip


def clean(text: str) -> str:
    """Without control and zero-width characters, and blanks at the ends."""
    return re.sub(r"[\x00-\x1f\x7f\u200b-\u200f\u2028-\u202e\ufeff]+", " ", text).strip()


class _Reader:
    def __init__(self, kind: DictionaryKind) -> None:
        self.kind = kind
        self.words: dict[str, tuple[str, int | None, str | None]] = {}
        self.heads: dict[str, str] = {}
        self.scores: dict[str, float] = {}
        self.labels: dict[str, Label] = {}
        self.faults: list[tuple[str, int, str]] = []
        self._label_words = 0

    def fault(self, number: int, words: str, code: str = "dictionary.line") -> None:
        self.faults.append((code, number, words))

    def read(self, number: int, line: str) -> None:
        if len(line) > LONGEST_LINE:
            self.fault(number, f"第 {number} 行有 {len(line):,} 个字，最多 {LONGEST_LINE} 个")
            return
        getattr(self, f"_{self.kind}")(number, line)

    def _too_long(self, number: int, *words: str) -> bool:
        long = next((word for word in words if len(word) > LONGEST_WORD), None)
        if long is not None:
            self.fault(number, f"第 {number} 行的词超过 {LONGEST_WORD} 个字")
        return long is not None

    def _words(self, number: int, line: str) -> None:
        word, *rest = line.split()
        count = int(rest[0]) if rest and rest[0].isascii() and rest[0].isdigit() and len(rest[0]) <= 9 else None
        tags = rest[1:] if count is not None else rest
        if len(tags) > 1 or any(not re.fullmatch(r"[a-zA-Z]{1,5}", tag) for tag in tags):
            self.fault(number, f"第 {number} 行应写成“词 频次 词性”，频次和词性可以不写；自定义词不能含空格")
        elif not self._too_long(number, word):
            entry = (word, count, tags[0] if tags else None)
            if self.words.get(word, entry) != entry:
                self.fault(number, f"第 {number} 行：“{word}”已有另一种写法", "dictionary.conflict")
            self.words[word] = entry

    def _stopwords(self, number: int, line: str) -> None:
        if not self._too_long(number, line):
            self.words[line] = (line, None, None)

    def _synonyms(self, number: int, line: str) -> None:
        head, *rest = re.split(r"\s*[=＝]\s*", line)
        members = [one for one in re.split(r"[,，、;；\s]+", rest[0]) if one] if len(rest) == 1 else []
        if not head or not members:
            self.fault(number, f"第 {number} 行应写成“主词=词1，词2”")
            return
        if self._too_long(number, head, *members):
            return
        for word in members:
            if word != head and self.heads.setdefault(word, head) != head:
                self.fault(
                    number, f"同义词“{word}”同时属于两个主词：“{self.heads[word]}”和“{head}”", "dictionary.conflict"
                )

    def _lexicon(self, number: int, line: str) -> None:
        parts = line.split()
        try:
            score = float(parts[-1]) if len(parts) == 2 else None
        except ValueError:
            score = None
        if score is None or score != score:
            self.fault(number, f"第 {number} 行应写成“词 分值”，如“贴心 0.8”")
        elif not -1 <= score <= 1:
            self.fault(number, f"情感词“{parts[0]}”的分值应在 -1 到 1 之间")
        elif not self._too_long(number, parts[0]) and self.scores.setdefault(parts[0], score) != score:
            self.fault(
                number,
                f"第 {number} 行：情感词“{parts[0]}”已有分值 {self.scores[parts[0]]:g}",
                "dictionary.conflict",
            )

    def _labels(self, number: int, line: str) -> None:
        name, *rest = re.split(r"\s*[=＝]\s*", line, maxsplit=1)
        if not name or not rest or not rest[0]:
            self.fault(number, f"标签“{name}”至少需要一个关键词，写成“标签=词1，词2”")
            return
        if name in self.labels:
            self.fault(number, f"标签“{name}”已存在", "dictionary.conflict")
            return
        body, pattern = rest[0], None
        found = re.search(r"/(.+)/\s*$", body)
        if found is not None:
            body, pattern = body[: found.start()], found[1]
            if len(pattern) > LONGEST_PATTERN or not _is_pattern(pattern):
                self.fault(number, f"标签“{name}”的正则表达式有误")
                return
        parts = [part for part in re.split(r"[,，、;；\s]+", body) if part]
        plain = tuple(part for part in parts if not part.startswith(("!", "！")) and "+" not in part)
        joint = tuple(tuple(word for word in part.split("+") if word) for part in parts if "+" in part)
        excluded = tuple(part[1:] for part in parts if part.startswith(("!", "！")) and len(part) > 1)
        if not plain and not joint and pattern is None:
            self.fault(number, f"标签“{name}”至少需要一个关键词")
            return
        self._label_words += len(parts)
        if len(self.labels) >= MOST_LABELS or self._label_words > MOST_LABEL_WORDS:
            self.fault(number, f"标签组最多 {MOST_LABELS} 个标签、{MOST_LABEL_WORDS:,} 个词，请拆分标签组")
            return
        if not self._too_long(number, name, *plain, *excluded, *(word for group in joint for word in group)):
            self.labels[name] = Label(name, plain, joint, excluded, pattern)


def _is_pattern(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return False
    return True
