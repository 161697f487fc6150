"""Refusals of the tolerance interval; order statistics need many cases."""

import numpy as np
import pandas as pd
import pytest

from hengxi import registry
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


@pytest.mark.parametrize("side", ["two", "lower"])
def test_the_deepest_rank_is_the_last_that_reaches(side: str) -> None:
    module = registry._import(
        "quality_control/tolerance_interval", registry.folder("quality_control/tolerance_interval") / "method.py"
    )
    rank = module.deepest(1000, 0.9, 0.95, side)
    assert rank > 1 and module.deepest(module.least_n(0.9, 0.95, side), 0.9, 0.95, side) == 1
    assert module.deepest(module.least_n(0.9, 0.95, side) - 1, 0.9, 0.95, side) == 0
