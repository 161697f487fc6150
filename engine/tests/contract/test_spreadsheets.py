"""What a spreadsheet would compute leaves with an apostrophe, numbers and other texts as they are."""

from __future__ import annotations

from hengxi.contract.spreadsheets import tame
from hengxi.methods.supervised_learning._shared.delivery import csv_bytes

RISKY = ["=1+1", "+cmd", "-x", "-1+1", "@SUM(A1)", "＝1", "\t=1", "\r=1"]


def test_formulas_are_tamed_and_numbers_are_not() -> None:
    assert [tame(text) for text in RISKY] == [f"'{text}" for text in RISKY]
    harmless = ["-3.5", "+5", "-.5e-10", "1-2", "好", ""]
    assert [tame(text) for text in harmless] == harmless


def test_predictions_to_take_away_hold_no_formula() -> None:
    lines = csv_bytes(["-1+1", "x"], [["-2+cmd|x", -0.5], ["-1", float("nan")]]).decode("utf-8-sig").split("\r\n")
    assert lines == ["'-1+1,x", "'-2+cmd|x,-0.5", "-1,", ""]
