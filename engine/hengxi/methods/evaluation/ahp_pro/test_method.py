from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.methods.evaluation._shared.judgements import matrix_notes
from hengxi.stats import pairwise_group as group
from hengxi.testing import Trial, records, said

EXAMPLE = json.loads((Path(__file__).parent / "example.json").read_text(encoding="utf-8"))
TRIAL = Trial("evaluation/ahp_pro", form=EXAMPLE)


def tree(*names: str) -> dict[str, Any]:
    return {"id": "g", "name": "目标", "children": [{"id": n, "name": n, "children": []} for n in names]}


def small(values: Any, **more: Any) -> dict[str, Any]:
    sheet = {"key": ["g", "e1"], "values": values}
    experts = [{"id": "e1", "name": "张", "weight": 1}]
    form = {"source": "typed", "hierarchy": tree("A", "B", "C", "D"), "experts": experts, "sensitivity": False}
    return {**form, "matrices": {"sheets": [sheet]}, **more}


def test_judgements_that_do_not_connect_everything_are_refused_by_name() -> None:
    values = [[1, 2, None, None], [None, 1, None, None], [None, None, 1, 3], [None, None, None, 1]]
    refusal = Trial("evaluation/ahp_pro", form=small(values)).refused()
    assert refusal.code == "matrix.disconnected"
    assert "专家“张”在“目标”的判断不足以连通全部指标，缺少“A”与“C”之类的比较" in refusal.text


def test_nobody_left_after_excluding_is_refused_with_a_way_out() -> None:
    values = [[1, 9, 1 / 9, 9], [None, 1, 9, 1], [None, None, 1, 9], [None, None, None, 1]]
    trial = Trial("evaluation/ahp_pro", form=small(values, inconsistent="exclude"))
    refusal = trial.refused()
    assert "没有通过一致性检验的专家矩阵" in refusal.text
    assert trial.report(inconsistent="keep_and_flag")
    assert [one.title for one in refusal.faults[0].remedies] == ["保留并标出"]
    gap = [[1, 2, None, 4], [None, 1, 2, 2], [None, None, 1, 1], [None, None, None, 1]]
    assert "剔除后没有剩下" in Trial("evaluation/ahp_pro", form=small(gap, missing="exclude_matrix")).refused().text


def test_a_single_child_and_grades_beyond_nine_are_refused() -> None:
    ones = [[1, 1, 1, 1], [None, 1, 1, 1], [None, None, 1, 1], [None, None, None, 1]]
    lonely = {**tree("A"), "children": tree("A")["children"]}
    assert "下只有 1 个" in Trial("evaluation/ahp_pro", form=small(ones, hierarchy=lonely)).refused().text
    ten = [[1, 10, 1, 1], *ones[1:]]
    assert "是 10，超出 1–9 标度" in Trial("evaluation/ahp_pro", form=small(ten)).refused().text
    none = small(ones)
    none["experts"][0]["weight"] = 0
    assert "权重都是 0" in Trial("evaluation/ahp_pro", form={**none, "expert_weights": "manual"}).refused().text


@pytest.mark.parametrize("how", ["min_lambda", "harker", "log_least_squares"])
def test_a_consistent_matrix_with_gaps_is_restored(how: group.Completion) -> None:
    w = np.array([0.4, 0.3, 0.2, 0.1])
    whole = w[:, None] / w[None, :]
    open_ = whole.copy()
    for i, j in ((0, 3), (1, 2)):
        open_[i, j] = open_[j, i] = np.nan
    assert np.allclose(group.completed(open_, how, bounded=True), whole, rtol=1e-7)


def test_two_gaps_far_from_the_scale_stay_within_it_when_asked() -> None:
    open_ = np.array([[1, 9, np.nan], [1 / 9, 1, 9], [np.nan, 1 / 9, 1]])
    assert group.completed(open_, "min_lambda", bounded=True)[0, 2] == pytest.approx(9)
    assert group.completed(open_, "min_lambda", bounded=False)[0, 2] == pytest.approx(81, rel=1e-6)


def test_judgement_columns_of_another_number_or_value_are_refused() -> None:
    frame = pd.DataFrame({"ab": [2.0, 3.0], "ac": [3.0, 4.0], "bc": [2.0, 0.0]})
    form = {"source": "columns", "hierarchy": tree("A", "B", "C"), "judgements": ["ab", "ac", "bc"]}
    trial = Trial("evaluation/ahp_pro", frame, form)
    assert "第 2 行是 0" in trial.refused().text
    assert "要有 3 列，一列一对，现有 2 列" in trial.refused(judgements=["ab", "ac"]).text
    same = frame.assign(bc=[2.0, -3.0], who=["王", "王"])
    assert "专家“王”有两行" in trial.refused(same, expert="who", measures={"who": "定类"}).text


def test_while_typing_the_worst_pair_is_named_and_a_repair_offered() -> None:
    names = ["a", "b", "c"]
    bad = {"key": ["n2", "e1"], "rows": names, "values": [[1, 9, 1 / 9], [None, 1, 9], [None, None, 1]]}
    half = {"key": ["n2", "e2"], "rows": names, "values": [[1, 2, None], [None, 1, None], [None] * 3]}
    first, second = matrix_notes("matrices", [bad, half], 0.1)
    assert first.state == "care" and first.offer is not None and "最不合的一对" in first.text
    assert second.state == "pass" and second.offer is None and "3 对里填了 1 对" in second.text


def test_an_expert_who_left_one_comparison_out_still_counts_elsewhere() -> None:
    form = {**EXAMPLE, "sensitivity": False}
    sheets = [one for one in EXAMPLE["matrices"]["sheets"] if one["key"] != ["n2", "e1"]]
    report = Trial("evaluation/ahp_pro", form={**form, "matrices": {"sheets": sheets}}).report()
    rows = [row for row in records(report, "consistency") if row["node"] == "质量"]
    assert len(rows) == 4 and all(row["share"] == 0.25 for row in rows)
    assert "{k:integer} 个指标里权重最大" in said(report)


def collected(**columns: list[float | None]) -> Trial:
    frame = pd.DataFrame({key: np.array(values, dtype=float) for key, values in columns.items()})
    form = {"source": "columns", "hierarchy": tree("A", "B", "C"), "judgements": list(columns), "sensitivity": False}
    return Trial("evaluation/ahp_pro", frame, form, dict.fromkeys(columns, "定量"))


def test_a_pair_nobody_compared_is_completed_from_the_others() -> None:
    rows = records(collected(ab=[2, 2], ac=[4, 4], bc=[None, None]).report(), "completed")
    assert [(row["first"], row["second"]) for row in rows] == [("B", "C")] * 2
    assert [row["value"] for row in rows] == pytest.approx([2, 2])


def test_an_expert_whose_answers_do_not_connect_is_left_out_and_named() -> None:
    report = collected(ab=[2, 2, 3], ac=[None, 4, 6], bc=[None, 2, 2]).report()
    rows = records(report, "consistency")
    assert [row["treated"] for row in rows] == ["判断没有连通，不计入", "采用", "采用"]
    assert [row["share"] for row in rows] == [None, 0.5, 0.5]
    assert "这一张没有计入：{names}" in said(report)
    nobody = collected(ab=[2, 2], ac=[None, None], bc=[None, None]).refused()
    assert nobody.code == "matrix.disconnected" and "缺少“A”与“C”之类的比较" in nobody.text


def test_the_random_index_with_gaps_falls_to_nothing_for_a_tree() -> None:
    published = {4: [0.583, 0.306], 5: [0.925, 0.739, 0.557, 0.379, 0.212]}
    for n, values in published.items():
        assert [group.random_index(n, m + 1) for m in range(len(values))] == pytest.approx(values, abs=0.005)
    for n in range(4, 16):
        tree_ = (n - 1) * (n - 2) // 2
        drawn = [group.random_index(n, m) or 0.0 for m in range(1, tree_)]
        assert drawn == sorted(drawn, reverse=True) and drawn[-1] > 0.05
        assert group.random_index(n, tree_) is None
    assert group.random_index(3, 1) is None
