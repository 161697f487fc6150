from __future__ import annotations

from typing import Any

import pytest

from hengxi.testing import Trial, records


def variables(*names: str, kind: str = "float", low: float | None = -5, high: float | None = 5) -> list[dict[str, Any]]:
    bounds = {"min": low, "max": high}
    return [{"id": f"r{k}", "name": name, "var_type": kind, "bounds": bounds} for k, name in enumerate(names, 1)]


TRIAL = Trial(
    "programming_solution/nonlinear_with_integers",
    form={
        "variables": variables("X", "Y", kind="int"), "sense": "min", "target": "(X - 1.4)² + (Y - 2.2)^2",
        "constraints": ["X + Y <= 2"], "algorithm": "ga", "max_iter": 100, "runs": 2, "pop_size": 30,
    },
)  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "code", "text"),
    [
        ({"target": ""}, "formula.required", "请填写“目标函数”"),
        ({"target": "X + Z"}, "formula.symbol", "变量“Z”没有定义"),
        ({"constraints": ["X <"]}, "formula.syntax", "公式不完整"),
        ({"variables": variables("X", "Y", kind="int", low=5, high=3)}, "data.bounds", "下界 5 大于上界 3"),
        ({"variables": variables("X", "X", kind="int")}, "records.name", "都是“X”"),
        ({"variables": variables("X", "Y")}, "data.no_integer", "没有整数变量"),
        ({"variables": variables("X", "Y", kind="int", high=None), "constraints": ["X*Y <= 3"]}, "data.bounds",
         "需要变量“X”的上界"),
        ({"constraints": ["X² + Y² <= -1"]}, "data.infeasible", "全部 121 个组合都不满足约束"),
    ],
)  # fmt: skip
def test_what_cannot_be_solved_is_refused(changes: dict[str, Any], code: str, text: str) -> None:
    fault = next(fault for fault in TRIAL.refused(**changes).faults if fault.code == code)
    assert text in fault.text


def test_what_is_said_to_be_proven_is_the_best_of_all_points() -> None:
    made = TRIAL.report()
    (found,) = records(made, "target_param")
    best = min((x - 1.4) ** 2 + (y - 2.2) ** 2 for x in range(-5, 6) for y in range(-5, 6) if x + y <= 2)
    assert found["status"] == "最优" and found["value"] == pytest.approx(best)


def test_many_combinations_are_not_enumerated() -> None:
    made = TRIAL.report(variables=variables("X", "Y", kind="int", low=-5000, high=5000))
    (found,) = records(made, "target_param")
    assert found["status"] == "最好可行解" and not records(made, "enumerated")
