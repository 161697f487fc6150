"""A formula costs as much as it is long: steps are counted, since a clock would only measure the machine."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hengxi.contract import grammar_text
from hengxi.contract.grammar import MAX_LENGTH, FormulaError, columns, parse, walk
from hengxi.contract.grammar_types import _Checker
from hengxi.data.build import table_of
from hengxi.data.evaluate import condition_mask, expression
from hengxi.data.evaluation import Evaluation
from hengxi.data.functions import FUNCTIONS
from hengxi.data.table import Table

STEPS = ((_Checker, "judged"), (Evaluation, "numbers"), (Evaluation, "logic"), (Evaluation, "texts"))


@pytest.fixture(name="steps")
def _steps(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often a part of a formula was judged or evaluated."""
    counts: Counter[str] = Counter()

    def counted(owner: type, name: str) -> None:
        plain: Any = getattr(owner, name)

        def step(*args: Any) -> Any:
            counts[name] += 1
            return plain(*args)

        monkeypatch.setattr(owner, name, step)

    for owner, name in STEPS:
        counted(owner, name)
    return counts


def table() -> Table:
    return table_of({"a": [1.0, 2.0, None], "b": [3.0, 4.0, 5.0], "name": ["x", "y", None]})


def nested(inner: str, around: str, times: int) -> str:
    for _ in range(times):
        inner = around.replace("@", inner)
    return inner


COSTLY = {
    "sum": "+".join(["{c2}"] * 300) + " > 1",
    "product and sum": "*".join(["{c2}"] * 100) + "-" + "+".join(["({c1}/2)"] * 100) + " <= 1",
    "options of a sum": "+".join(["{c2}"] * 100) + " in (" + ",".join(str(n) for n in range(300)) + ")",
    "differences": nested("{c2}", "diff(@)", 45) + " = 0",
    "between in if": nested("{c2}", "if(between(@, 1, 9), 1, 0)", 20) + " = 1",
    "in of if": nested("{c2}", "if(@ in (1, 2, 3), 1, 0)", 20) + " = 1",
    "same type": nested("{c2}", "nvl(@, 1)", 45) + " = 1",
    "brackets": nested("{c2}", "(@)", 45) + " > 1",
    "signs": "-" * 45 + "{c2} > 1",
    "either": " or ".join(["{c2} = 1"] * 160),
    "text": nested("{c3}", "trim(@)", 45) + ' in ("x", "y", "z")',
}


@pytest.mark.parametrize("name", COSTLY)
def test_no_part_is_worked_on_more_than_a_few_times(name: str, steps: Counter[str]) -> None:
    source = COSTLY[name]
    assert len(source) <= MAX_LENGTH
    condition_mask(table(), source)
    nodes = sum(1 for _ in walk(parse(source)))
    # A held value is asked for once per comparison, so twice a node; judged once for the check and once to evaluate.
    assert steps["judged"] <= 2 * nodes, steps
    assert steps["numbers"] + steps["logic"] + steps["texts"] <= 2 * nodes + 2, steps


_leaf = st.sampled_from(["{c1}", "{c2}", "1", "2.5"])
_number = st.recursive(
    _leaf,
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=12).map("+".join),
        st.lists(inner, min_size=2, max_size=6).map(lambda parts: f"({'*'.join(parts)})"),
        inner.map(lambda part: f"diff({part})"),
        inner.map(lambda part: f"-({part})"),
        st.tuples(inner, inner).map(lambda two: f"if(between({two[0]}, 1, {two[1]}), {two[1]}, 0)"),
        st.tuples(inner, inner).map(lambda two: f"if({two[0]} in (1, {two[1]}, 3), 1, 0)"),
        st.lists(inner, min_size=1, max_size=4).map(lambda parts: f"mean({', '.join(parts)})"),
    ),
    max_leaves=60,
)


@settings(max_examples=80, deadline=None)
@given(_number)
def test_whatever_is_nested_costs_as_much_as_it_is_long(source: str) -> None:
    if len(source) > MAX_LENGTH:
        return
    counts: Counter[str] = Counter()

    class Counting(Evaluation):
        def numbers(self, node: Any) -> Any:
            counts["steps"] += 1
            return super().numbers(node)

        def logic(self, node: Any) -> Any:
            counts["steps"] += 1
            return super().logic(node)

    try:
        tree = parse(source)
    except FormulaError as error:
        assert "嵌套" in error.text
        return
    Counting(table(), FUNCTIONS).numbers(tree)
    assert counts["steps"] <= 3 * sum(1 for _ in walk(tree)) + 3


@pytest.mark.parametrize("op", ["+", "-", "*", "/"])
def test_a_chain_as_long_as_a_formula_may_be_is_computed(op: str) -> None:
    source = op.join(["1"] * (MAX_LENGTH // 2))
    assert len(source) == MAX_LENGTH - 1
    found = expression(table(), source).values
    assert np.all(found == {"+": 1000, "-": -998, "*": 1, "/": 1}[op])
    tree = parse(source)
    assert columns(tree) == []
    written = grammar_text.written(tree, {})
    assert written.count(" ") == 2 * (MAX_LENGTH // 2 - 1)
    assert condition_mask(table(), f"{'{c2}'}{'+1' * 990} > 993").tolist() == [False, True, True]


def test_a_longer_one_is_refused_by_its_length() -> None:
    with pytest.raises(FormulaError, match="公式超过 2000 个字符"):
        parse("+".join(["1"] * 1001))


def test_brackets_in_a_chain_stay_where_they_are_needed() -> None:
    for source in ("1 - (2 - 3) + 4 × (5 + 6) ÷ 7", "(1 + 2) × 3 − 4".replace("−", "-"), "2 ÷ (3 × 4) × 5"):
        assert grammar_text.written(parse(source), {}).replace("−", "-") == source
