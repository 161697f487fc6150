from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from hengxi.stats.repeated_measures import contrasts, orthonormal
from hengxi.testing import Trial, check, records, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
CELLS = ["基线", "1月", "3月", "6月"]


def wide(cells: list[str]) -> dict[str, Any]:
    return {"layout": "wide", "factors": [{"name": "时间", "levels": cells}], "cells": cells}


MEASURES = {**dict.fromkeys(CELLS, "定量"), "编号": "定类", "时间": "定类", "值": "定量"}
TRIAL = Trial("hypothesis_test/repeated_measures_anova", FRAME, {"measures": wide(CELLS)}, MEASURES)
LONG = {"layout": "long", "subject": "编号", "factors": ["时间"], "value": "值"}
LONG_FRAME = FRAME.melt(id_vars=["编号"], value_vars=CELLS, var_name="时间", value_name="值")
LONG_TRIAL = Trial("hypothesis_test/repeated_measures_anova", LONG_FRAME, {"measures": LONG}, MEASURES)


def test_one_measurement_is_refused() -> None:
    single = Trial("hypothesis_test/repeated_measures_anova", FRAME, {"measures": wide(CELLS[:1])}, MEASURES)
    assert single.refused().code.startswith("within.")


def test_two_measurements_give_the_paired_t_test() -> None:
    report = Trial("hypothesis_test/repeated_measures_anova", FRAME, {"measures": wide(CELLS[:2])}, MEASURES).report()
    d = FRAME["基线"] - FRAME["1月"]
    t = d.mean() / (d.std(ddof=1) / len(d) ** 0.5)
    assert np.isclose(records(report, "inner")[0]["F"], t**2) and records(report, "letters") == []


def test_a_subject_with_a_gap_is_left_out_and_counted() -> None:
    frame = FRAME.astype({"3月": float})
    frame.loc[[1, 5], "3月"] = None
    report = TRIAL.report(frame)
    assert "data.incomplete" in warnings(report) and check(report, "样本量")["facts"]["n"] == 38


def test_a_subject_measured_twice_is_refused_by_name() -> None:
    twice = pd.concat([LONG_FRAME, LONG_FRAME.tail(1)])
    assert "个体“40”在“6月”有 2 条记录" in LONG_TRIAL.refused(twice).text


def test_long_and_wide_tell_the_same() -> None:
    for one, two in zip(records(TRIAL.report(), "inner"), records(LONG_TRIAL.report(), "inner"), strict=True):
        assert one["F"] is None or np.isclose(one["F"], two["F"], rtol=1e-10)


def test_constants_are_refused() -> None:
    assert TRIAL.refused(FRAME.assign(**dict.fromkeys(CELLS, 3))).code == "data.constant"


def test_ranks_whose_sums_are_all_alike_are_taken() -> None:
    ranks = FRAME[CELLS].rank(axis=1, method="first")
    assert records(TRIAL.report(ranks), "inner")[0]["p"] < 0.05


def test_contrasts_sum_to_zero_and_the_basis_is_orthonormal() -> None:
    basis = orthonormal(5)
    assert np.allclose(basis.T @ basis, np.eye(4)) and np.allclose(basis.sum(axis=0), 0)
    for how in ("polynomial", "repeated", "simple", "helmert"):
        assert all(abs(weights.sum()) < 1e-12 for _, weights in contrasts(how, ["甲", "乙", "丙"]))


def test_many_subjects_are_thinned_in_the_figure() -> None:
    lines = {row["subject"] for row in records(TRIAL.report(pd.concat([FRAME] * 4)), "paths")}
    assert 1 < len(lines) <= 40
