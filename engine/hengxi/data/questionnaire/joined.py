"""Several answers in one cell (`微信┋微博`): one new column of 0 and 1 per option, the cell stays as it is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from hengxi.data.arrays import Bools, Ints, Source, picked
from hengxi.data.meta import Column, Level
from hengxi.data.questionnaire.codes import SKIPPED
from hengxi.data.values import dictionary, indices

SAMPLE = 500
MOST_OPTIONS = 60
MOST_ANSWERS = 20_000
LONGEST = 60
SHORT = 30
LEAST_JOINED, LEAST_EACH, MOST_PLAIN, SHORT_PLAIN = 10, 3, 30, 12
"""Outside a questionnaire: cells of several options, cells of each option, options, letters of an option."""
MOST_ALIKE = 0.95
SHOWN = 3
_OTHER = re.compile(r"〖[^〖〗]*〗|\{[^{}]*\}$")  # what was written beside an option
_SURE, _BAR = "┋", "|"
_ORDINARY = (";", "；", ", ", "，", "、", ",", "\n", "#")
"""Signs of any text: they join answers only in a questionnaire, where the same short options come again and again."""


@dataclass
class Split:
    """The options of a column and, per option, its cells."""

    column: Column
    options: list[str]
    arrays: list[pa.Array]
    samples: list[tuple[int, str, list[str]]]
    """(row from 1, cell, its options) of the first joined cells, as far as they differ."""
    joined: int
    """Cells of several options."""


def split_joined(column: Column, source: Source, asked: bool = False, anywhere: bool = False) -> Split | None:
    """None where the column does not hold joined answers. `asked`: the table is a questionnaire.

    `anywhere`: what else looks like answers, in any table; a person has to say so.
    """
    array = source.array(column.id)
    if column.storage != "text" or not pa.types.is_large_string(array.type):
        return None
    sample = _sampled(array)
    separator = _separator(sample, asked or anywhere)
    if separator is None or (anywhere and _is_prose(sample, separator)):
        return None
    encoded = dictionary(array)
    answers = encoded.dictionary.to_pylist()
    if len(answers) > MOST_ANSWERS:
        return None
    parts = [_options(str(answer), separator) for answer in answers]
    options = list(dict.fromkeys(option for part in parts for option in part))
    if not 2 <= len(options) <= MOST_OPTIONS or any(len(option) > LONGEST for option in options):
        return None
    cells = indices(encoded)
    if separator != _SURE and not _recur(parts, cells, len(options)):
        return None
    if separator in _ORDINARY and not _mixed(parts, options):
        return None
    several = np.array([len(part) > 1 for part in parts] + [False], dtype=np.bool_)[cells]
    if anywhere and not _plain(parts, cells, options, int(several.sum())):
        return None
    place = {option: i for i, option in enumerate(options)}
    chosen = np.zeros((len(answers) + 1, len(options)), dtype=np.int64)  # the last row answers a missing cell
    for row, part in enumerate(parts):
        chosen[row, [place[option] for option in part]] = 1
    gone = np.array([answer in SKIPPED for answer in answers] + [True], dtype=np.bool_)
    missing = gone[cells]
    arrays = [pa.array(chosen[:, i][cells], mask=missing) for i in range(len(options))]
    return Split(column, options, arrays, _samples(answers, parts, cells, several), int(several.sum()))


def _samples(
    answers: list[Any], parts: list[list[str]], cells: Ints, several: Bools
) -> list[tuple[int, str, list[str]]]:
    firsts = {int(cells[row]): int(row) for row in np.flatnonzero(several)[::-1]}
    found = sorted(firsts.items(), key=lambda item: item[1])[:SHOWN]
    return [(row + 1, str(answers[code]), parts[code]) for code, row in found]


def _plain(parts: list[list[str]], cells: Ints, options: list[str], joined: int) -> bool:
    """A few short options, each in several cells and many cells of several: remarks and names are not built so."""
    if joined < LEAST_JOINED or len(options) > MOST_PLAIN or any(len(option) > SHORT_PLAIN for option in options):
        return False
    counts = np.bincount(cells[cells >= 0], minlength=len(parts))
    sizes: dict[int, int] = {}
    for n, part in zip(counts, parts, strict=False):
        sizes[len(part)] = sizes.get(len(part), 0) + int(n)
    if max(sizes.values()) > MOST_ALIKE * sum(sizes.values()):
        return False  # always a pair: a place, a range, a name
    given = dict.fromkeys(options, 0)
    for n, part in zip(counts, parts, strict=False):
        for option in part:
            given[option] += int(n)
    return min(given.values()) >= LEAST_EACH and not any(option.replace(".", "").isdigit() for option in options)


def _sampled(array: pa.ChunkedArray) -> list[str]:
    """Cells spread over the column."""
    places = np.unique(np.linspace(0, max(len(array) - 1, 0), min(SAMPLE, len(array))).astype(np.int64))
    return [cell for cell in picked(array, places) if cell]


def _is_prose(cells: list[str], separator: str) -> bool:
    """More, or longer, pieces already than a choice has options: the whole column need not be looked at."""
    pieces = {option for cell in cells for option in _options(cell, separator)}
    return len(pieces) > MOST_PLAIN or any(len(piece) > SHORT_PLAIN for piece in pieces)


def _separator(cells: list[str], asked: bool) -> str | None:
    """The sign that joins answers."""
    signs: tuple[str, ...] = (_SURE, _BAR, *_ORDINARY) if asked else (_SURE, _BAR)
    for sign in signs:
        found = sum(1 for cell in cells if sign in cell.strip(sign))
        if found > (0.0 if sign == _SURE else 0.05) * len(cells):
            return sign
    return None


def _mixed(parts: list[list[str]], options: list[str]) -> bool:
    """Short options, in at least as many different mixtures as there are options: 北京, 海淀 is a place, no choice."""
    mixtures = {tuple(part) for part in parts if len(part) > 1}
    return len(mixtures) >= len(options) and all(len(option) <= SHORT for option in options)


def _recur(parts: list[list[str]], cells: Ints, options: int) -> bool:
    """A bar is an ordinary sign too: only options that come again, in at least three joined cells, are answers.

    Some option has to stand in other company as well: 甲|乙 beside 丙 is the name of a group.
    """
    if sum(map(len, parts)) <= options:
        return False
    counts = np.bincount(cells + 1, minlength=len(parts) + 1)[1:]  # a missing cell is −1
    joined = sum(int(n) for n, part in zip(counts, parts, strict=True) if len(part) > 1)
    given = sum(int(n) * len(part) for n, part in zip(counts, parts, strict=True))
    return joined >= 3 and given >= 2 * options


def _options(answer: str, separator: str) -> list[str]:
    if answer in SKIPPED:
        return []
    return list(dict.fromkeys(option for part in answer.split(separator) if (option := _OTHER.sub("", part).strip())))


def made_columns(split: Split, first: int) -> list[Column]:
    """Columns c<first> … for the options."""
    out = []
    for i, option in enumerate(split.options):
        column = Column(id=f"c{first + i}", name=f"{split.column.name}({option})", measure="定类", storage="int")
        column.label = f"{split.column.label}({option})" if split.column.label else None
        column.levels = [Level(value=0, label="未选"), Level(value=1, label="选中")]
        column.why = f"由“{split.column.name}”的多选答案拆分"
        out.append(column)
    return out
