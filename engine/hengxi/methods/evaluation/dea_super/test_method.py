from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, records

FRAME = pd.DataFrame({
    "名": list("甲乙丙丁戊己"), "x1": [4.0, 7, 8, 4, 2, 10], "x2": [3.0, 3, 1, 2, 4, 1], "y": [1.0] * 6,
    "b": [2.0, 3, 1, 2, 2, 4],
})  # fmt: skip
FORM = {"inputs": ["x1", "x2"], "outputs": ["y"], "label": "名"}
TRIAL = Trial("evaluation/dea_super", FRAME, FORM, {"y": "定量", "x1": "定量", "x2": "定量", "b": "定量"})


def test_undesirable_outputs_must_be_positive() -> None:
    refusal = TRIAL.refused(FRAME.assign(b=[2.0, 3, 0, 2, 2, 4]), bad_outputs=["b"])
    assert "“丙”的“b”是 0，不为正；非期望产出须为正" in refusal.text


def test_infeasible_super_efficiency_is_said_and_has_no_number() -> None:
    frame = pd.DataFrame({"名": list("甲乙丙丁"), "x": [2.0, 3, 5, 9], "y": [1.0, 4, 6, 7]})
    trial = Trial("evaluation/dea_super", frame, {"inputs": ["x"], "outputs": ["y"], "label": "名"})
    report = trial.report(model="super_radial", rts="vrs", orientation="input", measures={"x": "定量", "y": "定量"})
    rows = {row["unit"]: row for row in records(report, "result")}
    assert rows["丁"]["beyond"] is None and rows["丁"]["rank"] is None
    assert [row["unit"] for row in records(report, "impossible")] == ["丁"]


def test_units_of_measurement_change_nothing() -> None:
    first = records(TRIAL.report(bad_outputs=["b"]), "result")
    second = records(TRIAL.report(FRAME.assign(x1=FRAME["x1"] * 1e4, b=FRAME["b"] / 7), bad_outputs=["b"]), "result")
    assert np.allclose([row["beyond"] for row in first], [row["beyond"] for row in second])


def test_radial_needs_an_orientation() -> None:
    assert TRIAL.refused(model="super_radial", orientation="none").code == "choice.greyed"


@pytest.mark.parametrize("orientation", ["none", "input", "output"])
def test_sbm_is_at_most_the_radial_efficiency(orientation: str) -> None:
    sbm = records(TRIAL.report(model="sbm", orientation=orientation), "result")
    radial = records(TRIAL.report(model="super_radial", orientation="input"), "result")
    for one, other in zip(sbm, radial, strict=True):
        assert one["efficiency"] <= other["efficiency"] + 1e-9
