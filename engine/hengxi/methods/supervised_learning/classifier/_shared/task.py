"""The rows and variables of one classification, judged: what cannot be learned from is refused or left out by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hengxi.contract import Column, ModelFeature, ModelLevel, Refusal, Report, SetRemedy, StepRemedy, few_of
from hengxi.stats.event import is_absence
from hengxi.stats.learning.features import feature_of, is_category, raw_values
from hengxi.stats.learning.splits import train_and_test, train_and_test_groups
from hengxi.stats.moments import Floats
from hengxi.stats.names import level_words, titles

MOST_LEVELS = 200
Codes = NDArray[np.int64]


@dataclass
class Task:
    """`x` is the raw matrix of all rows used (see stats.learning.features), `y` places of classes."""

    columns: list[Column]
    names: list[str]
    x: Floats
    y: Codes
    classes: list[str]
    counts: Codes
    event: int | None
    weight: Floats | None
    groups: Codes | None
    train: Codes
    test: Codes
    features: list[ModelFeature]
    levels: list[ModelLevel]
    case: int | None = None
    """The row whose prediction is explained alone, where one was asked for."""

    @property
    def sizes(self) -> list[int]:
        return [len(feature.levels or []) for feature in self.features]

    @property
    def k(self) -> int:
        return len(self.classes)


def build_task(form: Any, report: Report) -> Task:
    """Judge, split, and remember what the model must know of its variables."""
    y = form.y.codes.astype(np.int64)
    classes = level_words(form.y.levels)
    counts = np.bincount(y, minlength=len(classes))
    _judge_classes(form, classes, counts)
    columns = _usable(form, report, y)
    strata = y if form.stratify and form.shuffle else None
    groups = None if form.cv_group is None else form.cv_group.codes.astype(np.int64)
    train, test = _split(form, groups, y.size, strata)
    x = np.column_stack([raw_values(column) for column in columns])
    columns, x = _varying_in(train, columns, x, report)
    features = [feature_of(f"x{j + 1}", column, x[train, j]) for j, column in enumerate(columns)]
    seen = np.unique(y[train])
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
    _judge_groups(form, groups, train)
    _say_absent(report, form, y, train, classes)
    event = _event(form, classes)
    _say_event(report, form, classes, event)
    return Task(
        columns=columns, names=list(titles(columns).values()), x=x, y=y, classes=classes, counts=counts,
        event=event, weight=None if form.weight is None else form.weight.numbers, groups=groups,
        train=train, test=test, features=features, levels=levels, case=_case(form, columns),
    )  # fmt: skip


def _split(form: Any, groups: Codes | None, n: int, strata: Codes | None) -> tuple[Codes, Codes]:
    """Rows of one group are never on both sides."""
    if groups is None:
        return train_and_test(n, form.train_ratio, form.shuffle, strata, form.seed)
    if np.unique(groups).size < 2:
        text = "分组变量“{x}”只有一组，不能既训练又测试；请换一个变量，或不分组"
        remedy = SetRemedy(title="不分组", set={"cv_group": None})
        raise Refusal("data.groups", text, field="cv_group", remedies=[remedy], x=form.cv_group.title)
    return train_and_test_groups(groups, form.train_ratio, form.shuffle, strata, form.seed)


def _say_absent(report: Report, form: Any, y: Codes, train: Codes, classes: list[str]) -> None:
    """Whole groups, or rows in their order, may leave a class to the test alone."""
    absent = np.setdiff1d(y, y[train])
    if absent.size:
        text = "训练集里没有类别“{c}”的行，模型不会判出它；请换随机种子，或勾选洗牌与分层切分。"
        report.warn("data.absent_class", text, columns=[form.y], c="”、“".join(classes[int(c)] for c in absent))


def _case(form: Any, columns: list[Column]) -> int | None:
    if form.shap_case is None:
        return None
    place = np.flatnonzero(np.asarray(columns[0].row_numbers) == form.shap_case)
    if not place.size:
        text = "第 {number} 行没有参与分析（不存在、被筛选或含缺失），不能解释；请换一行"
        remedy = SetRemedy(title="用测试集的第一行", set={"shap_case": None})
        raise Refusal("data.row", text, field="shap_case", remedies=[remedy], number=form.shap_case)
    return int(place[0])


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


def _judge_groups(form: Any, groups: Codes | None, train: Codes) -> None:
    if groups is None or form.cv_folds == 0:
        return
    n = int(np.unique(groups[train]).size)
    if n < form.cv_folds:
        text = "分组变量“{x}”在训练集里只有 {n} 组，少于交叉验证折数 {k}，请减少折数"
        raise Refusal(
            "data.groups", text, field="cv_group", also=["cv_folds"], x=form.cv_group.title, n=n, k=form.cv_folds
        )


def _usable(form: Any, report: Report, y: Codes) -> list[Column]:
    """Refuses texts, copies of the outcome and too many categories; leaves out what does not vary."""
    kept: list[Column] = []
    names = titles(form.x)
    for column in form.x:
        name = names[column.id]
        if column.measure == "文本":
            text = "变量“{x}”是文本，不能直接作自变量；请改为定类，或移去"
            step = StepRemedy(title="改为定类", step="measure", columns=[column.id])
            raise Refusal("data.text", text, field="x", column=column.id, remedies=[step], x=name)
        if not column.varies:
            text = "变量“{x}”没有变化，已自动排除"
            report.warn("data.constant", text, columns=[column], x=name)
            continue
        if _same_as(column, y):
            text = "变量“{x}”与因变量完全一致，疑似泄漏，请移除"
            raise Refusal("data.leak", text, field="x", also=["y"], column=column.id, x=name)
        n = len(column.levels) if is_category(column) else 0
        if n > MOST_LEVELS and form.encode == "onehot":
            text = "变量“{x}”有 {n} 个水平，请改用目标编码或合并水平"
            remedy = SetRemedy(title="改用目标编码", set={"encode": "target"})
            facts: dict[str, Any] = {"x": name, "n": n}
            raise Refusal("data.levels", text, field="encode", also=["x"], column=column.id, remedies=[remedy], **facts)
        kept.append(column)
    if not kept:
        raise _nothing_varies(form.x)
    return kept


def _nothing_varies(columns: list[Column]) -> Refusal:
    text = "所选自变量{names}都没有变化，无法训练，请换自变量"
    return Refusal("data.constant", text, field="x", names=few_of([f"“{column.title}”" for column in columns]))


def _same_as(column: Column, y: Codes) -> bool:
    """Does each value go with one class and each class with one value?"""
    values = raw_values(column)
    known = ~np.isnan(values)
    places, codes = np.unique(values[known], return_inverse=True)
    k = int(y.max()) + 1
    if places.size != k:
        return False
    return int(np.unique(codes * k + y[known]).size) == k


def _varying_in(train: Codes, columns: list[Column], x: Floats, report: Report) -> tuple[list[Column], Floats]:
    """A variable that is missing in every training row cannot be learned from."""
    known = np.atleast_1d(~np.isnan(x[train]).all(axis=0))
    for column, good in zip(columns, known, strict=True):
        if not good:
            text = "变量“{x}”没有变化，已自动排除（训练集的行里全部缺失）"
            report.warn("data.constant", text, columns=[column], x=column.title)
    if not known.any():
        raise _nothing_varies(columns)
    return [column for column, good in zip(columns, known, strict=True) if good], x[:, known]
