"""Where a function has no value, the shift that is offered, and λ at its ends."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, records

RANDOM = np.random.default_rng(5)
FRAME = pd.DataFrame({
    "正": np.exp(RANDOM.normal(0, 1, 60)), "零": np.arange(60.0), "负": RANDOM.normal(0, 1, 60) - 2,
    "比例": np.linspace(0, 1, 60), "常": [3.0] * 60,
})  # fmt: skip
KINDS = dict.fromkeys(FRAME, "定量")
TRIAL = Trial("data_processing/transform", FRAME, {"variables": ["正"]}, KINDS)
report, refused = TRIAL.report, TRIAL.refused


@pytest.mark.parametrize(
    ("variable", "form", "words"),
    [
        ("零", {"method": "ln"}, "含 1 个小于等于0的值，请加平移常数或改用Yeo-Johnson"),
        ("零", {"method": "boxcox"}, "含 1 个小于等于0的值"),
        ("负", {"method": "log1p"}, "ln(1+x) 没有定义"),
        ("负", {"method": "sqrt"}, "含负值，不能开平方"),
        ("零", {"method": "reciprocal"}, "倒数无定义"),
        ("负", {"method": "power", "power": 0.5}, "不能取非整数次幂"),
        ("负", {"method": "asin_sqrt"}, "超出0到1"),
        ("比例", {"method": "logit"}, "超出0到1"),
        ("零", {"method": "fisher_z"}, "Fisher z 只用于相关系数"),
        ("常", {"method": "boxcox"}, "没有变异，无法估计λ"),
        ("常", {"method": "johnson"}, "Johnson 曲线"),
    ],
)
def test_where_a_function_has_no_value(variable: str, form: dict[str, Any], words: str) -> None:
    assert words in refused(variables=[variable], **form).faults[0].text


@pytest.mark.parametrize(
    ("variable", "method"), [("零", "ln"), ("负", "sqrt"), ("负", "log1p"), ("零", "reciprocal"), ("负", "reciprocal")]
)
def test_the_shift_that_is_offered_works(variable: str, method: str) -> None:
    if (variable, method) == ("负", "reciprocal"):
        return  # No zero among them.
    remedy = refused(variables=[variable], method=method).faults[0].remedies[0]
    assert report(variables=[variable], method=method, **remedy.set)  # type: ignore[union-attr]


def test_too_large_a_value_is_refused_not_lost() -> None:
    frame = pd.DataFrame({"x": [1.0, 1000.0, 2.0]})
    assert refused(frame, variables=["x"], method="exp").code == "transform.overflow"


def test_lambda_zero_is_the_logarithm() -> None:
    zero = records(report(method="boxcox", lam=0), "compared")[0]
    assert zero["mean_after"] == pytest.approx(records(report(method="ln"), "compared")[0]["mean_after"], rel=1e-12)


def test_gaps_stay() -> None:
    frame = pd.DataFrame({"x": [1.0, None, 4.0, 9.0]})
    step = next(e for e in report(frame, variables=["x"], method="sqrt") if e["type"] == "data")["step"]
    assert [row[-1] for row in step["preview"]["after"]] == [1, None, 2, 3]
