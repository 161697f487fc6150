"""What is read, what is refused, and that nothing is lost unseen."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from hengxi.contract.missing_tokens import MISSING_TOKENS
from hengxi.testing import Elements, Trial, cells, records, warnings

PATH = "data_processing/type_convert"


def trial(values: list[Any], measure: str = "文本") -> Trial:
    return Trial(PATH, pd.DataFrame({"列": values}), {"variables": ["列"], "mode": "new"}, {"列": measure})


def made(report: Elements) -> list[Any]:
    preview = next(e for e in report if e["type"] == "data")["step"]["preview"]
    return [row[-1] for row in preview["after"]]


def test_numbers_in_many_dresses() -> None:
    words = ["1,234.5元", "12%", "３４", "\u200b5\x00", "−6", "(7)", "1,2", "NA"]
    report = trial(words).report()
    assert made(report) == [1234.5, 0.12, 34, 5, -6, None, None, None]
    (row,) = records(report, "result")
    assert (row["done"], row["failed"], row["blank"], row["missing"]) == (5, 2, 1, 0)
    assert cells(report, "failures") == [["列", "(7)", 1], ["列", "1,2", 1]]


def test_european_marks() -> None:
    assert made(trial(["1.234,5", "7"]).report(thousands=".", decimal=",")) == [1234.5, 7]
    assert trial(["1"]).refused(thousands=".", decimal=".").code == "convert.marks"


@pytest.mark.parametrize(
    ("value", "code"), [("123456789012345678", "convert.digits"), ("0012", "convert.zeros"), ("-007", "convert.zeros")]
)
def test_an_id_is_not_made_a_number(value: str, code: str) -> None:
    assert trial([value, "1"]).refused().code == code
    assert made(trial([value, "1"]).report(target="text")) == [value, "1"]


def test_zeros_go_only_where_that_is_wanted() -> None:
    assert made(trial(["0012", "0.5"]).report(drop_zeros=True)) == [12, 0.5]


def test_dates_keep_their_clock() -> None:
    words = ["2024-03-05 10:05:06", "2024年3月5日", "45321", "20240305", "2024年3月", "2024-02-30"]
    report = trial(words).report(target="datetime")
    shown = ["2024-03-05T10:05:06", "2024-03-05", "2024-01-30", "2024-03-05", "2024-03-01", None]
    assert [
        one if one is None else str(one).replace(" ", "T").removesuffix("T00:00:00") for one in made(report)
    ] == shown
    assert warnings(report) == ["convert.months", "convert.serials"]


def test_zones_are_not_mixed() -> None:
    assert trial(["2024-03-10T01:30:00+08:00", "2024-03-10T01:30:00Z"]).refused(target="date").code == "convert.zones"
    assert "convert.zone" in warnings(trial(["2024-03-10T01:30:00Z"]).report(target="datetime"))


def test_a_bad_format_is_refused() -> None:
    assert trial(["x"]).refused(target="date", date_format="%Q").code == "convert.format"


def test_nothing_readable_is_refused() -> None:
    """全部转换失败 → “{v}”没有一个值能转换为{t}，请检查格式"""
    assert "没有一个值能转换为数值" in trial(["甲", "乙"]).refused().text


def test_a_doubtful_date_is_refused() -> None:
    """日期歧义 → “{x}”无法判断日/月次序，请指定日期格式"""
    assert "“3/4/2024”无法判断日/月次序" in trial(["3/4/2024", "5/6/2024"]).refused(target="date").text
    assert made(trial(["3/4/2024", "25/6/2024"]).report(target="date")) == ["2024-04-03", "2024-06-25"]


def test_decimals_are_not_cut_unasked() -> None:
    """目标为整数但有小数 → “{v}”有 {k} 个小数，转换会丢失精度，请确认"""
    assert "2 个小数" in trial(["1.5", "-2.5", "3"]).refused(target="integer").text
    assert made(trial(["1.5", "-2.5", "3"]).report(target="integer", rounding="round")) == [2, -3, 3]
    assert made(trial(["1.5", "-2.5", "3"]).report(target="integer", rounding="cut")) == [1, -2, 3]


def test_the_first_failure_has_its_row() -> None:
    refusal = trial(["1", "甲"]).refused(on_error="stop")
    assert "第 2 行“甲”" in refusal.text and refusal.faults[0].remedies


def test_a_date_is_no_number() -> None:
    frame = pd.DataFrame({"列": pd.to_datetime(["2024-01-01", "2024-01-02"])})
    assert Trial(PATH, frame, {"variables": ["列"]}).refused().code == "convert.date"


def test_words_for_nothing_are_those_of_the_import() -> None:
    report = trial(["1", *[word for word in MISSING_TOKENS if word]]).report()
    assert records(report, "result")[0]["failed"] == 0


def test_whole_days_are_written_as_days() -> None:
    days = pd.DataFrame({"列": pd.to_datetime(["2024-01-01", "2024-01-02"])})
    clocks = pd.DataFrame({"列": pd.to_datetime(["2024-01-01 00:00", "2024-01-02 08:30"])})
    form = {"variables": ["列"], "mode": "new", "target": "text"}
    assert made(Trial(PATH, days, form).report()) == ["2024-01-01", "2024-01-02"]
    assert made(Trial(PATH, clocks, form).report()) == ["2024-01-01 00:00:00", "2024-01-02 08:30:00"]
