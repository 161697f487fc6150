"""Refusals of the variance test, several variables, long tails."""

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, check, records

RNG = np.random.default_rng(3)
FRAME = pd.DataFrame({"组": ["甲"] * 30 + ["乙"] * 30, "值": RNG.normal(0, 1, 60), "另": RNG.normal(0, 2, 60)})
TRIAL = Trial("hypothesis_test/variance_test", FRAME, {"variables": ["值"]}, {"值": "定量", "另": "定量"})


def test_a_constant_group_and_three_groups_are_refused() -> None:
    constant = FRAME.assign(值=[1.0] * 30 + list(range(30)))
    assert "组“甲”里的“值”没有变异" in TRIAL.refused(constant, group="组").text
    assert "没有变异" in TRIAL.refused(FRAME.assign(值=2.0)).text
    assert "F检验需要恰好两组" in TRIAL.refused(FRAME.assign(组=["甲", "乙", "丙"] * 20), group="组").text


def test_the_sigma_must_be_positive() -> None:
    assert "检验标准差" in TRIAL.refused(sigma0=0).text


def test_units_do_not_matter() -> None:
    small = records(TRIAL.report(FRAME.assign(值=FRAME["值"] * 1e-6 + 5), sigma0=1e-6), "result")[0]
    (usual,) = records(TRIAL.report(), "result")
    assert small["chi2"] == pytest.approx(usual["chi2"], rel=1e-6)


def test_long_tails_widen_the_interval_that_allows_for_them() -> None:
    tails = FRAME.assign(值=RNG.standard_t(2, 60))
    report = TRIAL.report(tails)
    normal, bonett = records(report, "spreads")
    assert bonett["sd_high"] > normal["sd_high"] and check(report, "正态性")["state"] == "fail"
