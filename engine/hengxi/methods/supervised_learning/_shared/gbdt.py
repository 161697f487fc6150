"""Gradient boosting of scikit-learn, whatever it predicts: settings, growing, long tables by histograms, and how single
variables move the mean answer."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from hengxi.contract import Chart, Points, Progress, Report, integer, measure, num, number, text
from hengxi.methods.supervised_learning._shared.boosting import BoostedLearner, Grown
from hengxi.methods.supervised_learning._shared.fitting import Rows
from hengxi.stats.learning import boosted
from hengxi.stats.learning.boosted import Boosted
from hengxi.stats.moments import Floats

MOST_EXACT = 50_000
"""Training rows up to which every value is tried as a cut; beyond, 255 bins of each variable."""
SHOWN, GRID, ASKED = 4, 20, 200
"""Variables, values of each and training rows of partial dependence."""
CONVENTIONS = (
    "变量以单精度比较，各树的叶子值以双精度相加。",
    f"训练集超过 {MOST_EXACT} 行时改用直方图算法：每个变量先分成至多 255 箱，"
    "采样比例与内部节点分裂的最小样本数不起作用；Huber 损失与指数损失没有直方图算法，从中随机抽取这么多行学习。",
    "模型重要性是各树误差下降之和的份额，合计 100%，偏向取值多的变量。",
    f"部分依赖：置换重要性最大的 {SHOWN} 个变量，每次把随机抽取的至多 {ASKED} 个训练行的该变量都改为同一个值，"
    "其余变量不动，取预测的平均。",
)


# ---- fields --------------------------------------------------------------------------------------------------------
def round_count() -> Any:
    return integer("基学习器数量", 100, least=1, most=2000)


def rate() -> Any:
    return number("学习率", 0.1, least=0.001, most=1)


def sampled() -> Any:
    return number("无放回采样比例", 1, least=0.1, most=1)


def depth() -> Any:
    return integer("树的最大深度", 3, least=1, most=20)


def leaf_rows() -> Any:
    return integer("叶子节点的最小样本数", 1, least=1, most=1000)


class Partial:
    """The elements of partial dependence; filled by `GbdtLearner.tell_partial`."""

    partial = Points("部分依赖图", name=text("变量"), series=text("输出"), x=num("变量取值"), mean=num("平均预测"))
    partial_plot = Chart(
        "部分依赖图", "line", of=partial, x="x", y="mean", series="series", facet="name", place="detail",
    )  # fmt: skip
    partial_levels = Points(
        "部分依赖图（定类变量）", name=text("变量"), series=text("输出"), level=text("取值"), mean=num("平均预测"),
        when={"x": measure("定类")},
    )  # fmt: skip
    partial_levels_plot = Chart(
        "部分依赖图（定类变量）", "bar", of=partial_levels, x="level", y="mean", series="series", facet="name",
        when={"x": measure("定类")}, place="detail",
    )  # fmt: skip


class GbdtLearner(Partial, BoostedLearner):
    """A method names the library's class and the one with histograms, and its settings."""

    library: ClassVar[Any]
    histogram: ClassVar[Any]
    without_histogram: ClassVar[str]
    """The loss that the histogram class does not know."""

    @classmethod
    def boost(cls, params: dict[str, Any], rows: Rows, seed: int, tell: Progress, text: str) -> Grown:
        own = {name: value for name, value in params.items() if name in cls.settings_of and name != cls.patience_key}
        if rows.y.size > MOST_EXACT:
            if params["loss"] != cls.without_histogram:
                return cls._by_histograms(own, rows, seed, tell, text)
            rows = rows.part(MOST_EXACT, seed)
        if rows.k > 2 and np.unique(rows.y).size == 2:
            own["loss"] = "log_loss"
        of = own["n_estimators"]
        fitted = cls.library(**own, random_state=seed)
        x = np.ascontiguousarray(rows.x, dtype=np.float32)
        fitted.fit(x, rows.y, rows.weight, monitor=lambda done, *_: not tell(done + 1, of, text))
        return Grown(model_of(fitted, rows.k, own["loss"]), np.asarray(fitted.feature_importances_), fitted)

    @classmethod
    def _by_histograms(cls, own: dict[str, Any], rows: Rows, seed: int, tell: Progress, text: str) -> Grown:
        settings: dict[str, Any] = {
            "learning_rate": own["learning_rate"], "max_iter": own["n_estimators"], "max_depth": own["max_depth"],
            "min_samples_leaf": own["min_samples_leaf"], "max_leaf_nodes": None,
        }  # fmt: skip
        if rows.k == 1:
            settings["loss"] = own["loss"]
            settings["quantile"] = own["alpha"] if own["loss"] == "quantile" else None
        fitted = cls.histogram(**settings, early_stopping=False, random_state=seed)
        x = rows.x.astype(np.float32).astype(np.float64)
        fitted.fit(x, rows.y, rows.weight)
        tell(1, 1, text)
        return Grown(*model_of_histograms(fitted, rows.k, x.shape[1]), fitted)

    @classmethod
    def grid(cls) -> dict[str, list[Any]]:
        return {"learning_rate": [0.03, 0.1, 0.3], "max_depth": [1, 2, 3, 5], "subsample": [0.5, 0.8, 1.0]}

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        """About thirty models of the rounds, each over all rows and columns; measured on 2000 and 60000 rows."""
        return (4.0 + 8e-5 * rows * (5 + columns)) * int(form["n_estimators"]) / 100

    # ---- told ------------------------------------------------------------------------------------------------------
    @classmethod
    def own(cls, report: Report, form: Any, found: Any) -> None:
        method: Any = cls
        cls.tell_rounds(report, form, found)
        cls.tell_partial(report, form, found)
        n = int(found.task.train.size)
        if n > MOST_EXACT:
            text = "训练集有 {n:integer} 行，改用直方图算法；采样比例与内部节点分裂的最小样本数不起作用。"
            if form.loss == cls.without_histogram:
                text = "训练集有 {n:integer} 行，这种损失没有直方图算法，模型用从中随机抽取的 {k:integer} 行学习。"
            report.note(method.settings, text, n=n, **({"k": MOST_EXACT} if "{k" in text else {}))

    @classmethod
    def tell_partial(cls, report: Report, form: Any, found: Any) -> None:
        method: Any = cls
        task, order = found.task, found.order[:SHOWN]
        shown = [task.event] if getattr(task, "event", None) is not None else list(range(task.k))[:SHOWN]
        rng = np.random.default_rng([form.seed, 8])
        asked = np.sort(rng.choice(task.train, min(ASKED, task.train.size), replace=False))
        for j in order:
            values, x = task.x[task.train, j], task.x[asked]
            known = values[~np.isnan(values)]
            at = np.unique(known) if task.sizes[j] else np.unique(np.quantile(known, np.linspace(0.02, 0.98, GRID)))
            means = np.array([found.fit.answers(_with(x, j, value)).mean(axis=0) for value in at[:GRID]])
            for c in shown:
                for value, mean in zip(at[:GRID], means[:, c], strict=True):
                    cells: dict[str, Any] = {"name": task.names[j], "series": task.outputs[c], "mean": float(mean)}
                    if task.sizes[j]:
                        level = task.features[j].levels[int(value)].label
                        report.row(method.partial_levels, level=level, **cells)
                    else:
                        report.row(method.partial, x=float(value), **cells)
        if all(task.sizes[j] for j in order):
            report.skip(method.partial, "重要的变量里没有定量的")
        else:
            text = "把训练行的这个变量都改成横轴上的值，其余不动，取预测的平均；变量相关很强时不要细看。"
            report.note(method.partial_plot, text)
        if not any(task.sizes[j] for j in order):
            report.skip(method.partial_levels, "重要的变量里没有定类的")


def _with(x: Floats, j: int, value: float) -> Floats:
    changed = x.copy()
    changed[:, j] = value
    return changed


def model_of(fitted: Any, k: int, loss: str) -> Boosted:
    """The start is the best constant of the loss; trees come round by round, one a margin."""
    is_classifier = hasattr(fitted, "classes_")
    classes = np.asarray(fitted.classes_, dtype=np.int64) if is_classifier else np.zeros(1, dtype=np.int64)
    base = np.asarray(fitted._raw_predict_init(np.zeros((1, fitted.n_features_in_), dtype=np.float32))[0], dtype=float)
    trees = [tree.tree_ for tree in fitted.estimators_.ravel()]
    # The exponential loss is minimal at half the log odds.
    double = 2.0 if loss == "exponential" else 1.0
    link = "identity" if not is_classifier else "logistic" if classes.size == 2 else "softmax"
    factors = np.full(len(trees), double * fitted.learning_rate)
    columns = np.tile(np.arange(base.size), len(fitted.estimators_))
    return Boosted(trees, factors, columns, double * base, link, classes, k)


def model_of_histograms(fitted: Any, k: int, features: int) -> tuple[Boosted, Floats]:
    """The sum of trees, and the share of the gain of each column."""
    is_classifier = hasattr(fitted, "classes_")
    classes = np.asarray(fitted.classes_, dtype=np.int64) if is_classifier else np.zeros(1, dtype=np.int64)
    base = np.asarray(fitted._baseline_prediction, dtype=np.float64).ravel()
    link = "identity" if not is_classifier else "logistic" if classes.size == 2 else "softmax"
    trees, gains = [], np.zeros(features)
    for grown in fitted._predictors:
        for predictor in grown:
            own = predictor.nodes
            inner = own["is_leaf"] == 0
            left, right = (np.where(inner, own[side].astype(np.int64), -1) for side in ("left", "right"))
            feature = own["feature_idx"].astype(np.int64)
            nodes = boosted.nodes_of(
                left, right, feature, own["num_threshold"], own["missing_go_to_left"], own["count"].astype(np.float64)
            )
            trees.append(boosted.tree_of(nodes, own["value"], features, boosted.depth_of(left, right)))
            gains += np.bincount(feature[inner], np.maximum(own["gain"][inner], 0), minlength=features)
    columns = np.tile(np.arange(base.size), len(fitted._predictors))
    return Boosted(trees, np.ones(len(trees)), columns, base, link, classes, k), gains
