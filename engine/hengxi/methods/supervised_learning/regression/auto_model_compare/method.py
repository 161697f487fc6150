from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Column,
    File,
    Form,
    ModelTarget,
    NewColumns,
    Report,
    Table,
    choice,
    figure,
    num,
    role,
    rows_column,
)
from hengxi.methods.supervised_learning._shared import comparison, comparison_words
from hengxi.methods.supervised_learning._shared import form as fields
from hengxi.methods.supervised_learning._shared.comparison import Compared, Comparison
from hengxi.methods.supervised_learning._shared.learner import Learner
from hengxi.methods.supervised_learning.regression._shared import checks, tables
from hengxi.methods.supervised_learning.regression._shared.found import Found
from hengxi.methods.supervised_learning.regression._shared.regressor import METRICS, Regressor
from hengxi.methods.supervised_learning.regression._shared.scored import Scored
from hengxi.methods.supervised_learning.regression._shared.task import Task, build_task
from hengxi.stats.learning import linear
from hengxi.stats.moments import Floats
from hengxi.stats.names import short

STACK = {
    "penalty": "none", "alpha": 0.0, "l1_ratio": 0.0, "standardize": False, "fit_intercept": True, "positive": True,
}  # fmt: skip


class AutoModelCompare(Scored, Comparison, Learner):
    """All regressors on the same folds; one is chosen, and judged on rows that had no say."""

    title, title_en = "自动模型比较（回归）", "Automatic model comparison (regression)"
    slug = "auto-model-compare-regression"
    family, tier = "机器学习回归", "member"
    purpose = "一次训练全部候选回归模型，用同一组交叉验证折公平排名并推荐模型"
    aliases = ("模型比较", "自动建模", "AutoML", "排行榜", "选模型", "集成", "堆叠", "机器学习")
    references = ("nadeau2003", "breiman1984", "wolpert1992", "holm1979")
    conventions = (
        "填补、编码、标准化只在训练行内学习，交叉验证逐折重学，测试集不参与任何一步。",
        *comparison.CONVENTIONS,
        "基线：每折都答训练行的均值。*R*² 的分母是被计分的那些行的离差平方和，可能为负。",
    )
    task = "regression"
    score_name, score_low = " *R*² ", None
    losses, metrics, extrapolates = ("rmse", "mae"), METRICS, True

    class Input(Form):
        y: Column = role("因变量Y", "定量")
        x: list[Column] = fields.predictors()
        weight: Column | None = fields.row_weight()
        cv_group: Column | None = fields.fold_groups()
        train_ratio: float = fields.train_share()
        shuffle: bool = fields.shuffled()
        cv_folds: int = comparison.folds()
        tune_metric: str = choice("比较的得分", METRICS)
        candidates: str = comparison.which()
        own: list[str] = comparison.own_list(comparison.titles_of("logistic_regression"))
        budget_s: int = comparison.budget()
        ensemble: bool = comparison.combined()
        missing: str = fields.gaps()
        encode: str = fields.coding()
        save_model: bool = fields.keep_model()
        # What the shared course asks of a form, and a comparison does not do.
        tune, shap, shap_case = "none", False, None

    predictions = Table(
        "测试集预测结果", row=rows_column("行号"), actual=num("真实值"), predicted=num("预测值"), residual=num("残差"),
    )  # fmt: skip
    download = File("测试集预测（含残差）")
    columns = NewColumns("预测值与残差")

    @classmethod
    def build(cls, form: Any, report: Report) -> Task:
        return build_task(form, report)

    @classmethod
    def scored(cls, task: Any, form: Any, fit: Any, params: dict[str, Any], trials: list[Any]) -> Found:
        return Found.of(task, fit, params, trials)

    @classmethod
    def card(cls, form: Any, found: Any) -> tuple[dict[str, float], ModelTarget, float | None]:
        return Regressor.card(form, found)

    @classmethod
    def margins(cls, found: Any) -> dict[str, float]:
        return Regressor.margins(found)

    @classmethod
    def judge(cls, report: Report, form: Any, found: Any) -> None:
        checks.report_all(report, cls, form, found)

    @classmethod
    def guess(cls, task: Any, rows: Any, n: int) -> Floats:
        return np.full((n, 1), float(task.y[rows].mean()))

    @classmethod
    def stack(cls, task: Any, features: Floats, rows: Any, asked: Floats) -> Floats:
        return linear.learn(STACK, features[rows], task.y[rows], None, []).answers(asked)

    @classmethod
    def write_chosen(cls, report: Report, form: Any, found: Any, compared: Compared) -> None:
        test, title, sign = found.test, METRICS[form.tune_metric].replace("R²", "*R*²"), cls.sign(form)
        lead, facts = comparison_words.opening(compared, METRICS[form.tune_metric], sign)
        facts |= {
            "n": test.n, "mae": test.mae, "rmse": test.rmse, "base": found.baseline.rmse,
            "y": short([form.y.title])[0],
        }  # fmt: skip
        lead += (
            "它在没参与挑选的 {n:integer} 行上预测“{y}”平均差 {mae:num}（RMSE = {rmse:num}），"
            "全猜训练集的均值时 RMSE = {base:num}。"
        )
        figures = [
            figure("推荐的模型", "{chosen}"),
            figure("交叉验证 " + title, "{own:num}", "用来挑选"),
            figure("测试集 RMSE", "{rmse:num}", "没参与挑选"),
            figure("全猜均值的 RMSE", "{base:num}"),
        ]
        report.lead(lead, figures, **facts)
        comparison_words.endings(report, form, compared, METRICS[form.tune_metric])
        comparison_words.checks(report, compared)
        tables.write_judged(report, cls, form, found)
