"""What a report calls several variables: their titles, told apart where two share a label."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from hengxi.contract import AnswerSet, Column, Level, asked


def titles(columns: Sequence[Column | AnswerSet]) -> dict[str, str]:
    """Id → label (or name); two variables of one label are told apart by their names."""
    shared = Counter(column.title for column in columns)
    return {c.id: c.title if shared[c.title] == 1 else f"{c.title}（{c.name}）" for c in columns}


_ITEM = re.compile(r"^(.{2,}?)\s*(?:[_\-.]?\s*\d+|[_:：—┋]+.+|[(（][^()（）]+[)）])$", re.DOTALL)


def short(names: Sequence[str]) -> list[str]:
    """Questions as a sentence names them; equal ones stay whole."""
    made = [asked(name) for name in names]
    shared = Counter(made)
    return [text if shared[text] == 1 else name for text, name in zip(made, names, strict=True)]


def scale_of(names: Sequence[str]) -> str | None:
    """What the items of a scale are called together: 自我效能1, 自我效能2 → 自我效能; None where they share no name."""
    stems = {found.group(1) if (found := _ITEM.match(name)) else "" for name in names}
    stem = next(iter(stems)) if len(stems) == 1 else ""
    return stem if stem and len(names) > 1 else None


def listed(names: Sequence[str], most: int = 3, counter: str = "题") -> str:
    """“甲”“乙”“丙”等 5 题."""
    rest = f"等 {len(names)} {counter}" if len(names) > most else ""
    return "".join(f"“{name}”" for name in names[:most]) + rest


def sharing(names: Sequence[str], values: Sequence[float], value: float) -> str:
    """The names that have this value, for a slot that stands in quotes: “甲”“丙” where two share the highest mean."""
    return "”“".join(
        name for name, own in zip(names, values, strict=True) if math.isclose(own, value, rel_tol=1e-9, abs_tol=1e-12)
    )


def level_words(levels: Sequence[Level]) -> list[str]:
    """The labels; two levels of one label are told apart by their values."""
    shared = Counter(level.label for level in levels)
    return [level.label if shared[level.label] == 1 else f"{level.label}（{level.value}）" for level in levels]


def unique(names: Sequence[str]) -> list[str]:
    """Numbers a name that comes again; a name given here never equals one that stands elsewhere in the list."""
    taken = set(names)
    times: Counter[str] = Counter()
    names_given = []
    for name in names:
        times[name] += 1
        candidate = name
        while times[name] > 1 and candidate in taken:
            candidate = f"{name}（{times[name]}）"
            times[name] += candidate in taken
        taken.add(candidate)
        names_given.append(candidate)
    return names_given


ATTACHED = frozenset("%‰°′″")
"""Signs that stand at the number itself; other units stand behind a blank (GB/T 3101)."""


def number_words(value: float) -> str:
    """A value of the data in a sentence: ten digits, a true minus, and none before a zero."""
    return f"{value or 0.0:.10g}".replace("-", "−")


_UNIT = re.compile(
    r"[(（]\s*((?:百|千|万|亿)?元(?:/[年月日天])?|岁|年|个?月|天|日|小?时|分钟|秒|次|人|个|件|℃|°C|%|mmHg|mmol/L|mg/dL|mg/L|g/L|μg/m³"
    r"|[kmcμn]?[gmLsl]|km|cm²|m²|h|min|ppb|ppm|kcal|kJ|kPa|bpm)\s*[)）]\s*$"
)


def unit_of(column: Column) -> str | None:
    """The unit of a variable: its own, or one its label carries: 月收入(千元), 身高（cm）."""
    found = _UNIT.search(column.title)
    return column.unit or (found.group(1) if found else None)


def unit_words(unit: str | None) -> str:
    """What follows a number: ` kg`, `%`, or nothing."""
    return "" if not unit else unit if unit in ATTACHED else f" {unit}"


def with_unit(title: str, unit: str) -> str:
    """What an axis is called: 身高（cm）, also where the label has its unit already."""
    bare = unit.strip()
    return title if not bare or re.search(rf"[(（]\s*{re.escape(bare)}\s*[)）]\s*$", title) else f"{title}（{bare}）"
