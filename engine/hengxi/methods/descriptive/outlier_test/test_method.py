"""What is particular to outliers: sizes a test is made for, masking, one variable for methods of several."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.stats.outliers import dixon_critical, dixon_tail
from hengxi.testing import Trial, records, said, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
TRIAL = Trial("descriptive/outlier_test", FRAME, {"variables": ["读数"]}, {"读数": "定量", "b": "定量"})
report, refused = TRIAL.report, TRIAL.refused


def test_sizes_outside_a_test_are_named() -> None:
    elements = report(methods=["grubbs", "esd"])
    assert "data.size" in warnings(elements)
    frame = pd.DataFrame({"读数": np.arange(31.0)})
    assert "做不了" in refused(frame, methods=["dixon"]).text


def test_equal_values_have_no_outliers() -> None:
    assert "取值完全相同" in refused(FRAME.assign(读数=3.0)).text


def test_methods_of_several_variables_want_two() -> None:
    refusal = refused(methods=["mahalanobis"])
    assert "至少需要2个变量" in refusal.text
    frame = FRAME.assign(b=FRAME["读数"] * 2)
    refusal = refused(pd.concat([frame] * 3), variables=["读数", "b"], methods=["mahalanobis"])
    assert refusal.code == "data.singular"


def test_two_outliers_mask_each_other_but_not_from_esd() -> None:
    x = np.append(np.random.default_rng(5).normal(size=30), [9.0, 9.2])
    elements = report(pd.DataFrame({"读数": x}), methods=["grubbs", "esd"])
    counts = {row["method"]: row["count"] for row in records(elements, "summary")}
    assert counts["广义ESD"] == 2
    assert {row["row"] for row in records(elements, "details") if row["method"] == "广义ESD"} == {31, 32}


def test_rows_point_to_the_file_beside_gaps_and_filters() -> None:
    frame = pd.DataFrame({"读数": [None, 1.0, 2.0, 1.5, None, 1.2, 50.0, 1.1, 1.6, 1.3]})
    assert records(report(frame, methods=["grubbs"]), "details")[0]["row"] == 7


@pytest.mark.parametrize(("n", "published"), [(3, 0.970), (4, 0.829), (6, 0.628)])
def test_dixon_meets_published_critical_values(n: int, published: float) -> None:
    """Rorabacher (1991), two-tailed, α = .05."""
    assert dixon_critical(n, 0.05) == pytest.approx(published, abs=1.2e-3)
    assert dixon_tail(0.5, 3) == pytest.approx(0.5, abs=1e-9)


def test_a_forest_repeats_with_its_seed_whatever_the_order_of_rows() -> None:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.normal(size=(80, 2)), columns=["读数", "b"])
    form: dict[str, Any] = {"variables": ["读数", "b"], "methods": ["iforest"]}
    a, b = (report(d, **form) for d in (frame, frame.iloc[::-1].reset_index(drop=True)))
    assert [r["statistic"] for r in records(a, "details")] == [r["statistic"] for r in records(b, "details")]
    assert "异常不等于错误" in said(a)


def test_many_outliers_are_listed_to_a_thousand() -> None:
    frame = pd.DataFrame({"读数": np.random.default_rng(2).standard_cauchy(20_000)})
    elements = report(frame, methods=["tukey"])
    assert len(records(elements, "details")) == 1000 < records(elements, "summary")[0]["count"]
