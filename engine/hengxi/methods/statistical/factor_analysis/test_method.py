"""Branches and refusals of factor analysis, and what must not change its numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hengxi.contract import Refusal, SetRemedy
from hengxi.prepare import run_on_frame
from hengxi.stats.factor_extraction import minimum_residuals
from hengxi.testing import Elements, Trial, cells, check, element, said, warnings

PATH = "statistical/factor_analysis"
FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
ITEMS = list(FRAME.columns)


TRIAL = Trial(PATH)


def asked(frame: pd.DataFrame, form: dict[str, Any]) -> dict[str, Any]:
    items = [name for name in frame.columns if name.startswith("Q")]
    return {"measures": dict.fromkeys(frame.columns, "定量"), "items": items, **form}


def report(frame: pd.DataFrame = FRAME, **form: Any) -> Elements:
    return TRIAL.report(frame, **asked(frame, form))


def refused(frame: pd.DataFrame = FRAME, **form: Any) -> Refusal:
    return TRIAL.refused(frame, **asked(frame, form))


def columns(elements: list[dict[str, Any]], name: str) -> list[str]:
    table = element(elements, name)
    return [column["key"] for column in table["columns"]]


def loadings(elements: list[dict[str, Any]], name: str = "loadings") -> np.ndarray[Any, Any]:
    table = element(elements, name)
    places = [i for i, column in enumerate(table["columns"]) if column["wide"] is not None]
    return np.array([[row[i] for i in places] for row in table["rows"]], dtype=float)


# ---- refusals ------------------------------------------------------------------------------------------------------
def test_a_copy_of_an_item_is_refused_by_both_names() -> None:
    refusal = refused(FRAME.assign(Q13=FRAME["Q2"] * 2 + 1))
    assert refusal.code == "data.singular"
    assert "题项“Q2”与“Q13”完全重复，相关矩阵不可逆" in refusal.text


def test_a_mirrored_item_is_refused() -> None:
    assert "完全相反" in refused(FRAME.assign(Q13=6 - FRAME["Q2"])).text


def test_a_total_of_items_is_refused_with_its_parts() -> None:
    refusal = refused(FRAME.assign(Q13=FRAME["Q1"] + FRAME["Q2"] + FRAME["Q3"]))
    assert refusal.code == "data.singular" and "可由" in refusal.text
    assert all(f"“{name}”" in refusal.text for name in ("Q1", "Q2", "Q3", "Q13")) and "“Q5”" not in refusal.text


@pytest.mark.parametrize(("extraction", "m", "most"), [("ml", 8, 7), ("paf", 8, 7), ("minres", 12, 7)])
def test_too_many_factors_are_refused_with_the_most(extraction: str, m: int, most: int) -> None:
    refusal = refused(extraction=extraction, n_rule="fixed", n_factors=m)
    assert refusal.code == "data.too_many" and f"自由度为负：12 个题项最多提取 {most} 个因子" in refusal.text
    assert refusal.faults[0].remedies == [SetRemedy(title=f"改为 {most} 个", set={"n_factors": most})]


def test_more_components_than_items_are_refused() -> None:
    assert "12 个题项最多提取 12 个成分" in refused(n_rule="fixed", n_factors=13).text


@pytest.mark.parametrize(("n", "word"), [(8, "样本量小于题项数，结果不可靠"), (12, "样本量等于题项数，结果不可靠")])
def test_fewer_cases_than_items_are_refused(n: int, word: str) -> None:
    refusal = refused(FRAME.iloc[:n])
    assert refusal.code == "data.few" and word in refusal.text and f"只有 {n} 个有效个案" in refusal.text


def test_an_item_without_variation_among_the_weighted_is_refused_by_name() -> None:
    frame = FRAME.assign(次数=(FRAME["Q1"] == 3).astype(int))
    refusal = refused(frame, weight="次数")
    assert refusal.code == "role.constant" and "“Q1”" in refusal.text


def test_polychoric_of_a_continuous_item_is_refused_with_a_way_out() -> None:
    frame = FRAME.assign(Q1=np.random.default_rng(1).normal(size=300))
    refusal = refused(frame, matrix="polychoric")
    assert refusal.code == "data.categories" and "“Q1”" in refusal.text
    assert refusal.faults[0].remedies == [SetRemedy(title="改用 Pearson 相关", set={"matrix": "pearson"})]


@pytest.mark.parametrize("kind", ["sampling", "precision"])
def test_other_weights_are_refused_by_kind(kind: str) -> None:
    frame = FRAME.assign(权=1.5)
    with pytest.raises(Refusal) as caught:
        run_on_frame(PATH, frame, {"items": ITEMS}, weight={"column": "权", "kind": kind})
    assert caught.value.code == "weight.kind"


# ---- warnings ------------------------------------------------------------------------------------------------------
def test_a_heywood_case_is_said_by_name() -> None:
    """Three correlations with r₁₂ r₁₃ > r₂₃ ask for a communality above 1."""
    r = np.array([[1, 0.9, 0.8], [0.9, 1, 0.55], [0.8, 0.55, 1]])
    x = np.random.default_rng(11).normal(size=(60, 3))
    x -= x.mean(axis=0)
    white = x @ np.linalg.inv(np.linalg.cholesky(np.cov(x.T))).T
    frame = pd.DataFrame(white @ np.linalg.cholesky(r).T, columns=["Q1", "Q2", "Q3"])
    for extraction in ("paf", "ml", "minres"):
        elements = report(frame, extraction=extraction, n_rule="fixed", n_factors=1)
        assert "data.heywood" in warnings(elements), extraction
        assert check(elements, "Heywood 现象")["state"] == "fail"


def test_several_heywood_cases_are_spoken_of_as_several() -> None:
    """Two pairs that are nearly the same thing twice leave each factor with its two items and nothing of their own."""
    rng = np.random.default_rng(5)
    one, two = rng.normal(size=(2, 80))
    frame = pd.DataFrame({f"Q{i + 1}": (one, two)[i // 2] + rng.normal(0, 0.02, 80) for i in range(4)})
    found = check(report(frame, extraction="ml", n_rule="fixed", n_factors=1), "Heywood 现象")
    assert "”“" in found["facts"]["names"]
    assert "它们独有的方差都几乎为 0" in found["text"]
    assert "这些题项的载荷" in found["more"]["impact"]


def test_an_item_scored_the_other_way_is_said_with_what_to_do() -> None:
    frame = FRAME.assign(Q2=6 - FRAME["Q2"])
    for rotation in ("varimax", "oblimin"):
        found = check(report(frame, rotation=rotation), "反向题")
        assert found["state"] == "care" and "可能是反向题" in found["text"], rotation
        assert found["facts"] == {"names": "“Q2”", "k": 1}
        remedy = found["remedies"][0]
        assert (remedy["step"], remedy["columns"]) == ("data_processing/value_coding", ["c2"])
    assert not [e for e in report() if e["type"] == "check" and e["title"] == "反向题"]


def test_the_conclusion_names_groups_by_their_scales_in_three_lines() -> None:
    scales = ["自我效能", "学习动机", "课程：内容"]
    names = [f"{scale}{i}" for scale in scales for i in range(1, 5)]
    frame = FRAME.rename(columns=dict(zip(ITEMS, names, strict=True)))
    lead = next(e for e in report(frame, items=names) if e["type"] == "lead")
    assert lead["text"].count("\n") == 2
    told = "；".join(str(lead["facts"][f"g{k}"]) for k in range(3))
    assert "“自我效能”（4 题）" in told and "“学习动机”（4 题）" in told


def test_unrelated_items_are_called_unfit() -> None:
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({f"Q{k}": rng.normal(size=200) for k in range(1, 7)})
    elements = report(frame, n_rule="parallel")
    assert "不宜作因子分析" in next(e for e in elements if e["type"] == "lead")["text"]
    assert check(elements, "球形检验")["state"] == "fail" and "data.no_factor" in warnings(elements)


def test_a_rule_that_asks_for_too_many_factors_is_cut_and_said() -> None:
    elements = report(items=["Q1", "Q2", "Q5", "Q6"], extraction="minres")
    assert loadings(elements).shape == (4, 1) and "data.capped" in warnings(elements)


def test_an_item_of_two_factors_is_listed() -> None:
    elements = report(FRAME.assign(Q1=FRAME["Q1"] + FRAME["Q5"]))
    listed = {row[0]: row[1] for row in cells(elements, "advice")}
    assert listed["Q1"] == "交叉载荷" and check(elements, "题项")["state"] == "care"


def test_a_polychoric_matrix_that_is_not_positive_is_smoothed_and_said() -> None:
    rng = np.random.default_rng(4)
    frame = pd.DataFrame({f"Q{k}": (rng.normal(size=14) > 0).astype(int) for k in range(1, 9)})
    try:
        elements = report(frame, matrix="polychoric")
    except Refusal as refusal:
        assert refusal.code == "data.singular"
    else:
        assert "data.smoothed" in warnings(elements)


# ---- branches ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("rotation", ["none", "varimax", "quartimax", "equamax", "oblimin", "promax"])
def test_rotation_keeps_communalities_and_signs_the_largest_positive(rotation: str) -> None:
    elements = report(extraction="paf", rotation=rotation, n_rule="fixed", n_factors=3)
    plain = report(extraction="paf", rotation="none", n_rule="fixed", n_factors=3)
    assert np.allclose([r[2] for r in cells(elements, "loadings")], [r[2] for r in cells(plain, "loadings")])
    found = loadings(elements)
    assert (found[np.abs(found).argmax(axis=0), range(3)] > 0).all()


def test_oblique_rotation_gives_no_shares_and_no_weights() -> None:
    elements = report(rotation="oblimin")
    assert "rotated_share" not in columns(elements, "variance")
    assert not any(e["type"] == "table" and e["name"] == "importance" for e in elements)
    assert "斜交旋转后因子彼此相关" in str(elements)


def test_pattern_structure_and_correlations_agree() -> None:
    elements = report(extraction="ml", rotation="promax", n_rule="fixed", n_factors=3)
    matrix = next(e for e in elements if e["type"] == "table" and e["name"] == "correlations")["matrix"]
    phi = np.array(matrix["layers"][0]["values"], dtype=float)
    assert np.allclose(loadings(elements) @ phi, loadings(elements, "structure"))


def test_small_loadings_can_be_hidden_without_changing_the_rest() -> None:
    plain, hidden = loadings(report()), loadings(report(suppress=0.4))
    assert np.array_equal(np.isnan(hidden), np.abs(plain) < 0.4)
    assert np.allclose(hidden[~np.isnan(hidden)], plain[~np.isnan(hidden)])


def test_saved_scores_are_standard_and_the_composite_is_their_weighted_sum() -> None:
    elements = report(save=True)
    data = next(e for e in elements if e["type"] == "data")
    assert [c["name"] for c in data["columns"]] == ["成分1得分", "成分2得分", "成分3得分", "综合得分"]
    weights = [row[2] for row in cells(elements, "importance")]
    for row in data["preview"]:
        assert row[3] == pytest.approx(float(np.dot(weights, row[:3])), rel=1e-12)


def test_component_scores_are_the_scores_of_the_rotated_components() -> None:
    """Uncorrelated, of variance 1, and correlated with the items as the loadings say."""
    from hengxi.families.factor.tables import score_columns

    elements = report(save=True)
    z = ((FRAME - FRAME.mean()) / FRAME.std()).to_numpy().T
    r = np.corrcoef(z)
    found = score_columns(np.linalg.solve(r, loadings(elements)), z)
    assert np.allclose(np.cov(found), np.eye(3), atol=1e-10)
    assert np.allclose(np.corrcoef(np.vstack((z, found)))[:12, 12:], loadings(elements), atol=1e-10)


def test_parallel_analysis_follows_its_seed() -> None:
    one, same, other = report(seed=1), report(seed=1), report(seed=2)
    assert cells(one, "parallel") == cells(same, "parallel") != cells(other, "parallel")
    assert cells(one, "loadings") == cells(other, "loadings")


def test_no_causal_verbs() -> None:
    words = said(report()) + said(report(extraction="ml", rotation="promax", n_rule="fixed", n_factors=3))
    for verb in ("影响了", "导致", "使得", "造成", "决定了", "证明了因子"):
        assert verb not in words


# ---- invariances ---------------------------------------------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.parametrize("matrix", ["pearson", "spearman", "polychoric"])
def test_frequencies_are_copies(matrix: str) -> None:
    counts = [(i + 1) % 3 for i in range(300)]
    form = {"matrix": matrix, "extraction": "ml", "rotation": "oblimin", "n_rule": "fixed", "n_factors": 3}
    weighted = report(FRAME.assign(次数=counts), weight="次数", **form)
    copied = report(FRAME.loc[FRAME.index.repeat(counts)].reset_index(drop=True), **form)
    assert np.allclose(loadings(weighted), loadings(copied), atol=1e-9)
    assert np.allclose(cells(weighted, "adequacy")[0], cells(copied, "adequacy")[0], rtol=1e-9)


@pytest.mark.parametrize("scale", [1e-300, 1e-140, 1e140, 1e300])
def test_units_do_not_matter_however_extreme(scale: float) -> None:
    frame = FRAME.astype(float).assign(Q1=FRAME["Q1"] * scale)
    assert np.allclose(loadings(report(frame)), loadings(report()), atol=1e-9)


def test_large_offsets_cost_no_digits() -> None:
    assert np.allclose(loadings(report(FRAME + 1e9)), loadings(report()), atol=1e-7)


def test_splits_keep_their_own_factors_and_a_total() -> None:
    frame = FRAME.assign(组=["甲", "乙"] * 150)
    made = run_on_frame(
        PATH, frame, {"items": ITEMS}, measures={**dict.fromkeys(ITEMS, "定量"), "组": "定类"}, strict=True,
        split={"column": "组", "total": True},
    )  # fmt: skip
    whole = next(p for p in made["parts"] if p["group"]["total"])
    assert len(made["parts"]) == 3
    assert np.allclose(loadings(whole["elements"]), loadings(report()), atol=1e-12)


def test_components_that_explain_an_item_nearly_whole_are_no_heywood_case() -> None:
    rng = np.random.default_rng(4)
    x, y = rng.normal(size=(2, 100))
    noise = rng.normal(size=(2, 100)) * 0.1
    frame = pd.DataFrame({"Q1": x, "Q2": y, "Q3": x + y + noise[0], "Q4": x - y + noise[1]}).round(3)
    assert "Heywood" not in said(report(frame))


def test_why_items_do_not_fit_is_said_in_every_voice() -> None:
    noise = pd.DataFrame(np.random.default_rng(0).normal(size=(60, 8)), columns=[f"Q{i}" for i in range(8)])
    text = said(report(noise))
    none = "题项之间没有发现明显的相关"
    assert (
        f"{none}（KMO" in text
        and "\n以下只供查看" in text
        and "不宜归并成几组：" in text
        and f"{none}。\n" in text + "\n"
    )


def test_factors_without_items_are_no_groups_of_items() -> None:
    rng = np.random.default_rng(7)
    common = rng.normal(size=(120, 2))
    frame = pd.DataFrame({f"Q{i + 1}": 3 * common[:, i % 2] + rng.normal(size=120) for i in range(12)})
    elements = report(frame, n_rule="fixed", n_factors=5)
    brief = next(e for e in elements if e.get("voice") == "brief")
    belongs = columns(elements, "loadings").index("belongs")
    filled = {row[belongs] for row in cells(elements, "loadings")}
    assert brief["facts"]["filled"] == len(filled) < 5
    assert "没有题项归入" in brief["text"] and brief["facts"]["bare"] == 5 - len(filled)


def test_minimum_residuals_lie_below_where_psych_stops_and_do_not_move() -> None:
    """psych 2.2.9, fa(fm = "minres"), four factors: objective 0.45989308366894199, where its slope is still 1.1e-6."""
    r = np.corrcoef(pd.read_csv(Path(__file__).parent / "oracle-harman.csv").to_numpy().T)
    found = minimum_residuals(r, 4)
    values, v = np.linalg.eigh(r - np.diag(1 - found.communalities))
    tail, last = values[:-4], v[:, :-4]
    assert found.converged and np.max(np.abs(np.sum(tail * last**2, axis=1))) < 1e-12
    assert np.sum(tail**2) / 2 == pytest.approx(0.4598930836647219, abs=1e-15) and np.sum(tail**2) / 2 < 0.459893083668


def test_the_paper_says_that_nothing_was_rotated() -> None:
    paper = [e["text"] for e in report(rotation="none") if e["type"] == "text" and e["voice"] == "paper"]
    assert "，未旋转，累计解释方差" in paper[0]
    assert "未旋转" not in "".join(e["text"] for e in report() if e["type"] == "text" and e["voice"] == "paper")


def test_chi_square_of_another_matrix_is_called_approximate() -> None:
    for matrix, told in (("pearson", 0), ("spearman", 2)):
        assert said(report(extraction="ml", matrix=matrix)).count("χ² 与 *p* 只是近似") == told
