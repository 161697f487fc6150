import pytest

from hengxi.testing import Trial, records

TWO = {"type": "two_sample", "n1": 10, "mean1": 0.75, "sd1": 1.78901, "n2": 10, "mean2": 2.33, "sd2": 2.002249}
TRIAL = Trial("hypothesis_test/summary_t_test", form=TWO)


def test_a_negative_sd_and_a_sample_of_one_are_refused_by_name() -> None:
    assert "标准差1" in TRIAL.refused(sd1=-1).text
    assert "样本量1" in TRIAL.refused(n1=1).text


def test_without_any_spread_there_is_no_t() -> None:
    refusal = TRIAL.refused(sd1=0, sd2=0)
    assert refusal.code == "data.constant" and "两组标准差均为0" in refusal.text
    assert "标准差为0" in TRIAL.refused(type="one_sample", sd1=0).text


def test_what_is_missing_is_named() -> None:
    faults = Trial("hypothesis_test/summary_t_test", form={}).refused().faults
    assert {fault.field for fault in faults} == {"n1", "mean1", "sd1", "n2", "mean2", "sd2"}


def test_one_group_without_spread_has_no_ratio_of_variances() -> None:
    report = TRIAL.report(sd1=0)
    assert records(report, "ratio") == []
    assert any(one["id"] == "ratio:skipped" for one in report)


@pytest.mark.parametrize("kind", ["one_sample", "paired"])
def test_one_sample_uses_what_it_needs_alone(kind: str) -> None:
    report = TRIAL.report(type=kind, n2=None, sd2=None, mean2=0 if kind == "one_sample" else None)
    (row,) = records(report, "result")
    assert row["df"] == 9 and row["difference"] == 0.75
