"""Old values of a variable → new ones: by rules, by an order, or turned round; and the account of which became what."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from hengxi.contract import Column, Level, Refusal, Rule
from hengxi.contract.fields.mapping import shown

LISTED = 50
"""Values kept as they are beyond this many stand in one line."""

NOTHING = object()
"""No rule takes the missing cells: they stay missing."""


@dataclass
class Line:
    """One line of the account: old in words, new in words, cells."""

    old: str
    new: str
    n: int


@dataclass
class Recoded:
    """A variable with its new values (floats, or texts with None)."""

    column: Column
    values: npt.NDArray[Any]
    lines: list[Line]
    levels: list[tuple[Any, str]] | None = None
    spans: bool = False
    unused: list[Any] = field(default_factory=list)
    mixed: bool = False
    scale: tuple[float, float, bool] | None = None
    """Of a reversed item: lowest, highest, and whether they were read from the data."""
    changed: int = 0
    distinct: int = 0

    @property
    def is_text(self) -> bool:
        return self.values.dtype.kind == "O"

    @property
    def valid(self) -> int:
        if self.is_text:
            return int(sum(value is not None for value in self.values))
        return int((~np.isnan(self.values)).sum())


def by_rules(column: Column, rules: list[Rule], others: str, others_value: str | None, case_sensitive: bool) -> Recoded:
    """The first rule that takes a value gives the new one; the rest by `others`. Missing has only its own rule."""
    takes = _takes(case_sensitive)
    rest: Any = _typed(others_value, rules) if others == "value" else None
    new: list[Any] = []
    used: dict[int, int] = {}
    lines: dict[Any, Line] = {}
    copied: list[tuple[Level, int]] = []
    for level in column.levels:
        rule = next((one for one in rules if takes(one, level.value)), None)
        if rule is not None:
            used[rule.number] = used.get(rule.number, 0) + level.count
            new.append(level.value if rule.copy else rule.new)
            key = ("span", rule.number) if rule.span is not None else ("value", level.code)
            old = rule.span.words if rule.span is not None else words_of(level)
            line = lines.setdefault(key, Line(old, "保持原值" if rule.copy else _new(rule.new, rule.label), 0))
            line.n += level.count
        elif others == "copy":
            new.append(level.value)
            copied.append((level, len(new)))
        else:
            new.append(rest)
            line = lines.setdefault(("others", 0), Line("其余取值", _new(rest, None), 0))
            line.n += level.count
    for_missing = next((one for one in rules if one.missing and not one.copy), None)
    gap: Any = NOTHING if for_missing is None else for_missing.new
    found = _lay(column, new, gap)
    found.lines = [*lines.values(), *_kept(copied)]
    missing = int(column.missing.sum())
    if missing:
        found.lines.append(Line("缺失", "缺失" if for_missing is None else _new(gap, for_missing.label), missing))
    labels = {rule.new: rule.label for rule in rules if rule.label and rule.new is not None}
    found.levels = _labelled(column, found, labels, others == "copy")
    found.spans = any(rule.span is not None for rule in rules)
    found.unused = [v for one in rules for v in _unused(one, column, takes) if not one.missing]
    return found


def _takes(case_sensitive: bool) -> Callable[[Rule, Any], bool]:
    if case_sensitive:
        return lambda rule, value: rule.takes(value)

    def loosely(rule: Rule, value: Any) -> bool:
        if not isinstance(value, str):
            return rule.takes(value)
        return any(isinstance(one, str) and one.casefold() == value.casefold() for one in rule.values)

    return loosely


def _unused(rule: Rule, column: Column, takes: Callable[[Rule, Any], bool]) -> list[Any]:
    """Listed values (or the whole span) no cell of the variable has."""
    if rule.span is not None:
        return [] if any(takes(rule, level.value) for level in column.levels) else [rule.span.words]
    alone = [Rule(rule.number, (v,), None, False, None, False, None) for v in rule.values]
    return [one.values[0] for one in alone if not any(takes(one, level.value) for level in column.levels)]


def _typed(word: str | None, rules: list[Rule]) -> Any:
    """指定值 is typed: a number where it reads as one and the rules give no text."""
    if word is None or any(isinstance(rule.new, str) for rule in rules):
        return word
    try:
        return float(word)
    except ValueError:
        return word


def _kept(copied: list[tuple[Level, int]]) -> list[Line]:
    if len(copied) <= LISTED:
        return [Line(words_of(level), "保持原值", level.count) for level, _ in copied]
    return [Line(f"其余 {len(copied)} 个取值", "保持原值", sum(level.count for level, _ in copied))]


def _lay(column: Column, new: list[Any], gap: Any) -> Recoded:
    """New values of the levels, in order → cells; text as soon as one is text."""
    given = [value for value in [*new, None if gap is NOTHING else gap] if value is not None]
    is_text = any(isinstance(value, str) for value in given)
    last = None if gap is NOTHING else gap
    if is_text:
        table = np.empty(len(new) + 1, dtype=object)
        table[:] = [
            None if value is None else value if isinstance(value, str) else shown(value) for value in [*new, last]
        ]
    else:
        table = np.array([np.nan if value is None else float(value) for value in [*new, last]], dtype=np.float64)
    mixed = is_text and any(not isinstance(value, str) for value in given)
    found = Recoded(column, table[column.codes], [], mixed=mixed)
    differs = [value is None or not _same(level.value, value) for level, value in zip(column.levels, new, strict=True)]
    found.changed = sum(level.count for level, one in zip(column.levels, differs, strict=True) if one)
    if last is not None:
        found.changed += int(column.missing.sum())
    kinds = {value if is_text else float(value) for value in table.tolist() if value is not None and value == value}
    occurring = {table[level.code] for level in column.levels} | ({last} if last is not None else set())
    found.distinct = len({value for value in kinds if value in occurring})
    return found


def _same(old: Any, new: Any) -> bool:
    return isinstance(old, str) == isinstance(new, str) and old == new


def _labelled(column: Column, found: Recoded, labels: dict[Any, str], keeps: bool) -> list[tuple[Any, str]] | None:
    """Labels of the rules; values kept as they are keep theirs, unless a rule gives that value another meaning."""
    all_labels = dict(labels)
    if keeps and found.is_text == (column.info.storage == "text"):
        for level in column.levels:
            if level.label != shown(level.value):
                all_labels.setdefault(level.value, level.label)
    if not all_labels:
        return None
    order = sorted(all_labels) if not found.is_text else list(all_labels)
    return [(shown(value) if found.is_text else value, all_labels[value]) for value in order]


def in_order(column: Column, by_count: bool) -> Recoded:
    """1 … k along the order of the values, or from the most frequent; the old value becomes the label."""
    order = sorted(column.levels, key=lambda level: _key(level.value))
    if by_count:
        order.sort(key=lambda level: -level.count)  # stable: equal counts stay in the order of the values
    place = {level.code: i + 1 for i, level in enumerate(order)}
    found = _lay(column, [place[level.code] for level in column.levels], NOTHING)
    found.lines = [Line(words_of(level), shown(place[level.code]), level.count) for level in order]
    if missing := int(column.missing.sum()):
        found.lines.append(Line("缺失", "缺失", missing))
    found.levels = [(place[level.code], level.label) for level in order]
    return found


def _key(value: Any) -> tuple[bool, Any]:
    return (isinstance(value, str), value)


def reverse(column: Column, low: float | None, high: float | None) -> Recoded:
    """lowest + highest − x. The ends: given, else those of the labels, else those of the data (said)."""
    if not column.is_number:
        text = f"“{column.title}”不是数值，不能反向计分"
        raise Refusal("reverse.text", text, field="variables", column=column.id)
    labelled = [float(one.value) for one in column.all_levels if one.label != shown(one.value)]
    valid = column.numbers[~np.isnan(column.numbers)]
    if not len(valid):
        raise Refusal("role.empty", f"“{column.title}”全部缺失，不能反向计分", field="variables", column=column.id)
    from_data = not labelled and (low is None or high is None)
    source = labelled or [float(valid.min()), float(valid.max())]
    a, b = (min(source) if low is None else low), (max(source) if high is None else high)
    if outside := int(((valid < a) | (valid > b)).sum()):
        text = (
            f"“{column.title}”有 {outside} 个值在 {shown(a)} 到 {shown(b)} 之外，"
            "请把它们设为缺失码，或改填量尺的最小值和最大值"
        )
        raise Refusal("reverse.outside", text, field="reverse_min", column=column.id, k=outside)
    found = _lay(column, [a + b - float(level.value) for level in column.levels], NOTHING)
    few = len(column.levels) <= LISTED
    found.lines = (
        [Line(words_of(level), shown(a + b - float(level.value)), level.count) for level in column.levels]
        if few
        else [Line(f"x（{shown(a)} 到 {shown(b)}）", f"{shown(a + b)} − x", len(valid))]
    )
    if missing := int(column.missing.sum()):
        found.lines.append(Line("缺失", "缺失", missing))
    if labelled:
        pairs = [(a + b - float(one.value), one.label) for one in column.all_levels if one.label != shown(one.value)]
        found.levels = sorted(pairs)
    found.scale = (a, b, from_data)
    return found


def words_of(level: Level) -> str:
    value = shown(level.value)
    return value if level.label == value else f"{value}（{level.label}）"


def _new(value: Any, label: str | None) -> str:
    words = "缺失" if value is None else shown(value)
    return f"{words}（{label}）" if label else words
