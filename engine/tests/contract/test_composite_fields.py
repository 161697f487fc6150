"""Fields made of several boxes or of rows the user types: judged, refused by code, and read by `run`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hengxi.contract import (
    Block,
    Column,
    Form,
    Match,
    Node,
    Paths,
    Record,
    Refusal,
    TypedMatrix,
    Within,
    blocks,
    choice,
    matched,
    matrix,
    number,
    paths,
    records,
    role,
    slot,
    tree,
    within,
    words,
)
from hengxi.contract.fields.paths import circle_in
from hengxi.contract.form import Judge, bind
from hengxi.data.build import table_of
from hengxi.data.table import Table
from tests.support.binding import Binder


class Input(Form):
    observed: list[Column] = role("显变量", "定量", min=0, max=None)
    factors: list[Block] = blocks(
        "潜变量", "定量", size=(2, 4), min=0, mode=choice("测量方式", {"A": "反映型", "B": "形成型"})
    )
    pairs: list[Match] = matched(
        "题目对",
        positive=slot("正向题", "定量"),
        importance=slot("重要度", "定量", required=False),
        min=0,
    )
    measures: Within = within("重复测量", factors=(1, 2), levels=(2, 3), required=False)
    variables: list[Record] = records(
        "决策变量", min=0, max=3, name=words("名称", kind="name"), lower=number("下界", 0.0, least=-10)
    )
    judgement: TypedMatrix | None = matrix("判断矩阵", kind="reciprocal", size=(2, 5), required=False)
    model: Paths = paths("结构路径", nodes=("factors", "observed"), kinds=("path", "cov"), required=False)
    levels: Node | None = tree("层次结构", levels=("目标", "准则", "方案"), required=False)


@pytest.fixture(scope="module")
def table() -> Table:
    numbers = np.random.default_rng(1).normal(size=(30, 6)).round(3)
    columns: dict[str, Any] = {f"x{j + 1}": list(numbers[:, j]) for j in range(6)}
    return table_of({**columns, "意见": [f"第 {i} 条很长的意见" for i in range(30)], "编号": list(range(1, 31))})


def judge(table: Table, **form: Any) -> tuple[dict[str, Any], list[tuple[str | None, str]], list[str]]:
    judged = Judge(Input, (), form, table.meta.columns)
    resolved = judged.judge()
    return resolved, [(fault.field, fault.code) for fault in judged.faults], [fault.text for fault in judged.faults]


def read(table: Table, **form: Any) -> Any:
    resolved, faults, _ = judge(table, **form)
    assert not faults
    return bind(Input, resolved, Binder(Input, table, resolved))  # type: ignore[arg-type]


B1 = {"id": "b1", "name": "满意", "columns": ["c1", "c2"]}
B2 = {"id": "b2", "columns": ["c3", "c4"], "mode": "B"}
WIDE = {"layout": "wide", "factors": [{"name": "时间", "levels": ["前", "后"]}], "cells": ["c1", "c2"]}
LONG = {"layout": "long", "subject": "c8", "factors": [], "value": "c1"}
GOOD_TREE = {
    "id": "n1",
    "name": "选址",
    "children": [{"id": "n2", "name": "价格", "children": []}, {"id": "n3", "name": "位置"}],
}


def test_nothing_is_required_that_is_not(table: Table) -> None:
    form = read(table)
    assert form.factors == [] and form.pairs == [] and form.variables == []
    assert form.judgement is None and form.levels is None and form.model.edges == ()


def test_blocks_are_read_with_names_columns_and_settings(table: Table) -> None:
    first, second = read(table, factors=[B1, B2]).factors
    assert (first.name, first["mode"]) == ("满意", "A")
    assert [column.name for column in first.columns] == ["x1", "x2"]
    assert (second.name, second["mode"]) == ("F2", "B")


@pytest.mark.parametrize(
    ("form", "code", "text"),
    [
        ({"factors": [{**B1, "columns": ["c1"]}]}, "blocks.size", "“潜变量”的“满意”至少放 2 个变量，现有 1 个"),
        ({"factors": [B1, {**B2, "columns": ["c2", "c3"]}]}, "blocks.overlap", "变量“x2”放了两次"),
        ({"factors": [B1, {**B2, "name": "满意"}]}, "blocks.name", "两组都叫“满意”"),
        ({"factors": [{**B1, "columns": ["c1", "c7"]}]}, "role.measure", "“潜变量·满意”需要定量变量"),
        ({"factors": [{**B1, "mode": "C"}]}, "choice.unknown", "C"),
        ({"pairs": [{"importance": "c1"}]}, "matched.incomplete", "第 1 行还缺“正向题”"),
        ({"pairs": [{"positive": "c1", "importance": "c1"}]}, "matched.same", "变量“x1”放了两次"),
        ({"measures": {**WIDE, "cells": ["c1", None]}}, "within.cells", "有 2 个格子，放了 1 个变量"),
        ({"measures": {**WIDE, "cells": ["c1", "c1"]}}, "within.duplicate", "“x1”放进了两个格子"),
        ({"measures": {**WIDE, "factors": [{"name": "时间", "levels": ["前", "前"]}]}}, "within.levels", "都叫“前”"),
        ({"measures": LONG}, "within.factors", "要有 1 到 2 个重复测量因素，现有 0 个"),
        ({"measures": {"layout": "tall"}}, "within.layout", "tall"),
        ({"variables": [{"id": "r1", "name": "X"}, {"id": "r2", "name": "X"}]}, "records.name", "名称都是“X”"),
        ({"variables": [{"id": "r1", "name": "X", "lower": -99}]}, "number.range", "“决策变量”第 1 行：“下界”"),
        ({"variables": [{"id": f"r{k}", "name": f"X{k}"} for k in range(4)]}, "records.many", "最多 3 行，现有 4 行"),
        ({"judgement": {"rows": ["甲", "乙"], "values": [[1, 3]]}}, "matrix.shape", "对不上"),
        ({"judgement": {"rows": ["甲", "乙"], "values": [[1, 0], [None, 1]]}}, "matrix.cell", "应大于 0，现为 0"),
        ({"judgement": {"rows": ["甲", "乙"], "values": [[2, 3], [None, 1]]}}, "matrix.cell", "自己对自己，应为 1"),
        ({"judgement": {"rows": ["甲", "乙"], "values": [[1, 3], [0.5, 1]]}}, "matrix.symmetry", "应互为倒数"),
        ({"judgement": {"rows": ["甲", "乙"], "values": [[1, None], [None, 1]]}}, "matrix.cell", "没有填"),
        ({"levels": {**GOOD_TREE, "children": []}}, "tree.depth", "要有 2 到 6 层，现有 1 层"),
        ({"levels": {**GOOD_TREE, "children": GOOD_TREE["children"][:1]}}, "tree.single", "只有 1 个，至少要 2 个"),
        ({"levels": {**GOOD_TREE, "name": ""}}, "tree.name", "没有名称"),
        ({"levels": {"id": "n1"}}, "form.shape", "层次结构"),
    ],
)
def test_each_breach_has_its_code_and_words(table: Table, form: dict[str, Any], code: str, text: str) -> None:
    _, faults, texts = judge(table, **form)
    assert {found for _, found in faults} == {code}
    assert text in texts[0]


def test_arrows_join_blocks_and_variables_and_go_in_no_circle(table: Table) -> None:
    edges = [{"source": "b1", "target": "b2"}, {"source": "b2", "target": "c5"}]
    form = {"factors": [B1, B2], "observed": ["c5"]}
    model = read(table, **form, model={"edges": edges, "at": {"b1": [1, 2]}}).model
    assert [(edge.source, edge.target, edge.kind, edge.free) for edge in model.edges] == [
        ("b1", "b2", "path", True),
        ("b2", "c5", "path", True),
    ]
    assert model.names == {"b1": "满意", "b2": "F2", "c5": "x5"}
    back = [*edges, {"source": "c5", "target": "b1"}]
    _, faults, texts = judge(table, **form, model={"edges": back})
    assert faults == [("model", "paths.cycle")] and "满意 → F2 → x5 → 满意" in texts[0]
    _, faults, _ = judge(table, **form, model={"edges": [{"source": "b1", "target": "b9"}]})
    assert faults == [("model", "paths.unknown")]
    assert judge(table, **form, model={"edges": [*edges, {"source": "c5", "target": "b1", "kind": "cov"}]})[1] == []


def test_a_long_chain_of_arrows_is_searched_in_linear_time() -> None:
    chain = [{"source": str(k), "target": str(k + 1)} for k in range(2000)]
    assert circle_in(chain) is None
    circle = circle_in([*chain, {"source": "2000", "target": "0"}])
    assert circle is not None and len(circle) == 2002 and circle[0] == circle[-1]


def test_rows_of_variables_leave_optional_slots_open(table: Table) -> None:
    first, second = read(table, pairs=[{"positive": "c1", "importance": "c2"}, {"positive": "c3"}, {}]).pairs
    assert first.importance.name == "x2" and second.importance is None


def test_repeated_measures_are_read_wide_and_long(table: Table) -> None:
    wide = read(table, measures=WIDE).measures
    assert wide.factors[0].levels == ("前", "后") and [cell.name for cell in wide.cells] == ["x1", "x2"]
    assert judge(table, measures=LONG)[0]["measures"]["value"] == "c1"


def test_one_half_of_a_judgement_matrix_is_enough(table: Table) -> None:
    judgement = {"rows": ["甲", "乙", "丙"], "values": [[None, 3, 5], [None, None, 2], [None, None, None]]}
    values = read(table, judgement=judgement).judgement.values
    assert np.allclose(values, [[1, 3, 5], [1 / 3, 1, 2], [1 / 5, 1 / 2, 1]])


def test_a_tree_is_read_with_its_levels(table: Table) -> None:
    root = read(table, levels=GOOD_TREE).levels
    assert [(node.name, node.level) for node in root.walk()] == [("选址", 0), ("价格", 1), ("位置", 1)]


def test_a_variable_is_in_one_box_only_also_across_fields(table: Table) -> None:
    _, faults, _ = judge(table, observed=["c1"], factors=[B1])
    assert ("observed", "role.duplicate") in faults and ("factors", "role.duplicate") in faults


@pytest.mark.parametrize(
    "good",
    [
        {"factors": [B1, B2]},
        {"pairs": [{"positive": "c1", "importance": "c2"}]},
        {"measures": WIDE},
        {"variables": [{"id": "r1", "name": "X", "lower": 0}]},
        {"judgement": {"rows": ["甲", "乙"], "columns": ["甲", "乙"], "values": [[1, 3], [None, 1]]}},
        {"levels": GOOD_TREE},
        {"factors": [B1, B2], "model": {"edges": [{"source": "b1", "target": "b2"}]}},
    ],
)
def test_the_bad_values_of_the_shared_tests_are_refused_with_their_codes(table: Table, good: dict[str, Any]) -> None:
    key = list(good)[-1]
    resolved, faults, _ = judge(table, **good)
    assert not faults
    tried = list(Input.fields[key].bad_values(resolved[key], Judge(Input, (), good, table.meta.columns)))
    assert tried
    for value, code in tried:
        assert code in [found for _, found in judge(table, **{**good, key: value})[1]], (value, code)


def test_a_factor_with_too_many_levels_in_the_rows_used_is_refused_by_run(table: Table) -> None:
    with pytest.raises(Refusal):
        Input.fields["measures"].bind({**LONG, "factors": ["c8"]}, Binder(Input, table, {}))  # type: ignore[arg-type]
