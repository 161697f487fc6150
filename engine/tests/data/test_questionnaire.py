"""Exports of questionnaire platforms: joined answers, sets, skipped items, columns about the answering."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyreadstat
import pytest

from hengxi.data.edits import edit
from tests.data.conftest import Import

EXPORT = """序号,提交答卷时间,所用时间,来自IP,1、您的性别,2、您用过哪些,3、您的年龄,\
4、满意(1),4、满意(2),4、满意(3),5、价格,5、质量
1,2024/1/2 10:00:00,125秒,1.2.3.4(北京),男,微信┋微博,20,1,0,1,4,-3
2,2024/1/2 10:01:00,63秒,1.2.3.5(上海),女,微信┋其他〖快手〗,(跳过),0,0,1,5,3
3,2024/1/2 10:02:00,70秒,1.2.3.6(北京),女,(跳过),31,0,1,0,3,2
4,2024/1/2 10:03:00,99秒,1.2.3.7(广州),(跳过),抖音,40,1,1,0,2,1
"""


def by_name(answer: dict[str, Any]) -> dict[str, Any]:
    return {column.name: column for column in answer["table"].meta.columns}


def test_an_export(read: Import) -> None:
    answer = read(EXPORT, on_doubt="text")
    table, columns = answer["table"], by_name(answer)
    assert [(s["name"], s["label"], s["counted"], len(s["columns"])) for s in answer["sets"]] == [
        ("2、您用过哪些", "您用过哪些", 1, 4),
        ("4、满意", "满意", 1, 3),
    ]
    assert [s.name for s in table.meta.sets] == ["2、您用过哪些", "4、满意"]
    wechat = columns["2、您用过哪些(微信)"]
    assert table.text(wechat.id).tolist() == ["1", "1", None, "0"]
    assert [(v.label, v.count) for v in wechat.levels] == [("未选", 1), ("选中", 2)]
    assert table.text(columns["2、您用过哪些(其他)"].id).tolist() == ["0", "1", None, "0"]
    assert table.text(columns["2、您用过哪些"].id).tolist()[:2] == ["微信┋微博", "微信┋其他〖快手〗"]
    assert columns["1、您的性别"].label == "您的性别"
    assert columns["1、您的性别"].missing.values == ["(跳过)"] and columns["1、您的性别"].profile.n == 3
    assert columns["3、您的年龄"].storage == "int" and columns["3、您的年龄"].profile.missing == 1
    assert columns["5、质量"].missing.values == [-3] and columns["5、质量"].missing_labels[0].label == "跳过"
    assert np.isnan(table.numeric(columns["5、质量"].id)).tolist() == [True, False, False, False]
    flags = {name: column.flags for name, column in columns.items()}
    assert "答题时间" in flags["提交答卷时间"] and "用时" in flags["所用时间"] and "IP" in flags["来自IP"]
    spent = columns["所用时间(秒)"]
    assert table.numeric(spent.id).tolist() == [125, 63, 70, 99] and (spent.unit, spent.flags) == ("秒", ["用时"])
    codes = [w["code"] for w in answer["report"]["warnings"]]
    assert codes == ["questionnaire.flags", "questionnaire.skipped", "questionnaire.sets"]


def test_the_report_calls_a_variable_what_every_list_calls_it(read: Import) -> None:
    lines = [f"{row},{row % 5 + 1},{row % 4 + 1},{row % 3 + 1},{row * 7 % 50 + 0.5}" for row in range(1, 101)]
    answer = read("\n".join(["编号,Q1.甲,Q2.乙,Q3.丙,身高", *lines]))
    kinds = {column["name"]: column["type"] for column in answer["report"]["columns"]}
    assert list(kinds.values()) == ["标识", "量表题", "量表题", "量表题", "定量"]


def test_it_can_be_switched_off(read: Import) -> None:
    answer = read(EXPORT, on_doubt="text", settings={"questionnaire": False})
    assert len(answer["columns"]) == 12 and answer["sets"] == [] and "sets" not in answer["table"].meta.wire()


def test_times_in_words(read: Import) -> None:
    table = read('用时,x\n2分5秒,1\n0:01:03,2\n1小时,3\n"",4\n')["table"]
    assert table.text("c3").tolist() == ["125", "63", "3600", None]
    assert len(read("用时,x\n很久,1\n5秒,2\n")["columns"]) == 2


def test_numbered_options_and_other_tables(read: Import) -> None:
    answer = read("Q5_1,Q5_2,Q5_3,x\n1,0,1,5\n0,0,1,6\n1,1,,7\n")
    assert [(s["name"], s["columns"]) for s in answer["sets"]] == [("Q5", ["c1", "c2", "c3"])]
    plain = read("温度,压力|单位,值\n-3,a,1\n5,b,2\n6,c,3\n")
    assert plain["sets"] == [] and plain["table"].meta.columns[0].missing.values == []
    assert plain["table"].meta.columns[0].label is None


def test_bars_in_text_that_are_no_answers(read: Import) -> None:
    lines = "".join(f"这是第{i}条很长的意见|{i}|各不相同\n" for i in range(200))
    assert len(read("意见\n" + lines, settings={"delimiter": ","})["columns"]) == 1


def test_a_single_bar_makes_no_options(read: Import) -> None:
    assert len(read("式子,x\n=cmd|calc,1\n+5,2\n", settings={"delimiter": ","})["columns"]) == 2
    rows = "甲|乙,1\n乙,2\n甲,3\n甲|乙,4\n乙|丙,5\n丙|甲,6\n,7\n"
    names = [column["name"] for column in read("选择,x\n" + rows, settings={"delimiter": ","})["columns"]]
    assert names == ["选择", "x", "选择(甲)", "选择(乙)", "选择(丙)"]


def test_headings_of_any_length(read: Import) -> None:
    """Taken apart, these would take hours."""
    long = " ".join(sign * 30_000 for sign in ("_", "(", "-"))
    rows = "".join(f"{i % 5 + 1},{i % 2}\n" for i in range(20))
    assert [c["name"] for c in read(f"{long},x\n{rows}")["columns"]] == [long, "x"]


def test_a_bar_in_the_name_of_a_group_makes_no_options(read: Import) -> None:
    assert len(read("组别,x\n" + "甲|竖线,1\n乙,2\n" * 10, settings={"delimiter": ","})["columns"]) == 2


def test_a_set_outlives_an_edit(read: Import, keys: Any) -> None:
    answer = read("Q5_1,Q5_2\n1,0\n0,1\n")
    assert edit(answer["key"], {"table": keys(), "columns": [{"id": "c1", "label": "微信"}]})["sets"][0]["name"] == "Q5"


def test_scale_items_with_headings(read: Import) -> None:
    text = "1、性别,2、价格,3、质量,4、服务\n" + "".join(
        f"{'男女'[i % 2]},{i % 5 + 1},{(i * 3) % 5 + 1},{(i * 2) % 5 + 1}\n" for i in range(30)
    )
    flagged = [c.name for c in read(text)["table"].meta.columns if "量表" in c.flags]
    assert flagged == ["2、价格", "3、质量", "4、服务"]


def test_labels_of_spss_are_left_alone(read: Import, tmp_path: Path) -> None:
    frame = pd.DataFrame({"Q5_1": [1.0, 0, 1], "Q5_2": [0.0, 1, 1], "x": [-3.0, 1, 2]})
    pyreadstat.write_sav(frame, str(tmp_path / "a.sav"), column_labels={"Q5_1": "微信", "Q5_2": "微博"})
    answer = read(tmp_path / "a.sav", "a.sav")
    assert [s["name"] for s in answer["sets"]] == ["Q5"]
    assert [c.label for c in answer["table"].meta.columns] == ["微信", "微博", None]
    assert answer["table"].meta.columns[2].missing.values == []


def test_options_of_a_skipped_question_stay_together(read: Import) -> None:
    """-3 not shown, -2 left empty: on the numeric export of questionnaire platforms."""
    rows = "\n".join(
        f"{i},{i % 2},{(i + 1) % 2},{-3 if i % 4 == 0 else i % 2},{-2 if i % 5 == 0 else i % 5}" for i in range(1, 21)
    )
    found = read(f"序号,1、渠道(网店),1、渠道(门店),1、渠道(其他),2、满意度\n{rows}\n")
    assert [(one["name"], one["columns"]) for one in found["sets"]] == [("1、渠道", ["c2", "c3", "c4"])]
    third, rating = found["table"].column("c4"), found["table"].column("c5")
    assert third.missing.values == [-3] and rating.missing.values == [-2]
    assert [(one.value, one.label) for one in rating.missing_labels] == [(-2, "未答")] and rating.profile.min == 1


@pytest.mark.parametrize("name", ["4、满意度:{}", "4、满意度（{}）", "Q4({})", "满意度_{}"])
def test_rows_of_a_matrix_question_are_scale_items(read: Import, name: str) -> None:
    heads = [name.format(one) for one in (("1", "2", "3") if "_" in name else ("质量", "服务", "价格"))]
    rows = "\n".join(f"{i % 5 + 1},{(i + 2) % 5 + 1},{(i * 3) % 5 + 1},{i % 5 + 1}" for i in range(30))
    found = read(",".join([*heads, "年级"]) + f"\n{rows}\n")
    assert [column.flags for column in found["table"].meta.columns] == [["量表"]] * 3 + [[]]


def test_an_option_nobody_chose_belongs_to_its_question(read: Import) -> None:
    text = "爱好(跑步),爱好(游泳),爱好(其他)\n" + "1,0,0\n0,1,0\n" * 5
    answer = read(text)
    assert [found["columns"] for found in answer["sets"]] == [["c1", "c2", "c3"]]
    assert [column["measure"] for column in answer["columns"]] == ["定类"] * 3
    assert read("爱好(跑步),爱好(游泳)\n" + "0,0\n" * 5)["sets"] == []


def test_options_under_the_mere_number_of_their_question_belong_together(read: Import) -> None:
    """As 问卷星 heads them: the question stands in the first heading only, or in none."""
    head = "序号,提交答卷时间,1、用过的平台(微信),1、(微博),1、(其他（请补充）:),2、(堵车),2、(太远)"
    head += ",3、(服务),3、(价格),4、年龄"
    rows = "\n".join(
        f"{i},2024/3/1 10:00:00,{i % 2},{i % 3 // 2},{-3 if i == 4 else 1},1,{i % 2},{i % 5 + 1},{i % 4 + 1},{20 + i}"
        for i in range(1, 13)
    )
    table = read(f"{head}\n{rows}\n")["table"]
    assert [(one.name, one.label, one.columns) for one in table.meta.sets] == [
        ("1、用过的平台", "用过的平台", ["c3", "c4", "c5"]),
        ("第2题", "第2题", ["c6", "c7"]),
    ]
    labels = [column.label for column in table.meta.columns[2:]]
    assert labels[:3] == ["用过的平台(微信)", "用过的平台(微博)", "用过的平台(其他（请补充）:)"]
    assert labels[3:] == ["堵车", "太远", "服务", "价格", "年龄"]
