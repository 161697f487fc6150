"""The rows and variables of one classification, judged: what cannot be learned from is refused or left out by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.contract import Column, ModelLevel, Refusal, Report, SetRemedy
from hengxi.methods.supervised_learning._shared import task as base
from hengxi.methods.supervised_learning._shared.task import Codes
from hengxi.stats.event import is_absence
from hengxi.stats.learning.features import raw_values
from hengxi.stats.learning.scoring import called, score
from hengxi.stats.moments import Floats
from hengxi.stats.names import level_words

METRICS: dict[str, Callable[[Any], float | None]] = {
    "accuracy": lambda one: float(one.accuracy),
    "balanced_accuracy": lambda one: float(one.balanced),
    "f1_macro": lambda one: float(one.f1_macro),
    "auc": lambda one: one.auc,
    "log_loss": lambda one: -float(one.log_loss),
}


@dataclass(kw_only=True)
class Task(base.Task):
    """`y` are places of classes; answers are probabilities."""

    classes: list[str]
    counts: Codes
    event: int | None
    threshold: float
    levels: list[ModelLevel]
    stratified: bool
    balanced: bool
    """Is each class to weigh the same in training?"""

    @property
    def outputs(self) -> list[str]:
        return self.classes

    @property
    def strata(self) -> Codes | None:
        return np.asarray(self.y) if self.stratified else None

    def worth(self, answers: Floats, rows: Codes) -> float:
        """Rows called right: whole numbers, so that losses and gains that cancel give 0 and not 2e-17."""
        return float(np.sum(called(answers, self.event, self.threshold) == self.y[rows]))

    def unit(self, rows: Codes) -> float:
        return float(rows.size)

    def score(self, answers: Floats, rows: Codes) -> float:
        return self.worth(answers, rows) / self.unit(rows)

    def searched(self, metric: str, answers: Floats, rows: Codes) -> float:
        return METRICS[metric](score(self.y[rows], answers, self.event, self.threshold)) or 0.0

    def weights(self, rows: Codes) -> Floats | None:
        weight = super().weights(rows)
        if not self.balanced:
            return weight
        y = self.y[rows]
        counts = np.bincount(y, minlength=self.k)
        own: Floats = y.size / ((counts > 0).sum() * counts[y])
        return own if weight is None else own * weight


def build_task(form: Any, report: Report) -> Task:
    """Judge, split, and remember what the model must know of its variables."""
    y = form.y.codes.astype(np.int64)
    classes = level_words(form.y.levels)
    counts = np.bincount(y, minlength=len(classes))
    _judge_classes(form, classes, counts)
    strata = y if form.stratify and form.shuffle else None
    rows = base.split_variables(form, report, y.size, strata, lambda column: _same_as(column, y))
    seen = np.unique(y[rows.train])
    if seen.size < 2:
        text = "训练集里只有一个类别“{c}”，无法训练；请勾选数据洗牌与分层切分"
        remedy = SetRemedy(title="洗牌并分层", set={"shuffle": True, "stratify": True})
        raise Refusal(
            "data.one_class", text, field="shuffle", also=["stratify"], remedies=[remedy], c=classes[int(seen[0])]
        )
    levels = [
        ModelLevel(value=level.value, label=label, share=float(n / y.size))
        for level, label, n in zip(form.y.levels, classes, counts, strict=True)
    ]
    base.judge_groups(form, rows.groups, rows.train)
    _say_absent(report, form, y, rows.train, classes)
    event = _event(form, classes)
    _say_event(report, form, classes, event)
    return Task(
        **rows.common(form), y=y, classes=classes, counts=counts, event=event, threshold=form.threshold,
        levels=levels, stratified=form.stratify, balanced=form.class_weight == "balanced",
    )  # fmt: skip


def _say_absent(report: Report, form: Any, y: Codes, train: Codes, classes: list[str]) -> None:
    """Whole groups, or rows in their order, may leave a class to the test alone."""
    absent = np.setdiff1d(y, y[train])
    if absent.size:
        text = "训练集里没有类别“{c}”的行，模型不会判出它；请换随机种子，或勾选洗牌与分层切分。"
        report.warn("data.absent_class", text, columns=[form.y], c="”、“".join(classes[int(c)] for c in absent))


def _event(form: Any, classes: list[str]) -> int | None:
    if len(classes) != 2:
        return None
    place = next((i for i, level in enumerate(form.y.levels) if form.event and level.value == form.event.value), None)
    return 1 if place is None else place


def _say_event(report: Report, form: Any, classes: list[str], event: int | None) -> None:
    if event is None or not is_absence(classes[event], classes[1 - event]):
        return
    text = (
        "正类是“{y}”的“{e}”（不选时取末水平），精确率、召回率、F1 与判定阈值说的都是它；"
        "若关心的是“{o}”，请把“正类”改为“{o}”。"
    )
    report.warn("data.event", text, columns=[form.y], y=form.y.title, e=classes[event], o=classes[1 - event])


def _judge_classes(form: Any, classes: list[str], counts: Codes) -> None:
    rare = int(counts.argmin())
    n, k = int(counts[rare]), int(form.cv_folds)
    if k == 1:
        raise Refusal("data.folds", "“交叉验证折数”须为 0（不做）或至少 2", field="cv_folds")
    if n < k and form.stratify:
        text = "类别“{c}”只有 {n} 个样本，少于交叉验证折数 {k}，请减少折数或合并类别"
        fewer = SetRemedy(title=f"折数改为 {n}", set={"cv_folds": n}) if n >= 2 else None
        none = SetRemedy(title="不做交叉验证", set={"cv_folds": 0})
        remedies = [one for one in (fewer, none) if one is not None]
        raise Refusal(
            "data.rare_class", text, field="cv_folds", also=["y"], remedies=remedies, c=classes[rare], n=n, k=k
        )
    if n < 2 and form.stratify and form.shuffle:
        text = "类别“{c}”只有 {n} 个样本，不能既训练又测试；请合并类别，或不按因变量分层切分"
        remedy = SetRemedy(title="不分层切分", set={"stratify": False})
        raise Refusal("data.rare_class", text, field="stratify", also=["y"], remedies=[remedy], c=classes[rare], n=n)
    if form.tune != "none" and k < 2:
        text = "超参数搜索按交叉验证的得分挑选，“交叉验证折数”须至少为 2"
        remedy = SetRemedy(title="折数改为 5", set={"cv_folds": 5})
        raise Refusal("data.folds", text, field="cv_folds", also=["tune"], remedies=[remedy])


def _same_as(column: Column, y: Codes) -> bool:
    """Does each value go with one class and each class with one value?"""
    values = raw_values(column)
    known = ~np.isnan(values)
    places, codes = np.unique(values[known], return_inverse=True)
    k = int(y.max()) + 1
    if places.size != k:
        return False
    return int(np.unique(codes * k + y[known]).size) == k
