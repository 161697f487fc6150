"""Refusals, published values, sides that add up, extreme t."""

import numpy as np
import pandas as pd
import pytest
from scipy import integrate

from hengxi.stats.bayes_factor import Evidence
from hengxi.testing import Trial, records, said

FRAME = pd.DataFrame(
    {"组": list("甲" * 6 + "乙" * 6), "值": [1.0, 3, 2, 5, 4, 6, 4, 6, 8, 7, 9, 6], "前": np.arange(12.0)}
)
TRIAL = Trial("hypothesis_test/bayesian_t_test", FRAME, {"design": "independent", "group": "组", "variables": ["值"]},
              {"组": "定类", "值": "定量", "前": "定量"})  # fmt: skip


def test_what_is_missing_or_has_no_spread_is_refused() -> None:
    assert "请放入分组变量" in TRIAL.refused(group=None).text
    assert "请放入配对变量" in TRIAL.refused(design="paired", group=None).text
    assert TRIAL.refused(r_scale=0).faults[0].field == "r_scale"
    assert "没有变异" in TRIAL.refused(FRAME.assign(值=2.0)).text


def test_the_factor_agrees_with_its_integral_over_the_variance() -> None:
    """Rouder et al. (2009), formula 1, by another library than the oracle's."""
    t, n, v, r = 2.03, 80.0, 79.0, 1.0

    def inside(g: float) -> float:
        shrunk = 1 + n * g * r * r
        tail = (1 + t * t / (shrunk * v)) ** (-(v + 1) / 2)
        return float(shrunk**-0.5 * tail * (2 * np.pi) ** -0.5 * g**-1.5 * np.exp(-1 / (2 * g)))

    top = integrate.quad(inside, 0, 1)[0] + integrate.quad(inside, 1, np.inf)[0]
    assert np.exp(Evidence(t, n, v, r).log_bf10) == pytest.approx(top / (1 + t * t / v) ** (-(v + 1) / 2), rel=1e-7)


def test_both_sides_average_to_the_two_sided_factor() -> None:
    two, up, down = (
        np.exp(Evidence(1.3, 20.0, 19.0, 0.707, side).log_bf10) for side in ("two_sided", "greater", "less")
    )
    assert two == pytest.approx((up + down) / 2, rel=1e-12)


def test_an_overwhelming_t_is_told_by_its_logarithm() -> None:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"值": 100 + rng.normal(size=3000)})
    report = TRIAL.report(frame, design="one", group=None)
    (row,) = records(report, "result")
    assert row["bf10"] is None and row["log"] > 690 and "ln BF₁₀" in said(report)


def test_no_difference_is_supported_where_the_cases_are_many() -> None:
    frame = pd.DataFrame({"组": ["甲", "乙"] * 500, "值": np.resize([1.0, 1, 2, 2, 3, 3], 1000)})
    report = TRIAL.report(frame)
    assert records(report, "result")[0]["side"] == "无差异" and "没有差异（BF₀₁" in said(report)
