"""Which questions of an export belong together, from headings as platforms write them; and which do not."""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np
import pytest

from hengxi.data.build import table_of
from hengxi.data.questionnaire.structure import _short, _unique, against_the_others, ends_of, structure_of
from tests.data.conftest import Import

ROWS = 80


def ratings(k: int, seed: int, places: int = 5, reversed_items: tuple[int, ...] = ()) -> list[list[int]]:
    """Answers to k items of one trait, a column each."""
    rng = np.random.default_rng(seed)
    trait = rng.normal(size=ROWS)
    columns = []
    for i in range(k):
        x = (-trait if i in reversed_items else trait) + rng.normal(scale=0.7, size=ROWS)
        places_of = np.clip(np.round((places + 1) / 2 + x * places / 5), 1, places).astype(int)
        columns.append(places_of.tolist())
    return columns


def chosen(k: int, seed: int) -> list[list[int]]:
    return np.random.default_rng(seed).integers(0, 2, size=(k, ROWS)).tolist()


def export(*columns: tuple[str, list[Any]], labels: list[str] | None = None, marks: bool = False) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([name for name, _ in columns])
    if labels:
        writer.writerow(labels)
    if marks:
        writer.writerow([f'{{"ImportId":"QID{i}"}}' for i in range(len(columns))])
    writer.writerows(zip(*(cells for _, cells in columns), strict=True))
    return out.getvalue()


def cycle(*values: Any) -> list[Any]:
    return [values[i % len(values)] for i in range(ROWS)]


TIMES = [f"2024/3/{i % 28 + 1} 10:{i % 60:02d}:00" for i in range(ROWS)]
SEX, AGE = cycle("男", "女", "女"), cycle("18岁以下", "18-25岁", "26-35岁", "36岁以上")


def seen(answer: dict[str, Any]) -> dict[str, Any]:
    """The proposal with names in the place of ids."""
    table = answer["table"]
    names = {column.id: column.name for column in table.meta.columns}
    found = structure_of(table, [one["columns"] for one in answer["sets"]])
    return {
        "sets": [one["name"] for one in answer["sets"]],
        "dimensions": {one["name"]: [names[i] for i in one["columns"]] for one in found["dimensions"]},
        "matrices": [one["name"] for one in found["matrices"]],
        "background": [names[i] for i in found["background"]],
        "ends": [(one["low"], one["high"]) for one in found["dimensions"]],
        "against": {names[one["column"]] for group in found["dimensions"] for one in group["against"]},
        "reversed": [i for group in found["dimensions"] for i in group["reversed"]],
    }


def test_wenjuanxing(read: Import) -> None:
    """Questions with 、, rows of a matrix behind a dash, options in brackets; the later ones only counted."""
    service, trust = ratings(4, 1, reversed_items=(2,)), ratings(3, 2, places=7)
    answer = read(
        export(
            ("序号", list(range(1, ROWS + 1))),
            ("提交答卷时间", TIMES),
            ("所用时间", [f"{60 + i}秒" for i in range(ROWS)]),
            ("来源", cycle("手机提交", "链接")),
            ("来自IP", cycle("1.2.3.4(北京-北京)", "1.2.3.5(上海-上海)")),
            ("1、您的性别", SEX),
            ("2、您的年龄", AGE),
            ("3、您用过哪些平台？(微信)", chosen(1, 1)[0]),
            ("3、(微博)", chosen(1, 2)[0]),
            ("3、(抖音)", chosen(1, 3)[0]),
            ("4、请评价本店的服务：—响应及时", service[0]),
            ("4、—态度友好", service[1]),
            ("4、—常常出错", service[2]),
            ("4、—专业可靠", service[3]),
            ("5、您对商家的信任(诚实)", trust[0]),
            ("5、(守信)", trust[1]),
            ("5、(公平)", trust[2]),
            ("6、您还有什么建议", cycle("没有", "更快一点", "更便宜")),
            ("总分", list(range(ROWS))),
        ),
        on_doubt="text",
    )
    found = seen(answer)
    assert found["sets"] == ["3、您用过哪些平台？"]
    assert found["background"] == ["1、您的性别", "2、您的年龄"]
    assert found["dimensions"] == {
        "请评价本店的服务": ["4、请评价本店的服务：—响应及时", "4、—态度友好", "4、—常常出错", "4、—专业可靠"],
        "您对商家的信任": ["5、您对商家的信任(诚实)", "5、(守信)", "5、(公平)"],
    }
    assert found["matrices"] == list(found["dimensions"]) and found["ends"] == [(1, 5), (1, 7)]
    assert found["against"] == {"4、—常常出错"} and found["reversed"] == []


def test_wenjuanxing_single_scale_questions(read: Import) -> None:
    """A scale asked one question at a time; what counts people and months between them is no rating."""
    items = ratings(5, 3)
    headings = ["我觉得它有用", "我觉得它好用", "我愿意推荐它", "我会继续使用", "我觉得它值得"]
    scale = [(f"{n}、{text}", cells) for n, text, cells in zip(range(4, 9), headings, items, strict=True)]
    found = seen(
        read(
            export(
                ("1、您的性别", SEX),
                ("2、您家有几口人", cycle(2, 3, 4, 5)),
                ("3、每月购物次数", cycle(1, 2, 3, 5)),
                *scale,
                ("9、您的月收入", cycle("3000以下", "3000-6000", "6000以上")),
            ),
            on_doubt="text",
        )
    )
    assert found["dimensions"] == {"第4–8题": [name for name, _ in scale]} and found["matrices"] == []
    assert found["background"] == ["1、您的性别", "9、您的月收入"]


def test_tencent(read: Import) -> None:
    """A full stop behind the number, a colon before the option."""
    items = ratings(4, 4)
    answer = read(
        export(
            ("编号", list(range(1, ROWS + 1))),
            ("开始答题时间", TIMES),
            ("结束答题时间", TIMES),
            ("答题时长", [60 + i for i in range(ROWS)]),
            ("1.您的性别", SEX),
            ("2.您的学历", cycle("高中", "本科", "硕士")),
            *[
                (f"3.您从哪里了解我们:{one}", cells)
                for one, cells in zip(("朋友", "广告", "搜索"), chosen(3, 5), strict=True)
            ],
            *[
                (f"4.请对课程打分:{one}", cells)
                for one, cells in zip(("内容", "讲师", "节奏", "资料"), items, strict=True)
            ],
        ),
        on_doubt="text",
    )
    found = seen(answer)
    assert found["sets"] == ["3.您从哪里了解我们"] and found["background"] == ["1.您的性别", "2.您的学历"]
    assert list(found["dimensions"]) == ["请对课程打分"] and len(found["dimensions"]["请对课程打分"]) == 4


def test_credamo(read: Import) -> None:
    """Codes above the wording, a trait in each group of codes."""
    first, second = ratings(3, 6, places=7), ratings(3, 7, places=7)
    codes = ["作答ID", "作答总时长", "Q1", "Q2_1", "Q2_2", "Q2_3", "Q3_1", "Q3_2", "Q3_3"]
    words = [
        "作答ID",
        "作答总时长",
        "您的性别",
        "品牌信任-我相信它",
        "品牌信任-它可靠",
        "品牌信任-它诚实",
        "购买意愿-我会买",
        "购买意愿-我想买",
        "购买意愿-我愿推荐",
    ]
    cells: list[list[Any]] = [
        [f"a{i}" for i in range(ROWS)],
        [100 + i for i in range(ROWS)],
        cycle(1, 2),
        *first,
        *second,
    ]
    found = seen(read(export(*zip(codes, cells, strict=True), labels=words), on_doubt="text"))
    assert found["dimensions"] == {"品牌信任": codes[3:6], "购买意愿": codes[6:9]}
    assert found["background"] == ["Q1"] and found["ends"] == [(1, 7), (1, 7)]


def test_qualtrics(read: Import) -> None:
    """Three lines of header; choices that are blank where not chosen; timers, places and orders are no answers."""
    items = ratings(3, 8, reversed_items=(1,))
    codes = [
        "StartDate",
        "Status",
        "Progress",
        "LocationLatitude",
        "Q1",
        "Q2_1",
        "Q2_2",
        "Q2_3",
        "Q2_3_TEXT",
        "Q3_1",
        "Q3_2",
        "Q3_3",
        "Q4_First Click",
        "Q3_DO_1",
        "Q3_DO_2",
    ]
    words = [
        "Start Date",
        "Response Type",
        "Progress",
        "Location Latitude",
        "What is your gender?",
        "Which do you use? - Selected Choice - Mail",
        "Which do you use? - Selected Choice - Chat",
        "Which do you use? - Selected Choice - Other",
        "Which do you use? - Other - Text",
        "How far do you agree? - I like it",
        "How far do you agree? - I avoid it",
        "How far do you agree? - I need it",
        "Timing - First Click",
        "Q3 - Display Order - 1",
        "Q3 - Display Order - 2",
    ]
    blank = [[("1" if one else "") for one in column] for column in chosen(3, 9)]
    cells: list[list[Any]] = [
        TIMES,
        cycle(0),
        cycle(100),
        cycle("31.2", "30.9"),
        cycle(1, 2),
        *blank,
        cycle("", "fax"),
        *items,
        cycle(1, 2, 3),
        cycle(1, 2, 3),
        cycle(3, 2, 1),
    ]
    found = seen(read(export(*zip(codes, cells, strict=True), labels=words, marks=True), on_doubt="text"))
    assert found["sets"] == ["Q2"] and found["background"] == ["Q1"]
    assert found["dimensions"] == {"How far do you agree": ["Q3_1", "Q3_2", "Q3_3"]}
    assert found["against"] == {"Q3_2"}


def test_items_named_by_their_dimension(read: Import) -> None:
    pu, peou = ratings(3, 10), ratings(3, 11)
    columns = [(f"PU{i}", cells) for i, cells in enumerate(pu, 1)] + [
        (f"易用性{i}", cells) for i, cells in enumerate(peou, 1)
    ]
    found = seen(read(export(("gender", cycle(1, 2)), *columns), on_doubt="text"))
    assert found["dimensions"] == {"PU": ["PU1", "PU2", "PU3"], "易用性": ["易用性1", "易用性2", "易用性3"]}
    assert found["background"] == ["gender"] and found["matrices"] == []


@pytest.mark.parametrize(
    ("case", "columns"),
    [
        ("measurements", [("血压_1", [100 + i for i in range(ROWS)]), ("血压_2", [90 + i for i in range(ROWS)])]),
        (
            "marks",
            [("成绩(语文)", [60 + i % 40 for i in range(ROWS)]), ("成绩(数学)", [50 + i % 50 for i in range(ROWS)])],
        ),
        ("shares", [("7、分配100分(价格)", cycle(40, 20, 30)), ("7、(质量)", cycle(60, 80, 70))]),
        ("fractions", [("得分_1", cycle(1.5, 2.5, 3.0)), ("得分_2", cycle(2.5, 1.5, 4.0))]),
        ("yes and no", [("5、(微信)", cycle(1, 0)), ("5、(微博)", cycle(0, 1, 1))]),
        (
            "places of options",
            [("8、请排序(价格)", cycle(1, 2, 3)), ("8、(质量)", cycle(2, 3, 1)), ("8、(服务)", cycle(3, 1, 2))],
        ),
        (
            "places, not all given",
            [("8、排序(甲)", cycle(1, 2, "")), ("8、(乙)", cycle(2, 1, 1)), ("8、(丙)", cycle("", "", 2))],
        ),
        ("plain variables", [("x1", cycle(1, 2, 3, 4)), ("x2", cycle(4, 3, 1, 2)), ("x3", cycle(2, 2, 1, 5))]),
        ("question numbers", [("Q1", cycle(1, 2, 3, 4)), ("Q2", cycle(4, 3, 1, 2))]),
        ("years", [("销量2022", cycle(1, 2, 3)), ("销量2023", cycle(3, 1, 2))]),
        (
            "quantities",
            [
                ("1、家里有几台车", cycle(0, 1, 2)),
                ("2、每周运动次数", cycle(1, 3, 5)),
                ("3、孩子的年龄", cycle(3, 5, 9)),
                ("4、每天睡多少小时", cycle(6, 7, 8)),
            ],
        ),
    ],
)
def test_what_must_not_be_taken(read: Import, case: str, columns: list[tuple[str, list[Any]]]) -> None:
    assert seen(read(export(*columns), on_doubt="text"))["dimensions"] == {}, case


def test_the_direction_of_items_agrees_with_the_correlations_of_numpy() -> None:
    x = np.column_stack(ratings(6, 12, reversed_items=(1, 4))).astype(float)
    found = against_the_others(x)
    assert [i for i, _ in found] == [1, 4]
    signs = np.array([1, -1, 1, 1, -1, 1])
    for i, r in found:
        rest = np.delete(x * signs, i, axis=1).sum(axis=1)
        assert r == pytest.approx(float(np.corrcoef(x[:, i], rest)[0, 1]), abs=1e-12) and r < 0


def test_the_fewer_items_are_the_reversed_ones() -> None:
    x = np.column_stack(ratings(5, 13, reversed_items=(0, 1, 2))).astype(float)
    assert [i for i, _ in against_the_others(x)] == [3, 4]


def test_nothing_is_said_of_items_without_variation_or_answers() -> None:
    x = np.column_stack(ratings(3, 14)).astype(float)
    assert against_the_others(np.column_stack([x, np.full(ROWS, 3.0)])) == []
    assert against_the_others(x[:4]) == [] and against_the_others(x[:, :2]) == []


def test_more_items_than_can_be_kept_are_cut_into_several(read: Import) -> None:
    answer = read(export(*[(f"{i}、我同意说法{chr(0x4E00 + i)}", cells) for i, cells in enumerate(ratings(420, 3), 1)]))
    found = structure_of(answer["table"])
    assert sum(len(one["columns"]) for one in found["dimensions"]) == 420
    assert max(len(one["columns"]) for one in found["dimensions"]) == 300
    assert len({one["name"] for one in found["dimensions"]}) == len(found["dimensions"])


def test_names_stay_apart() -> None:
    assert _unique(["服务", "服务_2", "服务", "服务"]) == ["服务", "服务_2", "服务_3", "服务_4"]


def test_a_name_is_cut_to_what_can_be_kept() -> None:
    assert _short("😀" * 30) == "😀" * 20
    assert _short("字" * 41) == "字" * 40


@pytest.mark.parametrize(("places", "ends"), [(5, (1, 5)), (6, (1, 6)), (7, (1, 7)), (9, (1, 10))])
def test_the_ends_of_a_scale_hold_what_was_answered(places: int, ends: tuple[int, int]) -> None:
    items = {f"Q{i}": [1 + (i + n) % places for n in range(60)] for i in range(3)}
    assert ends_of(table_of(items).meta.columns) == ends


def test_an_item_nobody_answered_by_the_last_place_stays_with_the_others(read: Import) -> None:
    items = ratings(6, 5, places=7)
    items[2] = [min(x, 6) for x in items[2]]
    found = structure_of(read(export(*[(f"{i}、我同意说法{i}", cells) for i, cells in enumerate(items, 1)]))["table"])
    assert [(len(one["columns"]), one["high"]) for one in found["dimensions"]] == [(6, 7)]
