import pandas as pd
import pytest

from hengxi.testing import Trial, check, records, warnings

FRAME = pd.DataFrame({"甲": list("是是否否是否是是"), "乙": list("是否否否是是是是")})
TRIAL = Trial("hypothesis_test/kappa", FRAME, {"rater1": "甲", "rater2": "乙"})


def test_one_category_has_no_kappa() -> None:
    assert "Kappa 无定义" in TRIAL.refused(FRAME.assign(甲="是", 乙="是")).text


def test_a_category_of_one_rater_is_counted_in_the_union_and_said() -> None:
    assert warnings(TRIAL.report(FRAME.assign(乙=list("是否中否是是是是")))) == ["data.union"]


def test_a_rater_who_never_varied_agrees_no_better_than_chance() -> None:
    (row,) = [row for row in records(TRIAL.report(FRAME.assign(乙="是")), "result") if row["read"]]
    assert row["kappa"] == pytest.approx(0, abs=1e-12) and row["z"] is None


def test_high_agreement_with_low_kappa_is_said() -> None:
    frame = pd.DataFrame({"甲": ["否"] * 46 + ["是"] * 4, "乙": ["否"] * 43 + ["是"] * 3 + ["否"] * 3 + ["是"]})
    assert check(TRIAL.report(frame), "Kappa 悖论")["state"] == "care"


def test_perfect_agreement_is_one() -> None:
    (row,) = [row for row in records(TRIAL.report(FRAME.assign(乙=FRAME["甲"])), "result") if row["read"]]
    assert row["kappa"] == 1 and row["strength"] == "很高"
