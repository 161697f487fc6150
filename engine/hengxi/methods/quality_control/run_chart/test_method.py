import numpy as np
import pandas as pd

from hengxi.testing import Trial, check, records, said

RNG = np.random.default_rng(5)
FRAME = pd.DataFrame({"值": np.round(RNG.normal(10, 1, 40), 2), "时": np.arange(40)})
TRIAL = Trial("quality_control/run_chart", FRAME, {"measures": ["值"]}, {"值": "定量", "时": "定量", "组": "定类"})


def pattern(values: object, name: str) -> float:
    (row,) = [one for one in records(TRIAL.report(FRAME.assign(值=values)), "tests") if one["pattern"] == name]
    return float(row["p"])


def test_each_pattern_is_found_where_it_is() -> None:
    noise = RNG.normal(0, 0.1, 40)
    assert pattern(np.repeat([1.0, 5, 1, 5], 10) + noise, "聚集") < 0.01
    assert pattern(np.arange(40) / 4 + noise / 10, "趋势") < 0.01
    assert pattern(np.tile([1.0, 5.0], 20) + noise, "混合") < 0.01
    assert pattern(np.tile([1.0, 5.0], 20) + noise, "振荡") < 0.01


def test_few_points_are_said_and_constants_refused() -> None:
    assert check(TRIAL.report(FRAME.head(8)), "点数")["state"] == "care"
    assert TRIAL.refused(FRAME.assign(值=3.0)).code == "data.constant"


def test_time_puts_the_points_in_order() -> None:
    order = RNG.permutation(40)
    shuffled = TRIAL.report(FRAME.iloc[order], time="时")
    assert records(shuffled, "tests") == records(TRIAL.report(), "tests")
    assert TRIAL.refused(FRAME.assign(时=1), time="时").code == "data.duplicate_time"


def test_points_on_the_line_are_on_no_side() -> None:
    (row,) = records(TRIAL.report(FRAME.assign(值=[1.0, 2, 3, 2] * 10)), "summary")
    assert row["on"] == 20 and row["above"] == row["below"] == 10


def test_a_long_run_is_a_shift_of_level() -> None:
    values = np.concatenate([RNG.normal(0, 1, 15), RNG.normal(6, 1, 15)])
    report = TRIAL.report(pd.DataFrame({"值": values}))
    assert check(report, "最长同侧游程")["state"] == "care" and "水平可能移动过" in said(report)
