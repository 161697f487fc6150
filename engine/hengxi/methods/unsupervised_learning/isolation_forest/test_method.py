"""What is particular to the isolation forest: categories, rows all alike, many trees."""

import numpy as np
import pandas as pd

from hengxi.testing import Trial, records

RNG = np.random.default_rng(4)
FRAME = pd.DataFrame(np.vstack([RNG.normal(0, 1, (59, 2)), [[9.0, 9.0]]]), columns=["甲", "乙"])
TRIAL = Trial("unsupervised_learning/isolation_forest", FRAME, {"x": ["甲", "乙"], "n_estimators": 20},
              {"甲": "定量", "乙": "定量", "丙": "定类"})  # fmt: skip


def test_the_row_far_away_comes_first() -> None:
    assert records(TRIAL.report(), "odd_rows")[0]["row"] == 60


def test_a_rare_category_is_odd() -> None:
    marked = FRAME[:59].assign(丙=["常"] * 58 + ["罕"])
    assert records(TRIAL.report(marked, x=["丙"]), "odd_rows")[0]["row"] == 59


def test_rows_all_alike_are_refused() -> None:
    assert "数据没有差异，无法检测异常" in TRIAL.refused(FRAME * 0).text


def test_few_rows_shares_and_levels_are_refused() -> None:
    assert "至少需要10行" in TRIAL.refused(FRAME[:9]).text
    for share in (0, 0.6):
        refusal = TRIAL.refused(contamination=share)
        assert refusal.code == "number.range" and "异常比例" in refusal.text
    many = FRAME.assign(丙=[f"类{i}" for i in range(60)])
    assert TRIAL.refused(many, x=["甲", "丙"]).code == "data.levels"


def test_many_trees_are_not_taken_apart() -> None:
    assert not records(TRIAL.report(n_estimators=301), "contributions")


def test_another_seed_another_forest() -> None:
    one, two = (records(TRIAL.report(seed=seed), "summary")[0]["largest"] for seed in (1, 2))
    assert one != two and records(TRIAL.report(seed=1), "summary")[0]["largest"] == one
