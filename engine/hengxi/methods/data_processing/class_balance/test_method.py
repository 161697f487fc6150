"""Synthetic rows lie between neighbours of their class; rows that are not for training are left alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, records

RANDOM = np.random.default_rng(6)
FRAME = pd.DataFrame({
    "类": ["少"] * 8 + ["多"] * 40, "a": np.concatenate([RANDOM.uniform(10, 11, 8), RANDOM.uniform(0, 1, 40)]),
    "b": RANDOM.normal(0, 1, 48), "词": ["x", "y"] * 24,
    "集": ["训练"] * 6 + ["测试"] * 2 + ["训练"] * 20 + ["测试"] * 20,
})  # fmt: skip
KINDS = {"类": "定类", "词": "定类", "集": "定类", "a": "定量", "b": "定量"}
TRIAL = Trial("data_processing/class_balance", FRAME, {"target": "类", "features": ["a", "b"]}, KINDS)
report, refused = TRIAL.report, TRIAL.refused


def points(**form: Any) -> list[dict[str, Any]]:
    return [row for row in records(report(**form), "points") if row["kind"] == "少（合成）"]


def test_synthetic_rows_repeat_for_one_seed() -> None:
    assert points() == points() and points() != points(seed=3) and len(points()) == 32


def test_rows_that_do_not_train_stay() -> None:
    found = report(train="集", train_level="训练")
    step = next(e for e in found if e["type"] == "data")["step"]
    assert step["rows_after"] == 48 + 14
    assert {row["level"]: row["after"] for row in records(found, "result")}["少"] == 20


@pytest.mark.parametrize("method", ["smote", "borderline", "adasyn", "smote_tomek", "near_miss", "tomek"])
def test_every_way_gives_a_report_or_says_why_not(method: str) -> None:
    frame = FRAME.assign(a=RANDOM.normal(0, 1, 48))
    assert sum(row["after"] for row in records(report(frame, method=method), "result")) > 0


@pytest.mark.parametrize(
    ("form", "change", "words"),
    [
        ({}, {"类": ["同"] * 48}, "目标变量只有一个类别"),
        ({"k": 8}, {}, "类别“少”只有 8 个样本，小于近邻数+1，请减小k"),
        ({"features": ["a", "词"]}, {}, "特征“词”是定类变量，请改用SMOTE-NC"),
        ({}, {"b": [None] + [1.0] * 47}, "含缺失值，请先处理"),
        ({"method": "smotenc"}, {}, "同时有定量和定类特征"),
    ],
)
def test_what_cannot_be_balanced(form: dict[str, Any], change: dict[str, Any], words: str) -> None:
    """类别只有一个、少数类样本数不大于k、SMOTE含定类特征、含缺失值"""
    assert words in refused(FRAME.assign(**change), **form).faults[0].text
