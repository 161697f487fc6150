"""Branches and refusals of the one-way analysis of variance, NIST's certified values, what must not change."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.data.table import Table
from hengxi.prepare import read_table
from hengxi.stats import multiple
from hengxi.stats.moments import moments
from hengxi.stats.one_way import OneWay
from hengxi.testing import Trial, check, records, said

PATH = "hypothesis_test/variance"
FOOD = pd.read_csv(Path(__file__).parent / "example.csv")
FORM = {"group": "肥料", "variables": ["株重"]}
TYPES = {"肥料": "定类", "株重": "定量"}


TRIAL = Trial(PATH, FOOD, FORM, TYPES)
report, refused = TRIAL.report, TRIAL.refused


def groups(**found: list[float]) -> pd.DataFrame:
    cells = [(name, value) for name, values in found.items() for value in values]
    return pd.DataFrame(cells, columns=["肥料", "株重"])


def f_of(found: list[list[float]]) -> float:
    anchor = found[0][0]
    return OneWay.of([moments(np.array(x), None, anchor) for x in found]).fisher().F


# ---- NIST StRD, analysis of variance -------------------------------------------------------------------------------
SIRSTV = [
    [196.3052, 196.1240, 196.1890, 196.2569, 196.3403],
    [196.3042, 196.3825, 196.1669, 196.3257, 196.0422],
    [196.1303, 196.2005, 196.2889, 196.0343, 196.1811],
    [196.2795, 196.1748, 196.1494, 196.1485, 195.9885],
    [196.2119, 196.1051, 196.1850, 196.0052, 196.2090],
]
SILVER = [
    """568 465 572 785 446 903 526 494 616 587 519 486 419 569 508 672 385 518 662 424 360 333 610 477""",
    """079 344 513 197 604 385 642 365 151 082 517 448 198 482 334 609 101 512 469 360 254 261 450 368""",
]


def test_nist_silicon_resistivity() -> None:
    assert f_of(SIRSTV) == pytest.approx(1.18046237440255, rel=1e-12)


def test_nist_atomic_weight_of_silver() -> None:
    found = [[float(f"107.8681{digits}") for digits in line.split()] for line in SILVER]
    assert f_of(found) == pytest.approx(15.9467335677930, rel=1e-8)


def exactly(groups: list[list[float]]) -> float:
    """F of the doubles as they are stored, in rational numbers: what is lost of the certified value is lost there."""
    found = [[Fraction(value) for value in group] for group in groups]
    n, k = sum(map(len, found)), len(found)
    means = [sum(group, Fraction(0)) / len(group) for group in found]
    grand = sum((sum(group, Fraction(0)) for group in found), Fraction(0)) / n
    between = sum(len(group) * (mean - grand) ** 2 for group, mean in zip(found, means, strict=True))
    within = sum(sum((value - mean) ** 2 for value in group) for group, mean in zip(found, means, strict=True))
    return float(Fraction(between) / (k - 1) / (Fraction(within) / (n - k)))


@pytest.mark.parametrize(
    ("base", "copies", "certified", "rel"),
    [
        (1.0, 10, 21.0, 1e-13), (1.0, 100, 201.0, 1e-13), (1.0, 1000, 2001.0, 1e-12),
        (1e6, 10, 21.0, 1e-8), (1e6, 100, 201.0, 1e-8), (1e6, 1000, 2001.0, 1e-8),
        # The numbers themselves are stored with four digits of their variation here.
        (1e12, 10, 21.0, 1e-2), (1e12, 100, 201.0, 1e-2), (1e12, 1000, 2001.0, 1e-2),
    ],
)  # fmt: skip
def test_nist_simon_lesage(base: float, copies: int, certified: float, rel: float) -> None:
    """SmLs01 to 09: nine treatments, means base + .4, .3, .5, …; each value its mean once and ±.1 around it."""
    found = []
    for tenths in (4, 3, 5, 3, 5, 3, 5, 3, 5):
        low, middle, high = (float(base + (tenths + d) / 10) for d in (-1, 0, 1))
        found.append([middle] + [low, high] * copies)
    assert f_of(found) == pytest.approx(certified, rel=rel)
    if copies <= 100:
        assert f_of(found) == pytest.approx(exactly(found), rel=1e-13)


# ---- the distributions ---------------------------------------------------------------------------------------------
def test_two_groups_have_the_distributions_of_t() -> None:
    from scipy import stats

    for t, df in ((0.5, 1.0), (2.5, 27.0), (6.0, 7.3), (4.0, 1e6)):
        p = 2 * stats.t.sf(t, df)
        assert multiple.tukey_sf(t * np.sqrt(2), 2, df) == pytest.approx(p, rel=1e-9)
        assert multiple.modulus_sf(t, 1, df) == pytest.approx(p, rel=1e-9)
        assert multiple.dunnett_sf(t, np.array([8.0]), 5.0, df) == pytest.approx(p, rel=1e-9)


def test_the_studentised_range_agrees_with_scipy() -> None:
    from scipy import stats

    for q, k, df in ((3.5, 3, 27.0), (8.0, 4, 12.3), (4.0, 30, 1.0), (5.0, 2, 2.0)):
        assert multiple.tukey_sf(q, k, df) == pytest.approx(stats.studentized_range.sf(q, k, df), rel=1e-9)


def test_dunnett_with_a_control_far_smaller_than_the_groups_and_far_out() -> None:
    """R's integrate, split where the integrand turns (dunnett_sf of oracle.R): a coarse step was out by 0.1 to 0.7%."""
    for t, n, control, p in (
        (2.2, [10000.0, 10000.0], 30.0, 0.0300060051329688),
        (2.2, [10000.0, 5000.0, 2000.0], 10.0, 0.030920241528494),
        (10.0, [50.0, 50.0], 50.0, 5.56328359066585e-18),
        (10.0, [100.0, 100.0, 100.0], 10.0, 4.20696321523851e-20),
    ):
        df = sum(n) + control - len(n) - 1
        assert multiple.dunnett_sf(t, np.array(n), control, df) == pytest.approx(p, rel=1e-8)


def test_letters_are_shared_by_groups_that_do_not_differ() -> None:
    assert multiple.letters(3, [(0, 2)]) == ["a", "ab", "b"]
    assert multiple.letters(3, []) == ["a", "a", "a"]
    assert multiple.letters(4, [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]) == ["a", "b", "c", "d"]


# ---- refusals ------------------------------------------------------------------------------------------------------
def test_one_category_is_refused_by_name() -> None:
    refusal = refused(FOOD[FOOD["肥料"] == "常规"])
    assert refusal.code == "role.levels" and "只有一个类别，无法做方差分析" in refusal.text


def test_a_group_of_one_is_refused_with_ways_out() -> None:
    refusal = refused(groups(甲=[1, 2, 3], 乙=[4, 5, 6], 丙=[7]))
    assert "组“丙”只有 1 个有效值，无法估计组内方差，请合并或排除该组" in refusal.text
    assert [r.title for r in refusal.faults[0].remedies][:2] == ["合并类别", "排除该组"]


def test_no_variation_inside_the_groups_is_refused() -> None:
    refusal = refused(groups(甲=[1, 1], 乙=[2, 2], 丙=[3, 3]))
    assert refusal.code == "data.constant" and "组内方差为 0，F 值无定义，请核对数据或换一个检验变量" in refusal.text


def test_too_many_categories_are_refused() -> None:
    frame = pd.DataFrame({"肥料": [f"i{i // 2}" for i in range(600)], "株重": np.arange(600.0) % 7})
    refusal = refused(frame)
    assert refusal.code == "role.levels" and "有 300 个取值，请先分箱" in refusal.text


def test_too_many_categories_are_refused_before_a_cell_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: Any) -> Any:
        raise AssertionError("the profile tells how many there are")

    frame = pd.DataFrame({"肥料": [f"i{i}" for i in range(300)], "株重": np.arange(300.0) % 7})
    read = [read_table(one, {"肥料": "定类", "株重": "定量"}) for one in (frame, frame.replace({"株重": {6.0: None}}))]
    monkeypatch.setattr(Table, "codes", never)
    for table, told in zip(read, ("有 300 个取值", "有至少 258 个取值"), strict=True):
        assert f"“肥料”{told}，请先分箱（最多 50 个组）" in refused(table).text


def test_dunnett_needs_its_control() -> None:
    refusal = refused(post_hoc="dunnett")
    assert refusal.faults[0].field == "control" and "对照组" in refusal.text


@pytest.mark.parametrize("given", [[], [1, -1], [1, 1, 1], [0, 0, 0]])
def test_coefficients_must_be_one_a_group_and_add_to_nought(given: list[float]) -> None:
    refusal = refused(contrast="custom", contrast_value=given)
    assert refusal.faults[0].field == "contrast_value" and "须有 3 个" in refusal.text


# ---- branches ------------------------------------------------------------------------------------------------------
def test_the_three_tests_always_stand_side_by_side() -> None:
    for method, source in (("welch", "Welch F"), ("fisher", "组间（经典 F）"), ("brown_forsythe", "Brown-Forsythe F")):
        found = {row["source"]: row["read"] for row in records(report(method=method), "anova")}
        assert len(found) == 5 and [name for name, read in found.items() if read] == [source]


def test_the_pairs_follow_the_test_read() -> None:
    assert check(report(), "多重比较")["facts"]["how"] == "Games-Howell"
    assert check(report(method="fisher"), "多重比较")["facts"]["how"] == "Tukey HSD"
    assert not records(report(post_hoc="none"), "pairs")


@pytest.mark.parametrize("how", ["lsd", "snk", "duncan"])
def test_procedures_that_do_not_hold_the_error_rate_say_so(how: str) -> None:
    found = check(report(post_hoc=how), "多重比较")
    assert found["state"] == "care" and found["remedies"][0]["set"] == {"post_hoc": "games_howell"}


def test_unequal_variances_under_the_classical_test_are_a_violation_with_a_remedy() -> None:
    frame = groups(甲=[0, 10, -10, 20, -20, 30, -30], 乙=[1, 1.1, 0.9, 1.2, 0.8, 1.05, 0.95], 丙=[3, 4, 5, 4, 3, 5, 4])
    found = check(report(frame, method="fisher"), "方差齐性")
    assert found["state"] == "fail" and found["remedies"][0]["set"] == {"method": "welch"}
    assert check(report(frame), "方差齐性")["state"] == "care"


def test_skewed_small_groups_are_offered_the_rank_test() -> None:
    frame = groups(甲=[1, 1, 1, 2, 2, 3, 50], 乙=[1, 2, 2, 3, 3, 4, 60], 丙=[1, 1, 2, 2, 3, 3, 55])
    found = check(report(frame), "正态性")
    assert found["state"] == "fail" and {"robust": True} in [r.get("set") for r in found["remedies"]]


def test_the_rank_test_is_added_and_never_replaces() -> None:
    plain, more = report(), report(robust=True)
    assert records(plain, "anova") == records(more, "anova") and check(more, "稳健替代") and not records(plain, "rank")


def test_a_group_without_values_is_left_out_and_named() -> None:
    frame = groups(甲=[1, 2, 3], 乙=[4, 5, 7], 丙=[7, 8, 8]).assign(别的=1.0)
    frame.loc[frame["肥料"] == "丙", "株重"] = None
    elements = report(frame)
    assert [row["group"] for row in records(elements, "comparison")] == ["甲", "乙"]


def test_one_variable_refused_does_not_stop_the_others() -> None:
    elements = report(FOOD.assign(常数=1.0), {**TYPES, "常数": "定量"}, variables=["株重", "常数"])
    assert {row["variable"] for row in records(elements, "anova")} == {"株重"}
    assert any(e["type"] == "warning" for e in elements)


@pytest.mark.slow
def test_thirty_groups_keep_their_order() -> None:
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({"肥料": [f"i{1 + i % 30}" for i in range(240)], "株重": rng.normal(size=240)})
    elements = report(frame, letters=True)
    assert [row["group"] for row in records(elements, "comparison")] == [f"i{i}" for i in range(1, 31)]
    assert len(records(elements, "pairs")) == 435


# ---- invariances ---------------------------------------------------------------------------------------------------
def numbers(elements: list[dict[str, Any]], name: str) -> np.ndarray[Any, Any]:
    found = [[v for v in row.values() if isinstance(v, float | int)] for row in records(elements, name)]
    return np.array([value for row in found for value in row], dtype=float)


@pytest.mark.parametrize("table", ["comparison", "anova", "effects", "pairs", "homogeneity", "descriptives", "rank"])
def test_frequencies_are_copies(table: str) -> None:
    weighted = report(weight="株数", robust=True)
    copied = report(FOOD.loc[FOOD.index.repeat(FOOD["株数"])].reset_index(drop=True), robust=True)
    np.testing.assert_allclose(numbers(weighted, table), numbers(copied, table), rtol=1e-9)


def test_a_shift_moves_means_only() -> None:
    plain, moved = report(), report(FOOD.assign(株重=FOOD["株重"] + 1e6))
    for table in ("anova", "effects", "pairs"):
        np.testing.assert_allclose(numbers(plain, table), numbers(moved, table), rtol=1e-7)


@pytest.mark.parametrize("scale", [1e-300, 1e-120, 1e120, 1e300])
def test_a_change_of_unit_changes_nothing_but_the_unit(scale: float) -> None:
    plain, scaled = report(), report(FOOD.assign(株重=FOOD["株重"] * scale))
    for key in ("F", "p", "df_error"):
        a, b = (next(r for r in records(e, "anova") if r["source"] == "Welch F")[key] for e in (plain, scaled))
        assert a == pytest.approx(b, rel=1e-10)
    a, b = (records(e, "pairs")[2] for e in (plain, scaled))
    assert b["p"] == pytest.approx(a["p"], rel=1e-9) and b["low"] == pytest.approx(a["low"] * scale, rel=1e-9)


def test_two_groups_agree_with_the_t_tests() -> None:
    frame = FOOD[FOOD["肥料"] != "有机"]
    elements = report(frame)
    pair = records(elements, "pairs")[0]
    found = next(row for row in records(elements, "anova") if row["source"] == "Welch F")
    assert found["F"] == pytest.approx(pair["t"] ** 2, rel=1e-10) and found["p"] == pytest.approx(pair["p"], rel=1e-9)


def test_many_variables_are_concluded_together() -> None:
    rng = np.random.default_rng(8)
    names = [f"i{i}" for i in range(1, 12)]
    frame = pd.DataFrame({"组": np.repeat(["甲", "乙", "丙"], 25)})
    for k, name in enumerate(names):
        frame[name] = rng.normal(size=75) + (frame["组"] == "丙") * (2.0 if k == 9 else 0.0)
    elements = report(frame, {"组": "定类", **dict.fromkeys(names, "定量")}, group="组", variables=names)
    facts = next(e for e in elements if e["type"] == "lead")["facts"]
    assert facts["m"] == 11 and facts["v1"] == "i10" and facts["top1"] == "丙" and facts["h"] == 1
    means = {row["group"]: row["mean"] for row in records(elements, "comparison") if row["variable"] == "i10"}
    assert facts["gap1"] == pytest.approx(max(means.values()) - min(means.values()))
    assert check(elements, "多个变量")["facts"]["m"] == 11
    assert [e["at"] for e in elements if e["type"] == "check"] == [None] * 5


def test_groups_that_share_the_highest_mean_are_all_named() -> None:
    elements = report(groups(甲=[8.0, 9, 10], 乙=[8.0, 9, 10], 丙=[1.0, 2, 3]))
    lead = next(e for e in elements if e["type"] == "lead")
    assert lead["facts"]["top"] == "甲”、“乙" and lead["facts"]["bottom"] == "丙"
    # The n and sd of one of them are not those of the highest.
    assert "*n* = {n1:integer}" not in said(elements)
    assert "*n* = {n1:integer}" in said(report(groups(甲=[8.0, 9, 10], 乙=[8.0, 9, 11], 丙=[1.0, 2, 3])))


def test_equal_means_differ_by_nothing_to_speak_of() -> None:
    text = said(report(groups(甲=[1.0, 2, 3], 乙=[1.0, 2, 3], 丙=[1.0, 2, 3])))
    assert "平均值相同" in text and "样本中相差" not in text and "这两组差值" not in text


@pytest.mark.parametrize(
    ("how", "held"),
    [
        ("snk", "只在各组总体均值全都相同时"),
        ("duncan", "不控制整体错误率"),
        ("games_howell", "大致控制"),
        ("tukey", "已把整体错误率控制"),
    ],
)
def test_what_a_procedure_holds_is_said_as_far_as_it_is_true(how: str, held: str) -> None:
    text = check(report(post_hoc=how), "多重比较")["text"]
    assert held in text and text.startswith("两两比较")


def test_a_control_is_not_compared_pair_by_pair() -> None:
    assert check(report(post_hoc="dunnett", control=FOOD["肥料"][0]), "多重比较")["text"].startswith("与对照组的比较共")


def test_what_the_interval_of_eta_seems_to_deny_is_explained() -> None:
    """R's warpbreaks, wool B: p = .030, yet the two-sided interval of η² begins at 0."""
    wool = groups(
        L=[27, 14, 29, 19, 29, 31, 41, 20, 44], M=[42, 26, 19, 16, 39, 28, 21, 39, 29],
        H=[20, 21, 24, 17, 13, 15, 15, 16, 28],
    )  # fmt: skip
    assert "与它对应的是 {narrow:percent} 的区间" in said(report(wool, method="fisher"))
    uneven = groups(甲=[1.0, 1.1, 0.9, 1.0], 乙=[1.3, 1.5, 1.4, 1.4], 丙=[9.0, -8.0, 6.0, -5.0])
    assert "假定等方差，与所采用的检验不一致时以检验为准" in said(report(uneven))
    assert "{narrow:percent}" not in said(report()) and "不一致时以检验为准" not in said(report())


def test_equal_means_and_two_groups_are_told_as_they_are() -> None:
    level = report(groups(甲=[1, 2, 3], 乙=[2, 1, 3], 丙=[1.5, 2, 2.5]))
    assert "不能据此说各组没有差别" in said(level)
    lead = next(e for e in level if e["type"] == "lead")
    assert lead["figures"][0]["note"] == "各组的平均值相同"
    pair = report(groups(甲=[1.0, 2, 3], 乙=[8.0, 9, 10]))
    assert "只有两组，说的就是这两组的差异" in said(pair) and "不说明每两组都不同" not in said(pair)


def test_a_measure_as_groups_is_sent_to_be_binned() -> None:
    frame = pd.DataFrame({"肥料": np.arange(60) * 0.1, "株重": np.arange(60.0)})
    refusal = refused(frame, {"肥料": "定量"})
    assert "“肥料”是定量，有 60 个不同取值。可以分成几段" in refusal.text
    assert [one.title for one in refusal.faults[0].remedies][:3] == ["分成几段", "改做相关分析", "改做线性回归"]


# ---- the conclusion names only pairs that the post-hoc test supports ------------------------------------------------
def drawn(seed: int) -> list[dict[str, Any]]:
    rng = np.random.default_rng(seed)
    values = np.round(rng.normal(0, 1, (5, 8)) + np.linspace(0, 1, 5)[:, None], 2)
    return report(groups(**{name: row.tolist() for name, row in zip("甲乙丙丁戊", values, strict=True)}))


@pytest.mark.parametrize(
    ("seed", "is_found", "differing", "words"),
    [
        (0, True, True, "平均值差异有统计学意义"),
        (29, True, False, "但多重比较没有一对达到统计学意义"),
        (7, False, True, "整体检验未达到统计学意义"),
        (1, False, False, "没有发现明显差异"),
    ],
)
def test_the_omnibus_test_and_the_pairs_are_told_apart(seed: int, is_found: bool, differing: bool, words: str) -> None:
    elements = drawn(seed)
    lead = next(e for e in elements if e["type"] == "lead")
    assert (lead["facts"]["p"] < 0.05) is is_found
    small = [row for row in records(elements, "pairs") if row["p"] < 0.05]
    assert bool(small) is differing
    assert words in lead["text"]
    assert ("“{pair_high}”组比“{pair_low}”组高" in lead["text"]) is differing
    if differing:
        widest = max(small, key=lambda row: abs(row["difference"]))
        assert lead["facts"]["pair_size"] == pytest.approx(abs(widest["difference"]))
        assert {lead["facts"]["pair_high"], lead["facts"]["pair_low"]} == {widest["first"], widest["second"]}
    if "没有发现" in lead["text"]:
        assert lead["facts"]["low"] <= 0 <= lead["facts"]["high"]


def test_the_test_that_was_taken_is_named_where_welch_cannot_be_computed() -> None:
    frame = groups(甲=[1.0, 2.0, 9.0, 14.0], 乙=[5.0, 5.0, 5.0, 5.0], 丙=[2.0, 3.0, 4.0, 3.0])
    (check_,) = [e for e in report(frame, method="auto") if e["type"] == "check" and e["title"] == "方差齐性"]
    assert "据此采用 Brown-Forsythe 方差分析" in check_["text"]
