"""Exports of questionnaire platforms as these write them: lines of header, options, halves of a day."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from tests.data.conftest import Import

CODES = ["StartDate", "Duration (in seconds)", "ResponseId", "Q1", "Q2_1", "Q2_2", "Q2_3", "Q2_3_TEXT", "Q3"]
WORDS = [
    "Start Date", "Duration (in seconds)", "Response ID", "您的性别", "用过哪些 - Selected Choice - 微信",
    "用过哪些 - Selected Choice - 微博", "用过哪些 - Selected Choice - 其他", "用过哪些 - 其他 - Text", "还想说\n什么",
]  # fmt: skip
MARKS = ['{"ImportId":"startDate","timeZone":"Asia/Shanghai"}', *(f'{{"ImportId":"QID{i}"}}' for i in range(8))]


def text_of(*rows: list[Any]) -> str:
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue()


def answers(texts: bool = False) -> list[list[str]]:
    one, two, other = ("微信", "微博", "其他") if texts else ("1", "1", "1")
    return [
        [f"2024-03-0{i + 1} 10:00:00", str(100 + i), f"R_{i:04d}", str(i % 2 + 1), one if i % 2 else "",
         two if i % 3 else "", other if i == 4 else "", "快手" if i == 4 else "", "很好" if i else ""]
        for i in range(8)
    ]  # fmt: skip


def shape(answer: dict[str, Any]) -> list[tuple[str, str | None, str]]:
    return [(column.name, column.label, column.storage) for column in answer["table"].meta.columns]


def test_the_third_line_of_qualtrics_is_no_answer(read: Import) -> None:
    answer = read(text_of(CODES, WORDS, MARKS, *answers()))
    assert answer["report"]["settings"]["header_rows"] == 3 and answer["rows"] == 8
    kinds = ["datetime", "int", "text", "int", "int", "int", "int", "text", "text"]
    assert shape(answer) == [
        (code, None if code == word else " ".join(word.split()), kind)
        for code, word, kind in zip(CODES, WORDS, kinds, strict=True)
    ]
    assert [(s["name"], s["label"], s["columns"]) for s in answer["sets"]] == [("Q2", "用过哪些", ["c5", "c6", "c7"])]
    assert {column.measure for column in answer["table"].meta.columns[4:7]} == {"定类"}


def test_three_lines_of_a_sheet(read: Import, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in (CODES, WORDS, MARKS, *answers()):
        book.active.append([int(cell) if cell.isdigit() else cell or None for cell in row])
    book.save(tmp_path / "a.xlsx")
    answer = read(tmp_path / "a.xlsx", "a.xlsx")
    assert answer["report"]["settings"]["header_rows"] == 3 and answer["rows"] == 8
    assert [name for name, _, _ in shape(answer)] == CODES and shape(answer)[3][1:] == ("您的性别", "int")


@pytest.mark.parametrize("marks", [MARKS, [mark.replace('"', "'") for mark in MARKS]])
def test_marks_are_known_by_themselves(read: Import, marks: list[str]) -> None:
    """Without the wording, in the older way of writing, and with no answers at all."""
    answer = read(text_of(CODES, marks, *answers()[:1]))
    assert answer["report"]["settings"]["header_rows"] == 2 and answer["rows"] == 1
    assert [label for _, label, _ in shape(answer)] == [None] * 9
    empty = read(text_of(CODES, WORDS, marks))
    assert empty["rows"] == 0 and [name for name, _, _ in shape(empty)] == CODES


def test_three_lines_can_be_refused_and_chosen(read: Import) -> None:
    text = text_of(CODES, WORDS, MARKS, *answers())
    assert read(text, settings={"header_rows": 1}, on_doubt="text")["rows"] == 10
    plain = read("题一,题二,x\n甲,乙,\n一,二,\n1,2,3\n4,5,6\n", settings={"header_rows": 3})
    assert plain["rows"] == 2 and [column.label for column in plain["table"].meta.columns][:2] == ["甲 一", "乙 二"]


def test_options_repeated_in_their_cells_become_0_and_1(read: Import) -> None:
    answer = read(text_of(CODES, WORDS, MARKS, *answers(texts=True)))
    table = answer["table"]
    assert [(s["name"], s["columns"]) for s in answer["sets"]] == [("Q2", ["c10", "c11", "c12"])]
    assert [column.name for column in table.meta.columns][9:] == ["Q2_1_选中", "Q2_2_选中", "Q2_3_选中"]
    # Nobody chose anything in the first row: the question was left out.
    assert table.text("c10").tolist() == [None, "1", "0", "1", "0", "1", None, "1"]
    assert table.text("c12").tolist() == [None, "0", "0", "0", "1", "0", None, "0"]


SURVEY = (
    ["Respondent ID", "Start Date", "IP Address", "性别", "平台（可多选）", "", "", "满意程度", ""],
    ["", "", "", "Response", "微信", "微博", "其他（请注明）", "质量", "价格"],
)


def test_a_question_repeated_above_each_option(read: Import) -> None:
    """Merged cells filled by the program that wrote the file: the options are no answers of a first person."""
    first = ["序号", "提交时间", "1、性别", "2、平台（多选）", "2、平台（多选）", "3、评分", "3、评分", "总分"]
    rows = [[i + 1, f"2024-03-0{i + 1}", i % 2 + 1, i % 2, 1 - i % 2, i % 5 + 1, 5 - i % 5, 20 + i] for i in range(9)]
    answer = read(text_of(first, ["", "", "", "微信", "微博", "质量", "价格", ""], *rows))
    assert answer["report"]["settings"]["header_rows"] == 2 and answer["rows"] == 9
    names = ["2、平台（多选）(微信)", "2、平台（多选）(微博)", "3、评分(质量)", "3、评分(价格)"]
    assert [name for name, _, _ in shape(answer)] == [*first[:3], *names, "总分"]
    assert [(s["name"], s["columns"]) for s in answer["sets"]] == [("2、平台（多选）", ["c4", "c5"])]


@pytest.mark.parametrize("numbers", [False, True])
def test_questions_above_options(read: Import, numbers: bool) -> None:
    """SurveyMonkey, its answers as texts or as numbers of the options."""
    rows = [
        [str(11_000 + i), f"03/{i + 10}/2024 {i + 1}:05:00 PM", f"1.2.3.{i}", "男女"[i % 2],
         ("1" if numbers else "微信") if i % 2 else "", ("2" if numbers else "微博") if i % 3 else "",
         "小红书" if i == 5 else "", "满意" if i % 2 else "一般", "满意"]
        for i in range(9)
    ]  # fmt: skip
    answer = read(text_of(*SURVEY, *rows))
    assert answer["report"]["settings"]["header_rows"] == 2 and answer["rows"] == 9
    assert shape(answer)[:9] == [
        ("Respondent ID", None, "int"),
        ("Start Date", None, "datetime"),
        ("IP Address", None, "text"),
        ("性别", None, "text"),
        ("平台（可多选）(微信)", None, "int" if numbers else "text"),
        ("平台（可多选）(微博)", None, "int" if numbers else "text"),
        ("平台（可多选）(其他（请注明）)", None, "text"),
        ("满意程度(质量)", None, "text"),
        ("满意程度(价格)", None, "text"),
    ]
    assert answer["table"].text("c2").tolist()[:2] == ["2024-03-10 13:05:00", "2024-03-11 14:05:00"]
    assert [(s["name"], s["columns"]) for s in answer["sets"]] == [("平台（可多选）", ["c10", "c11", "c12"])]
    assert answer["table"].text("c12").tolist() == [None, "0", "0", "0", "0", "1", None, "0", "0"]


def test_checked_and_unchecked(read: Import) -> None:
    """REDCap with labels, and as numbers."""
    rows = [[i, "Checked" if i % 2 else "Unchecked", "Unchecked" if i else ""] for i in range(6)]
    answer = read(text_of(["Record ID", "平台 (choice=微信)", "平台 (choice=微博)"], *rows))
    assert [(s["name"], s["columns"]) for s in answer["sets"]] == [("平台", ["c4", "c5"])]
    assert answer["table"].text("c4").tolist() == ["0", "1", "0", "1", "0", "1"]
    assert answer["table"].text("c5").tolist() == [None, "0", "0", "0", "0", "0"]
    raw = read(text_of(["record_id", "apps___1", "apps___2"], *([i, i % 2, 1 - i % 2] for i in range(6))))
    assert [(s["name"], s["columns"]) for s in raw["sets"]] == [("apps", ["c2", "c3"])]


CHOICES = ["微信", "微博", "抖音"]


@pytest.mark.parametrize("sign", [", ", ";", "，", ",", "\n", "#"])
def test_answers_joined_by_an_ordinary_sign(read: Import, sign: str) -> None:
    """Google Forms and others: only in a questionnaire, and only options that mix freely."""
    rows = [
        [f"2024/3/{i} 上午 10:0{i}:00", sign.join(c for j, c in enumerate(CHOICES) if i >> j & 1), f"很好{sign}谢谢",
         f"北京{sign}{'海淀朝阳东城'[i % 3 * 2 :][:2]}"]
        for i in range(1, 8)
    ]  # fmt: skip
    answer = read(text_of(["时间戳记", "平台", "意见", "地点"], *rows))
    assert [(s["name"], s["columns"]) for s in answer["sets"]] == [("平台", ["c5", "c6", "c7"])]
    assert answer["table"].text("c5").tolist() == [str(i & 1) for i in range(1, 8)]
    assert answer["table"].text("c1").tolist()[0] == "2024-03-01 10:01:00"
    plain = read(text_of(["a", "平台", "意见", "地点"], *([i, *row[1:]] for i, row in enumerate(rows))))
    assert plain["sets"] == []


@pytest.mark.parametrize(
    ("cell", "moment"),
    [
        ("2024/03/01 12:05:00 上午 GMT+8", "2024-03-01 00:05:00"),
        ("2024-03-01 下午 1:05:09", "2024-03-01 13:05:09"),
        ("2024-03-01 下午12:05", "2024-03-01 12:05:00"),
        ("2024/3/1 1:05 pm", "2024-03-01 13:05:00"),
        ("2024/3/1 11:05:00PM UTC+0530", "2024-03-01 23:05:00"),
    ],
)
def test_halves_of_a_day(read: Import, cell: str, moment: str) -> None:
    answer = read(f"t,x\n{cell},1\n{cell},2\n")
    assert answer["table"].text("c1").tolist() == [moment] * 2


def test_an_hour_that_is_none_stays_text(read: Import) -> None:
    answer = read("t,x\n2024/3/1 下午 13:05:00,1\n2024/3/2 下午 14:05:00,2\n", on_doubt="text")
    assert answer["table"].text("c1").tolist() == ["2024/3/1 下午 13:05:00", "2024/3/2 下午 14:05:00"]


def test_codes_above_words_beside_columns_named_twice(read: Import) -> None:
    """The platform's own columns carry one name in both lines."""
    rows = [[f"C{i}", f"2024-03-01 10:00:0{i}", 50 + i, i % 2, 1 - i % 2, 20 + i] for i in range(6)]
    first = ["作答ID", "作答开始时间", "作答总时长", "Q2_1", "Q2_2", "Q4"]
    second = [*first[:3], "平台-微信", "平台-微博", "您的年龄"]
    answer = read(text_of(first, second, *rows))
    assert answer["rows"] == 6 and [name for name, _, _ in shape(answer)] == first
    assert [label for _, label, _ in shape(answer)] == [None, None, None, *second[3:]]
    assert [(s["name"], s["label"]) for s in answer["sets"]] == [("Q2", "平台")]
    assert [column.flags for column in answer["table"].meta.columns][1:3] == [["答题时间"], ["用时"]]


def test_waves_are_no_options(read: Import) -> None:
    """Columns that hold their own number in every row."""
    assert read("波次_1,波次_2,x\n1,2,5\n1,2,6\n1,2,7\n")["sets"] == []


def test_names_of_the_users_own_beside_codes_are_names(read: Import) -> None:
    """A question that was named by hand stands among the codes; its wording is a label like the others."""
    codes = ["作答ID", "Q1", "Q2_1", "Q2_2", "Q3", "注意力检测"]
    words = ["作答ID", "您的性别", "用过 - 微信", "用过 - 微博", "我 满意", "请选同意"]
    answer = read(text_of(codes, words, *[[1000 + i, i % 2 + 1, i % 2, (i + 1) % 2, i % 5 + 1, 4] for i in range(8)]))
    assert [name for name, _, _ in shape(answer)] == codes
    assert [label for _, label, _ in shape(answer)] == [None, *words[1:]]


def test_how_long_it_took_may_stand_under_the_heading_of_when(read: Import) -> None:
    rows = [[f"{i}分{i}秒" if i else "59秒", f"2024-03-0{i + 1} 10:00:00"] for i in range(5)]
    answer = read(text_of(["答题时间", "提交时间"], *rows))
    columns = {column.name: column for column in answer["table"].meta.columns}
    assert answer["table"].numeric(columns["答题时间(秒)"].id).tolist() == [59, 61, 122, 183, 244]
    assert columns["答题时间"].flags == ["用时"] and columns["提交时间"].flags == ["答题时间"]


def test_the_platforms_word_for_an_empty_answer_is_missing(read: Import) -> None:
    answer = read(
        text_of(["1、性别", "2、建议", "3、来源"], *[["男", "(空)" if i % 2 else "很好", "网络"] for i in range(6)])
    )
    column = answer["table"].meta.columns[1]
    assert column.missing.values == ["(空)"] and column.profile.missing == 3
    assert [(one.value, one.label, one.count) for one in column.missing_labels] == [("(空)", "未答", 3)]
