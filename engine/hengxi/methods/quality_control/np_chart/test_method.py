"""Refusals of the NP chart."""

import numpy as np
import pandas as pd

from hengxi.testing import Trial, records

RNG = np.random.default_rng(1)
FRAME = pd.DataFrame({"坏": RNG.binomial(50, 0.2, 25), "期": ["甲"] * 12 + ["乙"] * 13})
TRIAL = Trial("quality_control/np_chart", FRAME, {"defectives": "坏"}, {"坏": "定量", "期": "定类"})


def test_more_defectives_than_pieces_are_refused_with_a_way_out() -> None:
    refusal = TRIAL.refused(FRAME.assign(坏=[60, *FRAME["坏"][1:]]))
    assert "第 1 行不合格品数大于子组大小" in refusal.text
    assert [getattr(remedy, "method", None) for remedy in refusal.faults[0].remedies] == ["quality_control/p_chart"]


def test_a_known_centre_is_a_number_of_pieces() -> None:
    assert "0 与子组大小之间" in TRIAL.refused(center=50).text
    assert {row["cl"] for row in records(TRIAL.report(center=8, phase="期"), "control_limits")} == {8.0}


def test_no_defectives_are_refused() -> None:
    assert "全部为 0" in TRIAL.refused(FRAME.assign(坏=0)).text
