"""A row stays the same case through filters, repetitions and metadata; cells follow it into another version."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hengxi.data import append, carrying, cases, cells, edits
from hengxi.data.build import table_of
from hengxi.data.derive import derive, write
from hengxi.data.store import table_path
from hengxi.data.table import Table

BASE, LESS, NEW = (f"t_{letter * 32}" for letter in "abc")


@pytest.fixture(autouse=True)
def stored(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HENGXI_DATA", str(tmp_path))
    write(table_of({"编号": ["A", "B", "C", "D"], "年龄": [17, 22, 31, 44]}), table_path(BASE))


def taken(key: str, index: list[int], new: str) -> Table:
    derive(Table.open(key), [], index=np.array(index, dtype=np.int64)).write(new)
    return Table.open(new)


def test_a_case_is_the_row_of_the_import_after_a_filter_of_a_filter_and_an_edit_of_columns() -> None:
    taken(BASE, [1, 2, 3], LESS)
    edits.edit(LESS, {"table": NEW, "columns": [{"id": "c2", "name": "岁数"}]})
    assert cases.cases_at(Table.open(NEW), [0, 2]) == [(1, 0), (3, 0)]
    twice = taken(NEW, [1, 2], f"t_{'d' * 32}")
    assert cases.cases_at(twice, [0, 1]) == [(2, 0), (3, 0)]
    assert cases.rows_of(Table.open(BASE), [(2, 0), (9, 0), (2, 1)]) == [2, None, None]


def test_rows_that_a_step_repeats_are_told_apart_by_their_turn() -> None:
    tiled = taken(BASE, [0, 1, 0, 1], LESS)
    assert cases.cases_at(tiled, [2, 1, 0]) == [(0, 1), (1, 0), (0, 0)]
    assert cases.rows_of(tiled, [(0, 1), (1, 1)]) == [2, 3]


def test_columns_of_an_analysis_joined_to_fewer_rows_keep_the_cases() -> None:
    taken(BASE, [1, 3], LESS)
    kept = f"t_{'e' * 32}"
    append.write_columns(kept, {"得分": np.array([1.0, 2.0])})
    append.append(LESS, {"table": NEW, "from": kept})
    assert cases.cases_at(Table.open(NEW), [1]) == [(3, 0)]


def test_a_cell_is_written_where_its_case_stands_now_and_left_out_where_it_is_gone() -> None:
    taken(BASE, [1, 3], LESS)
    wanted = [
        {"row": 3, "column": "c2", "value": 45, "old": 44, "case": [3, 0]},
        {"row": 2, "column": "c2", "value": 30, "old": 31, "case": [2, 0]},
    ]
    made = cells.edit_cells(LESS, {"table": NEW, "cells": wanted})
    assert made["changes"] == [{"row": 1, "column": "c2", "old": 44, "new": 45, "case": [3, 0]}]
    assert made["left_out"] == 1 and Table.open(NEW).numeric("c2").tolist() == [22, 45]


def test_with_every_case_gone_the_version_is_the_one_before() -> None:
    taken(BASE, [1], LESS)
    made = cells.edit_cells(LESS, {"table": NEW, "cells": [{"row": 0, "column": "c2", "value": 1, "case": [0, 0]}]})
    assert made["changes"] == [] and Table.open(NEW).numeric("c2").tolist() == [22]


def test_cells_typed_into_one_version_go_to_another_and_what_both_changed_is_told() -> None:
    cells.edit_cells(BASE, {"table": LESS, "cells": [{"row": 3, "column": "c2", "value": 40}]})
    head = f"t_{'d' * 32}"
    taken(LESS, [1, 3], head)
    mine = [
        {"row": 3, "column": "c2", "value": 45},
        {"row": 1, "column": "c1", "value": "乙"},
        {"row": 0, "column": "c2", "value": 1},
    ]
    assert carrying.preview(head, {"of": BASE, "cells": mine}) == {
        "gone": 1,
        "both": [{"row": 1, "column": "c2", "old": 44, "now": 40, "value": 45}],
        "both_total": 1,
    }
    made = cells.edit_cells(head, {"table": NEW, "of": BASE, "cells": mine, "theirs": True})
    assert [change["new"] for change in made["changes"]] == ["乙"] and made["left_out"] == 1
    all_mine = cells.edit_cells(head, {"table": f"t_{'f' * 32}", "of": BASE, "cells": mine})
    assert [change["new"] for change in all_mine["changes"]] == ["乙", 45]


def test_a_column_that_was_renamed_is_the_same_and_one_with_its_old_id_is_not() -> None:
    edits.edit(BASE, {"table": LESS, "columns": [{"id": "c2", "name": "岁数"}]})
    mine = {"of": BASE, "cells": [{"row": 0, "column": "c2", "value": 18}]}
    assert cells.edit_cells(LESS, {"table": NEW, **mine})["changes"][0]["new"] == 18
    edits.edit(BASE, {"table": f"t_{'d' * 32}", "columns": [{"id": "c1", "name": "甲"}, {"id": "c2", "name": "编号"}]})
    assert cells.edit_cells(f"t_{'d' * 32}", {"table": f"t_{'e' * 32}", **mine})["left_out"] == 1
