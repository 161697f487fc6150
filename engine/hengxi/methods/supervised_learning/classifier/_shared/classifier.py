"""The form, the elements and the course of every classifier; a method adds its settings and its own learning."""

from __future__ import annotations

from typing import Any

from hengxi.contract import (
    Chart,
    Column,
    File,
    Form,
    Level,
    ModelTarget,
    NewColumns,
    Points,
    Report,
    Table,
    choice,
    flag,
    integer,
    level,
    levels,
    num,
    number,
    percent,
    role,
    rows_column,
    text,
)
from hengxi.methods.supervised_learning._shared import form as fields
from hengxi.methods.supervised_learning._shared.elements import Ending
from hengxi.methods.supervised_learning._shared.fitting import MOST_CROSSED, MOST_SEARCHED, Fit
from hengxi.methods.supervised_learning._shared.learner import Learner
from hengxi.methods.supervised_learning._shared.searching import Trial
from hengxi.methods.supervised_learning.classifier._shared import checks, explained, tables, words
from hengxi.methods.supervised_learning.classifier._shared.explained import Explained
from hengxi.methods.supervised_learning.classifier._shared.found import Found
from hengxi.methods.supervised_learning.classifier._shared.scored import Scored
from hengxi.methods.supervised_learning.classifier._shared.task import Task, build_task

METRICS = {
    "f1_macro": "F1宏平均", "accuracy": "准确率", "balanced_accuracy": "平衡准确率", "auc": "AUC",
    "log_loss": "对数损失",
}  # fmt: skip
CONVENTIONS = (
    "填补、编码只在训练行内学习，交叉验证逐折重学，测试集不参与任何一步。",
    "定类自变量：独热编码每个水平一列（两个水平时一列）；序号编码按水平顺序；目标编码用平滑的类别均值，训练行按五折互相编码。",
    "精确率、召回率、F1：二分类为正类的值，多分类为各类的宏平均；没有被判为某类时该类精确率按 0 计入宏平均。",
    "AUC 为一对其余，多分类取宏平均；区间由 DeLong 的位置分量求得，完全分开时没有区间。准确率的区间为 Wilson 法。",
    "对数损失的概率截在 1e-15 以上；Kappa 为 Cohen，MCC 多分类用 Gorodkin 的推广。",
    "置换重要性：测试集上打乱一个变量后准确率的下降，10 次重复的均值与标准差。",
    "学习曲线：各折里取 20%、40%、70% 与全部训练行（每类平均至少 5 行），得分为准确率，标准差按折计，除以折数减 1。",
    f"训练集超过 {MOST_CROSSED} 行时不做交叉验证与学习曲线；超参数搜索用其中随机抽取的 {MOST_SEARCHED} 行；"
    "置换重要性用测试集里随机抽取的至多 10000 行。",
    "有分组变量时按组切分：同一组的行不会分在训练集与测试集两边，也不会分在两折里。",
    "超参数搜索在给定的候选值里挑选；贝叶斯优化为 TPE，前 10 组随机抽取，种子固定。",
    "样本权重只参与训练，各项得分按行计。",
)


class ClassifierForm(Form):
    y: Column = role("因变量Y", "定类", levels=(2, 50))
    x: list[Column] = fields.predictors()
    weight: Column | None = fields.row_weight()
    cv_group: Column | None = fields.fold_groups()
    event: Level | None = level("正类", of="y", auto="last", when={"y": levels(2, 2)})
    train_ratio: float = fields.train_share()
    shuffle: bool = fields.shuffled()
    stratify: bool = flag("按因变量分层切分", True)
    cv_folds: int = fields.fold_count()
    threshold: float = number("二分类判定阈值", 0.5, least=0.01, most=0.99, advanced=True)
    class_weight: str = choice("类别权重", {"none": "不加权", "balanced": "按类别频数反比"})
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

    counts = Table(
        "类别频数", level=text("类别"), n=integer("*n*"), share=percent("占比"), train=integer("训练集"),
        test=integer("测试集"),
    )  # fmt: skip
    folds = Table(
        "交叉验证结果", fold=text("折"), n=integer("*n*"), accuracy=percent("准确率"), balanced=percent("平衡准确率"),
        f1=num("F1宏平均", least=0, most=1), auc=num("AUC", least=0, most=1), log_loss=num("对数损失", least=0),
    )  # fmt: skip
    curve = Table(
        "学习曲线", size=integer("训练行数"), learned=percent("均值", span="训练得分"),
        learned_sd=percent("标准差", span="训练得分"), crossed=percent("均值", span="交叉验证得分"),
        crossed_sd=percent("标准差", span="交叉验证得分"),
    )  # fmt: skip
    curve_points = Points(
        "学习曲线图", series=text("得分"), size=integer("训练行数"), mean=num("准确率"), low=num("下限"),
        high=num("上限"),
    )  # fmt: skip
    curve_plot = Chart(
        "学习曲线图", "line", of=curve_points, x="size", y="mean", low="low", high="high", series="series",
        place="detail",
    )  # fmt: skip


class Classifier(Ending, Trained, Explained, Scored, Learner):
    """What a method gives: see `Learner`."""

    task = "classification"
    score_name, score_low = "准确率", 0.0
    losses = ("log_loss",)

    predictions = Table(
        "测试集预测结果", row=rows_column("行号"), actual=text("真实值"), called=text("预测值"),
        p=percent("预测值的概率"),
    )  # fmt: skip
    download = File("测试集预测（含各类别概率）")
    columns = NewColumns("预测类别与概率")

    @classmethod
    def build(cls, form: Any, report: Report) -> Task:
        return build_task(form, report)

    @classmethod
    def scored(cls, task: Task, form: Any, fit: Fit, params: dict[str, Any], trials: list[Trial]) -> Found:
        return Found.of(task, form, fit, params, trials)

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
            explained.write(report, cls, found.task, found.explanation, found.proba, found.threshold)

    @classmethod
    def card(cls, form: Any, found: Found) -> tuple[dict[str, float], ModelTarget, float | None]:
        task = found.task
        scores = {"准确率": found.test.accuracy, "F1": found.test.f1}
        if found.test.auc is not None:
            scores["AUC"] = found.test.auc
        target = ModelTarget(name=form.y.name, label=form.y.label, classes=task.levels, event=task.event)
        return scores, target, form.threshold if task.event is not None else None
