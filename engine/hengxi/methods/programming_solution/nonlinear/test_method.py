from __future__ import annotations

from typing import Any

import pytest

from hengxi.testing import Trial, records, said


def variables(*names: str, kind: str = "float", low: float | None = -5, high: float | None = 5) -> list[dict[str, Any]]:
    bounds = {"min": low, "max": high}
    return [{"id": f"r{k}", "name": name, "var_type": kind, "bounds": bounds} for k, name in enumerate(names, 1)]


TRIAL = Trial(
    "programming_solution/nonlinear",
    form={
        "variables": variables("X", "Y"), "sense": "min", "target": "(X - 1)² + (Y - 2)^2",
        "constraints": ["X + Y <= 2"],
        "algorithm": "SLSQP", "n_starts": 3,
    },
)  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "code", "text"),
    [
        ({"target": ""}, "formula.required", "请填写“目标函数”"),
        ({"target": "X + Z"}, "formula.symbol", "变量“Z”没有定义"),
        ({"constraints": ["X + ) <= 3"]}, "formula.syntax", "第 1 条的第 5 个字符处"),
        ({"variables": variables("X", "Y", low=5, high=3)}, "data.bounds", "下界 5 大于上界 3"),
        ({"variables": variables("X", "X")}, "records.name", "都是“X”"),
        ({"algorithm": "TNC"}, "choice.greyed", "TNC"),
        ({"x0": [-1, 1], "target": "LN(X) + Y"}, "data.start", "初始点处“LN(X) + Y”没有定义"),
        ({"x0": [1]}, "data.start", "初始点需要 2 个数值"),
        ({"constraints": ["X² + Y² <= -1"]}, "data.no_feasible", "没有找到可行解"),
        ({"constraints": ["X <= 1/0"]}, "data.number", "没有定义的数"),
        ({"target": "__import__(X)"}, "formula.function", "没有函数"),
    ],
)
def test_what_cannot_be_solved_is_refused(changes: dict[str, Any], code: str, text: str) -> None:
    fault = next(fault for fault in TRIAL.refused(**changes).faults if fault.code == code)
    assert text in fault.text


def test_an_optimum_without_constraints_needs_none() -> None:
    for algorithm in ("Nelder-Mead", "L-BFGS-B", "Powell", "TNC", "SLSQP"):
        (found,) = records(TRIAL.report(constraints=[], algorithm=algorithm), "target_param")
        assert found["value"] == pytest.approx(0, abs=1e-8)


def test_a_target_that_goes_on_for_ever_is_refused() -> None:
    free = variables("X", "Y", low=None, high=None)
    refusal = TRIAL.refused(variables=free, target="X³ + Y", constraints=["Y >= X"], algorithm="SLSQP")
    assert refusal.code in ("data.unbounded", "data.no_feasible")


def test_a_division_by_zero_within_the_region_is_passed_by() -> None:
    (found,) = records(
        TRIAL.report(target="1/X + X", variables=variables("X", "Y", low=0), constraints=[]), "target_param"
    )
    assert found["value"] == pytest.approx(2, abs=1e-6)


def test_a_saddle_is_told() -> None:
    made = TRIAL.report(target="X² - Y²", constraints=[], x0=[0, 0], n_starts=1, algorithm="L-BFGS-B")
    assert "鞍点" in said(made)


def test_jumps_of_the_slope_are_told() -> None:
    assert "导数有跳跃" in said(TRIAL.report(target="ABS(X - 1) + MAX(Y, 2)", constraints=[], algorithm="Powell"))
