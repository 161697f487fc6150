"""No row sees its own target, and what an encoding needs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, other_tables, warnings

RANDOM = np.random.default_rng(8)
FRAME = pd.DataFrame({
    "类": [*RANDOM.choice(["甲", "乙", "丙"], 59).tolist(), None], "y": RANDOM.normal(0, 1, 60),
    "二": ["是", "否"] * 30, "三": ["a", "b", "c"] * 20,
})  # fmt: skip
KINDS = {"类": "定类", "二": "定类", "三": "定类", "y": "定量"}
TRIAL = Trial("data_processing/encode_category", FRAME, {"variables": ["类"]}, KINDS)
report, refused = TRIAL.report, TRIAL.refused


def first(frame: pd.DataFrame | None = None, **form: Any) -> list[Any]:
    step = next(e for e in report(frame, **form) if e["type"] == "data")["step"]
    return [row[-1] for row in step["preview"]["after"]]


def test_a_row_does_not_see_its_own_target() -> None:
    other = FRAME.assign(y=np.where(np.arange(60) == 0, 1e6, FRAME["y"]))
    one, two = first(method="target", target="y"), first(other, method="target", target="y")
    assert one[0] == two[0] and one != two


def test_the_same_seed_gives_the_same_folds() -> None:
    assert first(method="target", target="y") == first(method="target", target="y")
    assert first(method="target", target="y", seed=5) != first(method="target", target="y")


def test_a_category_nobody_learned() -> None:
    old = {"learn_from": other_tables(pd.DataFrame({"类": ["甲", "甲"], "y": [1.0, 3.0]}))}
    form: dict[str, Any] = {"method": "target", "target": "y", "learn_from": {"vid": 1}, "kept": old}
    assert "code.unseen" in warnings(report(**form))
    assert set(first(**form)) <= {2.0, None} and set(first(**form, unknown="global")) == {2.0}


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"method": "target"}, "请放入目标变量"),
        ({"method": "woe", "target": "三"}, "WOE 编码要求目标为0/1"),
        ({"method": "target", "target": "三"}, "要求目标是数值或两类"),
        ({"method": "ordinal", "order": "甲"}, "例如 低 < 中 < 高"),
        ({"method": "ordinal", "order": "甲<乙"}, "不在“次序”里"),
    ],
)
def test_what_an_encoding_needs(form: dict[str, Any], words: str) -> None:
    """目标编码缺目标变量、WOE 目标不是二分类；某类别目标全为0或1：见 oracle 的 WOE"""
    assert words in refused(**form).faults[0].text
