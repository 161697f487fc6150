"""What is particular to the price break-point model: reading prices, people who contradict themselves, refusals."""

import numpy as np
import pandas as pd
import pytest

from hengxi.families.pricing.demand import isotonic
from hengxi.testing import Trial, check, records, warnings

FRAME = pd.DataFrame({"39元": [5, 5, 4, 4, 5, 2], "49元": [5, 4, 4, 3, 4, 1], "59元": [4, 3, 1, 1, 4, 1]})
FORM = {"prices": list(FRAME.columns), "n_resamples": 200}
TRIAL = Trial("questionnaire/product_price", FRAME, FORM, dict.fromkeys(["39元", "49元", "59元", "价", "数"], "定量"))


def test_names_without_a_price_ask_for_them() -> None:
    frame = FRAME.set_axis(["甲", "乙", "丙"], axis=1)
    kinds = dict.fromkeys(frame.columns, "定量")
    assert "请在“价格数值”里填写" in TRIAL.refused(frame, kinds, prices=list(frame.columns)).text
    assert TRIAL.report(frame, kinds, prices=list(frame.columns), price_values=[39, 49, 59])


def test_two_prices_are_too_few() -> None:
    assert "至少需要3个价格点" in TRIAL.refused(prices=["39元", "49元"]).text


@pytest.mark.parametrize(("values", "text"), [([39, 49], "价格有 2 个"), ([39, 39, 49], "互不相同")])
def test_typed_prices_must_fit(values: list[float], text: str) -> None:
    assert text in TRIAL.refused(price_values=values).text


def test_people_who_turn_back_are_refused_kept_or_left_out() -> None:
    frame = FRAME.assign(**{"59元": [4, 3, 1, 5, 4, 1]})
    assert "第 4 行在较低价拒绝却在较高价接受" in TRIAL.refused(frame, inconsistent="refuse").text
    assert records(TRIAL.report(frame, inconsistent="exclude"), "table")[0]["n"] == 5
    assert warnings(TRIAL.report(frame)) == ["data.order"]


def test_prices_may_stand_in_any_order() -> None:
    turned = TRIAL.report(prices=["59元", "39元", "49元"])
    assert records(turned, "table") == records(TRIAL.report(), "table")


def test_demand_that_rises_has_no_line() -> None:
    frame = FRAME.assign(**{"39元": 1, "49元": 3, "59元": 5})
    assert "曲线画不出来" in TRIAL.refused(frame, curve="linear").text


def test_nobody_buying_is_refused() -> None:
    assert "没有人在任何价格愿意购买" in TRIAL.refused(FRAME * 0 + 1).text


def test_a_price_nobody_was_asked_is_refused() -> None:
    text = TRIAL.refused(
        FRAME.assign(**{"59元": [None, None, None, None, 5, None], "数": [1, 1, 1, 1, 0, 1]}), weight="数"
    )
    assert "价格 59 没有人回答" in text.text


def test_many_highest_prices_are_refused() -> None:
    frame = pd.DataFrame({"价": np.arange(1, 60)})
    assert "最多 40 个" in TRIAL.refused(frame, prices=[], max_price="价").text


def test_an_optimum_at_the_edge_asks_for_care() -> None:
    frame = FRAME.assign(**{"39元": 5, "49元": 5, "59元": 5})
    assert check(TRIAL.report(frame), "价格范围")["state"] == "care"


def test_isotonic_pools_what_rises() -> None:
    assert isotonic(np.array([0.5, 0.7, 0.2]), np.array([1.0, 3, 1])).tolist() == pytest.approx([0.65, 0.65, 0.2])
