from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Report
from hengxi.methods.supervised_learning._shared import neighbours
from hengxi.methods.supervised_learning._shared.elements import WithoutImportance
from hengxi.methods.supervised_learning._shared.neighbours import NeighbourLearner
from hengxi.methods.supervised_learning.regression._shared.regressor import CONVENTIONS, Regressor, RegressorForm
from hengxi.methods.supervised_learning.regression._shared.task import Task
from hengxi.stats.learning.value_scores import score
from hengxi.stats.moments import Floats


class Knn(NeighbourLearner, WithoutImportance, Regressor):
    """Weighted means of the nearest training rows."""

    title, title_en = "K近邻回归", "K-nearest neighbours regression"
    slug = "knn-regression"
    family, tier = "机器学习回归", "standard"
    purpose = "用最相近的K个样本的平均值预测定量结果"
    aliases = ("KNN", "近邻", "最近邻", "K近邻", "机器学习", "预测数值")
    references = ("cover1967", "gower1971", "lundberg2017", "bergstra2011")
    conventions = (*CONVENTIONS, *neighbours.CONVENTIONS)
    curve_title, higher_is_better = "RMSE", False

    class Input(RegressorForm):
        n_neighbors: int = neighbours.neighbours()
        weights: str = neighbours.neighbour_weights()
        metric: str = neighbours.distances()
        standardize: bool = neighbours.standardized()

    @classmethod
    def outcomes(cls, y: Any, k: int) -> Floats:
        return np.asarray(y, dtype=np.float64)[:, None]

    @classmethod
    def quality(cls, task: Task, answers: Floats, rows: Any) -> float:
        return score(task.y[rows], answers[:, 0]).rmse

    @classmethod
    def build(cls, form: Any, report: Report) -> Task:
        task = super().build(form, report)
        cls.judge_k(form, task.train.size)
        return task

    @classmethod
    def own(cls, report: Report, form: Any, found: Any) -> None:
        cls.compare_k(report, form, found)
        neighbours.check_scales(report, form, found)
