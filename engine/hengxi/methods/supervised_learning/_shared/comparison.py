"""Many learners on the same folds, within a budget of time: the course, the tables, the choice of one.

The learners are the other methods of the group (`Method.fellows`), with the settings their forms begin with.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np

from hengxi.contract import (
    Arrays,
    Chart,
    Points,
    Progress,
    Refusal,
    Report,
    SavedModel,
    SetRemedy,
    Silent,
    Table,
    Try,
    choice,
    flag,
    integer,
    interval,
    many,
    num,
    pvalue,
    text,
)
from hengxi.methods.supervised_learning._shared import reporting
from hengxi.methods.supervised_learning._shared.fitting import Fit, Recipe, Watch, fold_rows, for_search, permutation
from hengxi.methods.supervised_learning._shared.learner import Learner
from hengxi.methods.supervised_learning._shared.task import Task
from hengxi.stats.boxes import box
from hengxi.stats.learning import comparing
from hengxi.stats.moments import Floats, Ordered

SIMPLICITY: dict[str, int] = {
    "linear_regression": 1, "logistic_regression": 1, "naive_bayes": 2, "decision_tree": 3, "knn": 4, "svm": 5,
    "random_forest": 6, "extra_tree": 6, "adaboost": 7, "gbdt": 8, "lightgbm": 8, "xgboost": 8, "catboost": 8, "mlp": 9,
}  # fmt: skip
"""The order of "simplest"; learners that are not here come last."""
LAST = 10
QUICK = ("linear_regression", "logistic_regression", "naive_bayes", "decision_tree", "knn", "extra_tree", "lightgbm")
READABLE = ("linear_regression", "logistic_regression", "naive_bayes", "decision_tree")
TITLES: dict[str, str] = {
    "linear_regression": "线性回归", "logistic_regression": "逻辑回归", "naive_bayes": "朴素贝叶斯",
    "decision_tree": "决策树", "knn": "K近邻", "svm": "支持向量机", "random_forest": "随机森林",
    "extra_tree": "极端随机树", "adaboost": "AdaBoost", "gbdt": "梯度提升树", "lightgbm": "LightGBM",
    "xgboost": "XGBoost", "mlp": "神经网络",
}  # fmt: skip
AVERAGED, STACKED, GUESS = "平均（全部候选）", "堆叠（全部候选）", "基线"
DONE, LATE, STOPPED = "完成", "时间预算用完，没有做完", "按要求停止，没有做完"
OWN = {"candidates": "own"}
CONVENTIONS = (
    "各模型用默认参数、同样的编码与填补、同样的折。得分按折计算：均值、标准差（除以折数减 1）。",
    "区间与检验用 Nadeau 和 Bengio 的修正重抽样 *t*：方差乘（1/K + 1/(K − 1)），自由度 K − 1；两两比较用 Holm 法校正。",
    "推荐：与得分最好的模型相差不超过一倍标准误（标准差/√K）的模型里最简单的一个。简单的次序："
    "线性或逻辑回归、朴素贝叶斯、决策树、K近邻、支持向量机、随机森林与极端随机树、AdaBoost、提升树、神经网络。",
    "挑选只看训练行的交叉验证；测试集不参与挑选。“挑选的代价”：每折由其余各折挑出最好的模型，看它在这一折的得分。",
    "平均是各模型答案的均值；堆叠再用一个线性模型合并各模型对留出行的答案（分类用 L2 逻辑回归，C = 1；"
    "回归用非负系数的最小二乘），逐折留出。两者只供比较，不会被推荐。",
    "时间预算到了，没有做完的模型不进榜；做完的模型与时间无关，同样的数据与种子得到同样的数。",
)


def titles_of(left_out: str) -> dict[str, str]:
    """Candidates of a task; `left_out` is the linear model of the other task."""
    other = ("linear_regression",) if left_out == "linear_regression" else ("logistic_regression", "naive_bayes")
    return {key: title for key, title in TITLES.items() if key not in other}


def which() -> Any:
    options = {"all": "全部", "quick": "仅快速模型", "readable": "仅可解释模型", "own": "自选"}
    return choice("候选模型", options)


def own_list(options: dict[str, str]) -> Any:
    return many("自选的模型", options, min=1, when=OWN)


def budget() -> Any:
    return integer("时间预算", 300, least=30, most=3600, unit="秒")


def combined() -> Any:
    return flag("附加平均与堆叠模型", True)


def folds() -> Any:
    return integer("交叉验证折数", 5, least=3, most=20)


@dataclass
class Chosen:
    """A learner that remembers whose it is; stored with its key."""

    key: str
    method: Any
    learner: Any


@dataclass
class Entry:
    """`scores`: one a fold, larger is better; `answers`: of training rows by the fold that left them out, of test rows
    by the model of all training rows."""

    key: str
    title: str
    rank: int
    method: Any = None
    recipe: Recipe | None = None
    scores: Floats = field(default_factory=lambda: np.zeros(0))
    answers: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    fit: Fit | None = None
    status: str = DONE

    @property
    def is_done(self) -> bool:
        return self.status == DONE


def default_form(method: Any, form: Any) -> SimpleNamespace:
    """The form a learner begins with, on the data and the shared settings of the comparison."""
    fields = method.Input.fields
    values = {key: getattr(one, "default", None) for key, one in fields.items()}
    for key, one in fields.items():
        if isinstance(one.when, dict) and not _is_shown(one.when, values):
            values[key] = None
    shared = {key: getattr(form, key) for key in (*form.fields, "seed", "progress") if hasattr(form, key)}
    return SimpleNamespace(**(values | shared | {"tune": "none", "shap": False, "shap_case": None}))


def _is_shown(when: dict[str, Any], values: dict[str, Any]) -> bool:
    plain = {key: wanted for key, wanted in when.items() if isinstance(wanted, str | bool | int | tuple | list)}
    return all(
        values.get(key) in wanted if isinstance(wanted, tuple | list) else values.get(key) == wanted
        for key, wanted in plain.items()
    )


class Clock:
    """Hears the stop and counts the seconds; a fit that either cuts short is not used."""

    def __init__(self, watch: Watch, seconds: float) -> None:
        self.watch, self.end = watch, time.monotonic() + seconds

    @property
    def is_late(self) -> bool:
        return time.monotonic() > self.end

    @property
    def is_over(self) -> bool:
        return self.watch.stopped or self.is_late

    def stage(self, text: str, best: float | None) -> Progress:
        tell, said, most = self.watch.stage(text), text, best

        def still(done: float, of: float, text: str = "", best: float | None = None) -> bool:
            return tell(done, of, said, most) and not self.is_late

        return still


class Comparison:
    """In front of the task's scores and `Learner`; a task gives `sign`, `guess`, `stack`, `write_chosen`."""

    board = Table(
        "模型排行榜", rank=integer("名次"), model=text("模型"), mean=num("均值", span="交叉验证得分"),
        sd=num("标准差", span="交叉验证得分", least=0), ci=interval("95% CI", "low", "high", around="mean"),
        diff=num("与第一名的差"), diff_ci=interval("差的 95% CI", "diff_low", "diff_high", around="diff"),
        test=num("测试集得分"), status=text("说明"), place="main",
    )  # fmt: skip
    boxes = Points(
        "各折得分", model=text("模型"), low=num("最低"), q1=num("下四分位"), median=num("得分"), q3=num("上四分位"),
        high=num("最高"),
    )  # fmt: skip
    boxes_plot = Chart(
        "各模型每折的得分", "box", of=boxes, x="model", min="low", q1="q1", median="median", q3="q3", max="high",
        place="main",
    )  # fmt: skip
    fold_scores = Table("每折的得分", model=text("模型"), fold=integer("折"), score=num("得分"), place="detail")
    pairs = Table(
        "两两比较", first=text("模型"), second=text("另一个模型"), diff=num("得分之差"),
        ci=interval("95% CI", "low", "high", around="diff"), t=num("*t*"), df=integer("*df*"), p=pvalue(),
        adjusted=pvalue("校正后 *p*"), place="detail",
        claim=Silent("the ranking and its differences are told by the conclusion"),
    )  # fmt: skip
    honest = Table(
        "挑选的代价", layout="record", best=num("得分最好的模型"), nested=num("逐折挑选"), cost=num("高估"),
        place="detail",
    )  # fmt: skip
    importance = Table(
        "特征重要性", name=text("变量"), loss=num("置换重要性"), sd=num("标准差", least=0, around="loss"), place="main",
    )  # fmt: skip
    bars = Points("重要性条形", name=text("变量"), loss=num("置换重要性"), low=num("下限"), high=num("上限"))
    importance_plot = Chart(
        "特征重要性图", "bar", of=bars, x="name", y="loss", low="low", high="high", titles={"y": "打乱后得分的下降"},
        place="detail",
    )  # fmt: skip
    settings = Table("模型参数", name=text("参数"), value=text("取值"), source=text("来源"))
    saved = SavedModel("推荐的模型", when={"save_model": True}, place="main")
    attempt = Try("试算", of=saved, when={"save_model": True}, place="main")
    has_importance: ClassVar[bool] = False
    few_test: ClassVar[str] = "请再看“挑选的代价”里逐折挑选的得分"
    metrics: ClassVar[dict[str, str]]
    """Titles of the scores."""
    least: ClassVar[float] = -np.inf
    """The least that a score can be which is the better the larger it is; the most is 1."""

    # ---- the learner that was chosen ---------------------------------------------------------------------------------
    @classmethod
    def answers(cls, learner: Chosen, x: Floats) -> Floats:
        answers: Floats = learner.method.answers(learner.learner, x)
        return answers

    @classmethod
    def stored(cls, learner: Chosen) -> Arrays:
        packed: Arrays = learner.method.stored(learner.learner)
        return packed | {"compare.key": np.array(learner.key)}

    @classmethod
    def restored(cls, arrays: Arrays, k: int) -> Chosen:
        key = str(arrays["compare.key"])
        method: Any = cls.learners().get(key)
        if method is None:
            raise ValueError(f"no learner is called {key!r}")
        return Chosen(key, method, method.restored(arrays, k))

    @classmethod
    def learners(cls) -> dict[str, Any]:
        """The other learners of the group, the simplest first."""
        fellows: dict[str, Any] = cls.fellows()  # type: ignore[attr-defined]
        found = {
            key: one for key, one in fellows.items() if issubclass(one, Learner) and not issubclass(one, Comparison)
        }
        return {key: found[key] for key in sorted(found, key=lambda key: (SIMPLICITY.get(key, LAST), key))}

    @classmethod
    def candidates(cls, form: Any) -> list[Entry]:
        wanted = {"quick": QUICK, "readable": READABLE, "own": tuple(form.own or ())}.get(form.candidates)
        known = {key: one for key, one in cls.learners().items() if wanted is None or key in wanted}
        if not known:
            text = "自选的模型现在都不能用，请另选"
            remedy = SetRemedy(title="全部模型", set={"candidates": "all"})
            raise Refusal("data.candidates", text, field="own", also=["candidates"], remedies=[remedy])
        return [Entry(key, TITLES.get(key, one.title), SIMPLICITY.get(key, LAST), one) for key, one in known.items()]

    # ---- what a task gives -------------------------------------------------------------------------------------------
    @classmethod
    def sign(cls, form: Any) -> float:
        """−1 where the score is the better the smaller it is."""
        return -1.0 if form.tune_metric in cls.losses else 1.0  # type: ignore[attr-defined]

    @classmethod
    def guess(cls, task: Any, rows: Any, n: int) -> Floats:
        """The answer to n rows without a model, learned from these rows."""
        raise NotImplementedError

    @classmethod
    def stack(cls, task: Any, features: Floats, rows: Any, asked: Floats) -> Floats:
        """Answers to `asked` by a linear model of the answers of all models, learned from these rows."""
        raise NotImplementedError

    @classmethod
    def write_chosen(cls, report: Report, form: Any, found: Any, compared: Compared) -> None:
        """The conclusion, and what the test rows say of the model chosen."""
        raise NotImplementedError

    # ---- the course --------------------------------------------------------------------------------------------------
    @classmethod
    def run(cls, form: Any) -> Report:
        report = Report()
        method: Any = cls
        task = method.build(form, report)
        compared = compare(cls, form, task)
        chosen = compared.chosen
        assert chosen.fit is not None
        fit = Fit(chosen.fit.coding, Chosen(chosen.key, chosen.method, chosen.fit.learner), cls.answers)
        params = chosen.recipe.params if chosen.recipe is not None else {}
        found = method.scored(task, form, fit, params, [])
        if not compared.stopped:
            found.shuffled = permutation(task, fit, form, lambda *_: True)
        report.used(task.y.size)
        cls.write_chosen(report, form, found, compared)
        write(report, cls, form, compared)
        reporting.settings(report, cls, form, found)
        method.judge(report, form, found)
        if form.save_model:
            method._keep(report, form, found)
        return report


@dataclass
class Compared:
    """`entries`: the candidates, `extra`: averages of them; `best`, `chosen` among those that were done."""

    task: Task
    folds: int
    entries: list[Entry]
    extra: list[Entry]
    baseline: Entry
    best: Entry
    chosen: Entry
    stopped: bool
    late: bool

    @property
    def done(self) -> list[Entry]:
        return [one for one in self.entries if one.is_done]


def compare(cls: Any, form: Any, task: Task) -> Compared:
    """Each learner on every fold, one after the other; then all of them on the whole of the training rows."""
    entries = cls.candidates(form)
    part = for_search(task, form.seed)
    splits = list(fold_rows(part, form))
    watch = Watch(form.progress, len(entries) * (len(splits) + 1))
    clock = Clock(watch, float(form.budget_s))
    best: Entry | None = None
    for number, entry in enumerate(entries, 1):
        if clock.is_over:
            entry.status = STOPPED if watch.stopped else LATE
            continue
        _cross(cls, form, task, entry, splits, clock, f"第 {number}/{len(entries)} 个模型：{entry.title}", best)
        if entry.is_done and (best is None or entry.scores.mean() > best.scores.mean()):
            best = entry
    done = [one for one in entries if one.is_done]
    if best is None:
        raise _nothing(form, entries, watch.stopped)
    means, sds = (np.array([how(one.scores) for one in done]) for how in (np.mean, lambda v: np.std(v, ddof=1)))
    chosen = done[comparing.simplest(means, sds, [one.rank for one in done], len(splits))]
    baseline = _baseline(cls, form, task, splits)
    extra = _combined(cls, form, task, done, splits) if form.ensemble and len(done) > 1 else []
    return Compared(task, len(splits), entries, extra, baseline, best, chosen, watch.stopped, clock.is_late)


def _nothing(form: Any, entries: list[Entry], stopped: bool) -> Refusal:
    reasons = [one for one in entries if one.status not in (LATE, STOPPED)]
    if reasons and len(reasons) == len(entries):
        text = "没有一个候选模型能训练，例如{x}：{why}"
        return Refusal("data.candidates", text, field="candidates", x=reasons[0].title, why=reasons[0].status)
    text = "时间预算过短，没有一个模型完成，请增加预算或减少样本"
    if stopped:
        text = "停止时还没有一个模型完成，没有结果可以保留；请让它多运行一会儿，或只选快速模型"
    remedy = SetRemedy(title="仅快速模型", set={"candidates": "quick"})
    return Refusal("data.budget", text, field="budget_s", also=["candidates"], remedies=[remedy])


def _cross(
    cls: Any, form: Any, task: Task, entry: Entry, splits: list[Any], clock: Clock, text: str, best: Entry | None
) -> None:
    """The scores of a candidate on every fold, and its model of all training rows; cut short it counts as not done."""
    method = entry.method
    own = default_form(method, form)
    lead = None if best is None else cls.sign(form) * float(best.scores.mean())
    if best is not None:
        text += f"（目前最好：{best.title}）"
    try:
        entry.recipe = recipe = Recipe(
            method.params(own), method.learn, method.answers, form.encode, form.missing, form.seed
        )
        answers, scores = np.full((task.y.size, task.k), np.nan), []
        for inner, outer in splits:
            fit = recipe.fit(task, inner, clock.stage(text, lead), text)
            if clock.is_over:
                entry.status = STOPPED if clock.watch.stopped else LATE
                return
            answers[outer] = fit.answers(task.x[outer])
            scores.append(task.searched(form.tune_metric, answers[outer], outer))
        entry.fit = recipe.fit(task, task.train, clock.stage(text, lead), text)
        if clock.is_over:
            entry.status = STOPPED if clock.watch.stopped else LATE
            return
        method.scored(task, own, entry.fit, recipe.params, [])  # what the method itself would refuse
    except Refusal as refusal:
        entry.status = refusal.text
        return
    answers[task.test] = entry.fit.answers(task.x[task.test])
    entry.answers, entry.scores = answers, np.array(scores)


def _baseline(cls: Any, form: Any, task: Task, splits: list[Any]) -> Entry:
    answers, scores = np.full((task.y.size, task.k), np.nan), []
    for inner, outer in splits:
        answers[outer] = cls.guess(task, inner, outer.size)
        scores.append(task.searched(form.tune_metric, answers[outer], outer))
    answers[task.test] = cls.guess(task, task.train, task.test.size)
    return Entry("baseline", GUESS, LAST + 2, scores=np.array(scores), answers=answers)


def _combined(cls: Any, form: Any, task: Task, done: list[Entry], splits: list[Any]) -> list[Entry]:
    """The mean of all answers, and a linear model of them that never sees the fold it is asked about."""
    every = np.concatenate([one.answers for one in done], axis=1)
    mean = np.mean([one.answers for one in done], axis=0)
    stacked = np.full(mean.shape, np.nan)
    whole = np.concatenate([outer for _, outer in splits])
    for _, outer in splits:
        stacked[outer] = cls.stack(task, every, np.setdiff1d(whole, outer), every[outer])
    stacked[task.test] = cls.stack(task, every, np.sort(whole), every[task.test])
    made = []
    for title, answers in ((AVERAGED, mean), (STACKED, stacked)):
        scores = [task.searched(form.tune_metric, answers[outer], outer) for _, outer in splits]
        made.append(Entry(title, title, LAST + 1, scores=np.array(scores), answers=answers))
    return made


# ---- tables ----------------------------------------------------------------------------------------------------------
def write(report: Report, cls: Any, form: Any, compared: Compared) -> None:
    sign, title = cls.sign(form), cls.metrics[form.tune_metric]
    shown = sorted([*compared.done, *compared.extra, compared.baseline], key=lambda one: -float(one.scores.mean()))
    _write_board(report, cls, form, compared, shown, sign)
    report.note(cls.board, "得分是" + title + ("，越小越好。" if sign < 0 else "，越大越好。"))
    text = "区间按 {k:integer} 折的修正重抽样 *t* 求得；差是该模型减第一名。名次只看交叉验证，测试集得分不参与挑选。"
    report.note(cls.board, text, k=compared.folds)
    for one in shown:
        own = sign * one.scores
        for fold, score in enumerate(own, 1):
            report.row(cls.fold_scores, model=one.title, fold=fold, score=float(score))
        b = box(Ordered.of(own))
        cells = {"low": float(own.min()), "q1": b.q1, "median": b.median, "q3": b.q3, "high": float(own.max())}
        report.row(cls.boxes, model=one.title, **cells)  # type: ignore[arg-type]
    report.chart(cls.boxes_plot, titles={"y": title})
    _write_pairs(report, cls, shown, sign)
    _write_honest(report, cls, compared, sign)


def _write_board(report: Report, cls: Any, form: Any, compared: Compared, shown: list[Entry], sign: float) -> None:
    task, first = compared.task, shown[0]
    for rank, one in enumerate(shown, 1):
        own, apart = comparing.corrected(sign * one.scores), comparing.corrected(sign * (one.scores - first.scores))
        test = sign * task.searched(form.tune_metric, one.answers[task.test], task.test)
        # No score lies beyond what it can be.
        low, high = (max(own.low, 0.0), own.high) if sign < 0 else (max(own.low, cls.least), min(own.high, 1.0))
        cells: dict[str, Any] = {"mean": own.mean, "sd": own.sd, "low": low, "high": high, "test": test}
        if one is not first:
            cells |= {"diff": apart.mean, "diff_low": apart.low, "diff_high": apart.high}
        report.row(cls.board, rank=rank, model=one.title, status=_status(one, compared), **cells)
    for one in compared.entries:
        if not one.is_done:
            report.row(cls.board, rank=None, model=one.title, status=one.status)


def _status(one: Entry, compared: Compared) -> str:
    if one is compared.baseline:
        return "不用模型"
    if one is compared.chosen:
        return "推荐"
    if one.scores.mean() <= compared.baseline.scores.mean():
        return "不优于基线"
    return "只供比较" if one in compared.extra else ""


def _write_pairs(report: Report, cls: Any, shown: list[Entry], sign: float) -> None:
    pairs = [(a, b) for i, a in enumerate(shown) for b in shown[i + 1 :]]
    found = [comparing.corrected(sign * (a.scores - b.scores)) for a, b in pairs]
    adjusted = comparing.holm([one.p for one in found])
    for (a, b), one, p in zip(pairs, found, adjusted, strict=True):
        report.row(
            cls.pairs, first=a.title, second=b.title, diff=one.mean, low=one.low, high=one.high, t=one.t, df=one.df,
            p=one.p, adjusted=p,
        )  # fmt: skip


def _write_honest(report: Report, cls: Any, compared: Compared, sign: float) -> None:
    """How much the best score owes to having been chosen."""
    done = compared.done
    if len(done) < 2:
        report.skip(cls.honest, "只有一个模型，没有挑选")
        return
    nested = float(comparing.left_out_choice(np.array([one.scores for one in done])).mean())
    best = float(compared.best.scores.mean())
    report.row(cls.honest, best=sign * best, nested=sign * nested, cost=best - nested)
    text = "从许多模型里挑最好的，它的得分总会偏好一点。逐折挑选：每折由其余各折挑模型，再看它在这一折的得分。"
    report.note(cls.honest, text)
