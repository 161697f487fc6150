"""What is particular to independent components: how many there can be, and what does not converge."""

import numpy as np
import pandas as pd

from hengxi.testing import Trial, records

T = np.linspace(0, 20, 300)
S = np.column_stack([np.sin(T), np.sign(np.sin(2.3 * T)), (T * 0.7) % 1])
FRAME = pd.DataFrame(S @ np.array([[1, 0.5, 1.5], [1, 2, 1], [0.4, 1, 2]]).T, columns=["甲", "乙", "丙"])
TRIAL = Trial(
    "unsupervised_learning/fast_ica", FRAME, {"x": list(FRAME.columns)}, dict.fromkeys([*FRAME.columns, "丁"], "定量")
)


def test_the_sources_come_back() -> None:
    scores = pd.DataFrame(records(TRIAL.report(), "scores")).drop(columns="row").to_numpy()
    found = np.abs(np.corrcoef(scores.T, S.T)[:3, 3:])
    assert (found.max(axis=1) > 0.98).all()


def test_more_components_than_variables_are_refused() -> None:
    refusal = TRIAL.refused(n_components=4)
    assert "成分数不能大于变量数3" in refusal.text and refusal.faults[0].remedies


def test_variables_that_follow_from_others_are_refused() -> None:
    assert TRIAL.refused(FRAME.assign(丁=FRAME["甲"] + FRAME["乙"]), x=["甲", "乙", "丙", "丁"]).code == "data.rank"


def test_what_does_not_converge_is_refused() -> None:
    noise = pd.DataFrame(np.random.default_rng(1).normal(size=(40, 3)), columns=["甲", "乙", "丙"])
    refusal = TRIAL.refused(noise, max_iter=50, fun="cube", seed=3)
    assert "迭代50次未收敛" in refusal.text


def test_constants_are_refused() -> None:
    assert TRIAL.refused(FRAME * 0).code == "role.constant"


def test_components_are_saved() -> None:
    data = next(e for e in TRIAL.report(append=True) if e["type"] == "data")
    assert [c["name"] for c in data["columns"]] == ["成分1", "成分2", "成分3"]
