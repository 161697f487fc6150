"""Rows with too few or too many fields: which they are, and what each way out would cut, is said before it does."""

from __future__ import annotations

import pytest

from hengxi.data.delimited.wording import lines_text
from hengxi.data.refusal import DataRefusal
from tests.data.conftest import Import

HEAD = "a,b,c\n"
MIXED = HEAD + "1,2,3\n4,5\n6,7,8\n1,2,3,x,y\n9,9\n9,9\n1,2,3\n"


def _refused(read: Import, content: str) -> DataRefusal:
    with pytest.raises(DataRefusal) as caught:
        read(content)
    return caught.value


def test_every_bad_line_is_named(read: Import) -> None:
    error = _refused(read, MIXED)
    assert error.text == "第 3 行有 2 个字段，表头有 3 个，共有 4 行如此：第 3、5–7 行。"
    assert error.facts["lines"] == [3, 5, 6, 7]
    many = _refused(read, HEAD + "1,2,3\n" * 50 + "4,5\n1,2,3\n" * 20)
    assert many.facts["lines"] == list(range(52, 92, 2)) and "、90 行" in many.text


def test_each_way_out_says_which_rows_it_cuts(read: Import) -> None:
    titles = {choice["set"]["on_bad_row"]: choice["title"] for choice in _refused(read, MIXED).choices}
    assert titles == {
        "extra": "多出的字段放进新列“多出的字段”（第 5 行），缺少的字段作缺失（第 3、6、7 行）",
        "repair": "接回断开的行，仍缺少的字段作缺失，跳过字段过多的 1 行（第 5 行）",
        "pad": "缺少的字段作缺失（第 3、6、7 行），跳过字段过多的 1 行（第 5 行）",
        "skip": "跳过这 4 行（第 3、5–7 行）",
    }
    only_long = _refused(read, HEAD + "1,2,3,4\n1,2,3\n")
    assert [choice["set"]["on_bad_row"] for choice in only_long.choices] == ["extra", "skip"]


def test_extra_fields_become_a_column(read: Import) -> None:
    done = read(MIXED, settings={"on_bad_row": "extra"})
    assert [column["name"] for column in done["columns"]] == ["a", "b", "c", "多出的字段"]
    assert done["rows"] == 7
    table = done["table"]
    assert table.text("c4").tolist() == [None, None, None, "x,y", None, None, None]
    assert table.numeric("c2").tolist() == [2, 5, 7, 2, 9, 9, 2]
    said = {one["code"]: one["facts"]["lines"] for one in done["report"]["warnings"]}
    assert (said["rows.extra"], said["rows.padded"]) == ([5], [3, 6, 7])


def test_what_was_skipped_is_named_in_the_report(read: Import) -> None:
    (said,) = read(MIXED, settings={"on_bad_row": "skip"})["report"]["warnings"]
    assert said["text"] == "跳过了 4 个字段数不符的行（第 3、5–7 行）。"


def test_very_many_lines_are_named_as_far_as_one_reads() -> None:
    text = lines_text(list(range(1, 1000, 2)), 500)
    assert text.startswith("第 1、3、5") and text.endswith("、119 等行")
