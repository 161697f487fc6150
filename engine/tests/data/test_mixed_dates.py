"""Columns of dates that people wrote in different ways."""

from __future__ import annotations

import pytest

from tests.data.conftest import Import

MIXED = ["2024-04-05", "2024/4/6", "20240407", "45390", "April 9, 2024", "10 April 2024", "Apr 11 2024", "不详"]


def _text(cells: list[str]) -> str:
    return "日期,y\n" + "".join(f'"{cell}",1\n' for cell in cells)


def test_days_in_digits_and_serial_numbers_are_asked_about_and_read(read: Import) -> None:
    (question,) = read(_text(MIXED))["questions"]
    assert question["kind"] == "date" and question["count"] == 3
    titles = {choice["key"]: choice["title"] for choice in question["choices"]}
    assert titles["extra"] == (
        "1 个写成 20240405、1 个是 Excel 日期序号，也读作日期；其余 1 个不是日期的单元格作缺失（原文保留）"
    )
    assert [pair["after"] for pair in question["choices"][0]["preview"]] == ["2024-04-07", "2024-04-08", None]
    table = read(_text(MIXED), answers={"c1": "extra"})["table"]
    assert table.text("c1").tolist() == [*(f"2024-04-{day:02d}" for day in range(5, 12)), None]
    assert table.raw("c1").to_pylist()[-1] == "不详"
    assert read(_text(MIXED), answers={"c1": "missing"})["table"].text("c1").tolist()[2:4] == [None, None]


def test_the_same_where_few_cells_have_signs(read: Import) -> None:
    cells = ["2024-04-05", "20240406", "20240407", "45390", "45391", "2024-04-10"]
    (question,) = read(_text(cells))["questions"]
    assert question["choices"][0]["key"] == "extra"
    table = read(_text(cells), answers={"c1": "extra"})["table"]
    assert table.text("c1").tolist() == [f"2024-04-{day:02d}" for day in range(5, 11)]


def test_beside_dates_with_the_year_last(read: Import) -> None:
    cells = ["13/04/2024", "14/04/2024", "2024-04-15", "45398"]
    (question,) = read(_text(cells))["questions"]
    key = question["choices"][0]["key"]
    table = read(_text(cells), answers={"c1": key})["table"]
    assert table.text("c1").tolist() == ["2024-04-13", "2024-04-14", "2024-04-15", "2024-04-16"]


@pytest.mark.parametrize(
    "cells", [["April 5, 2024", "May 6, 2024"], ["5 April 2024", "6 May 2024"], ["5-April-2024"] * 2]
)
def test_months_in_full_are_certain(read: Import, cells: list[str]) -> None:
    done = read(_text(cells))
    assert done["table"].meta.columns[0].measure == "时间" and done["table"].text("c1").tolist()[0] == "2024-04-05"


def test_numbers_alone_are_no_days(read: Import) -> None:
    for cells in (["20240405", "20240406"], ["45387", "45388"], ["45387", "45388", "2024-04-05x"]):
        done = read(_text(cells), on_doubt="text")
        assert done["table"].meta.columns[0].storage in ("int", "text")
