"""The table of the standard against entries typed from it; refusals; risks are kept by the smallest plan."""

from __future__ import annotations

from typing import Any

import pytest

from hengxi.methods.quality_control._shared.acceptance import AQLS, LETTERS, Plan, letter_of, smallest, standard_plan
from hengxi.testing import Trial, records, warnings

TRIAL = Trial("quality_control/acceptance_sampling", form={"standard": "custom"})
TABLE: list[tuple[str, float, bool, tuple[str, int, int]]] = [
    # MIL-STD-105E, table II-A
    ("J", 0.15, False, ("J", 80, 0)), ("J", 0.25, False, ("H", 50, 0)), ("J", 0.4, False, ("K", 125, 1)),
    ("J", 0.65, False, ("J", 80, 1)), ("J", 15, False, ("J", 80, 21)), ("J", 25, False, ("H", 50, 21)),
    ("A", 6.5, False, ("A", 2, 0)), ("A", 1000, False, ("A", 2, 30)),
    ("B", 1000, False, ("B", 3, 44)), ("E", 250, False, ("E", 13, 44)), ("E", 400, False, ("D", 8, 44)),
    ("F", 65, False, ("F", 20, 21)), ("G", 2.5, False, ("G", 32, 2)), ("N", 0.65, False, ("N", 500, 7)),
    ("Q", 1.0, False, ("Q", 1250, 21)), ("R", 0.025, False, ("R", 2000, 1)), ("R", 0.01, False, ("Q", 1250, 0)),
    # table II-B
    ("J", 1.0, True, ("J", 80, 1)), ("J", 0.65, True, ("K", 125, 1)), ("J", 0.25, True, ("J", 80, 0)),
    ("K", 4.0, True, ("K", 125, 8)), ("L", 1.5, True, ("L", 200, 5)), ("H", 15, True, ("H", 50, 12)),
    ("B", 6.5, True, ("B", 3, 0)), ("A", 15, True, ("C", 5, 1)), ("K", 15, True, ("J", 80, 18)),
]  # fmt: skip


@pytest.mark.parametrize(("letter", "aql", "tightened", "entry"), TABLE)
def test_entries_of_the_standard(letter: str, aql: float, tightened: bool, entry: tuple[str, int, int]) -> None:
    found = standard_plan(letter, aql, tightened)
    assert found is not None and (found.letter, found.n, found.c) == entry


def test_letters_of_the_standard() -> None:
    seen = [
        letter_of(lot, level) for lot, level in ((8, "II"), (1000, "II"), (1000, "S-4"), (600_000, "III"), (90, "I"))
    ]
    assert seen == ["A", "J", "F", "R", "C"]


def test_every_cell_of_normal_inspection_leads_to_a_plan_no_stricter_than_its_neighbours() -> None:
    for letter in LETTERS:
        numbers = [standard_plan(letter, aql, False) for aql in AQLS]
        shares = [one.c / one.n for one in numbers if one is not None]
        assert shares == sorted(shares)


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ({"n": 80, "lot_size": 50}, "样本量 80 大于批量 50，应全检"),
        ({"standard": "gbt2828", "lot_size": 100, "aql": 0.1}, "应全检"),
        ({"p1": 0.05, "p2": 0.01}, "生产方质量水平应小于使用方质量水平"),
        ({"n": 5, "ac": 5}, "接收数必须小于样本量"),
        ({"plan": "double", "ac": 2, "re1": 3}, "二次抽样要求"),
        ({"standard": "search", "p1": 0.01, "p2": 0.0100001}, "没有满足两类风险的方案"),
        ({"standard": "gbt2828", "aql": 10, "lot_size": 8}, "字码 A 与 AQL 10 没有可用的方案"),
        ({"standard": "gbt2828", "aql": 25, "model": "binomial"}, "请把“分布”改为泊松"),
    ],
)
def test_refusals(form: dict[str, Any], text: str) -> None:
    assert text in TRIAL.refused(**form).text


def test_an_aql_beside_the_table_is_taken_to_the_nearest() -> None:
    report = TRIAL.report(standard="gbt2828", aql=1.1)
    assert "number.standard" in warnings(report) and records(report, "result")[0]["n"] == 80


@pytest.mark.parametrize("model", ["binomial", "hypergeometric", "poisson"])
def test_the_smallest_plan_keeps_both_risks_and_none_smaller_does(model: Any) -> None:
    plan = smallest(0.01, 0.06, 0.05, 0.1, 2000, model)
    assert plan is not None and plan.accept(0.01) >= 0.95 and plan.accept(0.06) <= 0.1
    for n in range(plan.c1 + 1, plan.n1):
        fewer = [Plan(n, c, 2000, model) for c in range(plan.c1 + 2)]
        assert not any(one.accept(0.01) >= 0.95 and one.accept(0.06) <= 0.1 for one in fewer)


def test_a_double_plan_draws_less_than_its_single_of_equal_risk_when_lots_are_good() -> None:
    plan = Plan(50, 1, 10_000, "binomial", 50, 4, 4)
    assert plan.average_n(0.001) == pytest.approx(50, rel=0.01) and 50 < plan.average_n(0.04) < 100
