from __future__ import annotations

import pandas as pd
import pytest

from hengxi.testing import Trial, records, warnings

FRAME = pd.DataFrame({"名": list("甲乙丙丁"), "a": [1.0, 2, 4, 3], "b": [5.0, 3, 1, 2]})
TRIAL = Trial("evaluation/obstacle_degree", FRAME, {"positive": ["a"], "negative": ["b"], "label": "名"})


def test_an_object_at_its_best_in_everything_is_named_and_left_out() -> None:
    report = TRIAL.report()
    assert warnings(report) == ["data.best"] and len(records(report, "degrees")) == 3


def test_each_object_adds_to_one() -> None:
    sums: dict[str, float] = {}
    for row in records(TRIAL.report(top=20), "leading"):
        sums[row["object"]] = sums.get(row["object"], 0) + row["share"]
    assert list(sums.values()) == pytest.approx([1, 1, 1])


def test_an_indicator_without_weight_is_no_obstacle() -> None:
    rows = records(TRIAL.report(weight_source="manual", weights_value=[{"for": "b", "w": 0}]), "overall")
    assert {row["item"]: row["share"] for row in rows} == {"a": 1, "b": 0}


def test_constants_are_refused() -> None:
    assert "“b”的 4 个值都相同" in TRIAL.refused(FRAME.assign(b=1.0)).text
