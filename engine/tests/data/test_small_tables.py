"""Small texts as people have them: sums below the table, numbers and dates in other countries' writing, accents."""

from __future__ import annotations

import numpy as np
import pytest

from tests.data.conftest import Import
from tests.data.test_sheet_warnings import said
from tests.data.workbook_files import book

SUMMED = "部门,人数\n甲,3\n乙,4\n丙,5\n丁,6\n戊,7\n合 计：,25\n平均,5\n"


def test_sums_below_a_table_are_told(read: Import) -> None:
    rows = [[int(cell) if cell.isdigit() else cell for cell in line.split(",")] for line in SUMMED.split()[:7]]
    sheet = book([*rows[:6], ["合计", 25]])
    assert said(read(SUMMED), "rows.total")[0]["facts"] == {"rows": [6, 7], "count": 2}
    assert said(read(sheet, "a.xlsx"), "rows.total")[0]["facts"] == {"rows": [6], "count": 1}
    assert not said(read(SUMMED.replace("合 计：", "合计部").replace("平均", "均")), "rows.total")


def test_decimal_commas_with_an_exponent_are_numbers(read: Import) -> None:
    text = "a;b\n4,78657e+03;x\n1,00000e-300;y\nNA;z\n5,5;w\n"
    (question,) = read(text)["questions"]
    assert question["kind"] == "comma_decimal"
    table = read(text, answers={"c1": "comma_decimal"})["table"]
    assert np.allclose(table.numeric("c1"), [4786.57, 1e-300, np.nan, 5.5], rtol=1e-15, equal_nan=True)


def test_a_decimal_comma_beyond_every_double_is_odd(read: Import) -> None:
    """As a plain 0.98e817 is."""
    text = "a;b\n4,5;x\n0,98e817;y\n5,5;w\n"
    (question,) = read(text)["questions"]
    assert question["choices"][0]["title"] == "逗号是小数点；其余 1 个不是数字的单元格作缺失（原文保留）"
    answer = read(text, answers={"c1": "comma_decimal"})
    assert "其余 1 个不是数字的单元格作缺失" in answer["report"]["columns"][0]["why"]
    assert answer["table"].numeric("c1").tolist()[::2] == [4.5, 5.5]
    assert np.isnan(answer["table"].numeric("c1")[1])


def test_a_question_about_the_order_of_dates_shows_some(read: Import) -> None:
    (question,) = read("d\n01/02/2024\n13/02/2024\n02/13/2024\n")["questions"]
    assert question["kind"] == "order"
    assert [sample["value"] for sample in question["samples"]] == ["01/02/2024", "13/02/2024", "02/13/2024"]
    assert question["choices"][0]["preview"]


def test_of_dates_in_two_orders_those_that_do_not_fit_are_shown(read: Import) -> None:
    text = "d\n02/13/2024\n13/02/2024\n14/02/2024\n15/02/2024\n45295\n"
    (question,) = read(text)["questions"]
    assert (question["kind"], question["count"]) == ("date", 2)
    assert question["samples"] == [{"row": 1, "value": "02/13/2024"}, {"row": 5, "value": "45295"}]
    assert read(text, answers={"c1": "dmy"})["table"].raw("c1").to_pylist() == [
        "02/13/2024", None, None, None, "45295",
    ]  # fmt: skip


def test_a_question_about_the_order_counts_and_shows_those_it_is_about(read: Import) -> None:
    text = "d\n2024-01-01\n2024-01-02\n1/2/2024\n45295\n2024-01-04\n1/3/2024\n"
    (question,) = read(text)["questions"]
    assert (question["kind"], question["count"]) == ("order", 2)
    assert [sample["value"] for sample in question["samples"]] == ["1/2/2024", "1/3/2024", "45295"]
    (report,) = read(text, on_doubt="text")["report"]["columns"]
    assert report["why"] == "2 个单元格看不出月和日谁在前，保留为文本"


@pytest.mark.parametrize("cell", ["45295", "12%"])
def test_a_number_among_dates_is_shown(read: Import, cell: str) -> None:
    (question,) = read(f"d\n2024-01-01\n2024-01-02\n{cell}\n")["questions"]
    assert (question["kind"], question["count"]) == ("date", 1)
    assert question["samples"] == [{"row": 3, "value": cell}]


@pytest.mark.parametrize("zone", ["+00", "+00:00", "Z", "+08"])
def test_moments_with_a_zone_of_two_digits_are_moments(read: Import, zone: str) -> None:
    """As PostgreSQL and DuckDB write them."""
    table = read(f"t\n2019-12-31 16:00:00{zone}\n2020-01-01 16:00:00{zone}\n")["table"]
    assert table.meta.columns[0].storage == "datetime"
    assert table.text("c1").tolist() == ["2019-12-31 16:00:00", "2020-01-01 16:00:00"]


def test_accents_are_no_chinese(read: Import) -> None:
    text = "name,città\nJosé,Forlì\nMüller,Köln\nÅsa,Malmö\n"
    table = read(text.encode("cp1252"))["table"]
    assert table.meta.columns[1].name == "città" and table.text("c1").tolist() == ["José", "Müller", "Åsa"]


def test_numbers_that_a_spreadsheet_has_shortened_are_told(read: Import) -> None:
    answer = read("订单号,产值,金额\n1.23457E+17,121000000000,5\n1.23457E+17,122000000000,6\n1.2E+17,123000000000,7\n")
    (told,) = said(answer, "numbers.scientific")
    assert told["facts"] == {"names": ["订单号"], "count": 1} and "1.20000E+17" in told["text"]
    assert not said(read("x\n6.02214076e23\n1.5e12\n1.25e12\n"), "numbers.scientific")


def test_quotes_behind_a_space_are_told(read: Import) -> None:
    (told,) = said(read('n, "a, b", m\n1, "x, y", 2\n3, "z, w", 4\n'), "csv.spaced_quotes")
    assert told["facts"]["count"] == 1
    assert not said(read('n,a\n1,"x, y"\n3," z"\n'), "csv.spaced_quotes")
