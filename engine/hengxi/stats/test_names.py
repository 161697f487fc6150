"""How sentences name questions and the items of a scale."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from hengxi.stats.names import listed, scale_of, short, unit_of


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("5、您对“课程内容实用”的同意程度", "课程内容实用"),
        ("3、您的性别", "性别"),
        ("Q12. 请问您的年龄？", "年龄"),
        ("2024年销量", "2024年销量"),
        ("您", "您"),
        ("4. 请问您平均每周运动多少小时？", "平均每周运动多少小时"),
        ("6、请问您对下列说法的态度：我喜欢运动", "我喜欢运动"),
        ("8、您常做的运动(多选):跑步", "常做的运动:跑步"),
        ("2、您的年级[单选题] *", "年级"),
        ("3.5元以上", "3.5元以上"),
        ("下列:", "下列"),
        ("1. 您的性别是？", "性别"),
        ("消费行为", "消费行为"),
        ("平台运行稳定", "平台运行稳定"),
    ],
)
def test_a_question_is_named_by_what_it_asks(name: str, told: str) -> None:
    assert short([name]) == [told]


def test_questions_that_would_be_called_alike_stay_whole() -> None:
    assert short(["1、您的年龄", "年龄", "2、性别"]) == ["1、您的年龄", "年龄", "性别"]


def test_items_share_the_name_of_their_scale() -> None:
    assert scale_of(["自我效能1", "自我效能2"]) == "自我效能"
    assert scale_of(["满意度：质量", "满意度：价格"]) == "满意度"
    assert scale_of(["Q1", "Q2"]) is None and scale_of(["自我效能1", "动机1"]) is None and scale_of(["态度1"]) is None


def test_long_lists_are_counted() -> None:
    assert listed(["甲", "乙"]) == "“甲”“乙”" and listed(list("甲乙丙丁")) == "“甲”“乙”“丙”等 4 题"


@pytest.mark.parametrize(
    ("title", "unit"),
    [("月收入(千元)", "千元"), ("身高（cm）", "cm"), ("体温 (℃)", "℃"), ("满意度(1-5)", None), ("得分（反向）", None)],
)
def test_a_label_carries_its_unit(title: str, unit: str | None) -> None:
    column: Any = SimpleNamespace(title=title, unit=None)
    assert unit_of(column) == unit
    column.unit = "kg"
    assert unit_of(column) == "kg"
