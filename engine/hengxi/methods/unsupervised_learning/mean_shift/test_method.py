"""What is particular to mean shift: its bandwidth and its seeds."""

import numpy as np
import pandas as pd

from hengxi.testing import Trial, check, records, warnings

RNG = np.random.default_rng(4)
FRAME = pd.DataFrame(np.vstack([RNG.normal(m, 0.3, (30, 2)) for m in (0, 4)]), columns=["甲", "乙"])
TRIAL = Trial("unsupervised_learning/mean_shift", FRAME, {"x": ["甲", "乙"]}, dict.fromkeys("甲乙", "定量"))


def test_two_blobs_are_two_clusters() -> None:
    assert records(TRIAL.report(), "settings")[0]["k"] == 2


def test_a_bandwidth_of_zero_is_refused() -> None:
    alike = pd.DataFrame({"甲": [1.0] * 30 + [2.0] * 30, "乙": [1.0] * 30 + [2.0] * 30})
    assert "自动带宽为0" in TRIAL.refused(alike).text


def test_one_cluster_asks_for_another_bandwidth() -> None:
    assert check(TRIAL.report(bandwidth=9.0), "噪声占比")["state"] == "care"


def test_seeds_that_hold_too_few_rows_are_refused() -> None:
    assert TRIAL.refused(bandwidth=0.001, min_bin_freq=50).code == "data.peaks"


def test_few_rows_and_constants_are_refused() -> None:
    assert "至少需要10行" in TRIAL.refused(FRAME[:9]).text
    assert TRIAL.refused(FRAME * 0).code == "role.constant"


def test_many_rows_start_from_a_grid_and_are_called_slow() -> None:
    many = pd.DataFrame(
        np.repeat(FRAME.to_numpy(), 170, axis=0) + RNG.normal(0, 0.01, (10_200, 2)), columns=["甲", "乙"]
    )
    report = TRIAL.report(many, bandwidth=1.0)
    assert "data.slow" in warnings(report) and records(report, "settings")[0]["k"] == 2
