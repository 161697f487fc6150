"""What is particular to multiple correspondence analysis: levels, rare categories, gaps in supplementary variables."""

from pathlib import Path

import numpy as np
import pandas as pd

from hengxi.testing import Trial, records, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv").iloc[:120]
ITEMS = list(FRAME.columns[:5])
KINDS = dict.fromkeys(FRAME.columns[:10], "定类") | {"活动数": "定量"}
TRIAL = Trial("questionnaire/multiple_correspondence", FRAME, {"items": ITEMS}, KINDS)


def test_one_category_is_refused() -> None:
    refused = TRIAL.refused(FRAME.assign(**{ITEMS[0]: "是"}))
    assert refused.code == "role.levels" and ITEMS[0] in refused.text


def test_a_rare_category_is_warned_of() -> None:
    frame = FRAME.assign(**{ITEMS[0]: ["很少", *FRAME[ITEMS[0]][1:]]})
    assert "data.rare" in warnings(TRIAL.report(frame))


def test_gaps_in_supplementary_variables_drop_no_case() -> None:
    frame = FRAME.assign(性别=FRAME["性别"].where(FRAME.index > 20), 活动数=np.nan)
    report = TRIAL.report(frame, sup_category=["性别"])
    assert records(report, "inertia") == records(TRIAL.report(), "inertia")


def test_burt_inertias_are_squares() -> None:
    plain, burt = (records(TRIAL.report(method=m), "inertia") for m in ("indicator", "burt"))
    assert np.allclose([row["root"] ** 2 for row in plain], [row["root"] for row in burt])


def test_many_categories_are_refused() -> None:
    frame = pd.DataFrame({f"v{j}": [f"c{i % 90}" for i in range(180)] for j in range(6)})
    text = TRIAL.refused(frame, dict.fromkeys(frame.columns, "定类"), items=list(frame.columns)).text
    assert "共有 540 个类别" in text
