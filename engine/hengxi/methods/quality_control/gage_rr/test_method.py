"""Refusals of gage R&R; the published study of AIAG; what moves a component and what does not."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, element, records, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
FORM = {"measure": "测量值", "part": "部件", "operator": "操作者"}
TRIAL = Trial("quality_control/gage_rr", FRAME, FORM, {"测量值": "定量"})


def sd(elements: list[dict[str, object]], source: str) -> float:
    return next(float(row["sd"]) for row in records(elements, "evaluation") if row["source"] == source)


def test_the_published_study() -> None:
    anova, ranges = TRIAL.report(), TRIAL.report(method="xbar_r")
    assert [round(sd(anova, name), 4) for name in ("重复性", "操作者", "合计量具 R&R")] == [0.1999, 0.2268, 0.3024]
    assert round(sd(ranges, "重复性"), 4) == 0.2019 and records(ranges, "verdict")[0]["ndc"] == 5


def test_one_operator_one_part_and_one_reading_are_refused() -> None:
    assert "只有 1 名操作者" in TRIAL.refused(FRAME[FRAME["操作者"] == "A"]).text
    assert "只有 1 个部件" in TRIAL.refused(FRAME[FRAME["部件"] == 1]).text
    assert "每个组合只有 1 次测量" in TRIAL.refused(FRAME[FRAME["次序"] == 1]).text


def test_unequal_repeats_are_named_and_take_reml_or_are_refused() -> None:
    short = FRAME.drop(index=4)
    elements = TRIAL.report(short)
    assert "data.unbalanced" in warnings(elements)
    warning = next(one for one in elements if one.get("code") == "data.unbalanced")
    assert warning["facts"] == {"p": "5", "o": "A"}
    assert sd(elements, "重复性") == pytest.approx(0.2, abs=0.01)
    refusal = TRIAL.refused(short, method="xbar_r")
    assert "部件“5”与操作者“A”" in refusal.text and refusal.faults[0].remedies


def test_reml_of_a_balanced_study_is_the_analysis_of_variance() -> None:
    from hengxi.families.control.gage import crossed, crossed_reml

    rng = np.random.default_rng(1)
    cube = rng.normal(size=(6, 1, 1)) + 0.5 * rng.normal(size=(1, 3, 1)) + 0.4 * rng.normal(size=(6, 3, 1))
    cube = cube + 0.2 * rng.normal(size=(6, 3, 2))
    part, operator = np.repeat(np.arange(6), 6), np.tile(np.repeat(np.arange(3), 2), 6)
    by_squares, by_likelihood = crossed(cube).variances(False), crossed_reml(cube.ravel(), part, operator)
    for name in ("repeat", "operator", "interaction", "part"):
        assert getattr(by_likelihood, name) == pytest.approx(getattr(by_squares, name), rel=1e-4)


def test_a_shift_of_one_operator_is_reproducibility_alone() -> None:
    shifted = FRAME.assign(测量值=FRAME["测量值"] + 0.5 * (FRAME["操作者"] == "C"))
    plain, moved = TRIAL.report(), TRIAL.report(shifted)
    assert sd(moved, "重复性") == pytest.approx(sd(plain, "重复性")) and sd(moved, "操作者") != sd(plain, "操作者")


def test_shares_of_variance_add_up_and_those_of_deviations_do_not() -> None:
    rows = {row["source"]: row for row in records(TRIAL.report(), "components")}
    assert rows["合计量具 R&R"]["share"] + rows["部件间"]["share"] == pytest.approx(100)
    assert element(TRIAL.report(hist_sigma=2), "evaluation")["columns"][-1]["key"] == "percent_process"
