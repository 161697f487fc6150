"""Refusals of nonnormal capability; the percentile method gives the normal indices where the curve is normal."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from hengxi.stats.normalising import box_cox, johnson
from hengxi.stats.pearson import pearson
from hengxi.testing import Trial, records, warnings

RNG = np.random.default_rng(1)
FRAME = pd.DataFrame({"值": np.round(RNG.weibull(1.6, 150) * 3 + 0.01, 3)})
FORM = {"measure": "值", "lsl": 0.02, "usl": 9, "bootstrap": False}
TRIAL = Trial("quality_control/process_capability_nonnormal", FRAME, FORM, {"值": "定量"})


def index(elements: list[dict[str, object]], name: str) -> float:
    return next(float(row["value"]) for row in records(elements, "indices") if row["index"] == name)


def test_no_limit_is_refused() -> None:
    assert "至少填 1 项" in TRIAL.refused(lsl=None, usl=None).text


def test_values_a_distribution_or_transformation_cannot_take_are_refused_with_a_way_out() -> None:
    below = FRAME.assign(值=FRAME["值"] - 1)
    refusal = TRIAL.refused(below, distribution="weibull_min")
    assert "“威布尔”分布要求数据大于 0" in refusal.text and refusal.faults[0].remedies
    assert "小于等于 0" in TRIAL.refused(below, method="boxcox").text
    assert "data.left_out" in warnings(TRIAL.report(below))


def test_two_values_have_no_curve_and_no_johnson() -> None:
    two = FRAME.assign(值=[1.0, 2.0] * 75)
    assert "Pearson" in TRIAL.refused(two, method="clements").text
    assert "Johnson" in TRIAL.refused(two, method="johnson").text


@pytest.mark.parametrize("law", [stats.beta(2, 5), stats.gamma(4), stats.betaprime(5, 9), stats.t(8), stats.norm()])
def test_pearson_curves_are_the_distributions_they_are_named_after(law: object) -> None:
    mean, variance, skewness, excess = (float(part) for part in law.stats("mvsk"))  # type: ignore[attr-defined]
    for sign in (1, -1):
        curve = pearson(sign * skewness, excess)
        assert curve is not None
        for share in (0.00135, 0.3, 0.99865):
            value = (float(law.ppf(share)) - mean) / np.sqrt(variance)  # type: ignore[attr-defined]
            assert curve.cdf(sign * value) == pytest.approx(share if sign > 0 else 1 - share, abs=1e-12)
            assert curve.ppf(share if sign > 0 else 1 - share) == pytest.approx(sign * value, abs=1e-9)


def test_scaled_values_scale_percentiles_and_leave_indices() -> None:
    for method in ("distribution", "clements", "johnson"):
        one, ten = TRIAL.report(method=method), TRIAL.report(FRAME * 10, method=method, lsl=0.2, usl=90)
        assert index(ten, "Ppk") == pytest.approx(index(one, "Ppk"), rel=1e-6)


def test_transformations_find_back_what_was_done_to_normal_values() -> None:
    z = stats.norm.ppf((np.arange(1, 2001) - 0.5) / 2000)
    assert box_cox(np.exp(z)).parameters["λ"] == pytest.approx(0, abs=1e-6)
    found = johnson(np.sinh(z / 2))
    assert found is not None and found.name == "Johnson SU" and found.parameters["η"] == pytest.approx(2, rel=0.02)
