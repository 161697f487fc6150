"""One decision tree, whatever it predicts: learning, the drawing, its rules, and how much to prune."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hengxi.contract import (
    Chart,
    Points,
    Progress,
    Refusal,
    Report,
    SetRemedy,
    Table,
    choice,
    integer,
    num,
    text,
)
from hengxi.methods.supervised_learning._shared.fitting import Rows, fold_rows, is_long
from hengxi.methods.supervised_learning._shared.forest import Grown, GrownTrees, features_of
from hengxi.stats.learning import forests
from hengxi.stats.learning.features import Coding
from hengxi.stats.moments import Floats
from hengxi.stats.names import number_words

MOST_DRAWN = 63
"""Nodes of the figure: a larger tree is drawn down to the depth that fits, the rules hold all of it."""
MOST_RULES = 1000
MOST_ALPHAS = 30
NAMES = (
    "criterion", "splitter", "max_features", "max_features_value", "max_depth", "min_samples_split",
    "min_samples_leaf", "max_leaf_nodes", "ccp_alpha",
)  # fmt: skip
CONVENTIONS = (
    "变量以单精度比较；几个分裂一样好时由随机种子决定取哪个。分裂使加权的不纯度（或误差）下降最多。",
    "剪枝路径：训练行上各剪枝系数（至多 30 个，均匀取）的树，得分由交叉验证的各折求得；"
    "一倍标准误规则取得分与最好的相差不超过最好者标准误的最小的树。",
)


def splitter() -> Any:
    return choice("划分点选择标准", {"best": "最好的划分点", "random": "随机划分点里最好的"}, advanced=True)


@dataclass
class Node:
    """A node as it is told: the way to it, and what the training rows in it are."""

    id: int
    parent: int | None
    depth: int
    condition: str
    path: list[str]
    is_leaf: bool


class TreeLearner(GrownTrees):
    """A method names the library's class and words for a node."""

    path_title: ClassVar[str]
    """What the figure of pruning shows: 准确率, RMSE."""
    higher_is_better: ClassVar[bool]

    drawn = Points("决策树的节点", id=text("节点"), parent=text("上一节点"), label=text("条件"), n=integer("训练行数"))
    tree_plot = Chart("决策树", "tree", of=drawn, node="id", parent="parent", label="label", draw="rules", place="main")
    pruned = Table(
        "剪枝路径", alpha=num("剪枝系数"), leaves=integer("叶子数"), score=num("交叉验证得分"),
        se=num("标准误", least=0), place="detail",
    )  # fmt: skip
    pruned_plot = Chart("剪枝路径", "line", of=pruned, x="leaves", y="score", place="detail")

    @classmethod
    def words_of(cls, tree: Any, node: int, task: Any) -> str:
        """What the node answers, in words."""
        raise NotImplementedError

    @classmethod
    def write_rule(cls, report: Report, number: int, condition: str, tree: Any, node: int, task: Any, y: Any) -> None:
        """One leaf; `y`: the outcomes of its training rows."""
        raise NotImplementedError

    @classmethod
    def quality(cls, task: Any, answers: Floats, rows: Any) -> float:
        """The score of the figure of pruning."""
        raise NotImplementedError

    @classmethod
    def params(cls, form: Any) -> dict[str, Any]:
        return {name: getattr(form, name) for name in NAMES}

    @classmethod
    def learn(cls, params: dict[str, Any], rows: Rows, seed: int, tell: Progress, text: str) -> Grown:
        own = {name: value for name, value in params.items() if name != "max_features_value"}
        own["max_features"] = features_of(params)
        tree = cls.library(**own, random_state=seed)
        tree.fit(np.ascontiguousarray(rows.x, dtype=np.float32), rows.y, sample_weight=rows.weight)
        tell(1, 1, text)
        return Grown(forests.forest_of(tree, rows.k), tree)

    @classmethod
    def grid(cls) -> dict[str, list[Any]]:
        return {"max_depth": [2, 3, 4, 5, 7, 10, None], "min_samples_leaf": [1, 2, 5, 10, 20]}

    @classmethod
    def judge_leaf(cls, form: Any, n: int) -> None:
        """Leaves of more than half the training rows leave nothing to split."""
        if form.min_samples_leaf > n / 2:
            text = "“叶子节点的最小样本数”{k} 超过训练集 {n} 行的一半，树无法分裂；请改小"
            remedy = SetRemedy(title="改为 5", set={"min_samples_leaf": 5})
            raise Refusal("data.leaf", text, field="min_samples_leaf", remedies=[remedy], k=form.min_samples_leaf, n=n)

    # ---- told ------------------------------------------------------------------------------------------------------
    @classmethod
    def tell_tree(cls, report: Report, form: Any, found: Any) -> None:
        """The drawing, the rules and the path of pruning."""
        method: Any = cls
        tree = found.fit.learner.library.tree_
        nodes = _nodes(tree, found)
        most = _depth_drawn(nodes)
        for node in nodes:
            if node.depth <= most:
                n = int(tree.n_node_samples[node.id])
                label = f"{node.condition}\n{cls.words_of(tree, node.id, found.task)}，{n} 行"
                parent = None if node.parent is None else str(node.parent)
                report.row(method.drawn, id=str(node.id), parent=parent, label=label, n=n)
        if most < max(node.depth for node in nodes):
            text = "树有 {n:integer} 个节点，只画到第 {d:integer} 层，全部规则见决策规则表。"
            report.note(method.tree_plot, text, n=len(nodes), d=most)
        ends = [node for node in nodes if node.is_leaf]
        task, rows = found.task, _training_rows(found, form)
        at = tree.apply(np.ascontiguousarray(rows.x, dtype=np.float32))
        for number, node in enumerate(ends[:MOST_RULES], 1):
            condition = "，".join(node.path) or "全部行"
            cls.write_rule(report, number, condition, tree, node.id, task, rows.y[at == node.id])
        if len(ends) > MOST_RULES:
            report.note(method.rules, "只列前 {k:integer} 条，共 {n:integer} 条。", k=MOST_RULES, n=len(ends))
        if len(ends) == 1:
            text = "树没有分裂，所有的行得到同样的预测；请放宽限制，或换自变量。"
            report.check("树的大小", "fail", text)
        cls._prune(report, form, found)

    @classmethod
    def _prune(cls, report: Report, form: Any, found: Any) -> None:
        """Cross-validated scores of the trees along the path of pruning."""
        method: Any = cls
        task = found.task
        if found.crossed is None or found.stopped or is_long(task):
            report.skip(method.pruned, "剪枝路径需要交叉验证")
            return
        whole = _training_rows(found, form)
        alphas = _alphas(cls, found, form, whole)
        splits = list(fold_rows(task, form))
        scores = np.zeros((len(alphas), len(splits)))
        for f, (inner, outer) in enumerate(splits):
            coding, coded = Coding.learn(task.x[inner], task.sizes, form.encode, form.missing, task.y[inner], form.seed)
            rows = Rows(coded, task.y[inner], task.weights(inner), task.k, coding.places, coding.kinds)
            for a, alpha in enumerate(alphas):
                own = found.params | {"ccp_alpha": alpha}
                learner = cls.learn(own, rows, form.seed, lambda *_: True, "")
                scores[a, f] = cls.quality(task, learner.forest.answers(coding.apply(task.x[outer])), outer)
        means, errors = scores.mean(axis=1), scores.std(axis=1, ddof=1) / np.sqrt(len(splits))
        leaves = []
        for alpha in alphas:
            own = found.params | {"ccp_alpha": alpha}
            leaves.append(int(cls.learn(own, whole, form.seed, lambda *_: True, "").library.tree_.n_leaves))
        table = {"alpha": np.array(alphas), "leaves": np.array(leaves), "score": means, "se": errors}
        report.add_rows(method.pruned, table)
        report.chart(method.pruned_plot, titles={"y": cls.path_title})
        sign = 1 if cls.higher_is_better else -1
        best = int(np.argmax(sign * means))
        good = np.flatnonzero(sign * means >= sign * means[best] - errors[best])
        smallest = int(good[np.argmin(np.array(leaves)[good])])
        text = (
            f"得分是交叉验证的{cls.path_title}（各折的均值）。最好的是 {{best:integer}} 片叶子；按一倍标准误规则，"
            "{k:integer} 片叶子就够（剪枝系数 {alpha:num}）。"
        )
        report.note(method.pruned, text, best=leaves[best], k=leaves[smallest], alpha=alphas[smallest])


def _training_rows(found: Any, form: Any) -> Rows:
    """All training rows as the model learned from them."""
    task, y = found.task, found.task.y[found.task.train]
    coding, coded = Coding.learn(task.x[task.train], task.sizes, form.encode, form.missing, y, form.seed)
    return Rows(coded, y, task.weights(task.train), task.k, coding.places, coding.kinds)


def _alphas(method: Any, found: Any, form: Any, rows: Rows) -> list[float]:
    """Pruning coefficients at which the tree grown without pruning loses leaves, evenly thinned; 0 is among them."""
    own = {name: value for name, value in found.params.items() if name != "max_features_value"}
    own |= {"max_features": features_of(found.params), "ccp_alpha": 0.0}
    tree = method.library(**own, random_state=form.seed)
    x = np.ascontiguousarray(rows.x, dtype=np.float32)
    path = tree.cost_complexity_pruning_path(x, rows.y, sample_weight=rows.weight)
    alphas = np.unique(np.maximum(path.ccp_alphas, 0.0))
    places = np.unique(np.linspace(0, alphas.size - 1, min(MOST_ALPHAS, alphas.size)).round().astype(int))
    return [float(alpha) for alpha in alphas[places]]


def _depth_drawn(nodes: list[Node]) -> int:
    """The deepest level down to which the figure has room."""
    deepest = max(node.depth for node in nodes)
    return max((d for d in range(deepest + 1) if sum(node.depth <= d for node in nodes) <= MOST_DRAWN), default=0)


def _nodes(tree: Any, found: Any) -> list[Node]:
    """Parents before children, the yes branch first."""
    nodes: list[Node] = []
    pending: list[tuple[int, int | None, int, str, list[str]]] = [(0, None, 0, "全部行", [])]
    while pending:
        node, parent, depth, condition, path = pending.pop()
        left, right = int(tree.children_left[node]), int(tree.children_right[node])
        nodes.append(Node(node, parent, depth, condition, path, left < 0))
        if left < 0:
            continue
        yes, no = _sides(int(tree.feature[node]), float(tree.threshold[node]), found)
        pending.append((right, node, depth + 1, no, [*path, no]))
        pending.append((left, node, depth + 1, yes, [*path, yes]))
    return nodes


def _sides(column: int, cut: float, found: Any) -> tuple[str, str]:
    """The two sides of a split, in the values a person knows."""
    task, coding = found.task, found.fit.coding
    j = int(coding.places[column])
    name, levels = task.names[j], task.features[j].levels
    if levels is None:
        at = _short(cut / float(coding.scales[j]))
        return f"{name} ≤ {at}", f"{name} > {at}"
    if coding.tables[j] is not None:
        at = _short(cut)
        return f"{name}的目标编码 ≤ {at}", f"{name}的目标编码 > {at}"
    own = int(np.flatnonzero(coding.places == j)[0])
    if coding.encode == "onehot" and len(levels) > 2:
        label = levels[column - own].label
        return f"{name} 不是“{label}”", f"{name} 是“{label}”"
    low = [level.label for place, level in enumerate(levels) if place <= cut]
    high = [level.label for place, level in enumerate(levels) if place > cut]
    return f"{name} 是“{'”“'.join(low)}”", f"{name} 是“{'”“'.join(high)}”"


def _short(value: float) -> str:
    """Six digits: a cut in single precision has no more."""
    return number_words(float(f"{value:.6g}"))
