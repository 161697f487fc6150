"""Refusals of the X̄-S chart, and a gap of a single row."""

import numpy as np
import pandas as pd

from hengxi.testing import Trial, records

RNG = np.random.default_rng(1)
FRAME = pd.DataFrame({"组": np.repeat(np.arange(1, 21), 12), "值": RNG.normal(10, 1, 240)})
TRIAL = Trial("quality_control/xbar_s", FRAME, {"measures": ["值"], "subgroup": "组"}, {"值": "定量"})


def test_single_values_and_constant_groups_are_refused() -> None:
    assert "无法计算标准差" in TRIAL.refused(FRAME.assign(组=range(240))).text
    assert "没有变异" in TRIAL.refused(FRAME.assign(值=FRAME["组"] * 1.0)).text


def test_rows_without_a_group_are_said_and_left_out() -> None:
    lost = FRAME.assign(组=[None, *FRAME["组"][1:]])
    document = TRIAL.document(lost)
    assert document["sample"]["used"] == 239
    elements = document["parts"][0]["elements"]
    assert any(one["type"] == "warning" and one["code"] == "data.no_subgroup" for one in elements)
    assert records(elements, "points")[0]["n"] == 11


def test_a_shift_in_units_moves_the_limits_along() -> None:
    usual, moved = (
        records(TRIAL.report(frame), "control_limits") for frame in (FRAME, FRAME.assign(值=FRAME["值"] * 10))
    )
    assert all(abs(b["cl"] - 10 * a["cl"]) < 1e-6 for a, b in zip(usual, moved, strict=True))
