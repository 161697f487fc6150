from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from hengxi.testing import Trial, element

FRAME = pd.DataFrame({"名": ["甲", "乙", "丙"], "a": [3.0, 7, 1], "b": [2.0, 5, 9]})
GRADES = [{"id": "r1", "name": "Ⅰ"}, {"id": "r2", "name": "Ⅱ"}]


def rows(**more: Any) -> list[dict[str, Any]]:
    plain = {"lows": [2, 4], "highs": [4, 8], "low": 0, "high": 10}
    return [{"for": "a", **plain, **more}, {"for": "b", **plain}]


FORM: dict[str, Any] = {"indicators": ["a", "b"], "label": "名", "grades": GRADES, "classical": rows()}
TRIAL = Trial("evaluation/matter_element", FRAME, FORM, {"a": "定量", "b": "定量"})


def test_a_value_by_hand() -> None:
    found = element(TRIAL.report(), "single")["rows"][0]
    assert found[-2:] == pytest.approx([0.5, 1 / (-3 - 1)])


def test_a_classical_domain_beyond_the_joint_one_is_refused() -> None:
    assert "等级“Ⅱ”经典域超出节域范围" in TRIAL.refused(classical=rows(high=7)).text
    assert "要小于上限" in TRIAL.refused(classical=rows(lows=[5, 4])).text
    assert "各填 2 个下限" in TRIAL.refused(classical=rows(lows=[2])).text


def test_values_beyond_the_joint_domain_are_refused_or_kept_by_choice() -> None:
    frame = FRAME.assign(a=[3.0, 7, 12])
    refusal = TRIAL.refused(frame)
    assert "指标“a”超出节域" in refusal.text and "关联度不可算" in refusal.text
    assert element(TRIAL.report(frame, outside="keep"), "single")["rows"][4][-1] < -1


def test_weights_that_are_all_zero_are_refused() -> None:
    zero = [{**row, "w": 0} for row in rows()]
    assert "权重不能全为 0" in TRIAL.refused(classical=zero).text
