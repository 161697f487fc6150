from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hengxi.testing import Trial, records, warnings


def typed(*columns: list[float]) -> dict[str, Any]:
    values = [list(row) for row in zip(*columns, strict=True)]
    names = [f"法{k + 1}" for k in range(len(columns))]
    return {"rows": [f"指标{i + 1}" for i in range(len(values))], "columns": names, "values": values}


FORM: dict[str, Any] = {"weights": typed([0.5, 0.3, 0.2], [0.25, 0.35, 0.4])}
TRIAL = Trial("evaluation/game_theory_weight", form=FORM)


def test_a_column_that_does_not_sum_to_one_is_named_and_can_be_scaled() -> None:
    refusal = TRIAL.refused(weights=typed([0.5, 0.3, 0.18], [0.25, 0.35, 0.4]))
    assert "方法“法1”权重之和为 0.98" in refusal.text
    assert [one.title for one in refusal.faults[0].remedies] == ["各列除以列和"]


def test_the_same_weights_twice_have_no_single_combination() -> None:
    refusal = TRIAL.refused(weights=typed([0.5, 0.3, 0.2], [0.5, 0.3, 0.2]))
    assert "完全相同" in refusal.text
    assert TRIAL.report(weights=typed([0.5, 0.3, 0.2], [0.5, 0.3, 0.2]), method="additive")


def test_three_sets_that_depend_on_each_other_are_refused() -> None:
    mixed = typed([0.5, 0.3, 0.2], [0.2, 0.3, 0.5], [0.35, 0.3, 0.35])
    assert "线性表示" in TRIAL.refused(weights=mixed).text
    assert "只用于两种" in TRIAL.refused(weights=mixed, method="distance_function").text


def test_one_set_alone_and_products_of_zero_are_refused() -> None:
    assert "至少要两种" in TRIAL.refused(weights=typed([0.5, 0.5])).text
    assert "连乘后全是 0" in TRIAL.refused(weights=typed([1, 0], [0, 1]), method="multiplicative").text


def test_coefficients_stay_positive() -> None:
    report = TRIAL.report(weights=typed([0.9, 0.05, 0.05], [0.55, 0.3, 0.15], [0.34, 0.33, 0.33]))
    assert warnings(report) == ["data.negative"] and all(row["share"] >= 0 for row in records(report, "parts"))
    assert sum(row["weight"] for row in records(report, "result")) == pytest.approx(1)


def test_the_additive_share_is_of_the_first() -> None:
    rows = records(TRIAL.report(method="additive", alpha=1), "result")
    assert np.allclose([row["weight"] for row in rows], [0.5, 0.3, 0.2])
