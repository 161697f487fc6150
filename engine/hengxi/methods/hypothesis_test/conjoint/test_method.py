"""What is particular to full-profile conjoint: designs that confound, too few ratings, shares that make no sense."""

from pathlib import Path

import pandas as pd

from hengxi.testing import Trial, records, said

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
KINDS = {
    "受访者": "定类",
    "价格": "定量",
    "品种": "定类",
    "形态": "定类",
    "香型": "定类",
    "评分": "定量",
    "名次": "定量",
}
FORM = {"score": ["评分"], "attributes": ["价格", "品种", "形态", "香型"], "respondent": "受访者"}
TRIAL = Trial("hypothesis_test/conjoint", FRAME, FORM, KINDS)


def test_a_level_that_never_occurs_is_refused() -> None:
    product = {"价格": 99, "品种": "红茶", "形态": "散茶", "香型": "清香"}
    assert "属性“价格”的水平“99" in TRIAL.refused(simulate=[product]).text


def test_attributes_that_go_together_are_named() -> None:
    frame = FRAME.assign(形态=FRAME["品种"].map({"红茶": "a", "绿茶": "b", "花茶": "c"}))
    text = TRIAL.refused(frame).text
    assert "在设计中完全相关，无法分离" in text and "品种" in text and "形态" in text


def test_too_few_profiles_cannot_be_told_apart() -> None:
    assert "轮廓太少" in TRIAL.refused(FRAME[FRAME["轮廓"].isin([1, 3, 5, 8, 10, 12, 13])]).text


def test_ratings_alike_are_refused() -> None:
    assert "所有评分都相同" in TRIAL.refused(FRAME.assign(评分=5)).text


def test_effects_add_to_zero_and_importances_do_not_depend_on_the_coding() -> None:
    rows = [row["utility"] for row in records(TRIAL.report(), "worths") if row["attribute"] == "品种"]
    assert abs(sum(rows)) < 1e-9
    plain, dummy = (records(TRIAL.report(coding=one), "importance") for one in ("effects", "dummy"))
    assert all(abs(a["pooled"] - b["pooled"]) < 1e-9 for a, b in zip(plain, dummy, strict=True))


def test_negative_utilities_have_no_btl() -> None:
    products = [
        {"价格": 10, "品种": "红茶", "形态": "散茶", "香型": "清香"},
        {"价格": 30, "品种": "花茶", "形态": "速溶", "香型": "浓香"},
    ]
    report = TRIAL.report(FRAME.assign(评分=FRAME["评分"] - 8), simulate=products, share_rule="bradley_terry_luce")
    assert "BTL 份额没有意义" in said(report)


def test_nothing_rated_is_refused() -> None:
    frame = FRAME.assign(评分=FRAME["评分"].where(FRAME["受访者"] > 1), 品种=FRAME["品种"].where(FRAME["受访者"] == 1))
    assert "没有同时有评分和全部属性" in TRIAL.refused(frame).text
