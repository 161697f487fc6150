"""What is recognised, what a hash needs, who still stands alone."""

from __future__ import annotations

import hashlib
import hmac
from typing import Any

import pandas as pd
import pytest

from hengxi.methods.data_processing._shared.personal import hashed, id_is_valid, kinds_of, masked
from hengxi.testing import Trial, records, warnings

FRAME = pd.DataFrame({
    "姓名": ["王小明", "李四", None, "Smith"], "电话": ["13812345678", "186 1234 5678", "139-1234-5678", None],
    "岁": [23.0, 28.0, 31.0, 65.0], "词": ["甲", "乙", "甲", "丙"],
})  # fmt: skip
KINDS = {"姓名": "文本", "电话": "文本", "词": "定类", "岁": "定量"}
TRIAL = Trial("data_processing/data_masking", FRAME, {"variables": ["姓名"]}, KINDS)
report, refused = TRIAL.report, TRIAL.refused


def made(**form: Any) -> list[Any]:
    step = next(e for e in report(**form) if e["type"] == "data")["step"]
    return [row[-1] for row in step["preview"]["after"]]


def test_names_and_numbers_are_masked_and_gaps_stay() -> None:
    assert made() == ["王**", "李*", None, "S***h"]
    assert made(variables=["电话"]) == ["138****5678", "186****5678", "139****5678", None]


def test_phones_that_were_read_as_numbers_are_phones() -> None:
    frame = pd.DataFrame({"电话": [13812345678.0, None]})
    step = next(e for e in report(frame, variables=["电话"]) if e["type"] == "data")["step"]
    assert step["preview"]["after"] == [["138****5678"], [None]]


@pytest.mark.parametrize(
    ("cell", "kind"),
    [
        ("11010519491231002X", "id_card"), ("4111111111111111", "bank"), ("4111111111111112", None),
        ("a.b@example.com", "email"), ("欧阳修", "name"), ("北京市朝阳区建国路1号", "address"), ("12345678901", None),
        ("王" * 500, None),
    ],
)  # fmt: skip
def test_kinds_of_cells(cell: str, kind: str | None) -> None:
    assert kinds_of([cell], ("id_card", "phone", "email", "bank", "name", "address")) == [kind]


def test_check_digit_and_masks() -> None:
    assert id_is_valid("11010519491231002X") and not id_is_valid("110105194912310021")
    assert masked("a.b@example.com", "email") == "a***@example.com"
    assert masked("4111111111111111", "bank") == "************1111"
    assert masked("北京市朝阳区建国路1号", "address") == "北京市****"


def test_a_hash_is_keyed() -> None:
    expected = hmac.new(b"12345678", b"x", hashlib.sha256).hexdigest()[:16]
    assert hashed(" x", b"12345678") == expected != hashed("x", b"87654321")
    assert refused(method="hash", salt="1234567").code == "salt.short"
    assert "秘密的密码1234" not in str(records(report(method="hash", salt="秘密的密码1234"), "record"))


def test_ages_in_spans_and_who_stands_alone() -> None:
    found = report(variables=["岁"], method="generalize", quasi=["岁"], k_anonymity=2, sensitive="词")
    row = records(found, "anonymity")[0]
    assert (row["groups"], row["least"], row["few"], row["diversity"]) == (3, 1, 2, 1)
    assert "masking.k" in warnings(found) and made(variables=["岁"], method="generalize")[0] == "20–30"


def test_noise_is_the_same_for_one_seed() -> None:
    assert made(variables=["岁"], method="noise") == made(variables=["岁"], method="noise") != FRAME["岁"].tolist()


@pytest.mark.parametrize(
    ("form", "code"),
    [
        ({"variables": ["词"]}, "masking.nothing"),
        ({"method": "noise"}, "masking.measure"),
        ({"k_anonymity": 3}, "role.required"),
        ({"method": "remove", "quasi": ["姓名"], "k_anonymity": 2}, "role.removed"),
    ],
)
def test_what_is_refused(form: dict[str, Any], code: str) -> None:
    """没有识别到敏感信息 → 所选变量未识别到敏感信息；k匿名不满足 → 见上"""
    assert refused(**form).code == code


def test_the_same_person_gets_the_same_pseudonym() -> None:
    numbers = made(variables=["词"], method="pseudonym")
    assert numbers[0] == numbers[2] and len(set(numbers)) == 3
