"""Coded answers as columns of the data: one of 0 and 1 for each code, together a set of multiple answers.

Who gave no answer is missing; an answer without a code yet, and one that is 无效, have missing codes of their own, so
that a 0 always says: this was answered and does not mention it.
"""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from hengxi.answers.reading import read_answers
from hengxi.contract.derived import Made
from hengxi.data import store
from hengxi.data.derive import derive, write
from hengxi.data.describe import describe_one
from hengxi.data.meta import AnswerSet, Level, Meta, Missing
from hengxi.data.refusal import DataRefusal
from hengxi.data.table import Table

UNCODED, INVALID = 8, 9
LEVELS: list[tuple[Any, str]] = [(0, "未提及"), (1, "提及")]
MISSING = {UNCODED: "未编码", INVALID: "无效"}


def coded(key: str, body: dict[str, Any]) -> dict[str, Any]:
    """The next version of table `key`, under the key `table`.

    `of`, `column`, `mask`: where the answers were read; its rows are those of `key`. `codes`: `{name, code, column}`,
    `column` the id it had in an earlier writing that stands in `key`; `gone`: columns of that writing without a code
    now. `marks`: `[[answer, [code, …]], …]`, `invalid` the code of 无效. `set`: `{id, name}`, id null for a new one;
    `sets`: the sets of the version so far.
    """
    base, source = Table.open(key), Table.open(str(body["of"]))
    if base.rows != source.rows:
        raise DataRefusal("answers.moved", "这份数据的行数和编码时不同，编码不能写到这里")
    found = read_answers(source, str(body["column"]), bool(body["mask"]))
    codes = [int(one["code"]) for one in body["codes"]]
    cells = _cells(len(found.texts), codes, body["marks"], body.get("invalid"))
    rows = np.where(found.place[:, None] >= 0, cells[found.place], np.nan)
    columns = {column.id for column in base.meta.columns}
    before = {one["column"] for one in body["codes"] if one["column"] in columns}
    made = [
        Made(name=one["name"], values=rows[:, j], measure="定类", levels=LEVELS) for j, one in enumerate(body["codes"])
    ]
    removed = before | (set(body.get("gone") or ()) & columns)
    derived = derive(base, made, removed=removed, why="由文本编码得到")
    ids = [
        one["column"] if one["column"] in before else fresh
        for one, fresh in zip(body["codes"], derived.ids, strict=True)
    ]
    table = _renamed(derived.table, dict(zip(derived.ids, ids, strict=True)))
    for column_id in ids:
        column = table.meta.column(column_id)
        column.missing = Missing(values=list(MISSING))
        column.missing_labels = [Level(value=value, label=label) for value, label in MISSING.items()]
        describe_one(column, table.source.array(column_id), declared=True)
    before_sets = [msgspec.convert(one, AnswerSet) for one in body["sets"]]
    set_id = _put_set(before_sets, table.meta, ids, body["set"])
    meta = write(table, store.table_path(str(body["table"])))
    return {**meta.wire(), "ids": ids, "set": set_id, "renamed": derived.renamed}


def _cells(size: int, codes: list[int], marks: list[Any], invalid: int | None) -> npt.NDArray[np.float64]:
    """Answers × codes."""
    cells = np.full((size, len(codes)), float(UNCODED))
    place = {code: j for j, code in enumerate(codes)}
    for at, own in marks:
        if not 0 <= at < size:
            raise DataRefusal("answers.absent", "有的编码在这一列里找不到对应的回答，请重新建立编码")
        cells[at] = INVALID if invalid in own else 0
        for code in own:
            if code in place and invalid not in own:
                cells[at, place[code]] = 1
    return cells


def _renamed(table: Table, ids: dict[str, str]) -> Table:
    """Columns of an earlier writing keep their ids, so that filters and forms that name them go on."""
    data = pa.table({ids.get(name, name): table.source.array(name) for name in table.source.names})
    meta = msgspec.convert(table.meta.wire(), Meta)
    for column in meta.columns:
        column.id = ids.get(column.id, column.id)
    return Table.in_memory(meta, data)


def _put_set(before: list[AnswerSet], meta: Meta, ids: list[str], asked: dict[str, Any]) -> str | None:
    """The set of the codes, in the place of the one of an earlier writing; one code alone makes none."""
    known = [one for one in before if one.id != asked.get("id")]
    left = {column.id for column in meta.columns}
    kept = [msgspec.structs.replace(one, columns=[c for c in one.columns if c in left]) for one in known]
    kept = [one for one in kept if len(one.columns) > 1]
    if len(ids) < 2:
        meta.sets = kept or msgspec.UNSET
        return None
    numbers = [int(one.id[1:]) for one in known if one.id[1:].isdigit()]
    set_id = asked.get("id") or f"s{max(numbers, default=0) + 1}"
    names = {one.name for one in kept}
    name = asked["name"] if asked["name"] not in names else f"{asked['name']}（编码）"
    meta.sets = [*kept, AnswerSet(id=set_id, name=name, columns=ids, counted=1)]
    return str(set_id)
