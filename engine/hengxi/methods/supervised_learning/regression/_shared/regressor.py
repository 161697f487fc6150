"""The form, the elements and the course of every regressor; a method adds its settings and its own learning."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    File,
    Form,
    ModelTarget,
    NewColumns,
    Points,
    Report,
    Table,
    integer,
    num,
    role,
    rows_column,
    text,
)
from hengxi.methods.supervised_learning._shared import form as fields
from hengxi.methods.supervised_learning._shared.elements import Ending
from hengxi.methods.supervised_learning._shared.fitting import MOST_CROSSED, MOST_SEARCHED, Fit
from hengxi.methods.supervised_learning._shared.learner import Learner
from hengxi.methods.supervised_learning._shared.searching import Trial
from hengxi.methods.supervised_learning.regression._shared import checks, explained, tables, words
from hengxi.methods.supervised_learning.regression._shared.explained import Explained
from hengxi.methods.supervised_learning.regression._shared.found import Found
from hengxi.methods.supervised_learning.regression._shared.scored import Scored
from hengxi.methods.supervised_learning.regression._shared.task import Task, build_task
from hengxi.stats.learning.value_scores import LEVELS, margin

METRICS = {"rmse": "RMSE", "mae": "MAE", "r2": "R²"}
CONVENTIONS = (
    "填补、编码只在训练行内学习，交叉验证逐折重学，测试集不参与任何一步。",
    "定类自变量：独热编码每个水平一列（两个水平时一列）；序号编码按水平顺序；目标编码用平滑的因变量均值，训练行按五折互相编码。",
    "*R*² = 1 − Σ(y − ŷ)²/Σ(y − ȳ)²，ȳ 是被计分的那些行的均值，可能为负；MAPE 在真实值含 0 时不给出。",
    "与基线的差：逐行的（全猜训练集均值的平方误差 − 模型的平方误差）的均值，区间为 *t* 区间。",
    "置换重要性：测试集上打乱一个变量后 *R*² 的下降，10 次重复的均值与标准差。",
    "学习曲线：各折里取 20%、40%、70% 与全部训练行（至少 5 行），得分为 *R*²（分母一律用全部训练行的方差，"
    "折里的行少，它们自己的方差不稳），标准差按折计，除以折数减 1。",
    f"训练集超过 {MOST_CROSSED} 行时不做交叉验证与学习曲线；超参数搜索用其中随机抽取的 {MOST_SEARCHED} 行；"
    "置换重要性用测试集里随机抽取的至多 10000 行。",
    "有分组变量时按组切分：同一组的行不会分在训练集与测试集两边，也不会分在两折里。",
    "超参数搜索在给定的候选值里挑选；贝叶斯优化为 TPE，前 10 组随机抽取，种子固定。",
    "样本权重只参与训练，各项得分按行计。",
)


class RegressorForm(Form):
    y: Column = role("因变量Y", "定量")
    x: list[Column] = fields.predictors()
    weight: Column | None = fields.row_weight()
    cv_group: Column | None = fields.fold_groups()
    train_ratio: float = fields.train_share()
    shuffle: bool = fields.shuffled()
    cv_folds: int = fields.fold_count()
    missing: str = fields.gaps()
    encode: str = fields.coding()
    tune: str = fields.searching()
    tune_trials: int = fields.search_size()
    tune_metric: str = fields.search_metric(METRICS)
    shap: bool = fields.with_shap()
    shap_case: int | None = fields.shap_row()
    save_model: bool = fields.keep_model()


class Trained:
    """Scores of parts of the training rows."""

    folds = Table(
        "交叉验证结果", fold=text("折"), n=integer("*n*"), rmse=num("RMSE", least=0), mae=num("MAE", least=0),
        r2=num("*R*²"),
    )  # fmt: skip
    curve = Table(
        "学习曲线", size=integer("训练行数"), learned=num("均值", span="训练 *R*²", most=1),
        learned_sd=num("标准差", span="训练 *R*²", least=0), crossed=num("均值", span="交叉验证 *R*²", most=1),
        crossed_sd=num("标准差", span="交叉验证 *R*²", least=0),
    )  # fmt: skip
    curve_points = Points(
        "学习曲线图", series=text("得分"), size=integer("训练行数"), mean=num("*R*²"), low=num("下限"),
        high=num("上限"),
    )  # fmt: skip
    curve_plot = Chart(
        "学习曲线图", "line", of=curve_points, x="size", y="mean", low="low", high="high", series="series",
        place="detail",
    )  # fmt: skip


class Regressor(Ending, Trained, Explained, Scored, Learner):
    """What a method gives: see `Learner`."""

    task = "regression"
    score_name, score_low = " *R*² ", None
    losses = ("rmse", "mae")
    extrapolates: ClassVar[bool] = False
    """Can a prediction lie beyond the values of the training rows?"""

    predictions = Table(
        "测试集预测结果", row=rows_column("行号"), actual=num("真实值"), predicted=num("预测值"), residual=num("残差"),
    )  # fmt: skip
    download = File("测试集预测（含残差）")
    columns = NewColumns("预测值与残差")

    @classmethod
    def build(cls, form: Any, report: Report) -> Task:
        return build_task(form, report)

    @classmethod
    def scored(cls, task: Task, form: Any, fit: Fit, params: dict[str, Any], trials: list[Trial]) -> Found:
        return Found.of(task, fit, params, trials)

    @classmethod
    def write(cls, report: Report, form: Any, found: Found) -> None:
        words.write(report, cls, form, found)
        tables.write(report, cls, form, found)

    @classmethod
    def judge(cls, report: Report, form: Any, found: Found) -> None:
        checks.report_all(report, cls, form, found)

    @classmethod
    def explained(cls, report: Report, found: Found) -> None:
        if found.explanation is not None:
            explained.write(report, cls, found.task, found.explanation, found.predicted)

    @classmethod
    def margins(cls, found: Found) -> dict[str, float]:
        residual = np.abs(found.residuals[found.task.test])
        widths = {str(level): margin(residual, level) for level in LEVELS}
        return {level: width for level, width in widths.items() if width is not None}

    @classmethod
    def card(cls, form: Any, found: Found) -> tuple[dict[str, float], ModelTarget, float | None]:
        scores = {"RMSE": found.test.rmse, "MAE": found.test.mae}
        if found.test.r2 is not None:
            scores["R²"] = found.test.r2
        return scores, ModelTarget(name=form.y.name, label=form.y.label), None
