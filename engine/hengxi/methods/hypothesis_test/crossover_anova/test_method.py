from pathlib import Path

import numpy as np
import pandas as pd

from hengxi.testing import Trial, check, records, said, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
FORM = {"y": "AUC", "subject": "受试者", "sequence": "顺序", "period": "周期", "treatment": "制剂", "reference": "R"}
MEASURES = {"AUC": "定量", "受试者": "定类", "周期": "定类"}
TRIAL = Trial("hypothesis_test/crossover_anova", FRAME, FORM, MEASURES)


def test_a_missing_period_drops_the_subject_by_name() -> None:
    report = TRIAL.report(FRAME.drop(index=5))
    assert warnings(report) == ["data.incomplete"] and "缺少周期" in said(report)
    assert records(report, "variation")[0]["subjects"] == 23


def test_one_sequence_is_refused() -> None:
    refusal = TRIAL.refused(FRAME[FRAME.顺序 == "TR"])
    assert refusal.faults[0].field == "sequence"


def test_a_treatment_that_is_the_period_is_refused() -> None:
    assert TRIAL.refused(FRAME.assign(制剂=FRAME.周期.map({"一": "T", "二": "R"}))).code == "data.collinear"


def test_logs_of_zero_are_refused_by_name() -> None:
    frame = FRAME.copy()
    frame.loc[3, "AUC"] = 0.0
    assert "“AUC”含小于等于0的值" in TRIAL.refused(frame, log_transform=True).text


def test_two_records_of_a_period_are_refused_by_name() -> None:
    assert "受试者“1”在周期“一”有 2 条记录" in TRIAL.refused(pd.concat([FRAME, FRAME.head(1)])).text


def test_a_subject_of_two_sequences_is_refused() -> None:
    frame = FRAME.copy()
    frame.loc[0, "顺序"] = "RT"
    assert TRIAL.refused(frame).code == "data.varies"


def test_two_by_two_is_the_t_test_of_half_differences() -> None:
    report = TRIAL.report()
    wide = FRAME.pivot(index=["受试者", "顺序"], columns="周期", values="AUC").reset_index()
    half = (wide["一"] - wide["二"]) / 2
    groups = [half[wide.顺序 == name] for name in ("TR", "RT")]
    difference = groups[0].mean() - groups[1].mean()
    assert np.isclose(records(report, "differences")[0]["difference"], difference)


def test_equivalence_reads_the_whole_interval() -> None:
    wide = TRIAL.report(log_transform=True, be_limits=[50, 200])
    narrow = TRIAL.report(log_transform=True, be_limits=[99.9, 100.1])
    assert records(wide, "ratios")[0]["verdict"] == "在界内" and records(narrow, "ratios")[0]["verdict"] != "在界内"


def test_a_carryover_is_looked_at_and_told() -> None:
    frame = FRAME.assign(AUC=FRAME.AUC + (FRAME.顺序 == "TR") * 2000)
    assert check(TRIAL.report(frame), "残留效应")["state"] == "care"
