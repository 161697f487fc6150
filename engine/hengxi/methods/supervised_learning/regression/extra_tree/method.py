from __future__ import annotations

from typing import Any

from sklearn.ensemble import ExtraTreesRegressor

from hengxi.contract import Report, choice
from hengxi.methods.supervised_learning._shared import forest as fields
from hengxi.methods.supervised_learning._shared.forest import ForestLearner
from hengxi.methods.supervised_learning.regression._shared import forest as told
from hengxi.methods.supervised_learning.regression._shared.regressor import CONVENTIONS, Regressor, RegressorForm


class ExtraTree(told.OutOfBag, ForestLearner, Regressor):
    """scikit-learn's extremely randomised trees, grown in steps; kept as arrays of their nodes."""

    title, title_en = "极端随机树回归", "Extremely randomised trees regression"
    slug = "extra-tree-regression"
    family, tier = "机器学习回归", "member"
    purpose = "用完全随机的切分点构造大量回归树取平均，得到平滑的预测"
    aliases = ("ExtraTrees", "极端随机树", "极限树", "树模型", "随机森林", "机器学习")
    references = (
        "geurts2006", "breiman1984", "strobl2007", "lundberg2020", "bergstra2011",
    )  # fmt: skip
    conventions = (
        *CONVENTIONS,
        *fields.CONVENTIONS,
        "每个节点在随机取的变量里，各随机取一个划分点，再取其中最好的；默认每棵树用全部训练行。",
        "预测值是各树叶子均值的平均。模型重要性是各树误差下降的平均，合计 100%。",
        "SHAP：TreeSHAP，沿树路径取条件期望，单位与因变量相同；独热编码的各列相加为一个变量。",
    )
    library = ExtraTreesRegressor

    class Input(RegressorForm):
        n_estimators: int = fields.tree_count()
        criterion: str = choice("节点分裂评价准则", {"squared_error": "均方误差", "absolute_error": "平均绝对误差"})
        max_features: str = fields.feature_share("sqrt")
        max_features_value: float = fields.feature_part()
        max_depth: int | None = fields.depth()
        min_samples_split: int = fields.split_rows()
        min_samples_leaf: int = fields.leaf_rows()
        max_leaf_nodes: int | None = fields.leaf_count(50)
        ccp_alpha: float = fields.pruning(1e6)
        bootstrap: bool = fields.drawn(False)
        oob_score: bool = fields.out_of_bag(False)

    @classmethod
    def own(cls, report: Report, form: Any, found: Any) -> None:
        cls.note_drawn(report, form, found)
        if form.oob_score:
            told.out_of_bag(report, cls, found)
        if form.n_estimators < 50:
            text = "只有 {k:integer} 棵树，切分点又是随机的，换一个随机种子结果会变；请增加到 50 棵以上。"
            report.check("树的数量", "care", text, k=form.n_estimators)
