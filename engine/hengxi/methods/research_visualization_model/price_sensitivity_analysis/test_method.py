"""What is particular to the price sensitivity meter: crossings, people out of order, refusals."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, check, records, warnings

from .meter import crossing

FRAME = pd.read_csv(Path(__file__).parent / "example.csv").dropna()
BOXES = {"too_cheap": "太便宜", "cheap": "便宜", "expensive": "贵", "too_expensive": "太贵"}
KINDS = dict.fromkeys([*BOXES.values(), "便宜时意愿", "贵时意愿", "权重"], "定量") | {"年龄段": "定类"}
TRIAL = Trial("research_visualization_model/price_sensitivity_analysis", FRAME, {**BOXES, "interval": False}, KINDS)


def test_people_out_of_order_are_counted_and_all_out_of_order_is_refused() -> None:
    rows = {row["item"]: row["n"] for row in records(TRIAL.report(), "validity")}
    assert rows["四题都回答"] - rows["次序有效"] == sum((np.diff(FRAME[list(BOXES.values())]) <= 0).any(axis=1))
    assert "剔除后样本不足" in TRIAL.refused(FRAME.assign(太便宜=FRAME["贵"])).text
    assert warnings(TRIAL.report(validate=False)) == ["data.order"]


def test_a_negative_price_is_refused_with_its_row() -> None:
    assert "第 2 行价格为负（变量“太贵”）" in TRIAL.refused(FRAME.head(40).assign(太贵=[90, -1, *[90] * 38])).text


def test_curves_that_never_meet_are_refused() -> None:
    frame = FRAME.assign(太便宜=60, 便宜=60, 贵=40, 太贵=30).head(20)
    assert "没有交点" in TRIAL.refused(frame, validate=False).text


def test_few_people_ask_for_care() -> None:
    assert check(TRIAL.report(FRAME.head(20)), "样本量")["state"] == "care"


def test_intent_needs_both_questions_and_its_scale() -> None:
    assert "还缺“贵价时的购买意愿”" in TRIAL.refused(intent_cheap="便宜时意愿").text
    both: dict[str, Any] = {"intent_cheap": "便宜时意愿", "intent_expensive": "贵时意愿"}
    assert "1–4 以外的取值“5”" in TRIAL.refused(**both, intent_calibration=[0.7, 0.5, 0.2, 0]).text
    assert "从大到小" in TRIAL.refused(**both, intent_calibration=[0, 0.5, 0.7, 0.8, 1]).text
    assert "剔除价格次序矛盾" in TRIAL.refused(**both, validate=False).text


def test_a_fine_grid_is_refused() -> None:
    assert "请调大间隔" in TRIAL.refused(grid="step", step=0.001).text


def test_too_many_resamples_of_many_people_are_refused() -> None:
    frame = pd.DataFrame({name: np.arange(60000.0) + 100 * k for k, name in enumerate(BOXES.values())}) / 16
    assert "等间隔" in TRIAL.refused(frame).text
    assert "样本太大" in TRIAL.refused(frame, grid="step", step=10, interval=True, n_resamples=5000).text


@pytest.mark.parametrize(
    ("falling", "rising", "price"),
    [([1, 0.5, 0], [0, 0.5, 1], 2), ([1, 0, 0, 0], [0, 0, 0, 1], 2.5), ([1, 0.8, 0], [0, 0.2, 1], 2.375),
     ([1, 1], [0, 0.5], None)],
)  # fmt: skip
def test_where_curves_cross(falling: list[float], rising: list[float], price: float | None) -> None:
    grid = np.arange(1.0, len(falling) + 1)
    (at,) = crossing(np.array([falling], dtype=float), np.array([rising], dtype=float), grid, True)
    assert np.isnan(at) if price is None else at == pytest.approx(price)
