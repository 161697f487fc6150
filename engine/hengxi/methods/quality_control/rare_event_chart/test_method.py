from pathlib import Path

import pandas as pd

from hengxi.testing import Trial, check, records, said

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
TRIAL = Trial(
    "quality_control/rare_event_chart", FRAME, {"value": "发生日期", "input": "dates"},
    {"发生日期": "时间", "值": "定量"},
)  # fmt: skip
GAPS = Trial("quality_control/rare_event_chart", pd.DataFrame({"值": [3, 0, 7, 2, 5, 9, 1]}), {"value": "值"},
             {"值": "定量"})  # fmt: skip


def test_dates_that_go_back_are_refused_by_row() -> None:
    refusal = TRIAL.refused(FRAME.iloc[[0, 2, 1, *range(3, 40)]].reset_index(drop=True))
    assert refusal.code == "data.order" and "必须按先后排列" in refusal.text


def test_negative_gaps_are_refused() -> None:
    assert "间隔不能为负" in GAPS.refused(pd.DataFrame({"值": [3, -1, 4]})).text


def test_fractions_need_the_t_chart() -> None:
    refusal = GAPS.refused(pd.DataFrame({"值": [3.5, 1, 4, 2]}))
    assert refusal.code == "data.not_counts" and refusal.faults[0].remedies


def test_zero_gaps_do_not_go_with_weibull() -> None:
    assert GAPS.refused(chart="t", model="weibull").code == "data.zero"
    assert records(GAPS.report(chart="t"), "fitted")[0]["scale"] == 27 / 7


def test_gaps_that_are_all_zero_are_refused() -> None:
    assert GAPS.refused(pd.DataFrame({"值": [0, 0, 0, 0]})).code == "data.constant"


def test_a_lower_limit_of_zero_is_said_with_a_remedy() -> None:
    assert check(GAPS.report(), "下限")["remedies"] and "事件变少" in said(GAPS.report())


def test_dates_give_one_gap_less_than_events() -> None:
    assert records(TRIAL.report(), "fitted")[0]["events"] == len(FRAME) - 1
