"""What is said of a sheet: what nobody sees in it, and only what is its own; times to their fractions."""

from __future__ import annotations

import datetime as dt
import struct
from typing import Any

import pytest

from hengxi.data.workbook import ods_guard, xls_guard
from hengxi.data.workbook.cells import Cells, words
from hengxi.data.workbook.ods_guard import MAX_HIDDEN
from tests.data.conftest import Import
from tests.data.test_workbooks import XLS, ods
from tests.data.workbook_files import book, repacked

ROWS: list[list[Any]] = [["甲", "乙", "丙"], [1, 2, 3], [4, 5, 6], [7, 8, 9]]


def said(answer: dict[str, Any], code: str) -> list[dict[str, Any]]:
    return [one for one in answer["report"]["warnings"] if one["code"] == code]


def test_hidden_rows_and_columns_are_read_and_said(read: Import) -> None:
    def hide(_: Any, sheet: Any) -> None:
        sheet.set_row(2, None, None, {"hidden": True})
        sheet.set_row(40, None, None, {"hidden": True})  # below the table
        sheet.set_column(1, 1, None, None, {"hidden": True})
        sheet.set_column(9, 20, None, None, {"hidden": True})

    answer = read(book(ROWS, hide), "a.xlsx")
    assert answer["table"].numeric("c2").tolist() == [2, 5, 8]
    (hidden,) = said(answer, "xlsx.hidden")
    assert hidden["facts"] == {"rows": 1, "columns": 1} and "第 3 行" in hidden["text"] and "B 列" in hidden["text"]
    assert not said(read(book(ROWS), "a.xlsx"), "xlsx.hidden")


def test_hidden_and_merged_cells_of_an_ods_are_said(read: Import) -> None:
    def change(content: bytes) -> bytes:
        rows = content.split(b"<table:table-row>")
        rows[2] = rows[2].replace(b"<table:table-cell", b'<table:table-cell table:number-rows-spanned="2"', 1)
        content = b"<table:table-row>".join(rows[:3]) + b'<table:table-row table:visibility="filter">' + rows[3]
        content += b"<table:table-row>" + rows[4]
        column = b'<table:table-column/><table:table-column table:visibility="collapse"/>'
        return content.replace(b"<table:table-row>", column + b"<table:table-row>", 1)

    answer = read(repacked(ods(ROWS), "content.xml", change), "a.ods")
    assert answer["rows"] == 3
    assert said(answer, "xlsx.hidden")[0]["facts"] == {"rows": 1, "columns": 1}
    assert said(answer, "xlsx.merged")[0]["facts"] == {"count": 1, "row": 2}


def test_hidden_rows_of_an_ods_that_promise_more_than_a_sheet_has_are_not_listed() -> None:
    many = b'<table:table-row table:visibility="filter" table:number-rows-repeated="%d">' % (MAX_HIDDEN - 2)
    cell = b'<table:table-cell office:value-type="float"/></table:table-row>'
    sheet = b'<table:table xmlns:table="t" xmlns:office="o">' + (many + cell) * 3 + b"</table:table>"
    walk = ods_guard._Walk("a.ods")
    walk.feed(sheet, True)
    assert len(walk.sheets[""].hidden_rows) < MAX_HIDDEN


def test_hidden_rows_and_columns_of_an_old_workbook_are_seen(read: Import, monkeypatch: pytest.MonkeyPatch) -> None:
    row = struct.pack("<HHHHHHHHHH", 0x0208, 16, 4, 0, 9, 255, 0, 0, 0x20, 0)  # the fifth
    columns = struct.pack("<HHHHHHHH", 0x007D, 12, 1, 2, 9, 0, 1, 0)  # the second and the third
    start = xls_guard._stream(XLS, "a.xls")
    head = struct.pack("<HHH", 0x0809, 8, 0x0500)
    end = start.index(head, start.index(head, 4) + 4) + 12  # behind the head of the second sheet, Monthly
    monkeypatch.setattr(xls_guard, "_stream", lambda *_: start[:end] + row + columns + start[end:])
    assert said(read(XLS, "a.xls", settings={"sheet": "Monthly"}), "xlsx.hidden")[0]["facts"] == {
        "rows": 1,
        "columns": 2,
    }


def test_errors_of_other_sheets_are_not_counted(read: Import) -> None:
    def add(workbook: Any, _: Any) -> None:
        other = workbook.add_worksheet("另一张 & 表")
        other.write_row(0, 0, ["x", "y"])
        other.write_row(1, 0, [1, 2])
        other.write_formula(2, 0, "=1/0", None, "#DIV/0!")

    content = book(ROWS, add)
    assert not said(read(content, "a.xlsx"), "xlsx.errors")
    assert said(read(content, "a.xlsx", settings={"sheet": "另一张 & 表"}), "xlsx.errors")[0]["facts"] == {"count": 1}


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        (dt.timedelta(hours=-12, minutes=-30), "-12:30:00"),
        (dt.timedelta(seconds=-1), "-0:00:01"),
        (dt.timedelta(days=2, hours=1, seconds=7.5), "49:00:07.5"),
        (dt.timedelta(seconds=7, microseconds=3), "0:00:07"),
        (dt.time(10, 5, 7, 250_000), "10:05:07.25"),
        (dt.time(0, 0), "00:00:00"),
    ],
)
def test_times_keep_their_sign_and_fractions(cell: dt.timedelta | dt.time, shown: str) -> None:
    assert words(cell) == shown


def test_a_moment_beside_words_keeps_its_fraction() -> None:
    cells = Cells()
    cells.add([dt.datetime(2024, 2, 29, 23, 59, 59, 500_000), dt.datetime(2024, 3, 1), "不详"])
    assert cells.as_text().to_pylist() == ["2024-02-29 23:59:59.5", "2024-03-01", "不详"]


def test_durations_of_an_ods_keep_sign_and_fraction(read: Import) -> None:
    """Those beyond a day and below zero come from the reader as the file spells them."""
    spelt = ["PT26H05M07.500000000S", "-PT12H30M00S", "PT100H00M10.000S", "PT01H02M03.25S"]
    cells = "".join(
        f'<table:table-row><table:table-cell office:value-type="time" office:time-value="{one}"/>'
        f'<table:table-cell office:value-type="float" office:value="{place}"/></table:table-row>'
        for place, one in enumerate(spelt)
    )
    table = read(ods([["时长", "x"]], cells), "a.ods")["table"]
    assert table.numeric("c1").tolist() == [93_907.5, -45_000, 360_010, 3723.25]
