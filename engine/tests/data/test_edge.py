"""Ctrl and an arrow: the jump of a spreadsheet, over rows as they are shown."""

from __future__ import annotations

from typing import Any

import pytest

from hengxi.data.edge import edge
from tests.data.conftest import Import

#      row    0 1 2 3 4 5 6 7
FILLED = "xx--x-xx"


@pytest.fixture
def key(read: Import) -> str:
    lines = [f"{i},{'' if c == '-' else '甲'},{'' if c == '-' else 1.5}" for i, c in enumerate(FILLED)]
    answer: str = read("n,a,b\n" + "\n".join(lines) + "\n")["key"]
    return answer


def down(key: str, row: int, column: int = 1, to: str = "down", **more: Any) -> int:
    return edge(key, {"row": row, "column": column, "to": to, **more})["row"]


@pytest.mark.parametrize("column", [1, 2])
def test_down_and_up_stop_at_the_rim_of_blocks(key: str, column: int) -> None:
    assert [down(key, row, column) for row in range(8)] == [1, 4, 4, 4, 6, 6, 7, 7]
    assert [down(key, row, column, "up") for row in range(8)] == [0, 0, 1, 1, 1, 4, 4, 6]


def test_a_full_column_is_one_block_and_an_empty_one_a_gap_to_its_end(read: Import) -> None:
    key = read("a,b\n1,\n2,\n3,\n", on_doubt="text")["key"]
    assert down(key, 0, 0) == 2 and down(key, 2, 0, "up") == 0
    assert down(key, 0, 1) == 2 and down(key, 2, 1, "up") == 0


def test_order_and_condition_of_the_view_count(key: str) -> None:
    assert down(key, 0, sort=[{"column": "c1", "desc": True}]) == 1
    assert down(key, 0, condition="{c1} != 2 and {c1} != 3") == 2
    assert down(key, 0, find="甲") == 4  # five rows hold it


def test_right_and_left(read: Import) -> None:
    key = read("a,b,c,d,e,f\n1,2,,,5,\n,,,,,6\n", on_doubt="text")["key"]

    def along(row: int, column: int, to: str) -> int:
        return edge(key, {"row": row, "column": column, "to": to})["column"]

    assert [along(0, column, "right") for column in range(6)] == [1, 4, 4, 4, 5, 5]
    assert [along(0, column, "left") for column in range(6)] == [0, 0, 1, 1, 1, 4]
    assert along(1, 0, "right") == 5 and along(1, 5, "left") == 0
