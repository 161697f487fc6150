from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Column,
    File,
    Form,
    Level,
    ModelTarget,
    NewColumns,
    Report,
    Table,
    choice,
    figure,
    flag,
    level,
    levels,
    number,
    percent,
    role,
    rows_column,
    text,
)
from hengxi.methods.supervised_learning._shared import comparison, comparison_words
from hengxi.methods.supervised_learning._shared import form as fields
from hengxi.methods.supervised_learning._shared.comparison import Compared, Comparison
from hengxi.methods.supervised_learning._shared.learner import Learner
from hengxi.methods.supervised_learning.classifier._shared import checks, tables
from hengxi.methods.supervised_learning.classifier._shared.classifier import METRICS, Classifier
from hengxi.methods.supervised_learning.classifier._shared.found import Found
from hengxi.methods.supervised_learning.classifier._shared.scored import Scored
from hengxi.methods.supervised_learning.classifier._shared.task import Task, build_task
from hengxi.stats.learning import logits
from hengxi.stats.learning.scoring import called
from hengxi.stats.moments import Floats
from hengxi.stats.names import short

STACK = {"penalty": "l2", "C": 1.0, "l1_ratio": 0.0, "max_iter": 1000, "standardize": True}


class AutoModelCompare(Scored, Comparison, Learner):
    """All classifiers on the same folds; one is chosen, and judged on rows that had no say."""

    title, title_en = "自动模型比较（分类）", "Automatic model comparison (classification)"
    slug = "auto-model-compare-classifier"
    family, tier = "机器学习分类", "member"
    purpose = "一次训练全部候选分类模型，用同一组交叉验证折公平排名并推荐模型"
    aliases = ("模型比较", "自动建模", "AutoML", "排行榜", "选模型", "集成", "堆叠", "机器学习")
    references = (
        "nadeau2003", "breiman1984", "wolpert1992", "holm1979", "delong1988", "wilson1927", "cohen1960",
        "gorodkin2004", "brier1950",
    )  # fmt: skip
    conventions = (
        "填补、编码、标准化只在训练行内学习，交叉验证逐折重学，测试集不参与任何一步。",
        *comparison.CONVENTIONS,
        "基线：每折都答训练行里各类的占比，判为最多的一类。",
        "AUC 为一对其余，多分类取宏平均；区间由 DeLong 的位置分量求得。准确率的区间为 Wilson 法。"
        "Kappa 为 Cohen，MCC 多分类用 Gorodkin 的推广，Brier 见“曲线下面积”。",
    )
    task = "classification"
    score_name, score_low = "准确率", 0.0
    losses, metrics, least = ("log_loss",), METRICS, 0.0

    class Input(Form):
        y: Column = role("因变量Y", "定类", levels=(2, 50))
        x: list[Column] = fields.predictors()
        weight: Column | None = fields.row_weight()
        cv_group: Column | None = fields.fold_groups()
        event: Level | None = level("正类", of="y", auto="last", when={"y": levels(2, 2)})
        train_ratio: float = fields.train_share()
        shuffle: bool = fields.shuffled()
        stratify: bool = flag("按因变量分层切分", True)
        cv_folds: int = comparison.folds()
        tune_metric: str = choice("比较的得分", METRICS)
        candidates: str = comparison.which()
        own: list[str] = comparison.own_list(comparison.titles_of("linear_regression"))
        budget_s: int = comparison.budget()
        ensemble: bool = comparison.combined()
        threshold: float = number("二分类判定阈值", 0.5, least=0.01, most=0.99, advanced=True)
        class_weight: str = choice("类别权重", {"none": "不加权", "balanced": "按类别频数反比"}, advanced=True)
        missing: str = fields.gaps()
        encode: str = fields.coding()
        save_model: bool = fields.keep_model()
        # What the shared course asks of a form, and a comparison does not do.
        tune, shap, shap_case = "none", False, None

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
    def scored(cls, task: Any, form: Any, fit: Any, params: dict[str, Any], trials: list[Any]) -> Found:
        return Found.of(task, form, fit, params, trials)

    @classmethod
    def card(cls, form: Any, found: Any) -> tuple[dict[str, float], ModelTarget, float | None]:
        return Classifier.card(form, found)

    @classmethod
    def judge(cls, report: Report, form: Any, found: Any) -> None:
        checks.report_all(report, cls, form, found)

    @classmethod
    def guess(cls, task: Any, rows: Any, n: int) -> Floats:
        """The shares of the classes; where the threshold would call another class than the largest, that alone."""
        share = np.bincount(task.y[rows], minlength=task.k) / rows.size
        if int(called(share[None, :], task.event, task.threshold)[0]) != int(share.argmax()):
            share = np.eye(task.k)[share.argmax()]
        return np.tile(share, (n, 1))

    @classmethod
    def stack(cls, task: Any, features: Floats, rows: Any, asked: Floats) -> Floats:
        """By shares of all classes but the first of each model."""
        kept = np.arange(features.shape[1]) % task.k != 0
        model = logits.learn(STACK, features[rows][:, kept], task.y[rows], None, task.k, [])
        return model.answers(asked[:, kept])

    @classmethod
    def write_chosen(cls, report: Report, form: Any, found: Any, compared: Compared) -> None:
        test, title, sign = found.test, METRICS[form.tune_metric], cls.sign(form)
        lead, facts = comparison_words.opening(compared, title, sign)
        facts |= {
            "n": test.n, "accuracy": test.accuracy, "low": test.low, "high": test.high, "base": found.baseline.accuracy,
            "y": short([form.y.title])[0],
        }  # fmt: skip
        lead += (
            "它在没参与挑选的 {n:integer} 行上判对“{y}”的 {accuracy:percent1}"
            "（95% CI {low:percent1} 到 {high:percent1}），全猜最多的一类为 {base:percent1}。"
        )
        figures = [
            figure("推荐的模型", "{chosen}"),
            figure("交叉验证" + title, "{own:num}", "用来挑选"),
            figure("测试集准确率", "{accuracy:percent1}", "没参与挑选"),
            figure("全猜最多的类", "{base:percent1}"),
        ]
        report.lead(lead, figures, **facts)
        comparison_words.endings(report, form, compared, title)
        comparison_words.checks(report, compared)
        tables.write_judged(report, cls, form, found)
