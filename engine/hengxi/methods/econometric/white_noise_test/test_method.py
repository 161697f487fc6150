"""Refusals of the white noise test, and what it says of noise and of a pattern."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, records, said

REST = pd.read_csv(Path(__file__).parent / "example.csv")
TRIAL = Trial(
    "econometric/white_noise_test", REST, {"y": ["残差"], "time": {"column": "月份", "frequency": None}},
    {"月份": "时间"},
)  # fmt: skip
report, refused = TRIAL.report, TRIAL.refused


@pytest.mark.parametrize(
    ("frame", "form", "code", "words"),
    [
        (REST.head(20), {}, "data.lags", "滞后阶须小于序列长度：最大滞后 24，序列只有 20 期"),
        (REST, {"model_df": 6}, "data.df", "滞后 6 不大于模型参数数 6，自由度为 0"),
        (REST.head(5), {}, "data.few", "只有 5 期"),
        (REST.assign(残差=1.5), {}, "data.constant", "没有变化"),
        (REST.drop(index=[4]), {}, "data.gaps", "2014-05"),
        (pd.concat([REST, REST.tail(1)]), {}, "timeline.duplicate", "不止一行"),
    ],
)
def test_what_cannot_be_tested_is_refused_by_name(
    frame: pd.DataFrame, form: dict[str, Any], code: str, words: str
) -> None:
    refusal = refused(frame, **form)
    assert refusal.code == code and words in refusal.text


def test_noise_is_called_noise_and_a_trend_is_not() -> None:
    noise = REST.assign(残差=np.random.default_rng(1).normal(size=120))
    assert "可当作白噪声" in said(report(noise))
    assert "不是白噪声" in said(report(REST.assign(残差=np.arange(120.0))))


def test_squares_that_do_not_vary_skip_the_second_test() -> None:
    flat = REST.assign(残差=np.tile([1.0, -1.0], 60))
    elements = report(flat)
    assert records(elements, "arch") == [] and "平方序列没有变化" in str(elements)


def test_another_unit_changes_no_p() -> None:
    once, scaled = report(), report(REST.assign(残差=1e6 * REST["残差"]))
    a, b = ([row["p"] for row in records(one, "result")] for one in (once, scaled))
    assert b == pytest.approx(a, rel=1e-10)
