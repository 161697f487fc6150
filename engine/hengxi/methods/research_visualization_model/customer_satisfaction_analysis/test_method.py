"""What is particular to customer satisfaction: scales, importance by each source, refusals."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, check, records

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
ITEMS = [name for name in FRAME.columns if name.endswith("满意") and name != "总体满意"]
STATED = [name for name in FRAME.columns if name.endswith("重要")]
KINDS = dict.fromkeys([*ITEMS, *STATED, "总体满意", "推荐意愿"], "定量") | {"会员等级": "定类", "性别": "定类"}
TRIAL = Trial("research_visualization_model/customer_satisfaction_analysis", FRAME, {"items": ITEMS}, KINDS)


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ({"importance": STATED[:3]}, "必须一一对应（当前 3 对 5）"),
        ({"scale_max": 4}, "含超出 1—4 的值“5”"),
        ({"scale_min": 5}, "量表最小值要小于最大值"),
        ({"importance_source": "regression"}, "需要放入总体满意度"),
        ({"overall": "推荐意愿"}, "“推荐意愿”含超出 1—5 的值"),
    ],
)
def test_scales_and_roles_must_fit(form: dict[str, Any], text: str) -> None:
    assert text in TRIAL.refused(**form).text


def test_the_recommendation_is_a_whole_number_up_to_ten() -> None:
    frame = FRAME.assign(推荐意愿=[10.5, *FRAME["推荐意愿"][1:]])
    assert "必须是 0 到 10 的整数，现有“10.5”" in TRIAL.refused(frame, nps="推荐意愿").text


def test_an_item_everybody_answered_alike_is_named() -> None:
    assert "只有一个取值" in TRIAL.refused(FRAME.assign(价格满意=3.0), overall="总体满意").text


def test_two_items_that_say_the_same_cannot_be_weighed_by_regression() -> None:
    frame = FRAME.assign(价格满意=FRAME["产品质量满意"])
    assert "完全共线" in TRIAL.refused(frame, overall="总体满意", importance_source="regression").text


def test_few_complete_answers_are_refused() -> None:
    assert "不足以由 5 个题项推导重要度" in TRIAL.refused(FRAME.head(6), overall="总体满意").text


def test_related_items_ask_for_relative_importance() -> None:
    frame = FRAME.assign(售后满意=FRAME["物流速度满意"].where(FRAME.index % 12 > 0, 3))
    report = TRIAL.report(frame, overall="总体满意", importance_source="regression")
    assert check(report, "共线性")["state"] == "care"


def test_more_than_fifteen_items_take_relative_weights() -> None:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({f"题{i}": rng.integers(1, 6, 90) for i in range(16)})
    frame["总体"] = frame["题1"]
    report = TRIAL.report(
        frame, dict.fromkeys(frame.columns, "定量"), items=list(frame.columns[:16]), overall="总体",
        importance_source="relative",
    )  # fmt: skip
    rows = records(report, "weighing")
    assert {row["source"] for row in rows} == {"相对权重"} and sum(row["importance"] for row in rows) == pytest.approx(
        1
    )
