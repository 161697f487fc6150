"""LightGBM, whatever it predicts: settings, training, and its model kept as its own text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hengxi.contract import Arrays, Progress, Report, Table, choice, flag, integer, number, percent, text
from hengxi.methods.supervised_learning._shared.boosting import BoostedLearner, Grown, start_of
from hengxi.methods.supervised_learning._shared.fitting import Rows
from hengxi.methods.supervised_learning._shared.libraries import loaded
from hengxi.stats.learning import boosted, shapley
from hengxi.stats.learning.boosted import Boosted
from hengxi.stats.learning.shapley import Shapley
from hengxi.stats.moments import Floats

PER_LEAF, FEW = 20, 5
"""A leaf's least rows are at most a twentieth of the training rows, or five."""
GROUP = 100
"""Rows of a level below which LightGBM leaves it alone, where there are rows enough."""
FAR = 0.9
"""Of Huber's loss: the share of the deviations from the start that counts as near."""
CONVENTIONS = (
    "LightGBM 4.7.0：deterministic、force_row_wise，一个线程，种子固定；每个变量至多 255 箱，双精度比较与相加，"
    "因变量与导数以单精度存放。模型保存为 LightGBM 自己的文本。",
    "起点：分类为各类（加权）占比的对数，均方误差为均值，绝对误差与 Huber 为中位数，泊松为均值的对数；"
    "随机森林方式（rf）的起点由它自己求。数值先减起点再除以 2 的幂，正则项随之换算，结果不变。",
    "叶子值 = −η ΣG/(ΣH + λ)，G、H 为损失的一阶与二阶导数；采样率小于 1 时每轮重新抽取。",
    f"叶子节点的最小样本数至多为训练行数的 1/{PER_LEAF}（不少于 {FEW}），设得更大时自动下调；"
    f"原生处理定类变量时，一个水平的最少行数为 {GROUP}，行数少时同样下调。",
    "缺失值交给模型时，每个分裂点学习缺失的行走哪一边；原生处理的定类变量缺失时走右边，独热编码时各列都为 0。",
    "模型重要性为增益：各变量的分裂使损失下降之和的份额。SHAP 的分支按训练的行数加权。",
)


# ---- fields --------------------------------------------------------------------------------------------------------
def round_count() -> Any:
    return integer("基学习器数量", 100, least=1, most=3000)


def rate() -> Any:
    return number("学习率", 0.1, least=0.001, most=1)


def leaf_count() -> Any:
    return integer("最大叶子数", 31, least=2, most=1000)


def depth() -> Any:
    return integer("树的最大深度", -1, least=-1, most=50, hint="-1 为不限", advanced=True)


def leaf_rows() -> Any:
    return integer("叶子节点的最小样本数", 20, least=1, most=1000)


def row_share() -> Any:
    return number("样本采样率", 1, least=0.1, most=1)


def column_share() -> Any:
    return number("树特征采样率", 1, least=0.1, most=1)


def l1() -> Any:
    return number("L1正则项", 0, least=0, most=100, advanced=True)


def l2() -> Any:
    return number("L2正则项", 0, least=0, most=100, advanced=True)


def native() -> Any:
    return flag("定类变量原生处理", True, hint="按水平分组分裂，不用上面的编码")


def way() -> Any:
    return choice("提升方式", {"gbdt": "梯度提升", "dart": "DART", "rf": "随机森林"}, advanced=True)


class Weighed:
    """The elements; filled by `LgbmLearner.tell_weights`."""

    weighed = Table("树的两种重要性", name=text("变量"), gain=percent("增益"), splits=integer("分裂次数"))


@dataclass
class LightModel(Boosted):
    """LightGBM's own trees: they may split on groups of levels, which scikit-learn's cannot.

    `mean`: trees are averaged; `factor`: what their sum is multiplied by.
    """

    booster: Any = None
    mean: bool = False
    factor: float = 1.0

    @property
    def rounds(self) -> int:
        return int(self.booster.current_iteration())

    def margins(self, coded: Floats) -> Floats:
        return self.base + self._sum(coded, 0, self.rounds) * (self.factor / (self.rounds if self.mean else 1))

    def _sum(self, coded: Floats, start: int, rounds: int) -> Floats:
        raw = self.booster.predict(coded, raw_score=True, start_iteration=start, num_iteration=rounds, num_threads=1)
        return np.asarray(raw, dtype=np.float64).reshape(coded.shape[0], self.base.size)

    def stages(self, coded: Floats) -> Iterator[Floats]:
        total = np.zeros((coded.shape[0], self.base.size))
        for done in range(self.rounds):
            total += self._sum(coded, done, 1)
            yield self._linked(self.base + total * (self.factor / (done + 1 if self.mean else 1)))

    def shap(self, coded: Floats) -> Shapley:
        rounds = self.rounds
        raw = np.asarray(self.booster.predict(coded, pred_contrib=True, num_iteration=rounds, num_threads=1))
        parts = raw.reshape(coded.shape[0], self.base.size, coded.shape[1] + 1).transpose(0, 2, 1)
        parts = parts * (self.factor / (rounds if self.mean else 1))
        return Shapley(self.spread(parts[:, :-1]), self.spread(self.base + parts[0, -1]))


class LgbmLearner(Weighed, BoostedLearner):
    """A method gives `objective_of`."""

    settings_of: ClassVar[tuple[str, ...]] = (
        "n_estimators", "learning_rate", "num_leaves", "max_depth", "min_child_samples", "subsample", "reg_alpha",
        "reg_lambda", "native_cat",
    )  # fmt: skip
    starts: ClassVar[dict[str, str]] = {"l1": "absolute", "huber": "absolute", "quantile": "absolute", "poisson": "log"}

    @classmethod
    def objective_of(cls, params: dict[str, Any]) -> str:
        """Of numbers."""
        return "l2"

    @classmethod
    def encoding(cls, form: Any) -> str:
        return "ordinal" if form.native_cat else str(form.encode)

    @classmethod
    def boost(cls, params: dict[str, Any], rows: Rows, seed: int, tell: Progress, text: str) -> Grown:
        lightgbm = loaded("lightgbm")
        objective, alpha = cls.objective_of(params), params.get("alpha", 0.5)
        start = start_of(rows, cls.starts.get(objective, "squared"), alpha if objective == "quantile" else 0.5)
        given = _settings(params, rows, seed)
        if rows.k > 1:
            objective = "binary" if start.classes.size == 2 else "multiclass"
        if objective == "multiclass":
            given["num_class"] = start.classes.size
        given["objective"] = objective
        if objective == "l2":
            given["lambda_l1"] /= start.scale
        if objective in ("quantile", "huber"):
            given["alpha"] = alpha if objective == "quantile" else max(float(np.quantile(np.abs(start.y), FAR)), 1e-6)
        mean = given["boosting"] == "rf"
        own_base = np.zeros(start.base.size) if mean or start.link == "identity" else start.base
        begun = None if mean else np.tile(own_base, (rows.y.size, 1)).squeeze(axis=1 if own_base.size == 1 else ())
        grouped = [j for j, place in enumerate(rows.places) if rows.kinds[place] > 0] if params["native_cat"] else []
        data = lightgbm.Dataset(
            rows.x, start.y, weight=rows.weight, init_score=begun,
            categorical_feature=grouped, params=given, free_raw_data=True,
        )  # fmt: skip
        of = params["n_estimators"]

        def step(env: Any) -> None:
            if not tell(env.iteration + 1, of, text):
                raise lightgbm.callback.EarlyStopException(env.iteration, [])

        booster = lightgbm.train(given, data, of, callbacks=[step])
        model = _model(booster, mean, start.scale, own_base if mean else start.base, start, rows.k)
        kinds = np.array([booster.feature_importance(kind) for kind in ("gain", "split")], dtype=np.float64)
        return Grown(model, kinds[0], booster, kinds=kinds)

    @classmethod
    def grid(cls) -> dict[str, list[Any]]:
        return {
            "learning_rate": [0.03, 0.1, 0.3], "num_leaves": [7, 15, 31], "min_child_samples": [5, 10, 20],
            "reg_lambda": [0.0, 1.0],
        }  # fmt: skip

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        """About thirty models of the rounds; measured on 2000 and 60000 rows."""
        return (2.0 + 1e-5 * rows * (5 + columns)) * int(form["n_estimators"]) / 100

    # ---- explaining, storing ---------------------------------------------------------------------------------------
    @classmethod
    def explainer(cls, learner: Grown, x: Floats, k: int) -> Shapley:
        return learner.model.shap(x) if isinstance(learner.model, LightModel) else boosted.shap(learner.model, x)

    @classmethod
    def explained_rows(cls, learner: Grown, rows: int) -> int:
        if not isinstance(learner.model, LightModel):
            return rows
        leaves = learner.model.rounds * learner.model.base.size * int(learner.model.booster.params["num_leaves"])
        return shapley.rows_to_explain(leaves, rows)

    @classmethod
    def stored(cls, learner: Grown) -> Arrays:
        arrays = super().stored(learner)
        model = learner.model
        if isinstance(model, LightModel):
            words = model.booster.model_to_string(num_iteration=model.rounds).encode()
            arrays["light.text"] = np.frombuffer(words, dtype=np.uint8)
            arrays["light.factor"] = np.array([model.factor, float(model.mean)])
        return arrays

    @classmethod
    def restored(cls, arrays: Arrays, k: int) -> Grown:
        grown = super().restored(arrays, k)
        if "light.text" in arrays:
            booster = loaded("lightgbm").Booster(model_str=arrays["light.text"].tobytes().decode())
            factor, mean = arrays["light.factor"]
            grown.model = _model(booster, bool(mean), float(factor), grown.model.base, grown.model, max(k, 1))
        return grown

    # ---- told ------------------------------------------------------------------------------------------------------
    @classmethod
    def own(cls, report: Report, form: Any, found: Any) -> None:
        cls.tell_rounds(report, form, found)
        cls.tell_weights(report, found)
        n = int(found.task.train.size)
        asked = int(found.params["min_child_samples"])
        if (taken := leaf_rows_of(asked, n)) < asked:
            text = (
                "训练集只有 {n:integer} 行，“叶子节点的最小样本数”由 {asked:integer} 自动下调为 {taken:integer}；"
                "不下调时，树几乎不能分裂。交叉验证的各折行数更少，按各自的行数下调。"
            )
            report.check("叶子的最小样本数", "care", text, n=n, asked=asked, taken=taken)

    @classmethod
    def tell_weights(cls, report: Report, found: Any) -> None:
        """Gain and number of splits by variable, the largest gain first."""
        method: Any = cls
        places, names = found.fit.coding.places, found.task.names
        kinds = found.fit.learner.kinds
        kinds = np.zeros((2, places.size)) if kinds is None else kinds
        gain, splits = (np.bincount(places, kind, minlength=len(names)) for kind in kinds)
        gain = gain / gain.sum() if gain.sum() > 0 else gain
        for j in np.argsort(-gain, kind="stable"):
            report.row(method.weighed, name=names[j], gain=float(gain[j]), splits=int(splits[j]))
        report.note(method.weighed, "增益最能说明模型靠什么预测；分裂次数偏向取值多的变量。")


def leaf_rows_of(asked: int, rows: int) -> int:
    return min(asked, max(FEW, rows // PER_LEAF))


def _settings(params: dict[str, Any], rows: Rows, seed: int) -> dict[str, Any]:
    n = rows.y.size
    return {
        "boosting": params.get("boosting_type", "gbdt"), "learning_rate": params["learning_rate"],
        "num_leaves": params["num_leaves"], "max_depth": params["max_depth"],
        "min_data_in_leaf": leaf_rows_of(params["min_child_samples"], n), "min_data_per_group": leaf_rows_of(GROUP, n),
        "bagging_fraction": params["subsample"], "bagging_freq": int(params["subsample"] < 1),
        "feature_fraction": params.get("colsample_bytree", 1.0), "lambda_l1": params["reg_alpha"],
        "lambda_l2": params["reg_lambda"], "boost_from_average": params.get("boosting_type") == "rf",
        "feature_pre_filter": False, "deterministic": True, "force_row_wise": True, "num_threads": 1,
        "seed": seed % 2**31, "verbosity": -1,
    }  # fmt: skip


def _model(booster: Any, mean: bool, factor: float, base: Floats, like: Any, k: int) -> LightModel:
    nothing, none = np.zeros(0), np.zeros(0, dtype=np.int64)
    own: dict[str, Any] = {"booster": booster, "mean": mean, "factor": factor}
    return LightModel([], nothing, none, base, like.link, like.classes, k, **own)
