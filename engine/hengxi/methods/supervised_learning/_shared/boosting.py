"""Boosted trees, whatever they predict and whatever library grows them: rounds watched on rows held out of the training
rows, early stopping, the figure of losses, TreeSHAP, storing. The test rows never take part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hengxi.contract import Arrays, Chart, Points, Progress, Reference, Report, SetRemedy, Table, integer, num, text
from hengxi.contract.report import more
from hengxi.methods.supervised_learning._shared.explained import BY_COALITIONS, LINEAR, TREES
from hengxi.methods.supervised_learning._shared.fitting import Rows
from hengxi.methods.supervised_learning._shared.reporting import STOPPED
from hengxi.methods.supervised_learning._shared.task import Codes
from hengxi.stats.learning import boosted, shapley
from hengxi.stats.learning.boosted import LOSSES, Boosted
from hengxi.stats.learning.features import Coding
from hengxi.stats.moments import Floats
from hengxi.stats.thin import thin

HELD_OUT = 0.2
"""Share of the training rows that rounds are watched on."""
DRAWN_ROUNDS = 400
TRIAL = "停止时还在为早停找轮数，保留的模型只用了 80% 的训练行；要用全部训练行，请重新运行。"
LATE = 0.9
"""A loss that rises in the last tenth of the rounds is told."""
CONVENTIONS = (
    "损失与轮数：从训练行里留出 20%（洗牌时由随机种子抽取，分类时每类各 20%；不洗牌时为最后的 20%），"
    "其余的行另训练一次，逐轮计算两部分的损失，按训练的权重平均。测试集不参与。",
    "早停：在留出的行上连续若干轮没有更低的损失就停，取损失最低的一轮；再用全部训练行重新训练到这一轮。",
    "SHAP 为 TreeSHAP：沿树路径取条件期望，缺席变量的两条分支按训练行的权重平均；独热编码的各列相加为一个变量。",
)


@dataclass
class Watched:
    """Losses by round on the rows learned from and on those held out; `inner`, `outer`: places among the rows."""

    learned: Floats
    held_out: Floats
    best: int
    inner: Codes
    outer: Codes
    grown: Grown


@dataclass
class Grown:
    """The sum of trees as it answers. `weights`: importance of each coded column, not at hand after it was stored."""

    model: Boosted
    weights: Floats | None = None
    library: Any = None
    watched: Watched | None = None
    kinds: Floats | None = None
    """Several importances of each column, of the libraries that give them."""
    is_trial: bool = False
    """Stopped while early stopping was still looking for the round: learned from a part of the training rows alone."""


class Rounds:
    """The elements; filled by `BoostedLearner.tell_rounds`."""

    rounds = Table(
        "迭代过程", layout="record", used=integer("模型的轮数"), best=integer("验证损失最小的轮次"),
        learned=num("该轮的训练损失"), held_out=num("该轮的验证损失"), last=num("最后一轮的验证损失"),
        n=integer("验证行数"),
    )  # fmt: skip
    losses_by_round = Points("损失与轮数", series=text("行"), round=integer("轮数"), loss=num("损失"))
    losses_plot = Chart("损失与轮数", "line", of=losses_by_round, x="round", y="loss", series="series", place="detail")


class BoostedLearner(Rounds):
    """A method gives `settings`, `boost`, and `loss_of` where it predicts numbers."""

    shap_kind: ClassVar[str] = TREES
    settings_of: ClassVar[tuple[str, ...]]
    """Fields of the form that `boost` takes."""
    rounds_key: ClassVar[str] = "n_estimators"
    patience_key: ClassVar[str | None] = None

    @classmethod
    def boost(cls, params: dict[str, Any], rows: Rows, seed: int, tell: Progress, text: str) -> Grown:
        """`params[rounds_key]` rounds on rows with two outcomes or more; fewer once `tell` says no."""
        raise NotImplementedError

    @classmethod
    def loss_of(cls, params: dict[str, Any]) -> tuple[str, float]:
        """What is watched by round (see `boosted.LOSSES`), and the quantile that is predicted."""
        return "log_loss", 0.5

    # ---- learning --------------------------------------------------------------------------------------------------
    @classmethod
    def params(cls, form: Any) -> dict[str, Any]:
        return {name: getattr(form, name) for name in cls.settings_of} | {"shuffle": form.shuffle}

    @classmethod
    def learn(cls, params: dict[str, Any], rows: Rows, seed: int, tell: Progress, text: str) -> Grown:
        if cannot_learn(rows):
            return Grown(boosted.certain(int(rows.y[0]), rows.k), np.zeros(rows.x.shape[1]))
        if cls.patience_key is None or not params[cls.patience_key]:
            return cls.boost(params, rows, seed, tell, text)
        going = True

        def first(done: float, of: float, text: str = text, best: float | None = None) -> bool:
            nonlocal going
            going = tell(done / 2, of, text, best)
            return going

        watched = cls.watch(params, rows, seed, first, text)
        if watched is None:
            return cls.boost(params, rows, seed, tell, text)
        if not going:
            watched.grown.is_trial = True
            return watched.grown
        grown = cls.boost(params | {cls.rounds_key: watched.best}, rows, seed, tell, text)
        grown.watched = watched
        return grown

    @classmethod
    def watch(cls, params: dict[str, Any], rows: Rows, seed: int, tell: Progress, text: str) -> Watched | None:
        """Train without a part of the rows and follow the losses round by round; None: too few rows."""
        inner, outer = held_out(rows, params["shuffle"], seed)
        mine = part_of(rows, inner)
        if not outer.size or cannot_learn(mine):
            return None
        grown = cls.boost(params, mine, seed, tell, text)
        kind, alpha = cls.loss_of(params)
        learned, kept = (
            np.array(
                [boosted.loss(kind, part.y, answers, part.weight, alpha) for answers in grown.model.stages(part.x)]
            )
            for part in (mine, part_of(rows, outer))
        )
        patience = int(params[cls.patience_key]) if cls.patience_key else 0
        best, last = boosted.best_round(kept, patience)
        return Watched(learned[:last], kept[:last], best, inner, outer, grown)

    # ---- answering, explaining, storing ----------------------------------------------------------------------------
    @classmethod
    def answers(cls, learner: Grown, x: Floats) -> Floats:
        return learner.model.answers(x)

    @classmethod
    def weights_of(cls, learner: Grown) -> Floats | None:
        return learner.weights

    @classmethod
    def explainer(cls, learner: Grown, x: Floats, k: int) -> shapley.Shapley:
        return boosted.shap(learner.model, x)

    @classmethod
    def explained_answers(cls, learner: Grown, x: Floats, answers: Floats) -> Floats:
        return learner.model.scores(x)

    @classmethod
    def shap_kind_of(cls, learner: Grown) -> str:
        """Sums of trees on the scale of a logarithm would be explained in no unit a reader knows."""
        if learner.model.link == "log":
            return BY_COALITIONS
        return LINEAR if learner.model.lines is not None else cls.shap_kind

    @classmethod
    def explained_rows(cls, learner: Grown, rows: int) -> int:
        return shapley.rows_to_explain(boosted.leaves(learner.model), rows)

    @classmethod
    def stored(cls, learner: Grown) -> Arrays:
        return boosted.pack(learner.model)

    @classmethod
    def restored(cls, arrays: Arrays, k: int) -> Grown:
        return Grown(boosted.unpack(arrays, k))

    # ---- told ------------------------------------------------------------------------------------------------------
    @classmethod
    def tell_rounds(cls, report: Report, form: Any, found: Any) -> None:
        """The losses by round, and whether there were too many rounds."""
        method: Any = cls
        watched = found.fit.learner.watched
        if found.fit.learner.is_trial:
            report.warn("run.trial_kept", TRIAL)
        if watched is None and not found.stopped:
            rows = training_rows(method, form, found)
            watched = cls.watch(found.params, rows, form.seed, lambda *_: True, "")
        if watched is None:
            reason = STOPPED if found.stopped else "训练行太少，留不出验证的行"
            report.skip(method.rounds, reason)
            report.skip(method.losses_by_round, reason)
            return
        _write_rounds(report, method, found, watched)
        _judge_rounds(report, method, form, found, watched)


@dataclass(frozen=True)
class Start:
    """Where boosting starts, and the outcome as libraries of single precision take it.

    `base`: one a margin; numbers of the identity link are taken from `base` and divided by `scale`, a power of two, so
    that a far or large outcome keeps its digits. `classes`: places of those that occur.
    """

    y: Floats
    base: Floats
    scale: float
    link: str
    classes: Codes


def start_of(rows: Rows, kind: str = "squared", alpha: float = 0.5) -> Start:
    """The best constant: log odds or logarithms of shares; mean (`squared`), quantile (`absolute`), log mean."""
    weight = np.ones(rows.y.size) if rows.weight is None else rows.weight
    if rows.k == 1:
        y = np.asarray(rows.y, dtype=np.float64)
        mean, none = float(np.average(y, weights=weight)), np.zeros(1, dtype=np.int64)
        if kind == "log":
            return Start(y, np.array([np.log(mean)]), 1.0, "log", none)
        base = mean if kind == "squared" else _quantile(y, weight, alpha)
        spread = float(np.abs(y - base).max())
        scale = float(2.0 ** np.floor(np.log2(spread))) if spread > 0 else 1.0
        return Start((y - base) / scale, np.array([base]), scale, "identity", none)
    classes, codes = np.unique(rows.y, return_inverse=True)
    shares = np.bincount(codes, weights=weight) / weight.sum()
    margins = np.log(shares[1:] / shares[0]) if classes.size == 2 else np.log(shares)
    link = "logistic" if classes.size == 2 else "softmax"
    return Start(codes.astype(np.float64), margins, 1.0, link, classes.astype(np.int64))


def _quantile(y: Floats, weight: Floats, alpha: float) -> float:
    """The least value at which this share of the weight is reached."""
    order = np.argsort(y, kind="stable")
    reached = np.cumsum(weight[order])
    return float(y[order][int(np.searchsorted(reached, alpha * reached[-1] * (1 - 1e-12)))])


def cannot_learn(rows: Rows) -> bool:
    return rows.k > 1 and bool(np.unique(rows.y).size < 2)


def part_of(rows: Rows, places: Codes) -> Rows:
    weight = None if rows.weight is None else rows.weight[places]
    return Rows(rows.x[places], rows.y[places], weight, rows.k, rows.places, rows.kinds)


def held_out(rows: Rows, shuffle: bool, seed: int) -> tuple[Codes, Codes]:
    """Places learned from and held out; of classes each gives its share."""
    n = rows.y.size
    order = np.random.default_rng([seed, 7]).permutation(n) if shuffle else np.arange(n)
    groups = [order]
    if rows.k > 1 and shuffle:
        groups = [order[rows.y[order] == c] for c in np.unique(rows.y)]
    outer = np.concatenate([group[group.size - int(HELD_OUT * group.size + 0.5) :] for group in groups])
    kept = np.ones(n, dtype=bool)
    kept[outer] = False
    return np.flatnonzero(kept), np.flatnonzero(~kept)


def training_rows(method: Any, form: Any, found: Any) -> Rows:
    """The training rows as the model saw them."""
    task = found.task
    y = task.y[task.train]
    coding, coded = Coding.learn(task.x[task.train], task.sizes, method.encoding(form), form.missing, y, form.seed)
    return Rows(coded, y, task.weights(task.train), task.k, coding.places, coding.kinds)


def _write_rounds(report: Report, method: Any, found: Any, watched: Watched) -> None:
    best, last = watched.best, watched.held_out.size
    report.row(
        method.rounds, used=found.fit.learner.model.rounds, best=best, learned=float(watched.learned[best - 1]),
        held_out=float(watched.held_out[best - 1]), last=float(watched.held_out[-1]), n=int(watched.outer.size),
    )  # fmt: skip
    shown = np.unique(np.append(thin(last, most=DRAWN_ROUNDS), [best - 1, last - 1]))
    for name, losses in (("训练的行", watched.learned), ("留出的验证行", watched.held_out)):
        series = np.array([name] * shown.size, dtype=object)
        report.add_rows(method.losses_by_round, {"series": series, "round": shown + 1, "loss": losses[shown]})
    title = LOSSES[method.loss_of(found.params)[0]]
    report.chart(method.losses_plot, titles={"y": title}, over=[Reference(x=float(best))])
    text = "损失是{loss:text}，越小越好。从训练行里留出 {n:integer} 行作验证，其余的行另训练一次；测试集没有参与。"
    report.note(method.rounds, text, loss=title, n=int(watched.outer.size))
    report.note(method.losses_plot, "竖线是验证损失最小的一轮：第 {best:integer} 轮。", best=best)


def _judge_rounds(report: Report, method: Any, form: Any, found: Any, watched: Watched) -> None:
    best, losses = watched.best, watched.held_out
    last = int(losses.size)
    facts: dict[str, Any] = {"best": best, "last": last, "low": float(losses[best - 1]), "end": float(losses[-1])}
    what = more(
        "轮数太多时，模型会把训练行的偶然之处也学进去。", "验证损失在第 {best:integer} 轮最小，为 {low:num}。",
        "验证损失先降后升，说明后面的轮数没有用；到最后还在降，说明轮数还不够。", "减少轮数，降低学习率，或用早停。",
    )  # fmt: skip
    patience = int(found.params[method.patience_key]) if method.patience_key else 0
    if patience:
        text = "早停：验证损失在第 {best:integer} 轮最小（{low:num}），模型用全部训练行重新训练到这一轮。"
        if best == int(found.params[method.rounds_key]):
            text = "早停没有用上：验证损失到第 {best:integer} 轮（最后一轮）还在降，为 {low:num}。"
        report.check("轮数", "pass", text, more=what, **facts)
    elif losses[-1] > losses[max(int(LATE * last) - 1, 0)]:
        text = (
            "验证损失在第 {best:integer} 轮最小（{low:num}），到第 {last:integer} 轮升到 {end:num}，"
            "最后十分之一的轮次还在升：请减少轮数或降低学习率。"
        )
        remedies = [SetRemedy(title=f"轮数改为 {best}", set={method.rounds_key: best})]
        report.check("轮数", "care", text, more=what, remedies=remedies, **facts)
    elif best == last == int(found.params[method.rounds_key]):
        text = "验证损失到第 {last:integer} 轮（最后一轮）还在降，为 {low:num}：增加轮数可能更准。"
        report.check("轮数", "pass", text, more=what, **facts)
    else:
        text = "验证损失在第 {best:integer} 轮最小（{low:num}），最后十分之一的轮次没有再升。"
        report.check("轮数", "pass", text, more=what, **facts)
