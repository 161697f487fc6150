"""Pairs by their order, refusals, several pairs with gaps of their own."""

from pathlib import Path

import pandas as pd
import pytest

from hengxi.testing import Trial, cells, element, records, said, warnings

MAIZE = pd.read_csv(Path(__file__).parent / "example.csv")
KINDS = {"异花授粉": "定量", "自花授粉": "定量"}
TRIAL = Trial("hypothesis_test/paired_sample_t_test", MAIZE, {"pairs_a": ["异花授粉"], "pairs_b": ["自花授粉"]}, KINDS)
MORE = MAIZE.assign(三=MAIZE["异花授粉"] + [1, 2, 3] * 5, 四=[None, None, *range(13)])
FOUR = {**KINDS, "三": "定量", "四": "定量"}


def test_boxes_of_different_length_and_a_variable_beside_itself_are_refused() -> None:
    refusal = TRIAL.refused(pairs_a=["异花授粉"], pairs_b=[])
    assert any(fault.field == "pairs_b" for fault in refusal.faults)
    refusal = TRIAL.refused(MORE, FOUR, pairs_a=["异花授粉", "三"])
    assert "配对的两个框里变量个数必须相同" in refusal.text
    refusal = TRIAL.refused(pairs_b=["异花授粉"])
    assert "第 1 对选择了同一个变量“异花授粉”" in refusal.text


def test_equal_differences_are_refused() -> None:
    refusal = TRIAL.refused(MAIZE.assign(自花授粉=MAIZE["异花授粉"] - 0.1), pairs_a=["异花授粉"])
    assert refusal.code == "data.constant" and "所有差值相同，标准差为0，t值无定义" in refusal.text


def test_each_pair_keeps_its_own_rows() -> None:
    report = TRIAL.report(MORE, FOUR, pairs_a=["异花授粉", "三"], pairs_b=["自花授粉", "四"])
    rows = records(report, "result")
    assert [row["n"] for row in rows] == [15, 13]
    assert [row["variable"] for row in rows] == ["异花授粉 − 自花授粉", "三 − 四"]
    alone = records(TRIAL.report(MORE, FOUR, pairs_a=["三"], pairs_b=["四"]), "result")[0]
    assert alone["t"] == rows[1]["t"] and "2 个变量" in said(report).replace("{sum_m:integer}", "2")


def test_a_pair_that_cannot_be_tested_does_not_stop_the_others() -> None:
    frame = MORE.assign(四=MORE["三"] - 5)
    report = TRIAL.report(frame, FOUR, pairs_a=["异花授粉", "三"], pairs_b=["自花授粉", "四"])
    assert len(records(report, "result")) == 1 and warnings(report) == ["data.constant"]


def test_frequencies_stand_for_repeated_pairs() -> None:
    (row,) = records(TRIAL.report(MAIZE.assign(次数=[2] * 15), weight="次数"), "result")
    (twice,) = records(TRIAL.report(pd.concat([MAIZE, MAIZE])), "result")
    assert row["t"] == pytest.approx(twice["t"], rel=1e-12)


def test_lines_join_the_pairs() -> None:
    report = TRIAL.report()
    assert element(report, "slopes")["type"] == "chart" and len(cells(report, "lines")) == 30
