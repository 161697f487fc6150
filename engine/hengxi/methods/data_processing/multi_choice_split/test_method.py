"""Signs, other texts, sets and gaps; and what is refused."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from hengxi.contract.derived import DataSteps
from hengxi.prepare import ids_by_name, read_table, report_on
from hengxi.testing import Elements, Trial, cells, records, warnings

FRAME = pd.DataFrame({"题": ["A┋C┋A", "B", None, "(跳过)", "C┋其他〖早市〗"], "题_A": [1, 2, 3, 4, 5]})
TRIAL = Trial("data_processing/multi_choice_split", FRAME, {"variables": ["题"]}, {"题": "文本"})
report, refused = TRIAL.report, TRIAL.refused


def step(made: Elements) -> dict[str, Any]:
    found: dict[str, Any] = next(e for e in made if e["type"] == "data")["step"]
    return found


def test_who_did_not_answer_is_missing_not_zero() -> None:
    made = step(report())
    assert [one["name"] for one in made["added"]] == ["题_A_2", "题_C", "题_B", "题_其他", "题_其他文字"]
    assert [row[1:5] for row in made["preview"]["after"]] == [
        [1, 1, 0, 0], [0, 0, 1, 0], [None] * 4, [None] * 4, [0, 1, 0, 1],
    ]  # fmt: skip
    assert made["preview"]["after"][4][5] == "早市"


def test_a_name_that_is_taken_does_not_confuse_the_set(monkeypatch: pytest.MonkeyPatch) -> None:
    sets: list[list[str]] = []
    real = DataSteps.answers

    def listen(self: DataSteps, name: str, columns: list[str], counted: Any = 1) -> None:
        sets.append(list(columns))
        real(self, name, columns, counted)

    monkeypatch.setattr(DataSteps, "answers", listen)
    table = read_table(FRAME, {"题": "文本"})
    report_on(TRIAL.path, table, {"variables": [ids_by_name(table)["题"]]})
    assert sets == [["题_A_2", "题_C", "题_B", "题_其他"]]


@pytest.mark.parametrize("sign", ["┋", ";", "；", ",", "，", "|", "、"])
def test_signs_are_found(sign: str) -> None:
    made = report(pd.DataFrame({"题": [f"2{sign}10", f"1 {sign} 2", "10"]}))
    assert [row[1:3] for row in cells(made, "frequencies")] == [["1", 1], ["2", 2], ["10", 2]]
    assert records(made, "result")[0]["sign"] == sign


def test_unlisted_answers_are_told() -> None:
    made = report(options="A；B")
    assert warnings(made) == ["multi.unlisted"] and len(cells(made, "frequencies")) == 3


def test_words_of_other_stay_where_that_is_not_wanted() -> None:
    assert "其他〖早市〗" in [row[1] for row in cells(report(other=False), "frequencies")]


def test_a_single_answer_is_refused() -> None:
    """没有找到分隔符 → “{v}”中没有分隔符“{d}”，疑似单选题"""
    assert "“题”中没有分隔符“/”，疑似单选题" in refused(delimiter="/").text


def test_too_many_options_are_refused() -> None:
    """选项过多 → 拆出 {k} 个选项，超过 {m}，请检查分隔符"""
    frame = pd.DataFrame({"题": [f"甲{i}┋乙{i}" for i in range(150)]})
    assert "拆出 300 个选项，超过 200" in refused(frame).text


def test_an_empty_list_is_refused() -> None:
    assert refused(options="；").code == "multi.options" and refused(options="1=甲；2=甲").code == "multi.options"
