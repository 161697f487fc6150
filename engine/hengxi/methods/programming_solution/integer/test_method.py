from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hengxi.stats.solving.branching import branch_and_bound
from hengxi.stats.solving.linear_program import LinearProgram, solve
from hengxi.testing import Trial, records


def variables(*names: str, kind: str = "int", **bounds: Any) -> list[dict[str, Any]]:
    held = {"min": bounds.get("low", 0), "max": bounds.get("high")}
    return [{"id": f"r{k}", "name": name, "var_type": kind, "bounds": held} for k, name in enumerate(names, 1)]


TRIAL = Trial(
    "programming_solution/integer",
    form={
        "variables": variables("X", "Y"), "sense": "max", "target": "5X + 8Y",
        "constraints": ["X + Y <= 6", "5X + 9Y <= 45"],
    },
)  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "code", "text"),
    [
        ({"constraints": []}, "formula.required", "至少需要一个约束条件！"),
        ({"target": None}, "formula.required", "请填写“目标函数”"),
        ({"target": "X + Z"}, "formula.symbol", "变量“Z”没有定义"),
        ({"constraints": ["X + ) <= 3"]}, "formula.syntax", "第 1 条的第 5 个字符处"),
        ({"variables": variables("X", "Y", kind="float")}, "data.no_integer", "至少需要一个整数变量"),
        ({"variables": variables("X", "Y", low=0.2, high=0.8)}, "data.bounds", "0.2 到 0.8 之间没有整数"),
        ({"variables": variables("X", "Y", low=5, high=3)}, "data.bounds", "下界 5 大于上界 3"),
        ({"variables": variables("X", "X")}, "records.name", "都是“X”"),
        ({"target": "X*Y"}, "data.nonlinear", "请改用含整数的非线性规划"),
        ({"constraints": ["2X + 2Y = 3"]}, "data.infeasible", "（变量取整数时），没有可行解"),
        ({"constraints": ["X <= 2", "X >= 3"]}, "data.infeasible", "“X ≤ 2”、“X ≥ 3”"),
        ({"constraints": ["X - Y <= 3"]}, "data.unbounded", "无限更大"),
        ({"constraints": ["X <= 1/0"]}, "data.number", "没有定义的数"),
    ],
)
def test_what_cannot_be_solved_is_refused(changes: dict[str, Any], code: str, text: str) -> None:
    fault = next(fault for fault in TRIAL.refused(**changes).faults if fault.code == code)
    assert text in fault.text


def test_a_heuristic_without_bounds_asks_for_them() -> None:
    free = variables("X", "Y", low=None)
    refusal = TRIAL.refused(variables=free, algorithm="ga")
    assert "遗传算法需要变量“X”的下界" in refusal.text


def test_an_unbounded_integer_is_bounded_by_the_constraints_for_a_heuristic() -> None:
    (found,) = records(TRIAL.report(algorithm="sa", max_iter=200, runs=2), "target_param")
    assert found["value"] == 40


def test_the_tree_agrees_with_highs_on_random_programs() -> None:
    rng = np.random.default_rng(7)
    for _ in range(25):
        n, m = int(rng.integers(2, 6)), int(rng.integers(1, 4))
        program = LinearProgram(
            rng.integers(-9, 10, n).astype(float), rng.integers(-5, 6, (m, n)).astype(float), np.full(m, -np.inf),
            rng.integers(1, 30, m).astype(float), np.zeros(n), np.full(n, 7.0), bool(rng.integers(2)),
            whole=rng.random(n) < 0.7,
        )  # fmt: skip
        made = branch_and_bound(program, seconds=20, gap=0.0, watch=lambda *_: True)
        exact = solve(program)
        assert made.x is not None and program.sign * made.value == pytest.approx(exact.value, abs=1e-6)
