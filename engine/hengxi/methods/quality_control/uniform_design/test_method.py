"""Refusals; columns stay balanced; discrepancies agree with SciPy's; exchanges never make it worse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import qmc

from hengxi.families.design.uniform import balanced, exchanged, lattice, points_of, squared
from hengxi.testing import Trial, records

TRIAL = Trial("quality_control/uniform_design", form={"iterations": 100})
ROW = {"id": "r1", "name": "温度", "low": 1, "high": 2}


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ({"levels": 5}, "试验次数必须是水平数的整数倍"),
        ({"n_factors": 12, "n_runs": 12}, "试验次数过少，无法拟合线性模型"),
        ({"names": [ROW]}, "至少要 2 个因素"),
        ({"names": [ROW, {**ROW, "id": "r2", "name": "时间", "high": 1}]}, "最小值须小于最大值"),
        ({"n_factors": 10, "n_runs": 11, "levels": 11, "method": "glp", "criterion": "cd2"}, ""),
        ({"n_factors": 5, "n_runs": 7, "levels": 7, "method": "glp"}, ""),
        ({"n_factors": 8, "n_runs": 14, "levels": 14, "method": "glp"}, "没有能排 8 个因素的好格子点"),
    ],
)
def test_refusals(form: dict[str, Any], text: str) -> None:
    if text:
        assert text in TRIAL.refused(**form).text
    else:
        assert records(TRIAL.report(**form), "design")


@pytest.mark.parametrize(("kind", "name"), [("cd2", "CD"), ("wd2", "WD"), ("md", "MD")])
def test_discrepancies_are_those_of_scipy(kind: Any, name: Any) -> None:
    rng = np.random.default_rng(4)
    first = balanced(24, 5, 8, rng)
    made, kept = exchanged(first, 8, kind, 300, rng)
    x = points_of(made, 8)
    assert squared(x, kind) == pytest.approx(qmc.discrepancy(x, method=name), rel=1e-9)
    assert kept > 0 and squared(x, kind) < squared(points_of(first, 8), kind)
    for column in made.T:
        assert np.bincount(column).tolist() == [3] * 8


@pytest.mark.parametrize(("n", "s", "q"), [(11, 3, 11), (12, 4, 12), (18, 3, 6), (30, 6, 10)])
def test_lattices_are_balanced(n: int, s: int, q: int) -> None:
    found = lattice(n, s, q, "cd2")
    assert found is not None
    for column in found[0].T:
        assert np.bincount(column).tolist() == [n // q] * q


def test_the_seed_decides() -> None:
    one, again, other = (records(TRIAL.report(seed=seed), "design") for seed in (1, 1, 2))
    assert one == again and one != other
