"""Exported workbooks and csv files, read back by programs that are not ours; nothing in them is run."""

from __future__ import annotations

import io
import zipfile
from datetime import date, datetime
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from python_calamine import CalamineWorkbook

from hengxi.data import edits
from hengxi.data.exporting import formulas, xlsx
from hengxi.data.refusal import DataRefusal
from tests.data.conftest import Import
from tests.data.exported import Keys, cells_of, codes, export


def test_xlsx_has_values_or_labels_and_the_codebook(survey: str) -> None:
    path, answer = export(survey, "xlsx")
    assert answer["name"] == "调查.xlsx"
    rows = cells_of(path, "数据")
    assert rows[0] == ["性别", "学历", "q1", "inc", "d", "t"]
    assert rows[1] == [1, "本科", 1, 1.5, datetime(2024, 1, 1), datetime(2024, 1, 1, 10, 5, 7)]
    assert rows[4][0] == 9 and rows[5][0] is None and rows[5][5] is None and rows[3][1] is None
    book = cells_of(path, "编码表")
    of = {(row[0], row[8]): row for row in book[1:]}
    assert of["性别", 1][:4] == ["性别", "您的性别", "定类", None] and of["性别", 1][4] == "9"
    assert of["性别", 1][9:] == ["男", 2, None] and of["性别", 9][9:] == ["拒答", 1, "缺失码"]
    assert of["q1", 1][2] == "定序" and of["inc", -9][4] == "99、-9 到 -1"
    labelled = cells_of(export(survey, "xlsx", cells="labels")[0], "数据")
    assert labelled[1][:4] == ["男", "大学本科", "非常不同意", 1.5] and labelled[4][0] == "拒答"


HOSTILE = ["=1+1", "+cmd", "-x", "@SUM(A1)", "＝1", "https://a.cn", "-3.5", "好"]


def hostile(read: Import) -> str:
    key: str = read("\ufeff文本\n" + "\n".join(HOSTILE) + "\n", on_doubt="text")["key"]
    return key


def test_xlsx_cells_are_texts_never_formulas(read: Import) -> None:
    path, answer = export(hostile(read), "xlsx")
    sheet = openpyxl.load_workbook(io.BytesIO(path.read_bytes()))["数据"]
    found = [(cell.value, cell.data_type, cell.hyperlink) for cell in sheet["A"][1:]]
    assert found == [(text, "s", None) for text in HOSTILE]
    assert "export.formulas" not in codes(answer)


def test_xlsx_cells_survive_markup_blanks_blocks_and_odd_numbers(
    read: Import, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(xlsx, "BLOCK_ROWS", 2)
    monkeypatch.setattr(xlsx, "MOST_TEXT", 40)
    words = ["<r>a & b</r>", "</sheetData>", " 前后 ", "两\n行\t列", "_x0041_", None, "长" * 50]
    numbers = [0.1 + 0.2, 1e300, -5e-324, None, None, 123456789012345.67, -0.5]
    days = [date(1899, 12, 31), date(1900, 2, 28), date(1900, 3, 1), None, date(2024, 2, 29)] + [date(2000, 1, 1)] * 2
    table = pa.table({"<r>&</r>": words, "数": numbers, "日": days, "真": [True, None, False, True, True, True, None]})
    path = tmp_path / "odd.parquet"
    pq.write_table(table, path)
    found, answer = export(read(path, "odd.parquet", on_doubt="text")["key"], "xlsx")
    assert codes(answer) == ["export.cut"]
    expected: list[list[Any]] = [
        ["<r>&</r>", "数", "日", "真"],
        ["<r>a & b</r>", 0.1 + 0.2, "1899-12-31", 1],
        ["</sheetData>", 1e300, "1900-02-28", None],
        [" 前后 ", -5e-324, datetime(1900, 3, 1), 0],
        ["两\n行\t列", None, None, 1],
        ["_x0041_", None, datetime(2024, 2, 29), 1],
        [None, 123456789012345.67, datetime(2000, 1, 1), 1],
        ["长" * 40, -0.5, datetime(2000, 1, 1), None],
    ]
    as_written = [[cell if cell != "_x0041_" else "_x005F_x0041_" for cell in row] for row in expected]
    assert cells_of(found, "数据") == as_written  # openpyxl does not undo the escape of a text in its cell
    with zipfile.ZipFile(found) as book:
        page = book.read("xl/worksheets/sheet1.xml").decode()
    assert '<dimension ref="A1:D8"/>' in page and "_x005F_x0041_" in page
    rows = CalamineWorkbook.from_path(str(found)).get_sheet_by_name("数据").to_python()
    plain = [["" if cell is None else cell.date() if isinstance(cell, datetime) else cell for cell in row]
             for row in expected]  # fmt: skip
    assert rows == plain


def test_xlsx_writes_infinity_as_a_word() -> None:
    found = xlsx._finite(pa.array([1.0, float("inf"), float("-inf"), None, float("nan")]))
    assert found.numbers is not None and found.numbers.to_pylist() == [1.0, None, None, None, None]
    assert found.words is not None and found.words.to_pylist() == [None, "inf", "-inf", None, None]


def test_xlsx_refuses_what_has_no_room(read: Import, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xlsx, "MOST_ROWS", 1)
    key = read("a\n1\n2\n")["key"]
    with pytest.raises(DataRefusal, match=r"export\.size"):
        export(key, "xlsx")
    assert export(key, "xlsx", filter="{c1} = 1")[1]["rows"] == 1


# -- csv ---------------------------------------------------------------------------------------------------------------


def test_csv_tells_of_formulas_and_changes_them_only_when_asked(read: Import) -> None:
    key = hostile(read)
    path, answer = export(key, "csv")
    assert path.read_bytes().startswith(b"\xef\xbb\xbf")
    assert pd.read_csv(path)["文本"].tolist() == HOSTILE
    note = answer["notes"][0]
    assert note["code"] == "export.formulas" and note["facts"] == {"count": 5, "quoted": False}
    path, answer = export(key, "csv", quote=True)
    assert pd.read_csv(path)["文本"].tolist() == [f"'{text}" for text in HOSTILE[:5]] + HOSTILE[5:]
    assert "已在前面加单引号" in answer["notes"][0]["text"]
    assert formulas.check(key, {})["formulas"] == {"values": 5, "labels": 5}
    assert formulas.check(key, {"filter": {"condition": '{c1} = "好"', "filter_type": "keep"}}) == {
        "rows": 1, "formulas": {"values": 0, "labels": 0}, "columns": []
    }  # fmt: skip


def test_labels_may_look_like_formulas_too(read: Import, keys: Keys) -> None:
    key = read("x,y\n1,=a\n2,b\n1,c\n")["key"]
    target = keys()
    levels = [{"value": 1, "label": "-很少"}, {"value": 2, "label": "常常"}]
    edits.edit(key, {"table": target, "columns": [{"id": "c1", "measure": "定类", "levels": levels}]})
    assert formulas.check(target, {}) == {"rows": 3, "formulas": {"values": 1, "labels": 3}, "columns": ["x", "y"]}
    path, answer = export(target, "csv", cells="labels", quote=True)
    assert answer["notes"][0]["facts"]["count"] == 3
    assert path.read_text("utf-8-sig").splitlines() == ["x,y", "'-很少,'=a", "常常,b", "'-很少,c"]


def test_numbers_are_never_quoted_and_look_as_people_write_them(read: Import) -> None:
    content = "数,=名,日期\n-1.5,a,2024-01-05\n3,,2024-02-29\n,c,\n"
    key = read(content)["key"]
    path, answer = export(key, "csv", quote=True)
    text = path.read_text("utf-8-sig")
    assert text.splitlines() == ["数,'=名,日期", "-1.5,a,2024-01-05", "3,,2024-02-29", ",c,"]
    assert answer["notes"][0]["facts"]["count"] == 1


def test_csv_in_gb18030_with_quotes_lines_and_rare_characters(read: Import) -> None:
    frame = pd.DataFrame({"备注": ['说"好"', "两\n行", "逗,号", "𠮷㐂龘", " 空格 "], "n": range(5)})
    key = read(frame.to_csv(index=False))["key"]
    path, _ = export(key, "csv", encoding="gb18030")
    assert pd.read_csv(io.BytesIO(path.read_bytes()), encoding="gb18030").equals(frame)


def test_csv_labels_and_filter(survey: str) -> None:
    path, answer = export(survey, "csv", filter="{c3} <= 2", cells="labels")
    back = pd.read_csv(path)
    assert (
        answer["rows"] == 2
        and back["性别"].tolist() == ["男", "女"]
        and back["q1"].tolist() == ["非常不同意", "不同意"]
    )
    plain = pd.read_csv(export(survey, "csv")[0])
    assert plain["性别"].tolist()[:4] == [1, 2, 1, 9] and plain["t"][0] == "2024-01-01 10:05:07"


def test_a_retyped_column_says_which_cells_go_out_empty(read: Import, keys: Keys) -> None:
    key = read("x,y\n甲,1\n乙,2\n丙,3\n12,4\n")["key"]
    target = keys()
    edits.edit(key, {"table": target, "columns": [{"id": "c1", "measure": "定量"}]})
    path, answer = export(target, "csv")
    assert codes(answer) == ["export.unread"] and answer["notes"][0]["facts"]["count"] == 3
    assert path.read_text("utf-8-sig").splitlines() == ["x,y", ",1", ",2", ",3", "12,4"]


# -- parquet, codebook, faults -----------------------------------------------------------------------------------------
