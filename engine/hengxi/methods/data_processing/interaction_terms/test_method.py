"""Which terms are made, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, cells, said, warnings

RNG = np.random.default_rng(3)
FRAME = pd.DataFrame(RNG.normal(size=(40, 4)).round(2), columns=list("abcd")).assign(常=1.0)
FRAME.loc[0, "a"] = None
TRIAL = Trial("data_processing/interaction_terms", FRAME, {"variables": ["a", "b"]}, {"常": "定量"})
report, refused = TRIAL.report, TRIAL.refused


def names(**form: Any) -> list[str]:
    return [row[0] for row in cells(report(**form), "result")]


def test_which_terms_are_made() -> None:
    assert names(variables=["a", "b", "c"]) == ["a×b", "a×c", "b×c"]
    assert names(variables=["a", "b", "c"], degree=3) == ["a×b", "a×c", "b×c", "a×b×c"]
    assert names(interaction_only=False) == ["a^2", "a×b", "b^2"]
    assert names(moderators=["c", "d"]) == ["a×c", "a×d", "b×c", "b×d"]


def test_a_gap_stays_a_gap() -> None:
    assert cells(report(), "result")[0][2] == 39


def test_what_follows_from_the_rest_has_no_inflation() -> None:
    frame = pd.DataFrame({"a": [0.0, 1, 0, 1, 1, 0, 1, 0], "b": [1.0, 3, 2, 5, 4, 4, 1, 2]})
    made = report(frame, {"a": "定量"}, variables=["a"], interaction_only=False, center="none")
    assert cells(made, "result")[0][-1] is None and "最大 VIF" not in said(made)


def test_products_beyond_all_numbers_are_told() -> None:
    assert "data.large" in warnings(
        report(pd.DataFrame({"a": [1e200, 2e200, 3.0], "b": [1e200, 1.0, 2.0]}), center="none")
    )


def test_too_many_are_refused() -> None:
    """组合过多 → 将产生 {k} 个新变量，超过上限 {m}"""
    wide = pd.DataFrame(RNG.normal(size=(9, 20)), columns=[f"v{i}" for i in range(20)])
    refusal = refused(wide, variables=list(wide), degree=5)
    assert "将产生 21,679 个新变量，超过上限 200" in refusal.text


def test_a_constant_is_refused() -> None:
    """变量方差为0 → “{v}”没有变异"""
    assert "“常”没有变异" in refused(variables=["a", "常"]).text


@pytest.mark.parametrize(
    ("form", "code"),
    [
        ({"variables": ["a"]}, "terms.none"),
        ({"degree": 1}, "terms.none"),
    ],
)
def test_nothing_to_multiply_is_refused(form: dict[str, Any], code: str) -> None:
    assert refused(**form).code == code


def test_knots_need_different_values() -> None:
    frame = pd.DataFrame({"a": [0.0] * 30 + [1.0, 2.0]})
    assert refused(frame, variables=["a"], basis="spline", spline=6).code == "terms.knots"
