"""Refusals of the I-MR chart: too few, times that repeat, Box-Cox of values that are not positive."""

import numpy as np
import pandas as pd

from hengxi.testing import Trial, check, records, said

RNG = np.random.default_rng(1)
FRAME = pd.DataFrame({"时": np.arange(30), "值": RNG.normal(10, 1, 30), "期": ["甲"] * 15 + ["乙"] * 15})
TRIAL = Trial("quality_control/i_mr", FRAME, {"measure": "值"}, {"值": "定量", "时": "定量", "期": "定类"})


def test_too_few_and_constants_are_refused() -> None:
    assert "至少需要" in TRIAL.refused(FRAME[:4], span=5).text
    assert "没有变化" in TRIAL.refused(FRAME.assign(值=3.0)).text


def test_a_time_that_repeats_is_named() -> None:
    assert "时间“5”重复" in TRIAL.refused(FRAME.assign(时=[5, 5, *range(6, 34)]), time="时").text


def test_rows_are_put_in_the_order_of_time() -> None:
    assert TRIAL.report(FRAME[::-1], time="时") == TRIAL.report(time="时") or records(
        TRIAL.report(FRAME[::-1], time="时"), "control_limits"
    ) == records(TRIAL.report(time="时"), "control_limits")


def test_box_cox_needs_positive_values() -> None:
    assert "大于 0" in TRIAL.refused(FRAME.assign(值=FRAME["值"] - 10), boxcox=True).text


def test_ranges_do_not_reach_over_phases() -> None:
    rows = [row for row in records(TRIAL.report(phase="期"), "points") if row["panel"] == "移动极差"]
    assert len(rows) == 28 and 16 not in [row["index"] for row in rows]


def test_a_drift_is_said_to_be_correlated() -> None:
    assert check(TRIAL.report(FRAME.assign(值=np.arange(30.0) + RNG.normal(0, 1, 30))), "自相关")["state"] == "care"


def test_a_moving_range_leads_to_all_its_rows() -> None:
    drawn = records(TRIAL.report(), "drawn")
    rows = {(row["panel"], row["index"]): row["rows"] for row in drawn}
    assert rows["单值", 5] == [5] and rows["移动极差", 5] == [4, 5]


def test_the_report_speaks_of_single_values_and_not_of_subgroups() -> None:
    told = said(TRIAL.report(FRAME.assign(值=[*FRAME["值"][:20], 20.0, *FRAME["值"][21:]])))
    assert "单值图的控制限不可靠" in told and "子组" not in told and "均值图" not in told
