"""Files under the ending of another format: read with a note where the content is certain, else refused."""

from __future__ import annotations

import io
from pathlib import Path

import pandas as pd
import pytest

from hengxi.data import previewing
from hengxi.data.refusal import DataRefusal
from tests.data.conftest import Import
from tests.data.workbook_files import SIMPLE, book

PAGE = """<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><meta charset="{charset}"><title>表</title>
<style>td {{ color: red }}</style></head><body><table><tr><td>导出时间 2024</td></tr></table>
<table border=1><tr><th>姓名</th><th>分数</th><th>组</th></tr>
<tr><td>张&nbsp;三</td><td>85.5</td><td rowspan="2">甲</td></tr><tr><td>李四&amp;</td><td>90</td></tr>
<tr><td>王五<br></td><td>77</td><td>乙</td></tr></table></body></html>"""


@pytest.mark.parametrize("charset", ["utf-8", "gb2312"])
def test_a_web_page_called_xls_is_read_with_a_note(read: Import, charset: str) -> None:
    content = PAGE.format(charset=charset).encode("gb18030" if charset == "gb2312" else "utf-8")
    done = read(content, "成绩.xls")
    table = done["table"]
    assert [column.name for column in table.meta.columns] == ["姓名", "分数", "组"]
    assert table.text("c1").tolist() == ["张 三", "李四&", "王五"] and table.numeric("c2").tolist() == [85.5, 90, 77]
    assert table.text("c3").tolist() == ["甲", None, "乙"]
    (note,) = [one for one in done["report"]["warnings"] if one["code"] == "file.ending"]
    assert note["text"] == "扩展名是 .xls，内容是网页表格（HTML），已按内容读入。"


def test_what_pandas_writes_as_a_page(read: Import) -> None:
    frame = pd.DataFrame({"a": [1, 2, 3], "b": ["x", "y", "z"]})
    table = read(frame.to_html(index=False).encode(), "a.xls")["table"]
    assert table.numeric("c1").tolist() == [1, 2, 3] and table.text("c2").tolist() == ["x", "y", "z"]


def test_the_preview_says_it_too(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text(PAGE.format(charset="utf-8"), encoding="utf-8")
    seen = previewing.preview(path, "a.xls")
    assert (seen["kind"], seen["rows"][0]) == ("html", ["张 三", "85.5", "甲"])
    assert seen["notes"] == ["扩展名是 .xls，内容是网页表格（HTML），已按内容读入。"]


def test_a_page_without_a_table(read: Import) -> None:
    with pytest.raises(DataRefusal) as caught:
        read("<html><body>请先登录</body></html>", "a.xls")
    assert caught.value.code == "html.table"


def test_text_with_tabs_called_xls(read: Import) -> None:
    content = "编号\t姓名\t分\n1\t张\t5\n2\t李\t6\n"
    for encoding in ("utf-8", "utf-16", "gb18030"):
        done = read(content.encode(encoding), "a.xls")
        assert done["table"].numeric("c3").tolist() == [5, 6]
        assert "file.ending" in [one["code"] for one in done["report"]["warnings"]]


@pytest.mark.parametrize("name", ["a.csv", "a.sav", "a.xls", "a.json"])
def test_a_workbook_under_another_ending(read: Import, name: str) -> None:
    done = read(book(SIMPLE), name)
    (note,) = [one for one in done["report"]["warnings"] if one["code"] == "file.ending"]
    assert done["rows"] == 3 and "xlsx 工作簿" in note["text"]


def test_columns_of_parquet_called_csv(read: Import) -> None:
    out = io.BytesIO()
    pd.DataFrame({"a": [1, 2]}).to_parquet(out)
    assert read(out.getvalue(), "a.csv")["rows"] == 2


@pytest.mark.parametrize("content", ["随便写的一段话\n又一段\n", "a\n1\n", "a,b\n1\n2,3,4\n5\n"])
def test_texts_that_may_be_anything_are_refused(read: Import, content: str) -> None:
    with pytest.raises(DataRefusal) as caught:
        read(content, "a.xls")
    assert caught.value.code == "file.mismatch"


def test_the_right_ending_needs_no_note(read: Import) -> None:
    for content, name in ((book(SIMPLE), "a.xlsx"), ("a\tb\n1\t2\n", "a.txt")):
        assert "file.ending" not in [one["code"] for one in read(content, name)["report"]["warnings"]]
