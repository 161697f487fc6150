"""Refusals of the tolerance interval; order statistics need many cases."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, records

RNG = np.random.default_rng(1)
FRAME = pd.DataFrame({"值": RNG.normal(10, 1, 200)})
TRIAL = Trial("quality_control/tolerance_interval", FRAME, {"measure": ["值"]}, {"值": "定量"})


def test_constants_are_refused() -> None:
    assert "没有变异" in TRIAL.refused(FRAME.assign(值=2.0)).text


def test_too_few_for_order_statistics_says_how_many_and_offers_the_normal_way() -> None:
    refusal = TRIAL.refused(FRAME[:50], method="nonparametric")
    assert "样本量 50 不足" in refusal.text and "至少需要 93" in refusal.text
    assert refusal.faults[0].remedies


def test_a_one_sided_limit_lies_inside_the_two_sided() -> None:
    (two,), (lower,) = (records(TRIAL.report(side=side), "result") for side in ("two", "lower"))
    assert lower["low"] > two["low"] and lower["high"] is None


@pytest.mark.parametrize(("side", "least"), [("two", 93), ("lower", 59)])
def test_the_smallest_sample_reaches_the_confidence_and_no_smaller(side: str, least: int) -> None:
    few: dict[str, Any] = {"method": "nonparametric", "side": side}
    (row,) = records(TRIAL.report(FRAME[:least], **few), "result")
    assert row["low"] == FRAME["值"][:least].min() and 0.95 <= row["reached"] < 0.96
    assert f"至少需要 {least}" in TRIAL.refused(FRAME[: least - 1], **few).text
