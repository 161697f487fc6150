"""A small method for tests of the platform: no statistics of its own, every kind of field."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hengxi import registry
from hengxi.contract import (
    Case,
    Chart,
    Column,
    Form,
    Level,
    Method,
    NewColumns,
    Refusal,
    Report,
    Row,
    Table,
    Terms,
    at_least,
    cases,
    choice,
    flag,
    integer,
    interval,
    less,
    level,
    levels,
    many,
    num,
    number,
    numbers,
    option,
    pvalue,
    role,
    settings,
    terms,
    text,
    weight,
    words,
)

PATH = "descriptive/toy"


class Toy(Method):
    title, title_en = "玩具", "Toy"
    family, purpose = "描述性分析", "测试"
    conventions = ("分母为 n − 1。",)
    weights = ("frequency",)
    limits = (at_least(1, "group", "y"), less("low", "high"))
    min_rows = 2

    class Input(Form):
        y: list[Column] = role("因变量Y", "定量", min=1, max=3)
        group: Column | None = role("分组", "定类", levels=(2, 4), shared_with="y")
        weight: Column | None = weight("频数权重", kind="frequency", whole=True)
        event: Level | None = level("事件取值", of="group", auto="last", when={"group": levels(2, None)})
        pair: list[Level] = level("两组", of="group", many=(2, 2), when={"group": levels(3, None)})
        reference: list[Row] = settings("参照", of="y", times=number("倍数", 1.0, above=0))
        model: Terms = terms("模型项", of="y", order=2)
        new: list[Case] = cases("试算", of="y", max=2)
        side: str = choice(
            "方向", {"both": "双侧", "one": option("单侧", unless={"robust": True}, why="稳健时只有双侧")}
        )
        show: list[str] = many("显示", {"a": "甲", "b": "乙", "c": "丙"}, default=("b", "a"), max=2)
        robust: bool = flag("稳健")
        low: float = number("下限", 0.1, least=0, below=1)
        high: float = number("上限", 0.9, above=0, most=1)
        times: int | None = integer("次数", None, least=1, most=5, auto="不做")
        points: list[float] = numbers("分位点", (0.25, 0.5), above=0, below=1, increasing=True)
        name: str | None = words("新变量名", kind="name")

    result = Table(
        "结果",
        variable=text("变量"),
        n=integer("*n*"),
        mean=num("*M*", stars="p"),
        ci=interval("95% CI", "low", "high", around="mean"),
        p=pvalue(),
    )
    plot = Chart("图", "interval", of=result, x="variable", y="mean", low="low", high="high")
    extra = Table("附表", n=integer("n"), when={"robust": True})
    saved = NewColumns("新列", when={"name": "得分"})

    @classmethod
    def run(cls, form: Any) -> Report:
        report = Report()
        for y in form.y:
            values = y.numbers[~np.isnan(y.numbers)]
            if len(values) and values.max() == values.min():
                raise Refusal("data.constant", f"变量“{y.name}”没有变异", field="y", column=y.id)
            mean = float(values.mean())
            report.row(cls.result, variable=y, n=len(values), mean=mean, low=mean - 1, high=mean + 1, p=0.5)
        report.lead("“{y}”的均值为 {m:num}。", y=form.y[0].name, m=mean)
        if form.robust:
            report.row(cls.extra, n=1)
        if form.name == "得分":
            report.columns(cls.saved, {"得分": form.y[0].numbers * 2})
        return report


class EachToy(Method):
    """One variable at a time."""

    title, title_en = "逐个", "Each"
    family, purpose = "描述性分析", "测试"
    missing = "each"
    random = True

    class Input(Form):
        y: Column = role("变量", "定量", each=True)

    result = Table("结果", n=integer("n"), mean=num("均值"), draw=num("随机"))

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{form.about}的均值"

    @classmethod
    def run(cls, form: Any) -> Report:
        report = Report()
        values = form.y.numbers
        if len(values) < 3:
            raise Refusal("data.few", f"变量“{form.y.name}”太少")
        report.row(cls.result, n=len(values), mean=values.mean(), draw=form.rng.normal())
        report.lead("均值 {m:num}。", m=values.mean())
        report.note(cls.result, "同一条注。")
        return report


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both toys stand where a method would."""
    known = {PATH: Toy, "descriptive/each": EachToy}
    load, folder = registry.load, registry.folder
    monkeypatch.setattr(registry, "load", lambda path: known.get(path) or load(path))
    monkeypatch.setattr(registry, "folder", lambda path: registry.ROOT / path if path in known else folder(path))
