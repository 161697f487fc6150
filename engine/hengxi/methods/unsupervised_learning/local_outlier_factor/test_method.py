"""What is particular to LOF, and what its base owes for all scores of unusual rows."""

import numpy as np
import pandas as pd

from hengxi.testing import Trial, check, records, warnings

RNG = np.random.default_rng(4)
FRAME = pd.DataFrame(np.vstack([RNG.normal(0, 1, (59, 2)), [[9.0, 9.0]]]), columns=["甲", "乙"])
TRIAL = Trial("unsupervised_learning/local_outlier_factor", FRAME, {"x": ["甲", "乙"]}, {"甲": "定量", "乙": "定量"})


def test_the_row_far_away_comes_first() -> None:
    assert records(TRIAL.report(), "odd_rows")[0]["row"] == 60


def test_as_many_neighbours_as_rows_are_refused() -> None:
    assert "近邻数必须小于样本量60" in TRIAL.refused(n_neighbors=60).text


def test_few_rows_and_constants_are_refused() -> None:
    assert "至少需要10行" in TRIAL.refused(FRAME[:9]).text
    assert TRIAL.refused(FRAME * 0).code == "role.constant"
    assert TRIAL.refused(contamination=0.6).code == "number.range"


def test_rows_alike_are_told() -> None:
    alike = pd.concat([FRAME, pd.DataFrame([[1.0, 1.0]] * 30, columns=["甲", "乙"])], ignore_index=True)
    assert check(TRIAL.report(alike), "重复的样本")["state"] == "care"


def test_marks_of_one_kind_alone_are_told() -> None:
    marks = FRAME.assign(真=["否"] * 59 + ["是"])
    gone = marks.assign(甲=marks["甲"].where(marks["真"] == "否"))
    report = TRIAL.report(gone, {"真": "定类"}, truth="真")
    assert "data.truth" in warnings(report) and not records(report, "judged")


def test_the_rarer_mark_is_the_odd_one() -> None:
    report = TRIAL.report(FRAME.assign(真=["否"] * 59 + ["是"]), {"真": "定类"}, truth="真")
    row = records(report, "judged")[0]
    assert row["event"] == "是" and row["auc"] == 1.0 and row["hits"] == 1.0


def test_scores_are_saved_in_their_rows() -> None:
    gappy = FRAME.copy()
    gappy.iloc[0, 0] = np.nan
    data = next(e for e in TRIAL.report(gappy, append=True) if e["type"] == "data")
    assert [c["name"] for c in data["columns"]] == ["异常得分", "异常判定"] and data["changed"] == 59


def test_rows_at_the_threshold_are_not_odd() -> None:
    report = TRIAL.report(contamination=0.1)
    assert records(report, "summary")[0]["count"] == 6
