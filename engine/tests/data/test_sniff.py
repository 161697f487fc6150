"""What is guessed from pieces of a text file, wherever they are cut."""

from __future__ import annotations

from pathlib import Path

import pytest

from hengxi.data.delimited.sniff import HEAD, _samples, guess_encodings, header_line
from tests.data.conftest import Import


@pytest.mark.parametrize("shift", range(4))
def test_a_cell_longer_than_a_piece_does_not_hide_the_encoding(tmp_path: Path, shift: int) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"id,text\n" + b"1" * shift + b"," + "𠮷".encode() * HEAD + b"\n")
    assert guess_encodings(_samples(path, partial=False)) == ["UTF-8"]


@pytest.mark.parametrize("line", ["sep=;", '"sep=;"', "SEP=;"])
def test_the_line_that_announces_the_separator_is_no_row(read: Import, line: str) -> None:
    answer = read(f"{line}\r\n甲;乙\r\n1;a,b\r\n2;c,d\r\n")
    assert [column["name"] for column in answer["columns"]] == ["甲", "乙"]
    assert answer["rows"] == 2
    assert answer["report"]["settings"]["header_row"] == 2


def test_western_accents_are_not_taken_for_chinese(read: Import) -> None:
    answer = read("naïve,café\n1,é\n2,ü\n".encode("cp1252"))
    assert [column["name"] for column in answer["columns"]] == ["naïve", "café"]
    assert answer["report"]["settings"]["encoding"] == "Latin-1"


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_chinese_in_utf_16_without_a_mark(read: Import, codec: str) -> None:
    answer = read("姓名,城市,备注\n张三,北京,很好很好\n李四,上海,一般一般\n".encode(codec))
    assert answer["table"].text("c3").tolist() == ["很好很好", "一般一般"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("地区,指标,2020,2021\n华北,人口,1.5,2\n华东,人口,3,4\n", 1),
        ("2010,2015,2020\n1,2,3\n4,5,6\n", 1),
        ("华北,人口,2020,5\n华北,人口,2021,6\n华东,人口,2020,7\n", 0),
        ("2001\n1500\n1800\n2500\n", 0),
        ("2019,2020\n2020,2021\n2021,2022\n", 0),
        ("1995,3.5,a\n1,2,b\n3,4,c\n", 0),
    ],
)
def test_years_over_figures_are_names(text: str, line: int) -> None:
    assert header_line([row.split(",") for row in text.split()]) == line


@pytest.mark.parametrize("text", ["1,2.5 .,3 3,.", ".,.,x 1,3,y 3,4,z"])
def test_points_for_missing_numbers_are_no_names(text: str) -> None:
    assert header_line([row.split(",") for row in text.split()]) == 0
