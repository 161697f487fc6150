"""Branches and refusals of structural equation models, and what must not change their numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.contract import Refusal
from hengxi.testing import Elements, Trial, check, records, said, warnings

PATH = "questionnaire/sem"
FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
FACTORS = [
    {"id": "b1", "name": "工业化", "columns": ["x1", "x2", "x3"]},
    {"id": "b2", "name": "民主60", "columns": ["y1", "y2", "y3", "y4"]},
    {"id": "b3", "name": "民主65", "columns": ["y5", "y6", "y7", "y8"]},
]
EDGES = [{"source": "b1", "target": "b2"}, {"source": "b1", "target": "b3"}, {"source": "b2", "target": "b3"}]
TRIAL = Trial(PATH, FRAME, {"factors": FACTORS, "paths": {"edges": EDGES}}, dict.fromkeys(FRAME.columns, "定量"))


def report(frame: pd.DataFrame = FRAME, **form: Any) -> Elements:
    return TRIAL.report(frame, dict.fromkeys(frame.columns, "定量"), **form)


def refused(frame: pd.DataFrame = FRAME, **form: Any) -> Refusal:
    return TRIAL.refused(frame, dict.fromkeys(frame.columns, "定量"), **form)


def betas(elements: Elements) -> list[float]:
    return [row["standard"] for name in ("structure", "loadings") for row in records(elements, name)]


def test_more_parameters_than_moments_are_refused_by_count() -> None:
    two = [{"id": "b1", "name": "甲", "columns": ["x1", "x2"]}, {"id": "b2", "name": "乙", "columns": ["y1", "y2"]}]
    pairs = [{"first": "x1", "second": "y1"}, {"first": "x2", "second": "y2"}]
    refusal = refused(factors=two, paths={"edges": [{"source": "b1", "target": "b2"}]}, residuals=pairs)
    assert refusal.code == "data.unidentified" and "待估参数 11 个，多于已知的方差和协方差 10 个" in refusal.text


def test_an_unidentified_part_is_refused_with_its_parameters() -> None:
    """A curve beside an arrow between the same two factors: together they are one number."""
    both = [*EDGES, {"source": "b2", "target": "b3", "kind": "cov"}]
    refusal = refused(paths={"edges": both})
    assert refusal.code == "data.unidentified" and "“民主60”到“民主65”的路径" in refusal.text
    assert "“x1”" not in refusal.text


def test_a_circle_is_refused() -> None:
    refusal = refused(paths={"edges": [*EDGES, {"source": "b3", "target": "b1"}]})
    assert refusal.code == "paths.cycle" and "民主65 → 工业化" in refusal.text


def test_a_factor_of_one_item_is_refused_by_name() -> None:
    refusal = refused(factors=[{**FACTORS[0], "columns": ["x1"]}, *FACTORS[1:]])
    assert refusal.code == "blocks.size" and "工业化" in refusal.text


def test_a_path_to_what_is_gone_is_refused() -> None:
    assert refused(paths={"edges": [{"source": "b1", "target": "abc"}]}).code == "paths.unknown"


def test_a_residual_of_another_variable_is_refused() -> None:
    refusal = refused(FRAME.assign(z=FRAME["x1"] * 2), residuals=[{"first": "z", "second": "y1"}])
    assert refusal.code == "matched.unknown" and "“z”" in refusal.text


def test_a_copied_item_is_refused_with_both_names() -> None:
    refusal = refused(FRAME.assign(y8=FRAME["y1"] * 2 + 1))
    assert refusal.code == "data.singular" and "“y1”" in refusal.text and "“y8”" in refusal.text


def test_a_constant_item_and_too_few_cases_are_refused() -> None:
    assert refused(FRAME.assign(y8=3)).code == "role.constant"
    assert "样本量必须大于变量数" in refused(FRAME.iloc[:9]).text


def test_items_without_anything_in_common_end_in_a_refusal_or_a_warning() -> None:
    rng = np.random.default_rng(3)
    noise = pd.DataFrame(rng.normal(size=(60, 11)), columns=FRAME.columns)
    try:
        elements = report(noise)
    except Refusal as refusal:
        assert refusal.code in ("data.unconverged", "data.unidentified")
    else:
        assert check(elements, "解是否合理")["state"] == "fail" or betas(elements)


def test_a_negative_variance_is_said_by_name() -> None:
    rng = np.random.default_rng(11)
    r = np.array([[1, 0.9, 0.8], [0.9, 1, 0.55], [0.8, 0.55, 1]])
    x = rng.normal(size=(75, 3))
    x = (x - x.mean(axis=0)) @ np.linalg.inv(np.linalg.cholesky(np.cov(x.T))).T @ np.linalg.cholesky(r).T
    frame = FRAME.assign(x1=x[:, 0], x2=x[:, 1], x3=x[:, 2])
    elements = report(frame)
    assert "model.heywood" in warnings(elements) and "“x1”" in str(check(elements, "解是否合理")["facts"])


def test_bootstrap_follows_its_seed_and_lies_near_the_delta_method() -> None:
    one, same, other = (report(n_boot=200, seed=seed) for seed in (1, 1, 2))
    first = records(one, "effects")[0]
    assert records(one, "effects") == records(same, "effects") != records(other, "effects")
    assert first["low"] < first["b"] < first["high"]
    assert (first["high"] - first["low"]) / 3.92 == pytest.approx(first["se"], rel=0.35)


def test_bootstrap_with_gaps_is_refused_with_two_ways_out() -> None:
    frame = FRAME.copy()
    frame.loc[:3, "y1"] = np.nan
    refusal = refused(frame, n_boot=200, missing="fiml")
    assert refusal.code == "data.missing" and len(refusal.faults[0].remedies) == 2


def test_stop_and_keep_says_how_many_there_were() -> None:
    from hengxi.prepare import ids_by_name, report_on
    from tests.support.oracle import table_from

    table = table_from(FRAME, dict.fromkeys(FRAME.columns, "定量"))
    assert ids_by_name(table)
    done = report_on(
        PATH, table, {**TRIAL.form, "n_boot": 1000}, progress=lambda done, of, text="", best=None: done < 0.3
    )
    assert "Bootstrap 提前停止" in str(done)


@pytest.mark.parametrize("scale", [1e-100, 1e100])
def test_units_do_not_matter(scale: float) -> None:
    frame = FRAME.astype(float).assign(y1=FRAME["y1"] * scale, x1=FRAME["x1"] / scale)
    assert np.allclose(betas(report(frame)), betas(report()), atol=1e-8)


def test_fixed_paths_are_kept() -> None:
    edges = [{**EDGES[0], "free": False, "value": 1.5}, *EDGES[1:]]
    row = records(report(paths={"edges": edges}), "structure")[0]
    assert row["b"] == 1.5 and row["se"] is None


def test_no_causal_verbs() -> None:
    for verb in ("导致", "使得", "造成", "证明了假设"):
        assert verb not in said(report())


def test_factors_that_are_one_are_named() -> None:
    found = check(report(), "区分效度")
    assert found["state"] == "fail" and found["facts"]["pair"] == "“民主60”与“民主65”"


# ---- ordered items -------------------------------------------------------------------------------------------------
GRADED = pd.read_csv(Path(__file__).parent / "oracle-graded.csv").dropna().drop(columns="班级")
FOUR = [
    {"id": "k1", "name": "甲", "columns": ["a1", "a2", "a3", "a4"]},
    {"id": "k2", "name": "乙", "columns": ["b1", "b2", "b3", "b4"]},
]
ORDERED = {"factors": FOUR, "paths": {"edges": [{"source": "k1", "target": "k2"}]}, "estimator": "wlsmv"}


def test_numbers_among_ordered_items_are_refused_with_a_way_out() -> None:
    for values, words in ((np.linspace(0, 1, 316), "有 316 个不同的取值"), (np.arange(316) % 5 / 2, "的取值有小数")):
        refusal = refused(GRADED.assign(a1=values[: len(GRADED)]), **ORDERED)
        assert refusal.code == "data.categories" and words.replace("316", str(len(GRADED))) in refusal.text
        assert "“a1”" in refusal.text and refusal.faults[0].remedies


def test_eleven_grades_are_too_many_and_ten_are_not() -> None:
    eleven = GRADED.assign(a1=np.arange(len(GRADED)) % 11)
    assert "有 11 个不同的取值" in refused(eleven, **ORDERED).text
    assert records(report(eleven.assign(a1=eleven["a1"] % 10), **ORDERED), "thresholds")


def test_items_in_the_same_order_are_refused_by_name() -> None:
    refusal = refused(GRADED.assign(a2=GRADED["a1"] ** 2), **ORDERED)
    assert refusal.code == "data.singular" and "“a1”" in refusal.text and "“a2”" in refusal.text


def test_fiml_does_not_go_with_ordered_items() -> None:
    refusal = refused(GRADED, **ORDERED, missing="fiml")
    assert refusal.code == "choice.greyed" and "FIML 是最大似然的做法" in refusal.text


def test_bootstrap_of_ordered_items_is_refused_with_two_ways_out() -> None:
    edges = [*ORDERED["paths"]["edges"], {"source": "k2", "target": "outcome"}]  # type: ignore[index]
    refusal = refused(GRADED, **{**ORDERED, "observed": ["outcome"], "paths": {"edges": edges}}, n_boot=200)
    assert refusal.code == "data.bootstrap" and len(refusal.faults[0].remedies) == 2


def test_a_weight_is_refused() -> None:
    refusal = refused(GRADED.assign(w=2), **ORDERED, weight={"column": "w", "kind": "frequency"})
    assert "权重" in refusal.text or "加权" in refusal.text


def test_only_the_order_of_the_grades_counts() -> None:
    plain = records(report(GRADED, **ORDERED), "loadings")
    spread = records(report(GRADED.assign(a1=GRADED["a1"] ** 3, b1=GRADED["b1"] * 7 - 90), **ORDERED), "loadings")
    assert [row["b"] for row in plain] == pytest.approx([row["b"] for row in spread], rel=1e-12)


def test_a_two_by_two_table_with_one_empty_cell_has_an_estimate() -> None:
    high, low = GRADED["a1"] > 2, GRADED["b3"] > 1
    frame = GRADED.assign(a1=high.astype(int), b3=(low & high).astype(int))
    assert all(abs(row["standard"]) < 1.2 for row in records(report(frame, **ORDERED), "loadings"))


def test_few_answers_in_a_grade_are_said() -> None:
    frame = GRADED.assign(a1=np.where(np.arange(len(GRADED)) < 2, 9, GRADED["a1"]))
    found = check(report(frame, **ORDERED), "各等级的人数")
    assert found["state"] == "care" and found["facts"] == {"name": "a1", "few": 2}


def test_grades_away_from_normal_are_offered_wlsmv() -> None:
    skewed = GRADED.assign(a1=np.where(np.arange(len(GRADED)) % 40 == 0, 5, 1 + (GRADED["a1"] > 4)))
    found = check(report(skewed, **{**ORDERED, "estimator": "ml"}), "多元正态")
    assert found["state"] == "pass" or found["remedies"][0]["set"]["estimator"] == "wlsmv"


# ---- groups --------------------------------------------------------------------------------------------------------
CLASSES = pd.read_csv(Path(__file__).parent / "oracle-graded.csv").dropna()
KINDS = {**dict.fromkeys(CLASSES.columns, "定量"), "班级": "定类"}
GROUPED = {**ORDERED, "group": "班级", "estimator": "ml"}


def group_refused(frame: pd.DataFrame, **form: Any) -> Refusal:
    return TRIAL.refused(frame, KINDS, **{**GROUPED, **form})


def test_each_group_alone_has_the_estimates_of_the_groups_together() -> None:
    elements = TRIAL.report(CLASSES, KINDS, **GROUPED)
    together = [row["b"] for row in records(elements, "loadings")]
    names = [row["group"] for row in records(elements, "groups")]
    apart = [
        row["b"]
        for name in names
        for row in records(
            report(CLASSES[CLASSES["班级"] == name].drop(columns="班级"), **{**ORDERED, "estimator": "ml"}), "loadings"
        )
    ]
    assert together == pytest.approx(apart, rel=1e-7)


def test_a_group_of_one_and_one_group_alone_are_refused() -> None:
    alone = CLASSES.assign(班级=["丙", *CLASSES["班级"][1:]])
    assert "没有变化" in group_refused(alone).text or "样本量必须大于变量数" in group_refused(alone).text
    assert "“丙”组" in group_refused(alone).text
    assert group_refused(CLASSES.assign(班级="甲")).code == "role.levels"


def test_a_grade_nobody_of_a_group_chose_is_refused_by_name() -> None:
    frame = CLASSES.assign(a1=np.where((CLASSES["班级"] == "甲") & (CLASSES["a1"] == 5), 4, CLASSES["a1"]))
    refusal = group_refused(frame, estimator="wlsmv")
    assert refusal.code == "data.categories" and "“甲”组里没有人在“a1”上是 5" in refusal.text


def test_bootstrap_in_groups_is_refused_with_two_ways_out() -> None:
    edges = [*ORDERED["paths"]["edges"], {"source": "k2", "target": "outcome"}]  # type: ignore[index]
    refusal = group_refused(CLASSES, observed=["outcome"], paths={"edges": edges}, n_boot=200)
    assert refusal.code == "data.bootstrap" and len(refusal.faults[0].remedies) == 2
