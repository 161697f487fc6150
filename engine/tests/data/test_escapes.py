"""Quotes inside quotes: written twice, or with a backslash before them as R's write.table does; and empty columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hengxi.data import previewing
from hengxi.data.delimited import decoding
from hengxi.data.refusal import DataRefusal
from tests.data.conftest import Import

ROWS = {"行名": ["row one", "r2", "r 3"], "x": ["1", "2.5", None], "name": ['say "hi" now', "b", 'c, d "e"']}
CELLS = (('"row one"', "1", '"say \\"hi\\" now"'), ('"r2"', "2.5", '"b"'), ('"r 3"', "NA", '"c, d \\"e\\""'))


def written(sign: str) -> str:
    """What write.table(d, sep = sign) of R writes."""
    return "\n".join([sign.join(('"x"', '"name"')), *(sign.join(row) for row in CELLS), ""])


def cells(answer: dict[str, Any]) -> dict[str, list[Any]]:
    return {column.name: answer["table"].text(column.id).tolist() for column in answer["table"].meta.columns}


@pytest.mark.parametrize("sign", [" ", "\t", ",", ";"])
def test_tables_of_r_are_read_with_their_escapes_and_row_names(read: Import, sign: str) -> None:
    answer = read(written(sign), "r.txt")
    assert cells(answer) == ROWS
    settings = answer["report"]["settings"]
    assert (settings["escape"], settings["delimiter"], answer["report"]["warnings"]) == ("\\", sign, [])


def test_the_setting_is_seen_and_can_be_changed(read: Import, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(written(","))
    seen = previewing.preview(path, "a.csv")
    assert (seen["settings"]["escape"], seen["candidates"]["escape"]) == ("\\", ["", "\\"])
    assert seen["rows"][0] == ["row one", "1", 'say "hi" now']
    with pytest.raises(DataRefusal) as caught:
        read(path, "a.csv", settings={"escape": ""})
    assert caught.value.code == "csv.ragged"
    with pytest.raises(DataRefusal) as caught:
        read(path, "a.csv", settings={"escape": "x"})
    assert caught.value.code == "csv.settings"
    path.write_text("a,b\n1,2\n")
    assert "escape" not in previewing.preview(path, "a.csv")["candidates"]


@pytest.mark.parametrize(
    ("line", "cell"),
    [
        ('"C:\\dir\\"', "C:\\dir\\"),
        ('"{""a"": ""x\\""y""}"', '{"a": "x\\"y"}'),
        ('5\\"x3', '5\\"x3'),
    ],
)
def test_backslashes_that_escape_nothing_stay(read: Import, line: str, cell: str) -> None:
    answer = read(f"id,t\n1,{line}\n2,b\n3,c\n")
    assert answer["report"]["settings"]["escape"] == "" and cells(answer)["t"] == [cell, "b", "c"]


def test_an_escape_that_falls_between_two_blocks(read: Import, monkeypatch: pytest.MonkeyPatch) -> None:
    text = written(",")
    for size in range(text.index("\\") - 2, text.index("\\") + 4):
        monkeypatch.setattr(decoding, "CHUNK", size)
        assert cells(read(text, "r.csv")) == ROWS


def test_a_column_without_values_is_said(read: Import) -> None:
    answer = read("a,空,b\n1,,x\n2,,y\n")
    assert answer["table"].meta.columns[1].measure == "定量"
    (warning,) = answer["report"]["warnings"]
    assert warning["code"] == "columns.empty" and warning["facts"] == {"names": ["空"], "count": 1}
    assert read("a,b\n")["report"]["warnings"][0]["code"] != "columns.empty"


def test_lines_of_broken_bytes_are_all_named(read: Import) -> None:
    rows = "王五,4\n赵六,5\n钱七,8\n".encode() * 3
    answer = read("姓名,分数\n张三,1\n".encode() + b"\xff\xe4,3\n" + rows)
    (warning,) = answer["report"]["warnings"]
    assert warning["text"].startswith("第 3 行有 2 处字节不能按 UTF-8 解读")
