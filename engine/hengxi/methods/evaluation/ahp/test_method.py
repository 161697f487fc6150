from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.stats.pairwise import consistency, priorities
from hengxi.testing import Trial, records

NAMES = ["价格", "质量", "服务"]


def typed(*upper: float | None) -> dict[str, Any]:
    a, b, c = upper
    return {"rows": NAMES, "columns": NAMES, "values": [[1, a, b], [None, 1, c], [None, None, 1]]}


TRIAL = Trial("evaluation/ahp", form={"source": "typed", "matrix": typed(2, 4, 3)})


@pytest.mark.parametrize(
    ("upper", "text"),
    [((0, 4, 3), "应大于 0，现为 0"), ((-2, 4, 3), "应大于 0，现为 -2"), ((None, 4, 3), "“价格”行“质量”列没有填")],
)
def test_judgements_that_are_none_are_refused_with_their_place(upper: tuple[float | None, ...], text: str) -> None:
    assert text in TRIAL.refused(matrix=typed(*upper)).text


def test_halves_that_contradict_each_other_are_refused() -> None:
    values = [[1, 2, 4], [2, 1, 3], [0.25, 1 / 3, 1]]
    refusal = TRIAL.refused(matrix={"rows": NAMES, "columns": NAMES, "values": values})
    assert "应互为倒数" in refusal.text
    values = [[2, 2, 4], [0.5, 1, 3], [0.25, 1 / 3, 1]]
    assert "应为 1" in TRIAL.refused(matrix={"rows": NAMES, "columns": NAMES, "values": values}).text


def test_a_judgement_beyond_the_scale_is_refused_with_a_way_out() -> None:
    refusal = TRIAL.refused(matrix=typed(2, 7, 3), scale="saaty5")
    assert refusal.code == "data.outside" and "“价格”对“服务”是 7，超出 1–5 标度" in refusal.text
    assert TRIAL.report(matrix=typed(2, 7, 3))


def test_an_empty_matrix_and_a_single_thing_are_refused() -> None:
    assert TRIAL.refused(matrix=None).code == "matrix.required"
    assert TRIAL.refused(matrix={"rows": ["甲"], "columns": ["甲"], "values": [[1]]}).code == "matrix.shape"


def test_a_mean_that_is_not_positive_makes_no_ratio() -> None:
    frame = pd.DataFrame({"甲": [1.0, 2.0, 3.0], "乙": [-1.0, 0.0, 1.0]})
    refusal = TRIAL.refused(frame, source="items", items=["甲", "乙"], matrix=None)
    assert refusal.code == "data.not_positive" and "“乙”的均值是 0" in refusal.text


def test_judgements_made_of_weights_give_these_weights_back_by_all_three() -> None:
    wanted = np.array([0.5, 0.3, 0.15, 0.05])
    judgements = wanted[:, None] / wanted[None, :]
    for method in ("geometric_mean", "arithmetic_mean", "eigenvector"):
        assert np.allclose(priorities(judgements, method), wanted)
    assert consistency(judgements).ratio == pytest.approx(0, abs=1e-12)


def test_changing_the_worst_judgement_as_proposed_gives_the_ratio_told() -> None:
    report = TRIAL.report(matrix=typed(2, 9, 9), limit=0.01)
    worst = records(report, "sources")[0]
    changed = {("价格", "质量"): 0, ("价格", "服务"): 1, ("质量", "服务"): 2}[worst["first"], worst["second"]]
    upper = [2.0, 9.0, 9.0]
    upper[changed] = float(Fraction(worst["proposed"]))
    (check,) = records(TRIAL.report(matrix=typed(*upper)), "check")
    assert check["ratio"] == pytest.approx(worst["ratio"], abs=1e-12)
