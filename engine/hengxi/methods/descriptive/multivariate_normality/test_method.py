"""What is particular to joint normality: collinear variables, groups too small, many rows, the seed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hengxi.stats.multivariate_normality import mardia
from hengxi.testing import Trial, records, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
FOUR = list(FRAME.columns[:4])
TRIAL = Trial(
    "descriptive/multivariate_normality",
    FRAME,
    {"variables": FOUR},
    {**dict.fromkeys([*FOUR, "和"], "定量"), "品种": "定类"},
)
report, refused = TRIAL.report, TRIAL.refused


def test_collinear_variables_are_refused_by_name() -> None:
    refusal = refused(FRAME.assign(和=FRAME["花萼长"] + FRAME["花瓣长"]), variables=[*FOUR, "和"])
    assert refusal.code == "data.singular" and "协方差矩阵不可逆，请去掉重复变量“和”" in refusal.text


def test_no_more_cases_than_variables_is_refused() -> None:
    assert "有效样本 4 不大于变量数 4" in refused(FRAME.iloc[[0, 1, 60, 110]]).text


def test_a_group_too_small_is_left_out_by_name() -> None:
    elements = report(FRAME.iloc[:53], group="品种")
    assert warnings(elements) == ["data.dropped_group"]
    assert {row["group"] for row in records(elements, "result")} == {"山鸢尾"}


def test_energy_repeats_with_its_seed_and_finds_what_is_plain() -> None:
    frame = FRAME.assign(花萼长=np.exp(3 * np.random.default_rng(1).normal(size=150)))
    (a,), (b,) = (records(report(frame, tests=["energy"]), "result") for _ in range(2))
    assert a == b and a["p"] == pytest.approx(1 / 200)


def test_many_rows_are_left_to_mardia() -> None:
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(rng.normal(size=(20_500, 2)), columns=["花萼长", "花萼宽"])
    elements = report(frame, variables=["花萼长", "花萼宽"])
    assert warnings(elements) == ["data.size"] and len(records(elements, "result")) == 3
    assert records(elements, "single") == []


def test_skewness_by_third_moments_is_that_of_all_pairs_of_rows() -> None:
    z = np.random.default_rng(3).normal(size=(40, 3))
    skewness = mardia(z)[0].value
    assert skewness == pytest.approx(float(((z @ z.T) ** 3).mean()), rel=1e-12)
