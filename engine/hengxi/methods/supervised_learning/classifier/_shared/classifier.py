"""The form, the elements and the course of every classifier; a method adds its settings and its own learning."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Arrays,
    Chart,
    Column,
    File,
    Fitted,
    Form,
    Level,
    Model,
    ModelCard,
    ModelTarget,
    NewColumns,
    Points,
    Progress,
    Report,
    SavedModel,
    Table,
    Try,
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
from hengxi.contract import weight as weights_box
from hengxi.methods.supervised_learning.classifier._shared import checks, explained, learning_curve, tables, words
from hengxi.methods.supervised_learning.classifier._shared.explained import SHAP, Explained, explain
from hengxi.methods.supervised_learning.classifier._shared.fitting import (
    MOST_CROSSED,
    MOST_SEARCHED,
    Fit,
    Recipe,
    Rows,
    Watch,
    cross,
    for_search,
    is_long,
    permutation,
)
from hengxi.methods.supervised_learning.classifier._shared.found import Found
from hengxi.methods.supervised_learning.classifier._shared.learning_curve import trace
from hengxi.methods.supervised_learning.classifier._shared.scored import Scored
from hengxi.methods.supervised_learning.classifier._shared.searching import search
from hengxi.methods.supervised_learning.classifier._shared.task import Task, build_task
from hengxi.stats.learning.features import Coding
from hengxi.stats.learning.shapley import Shapley
from hengxi.stats.moments import Floats
from hengxi.stats.names import short

SEARCHING = {"tune": ("grid", "random", "tpe")}
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
    x: list[Column] = role("自变量X", "任意", min=1, max=None)
    weight: Column | None = weights_box("样本权重（可选）", kind="sampling")
    cv_group: Column | None = role(
        "分组交叉验证变量（可选）",
        "定类",
        min=0,
        hint="同一组的行不会既训练又测试，也总在同一折里，例如同一个人的多次测量",
        advanced=True,
    )
    event: Level | None = level("正类", of="y", auto="last", when={"y": levels(2, 2)})
    train_ratio: float = number("训练集占比", 0.7, least=0.5, most=0.95, percent=True)
    shuffle: bool = flag("数据洗牌", True)
    stratify: bool = flag("按因变量分层切分", True)
    cv_folds: int = integer("交叉验证折数", 5, least=0, most=20, hint="0 为不做")
    threshold: float = number("二分类判定阈值", 0.5, least=0.01, most=0.99, advanced=True)
    class_weight: str = choice("类别权重", {"none": "不加权", "balanced": "按类别频数反比"})
    missing: str = choice(
        "缺失值处理", {"listwise": "删除含缺失的行", "mean": "均值或众数填补", "median": "中位数或众数填补"}
    )
    encode: str = choice("定类自变量编码", {"onehot": "独热编码", "ordinal": "序号编码", "target": "目标编码"})
    tune: str = choice(
        "超参数搜索",
        {"none": "关闭", "grid": "网格搜索", "random": "随机搜索", "tpe": "贝叶斯优化（TPE）"},
        advanced=True,
    )
    tune_trials: int = integer("搜索次数", 30, least=5, most=200, when=SEARCHING, advanced=True)
    tune_metric: str = choice(
        "搜索评价指标",
        {
            "f1_macro": "F1宏平均", "accuracy": "准确率", "balanced_accuracy": "平衡准确率", "auc": "AUC",
            "log_loss": "对数损失",
        },
        when=SEARCHING,
        advanced=True,
    )  # fmt: skip
    shap: bool = flag("SHAP解释", True)
    shap_case: int | None = integer(
        "单独解释的样本行号", None, least=1, auto="测试集的第一行", when=SHAP, advanced=True
    )
    save_model: bool = flag("保存模型用于预测", True)


class Classifier(Explained, Scored, Model):
    """What a method gives: `params`, `learn`, `shares`, `stored`, `restored`, `weights_of`, `grid`, `explainer`."""

    task = "classification"
    random = True
    row_order = True
    min_rows = 20
    weights = ("sampling",)
    missing = "keep"

    importance = Table(
        "特征重要性", name=text("变量"), share=percent("模型重要性"), loss=num("置换重要性"),
        sd=num("标准差", least=0, around="loss"), place="main",
    )  # fmt: skip
    bars = Points("重要性条形", name=text("变量"), loss=num("置换重要性"), low=num("下限"), high=num("上限"))
    importance_plot = Chart(
        "特征重要性图", "bar", of=bars, x="name", y="loss", low="low", high="high",
        titles={"y": "打乱后准确率的下降"}, place="main",
    )  # fmt: skip
    counts = Table(
        "类别频数", level=text("类别"), n=integer("*n*"), share=percent("占比"), train=integer("训练集"),
        test=integer("测试集"),
    )  # fmt: skip
    folds = Table(
        "交叉验证结果", fold=text("折"), n=integer("*n*"), accuracy=percent("准确率"), balanced=percent("平衡准确率"),
        f1=num("F1宏平均", least=0, most=1), auc=num("AUC", least=0, most=1), log_loss=num("对数损失", least=0),
    )  # fmt: skip
    trials = Table(
        "超参数搜索结果", rank=integer("名次"), params=text("参数组合"), mean=num("得分均值"),
        sd=num("标准差", least=0), when=SEARCHING,
    )  # fmt: skip
    tried = Points(
        "参数与得分", setting=text("参数"), value=text("取值"), mean=num("得分"), low=num("最低"),
        high=num("最高"), when=SEARCHING,
    )  # fmt: skip
    tried_cases = Points(
        "参数与得分的各次搜索", setting=text("参数"), value=text("取值"), score=num("得分"), when=SEARCHING
    )
    tried_plot = Chart(
        "参数与得分", "interval", of=tried, x="value", y="mean", low="low", high="high", facet="setting",
        raw=(tried_cases, "value", "score"), when=SEARCHING, place="detail",
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
    settings = Table("模型参数", name=text("参数"), value=text("取值"), source=text("来源"))
    predictions = Table(
        "测试集预测结果", row=rows_column("行号"), actual=text("真实值"), called=text("预测值"),
        p=percent("预测值的概率"),
    )  # fmt: skip
    saved = SavedModel("模型", when={"save_model": True}, place="main")
    attempt = Try("试算", of=saved, when={"save_model": True}, place="main")
    download = File("测试集预测（含各类别概率）")
    columns = NewColumns("预测类别与概率")

    # ---- what a method gives ---------------------------------------------------------------------------------------
    @classmethod
    def params(cls, form: Any) -> dict[str, Any]:
        """The settings that `learn` takes."""
        raise NotImplementedError

    @classmethod
    def learn(cls, params: dict[str, Any], rows: Rows, seed: int, tell: Progress, text: str) -> Any:
        """A learner fitted to coded rows; once `tell` says no, give what stands."""
        raise NotImplementedError

    @classmethod
    def shares(cls, learner: Any, x: Floats) -> Floats:
        """Rows × classes probabilities of coded rows."""
        raise NotImplementedError

    @classmethod
    def stored(cls, learner: Any) -> Arrays:
        raise NotImplementedError

    @classmethod
    def restored(cls, arrays: Arrays, k: int) -> Any:
        raise NotImplementedError

    @classmethod
    def weights_of(cls, learner: Any) -> Floats | None:
        """Importance of each coded column; None: the method has none of its own."""
        return None

    @classmethod
    def grid(cls) -> dict[str, list[Any]]:
        return {}

    @classmethod
    def explainer(cls, learner: Any, x: Floats, k: int) -> Shapley:
        """Shapley values of coded rows."""
        raise NotImplementedError

    @classmethod
    def explained_rows(cls, learner: Any, rows: int) -> int:
        """How many rows SHAP may explain in a few seconds."""
        return rows

    @classmethod
    def own(cls, report: Report, form: Any, found: Found) -> None:
        """Tables of the method itself."""

    # ---- the same for all ------------------------------------------------------------------------------------------
    @classmethod
    def dropped_by(cls, form: dict[str, Any]) -> tuple[str, ...]:
        """Gaps in the predictors drop a row unless they are filled; the others always do."""
        always = ("y", "weight", "cv_group")
        return always if form["missing"] != "listwise" else (*always, "x")

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{short([form.y.title])[0]}的{cls.title}"

    @classmethod
    def run(cls, form: Any) -> Report:
        report = Report()
        task = build_task(form, report)
        found = cls._train(report, form, task)
        report.used(task.y.size)
        words.write(report, cls, form, found)
        tables.write(report, cls, form, found)
        cls.own(report, form, found)
        cls._explain(report, form, found)
        checks.report_all(report, cls, form, found)
        if form.save_model:
            cls._keep(report, form, found)
        return report

    @classmethod
    def _train(cls, report: Report, form: Any, task: Task) -> Found:
        """The model first: asked to stop, it is what is kept, and whatever is still to come is left out."""
        balanced = form.class_weight == "balanced"
        recipe = Recipe(cls.params(form), cls.learn, cls.shares, form.encode, form.missing, balanced, form.seed)
        searching = form.tune != "none"
        watch = Watch(form.progress, 3 + form.cv_folds + (form.tune_trials if searching else 0))
        trials = search(for_search(task, form.seed), form, recipe, cls.grid(), watch) if searching else []
        if trials:
            recipe.params = recipe.params | trials[0].params
        quiet = watch.stopped
        tell = (lambda *_: True) if quiet else watch.stage("训练")
        fit = recipe.fit(task, task.train, tell, "训练")
        found = Found.of(task, form, fit, recipe.params, trials)
        if form.cv_folds and not is_long(task) and not watch.stopped:
            crossed = cross(task, form, recipe, watch)
            found.crossed = crossed if crossed.whole else None
        if not watch.stopped:
            found.shuffled = permutation(task, fit, form, watch.stage("置换重要性"))
        if form.shap and not watch.stopped:
            found.explanation = explain(task, fit, cls, found.proba, form.seed)
        if found.crossed is not None and not watch.stopped:
            found.curve = trace(task, form, recipe, found.crossed, watch)
        found.own_importance = _by_feature(cls.weights_of(fit.learner), fit.coding)
        found.stopped = watch.stopped
        return found

    @classmethod
    def _explain(cls, report: Report, form: Any, found: Found) -> None:
        """What the learning curve and SHAP say, or why they say nothing."""
        if found.curve is not None:
            learning_curve.write(report, cls, found.curve)
        else:
            reason = "训练行太少，或较少的行里只有一个类别"
            if found.crossed is None:
                reason = tables.why_not_crossed(form, found) if form.cv_folds else "学习曲线需要交叉验证"
            reason = tables.STOPPED if found.stopped else reason
            report.skip(cls.curve, reason)
            report.skip(cls.curve_points, reason)
        if found.explanation is not None:
            explained.write(report, cls, found.task, found.explanation, found.proba, found.threshold)
        elif form.shap:
            for element in cls.shap_elements():
                report.skip(element, tables.STOPPED)

    @classmethod
    def _keep(cls, report: Report, form: Any, found: Found) -> None:
        task, fit = found.task, found.fit
        for j, feature in enumerate(task.features):
            fill = float(fit.coding.fills[j])
            feature.fill = None if np.isnan(fill) else fill
        scores = {"准确率": found.test.accuracy, "F1": found.test.f1}
        if found.test.auc is not None:
            scores["AUC"] = found.test.auc
        card = ModelCard(
            task="classification", features=task.features, rows=int(task.train.size), scores=scores, seed=form.seed,
            target=ModelTarget(name=form.y.name, label=form.y.label, classes=task.levels, event=task.event),
            threshold=form.threshold if task.event is not None else None, settings=_plain(found.params),
        )  # fmt: skip
        report.keep(cls.saved, Fitted(card, fit.coding.pack() | cls.stored(fit.learner)))
        report.offer(cls.attempt, _first_case(task))

    @classmethod
    def unpack(cls, arrays: Arrays, card: ModelCard) -> Fit:
        return Fit(Coding.unpack(arrays), cls.restored(arrays, len(card.target.classes or [])), cls.shares)

    @classmethod
    def predict(cls, fitted: Fit, matrix: Floats) -> Floats:
        return fitted.probabilities(matrix)


def _by_feature(weights: Floats | None, coding: Coding) -> Floats | None:
    """Importance of coded columns added up to their variables; shares of the whole."""
    if weights is None:
        return None
    total = np.bincount(coding.places, weights, minlength=len(coding.sizes)).astype(np.float64)
    whole = float(total.sum())
    return total / whole if whole > 0 else total


def _first_case(task: Task) -> dict[str, Any]:
    """The first training row without gaps, as the start of 试算."""
    x = task.x[task.train]
    row = x[int(np.argmin(np.isnan(x).any(axis=1)))]
    case: dict[str, Any] = {}
    for feature, value in zip(task.features, row, strict=True):
        if np.isnan(value):
            continue
        case[feature.key] = feature.levels[int(value)].value if feature.levels is not None else float(value)
    return case


def _plain(params: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in params.items() if value is None or isinstance(value, str | bool | int | float)}
