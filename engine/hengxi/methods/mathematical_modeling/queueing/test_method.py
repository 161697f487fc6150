from __future__ import annotations

import time
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, cells, records

FRAME = pd.DataFrame({"间隔": np.linspace(0.1, 2, 40), "服务": np.linspace(0.1, 0.9, 40)})
TRIAL = Trial("mathematical_modeling/queueing", FRAME, {"model": "mm1", "lam": 2.0, "mu": 3.0, "sim_customers": 0}, {
    "间隔": "定量", "服务": "定量"})  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"lam": 3.0}, "ρ=1≥1，系统没有稳态，请增加服务台（至少 2 个）"),
        ({"model": "mmck", "c": 3, "capacity": 2}, "系统容量 2 不能小于服务台数 3"),
        ({"model": "mmck", "c": 3}, "请在“系统容量 K”填写系统容量"),
        ({"model": "source", "c": 1}, "填写顾客总数"),
        ({"model": "mg1"}, "要知道服务时间的标准差"),
        ({"model": "ggc"}, "要靠模拟"),
        ({"sim_customers": 10}, "至少 1000"),
        ({"frame": FRAME[:5], "arrival": "间隔"}, "至少要 20 个数"),
        ({"frame": FRAME.assign(间隔=-1.0), "arrival": "间隔"}, "不能为负"),
    ],
)
def test_what_cannot_be_answered_is_refused(changes: dict[str, Any], text: str) -> None:
    assert text in TRIAL.refused(**changes).text


def test_rates_must_be_positive() -> None:
    assert {TRIAL.refused(lam=0).code, TRIAL.refused(mu=0).code} == {"number.range"}


@pytest.mark.parametrize(
    "form",
    [
        {"model": "mm1"}, {"model": "mmc", "c": 2}, {"model": "mmck", "c": 1, "capacity": 4},
        {"model": "source", "c": 1, "capacity": 4, "lam": 0.4, "mu": 1.0}, {"model": "md1"},
        {"model": "mg1", "service_sd": 0.2},
    ],
)  # fmt: skip
def test_the_simulation_covers_the_formula_for_most_seeds(form: dict[str, Any]) -> None:
    hits = trials = 0
    for seed in range(8):
        for row in records(TRIAL.report(sim_customers=6000, seed=seed, **form), "measures_"):
            if row["low"] is not None:
                slack = 0.05 * row["theory"]
                hits += row["low"] - slack <= row["theory"] <= row["high"] + slack
                trials += 1
    assert hits >= 0.85 * trials


def test_the_same_seed_gives_the_same_run_and_a_million_customers_are_quick() -> None:
    one, two = (TRIAL.report(sim_customers=3000, seed=5) for _ in range(2))
    assert cells(one, "measures_") == cells(two, "measures_")
    begun = time.process_time()
    TRIAL.report(sim_customers=1_000_000)
    assert time.process_time() - begun < 8


def test_heavy_traffic_and_many_servers_keep_their_digits() -> None:
    rows = {r["name"]: r["theory"] for r in records(TRIAL.report(lam=2.9999), "measures_")}
    assert rows["平均人数 L"] == pytest.approx(2.9999 / (3 - 2.9999), rel=1e-6)
    many = {r["name"]: r["theory"] for r in records(TRIAL.report(model="mmc", c=400, lam=1150), "measures_")}
    assert many["平均逗留时间 W"] == pytest.approx(many["平均等待时间 Wq"] + 1 / 3, rel=1e-9)
