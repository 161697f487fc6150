"""Refusals, more than two groups, ties, the exact p against every way to share out the cases."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, check, records, said

FRAME = pd.DataFrame({"组": list("甲" * 5 + "乙" * 6), "值": [1.0, 2, 2, 3, 5, 2, 3, 4, 6, 6, 7]})
TRIAL = Trial(
    "hypothesis_test/ks_two_sample", FRAME, {"group": "组", "variables": ["值"]}, {"值": "定量", "组": "定类"}
)


def test_three_groups_are_refused_but_by_anderson_darling() -> None:
    frame = pd.concat([FRAME, FRAME.assign(组="丙")])
    refusal = TRIAL.refused(frame, tests=["ad", "ks"])
    assert "K-S 检验需要恰好两组，当前为 3 组" in refusal.text and refusal.faults[0].remedies
    assert len(records(TRIAL.report(frame, tests=["ad"]), "result")) == 1
    assert TRIAL.report(frame, tests=["ad"], p_method="permutation")


def test_too_few_and_constant_data_are_refused() -> None:
    assert "有效样本不足 3 个" in TRIAL.refused(FRAME.assign(组=list("甲" * 2 + "乙" * 9))).text
    assert "没有分布可比" in TRIAL.refused(FRAME.assign(值=1.0)).text
    assert "请改选 K-S" in TRIAL.refused(FRAME.assign(值=[1.0] * 9 + [2, 3]), tests=["epps"]).text


@pytest.mark.parametrize("side", ["two_sided", "greater", "less"])
def test_exact_p_counts_every_way_to_share_out_the_cases(side: str) -> None:
    values = FRAME["值"].to_numpy()
    grid = np.unique(values)

    def distance(first: tuple[int, ...]) -> float:
        inside = np.isin(np.arange(values.size), first)
        over = np.array([(values[inside] <= v).mean() - (values[~inside] <= v).mean() for v in grid])
        return float({"two_sided": np.abs(over), "greater": -over, "less": over}[side].max())

    every = np.array([distance(part) for part in combinations(range(11), 5)])
    (row,) = records(TRIAL.report(p_method="exact", alternative=side), "result")
    assert row["p"] == pytest.approx(np.mean(every >= distance((0, 1, 2, 3, 4)) - 1e-9), rel=1e-12)
    (drawn,) = records(TRIAL.report(p_method="permutation", alternative=side), "result")
    assert drawn["p"] == pytest.approx(row["p"], abs=0.02)


def test_a_lower_first_group_is_what_less_asks_for() -> None:
    text = said(TRIAL.report(FRAME.assign(值=[*range(5), *range(10, 16)]), alternative="less", p_method="exact"))
    assert "整体上比“{second}”组低（*p* {p:peq}）" in text


def test_equal_spread_apart_is_said_to_be_no_shift() -> None:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"组": ["甲"] * 80 + ["乙"] * 80, "值": [*rng.normal(0, 1, 80), *rng.normal(0, 4, 80)]})
    assert "没有发现位置不同" in check(TRIAL.report(frame), "差别的种类")["text"]
    assert check(TRIAL.report(), "样本量")["remedies"][0]["set"] == {"p_method": "exact"}


def test_all_statistics_agree_on_shuffled_labels() -> None:
    """Each asymptotic p is near its permutation p."""
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({"组": ["甲"] * 60 + ["乙"] * 70, "值": [*rng.normal(0, 1, 60), *rng.normal(0.3, 1.2, 70)]})
    tests = ["ks", "cvm", "ad", "kuiper"]
    near = records(TRIAL.report(frame, tests=tests), "result")
    drawn = records(TRIAL.report(frame, tests=tests, p_method="permutation"), "result")
    assert [row["p"] for row in near] == pytest.approx([row["p"] for row in drawn], abs=0.06)
