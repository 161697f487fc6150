from __future__ import annotations

import pandas as pd

from hengxi.testing import Trial, records

FRAME = pd.DataFrame({"名": list("甲乙丙"), "a": [10.0, 25, 40], "b": [3.0, 2, 1]})
TRIAL = Trial("evaluation/efficacy_coefficient", FRAME, {"indicators": ["a"], "label": "名"})


def test_equal_bounds_are_refused_by_name() -> None:
    bounds = [{"for": "a", "kind": "high", "good": 20, "bad": 20}]
    assert "“a”满意值与不允许值相同" in TRIAL.refused(bounds=bounds).text
    assert "满意值与不允许值相同" in TRIAL.refused(FRAME.assign(a=1.0)).text


def test_bounds_in_the_wrong_order_are_refused() -> None:
    assert "大小相反" in TRIAL.refused(bounds=[{"for": "a", "kind": "low", "good": 40, "bad": 10}]).text


def test_scores_run_from_base_to_full_and_beyond() -> None:
    assert [row["score"] for row in records(TRIAL.report(), "result")] == [60, 80, 100]
    beyond = records(TRIAL.report(bounds=[{"for": "a", "kind": "high", "good": 25, "bad": 10}]), "result")
    assert beyond[-1]["score"] == 140


def test_a_stable_type_needs_its_value() -> None:
    assert "请填满意值" in TRIAL.refused(bounds=[{"for": "a", "kind": "interval"}]).text


def test_geometric_means_need_positive_scores() -> None:
    bounds = [{"for": "a", "kind": "high", "good": 100, "bad": 90}]
    assert "不能用几何平均" in TRIAL.refused(bounds=bounds, synthesis="geometric").text


def test_weights_of_zero_and_no_span_are_refused() -> None:
    assert "权重不能全为 0" in TRIAL.refused(weights=[{"for": "a", "w": 0}]).text
    assert "区间分要大于 0" in TRIAL.refused(c_d={"c": 60, "d": 0}).text
