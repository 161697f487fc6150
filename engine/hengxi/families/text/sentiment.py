"""Feelings of a text by a dictionary: which words, what turns or strengthens them, and the score of the whole.

Characters are scanned, the longest word first, because segmenters glue "not far" and "not worth" together. Inside a
clause a feeling word takes the modifiers that stand before it, not further than `REACH` characters and not beyond the
feeling word before.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from .tokens import lexicon, normal

SENTENCE = re.compile(r"[^。！？!?\n;；]+")
CLAUSE = re.compile(r"[^，,、：:.…~\s]+")
REACH = 4
FLIP, TWICE = -0.8, 0.6
CONTRAST, WISH = 1.6, -0.3


@dataclass(frozen=True)
class Hit:
    """A feeling word from `start` to `end` of the normal form; `value` is what it adds, `before` its modifiers."""

    word: str
    start: int
    end: int
    value: float
    before: tuple[str, ...]


@dataclass(frozen=True)
class Words:
    """What is looked for, by its first letter, longest first: the word and its meaning (score or kind)."""

    by_first: Mapping[str, tuple[tuple[str, str | float], ...]]


@lru_cache(maxsize=1)
def built_in() -> dict[str, str | float]:
    meanings: dict[str, str | float] = {}
    for line in lexicon("sentiment"):
        kind, *members = line.split()
        for word in members:
            meanings[word] = float(kind) if kind[0] in "-0123456789" else kind
    return meanings


def words_of(own: Mapping[str, float], with_built_in: bool) -> Words:
    """The user's words count before ours."""
    meanings = {**(built_in() if with_built_in else _modifiers()), **{normal(word): v for word, v in own.items()}}
    by_first: dict[str, list[tuple[str, str | float]]] = {}
    for word in sorted(meanings, key=len, reverse=True):
        by_first.setdefault(word[0], []).append((word, meanings[word]))
    return Words({letter: tuple(words) for letter, words in by_first.items()})


def _modifiers() -> dict[str, str | float]:
    return {word: meaning for word, meaning in built_in().items() if isinstance(meaning, str)}


def hits_of(text: str, words: Words) -> list[Hit]:
    """Feeling words of a text in its normal form (`normal`), with what each adds."""
    hits: list[Hit] = []
    for sentence in SENTENCE.finditer(text):
        lift = 1.0
        for clause in CLAUSE.finditer(sentence[0]):
            lift = _clause(clause[0], sentence.start() + clause.start(), lift, words, hits)
    return hits


def _clause(clause: str, offset: int, lift: float, words: Words, hits: list[Hit]) -> float:
    """Adds the hits of a clause; the lift of what follows in the sentence."""
    at, wished = 0, False
    waiting: list[tuple[int, str, str]] = []
    while at < len(clause):
        word, meaning = next(
            ((word, m) for word, m in words.by_first.get(clause[at], ()) if clause.startswith(word, at)), ("", 0.0)
        )
        if not word:
            at += 1
            continue
        if meaning == "but":
            # "只是" and the like are contrasts at the beginning of a clause alone.
            lift = CONTRAST if at == 0 else lift
        elif meaning == "wish":
            wished = True
        elif isinstance(meaning, str):
            waiting.append((at + len(word), word, meaning))
        elif meaning:
            near = [(w, kind) for end, w, kind in waiting if at - end <= REACH]
            value = float(meaning) * _turned([kind for _, kind in near]) * lift
            if wished and value > 0:
                value *= WISH
            start = offset + at
            hits.append(Hit(word, start, start + len(word), value, tuple(w for w, _ in near)))
            waiting = []
        at += len(word)
    return lift


def _turned(kinds: list[str]) -> float:
    """Degree of the nearest degree word times the turn of the negations: one turns, two weaken."""
    degrees = [float(kind[1:]) for kind in kinds if kind[0] == "x"]
    turns = sum(kind == "no" for kind in kinds)
    turn = 1.0 if turns == 0 else FLIP if turns % 2 else TWICE
    return turn * (degrees[-1] if degrees else 1.0)


EXACT = 12
"""Feelings that cancel are 0: products such as 0.6 × −0.8 leave a dust of 1e-16."""


def score(total: float) -> float:
    """S / √(S² + 1): between −1 and 1, 0 without a feeling word."""
    total = round(total, EXACT) + 0.0  # never −0
    return total / math.sqrt(total * total + 1)


def by_sentence(text: str, hits: list[Hit]) -> float:
    """The mean of the scores of the sentences that hold a feeling word."""
    totals: list[float] = []
    for sentence in SENTENCE.finditer(text):
        own = [hit.value for hit in hits if sentence.start() <= hit.start < sentence.end()]
        if own:
            totals.append(score(math.fsum(own)))
    return (round(math.fsum(totals), EXACT) + 0.0) / len(totals) if totals else 0.0
