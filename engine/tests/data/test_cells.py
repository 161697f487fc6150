"""Cells typed over: types are kept, refusals say the cell, the old version stays."""

from __future__ import annotations

from typing import Any

import pytest

from hengxi.data import cells, edits
from hengxi.data.build import table_of
from hengxi.data.derive import write
from hengxi.data.refusal import DataRefusal
from hengxi.data.store import table_path
from hengxi.data.table import Table

BASE, NEW = f"t_{'a' * 32}", f"t_{'b' * 32}"


@pytest.fixture(autouse=True)
def stored(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HENGXI_DATA", str(tmp_path))
    table = table_of(
        {"年龄": [18, 20, None], "城市": ["甲", "乙", "甲"], "分数": [1.5, 2.5, 3.5], "对": [True, False, True]}
    )
    write(table, table_path(BASE))


def put(*changes: tuple[int, str, Any]) -> dict[str, Any]:
    body = {"table": NEW, "cells": [{"row": r, "column": c, "value": v} for r, c, v in changes]}
    return cells.edit_cells(BASE, body)


def test_old_and_new_are_told_and_the_old_version_stays() -> None:
    made = put((0, "c1", 19), (2, "c1", "３０"), (1, "c2", None), (0, "c4", "否"), (1, "c3", 2.5))
    assert made["changes"] == [
        {"row": 0, "column": "c1", "old": 18, "new": 19, "case": [0, 0]},
        {"row": 0, "column": "c4", "old": True, "new": False, "case": [0, 0]},
        {"row": 1, "column": "c2", "old": "乙", "new": None, "case": [1, 0]},
        {"row": 2, "column": "c1", "old": None, "new": 30, "case": [2, 0]},
    ]
    assert Table.open(NEW).numeric("c1").tolist() == [19, 20, 30]
    assert Table.open(BASE).numeric("c1").tolist()[0] == 18
    assert made["columns"][0]["profile"]["mean"] == 23 and made["columns"][1]["profile"]["missing"] == 1


def test_a_decimal_in_whole_numbers_makes_decimals() -> None:
    made = put((0, "c1", 18.5))
    assert made["columns"][0]["storage"] == "float" and Table.open(NEW).numeric("c1")[0] == 18.5


@pytest.mark.parametrize(
    ("change", "code", "words"),
    [
        ((0, "c1", "abc"), "cells.number", "第 1 行“年龄”应填数字，“abc”不是数字"),
        ((1, "c4", "也许"), "cells.bool", "第 2 行“对”应填 是 或 否"),
        ((9, "c1", 1), "cells.row", "没有第 10 行"),
        (("二", "c1", 1), "cells.row", "没有第 二 行"),
        ((0, "c9", 1), "column.gone", "不存在"),
        ((0, "c2", "长" * 40_000), "cells.text", "最多 32,767 个字"),
    ],
)
def test_what_does_not_fit_is_refused_by_its_cell(change: tuple[int, str, Any], code: str, words: str) -> None:
    with pytest.raises(DataRefusal) as caught:
        put(change)
    assert caught.value.code == code and words in caught.value.text
    assert not table_path(NEW).exists()


def test_dates_and_texts_read_as_numbers() -> None:
    import datetime

    table = table_of({"日": [datetime.date(2024, 1, 1), None], "价": ["1", "x"]})
    write(table, table_path(BASE))
    edits.edit(BASE, {"table": NEW, "columns": [{"id": "c2", "measure": "定量"}]})
    third = f"t_{'c' * 32}"
    changes = [{"row": 1, "column": "c1", "value": "2024/02/30"}]
    with pytest.raises(DataRefusal, match="应填日期"):
        cells.edit_cells(NEW, {"table": third, "cells": changes})
    with pytest.raises(DataRefusal, match="应填数字"):
        cells.edit_cells(NEW, {"table": third, "cells": [{"row": 0, "column": "c2", "value": "y"}]})
    fits = [{"row": 1, "column": "c1", "value": "2024-02-29"}, {"row": 1, "column": "c2", "value": 7}]
    made = cells.edit_cells(NEW, {"table": third, "cells": fits})
    assert made["changes"][0]["new"] == "2024-02-29"
    assert Table.open(third).numeric("c2").tolist() == [1, 7]


def test_nothing_and_too_much_are_refused() -> None:
    with pytest.raises(DataRefusal, match="没有要修改"):
        put()
    with pytest.raises(DataRefusal, match="10,000"):
        put(*[(0, "c1", i) for i in range(10_001)])


def test_a_value_is_written_only_over_the_one_it_was_meant_for() -> None:
    def again(row: int, old: Any) -> dict[str, Any]:
        given = {"row": row, "column": "c1", "old": old, "value": 19}
        return cells.edit_cells(BASE, {"table": NEW, "cells": [given]})

    with pytest.raises(DataRefusal, match="第 2 行“年龄”现在是 20，当时改的是 18") as caught:
        again(1, 18)
    assert caught.value.code == "cells.other"
    assert again(0, 18)["changes"] == [{"row": 0, "column": "c1", "old": 18, "new": 19, "case": [0, 0]}]


def test_a_time_that_is_another_by_now_is_told_as_a_time() -> None:
    table = Table.open(BASE)
    table.meta.columns[0].clock = "TIME8"
    with pytest.raises(DataRefusal, match="现在是 00:00:18，当时改的是 08:30:15"):
        cells.changed(table, [{"row": 0, "column": "c1", "old": 30_615, "value": 19}])
