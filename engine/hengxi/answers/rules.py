"""Codes by words: the lines are those of a set of labels (`contract.assets`), looked for as parts of the text."""

from __future__ import annotations

import re
import unicodedata

from hengxi.contract.assets import Label, read_lines
from hengxi.data.refusal import DataRefusal


def normal(text: str) -> str:
    return unicodedata.normalize("NFKC", text).lower()


def matched(texts: list[str], label: Label) -> list[int]:
    """Places of the texts (in their normal form) that the rule holds for."""
    include, exclude = _any_of(label.include), _any_of(label.exclude)
    joint = [[normal(word) for word in part] for part in label.all_of]
    pattern = re.compile(label.pattern, re.IGNORECASE) if label.pattern else None

    def fits(text: str) -> bool:
        if exclude is not None and exclude.search(text):
            return False
        if include is not None and include.search(text):
            return True
        if any(all(word in text for word in part) for part in joint):
            return True
        return pattern is not None and bool(pattern.search(text))

    return [i for i, text in enumerate(texts) if fits(text)]


def _any_of(words: tuple[str, ...]) -> re.Pattern[str] | None:
    """One pattern of all words: on many texts a fraction of looking for each."""
    return re.compile("|".join(re.escape(normal(word)) for word in words)) if words else None


def read_rule(name: str, rule: str) -> Label:
    read = read_lines("labels", [f"规则={rule}"])
    if read.faults or not read.dictionary.labels:
        words = read.faults[0][2].replace("标签“规则”", "规则") if read.faults else "规则是空的"
        raise DataRefusal("answers.rule", f"编码“{name}”的{words.removeprefix('第 1 行')}")
    return read.dictionary.labels[0]
