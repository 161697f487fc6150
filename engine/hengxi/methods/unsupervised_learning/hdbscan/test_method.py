"""What is particular to HDBSCAN: its tree, sizes that allow no two clusters, rows alike."""

import numpy as np
import pandas as pd

from hengxi.stats.density_tree import condense
from hengxi.testing import Trial, records, said

RNG = np.random.default_rng(4)
FRAME = pd.DataFrame(np.vstack([RNG.normal(m, 0.3, (30, 2)) for m in (0, 4)]), columns=["甲", "乙"])
TRIAL = Trial("unsupervised_learning/hdbscan", FRAME, {"x": ["甲", "乙"]}, dict.fromkeys("甲乙", "定量"))


def test_two_blobs_are_two_clusters() -> None:
    assert records(TRIAL.report(), "validity")[0]["k"] == 2


def test_a_cluster_beyond_half_of_the_rows_is_refused() -> None:
    refusal = TRIAL.refused(min_cluster_size=31)
    assert "最小簇大小过大，无法形成两个簇" in refusal.text
    assert refusal.faults[0].remedies[0].set == {"min_cluster_size": 30}  # type: ignore[union-attr]


def test_more_neighbours_than_rows_are_refused() -> None:
    assert TRIAL.refused(min_samples=61).code == "data.neighbours"


def test_one_blob_alone_is_refused() -> None:
    cloud = pd.DataFrame(RNG.normal(size=(12, 2)), columns=["甲", "乙"])
    assert TRIAL.refused(cloud, min_cluster_size=6).code == "data.noise"


def test_rows_alike_have_no_finite_stability() -> None:
    alike = pd.concat([FRAME, pd.DataFrame([[9.0, 9.0]] * 12, columns=["甲", "乙"])])
    report = TRIAL.report(alike)
    assert "λ 为无穷大" in said(report) and records(report, "validity")[0]["k"] == 3


def test_few_rows_and_constants_are_refused() -> None:
    assert "至少需要10行" in TRIAL.refused(FRAME[:9]).text
    assert TRIAL.refused(FRAME * 0).code == "role.constant"


def test_a_tree_of_four_points_by_hand() -> None:
    """Pairs at distance 1, the pairs 4 apart: two clusters born at λ = 1/4 that both end at 1."""
    tree = condense((np.array([0, 2, 4]), np.array([1, 3, 5]), np.array([1.0, 1, 4]), np.array([2, 2, 4])), 2)
    assert tree.birth.tolist() == [0, 0.25, 0.25] and tree.stability.tolist() == [1.0, 1.5, 1.5]
    assert tree.chosen(False, 0) == [1, 2] and tree.chosen(False, 5.0) == [1, 2]
    assert sorted(tree.inside(1).tolist() + tree.inside(2).tolist()) == [0, 1, 2, 3]


def test_ties_are_one_split() -> None:
    """Three pairs, all 4 apart: whichever two are joined first, three clusters come of it."""
    left, right = np.array([0, 2, 4, 6, 9]), np.array([1, 3, 5, 7, 8])
    tree = condense((left, right, np.array([1.0, 1, 1, 4, 4]), np.array([2, 2, 2, 4, 6])), 2)
    assert tree.parent.tolist() == [-1, 0, 0, 0] and tree.birth.tolist() == [0, 0.25, 0.25, 0.25]
