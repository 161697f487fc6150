"""Branches and refusals of the crosstab, exact tests against known answers, and what must not change its numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.stats.exact_tables import fisher, monte_carlo
from hengxi.testing import Trial, cells

PATH = "descriptive/crosstabs"
HAIR = pd.read_csv(Path(__file__).parent / "example.csv")
EVERY = [
    "phi", "cramer_v", "contingency", "lambda", "gk_tau", "uncertainty", "gamma", "tau_b", "tau_c", "somers_d", "eta",
    "kappa", "risk",
]  # fmt: skip


TRIAL = Trial(PATH)
report, refused = TRIAL.report, TRIAL.refused


def table(elements: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    found = []
    for element in elements:
        if element["type"] == "table" and element["name"] == name:
            keys = [
                (f"{c['wide']}." if c["wide"] is not None else "") + c["key"].split("@")[0] for c in element["columns"]
            ]
            found += [dict(zip(keys, row, strict=True)) for row in element["rows"]]
    return found


def value(elements: list[dict[str, Any]], name: str, key: str, what: str, cell: str = "value") -> Any:
    return next(row[cell] for row in table(elements, name) if row[key].startswith(what))


def said(elements: list[dict[str, Any]]) -> str:
    words = []
    for one in elements:
        if one["type"] in ("lead", "text", "check", "warning"):
            text = one["text"]
            for key, fact in one["facts"].items():
                text = text.replace("{" + key + ":text}", str(fact)).replace("{" + key + "}", str(fact))
            words.append(text)
    return "\n".join(words)


def people(counts: list[list[int]], x: str = "组", y: str = "结果") -> pd.DataFrame:
    rows = [(f"{x}{i}", f"{y}{j}") for i, line in enumerate(counts) for j, n in enumerate(line) for _ in range(n)]
    return pd.DataFrame(rows, columns=[x, y])


def two_way(counts: list[list[int]], **form: Any) -> list[dict[str, Any]]:
    return report(people(counts), rows=["组"], columns=["结果"], **form)


def read(elements: list[dict[str, Any]]) -> str:
    return str(next(row["test"] for row in table(elements, "tests") if row["read"] == "采用"))


# ---- refusals ------------------------------------------------------------------------------------------------------
def test_three_hundred_levels_are_refused() -> None:
    frame = pd.DataFrame({"邮编": [f"p{i}" for i in range(300)] * 2, "性别": ["男", "女"] * 300})
    refusal = refused(frame, {"邮编": "定类"}, rows=["邮编"], columns=["性别"])
    assert refusal.code == "role.levels" and "邮编" in refusal.text and "300" in refusal.text


def test_too_many_cells_are_refused_with_their_number() -> None:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        {"x": [f"a{i}" for i in rng.permutation(np.arange(2000) % 40)], "y": [f"b{i % 30}" for i in range(2000)]}
    )
    refusal = refused(frame, {"x": "定类", "y": "定类"}, rows=["x"], columns=["y"])
    assert refusal.code == "data.cells" and "40×30 个单元格，请合并类别" in refusal.text


def test_one_category_is_refused() -> None:
    frame = pd.DataFrame({"x": ["甲"] * 20, "y": ["是", "否"] * 10})
    assert refused(frame, rows=["x"], columns=["y"]).code == "role.levels"
    gap = pd.DataFrame({"x": ["甲"] * 10 + ["乙"] * 10, "y": ["是", "否"] * 5 + [None] * 10})
    assert "只有一个类别，无法构成列联表" in refused(gap, rows=["x"], columns=["y"]).text


def test_a_variable_cannot_stand_on_both_sides() -> None:
    assert refused(HAIR, rows=["发色"], columns=["发色"]).code == "role.duplicate"


def test_fractional_weights_are_refused() -> None:
    assert (
        refused(HAIR.assign(人数=HAIR["人数"] + 0.5), rows=["发色"], columns=["眼色"], weight="人数").code
        == "weight.whole"
    )


def test_an_empty_layer_is_skipped_and_named() -> None:
    frame = people([[8, 5], [4, 9]]).assign(层="一")
    frame.loc[0, "层"] = "二"
    assert "分层“二”没有足够的有效数据" in said(report(frame, rows=["组"], columns=["结果"], layer="层"))


# ---- which p is read -----------------------------------------------------------------------------------------------
def test_large_counts_read_pearson() -> None:
    assert read(two_way([[30, 20], [18, 32]])) == "Pearson χ²"


def test_two_by_two_with_forty_cases_and_small_counts_reads_yates() -> None:
    elements = two_way([[18, 2], [22, 5]])
    assert read(elements).startswith("连续校正") and "连续校正 χ²" in said(elements)


def test_tea_tasting_reads_fisher() -> None:
    elements = two_way([[3, 1], [1, 3]])
    assert read(elements) == "Fisher 精确"
    assert value(elements, "tests", "test", "Fisher", "p") == pytest.approx(0.485714285714286, rel=1e-12)


def test_without_the_exact_test_pearson_is_read_and_the_check_fails() -> None:
    elements = two_way([[3, 1], [1, 3]], exact=False)
    check = next(e for e in elements if e["type"] == "check" and e["title"] == "期望频数")
    assert read(elements) == "Pearson χ²" and check["state"] == "fail"
    assert {"exact": True} in [remedy.get("set") for remedy in check["remedies"]]


def test_too_many_tables_are_drawn_by_chance_from_the_seed() -> None:
    rng = np.random.default_rng(4)
    frame = pd.DataFrame({"x": rng.integers(1, 12, 150).astype(str), "y": rng.integers(1, 12, 150).astype(str)})
    form: dict[str, Any] = {"rows": ["x"], "columns": ["y"], "mc_draws": 2000}
    once, again = report(frame, {"x": "定类", "y": "定类"}, **form), report(frame, {"x": "定类", "y": "定类"}, **form)
    other = report(frame, {"x": "定类", "y": "定类"}, **form, seed=7)
    p = value(once, "tests", "test", "Fisher（蒙特卡洛 2,000 次）", "p")
    assert p == value(again, "tests", "test", "Fisher", "p") != value(other, "tests", "test", "Fisher", "p")
    low, high = value(once, "tests", "test", "Fisher", "ci")
    assert low < p < high


# ---- exact tests ---------------------------------------------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.parametrize(
    ("counts", "p"),
    [
        ([[1, 2, 1, 0], [3, 3, 6, 1], [10, 10, 14, 9], [6, 7, 12, 11]], 0.782684938966),
        ([[3, 1, 4, 2, 5, 1, 2, 6, 2, 3], [1, 5, 2, 2, 0, 4, 3, 1, 6, 2]], 0.0403139451562),
        ([[2, 1, 3, 2, 1], [1, 4, 2, 0, 3], [2, 2, 1, 5, 1], [0, 1, 2, 1, 4]], 0.255326025226),
    ],
)
def test_exact_p_of_larger_tables(counts: list[list[int]], p: float) -> None:
    """Numbers of R's fisher.test; the first is the catalogue's (Agresti's job satisfaction)."""
    t = np.array(counts, dtype=float)
    for turned in (t, t.T, t[::-1], t[:, ::-1]):
        found = fisher(turned)
        assert found is not None and found.p == pytest.approx(p, rel=1e-11)
    drawn = monte_carlo(t, 20000, np.random.default_rng(3))
    assert drawn.low is not None and drawn.high is not None and drawn.low < p < drawn.high


# ---- measures ------------------------------------------------------------------------------------------------------
def test_numbers_of_the_catalogue() -> None:
    elements = report(HAIR, rows=["发色"], columns=["眼色"], weight="人数", association=EVERY)
    assert value(elements, "tests", "test", "Pearson") == pytest.approx(138.29, abs=5e-3)
    assert value(elements, "tests", "test", "似然比") == pytest.approx(146.44, abs=5e-3)
    assert value(elements, "symmetric", "measure", "Cramér") == pytest.approx(0.279, abs=5e-4)
    assert value(elements, "symmetric", "measure", "列联") == pytest.approx(0.435, abs=5e-4)
    found = {r["depends"]: r["value"] for r in table(elements, "directional") if r["measure"].startswith("Lambda")}
    assert found["眼色 为因变量"] == pytest.approx(0.2339, abs=5e-5)
    assert found["发色 为因变量"] == pytest.approx(0.0327, abs=5e-5)


def test_linear_association_of_the_catalogue() -> None:
    ranks = {column: {w: i for i, w in enumerate(HAIR[column].unique(), 1)} for column in ("发色", "眼色")}
    frame = HAIR.assign(**{column: HAIR[column].map(rank) for column, rank in ranks.items()})
    elements = report(frame, rows=["发色"], columns=["眼色"], weight="人数", association=EVERY)
    assert value(elements, "tests", "test", "线性") == pytest.approx(28.2923, abs=5e-5)


def test_ordinal_measures_are_left_out_of_unordered_categories() -> None:
    elements = two_way([[30, 20], [18, 32]], association=EVERY)
    assert "只在两个变量都有次序时给出" in said(elements)
    assert not [row for row in table(elements, "symmetric") if row["measure"] in ("Gamma", "Kendall tau-b")]


def test_empty_cells_have_no_ratios() -> None:
    elements = two_way([[30, 0], [18, 32]], association=["risk"])
    assert "比值比 OR 有单元格为 0，没有给出" in said(elements)
    assert [row["measure"] for row in table(elements, "risk")] == ["相对危险度 RR（“结果0”）"]


def test_kappa_needs_the_same_categories_and_finds_their_order() -> None:
    rng = np.random.default_rng(8)
    a = rng.choice(["轻", "中", "重"], 200)
    b = np.where(rng.random(200) < 0.6, a, rng.choice(["重", "中", "轻"], 200))
    frame = pd.DataFrame({"甲": a, "乙": b})
    kappa = value(report(frame, rows=["甲"], columns=["乙"], association=["kappa"]), "symmetric", "measure", "Kappa")
    agree = float((a == b).mean())
    chance = sum(float((a == w).mean() * (b == w).mean()) for w in ("轻", "中", "重"))
    assert kappa == pytest.approx((agree - chance) / (1 - chance), rel=1e-12)


def test_percentages_and_their_bases() -> None:
    elements = two_way([[30, 20], [10, 40]], percent=["row", "col", "total"])
    first, total = table(elements, "cross")[0], table(elements, "cross")[-1]
    assert (first["结果0.row"], first["结果0.col"], first["结果0.share"]) == (0.6, 0.75, 0.3)
    assert (total["合计.n"], total["结果0.row"], first["合计.row"]) == (100, 0.4, 1.0)


# ---- what must not change the numbers ------------------------------------------------------------------------------
def test_frequencies_are_copies() -> None:
    copied = HAIR.loc[HAIR.index.repeat(HAIR["人数"])].reset_index(drop=True)
    form: dict[str, Any] = {"rows": ["发色"], "columns": ["眼色"], "layer": "性别", "association": EVERY}
    a, b = report(HAIR, weight="人数", **form), report(copied, **form)
    for name in ("cross", "cells", "tests", "symmetric", "directional", "expectations"):
        assert table(a, name) == table(b, name)


def test_turning_the_table_keeps_the_tests() -> None:
    a = report(HAIR, rows=["发色"], columns=["眼色"], weight="人数")
    b = report(HAIR, rows=["眼色"], columns=["发色"], weight="人数")
    for what in ("Pearson", "似然比"):
        assert value(a, "tests", "test", what) == pytest.approx(value(b, "tests", "test", what), rel=1e-12)


def test_rows_follow_their_pair() -> None:
    frame = pd.DataFrame({f"i{k}": (["甲"] * k + ["乙"] * (40 - k)) for k in range(1, 13)} | {"y": ["是", "否"] * 20})
    elements = report(frame, rows=[f"i{k}" for k in range(1, 13)], columns=["y"])
    for k in range(1, 13):
        one = next(e for e in elements if e["type"] == "table" and e["name"] == "cross" and e["at"] == f"i{k} × y")
        assert one["rows"][0][-2] == k
    assert "一共做了" in said(elements)


def test_a_large_table_of_counts_is_quick_and_finite() -> None:
    frame = pd.DataFrame(
        {"x": ["甲", "甲", "乙", "乙"], "y": ["是", "否"] * 2, "w": [4_000_000, 1_000_000, 3_000_000, 2_000_000]}
    )
    elements = report(frame, rows=["x"], columns=["y"], weight="w", association=["cramer_v", "risk"])
    low, high = value(elements, "symmetric", "measure", "Cramér", "ci")
    assert 0 < low < value(elements, "symmetric", "measure", "Cramér") < high < 1


def test_of_two_levels_the_share_that_happened_is_told() -> None:
    frame = pd.DataFrame({"吸烟": ["是", "否"] * 30, "再入院": [0] * 20 + [1] * 25 + [0] * 15})
    elements = report(frame, {"吸烟": "定类", "再入院": "定类"}, rows=["吸烟"], columns=["再入院"])
    facts = next(e for e in elements if e["type"] == "lead")["facts"]
    yes = frame[frame["吸烟"] == facts["a"]]["再入院"]
    assert facts["c"] == "1" and facts["s1"] == pytest.approx(yes.mean())


def test_a_seed_is_no_number_with_commas() -> None:
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"a": rng.integers(0, 6, 300).astype(str), "b": rng.integers(0, 5, 300).astype(str)})
    frame.loc[0, "a"] = "稀有"
    elements = report(frame, {"a": "定类", "b": "定类"}, rows=["a"], columns=["b"])
    note = next(e for e in elements if e["type"] == "text" and "种子" in e["text"])
    assert "{seed:text}" in note["text"] and note["facts"]["seed"] == "20240101"


# ---- sentences true of the table at hand -----------------------------------------------------------------------------
def counted(*layers: list[list[int]]) -> pd.DataFrame:
    """Rows 甲, 乙, …; columns 是, 否, 未; a layer each."""
    cells = [
        ("甲乙丙"[i], "是否未"[j], f"层{k}")
        for k, counts in enumerate(layers)
        for i, row in enumerate(counts)
        for j, n in enumerate(row)
        for _ in range(n)
    ]
    return pd.DataFrame(cells, columns=["组", "答", "层"])


def told(*layers: list[list[int]], **form: Any) -> str:
    return said(report(counted(*layers), rows=["组"], columns=["答"], **form))


def test_shares_that_are_alike_are_not_said_to_be_lower() -> None:
    level = told([[10, 20, 30], [10, 20, 30], [10, 20, 30]])
    assert "样本中各组的比例完全相同" in level and "低于全体" not in level and "高于全体" not in level
    near = told([[1000, 2000, 3000], [1001, 2000, 3000], [1000, 2001, 3000]])
    assert "相差不到 0.1 个百分点" in near and "不能据此说没有关联" in near
    assert "低于全体的 {s0:percent1}" in told([[1, 20, 30], [10, 20, 30], [10, 20, 30]])


def test_an_interval_that_leaves_nought_out_is_not_said_to_agree_with_no_association() -> None:
    # Fisher .070, while the interval of V begins at .02.
    text = told([[3, 7], [8, 2]])
    assert (
        "没有发现明显的关联" in text and "不一致时以检验为准" in text and "真实的关联强度可能在这个范围内" not in text
    )
    assert "真实的关联强度可能在这个范围内" in told([[30, 28], [29, 31]])


def test_layers_that_all_lean_the_other_way_are_told() -> None:
    turned = told([[81, 6], [234, 36]], [[192, 71], [55, 25]], layer="层")
    assert "各层内“甲”组的比例都较高，合在一起却较低（辛普森悖论）" in turned
    alike = told([[30, 10], [10, 30]], [[15, 15], [14, 16]], layer="层")
    assert "合在一起却较" not in alike


def test_each_variable_of_one_category_is_marked_in_its_own_box() -> None:
    frame = pd.DataFrame({"x": ["甲"] * 8, "y": ["乙"] * 8, "z": ["丙", "丁"] * 4})
    assert [one.field for one in refused(frame, rows=["x"], columns=["y"]).faults] == ["rows", "columns"]
    assert [one.field for one in refused(frame, rows=["z"], columns=["y"]).faults] == ["columns"]


def test_shares_that_the_table_does_not_list_are_told_to_be_elsewhere() -> None:
    form: dict[str, Any] = {"rows": ["发色"], "columns": ["眼色"], "weight": "人数"}
    assert "表里没有列出，可在“百分比”里加选" in said(report(HAIR, percent=["col"], **form))
    assert "表里没有列出" not in said(report(HAIR, **form))


def test_a_perfect_association_of_four_cases_is_not_told_to_have_a_small_chi_square() -> None:
    frame = pd.DataFrame({"a": ["x", "x", "y", "y"], "b": ["p", "p", "q", "q"]})
    elements = report(frame, rows=["a"], columns=["b"], association=["cramer_v", "risk"])
    assert "真实的关联强度可能在这个范围内" in said(elements) and "χ² 比自由度小得多" not in said(elements)
    assert "相对危险度 RR（“p”）有单元格为 0" in said(elements)


def test_an_interval_of_v_from_0_beside_a_small_p_is_explained() -> None:
    """χ²(1) = 4.35, p = .037: the two-sided interval still holds 0."""
    frame = pd.DataFrame({"a": ["x"] * 40 + ["y"] * 40, "b": ["p"] * 25 + ["q"] * 15 + ["p"] * 15 + ["q"] * 25})
    elements = report(frame, rows=["a"], columns=["b"])
    v = next(row for row in table(elements, "symmetric") if row["measure"].startswith("Cramér"))
    assert v["ci"][0] == 0 and v["p"] < 0.05
    assert "并不矛盾，χ² 检验只看一侧" in said(elements)
    assert "并不矛盾" not in said(report(HAIR, rows=["发色"], columns=["眼色"], weight="人数"))


def test_an_interval_of_v_that_shrank_to_0_is_no_evidence_of_independence() -> None:
    cells = [("甲", "是", 24), ("甲", "否", 58), ("乙", "是", 23), ("乙", "否", 55)]
    level = pd.DataFrame([(a, b) for a, b, n in cells for _ in range(n)], columns=["组", "购买"])
    made = report(level, rows=["组"], columns=["购买"])
    paper = next(e["text"] for e in made if e["type"] == "text" and e["voice"] == "paper")
    assert value(made, "symmetric", "measure", "Cramér", "ci")[1] < 0.02
    # In the conclusion, the paper's voice and below the table.
    assert "区间收缩到 0 附近" in paper and said(made).count("区间收缩到 0 附近") == 3


def test_only_the_percentages_shown_have_a_base_and_cases_count_those_analysed() -> None:
    frame = pd.DataFrame(
        {"组": ["甲", "乙"] * 4, "购买": ["是", "是", "否", "否", "是", "否", None, "否"], "数": [5, 0] * 4}
    )
    frame.loc[1, "数"] = 3
    made = TRIAL.document(frame, rows=["组"], columns=["购买"], percent=["col"], weight="数")["parts"][0]
    noted = said(made["elements"])
    assert "列% 的分母" in noted and "行%" not in noted
    assert made["sample"]["used"] == 4 and made["sample"]["weighted"] == 18


# ---- questions of several answers ----------------------------------------------------------------------------------
ASKED = pd.DataFrame(
    {
        "渠道(微信)": [1, 1, 1, 1, 0, 0, 0, 1] * 10,
        "渠道(微博)": [0, 1, 0, 1, 0, 1, 0, 1] * 10,
        "性别": ["男", "男", "男", "男", "女", "女", "女", "女"] * 10,
    }
)
CHANNEL: dict[str, Any] = {"set": "s1", "name": "渠道", "columns": list(ASKED.columns[:2]), "counted": 1}
OPTIONS = dict.fromkeys(CHANNEL["columns"], "定类")


def test_a_set_against_categories_is_tested_option_by_option() -> None:
    """A person with two choices stands in two rows: no χ² of the whole table is given."""
    elements = report(ASKED, OPTIONS, rows=[CHANNEL], columns=["性别"])
    assert not cells(elements, "tests") and not cells(elements, "cross")
    (wechat, weibo) = cells(elements, "option_tests")
    assert wechat[0] == "微信" and wechat[2] == pytest.approx(48.0) and wechat[5] == pytest.approx(2 * wechat[4])
    assert weibo[0] == "微博" and weibo[4] == weibo[5] == 1
    assert "会被数几次，整张表的 χ² 检验不成立" in said(elements)


def test_shares_of_a_set_lie_within_the_category_whichever_way_the_table_stands() -> None:
    rows = table(report(ASKED, OPTIONS, rows=[CHANNEL], columns=["性别"]), "choices")
    down = table(report(ASKED, OPTIONS, rows=["性别"], columns=[CHANNEL]), "choices")
    assert [row["level"] for row in rows] == ["微信", "微博", "合计", "人数"]
    assert [row["level"] for row in down] == ["男", "女", "合计"]
    for option, line in (("微信", rows[0]), ("微博", rows[1])):
        for j, group in enumerate(("男", "女", "合计")):
            assert [line[f"{group}.{key}"] for key in ("n", "responses", "cases")] == [
                down[j][f"{option}.{key}"] for key in ("n", "responses", "cases")
            ]
    # 40 of 40 men chose 微信, 20 chose 微博: 60 responses of 40 people.
    assert [rows[2][f"男.{key}"] for key in ("n", "responses", "cases")] == [60, 1, 1.5]
    assert rows[3]["男.n"] == down[0]["人数.n"] == 40


def test_two_sets_do_not_cross_but_the_options_of_one_can() -> None:
    second = ASKED.assign(**{"平台(甲)": [1, 0] * 40, "平台(乙)": [0, 1] * 40})
    other = {"set": "s2", "name": "平台", "columns": ["平台(甲)", "平台(乙)"], "counted": 1}
    refusal = refused(second, OPTIONS, rows=[CHANNEL], columns=[other])
    assert refusal.code == "data.sets" and "“渠道”与“平台”都是多选题" in refusal.text
    [remedy] = refusal.faults[0].remedies
    assert remedy.title == "逐项加入“平台”" and remedy.set == {"columns": ["c4", "c5"]}  # type: ignore[union-attr]


def test_a_set_in_the_box_of_the_layer_is_refused_with_methods_that_take_it() -> None:
    refusal = refused(ASKED, OPTIONS, rows=["渠道(微信)"], columns=["性别"], layer=CHANNEL)
    assert refusal.code == "role.set" and "不能整组放多选题集：“渠道”" in refusal.text
    titles = [remedy.title for remedy in refusal.faults[0].remedies]
    assert titles == ["改做频数分析", "改做列联分析"]


def test_a_set_and_ordinary_variables_stand_side_by_side() -> None:
    both = ASKED.assign(年级=["一", "二", "三", "四"] * 20)
    elements = report(both, OPTIONS, rows=[CHANNEL, "年级"], columns=["性别"])
    assert cells(elements, "tests") and cells(elements, "option_tests")
    lead = next(e for e in elements if e["type"] == "lead")
    assert "“{x}”与“{y}”" in lead["text"] and "Holm 校正" in lead["text"]
