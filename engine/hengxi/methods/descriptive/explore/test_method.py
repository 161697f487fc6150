"""Small groups, too many groups, ties beyond half, stems and leaves, frequencies."""

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, records, said, warnings

FRAME = pd.DataFrame({"值": [10.0, 11, 12, 13, 15, 18, 21, 22, 30, 58], "组": list("甲" * 5 + "乙" * 5)})
TRIAL = Trial("descriptive/explore", FRAME, {"variables": ["值"]}, {"值": "定量", "组": "定类"})


def test_a_group_of_two_is_named_and_still_described() -> None:
    report = TRIAL.report(FRAME.assign(组=list("甲" * 8 + "乙" * 2)), groups=["组"])
    assert "data.few" in warnings(report) and "仅 {n} 个有效值" in said(report)
    assert [row["n"] for row in records(report, "described")] == [8, 2]


def test_too_many_groups_are_refused() -> None:
    frame = pd.DataFrame({"值": np.arange(80.0), "组": [f"g{i // 2}" for i in range(80)]})
    assert "有 40 个水平，过多，请合并类别" in TRIAL.refused(frame, groups=["组"]).text


def test_ties_beyond_half_leave_no_m_estimate() -> None:
    report = TRIAL.report(FRAME.assign(值=[5.0] * 7 + [6, 7, 8]))
    assert "超过一半取值相同" in said(report) and not records(report, "robust")


def test_stems_and_leaves_give_the_values_back() -> None:
    rows = records(TRIAL.report(), "stems")
    values = sorted(int(row["stem"]) * 10 + int(leaf) for row in rows for leaf in row["leaves"])
    assert values == FRAME["值"].astype(int).tolist()
    assert sum(row["n"] for row in rows) == 10


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e6])
def test_stems_have_a_width_that_suits_the_values(scale: float) -> None:
    rows = records(TRIAL.report(FRAME.assign(值=FRAME["值"] * scale)), "stems")
    assert 3 <= len(rows) <= 16 and sum(len(row["leaves"]) for row in rows) == 10


def test_frequencies_stand_for_repeated_rows() -> None:
    counted = FRAME.assign(次数=[1, 2] * 5)
    whole = counted.loc[counted.index.repeat(counted["次数"])]
    for table in ("described", "robust", "percentiles", "tested"):
        one, other = (records(r, table) for r in (TRIAL.report(counted, weight="次数"), TRIAL.report(whole)))
        assert [pytest.approx(row["n" if "n" in row else "value" if "value" in row else "p50"]) for row in one] == [
            row["n" if "n" in row else "value" if "value" in row else "p50"] for row in other
        ]
