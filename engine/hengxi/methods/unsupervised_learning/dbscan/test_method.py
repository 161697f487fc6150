"""What is particular to DBSCAN, and what its base refuses for all clusterings."""

import numpy as np
import pandas as pd

from hengxi.methods.unsupervised_learning._shared import space
from hengxi.testing import Trial, cells, check, element, records, warnings

RNG = np.random.default_rng(3)
BLOBS = np.vstack([RNG.normal(m, 0.2, (30, 2)) for m in (0, 4)])
FRAME = pd.DataFrame(BLOBS, columns=["甲", "乙"])
TRIAL = Trial("unsupervised_learning/dbscan", FRAME, {"x": ["甲", "乙"]}, dict.fromkeys("甲乙丙", "定量"))


def test_two_blobs_are_two_clusters() -> None:
    assert records(TRIAL.report(), "validity")[0]["k"] == 2


def test_all_noise_is_refused_with_a_way_out() -> None:
    refusal = TRIAL.refused(eps=0.000001)
    assert "当前ε与最小邻居数下没有任何簇" in refusal.text and refusal.faults[0].remedies


def test_few_rows_are_refused_with_their_number() -> None:
    assert "剔除缺失后只剩9行，至少需要10行" in TRIAL.refused(FRAME[:9]).text


def test_constants_are_left_out_and_constants_alone_refused() -> None:
    report = TRIAL.report(FRAME.assign(丙=1.0), x=["甲", "乙", "丙"])
    assert "data.constant" in warnings(report) and records(report, "validity")[0]["variables"] == 2
    assert TRIAL.refused(FRAME * 0).code == "role.constant"


def test_words_are_no_numbers() -> None:
    assert TRIAL.refused(FRAME.assign(乙=[f"很长的回答 {i}" for i in range(60)]), {"乙": "文本"}).code == "role.measure"


def test_gaps_are_dropped_or_filled() -> None:
    gappy = FRAME.copy()
    gappy.iloc[:3, 0] = np.nan
    assert records(TRIAL.report(gappy), "validity")[0]["n"] == 57
    filled = TRIAL.report(gappy, missing="mean")
    assert records(filled, "validity")[0]["n"] == 60 and "data.filled" in warnings(filled)
    assert TRIAL.refused(gappy.assign(乙=np.nan), missing="mean").code in ("role.empty", "role.measure")


def test_saved_clusters_stand_in_their_rows() -> None:
    gappy = FRAME.copy()
    gappy.iloc[0, 0] = np.nan
    data = next(e for e in TRIAL.report(gappy, append=True) if e["type"] == "data")
    assert data["changed"] == 59 and data["preview"][0][0] in ("第1类", "第2类")


def test_too_many_variables_and_rows_are_refused_with_a_step() -> None:
    wide = pd.DataFrame(RNG.normal(size=(12, 1001)), columns=[f"v{i}" for i in range(1001)])
    refusal = TRIAL.refused(wide, dict.fromkeys(wide.columns, "定量"), x=list(wide.columns))
    assert refusal.code == "data.wide" and refusal.faults[0].remedies
    many = pd.DataFrame(RNG.normal(size=(50_001, 2)), columns=["甲", "乙"])
    assert TRIAL.refused(many).code == "data.long"
    assert TRIAL.refused(many[:8000], eps=100.0).code == "data.pairs"


def test_more_neighbours_than_rows_are_refused() -> None:
    assert TRIAL.refused(min_samples=61).code == "data.neighbours"


def test_rows_alike_have_no_elbow() -> None:
    alike = pd.DataFrame({"甲": [1.0] * 30 + [2.0] * 30, "乙": [1.0] * 60})
    assert TRIAL.refused(alike).code == "data.eps"


def test_a_row_without_direction_is_refused_by_its_number() -> None:
    zero = FRAME.copy()
    zero.iloc[4] = 0.0
    assert "第 5 行" in TRIAL.refused(zero, metric="cosine", standardize=False).text


def test_one_cluster_or_much_noise_asks_for_another_radius() -> None:
    one = check(TRIAL.report(eps=10.0), "噪声占比")
    assert one["state"] == "care" and one["remedies"][0]["set"] == {"eps": None}


def test_units_that_differ_ten_times_are_a_strong_hint() -> None:
    found = check(TRIAL.report(FRAME.assign(甲=FRAME["甲"] * 100), standardize=False, eps=20.0), "量纲")
    assert found["state"] == "fail" and found["remedies"][0]["set"] == {"standardize": True}


def test_the_map_is_thinned() -> None:
    many = pd.DataFrame(np.tile(BLOBS, (20, 1)) + RNG.normal(0, 0.05, (1200, 2)), columns=["甲", "乙"])
    report = TRIAL.report(many)
    assert element(report, "plane")["thinned"] == {"shown": space.DRAWN, "of": 1200}
    assert len(cells(report, "plane_points")) == space.DRAWN
