"""Forms judged from metadata: defaults, automatic values, conditions, limits; every refusal by code and words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hengxi.contract import Column, Form, Refusal, SetRemedy, role, words
from hengxi.contract.form import Judge
from hengxi.data.build import table_of
from hengxi.data.table import Table
from tests.support.toy import Toy


@pytest.fixture(scope="module")
def table() -> Table:
    n = 30
    return table_of(
        {
            "得分": [i * 1.5 for i in range(n)],
            "身高": [150.25 + i * 0.7 for i in range(n)],
            "年级": ["大一", "大二", "大三"] * 10,
            "性别": ["男", "女"] * 15,
            "意见": [f"第 {i} 条很长的意见" for i in range(n)],
            "次数": [1, 2, 3] * 10,
        }
    )


def judged(table: Table, **form: Any) -> tuple[dict[str, Any], list[tuple[str | None, str]], list[str]]:
    judge = Judge(Toy.Input, Toy.limits, form, table.meta.columns)  # type: ignore[arg-type]
    resolved = judge.judge()
    return resolved, [(f.field, f.code) for f in judge.faults], [f.text for f in judge.faults]


def test_defaults_and_automatic_values_are_filled_in(table: Table) -> None:
    resolved, faults, _ = judged(table, y=["c1"], group="c4")
    assert not faults
    assert resolved["event"] == "女"  # the last level
    assert resolved["show"] == ["a", "b"]  # in the order of the declaration
    assert resolved["model"] == {"preset": "main", "terms": [["c1"]]}
    assert resolved["reference"] == [{"for": "c1", "times": 1.0}]
    assert resolved["times"] is None and resolved["points"] == [0.25, 0.5]


def test_a_hidden_field_is_empty_and_never_required(table: Table) -> None:
    resolved, faults, _ = judged(table, y=["c1"], group="c4", pair=["x"])
    assert resolved["pair"] == [] and not faults
    resolved, faults, _ = judged(table, y=["c1"], group="c3")
    assert ("pair", "level.required") in faults


@pytest.mark.parametrize(
    ("form", "fault", "words"),
    [
        ({}, ("y", "role.required"), "因变量Y"),
        ({"y": ["c1", "c2", "c6", "c4"]}, ("y", "role.many"), "最多放 3 个"),
        ({"y": ["c3"]}, ("y", "role.measure"), "年级"),
        ({"y": ["c1", "c1"]}, ("y", "role.duplicate"), "得分"),
        ({"y": ["c77"]}, ("y", "role.gone"), "重新选择"),
        ({"y": ["c1"], "group": "c5"}, ("group", "role.measure"), "“意见”是文本，有 30 个不同取值（最多 4 类）"),
        ({"y": ["c1"], "weight": "c3"}, ("weight", "weight.text"), "年级"),
        ({"y": ["c1"], "weight": "c2"}, ("weight", "weight.whole"), "小数"),
        ({"y": ["c1"], "weight": "c1"}, ("weight", "weight.whole"), "得分"),
        ({"y": ["c1"], "group": "c4", "event": "其他"}, ("event", "level.unknown"), "其他"),
        ({"y": ["c1"], "group": "c3", "pair": ["大一"]}, ("pair", "level.count"), "正好 2 个"),
        ({"y": ["c1"], "group": "c3", "pair": ["大一", "大一"]}, ("pair", "level.count"), "两次"),
        ({"y": ["c1"], "reference": [{"for": "c2"}]}, ("reference", "settings.row"), "身高"),
        ({"y": ["c1"], "reference": [{"for": "c1", "times": 0}]}, ("reference", "number.range"), "大于 0"),
        ({"y": ["c1"], "model": {"preset": "custom", "terms": []}}, ("model", "terms.count"), "模型项"),
        ({"y": ["c1"], "model": {"preset": "custom", "terms": [["c2"]]}}, ("model", "terms.unknown"), "身高"),
        ({"y": ["c1"], "new": [{}]}, ("new", "cases.incomplete"), "第 1 行"),
        ({"y": ["c1"], "new": [{"c1": "甲"}]}, ("new", "cases.value"), "数值"),
        ({"y": ["c1"], "new": [{"c1": 1}] * 3}, ("new", "cases.value"), "最多 2 行"),
        ({"y": ["c1"], "side": "left"}, ("side", "choice.unknown"), "left"),
        ({"y": ["c1"], "side": "one", "robust": True}, ("side", "choice.greyed"), "稳健时只有双侧"),
        ({"y": ["c1"], "show": ["a", "b", "c"]}, ("show", "many.count"), "最多选 2 项"),
        ({"y": ["c1"], "low": 1}, ("low", "number.range"), "小于 1"),
        ({"y": ["c1"], "times": 1.5}, ("times", "number.whole"), "整数"),
        ({"y": ["c1"], "times": 9}, ("times", "number.range"), "不大于 5"),
        ({"y": ["c1"], "points": [0.5, 0.2]}, ("points", "numbers.order"), "从小到大"),
        ({"y": ["c1"], "points": [1]}, ("points", "numbers.each"), "小于 1"),
        ({"y": ["c1"], "name": "长" * 65}, ("name", "words.length"), "64"),
        ({"y": ["c1"], "low": 0.9, "high": 0.5}, ("low", "limit.less"), "上限"),
        ({"y": ["c1"], "low": 0.9, "high": 0.5}, ("high", "limit.less"), "上限"),
    ],
)
def test_what_does_not_fit_is_refused_in_words(
    table: Table, form: dict[str, Any], fault: tuple[str, str], words: str
) -> None:
    _, faults, texts = judged(table, **form)
    assert fault in faults, faults
    assert any(words in text for text in texts), texts


def test_presets_of_terms_become_terms(table: Table) -> None:
    resolved, faults, _ = judged(table, y=["c1", "c2"], model={"preset": "full"})
    assert not faults
    assert resolved["model"]["terms"] == [["c1"], ["c2"], ["c1", "c2"]]


def test_a_variable_sits_in_one_box_only(table: Table) -> None:
    class Two(Form):
        a: Column = role("甲框", "定量")
        b: Column = role("乙框", "定量")

    judge = Judge(Two, (), {"a": "c1", "b": "c1"}, table.meta.columns)  # type: ignore[arg-type]
    judge.judge()
    assert [(fault.field, fault.code) for fault in judge.faults] == [("b", "role.duplicate"), ("a", "role.duplicate")]
    assert "甲框" in judge.faults[0].text and judge.faults[0].text == judge.faults[1].text


def test_a_name_of_blanks_is_no_name(table: Table) -> None:
    class Named(Form):
        name: str = words("新变量名", kind="name", fresh=True)

    judge = Judge(Named, (), {"name": " \u3000"}, table.meta.columns)  # type: ignore[arg-type]
    judge.judge()
    assert [(fault.field, fault.code, fault.text) for fault in judge.faults] == [
        ("name", "words.required", "请填写“新变量名”")
    ]


def test_a_refusal_groups_its_numbers_as_a_report_does() -> None:
    text = "“{v}”有 {k} 个类别，超过 {most} 个，第 {n} 行为 {value}"
    refusal = Refusal("data.many", text, v="2024", k=np.int64(1234567), most=1000, n=999, value=True)
    assert refusal.text == "“2024”有 1,234,567 个类别，超过 1,000 个，第 999 行为 True"


def test_a_refusal_marks_every_field_concerned_and_offers_its_remedies_once() -> None:
    remedy = SetRemedy(title="改", set={"b": None})
    refusal = Refusal("data.both", "{n} 处不合", field="b", also=["a"], remedies=[remedy], n=2)
    assert refusal.text == "2 处不合"
    assert [(one.field, one.text, one.remedies) for one in refusal.faults] == [
        ("b", "2 处不合", [remedy]),
        ("a", "2 处不合", []),
    ]


def test_a_box_shared_by_declaration_takes_the_same_variable(table: Table) -> None:
    _, faults, _ = judged(table, y=["c6"], group="c6")
    assert not [code for _, code in faults if code == "role.duplicate"]


def test_a_number_with_few_values_fits_a_box_for_categories(table: Table) -> None:
    _, faults, _ = judged(table, y=["c1"], group="c6", pair=[1, 2])
    assert not faults, faults


def test_names_with_braces_are_only_names() -> None:
    table = table_of({"{x}": [1.0, 2.5, 3.0], '"b"': ["{k}", "y", "z"]})
    judge = Judge(Toy.Input, (), {"y": ["c2"]}, table.meta.columns)  # type: ignore[arg-type]
    judge.judge()
    assert '“"b"”' in judge.faults[0].text


def test_fields_without_a_type_or_with_a_reserved_name_are_mistakes_of_ours() -> None:
    with pytest.raises(TypeError, match="has no type"):

        class NoType(Form):
            y = role("Y", "定量")

    with pytest.raises(TypeError, match="may not be called"):

        class Reserved(Form):
            seed: int = role("Y", "定量")


def test_an_empty_variable_among_others_can_be_taken_out() -> None:
    table = table_of({"得分": [1.5, 2.5, 3.5], "空": [None, None, None]}, {"空": "定量"})

    def remedies(*ids: str) -> list[Any]:
        judge = Judge(Toy.Input, (), {"y": list(ids)}, table.meta.columns)  # type: ignore[arg-type]
        judge.judge()
        return next(list(fault.remedies) for fault in judge.faults if fault.code == "role.empty")

    assert [(one.title, one.set) for one in remedies("c1", "c2")] == [("移去“空”", {"y": ["c1"]})]
    assert remedies("c2") == []  # nothing would be left
