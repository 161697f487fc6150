import pandas as pd

from hengxi.testing import Trial, records

FRAME = pd.DataFrame(
    {"A": [1, 1, 0, 1, 0, 1], "B": [0, 1, 0, 0, 0, 1], "C": [0, 0, 1, 0, 0, 1], "数": [1, 2, 1, 3, 1, 1]}
)
KINDS = {"A": "定类", "B": "定类", "C": "定类"}
TRIAL = Trial("hypothesis_test/cochran_q", FRAME, {"variables": ["A", "B", "C"]}, KINDS)


def test_three_values_are_refused_by_name() -> None:
    assert "“C”有 3 个取值" in TRIAL.refused(FRAME.assign(C=[0, 1, 2, 0, 1, 2])).text


def test_other_codes_in_one_variable_are_refused() -> None:
    assert "取值必须相同" in TRIAL.refused(FRAME.assign(C=list("是否否是否是"))).text


def test_cases_alike_throughout_have_no_q() -> None:
    same = FRAME.assign(B=FRAME["A"], C=FRAME["A"])
    assert "结果一致，Q无定义" in TRIAL.refused(same).text


def test_which_value_counts_as_success_turns_rates_not_q() -> None:
    (ones,), (zeros,) = (records(TRIAL.report(success=value), "result") for value in (1, 0))
    assert ones == zeros


def test_weights_count_as_repeated_rows() -> None:
    repeated = FRAME.loc[FRAME.index.repeat(FRAME["数"])]
    assert records(TRIAL.report(weight="数"), "pairs") == records(TRIAL.report(repeated), "pairs")
