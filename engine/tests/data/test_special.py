"""Special missing values of Stata from import to export: `.a` wherever a person looks, missing in every number."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat
import pytest

from hengxi.data import cells, edits, pages
from hengxi.data.refusal import DataRefusal
from hengxi.data.special import letters_of, special_code
from hengxi.data.table import Table
from tests.data.conftest import Import
from tests.data.exported import cells_of, codes, export

A, B = special_code("a"), special_code("b")


@pytest.fixture
def key(read: Import, tmp_path: Path) -> str:
    path = tmp_path / "a.dta"
    frame = pd.DataFrame({"q": [1.0, 2.0, "a", None, "b"], "inc": [1.5, 2.5, 3.5, "a", 4.5]})
    pyreadstat.write_dta(
        frame,
        str(path),
        variable_value_labels={"q": {1: "是", 2: "否", "a": "拒答"}},
        missing_user_values={"q": ["a", "b"], "inc": ["a"]},
    )
    found: str = read(path, "a.dta")["key"]
    return found


def texts(path: Path) -> list[list[str]]:
    return list(csv.reader(path.read_text("utf-8-sig").splitlines()))


def test_rows_say_the_letter_and_numbers_leave_it_out(key: str) -> None:
    rows = pages.rows(key, {})["rows"]
    assert rows == [[1, 1.5], [2, 2.5], [".a", 3.5], [None, ".a"], [".b", 4.5]]
    table = Table.open(key)
    profile = table.meta.columns[1].profile
    assert (profile.n, profile.missing, profile.max, profile.mean) == (4, 1, 4.5, 3.0)
    assert np.nanmax(table.numeric("c1")) == 2
    assert [pages.rows(key, {"find": text})["total"] for text in ("拒答", ".a", "2147483622")] == [1, 2, 0]


def test_sheets_hold_the_letter_or_its_label(key: str) -> None:
    plain, _ = export(key, "csv")
    assert texts(plain)[3:] == [[".a", "3.5"], ["", ".a"], [".b", "4.5"]]
    labels, _ = export(key, "csv", cells="labels")
    assert texts(labels)[3:] == [[".a 拒答", "3.5"], ["", ".a"], [".b", "4.5"]]
    sheet, _ = export(key, "xlsx")
    assert cells_of(sheet, "数据")[1:] == [[1, 1.5], [2, 2.5], [".a", 3.5], [None, ".a"], [".b", 4.5]]
    book = cells_of(sheet, "编码表")
    assert book[1][4] == ".a、.b"
    assert [line[8:] for line in book[3:5]] == [[".a", "拒答", 1, "缺失码"], [".b", None, 1, "缺失码"]]


def test_other_programs_get_what_they_know(key: str) -> None:
    sav, answer = export(key, "sav")
    assert codes(answer) == ["export.special"]
    frame, meta = pyreadstat.read_sav(str(sav))
    assert np.isnan(frame["q"][2]) and meta.original_variable_types == {"q": "F11.0", "inc": "F13.1"}
    dta, _ = export(key, "dta")
    frame, meta = pyreadstat.read_dta(str(dta), user_missing=True)
    assert frame["q"].tolist()[2::2] == ["a", "b"] and meta.variable_value_labels["q"]["a"] == "拒答"


def test_labels_of_missing_codes_are_counted(key: str, read: Import) -> None:
    wire = Table.open(key).meta.columns[0].missing_labels
    assert [(one.label, one.count) for one in wire] == [(".a 拒答", 1), (".b", 1)]
    target = "t_" + "e" * 32
    cells.edit_cells(key, {"table": target, "cells": [{"row": 0, "column": "c1", "value": ".a"}]})
    assert [one.count for one in Table.open(target).meta.columns[0].missing_labels] == [2, 1]
    again = "t_" + "f" * 32
    edits.edit(target, {"table": again, "columns": [{"id": "c1", "label": "回答"}]})
    assert [one.count for one in Table.open(again).meta.columns[0].missing_labels] == [2, 1]


def test_parquet_tells_which_numbers_are_none(key: str, read: Import) -> None:
    path, answer = export(key, "parquet")
    assert codes(answer) == ["export.special", "export.parquet"]
    assert f".a 写作 {A}" in answer["notes"][0]["text"]
    back = read(path, "a.parquet")["table"]
    assert [letters_of(column) for column in back.meta.columns] == [{A: ".a", B: ".b"}, {A: ".a"}]
    assert np.isnan(back.numeric("c1")[2])


def test_letters_are_typed_and_undone_as_they_read(key: str) -> None:
    target = "t_" + "e" * 32
    answer = cells.edit_cells(
        key,
        {"table": target, "cells": [{"row": 0, "column": "c1", "value": ".B"}, {"row": 2, "column": "c1", "value": 1}]},
    )
    assert [(one["old"], one["new"]) for one in answer["changes"]] == [(1, ".b"), (".a", 1)]
    assert Table.open(target).array("c1").to_pylist()[:3] == [B, 2, 1]
    with pytest.raises(DataRefusal, match="不是数字"):
        cells.edit_cells(key, {"table": target, "cells": [{"row": 0, "column": "c1", "value": ".c"}]})


def test_letters_stay_missing_when_other_codes_are_declared(key: str) -> None:
    target = "t_" + "f" * 32
    edits.edit(key, {"table": target, "columns": [{"id": "c1", "missing": {"values": [2]}}]})
    column = Table.open(target).meta.columns[0]
    assert column.missing.values == [2, A, B] and column.profile.max == 1
    assert letters_of(column) == {A: ".a", B: ".b"}


def test_the_number_alone_is_no_letter(read: Import) -> None:
    table = read(f"x\n1\n{A}\n2\n")["table"]
    table.meta.columns[0].missing.values.append(A)
    assert letters_of(table.meta.columns[0]) == {}
