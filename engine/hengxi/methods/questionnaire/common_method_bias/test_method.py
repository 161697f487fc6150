"""Branches and refusals of the tests of common method bias."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from hengxi.contract import Refusal
from hengxi.testing import Elements, Trial, check, records, said, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
BLOCKS = [
    {"id": f"b{i}", "name": name, "columns": [f"x{3 * i - 2}", f"x{3 * i - 1}", f"x{3 * i}"]}
    for i, name in ((1, "空间"), (2, "文字"), (3, "速度"))
]
LOOSE = [{"id": "loose", "name": None, "columns": list(FRAME.columns)}]
TRIAL = Trial("questionnaire/common_method_bias", FRAME, {"items": BLOCKS})


def report(frame: pd.DataFrame = FRAME, **form: Any) -> Elements:
    return TRIAL.report(frame, dict.fromkeys(frame.columns, "定量"), **form)


def refused(frame: pd.DataFrame = FRAME, **form: Any) -> Refusal:
    return TRIAL.refused(frame, dict.fromkeys(frame.columns, "定量"), **form)


def test_fewer_than_six_items_are_refused() -> None:
    assert "需要放入全部量表题项(至少6个)" in refused(items=BLOCKS[:1]).text


def test_a_method_factor_needs_dimensions() -> None:
    assert "请先把题项放入各自维度" in refused(items=LOOSE, method="ulmc").text


def test_a_marker_needs_a_marker_and_two_dimensions() -> None:
    assert refused(method="marker").code == "role.few"
    frame = FRAME.assign(m=np.arange(len(FRAME)) % 5)
    one = [{"id": "b1", "name": "全部", "columns": list(FRAME.columns)}]
    assert refused(frame, items=one, method="marker", marker=["m"]).code == "data.dimensions"


def test_a_method_factor_without_a_proper_solution_is_said_with_a_way_out() -> None:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(rng.normal(size=(60, 6)), columns=list("abcdef"))
    blocks = [{"id": "b1", "name": "甲", "columns": list("abc")}, {"id": "b2", "name": "乙", "columns": list("def")}]
    elements = report(frame, items=blocks, method="ulmc")
    if "model.unsolved" in warnings(elements):
        assert check(elements, "方法因子模型")["remedies"]
    else:
        assert records(elements, "compared")


def test_units_of_items_do_not_matter_to_free_loadings() -> None:
    one, other = report(), report(FRAME.assign(x2=FRAME["x2"] * 1000))
    for a, b in zip(records(one, "models"), records(other, "models"), strict=True):
        assert abs(a["chi2"] - b["chi2"]) < 1e-6 * a["chi2"]


def test_the_weakness_of_harman_is_always_said() -> None:
    assert "不等于没有共同方法偏差" in said(report(method="harman"))
