from pathlib import Path

import numpy as np
import pandas as pd

from hengxi.testing import Trial, check, records, said, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
FORM = {"y": "减少量", "treatment": "处理", "row": "行", "column": "列"}
TRIAL = Trial("hypothesis_test/latin_square_anova", FRAME, FORM, {"减少量": "定量"})


def test_a_whole_square_passes_and_has_efficiencies() -> None:
    report = TRIAL.report()
    assert check(report, "设计")["state"] == "pass" and len(records(report, "efficiency")) == 3
    assert len(records(report, "layout_table")) == 8


def test_a_square_that_is_none_is_said_and_analysed() -> None:
    frame = FRAME.copy()
    frame.loc[[0, 1], "处理"] = frame.loc[0, "处理"]
    report = TRIAL.report(frame)
    assert warnings(report) == ["data.design"] and "不是拉丁方，已按一般三因素可加模型分析" in said(report)
    assert records(report, "efficiency") == [] and records(report, "anova")[0]["F"]


def test_blocks_alone_are_a_randomized_block_design() -> None:
    frame = FRAME.assign(区=FRAME.行)
    report = TRIAL.report(frame, row="区", column=None)
    assert records(report, "counts")[0]["kind"] == "随机区组" and len(records(report, "efficiency")) == 1


def test_no_degrees_of_freedom_are_refused() -> None:
    frame = pd.DataFrame(
        {"处理": list("甲乙乙甲"), "行": list("一一二二"), "列": list("上下上下"), "减少量": [1.0, 3, 2, 5]}
    )
    refusal = TRIAL.refused(frame)
    assert refusal.code == "data.few" and refusal.faults[0].field == "treatment"


def test_blocks_that_are_the_treatments_are_refused() -> None:
    refusal = TRIAL.refused(FRAME.assign(行=FRAME.处理 + "行"))
    assert refusal.code == "data.collinear" and refusal.faults[0].field == "treatment"


def test_values_that_multiply_are_not_additive() -> None:
    row, treatment = FRAME.行.str[1].astype(int), FRAME.处理.map({t: i + 1 for i, t in enumerate("ABCDEFGH")})
    noise = np.random.default_rng(2).normal(0, 0.5, 64)
    report = TRIAL.report(FRAME.assign(减少量=row * treatment + noise))
    assert check(report, "可加性")["state"] == "care"
