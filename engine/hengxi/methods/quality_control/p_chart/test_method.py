"""Refusals of the P chart by row, limits by size, Laney's where the variation is larger."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, check, records

RNG = np.random.default_rng(1)
FRAME = pd.DataFrame({"坏": RNG.binomial(200, 0.1, 25), "查": 200, "期": ["甲"] * 12 + ["乙"] * 13})
TRIAL = Trial(
    "quality_control/p_chart", FRAME, {"defectives": "坏", "size": "查"}, {"坏": "定量", "查": "定量", "期": "定类"}
)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"坏": [300, *FRAME["坏"][1:]]}, "第 1 行不合格品数大于检验数"),
        ({"坏": [1.5, *FRAME["坏"][1:]]}, "第 1 行的不合格品数不是非负整数"),
        ({"坏": [-1, *FRAME["坏"][1:]]}, "不是非负整数"),
        ({"查": [200, 0, *FRAME["查"][2:]]}, "第 2 行检验数必须大于 0"),
        ({"坏": 0}, "全部为 0"),
        ({"坏": 200}, "所有产品都不合格"),
    ],
)
def test_impossible_counts_are_refused_by_row(change: dict[str, Any], words: str) -> None:
    assert words in TRIAL.refused(FRAME.assign(**change)).text


def test_a_known_centre_is_a_share() -> None:
    assert "0 与 1 之间" in TRIAL.refused(center=5).text


def test_laney_widens_the_limits_of_large_samples() -> None:
    big = FRAME.assign(查=100_000, 坏=RNG.binomial(100_000, RNG.beta(20, 180, 25)))
    narrow, wide = (records(TRIAL.report(big, limits=way), "control_limits")[0] for way in ("average", "laney"))
    assert narrow["signals"] > wide["signals"]
    assert check(TRIAL.report(big), "离散程度")["state"] == "care"
