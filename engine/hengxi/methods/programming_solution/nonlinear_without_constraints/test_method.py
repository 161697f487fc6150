from __future__ import annotations

from typing import Any

import pytest

from hengxi.testing import Trial, records


def variables(*names: str, kind: str = "float", low: float | None = -5, high: float | None = 5) -> list[dict[str, Any]]:
    bounds = {"min": low, "max": high}
    return [{"id": f"r{k}", "name": name, "var_type": kind, "bounds": bounds} for k, name in enumerate(names, 1)]


TRIAL = Trial(
    "programming_solution/nonlinear_without_constraints",
    form={
        "variables": variables("X", "Y"), "sense": "min", "target": "(X - 1)² + (Y - 2)^2", "algorithm": "L-BFGS-B",
        "n_starts": 3, "max_iter": 200, "runs": 2, "pop_size": 30,
    },
)  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "code", "text"),
    [
        ({"target": ""}, "formula.required", "请填写“目标函数”"),
        ({"target": "X + Z"}, "formula.symbol", "变量“Z”没有定义"),
        ({"target": "X +* Y"}, "formula.syntax", "第 4 个字符处"),
        ({"variables": variables("X", "Y", low=5, high=3)}, "data.bounds", "下界 5 大于上界 3"),
        ({"variables": variables("X", "X")}, "records.name", "都是“X”"),
        (
            {"target": "X + Y", "variables": variables("X", "Y", low=None)},
            "data.unbounded",
            "没有约束时无界：变量“X”没有下界",
        ),
        ({"variables": variables("X", "Y", high=None), "algorithm": "sa"}, "data.bounds", "模拟退火需要变量“X”的上界"),
        ({"target": "LN(-1 - X²)"}, "data.no_feasible", "没有找到可行解"),
    ],
)
def test_what_cannot_be_solved_is_refused(changes: dict[str, Any], code: str, text: str) -> None:
    fault = next(fault for fault in TRIAL.refused(**changes).faults if fault.code == code)
    assert text in fault.text


def test_a_linear_target_within_bounds_ends_at_them() -> None:
    (found,) = records(TRIAL.report(target="X - 2Y"), "target_param")
    assert found["value"] == pytest.approx(-15)


def test_the_largest_value_is_the_smallest_of_the_negative() -> None:
    (most,) = records(TRIAL.report(sense="max", target="5 - (X - 1)² - (Y - 2)²"), "target_param")
    assert most["value"] == pytest.approx(5, abs=1e-9)
