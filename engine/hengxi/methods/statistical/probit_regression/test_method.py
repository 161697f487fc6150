"""Refusals of probit regression, and what its links, places and standard errors must agree on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hengxi.testing import Trial, check, records, said

WORK = pd.read_csv(Path(__file__).parent / "example.csv")
FORM = {"y": "就业", "x": ["年龄", "教育年限", "家庭收入", "幼儿数"], "event": "是"}
TRIAL = Trial("statistical/probit_regression", WORK, FORM)
report, refused = TRIAL.report, TRIAL.refused


def test_three_classes_are_refused() -> None:
    three = WORK.assign(就业=np.where(WORK["年龄"] > 50, "退休", WORK["就业"]))
    refusal = refused(three)
    assert refusal.code == "role.levels" and "Probit 的因变量须恰有 2 类，“就业”当前 3 类" in refusal.text


@pytest.mark.parametrize("link", ["probit", "logit", "cloglog"])
def test_a_variable_that_tells_the_outcome_is_refused_by_name(link: str) -> None:
    told = WORK.assign(工资=np.where(WORK["就业"] == "是", 3.0, 0.0) + np.arange(500) % 7 / 10)
    refusal = refused(told, x=["年龄", "工资"], link=link)
    assert refusal.code == "data.separation" and "变量“工资”完全预测结局" in refusal.text


def test_one_cluster_is_refused() -> None:
    refusal = refused(WORK.assign(地区="东"), {"地区": "定类"}, se_type="cluster", cluster="地区")
    assert refusal.code == "data.clusters" and "聚类变量“地区”只有一个取值" in refusal.text


@pytest.mark.parametrize("link", ["probit", "logit"])
def test_the_other_event_turns_every_sign(link: str) -> None:
    once, turned = report(link=link), report(link=link, event="否")
    for name, key in (("coefficients", "b"), ("effects", "value")):
        a, b = ([row[key] for row in records(elements, name)] for elements in (once, turned))
        assert a == pytest.approx([-value for value in b], rel=1e-8)


def test_effects_at_the_means_of_a_straight_variable_are_close_to_the_average() -> None:
    average, means = report(), report(margeff="means")
    a, b = ([row["value"] for row in records(elements, "effects")] for elements in (average, means))
    assert a == pytest.approx(b, rel=0.25) and a != b
    assert "“{e}”的概率平均低" in average[0]["text"] and "“{e}”的概率低" in means[0]["text"]


def test_products_are_read_together_and_have_effects_at_every_place() -> None:
    for place in ("average", "means", "medians"):
        elements = report(x=["年龄", "幼儿数"], terms={"preset": "two_way"}, margeff=place)
        assert [row["name"] for row in records(elements, "effects")] == ["年龄", "幼儿数"]
        assert "模型含交互项或乘方" in elements[0]["text"]


def test_what_has_nothing_to_do_with_it_is_not_called_related() -> None:
    noise = WORK.assign(星座=np.random.default_rng(5).normal(size=500))
    elements = report(noise, x=["星座"])
    assert "没有发现“{x}”与“{y}”为“{e}”有明显的关系" in elements[0]["text"]
    assert "显著" not in elements[0]["text"]
    assert check(elements, "事件数")["state"] == "pass" and "“不显著”不等于没有关系" in said(elements)
