from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier

from hengxi.contract import (
    Arrays,
    Chart,
    Points,
    Progress,
    Refusal,
    Report,
    SetRemedy,
    Table,
    choice,
    flag,
    integer,
    interval,
    num,
    number,
    percent,
    text,
)
from hengxi.methods.supervised_learning._shared import reporting
from hengxi.methods.supervised_learning._shared.fitting import Rows
from hengxi.methods.supervised_learning.classifier._shared import tables
from hengxi.methods.supervised_learning.classifier._shared.classifier import CONVENTIONS, Classifier, ClassifierForm
from hengxi.methods.supervised_learning.classifier._shared.found import Found
from hengxi.stats.learning import forests, proximity, shapley
from hengxi.stats.moments import Floats


class RandomForest(Classifier):
    """scikit-learn's forest, grown in steps; kept as arrays of its nodes."""

    title, title_en = "随机森林分类", "Random forest classification"
    slug = "random-forest-classifier"
    family, tier = "机器学习分类", "standard"
    purpose = "综合多棵随机化决策树的判断，得到稳健的分类结果和变量重要性"
    aliases = (
        "RF",
        "随机森林",
        "树模型",
        "决策树",
        "变量重要性",
        "特征重要性",
        "SHAP",
        "预测是否",
        "会不会",
        "机器学习",
    )
    references = (
        "breiman2001", "breiman1984", "strobl2007", "delong1988", "wilson1927", "cohen1960", "gorodkin2004",
        "brier1950", "lundberg2020", "bergstra2011", "torgerson1952",
    )  # fmt: skip
    conventions = (
        *CONVENTIONS,
        "各树的种子由随机种子一次抽定，同样的数据、设置与种子，用几个核、分几步都得到同一片森林；变量以单精度比较。",
        "类别概率是各树叶子里类别占比的平均。模型重要性是各树不纯度下降的平均，合计 100%，偏向取值多的变量。",
        "SHAP：TreeSHAP，沿树路径取条件期望，概率尺度；独热编码的各列相加为一个变量。",
        f"训练集超过 {forests.MOST_DRAWN} 行时，每棵树各自从中有放回地抽取 {forests.MOST_DRAWN} 行学习；"
        f"不用有放回采样时，各树都用随机抽取的同样 {forests.MOST_DRAWN} 行。",
        "邻近度：两行落在同一片叶子的树的比例，只计两行都没参与训练的树（有两行没有这样的树时计所有的树）；图为经典多维标度（Torgerson）。",
        "袋外：每行只由没抽到它的树预测；最大特征数的平方根与对数向下取整，至少 1 个，按编码后的列数计。",
    )

    class Input(ClassifierForm):
        n_estimators: int = integer("决策树数量", 100, least=10, most=2000)
        criterion: str = choice(
            "节点分裂评价准则", {"gini": "Gini 不纯度", "entropy": "信息熵", "log_loss": "对数损失"}
        )
        max_features: str = choice(
            "划分时考虑的最大特征数", {"sqrt": "平方根", "log2": "对数", "all": "全部", "share": "占比"}
        )
        max_features_value: float = number("占比", 0.5, least=0.01, most=1, when={"max_features": "share"})
        max_depth: int | None = integer("树的最大深度", None, least=1, most=100, auto="不限")
        min_samples_split: int = integer("内部节点分裂的最小样本数", 2, least=2, most=1000, advanced=True)
        min_samples_leaf: int = integer("叶子节点的最小样本数", 1, least=1, most=1000)
        max_leaf_nodes: int | None = integer(
            "叶子节点的最大数量", None, least=2, most=10000, auto="不限", advanced=True
        )
        ccp_alpha: float = number("代价复杂度剪枝系数", 0, least=0, most=1, advanced=True)
        bootstrap: bool = flag("有放回采样", True)
        oob_score: bool = flag("袋外评估", True)

    oob = Table(
        "袋外评估", layout="record", n=integer("有袋外预测的行数"), accuracy=percent("袋外准确率"),
        ci=interval("95% CI", "low", "high", around="accuracy", format="percent"), balanced=percent("袋外平衡准确率"),
        kappa=num("Kappa", most=1), when={"oob_score": True},
    )  # fmt: skip
    errors = Points("袋外误差的点", trees=integer("树的数量"), error=num("袋外误差"), when={"oob_score": True})
    errors_plot = Chart(
        "袋外误差与树的数量", "line", of=errors, x="trees", y="error", when={"oob_score": True}, place="detail"
    )

    near = Points("样本邻近度 MDS 图", series=text("真实类别"), x=num("第一维"), y=num("第二维"))
    near_plot = Chart("样本邻近度 MDS 图", "point", of=near, x="x", y="y", series="series", place="detail")

    @classmethod
    def params(cls, form: Any) -> dict[str, Any]:
        if form.oob_score and not form.bootstrap:
            remedies = [
                SetRemedy(title="开启有放回采样", set={"bootstrap": True}),
                SetRemedy(title="不做袋外评估", set={"oob_score": False}),
            ]
            text = "“袋外评估”需要开启“有放回采样”"
            raise Refusal("data.oob", text, field="oob_score", also=["bootstrap"], remedies=remedies)
        names = ("n_estimators", "criterion", "max_features", "max_features_value", "max_depth", "min_samples_split",
                 "min_samples_leaf", "max_leaf_nodes", "ccp_alpha", "bootstrap")  # fmt: skip
        return {name: getattr(form, name) for name in names}

    @classmethod
    def learn(cls, params: dict[str, Any], rows: Rows, seed: int, tell: Progress, text: str) -> Grown:
        own = {name: value for name, value in params.items() if name not in ("n_estimators", "max_features_value")}
        share = {"all": None, "share": params["max_features_value"]}
        own["max_features"] = share.get(params["max_features"], params["max_features"])
        if rows.y.size > forests.MOST_DRAWN:
            if own["bootstrap"]:
                own["max_samples"] = forests.MOST_DRAWN
            else:
                rows = rows.part(forests.MOST_DRAWN, seed)
        forest = RandomForestClassifier(**own, random_state=seed, n_jobs=1)
        grown = forests.grow(forest, rows.x, rows.y, rows.weight, params["n_estimators"], tell, text)
        return Grown(forests.forest_of(grown, rows.k), grown)

    @classmethod
    def answers(cls, learner: Grown, x: Floats) -> Floats:
        return learner.forest.probabilities(x)

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
    def own(cls, report: Report, form: Any, found: Found) -> None:
        if found.task.train.size > forests.MOST_DRAWN:
            text = "训练集有 {n:integer} 行，每棵树从中有放回地抽取 {k:integer} 行学习。"
            if not form.bootstrap:
                text = "训练集有 {n:integer} 行，各树都用从中随机抽取的同样 {k:integer} 行学习。"
            report.note(cls.settings, text, n=int(found.task.train.size), k=forests.MOST_DRAWN)
        cls._map(report, form, found)
        if not form.oob_score:
            return
        task = found.task
        coded = found.fit.coding.apply(task.x[task.train])
        shares, errors = forests.out_of_bag(found.fit.learner.library, coded, task.y[task.train], task.k)
        seen = ~np.isnan(shares[:, 0])
        if not seen.any():
            for element in (cls.oob, cls.errors):
                report.skip(element, "没有一行有袋外预测，请增加树的数量")
            return
        y = task.y[task.train][seen]
        one = found.out_of_bag = found.scored(y, shares[seen])
        report.row(
            cls.oob, n=one.n, accuracy=one.accuracy, low=one.low, high=one.high, balanced=one.balanced, kappa=one.kappa
        )
        tables.write_confusion(report, cls, task.classes, y, found.called(shares[seen]), "袋外")
        places = np.arange(1, errors.size + 1)
        known = ~np.isnan(errors)
        report.add_rows(cls.errors, {"trees": places[known], "error": errors[known]})
        if not seen.all():
            text = "{k:integer} 行被每棵树都抽到过，没有袋外预测；树再多一些就会有。"
            report.note(cls.oob, text, k=int((~seen).sum()))

    @classmethod
    def _map(cls, report: Report, form: Any, found: Found) -> None:
        """Rows that share leaves lie close; trees judge rows they did not see, for they know the others by heart."""
        task, most = found.task, proximity.MOST_ROWS
        if found.stopped or task.y.size > most:
            report.skip(cls.near, reporting.STOPPED if found.stopped else f"样本量超过 {most} 行，不画邻近度图")
            return
        leaves = forests.leaves(found.fit.learner.forest, found.fit.coding.apply(task.x))
        seen = None
        if form.bootstrap:
            seen = np.zeros(leaves.shape, dtype=bool)
            seen[task.train] = forests.in_bag(found.fit.learner.library, task.train.size)
        drawn = proximity.draw(leaves, seen)
        series = np.array(task.classes, dtype=object)[task.y]
        report.add_rows(cls.near, {"series": series, "x": drawn.x, "y": drawn.y})
        trees = "只计两行都没参与训练的树" if drawn.unseen else "计所有的树"
        text = "两行的距离是 1 −（落在同一片叶子的树的比例），{trees}；用经典多维标度画成两维"
        text += "。" if drawn.share is None else "，占正特征值之和的 {share:percent}。"
        report.note(cls.near_plot, text, trees=trees, **({} if drawn.share is None else {"share": drawn.share}))
        text = "同类聚成一团、与他类分开，说明模型分得清；混在他类里的点值得回头核对。"
        if not drawn.unseen:
            text = (
                "训练行也在内，模型认得它们，同类会聚得过紧：分得开不等于对新数据也分得清；混在他类里的点值得回头核对。"
            )
        report.note(cls.near_plot, text)


class Grown:
    """The forest as it answers, and the library's object while it is at hand (not after it was stored)."""

    def __init__(self, forest: forests.Forest, library: Any) -> None:
        self.forest, self.library = forest, library
