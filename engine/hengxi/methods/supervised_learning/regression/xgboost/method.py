from __future__ import annotations

from typing import Any

from hengxi.contract import Report, choice
from hengxi.methods.supervised_learning._shared import boosting
from hengxi.methods.supervised_learning._shared import form as common
from hengxi.methods.supervised_learning._shared import xgb as fields
from hengxi.methods.supervised_learning._shared.xgb import XgbLearner
from hengxi.methods.supervised_learning.regression._shared import boosting as told
from hengxi.methods.supervised_learning.regression._shared.regressor import CONVENTIONS, Regressor, RegressorForm
from hengxi.methods.supervised_learning.regression._shared.task import Task

LOSSES = {
    "reg:squarederror": "squared", "reg:absoluteerror": "absolute", "count:poisson": "poisson", "reg:gamma": "gamma",
}  # fmt: skip


class Xgboost(XgbLearner, told.Bounded, Regressor):
    """xgboost's trees; kept as arrays of nodes read from its JSON."""

    title, title_en = "XGBoost回归", "XGBoost regression"
    slug = "xgboost-regression"
    family, tier = "机器学习回归", "member"
    purpose = "用带正则的二阶梯度提升树预测定量结果，自动处理缺失值"
    aliases = ("XGB", "极端梯度提升", "梯度提升", "提升树", "GBDT", "树模型", "集成学习", "机器学习", "预测数值")
    references = ("chen2016", "friedman2001", "lundberg2020", "lundberg2017", "strobl2007", "bergstra2011")
    conventions = (
        *CONVENTIONS,
        *boosting.CONVENTIONS,
        *fields.CONVENTIONS,
        "泊松与 Gamma 预测的是 e 的幂，SHAP 逐个组合计算，单位与因变量相同。"
        "泊松偏差 2Σ[y ln(y/ŷ) − y + ŷ]/n，Gamma 偏差 2Σ[(y − ŷ)/ŷ − ln(y/ŷ)]/n。",
    )
    settings_of = (*XgbLearner.settings_of, "objective")

    class Input(RegressorForm):
        missing: str = common.native_gaps()
        n_estimators: int = fields.round_count()
        learning_rate: float = fields.rate()
        max_depth: int = fields.depth()
        subsample: float = fields.row_share()
        colsample_bytree: float = fields.column_share()
        min_child_weight: float = fields.leaf_weight()
        reg_alpha: float = fields.l1()
        reg_lambda: float = fields.l2()
        gamma: float = fields.least_gain()
        objective: str = choice(
            "目标函数",
            {
                "reg:squarederror": "均方误差", "reg:absoluteerror": "平均绝对误差", "count:poisson": "泊松（计数）",
                "reg:gamma": "Gamma（正数）",
            },
        )  # fmt: skip

    @classmethod
    def objective_of(cls, params: dict[str, Any]) -> str:
        return str(params["objective"])

    @classmethod
    def loss_of(cls, params: dict[str, Any]) -> tuple[str, float]:
        return LOSSES[params["objective"]], 0.5

    @classmethod
    def build(cls, form: Any, report: Report) -> Task:
        task = super().build(form, report)
        least = {"count:poisson": "counts", "reg:gamma": "positive"}.get(form.objective)
        told.judge_outcome(form, task, "objective", "reg:squarederror", least)
        return task

    @classmethod
    def own(cls, report: Report, form: Any, found: Any) -> None:
        super().own(report, form, found)
        told.tell_bounds(report, found)
