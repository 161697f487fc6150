"""Answers in words: recognised, asked for once, scored with the words as labels, and again on other data."""

from __future__ import annotations

import random
from typing import Any

import pytest

from hengxi.data.edits import edit
from hengxi.data.questionnaire.worded import match, matches
from tests.data.conftest import Import

SCORED, TURNED, BACK = (f"t_{i:032x}" for i in (0xA1, 0xA2, 0xA3))
AGREE = ["非常不同意", "不同意", "一般", "同意", "非常同意"]
SCALES = [
    AGREE,
    ["非常不同意", "不同意", "同意", "非常同意"],
    ["完全不同意", "很不同意", "不太同意", "一般", "比较同意", "很同意", "非常同意"],
    ["非常不同意", "不同意", "有点不同意", "中立", "有点同意", "同意", "非常同意"],
    ["从不", "很少", "有时", "经常", "总是"],
    ["从不", "偶尔", "经常", "总是"],
    ["非常不满意", "比较不满意", "一般", "比较满意", "非常满意"],
    ["非常不重要", "不太重要", "一般", "比较重要", "非常重要"],
    ["完全不符合", "比较不符合", "不确定", "比较符合", "完全符合"],
    ["非常不愿意", "不愿意", "说不清", "愿意", "非常愿意"],
    ["一定不会", "可能不会", "不确定", "可能会", "一定会"],
    ["很差", "较差", "一般", "较好", "很好"],
    ["很低", "较低", "中等", "较高", "很高"],
    ["没有", "很轻", "中等", "偏重", "严重"],
    ["Strongly disagree", "Disagree", "Neutral", "Agree", "Strongly agree"],
    ["Never", "Rarely", "Sometimes", "Often", "Always"],
    ["Very dissatisfied", "Dissatisfied", "Neutral", "Satisfied", "Very satisfied"],
    ["Very unlikely", "Unlikely", "Neutral", "Likely", "Very likely"],
    ["Poor", "Fair", "Good", "Very good", "Excellent"],
]


@pytest.mark.parametrize("words", SCALES, ids=lambda words: f"{words[0]} {len(words)}")
def test_scales_in_any_order_and_spelling(words: list[str]) -> None:
    chance = random.Random("".join(words))
    spellings = [
        lambda word, i: word,
        lambda word, i: f" {word} ",
        lambda word, i: f"{'ABCDEFG'[i]}. {word}",
        lambda word, i: f"{i + 1}、{word}",
        lambda word, i: f"{word}（{i + 1}分）",
        lambda word, i: f"({i + 1}) {word}",
        lambda word, i: word.upper(),
    ]
    for spelt in spellings:
        cells = {spelt(word, i): 10 + i for i, word in enumerate(words)}
        mixed = list(cells)
        chance.shuffle(mixed)
        found = match({word: cells[word] for word in mixed})
        assert found is not None, mixed
        assert [found.scores[word] for word in cells] == list(range(1, len(words) + 1))
        assert not found.rest


@pytest.mark.parametrize(
    "words",
    [
        "男 女 其他",
        "小学 初中 高中 本科",
        "北京 上海 广州",
        "同意 不同意 弃权",
        "一般 普通 中等",
        "是 否 不清楚",
        "1 2 3 4 5",
    ],
)
def test_categories_are_no_scale(words: str) -> None:
    assert match(dict.fromkeys(words.split(), 20)) is None


def test_what_is_of_no_scale_stays_apart() -> None:
    counts = dict.fromkeys(AGREE, 20)
    found = match({**counts, "不适用": 30, "其他": 2})
    assert found and found.rest == ("不适用", "其他")
    found = match({**counts, "随便": 3})
    assert found and found.rest == ("随便",)
    assert match({**counts, "随便": 80}) is None
    found = match({**counts, "不确定": 3})  # beside 一般 it is no middle
    assert found and found.rest == ("不确定",)


def test_items_share_the_scale_of_all() -> None:
    few = dict.fromkeys(["一般", "同意", "非常同意"], 5)
    found = matches({"a": dict.fromkeys(AGREE, 3), "b": few})
    assert found["b"].scores == {"一般": 3, "同意": 4, "非常同意": 5}
    seven = ["非常不同意", "不同意", "有点不同意", "中立", "有点同意", "同意", "非常同意"]
    found = matches({"a": dict.fromkeys(seven, 3), "b": dict.fromkeys(seven[3:], 5)})
    assert found["b"].scores == {"中立": 4, "有点同意": 5, "同意": 6, "非常同意": 7}


def sheet() -> str:
    lines = ["序号,提交答卷时间,1、界面清晰,2、操作简单,3、您常用吗,4、建议"]
    for i in range(60):
        second = "(跳过)" if i == 7 else "不适用" if i == 8 else AGREE[i * 2 % 5]
        often = ["从不", "很少", "有时", "经常", "总是"][i % 5]
        lines.append(f"{i + 1},2024/1/{i % 28 + 1} 10:00:00,{AGREE[i % 5]},{second},{often},很好用{i}")
    return "\n".join(lines) + "\n"


def test_one_question_for_all_items(read: Import) -> None:
    asking = read(sheet())
    assert asking["state"] == "asking"
    first, second = asking["questions"]
    assert (first["kind"], first["names"], first["count"]) == ("scale", ["1、界面清晰", "2、操作简单"], 2)
    assert [choice["key"] for choice in first["choices"]] == ["score", "reverse", "text"]
    assert first["choices"][0]["title"] == "按 1–5 计分（1 非常不同意 … 5 非常同意）；“不适用”作缺失"
    assert second["names"] == ["3、您常用吗"]


def test_scored_with_the_words_as_labels(read: Import) -> None:
    answers = {"scale_c3": "score", "scale_c5": "reverse"}
    answer = read(sheet(), answers=answers)
    table = answer["table"]
    columns = {column.name: column for column in table.meta.columns}
    clear, easy, often = columns["1、界面清晰"], columns["2、操作简单"], columns["3、您常用吗"]
    assert (clear.measure, clear.storage, clear.flags) == ("定量", "int", ["量表"])
    assert [(level.value, level.label, level.count) for level in clear.levels or []] == [
        (i + 1, word, 12) for i, word in enumerate(AGREE)
    ]
    assert table.numeric(clear.id).tolist() == [i % 5 + 1 for i in range(60)]
    assert clear.profile.mean == 3
    assert easy.profile.missing == 2
    assert table.numeric(often.id).tolist() == [5 - i % 5 for i in range(60)]
    assert [level.label for level in often.levels or []] == ["总是", "经常", "有时", "很少", "从不"]


def test_words_stay_where_they_are_wanted(read: Import) -> None:
    for choice in ({"answers": {"scale_c3": "text", "scale_c5": "text"}}, {"on_doubt": "text"}):
        column = read(sheet(), **choice)["table"].meta.columns[2]
        assert (column.measure, column.storage, column.ordered) == ("定类", "text", True)
        assert column.wording.labels == AGREE


def test_scored_later_and_back(read: Import) -> None:
    answer = read(sheet(), on_doubt="text")
    table = answer["table"]
    second = table.meta.columns[3]
    change: dict[str, Any] = {"id": second.id, "measure": "定量", "flags": ["量表"], "scores": second.wording.scores}
    edited = edit(answer["key"], {"table": SCORED, "columns": [change]})
    column = edited["columns"][3]
    assert (column["storage"], column["levels"][0]["label"], column["profile"]["max"]) == ("int", "非常不同意", 5)
    assert [one["text"] for one in edited["warnings"]] == [
        "“2、操作简单”有 1 个单元格不是计分的选项，将作缺失；改回文本即恢复。"
    ]
    turned = {word: 6 - place for word, place in second.wording.scores.items()}
    again = edit(SCORED, {"table": TURNED, "columns": [{**change, "scores": turned}]})
    assert [level["label"] for level in again["columns"][3]["levels"]] == AGREE[::-1]
    back = edit(TURNED, {"table": BACK, "columns": [{"id": second.id, "measure": "定类", "ordered": True}]})
    assert (back["columns"][3]["storage"], back["columns"][3].get("scores")) == ("text", None)
    assert [level["value"] for level in back["columns"][3]["levels"]][:5] != []
