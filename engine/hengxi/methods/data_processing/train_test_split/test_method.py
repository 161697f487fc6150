"""No row twice, no row lost, groups whole, the same for the same seed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.methods.data_processing._shared import drawing
from hengxi.testing import Trial, records, warnings

FRAME = pd.DataFrame({
    "人": np.repeat(np.arange(20), 3), "日": [1.0] * 50 + [2.0] * 9 + [None],
    "类": ["甲"] * 58 + ["乙"] * 2, "x": np.arange(60.0),
})  # fmt: skip
TRIAL = Trial("data_processing/train_test_split", FRAME, {}, {"类": "定类", "日": "时间", "人": "定类", "x": "定量"})
report, refused = TRIAL.report, TRIAL.refused


def rows(**form: Any) -> Any:
    step = next(e for e in report(**form) if e["type"] == "data")["step"]
    return step["rows_after"]


def test_the_parts_of_one_seed_fit_together() -> None:
    both = [rows(output=part, train=0.55) for part in ("train", "test")]
    assert sum(both) == 60 and both == [33, 27]


def test_groups_stay_whole_and_no_part_is_empty() -> None:
    rng = np.random.default_rng(1)
    sizes = np.array([50, 1, 1, 1])
    codes = np.repeat(np.arange(4), sizes)
    for _ in range(50):
        part = drawing.parts_of_groups(codes, sizes, [0.7, 0.85], rng)
        assert set(part) == {0, 1, 2}
        assert all(len(set(part[codes == group])) == 1 for group in range(4))


def test_folds_of_strata_differ_by_one_row() -> None:
    codes = np.repeat([0, 1], [31, 12])
    fold = drawing.folds_within(codes, 5, np.random.default_rng(3))
    for stratum in (0, 1):
        sizes = np.bincount(fold[codes == stratum], minlength=5)
        assert sizes.max() - sizes.min() <= 1


def test_a_day_is_not_torn_apart_and_a_row_without_one_is_in_no_part() -> None:
    found = report(method="time", time="日")
    assert [row["n"] for row in records(found, "result")] == [50, 9]
    assert warnings(found) == ["data.no_time"]


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"train": 0.8, "valid": 0.2}, "训练与验证比例之和必须小于1"),
        ({"method": "stratified", "strata": "类", "valid": 0.1}, "类别“乙”只有 2 行，无法分层拆分"),
        ({"method": "time"}, "请放入时间变量"),
        ({"method": "group"}, "请放入分组变量"),
        ({"method": "stratified"}, "请放入分层变量"),
        ({"method": "group", "group": "类", "valid": 0.1}, "只有 2 组，不够分成 3 份"),
        ({"output": "valid"}, "验证集没有行"),
    ],
)
def test_what_cannot_be_split(form: dict[str, Any], words: str) -> None:
    """比例之和超过1、某类样本不足、按时间切缺时间变量"""
    assert words in refused(**form).faults[0].text


def test_words_have_no_order_in_time() -> None:
    assert refused(FRAME.assign(日=["春", "夏"] * 30), method="time", time="日").code == "time.text"


def test_one_moment_for_most_rows_leaves_nothing_to_train() -> None:
    frame = FRAME.assign(日=[3] * 60)
    assert refused(frame, method="time", time="日").code == "time.ties"
