from pathlib import Path

import numpy as np
import pandas as pd

from hengxi.testing import Trial, check, records, said, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
TRIAL = Trial(
    "hypothesis_test/nested_anova",
    FRAME,
    {"y": "测定值", "levels": ["批", "炉"]},
    {"测定值": "定量", "批": "定类", "炉": "定类"},
)


def test_names_that_repeat_are_joined_and_said() -> None:
    report = TRIAL.report()
    assert warnings(report) == ["data.nested"]
    own = FRAME.assign(炉=FRAME.批 + FRAME.炉)
    assert warnings(TRIAL.report(own)) == []
    for a, b in zip(records(report, "anova"), records(TRIAL.report(own), "anova"), strict=True):
        assert a["ms"] == b["ms"]


def test_one_lower_group_in_each_is_refused() -> None:
    refusal = TRIAL.refused(FRAME.assign(炉=FRAME.批))
    assert "每个水平下只有一个“炉”" in refusal.text


def test_a_lowest_level_without_repeats_is_the_error() -> None:
    assert TRIAL.refused(FRAME.assign(炉=[f"c{i}" for i in range(len(FRAME))])).code == "data.few"


def test_balanced_reml_is_the_method_of_mean_squares() -> None:
    a, b = (records(TRIAL.report(method=how), "components") for how in ("anova", "reml"))
    assert np.allclose([row["variance"] for row in a], [row["variance"] for row in b], rtol=1e-7)


def test_a_negative_component_is_zero_and_said() -> None:
    frame = FRAME.assign(测定值=np.tile([1.0, 5.0], len(FRAME) // 2) + np.arange(len(FRAME)) % 3 * 0.01)
    report = TRIAL.report(frame)
    assert "的估计是负的，记作 0" in said(report) and min(row["variance"] for row in records(report, "components")) == 0


def test_a_fixed_top_has_no_component() -> None:
    assert [row["source"] for row in records(TRIAL.report(fixed_top=True), "components")] == ["炉（批之内）", "误差"]


def test_unequal_sizes_are_said_and_constants_refused() -> None:
    assert "合成" in check(TRIAL.report(FRAME.iloc[1:]), "例数")["text"]
    assert TRIAL.refused(FRAME.assign(测定值=2.0)).code == "data.constant"


def test_origin_and_unit_do_not_matter() -> None:
    a, b = (records(TRIAL.report(one), "anova") for one in (FRAME, FRAME.assign(测定值=FRAME.测定值 * 1e9 + 1e12)))
    assert np.isclose(a[0]["F"], b[0]["F"], rtol=1e-5)
