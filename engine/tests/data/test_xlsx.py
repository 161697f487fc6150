"""Workbooks: what is read, what is asked and what is said."""

from __future__ import annotations

import datetime as dt
import io
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
from openpyxl.utils.datetime import CALENDAR_MAC_1904

from hengxi.data import previewing
from tests.data.conftest import Import
from tests.data.workbook_files import SHEET, SIMPLE, book, refused, repacked


def test_types_of_cells(read: Import) -> None:
    table = read(book(SIMPLE), "数据.xlsx")["table"]
    assert [c.storage for c in table.meta.columns] == ["text", "float", "date", "text", "bool"]
    assert table.numeric("c2")[:2].tolist() == [1.5, 2] and np.isnan(table.numeric("c2")[2])
    assert table.text("c3").tolist() == ["2024-01-02", "2024-01-03", None]
    assert table.text("c4").tolist() == ["001", "002", "003"]
    assert [level.label for level in table.codes("c5")[1]] == ["是", "否"] or table.meta.columns[4].levels is not None


def test_truths_among_texts_are_the_words_of_the_sheet(read: Import) -> None:
    """A program turns a typed TRUE into a truth; the third answer stays a text."""
    table = read(book([["会吗", "数"], [True, True], ["不清楚", 5], [False, 7], [None, 9]]), "a.xlsx")["table"]
    assert table.text("c1").tolist() == ["TRUE", "不清楚", "FALSE", None]
    assert table.numeric("c2").tolist() == [1, 5, 7, 9]


def test_whole_numbers_are_whole(read: Import) -> None:
    table = read(book([["a", "b"], [1, "x"], [2, "y"], [30000, "x"]]), "a.xlsx")["table"]
    assert table.meta.columns[0].storage == "int" and table.numeric("c1").tolist() == [1, 2, 30000]


def test_numbers_among_text_are_asked(read: Import) -> None:
    content = book([["金额"], [1], ["1,234.5"], [3], [4]])
    (question,) = read(content, "a.xlsx")["questions"]
    assert question["kind"] == "thousands" and question["samples"] == [{"row": 2, "value": "1,234.5"}]
    table = read(content, "a.xlsx", answers={"c1": "thousands"})["table"]
    assert table.numeric("c1").tolist() == [1, 1234.5, 3, 4]
    assert table.raw("c1").to_pylist() == [None, "1,234.5", None, None]


def test_numbers_stored_as_text_are_numbers(read: Import) -> None:
    table = read(book([["年龄"], ["18"], ["20"], ["NA"]]), "a.xlsx")["table"]
    assert table.meta.columns[0].measure == "定量" and table.meta.columns[0].profile.n == 2


def test_dates_of_1904(read: Import) -> None:
    workbook = openpyxl.Workbook()
    workbook.epoch = CALENDAR_MAC_1904
    sheet = workbook.active
    assert sheet is not None
    for row in (["日期", "x"], [dt.datetime(2024, 1, 5), 1], [dt.datetime(2024, 2, 29), 2]):
        sheet.append(row)
    out = io.BytesIO()
    workbook.save(out)
    assert read(out.getvalue(), "a.xlsx")["table"].text("c1").tolist() == ["2024-01-05", "2024-02-29"]


def test_title_blank_columns_and_blank_rows(read: Import) -> None:
    answer = read(book([["某某调查"], [], ["a", None, "b"], [1, None, 2], [], [3, None, 4]]), "a.xlsx")
    assert [c.name for c in answer["table"].meta.columns] == ["a", "b"]
    assert answer["rows"] == 2
    assert [w["code"] for w in answer["report"]["warnings"]] == ["rows.blank"]


def test_merged_cells_formulas_and_errors_are_said(read: Import) -> None:
    def change(workbook: Any, sheet: Any) -> None:
        sheet.merge_range(4, 0, 5, 0, "赵六")
        sheet.write_formula(1, 5, "=1/0", value="#DIV/0!")

    content = book([[*SIMPLE[0], "比"], *SIMPLE[1:]], change)
    emptied = repacked(content, SHEET, lambda xml: xml.replace(b"<v>2</v>", b"<f>1+1</f><v></v>"))
    codes = [w["code"] for w in read(emptied, "a.xlsx", on_doubt="text")["report"]["warnings"]]
    # The replaced number is also the word of the third heading.
    assert codes == ["names.blank", "xlsx.merged", "xlsx.formulas", "xlsx.errors", "columns.empty"]


def test_sheets_are_offered_and_chosen(read: Import, home: Path) -> None:
    def change(workbook: Any, sheet: Any) -> None:
        workbook.add_worksheet("空")
        other = workbook.add_worksheet("第二")
        other.write_row(0, 0, ["甲", "乙"])
        other.write_row(1, 0, [1, 2])

    content = book(SIMPLE, change)
    path = home / "uploads" / "w"
    path.write_bytes(content)
    seen = previewing.preview(path, "a.xlsx")
    assert seen["settings"]["sheet"] == "数据" and seen["candidates"]["sheet"] == ["数据", "空", "第二"]
    assert seen["rows"][0] == ["张三", "1.5", "2024-01-02", "001", "TRUE"]
    answer = read(content, "a.xlsx", settings={"sheet": "第二"})
    assert [c.name for c in answer["table"].meta.columns] == ["甲", "乙"]
    assert refused(read, content, settings={"sheet": "没有"}).code == "xlsx.sheet"


def test_only_empty_sheets_and_only_a_header(read: Import) -> None:
    assert refused(read, book([])).code == "file.empty"
    answer = read(book([["a", "b"]]), "a.xlsx")
    assert answer["rows"] == 0 and len(answer["columns"]) == 2
