"""Columns of 0 and 1 that are the options of one question."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

from hengxi.data.arrays import Source
from hengxi.data.meta import AnswerSet, Column
from hengxi.data.names import LONGEST_HEADING

_STEMS = (
    re.compile(r"^(.+?)\s*[(（](?:choice=)?((?:[^()（）]|[(（][^()（）]*[)）])+)[)）]$"),
    re.compile(r"^(.+?)[_.\-]\s*(\d{1,3}|[A-Za-z])$"),
    re.compile(r"^(.+?)\s*(?:[:：]|——|—|┋)\s*(.+)$"),
)
_BETWEEN = re.compile(r"\s-\s|[-—–:：(（_]")
NUMBERED = re.compile(r"^\s*(?:第\s*)?(?:[QqTt]\s*)?\d{1,3}\s*(?:题\s*)?[、.．:：]\s*(\D.*)$", re.DOTALL)
"""A heading as platforms write it: `1、您的性别`, `Q1. …`."""


_BARE = re.compile(r"^\s*(?:第\s*)?(\d{1,3})\s*(?:题\s*[、.．:：]?|[、.．:：])\s*$")
"""A question that is only counted, as 问卷星 heads its options: `5、(微信)`, `5、(微博)`."""


_COUNTED = re.compile(r"^\s*(?:第\s*)?(\d{1,3})\s*(?:题\s*)?[、.．:：]")


@dataclass
class _Group:
    stem: str
    columns: list[Column] = field(default_factory=list)


def find_sets(columns: list[Column], source: Source, taken: set[str]) -> list[tuple[str, list[Column]]]:
    """(stem, columns standing side by side) of at least two columns of 0 and 1; `taken` ids are in a set already."""
    groups: list[_Group] = []
    last: tuple[int, str] | None = None
    for column, option in zip(columns, options_of(columns), strict=True):
        # Whether it is an option was asked first: it costs nothing.
        if option is None or column.id in taken or not _zero_one(column, source):
            last = None
        elif option.question == last:
            groups[-1].columns.append(column)
        else:
            groups.append(_Group(option.title, [column]))
            last = option.question
    return [
        (group.stem, group.columns)
        for group in groups
        if len(group.columns) > 1 and any(is_chosen(column, source) for column in group.columns)
    ]


def is_chosen(column: Column, source: Source) -> bool:
    """Whether anybody chose this option: a set of nothing but zeros is none."""
    return column.storage == "bool" or pc.max(source.array(column.id)).as_py() == 1


def is_single(column: Column, source: Source) -> bool:
    """Whether the option holds one value only, as where the others are left blank: its measure cannot be told by it."""
    low, high = pc.min_max(source.array(column.id)).as_py().values()
    return bool(low == high)


@dataclass(frozen=True)
class Option:
    """A heading taken apart: `rule` is the way of writing, `stem` the question, `text` the option or its number."""

    rule: int
    stem: str
    text: str
    counted: bool = False
    """The heading gives but the number of the question."""

    @property
    def question(self) -> tuple[int, str]:
        return self.rule, self.stem

    @property
    def title(self) -> str:
        """What the question is called: 第 5 题 where the headings only count it."""
        bare = _BARE.match(self.stem)
        return f"第{bare[1]}题" if bare else self.stem

    @property
    def label(self) -> str:
        """The heading without the number of the question."""
        return self.text if _BARE.match(self.stem) else f"{worded(self.stem)}({self.text})"


def options_of(columns: list[Column]) -> list[Option | None]:
    """Options of columns in their order; `2、平台(微信)` lends its question to `2、(微博)` behind it."""
    options: list[Option | None] = []
    for column in columns:
        option, before = option_of(column.name), options[-1] if options else None
        bare = _BARE.match(option.stem) if option else None
        if option and bare:
            same = before is not None and before.rule == option.rule and _numbers(before.stem) == bare[1]
            option = Option(option.rule, before.stem if before and same else option.stem, option.text, counted=True)
        options.append(option)
    return options


def _numbers(stem: str) -> str | None:
    counted = _BARE.match(stem) or _COUNTED.match(stem)
    return counted[1] if counted else None


def option_of(name: str) -> Option | None:
    if len(name) > LONGEST_HEADING:
        return None
    for rule, pattern in enumerate(_STEMS):
        if match := pattern.match(name.strip()):
            return Option(rule, match.group(1).strip().rstrip("_"), match.group(2).strip())
    return None


def _zero_one(column: Column, source: Source) -> bool:
    """Nothing but 0, 1, missing and codes of missing, with at least one 0 or 1."""
    if column.storage == "bool":
        return True
    if column.storage not in ("int", "float") or column.missing.ranges:
        return False
    array = source.array(column.id)
    if not (pa.types.is_integer(array.type) or pa.types.is_floating(array.type)):
        return False
    if column.missing:
        codes = pa.array([v for v in column.missing.values if isinstance(v, (int, float))]).cast(array.type)
        array = array.filter(pc.invert(pc.is_in(array, codes)))
    if any(_beyond(chunk) for chunk in array.chunks):
        return False
    low, high = pc.min_max(array).as_py().values()
    whole = pa.types.is_integer(array.type) or (low is not None and pc.all(pc.equal(array, pc.floor(array))).as_py())
    return high in (0, 1) and low in (0, 1) and bool(whole)


def _beyond(chunk: pa.Array) -> bool:
    """Whether a piece holds a number below 0 or above 1: nearly every column of measures does in the first."""
    low, high = pc.min_max(chunk).as_py().values()
    return low is not None and (low < 0 or high > 1)


def worded(heading: str) -> str:
    """A heading without its number."""
    match = NUMBERED.match(heading)
    return match.group(1).strip() if match else heading


def answer_set(number: int, name: str, columns: list[Column], counted: int = 1) -> AnswerSet:
    label = common_label([column.label or "" for column in columns]) or worded(name)
    return AnswerSet(id=f"s{number}", name=name, label=label, columns=[c.id for c in columns], counted=counted)


def common_label(labels: list[str]) -> str:
    """The question that stands before the option in every label: `用过哪些 - 微信`."""
    low, high = min(labels), max(labels)
    shared = low[: next((i for i, pair in enumerate(zip(low, high, strict=False)) if len(set(pair)) > 1), len(low))]
    ends = [match.start() for match in _BETWEEN.finditer(shared)]
    return shared[: ends[-1]].removesuffix(" - Selected Choice").strip() if ends else ""
