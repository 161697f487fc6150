"""Refusals of unit root tests, and what they say of a walk, of noise and of a trend."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, records

NILE = pd.read_csv(Path(__file__).parent / "example.csv")
TRIAL = Trial(
    "hypothesis_test/adf", NILE, {"y": ["流量"], "time": {"column": "年份", "frequency": None}}, {"年份": "时间"}
)
report, refused = TRIAL.report, TRIAL.refused


@pytest.mark.parametrize(
    ("frame", "form", "code", "words"),
    [
        (NILE.head(11), {}, "data.few", "至少要 12 期"),
        (NILE.assign(流量=5), {}, "data.constant", "没有变化"),
        (NILE, {"max_lag": 48}, "data.lag", "最大滞后须小于 T/2 − 2"),
        (NILE.drop(index=[5]), {}, "data.gaps", "1876"),
        (pd.concat([NILE, NILE.head(1)]), {}, "timeline.duplicate", "不止一行"),
    ],
)
def test_what_cannot_be_tested_is_refused_by_name(
    frame: pd.DataFrame, form: dict[str, Any], code: str, words: str
) -> None:
    refusal = refused(frame, **form)
    assert refusal.code == code and words in refusal.text


@pytest.mark.parametrize(("sums", "order"), [(0, "I(0)"), (1, "I(1)"), (2, "I(2)")])
def test_the_order_of_integration_is_found(sums: int, order: str) -> None:
    y = np.random.default_rng(11).normal(size=300)
    for _ in range(sums):
        y = np.cumsum(y)
    trial = Trial("hypothesis_test/adf", pd.DataFrame({"y": y}), {"y": ["y"], "tests": ["adf", "pp"], "lag": "bic"})
    assert {row["found"] for row in records(trial.report(), "order")} == {order}


def test_a_trend_is_kept_only_where_it_is_there() -> None:
    rng = np.random.default_rng(4)
    trended = pd.DataFrame({"y": 0.5 * np.arange(120) + rng.normal(size=120)})
    flat = pd.DataFrame({"y": rng.normal(size=120)})
    form = {"y": ["y"], "trend": "auto"}
    first = [records(Trial("hypothesis_test/adf", f, form).report(), "result")[0]["trend"] for f in (trended, flat)]
    assert first == ["常数和趋势", "常数"]


def test_another_unit_changes_no_statistic() -> None:
    tests = ["adf", "pp", "kpss", "dfgls", "za"]
    once, scaled = report(tests=tests), report(NILE.assign(流量=1000.0 * NILE["流量"]), tests=tests)
    a, b = ([row["statistic"] for row in records(one, "result")] for one in (once, scaled))
    assert b == pytest.approx(a, rel=1e-9)
