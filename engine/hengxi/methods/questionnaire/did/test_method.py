"""Refusals of the classic difference-in-differences, a published example, and that it computes as the panel method."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from hengxi.testing import Trial, check, records

SCORES = pd.read_csv(Path(__file__).parent / "example.csv")
FORM: dict[str, Any] = {
    "y": "得分", "treat": "培训", "treated": "参加", "period": {"column": "年", "frequency": None}, "unit": "编号",
    "treat_start": "5",
}  # fmt: skip
KINDS = {"年": "时间", "编号": "定类", "得分": "定量"}
TRIAL = Trial("questionnaire/did", SCORES, FORM, KINDS)
report, refused = TRIAL.report, TRIAL.refused


def test_the_panel_method_gives_the_same_numbers() -> None:
    """One computation under two names."""
    panel = Trial(
        "econometric/did_panel", SCORES,
        {"y": "得分", "treat": "培训", "treated": "参加", "time": FORM["period"], "entity": "编号", "x": ["学时"],
         "policy_time": "5", "placebo": 0}, {**KINDS, "培训": "定类"},
    ).report()  # fmt: skip
    own = report(fixed_effects="two_way", controls=["学时"])
    for table in ("effects", "events", "pretrend", "means"):
        assert records(own, table) == records(panel, table), table


def test_card_and_krueger_published_means() -> None:
    """Card and Krueger (1994), Table 3, rows 1 to 3: full-time employment per store before and after."""
    cells = {("新泽西", 0): 20.44, ("新泽西", 1): 21.03, ("宾夕法尼亚", 0): 23.33, ("宾夕法尼亚", 1): 21.17}
    rows = [(state, wave, mean + off) for (state, wave), mean in cells.items() for off in (-1, 0, 1)]
    frame = pd.DataFrame(rows, columns=["州", "期", "雇员"])
    trial = Trial(
        "questionnaire/did", frame,
        {"y": "雇员", "treat": "州", "treated": "新泽西", "period": {"column": "期", "frequency": None}},
        {"期": "时间", "雇员": "定量"},
    )  # fmt: skip
    assert records(trial.report(), "effects")[0]["effect"] == pytest.approx(2.75, abs=0.011)


@pytest.mark.parametrize(
    ("frame", "form", "code", "words"),
    [
        (SCORES[(SCORES["培训"] == "参加") | (SCORES["年"] < 5)], {}, "data.cell", "没有“对照组-干预后”的观测"),
        (SCORES, {"treat_start": None}, "data.policy_time", "请填政策从哪一期开始"),
        (SCORES, {"treat_start": "1"}, "data.no_before", "没有政策前观测"),
        (SCORES, {"unit": None, "fixed_effects": "unit"}, "data.units", "需要个体标识"),
        (SCORES.assign(培训=["甲", "乙", "丙", "丁"] * 120), {"treated": None}, "role.levels", "培训"),
        (SCORES[SCORES["年"] == 3], {}, "role.constant", "年"),
    ],
)
def test_what_cannot_be_compared_is_refused_by_name(
    frame: pd.DataFrame, form: dict[str, Any], code: str, words: str
) -> None:
    refusal = refused(frame, **form)
    assert refusal.code == code and words in refusal.text


def test_status_that_starts_at_several_times_is_sent_to_the_panel_method() -> None:
    start = 3 + SCORES["编号"] % 3
    frame = SCORES.assign(状态=((SCORES["编号"] % 2 == 0) & (SCORES["年"] >= start)).astype(int))
    form = {"treat": "状态", "treated": 1, "treat_start": None}
    assert refused(frame, {"状态": "定类"}, **form).code == "data.staggered"
    told = report(frame, {"状态": "定类"}, fixed_effects="two_way", **form)
    assert check(told, "处理时点")["state"] == "care"
