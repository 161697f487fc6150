from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hengxi.stats.solving.branching import implicit_enumeration
from hengxi.stats.solving.linear_program import LinearProgram, solve
from hengxi.testing import Trial, cells, records

NAMES = [f"X{k}" for k in range(1, 6)]


def variables(*names: str) -> list[dict[str, Any]]:
    return [{"id": f"r{k}", "name": name} for k, name in enumerate(names, 1)]


TRIAL = Trial(
    "programming_solution/boolean",
    form={
        "variables": variables(*NAMES), "sense": "max", "target": "5X1 + 7X2 + 10X3 + 3X4 + X5",
        "constraints": ["2X1 + 3X2 + 4X3 + X4 + X5 <= 6"],
    },
)  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "code", "text"),
    [
        ({"constraints": []}, "formula.required", "至少需要一个约束条件！"),
        ({"target": ""}, "formula.required", "请填写“目标函数”"),
        ({"target": "X1 + Z"}, "formula.symbol", "变量“Z”没有定义"),
        ({"constraints": ["X1 <= (3"]}, "formula.syntax", "第 1 条"),
        ({"target": "X1*X2"}, "data.nonlinear", "请改用含整数的非线性规划"),
        ({"constraints": ["X1 + X2 >= 3"]}, "data.infeasible", "“X1 + X2 ≥ 3”"),
        ({"variables": variables("X1", "X1")}, "records.name", "都是“X1”"),
    ],
)
def test_what_cannot_be_solved_is_refused(changes: dict[str, Any], code: str, text: str) -> None:
    fault = next(fault for fault in TRIAL.refused(**changes).faults if fault.code == code)
    assert text in fault.text


def test_more_than_thirty_variables_are_not_enumerated() -> None:
    many = [f"X{k}" for k in range(1, 32)]
    changes: dict[str, Any] = {
        "variables": variables(*many),
        "target": "+".join(many),
        "constraints": ["SUM(X1,X2,X31)<=2"],
    }
    refusal = TRIAL.refused(**changes)
    assert refusal.code == "data.size" and "隐枚举最多 30 个变量，现有 31 个" in refusal.text
    (found,) = records(TRIAL.report(**changes, algorithm="ga", max_iter=300, runs=2), "target_param")
    assert found["value"] == 30


def test_plans_differ_and_none_is_better_than_the_one_before() -> None:
    plans = cells(TRIAL.report(), "plans")
    values = [row[1] for row in plans]
    assert len({row[2] for row in plans}) == 5 and values == sorted(values, reverse=True)


def test_the_enumeration_agrees_with_highs_on_random_programs() -> None:
    rng = np.random.default_rng(11)
    for _ in range(25):
        n, m = int(rng.integers(3, 9)), int(rng.integers(1, 4))
        program = LinearProgram(
            rng.integers(-9, 10, n).astype(float), rng.integers(-6, 7, (m, n)).astype(float), np.full(m, -np.inf),
            rng.integers(0, 12, m).astype(float), np.zeros(n), np.ones(n), bool(rng.integers(2)),
            whole=np.ones(n, dtype=bool),
        )  # fmt: skip
        made = implicit_enumeration(program, seconds=20, watch=lambda *_: True)
        exact = solve(program)
        assert made.x is not None and program.sign * made.value == pytest.approx(exact.value, abs=1e-6)
