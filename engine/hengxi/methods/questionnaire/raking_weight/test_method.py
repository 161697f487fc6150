"""Refusals of margins; the weights meet them; trimming keeps the total; negative weights are told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.stats.raking import trimmed
from hengxi.testing import Trial, records, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
GOOD = {"性别": "女=48.8；男=51.2", "年龄段": "青年=30, 中年=45, 老年=25"}


def form(**told: str) -> dict[str, Any]:
    shares = {**GOOD, **told}
    return {"margins": list(shares), "population": [{"for": key, "shares": value} for key, value in shares.items()]}


KINDS = {"满意度": "定量", "设计权重": "定量"}
TRIAL = Trial("questionnaire/raking_weight", FRAME, form(), KINDS)


@pytest.mark.parametrize(
    ("told", "text"),
    [
        ({"性别": "女=100"}, "“性别”的总体分布中缺少“男”"),
        ({"性别": "女=40；男=50；未知=10"}, "“性别”的类别“未知”样本为 0"),
        ({"性别": "女=5000；男=5000", "年龄段": "青年=3000；中年=4500；老年=2300"}, "如 10000 与 9800"),
        ({"性别": "女四成，男六成"}, "读不懂"),
        ({"性别": " "}, "请填写“性别”的总体分布"),
        ({"性别": "女=0；男=100"}, "缺少“女”（或为 0）"),
        ({"性别": "女=1e400；男=1"}, "读不懂"),
    ],
)
def test_margins_that_cannot_be_met_are_refused(told: dict[str, str], text: str) -> None:
    assert text in TRIAL.refused(**form(**told)).text


def test_cells_need_one_variable() -> None:
    assert "合成一个变量" in TRIAL.refused(method="cell").text


@pytest.mark.parametrize("method", ["raking", "linear_calibration"])
def test_margins_are_met_and_the_mean_weight_is_one(method: str) -> None:
    report = TRIAL.report(method=method, cap=False)
    for row in records(report, "compared"):
        assert row["weighted"] == pytest.approx(row["population"], abs=1e-9)
    assert records(report, "run_of")[0]["whole"] == pytest.approx(len(FRAME))


def test_counts_give_weights_that_sum_to_the_population() -> None:
    counts = form(性别="女=4880；男=5120", 年龄段="青年=3000；中年=4500；老年=2500")
    assert records(TRIAL.report(**counts), "run_of")[0]["whole"] == pytest.approx(10_000)


def test_negative_weights_of_linear_calibration_are_told() -> None:
    rare = form(年龄段="青年=0.5；中年=1；老年=98.5")
    assert "data.negative" in warnings(TRIAL.report(method="linear_calibration", cap=False, **rare))


def test_trimming_keeps_the_total_and_ends_below_the_cap() -> None:
    w = np.random.default_rng(1).pareto(1.2, 500) + 0.1
    made, cut = trimmed(w, 2.0)
    assert made.sum() == pytest.approx(w.sum()) and made.max() <= 2 * w.mean() * (1 + 1e-9) and cut > 0
