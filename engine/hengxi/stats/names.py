"""What a report calls several variables: their titles, told apart where two share a label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from hengxi.contract import Column, Level


def titles(columns: Sequence[Column]) -> dict[str, str]:
    """Column id → label (or name); two variables of one label are told apart by their names."""
    shared = Counter(column.title for column in columns)
    return {c.id: c.title if shared[c.title] == 1 else f"{c.title}（{c.name}）" for c in columns}


def level_words(levels: Sequence[Level]) -> list[str]:
    """The labels; two levels of one label are told apart by their values."""
    shared = Counter(level.label for level in levels)
    return [level.label if shared[level.label] == 1 else f"{level.label}（{level.value}）" for level in levels]


def unique(names: Sequence[str]) -> list[str]:
    """Numbers a name that comes again; a name given here never equals one that stands elsewhere in the list."""
    taken = set(names)
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        told = name
        while seen[name] > 1 and told in taken:
            told = f"{name}（{seen[name]}）"
            seen[name] += told in taken
        taken.add(told)
        found.append(told)
    return found


ATTACHED = frozenset("%‰°′″")
"""Signs that stand at the number itself; other units stand behind a blank (GB/T 3101)."""


def number_words(value: float) -> str:
    """A value of the data in a sentence: ten digits, a true minus, and none before a zero."""
    return f"{value or 0.0:.10g}".replace("-", "−")


def unit_words(unit: str | None) -> str:
    """What follows a number: ` kg`, `%`, or nothing."""
    return "" if not unit else unit if unit in ATTACHED else f" {unit}"
