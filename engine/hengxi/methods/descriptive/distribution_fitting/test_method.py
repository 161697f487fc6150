"""What a distribution cannot hold, fits that do not exist, frequencies, the drawn p."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, check, records, said, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
KINDS = {"等待时间": "定量", "死亡数": "定量", "次数": "定量"}
TRIAL = Trial("descriptive/distribution_fitting", FRAME, {"variables": ["等待时间"]}, KINDS)


def names(elements: list[dict[str, Any]]) -> list[str]:
    return [row["distribution"] for row in records(elements, "compare")]


def test_values_a_distribution_cannot_have() -> None:
    zero = FRAME.assign(等待时间=FRAME["等待时间"] - 3)
    assert "含小于等于0的值" in TRIAL.refused(zero, distributions=["gamma"]).text
    assert "含小于0的值" in TRIAL.refused(zero, distributions=["expon"]).text
    assert "贝塔分布要求取值在0与1之间" in TRIAL.refused(distributions=["beta"]).text
    assert "计数分布要求非负整数" in TRIAL.refused(distributions=["poisson"]).text
    deaths: dict[str, Any] = {"variables": ["死亡数"], "distributions": ["binom"]}
    assert "大于试验次数 3" in TRIAL.refused(**deaths, trials=3).text


def test_a_candidate_left_out_is_named() -> None:
    elements = TRIAL.report(FRAME.assign(等待时间=FRAME["等待时间"] - 3))
    assert names(elements) == ["正态"] and warnings(elements) == ["data.left_out"]


def test_a_fit_without_a_maximum_is_left_out() -> None:
    frame = pd.DataFrame({"等待时间": [3, 3, 4, 3, 4, 3, 2, 3, 4, 3]})
    elements = TRIAL.report(frame, distributions=["poisson", "nbinom"])
    assert names(elements) == ["泊松"] and warnings(elements) == ["data.left_out"]
    assert "未收敛" in TRIAL.refused(frame, distributions=["nbinom"]).text


def test_equal_or_few_values_are_refused() -> None:
    assert "没有变异" in TRIAL.refused(FRAME.assign(等待时间=5.0)).text
    assert "4" in TRIAL.refused(FRAME.iloc[:4]).text


def test_frequencies_stand_for_repeated_rows() -> None:
    frame = FRAME.assign(次数=np.arange(200) % 3)
    a = records(TRIAL.report(frame, weight="次数"), "compare")
    b = records(TRIAL.report(frame.loc[np.repeat(frame.index, frame["次数"])]), "compare")
    for one, other in zip(a, b, strict=True):
        assert one["distribution"] == other["distribution"]
        for key in ("aic", "bic", "D", "A2"):
            assert one[key] == pytest.approx(other[key], rel=1e-9)


def test_the_drawn_p_comes_again_and_tells_a_bad_fit() -> None:
    form: dict[str, Any] = {"distributions": ["expon", "gamma"], "bootstrap": True}
    rows = {row["distribution"]: row["p"] for row in records(TRIAL.report(**form), "compare")}
    assert rows["指数"] == pytest.approx(1 / 200) and rows["伽马"] > 0.05
    assert rows == {row["distribution"]: row["p"] for row in records(TRIAL.report(**form), "compare")}


def test_above_five_thousand_no_p_is_drawn() -> None:
    frame = pd.DataFrame({"等待时间": np.random.default_rng(1).normal(50, 8, 5001)})
    elements = TRIAL.report(frame, bootstrap=True, distributions=["norm"])
    assert records(elements, "compare")[0]["p"] is None and check(elements, "*p* 的来源")["state"] == "care"
    assert "自助法 *p*" not in said(elements)
