import pandas as pd
import pytest

from hengxi.testing import Trial, check, records, warnings

FRAME = pd.DataFrame({"组": ["甲"] * 30 + ["乙"] * 30, "结果": ["好"] * 20 + ["差"] * 18 + ["好"] * 22})
TRIAL = Trial("descriptive/chi_square", FRAME, {"x": "组", "y": ["结果"]})


def test_one_category_is_refused_by_name() -> None:
    assert "组" in TRIAL.refused(FRAME.assign(组="甲")).text
    assert "“结果”只有一个类别" in TRIAL.refused(FRAME.assign(结果="好")).text


def test_a_category_of_no_weight_is_left_out_and_named() -> None:
    frame = pd.DataFrame({"组": list("甲乙甲乙甲"), "结果": list("好好差差中"), "数": [9, 4, 8, 7, 0]})
    assert warnings(TRIAL.report(frame, weight="数")) == ["data.empty_level"]


def test_monte_carlo_is_said_with_its_seed() -> None:
    report = TRIAL.report(method="monte_carlo", mc_resamples=999)
    (read,) = [row for row in records(report, "tests") if row["read"]]
    assert "999 次" in read["test"] and read["low"] <= read["p"] <= read["high"]
    assert "种子 {seed:text}" in check(report, "期望频数")["text"]


def test_hundreds_of_values_ask_for_bins() -> None:
    frame = pd.DataFrame({"组": ["甲", "乙"] * 200, "值": range(400)})
    assert "“值”有 400 个取值，请先分箱" in TRIAL.refused(frame, y=["值"], measures={"值": "定类"}).text


@pytest.mark.parametrize("method", ["fisher", "monte_carlo", "likelihood", "yates"])
def test_the_chosen_test_is_the_one_read(method: str) -> None:
    (read,) = [row for row in records(TRIAL.report(method=method, mc_resamples=999), "tests") if row["read"]]
    assert read["p"] > 0
