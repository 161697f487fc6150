"""The different answers of a column, numbered in the order in which they first stand there.

The number of an answer is its name between server and engine, so it must come out the same every time: it depends on
the cells and on `mask` alone. Equal cells are one answer; what is empty or a missing code is none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hengxi.contract.assets import clean
from hengxi.data.refusal import DataRefusal
from hengxi.data.table import Table
from hengxi.data.text_preview import PERSONAL

MOST_ROWS, MOST_ANSWERS, MOST_CHARACTERS, LONGEST = 200_000, 100_000, 20_000_000, 20_000
MASKS = (("id", "[证件号]"), ("phone", "[手机号]"), ("email", "[邮箱]"))
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Answers:
    """`place`: the answer of each row, −1 where there is none; `rows` and `first`: how many rows, and which, from 1."""

    texts: list[str]
    place: Ints
    rows: Ints
    first: Ints
    masked: int
    """Rows in which something personal was covered."""
    cut: int


def read_answers(table: Table, column: str, mask: bool) -> Answers:
    """Refused beyond what a person can code."""
    if table.rows > MOST_ROWS:
        raise DataRefusal(
            "answers.rows", f"这份数据有 {table.rows:,} 行，最多编码 {MOST_ROWS:,} 行。请先筛选出一份较小的数据"
        )
    numbers: dict[str, int] = {}
    place = np.full(table.rows, -1, dtype=np.int64)
    masked = cut = 0
    for row, cell in enumerate(table.text(column)):
        text = "" if cell is None else clean(str(cell))
        if not text:
            continue
        if len(text) > LONGEST:
            text, cut = text[:LONGEST], cut + 1
        if mask:
            covered = covering(text)
            masked += covered != text
            text = covered
        place[row] = numbers.setdefault(text, len(numbers))
    return _counted(list(numbers), place, masked, cut)


def _counted(texts: list[str], place: Ints, masked: int, cut: int) -> Answers:
    if not texts:
        raise DataRefusal("answers.none", "这个变量没有可以编码的文字，请换一个变量")
    characters = sum(map(len, texts))
    if characters > MOST_CHARACTERS:
        raise DataRefusal("answers.long", f"文本共 {characters:,} 字，超过上限 {MOST_CHARACTERS:,} 字，请先筛选或抽样")
    if len(texts) > MOST_ANSWERS:
        raise DataRefusal(
            "answers.many", f"不同的回答有 {len(texts):,} 条，最多编码 {MOST_ANSWERS:,} 条，请先筛选或抽样"
        )
    rows = np.bincount(place[place >= 0], minlength=len(texts))
    _, first = np.unique(np.where(place < 0, len(texts), place), return_index=True)
    return Answers(texts, place, rows, first[: len(texts)] + 1, masked, cut)


def covering(text: str) -> str:
    """What tells who somebody is, by a word for it."""
    for kind, word in MASKS:
        text = PERSONAL[kind].sub(word, text)
    return text


def answers(key: str, body: dict[str, Any]) -> dict[str, Any]:
    """`{column, mask}` → the answers in order: text, rows that give it, the first of these; counts over the table."""
    table = Table.open(key)
    found = read_answers(table, str(body["column"]), bool(body["mask"]))
    return {
        "texts": found.texts,
        "rows": found.rows.tolist(),
        "first": found.first.tolist(),
        "total": table.rows,
        "answered": int((found.place >= 0).sum()),
        "masked": found.masked,
        "cut": found.cut,
    }
