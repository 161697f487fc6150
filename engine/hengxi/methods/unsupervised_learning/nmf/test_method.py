"""What is particular to non-negative matrix factorisation: its refusals, the exact product, what comes back."""

from pathlib import Path

import numpy as np
import pandas as pd

from hengxi.stats.nonnegative import factorise
from hengxi.testing import Trial, check, element, records

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
ITEMS = list(FRAME.columns[1:])
TRIAL = Trial("unsupervised_learning/nmf", FRAME, {"x": ITEMS}, {"编号": "定类", **dict.fromkeys(ITEMS, "定量")})
report, refused = TRIAL.report, TRIAL.refused


def test_an_exact_product_comes_back() -> None:
    rng = np.random.default_rng(4)
    h = np.kron(np.eye(3), np.ones(4)) * rng.uniform(1, 2, (3, 12))
    fit = factorise(rng.exponential(size=(60, 3)) @ h, 3)
    assert fit.residual < 2e-3 and abs(fit.shares.sum() - 1) < 1e-12


def test_a_negative_value_is_refused_by_row_and_value() -> None:
    frame = FRAME.copy()
    frame.loc[10, "奶粉"] = -2
    text = refused(frame).text
    assert "所有数值不小于0：变量“奶粉”第 11 行为 -2" in text


def test_a_zero_is_refused_under_itakura_saito() -> None:
    frame = FRAME.copy()
    frame.loc[3, "玩具"] = 0
    refusal = refused(frame, loss="itakura-saito")
    assert "要求数值大于0：变量“玩具”第 4 行为 0" in refusal.text and refusal.faults[0].remedies


def test_too_many_components_are_refused_with_the_most_there_can_be() -> None:
    refusal = refused(n_components=9)
    assert "最多 8" in refusal.text and refusal.faults[0].remedies


def test_text_is_refused() -> None:
    assert "定量" in refused(FRAME.assign(玩具="多"), {"玩具": "定类"}).text


def test_more_components_than_candidates_are_fitted_too() -> None:
    rng = np.random.default_rng(5)
    wide = pd.DataFrame(rng.exponential(size=(40, 14)), columns=[f"项{i}" for i in range(14)])
    trial = Trial("unsupervised_learning/nmf", wide, {"x": list(wide.columns)}, dict.fromkeys(wide.columns, "定量"))
    curve = records(trial.report(n_components=12), "curve")
    assert [row["k"] for row in curve] == [*range(1, 11), 12] and curve[-1]["chosen"] == "是"


def test_random_starts_reach_the_same_fit() -> None:
    fixed, drawn = (
        element(report(n_components=3, init=init), "quality")["rows"][0][0] for init in ("nndsvda", "random")
    )
    assert abs(fixed - drawn) / fixed < 0.01


def test_weights_are_saved_with_gaps_where_a_value_is_missing() -> None:
    data = next(e for e in report(append=True, n_components=3) if e["type"] == "data")
    assert [column["name"] for column in data["columns"]] == ["成分1", "成分2", "成分3"]


def test_noise_is_said_to_be_unstable() -> None:
    noise = pd.read_csv(Path(__file__).parent / "oracle-noise.csv")
    trial = Trial("unsupervised_learning/nmf", noise, {"x": list(noise.columns)}, dict.fromkeys(noise.columns, "定量"))
    assert check(trial.report(n_components=3), "归类稳定")["state"] == "care"


def test_a_penalty_that_leaves_nothing_is_refused() -> None:
    refusal = refused(alpha=100, l1_ratio=1, n_components=3)
    assert "正则太强" in refusal.text and refusal.faults[0].remedies


def test_the_unit_changes_no_share() -> None:
    tiny = FRAME.assign(**{item: FRAME[item] * 1e-200 for item in ITEMS})
    usual, small = (records(report(frame, n_components=3), "parts") for frame in (FRAME, tiny))
    assert [round(row["share"], 9) for row in usual] == [round(row["share"], 9) for row in small]
