"""What is particular to requirement prioritisation: options, refusals, the twin among questionnaires."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from hengxi.testing import Trial, records, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
NAMES = [f"F{i}" for i in range(1, 9)]
PAIRS = [{"positive": f"{name}正", "negative": f"{name}反"} for name in NAMES]
KINDS = {name: "定量" if "度" in name else "定类" for name in FRAME.columns}
TRIAL = Trial(
    "research_visualization_model/requirement_prioritization_analysis", FRAME,
    {"features": PAIRS, "n_resamples": 200, "alpha": 0.1}, KINDS,
)  # fmt: skip
TWIN = Trial(
    "questionnaire/kano", FRAME, {"features": PAIRS, "scale_order": "like_low"}, dict.fromkeys(FRAME.columns, "定量")
)  # fmt: skip


def test_classes_and_coefficients_are_those_of_the_kano_model() -> None:
    ours, theirs = TRIAL.report(), TWIN.report()
    for table, twin, keys in (
        ("kano", "summary", ("name", "n", "A", "O", "M", "I", "R", "Q", "verdict")),
        ("better_worse", "better_worse", ("name", "n", "better", "worse")),
        ("fong", "stability", ("name", "z", "p")),
    ):
        a, b = records(ours, table), records(theirs, twin)
        assert [[row[key] for key in keys] for row in a] == [[row[key] for key in keys] for row in b]


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ({"features": [{"positive": "F1正", "negative": None}]}, "还缺“反向题"),
        ({"mapping": "1,2,3,4"}, "选项次序要有 5 个不同的选项"),
        ({"mapping": "1,2,3,4,4"}, "现有 4 个"),
        ({"mapping": "喜欢,2,3,4,5"}, "选项次序中没有的取值“1”"),
    ],
)
def test_pairs_and_options_must_fit(form: dict[str, Any], text: str) -> None:
    assert text in TRIAL.refused(**form).text


def test_columns_of_many_values_are_no_answers() -> None:
    assert "不像五级题" in TRIAL.refused(FRAME.assign(F1正=range(len(FRAME)))).text


def test_a_requirement_nobody_answered_is_named() -> None:
    frame = FRAME.assign(F1反=[None] * (len(FRAME) - 1) + [3], F1正=[1] * (len(FRAME) - 1) + [None])
    assert "需求“F1”没有正反两题都答了的答卷" in TRIAL.refused(frame).text


def test_many_contradictions_are_said_by_name() -> None:
    assert "data.questionable" in warnings(TRIAL.report(FRAME.assign(F1正=1, F1反=1)))
    assert "data.no_base" in warnings(TRIAL.report(FRAME.assign(F1正=1, F1反=1)))
