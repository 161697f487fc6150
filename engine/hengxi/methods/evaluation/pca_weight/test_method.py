from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, records, said, warnings

RNG = np.random.default_rng(5)
SHARED = RNG.normal(size=40)
FRAME = pd.DataFrame({key: SHARED + RNG.normal(size=40) for key in "abcd"})
TRIAL = Trial("evaluation/pca_weight", FRAME, {"items": list("abcd")})


def test_two_indicators_are_too_few_and_constants_are_named() -> None:
    assert TRIAL.refused(items=["a", "b"]).code == "role.few"
    assert "“b”的 40 个值都相同" in TRIAL.refused(FRAME.assign(b=1.0)).text


def test_an_indicator_of_the_wrong_direction_is_told() -> None:
    report = TRIAL.report(FRAME.assign(d=-FRAME["d"]), n=1)
    assert warnings(report) == ["data.negative"] and "与多数指标方向相反" in said(report)
    turned = TRIAL.report(FRAME.assign(d=-FRAME["d"]), n=1, direction=[{"for": "d", "kind": "low"}])
    assert not warnings(turned)


def test_weights_sum_to_one_and_do_not_depend_on_units() -> None:
    first, second = records(TRIAL.report(), "result"), records(TRIAL.report(FRAME * [1, 10, 100, 0.1]), "result")
    assert sum(row["weight"] for row in first) == pytest.approx(1)
    assert np.allclose([row["weight"] for row in first], [row["weight"] for row in second])


def test_fewer_components_than_asked_for_where_indicators_repeat() -> None:
    frame = FRAME.assign(d=FRAME["a"] * 2)
    report = TRIAL.report(frame, n=4)
    assert "“KMO 和 Bartlett”未给出" in said(report) or records(report, "result")
