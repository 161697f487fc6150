from __future__ import annotations

import time
from typing import Any

import numpy as np
import pandas as pd

from hengxi.testing import Trial, cells, check, records, said, warnings

FRAME = pd.DataFrame({"人": ["甲", "乙", "丙"], "a": [1.0, 2, 3], "b": [2.0, 4, 6], "c": [3.0, 6, 9]})
TRIAL = Trial("mathematical_modeling/assignment", FRAME, {"name": "人", "cost": ["a", "b", "c"]}, {
    "人": "定类", "a": "定量", "b": "定量", "c": "定量"})  # fmt: skip


def test_gaps_few_tasks_and_too_many_bans_are_refused() -> None:
    gaps = FRAME.assign(b=[2, None, 6])
    assert "第 2 行“b”的成本不是数字" in TRIAL.refused(gaps, forbidden=False).text
    assert TRIAL.refused(cost=["a"]).code == "role.few"
    banned = FRAME.assign(b=[2, None, None], c=[3, None, None])
    text = TRIAL.refused(banned).text
    assert "无法为每个任务找到人员：任务 “b”“c” 共 2 个，能做的只有 1 人" in text
    few = TRIAL.refused(FRAME.assign(b=[None, None, 1], c=[None, None, 1], d=[None, None, 1]), cost=list("abcd"))
    assert "无法为每人找到任务：“甲”“乙” 共 2 人只能做 1 个任务" in few.text
    assert "做不完 3 个任务" in TRIAL.refused(FRAME[:1], unbalanced="several", capacity=2).text


def test_the_product_of_ranks_pairs_high_with_low() -> None:
    assert [row["task"] for row in records(TRIAL.report(), "chosen")] == ["c", "b", "a"]
    assert check(TRIAL.report(FRAME.assign(b=FRAME.a, c=FRAME.a)), "唯一性")["state"] == "care"


def test_equally_good_ones_beyond_five_are_said() -> None:
    flat = FRAME.assign(a=1.0, b=1.0, c=1.0)
    assert "至少还有" in said(TRIAL.report(flat)) and len(cells(TRIAL.report(flat), "others")) == 5


def test_copies_of_a_person_are_no_other_assignment() -> None:
    rows = records(TRIAL.report(FRAME[:1], unbalanced="several", capacity=3), "others")
    assert rows == []


def test_names_that_repeat_get_their_row() -> None:
    report = TRIAL.report(FRAME.assign(人=["甲", "甲", None]))
    assert {row["person"] for row in records(report, "chosen")} == {"甲（第1行）", "甲（第2行）", "第3行"}


def test_five_hundred_by_five_hundred_in_time() -> None:
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(rng.integers(1, 100, (500, 500)).astype(float), columns=[f"t{k}" for k in range(500)])
    begun = time.process_time()
    report = TRIAL.report(frame, dict.fromkeys(frame.columns, "定量"), name=None, cost=list(frame.columns))
    assert time.process_time() - begun < 8 and not warnings(report)
    (total,) = records(report, "total")
    assert total["pairs"] == 500


def test_every_rank_is_as_enumeration_has_it() -> None:
    rng = np.random.default_rng(6)
    from itertools import permutations

    for _ in range(5):
        values = rng.integers(1, 9, (4, 4)).astype(float)
        frame = pd.DataFrame(values, columns=list("abcd"))
        every = sorted(sum(values[i, p[i]] for i in range(4)) for p in permutations(range(4)))
        report: Any = TRIAL.report(frame, name=None, cost=list("abcd"), measures=dict.fromkeys("abcd", "定量"))
        assert [row["value"] for row in records(report, "others")] == every[1:6]
