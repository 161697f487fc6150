"""The part of a sheet that is the table, and the lines that are its header."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import xlsxwriter

from hengxi.data import previewing
from hengxi.data.refusal import DataRefusal
from tests.data.conftest import Import
from tests.data.workbook_files import book


def test_two_lines_of_header(read: Import) -> None:
    rows: list[list[Any]] = [
        ["1、性别", "2、用过哪些", None, None, "3、年龄"],
        ["", "微信", "微博", "抖音", ""],
        ["男", 1, 0, 1, 20],
        ["女", 0, 0, 1, 30],
        ["女", 1, 1, 0, 31],
    ]
    answer = read(book(rows), "a.xlsx")
    assert answer["report"]["settings"]["header_rows"] == 2
    names = [c.name for c in answer["table"].meta.columns]
    assert names == ["1、性别", "2、用过哪些(微信)", "2、用过哪些(微博)", "2、用过哪些(抖音)", "3、年龄"]
    assert answer["rows"] == 3 and answer["table"].numeric("c5").tolist() == [20, 30, 31]
    one = read(book(rows), "a.xlsx", settings={"header_rows": 1}, on_doubt="text")
    assert one["rows"] == 4


def test_codes_above_their_wording(read: Import) -> None:
    rows: list[list[Any]] = [["Q1", "Q2"], ["您的年龄", "您的收入"], [20, 1.5], [30, 2.5], [40, 3]]
    columns = read(book(rows), "a.xlsx")["table"].meta.columns
    assert [(c.name, c.label) for c in columns] == [("Q1", "您的年龄"), ("Q2", "您的收入")]


TWO = [
    ["2024 年调查", None, None, None, None, None],
    [None] * 6,
    [None, "编号", "得分", None, "城市", "人数"],
    [None, "甲", 1.5, None, "北京", 10],
    [None, "乙", 2.5, None, "上海", 20],
    [None, None, None, None, None, None],
    [None, "编号", "身高", None, None, None],
    [None, "丙", 170, None, None, None],
]


def test_two_tables_in_a_sheet_are_seen_and_each_can_be_read(read: Import, home: Path) -> None:
    content = book(TWO)
    (home / "uploads" / "two.xlsx").write_bytes(content)
    shown = previewing.preview(home / "uploads" / "two.xlsx", "two.xlsx", {})
    assert shown["candidates"]["range"] == ["", "B3:C5", "E3:F5", "B7:C8"] and shown["settings"]["range"] == ""
    whole = read(content, "two.xlsx", on_doubt="text")
    assert [w["code"] for w in whole["report"]["warnings"]][-2:] == ["xlsx.tables", "rows.blank"]
    first = read(content, "two.xlsx", settings={"range": "B3:C5"})
    assert [c.name for c in first["table"].meta.columns] == ["编号", "得分"] and first["rows"] == 2
    assert first["report"]["settings"]["range"] == "B3:C5" and not first["report"]["warnings"]
    second = read(content, "two.xlsx", settings={"range": "e3:f"})
    assert [c.name for c in second["table"].meta.columns] == ["城市", "人数"]
    assert second["table"].numeric("c2").tolist() == [10, 20]
    last = read(content, "two.xlsx", settings={"range": "$B$7:$C$8", "header_row": 1})
    assert last["table"].numeric("c2").tolist() == [170]
    preview = previewing.preview(home / "uploads" / "two.xlsx", "two.xlsx", {"range": "B3:C5"})
    assert preview["rows"] == [["甲", "1.5"], ["乙", "2.5"]] and preview["total_rows"] == 2


def test_places_count_from_the_corner_of_the_sheet_where_its_first_cells_are_empty(read: Import) -> None:
    rows: list[list[Any]] = [[None] * 4, [None] * 4, [None, None, "甲", "乙"], [None, None, 1, 2], [None, None, 3, 4]]
    found = read(book(rows), "a.xlsx", settings={"range": "C3:D4"})
    assert found["rows"] == 1 and found["table"].numeric("c2").tolist() == [2]


@pytest.mark.parametrize("given", ["B3", "3:4", "C5:B3", "B3:C0", "ZZZZ1:ZZZZ2", "B9:C12", "=A1:B2"])
def test_a_range_that_is_none_or_empty_is_refused(read: Import, given: str) -> None:
    with pytest.raises(DataRefusal) as caught:
        read(book(TWO), "two.xlsx", settings={"range": given})
    assert caught.value.code == "xlsx.range"


def test_a_blank_row_in_a_table_does_not_make_two_of_it(read: Import) -> None:
    rows: list[list[Any]] = [["姓名", "年龄"], ["甲", 20], [None, None], ["乙", 30]]
    assert [w["code"] for w in read(book(rows), "a.xlsx")["report"]["warnings"]] == ["rows.blank"]


def test_dates_of_a_sheet_that_are_text_follow_the_same_rule(read: Import) -> None:
    content = book([["日期", "x"], ["03/04/2024", 1], ["05/06/2024", 2]])
    (question,) = read(content, "d.xlsx", on_doubt="ask")["questions"]
    assert question["kind"] == "order"
    found = read(content, "d.xlsx", settings={"date_order": "dmy"})
    assert found["table"].column("c1").profile.min == "2024-04-03"


def test_a_merged_question_above_its_options_is_a_header_of_two_lines(read: Import) -> None:
    def merged(_: Any, sheet: Any) -> None:
        sheet.merge_range(0, 1, 0, 3, "2.使用的品牌")

    rows: list[list[Any]] = [["编号", "", None, None, None], [None, "华为", "小米", "其他", "外观"]]
    rows[0][4] = "3.评价"
    content = book([*rows, *([i, i % 2, (i + 1) % 2, 0 if i % 3 else 1, i % 5 + 1] for i in range(1, 9))], merged)
    found = read(content, "a.xlsx")
    assert [column.name for column in found["table"].meta.columns][:2] == ["编号", "2.使用的品牌(华为)"]
    assert found["report"]["settings"]["header_row"] == 1 and found["report"]["settings"]["header_rows"] == 2


@pytest.mark.parametrize("width", [2, 5])
def test_a_title_merged_over_the_whole_table_is_not_its_header(read: Import, width: int) -> None:
    def merged(_: Any, sheet: Any) -> None:
        sheet.merge_range(0, 0, 0, width - 1, "2024年调查汇总表")

    names = ["编号", "得分", "年龄", "身高", "体重"][:width]
    content = book([[""] * width, names, *([i * 10 + j for j in range(width)] for i in range(6))], merged)
    found = read(content, "a.xlsx")
    assert [column.name for column in found["table"].meta.columns] == names and found["rows"] == 6
    assert found["report"]["settings"]["header_row"] == 2 and found["report"]["settings"]["header_rows"] == 1
    bare = "调查汇总" + "," * (width - 1) + "\n" + ",".join(names) + "\n" + (",".join("123456"[:width]) + "\n") * 3
    assert [column.name for column in read(bare)["table"].meta.columns] == names


def test_header_and_sheet_are_found_where_the_first_look_fails(read: Import, home: Path) -> None:
    """A header wider than its data, a title over the table, a sheet of remarks in front."""
    found = read(book([["a", "b"], [1, None], [2, None]]), "a.xlsx")
    assert [column.name for column in found["table"].meta.columns] == ["a", "b"] and found["rows"] == 2
    titled = read("某某单位调查,,\n编号,得分,城市\n1,2,北京\n2,3,上海\n")
    assert [column.name for column in titled["table"].meta.columns] == ["编号", "得分", "城市"]
    out = io.BytesIO()
    workbook = xlsxwriter.Workbook(out)
    workbook.add_worksheet("说明").write(0, 0, "本文件说明")
    data = workbook.add_worksheet("数据")
    data.write_row(0, 0, ["a", "b"])
    data.write_row(1, 0, [1, 2])
    workbook.close()
    (home / "uploads" / "s.xlsx").write_bytes(out.getvalue())
    shown = previewing.preview(home / "uploads" / "s.xlsx", "s.xlsx", {})
    assert shown["settings"]["sheet"] == "数据" and shown["total_rows"] == 1


def test_a_second_table_of_words_is_seen_but_not_the_rest_after_an_empty_row(read: Import) -> None:
    below = book(
        [["a", "b", None], [1, 2, None], [3, 4, None], [None] * 3, ["x", "y", "z"], ["p", "q", "r"], list("stu")]
    )
    told = read(below, "a.xlsx", on_doubt="text")["report"]["warnings"]
    assert {w["code"]: w["facts"] for w in told}["xlsx.tables"] == {"ranges": ["A1:B3", "A5:C7"]}
    beside = book(
        [["a", "b", None, "x", "y"], [1, 2, None, "p", "q"], [3, 4, None, "r", "s"], [5, 6, None, None, None]]
    )
    assert "xlsx.tables" in [w["code"] for w in read(beside, "b.xlsx")["report"]["warnings"]]
    gap = book([["a", "b"], ["x", 1], ["y", 2], [None, None], ["z", "w"], ["p", "q"], ["r", "s"]])
    assert "xlsx.tables" not in [w["code"] for w in read(gap, "c.xlsx", on_doubt="text")["report"]["warnings"]]


def test_a_second_table_beside_the_first_does_not_hide_its_header_of_two_lines(read: Import, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    for row in (
        ["成绩表"], ["学生", "", "成绩"], ["姓名", "班级", "语文", "数学", None, "城市", "人数"],
        *([f"甲{i}", f"{i % 3}班", 60 + i, 70 + i, None, f"城{i}", 100 + i] for i in range(9)),
    ):  # fmt: skip
        sheet.append(row)
    for area in ("A1:D1", "A2:B2", "C2:D2"):
        sheet.merge_cells(area)
    path = tmp_path / "a.xlsx"
    book.save(path)
    answer = read(path, "a.xlsx")
    said = [one["facts"]["ranges"] for one in answer["report"]["warnings"] if one["code"] == "xlsx.tables"]
    assert said == [["A1:D12", "F3:G12"]]
    names = [column.name for column in answer["table"].meta.columns]
    assert names == ["学生(姓名)", "学生(班级)", "成绩(语文)", "成绩(数学)", "城市", "人数"]
