"""Reports: what can never be true stops them; what was found is laid out by place and declaration."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hengxi.contract import (
    Broken,
    Chart,
    Formula,
    Matrix,
    Method,
    Points,
    Report,
    Table,
    Wide,
    combo,
    figure,
    flag,
    integer,
    interval,
    num,
    percent,
    pvalue,
    text,
)
from hengxi.contract.layout import lay_out


class Page(Method):
    main = Table(
        "主表",
        variable=text("变量"),
        n=integer("n"),
        ss=num("SS", least=0),
        p=pvalue(),
        ci=interval("CI", "low", "high", around="mean"),
        mean=num("M"),
        share=percent("百分比", sums_within=("variable",)),
        read=flag("采用"),
    )
    points = Points("点", x=num("x"), y=num("y"))
    plot = Chart("图", "point", of=points, x="x", y="y")
    counts = Table("次数", item=text("项"), layout=Wide(n=integer("n"), share=percent("%", most=None)))
    corr = Table("相关", layout=Matrix(r=num("r"), p=pvalue(), show="lower", diagonal="1"))
    pair = Table("组合", ms=combo("M ± SD", "mean_sd"))
    equation = Formula("方程")


def laid(report: Report, strict: bool = False) -> list[dict[str, Any]]:
    return lay_out(Page.elements(), report, lambda _: True, strict)


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ({"p": 1.2}, "lies beyond 1"),
        ({"p": -0.01}, "lies beyond 0"),
        ({"ss": -1}, "lies beyond 0"),
        ({"n": 1.5}, "not whole"),
        ({"mean": float("nan")}, "NaN"),
        ({"low": 2, "high": 1}, "above upper"),
        ({"mean": 5, "low": 1, "high": 2}, "does not hold the estimate"),
        ({"share": 1.4}, "lies beyond 1"),
        ({"n": "三"}, "is no number"),
    ],
)
def test_an_impossible_value_is_an_error_not_a_table(cells: dict[str, Any], words: str) -> None:
    with pytest.raises(Broken, match=words):
        Report().row(Page.main, **cells)


def test_rounding_of_the_last_bits_is_set_right() -> None:
    cells = Report().row(Page.main, p=1 + 1e-12, ss=-1e-15, n=3.0000000000001, low=float("-inf"), high=2)
    assert cells["p"] == 1 and cells["ss"] == 0 and cells["n"] == 3 and cells["low"] == "-inf"


def test_percentages_of_a_group_add_to_one() -> None:
    report = Report()
    report.row(Page.main, variable="a", share=0.5)
    report.row(Page.main, variable="a", share=0.4)
    report.row(Page.main, variable="a", share=1.0, total=True)
    with pytest.raises(Broken, match=r"adds to 0\.9"):
        laid(report)


def test_a_sentence_without_its_fact_or_with_user_text_in_braces_is_an_error() -> None:
    with pytest.raises(Broken, match="no fact 't'"):
        Report().say("t = {t:num}")
    with pytest.raises(Broken, match="unknown format"):
        Report().say("t = {t:money}", t=1)
    with pytest.raises(Broken, match="brace"):
        Report().say("变量{ 的均值", t=1)


def test_a_group_whose_name_says_so_is_not_called_a_group_again() -> None:
    report = Report()
    report.say("“{a}”组高于“{b}”组", a="实验组", b="甲")
    assert report.said[0].text == "“{a}”高于“{b}”组"


def test_everything_is_laid_out_by_place_then_declaration() -> None:
    report = Report()
    report.say("段落。")
    report.note(Page.main, "注。")
    report.check("正态性", "care", "偏度 {g:num}。", g=0.5)
    report.warn("data.few", "少。")
    report.lead("结论 {d:num}。", [figure("差", "{d:num}", None)], d=1.5)
    report.row(Page.main, variable="a", n=3, low=0, high=2, mean=1)
    report.add_rows(Page.points, {"x": [1, 2], "y": [3, 4]})
    report.row(Page.pair, mean=1, sd=0.5)
    report.formula(Page.equation, "y = b_0 + b_1 x", "y = {b0:num} + x", b0=2.0)
    found = [(e["place"], e["type"], e.get("name")) for e in laid(report)]
    assert found == [
        ("lead", "lead", None),
        ("main", "table", "main"),
        ("main", "text", None),
        ("main", "chart", "plot"),
        ("check", "check", None),
        ("text", "warning", None),
        ("text", "text", None),
        ("detail", "table", "points"),
        ("detail", "table", "pair"),
        ("detail", "formula", "equation"),
    ]
    table = laid(report)[1]
    assert table["rows"] == [["a", 3, None, None, [0, 2], 1, None, None]]
    assert next(e for e in laid(report) if e["id"] == "pair")["rows"] == [[[1, 0.5]]]


def test_wide_columns_are_named_at_run_time() -> None:
    report = Report()
    report.row(Page.counts, item="苹果", wide={"男": {"n": 3, "share": 0.3}})
    report.row(Page.counts, item="梨", wide={"女": {"n": 1, "share": 0.1}, "男": {"n": 2, "share": 0.2}})
    table = next(e for e in laid(report) if e["id"] == "counts")
    assert [column["key"] if isinstance(column, dict) else column.key for column in table["columns"]] == [
        "item",
        "n@0",
        "share@0",
        "n@1",
        "share@1",
    ]
    assert table["rows"] == [["苹果", 3, 0.3, None, None], ["梨", 2, 0.2, 1, 0.1]]
    assert (table["columns"][1].wide, table["columns"][1].span) == ("男", [])


def test_a_matrix_fills_its_mirror_and_keeps_items_of_the_same_name_apart() -> None:
    class Item:
        def __init__(self, key: str, name: str) -> None:
            self.id, self.name = key, name

    a, b, c = Item("c1", "题"), Item("c2", "题"), Item("c3", "别")
    report = Report()
    report.row(Page.corr, item=a, against=b, r=0.5, p=0.01)
    report.row(Page.corr, item=b, against=c, r=0.1, p=0.2)
    matrix = next(e for e in laid(report) if e["id"] == "corr")["matrix"]
    assert matrix["labels"] == ["题", "题", "别"]
    assert matrix["layers"][0]["values"] == [[None, 0.5, None], [0.5, None, 0.1], [None, 0.1, None]]


def test_one_table_may_appear_several_times() -> None:
    report = Report()
    report.row(Page.main, at="甲 × 乙", n=1)
    report.row(Page.main, at="甲 × 丙", n=2)
    tables = [e for e in laid(report) if e["type"] == "table"]
    assert [(t["id"], t["at"]) for t in tables] == [("main", "甲 × 乙"), ("main:1", "甲 × 丙")]


def test_what_is_declared_is_shown_or_skipped_with_its_reason() -> None:
    report = Report()
    with pytest.raises(Broken, match="not skipped"):
        laid(report, strict=True)
    for element in Page.elements().values():
        report.skip(element, "没有数据")
    found = laid(report, strict=True)
    assert all(e["type"] == "text" and "没有数据" in e["facts"]["why"] for e in found)


def test_what_is_left_out_is_read_after_what_was_found() -> None:
    report = Report()
    report.skip(Page.main, "没有数据")
    report.say("找到了什么。")
    said = [e for e in laid(report) if e["type"] == "text"]
    assert [e["text"] for e in said] == ["找到了什么。", "{why:text}"]
    assert said[1]["facts"]["why"].endswith("没有数据。")


def test_a_note_said_for_every_group_stands_once() -> None:
    report = Report()
    for at, times in (("甲", 1000), ("乙", 1000), ("丙", 500)):
        report.row(Page.main, at=at, n=1)
        report.note(Page.main, "重抽样 {times:integer} 次。", times=times)
    assert [e["facts"]["times"] for e in laid(report) if e["type"] == "text"] == [1000, 500]


def test_unknown_cells_and_chart_columns_are_mistakes_of_ours() -> None:
    with pytest.raises(TypeError, match="has no column"):
        Report().row(Page.main, nn=3)
    with pytest.raises(TypeError, match="is no column"):
        Chart("图", "point", of=Page.points, x="x", y="z")
    with pytest.raises(TypeError, match="needs"):
        Chart("图", "interval", of=Page.main, x="variable", y="mean")
    with pytest.raises(TypeError, match="reserved"):
        Table("表", at=text("x"))


def test_many_rows_stay_beside_the_report_but_points_do_not() -> None:
    report = Report()
    report.add_rows(Page.main, {"n": list(range(1500))})
    report.add_rows(Page.points, {"x": list(range(1500)), "y": list(range(1500))})
    found = {e["id"]: e for e in laid(report)}
    assert len(found["main"]["rows"]) == 1000 and found["main"]["more"]["rows"] == 1500
    assert len(found["points"]["rows"]) == 1500


def _rows(report: Report, name: str) -> list[list[Any]]:
    (found,) = [e for e in laid(report) if e.get("name") == name]
    assert len(found["depth"]) == len(found["rows"])
    return [list(row) for row in found["rows"]]


def test_rows_given_by_columns_stand_as_if_given_one_by_one() -> None:
    columns: dict[str, list[Any]] = {
        "variable": ["a", None],
        "n": [3, 4],
        "low": [0, 1],
        "high": [2, None],
        "mean": [1, 2],
    }
    whole, single = Report(), Report()
    whole.add_rows(Page.main, columns)
    whole.row(Page.main, variable="c", n=5)
    whole.add_rows(Page.main, {"n": [6]})
    for cells in zip(*columns.values(), strict=True):
        single.row(Page.main, **dict(zip(columns, cells, strict=True)))
    single.row(Page.main, variable="c", n=5)
    single.row(Page.main, n=6)
    assert _rows(whole, "main") == _rows(single, "main")
    assert [row.cells.get("n") for row in whole.rows_of(Page.main)] == [3, 4, 5, 6]
    with pytest.raises(Broken, match="above upper"):
        Report().add_rows(Page.main, {"low": [0, 2], "high": [1, 1]})
    with pytest.raises(ValueError, match="values to unpack"):
        Report().add_rows(Page.points, {"x": [1, 2], "y": [1]})
    none = Report()
    none.add_rows(Page.points, {"x": [], "y": []})
    assert not laid(none)


def test_points_of_several_variables_name_theirs() -> None:
    report = Report()
    for name in ("甲", "乙"):
        one = Report()
        one.add_rows(Page.points, {"x": [1, 2], "y": [3, 4]})
        one.add_rows(Page.points, {"x": [5]})
        report.absorb(one, name, alone=False)
    assert _rows(report, "points") == [
        ["甲", 1, 3], ["甲", 2, 4], ["甲", 5, None], ["乙", 1, 3], ["乙", 2, 4], ["乙", 5, None],
    ]  # fmt: skip


def test_shares_given_by_columns_must_add_up_too() -> None:
    report = Report()
    report.add_rows(Page.main, {"variable": ["a", "a"], "share": [0.5, 0.4]})
    with pytest.raises(Broken, match=r"adds to 0\.9"):
        laid(report)


def test_points_by_the_thousand_have_nine_digits_and_tables_all_of_theirs() -> None:
    report = Report()
    x = np.array([1 / 3, -2e7 / 3, 2e-12 / 3, 0.0, 1.7e12 + 1, 123456789012.5])
    report.add_rows(Page.points, {"x": x, "y": x[::-1]})
    report.add_rows(Page.main, {"variable": ["a"] * len(x), "mean": x})
    assert [x for x, _ in _rows(report, "points")] == [
        0.333333333,
        -6666666.67,
        6.66666667e-13,
        0,
        1.7e12 + 1,
        123456789000,
    ]
    assert [row[5] for row in _rows(report, "main")] == x.tolist()
