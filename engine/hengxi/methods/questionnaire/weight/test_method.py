"""Indicator weights from survey data: refusals with a way out, and what must not move a weight."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from hengxi.testing import Trial, records

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")


def loose(*names: str) -> list[dict[str, Any]]:
    return [{"id": "loose", "name": None, "columns": list(names)}]


TRIAL = Trial("questionnaire/weight", FRAME, {"items": loose(*FRAME.columns)}, dict.fromkeys(FRAME.columns, "定量"))
report, refused = TRIAL.report, TRIAL.refused
EVERY = ["mean_share", "entropy", "pca", "factor", "critic", "independence", "information", "priority_chart"]


def weights(elements: list[dict[str, Any]]) -> list[float]:
    return [row["weight"] for row in records(elements, "combined")]


def test_a_constant_is_refused_by_name_and_taken_where_only_means_count() -> None:
    frame = FRAME.assign(learning=5)
    refusal = refused(frame)
    assert "指标“learning”没有变异，熵值/CRITIC 权重为 0，请剔除" in refusal.text
    way = refusal.faults[0].remedies[0]
    assert len(weights(report(frame, **way.set))) == 7  # type: ignore


def test_negative_values_in_the_entropy_are_refused_and_the_range_takes_them() -> None:
    refusal = refused(normalize="zscore", methods=["entropy"])
    assert "熵值法要求非负数据，请先选择极差标准化" in refusal.text
    way = refusal.faults[0].remedies[0]
    assert sum(weights(report(methods=["entropy"], **way.set))) == pytest.approx(1)  # type: ignore


@pytest.mark.parametrize("method", ["mean_share", "information"])
def test_means_below_zero_have_no_share(method: str) -> None:
    assert "平均值不大于 0" in refused(FRAME.assign(raises=FRAME["raises"] - 500), methods=[method]).text


def test_shares_of_negative_values_are_refused() -> None:
    frame = FRAME.assign(raises=FRAME["raises"] - 60)
    assert "比重法要求没有负数" in refused(frame, normalize="sum", methods=["critic"]).text
    assert "比重法要求合计大于 0" in refused(FRAME.assign(raises=0), normalize="sum", methods=["mean_share"]).text


def test_what_repeats_others_has_no_independence() -> None:
    frame = FRAME.assign(raises=FRAME["rating"] + FRAME["learning"])
    assert refused(frame, methods=["independence"]).code == "data.collinear"
    assert refused(FRAME.head(7), methods=["independence"]).code == "data.few"


def test_identical_items_have_no_conflict_and_opposed_ones_no_component_weights() -> None:
    pair = pd.DataFrame({"a": [1, 2, 3, 5], "b": [1, 2, 3, 5]})
    assert (
        refused(pair, dict.fromkeys("ab", "定量"), items=loose("a", "b"), methods=["critic"]).code == "data.no_conflict"
    )
    opposed = pair.assign(b=-pair["b"])
    refusal = refused(opposed, dict.fromkeys("ab", "定量"), items=loose("a", "b"), methods=["pca"])
    assert refusal.code == "data.negative"


def test_bounds() -> None:
    assert refused(items=loose("rating")).code == "role.few"
    assert refused(FRAME.assign(rating=FRAME["rating"] * 1e150)).code == "data.magnitude"


def test_order_of_rows_moves_nothing_and_all_sum_to_one() -> None:
    shuffled = FRAME.sample(frac=1, random_state=2).reset_index(drop=True)
    made = weights(report(methods=EVERY))
    assert made == pytest.approx(weights(report(shuffled, methods=EVERY)), abs=1e-12) and sum(made) == pytest.approx(1)


def test_the_saved_score_lies_between_0_and_1() -> None:
    data = next(e for e in report(save_index=True) if e["type"] == "data")
    assert data["changed"] == 30 and all(0 <= row[0] <= 1 for row in data["preview"])
