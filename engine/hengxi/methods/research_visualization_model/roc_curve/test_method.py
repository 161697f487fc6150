"""What is particular to ROC curves: the positive class, directions, cut points, refusals."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.families.diagnosis.roc import Marker
from hengxi.testing import Trial, check, records, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
KINDS = {"诊断": "定类", "性别": "定类", "分期": "定类", "指标A": "定量", "指标B": "定量", "指标C": "定量"}
FORM: dict[str, Any] = {"state": "诊断", "tests": ["指标A"]}
TRIAL = Trial("research_visualization_model/roc_curve", FRAME, FORM, KINDS)


def test_one_class_and_too_few_of_a_class_are_refused() -> None:
    assert TRIAL.refused(FRAME.assign(诊断="患病"))
    one = FRAME.assign(诊断=["患病", *["健康"] * (len(FRAME) - 1)])
    assert "阳性 1 例" in TRIAL.refused(one, positive="患病").text


def test_three_classes_ask_for_the_positive_one() -> None:
    assert "有 3 个类别，请指定阳性类别" in TRIAL.refused(state="分期").text
    assert "data.rest" in warnings(TRIAL.report(state="分期", positive="晚期"))


def test_a_constant_marker_is_refused_by_name() -> None:
    assert "指标A" in TRIAL.refused(FRAME.assign(指标A=3)).text


def test_the_automatic_direction_turns_a_marker_that_falls() -> None:
    (row,) = records(TRIAL.report(tests=["指标C"]), "best")
    assert row["rule"] == "不高于截断值"


def test_a_fixed_direction_below_half_is_said() -> None:
    assert "data.direction" in warnings(TRIAL.report(tests=["指标C"], direction="higher"))


def test_few_cases_ask_for_care() -> None:
    assert check(TRIAL.report(FRAME.head(40)), "样本量")["state"] == "care"


def test_a_cut_called_positive_gives_back_its_sensitivity() -> None:
    report = TRIAL.report()
    (row,) = records(report, "best")
    called, ill = FRAME["指标A"] >= row["cut"], FRAME["诊断"] == "患病"
    assert row["sens"] == pytest.approx((called & ill).sum() / ill.sum())
    assert row["spec"] == pytest.approx((~called & ~ill).sum() / (~ill).sum())


def test_ties_count_half() -> None:
    marker = Marker("", np.array([1.0, 1, 2, 2]), np.array([True, False, True, False]), True)
    assert marker.auc == pytest.approx(0.5) and marker.curve.partial(0.5)[0] == pytest.approx(0.125)
