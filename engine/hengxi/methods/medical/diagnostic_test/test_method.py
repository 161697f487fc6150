"""Which value is positive, empty cells, refusals."""

import pandas as pd
import pytest

from hengxi.testing import Trial, records

FRAME = pd.DataFrame({"病": ["是"] * 4 + ["否"] * 6, "查": ["阳性", "阳性", "阳性", "阴性"] + ["阴性"] * 5 + ["阳性"]})
TRIAL = Trial("medical/diagnostic_test", FRAME, {"gold": "病", "tests": ["查"]})


def sensitivity(report: object) -> float:
    rows = records(report, "shares")  # type: ignore[arg-type]
    return next(float(row["value"]) for row in rows if row["measure"] == "灵敏度")


def test_the_positive_word_is_found_in_both() -> None:
    assert sensitivity(TRIAL.report()) == pytest.approx(0.75)
    numbers = FRAME.replace({"是": "1", "否": "0", "阳性": "1", "阴性": "0"})
    assert sensitivity(TRIAL.report(numbers)) == pytest.approx(0.75)
    assert sensitivity(TRIAL.report(numbers, positive="0")) == pytest.approx(5 / 6)


def test_a_test_without_a_positive_word_is_refused_with_the_word_to_use() -> None:
    refused = TRIAL.refused(FRAME.replace({"阳性": "高", "阴性": "低"}))
    assert "“查”的取值里看不出哪一个是阳性" in refused.text and "“是”" in refused.text


def test_a_test_that_never_calls_positive_finds_nobody() -> None:
    report = TRIAL.report(FRAME.assign(查="阴性"))
    assert sensitivity(report) == 0
    assert "四格各加 0.5" in str(report)
    assert "PPV" not in [row["measure"] for row in records(report, "shares")]


def test_a_gold_standard_of_one_state_by_weights_is_refused() -> None:
    frame = FRAME.assign(n=[1] * 4 + [0] * 6)
    assert "“金标准”需要正好 2 个类别" in TRIAL.refused(frame, {"n": "定量"}, weight="n").text
