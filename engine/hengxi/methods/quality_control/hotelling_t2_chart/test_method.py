"""Refusals of the T² chart; what does not change it; frozen limits against limits of all rows."""

import numpy as np
import pandas as pd
import pytest

from hengxi.families.control.run_lengths import mewma, mewma_limit
from hengxi.testing import Trial, records, said, warnings

RNG = np.random.default_rng(1)
X = RNG.normal(size=(60, 3)) @ np.array([[1, 0.8, 0.3], [0, 0.6, 0.2], [0, 0, 0.9]])
FRAME = pd.DataFrame(X, columns=["甲", "乙", "丙"]).assign(组=np.repeat(np.arange(15), 4), 期=["旧"] * 40 + ["新"] * 20)
FORM = {"measures": ["甲", "乙", "丙"]}
TRIAL = Trial("quality_control/hotelling_t2_chart", FRAME, FORM, dict.fromkeys("甲乙丙", "定量"))


def values(elements: list[dict[str, object]]) -> list[float]:
    return [float(row["value"]) for row in records(elements, "points") if row["panel"] == "T²"]


def test_too_few_rows_and_a_combination_of_others_are_refused() -> None:
    assert "必须大于质量特性个数" in TRIAL.refused(FRAME[:4]).text
    assert "完全共线，请删除“丙”" in TRIAL.refused(FRAME.assign(丙=2 * FRAME["甲"] - FRAME["乙"])).text
    assert "没有变异" in TRIAL.refused(FRAME.assign(乙=3.0)).text


def test_a_subgroup_in_two_phases_is_named() -> None:
    assert (
        "子组“9”里有两个阶段"
        in TRIAL.refused(FRAME.assign(期=["旧"] * 38 + ["新"] * 22), subgroup="组", phase="期").text
    )


def test_generalised_variance_wants_large_subgroups() -> None:
    assert "每个子组的行数大于特性个数" in TRIAL.refused(chart=["gen_var"]).text
    assert "data.small" in warnings(TRIAL.report(chart=["t2", "gen_var"]))
    assert len(records(TRIAL.report(chart=["gen_var"], subgroup="组"), "points")) == 15


def test_units_and_mixtures_of_the_variables_do_not_change_t2() -> None:
    mixed = FRAME.assign(甲=25.4 * FRAME["甲"] + 100, 乙=FRAME["乙"] + FRAME["丙"])
    assert values(TRIAL.report(mixed)) == pytest.approx(values(TRIAL.report()), rel=1e-8)


def test_t2_of_single_rows_adds_up() -> None:
    assert sum(values(TRIAL.report())) == pytest.approx(3 * 59)


def test_frozen_limits_do_not_move_with_the_new_data() -> None:
    shifted = FRAME.assign(甲=FRAME["甲"] + 4 * (FRAME["期"] == "新"))
    plain, moved = (TRIAL.report(frame, phase="期", baseline="旧") for frame in (FRAME, shifted))
    limits = [[(row["phase"], row["ucl"]) for row in records(one, "control_limits")] for one in (plain, moved)]
    assert limits[0] == limits[1] and values(plain)[:40] == pytest.approx(values(moved)[:40])
    signals = {row["phase"]: row["signals"] for row in records(moved, "control_limits")}
    assert signals["新"] > 10 and "从它查起" in said(moved)


def test_mewma_limits_of_the_published_chart() -> None:
    # Lowry et al. (1992) and Prabhu & Runger (1997): λ = 0.1, ARL 200: 8.64 for two variables, 12.73 for four.
    assert mewma(0.1, 2, 8.64) == pytest.approx(200, abs=2) and mewma_limit(0.1, 4, 200) == pytest.approx(
        12.73, abs=0.01
    )
