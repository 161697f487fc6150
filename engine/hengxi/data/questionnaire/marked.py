"""Options with a column each whose cells repeat the option (微信, or its number) and are blank where it was not chosen.

Each becomes a new column of 0 and 1, so that it can be counted; the cells stay as they are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from hengxi.data.arrays import Bools, Source
from hengxi.data.meta import Column, Level
from hengxi.data.questionnaire.sets import option_of, options_of

CHECKED = "Checked"
TICKED = {CHECKED, "Unchecked"}
MOST = 20
"""Answers beside 其他 may differ; more of them are an open question."""
HEAD = 2_000
_OTHER = ("其他", "其它", "Other")
_BESIDE = re.compile(r"填空\W*$|Text\W*$", re.IGNORECASE)
"""A column of what was written, beside that of the option."""


@dataclass
class Marked:
    """The columns of one question, and the 0 and 1 of each."""

    stem: str
    columns: list[Column]
    arrays: list[pa.Array]


def find_marked(columns: list[Column], source: Source) -> list[Marked]:
    """Questions of at least two options standing side by side."""
    marked = []
    options = list(zip(columns, options_of(columns), strict=True))
    for question, group in groupby(options, lambda pair: pair[1].question if pair[1] else None):
        members, own = zip(*group, strict=True)
        if question and own[0] and len(members) > 1 and (marks := _marks(list(members), source)):
            marked.append(Marked(own[0].title, *marks))
    return marked


def _marks(columns: list[Column], source: Source) -> tuple[list[Column], list[pa.Array]] | None:
    """The options that are marked so, and their cells; None where the question is none of this kind."""
    values: list[list[Any]] = []
    for column in columns:
        own = _values(column, source)
        if own is None:
            return None
        values.append(own)
    if any(values) and all(set(own) <= TICKED for own in values):
        return columns, [pc.equal(source.array(c.id), CHECKED).combine_chunks().cast(pa.int64()) for c in columns]
    options = [i for i, own in enumerate(values) if _is_option(columns[i], own, i + 1)]
    if sum(1 for i in options if values[i]) < 2 or len(options) < len(columns) - 1:
        return None
    given = np.stack([_given(source.array(columns[i].id)) for i in options])
    if given.all():
        return None
    gone = ~given.any(axis=0)  # nothing chosen at all: the question was not answered
    return [columns[i] for i in options], [pa.array(row.astype(np.int64), mask=gone) for row in given]


def _values(column: Column, source: Source) -> list[Any] | None:
    """The different answers; None where there are too many to be options."""
    array = source.array(column.id)
    if column.missing:
        return None
    if column.storage in ("int", "float"):
        low, high = pc.min_max(array).as_py().values()
        return None if low != high else [] if low is None else [low]
    if column.storage != "text" or len(array.slice(0, HEAD).unique()) > MOST:
        return None
    values = [value for value in array.unique().to_pylist() if value is not None]
    return values if len(values) <= MOST else None


def _given(array: pa.ChunkedArray) -> Bools:
    given: Bools = pc.is_valid(array).to_numpy()
    return given


def _is_option(column: Column, values: list[Any], number: int) -> bool:
    """Nothing but the option itself, or what was written beside 其他; nobody may have chosen it."""
    option = option_of(column.name)
    wording = option.text if option else ""
    if not values:
        return True
    if column.storage != "text":
        return values == [number]
    own = len(values) == 1 and (values[0] == wording or (column.label or "").endswith(values[0]))
    return own or (wording.startswith(_OTHER) and not _BESIDE.search(wording))


def marked_columns(found: Marked, first: int) -> list[Column]:
    """Columns c<first> … of 0 and 1."""
    out = []
    for i, column in enumerate(found.columns):
        made = Column(id=f"c{first + i}", name=f"{column.name}_选中", measure="定类", storage="int", label=column.label)
        made.levels = [Level(value=0, label="未选"), Level(value=1, label="选中")]
        made.why = f"由“{column.name}”的多选答案换成 0 和 1"
        out.append(made)
    return out
