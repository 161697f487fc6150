"""What may be a weight, and what the version is weighted by."""

from __future__ import annotations

import pandas as pd

from hengxi.testing import Trial, warnings

FRAME = pd.DataFrame({"组": ["甲", "乙", "丙"], "人数": [3.0, 0.0, None], "权": [0.5, 1.0, 2.0], "零": [0.0, 0.0, 0.0]})
TRIAL = Trial("data_processing/weight_cases", FRAME, {"weight": "人数"})
report, refused = TRIAL.report, TRIAL.refused


def test_the_step_says_what_the_version_is_weighted_by() -> None:
    made = report()
    step = next(e for e in made if e["type"] == "data")["step"]
    assert step["weight"] == {"column": "c2", "name": "人数"} and step["cells"] == 0
    assert warnings(made) == ["data.unused"]


def test_no_longer_weighted() -> None:
    step = next(e for e in report(action="off", weight=None) if e["type"] == "data")["step"]
    assert step["weight"] == {"column": None, "name": ""}


def test_halves_and_nothing_but_zeros_are_refused() -> None:
    assert refused(weight="权").code == "weight.whole" and refused(weight="零").code == "weight.zero"


def test_a_negative_weight_is_refused() -> None:
    assert refused(FRAME.assign(人数=[3.0, -1.0, 2.0])).code == "role.values"
