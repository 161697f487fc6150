"""What is particular to Gabor-Granger: ladders that turn back, ceilings, groups that cannot be computed."""

import pandas as pd

from hengxi.testing import Trial, records, said, warnings

FRAME = pd.DataFrame(
    {"付10": [1, 1, 1, 1, 0, 1], "付20": [1, 1, 1, 0, 0, 1], "付30": [1, 0, 0, 0, 0, 1], "组": list("aaabbb")}
)
KINDS = {"付10": "定量", "付20": "定量", "付30": "定量", "组": "定类", "价": "定量"}
FORM = {"ladder": ["付10", "付20", "付30"], "n_resamples": 200}
TRIAL = Trial("questionnaire/gabor_granger", FRAME, FORM, KINDS)


def test_who_refuses_low_and_accepts_high_is_named() -> None:
    assert "第 5 行在较低价拒绝却在较高价接受" in TRIAL.refused(FRAME.assign(付30=[1, 0, 0, 0, 1, 1])).text


def test_everybody_at_the_ceiling_is_said() -> None:
    assert "data.ceiling" in warnings(TRIAL.report(FRAME.assign(付10=1, 付20=1, 付30=1)))


def test_two_columns_are_no_ladder() -> None:
    assert "至少需要 3 个价格点" in TRIAL.refused(ladder=["付10", "付20"]).text


def test_highest_prices_give_what_the_ladder_gives() -> None:
    frame = pd.DataFrame({"价": [30, 20, 20, 10, 5, 30]})
    own = records(TRIAL.report(frame, ladder=["价"], price_values=[10, 20, 30]), "table")
    assert own == records(TRIAL.report(), "table")


def test_a_group_nobody_of_which_buys_is_left_out_and_said() -> None:
    report = TRIAL.report(FRAME.assign(付10=[1, 1, 1, 0, 0, 0], 付20=[1, 0, 1, 0, 0, 0], 付30=0), group="组")
    assert "组“b”未计算" in said(report).replace("{v}", "b")


def test_a_ladder_without_a_fall_has_no_logit() -> None:
    assert "Logit 曲线画不出来" in TRIAL.refused(FRAME.assign(付10=1, 付20=1, 付30=1), smooth="logit").text
