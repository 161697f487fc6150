import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, check, records, warnings

FRAME = pd.DataFrame({"甲": list("是是否否是否"), "乙": list("是否否否是是"), "丙": list("是是否是是否")})
TRIAL = Trial("hypothesis_test/fleiss_kappa", FRAME, {"raters": ["甲", "乙", "丙"]})


def test_one_rater_is_refused() -> None:
    assert TRIAL.refused(raters=["甲"]).faults[0].field == "raters"


def test_rows_with_gaps_are_left_out_and_named() -> None:
    frame = FRAME.assign(丙=[None, "是", "否", "是", "是", "否"])
    assert warnings(TRIAL.report(frame)) == ["data.gaps"]
    both = TRIAL.report(frame, statistic=["fleiss", "krippendorff"])
    assert len(records(both, "result")) == 2


def test_one_category_has_no_agreement() -> None:
    assert "一致性无定义" in TRIAL.refused(pd.DataFrame({c: ["是"] * 5 for c in "甲乙丙"})).text


def test_interval_wants_numbers() -> None:
    assert "区间尺度要数值" in TRIAL.refused(statistic=["krippendorff"], level="interval").text


def test_with_two_raters_conger_is_cohen_and_weights_repeat_rows() -> None:
    two = ["甲", "乙"]
    (row,) = records(TRIAL.report(raters=two, statistic=["conger"]), "result")
    cohen = records(Trial("hypothesis_test/kappa", FRAME, {"rater1": "甲", "rater2": "乙"}).report(), "result")[0]
    assert row["value"] == pytest.approx(cohen["kappa"], rel=1e-12)
    weighted = FRAME.assign(数=[1, 2, 3, 1, 2, 1])
    repeated = FRAME.loc[np.repeat(FRAME.index, weighted["数"])]
    one, other = (records(r, "result")[0] for r in (TRIAL.report(weighted, weight="数"), TRIAL.report(repeated)))
    assert one == other


def test_few_objects_are_said_and_many_are_not() -> None:
    assert check(TRIAL.report(), "样本量")["state"] == "care"
    many = TRIAL.report(pd.concat([FRAME] * 6))
    assert "样本量" not in {one.get("title") for one in many if one["type"] == "check"}
