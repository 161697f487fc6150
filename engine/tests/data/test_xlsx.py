"""Workbooks: what is read, what is asked, and what never reaches the reader."""

from __future__ import annotations

import datetime as dt
import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pytest
import xlsxwriter
from msoffcrypto.format.ooxml import OOXMLFile
from openpyxl.utils.datetime import CALENDAR_MAC_1904

from hengxi.data import previewing
from hengxi.data.refusal import DataRefusal
from tests.data.conftest import Import, leftovers


def book(rows: list[list[Any]], change: Callable[[Any, Any], None] | None = None) -> bytes:
    out = io.BytesIO()
    workbook = xlsxwriter.Workbook(out, {"in_memory": True, "default_date_format": "yyyy-mm-dd"})
    sheet = workbook.add_worksheet("数据")
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            if cell is not None:
                sheet.write(i, j, cell)
    if change:
        change(workbook, sheet)
    workbook.close()
    return out.getvalue()


def repacked(content: bytes, part: str, change: Callable[[bytes], bytes]) -> bytes:
    """The workbook with one part replaced."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for info in old.infolist():
            data = old.read(info)
            new.writestr(info.filename, change(data) if info.filename == part else data)
    return out.getvalue()


def refused(read: Import, content: bytes, name: str = "数据.xlsx", **options: Any) -> DataRefusal:
    with pytest.raises(DataRefusal) as caught:
        read(content, name, **options)
    return caught.value


SIMPLE: list[list[Any]] = [
    ["姓名", "分数", "日期", "编号", "选中"],
    ["张三", 1.5, dt.date(2024, 1, 2), "001", True],
    ["李四", 2, dt.date(2024, 1, 3), "002", False],
    ["王五", None, None, "003", True],
]
SHEET = "xl/worksheets/sheet1.xml"


def test_types_of_cells(read: Import) -> None:
    table = read(book(SIMPLE), "数据.xlsx")["table"]
    assert [c.storage for c in table.meta.columns] == ["text", "float", "date", "text", "bool"]
    assert table.numeric("c2")[:2].tolist() == [1.5, 2] and np.isnan(table.numeric("c2")[2])
    assert table.text("c3").tolist() == ["2024-01-02", "2024-01-03", None]
    assert table.text("c4").tolist() == ["001", "002", "003"]
    assert [level.label for level in table.codes("c5")[1]] == ["是", "否"] or table.meta.columns[4].levels is not None


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


def test_one_cell_at_the_far_corner(read: Import, home: Path) -> None:
    far = repacked(book(SIMPLE), SHEET, lambda xml: xml.replace(b'r="A2"', b'r="XFD1048576"', 1))
    error = refused(read, far)
    assert error.code == "xlsx.range" and error.facts["rows"] == 1_048_576
    assert leftovers(home) == []


@pytest.mark.parametrize("attack", [b'r = "ZZZZ99"', b"r='A99999999'"])
def test_absurd_references(read: Import, attack: bytes) -> None:
    hostile = repacked(book(SIMPLE), SHEET, lambda xml: xml.replace(b'r="A2"', attack, 1))
    assert refused(read, hostile).code in ("xlsx.reference", "xlsx.range")


def test_zip_bomb(read: Import) -> None:
    bomb = repacked(book(SIMPLE), SHEET, lambda xml: xml.replace(b"<sheetData>", b"<sheetData>" + b" " * (8 << 20)))
    assert refused(read, bomb).code == "xlsx.bomb"


def test_a_part_larger_than_it_claims(read: Import) -> None:
    content = bytearray(book([["a"], *[[f"x{i}"] for i in range(2000)]]))
    info = next(i for i in zipfile.ZipFile(io.BytesIO(bytes(content))).infolist() if i.filename == SHEET)
    claimed = info.file_size.to_bytes(4, "little")
    lie = (10).to_bytes(4, "little")
    assert content.count(claimed) >= 1
    assert refused(read, bytes(content).replace(claimed, lie)).code in ("xlsx.bomb", "xlsx.damaged")


def test_entity_declarations(read: Import) -> None:
    evil = repacked(
        book(SIMPLE), SHEET, lambda xml: xml.replace(b"<worksheet", b"<!DOCTYPE a [<!ENTITY b 'c'>]><worksheet", 1)
    )
    assert refused(read, evil).code == "xlsx.dtd"


def test_names_that_climb(read: Import) -> None:
    out = io.BytesIO(book(SIMPLE))
    with zipfile.ZipFile(out, "a") as archive:
        archive.writestr("xl/../../evil", "x")
    assert refused(read, out.getvalue()).code == "xlsx.bomb"


@pytest.mark.parametrize("keep", [0.3, 0.7, 0.98])
def test_truncated(read: Import, home: Path, keep: float) -> None:
    content = book([[f"c{j}" for j in range(5)], *[[i * j for j in range(5)] for i in range(300)]])
    assert refused(read, content[: int(len(content) * keep)]).code == "xlsx.damaged"
    assert leftovers(home) == []


def test_flipped_bytes_never_end_in_a_traceback(read: Import) -> None:
    content = book([[f"c{j}" for j in range(5)], *[[i * j for j in range(5)] for i in range(50)]])
    for place in range(30, len(content), max(len(content) // 40, 1)):
        broken = content[:place] + bytes([content[place] ^ 0xFF]) + content[place + 1 :]
        try:
            read(broken, "a.xlsx", on_doubt="text")
        except DataRefusal as error:
            assert error.text


def test_containers_and_other_documents(read: Import) -> None:
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600
    assert refused(read, ole + "EncryptedPackage".encode("utf-16-le") + b"\0\0").code == "xlsx.damaged"
    assert refused(read, ole + "WordDocument".encode("utf-16-le")).code == "file.type"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("word/document.xml", "<a/>")
    assert refused(read, out.getvalue(), "报告.docx").code == "file.type"


def locked(content: bytes, password: str) -> bytes:
    out = io.BytesIO()
    OOXMLFile(io.BytesIO(content)).encrypt(password, out)
    return out.getvalue()


@pytest.mark.slow
def test_a_password_is_asked_for_and_checked(read: Import, home: Path) -> None:
    content = locked(book(SIMPLE), "秘密 1")
    assert refused(read, content).code == "file.password"
    wrong = refused(read, content, password="秘密")
    assert wrong.code == "file.password.wrong" and "密码不正确" in wrong.text
    assert leftovers(home) == []
    table = read(content, "数据.xlsx", password="秘密 1")["table"]
    assert table.text("c1").tolist() == ["张三", "李四", "王五"]
    path = home / "uploads" / "w"
    path.write_bytes(content)
    assert previewing.preview(path, "数据.xlsx", password="秘密 1")["rows"][0][0] == "张三"
    plain = book(SIMPLE)[:400]
    assert not [p for p in home.rglob("*") if p.is_file() and p.read_bytes()[:400] == plain], "nothing decrypted stays"


def test_the_guard_looks_into_a_decrypted_workbook(read: Import) -> None:
    far = repacked(book(SIMPLE), SHEET, lambda xml: xml.replace(b'r="A2"', b'r="XFD1048576"', 1))
    assert refused(read, locked(far, "a"), password="a").code == "xlsx.range"


@pytest.mark.slow
def test_a_damaged_locked_workbook(read: Import) -> None:
    content = locked(book(SIMPLE), "a")
    for place in range(600, len(content), 700):
        broken = content[:place] + bytes([content[place] ^ 0xFF]) + content[place + 1 :]
        try:
            read(broken, "a.xlsx", password="a", on_doubt="text")
        except DataRefusal as error:
            assert error.text


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


def test_macros_are_never_looked_at(read: Import) -> None:
    out = io.BytesIO(book(SIMPLE))
    with zipfile.ZipFile(out, "a") as archive:
        archive.writestr("xl/vbaProject.bin", b"\xff" * 100)
    assert read(out.getvalue(), "数据.xlsm")["rows"] == 3


@pytest.mark.parametrize("name", ["a.csv", "a.sav", "a.json"])
def test_a_name_that_promises_something_else(read: Import, name: str) -> None:
    error = refused(read, book(SIMPLE), name)
    assert error.code == "file.mismatch" and "xlsx" in error.text


def test_only_empty_sheets_and_only_a_header(read: Import) -> None:
    assert refused(read, book([])).code == "file.empty"
    answer = read(book([["a", "b"]]), "a.xlsx")
    assert answer["rows"] == 0 and len(answer["columns"]) == 2


# -- the part of a sheet that is the table -----------------------------------------------------------------------------
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
