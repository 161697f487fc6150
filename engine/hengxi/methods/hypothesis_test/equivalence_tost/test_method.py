"""Refusals of the equivalence test, agreement of interval and p."""

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, records

RNG = np.random.default_rng(8)
FRAME = pd.DataFrame({"组": ["甲"] * 20 + ["乙"] * 20, "值": RNG.normal(5, 1, 40), "后": RNG.normal(5, 1, 40)})
TRIAL = Trial(
    "hypothesis_test/equivalence_tost", FRAME, {"variables": "值", "group": "组"}, {"值": "定量", "后": "定量"}
)


def test_margins_are_in_order_and_fit_their_unit() -> None:
    assert "等价下限必须小于上限" in TRIAL.refused(lower=1, upper=1).text
    assert "必须大于0" in TRIAL.refused(bound_type="ratio").text
    assert "在 −1 与 1 之间" in TRIAL.refused(FRAME.assign(值=[0, 1] * 20), design="proportion", lower=-2).text


def test_values_fit_the_design() -> None:
    negative = FRAME.assign(值=FRAME["值"] - 5)
    assert "对数比值要求数据大于0" in TRIAL.refused(negative, bound_type="ratio", lower=0.8, upper=1.25).text
    assert "只能是 0 和 1" in TRIAL.refused(design="proportion", lower=-0.1, upper=0.1).text
    assert "没有变异" in TRIAL.refused(FRAME.assign(值=3.0)).text
    assert "全部相同" in TRIAL.refused(FRAME.assign(值=1), design="proportion", lower=-0.1, upper=0.1).text


def test_boxes_of_the_design_are_asked_for() -> None:
    assert "配对变量" in TRIAL.refused(design="paired").text


@pytest.mark.parametrize("half", [0.2, 0.4, 0.6, 0.8, 1.0])
def test_the_interval_and_p_say_the_same(half: float) -> None:
    report = TRIAL.report(lower=-half, upper=half)
    (row,) = records(report, "estimate")
    p = max(test["p"] for test in records(report, "result"))
    assert (p < 0.05) == (-half < row["low"] and row["high"] < half)
