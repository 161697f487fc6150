"""2.000 is two, or two thousand: where commas are decimal signs, the user says which."""

from __future__ import annotations

from tests.data.conftest import Import


def test_points_group_digits_where_commas_are_decimal(read: Import) -> None:
    text = "a;b\n1.234,5;x\n2.000;y\n12.345.678,25;z\n"
    asked = read(text)
    grouping, decimal = asked["questions"][0]["choices"][:2]
    assert "2.000 读作 2000" in grouping["title"] and "2.000 读作 2" in decimal["title"]
    assert {"before": "2.000", "after": 2000.0} in grouping["preview"]
    values = [read(text, answers={"c1": c["key"]})["table"].numeric("c1").tolist() for c in (grouping, decimal)]
    assert values == [[1234.5, 2000, 12345678.25], [1234.5, 2, 12345678.25]]
    assert read(text, settings={"decimal": ","})["table"].numeric("c1").tolist() == [1234.5, 2000, 12345678.25]


def test_a_column_of_grouped_digits_beside_decimal_commas_waits(read: Import) -> None:
    text = "a;b\n1,5;2.000\n2,5;3.500\n"
    questions = read(text)["questions"]
    assert [question["column"] for question in questions] == ["c1", "c2"]
    first = {question["id"]: question["choices"][0]["key"] for question in questions}
    table = read(text, answers=first)["table"]
    assert table.numeric("c1").tolist() == [1.5, 2.5] and table.numeric("c2").tolist() == [2000, 3500]
    assert "questions" not in read("a;b\n1.5;2.000\n2.5;3.500\n")
