"""Refusals of process capability; what follows from shifting, scaling and one-sided limits."""

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, records, warnings

RNG = np.random.default_rng(1)
FRAME = pd.DataFrame({"组": np.repeat(np.arange(1, 26), 4), "值": RNG.normal(10, 1, 100)})
FORM = {"measures": ["值"], "subgroup": "组", "lsl": 6, "usl": 14}
TRIAL = Trial("quality_control/process_capability", FRAME, FORM, {"值": "定量"})


def index(elements: list[dict[str, object]], name: str) -> float:
    return next(float(row["value"]) for row in records(elements, "indices") if row["index"] == name)


def test_no_limit_and_limits_the_wrong_way_round_are_refused() -> None:
    assert "至少填 1 项" in TRIAL.refused(lsl=None, usl=None).text
    assert "须小于" in TRIAL.refused(lsl=14, usl=6).text


def test_no_variation_is_refused() -> None:
    assert "没有变异" in TRIAL.refused(FRAME.assign(值=2.0)).text
    assert "没有变异" in TRIAL.refused(FRAME.assign(值=FRAME["组"] * 1.0)).text


def test_moving_ranges_want_single_values() -> None:
    assert "移动极差要求每个子组只有 1 个值" in TRIAL.refused(sigma_within="mr").text
    assert "sigma.single" in warnings(TRIAL.report(subgroup=None, size=1))


def test_a_side_without_limit_has_no_index() -> None:
    elements = TRIAL.report(usl=None)
    assert {row["index"] for row in records(elements, "indices")} == {"CPL", "Cpk", "PPL", "Ppk"}
    assert all(row["above"] is None for row in records(elements, "performance"))


@pytest.mark.parametrize("way", ["rbar", "sbar", "pooled"])
def test_indices_do_not_depend_on_the_unit(way: str) -> None:
    inches = TRIAL.report(
        FRAME.assign(值=FRAME["值"] * 25.4 + 7), lsl=6 * 25.4 + 7, usl=14 * 25.4 + 7, sigma_within=way
    )
    assert index(inches, "Cpk") == pytest.approx(index(TRIAL.report(sigma_within=way), "Cpk"), rel=1e-9)


def test_drift_between_subgroups_lowers_ppk_alone() -> None:
    drifting = TRIAL.report(FRAME.assign(值=FRAME["值"] + FRAME["组"] / 5))
    assert index(drifting, "Ppk") < 0.75 * index(drifting, "Cpk")


def test_box_cox_wants_positive_values_and_offers_johnson() -> None:
    refusal = TRIAL.refused(FRAME.assign(值=FRAME["值"] - 10), transform="boxcox")
    assert "小于等于 0" in refusal.text and refusal.faults[0].remedies
    assert records(TRIAL.report(transform="johnson"), "fitted")


def test_limits_no_value_can_reach_are_refused() -> None:
    assert "取值范围之外" in TRIAL.refused(lsl=-3, usl=None, transform="boxcox").text
