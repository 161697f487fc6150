"""The formula grammar: precedence, places of errors, and random formulas against plain Python."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hengxi.contract.grammar import Arithmetic, Column, FormulaError, Negative, Number, columns, parse, symbols
from hengxi.contract.grammar_types import FUNCTIONS, check
from hengxi.data import repeats
from hengxi.data.build import table_of
from hengxi.data.evaluate import condition_mask, expression
from hengxi.data.functions import LOGICAL, NUMERIC, TEXTUAL
from hengxi.data.table import Table


def value(formula: str, table: Table | None = None) -> float:
    return float(expression(table or table_of({"x": [1]}), formula).values[0])  # type: ignore[index]


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("-2^2", -4),
        ("2^3^2", 512),
        ("2**-1", 0.5),
        ("1+2*3-4/2", 5),
        ("(1+2)*3", 9),
        ("10-3-2", 5),
        ("12/3/2", 2),
        ("--3", 3),
        ("１＋２×３", 7),
        ("6÷（1＋1）", 3),
        ("round(2.675, 2)", 2.68),
        ("ROUND(-2.5)", -3),
        ("Mod(7, 3)", 1),
        ("mean(1, 2, 6)", 3),
        ("sd(1, 3)", math.sqrt(2)),
        ("median(5, 1, 3, 100)", 4),
        ("if(1 < 2, 10, 20)", 10),
        ("year(date(2024, 2, 29))", 2024),
        ("date(2024, 3, 1) - date(2024, 2, 1)", 29),
        ("weekday(date(2024, 1, 1))", 1),
        ("log(8, 2)", 3),
        ('len("𠮷野家")', 3),
        ('number("1.5")', 1.5),
    ],
)
def test_values(formula: str, expected: float) -> None:
    assert value(formula) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("formula", "code", "at"),
    [
        ("", "formula.syntax", 0),
        ("1 +", "formula.syntax", 3),
        ("(1 + 2", "formula.syntax", 6),
        ("1 + 2)", "formula.syntax", 5),
        ("1 2", "formula.syntax", 2),
        ("1 < 2 < 3", "formula.syntax", 6),
        ("{c1} = 'x'", "formula.syntax", 7),
        ('{c1} = "x', "formula.syntax", 7),
        ("{年龄} > 1", "formula.syntax", 0),
        ("[1]", "formula.syntax", 0),
        ("{c9} > 1", "formula.symbol", 0),
        ("1 + x > 2", "formula.symbol", 4),
        ("foo(1) > 0", "formula.function", 0),
        ("abs(1, 2) > 0", "formula.function", 7),
        ("abs() > 0", "formula.function", 0),
        ("mean.3(1, 2) > 0", "formula.function", 0),
        ('{c1} = "x"', "formula.type", 5),
        ("{c2} = 1", "formula.type", 5),
        ("{c2} + 1 > 0", "formula.type", 0),
        ("1 and 2", "formula.type", 0),
        ("1 + 1", "formula.type", 2),
    ],
)
def test_errors_say_where(formula: str, code: str, at: int) -> None:
    table = table_of({"年龄": [1, 2], "性别": ["男", "女"]})
    with pytest.raises(FormulaError) as caught:
        condition_mask(table, formula)
    assert (caught.value.code, caught.value.at) == (code, at)
    assert f"第 {at + 1} 个字符" in caught.value.text
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.code, again.at, again.text, again.facts) == (code, at, caught.value.text, caught.value.facts)


def test_limits() -> None:
    with pytest.raises(FormulaError, match="50 层"):
        parse("(" * 60 + "1" + ")" * 60)
    assert parse("(" * 40 + "1" + ")" * 40)
    with pytest.raises(FormulaError, match="2000"):
        parse("1+" * 1000 + "1")
    for deep in ("not " * 60 + "1=1", "-" * 60 + "1", "2^" * 60 + "1", "abs(" * 60 + "1" + ")" * 60):
        with pytest.raises(FormulaError):
            parse(deep)


def test_kinds() -> None:
    assert parse("3*X + 2*Y <= 18", "constraint")
    assert symbols(parse("3*X + 2*Y <= 18", "constraint")) == ["X", "Y"]
    assert check(parse("a*x^2 = y", "equation"), "equation", {}, symbols={"a", "x", "y"}) == "logical"
    for wrong, kind in (("X + Y", "constraint"), ("X != 2", "constraint"), ("X <= 2", "equation")):
        with pytest.raises(FormulaError):
            parse(wrong, kind)  # type: ignore[arg-type]
    assert columns(parse("{c3}/({c4}/100)^2 + {c3}")) == ["c3", "c4"]


def test_every_function_that_is_declared_is_there() -> None:
    for name, (_, result) in FUNCTIONS.items():
        there = {"number": NUMERIC, "date": NUMERIC, "text": TEXTUAL, "logical": LOGICAL}
        tables: list[Any] = [there[result]] if result != "same" else [NUMERIC, TEXTUAL]
        assert all(name in table for table in tables), name


def test_three_values() -> None:
    table = table_of({"x": [1, 2, None], "g": ["甲", None, "乙"]})

    def keeps(condition: str) -> list[bool]:
        return condition_mask(table, condition).tolist()

    assert keeps("{c1} > 1") == [False, True, False]
    assert keeps("not {c1} > 1") == [True, False, False]
    assert keeps('{c1} > 1 or {c2} = "乙"') == [False, True, True]
    assert keeps('{c1} > 0 and {c2} = "甲"') == [True, False, False]
    assert keeps("missing({c1})") == [False, False, True]
    assert keeps('missing({c1} > 0 and {c2} = "甲")') == [False, True, False]
    assert keeps('missing({c1} > 0 or {c2} = "甲")') == [False, False, True]
    assert keeps("not nvl(({c1} > 1), 1 = 0)") == [True, False, True]
    assert keeps('{c2} in ("甲", "丙") 或 {c1} in (2, 3)') == [True, True, False]
    assert keeps('{c2} not in ("甲")') == [False, False, True]
    assert keeps("非missing({c1})且{c1}≠1") == [False, True, False]


def test_values_never_labels_and_user_missing_is_missing() -> None:
    table = table_of({"x": [1, 99, 3]})
    table.meta.columns[0].missing.values.append(99)
    assert condition_mask(table, "{c1} > 2").tolist() == [False, False, True]
    assert condition_mask(table, "missing({c1})").tolist() == [False, True, False]


def test_dates_compare_with_text() -> None:
    import datetime as dt

    table = table_of({"d": [dt.date(2024, 1, 1), dt.date(2024, 6, 1), None]})
    assert condition_mask(table, '{c1} >= "2024-02-01"').tolist() == [False, True, False]
    assert condition_mask(table, "month({c1}) = 6").tolist() == [False, True, False]
    with pytest.raises(FormulaError):
        condition_mask(table, '{c1} >= "昨天"')


def test_repeated_marks_all_but_the_first_of_equal_rows_and_a_gap_equals_a_gap() -> None:
    cells = {"a": [1.0, 2, 1, None, None, 1, 0.0, -0.0], "t": ["甲", "甲", "甲", None, None, "乙", "丙", "丙"]}
    table = table_of(cells)
    found = condition_mask(table, "repeated({c1}, {c2})").tolist()
    assert found == [False, False, True, False, True, False, False, True]
    assert condition_mask(table, "not repeated({c2})").tolist() == [True, False, False, True, False, True, True, False]
    assert condition_mask(table, "repeated({c1} > 1)").tolist() == [False, False, True, False, True, True, True, True]


def test_rows_that_share_a_digest_are_compared_cell_by_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeats, "_digests", lambda _, rows: np.zeros(rows, dtype=np.uint64))
    table = table_of({"a": [1, 2, 1, 2, 3], "b": [1, 1, 1, 2, 1]})
    assert condition_mask(table, "repeated({c1}, {c2})").tolist() == [False, False, True, False, False]


def test_undefined_cells_are_missing_and_counted() -> None:
    table = table_of({"x": [0, -1, 4, None]})
    divided = expression(table, "1/{c1}")
    assert divided.lost == {"division": 1}
    logs = expression(table, "ln({c1})")
    assert logs.lost == {"domain": 2} and np.isnan(logs.values[:2]).all()  # type: ignore[index]
    assert expression(table, "sqrt({c1})").lost == {"domain": 1}
    assert expression(table, "({c1} - 3)^0.5").lost == {"domain": 2}


def test_row_statistics_want_their_number_of_valid_values() -> None:
    table = table_of({"a": [1, None, None], "b": [2, 4, None], "c": [6, 8, None]})
    means = expression(table, "mean({c1}, {c2}, {c3})").values
    assert means[:2].tolist() == [3, 6] and np.isnan(means[2])  # type: ignore[index]
    strict = expression(table, "MEAN.3({c1}, {c2}, {c3})").values
    assert strict[0] == 3 and np.isnan(strict[1:]).all()  # type: ignore[index]
    assert expression(table, "nmiss({c1}, {c2}, {c3})").values.tolist() == [0, 1, 3]  # type: ignore[union-attr]


# -- random formulas ---------------------------------------------------------------------------------------------------

_numbers = st.floats(-50, 50, allow_nan=False).map(lambda v: round(v, 3))
_leaves = st.one_of(
    _numbers.map(lambda v: (f"({v})", v)),
    st.sampled_from([("{c1}", "x"), ("{c2}", "y")]),
)
_OPERATORS = ["+", "-", "*"]


def _join(parts: Any) -> tuple[str, Any]:
    (left, a), op, (right, b) = parts
    return f"({left} {op} {right})", (op, a, b)


_formulas = st.recursive(
    _leaves, lambda inner: st.tuples(inner, st.sampled_from(_OPERATORS), inner).map(_join), max_leaves=12
)


def _plain(tree: Any, x: float, y: float) -> float:
    if isinstance(tree, tuple):
        op, a, b = tree
        left, right = _plain(a, x, y), _plain(b, x, y)
        return left + right if op == "+" else left - right if op == "-" else left * right
    return x if tree == "x" else y if tree == "y" else float(tree)


@settings(max_examples=60, deadline=None)
@given(_formulas, st.lists(st.tuples(_numbers, _numbers), min_size=1, max_size=5))
def test_arithmetic_equals_python(formula: tuple[str, Any], rows: list[tuple[float, float]]) -> None:
    source, tree = formula
    if len(source) > 2000:
        return
    table = table_of({"a": [x for x, _ in rows], "b": [y for _, y in rows]})
    found = expression(table, source).values
    assert np.allclose(found, [_plain(tree, x, y) for x, y in rows])  # type: ignore[arg-type]


@settings(max_examples=200, deadline=None)
@given(st.text('0123456789.+-*/^()=<>≠且或非 {c1}"“”a，andornotin', max_size=40))
def test_anything_typed_is_a_tree_or_a_placed_error(source: str) -> None:
    try:
        assert parse(source) is not None
    except FormulaError as error:
        assert 0 <= error.at <= len(source)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from([True, False, None]), min_size=3, max_size=3))
def test_de_morgan_with_missing(truth: list[bool | None]) -> None:
    cells = [None if t is None else int(t) for t in truth]
    table = table_of({"a": [cells[0], 0], "b": [cells[1], 0], "c": [cells[2], 0]})
    left = condition_mask(table, "not ({c1} = 1 and ({c2} = 1 or {c3} = 1))")
    right = condition_mask(table, "not {c1} = 1 or (not {c2} = 1 and not {c3} = 1)")
    assert left.tolist() == right.tolist()


def test_trees_know_their_places() -> None:
    tree = parse("-{c1} ^ 2")
    assert isinstance(tree, Negative) and isinstance(tree.item, Arithmetic)
    assert (tree.at, tree.item.at) == (0, 6)
    assert isinstance(tree.item.left, Column) and isinstance(tree.item.right, Number)


def test_a_row_is_named_by_its_number() -> None:
    table = table_of({"x": [5.0, None, 7.0, 8.0, 9.0]})
    assert condition_mask(table, "rownum() in (2) or between(rownum(), 4, 5)").tolist() == [
        False,
        True,
        False,
        True,
        True,
    ]
    assert value("rownum()", table) == 1
