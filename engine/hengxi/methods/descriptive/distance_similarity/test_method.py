"""Refusals by measure, nearest against the matrix, the largest tables."""

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, records

FRAME = pd.DataFrame({"a": [1.0, 2, 4, 8, 3], "b": [2.0, 1, 5, 3, 9], "c": [3.0, 3, 1, 7, 2], "名": list("甲乙丙丁戊")})
TRIAL = Trial("descriptive/distance_similarity", FRAME, {"variables": ["a", "b", "c"]}, {"名": "定类"})


def test_what_a_measure_cannot_take_is_refused_by_name() -> None:
    assert "“a”不是0/1变量，不能用Jaccard" in TRIAL.refused(measure="jaccard").text
    zero = FRAME.assign(a=[0.0, 2, 4, 8, 3], b=[0.0, 1, 5, 3, 9], c=[0.0, 3, 1, 7, 2])
    assert "第 1 行全为0，余弦相似度无定义" in TRIAL.refused(zero, measure="cosine", standardize="none").text
    assert "变量共线" in TRIAL.refused(FRAME.assign(c=FRAME["a"] * 2), measure="mahalanobis").text
    assert "没有变异，无法标准化" in TRIAL.refused(FRAME.assign(a=1.0)).text
    assert "“名”不是数值" in TRIAL.refused(variables=["a", "名"]).text
    assert "比较的是个案" in TRIAL.refused(measure="gower", between="variables").text


def test_too_many_cases_are_sent_to_the_nearest() -> None:
    frame = pd.DataFrame(np.random.default_rng(1).normal(size=(300, 2)), columns=["a", "b"])
    refusal = TRIAL.refused(frame, variables=["a", "b"])
    assert "对象数 300 超过 200" in refusal.text and refusal.faults[0].remedies
    rows = records(TRIAL.report(frame, variables=["a", "b"], output="nearest", k=2), "nearest")
    assert len(rows) == 600


@pytest.mark.parametrize("measure", ["euclidean", "cosine", "canberra"])
def test_nearest_and_matrix_name_the_same_extremes(measure: str) -> None:
    one, other = (records(TRIAL.report(measure=measure, output=out), "summary") for out in ("matrix", "nearest"))
    for a, b in zip(one, other, strict=True):
        assert a["value"] == pytest.approx(b["value"]) and {a["first"], a["second"]} == {b["first"], b["second"]}


def test_categories_are_alike_or_not() -> None:
    rows = records(TRIAL.report(FRAME.assign(名=list("甲甲乙乙乙")), variables=["名"], measure="hamming"), "summary")
    assert rows[0]["value"] == 0 and rows[1]["value"] == 1
