"""Branches and refusals of the frequency table, and what must not change its numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.data.build import table_of
from hengxi.data.meta import Level, Missing
from hengxi.data.table import Table
from hengxi.prepare import read_table, run_on_frame
from hengxi.testing import Trial, cells, said

PATH = "descriptive/frequency"
HAIR = pd.read_csv(Path(__file__).parent / "example.csv")


TRIAL = Trial(PATH)
report, refused = TRIAL.report, TRIAL.refused


def counts(elements: list[dict[str, Any]]) -> dict[tuple[str, str], list[Any]]:
    table = next(e for e in elements if e["type"] == "table" and e["name"] == "counts")
    return {(row[0], row[1]): row[2:] for row in table["rows"]}


# ---- refusals ------------------------------------------------------------------------------------------------------
def test_too_many_categories_are_refused_with_the_number() -> None:
    frame = pd.DataFrame({"身份证号": [f"u{i}" for i in range(300)]})
    refusal = refused(frame, {"身份证号": "定类"}, variables=["身份证号"])
    assert refusal.code == "role.levels"
    assert "变量“身份证号”有 300 个不同取值，超过 200，请先分箱或编码" in refusal.text
    assert {"max_levels": 300} in [getattr(r, "set", None) for r in refusal.faults[0].remedies]


def test_too_many_categories_are_refused_before_a_cell_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: Any) -> Any:
        raise AssertionError("the profile tells how many there are")

    frame = pd.DataFrame({"身份证号": [f"u{i}" for i in range(300)]})
    table = read_table(frame, {"身份证号": "定类"})
    monkeypatch.setattr(Table, "codes", never)
    assert "有 300 个不同取值" in refused(table, variables=["身份证号"]).text


def test_one_refused_variable_does_not_stop_the_others() -> None:
    frame = pd.DataFrame({"身份证号": [f"u{i}" for i in range(300)], "性别": ["男", "女"] * 150})
    elements = report(frame, {"身份证号": "定类"}, variables=["身份证号", "性别"])
    assert ("性别", "男") in counts(elements)
    warning = next(e for e in elements if e["type"] == "warning")
    assert "身份证号" in warning["facts"]["why"] and warning["columns"] == ["c1"]


def test_negative_weights_are_refused() -> None:
    refusal = refused(HAIR.assign(人数=-HAIR["人数"]), variables=["发色"], weight="人数")
    assert refusal.code == "weight.negative" and "频数权重必须是非负数" in refusal.text


def test_weights_that_are_words_are_refused() -> None:
    assert refused(HAIR, variables=["发色"], weight="眼色").code == "weight.text"


def test_weights_that_add_to_nothing_are_refused() -> None:
    refusal = refused(HAIR.assign(人数=0), {"人数": "定量"}, variables=["发色"], weight="人数")
    assert refusal.code == "weight.zero" and "之和为 0" in refusal.text.replace("为0", "为 0")


# ---- branches ------------------------------------------------------------------------------------------------------
def test_counts_of_the_catalogue() -> None:
    brown = counts(report(HAIR, variables=["发色"], weight="人数"))["发色", "棕"]
    assert brown[0] == 286 and brown[1] == pytest.approx(286 / 592)


def test_a_number_with_very_many_values_is_grouped_and_drawn() -> None:
    frame = pd.DataFrame({"收入": np.random.default_rng(1).normal(5000, 900, 2000).round(3)})
    elements = report(frame, {"收入": "定量"}, variables=["收入"])
    assert "已按组距" in said(elements)
    assert [e["name"] for e in elements if e["type"] == "chart"] == ["hist"]
    assert sum(row[0] for (_, level), row in counts(elements).items() if level != "合计") == 2000


def test_numbers_with_few_values_keep_their_bars_beside_the_histogram() -> None:
    frame = pd.DataFrame({"子女数": [0, 1, 2, 1, 0, 3] * 10})
    elements = report(frame, {"子女数": "定量"}, variables=["子女数"])
    assert {"bar", "hist", "pie"} == {e["name"] for e in elements if e["type"] == "chart"}


def test_missing_is_listed_or_left_out() -> None:
    frame = pd.DataFrame({"满意": ["是", "否", None, "是", None]})
    listed, left = (counts(report(frame, variables=["满意"], show_missing=show)) for show in (True, False))
    assert listed["满意", "缺失"][:2] == [2, 0.4] and ("满意", "缺失") not in left
    assert left["满意", "是"][1:3] == [0.4, pytest.approx(2 / 3)]
    assert "另有" in said(report(frame, variables=["满意"]))


def test_user_missing_codes_are_listed_apart_from_empty_cells() -> None:
    table = table_of({"满意": [1, 2, 1, 99, 98, 99, None, 1]}, {"满意": "定类"})
    column = table.meta.columns[0]
    column.missing = Missing(values=[98, 99])
    column.levels = [Level(value=v, label=w, count=n) for v, w, n in ((1, "是", 3), (2, "否", 1), (99, "拒答", 2))]
    made = run_on_frame(PATH, table, {"variables": ["满意"]}, strict=True)
    found = counts(made["parts"][0]["elements"])
    assert [found["满意", f"缺失：{word}"][0] for word in ("拒答", "98", "空白")] == [2, 1, 1]
    assert found["满意", "是"][1:3] == [3 / 8, 3 / 4]


def test_ties_are_all_named() -> None:
    elements = report(pd.DataFrame({"班": ["甲", "甲", "乙", "乙", "丙"]}), variables=["班"])
    assert "并列最多" in said(elements)
    assert "“甲”“乙”" in str(next(e for e in elements if e["type"] == "lead")["facts"].values())
    assert "频数相同" in said(report(pd.DataFrame({"班": ["甲", "乙"] * 3}), variables=["班"]))


def test_orders() -> None:
    def order(sort: str) -> list[str]:
        return [level for _, level in counts(report(HAIR, variables=["发色"], weight="人数", sort=sort))][:4]

    assert order("value") == ["黑", "棕", "红", "金"]
    assert order("count_desc") == ["棕", "金", "黑", "红"]
    assert order("count_asc") == ["红", "黑", "金", "棕"]


def test_a_pie_of_many_slices_joins_the_smallest() -> None:
    frame = pd.DataFrame({"城市": [f"城{i % 30}" for i in range(900)]})
    elements = report(frame, {"城市": "定类"}, variables=["城市"])
    slices = next(e for e in elements if e["type"] == "table" and e["name"] == "slices")
    assert len(slices["rows"]) == 12 and slices["rows"][-1] == ["其余 19 类", 570]


def test_many_variables_keep_their_own_rows() -> None:
    """Rows of a table bound to the wrong variable at ten and more items were seen in other products."""
    frame = pd.DataFrame({f"i{k}": [1] * k + [2] * (70 - k) for k in range(1, 61)})
    names = [f"i{k}" for k in range(1, 61)]
    found = counts(report(frame, dict.fromkeys(names, "定类"), variables=names, chart=[]))
    for k in range(1, 61):
        assert found[f"i{k}", "1"][0] == k


def test_frequencies_are_copies() -> None:
    copied = HAIR.loc[HAIR.index.repeat(HAIR["人数"])].reset_index(drop=True)
    a = counts(report(HAIR, variables=["发色", "眼色"], weight="人数"))
    b = counts(report(copied, variables=["发色", "眼色"]))
    assert {key: row[0] for key, row in a.items()} == {key: row[0] for key, row in b.items()}


def test_weights_may_carry_fractions() -> None:
    found = counts(report(HAIR.assign(人数=HAIR["人数"] / 2), variables=["发色"], weight="人数"))
    assert found["发色", "棕"][0] == 143 and found["发色", "合计"][0] == 296


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
def test_extreme_magnitudes_are_grouped_as_well(scale: float) -> None:
    frame = pd.DataFrame({"值": np.random.default_rng(2).uniform(1, 9, 500) * scale})
    found = counts(report(frame, {"值": "定量"}, variables=["值"]))
    assert sum(row[0] for (_, level), row in found.items() if level != "合计") == found["值", "合计"][0] == 500


# ---- questions of several answers ----------------------------------------------------------------------------------
ASKED = pd.DataFrame(
    {
        "渠道(微信)": [1, 1, 1, 0, None, 0],
        "渠道(微博)": [1, 0, None, 1, None, 0],
        "渠道(抖音)": [0, 0, 0, 0, None, 0],
        "年龄": [20, 31, 42, 53, 64, 75],
    }
)
CHANNEL: dict[str, Any] = {"set": "s1", "name": "渠道", "columns": list(ASKED.columns[:3]), "counted": 1}
ANSWERS = dict.fromkeys(CHANNEL["columns"], "定类")


def chosen(frame: pd.DataFrame = ASKED, item: dict[str, Any] = CHANNEL, **form: Any) -> dict[str, list[Any]]:
    elements = report(frame, ANSWERS, variables=[item], **form)
    return {row[1]: row[2:5] for row in cells(elements, "choices")}


def test_a_set_is_counted_by_responses_and_by_cases() -> None:
    """Five answered something; a gap among the answers of the third is no choice. By hand."""
    assert chosen() == {
        "微信": [3, 3 / 5, 3 / 5], "微博": [2, 2 / 5, 2 / 5], "抖音": [0, 0, 0], "合计": [5, 1, 1.0]
    }  # fmt: skip
    assert chosen(set_base="chosen")["微信"] == [3, 3 / 5, 3 / 4]
    assert chosen(set_base="all")["微信"] == [3, 3 / 5, 3 / 6]


def test_a_set_of_words_counts_the_value_that_means_chosen() -> None:
    words = ASKED.replace({1: "选中", 0: "未选中"})
    assert chosen(words, {**CHANNEL, "counted": "选中"})["微信"] == [3, 3 / 5, 3 / 5]


def test_the_base_is_a_question_only_where_a_set_is_there() -> None:
    shown = {e.get("name") for e in report(ASKED, ANSWERS, variables=["年龄"])}
    assert not {"choices", "respondents"} & shown
    alone = {e.get("name") for e in report(ASKED, ANSWERS, variables=[CHANNEL])}
    assert not {"counts", "summary"} & alone


def test_a_set_nobody_chose_from_is_refused_with_what_to_look_at() -> None:
    refusal = refused(ASKED, ANSWERS, variables=[{**CHANNEL, "counted": 9}])
    assert refusal.code == "data.empty" and "没有任何选项被选中" in refusal.text and "计数值" in refusal.text
    elements = report(ASKED, ANSWERS, variables=["年龄", {**CHANNEL, "counted": 9}])
    assert any("没有任何选项被选中" in e["facts"].get("why", "") for e in elements if e["type"] == "warning")


def test_a_column_of_scores_is_no_option() -> None:
    refusal = refused(ASKED, ANSWERS, variables=[{**CHANNEL, "columns": ["渠道(微信)", "年龄"]}])
    assert refusal.code == "role.set_values" and "“年龄”有 6 种取值" in refusal.text


def test_options_that_are_gone_can_be_left_out() -> None:
    item = {**CHANNEL, "columns": [*CHANNEL["columns"], "c99"]}
    refusal = refused(ASKED, ANSWERS, variables=[item])
    assert refusal.code == "role.gone" and "有 1 个选项" in refusal.text
    [remedy] = refusal.faults[0].remedies
    assert remedy.set["variables"][0]["columns"] == ["c1", "c2", "c3"]  # type: ignore[union-attr]
