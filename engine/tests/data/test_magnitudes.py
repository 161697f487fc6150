"""Ways in which people write numbers: none is read as a number unasked, and what is read is exact to the last bit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Import = Callable[..., dict[str, Any]]


@pytest.mark.parametrize(
    ("cells", "key", "values"),
    [
        (["1 234,5", "12 345"], "spaces", [1234.5, 12345]),
        (["1\u00a0234.5", "1\u202f234\u202f567"], "spaces", [1234.5, 1234567]),
        (["1'234.5", "12’345"], "spaces", [1234.5, 12345]),
        (["1，234", "5"], "thousands", [1234, 5]),
        (["￥1,234.50", "-$3"], "currency", [1234.5, -3]),
        (["2,000元", "3.5 元"], "currency", [2000, 3.5]),
        (["1.1亿", "3百万", "2千", "3.3万元"], "wan", [110_000_000, 3_000_000, 2000, 33_000]),
        (["１２％", "0.7%", "1,234%"], "percent", [0.12, 0.007, 12.34]),
        (["5‰", "1"], "permille", [0.005, 1]),
        (["\u22125", "–3.2"], "fullwidth", [-5, -3.2]),
        (["(12)", "（1,200.5）", "7"], "parentheses", [-12, -1200.5, 7]),
        (["12元", "1万元"], "wan+currency", [12, 10_000]),
    ],
)
def test_a_written_number_waits_for_a_click_and_is_read_exactly(
    read: Import, cells: list[str], key: str, values: list[float]
) -> None:
    content = "a\tb\n" + "".join(f"{cell}\tx\n" for cell in cells)
    (question,) = read(content)["questions"]
    assert key in [choice["key"] for choice in question["choices"]]
    chosen = read(content, answers={"c1": key})["table"]
    assert chosen.numeric("c1").tolist() == values
    assert read(content, on_doubt="text")["table"].text("c1").tolist() == cells


@pytest.mark.parametrize("cells", [["2024-03", "1:2"], ["0x1A", "0x10"], ["170cm", "65kg"], ["3/4", "1/2"]])
def test_what_is_no_number_stays_text_without_a_question(read: Import, cells: list[str]) -> None:
    answer = read("a\tb\n" + "".join(f"{cell}\tx\n" for cell in cells))
    assert answer["state"] == "done" and answer["table"].text("c1").tolist() == cells


def test_a_number_beyond_the_largest_is_asked_for_and_left_out(read: Import) -> None:
    """Python and the table do not agree what 1e400 is: that is no fault of the import."""
    content = "a\n1\n1e400\n3\n"
    assert read(content)["questions"][0]["samples"] == [{"row": 2, "value": "1e400"}]
    table = read(content, answers={"c1": "missing"})["table"]
    assert table.numeric("c1").tolist() == pytest.approx([1, float("nan"), 3], nan_ok=True)
    assert table.raw("c1").to_pylist() == [None, "1e400", None]


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (["１，２３４", "３４", "１２．５"], [1234, 34, 12.5]),
        (["３万", "１．２亿", "１，２００万"], [30_000, 120_000_000, 12_000_000]),
        (["（１００）", "￥２００", "１２元"], [-100, 200, 12]),
        (["１ ２３４", "５０％"], [1234, 0.5]),
        (["50\u00a0%", "7\u3000％", "3\u202f‰"], [0.5, 0.07, 0.003]),
        (["5\u00a0万", "6\u202f亿"], [50_000, 600_000_000]),
    ],
)
def test_digits_and_spaces_of_any_width_are_lost_in_no_reading(
    read: Import, cells: list[str], numbers: list[float]
) -> None:
    text = "x;y\n" + "".join(f"{cell};a\n" for cell in cells)
    (question,) = read(text)["questions"]
    table = read(text, answers={"c1": question["choices"][0]["key"]})["table"]
    assert table.numeric("c1").tolist() == numbers


def test_digits_of_other_scripts_are_no_numbers_and_stay(read: Import) -> None:
    (question,) = read("x;y\n5%;a\n6%;b\n٣%;c\n")["questions"]
    assert "其余 1 个不是数字" in question["choices"][0]["title"]
