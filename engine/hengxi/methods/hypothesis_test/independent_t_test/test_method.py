"""Branches and refusals of the independent-samples t test, and what must not change its numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.multitest import multipletests

from hengxi.data.table import Table
from hengxi.prepare import read_table, run_on_frame
from hengxi.testing import Trial, check, records, said

PATH = "hypothesis_test/independent_t_test"
TOOTH = pd.read_csv(Path(__file__).parent / "example.csv")
FORM = {"group": "补充方式", "variables": ["牙长"]}


TRIAL = Trial(PATH, TOOTH, FORM)
report, refused = TRIAL.report, TRIAL.refused


def two(a: list[float], b: list[float], **more: list[Any]) -> pd.DataFrame:
    return pd.DataFrame({"补充方式": ["甲"] * len(a) + ["乙"] * len(b), "牙长": a + b, **more})


# ---- refusals ------------------------------------------------------------------------------------------------------
def test_one_category_is_refused_by_name() -> None:
    refusal = refused(TOOTH[TOOTH["补充方式"] == "OJ"], {"补充方式": "定类"})
    assert refusal.code == "role.levels" and "分组变量“补充方式”只有一个类别，无法比较" in refusal.text


def test_three_categories_are_refused_with_ways_out() -> None:
    refusal = refused(group="剂量")
    assert "分组变量有 3 个类别，请选择要比较的两组或改用方差分析（变量“剂量”）" in refusal.text
    assert {"groups": [0.5, 1]} in [getattr(r, "set", None) for r in refusal.faults[0].remedies]
    many = refused(TOOTH.assign(编号=[f"甲{i}" for i in range(len(TOOTH))]), {"编号": "定类"}, group="编号")
    assert [r.title for r in many.faults[0].remedies] == ["比较“甲0”与“甲1”"]


def test_too_many_categories_are_refused_before_a_cell_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: Any) -> Any:
        raise AssertionError("the profile tells how many there are")

    frame = pd.DataFrame({"补充方式": [f"u{i}" for i in range(300)], "牙长": np.arange(300.0) % 7})
    gaps = frame.replace({"牙长": {6.0: None}})
    read = [read_table(one, {"补充方式": "定类", "牙长": "定量"}) for one in (frame, gaps)]
    monkeypatch.setattr(Table, "codes", never)
    for table, told in zip(read, ("有 300 个类别", "有至少 258 个类别"), strict=True):
        refusal = refused(table)
        assert f"分组变量“补充方式”{told}，请在“比较的两组”中选两组" in refusal.text
        assert [fault.field for fault in refusal.faults] == ["groups", "group"]


def test_a_group_of_one_is_refused_by_its_label() -> None:
    refusal = refused(two([1.0, 2, 3], [4.0]), {"牙长": "定量"})
    assert refusal.code == "data.few" and "组“乙”" in refusal.text
    assert "不足 2 个（现有 1 个），请另选两组或换一个变量" in refusal.text


def test_no_variation_in_both_groups_is_refused() -> None:
    refusal = refused(two([1.0, 1, 1], [2.0, 2, 2]), {"牙长": "定量"})
    assert refusal.code == "data.constant" and "t 值无定义，请核对数据或换一个检验变量" in refusal.text


def test_fractional_weights_are_refused() -> None:
    frame = TOOTH.assign(权重=0.5)
    assert refused(frame, {"权重": "定量"}, weight="权重").code == "weight.whole"


def test_negative_weights_are_refused() -> None:
    frame = TOOTH.assign(权重=[-1.0] + [1.0] * 59)
    refusal = refused(frame, {"权重": "定量"}, weight="权重")
    assert refusal.code == "weight.negative" and "权重" in refusal.text


def test_differences_beyond_the_range_of_a_double_are_refused() -> None:
    refusal = refused(two([1.7e308, 1.6e308, 1.5e308], [-1.7e308, -1.6e308, -1.5e308]), {"牙长": "定量"})
    assert refusal.code == "data.magnitude" and "换一个单位" in refusal.text


def test_numbers_too_small_for_a_standard_error_are_refused() -> None:
    refusal = refused(two([0.0, 5e-324, 1e-323], [5e-324, 1.5e-323, 0.0]))
    assert refusal.code == "data.magnitude" and "“牙长”的数值过小" in refusal.text


# ---- branches ------------------------------------------------------------------------------------------------------
def test_one_constant_group_still_has_a_welch_test() -> None:
    elements = report(two([1.0, 2, 3, 4], [7.0, 7, 7, 7]), {"牙长": "定量"}, effect=["glass_delta", "cohen_d"])
    # The variance of 7, 7, 7, 7 is 0: t = -4.5 / √(var(1, 2, 3, 4) / 4)
    assert records(elements, "result")[1]["t"] == pytest.approx(-4.5 / np.sqrt(5 / 3 / 4))
    assert next(r for r in records(elements, "effects") if r["effect"] == "Glass's Δ")["value"] is None
    assert "标准差为 0" in said(elements)
    assert check(elements, "正态性")["state"] == "unknown"


def test_the_title_reads_well_whatever_the_grouping_variable_is_called() -> None:
    made = run_on_frame(PATH, TOOTH, FORM, strict=True)
    assert made["title"] == "按补充方式比较牙长"


def test_student_and_welch_always_stand_side_by_side() -> None:
    for test in ("welch", "student", "auto"):
        found = records(report(test=test), "result")
        assert [row["test"] for row in found] == ["Student", "Welch"]
        assert [row["read"] for row in found].count("采用") == 1


def test_unequal_variances_under_student_are_a_violation_with_a_remedy() -> None:
    frame = two([0.0, 10, -10, 20, -20, 30, -30], [1.0, 1.1, 0.9, 1.2, 0.8, 1.05, 0.95])
    found = check(report(frame, {"牙长": "定量"}, test="student"), "方差齐性")
    assert found["state"] == "fail" and found["remedies"][0]["set"] == {"test": "welch"}
    assert check(report(frame, {"牙长": "定量"}), "方差齐性")["state"] == "care"


def test_skewed_small_groups_are_offered_the_rank_test() -> None:
    frame = two([1.0, 1, 1, 2, 2, 3, 50], [1.0, 2, 2, 3, 3, 4, 60])
    found = check(report(frame, {"牙长": "定量"}), "正态性")
    assert found["state"] == "fail" and {"robust": True} in [r.get("set") for r in found["remedies"]]


def test_the_rank_test_is_added_and_never_replaces() -> None:
    plain, more = report(), report(robust=True)
    assert records(plain, "result") == records(more, "result")
    assert check(more, "稳健替代")["state"] == "pass" and not records(plain, "rank")


def test_small_samples_without_ties_have_the_exact_p() -> None:
    a, b = [1.3, 2.1, 3.7, 4.2, 5.9], [6.1, 7.3, 2.8, 9.4, 8.8, 10.2]
    row = records(report(two(a, b), {"牙长": "定量"}, robust=True), "rank")[0]
    # R 4.2.2: wilcox.test(a, b, exact = TRUE)
    assert row["U"] == 3 and row["p"] == pytest.approx(0.0303030303030303, rel=1e-12) and row["z"] is None


def test_the_two_groups_follow_the_order_they_were_chosen_in() -> None:
    forward = records(report(groups=["VC", "OJ"]), "result")[1]
    back = records(report(groups=["OJ", "VC"]), "result")[1]
    assert forward["difference"] == pytest.approx(-back["difference"]) and forward["p"] == pytest.approx(back["p"])


def test_not_significant_never_reads_as_no_difference() -> None:
    words = said(report(robust=True))
    assert "没有发现" in words and "没有差异。" not in words and "两组没有差异" not in words


def test_several_variables_are_told_apart() -> None:
    elements = report(variables=["牙长", "剂量"])
    assert [r["variable"] for r in records(elements, "result")] == ["牙长", "牙长", "剂量", "剂量"]
    # Same doses in both groups: no difference at all, and no crash.
    assert records(elements, "result")[3]["difference"] == 0
    lead = next(e for e in elements if e["type"] == "lead")
    assert lead["text"].startswith("{sum_m:integer} 个变量都没有发现明显差异。\n")
    # A caveat stands once a report, behind what is said of each variable, not once a variable.
    for voice in ("student", "paper"):
        told = [e for e in elements if e["type"] == "text" and e["voice"] == voice]
        assert [e["at"] for e in told][-1] is None and all(e["at"] for e in told[:-1])
    for caveat in ("请按调查或实验方式自行判断", "“不显著”不等于没有差异", "不等于两组一样"):
        assert sum(e["text"].count(caveat) for e in elements if e["type"] == "text") == 1
    assert len([e for e in elements if e["type"] == "check" and e["title"] == "正态性"]) == 1


def test_a_question_is_called_by_what_it_asks_and_a_number_has_its_unit() -> None:
    frame = TOOTH.rename(columns={"补充方式": "1、您的性别[单选题]", "牙长": "4. 请问您每月的生活费（元）是？"})
    measures = {"1、您的性别[单选题]": "定类", "4. 请问您每月的生活费（元）是？": "定量"}
    elements = report(frame, measures, group="1、您的性别[单选题]", variables=["4. 请问您每月的生活费（元）是？"])
    lead = next(e for e in elements if e["type"] == "lead")
    assert (lead["facts"]["y"], lead["facts"]["unit"]) == ("每月的生活费（元）", " 元")
    axes = [e["titles"]["y"] for e in elements if e["type"] == "chart" and e["name"] == "plot"]
    assert axes == ["每月的生活费（元）"]


def test_a_variable_without_variation_does_not_stop_the_others() -> None:
    elements = report(TOOTH.assign(常数=1.0), {"常数": "定量"}, variables=["牙长", "常数"])
    assert {r["variable"] for r in records(elements, "result")} == {"牙长"}
    assert any(e["type"] == "warning" for e in elements)


def test_several_tests_at_once_say_what_is_left_after_holm() -> None:
    rng = np.random.default_rng(11)
    group = np.repeat(["甲", "乙"], 30)
    shifts = {"一": 1.6, "二": 0.62, "三": 0.55, "四": 0.0}
    frame = pd.DataFrame({"组": group, **{k: rng.normal(size=60) + (group == "甲") * v for k, v in shifts.items()}})
    measures = {"组": "定类", **dict.fromkeys(shifts, "定量")}
    form = {"group": "组", "variables": list(shifts)}
    elements = report(frame, measures, **form)
    p = [row["p"] for row in records(elements, "comparison")][::2]
    # An independent Holm: statsmodels.
    held = multipletests(p, method="holm")[1]
    found = check(elements, "多重比较")
    facts = found["facts"]
    assert facts["m"] == 4 and facts["s"] == sum(v < 0.05 for v in p) and facts["h"] == sum(held < 0.05)
    assert facts["s"] > facts["h"] and found["state"] == "care" and found["at"] is None
    assert facts["chance"] == pytest.approx(1 - 0.95**4, rel=1e-12)
    told = [facts[f"v{i}"] for i in range(4)]
    assert told == list(shifts) and [facts[f"p{i}"] for i in range(4)] == pytest.approx(list(held), rel=1e-12)
    few = report(frame, measures, **{**form, "variables": ["一", "二"]})
    assert not [e for e in few if e["type"] == "check" and e["title"] == "多重比较"]
    none = report(frame.assign(二=frame["四"], 一=-frame["四"]), measures, **{**form, "variables": ["一", "二", "四"]})
    assert check(none, "多重比较")["state"] == "pass" and "没有一个" in check(none, "多重比较")["text"]


# ---- invariances ---------------------------------------------------------------------------------------------------
def numbers(elements: list[dict[str, Any]], name: str) -> np.ndarray[Any, Any]:
    found = [[v for v in row.values() if isinstance(v, float | int)] for row in records(elements, name)]
    return np.array([value for row in found for value in row], dtype=float)


@pytest.mark.parametrize("table", ["result", "effects", "homogeneity", "shape", "comparison"])
def test_frequencies_are_copies(table: str) -> None:
    counts = [1 + i % 3 for i in range(60)]
    weighted = report(TOOTH.assign(次数=counts), weight="次数", robust=True)
    copied = report(TOOTH.loc[TOOTH.index.repeat(counts)].reset_index(drop=True), robust=True)
    np.testing.assert_allclose(numbers(weighted, table), numbers(copied, table), rtol=1e-9)


def test_a_shift_moves_means_only() -> None:
    plain, moved = report(), report(TOOTH.assign(牙长=TOOTH["牙长"] + 1e6))
    for key in ("t", "df", "p", "difference", "se", "low", "high"):
        a, b = records(plain, "result")[1][key], records(moved, "result")[1][key]
        assert a == pytest.approx(b, rel=1e-7)


@pytest.mark.parametrize("scale", [1e-300, 1e-120, 1e120, 1e300])
def test_a_change_of_unit_changes_nothing_but_the_unit(scale: float) -> None:
    plain, scaled = report(), report(TOOTH.assign(牙长=TOOTH["牙长"] * scale), {"牙长": "定量"})
    a, b = records(plain, "result")[1], records(scaled, "result")[1]
    assert (b["t"], b["df"], b["p"]) == pytest.approx((a["t"], a["df"], a["p"]), rel=1e-10)
    assert b["low"] == pytest.approx(a["low"] * scale, rel=1e-10)


def test_one_sided_p_values_complement_each_other() -> None:
    up, down = (records(report(alternative=side), "result")[1]["p"] for side in ("greater", "less"))
    assert up + down == pytest.approx(1)


def test_a_hundred_thousand_rows_are_tested_for_normality_by_lilliefors() -> None:
    rng = np.random.default_rng(3)
    frame = two(list(rng.normal(10, 2, 6000)), list(rng.normal(10.1, 2, 6000)))
    elements = report(frame, {"牙长": "定量"})
    assert {row["test"] for row in records(elements, "shape")} == {"Lilliefors"}
    points = next(e for e in elements if e["type"] == "table" and e["name"] == "cases")
    assert len(points["rows"]) == 400


def test_a_one_sided_test_says_nothing_about_a_large_difference_the_other_way() -> None:
    frame = pd.DataFrame({"组": ["甲"] * 20 + ["乙"] * 20, "分": [*range(60, 80), *range(20, 40)]})
    elements = report(frame, {"组": "定类", "分": "定量"}, group="组", variables=["分"], alternative="less")
    words = said(elements)
    assert words.count("不足以说“{first}”组低于“{second}”组") == 3  # one in each voice
    for untrue in ("两组有差别", "看不出差别", "差异无统计学意义", "没有发现明显差异"):
        assert untrue not in words


def test_the_note_of_the_effect_sizes_explains_only_what_is_shown() -> None:
    def note(**form: Any) -> str:
        effects = next(e for e in report(**form) if e["type"] == "table" and e["name"] == "effects")
        return str(next(e["text"] for e in report(**form) if e["type"] == "text" and e["about"] == effects["id"]))

    assert "Glass" not in note()
    assert "优势概率" not in note()
    assert "d 的区间" in note(effect=["cohen_d"])
    assert "另一端为 +∞，优势概率的另一端为 1。" in note(effect=["cohen_d", "cles"], alternative="greater")
    assert "无穷" not in note(effect=["cles"], alternative="less")


# ---- many variables ------------------------------------------------------------------------------------------------
ITEMS = [f"i{i}" for i in range(1, 61)]


def items(shift: float) -> tuple[pd.DataFrame, dict[str, str]]:
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({"组": np.repeat(["甲", "乙"], 40)})
    for k, name in enumerate(ITEMS):
        frame[name] = rng.normal(size=80) + (frame["组"] == "甲") * (shift if k % 6 == 5 else 0.0)
    return frame, {"组": "定类", **dict.fromkeys(ITEMS, "定量")}


def test_sixty_items_are_concluded_together() -> None:
    frame, measures = items(2.0)
    elements = report(frame, measures, group="组", variables=ITEMS)
    lead = next(e for e in elements if e["type"] == "lead")
    p = dict(zip(ITEMS, [row["p"] for row in records(elements, "comparison")][::2], strict=True))
    small = sorted((name for name in p if p[name] < 0.05), key=lambda name: p[name])
    facts = lead["facts"]
    assert (
        lead["text"].count("\n") == 0
        and facts["m"] == 60
        and facts["s"] == len(small)
        and facts["r"] == 60 - len(small)
    )
    assert facts["h"] == sum(multipletests(list(p.values()), method="holm")[0]) > 0
    assert [facts[f"v{i}"] for i in range(1, 7)] == small[:6] and "列出 *p* 最小的 6 个" in lead["text"]
    assert facts["size1"] == pytest.approx(
        abs(next(r for r in records(elements, "comparison") if r["variable"] == small[0])["diff"])
    )
    assert {e["at"] for e in elements if e["type"] == "text" and e["at"]} <= set(small[:6])
    # Labels stay in the order they were given, and every item keeps its own row.
    assert [row["variable"] for row in records(elements, "comparison")][::2] == ITEMS
    titles = [e["title"] for e in elements if e["type"] == "check"]
    assert sorted(titles) == sorted(set(titles)) and all(e["at"] is None for e in elements if e["type"] == "check")


def test_an_assumption_of_many_variables_names_those_it_fails_for() -> None:
    frame, measures = items(0.0)
    frame["i7"] = np.where(frame["组"] == "甲", frame["i7"] * 9, frame["i7"])
    elements = report(frame, measures, group="组", variables=ITEMS[:8], test="student")
    found = check(elements, "方差齐性")
    assert found["state"] != "pass" and "“i7”" in found["facts"]["names"] and found["facts"]["checked"] == 8
    assert found["facts"]["off"] == found["facts"]["names"].count("“") and "以“{such}”为例" in found["more"]["data"]


def test_many_variables_without_a_difference_claim_none() -> None:
    frame, measures = items(0.0)
    still = frame[["组"]].assign(**{name: np.tile([1.0, 2.0, 3.0, 4.0], 20) for name in ITEMS[:7]})
    elements = report(still, measures, group="组", variables=ITEMS[:7])
    lead = next(e for e in elements if e["type"] == "lead")
    assert lead["facts"]["s"] == 0 and "都没有发现明显差异" in lead["text"]
    few = report(still, measures, group="组", variables=ITEMS[:6])
    assert next(e for e in few if e["type"] == "lead")["text"].count("\n") == 6


def test_a_one_sided_interval_is_read_on_its_side_of_nought() -> None:
    frame = two([5.0, 6, 7, 6, 5], [1.0, 2, 1, 3, 2])
    assert "单侧置信下限为 {low:num}{unit}，大于 0。" in said(report(frame, {"牙长": "定量"}, alternative="greater"))
    assert "单侧置信上限为 {high:num}{unit}，不小于 0。" in said(report(frame, {"牙长": "定量"}, alternative="less"))


def test_what_both_small_groups_lack_is_not_said_of_one() -> None:
    both = check(report(two([1.0, 2, 4], [2.0, 5, 6]), {"牙长": "定量"}), "样本量")["text"]
    one = check(report(two([1.0, 2, 4], [float(i) for i in range(12)]), {"牙长": "定量"}), "样本量")["text"]
    assert "两组都不足 10 例" in both and "有一组不足 10 例" in one


def test_rows_of_groups_that_are_not_compared_are_told_apart_from_gaps() -> None:
    frame = pd.DataFrame(
        {"组": ["甲", "乙", "丙"] * 6 + [None], "分": [*map(float, range(12)), None, *map(float, range(6))]}
    )
    sample = run_on_frame(PATH, frame, {"group": "组", "variables": ["分"], "groups": ["甲", "乙"]})["sample"]
    assert sample["chosen"] == {
        "column": "c1", "name": "组", "values": ["甲", "乙"], "labels": ["甲", "乙"], "rows": 6,
    }  # fmt: skip
    assert (sample["file"], sample["weight"], sample["used"]) == (19, 19, 11)
    assert [(one["name"], one["rows"]) for one in sample["why"]] == [("组", 1), ("分", 1)]
    two = run_on_frame(PATH, frame[frame["组"] != "丙"], {"group": "组", "variables": ["分"]})["sample"]
    assert two["chosen"] is None


def test_a_group_without_variation_is_no_sign_of_equal_variances() -> None:
    found = check(report(two([5.0, 5, 5], [7.0, 8, 9.5]), test="auto"), "方差齐性")
    assert found["state"] == "care" and "“{still}”组没有变异" in found["text"] and found["facts"]["still"] == "甲"
