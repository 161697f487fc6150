"""The first report of a questionnaire: every question once, forms that the methods accept, as much as fits."""

from __future__ import annotations

from typing import Any

import pytest

from hengxi.data.build import table_of
from hengxi.data.questionnaire.structure import structure_of
from hengxi.data.table import Table
from hengxi.first_report import MOST, MOST_COMPARED, plan_of
from hengxi.jobs.analysis import draft
from tests.data.conftest import Import
from tests.data.test_structure import AGE, SEX, TIMES, chosen, cycle, export, ratings

SET = [("3、用过哪些(微信)", chosen(1, 1)[0]), ("3、(微博)", chosen(1, 2)[0]), ("3、(抖音)", chosen(1, 3)[0])]


def survey(read: Import) -> tuple[str, Table, dict[str, Any], list[dict[str, Any]]]:
    service, trust = ratings(4, 1, reversed_items=(2,)), ratings(3, 2, places=7)
    answer = read(
        export(
            ("序号", list(range(1, 81))), ("提交答卷时间", TIMES), ("来自IP", cycle("1.2.3.4", "1.2.3.5")),
            ("1、您的性别", SEX), ("2、您的年龄", AGE), *SET,
            *[(f"4、服务(第{i}项)", cells) for i, cells in enumerate(service, 1)],
            *[(f"5、信任(第{i}项)", cells) for i, cells in enumerate(trust, 1)],
            ("6、常用哪一家", cycle("甲", "乙", "丙")), ("7、上月花了多少钱", [100 + i * 7 for i in range(80)]),
            ("8、您的建议", [f"第 {i} 条很长很长的建议，各不相同" for i in range(80)]),
        ),
        on_doubt="text",
    )  # fmt: skip
    found = structure_of(answer["table"], [one["columns"] for one in answer["sets"]])
    kept = {key: found[key] for key in ("dimensions", "matrices", "background")}
    kept["dimensions"] = [{**one, "reversed": one["columns"][2:3] if n == 0 else []} for n, one in
                          enumerate(kept["dimensions"])]  # fmt: skip
    return answer["key"], answer["table"], kept, answer["sets"]


def test_a_whole_questionnaire(read: Import) -> None:
    key, table, kept, sets = survey(read)
    found = plan_of(table, kept, sets)
    assert [(part["section"], part["title"]) for part in found["parts"]] == [
        ("样本构成", "样本构成：性别、年龄"),
        ("信度", "信度：2 个维度"),
        ("效度", "效度：2 个维度"),
        ("各题结果", "用过哪些"),
        ("各题结果", "服务"),
        ("各题结果", "信任"),
        ("各题结果", "常用哪一家"),
        ("各题结果", "数值题：上月花了多少钱"),
        ("不同人群的比较", "按“性别”比较：常用哪一家"),
        ("不同人群的比较", "按“性别”比较：用过哪些"),
        ("不同人群的比较", "按“年龄”比较：常用哪一家"),
        ("不同人群的比较", "按“年龄”比较：用过哪些"),
    ]
    assert found["left_out"] == ["开放题不在报告里，可以另做文本分析：建议。"]
    alpha = next(part for part in found["parts"] if part["section"] == "信度")
    assert alpha["form"]["turned"] == [{"for": kept["dimensions"][0]["columns"][2], "reversed": True}]
    for part in found["parts"]:
        judged = draft({"path": part["path"], "table": key, "form": part["form"]})
        assert judged["fields"] == [], part["title"]


def test_a_question_is_in_one_part_only(read: Import) -> None:
    _, table, kept, sets = survey(read)
    own: list[str] = []
    for part in plan_of(table, kept, sets)["parts"]:
        if part["section"] in ("样本构成", "各题结果"):
            for item in part["form"].get("variables") or part["form"]["items"]:
                own += item["columns"] if isinstance(item, dict) else [item]
    assert len(own) == len(set(own))


def test_nothing_is_planned_of_a_structure_without_questions() -> None:
    table = table_of({"序号": list(range(30)), "来自IP": ["1.2.3.4"] * 30})
    found = plan_of(table, {"dimensions": [], "matrices": [], "background": []}, [])
    assert found == {"parts": [], "left_out": []}


@pytest.mark.parametrize("k", [MOST_COMPARED, 60])
def test_a_document_has_room_for_so_much(k: int) -> None:
    """Further background questions and questions are offered, not chosen."""
    table = table_of({f"{i}、题目": ["甲", "乙", "丙"] * 20 for i in range(1, k + 20)})
    background = [column.id for column in table.meta.columns[:k]]
    parts = plan_of(table, {"dimensions": [], "matrices": [], "background": background}, [])["parts"]
    assert sum(part["chosen"] for part in parts) <= MOST
    compared = [part for part in parts if part["section"] == "不同人群的比较"]
    assert len({part["form"]["columns"][0] for part in compared if part["chosen"]}) <= MOST_COMPARED
    assert len({part["key"] for part in parts}) == len(parts)


def test_what_is_in_no_part_is_told() -> None:
    cells = [f"学校{i % 120}" for i in range(240)]
    table = table_of({"1、学校": cells, "2、喜欢哪一家": ["甲", "乙"] * 120, "3、补充": [None] * 240})
    for column in table.meta.columns[:2]:
        column.measure = "定类"
    found = plan_of(table, {"dimensions": [], "matrices": [], "background": []}, [])
    assert [part["title"] for part in found["parts"]] == ["喜欢哪一家"]
    assert found["left_out"] == [
        "类别超过 100 种的题不在报告里：学校。",
        "没有人回答的题不在报告里：补充。",
    ]
    found = plan_of(table, {"dimensions": [], "matrices": [], "background": [table.meta.columns[0].id]}, [])
    assert found["left_out"][0] == "类别超过 100 种的题不在报告里：学校。"
