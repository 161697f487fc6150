"""Rows and columns put in and taken out; what is remembered does the same again after other steps changed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hengxi.data import cases, cells, shaping
from hengxi.data.build import table_of
from hengxi.data.derive import derive, write
from hengxi.data.refusal import DataRefusal
from hengxi.data.store import table_path
from hengxi.data.table import Table

BASE, NEW, NEXT = (f"t_{letter * 32}" for letter in "abc")


@pytest.fixture(autouse=True)
def stored(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HENGXI_DATA", str(tmp_path))
    write(table_of({"编号": ["A", "B", "C", "D"], "年龄": [17, 22, 31, 44]}), table_path(BASE))


def act(key: str, to: str, **what: Any) -> dict[str, Any]:
    of = {"of": what.pop("of")} if "of" in what else {}
    return shaping.shape(key, {"table": to, "act": what, **of})["act"]


def column(key: str, column_id: str) -> list[Any]:
    table = Table.open(key)
    return table.shown(column_id, np.arange(table.rows))


def test_empty_rows_come_before_a_row_and_take_values() -> None:
    told = act(BASE, NEW, op="insert_rows", at=1, count=2)
    assert column(NEW, "c1") == ["A", None, None, "B", "C", "D"] and told["before"] == [1, 0]
    assert Table.open(NEW).column("c2").profile.missing == 2
    made = cells.edit_cells(NEW, {"table": NEXT, "cells": [{"row": 2, "column": "c2", "value": 5}]})
    assert made["changes"][0]["case"] == [told["new"][1], 0]
    assert column(NEXT, "c2") == [17, None, 5, 22, 31, 44]


def test_behind_the_last_row() -> None:
    act(BASE, NEW, op="insert_rows", at=4, count=1)
    assert column(NEW, "c1") == ["A", "B", "C", "D", None]


def test_remembered_rows_are_put_in_before_the_same_case_and_are_the_same_rows() -> None:
    told = act(BASE, NEW, op="insert_rows", at=2, count=1)
    derive(Table.open(BASE), [], index=np.array([1, 2])).write(NEXT)
    again = f"t_{'d' * 32}"
    act(NEXT, again, **told)
    assert column(again, "c1") == ["B", None, "C"]
    assert cases.cases_at(Table.open(again), [1]) == [(told["new"][0], 0)]


def test_rows_are_taken_out_and_remembered_as_cases() -> None:
    told = act(BASE, NEW, op="delete_rows", rows=[2, 0, 2])
    assert column(NEW, "c1") == ["B", "D"] and told["cases"] == [[0, 0], [2, 0]]
    derive(Table.open(BASE), [], index=np.array([2, 3])).write(NEXT)
    again = f"t_{'d' * 32}"
    act(NEXT, again, **told)
    assert column(again, "c1") == ["D"]


def test_rows_of_an_older_version_are_meant_where_it_is_named() -> None:
    act(BASE, NEW, op="delete_rows", rows=[0])
    act(NEW, NEXT, op="delete_rows", rows=[2], of=BASE)
    assert column(NEXT, "c1") == ["B", "D"]


def test_columns_come_in_their_place_and_take_what_their_kind_says() -> None:
    new = [{"name": "备注", "kind": "文字"}, {"name": "身高", "kind": "数值"}, {"name": "日", "kind": "日期"}]
    told = act(BASE, NEW, op="insert_columns", before="c2", columns=new)
    meta = Table.open(NEW).meta
    assert [one.name for one in meta.columns] == ["编号", "备注", "身高", "日", "年龄"]
    assert [one.measure for one in meta.columns[1:4]] == ["文本", "定量", "时间"] and told["ids"] == ["c3", "c4", "c5"]
    wanted = [("c3", "好"), ("c4", "180.5"), ("c5", "2024-01-31")]
    changes = [{"row": 0, "column": c, "value": v} for c, v in wanted]
    assert len(cells.edit_cells(NEW, {"table": NEXT, "cells": changes})["changes"]) == 3


def test_columns_are_taken_out() -> None:
    act(BASE, NEW, op="delete_columns", columns=["c1"])
    assert [one.id for one in Table.open(NEW).meta.columns] == ["c2"]


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ({"op": "insert_rows", "at": 0, "count": 1001}, "最多插入 1,000 行"),
        ({"op": "delete_rows", "rows": [4]}, "没有这一行"),
        ({"op": "delete_rows", "rows": [0, 1, 2, 3]}, "不能删除全部行"),
        ({"op": "delete_columns", "columns": ["c1", "c2"]}, "不能删除全部列"),
        ({"op": "delete_columns", "columns": ["c7"]}, "不存在"),
        ({"op": "insert_columns", "before": None, "columns": [{"name": "年龄", "kind": "数值"}]}, "已存在"),
        ({"op": "insert_columns", "before": None, "columns": [{"name": " ", "kind": "数值"}]}, "不能为空"),
    ],
)
def test_refusals_say_what_is_wrong(what: dict[str, Any], words: str) -> None:
    with pytest.raises(DataRefusal, match=words):
        act(BASE, NEW, **what)


def test_more_rows_than_one_takes_out_by_hand() -> None:
    many = f"t_{'e' * 32}"
    write(table_of({"x": list(range(10_050))}), table_path(many))
    with pytest.raises(DataRefusal, match="一次最多删除 10,000 行，已选 10,001 行"):
        act(many, NEW, op="delete_rows", rows=list(range(10_001)))
