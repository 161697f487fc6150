"""Refusals of the diagram; every node hangs under its parent."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from hengxi.testing import Trial, records, said

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
FORM = {"category": "大类", "cause": "原因", "sub_cause": "子原因", "weight": "重要度"}
KINDS = {"重要度": "定量", "原因": "文本", "子原因": "文本", "大类": "定类"}
TRIAL = Trial("quality_control/fishbone_diagram", FRAME, FORM, KINDS)


def test_too_many_heads_are_refused_with_their_number() -> None:
    many = pd.DataFrame({"大类": [f"类{i}" for i in range(13)], "原因": ["甲"] * 13, "子原因": "", "重要度": 1})
    assert "大类过多（13 个）" in TRIAL.refused(many).text


def test_a_row_without_cause_is_refused_by_its_number() -> None:
    gap = FRAME.copy()
    gap.loc[4, "原因"] = None
    refusal = TRIAL.refused(gap)
    assert "第 5 行没有填写原因" in refusal.text and refusal.faults[0].row == 5
    gap = FRAME.copy()
    gap.loc[2, "大类"] = None
    assert "第 3 行没有填写大类" in TRIAL.refused(gap).text


def test_more_nodes_than_can_be_read_are_refused() -> None:
    many = pd.DataFrame({"大类": ["机"] * 400, "原因": [f"原因{i}" for i in range(400)], "子原因": "", "重要度": 1})
    assert "超过 300 个" in TRIAL.refused(many).text


def test_every_node_hangs_under_one_there_is() -> None:
    nodes = records(TRIAL.report(), "nodes")
    known = {row["node"] for row in nodes}
    assert len(known) == len(nodes) and [row["label"] for row in nodes if row["parent"] is None] == ["质量问题"]
    assert all(row["parent"] in known for row in nodes if row["parent"] is not None)


def test_usual_heads_that_are_absent_are_asked_for() -> None:
    assert "没有看到" in said(TRIAL.report(FRAME[FRAME["大类"] != "环境"]))


def test_markup_in_names_is_text() -> None:
    assert "<b>" in records(TRIAL.report(FRAME.replace("粉尘", "<b>{x}</b>")), "listing")[-5]["cause"]
