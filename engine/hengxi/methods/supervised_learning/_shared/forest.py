"""Forests of scikit-learn, whatever they predict: settings, growing in steps, storing, TreeSHAP."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from hengxi.contract import Arrays, Progress, Refusal, SetRemedy, choice, flag, integer, number
from hengxi.methods.supervised_learning._shared.explained import TREES
from hengxi.methods.supervised_learning._shared.fitting import Rows
from hengxi.stats.learning import forests, shapley
from hengxi.stats.moments import Floats

CONVENTIONS = (
    "各树的种子由随机种子一次抽定，同样的数据、设置与种子，用几个核、分几步都得到同一片森林；变量以单精度比较。",
    f"训练集超过 {forests.MOST_DRAWN} 行时，每棵树各自从中有放回地抽取 {forests.MOST_DRAWN} 行学习；"
    f"不用有放回采样时，各树都用随机抽取的同样 {forests.MOST_DRAWN} 行。",
    "袋外：每行只由没抽到它的树预测；最大特征数的平方根与对数向下取整，至少 1 个，按编码后的列数计。",
)
NAMES = (
    "n_estimators", "criterion", "max_features", "max_features_value", "max_depth", "min_samples_split",
    "min_samples_leaf", "max_leaf_nodes", "ccp_alpha", "bootstrap",
)  # fmt: skip


# ---- fields --------------------------------------------------------------------------------------------------------
def tree_count() -> Any:
    return integer("决策树数量", 100, least=10, most=2000)


def feature_share(default: str) -> Any:
    options = {"sqrt": "平方根", "log2": "对数", "all": "全部", "share": "占比"}
    first = {default: options[default]}
    return choice("划分时考虑的最大特征数", first | options)


def feature_part() -> Any:
    return number("占比", 0.5, least=0.01, most=1, when={"max_features": "share"})


def depth(default: int | None = None) -> Any:
    return integer("树的最大深度", default, least=1, most=100, auto="不限")


def split_rows() -> Any:
    return integer("内部节点分裂的最小样本数", 2, least=2, most=1000, advanced=True)


def leaf_rows() -> Any:
    return integer("叶子节点的最小样本数", 1, least=1, most=1000)


def leaf_count(default: int | None = None) -> Any:
    return integer("叶子节点的最大数量", default, least=2, most=10000, auto="不限", advanced=True)


def pruning(most: float = 1) -> Any:
    return number("代价复杂度剪枝系数", 0, least=0, most=most, advanced=True)


def drawn(default: bool) -> Any:
    return flag("有放回采样", default)


def out_of_bag(default: bool) -> Any:
    return flag("袋外评估", default)


def features_of(params: dict[str, Any]) -> Any:
    """`max_features` as the library wants it."""
    share = {"all": None, "share": params["max_features_value"]}
    return share.get(params["max_features"], params["max_features"])


class Grown:
    """The forest as it answers, and the library's object while it is at hand (not after it was stored)."""

    def __init__(self, forest: forests.Forest, library: Any) -> None:
        self.forest, self.library = forest, library


class GrownTrees:
    """What a fitted tree and a forest answer, weigh, explain and store alike."""

    shap_kind: ClassVar[str] = TREES
    library: ClassVar[Any]
    """scikit-learn's class."""

    @classmethod
    def answers(cls, learner: Grown, x: Floats) -> Floats:
        return learner.forest.answers(x)

    @classmethod
    def weights_of(cls, learner: Grown) -> Floats | None:
        return np.asarray(learner.library.feature_importances_)

    @classmethod
    def explainer(cls, learner: Grown, x: Floats, k: int) -> shapley.Shapley:
        return shapley.of_trees(learner.library, x, k)

    @classmethod
    def explained_rows(cls, learner: Grown, rows: int) -> int:
        return shapley.rows_to_explain(shapley.leaves_of(learner.library), rows)

    @classmethod
    def stored(cls, learner: Grown) -> Arrays:
        return forests.pack(learner.forest)

    @classmethod
    def restored(cls, arrays: Arrays, k: int) -> Grown:
        return Grown(forests.unpack(arrays), None)


class ForestLearner(GrownTrees):
    """A method names the library's class; the rest is alike."""

    @classmethod
    def params(cls, form: Any) -> dict[str, Any]:
        if form.oob_score and not form.bootstrap:
            remedies = [
                SetRemedy(title="开启有放回采样", set={"bootstrap": True}),
                SetRemedy(title="不做袋外评估", set={"oob_score": False}),
            ]
            text = "“袋外评估”需要开启“有放回采样”"
            raise Refusal("data.oob", text, field="oob_score", also=["bootstrap"], remedies=remedies)
        return {name: getattr(form, name) for name in NAMES}

    @classmethod
    def learn(cls, params: dict[str, Any], rows: Rows, seed: int, tell: Progress, text: str) -> Grown:
        own = {name: value for name, value in params.items() if name not in ("n_estimators", "max_features_value")}
        own["max_features"] = features_of(params)
        if rows.y.size > forests.MOST_DRAWN:
            if own["bootstrap"]:
                own["max_samples"] = forests.MOST_DRAWN
            else:
                rows = rows.part(forests.MOST_DRAWN, seed)
        forest = cls.library(**own, random_state=seed, n_jobs=1)
        grown = forests.grow(forest, rows.x, rows.y, rows.weight, params["n_estimators"], tell, text)
        return Grown(forests.forest_of(grown, rows.k), grown)

    @classmethod
    def grid(cls) -> dict[str, list[Any]]:
        return {
            "max_features": ["sqrt", "log2", "all"],
            "min_samples_leaf": [1, 2, 5, 10],
            "max_depth": [None, 5, 10, 20],
        }

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        """A hundred trees thirty times over, and their answers to shuffled variables; measured on 150 and 2000 rows."""
        return (3.0 + 9e-5 * rows * (9 + columns)) * int(form["n_estimators"]) / 100

    @classmethod
    def note_drawn(cls, report: Any, form: Any, found: Any) -> None:
        """Trees that learned from a part of the rows."""
        method: Any = cls
        if found.task.train.size <= forests.MOST_DRAWN:
            return
        text = "训练集有 {n:integer} 行，每棵树从中有放回地抽取 {k:integer} 行学习。"
        if not form.bootstrap:
            text = "训练集有 {n:integer} 行，各树都用从中随机抽取的同样 {k:integer} 行学习。"
        report.note(method.settings, text, n=int(found.task.train.size), k=forests.MOST_DRAWN)
