from __future__ import annotations

import time

import numpy as np
import pandas as pd

from hengxi.testing import Trial, records, said

FRAME = pd.DataFrame({"物": ["a", "b", "c"], "重": [2.0, 3, 4], "值": [3.0, 4, 5]})
KINDS = {"物": "定类", "重": "定量", "值": "定量", "重2": "定量"}
TRIAL = Trial("mathematical_modeling/knapsack", FRAME, {"item": "物", "value": "值", "weight": ["重"],
              "capacity": [5]}, KINDS)  # fmt: skip


def test_bad_input_is_refused() -> None:
    assert TRIAL.refused(capacity=[]).code == "numbers.required"
    assert TRIAL.refused(capacity=[0]).code == "numbers.each"
    assert "第 2 行的重量或价值为负" in TRIAL.refused(FRAME.assign(值=[1, -1, 1])).text
    assert "第 3 行缺少“重”" in TRIAL.refused(FRAME.assign(重=[1, 1, None])).text
    assert "需要 1 个容量，收到 2 个" in TRIAL.refused(capacity=[1, 2]).text
    assert "需要 3 个物品数量，收到 2 个" in TRIAL.refused(kind="bounded", counts=[1, 2]).text
    free = FRAME.assign(重=[0, 3, 4])
    assert "总价值没有上限" in TRIAL.refused(free, kind="unbounded").text
    assert "重量为 0 的物品没有价值密度" in said(TRIAL.report(free)) or records(TRIAL.report(free), "chosen")


def test_dynamic_programming_is_branch_and_bound_on_random_sacks() -> None:
    rng = np.random.default_rng(11)
    for kind in ("binary", "unbounded", "bounded"):
        for _ in range(8):
            n = int(rng.integers(2, 8))
            frame = pd.DataFrame({"重": rng.integers(1, 12, n) * 1.0, "值": rng.integers(1, 20, n) * 1.0})
            form = {"item": None, "capacity": [int(rng.integers(5, 40))], "kind": kind,
                    "counts": rng.integers(0, 4, n).tolist()}  # fmt: skip
            values = [records(TRIAL.report(frame, algorithm=key, **form), "total")[0] for key in ("dynamic", "branch")]
            assert values[0]["value"] == values[1]["value"] <= values[0]["bound"] + 1e-9


def test_a_thousand_items_in_time() -> None:
    rng = np.random.default_rng(12)
    frame = pd.DataFrame(
        {"重": rng.integers(1, 100, 1000).astype(float), "值": rng.integers(1, 100, 1000).astype(float)}
    )
    begun = time.process_time()
    values = [
        records(TRIAL.report(frame, item=None, capacity=[2000], algorithm=key), "total")[0]["value"]
        for key in ("dynamic", "branch")
    ]  # fmt: skip
    assert values[0] == values[1] and time.process_time() - begun < 10
