"""What counts as a hit, and the refusals."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from hengxi.testing import Trial, cells, warnings

FRAME = pd.DataFrame({"a": [1.0, 4.0, None, 5.0], "b": [1.0, 1.0, None, 2.0], "词": ["同意", "1", None, "Yes"]})
TRIAL = Trial("data_processing/count_values", FRAME, {"variables": ["a", "b", "词"], "values": "1"})
report, refused = TRIAL.report, TRIAL.refused


def counts(**form: Any) -> list[Any]:
    step = next(e for e in report(**form) if e["type"] == "data")["step"]
    return [row[-1] for row in step["preview"]["after"]]


def test_numbers_words_and_intervals() -> None:
    assert counts() == [2, 2, 0, 0]
    assert counts(values="4~5，同意") == [1, 1, 0, 1]


def test_a_cell_counts_once_however_many_values_it_meets() -> None:
    assert counts(values="1, 1.0, 0~2") == [2, 2, 0, 1]


def test_a_row_of_gaps_is_zero_unless_gaps_count() -> None:
    assert counts(include_missing=True) == [2, 2, 3, 0]


def test_words_are_compared_whole_and_with_their_case() -> None:
    assert counts(values="yes")[3] == 0 and counts(values="Yes")[3] == 1


def test_a_value_that_never_occurs_is_said() -> None:
    made = report(values="99")
    assert warnings(made) == ["data.no_hits"] and cells(made, "frequencies") == [[0, 4, 1.0, 1.0]]


@pytest.mark.parametrize(
    ("values", "code"),
    [
        (" ，, ", "values.empty"),
        ("5~4", "values.interval"),
        (",".join(map(str, range(101))), "values.many"),
    ],
)
def test_what_cannot_be_counted_is_refused(values: str, code: str) -> None:
    """要计数的值为空 → 请填写要计数的值"""
    assert refused(values=values).code == code


def test_one_variable_is_not_enough() -> None:
    assert refused(variables=["a"]).code.startswith("role.")


def test_an_empty_field_is_refused_not_filled() -> None:
    assert refused(values="").faults[0].field == "values"
