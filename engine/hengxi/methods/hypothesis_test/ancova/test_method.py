import numpy as np
import pandas as pd

from hengxi.testing import Trial, check, records, said


def design(steep: float = 0.0) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    x = np.round(rng.normal(50, 8, 60), 1)
    group = np.repeat(["甲", "乙", "丙"], 20)
    y = 10 + 0.5 * x + steep * (group == "甲") * (x - 50) + rng.normal(0, 3, 60)
    return pd.DataFrame({"组": group, "前": x, "后": np.round(y, 1)})


MEASURES = {"组": "定类", "前": "定量", "后": "定量", "另": "定量"}
TRIAL = Trial("hypothesis_test/ancova", design(), {"y": "后", "factors": ["组"], "covariates": ["前"]}, MEASURES)


def test_without_a_covariate_it_is_refused() -> None:
    assert "协变量" in TRIAL.refused(covariates=[]).text


def test_a_covariate_the_groups_decide_is_refused_by_name() -> None:
    frame = design().assign(另=lambda one: one.组.map({"甲": 1.0, "乙": 2.0, "丙": 4.0}))
    refusal = TRIAL.refused(frame, covariates=["另"])
    assert refusal.code == "data.collinear" and "“另”被分组" in refusal.text


def test_a_covariate_that_repeats_another_is_refused_by_name() -> None:
    assert "“另”" in TRIAL.refused(design().assign(另=lambda one: one.前 * 2), covariates=["前", "另"]).text


def test_a_constant_covariate_is_refused() -> None:
    assert "没有变异" in TRIAL.refused(design().assign(前=3.0)).text


def test_slopes_that_differ_come_first_and_have_bounds() -> None:
    report = TRIAL.report(design(1.5))
    assert check(report, "回归斜率齐性")["state"] == "fail"
    assert said(report).index("各组的斜率不同") < said(report).index("扣除协变量的影响后")
    assert len(records(report, "regions")) == 3
    assert records(TRIAL.report(), "regions") == []


def test_a_group_whose_covariate_does_not_vary_has_no_slope() -> None:
    frame = design()
    frame.loc[frame.组 == "甲", "前"] = 50.0
    report = TRIAL.report(frame)
    assert records(report, "slopes") == [] and records(report, "means")


def test_the_scale_of_the_covariate_does_not_matter() -> None:
    frame = design(1.5)
    moved = TRIAL.report(frame.assign(前=frame.前 * 1e6 + 1e9))
    plain = TRIAL.report(frame)
    for a, b in zip(records(plain, "means"), records(moved, "means"), strict=True):
        assert np.isclose(a["mean"], b["mean"], rtol=1e-8) and np.isclose(a["se"], b["se"], rtol=1e-6)
    (low, high) = records(plain, "regions")[0]["low"], records(moved, "regions")[0]["low"]
    assert np.isclose(low * 1e6 + 1e9, high, rtol=1e-9)
