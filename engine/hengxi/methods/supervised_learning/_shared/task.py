"""The rows and variables a learner is trained on, whatever it predicts: what cannot be learned from is refused or left
out by name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hengxi.contract import Column, ModelFeature, Refusal, Report, SetRemedy, StepRemedy, few_of
from hengxi.stats.learning.features import feature_of, is_category, raw_values
from hengxi.stats.learning.splits import train_and_test, train_and_test_groups
from hengxi.stats.moments import Floats
from hengxi.stats.names import titles

MOST_LEVELS = 200
NAMES, MOST_NAMES = 0.8, 20
"""A category with more levels than this share of the rows (and than this number) names the rows."""
Codes = NDArray[np.int64]


@dataclass(kw_only=True)
class Task(ABC):
    """`x` is the raw matrix of all rows used (see stats.learning.features). `y`: places of classes, or values.

    Answers of a learner are rows × outputs: probabilities of the classes, or one column of values.
    """

    columns: list[Column]
    names: list[str]
    x: Floats
    y: Any
    weight: Floats | None
    groups: Codes | None
    train: Codes
    test: Codes
    features: list[ModelFeature]
    case: int | None = None
    """The row whose prediction is explained alone, where one was asked for."""

    @property
    def sizes(self) -> list[int]:
        """Levels of each variable, 0 for a number."""
        return [len(feature.levels or []) for feature in self.features]

    @property
    @abstractmethod
    def outputs(self) -> list[str]:
        """Names of the columns of an answer."""

    @property
    def k(self) -> int:
        return len(self.outputs)

    @property
    def strata(self) -> Codes | None:
        """What splits, folds and samples keep the shares of."""
        return None

    @abstractmethod
    def worth(self, answers: Floats, rows: Codes) -> float:
        """How good the answers to these rows are, larger is better: a sum over rows (rows called right, minus the
        squared errors)."""

    @abstractmethod
    def unit(self, rows: Codes) -> float:
        """What `worth` is divided by to give differences of the score."""

    @abstractmethod
    def score(self, answers: Floats, rows: Codes) -> float:
        """The score the learning curve shows: accuracy, R²."""

    @abstractmethod
    def searched(self, metric: str, answers: Floats, rows: Codes) -> float:
        """The score a search chooses settings by, larger is better."""

    def weights(self, rows: Codes) -> Floats | None:
        """Of training rows."""
        return None if self.weight is None else self.weight[rows]

    def can_learn(self, rows: Codes) -> bool:
        """Do these rows hold two different outcomes?"""
        return bool(np.unique(self.y[rows]).size > 1)


@dataclass
class Rows:
    """What every task holds of its rows and variables."""

    columns: list[Column]
    x: Floats
    groups: Codes | None
    train: Codes
    test: Codes
    features: list[ModelFeature]

    def common(self, form: Any) -> dict[str, Any]:
        """The arguments of a `Task` that do not depend on what is predicted."""
        return {
            "columns": self.columns, "names": list(titles(self.columns).values()), "x": self.x,
            "weight": None if form.weight is None else form.weight.numbers, "groups": self.groups,
            "train": self.train, "test": self.test, "features": self.features,
            "case": row_to_explain(form, self.columns),
        }  # fmt: skip


def split_variables(
    form: Any, report: Report, n: int, strata: Codes | None, is_outcome: Callable[[Column], bool]
) -> Rows:
    """Judges the variables, splits the rows, and remembers what the model must know of its variables.

    `is_outcome` says of a variable whether it is the outcome in other words.
    """
    columns = usable(form, report, is_outcome)
    groups = None if form.cv_group is None else form.cv_group.codes.astype(np.int64)
    train, test = split_rows(form, groups, n, strata)
    columns, x = varying_in(train, columns, np.column_stack([raw_values(column) for column in columns]), report)
    features = [feature_of(f"x{j + 1}", column, x[train, j]) for j, column in enumerate(columns)]
    return Rows(columns, x, groups, train, test, features)


def split_rows(form: Any, groups: Codes | None, n: int, strata: Codes | None) -> tuple[Codes, Codes]:
    """Rows of one group are never on both sides."""
    if groups is None:
        return train_and_test(n, form.train_ratio, form.shuffle, strata, form.seed)
    if np.unique(groups).size < 2:
        text = "分组变量“{x}”只有一组，不能既训练又测试；请换一个变量，或不分组"
        remedy = SetRemedy(title="不分组", set={"cv_group": None})
        raise Refusal("data.groups", text, field="cv_group", remedies=[remedy], x=form.cv_group.title)
    return train_and_test_groups(groups, form.train_ratio, form.shuffle, strata, form.seed)


def row_to_explain(form: Any, columns: list[Column]) -> int | None:
    if form.shap_case is None:
        return None
    place = np.flatnonzero(np.asarray(columns[0].row_numbers) == form.shap_case)
    if not place.size:
        text = "第 {number} 行没有参与分析（不存在、被筛选或含缺失），不能解释；请换一行"
        remedy = SetRemedy(title="用测试集的第一行", set={"shap_case": None})
        raise Refusal("data.row", text, field="shap_case", remedies=[remedy], number=form.shap_case)
    return int(place[0])


def judge_groups(form: Any, groups: Codes | None, train: Codes) -> None:
    if groups is None or form.cv_folds == 0:
        return
    n = int(np.unique(groups[train]).size)
    if n < form.cv_folds:
        text = "分组变量“{x}”在训练集里只有 {n} 组，少于交叉验证折数 {k}，请减少折数"
        raise Refusal(
            "data.groups", text, field="cv_group", also=["cv_folds"], x=form.cv_group.title, n=n, k=form.cv_folds
        )


def usable(form: Any, report: Report, is_outcome: Callable[[Column], bool]) -> list[Column]:
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
        if is_outcome(column):
            text = "变量“{x}”与因变量完全一致，疑似泄漏，请移除"
            raise Refusal("data.leak", text, field="x", also=["y"], column=column.id, x=name)
        n = len(column.levels) if is_category(column) else 0
        if n > MOST_LEVELS and form.encode == "onehot" and not getattr(form, "native_cat", False):
            text = "变量“{x}”有 {n} 个水平，请改用目标编码或合并水平"
            remedy = SetRemedy(title="改用目标编码", set={"encode": "target"})
            facts: dict[str, Any] = {"x": name, "n": n}
            raise Refusal("data.levels", text, field="encode", also=["x"], column=column.id, remedies=[remedy], **facts)
        if _names_rows(column, n):
            text = (
                "变量“{x}”几乎每行都不同，像编号：模型只会记住它，新数据里没有同样的编号；若按编号排过序，还会泄漏结果。"
                "请移除它。"
            )
            report.warn("data.identifier", text, columns=[column], x=name)
        kept.append(column)
    if not kept:
        raise _nothing_varies(form.x)
    return kept


def _names_rows(column: Column, levels: int) -> bool:
    """Is it a name or number of the case rather than a property? As the table's own check says, or by its levels."""
    return "标识" in column.info.flags or levels > max(MOST_NAMES, NAMES * len(column.row_numbers))


def _nothing_varies(columns: list[Column]) -> Refusal:
    text = "所选自变量{names}都没有变化，无法训练，请换自变量"
    return Refusal("data.constant", text, field="x", names=few_of([f"“{column.title}”" for column in columns]))


def varying_in(train: Codes, columns: list[Column], x: Floats, report: Report) -> tuple[list[Column], Floats]:
    """A variable that is missing in every training row cannot be learned from."""
    known = np.atleast_1d(~np.isnan(x[train]).all(axis=0))
    for column, good in zip(columns, known, strict=True):
        if not good:
            text = "变量“{x}”没有变化，已自动排除（训练集的行里全部缺失）"
            report.warn("data.constant", text, columns=[column], x=column.title)
    if not known.any():
        raise _nothing_varies(columns)
    return [column for column, good in zip(columns, known, strict=True) if good], x[:, known]
