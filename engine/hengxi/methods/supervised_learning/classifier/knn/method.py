from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Report
from hengxi.methods.supervised_learning._shared import neighbours
from hengxi.methods.supervised_learning._shared.elements import WithoutImportance
from hengxi.methods.supervised_learning._shared.neighbours import NeighbourLearner
from hengxi.methods.supervised_learning.classifier._shared.classifier import CONVENTIONS, Classifier, ClassifierForm
from hengxi.methods.supervised_learning.classifier._shared.task import Task
from hengxi.stats.moments import Floats


class Knn(NeighbourLearner, WithoutImportance, Classifier):
    """Shares of the classes among the nearest training rows."""

    title, title_en = "K近邻分类", "K-nearest neighbours classification"
    slug = "knn-classifier"
    family, tier = "机器学习分类", "standard"
    purpose = "按最相近的K个样本的多数类别判断新样本"
    aliases = ("KNN", "近邻", "最近邻", "K近邻", "机器学习", "判断类别")
    references = (
        "cover1967", "gower1971", "lundberg2017", "delong1988", "wilson1927", "cohen1960", "gorodkin2004", "brier1950",
        "bergstra2011",
    )  # fmt: skip
    conventions = (
        *CONVENTIONS,
        *neighbours.CONVENTIONS,
        "类别概率是 K 个近邻里该类的（加权）占比；两类以上并列时判为排在前面的类。",
        "类别权重按训练行的频数反比乘在近邻的票上。",
    )
    curve_title = "准确率"

    class Input(ClassifierForm):
        n_neighbors: int = neighbours.neighbours()
        weights: str = neighbours.neighbour_weights()
        metric: str = neighbours.distances()
        standardize: bool = neighbours.standardized()

    @classmethod
    def outcomes(cls, y: Any, k: int) -> Floats:
        return np.asarray(np.eye(k)[y])

    @classmethod
    def quality(cls, task: Task, answers: Floats, rows: Any) -> float:
        return task.score(answers, rows)

    @classmethod
    def build(cls, form: Any, report: Report) -> Task:
        task = super().build(form, report)
        cls.judge_k(form, task.train.size)
        return task

    @classmethod
    def own(cls, report: Report, form: Any, found: Any) -> None:
        cls.compare_k(report, form, found)
        neighbours.check_scales(report, form, found)
        if found.task.k == 2 and form.n_neighbors % 2 == 0 and form.weights == "uniform":
            text = "K = {k:integer} 是偶数，两类可能票数相等，这时概率为 50%，按判定阈值归类；用奇数的 K 可以避免。"
            report.check("平票", "care", text, k=form.n_neighbors)
