"""Refusals, and what the ranks do not depend on."""

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, records, said

RNG = np.random.default_rng(4)
FRAME = pd.DataFrame({"甲": list("ab") * 12, "乙": list("xxyyzz") * 4, "值": RNG.normal(size=24).round(2)})
TRIAL = Trial(
    "hypothesis_test/scheirer_ray_hare", FRAME, {"y": "值", "factors": ["甲", "乙"]},
    {"甲": "定类", "乙": "定类", "值": "定量"},
)  # fmt: skip


def test_an_empty_cell_and_constant_data_are_refused() -> None:
    assert "组合“b×z”没有观测" in TRIAL.refused(FRAME[~((FRAME["甲"] == "b") & (FRAME["乙"] == "z"))]).text
    assert "无法排秩" in TRIAL.refused(FRAME.assign(值=1)).text
    assert "2" in TRIAL.refused(factors=["甲"]).text


def test_single_cases_leave_no_error_for_aligned_ranks() -> None:
    one = FRAME.drop_duplicates(["甲", "乙"])
    assert "改用 Scheirer-Ray-Hare" in TRIAL.refused(one, method="art").text
    assert len(records(TRIAL.report(one), "result")) == 3


def test_ranks_do_not_see_a_monotone_transform() -> None:
    plain, bent = (records(TRIAL.report(f), "result") for f in (FRAME, FRAME.assign(值=np.exp(FRAME["值"]))))
    for a, b in zip(plain, bent, strict=True):
        assert a["H"] == pytest.approx(b["H"])


def test_an_interaction_is_said_to_come_first() -> None:
    crossed = FRAME.assign(值=np.where((FRAME["甲"] == "a") == (FRAME["乙"] == "x"), 10, 0) + FRAME["值"])
    assert "主效应要分开看" in said(TRIAL.report(pd.concat([crossed] * 3), method="art"))
