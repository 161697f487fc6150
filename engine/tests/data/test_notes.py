"""Notes below a table are no rows of it; merged cells of its body can be filled down."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from hengxi.data import previewing
from tests.data.conftest import Import
from tests.data.workbook_files import book

NOTES = ["注：分数为百分制。", "2. 缺考记为空。"]


def _said(answer: dict[str, Any], code: str) -> list[dict[str, Any]]:
    return [one for one in answer["report"]["warnings"] if one["code"] == code]


def test_notes_below_a_sheet_are_no_rows(read: Import) -> None:
    rows = [["姓名", "分"], ["张", 5], ["李", 6], [None, None], [NOTES[0], None], [NOTES[1], None]]
    done = read(book(rows), "a.xlsx")
    assert done["rows"] == 2 and done["table"].numeric("c2").tolist() == [5, 6]
    (told,) = _said(done, "rows.note")
    assert told["facts"] == {"count": 2, "lines": NOTES}


def test_nor_under_a_first_column_of_numbers(read: Import) -> None:
    done = read(book([["编号", "分"], *([i, i * 2] for i in range(1, 30)), ["数据来源：教务处", None]]), "a.xlsx")
    assert done["state"] == "done" and done["rows"] == 29 and done["table"].meta.columns[0].storage == "int"


@pytest.mark.parametrize("end", ["", ","])
@pytest.mark.parametrize("encoding", ["utf-8", "gb18030"])
def test_notes_below_a_text_are_no_rows(read: Import, end: str, encoding: str) -> None:
    """With and without the separators of the other columns."""
    content = "姓名,分\n张,5\n李,6\n\n" + "".join(f"{note}{end}\n" for note in NOTES)
    done = read(content.encode(encoding))
    assert done["rows"] == 2 and done["table"].numeric("c2").tolist() == [5, 6]
    assert _said(done, "rows.note")[0]["facts"]["lines"] == NOTES
    assert not _said(done, "rows.skipped")


def test_the_preview_leaves_them_out(tmp_path: Path) -> None:
    for name, content in (
        ("a.csv", "姓名,分\n张,5\n注：无\n".encode()),
        ("a.xlsx", book([["姓名", "分"], ["张", 5], ["注：无", None]])),
    ):
        path = tmp_path / name
        path.write_bytes(content)
        seen = previewing.preview(path, name)
        assert ([row[0] for row in seen["rows"]], seen["total_rows"]) == (["张"], 1)


@pytest.mark.parametrize(
    "content", ["意见\n很好\n注：无\n", "姓名,分\n张,5\n李,\n", "a,b\n1,2\n注意力,\n", "词,义\n甲,乙\n注：丙,丁\n"]
)
def test_rows_stay_rows(read: Import, content: str) -> None:
    done = read(content, on_doubt="text")
    assert done["rows"] == content.count("\n") - 1 and not _said(done, "rows.note")


def _merged() -> bytes:
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    assert sheet is not None
    names = ("一班", "张", 5), (None, "李", 6), ("二班", "王", 7), (None, "赵", 8), (None, "钱", 9)
    for row in (("班", "姓名", "分"), *names):
        sheet.append(row)
    sheet.merge_cells("A2:A3")
    sheet.merge_cells("A4:A6")
    out = io.BytesIO()
    workbook.save(out)
    return out.getvalue()


def test_merged_cells_can_be_filled_down(read: Import, tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    path.write_bytes(_merged())
    assert previewing.preview(path, "a.xlsx")["candidates"]["merged"] == ["blank", "fill"]
    plain = read(_merged(), "a.xlsx")
    assert plain["table"].text("c1").tolist() == ["一班", None, "二班", None, None]
    assert "填满" in _said(plain, "xlsx.merged")[0]["text"]
    filled = read(_merged(), "a.xlsx", settings={"merged": "fill"})
    assert filled["table"].text("c1").tolist() == ["一班", "一班", "二班", "二班", "二班"]
    assert _said(filled, "xlsx.merged")[0]["text"] == "数据区有 2 处合并单元格（如 A2），已把左上角的值填到下面各行。"
    seen = previewing.preview(path, "a.xlsx", {"merged": "fill"})
    assert [row[0] for row in seen["rows"]] == ["一班", "一班", "二班", "二班", "二班"]


def test_a_sheet_without_merged_cells_is_not_asked(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    path.write_bytes(book([["a", "b"], [1, 2]]))
    assert "merged" not in previewing.preview(path, "a.xlsx")["candidates"]
