from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier

from hengxi.contract import (
    Chart,
    Points,
    Report,
    choice,
    num,
    text,
)
from hengxi.methods.supervised_learning._shared import forest as fields
from hengxi.methods.supervised_learning._shared import reporting
from hengxi.methods.supervised_learning._shared.forest import ForestLearner
from hengxi.methods.supervised_learning.classifier._shared import forest as told
from hengxi.methods.supervised_learning.classifier._shared.classifier import CONVENTIONS, Classifier, ClassifierForm
from hengxi.methods.supervised_learning.classifier._shared.found import Found
from hengxi.stats.learning import forests, proximity


class RandomForest(told.OutOfBag, ForestLearner, Classifier):
    """scikit-learn's forest, grown in steps; kept as arrays of its nodes."""

    title, title_en = "随机森林分类", "Random forest classification"
    slug = "random-forest-classifier"
    family, tier = "机器学习分类", "standard"
    library = RandomForestClassifier
    purpose = "综合多棵随机化决策树的判断，得到稳健的分类结果和变量重要性"
    aliases = (
        "RF",
        "随机森林",
        "树模型",
        "决策树",
        "变量重要性",
        "特征重要性",
        "SHAP",
        "预测是否",
        "会不会",
        "机器学习",
    )
    references = (
        "breiman2001", "breiman1984", "strobl2007", "delong1988", "wilson1927", "cohen1960", "gorodkin2004",
        "brier1950", "lundberg2020", "bergstra2011", "torgerson1952",
    )  # fmt: skip
    conventions = (
        *CONVENTIONS,
        *fields.CONVENTIONS,
        "类别概率是各树叶子里类别占比的平均。模型重要性是各树不纯度下降的平均，合计 100%，偏向取值多的变量。",
        "SHAP：TreeSHAP，沿树路径取条件期望，概率尺度；独热编码的各列相加为一个变量。",
        "邻近度：两行落在同一片叶子的树的比例，只计两行都没参与训练的树（有两行没有这样的树时计所有的树）；图为经典多维标度（Torgerson）。",
    )

    class Input(ClassifierForm):
        n_estimators: int = fields.tree_count()
        criterion: str = choice(
            "节点分裂评价准则", {"gini": "Gini 不纯度", "entropy": "信息熵", "log_loss": "对数损失"}
        )
        max_features: str = fields.feature_share("sqrt")
        max_features_value: float = fields.feature_part()
        max_depth: int | None = fields.depth()
        min_samples_split: int = fields.split_rows()
        min_samples_leaf: int = fields.leaf_rows()
        max_leaf_nodes: int | None = fields.leaf_count()
        ccp_alpha: float = fields.pruning()
        bootstrap: bool = fields.drawn(True)
        oob_score: bool = fields.out_of_bag(True)

    near = Points("样本邻近度 MDS 图", series=text("真实类别"), x=num("第一维"), y=num("第二维"))
    near_plot = Chart("样本邻近度 MDS 图", "point", of=near, x="x", y="y", series="series", place="detail")

    @classmethod
    def own(cls, report: Report, form: Any, found: Found) -> None:
        cls.note_drawn(report, form, found)
        cls._map(report, form, found)
        if not form.oob_score:
            return
        told.out_of_bag(report, cls, found)

    @classmethod
    def _map(cls, report: Report, form: Any, found: Found) -> None:
        """Rows that share leaves lie close; trees judge rows they did not see, for they know the others by heart."""
        task, most = found.task, proximity.MOST_ROWS
        if found.stopped or task.y.size > most:
            report.skip(cls.near, reporting.STOPPED if found.stopped else f"样本量超过 {most} 行，不画邻近度图")
            return
        leaves = forests.leaves(found.fit.learner.forest, found.fit.coding.apply(task.x))
        seen = None
        if form.bootstrap:
            seen = np.zeros(leaves.shape, dtype=bool)
            seen[task.train] = forests.in_bag(found.fit.learner.library, task.train.size)
        drawn = proximity.draw(leaves, seen)
        series = np.array(task.classes, dtype=object)[task.y]
        report.add_rows(cls.near, {"series": series, "x": drawn.x, "y": drawn.y})
        trees = "只计两行都没参与训练的树" if drawn.unseen else "计所有的树"
        text = "两行的距离是 1 −（落在同一片叶子的树的比例），{trees}；用经典多维标度画成两维"
        text += "。" if drawn.share is None else "，占正特征值之和的 {share:percent}。"
        report.note(cls.near_plot, text, trees=trees, **({} if drawn.share is None else {"share": drawn.share}))
        text = "同类聚成一团、与他类分开，说明模型分得清；混在他类里的点值得回头核对。"
        if not drawn.unseen:
            text = (
                "训练行也在内，模型认得它们，同类会聚得过紧：分得开不等于对新数据也分得清；混在他类里的点值得回头核对。"
            )
        report.note(cls.near_plot, text)
