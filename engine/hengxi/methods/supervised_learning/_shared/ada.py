"""AdaBoost of scikit-learn, whatever it predicts: settings, training that can be stopped, rounds told."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar

import numpy as np

from hengxi.contract import Arrays, Progress, Report, integer, number
from hengxi.methods.supervised_learning._shared.boosting import BoostedLearner, Grown, cannot_learn
from hengxi.methods.supervised_learning._shared.explained import BY_COALITIONS
from hengxi.methods.supervised_learning._shared.fitting import Rows
from hengxi.stats.learning import forests, voted
from hengxi.stats.learning.voted import Voted
from hengxi.stats.moments import Floats

MOST_LEARNED = 50_000
CONVENTIONS = (
    "损失与轮数：从训练行里留出 20%（洗牌时由随机种子抽取，分类时每类各 20%；不洗牌时为最后的 20%），"
    "其余的行另训练一次，逐轮计算两部分的损失，按训练的权重平均。测试集不参与。",
    f"基学习器是决策树，变量以单精度比较；训练集超过 {MOST_LEARNED} 行时随机抽取这么多行学习。",
    "模型重要性是各树误差下降份额按树的权重的平均，合计 100%。",
    "SHAP：缺席的变量取 30 个背景行的值再平均，问遍全部组合；超过 12 个自变量时不做。",
)


# ---- fields --------------------------------------------------------------------------------------------------------
def round_count() -> Any:
    return integer("基学习器数量", 100, least=1, most=1000)


def rate() -> Any:
    return number("学习率", 1, least=0.001, most=10)


def depth(default: int) -> Any:
    return integer("基决策树深度", default, least=1, most=10)


class AdaLearner(BoostedLearner):
    """A method names the library's classes of the whole and of its trees."""

    shap_kind: ClassVar[str] = BY_COALITIONS
    library: ClassVar[Any]
    tree: ClassVar[Any]
    settings_of: ClassVar[tuple[str, ...]] = ("n_estimators", "learning_rate", "base_depth")

    @classmethod
    def boost(cls, params: dict[str, Any], rows: Rows, seed: int, tell: Progress, text: str) -> Grown:
        of = params["n_estimators"]
        if rows.y.size > MOST_LEARNED:
            rows = rows.part(MOST_LEARNED, seed)

        library = cls.library

        class Told(library):  # type: ignore[misc, valid-type]
            """Asked before each round whether to go on."""

            def _boost(self, iboost: int, *given: Any, **named: Any) -> Any:
                if iboost and not tell(iboost, of, text):
                    return None, None, None
                return super()._boost(iboost, *given, **named)

        own = {name: params[name] for name in cls.settings_of if name != "base_depth"}
        fitted = Told(estimator=cls.tree(max_depth=params["base_depth"]), random_state=seed, **own)
        x = np.ascontiguousarray(rows.x, dtype=np.float32)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # A weight that overflows ends the rounds; the report says where.
            try:
                fitted.fit(x, rows.y, rows.weight)
            except ValueError:
                if rows.k == 1:
                    raise
                return hopeless(rows)
        model = model_of(fitted, rows.k)
        # A first tree that was too bad is kept with no weight: the importance is its own.
        weigher = fitted if model.weights.any() else fitted.estimators_[0]
        return Grown(model, np.asarray(weigher.feature_importances_), fitted)  # type: ignore[arg-type]

    @classmethod
    def learn(cls, params: dict[str, Any], rows: Rows, seed: int, tell: Progress, text: str) -> Grown:
        return hopeless(rows) if cannot_learn(rows) else cls.boost(params, rows, seed, tell, text)

    @classmethod
    def explained_answers(cls, learner: Grown, x: Floats, answers: Floats) -> Floats:
        return answers

    @classmethod
    def shap_kind_of(cls, learner: Grown) -> str:
        return cls.shap_kind

    @classmethod
    def stored(cls, learner: Grown) -> Arrays:
        return voted.pack(learner.model)  # type: ignore[arg-type]

    @classmethod
    def restored(cls, arrays: Arrays, k: int) -> Grown:
        return Grown(voted.unpack(arrays))  # type: ignore[arg-type]

    @classmethod
    def grid(cls) -> dict[str, list[Any]]:
        return {"learning_rate": [0.1, 0.3, 1.0, 2.0], "base_depth": [1, 2, 3, 5]}

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        """About thirty models of the rounds; measured on 2000 and 60000 rows."""
        return (4.0 + 4e-5 * rows * (5 + columns)) * int(form["n_estimators"]) / 100

    @classmethod
    def tell_end(cls, report: Report, form: Any, found: Any) -> None:
        """Why there are fewer rounds than asked for."""
        learner = found.fit.learner
        done, asked = learner.model.rounds, int(found.params["n_estimators"])
        if done >= asked or found.stopped or not learner.model.weights.any():
            return
        facts: dict[str, Any] = {"t": done, "asked": asked}
        if learner.library.estimator_errors_[done - 1] == 0:
            text = "第 {t:integer} 轮已完全拟合训练行，迭代提前结束（原定 {asked:integer} 轮）。"
        else:
            text = cls.worse + "迭代停在第 {t:integer} 轮（原定 {asked:integer} 轮）。"
        report.check("提前停止", "pass", text, **facts)

    worse: ClassVar[str]
    """What the round after the last one was like."""


def hopeless(rows: Rows) -> Grown:
    """No tree is better than chance: the shares of the classes."""
    shares = np.bincount(rows.y, weights=rows.weight, minlength=rows.k)
    nothing = forests.Forest([], np.arange(rows.k), rows.k)
    model = Voted(nothing, np.zeros(0), shares / shares.sum())
    return Grown(model, np.zeros(rows.x.shape[1]))  # type: ignore[arg-type]


def model_of(fitted: Any, k: int) -> Voted:
    forest = forests.forest_of(fitted, k)
    return Voted(forest, np.asarray(fitted.estimator_weights_[: len(forest.trees)], dtype=np.float64))
