"""Bytes that are no characters, and separators that are no columns: read with a stated note, never silently."""

from __future__ import annotations

import pytest

from hengxi.data.refusal import DataRefusal
from tests.data.conftest import Import

NAMES = ["张三", "李四", "王五", "赵六", "钱七", "孙八"]
ROWS = "".join(f"{name},{place},好\n" for place, name in enumerate(NAMES))


def with_broken(encoding: str, cell: bytes = "好".encode()) -> bytes:
    """A table whose last cell of row 4 has lost a byte."""
    lines = ("姓名,分数,评价\n" + ROWS).encode(encoding).split(b"\n")
    lines[4] = lines[4][:-1]
    return b"\n".join(lines)


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030"])
def test_one_broken_byte_is_read_and_told(read: Import, encoding: str) -> None:
    answer = read(with_broken(encoding))
    table, report = answer["table"], answer["report"]
    assert report["settings"]["encoding"].lower() == encoding
    assert table.text("c1").tolist() == NAMES and table.numeric("c2").tolist() == [0, 1, 2, 3, 4, 5]
    cells = table.text("c3").tolist()
    assert "\ufffd" in cells[3] and [cell for place, cell in enumerate(cells) if place != 3] == ["好"] * 5
    told = next(warning for warning in report["warnings"] if warning["code"] == "bytes.broken")
    assert told["facts"] == {"count": 1, "lines": [5]} and "第 5 行有 1 处" in told["text"]
    note = report["columns"][2]
    assert note["odd"] == 1 and note["samples"] == [{"row": 4, "value": cells[3]}]


def test_a_broken_byte_in_the_header_is_told(read: Import) -> None:
    raw = ("姓名,分数\n" + "".join(f"{name},1\n" for name in NAMES)).encode()
    answer = read(raw.replace("分数".encode(), "分数".encode()[:-1]))
    assert answer["table"].meta.columns[1].name == "分\ufffd"
    assert [warning["code"] for warning in answer["report"]["warnings"]] == ["bytes.broken"]


def test_a_broken_byte_in_a_number_waits_for_the_click(read: Import) -> None:
    raw = ("姓名,分数\n" + "".join(f"{name},12\n" for name in NAMES)).encode().replace(b"12\n", b"1\xff2\n", 1)
    asked = read(raw)
    assert asked["state"] == "asking"
    assert asked["questions"][0]["samples"] == [{"row": 1, "value": "1\ufffd2"}]
    answer = read(raw, answers={"c2": "missing"})
    assert answer["table"].numeric("c2")[1:].tolist() == [12.0] * 5
    assert answer["report"]["columns"][1]["odd"] == 1


def test_where_little_speaks_for_the_encoding_the_user_is_asked(read: Import) -> None:
    raw = b"a,b\n" + b"1,x\n" * 3 + b"2,\xff\xfe\xff\n"
    with pytest.raises(DataRefusal) as caught:
        read(raw, settings={"encoding": "UTF-8"})
    last = caught.value.choices[-1]
    assert "\ufffd" in last["title"] and caught.value.facts["count"] == 3
    answer = read(raw, settings={"encoding": "UTF-8", **last["set"]})
    assert answer["table"].text("c2").tolist() == ["x", "x", "x", "\ufffd" * 3]


def test_a_broken_byte_in_a_part_of_the_file(read: Import) -> None:
    answer = read(with_broken("utf-8"), settings={"range": "A1:C6"})
    assert "\ufffd" in answer["table"].text("c3").tolist()[3]


@pytest.mark.parametrize("end", [",", ",,,"])
def test_separators_at_the_end_of_every_line_make_no_column(read: Import, end: str) -> None:
    answer = read(f"a,b{end}\n1,2{end}\n3,4{end}\n")
    assert [column.name for column in answer["table"].meta.columns] == ["a", "b"]
    assert answer["table"].numeric("c2").tolist() == [2, 4]
    told = next(warning for warning in answer["report"]["warnings"] if warning["code"] == "columns.trailing")
    assert told["facts"]["count"] == len(end) and f"最后 {len(end)} 列" in told["text"]
    assert "已读 2 × 2" in answer["report"]["check"]["text"]


def test_a_nameless_last_column_with_a_cell_far_down_is_kept(read: Import) -> None:
    answer = read("a,b,\n" + "1,2,\n" * 5000 + "3,4,x\n")
    assert [column.name for column in answer["table"].meta.columns] == ["a", "b", "列3"]
    assert answer["table"].text("c3").tolist()[-1] == "x"


def test_a_named_last_column_without_cells_is_kept(read: Import) -> None:
    assert [column.name for column in read("a,b,c\n1,2,\n3,4,\n")["table"].meta.columns] == ["a", "b", "c"]


def test_a_separator_only_the_header_ends_with_makes_no_column(read: Import) -> None:
    assert [column.name for column in read("a,b,\n1,2\n3,4\n")["table"].meta.columns] == ["a", "b"]


def test_no_header_and_a_separator_at_every_end(read: Import) -> None:
    assert [column.name for column in read("1,2,\n3,4,\n")["table"].meta.columns] == ["列1", "列2"]
