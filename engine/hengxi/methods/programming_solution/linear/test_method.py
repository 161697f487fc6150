from __future__ import annotations

import time
from typing import Any

import pandas as pd
import pytest

from hengxi.prepare import run_on_frame
from hengxi.testing import Trial, records, warnings

PATH = "programming_solution/linear"


def variables(*names: str, **more: Any) -> list[dict[str, Any]]:
    return [{"id": f"r{k}", "name": name, **more} for k, name in enumerate(names, 1)]


TRIAL = Trial(
    PATH,
    form={
        "variables": variables("X", "Y"), "sense": "max", "target": "3X + 5Y",
        "constraints": ["X <= 4", "2Y <= 12", "3X + 2Y <= 18"],
    },
)  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "code", "text"),
    [
        ({"constraints": []}, "formula.required", "至少需要一个约束条件！"),
        ({"constraints": ["  ", ""]}, "formula.required", "至少需要一个约束条件！"),
        ({"target": ""}, "formula.required", "请填写“目标函数”"),
        ({"target": "3X + 5Z"}, "formula.symbol", "变量“Z”没有定义"),
        ({"constraints": ["X <= 4", "3X + * 2 <= 4"]}, "formula.syntax", "第 2 条的第 6 个字符处有误"),
        ({"constraints": ["X*Y <= 4"]}, "data.nonlinear", "“X*Y ≤ 4”含非线性项“X × Y”"),
        ({"target": "X^2 + Y"}, "data.nonlinear", "含非线性项“X^2”"),
        ({"constraints": ["X <= 4", "X + Y >= 9", "Y <= 4"]}, "data.infeasible", "“X ≤ 4”、“X + Y ≥ 9”、“Y ≤ 4”"),
        ({"constraints": ["X - Y <= 4"]}, "data.unbounded", "让“X”增大、“Y”增大，目标函数可以无限更大"),
        ({"variables": variables("X", "Y", bounds={"min": 5, "max": 3})}, "data.bounds", "变量“X”的下界 5 大于上界 3"),
        ({"variables": variables("X", "X")}, "records.name", "“X”"),
        ({"variables": variables("X 1", "Y")}, "records.name", "“X 1”不能写进公式"),
        ({"target": "__import__('os').system('ls')"}, "formula.syntax", "目标函数"),
        ({"target": "__import__(X)"}, "formula.function", "没有函数“__IMPORT__”"),
        ({"target": "10^10^10*X"}, "data.number", "太大或没有定义的数"),
        ({"target": "(" * 10_000 + "X" + ")" * 10_000}, "formula.syntax", "超过 20000 个字符"),
        ({"target": "(" * 100 + "X" + ")" * 100}, "formula.syntax", "嵌套超过 50 层"),
        ({"constraints": ["X <= 1/0"]}, "data.number", "“X ≤ 1/0”"),
        ({"constraints": ["1e-12 X + Y <= 3"]}, "data.number", "太小的系数"),
        ({"target": "5"}, "data.constant", "没有决策变量"),
        ({"constraints": ["0 >= 1"]}, "data.infeasible", "“0 ≥ 1”"),
    ],
)
def test_what_cannot_be_solved_is_refused_with_place_and_cause(changes: dict[str, Any], code: str, text: str) -> None:
    refusal = TRIAL.refused(**changes)
    fault = next(fault for fault in refusal.faults if fault.code == code)
    assert text in fault.text


def test_a_nonlinear_term_leads_to_the_method_that_takes_it() -> None:
    (fault,) = TRIAL.refused(target="X*Y").faults
    assert "非线性规划" in fault.text and fault.field == "target"


def test_bounds_that_contradict_a_constraint_are_named() -> None:
    refusal = TRIAL.refused(variables=variables("X", "Y", bounds={"min": 0, "max": 1}), constraints=["X + Y >= 3"])
    assert "“X + Y ≥ 3”、“0 ≤ X ≤ 1”、“0 ≤ Y ≤ 1”" in refusal.text


def test_a_heuristic_needs_bounds_only_where_the_constraints_give_none() -> None:
    free = variables("X", "Y", bounds={"min": None, "max": None})
    kept: dict[str, Any] = {"variables": free, "constraints": ["X <= 4", "Y <= 6", "3X + 2Y <= 18"], "algorithm": "pso"}
    assert "粒子群算法需要变量“X”的下界" in TRIAL.refused(**kept).text
    bounded = [*kept["constraints"], "X >= 0", "Y >= 0"]
    (found,) = records(TRIAL.report(**{**kept, "constraints": bounded, "max_iter": 200}), "target_param")
    assert found["value"] == pytest.approx(36, rel=1e-6)


def test_the_same_program_in_other_words_has_the_same_answer() -> None:
    (one,) = records(TRIAL.report(), "target_param")
    words: dict[str, Any] = {"target": "3*X+5 × Y", "constraints": ["4 ≥ X", "6 >= Y >= 0", "18 - 2Y >= sqrt(9)X"]}
    (other,) = records(TRIAL.report(**words), "target_param")
    assert one["value"] == pytest.approx(other["value"], abs=1e-9)


def test_stop_and_keep_returns_the_best_so_far() -> None:
    calls: list[float | None] = []

    def progress(done: float, of: float, text: str = "", best: float | None = None) -> bool:
        calls.append(best)
        return len(calls) < 5

    made = run_on_frame(PATH, pd.DataFrame(), {**TRIAL.form, "algorithm": "pso"}, progress=progress)
    elements = made["parts"][0]["elements"]
    assert made["stopped"] and "run.stopped" in warnings(elements)
    assert calls[-1] is not None and records(elements, "decision")


def test_a_thousand_variables_within_seconds() -> None:
    names = [f"X{k}" for k in range(1000)]
    target = " + ".join(f"{1 + k % 7}{name}" for k, name in enumerate(names))
    rows = [f"{names[k]} + {names[k + 1]} + {names[(k * 7) % 1000]} <= {3 + k % 5}" for k in range(0, 999, 2)]
    began = time.monotonic()
    (found,) = records(
        TRIAL.report(variables=variables(*names), target=target, constraints=[*rows, "SUM(X0,X999) <= 5"]),
        "target_param",
    )
    assert found["status"] == "最优" and time.monotonic() - began < 10
