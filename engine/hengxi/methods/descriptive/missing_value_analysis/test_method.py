"""What is particular to the analysis of gaps: nothing missing, words among numbers, collinear variables, many rows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hengxi.stats.incomplete_normal import estimate
from hengxi.testing import Trial, element, records, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
FOUR = ["臭氧", "太阳辐射", "风速", "气温"]
KINDS = {**dict.fromkeys([*FOUR, "和"], "定量"), "天气": "定类"}
TRIAL = Trial("descriptive/missing_value_analysis", FRAME, {"variables": FOUR}, KINDS)
report, refused = TRIAL.report, TRIAL.refused


def test_nothing_missing_is_refused() -> None:
    refusal = refused(variables=["风速", "气温"])
    assert refusal.code == "data.complete" and "没有缺失值" in refusal.text


def test_a_variable_without_values_in_the_rows_used_is_left_out() -> None:
    frame = FRAME.assign(和=np.where(FRAME["月"] == 5, np.nan, 1.0 * FRAME["日"]))
    elements = TRIAL.report(frame, variables=[*FOUR, "和"], filter="{c5} = 5")
    (warning,) = [e for e in elements if e["type"] == "warning"]
    assert warning["code"] == "data.empty" and warning["facts"]["which"] == "“和”"


def test_categories_take_no_part_in_little() -> None:
    elements = report(variables=[*FOUR, "天气"])
    assert "data.measure" in warnings(elements)
    assert {row["variable"] for row in records(elements, "em")} == set(FOUR)


def test_collinear_variables_have_no_test_and_say_so() -> None:
    elements = report(FRAME.assign(和=FRAME["风速"] + FRAME["气温"]), variables=[*FOUR, "和"])
    assert records(elements, "mcar") == [] and any(
        "Little 检验不可用" in e["facts"].get("why", "") for e in elements if e["type"] == "text"
    )


def test_patterns_add_up_to_all_rows() -> None:
    rows = records(report(), "patterns")
    assert sum(row["n"] for row in rows) == 153 and sum(row["share"] for row in rows) == pytest.approx(1)


def test_without_gaps_em_is_the_sample() -> None:
    x = np.random.default_rng(1).normal(size=(40, 3)) * [1, 5, 100] + [3, 0, 1000]
    found = estimate(x)
    assert found is not None and found.p is None
    np.testing.assert_allclose(found.mean, x.mean(axis=0), rtol=1e-12)
    np.testing.assert_allclose(found.covariance, np.cov(x.T, bias=True), rtol=1e-10)


def test_each_group_has_its_share() -> None:
    rows = [row for row in records(report(group="天气"), "by_group") if row["variable"] == "臭氧"]
    assert sum(row["missing"] for row in rows) <= 37
    assert element(report(group="天气"), "by_group")["title"] == "各组的缺失率"
