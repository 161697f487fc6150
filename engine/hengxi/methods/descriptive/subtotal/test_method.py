"""What is particular to subtotals: too many groups, numbers as groups, empty groups, totals that add up."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, records, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
KINDS = {"销量": "定量", "单价": "定量", "类": "定类", "号": "定类", "值": "定量"}
TRIAL = Trial("descriptive/subtotal", FRAME, {"groups": ["区域", "产品"], "variables": ["销量"]}, KINDS)
report, refused = TRIAL.report, TRIAL.refused


def test_a_number_with_many_values_is_to_be_cut_first() -> None:
    frame = pd.DataFrame({"号": np.arange(300), "值": np.arange(300.0)})
    refusal = refused(frame, groups=["号"], variables=["值"])
    assert "疑似定量变量，请先分箱" in refusal.text or refusal.code == "role.measure"


def test_too_many_combinations_are_refused_with_the_number() -> None:
    frame = pd.DataFrame({"类": [f"c{i}" for i in range(2500)], "值": np.arange(2500.0)})
    refusal = refused(frame, groups=["类"], variables=["值"])
    assert refusal.code == "data.many_groups" and "分类组合共 2,500 个，超过上限 2,000" in refusal.text


def test_an_empty_group_is_shown_empty_and_said() -> None:
    frame = FRAME.assign(销量=FRAME["销量"].where(FRAME["区域"] != "华北"))
    elements = report(frame, groups=["区域"])
    row = next(row for row in records(elements, "result") if row["item"] == "华北")
    assert row["n"] == 0 and row["mean"] is None and "data.empty_group" in warnings(elements)


def test_layouts_want_the_groups_they_can_show() -> None:
    assert refused(groups=["区域"], layout="cross").code == "data.cross"
    assert refused(anova_eta=True).code == "data.single"


def test_nested_means_are_those_of_pandas() -> None:
    rows = records(report(totals=False), "result")
    wanted = FRAME.groupby(["区域", "产品"])["销量"].agg(["size", "mean", "std", "sum"])
    found = {row["item"]: row for row in rows}
    for (area, product), line in wanted.iterrows():
        row = found[f"{area} / {product}"]
        assert [row[k] for k in ("n", "mean", "sd", "sum")] == pytest.approx(list(line))


def test_shares_are_left_out_with_negative_values() -> None:
    frame = FRAME.assign(销量=FRAME["销量"] - 30)
    assert all(row["share"] is None for row in records(report(frame, functions=["share", "n"]), "result"))
