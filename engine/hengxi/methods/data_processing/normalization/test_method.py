"""What cannot be put on one scale, groups and training rows, and what gaps become."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, cells, other_tables, records, warnings

FRAME = pd.DataFrame({
    "x": [1.0, 2.0, 3.0, 6.0, None, 8.0], "零首": [0.0, 2.0, 3.0, 4.0, 5.0, 6.0], "常": [5.0] * 6,
    "和零": [-1.0, 1.0, -2.0, 2.0, -3.0, 3.0], "组": ["甲", "甲", "甲", "乙", "乙", None],
    "标记": ["训练", "训练", "训练", "测试", "测试", "测试"], "结": [1.0, 1.0, 1.0, 1.0, 2.0, 2.0],
})  # fmt: skip
MEASURES = {"x": "定量", "零首": "定量", "常": "定量", "和零": "定量", "结": "定量"}
TRIAL = Trial("data_processing/normalization", FRAME, {"variables": ["x"]}, MEASURES)
report, refused = TRIAL.report, TRIAL.refused


def made(**form: Any) -> list[Any]:
    step = next(e for e in report(**form) if e["type"] == "data")["step"]
    return [row[-1] for row in step["preview"]["after"]]


def test_gaps_stay_and_rows_keep_their_place() -> None:
    assert made(method="minmax") == [0, pytest.approx(1 / 7), pytest.approx(2 / 7), pytest.approx(5 / 7), None, 1]


def test_training_rows_alone_give_the_parameters() -> None:
    found = report(method="minmax", train="标记", train_level="训练")
    assert records(found, "parameters")[0] | {"merge": 0} == {
        "variable": "x", "group": None, "n": 3, "center": 1, "scale": 2, "merge": 0,
    }  # fmt: skip
    assert made(method="minmax", train="标记", train_level="训练")[5] == 3.5


def test_a_row_without_a_group_has_no_result() -> None:
    found = report(method="center", variables=["零首"], group="组")
    assert warnings(found) == ["data.no_group"] and made(method="center", variables=["零首"], group="组")[5] is None


def test_a_row_of_zeros_or_with_a_gap_has_no_length() -> None:
    frame = pd.DataFrame({"a": [3.0, 0.0, None], "b": [4.0, 0.0, 1.0]})
    step = next(e for e in report(frame, variables=["a", "b"], method="l2") if e["type"] == "data")["step"]
    assert [row[-2:] for row in step["preview"]["after"]] == [[0.6, 0.8], [None, None], [None, None]]


@pytest.mark.parametrize(
    ("form", "code"),
    [
        ({"variables": ["常"]}, "role.constant"),
        ({"variables": ["零首"], "method": "init_ratio"}, "scale.zero"),
        ({"variables": ["和零"], "method": "sum_ratio"}, "scale.zero"),
        ({"variables": ["和零"], "method": "mean_ratio"}, "scale.zero"),
        ({"variables": ["结"], "method": "robust", "group": "组"}, "role.constant"),
        ({"method": "interval", "a": 2, "b": 1}, "limit.less"),
        ({"method": "interval_type", "a": 0, "b": 9}, "scale.inside"),
        ({"method": "l1"}, "role.few"),
    ],
)
def test_what_has_no_scale_is_refused(form: dict[str, Any], code: str) -> None:
    """方差为0、初值化首值为0、求和/均值为0"""
    found = refused(**form)
    assert found.code == code
    if code == "role.constant":
        assert "取值完全相同，无法标准化" in str(found)


def test_ties_in_normal_scores_are_said() -> None:
    """正态得分遇到大量结 → “{v}”重复值过多，正态得分仅供参考"""
    assert warnings(report(variables=["结"], method="quantile_normal")) == ["scale.ties"]


def test_a_million_values_far_from_zero_keep_their_digits() -> None:
    big = pd.DataFrame({"x": np.arange(1000) + 1e12})
    assert cells(report(big), "parameters")[0][3] == pytest.approx(1e12 + 499.5, rel=1e-15)


def test_settings_of_another_version_are_found_by_name() -> None:
    old = {"learn_from": other_tables(pd.DataFrame({"x": [0.0, 10.0], "组": ["甲", "甲"]}))}
    found = report(method="minmax", learn_from={"vid": 1}, kept=old)
    assert records(found, "compared")[0]["most_after"] == 0.8
    assert refused(variables=["零首"], learn_from={"vid": 1}, kept=old).code == "dataset.column"
    assert refused(method="minmax", group="组", learn_from={"vid": 1}, kept=old).code == "role.empty"
    words = {"learn_from": other_tables(pd.DataFrame({"x": ["高", "低"]}))}
    assert refused(learn_from={"vid": 1}, kept=words).code == "dataset.measure"
