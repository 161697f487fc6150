from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.contract import SetRemedy
from hengxi.methods.evaluation._shared.fuzzy import COMPOSE, MEMBERSHIP, compose, memberships
from hengxi.testing import Trial

GRADES = [{"id": "r1", "name": "优", "score": 100}, {"id": "r2", "name": "差", "score": 40}]
TYPED: dict[str, Any] = {
    "source": "membership_matrix", "grades": GRADES,
    "typed": {"rows": ["X", "Y"], "columns": ["优", "差"], "values": [[0.6, 0.4], [0.5, 0.5]]},
}  # fmt: skip
TRIAL = Trial("evaluation/fuzzy_evaluation", form=TYPED)


def test_rows_that_do_not_sum_to_one_are_refused_with_a_way_out() -> None:
    wrong = {**TYPED["typed"], "values": [[0.55, 0.4], [0.5, 0.5]]}
    refusal = TRIAL.refused(typed=wrong)
    assert "指标“X”隶属度之和为 0.95，应为 1，请归一化" in refusal.text
    (remedy,) = refusal.faults[0].remedies
    assert isinstance(remedy, SetRemedy) and TRIAL.report(**remedy.set)


def test_weights_of_another_number_and_all_zero_are_refused() -> None:
    assert "权重数量与指标数量不一致" in TRIAL.refused(typed_weights=[1, 2, 3]).text
    assert "权重不能全为 0" in TRIAL.refused(typed_weights=[0, 0]).text
    more = [*GRADES, {"id": "r3", "name": "中", "score": 60}]
    assert "有 2 列，评语有 3 个" in TRIAL.refused(grades=more).text


def survey(frame: pd.DataFrame, **more: Any) -> Trial:
    block = [{"id": "b1", "name": "总", "columns": list(frame.columns), "weight": 1}]
    return Trial("evaluation/fuzzy_evaluation", frame, {"source": "survey", "items": block, "grades": GRADES, **more})


def test_an_answer_that_is_no_grade_is_named() -> None:
    frame = pd.DataFrame({"a": ["优", "差", "一般"], "b": ["优", "优", "差"]})
    refusal = survey(frame).refused()
    assert refusal.code == "data.answer" and "“a”里有答案“一般”（1 份）" in refusal.text


def test_standards_are_as_many_as_grades_and_monotone() -> None:
    frame = pd.DataFrame({"a": [1.0, 2, 3], "b": [3.0, 2, 4]})
    few = survey(frame, source="measured_values", standards=[{"for": "a", "values": [1]}])
    assert "要有 2 个标准值" in few.refused().text
    both = [{"for": "a", "values": [1, 1]}, {"for": "b", "values": [4, 1]}]
    assert "要一直增大或一直减小" in survey(frame, source="measured_values", standards=both).refused().text


@pytest.mark.parametrize("kind", MEMBERSHIP)
def test_memberships_sum_to_one_and_are_even_half_way(kind: str) -> None:
    found = memberships(np.array([0.0, 1, 1.5, 2, 9]), np.array([1.0, 2, 4]), kind)
    assert found.sum(axis=1) == pytest.approx(1) and found[2, 0] == pytest.approx(found[2, 1])
    assert found[0, 0] == found[0].max() and found[4, 2] == found[4].max()


@pytest.mark.parametrize("operator", COMPOSE)
def test_agreeing_indicators_give_their_own_membership(operator: str) -> None:
    same = np.array([[[0.0, 1.0], [0.0, 1.0]]])
    assert compose(np.array([0.5, 0.5]), same, operator)[0] == pytest.approx([0, 1])
