"""What is particular to ratios: denominators that are not positive, bounds as text, copies of rows, units."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from hengxi.testing import Trial, records, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
KINDS = {"评估价": "定量", "成交价": "定量", "区域": "定类"}
TRIAL = Trial("descriptive/ratio_statistics", FRAME, {"numerator": "评估价", "denominator": "成交价"}, KINDS)
report, refused = TRIAL.report, TRIAL.refused


def test_denominators_that_are_never_positive_are_refused() -> None:
    refusal = refused(FRAME.assign(成交价=-FRAME["成交价"]))
    assert refusal.code == "data.denominator" and "分母必须为正数" in refusal.text


@pytest.mark.parametrize("written", ["0.8", "1.2,0.8", "a,b", "0.8,1,1.2", "nan,1", "0,inf"])
def test_bounds_that_are_no_interval_are_refused(written: str) -> None:
    assert "集中指数区间应写成“下限,上限”" in refused(between=written).text


def test_rows_without_a_positive_denominator_leave_and_are_said() -> None:
    frame = FRAME.copy()
    frame.loc[[3, 8], "成交价"] = [0.0, -5.0]
    elements = report(frame)
    assert records(elements, "result")[0]["n"] == 198 and "data.denominator" in warnings(elements)


def test_another_unit_of_both_leaves_every_ratio() -> None:
    a = records(report(), "evenness")[0]
    b = records(report(FRAME.assign(评估价=FRAME["评估价"] * 1e4, 成交价=FRAME["成交价"] * 1e4)), "evenness")[0]
    for key in ("cod", "prd", "aad", "cv_mean", "cv_median"):
        assert a[key] == pytest.approx(b[key], rel=1e-12)


def test_values_too_large_are_refused() -> None:
    assert refused(FRAME.assign(评估价=FRAME["评估价"] * 1e200)).code == "data.magnitude"


def test_a_single_ratio_is_too_few() -> None:
    assert refused(FRAME.iloc[:1]).code.startswith("data.")
