from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, check, records

FRAME = pd.DataFrame({"t": np.arange(1.0, 13), "x": 100 / (1 + 19 * np.exp(-0.3 * np.arange(1.0, 13)))})
TRIAL = Trial("mathematical_modeling/ode", FRAME, {"model": "logistic", "t_end": 12.0}, {"t": "定量", "x": "定量"})
CUSTOM: dict[str, Any] = {"model": "custom", "equations": ["dx/dt = a*x"], "y0": [1.0]}


def par(name: str, value: float | None) -> dict[str, Any]:
    return {"id": f"r{name}", "name": name, "value": value}


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"y0": [1, 2]}, "方程组有 1 个变量（x），初值给了 2 个"),
        (CUSTOM, "参数“a”没有给值"),
        ({**CUSTOM, "params": [par("b", 1.0)]}, "方程里没有参数“b”"),
        ({**CUSTOM, "equations": ["x = 1"]}, "要写成 dX/dt = … 的样子"),
        ({**CUSTOM, "equations": ["dx/dt = ) "]}, "有误"),
        ({**CUSTOM, "equations": ["dx/dt = __import__('os')"]}, "有误"),
        ({**CUSTOM, "equations": ["dx/dt = 1", "dx/dt = 2"]}, "写了两个方程"),
        ({**CUSTOM, "equations": ["dx/dt = x^2"], "t_end": 5.0}, "解在 t=1 处趋于无穷"),
        ({**CUSTOM, "equations": ["dx/dt = 10^10^10*x"]}, "在初值处没有定义"),
        ({**CUSTOM, "equations": ["dx/dt = 1/(x - 1)"]}, "在初值处没有定义"),
        ({"model": "sir", "y0": [-1, 2, 3]}, "不能为负"),
        ({"fit": True}, "放入时间和观测值"),
        ({"fit": True, "t": "t", "obs": ["x"], "frame": FRAME.assign(t=[1, 3, 2, *range(4, 13)])}, "第 3 行不满足"),
        ({"fit": True, "t": "t", "obs": ["x"], "frame": FRAME[:2]}, "至少要 3 个"),
    ],
)  # fmt: skip
def test_what_cannot_be_solved_is_refused(changes: dict[str, Any], text: str) -> None:
    refusal = TRIAL.refused(**changes)
    assert any(text in fault.text for fault in refusal.faults), refusal.text


def test_a_stiff_problem_by_an_explicit_method_is_refused_with_the_way_out() -> None:
    lines = ["dA/dt = -0.04A + 10000B*C", "dB/dt = 0.04A - 10000B*C - 30000000B^2", "dC/dt = 30000000B^2"]
    refusal = TRIAL.refused(model="custom", equations=lines, y0=[1, 0, 0], t_end=400.0)
    assert refusal.code == "data.stiff" and refusal.faults[0].remedies


def test_parameters_behind_exact_data_are_found_again() -> None:
    form: dict[str, Any] = {"fit": True, "t": "t", "obs": ["x"], "params": [par("r", 0.2), par("K", 80.0)]}
    rows = {row["name"]: row["value"] for row in records(TRIAL.report(**form), "estimates")}
    assert rows["r"] == pytest.approx(0.3, rel=1e-5) and rows["K"] == pytest.approx(100, rel=1e-5)


def test_parameters_that_only_act_as_a_product_cannot_be_told_apart() -> None:
    form: dict[str, Any] = {
        "model": "custom", "equations": ["dx/dt = a*b*x*(1 - x/100)"], "y0": [5.0], "fit": True, "t": "t",
        "obs": ["x"], "params": [par("a", 0.5), par("b", 0.5)],
    }  # fmt: skip
    assert check(TRIAL.report(**form), "参数能否确定")["state"] == "fail"


def test_the_invariant_of_predator_and_prey_stays() -> None:
    table = next(
        e for e in TRIAL.report(model="lotka", t_end=50.0, method="DOP853", rtol=1e-9) if e.get("name") == "solution"
    )
    x, y = np.array([row[1] for row in table["rows"]]), np.array([row[2] for row in table["rows"]])
    v = 0.1 * x - 0.4 * np.log(x) + 0.4 * y - 1.1 * np.log(y)
    assert np.ptp(v) < 1e-6
