import numpy as np
import pandas as pd
import pytest

from hengxi.stats import proportions
from hengxi.stats.proportions import Two
from hengxi.testing import Trial, check, records

FRAME = pd.DataFrame({"组": ["甲"] * 20 + ["乙"] * 20 + ["丙"] * 3, "有效": ["是"] * 12 + ["否"] * 28 + [None] * 3})
TRIAL = Trial("hypothesis_test/two_proportion_test", FRAME, {"group": "组", "y": ["有效"], "groups": ["甲", "乙"]})


def test_three_groups_ask_for_two_and_lead_to_the_test_of_all() -> None:
    full = FRAME.assign(有效=FRAME["有效"].fillna("是"))
    refusal = TRIAL.refused(full, groups=[])
    assert "需要恰好两组" in refusal.text
    assert refusal.faults[0].remedies[-1].method == "hypothesis_test/multi_proportion_test"  # type: ignore[union-attr]


def test_a_group_without_anybody_is_refused() -> None:
    assert "丙" in TRIAL.refused(groups=["甲", "丙"]).text


def test_a_group_of_none_has_no_ratio() -> None:
    report = TRIAL.report()
    assert {row["effect"] for row in records(report, "effects")} == {"RR", "OR", "NNT", "Cohen's h"} - {"RR", "OR"}
    assert check(report, "期望频数")["state"] == "pass"


def test_all_alike_are_refused() -> None:
    assert TRIAL.refused(FRAME.assign(有效="是")).code == "data.constant"


@pytest.mark.parametrize("how", list(proportions.DIFFERENCES))
def test_intervals_hold_at_the_ends(how: str) -> None:
    for two in (Two(0, 10, 0, 12), Two(10, 10, 0, 12), Two(10, 10, 12, 12), Two(0, 10, 12, 12)):
        low, high = proportions.difference(how, two, 0.95)
        assert -1 <= low <= high <= 1 and np.isfinite([low, high]).all()
