from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, check, records

TRIAL = Trial("mathematical_modeling/numerical_integration", pd.DataFrame({"x": [0.0, 1, 2], "y": [0.0, 1, 4]}), {
    "source": "function", "f": "x^2"}, {"x": "定量", "y": "定量"})  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "code", "text"),
    [
        ({"f": "x^2 +"}, "formula.syntax", "公式不完整"),
        ({"f": "__import__('os')"}, "formula.syntax", "字符处有误"),
        ({"f": "(" * 10_000}, "formula.syntax", "字符处有误"),
        ({"f": "x + z"}, "data.symbol", "“z”没有定义"),
        ({"f": "1/x", "a": "-1"}, "data.undefined", "x=0 处没有定义"),
        ({"f": "10^10^10"}, "data.undefined", "没有定义"),
        ({"a": "1", "b": "1"}, "data.equal", "上下限不能相等"),
        ({"a": "1/0"}, "data.number", "不是一个数"),
        ({"a": "q"}, "data.symbol", "“q”没有定义"),
        ({"a": " "}, "words.required", "请填写“下限”"),
        ({"b": "inf", "method": "simpson"}, "data.infinite", "只能用自适应高斯"),
        ({"f": "1/x", "method": "romberg"}, "data.undefined", "在端点 x=0 处没有定义"),
        ({"f": "ln(y)", "method": "double", "c": "-1"}, "data.undefined", "没有定义的点"),
        ({"source": "data"}, "role.required", "自变量 X"),
    ],
)
def test_what_cannot_be_integrated_is_refused(changes: dict[str, Any], code: str, text: str) -> None:
    fault = next(fault for fault in TRIAL.refused(**changes).faults if fault.code == code)
    assert text in fault.text


def test_a_falling_row_is_named() -> None:
    frame = pd.DataFrame({"x": [0.0, 2, 1, 3], "y": [1.0, 2, 3, 4]})
    refused = TRIAL.refused(frame, source="data", x="x", y="y", f=None)
    assert "第 3 行不满足" in refused.text


def test_the_interval_of_monte_carlo_holds_the_truth_nearly_always() -> None:
    hits = 0
    for seed in range(100):
        (row,) = records(TRIAL.report(method="monte_carlo", n=400, seed=seed), "result")
        hits += row["low"] <= 1 / 3 <= row["high"]
    assert 88 <= hits <= 100


def test_cubics_are_exact_by_simpson_and_a_slow_pole_is_seen() -> None:
    (row,) = records(TRIAL.report(f="x^3 - x", method="simpson", n=2, a="0", b="2"), "result")
    assert abs(row["value"] - 2) < 1e-12
    assert check(TRIAL.report(f="1/abs(x - 0.3337)"), "收敛")["state"] == "fail"


def test_a_long_record_is_thinned_in_the_figure_only() -> None:
    x = np.linspace(0, 10, 20_000)
    report = TRIAL.report(pd.DataFrame({"x": x, "y": np.sin(x)}), source="data", x="x", y="y", f=None)
    (row,) = records(report, "result")
    assert abs(row["value"] - (1 - np.cos(10))) < 1e-9
