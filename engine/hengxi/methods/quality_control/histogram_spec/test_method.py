"""Refusals of the quality histogram; the dip against its definition, and what moves it."""

import numpy as np
import pandas as pd
import pytest

from hengxi.stats.dip import dip, p_of
from hengxi.testing import Trial, records

RNG = np.random.default_rng(1)
FRAME = pd.DataFrame({"值": np.round(RNG.normal(10, 1, 120), 2), "机": ["甲", "乙"] * 60})
TRIAL = Trial("quality_control/histogram_spec", FRAME, {"measure": ["值"]}, {"值": "定量"})


def test_limits_the_wrong_way_round_and_too_few_bins_are_refused() -> None:
    assert "须小于" in TRIAL.refused(lsl=12, usl=8).text
    assert "组数" in TRIAL.refused(bins="custom", n_bins=2).text


def test_no_variation_is_refused() -> None:
    assert "没有变异" in TRIAL.refused(FRAME.assign(值=2.0)).text


def test_every_value_is_in_a_bin() -> None:
    for how in ("sturges", "fd", "scott", "custom"):
        assert sum(row["n"] for row in records(TRIAL.report(bins=how), "frequencies")) == 120


def test_strata_share_their_bins_and_add_up() -> None:
    rows = records(TRIAL.report(group="机"), "frequencies")
    parts = [[row for row in rows if row["group"] == name] for name in (None, "甲", "乙")]
    for whole, a, b in zip(*parts, strict=True):
        assert whole["low"] == a["low"] == b["low"] and whole["n"] == a["n"] + b["n"]


def test_dip_of_even_steps_is_least_and_of_two_heaps_is_a_quarter() -> None:
    assert dip(np.arange(50.0)) == pytest.approx(1 / 100)
    assert dip(np.repeat([0.0, 1.0], 50)) == pytest.approx(0.25)
    assert dip(np.full(9, 3.0)) == pytest.approx(1 / 18)


def test_dip_is_small_for_one_heap_and_its_p_is_uniform_under_uniform_values() -> None:
    found = [p_of(dip(RNG.uniform(size=40)), 40) for _ in range(300)]
    assert 0.02 < np.mean([p is not None and p < 0.05 for p in found]) < 0.09
    assert p_of(0.3, 3) is None
