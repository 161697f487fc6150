"""A set of multiple answers in a box: which boxes take one, and what is offered where none is taken."""

from __future__ import annotations

import pandas as pd

from hengxi import registry
from hengxi.contract.fields import RoleField
from hengxi.contract.refusal import SetRemedy
from hengxi.stats.answer_sets import option_names
from hengxi.testing import Trial

ASKED = pd.DataFrame({"渠道(微信)": [1, 0, 1, 0, 1], "渠道(微博)": [0, 1, 1, 0, 1], "分数": [1.5, 2.5, 3.0, 4.5, 6.0]})
CHANNEL = {"set": "s1", "name": "渠道", "columns": ["渠道(微信)", "渠道(微博)"], "counted": 1}


def test_only_counts_take_a_set() -> None:
    taking = {
        (path, key)
        for path in registry.paths()
        for key, field in registry.load(path).Input.fields.items()
        if isinstance(field, RoleField) and field.sets
    }
    assert taking >= {
        ("descriptive/frequency", "variables"),
        ("descriptive/crosstabs", "rows"),
        ("descriptive/crosstabs", "columns"),
        ("questionnaire/multiple_choice", "items"),
        ("questionnaire/multiple_choice_crosstab", "items"),
        ("questionnaire/multiple_choice_crosstab", "group"),
    }
    # A set is a question of a survey: nothing that computes with numbers takes one. Association rules count answers.
    assert {path.split("/")[0] for path, _ in taking} == {"descriptive", "questionnaire", "unsupervised_learning"}
    assert {path for path, _ in taking if path.startswith("unsupervised_learning")} == {
        "unsupervised_learning/apriori",
        "unsupervised_learning/fp_growth",
    }


def test_a_box_for_numbers_offers_the_options_one_by_one() -> None:
    trial = Trial("descriptive/correlation", ASKED)
    refusal = trial.refused(variables=["分数", CHANNEL])
    fault = next(one for one in refusal.faults if one.code == "role.set")
    assert "一道题的 2 个选项，各占一列" in fault.text and fault.column == "s1"
    first = fault.remedies[0]
    assert isinstance(first, SetRemedy) and first.title == "逐项加入这组变量"
    assert first.set == {"variables": ["c3", "c1", "c2"]}


def test_options_lose_the_question_they_all_begin_with() -> None:
    assert option_names(["Q5 渠道(微信)", "Q5 渠道(QQ(旧))"]) == ["微信", "QQ(旧)"]
    assert option_names(["用过哪些 - 微信", "用过哪些 - 微博"]) == ["微信", "微博"]
    assert option_names(["微信", "微博"]) == ["微信", "微博"]
    assert option_names(["Q1_1", "Q1_2"]) == ["1", "2"]
