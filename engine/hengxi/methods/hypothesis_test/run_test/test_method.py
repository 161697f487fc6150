"""Refusals of the runs test, its order, words instead of numbers."""

import pandas as pd

from hengxi.testing import Trial, records

FRAME = pd.DataFrame({"值": [1.0, 5, 2, 6, 3, 7, 1, 8], "面": list("正反反正正反正反"), "色": list("红黄蓝红黄蓝红黄")})
KINDS = {"值": "定量", "面": "定类", "色": "定类"}
TRIAL = Trial("hypothesis_test/run_test", FRAME, {"variables": ["值"]}, KINDS)


def test_one_side_only_is_refused() -> None:
    assert "所有值都在分割点同一侧，无法做游程检验" in TRIAL.refused(cut="custom", cut_value=0).text


def test_three_classes_and_words_without_numbers_are_refused() -> None:
    assert "“色”有 3 个类别，请选择分割点" in TRIAL.refused(variables=["色"], cut="binary").text
    assert "不是数值" in TRIAL.refused(variables=["面"]).text


def test_words_run_as_they_come() -> None:
    (row,) = records(TRIAL.report(variables=["面"], cut="binary", exact=True), "result")
    assert row["runs"] == 6 and row["n"] == 8 and row["p"] == row["exact"]


def test_the_order_of_the_rows_is_what_is_tested() -> None:
    (row,) = records(TRIAL.report(FRAME.sort_values("值")), "result")
    assert row["runs"] == 2
