"""What is particular to coding by labels: rules, single labels, new variables, refusals."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from hengxi.testing import Trial, element, records

FRAME = pd.read_csv(Path(__file__).parent / "example.csv")
KINDS = {"comment": "文本", "type": "定类", "score": "定量", "话": "文本"}


def lines(*extra: str) -> dict[str, Any]:
    return {"builtin": None, "id": None, "version": None, "extra": list(extra)}


TRIAL = Trial(
    "text_analysis/custom_label", FRAME, {"text": "comment", "labels": lines("服务=前台，服务员", "早餐=早餐")}, KINDS
)  # fmt: skip
SPOKEN = pd.DataFrame({"话": ["前台很热情，早餐也好", "早餐早餐", "别的"]})


@pytest.mark.parametrize(
    ("extra", "text"),
    [
        ((), "请填写“标签组”"),
        (("# 注释",), "标签组没有标签"),
        (("服务=",), "至少需要一个关键词"),
        (("服务=前台", "服务=态度"), "标签“服务”已存在"),
        (("服务=/(/",), "正则表达式有误"),
        (("服务=" + "，".join(f"词{i}" for i in range(60)), *(f"签{k}=词" for k in range(201))), "请拆分标签组"),
    ],
)
def test_what_is_wrong_with_a_list_of_labels_is_said(extra: tuple[str, ...], text: str) -> None:
    assert text in TRIAL.refused(labels=lines(*extra)).text


def test_no_hit_at_all_is_refused() -> None:
    assert "没有一行命中任何标签" in TRIAL.refused(labels=lines("外星=火星")).text


def test_rows_show_their_hits_and_labels() -> None:
    rows = records(TRIAL.report(SPOKEN, text="话"), "coded")
    assert [row["labels"] for row in rows] == ["服务、早餐", "早餐"]
    assert [piece for piece in rows[0]["text"] if piece[1] == "hit"] == [["前台", "hit"], ["早餐", "hit"]]


def test_new_variables_are_zeros_and_ones_or_one_column_of_names() -> None:
    many = element(TRIAL.report(SPOKEN, text="话"), "saved")
    assert [column["name"] for column in many["columns"]] == ["标签：服务", "标签：早餐"]
    single = element(TRIAL.report(SPOKEN, text="话", multi=False), "saved")
    assert [column["name"] for column in single["columns"]] == ["标签"]


def test_one_label_goes_by_order_or_by_hits() -> None:
    labels = lines("服务=前台", "吃喝=早餐，也好")
    first = records(TRIAL.report(SPOKEN, text="话", labels=labels, match="substring", multi=False), "coded")
    hits = records(
        TRIAL.report(SPOKEN, text="话", labels=labels, match="substring", multi=False, conflict="hits"), "coded"
    )
    assert first[0]["labels"] == "服务" and hits[0]["labels"] == "吃喝"


def test_a_word_of_a_label_is_not_found_inside_another_word() -> None:
    frame = pd.DataFrame({"话": ["服务员不在", "服务好"]})
    rows = records(TRIAL.report(frame, text="话", labels=lines("服务=服务")), "result")
    inside = records(TRIAL.report(frame, text="话", labels=lines("服务=服务"), match="substring"), "result")
    assert (rows[0]["n"], inside[0]["n"]) == (1, 2)
