"""Tests of one question lead to each other, both ways, with the variables in their boxes."""

from __future__ import annotations

from typing import Any

import pytest

from hengxi import registry
from hengxi.contract.fields import RoleField
from hengxi.methods.hypothesis_test._shared.siblings import QUESTIONS
from hengxi.prepare import ids_by_name, report_on
from tests.support import oracle

PAIRS = [
    (one, other, question.carry)
    for question in QUESTIONS
    for one in question.tests
    for other in question.tests
    if one != other
]
NAMED = {
    ("independent_t_test", "independent_samples_mann_whitney_test"),
    ("variance", "welch_anova"),
    ("variance", "multiple_sample_kruskal_wallis_test"),
    ("welch_anova", "multiple_sample_kruskal_wallis_test"),
    ("paired_sample_t_test", "paired_sample_wilcoxon_test"),
    ("single_sample_t_test", "single_sample_wilcoxon_test"),
    ("chi_square_test", "fisher_exact_test"),
}


def test_the_pairs_are_those_that_were_asked_for() -> None:
    found = {(one.split("/")[-1], other.split("/")[-1]) for one, other, _ in PAIRS}
    assert found == NAMED | {(other, one) for one, other in NAMED}


@pytest.mark.parametrize(("one", "other", "carry"), PAIRS, ids=[f"{a[16:]} → {b[16:]}" for a, b, _ in PAIRS])
def test_a_test_offers_the_other_with_its_variables_and_that_runs(one: str, other: str, carry: tuple[str, ...]) -> None:
    case = oracle.cases(one)[0]
    report = oracle.run(case, oracle.quick_form(case))
    [step] = [step for step in report["next_steps"] if step["method"] == other]
    roles = {key: field for key, field in registry.load(one).Input.fields.items() if isinstance(field, RoleField)}
    asked = {key: report["form"][key] for key in roles if key in carry and report["form"][key]}
    assert asked and asked.items() <= step["form"].items()
    # What was asked for on one side or at another level is asked for again.
    for key in ("alternative", "conf_level", "groups", "test_value", "weight"):
        if key in carry and report["form"].get(key) is not None:
            assert step["form"][key] == report["form"][key]
    report_on(other, case.table(), {**step["form"], **oracle.quick(other)}, True, **case.around())


def test_students_row_leads_to_welchs_and_back_stands_in_the_same_table() -> None:
    case = oracle.cases("hypothesis_test/independent_t_test")[0]
    student = oracle.run(case, {**case.form, "test": "student"})
    [step] = [s for s in student["next_steps"] if s["form"].get("test") == "welch"]
    welch = report_on(step["method"], case.table(), step["form"], True, **case.around())
    again: dict[str, Any] = oracle.run(case, {**case.form, "test": "welch"})
    assert welch.form == again["form"] and {s["title"] for s in again["next_steps"]} & {"按另一个变量分层再比较"}
    assert ids_by_name(case.table())[case.form["group"]] == step["form"]["group"]
    [table] = [t for t in oracle.elements(again, "table") if t["name"] == "result"]
    assert [row["test"] for row in oracle.table_rows(table)][:2] == ["Student", "Welch"]
