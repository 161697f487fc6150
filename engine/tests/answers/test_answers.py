"""Coding of answers: which answers there are, what suggests a code, and the columns that come of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from hengxi.answers import drafting, reading, suggesting, writing
from hengxi.data.refusal import DataRefusal
from hengxi.data.table import Table
from tests.data.conftest import Import

CELLS = ["服务热情，前台慢", "", "房间干净", "服务热情，前台慢", "打13812345678", " 房间干净 ", "ＷＩＦＩ差"]
WHERE = {"column": "c2", "mask": True}


def table_of(read: Import, cells: list[str]) -> str:
    lines = "".join(f'{i},"{cell}"\n' for i, cell in enumerate(cells, 1))
    return str(read("n,意见\n" + lines, on_doubt="text")["key"])


@pytest.fixture
def key(read: Import) -> str:
    return table_of(read, CELLS)


def test_equal_answers_are_one_and_personal_data_is_covered(key: str) -> None:
    found = reading.answers(key, WHERE)
    assert found["texts"] == ["服务热情，前台慢", "房间干净", "打[手机号]", "ＷＩＦＩ差"]
    assert (found["rows"], found["first"]) == ([2, 2, 1, 1], [1, 3, 5, 7])
    assert (found["total"], found["answered"], found["masked"]) == (7, 6, 1)
    assert reading.answers(key, {**WHERE, "mask": False})["texts"][2] == "打13812345678"


def test_an_identity_number_is_no_phone_number() -> None:
    assert reading.covering("证11010519491231002X 机13912345678 邮a.b@c.com") == "证[证件号] 机[手机号] 邮[邮箱]"


def test_a_column_without_answers_is_refused(read: Import) -> None:
    with pytest.raises(DataRefusal, match="没有可以编码的文字"):
        reading.answers(table_of(read, ["", " "]), WHERE)


def test_rules_go_by_words(key: str) -> None:
    def hits(rule: str) -> list[int]:
        body = {**WHERE, "rules": [{"code": 3, "name": "甲", "rule": rule}], "marks": []}
        found = suggesting.suggest(key, body, lambda *_: True)
        assert "人工编码满 50 条" in found["why"] and all(one[1:] == [3, 1.0] for one in found["suggestions"])
        return [one[0] for one in found["suggestions"]]

    assert hits("热情，干净") == [0, 1]
    assert hits("热情+慢") == [0]
    assert hits("热情，干净，!前台") == [1]
    assert hits("wifi") == [3]
    assert hits("/房.干/") == [1]
    for bad in ("!慢", "/(/"):
        with pytest.raises(DataRefusal, match="编码“甲”的规则"):
            hits(bad)


def test_a_first_code_book_holds_the_words_that_go_together(read: Import) -> None:
    cells = [
        f"{one}，第{i}条" for i, one in enumerate(["早餐种类丰富", "早餐味道可口", "停车不方便", "停车位置少"] * 8)
    ]
    found = drafting.draft(table_of(read, cells), {**WHERE, "k": 2})
    names = {one["name"]: one for one in found["codes"]}
    assert set(names) == {"早餐", "停车"}
    assert names["早餐"]["answers"] == 16 and "停车" not in names["早餐"]["words"]
    with pytest.raises(DataRefusal, match="太少"):
        drafting.draft(table_of(read, ["甲乙", "丙丁"]), {**WHERE, "k": 5})


def test_a_first_code_book_counts_all_answers(read: Import, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafting, "MOST_TEXTS", 16)
    cells = [
        f"{one}，第{i}条" for i, one in enumerate(["早餐种类丰富", "停车不方便", "停车位置少", "早餐味道可口"] * 8)
    ]
    found = drafting.draft(table_of(read, cells), {**WHERE, "k": 2})
    assert found["read"] == 16
    assert [one["answers"] for one in found["codes"]] == [16, 16]


def test_learning_suggests_what_people_have_coded(read: Import) -> None:
    parts = ["早餐很好吃", "停车不方便", "隔音太差了"]
    cells = [f"{parts[i % 3]}{'啊呀嗯哦'[i % 4]}{i}" for i in range(120)]
    key = table_of(read, cells)
    marks = [[i, [10 + i % 3]] for i in range(60)]
    asked = {**WHERE, "rules": [], "marks": marks}
    found = suggesting.suggest(key, asked, lambda *_: True)
    assert found["learnt"]["codes"] == [10, 11, 12]
    best: dict[int, tuple[float, int]] = {}
    for at, code, p in found["suggestions"]:
        best[at] = max(best.get(at, (0, 0)), (p, code))
        assert 0.5 <= p < 1
    assert {at: code for at, (_, code) in best.items()} == {i: 10 + i % 3 for i in range(60, 120)}
    assert found["learnt"]["agreed"][0]["suggested"] >= found["learnt"]["agreed"][0]["right"] >= 55
    one_code = suggesting.suggest(key, {**asked, "marks": [[i, [10]] for i in range(60)]}, lambda *_: True)
    assert one_code["learnt"] is None and "学不出规律" in one_code["why"]


def written(key: str, keys: Callable[[], str], **more: Any) -> tuple[dict[str, Any], Table]:
    asked = {
        **WHERE,
        "table": keys(),
        "of": key,
        "codes": [{"code": 1, "name": "意见_服务", "column": None}, {"code": 2, "name": "意见_设施", "column": None}],
        "marks": [[0, [1, 2]], [1, [2]], [2, [9]]],
        "invalid": 9,
        "set": {"id": None, "name": "意见"},
        "sets": [],
    }
    meta = writing.coded(key, {**asked, **more})
    return meta, Table.open({**asked, **more}["table"])


def test_coded_answers_are_a_set_of_multiple_answers(key: str, keys: Callable[[], str]) -> None:
    meta, table = written(key, keys)
    assert meta["ids"] == ["c3", "c4"]
    assert meta["sets"] == [{"id": "s1", "name": "意见", "label": None, "columns": ["c3", "c4"], "counted": 1}]
    column = table.meta.column("c3")
    assert [(level.value, level.label, level.count) for level in column.levels or []] == [
        (0, "未提及", 2),
        (1, "提及", 2),
    ]
    # Row 2 gave no answer, row 5 is 无效 (9), row 7 not coded yet (8).
    shown = table.shown("c3", np.arange(7))
    assert shown == [1, None, 0, 1, 9, 0, 8]
    assert np.array_equal(table.numeric("c4"), [1, np.nan, 1, 1, np.nan, 1, np.nan], equal_nan=True)
    assert {(one.value, one.label) for one in column.missing_labels} == {(8, "未编码"), (9, "无效")}  # type: ignore[union-attr]
    assert table.text("c2")[0] == CELLS[0]


def test_a_later_writing_takes_the_place_of_the_earlier_one(key: str, keys: Callable[[], str]) -> None:
    earlier = keys()
    written(key, keys, table=earlier)
    again = {
        "codes": [{"code": 2, "name": "意见_设施", "column": "c4"}, {"code": 5, "name": "意见_价格", "column": None}],
        "gone": ["c3"],
        "marks": [[3, [5]]],
        "set": {"id": "s1", "name": "意见"},
        "sets": [{"id": "s1", "name": "意见", "columns": ["c3", "c4"]}],
    }
    body = {**WHERE, "table": keys(), "of": key, "invalid": None, **again}
    meta = writing.coded(earlier, body)
    assert [column["id"] for column in meta["columns"]] == ["c1", "c2", "c4", "c6"]
    assert meta["sets"][0]["columns"] == ["c4", "c6"] and len(meta["sets"]) == 1
    table = Table.open(str(body["table"]))
    assert table.shown("c6", np.array([6])) == [1] and table.shown("c4", np.array([0])) == [8]


def test_moved_rows_are_refused(key: str, keys: Callable[[], str], read: Import) -> None:
    other = table_of(read, CELLS[:3])
    with pytest.raises(DataRefusal, match="行数"):
        writing.coded(other, {**WHERE, "table": keys(), "of": key, "codes": [], "marks": [], "set": {"name": "x"}})
    with pytest.raises(DataRefusal, match="找不到对应的回答"):
        written(key, keys, marks=[[99, [1]]])
