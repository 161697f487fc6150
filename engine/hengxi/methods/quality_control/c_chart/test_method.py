"""Refusals of the C chart; exact limits of few defects."""

import numpy as np
import pandas as pd

from hengxi.testing import Trial, check, records

RNG = np.random.default_rng(1)
FRAME = pd.DataFrame({"缺": RNG.poisson(9, 25), "期": ["甲"] * 12 + ["乙"] * 13})
TRIAL = Trial("quality_control/c_chart", FRAME, {"defects": "缺"}, {"缺": "定量", "期": "定类"})


def test_what_is_no_count_is_refused_by_row() -> None:
    assert "第 2 行的缺陷数不是非负整数" in TRIAL.refused(FRAME.assign(缺=[9, -1, *FRAME["缺"][2:]])).text
    assert "第 1 行" in TRIAL.refused(FRAME.assign(缺=[0.5, *FRAME["缺"][1:]])).text


def test_few_defects_offer_exact_limits() -> None:
    rare = FRAME.assign(缺=RNG.poisson(0.4, 25))
    remedy = check(TRIAL.report(rare), "平均缺陷数")["remedies"][0]
    assert remedy["set"] == {"exact": True}
    assert records(TRIAL.report(rare, exact=True), "control_limits")[0]["ucl"] == int(
        records(TRIAL.report(rare, exact=True), "control_limits")[0]["ucl"]
    )


def test_phases_have_centres_of_their_own() -> None:
    rows = records(TRIAL.report(phase="期"), "control_limits")
    assert [row["phase"] for row in rows] == ["甲", "乙"] and rows[0]["cl"] != rows[1]["cl"]
