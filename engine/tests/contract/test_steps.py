"""Formulas in words, recoding rules, and what a step says about its data."""

from __future__ import annotations

import pytest

from hengxi.contract.fields.formula import shown_place
from hengxi.contract.fields.mapping import Span, read
from hengxi.contract.grammar import parse
from hengxi.contract.grammar_text import written

NAMES = {"c1": "身高", "c2": "体重", "c3": "性别"}


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("{c2}/({c1}/100)^2", "体重 ÷ (身高 ÷ 100)^2"),
        ("-{c1}^2 + 1", "−身高^2 + 1"),
        ("({c1} - 1) - ({c2} - 1)", "身高 − 1 − (体重 − 1)"),
        ("(2^3)^2", "(2^3)^2"),
        ("2^3^2", "2^3^2"),
        ("mean.2({c1}, {c2})", "MEAN.2(身高，体重)"),
        ('{c3} = "男" 且 ({c1} > 1 或 not {c2} <= 2)', "性别 = “男” 且 (身高 > 1 或 非 体重 ≤ 2)"),
        ("{c1} in (1, 2)", "身高 属于 (1，2)"),
    ],
)
def test_formulas_in_words_keep_their_meaning(source: str, words: str) -> None:
    assert written(parse(source), NAMES) == words


def test_places_count_names_as_people_see_them() -> None:
    assert shown_place("{c1} + )", 7, NAMES) == 5
    assert shown_place("1 + )", 4, NAMES) == 4


@pytest.mark.parametrize(
    ("a", "b", "meets"),
    [
        (Span(1, 3, "none"), Span(3, 5, "none"), True),
        (Span(1, 3, "high"), Span(3, 5, "none"), False),
        (Span(1, 3, "none"), Span(3, 5, "low"), False),
        (Span(None, 3, "none"), Span(2, None, "none"), True),
        (Span(None, 3, "none"), Span(4, None, "none"), False),
        (Span(1, 9, "none"), Span(4, 5, "both"), True),
    ],
)
def test_spans_meet_where_they_share_a_number(a: Span, b: Span, meets: bool) -> None:
    assert a.meets(b) is meets and b.meets(a) is meets


def test_rules_are_read_from_the_wire() -> None:
    span = read({"old": {"low": 3, "high": 5, "open": "low"}, "new": 1, "label": " 低 "}, 1)
    assert span.words == "(3, 5]" and span.takes(5) and not span.takes(3) and span.label == "低"
    assert read({"old": [1, 2], "new": {"copy": True}}, 2).copy
    gap = read({"old": {"missing": True}, "new": 0}, 3)
    assert gap.missing and gap.words == "缺失" and not gap.takes(0)
    assert not read({"old": "1", "new": 2}, 4).takes(1)
