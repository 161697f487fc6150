"""Refusals; LMG against all orders by hand; intervals against a loop of its own; too many drivers."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hengxi.stats.importance import lmg, relative_weights
from hengxi.testing import Trial, records, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
NAMES = list(FRAME.columns[1:])
KINDS = dict.fromkeys(FRAME.columns, "定量")
TRIAL = Trial("questionnaire/key_driver", FRAME, {"y": "总体评价", "x": NAMES, "n_boot": 200}, KINDS)


def test_fewer_rows_than_drivers_are_refused() -> None:
    assert "样本量 7 不足以估计模型" in TRIAL.refused(FRAME[:7]).text


def test_drivers_that_say_the_same_are_named() -> None:
    refusal = TRIAL.refused(FRAME.assign(没有特权=100 - 2 * FRAME["处理投诉"]))
    assert "因素“处理投诉”“没有特权”完全共线" in refusal.text


def test_constants_are_refused_by_name() -> None:
    assert "“没有特权”在有效样本中只有一个取值" in TRIAL.refused(FRAME.assign(没有特权=3)).text
    assert "“总体评价”" in TRIAL.refused(FRAME.assign(总体评价=3)).text


def test_lmg_is_the_mean_over_all_orders() -> None:
    r = np.corrcoef(FRAME[[*NAMES[:4], "总体评价"]].to_numpy(), rowvar=False)

    def r2(columns: tuple[int, ...]) -> float:
        at = list(columns)
        return float(r[at, -1] @ np.linalg.solve(r[np.ix_(at, at)], r[at, -1])) if at else 0.0

    gains = np.zeros(4)
    for order in permutations(range(4)):
        for k, j in enumerate(order):
            gains[j] += r2(order[: k + 1]) - r2(order[:k])
    assert lmg(r[None])[0] == pytest.approx(gains / 24, abs=1e-12)
    assert relative_weights(r[None])[0].sum() == pytest.approx(lmg(r[None])[0].sum())


def test_intervals_are_percentiles_of_resamples() -> None:
    """With other draws the ends move by the noise of resampling only."""
    few, many = (
        {row["name"]: row for row in records(TRIAL.report(n_boot=3000, seed=seed), "result")} for seed in (1, 2)
    )
    data = FRAME[[*NAMES, "总体评价"]].to_numpy()
    rng = np.random.default_rng(5)
    drawn = np.vstack([lmg(np.corrcoef(data[rng.integers(0, 30, 30)], rowvar=False)[None])[0] for _ in range(1500)])
    low, high = np.percentile(drawn, [2.5, 97.5], axis=0)
    for j, name in enumerate(NAMES):
        for row in (few[name], many[name]):
            assert row["low"] == pytest.approx(low[j], abs=0.03) and row["high"] == pytest.approx(high[j], abs=0.05)


def test_more_drivers_than_can_be_enumerated_get_relative_weights() -> None:
    rng = np.random.default_rng(3)
    wide = pd.DataFrame(rng.normal(size=(80, 17)), columns=[f"x{i}" for i in range(17)])
    wide["总体评价"] = wide.sum(axis=1) + rng.normal(size=80)
    names = [f"x{i}" for i in range(17)]
    report = TRIAL.report(wide, dict.fromkeys(wide.columns, "定量"), x=names, method="dominance")
    assert "data.many" in warnings(report)
    total = sum(row["importance"] for row in records(report, "result"))
    assert total == pytest.approx(records(report, "summary")[0]["r2"])
