"""Where a text is cut, what the pieces are called, and what is refused."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from hengxi.testing import Trial, cells, records, warnings

FRAME = pd.DataFrame({"码": ["007-甲- 𠮷", "012-乙", "x", None], "整": ["abcdef", "ab", "abc", "abcdefgh"]})
TRIAL = Trial("data_processing/split_column", FRAME, {"variable": "码", "delimiter": "-"}, {"码": "文本", "整": "文本"})
report, refused = TRIAL.report, TRIAL.refused


def after(**form: Any) -> list[list[Any]]:
    preview = next(e for e in report(**form) if e["type"] == "data")["step"]["preview"]
    return [row[1:] for row in preview["after"]]


def test_pieces_keep_zeros_and_rare_characters() -> None:
    assert after() == [["007", "甲", "𠮷"], ["012", "乙", None], ["x", None, None], [None, None, None]]


def test_widths_count_characters() -> None:
    assert after(variable="整", by="width", widths="2 2")[1:] == [["ab", None], ["ab", "c"], ["ab", "cdefgh"]]
    assert records(report(variable="整", by="width", widths="2 2"), "result")[0]["beyond"] == 2


def test_an_empty_piece_is_missing() -> None:
    frame = pd.DataFrame({"码": ["a,,b", ",c"]})
    preview = next(e for e in report(frame, delimiter=",") if e["type"] == "data")["step"]["preview"]
    assert [row[1:] for row in preview["after"]] == [["a", None, "b"], [None, "c", None]]


def test_keys_of_json() -> None:
    frame = pd.DataFrame({"码": ['{"a": "01", "b": {"c": 2}}', '{"b": null}', "x", '{"a": 3']})
    rows = cells(report(frame, by="json"), "made")
    assert [row[:2] for row in rows] == [["码_a", 1], ["码_b", 1]] and rows[0][4] == "01"


def test_a_tab_is_written_with_a_stroke() -> None:
    assert records(report(pd.DataFrame({"码": ["a\tb"]}), delimiter=r"\t"), "result")[0]["columns"] == 2


def test_no_sign_is_refused() -> None:
    """没有一行含分隔符 → “{v}”中没有找到分隔符“{d}”"""
    assert "“码”中没有找到分隔符“|”" in refused(delimiter="|").text


def test_more_parts_than_columns_are_told() -> None:
    """段数超过上限 → 有 {k} 行拆出超过 {m} 段，多余部分并入最后一列"""
    made = report(max_parts=2)
    assert warnings(made) == ["split.beyond"] and after(max_parts=2)[0] == ["007", "甲- 𠮷"]


def test_an_expression_without_groups_is_refused() -> None:
    """正则无分组 → 正则表达式需要至少一个括号分组"""
    assert "至少一个括号分组" in refused(by="regex", pattern="[0-9]+").text


@pytest.mark.parametrize(
    ("form", "code"),
    [
        ({"by": "width", "widths": "a"}, "split.widths"),
        ({"by": "width"}, "split.widths"),
        ({"by": "regex"}, "pattern.empty"),
        ({"by": "regex", "pattern": "(z)"}, "split.none"),
        ({"by": "json"}, "split.none"),
        ({"names": "a,b,c,d"}, "split.names"),
        ({"names": "a,a"}, "split.names"),
    ],
)
def test_what_cannot_be_split_is_refused(form: dict[str, Any], code: str) -> None:
    assert refused(**form).code == code
