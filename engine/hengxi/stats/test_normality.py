"""Shapiro-Wilk against R 4.2.2: shapiro.test. SciPy's p is off from the eighth digit on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hengxi.stats.normality import shapiro

R: dict[str, tuple[Any, float, float]] = {
    "c(1, 2, 4)": (np.array([1.0, 2.0, 4.0]), 0.964285714285714, 0.636886845028963),
    "(1:8)^2": (np.arange(1.0, 9) ** 2, 0.92898257364457, 0.506861191523377),
    "c((1:10)^1.5, 500)": (np.append(np.arange(1.0, 11) ** 1.5, 500), 0.408082194601991, 1.22100035725958e-07),
    "(1:165)^1.3": (np.arange(1.0, 166) ** 1.3, 0.941672788732706, 2.68847833141242e-06),
    "(1:4000)^0.8": (np.arange(1.0, 4001) ** 0.8, 0.95814385078569, 1.81118654981132e-32),
}


@pytest.mark.parametrize("made", R)
def test_shapiro_wilk_is_rs_to_the_last_digits(made: str) -> None:
    x, w, p = R[made]
    for y in (x, 1e200 - 1e198 * x, x[::-1] * 1e-250):
        found = shapiro(y)
        assert found.statistic == pytest.approx(w, rel=1e-12 if y is x else 1e-9)
        assert found.p == pytest.approx(p, rel=1e-9 if y is x else 1e-6)
