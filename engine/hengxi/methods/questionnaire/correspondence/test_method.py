"""What is particular to correspondence analysis: forms of the data, supplementary points, refusals."""

from pathlib import Path

import pandas as pd

from hengxi.testing import Trial, check, records, warnings

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
FORM = {"row": "职位", "column": "吸烟", "input": "frequency", "weight": "人数"}
TRIAL = Trial("questionnaire/correspondence", FRAME, FORM, {"职位": "定类", "吸烟": "定类", "人数": "定量"})


def test_two_categories_are_too_few() -> None:
    two = FRAME[FRAME["吸烟"].isin(["不吸", "少量"])]
    assert "至少3个类别" in TRIAL.refused(two).text


def test_an_empty_category_is_left_out_and_said() -> None:
    frame = FRAME.assign(人数=FRAME["人数"].where(FRAME["职位"] != "秘书", 0))
    assert warnings(TRIAL.report(frame)) == ["data.empty_category"]


def test_more_dimensions_than_there_are_are_cut_and_said() -> None:
    assert "data.dims" in warnings(TRIAL.report(dims=10))


def test_the_three_forms_of_the_data_agree() -> None:
    wide = FRAME.pivot(index="职位", columns="吸烟", values="人数").loc[FRAME["职位"].unique(), FRAME["吸烟"].unique()]
    names = list(wide.columns)
    form = {"column": None, "weight": None, "input": "contingency_table", "counts": names}
    report = TRIAL.report(wide.reset_index(), dict.fromkeys(names, "定量"), **form)
    assert records(report, "dimensions") == records(TRIAL.report(), "dimensions")


def test_frequencies_without_a_weight_are_counted_once_and_said() -> None:
    frame = pd.concat([FRAME, FRAME.iloc[[0, 6, 18]]])
    assert warnings(TRIAL.report(frame, weight=None)) == ["data.weight"]


def test_a_second_variable_is_needed() -> None:
    assert "请放入列变量" in TRIAL.refused(column=None).text


def test_few_columns_of_a_table_are_refused() -> None:
    assert "3 列以上频数" in TRIAL.refused(column=None, weight=None, input="contingency_table", counts=["人数"]).text


def test_an_unknown_supplementary_category_is_refused() -> None:
    assert "没有叫“经理”的类别" in TRIAL.refused(supplementary="经理").text


def test_wholly_independent_rows_have_no_dimension() -> None:
    assert "完全独立" in TRIAL.refused(FRAME.assign(人数=4)).text


def test_small_categories_ask_for_care() -> None:
    frame = FRAME.assign(人数=FRAME["人数"].where(FRAME["职位"] != "秘书", 1))
    assert check(TRIAL.report(frame), "类别的频数")["state"] == "care"
