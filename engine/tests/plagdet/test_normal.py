"""What counts of a text, and that its places are exact."""

from __future__ import annotations

import pytest

from hengxi.plagdet.normal import normalise, oddities, unreadable


@pytest.mark.parametrize(
    ("text", "compared"),
    [
        ("统计　分析，方法。", "统计分析方法"),
        ("ＡＢＣ１２３", "abc123"),
        ("統計與資料", "统计与资料"),
        ("统\u200b计\u2060分\ufeff析", "统计分析"),
        ("mоdеl", "model"),
        ("①⼀", "1一"),
        ("café cafe\u0301", "cafecafe"),
        ("x²😀𠀀", "x2𠀀"),
        ("", ""),
    ],
)
def test_what_is_compared(text: str, compared: str) -> None:
    normal = normalise(text)
    assert normal.text(0, len(normal)) == compared


def test_places_point_to_the_characters_they_came_from() -> None:
    text = "😀甲，㈱ﬁ乙\u200b丙"
    normal = normalise(text)
    shown = [(normal.text(k, k + 1), text[slice(*normal.span(k, k + 1))]) for k in range(len(normal))]
    assert shown == [("甲", "甲"), ("株", "㈱"), ("f", "ﬁ"), ("i", "ﬁ"), ("乙", "乙"), ("丙", "丙")]
    assert normal.count(1, 2) == (0, 1)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("统\u200b计", {"unseen": 1}),
        ("\ufeff统计 \u200b", {}),
        ("👨\u200d👩\u200d👧", {}),
        ("mоdel", {"twins": 1}),
        ("系数β与модель", {}),
        ("回归αx", {}),
        ("⼀⽅", {"radicals": 2}),
        ("平常的文字", {}),
    ],
)
def test_what_looks_like_hiding_is_counted(text: str, found: dict[str, int]) -> None:
    assert oddities(text) == found


def test_characters_without_a_meaning_are_counted() -> None:
    assert unreadable("甲\ufffd乙\ue001(cid:12)") == 3
