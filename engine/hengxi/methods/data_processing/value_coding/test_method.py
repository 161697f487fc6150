"""Branches and refusals of recoding, and what the coded variable is."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from hengxi.data.build import table_of
from hengxi.data.meta import Level, Missing
from hengxi.testing import Trial

PATH = "data_processing/value_coding"
FRAME = pd.DataFrame({"题": [1, 2, 3, 4, None, 2], "城市": ["京", "沪", "京", None, "Jing", "JING"]})
Rules = list[dict[str, Any]]


TRIAL = Trial(PATH, FRAME, {"variables": ["题"]})
report, refused = TRIAL.document, TRIAL.refused


def data(made: dict[str, Any]) -> dict[str, Any]:
    return next(e for e in made["parts"][0]["elements"] if e["type"] == "data")


def values(made: dict[str, Any]) -> list[Any]:
    return [row[-1] for row in data(made)["step"]["preview"]["after"]]


def warnings(made: dict[str, Any]) -> list[str]:
    return [e["code"] for e in made["parts"][0]["elements"] if e["type"] == "warning"]


# ---- refusals ------------------------------------------------------------------------------------------------------
def test_no_rules_are_refused() -> None:
    refusal = refused(rules=[])
    assert refusal.code == "mapping.required" and refusal.text == "请至少填写一条编码规则"


@pytest.mark.parametrize(
    ("rules", "code", "words"),
    [
        ([{"old": {"low": 1, "high": 3}, "new": 1}, {"old": {"low": 3, "high": 5}, "new": 2}], "mapping.overlap",
         "规则 [1, 3] 与 [3, 5] 的区间重叠，请改第 1 或第 2 条"),
        ([{"old": 1, "new": 1}, {"old": [2, 1], "new": 2}], "mapping.overlap", "“1”写在第 1 条和第 2 条"),
        ([{"old": {"low": 5, "high": 3}, "new": 1}], "mapping.type", "里没有数"),
        ([{"old": "", "new": 1}], "mapping.none", "没有填旧值，请填写或删去这条"),
    ],
)  # fmt: skip
def test_rules_that_cannot_be_are_refused(rules: Rules, code: str, words: str) -> None:
    refusal = refused(rules=rules)
    assert refusal.code == code and words in refusal.text


def test_touching_spans_with_an_open_end_do_not_overlap() -> None:
    rules = [{"old": {"low": None, "high": 2, "open": "high"}, "new": 1}, {"old": {"low": 2, "high": None}, "new": 2}]
    assert values(report(rules=rules)) == [1, 2, 2, 2, None, 2]


def test_a_span_does_not_suit_texts() -> None:
    refusal = refused(variables=["城市"], rules=[{"old": {"low": 1, "high": 2}, "new": 1}])
    assert refusal.code == "mapping.type" and "“城市”是文本变量" in refusal.text


def test_texts_are_not_reversed() -> None:
    assert refused(variables=["城市"], auto="reverse").text == "“城市”不是数值，不能反向计分"


def test_values_beyond_the_scale_are_refused() -> None:
    refusal = refused(auto="reverse", reverse_min=1, reverse_max=3)
    assert "“题”有 1 个值在 1 到 3 之外" in refusal.text and refusal.faults[0].field == "reverse_min"


# ---- branches ------------------------------------------------------------------------------------------------------
def test_missing_has_only_its_own_rule() -> None:
    assert values(report(rules=[{"old": 1, "new": 9}], others="value", others_value="0"))[4] is None
    made = report(rules=[{"old": {"missing": True}, "new": 0}])
    assert values(made) == [1, 2, 3, 4, 0, 2]


def test_others() -> None:
    rules: Rules = [{"old": [1, 2], "new": 10}]
    assert values(report(rules=rules)) == [10, 10, 3, 4, None, 10]
    assert values(report(rules=rules, others="missing")) == [10, 10, None, None, None, 10]
    assert values(report(rules=rules, others="value", others_value="0")) == [10, 10, 0, 0, None, 10]


def test_a_value_can_be_kept_or_made_missing() -> None:
    rules: Rules = [{"old": 1, "new": {"copy": True}}, {"old": 2, "new": None}]
    assert values(report(rules=rules, others="value", others_value="7")) == [1, None, 7, 7, None, None]


def test_case_is_looked_at_or_not() -> None:
    rules: Rules = [{"old": "jing", "new": "京"}]
    assert "mapping.unused" in warnings(report(variables=["城市"], rules=rules))
    made = report(variables=["城市"], rules=rules, case_sensitive=False)
    assert values(made) == ["京", "沪", "京", None, "京", "京"]


def test_texts_and_numbers_mixed_are_text_and_said() -> None:
    made = report(rules=[{"old": 1, "new": "低"}])
    assert values(made)[:3] == ["低", "2", "3"] and "data.mixed" in warnings(made)


def test_ends_of_a_reversed_item_come_from_labels_before_data() -> None:
    table = table_of({"题": [2, 3, 4, None, 5]})
    column = table.meta.columns[0]
    column.levels = [
        Level(value=v, label=w) for v, w in ((1, "从不"), (2, "很少"), (3, "有时"), (4, "经常"), (5, "总是"))
    ]
    made = report(table, auto="reverse")
    assert values(made) == [4, 3, 2, None, 1] and warnings(made) == []
    assert "reverse.from_data" in warnings(report(auto="reverse"))


def test_user_missing_codes_are_not_reversed() -> None:
    table = table_of({"题": [1, 2, 5, 99, 3]}, {"题": "定量"})
    table.meta.columns[0].missing = Missing(values=[99])
    made = report(table, auto="reverse", mode="replace", reverse_min=1, reverse_max=5)
    assert values(made) == [5, 4, 1, 99, 3]
    assert data(made)["changed"] == 3


def test_an_order_is_coded_with_labels() -> None:
    made = report(variables=["城市"], auto="frequency")
    table = next(e for e in made["parts"][0]["elements"] if e.get("name") == "counts")
    assert [row[1:4] for row in table["rows"]][:2] == [["京", "1", 2], ["JING", "2", 1]]
    assert data(made)["columns"][0]["measure"] == "定类"


def test_overwriting_under_an_active_filter_leaves_the_other_rows() -> None:
    made = report(rules=[{"old": 2, "new": 20}], mode="replace", filter="{c1} >= 2")
    assert values(made) == [1, 20, 3, 4, None, 20] and data(made)["changed"] == 2


def test_a_change_of_kind_under_a_filter_is_refused() -> None:
    refusal = refused(rules=[{"old": 2, "new": "二"}], mode="replace", filter="{c1} >= 2")
    assert refusal.code == "data.filtered" and refusal.faults[0].field == "mode"


def test_a_taken_name_is_changed_and_said() -> None:
    frame = FRAME.assign(题_编码=1)
    made = report(frame, rules=[{"old": 1, "new": 2}])
    assert data(made)["columns"][0]["name"] == "题_编码_2" and "data.renamed" in warnings(made)


def test_spans_make_ordered_classes() -> None:
    made = report(rules=[{"old": {"low": 1, "high": 2}, "new": 1, "label": "低"}], others="value", others_value="2")
    assert data(made)["columns"][0]["measure"] == "定类"
