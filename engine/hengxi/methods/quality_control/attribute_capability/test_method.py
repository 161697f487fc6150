"""Refusals of attribute capability; published pairs of DPMO and sigma level; bounds where nothing was found."""

from typing import Any

import pandas as pd
import pytest

from hengxi.testing import Trial, records, warnings

FRAME = pd.DataFrame({"坏": [3, 5, 2, 4, 6, 3], "检": [50] * 6})
TRIAL = Trial(
    "quality_control/attribute_capability", FRAME, {"count": "坏", "size": "检"}, {"坏": "定量", "检": "定量"}
)


def value(frame: pd.DataFrame, name: str, **form: Any) -> float:
    rows = records(TRIAL.report(frame, **form), "summary")
    return next(float(row["value"]) for row in rows if row["measure"] == name)


def test_more_defectives_than_pieces_are_refused_by_row() -> None:
    assert "第 3 行不合格数大于检验数" in TRIAL.refused(FRAME.assign(坏=[3, 5, 51, 4, 6, 3])).text


def test_more_defects_than_opportunities_ask_for_their_number() -> None:
    many = FRAME.assign(坏=80)
    assert "单位机会数" in TRIAL.refused(many, type="poisson").text
    assert value(many, "DPMO", type="poisson", opportunities=4) == pytest.approx(1e6 * 80 / 200)


def test_counts_and_sizes_are_judged_by_row() -> None:
    assert "第 1 行的不合格品数不是非负整数" in TRIAL.refused(FRAME.assign(坏=[1.5, 5, 2, 4, 6, 3])).text
    assert "第 1 行的检验数不是整数" in TRIAL.refused(FRAME.assign(检=[50.5, 50, 50, 50, 50, 50])).text
    assert "第 1 行检验数必须大于 0" in TRIAL.refused(FRAME.assign(检=[0, 50, 50, 50, 50, 50])).text


@pytest.mark.parametrize(("ppm", "sigma"), [(3.4, 6.0), (66807, 3.0), (308538, 2.0), (233, 5.0)])
def test_published_sigma_levels(ppm: float, sigma: float) -> None:
    frame = pd.DataFrame({"坏": [round(ppm * 1000)] * 2, "检": [10**9] * 2})
    assert value(frame, "西格玛水平") == pytest.approx(sigma, abs=0.005)


def test_no_defectives_give_an_upper_bound_alone() -> None:
    elements = TRIAL.report(FRAME.assign(坏=0))
    assert "data.zero" in warnings(elements)
    row = records(elements, "summary")[2]
    # The rule of three: about 3/n.
    assert row["value"] == 0 and row["high"] == pytest.approx(3 / 300, rel=0.01)
