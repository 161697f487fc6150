"""What is particular to product pricing: options and prices, refusals, the twin among questionnaires."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from hengxi.testing import Trial, check, records, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
COLUMNS = [name for name in FRAME.columns if name.startswith("意愿")]
KINDS = dict.fromkeys([*COLUMNS, "最高价"], "定量") | {"城市级别": "定类", "选项": "定类", "选项高": "定类"}
FORM: dict[str, Any] = {"prices": COLUMNS, "interval": False}
TRIAL = Trial("research_visualization_model/product_price", FRAME, FORM, KINDS)
TWIN = Trial(
    "questionnaire/product_price", FRAME, {"prices": COLUMNS, "curve": "isotonic", "n_resamples": 200}, KINDS
)  # fmt: skip


def test_demand_and_best_prices_are_those_of_the_price_break_point_model() -> None:
    ours, theirs = TRIAL.report(curve="isotonic", unit_cost=25), TWIN.report(unit_cost=25)
    for a, b in zip(records(ours, "table"), records(theirs, "table"), strict=True):
        assert [a[k] for k in ("price", "n", "buyers", "share", "low", "high", "fitted", "revenue")] == pytest.approx(
            [b[k] for k in ("price", "n", "buyers", "share", "low", "high", "fitted", "revenue")]
        )
    assert [row["price"] for row in records(ours, "best")] == [row["price"] for row in records(theirs, "best")]


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ({"price_values": [39, 49]}, "价格有 2 个，购买列有 6 列"),
        ({"prices": COLUMNS[::-1]}, "价格必须从低到高填写"),
        ({"prices": COLUMNS[:1]}, "至少需要 2 个价位"),
        ({"prices": [], "max_price": "最高价", "price_values": [50, 40]}, "从低到高"),
        ({"unit_cost": 120}, "单位成本 120 高于最高价位 99"),
        ({"intent": "，"}, "请填写视为购买的选项"),
        ({"calibration": [0.5]}, "折算系数有 1 个，视为购买的选项有 2 个"),
        ({"intent": "9"}, "没有人在任何价格愿意购买"),
    ],
)
def test_what_is_wrong_with_prices_and_options_is_said(form: dict[str, Any], text: str) -> None:
    assert text in TRIAL.refused(**form).text


def test_demand_that_rises_is_said_and_has_no_line() -> None:
    rising: dict[str, Any] = {"prices": COLUMNS[::-1], "price_values": [39, 49, 59, 69, 79, 99]}
    assert "data.rising" in warnings(TRIAL.report(curve="isotonic", **rising))
    assert "购买率未随价格下降" in TRIAL.refused(curve="linear", monotone=False, **rising).text


def test_columns_of_many_values_are_no_options() -> None:
    frame = FRAME.assign(**{COLUMNS[0]: range(len(FRAME))})
    assert "不像购买意愿的选项" in TRIAL.refused(frame).text
    assert "最多 20 个" in TRIAL.refused(frame, prices=[], max_price=COLUMNS[0]).text


def test_a_group_without_buyers_is_left_out_and_said() -> None:
    frame = FRAME.assign(城市级别=["孤" if i == 0 else "余" for i in range(len(FRAME))])
    frame.loc[0, COLUMNS] = 1
    report = TRIAL.report(frame, group="城市级别")
    assert {row["group"] for row in records(report, "groups")} == {"余"} and "data.empty" in warnings(report)


def test_an_optimum_at_the_edge_asks_for_care() -> None:
    assert (
        check(TRIAL.report(FRAME.assign(**dict.fromkeys(COLUMNS, 5)), curve="isotonic"), "价格范围")["state"] == "care"
    )
