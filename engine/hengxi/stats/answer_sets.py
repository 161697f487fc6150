"""The answers to a question of several options: who chose what, and out of whom shares are taken."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from hengxi.contract import AnswerSet, Column
from hengxi.contract.measures import Value
from hengxi.stats.moments import Floats
from hengxi.stats.names import titles, unique

Bools = npt.NDArray[np.bool_]

BASES = {"answered": "答过这道题的人", "chosen": "至少选了一项的人", "all": "全部个案"}
BASE_HINT = (
    "普及率的分母。答过：至少一个选项不是空白，一项没选也算。"
    "空白就是没选的文件，用“全部个案”。SPSS 用“至少选了一项的人”。"
)

_INSIDE = re.compile(r"^(.+?)\s*[(（](.+)[)）]\s*$", re.DOTALL)
_BREAK = re.compile(r"[\s_\-—–:：、┋|.．(（]+")


@dataclass(frozen=True)
class Answers:
    """`chosen`: options × rows; `known`: rows in which some option is not blank."""

    name: str
    options: list[str]
    chosen: Bools
    known: Bools

    @cached_property
    def any_chosen(self) -> Bools:
        found: Bools = np.logical_or.reduce(self.chosen, axis=0)
        return found

    def base(self, kind: str) -> Bools:
        """The rows that shares are taken of."""
        if kind == "all":
            return np.ones(self.known.size, dtype=np.bool_)
        return self.any_chosen if kind == "chosen" else self.known


def answers(of: AnswerSet, name: str) -> Answers:
    known: Bools = ~np.logical_and.reduce([column.missing for column in of.columns], axis=0)
    if of.counted is None:
        options, chosen = _listed(of.columns)
    else:
        options = option_names([titles(of.columns)[column.id] for column in of.columns])
        chosen = np.array([_holding(column, of.counted) for column in of.columns])
    return Answers(name, options, chosen, known)


def _holding(column: Column, counted: Value) -> Bools:
    """Rows of the value that means chosen; 1 and "1" and true are one value, as files keep them."""
    code = next((level.code for level in column.levels if _same(level.value, counted)), None)
    held: Bools = np.zeros(len(column), dtype=np.bool_) if code is None else column.codes == code
    return held


def _same(value: Value, counted: Value) -> bool:
    try:
        return float(value) == float(counted)
    except ValueError:
        return str(value) == str(counted)


def _listed(columns: Sequence[Column]) -> tuple[list[str], Bools]:
    """Columns that hold the answers themselves: an option is chosen where any of them holds it."""
    words: dict[Value, str] = {}
    for column in columns:
        for level in column.levels:
            words.setdefault(level.value, level.label)
    values = sorted(words) if all(isinstance(value, int | float) for value in words) else list(words)
    rows = [np.logical_or.reduce([_holding(column, value) for column in columns]) for value in values]
    empty = np.zeros((0, len(columns[0])), dtype=np.bool_)
    return unique([words[value] for value in values]), np.array(rows) if rows else empty


def option_names(names: Sequence[str]) -> list[str]:
    """The options without the question they all begin with: 渠道(微信), 渠道(微博) → 微信, 微博."""
    inside = [_INSIDE.match(name) for name in names]
    if all(inside) and len({match.group(1) for match in inside if match}) == 1:
        short = [match.group(2).strip() for match in inside if match]
    else:
        shared = _shared(names)
        ends = [match.end() for match in _BREAK.finditer(shared)]
        short = [name[ends[-1] :].strip() for name in names] if ends else list(names)
    return short if all(short) and len(set(short)) == len(short) else unique(list(names))


def _shared(names: Sequence[str]) -> str:
    """What all names begin with: the least and the greatest differ first where any two do."""
    low, high = min(names), max(names)
    return low[: next((i for i, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), len(low))]


def weighted(rows: Bools, counts: Floats | None) -> float:
    """Cases in these rows."""
    return float(np.count_nonzero(rows)) if counts is None else float(counts[rows].sum())
