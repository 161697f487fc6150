"""A text column read as scores: 1 for 非常不同意 … 5 for 非常同意. The words stay in the file and as value labels."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import UnsetType

from hengxi.data.meta import Column, Level


def score(column: Column, scores: Mapping[str, int]) -> None:
    """Declares the column 定量 with a score for each word; `why` tells the ends."""
    column.scores = {word.strip(): int(value) for word, value in scores.items()}
    column.measure, column.ordered = "定量", False
    column.physical, column.storage = "text", "int"
    column.levels = _levels(column, column.scores)
    first, last = column.levels[0], column.levels[-1]
    column.why = f"文字选项按 {first.value}–{last.value} 计分：{first.label} … {last.label}"


def _levels(column: Column, scores: Mapping[str, int]) -> list[Level]:
    """All places of the scale where it is known, up or down; else the scores that were given."""
    labels = dict[int, str]()
    wording = None if isinstance(column.wording, UnsetType) else column.wording
    if wording is not None:
        k = len(wording.labels)
        up = {place + 1: label for place, label in enumerate(wording.labels)}
        down = {k - place: label for place, label in enumerate(wording.labels)}
        own = {word.strip(): place for word, place in wording.scores.items()}
        for way, turned in ((up, False), (down, True)):
            if all(own.get(word) == (k + 1 - value if turned else value) for word, value in scores.items()):
                labels = way
    if not labels:
        for word, value in scores.items():
            labels[value] = f"{labels[value]}／{word}" if value in labels else word
    return [Level(value=value, label=labels[value]) for value in sorted(labels)]
