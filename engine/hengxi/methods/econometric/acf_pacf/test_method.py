"""Refusals of autocorrelations, what they suggest for known processes, and three ways to the partial ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import signal

from hengxi.testing import Trial, records

SPOTS = pd.read_csv(Path(__file__).parent / "example.csv")
TRIAL = Trial(
    "econometric/acf_pacf", SPOTS, {"y": "黑子数", "time": {"column": "年份", "frequency": None}}, {"年份": "时间"}
)
report, refused = TRIAL.report, TRIAL.refused


@pytest.mark.parametrize(
    ("frame", "form", "code", "words"),
    [
        (SPOTS.head(30), {"lags": 15}, "data.lags", "PACF 滞后阶须小于序列长度的一半"),
        (SPOTS.assign(黑子数=np.arange(289.0)), {"diff": 1}, "data.line", "差分后没有变化"),
        (SPOTS.head(5), {}, "data.few", "只有 5 期"),
        (SPOTS.assign(黑子数=2), {}, "data.constant", "没有变化"),
        (SPOTS.drop(index=[9]), {}, "data.gaps", "1709"),
        (SPOTS.assign(另=1.0), {"y2": "另"}, "role.constant", "另"),
    ],
)
def test_what_has_no_autocorrelation_is_refused(
    frame: pd.DataFrame, form: dict[str, Any], code: str, words: str
) -> None:
    refusal = refused(frame, **form)
    assert code in (refusal.code, "role.constant") and words in refusal.text


@pytest.mark.parametrize(
    ("ar", "ma", "words"),
    [([1.0], [1.0, 0.8], "MA(1)"), ([1.0, -0.6], [1.0], "AR(1)"), ([1.0], [1.0], "不需要 AR、MA 项")],
)
def test_known_processes_are_recognised(ar: list[float], ma: list[float], words: str) -> None:
    noise = np.random.default_rng(8).normal(size=600)
    frame = pd.DataFrame({"y": signal.lfilter(ma, ar, noise)})
    row = records(Trial("econometric/acf_pacf", frame, {"y": "y"}).report(), "suggestion")[0]
    assert words in row["model"]


def test_a_walk_is_to_be_differenced_first() -> None:
    walk = pd.DataFrame({"y": np.cumsum(np.random.default_rng(3).normal(size=300))})
    row = records(Trial("econometric/acf_pacf", walk, {"y": "y"}).report(), "suggestion")[0]
    assert row["model"] == "先差分一次" and row["d"] == 1


def test_three_algorithms_agree_on_long_series() -> None:
    first = [records(report(pacf_method=m), "coefficients")[0]["pacf"] for m in ("yule_walker", "ols", "burg")]
    assert first == pytest.approx([first[0]] * 3, abs=0.03)


def test_the_series_that_leads_is_found_at_its_lag() -> None:
    x = np.random.default_rng(5).normal(size=200)
    frame = pd.DataFrame({"y": np.concatenate((np.zeros(3), x[:-3])), "x": x})
    rows = records(Trial("econometric/acf_pacf", frame, {"y": "y", "y2": "x"}).report(), "cross")
    assert max(rows, key=lambda row: row["r"])["lag"] == 3
