"""What is particular to OPTICS: the radius of the cut, the greatest radius, ties."""

import numpy as np
import pandas as pd

from hengxi.testing import Trial, records

RNG = np.random.default_rng(4)
FRAME = pd.DataFrame(np.vstack([RNG.normal(m, 0.3, (30, 2)) for m in (0, 4)]), columns=["甲", "乙"])
TRIAL = Trial("unsupervised_learning/optics", FRAME, {"x": ["甲", "乙"]}, dict.fromkeys("甲乙", "定量"))


def test_two_blobs_are_two_clusters() -> None:
    assert records(TRIAL.report(method="dbscan"), "validity")[0]["k"] == 2


def test_a_cut_at_zero_is_refused() -> None:
    refusal = TRIAL.refused(method="dbscan", eps=0)
    assert refusal.code == "number.range" and "切割半径" in refusal.text and "大于 0" in refusal.text


def test_nothing_but_noise_is_refused() -> None:
    assert TRIAL.refused(method="dbscan", eps=0.000001).code == "data.noise"


def test_few_rows_constants_and_neighbours_are_refused() -> None:
    assert "至少需要10行" in TRIAL.refused(FRAME[:9]).text
    assert TRIAL.refused(FRAME * 0).code == "role.constant"
    assert TRIAL.refused(min_samples=61).code == "data.neighbours"


def test_beyond_the_greatest_radius_nothing_is_reached() -> None:
    rows = records(TRIAL.report(method="dbscan", max_eps=1.0), "ordering")
    assert [row["reach"] for row in rows].count(None) == 2


def test_ties_do_not_depend_on_the_order_of_the_file() -> None:
    grid = pd.DataFrame([(i, j) for i in range(5) for j in range(5)] + [(9, 9)] * 5, columns=["甲", "乙"], dtype=float)
    other = grid.sample(frac=1, random_state=1).reset_index(drop=True)
    one, two = (TRIAL.report(table, method="dbscan", eps=0.6, min_samples=3) for table in (grid, other))
    assert [row["reach"] for row in records(one, "ordering")] == [row["reach"] for row in records(two, "ordering")]
