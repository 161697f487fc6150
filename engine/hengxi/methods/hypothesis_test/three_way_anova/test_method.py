import numpy as np
import pandas as pd

from hengxi.testing import Trial, records, said, warnings

RNG = np.random.default_rng(8)


def design(n: int = 2) -> pd.DataFrame:
    rows = [(a, b, c) for a in "甲乙" for b in "上下" for c in "左中右" for _ in range(n)]
    frame = pd.DataFrame(rows, columns=["A", "B", "C"])
    return frame.assign(y=np.round(RNG.normal(10, 2, len(rows)), 2))


MEASURES = {"A": "定类", "B": "定类", "C": "定类", "y": "定量"}
TRIAL = Trial("hypothesis_test/three_way_anova", design(), {"y": "y", "factors": ["A", "B", "C"]}, MEASURES)


def test_two_factors_are_refused() -> None:
    assert "因素X" in TRIAL.refused(factors=["A", "B"]).text


def test_a_model_with_as_many_terms_as_cases_is_refused() -> None:
    refusal = TRIAL.refused(design(1), three_way=True)
    assert "请取消三阶交互" in refusal.text and refusal.faults[0].remedies
    assert records(TRIAL.report(design(1)), "anova")


def test_an_empty_cell_takes_the_interactions_it_belongs_to() -> None:
    frame = design()
    report = TRIAL.report(frame[~((frame.A == "甲") & (frame.B == "上") & (frame.C == "左"))], three_way=True)
    assert warnings(report) == ["data.empty_cell"]
    assert [row["source"] for row in records(report, "anova")][1:7] == ["A", "B", "C", "A × B", "A × C", "B × C"]


def test_the_interaction_of_three_is_read_first() -> None:
    frame = design(3)
    frame.loc[(frame.A == "甲") & (frame.B == "上") & (frame.C == "左"), "y"] += 15
    report = TRIAL.report(frame, three_way=True)
    assert "其中两个因素怎样共同起作用" in said(report) and "不要单独解释这些因素的主效应" in said(report)


def test_main_effects_alone() -> None:
    report = TRIAL.report(two_way=False)
    assert [row["source"] for row in records(report, "anova")] == ["截距", "A", "B", "C", "误差", "校正总计"]
