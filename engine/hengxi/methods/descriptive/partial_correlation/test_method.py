"""What is particular to partial correlation: controls that say the same thing, variables they explain wholly."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, records

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
TRIAL = Trial(
    "descriptive/partial_correlation", FRAME, {"variables": ["学习时长", "成绩"], "controls": ["智力"]},
    dict.fromkeys([*FRAME.columns, "副本", "和", "z"], "定量"),
)  # fmt: skip
report, refused = TRIAL.report, TRIAL.refused


def test_a_variable_in_both_boxes_is_refused_by_name() -> None:
    assert "“成绩”" in refused(controls=["成绩"]).text


def test_controls_that_repeat_each_other_are_refused_by_name() -> None:
    frame = FRAME.assign(副本=FRAME["智力"] * 2 + FRAME["年龄"])
    refusal = refused(frame, controls=["智力", "年龄", "副本"])
    assert refusal.code == "data.singular" and "控制变量之间完全共线，请删除“副本”" in refusal.text


def test_a_variable_the_controls_explain_is_refused_by_name() -> None:
    frame = FRAME.assign(和=FRAME["智力"] + FRAME["年龄"])
    refusal = refused(frame, variables=["和", "成绩"], controls=["智力", "年龄"])
    assert refusal.code == "data.singular" and "“和”可由控制变量完全算出" in refusal.text


def test_too_few_cases_name_how_many_are_needed() -> None:
    refusal = refused(FRAME.iloc[:4], controls=["智力", "年龄"])
    assert refusal.code == "data.few" and "至少要 5 行" in refusal.text


def test_the_same_variable_twice_is_a_perfect_correlation() -> None:
    (row,) = records(report(FRAME.assign(副本=FRAME["成绩"] * 3), variables=["成绩", "副本"]), "result")
    assert row["r"] == 1 and row["p"] == 0


@pytest.mark.parametrize("method", ["pearson", "spearman", "kendall"])
def test_weights_count_as_copies(method: str) -> None:
    frame = FRAME.iloc[:60].assign(z=np.arange(60) % 3)
    long = frame.loc[np.repeat(frame.index, frame["z"])]
    a, b = (records(report(d, method=method, weight=w), "result")[0] for d, w in ((frame, "z"), (long, None)))
    for key in ("r", "statistic", "p", "low", "high"):
        assert a[key] == pytest.approx(b[key], rel=1e-9)


def test_many_pairs_have_one_row_each() -> None:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.normal(size=(80, 21)), columns=[f"v{i}" for i in range(21)])
    elements = report(frame, dict.fromkeys(frame.columns, "定量"), variables=list(frame.columns[:20]), controls=["v20"])
    assert len(records(elements, "result")) == 190
