import numpy as np
import pandas as pd

from hengxi.contract import SetRemedy
from hengxi.testing import Trial, check, records, warnings

FRAME = pd.DataFrame({"颜色": list("红红红黄黄蓝蓝蓝蓝蓝"), "次数": [0, 1, 1, 2, 0, 3, 1, 0, 2, 1]})
TRIAL = Trial("hypothesis_test/chisquare_goodness_fit", FRAME, {"variable": "颜色"}, {"次数": "定量"})


def test_the_number_of_shares_and_their_sum_are_judged() -> None:
    assert "期望比例需填 3 个，已填 2 个" in TRIAL.refused(theoretical="custom", expected=[0.5, 0.5]).text
    refusal = TRIAL.refused(theoretical="custom", expected=[2, 1, 1])
    assert "期望比例之和应为100%，当前为 4" in refusal.text
    (remedy,) = refusal.faults[0].remedies
    assert isinstance(remedy, SetRemedy) and remedy.set == {"expected": [0.5, 0.25, 0.25]}


def test_a_category_expected_less_than_once_is_refused_unless_exact() -> None:
    shares = [0.05, 0.45, 0.5]
    assert "类别“红”期望频数小于1" in TRIAL.refused(theoretical="custom", expected=shares).text
    assert records(TRIAL.report(theoretical="custom", expected=shares, exact=True), "tests")[-1]["read"] == "采用"
    assert TRIAL.refused(theoretical="custom", expected=[0, 0.5, 0.5], exact=True).code == "data.expected"


def test_one_category_and_hundreds_of_values_are_refused() -> None:
    assert "只有一个类别" in TRIAL.refused(FRAME.assign(颜色="红")).text
    many = pd.DataFrame({"值": np.arange(500) / 7})
    assert "请先分箱" in TRIAL.refused(many, variable="值", measures={"值": "定量"}).text


def test_distributions_want_counts() -> None:
    assert TRIAL.refused(theoretical="poisson").code == "role.measure"
    assert "只适用于次数" in TRIAL.refused(FRAME.assign(次数=-1.5), variable="次数", theoretical="poisson").text
    assert "超过试验次数" in TRIAL.refused(variable="次数", theoretical="binomial", trials=2).text


def test_many_tables_are_drawn_and_say_so() -> None:
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"颜色": rng.integers(0, 8, 60).astype(str)})
    row = records(TRIAL.report(frame, exact=True, n_resamples=999), "tests")[-1]
    assert "蒙特卡洛（999 次）" in row["test"] and row["low"] <= row["p"] <= row["high"]


def test_small_expectations_offer_the_exact_p() -> None:
    assert check(TRIAL.report(), "期望频数")["remedies"][0]["set"] == {"exact": True}
    assert warnings(TRIAL.report(variable="次数", theoretical="poisson", exact=True)) == ["data.left_out"]
