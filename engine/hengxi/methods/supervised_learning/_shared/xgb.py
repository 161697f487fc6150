"""XGBoost, whatever it predicts: settings, training, and its own JSON read into plain trees."""

from __future__ import annotations

import json
from typing import Any, ClassVar

import numpy as np

from hengxi.contract import Progress, Report, Table, integer, number, percent, text
from hengxi.methods.supervised_learning._shared.boosting import BoostedLearner, Grown, Start, start_of
from hengxi.methods.supervised_learning._shared.fitting import Rows
from hengxi.stats.learning import boosted
from hengxi.stats.learning.boosted import Boosted
from hengxi.stats.moments import Floats

DROPPED = 0.1
"""Share of the earlier trees that DART leaves out of each round."""
NO_TREES = "gblinear没有树结构，已跳过"
CONVENTIONS = (
    "XGBoost 3.2.0，tree_method = hist（每个变量至多 256 箱），一个线程，种子固定；学习时以单精度计算，"
    "所以与其他版本可能在第六位有效数字上不同。模型以树的形式保存，预测由各树以双精度相加，不再用到 XGBoost。",
    "起点：分类为各类（加权）占比的对数，均方误差为均值，绝对误差为中位数，泊松与 Gamma 为均值的对数。"
    "均方误差与绝对误差先减起点再除以 2 的幂，正则项随之换算，结果不变。",
    "叶子值 = −η ΣG/(ΣH + λ)，G、H 为损失的一阶与二阶导数（均方误差 H = 1；二分类 p(1 − p)；多分类 2p(1 − p)）。",
    "模型重要性为增益：各变量的分裂使损失下降之和的份额；覆盖为经过其分裂的 ΣH 之和的份额。",
    "缺失值交给模型时，每个分裂点学习缺失的行走哪一边；独热编码的定类变量缺失时各列都为 0。",
)


# ---- fields --------------------------------------------------------------------------------------------------------
def round_count() -> Any:
    return integer("基学习器数量", 100, least=1, most=3000)


def rate() -> Any:
    return number("学习率", 0.1, least=0.001, most=1)


def depth() -> Any:
    return integer("树的最大深度", 6, least=1, most=20)


def row_share() -> Any:
    return number("样本采样率", 1, least=0.1, most=1)


def column_share() -> Any:
    return number("树特征采样率", 1, least=0.1, most=1)


def leaf_weight() -> Any:
    return number("叶子节点最小样本权重", 1, least=0, most=100, advanced=True)


def l1() -> Any:
    return number("L1正则项", 0, least=0, most=100, advanced=True)


def l2(default: float = 1) -> Any:
    return number("L2正则项", default, least=0, most=100, advanced=True)


def least_gain() -> Any:
    return number("分裂最小损失下降", 0, least=0, most=100, advanced=True)


def patience() -> Any:
    return integer("早停轮数", 0, least=0, most=200, hint="0 为不启用")


class Weighed:
    """The elements; filled by `XgbLearner.tell_weights`."""

    weighed = Table(
        "树的三种重要性", name=text("变量"), gain=percent("增益"), cover=percent("覆盖"), splits=integer("分裂次数"),
    )  # fmt: skip


class XgbLearner(Weighed, BoostedLearner):
    """A method gives `objective_of`."""

    settings_of: ClassVar[tuple[str, ...]] = (
        "n_estimators", "learning_rate", "max_depth", "subsample", "colsample_bytree", "min_child_weight", "reg_alpha",
        "reg_lambda", "gamma",
    )  # fmt: skip
    starts: ClassVar[dict[str, str]] = {"reg:absoluteerror": "absolute", "count:poisson": "log", "reg:gamma": "log"}

    @classmethod
    def objective_of(cls, params: dict[str, Any]) -> str:
        """Of numbers."""
        return "reg:squarederror"

    @classmethod
    def boost(cls, params: dict[str, Any], rows: Rows, seed: int, tell: Progress, text: str) -> Grown:
        import xgboost

        objective = cls.objective_of(params)
        start = start_of(rows, cls.starts.get(objective, "squared"))
        if rows.k > 1:
            objective = "binary:logistic" if start.classes.size == 2 else "multi:softprob"
        x = rows.x.astype(np.float32)
        data = xgboost.DMatrix(x, label=start.y, weight=rows.weight, nthread=1)
        own_base = np.zeros(1) if start.link == "identity" else start.base
        margins = np.tile(own_base, (x.shape[0], 1))
        data.set_base_margin(margins if own_base.size > 1 else margins[:, 0])
        booster_kind = params.get("booster", "gbtree")
        lines: list[Floats] = []
        of = params["n_estimators"]

        class Steps(xgboost.callback.TrainingCallback):
            def after_iteration(self, model: Any, epoch: int, evals_log: Any) -> bool:
                if booster_kind == "gblinear":
                    lines.append(_line(model, start.base.size))
                return not tell(epoch + 1, of, text)

        given = _settings(params, objective, start, booster_kind, seed)
        fitted = xgboost.train(given, data, of, callbacks=[Steps()], verbose_eval=False)
        if booster_kind == "gblinear":
            return _linear(np.array(lines) * start.scale, start, rows)
        return _of_trees(json.loads(bytes(fitted.save_raw("json"))), start, rows, fitted)

    @classmethod
    def grid(cls) -> dict[str, list[Any]]:
        return {
            "learning_rate": [0.03, 0.1, 0.3], "max_depth": [2, 4, 6], "subsample": [0.6, 1.0],
            "min_child_weight": [1.0, 5.0],
        }  # fmt: skip

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        """About thirty models of the rounds; measured on 2000 and 60000 rows."""
        return (1.5 + 1e-5 * rows * (5 + columns)) * int(form["n_estimators"]) / 100

    # ---- told ------------------------------------------------------------------------------------------------------
    @classmethod
    def own(cls, report: Report, form: Any, found: Any) -> None:
        cls.tell_rounds(report, form, found)
        cls.tell_weights(report, found)

    @classmethod
    def tell_weights(cls, report: Report, found: Any) -> None:
        """Gain, cover and number of splits by variable, the largest gain first."""
        method: Any = cls
        kinds = found.fit.learner.kinds
        if kinds is None:
            report.skip(method.weighed, NO_TREES)
            return
        by = np.array([np.bincount(found.fit.coding.places, kind, minlength=len(found.task.names)) for kind in kinds])
        gain, cover = (row / row.sum() if row.sum() > 0 else row for row in by[:2])
        for j in np.argsort(-gain, kind="stable"):
            cells: dict[str, Any] = {"gain": float(gain[j]), "cover": float(cover[j]), "splits": int(by[2, j])}
            report.row(method.weighed, name=found.task.names[j], **cells)
        report.note(method.weighed, "增益最能说明模型靠什么预测；分裂次数偏向取值多的变量。")


def _settings(params: dict[str, Any], objective: str, start: Start, booster: str, seed: int) -> dict[str, Any]:
    # Of a squared error the gradient has the unit of the outcome, its gain that unit squared.
    unit = start.scale if objective == "reg:squarederror" else 1.0
    given: dict[str, Any] = {
        "objective": objective, "booster": booster, "eta": params["learning_rate"], "alpha": params["reg_alpha"] / unit,
        "lambda": params["reg_lambda"], "nthread": 1, "seed": seed % 2**31, "verbosity": 0,
        "disable_default_eval_metric": 1,
    }  # fmt: skip
    if start.link == "softmax":
        given["num_class"] = start.classes.size
    if booster == "gblinear":
        return given | {"updater": "coord_descent"}
    given |= {
        "tree_method": "hist", "max_depth": params["max_depth"], "subsample": params["subsample"],
        "colsample_bytree": params["colsample_bytree"], "min_child_weight": params["min_child_weight"],
        "gamma": params["gamma"] / unit**2,
    }  # fmt: skip
    return given | ({"rate_drop": DROPPED} if booster == "dart" else {})


def _line(model: Any, margins: int) -> Floats:
    """Columns and the constant × margins."""
    weights = json.loads(bytes(model.save_raw("json")))["learner"]["gradient_booster"]["model"]["weights"]
    return np.array(weights, dtype=np.float64).reshape(-1, margins)


def _linear(lines: Floats, start: Start, rows: Rows) -> Grown:
    known = np.nan_to_num(rows.x.astype(np.float32).astype(np.float64), nan=0.0)
    nothing = np.zeros(0)
    model = Boosted(
        [], nothing, nothing.astype(np.int64), start.base, start.link, start.classes, rows.k, lines, known.mean(axis=0)
    )
    return Grown(model, np.abs(lines[-1][:-1]).sum(axis=1) * known.std(axis=0))


def _of_trees(saved: dict[str, Any], start: Start, rows: Rows, fitted: Any) -> Grown:
    """`kinds`: gain, cover and number of splits of each column."""
    booster = saved["learner"]["gradient_booster"]
    inner = booster.get("gbtree", booster)["model"]
    factors = np.array(booster.get("weight_drop", [1.0] * len(inner["trees"])), dtype=np.float64) * start.scale
    columns = np.array(inner["tree_info"], dtype=np.int64)
    features = rows.x.shape[1]
    kinds = np.zeros((3, features))
    trees = []
    for own in inner["trees"]:
        order = _places(own["left_children"], own["right_children"])
        place = np.full(len(own["left_children"]), -1)
        place[order] = np.arange(order.size)
        left, right = (np.array(own[side])[order] for side in ("left_children", "right_children"))
        splits = left >= 0
        left, right = (np.where(splits, place[side], -1) for side in (left, right))
        feature = np.array(own["split_indices"])[order]
        value = np.array(own["split_conditions"], dtype=np.float32)[order]
        cover, gain = (
            np.array(own[name], dtype=np.float32).astype(np.float64)[order] for name in ("sum_hessian", "loss_changes")
        )
        cover = boosted.summed_cover(left, right, cover)
        # Left is below the cut; scikit-learn's trees take what is equal to it along.
        cut = np.nextafter(value, np.float32(-np.inf)).astype(np.float64)
        nodes = boosted.nodes_of(left, right, feature, cut, np.array(own["default_left"])[order], cover)
        trees.append(boosted.tree_of(nodes, value.astype(np.float64), features, boosted.depth_of(left, right)))
        for kind, amount in enumerate((gain, cover, np.ones(gain.size))):
            kinds[kind] += np.bincount(feature[splits], amount[splits], minlength=features)
    model = Boosted(trees, factors, columns, start.base, start.link, start.classes, rows.k)
    return Grown(model, kinds[0], fitted, kinds=kinds)


def _places(left: list[int], right: list[int]) -> Any:
    """Nodes in use, parents before children: pruned ones stay in the library's lists."""
    order, open_nodes = [], [0]
    while open_nodes:
        node = open_nodes.pop()
        order.append(node)
        if left[node] >= 0:
            open_nodes += [right[node], left[node]]
    return np.array(order)
