"""Refusals, a shift that looks like spread, direction."""

import pandas as pd
import pytest

from hengxi.testing import Trial, check, records

FRAME = pd.DataFrame(
    {"组": list("甲" * 8 + "乙" * 8), "值": [1, 9, 2, 8, 0, 10, 3, 7, 4.5, 5.5, 5, 4.8, 5.2, 4.6, 5.4, 5.1]}
)
TRIAL = Trial("hypothesis_test/mood_test", FRAME, {"group": "组", "variables": ["值"]}, {"值": "定量"})


def test_three_groups_and_constant_data_are_refused() -> None:
    assert "需要恰好两组" in TRIAL.refused(FRAME.assign(组=list("甲乙丙丁" * 4))).text
    assert "数据没有变异" in TRIAL.refused(FRAME.assign(值=1)).text
    assert "对齐后全部相同" in TRIAL.refused(FRAME.assign(值=[1] * 8 + [2] * 8), align=True).text


def test_a_shift_is_found_and_aligned_away() -> None:
    frame = FRAME.assign(值=[*range(8), *range(20, 28)])
    checked = check(TRIAL.report(frame), "位置相同")
    assert checked["state"] == "fail" and checked["remedies"][0]["set"] == {"align": True}
    assert records(TRIAL.report(frame, align=True), "result")[0]["z"] == pytest.approx(0, abs=1e-9)


def test_all_tests_point_the_same_way() -> None:
    rows = records(TRIAL.report(tests=["mood", "ansari", "klotz", "siegel_tukey"]), "result")
    assert all(row["z"] > 2 for row in rows) and [row["read"] for row in rows] == ["采用", "", "", ""]
