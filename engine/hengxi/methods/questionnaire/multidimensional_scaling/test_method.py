"""What is particular to multidimensional scaling: matrices that are none, sizes, the monotone regression."""

import numpy as np
import pandas as pd

from hengxi.stats.scaling import rising
from hengxi.testing import Trial, records, warnings

D = pd.DataFrame([[0, 3, 4, 5], [3, 0, 5, 4], [4, 5, 0, 3], [5, 4, 3, 0.0]], columns=list("甲乙丙丁"))
FORM = {"variables": list(D.columns), "method": "classical"}
TRIAL = Trial("questionnaire/multidimensional_scaling", D, FORM, dict.fromkeys(D.columns, "定量"))


def cell(i: int, j: int, value: float | None) -> pd.DataFrame:
    frame = D.copy()
    frame.iloc[i, j] = value
    return frame


def test_an_asymmetric_matrix_is_refused_by_its_cell() -> None:
    assert "第 1 行第 2 列不一致" in TRIAL.refused(cell(0, 1, 9)).text


def test_a_diagonal_that_is_not_zero_is_refused() -> None:
    assert "第 2 行第 2 列不一致" in TRIAL.refused(cell(1, 1, 9)).text


def test_a_negative_distance_is_refused() -> None:
    assert "距离不能为负" in TRIAL.refused(-D).text


def test_half_a_matrix_is_enough_but_a_gap_is_not() -> None:
    assert records(TRIAL.report(cell(0, 1, None)), "fit") == records(TRIAL.report(), "fit")
    both = cell(0, 1, None)
    both.iloc[1, 0] = None
    assert "第 1 行第 2 列是空的" in TRIAL.refused(both).text


def test_a_table_that_is_not_square_is_refused() -> None:
    assert "行数要与列数相同" in TRIAL.refused(D.iloc[:3]).text


def test_more_dimensions_than_objects_are_cut() -> None:
    assert "data.dims" in warnings(TRIAL.report(dims=6))


def test_similarities_above_the_own_one_are_refused() -> None:
    assert "大于自身" in TRIAL.refused(input="similarity_matrix").text


def test_objects_alike_have_no_map() -> None:
    assert "没有距离" in TRIAL.refused(D * 0).text


def test_a_rectangle_is_found_again() -> None:
    assert abs(records(TRIAL.report(method="nonmetric", n_init=2), "fit")[0]["stress"]) < 1e-6


def test_monotone_regression_pools_what_falls() -> None:
    assert np.allclose(rising(np.array([1.0, 2, 3]), np.array([2.0, 1, 3])), [1.5, 1.5, 3])
