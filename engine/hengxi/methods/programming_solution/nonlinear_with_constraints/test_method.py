from __future__ import annotations

from typing import Any

import pytest

from hengxi.testing import Trial, records


def variables(*names: str, kind: str = "float", low: float | None = -5, high: float | None = 5) -> list[dict[str, Any]]:
    bounds = {"min": low, "max": high}
    return [{"id": f"r{k}", "name": name, "var_type": kind, "bounds": bounds} for k, name in enumerate(names, 1)]


TRIAL = Trial(
    "programming_solution/nonlinear_with_constraints",
    form={
        "variables": variables("X", "Y"), "sense": "min", "target": "(X - 1)² + (Y - 2)^2",
        "constraints": ["X + Y <= 2"],
        "algorithm": "SLSQP", "max_iter": 200, "runs": 2, "pop_size": 30,
    },
)  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "code", "text"),
    [
        ({"constraints": []}, "formula.required", "至少需要一个约束条件！"),
        ({"target": None}, "formula.required", "请填写“目标函数”"),
        ({"target": "X + Z"}, "formula.symbol", "变量“Z”没有定义"),
        ({"constraints": ["X + Y"]}, "formula.syntax", "应含 <=、>= 或 ="),
        ({"variables": variables("X", "Y", low=5, high=3)}, "data.bounds", "下界 5 大于上界 3"),
        ({"variables": variables("X", "X")}, "records.name", "都是“X”"),
        ({"constraints": ["X² + Y² <= -1"], "algorithm": "pso"}, "data.no_feasible", "请放宽约束"),
        ({"constraints": ["X² + Y² <= -1"]}, "data.no_feasible", "SLSQP 没有找到可行解"),
        ({"variables": variables("X", "Y", high=None), "algorithm": "ga", "constraints": ["X*Y <= 3"]}, "data.bounds",
         "遗传算法需要变量“X”的上界"),
    ],
)  # fmt: skip
def test_what_cannot_be_solved_is_refused(changes: dict[str, Any], code: str, text: str) -> None:
    fault = next(fault for fault in TRIAL.refused(**changes).faults if fault.code == code)
    assert text in fault.text


@pytest.mark.parametrize("algorithm", ["ga", "pso", "sa", "monte_calo"])
def test_heuristics_reach_an_equality_from_every_seed(algorithm: str) -> None:
    for seed in range(1, 6):
        made = TRIAL.report(algorithm=algorithm, constraints=["X*Y = 2", "X >= 0"], seed=seed)
        (found,) = records(made, "target_param")
        # x⁴ − x³ + 4x − 4 = 0 at the optimum x = 1: (1, 2) itself meets the equality.
        assert found["value"] == pytest.approx(0, abs=1e-4)


def test_without_the_last_steps_the_search_stands_alone() -> None:
    made = TRIAL.report(algorithm="pso", polish=False)
    assert not records(made, "polish_steps")
    assert records(made, "target_param")[0]["value"] == pytest.approx(0.5, abs=1e-2)
