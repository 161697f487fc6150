"""Replacing keeps the types of the columns, refuses with the cell, and leaves every other cell as it lies."""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np
import pytest

from hengxi.data import edits, pages, replacing
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
        {
            "城市": ["北京市", "北京市", None, "上海市", "南京"],
            "年龄": [18, 99, 21, 199, None],
            "日": [date(2024, 1, 2), date(2023, 1, 2), None, date(2024, 5, 6), date(2024, 1, 2)],
        }
    )
    write(table, table_path(BASE))


def done(text: str, by: str, key: str = BASE, condition: str | None = None, **how: Any) -> dict[str, Any]:
    body = {"table": NEW, "seek": {"text": text, **how}, "with": by, "condition": condition}
    return replacing.replace(key, body)["told"]


def column(column_id: str) -> list[Any]:
    table = Table.open(NEW)
    return table.shown(column_id, np.arange(table.rows))


def test_a_part_of_texts_in_one_column() -> None:
    told = done("市", "", columns=["c1"])
    assert column("c1") == ["北京", "北京", None, "上海", "南京"]
    assert told["cells"] == told["rows"] == 3 and told["columns"] == [{"id": "c1", "cells": 3}]
    assert told["samples"][0] == {"row": 0, "column": "c1", "old": "北京市", "new": "北京"}
    assert Table.open(NEW).column("c1").profile.distinct == 3


def test_a_whole_number_becomes_missing_and_a_part_another_number() -> None:
    done("99", "", columns=["c2"], whole=True)
    assert column("c2") == [18, None, 21, 199, None]
    done("9", "0", columns=["c2"])
    assert column("c2") == [18, 0, 21, 100, None]
    done("99", "9.5", columns=["c2"], whole=True)
    assert column("c2") == [18, 9.5, 21, 199, None] and Table.open(NEW).column("c2").storage == "float"


def test_groups_of_a_pattern_and_dates() -> None:
    done(r"^(.)(.)市$", "$2$1", pattern=True)
    assert column("c1") == ["京北", "京北", None, "海上", "南京"]
    done("2024", "2025")
    assert column("c3")[0] == date(2025, 1, 2) and column("c2") == [18, 99, 21, 199, None]


def test_signs_of_patterns_are_plain_signs_in_plain_texts() -> None:
    done("北京市", r"\1$1.*", columns=["c1"])
    assert column("c1")[0] == r"\1$1.*"


def test_labels_stand_for_their_values() -> None:
    levels = [{"value": 18, "label": "小"}, {"value": 99, "label": "不明"}]
    edits.edit(BASE, {"table": NEW, "columns": [{"id": "c2", "measure": "定类", "levels": levels}]})
    body = {"seek": {"text": "不明", "labels": True, "whole": True}, "with": "小"}
    last = f"t_{'c' * 32}"
    replacing.replace(NEW, {"table": last, **body})
    assert Table.open(last).numeric("c2").tolist()[:2] == [18, 18]


def test_only_rows_that_are_shown() -> None:
    assert done("京", "都", condition="{c2} > 50")["cells"] == 1
    assert column("c1") == ["北京市", "北都市", None, "上海市", "南京"]


def test_what_the_column_does_not_take_is_refused_with_its_cell_and_nothing_is_written() -> None:
    with pytest.raises(DataRefusal, match="第 2 行“年龄”应填数字，“九9”不是数字") as caught:
        done("^9", "九", pattern=True)
    assert caught.value.facts["row"] == 1 and not table_path(NEW).exists()
    with pytest.raises(DataRefusal, match="没有这个分组"):
        done("北", "$1", pattern=True)


def test_nothing_to_replace_is_told_as_nothing() -> None:
    assert done("没有的字", "x")["cells"] == 0
    assert done("北", "北")["cells"] == 0


def test_the_next_place_tells_what_it_would_become() -> None:
    asked = {"seek": {"text": "1", "columns": ["c2", "c3"]}, "with": "2", "row": 3}
    found = pages.find(BASE, asked)
    assert found["number"] == 3 and found["columns"] == ["c2"]
    assert found["fresh"] == {"c2": {"old": 199, "value": 299}}
    asked = {"seek": {"text": "2024", "columns": ["c3"]}, "with": "去年", "row": 0}
    assert "应填日期" in pages.find(BASE, asked)["fresh"]["c3"]["fault"]
