"""What is looked for is what the grid shows: values or labels, parts or whole cells, texts or patterns."""

from __future__ import annotations

from typing import Any

import pytest

from hengxi.data import edits, pages, seeking
from hengxi.data.build import table_of
from hengxi.data.derive import write
from hengxi.data.refusal import DataRefusal
from hengxi.data.store import table_path
from hengxi.data.table import Table

BASE, LABELLED = f"t_{'a' * 32}", f"t_{'b' * 32}"


@pytest.fixture(autouse=True)
def stored(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HENGXI_DATA", str(tmp_path))
    table = table_of(
        {
            "城市": ["北京市", "Beijing", None, "南京 (江苏)", "北京市"],
            "性别": [1, 2, 1, 2, 12],
            "分": [1.5, 2.0, 12.0, None, 2.25],
        }
    )
    write(table, table_path(BASE))
    levels = [{"value": 1, "label": "男"}, {"value": 2, "label": "女"}, {"value": 12, "label": "不便说"}]
    edits.edit(BASE, {"table": LABELLED, "columns": [{"id": "c2", "measure": "定类", "levels": levels}]})
    seeking.counts_of.cache_clear()


def cells(text: str, key: str = BASE, **how: Any) -> list[tuple[int, str]]:
    """All places, found one row after the other as the grid asks for them."""
    found: list[tuple[int, str]] = []
    row = 0
    while True:
        hit = pages.find(key, {"seek": {"text": text, **how}, "row": row})
        if hit["row"] is None or (found and hit["row"] <= found[-1][0]):
            assert hit["cells"] == len(found)
            return found
        assert hit["cells_before"] == len(found)
        found += [(hit["row"], column) for column in hit["columns"]]
        row = hit["row"] + 1


def test_parts_whole_cells_and_letters() -> None:
    assert cells("北京") == [(0, "c1"), (4, "c1")]
    assert cells("beijing") == [(1, "c1")] and cells("beijing", case=True) == []
    assert cells("2", columns=["c2"]) == [(1, "c2"), (3, "c2"), (4, "c2")]
    assert cells("2", columns=["c2"], whole=True) == [(1, "c2"), (3, "c2")]
    assert cells("2") == [(1, "c2"), (1, "c3"), (2, "c3"), (3, "c2"), (4, "c2"), (4, "c3")]
    assert cells("(江苏)") == [(3, "c1")] and cells(".") == [(0, "c3"), (4, "c3")]


def test_patterns() -> None:
    assert cells("^[北南]京", pattern=True) == [(0, "c1"), (3, "c1"), (4, "c1")]
    assert cells("[a-z]+", pattern=True, whole=True) == [(1, "c1")]
    assert cells(r"\d\d", pattern=True) == [(2, "c3"), (4, "c2"), (4, "c3")]


def test_labels_where_they_are_shown() -> None:
    assert cells("女", LABELLED) == [] and cells("女", LABELLED, labels=True) == [(1, "c2"), (3, "c2")]
    assert cells("12", LABELLED, columns=["c2"], labels=True) == []


def test_only_rows_of_the_view_backwards_and_round_the_end() -> None:
    seek = {"text": "2", "columns": ["c2"], "whole": True}
    narrowed = {"seek": seek, "condition": "{c3} > 0", "row": 0}
    assert pages.find(BASE, narrowed) | {"columns": []} == {
        "total": 1, "before": 0, "row": 1, "columns": [], "cells": 1, "cells_before": 0, "number": 1,
    }  # fmt: skip
    down = [{"column": "c3", "desc": True}]
    assert pages.find(BASE, {"seek": seek, "sort": down, "row": 0})["row"] == 2
    assert pages.find(BASE, {"seek": seek, "row": 2, "back": True})["row"] == 1
    assert pages.find(BASE, {"seek": seek, "row": 0, "back": True})["row"] == 3
    assert pages.find(BASE, {"seek": seek, "row": 4})["row"] == 1


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("(", "缺少右括号"),
        ("[a", "缺少右方括号"),
        ("*a", "前面没有可重复的内容"),
        ("(?=a)", "不支持"),
        (r"(a)\1", "不支持这个反斜杠写法"),
        ("a{5000}", "重复次数最多"),
        ("((a{100}){100}){100}", "重复次数最多"),
    ],
)
def test_a_pattern_that_cannot_be_read_says_why(pattern: str, why: str) -> None:
    with pytest.raises(DataRefusal, match=why) as caught:
        pages.find(BASE, {"seek": {"text": pattern, "pattern": True}})
    assert caught.value.code == "seek.pattern"


def test_a_pattern_that_would_try_every_way_is_linear_here() -> None:
    long = table_of({"文": ["a" * 30_000 + "!"] * 20})
    assert not seeking.hits_in(long, "c1", seeking.Sought("(a|aa)+$", is_pattern=True)).any()


def test_nothing_and_too_much_are_refused() -> None:
    for text in ("", "长" * 201):
        with pytest.raises(DataRefusal):
            pages.find(BASE, {"seek": {"text": text}})
    with pytest.raises(DataRefusal):
        pages.find(BASE, {"seek": {"text": "a", "columns": ["c9"]}})
    assert Table.open(BASE).rows == 5
