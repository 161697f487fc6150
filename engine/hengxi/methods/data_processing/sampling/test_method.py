"""Counts, weights that add up to the population, the same rows for the same seed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.methods.data_processing._shared import drawing
from hengxi.testing import Trial, element, warnings

FRAME = pd.DataFrame(
    {"层": ["甲"] * 90 + ["乙"] * 9 + [None], "群": np.repeat(np.arange(20), 5), "大": [1.0] * 99 + [0.0]}
)
TRIAL = Trial("data_processing/sampling", FRAME, {"size": 10}, {"层": "定类", "群": "定类", "大": "定量"})
report, refused = TRIAL.report, TRIAL.refused


def step(**form: Any) -> dict[str, Any]:
    found: dict[str, Any] = next(e for e in report(**form) if e["type"] == "data")["step"]
    return found


def test_the_same_seed_draws_the_same_rows() -> None:
    assert step()["preview"] == step()["preview"] and step(seed=7)["preview"] != step()["preview"]


def test_a_stratum_too_small_gives_one_row() -> None:
    found = report(method="stratified", strata=["层"], size=5)
    assert warnings(found) == ["strata.few", "strata.few"] or "strata.few" in warnings(found)
    assert step(method="stratified", strata=["层"], size=5)["rows_after"] >= 5


def test_with_replacement_a_row_comes_again() -> None:
    lead = element(report(method="bootstrap", size=100), "result") and next(
        e for e in report(method="bootstrap", size=100) if e["type"] == "lead"
    )
    assert lead["facts"]["n"] == 100 and lead["facts"]["distinct"] < 80


def test_inclusion_probabilities_add_up_and_are_met() -> None:
    rng = np.random.default_rng(2)
    size = rng.lognormal(0, 2, 200)
    chance = drawing.inclusion(size, 30)
    assert chance.sum() == pytest.approx(30) and chance.max() <= 1
    counts = np.zeros(200)
    for _ in range(3000):
        taken = drawing.drawn_by_chance(chance, rng)
        assert len(taken) == 30 and len(np.unique(taken)) == 30
        counts[taken] += 1
    assert np.abs(counts / 3000 - chance).max() < 0.05


def test_strata_are_drawn_in_proportion_without_repeats() -> None:
    codes = np.repeat([0, 1, 2], [50, 30, 20])
    sizes = np.bincount(codes)
    wanted = drawing.allocated(sizes, 10)
    rows = drawing.drawn_within(codes, sizes, wanted, np.random.default_rng(4))
    assert wanted.tolist() == [5, 3, 2] == np.bincount(codes[rows]).tolist() and len(set(rows.tolist())) == 10


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"size_type": "count", "size": 101}, "抽样行数 101 大于总行数 100（不放回）"),
        ({"method": "cluster", "cluster": "群", "size_type": "count", "size": 21}, "抽样群数 21 大于总群数 20"),
        ({"size": 101}, "抽样百分比必须在0到100之间"),
        ({"size_type": "count", "size": 1.5}, "行数须为整数"),
        ({"method": "pps", "weight": "大"}, "规模变量必须大于0"),
        ({"method": "stratified"}, "请放入分层变量"),
        ({"method": "stratified_equal", "strata": ["层"], "size_type": "count", "size": 9}, "只有 1 行，不够抽 9 行"),
    ],
)
def test_what_cannot_be_drawn(form: dict[str, Any], words: str) -> None:
    """样本数大于总体、百分比不在0—100、PPS规模含负或0"""
    assert words in refused(**form).faults[0].text


def test_systematic_rows_lie_evenly() -> None:
    rows = drawing.systematic(1000, 30, np.random.default_rng(1))
    assert len(rows) == 30 and set(np.diff(rows)) <= {33, 34} and rows.max() < 1000
