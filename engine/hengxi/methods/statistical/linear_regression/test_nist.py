"""The whole method on NIST's data for linear regression: what a report prints agrees with the certified values.

The digits named are those lost to the data themselves (powers of Filip rounded to doubles) or to its condition.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.stats.test_linear_nist import CERTIFIED
from hengxi.testing import Trial, records

R2 = {
    "Norris": 0.999993745883712,
    "Pontius": 0.999999900178537,
    "NoInt1": 0.999365492298663,
    "NoInt2": 0.993348115299335,
    "Filip": 0.996727416185620,
    "Longley": 0.995479004577296,
    "Wampler1": 1.0,
    "Wampler2": 1.0,
    "Wampler3": 0.999995559025820,
    "Wampler4": 0.957478440825662,
    "Wampler5": 0.224668921574940e-02,
}
F = {
    "Norris": 5436385.54079785,
    "Pontius": 185330865.995752,
    "NoInt1": 15750.2500000000,
    "NoInt2": 298.666666666667,
    "Filip": 2162.43954511489,
    "Longley": 330.285339234588,
    "Wampler3": 675524.458240122,
    "Wampler4": 67.5524458240122,
    "Wampler5": 0.675524458240122e-02,
}


def elements_of(name: str) -> list[dict[str, Any]]:
    x, y, intercept, *_ = CERTIFIED[name]
    x = np.asarray(x)
    frame = pd.DataFrame({f"x{j + 1}": x[:, j] for j in range(x.shape[1])} | {"y": y})
    form = {"y": "y", "x": list(frame.columns[:-1]), "intercept": intercept}
    return Trial("statistical/linear_regression", frame, form, dict.fromkeys(frame, "定量")).report()


@pytest.mark.parametrize("name", CERTIFIED)
def test_the_report_prints_the_certified_values(name: str) -> None:
    *_, coefficients, errors, sd, tolerance = CERTIFIED[name]
    found = elements_of(name)
    rows, summary = records(found, "coefficients"), records(found, "summary")[0]
    np.testing.assert_allclose([row["b"] for row in rows], coefficients, rtol=tolerance)
    np.testing.assert_allclose([row["se"] for row in rows], errors or [0.0] * len(rows), rtol=max(tolerance, 1e-9))
    assert summary["sigma"] == pytest.approx(sd, rel=max(tolerance, 1e-9), abs=0)
    assert summary["r2"] == pytest.approx(R2[name], rel=1e-9)
    assert summary["F"] == (pytest.approx(F[name], rel=1e-8) if name in F else None)


@pytest.mark.parametrize("name", ["Wampler1", "Wampler2"])
def test_an_exact_polynomial_is_told_as_such(name: str) -> None:
    lead = elements_of(name)[0]
    assert lead["type"] == "lead" and lead["facts"]["told"].startswith("1 + ") and "恒等式" in lead["text"]
