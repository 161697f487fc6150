"""Refusals of the attribute study; what perfect and constant appraisers give."""

from pathlib import Path

import pandas as pd
import pytest

from hengxi.testing import Trial, records, said, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
FORM = {"rating": "判定", "sample": "样品", "appraiser": "检验员", "standard": "标准", "accept": "合格"}
TRIAL = Trial("quality_control/attribute_agreement", FRAME, FORM)


def test_two_standards_of_a_sample_and_a_category_the_standard_lacks_are_named() -> None:
    mixed = FRAME.assign(标准=FRAME["标准"].where(FRAME.index != 4, "不合格"))
    assert "样品“1”有多个标准判定" in TRIAL.refused(mixed).text
    strange = FRAME.assign(判定=FRAME["判定"].where(FRAME.index != 4, "待定"))
    assert "标准没有的类别“待定”" in TRIAL.refused(strange).text


def test_nothing_to_compare_is_refused() -> None:
    single = FRAME[(FRAME["检验员"] == "张") & (FRAME["次序"] == 1)]
    assert "没有可比较的" in TRIAL.refused(single, standard=None, accept=None).text


def test_samples_judged_unequally_are_left_out_and_none_left_is_refused() -> None:
    assert "data.unbalanced" in warnings(TRIAL.report(FRAME.drop(index=0)))
    uneven = pd.concat([FRAME[FRAME["检验员"] == "张"], FRAME[(FRAME["检验员"] == "李") & (FRAME["次序"] < 3)]])
    assert "没有一个样品" in TRIAL.refused(uneven).text


def test_a_perfect_appraiser_has_kappa_one_and_no_errors() -> None:
    elements = TRIAL.report(FRAME.assign(判定=FRAME["标准"]))
    assert all(row["kappa"] == pytest.approx(1) for row in records(elements, "fleiss"))
    assert all(row["verdict"] == "可以接受" and row["misses"] == 0 for row in records(elements, "effectiveness"))


def test_one_who_always_accepts_misses_all_and_has_no_kappa_with_himself() -> None:
    lazy = FRAME.assign(判定=FRAME["判定"].where(FRAME["检验员"] != "王", "合格"))
    elements = TRIAL.report(lazy)
    (row,) = (one for one in records(elements, "effectiveness") if one["appraiser"] == "王")
    assert row["miss"] == 1 and row["alarm"] == 0 and row["verdict"] == "不可接受"
    own = [one for one in records(elements, "fleiss") if (one["kind"], one["appraiser"]) == ("检验员自身", "王")]
    assert own[0]["kappa"] is None and "没有定义" in said(elements)


def test_without_the_accepted_category_there_are_no_rates() -> None:
    assert records(TRIAL.report(accept=None), "effectiveness")[0]["miss"] is None
    turned = records(TRIAL.report(accept="不合格"), "effectiveness")[0]
    plain = records(TRIAL.report(), "effectiveness")[0]
    assert (turned["misses"], turned["alarms"]) == (plain["alarms"], plain["misses"])
