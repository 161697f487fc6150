from __future__ import annotations

import time
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, cells, check, records, said

FRAME = pd.DataFrame({
    "工序": ["a", "b", "c", "d"], "前": [None, "a", "a", "b,c"], "短": [1.0, 2, 1, 1], "中": [2.0, 4, 3, 1],
    "长": [3.0, 6, 8, 1], "赶": [1.0, 2, 3, 1], "费": [10.0, 10, 10, 10], "赶费": [20.0, 12, 10, 10],
})  # fmt: skip
KINDS = {"工序": "定类", "前": "定类"} | dict.fromkeys(["短", "中", "长", "赶", "费", "赶费"], "定量")
FORM = {"task": "工序", "pre": "前", "time": "中"}
THREE: Any = {"optimistic": "短", "pessimistic": "长"}
TRIAL = Trial("mathematical_modeling/critical_path", FRAME, FORM, KINDS)


def test_bad_plans_are_refused() -> None:
    assert "工序之间存在循环：" in TRIAL.refused(FRAME.assign(前=["d", "a", "a", "b,c"])).text
    assert "工序“b”的紧前工序“x”未定义" in TRIAL.refused(FRAME.assign(前=[None, "x", "a", "b"])).text
    assert "应满足 乐观 ≤ 最可能 ≤ 悲观" in TRIAL.refused(FRAME.assign(短=[1, 5, 1, 1]), **THREE).text
    assert "工序“b”的工期为负" in TRIAL.refused(FRAME.assign(中=[2, -4, 3, 1])).text
    assert "工序“c”缺少工期" in TRIAL.refused(FRAME.assign(中=[2, 4, None, 1])).text
    assert "与前面重复" in TRIAL.refused(FRAME.assign(工序=["a", "a", "c", "d"])).text
    assert "第 2 行缺少工序名称" in TRIAL.refused(FRAME.assign(工序=["a", None, "c", "d"])).text
    assert "另一列" in TRIAL.refused(optimistic="短").text
    assert "请补齐" in TRIAL.refused(crash_time="赶").text
    long = FRAME.assign(赶=[9, 2, 3, 1])
    assert "不能比正常工期长" in TRIAL.refused(long, crash_time="赶", normal_cost="费", crash_cost="赶费").text


def test_the_circle_is_named_along_its_arrows() -> None:
    text = TRIAL.refused(FRAME.assign(前=["d", "a", "a", "b,c"])).text
    assert "a → b → d → a" in text or "d → a → b → d" in text or "b → d → a → b" in text


def test_tasks_that_do_not_wait_have_no_network() -> None:
    report = TRIAL.report(FRAME.assign(前=[None, None, None, "-"]))
    assert "没有先后关系" in str(report) and records(report, "summary")[0]["length"] == 4


@pytest.mark.parametrize("dist", ["beta", "triangular", "normal"])
def test_one_task_has_the_moments_of_its_distribution(dist: str) -> None:
    frame = FRAME[:1].assign(短=[2.0], 中=[5.0], 长=[14.0])
    frame = pd.concat([frame, FRAME[1:2].assign(中=[0.0], 短=[0.0], 长=[0.0])], ignore_index=True)
    rows = {
        r["name"]: r["value"] for r in records(TRIAL.report(frame, simulate=40000, dist=dist, **THREE), "simulated")
    }
    a, m, b = 2.0, 5.0, 14.0
    mean = (a + m + b) / 3 if dist == "triangular" else (a + 4 * m + b) / 6
    sd = {
        "beta": ((mean - a) * (b - mean) / 7) ** 0.5, "normal": (b - a) / 6,
        "triangular": ((a * a + m * m + b * b - a * m - a * b - m * b) / 18) ** 0.5,
    }[dist]  # fmt: skip
    assert abs(rows["平均"] - mean) < 4 * sd / 200 + 0.02 and abs(rows["标准差"] - sd) < 0.05


def test_the_same_seed_gives_the_same_draws_and_the_wilson_interval_holds_them() -> None:
    one, two = (TRIAL.report(simulate=500, deadline=8, **THREE) for _ in range(2))
    assert cells(one, "simulated") == cells(two, "simulated")
    row = records(one, "chance")[1]
    assert row["low"] <= row["p"] <= row["high"] and check(one, "正态近似")


def test_five_hundred_tasks_in_time() -> None:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({
        "工序": [f"t{k}" for k in range(500)],
        "前": [None, *(f"t{rng.integers(max(0, k - 5), k)}" for k in range(1, 500))], "中": rng.random(500) * 9,
    })  # fmt: skip
    frame = frame.assign(短=frame.中 / 2, 长=frame.中 * 2)
    begun = time.process_time()
    report = TRIAL.report(frame, simulate=5000, **THREE)
    assert time.process_time() - begun < 6 and "关键路径" in said(report)
