"""K nearest neighbours, whatever is predicted: distances, the answer as a weighted mean, and the choice of K."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.neighbors import NearestNeighbors

from hengxi.contract import (
    Arrays,
    Chart,
    Progress,
    Refusal,
    Report,
    SetRemedy,
    Table,
    choice,
    flag,
    integer,
    num,
)
from hengxi.methods.supervised_learning._shared.fitting import Rows, fold_rows
from hengxi.stats.learning.features import Coding
from hengxi.stats.learning.scaling import Scaling
from hengxi.stats.moments import Floats

MOST_K = 200
MOST_TRIED = 30
"""Largest K of the figure that compares them."""
METRICS = {
    "euclidean": "欧氏距离", "manhattan": "曼哈顿距离", "chebyshev": "切比雪夫距离", "cosine": "余弦距离",
    "gower": "Gower 距离",
}  # fmt: skip
CONVENTIONS = (
    "标准化：减训练行的均值，除以标准差（除以 n − 1）；没有变化的列只减均值。",
    "Gower 距离不标准化，数值列除以极差，不同的类别算 1。",
    "预测是 K 个近邻的加权平均：等权或按距离的倒数；有样本权重时再乘样本权重。距离为 0 的近邻按距离加权时只用它们。",
    "距离与第 K 名相同的行，取排在前面的。",
    "K 的比较：同样的折，每个 K 用各折的模型预测留出的行，合在一起计分。",
)


@dataclass
class Neighbours:
    """Training rows as they are searched. `y`: rows × outputs (of classes 0 and 1)."""

    scaling: Scaling
    x: Floats
    y: Floats
    weight: Floats | None
    k: int
    by_distance: bool
    metric: str

    def __post_init__(self) -> None:
        self._search = NearestNeighbors(n_neighbors=min(self.k, self.x.shape[0]), metric=self.metric).fit(self.x)

    def nearest(self, x: Floats) -> tuple[Floats, Any]:
        """Distances and places of the neighbours, nearest first, equal ones in the order of the rows: rows × K."""
        scaled = self.scaling.apply(x)
        n = self.x.shape[0]
        k, size = min(self.k, n), min(self.k + SPARE, n)
        distances, places = np.zeros((x.shape[0], k)), np.zeros((x.shape[0], k), dtype=np.int64)
        pending, is_open = np.arange(x.shape[0]), np.zeros(x.shape[0], dtype=bool)
        while pending.size:
            for rows in np.array_split(pending, pending.size * size // AT_ONCE + 1):
                distance, place = self._search.kneighbors(scaled[rows], size)
                order = np.lexsort((place, _rounded(distance)), axis=1)[:, :k]
                distances[rows] = np.take_along_axis(distance, order, 1)
                places[rows] = np.take_along_axis(place, order, 1)
                # Where the last one found is as far as the k-th, further rows may be as far as that.
                is_open[rows] = (size < n) & (_rounded(distance[:, -1]) == _rounded(distances[rows, -1]))
            pending, size = pending[is_open[pending]], min(4 * size, n)
        return distances, places

    def answers(self, x: Floats) -> Floats:
        distance, place = self.nearest(x)
        return averages(self.y, self._weights(distance, place), place)[:, -1]

    def _weights(self, distance: Floats, place: Any) -> Floats:
        weights = np.ones(distance.shape) if self.weight is None else self.weight[place]
        if not self.by_distance:
            return np.asarray(weights)
        same = distance == 0
        with np.errstate(divide="ignore"):
            near = np.where(same.any(axis=1, keepdims=True), same.astype(float), 1 / distance)
        return np.asarray(weights * near)

    def by_k(self, x: Floats) -> Floats:
        """Answers with 1, 2, … K neighbours: rows × K × outputs."""
        distance, place = self.nearest(x)
        return averages(self.y, self._weights(distance, place), place)

    def pack(self) -> Arrays:
        weight = {} if self.weight is None else {"near.weight": self.weight}
        kinds = np.array([self.k, int(self.by_distance), list(SEARCHED).index(self.metric)], dtype=np.int64)
        return self.scaling.pack() | {"near.x": self.x, "near.y": self.y, "near.kinds": kinds} | weight

    @classmethod
    def unpack(cls, arrays: Arrays) -> Neighbours:
        k, by_distance, metric = (int(value) for value in arrays["near.kinds"])
        x, y = arrays["near.x"], arrays["near.y"]
        if x.shape[0] != y.shape[0] or not 0 <= metric < len(SEARCHED) or not 1 <= k <= MOST_K:
            raise ValueError("these arrays are no neighbours")
        weight = arrays.get("near.weight")
        return cls(Scaling.unpack(arrays), x, y, weight, k, bool(by_distance), list(SEARCHED)[metric])


def _rounded(distance: Floats) -> Floats:
    """To ten digits: the order in which a sum was taken changes the last ones."""
    with np.errstate(divide="ignore"):
        unit = 10.0 ** (np.where(distance > 0, np.floor(np.log10(distance)), 0.0) - 9)
    return np.asarray(np.round(distance / unit) * unit)


SPARE = 8
"""Neighbours looked for beyond K at first, so that those as far as the K-th are in sight."""
AT_ONCE = 10_000_000
"""Distances held at once."""
SEARCHED = ("euclidean", "manhattan", "chebyshev", "cosine")
"""Distances of the library; Gower's is Manhattan's on columns divided by their range."""


def averages(y: Floats, weights: Floats, place: Any) -> Floats:
    """Weighted means of the first 1, 2, … neighbours: rows × K × outputs. Weights of 0 only: the plain mean."""
    total = np.cumsum(weights, axis=1)
    plain = np.arange(1, place.shape[1] + 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.cumsum(weights[:, :, None] * y[place], axis=1) / total[:, :, None]
    even = np.cumsum(y[place], axis=1) / plain[None, :, None]
    return np.asarray(np.where(total[:, :, None] > 0, means, even))


def gower(x: Floats, places: Any) -> Scaling:
    """Columns on which the Manhattan distance is m times Gower's: numbers by their range, codes of a category by 2."""
    width = np.bincount(places)[places]
    reach = np.ptp(x, axis=0)
    is_code = (width > 1) & np.isin(x, (0.0, 1.0)).all(axis=0)
    return Scaling(np.zeros(x.shape[1]), np.where(is_code, 2.0, np.where(reach > 0, reach, 1.0)))


def neighbours() -> Any:
    return integer("近邻数K", 5, least=1, most=MOST_K)


def neighbour_weights() -> Any:
    return choice("近邻权重", {"uniform": "等权", "distance": "按距离的倒数"})


def distances() -> Any:
    return choice("距离", METRICS)


def standardized() -> Any:
    return flag("标准化自变量", True, when={"metric": SEARCHED})


class NeighbourLearner:
    """Learning and the choice of K; a task gives `outcomes` and `quality`."""

    by_k = Table("不同 K 的交叉验证得分", k=integer("*K*"), score=num("得分"), place="detail")
    by_k_plot = Chart("K 的选择", "line", of=by_k, x="k", y="score", place="detail")
    curve_title: ClassVar[str]
    """What the score is called: 准确率, RMSE."""
    higher_is_better: ClassVar[bool] = True

    @classmethod
    def outcomes(cls, y: Any, k: int) -> Floats:
        """Rows × outputs."""
        raise NotImplementedError

    @classmethod
    def quality(cls, task: Any, answers: Floats, rows: Any) -> float:
        """The score of the figure."""
        raise NotImplementedError

    @classmethod
    def params(cls, form: Any) -> dict[str, Any]:
        return {name: getattr(form, name) for name in ("n_neighbors", "weights", "metric", "standardize")}

    @classmethod
    def learn(cls, params: dict[str, Any], rows: Rows, seed: int, tell: Progress, text: str) -> Neighbours:
        tell(1, 1, text)
        is_gower = params["metric"] == "gower"
        scaling = gower(rows.x, rows.places) if is_gower else Scaling.learn(rows.x, params["standardize"])
        metric = "manhattan" if is_gower else params["metric"]
        return Neighbours(
            scaling, scaling.apply(rows.x), cls.outcomes(rows.y, rows.k), rows.weight, params["n_neighbors"],
            params["weights"] == "distance", metric,
        )  # fmt: skip

    @classmethod
    def answers(cls, learner: Neighbours, x: Floats) -> Floats:
        return learner.answers(x)

    @classmethod
    def stored(cls, learner: Neighbours) -> Arrays:
        return learner.pack()

    @classmethod
    def restored(cls, arrays: Arrays, k: int) -> Neighbours:
        return Neighbours.unpack(arrays)

    @classmethod
    def grid(cls) -> dict[str, list[Any]]:
        return {"n_neighbors": [1, 3, 5, 7, 9, 15, 25], "weights": ["uniform", "distance"]}

    @classmethod
    def judge_k(cls, form: Any, n: int) -> None:
        """More neighbours than rows to find them in."""
        if form.n_neighbors > n:
            text = "K 不能大于训练样本数 {n}（现在是 {k}），请减小“近邻数K”"
            remedy = SetRemedy(title="K 改为 5", set={"n_neighbors": 5})
            raise Refusal("data.k", text, field="n_neighbors", remedies=[remedy], n=n, k=form.n_neighbors)

    @classmethod
    def compare_k(cls, report: Report, form: Any, found: Any) -> None:
        """The score of the rows left out, for every K up to 30 that the smallest fold allows."""
        method: Any = cls
        if found.crossed is None or found.stopped:
            report.skip(method.by_k, "K 的比较需要交叉验证")
            return
        task = found.task
        splits = list(fold_rows(task, form))
        most = min(MOST_TRIED, *(inner.size for inner, _ in splits))
        answers = np.full((task.y.size, most, task.k), np.nan)
        params = found.params | {"n_neighbors": most}
        for inner, outer in splits:
            coding, coded = Coding.learn(
                task.x[inner], task.sizes, form.encode, form.missing, task.y[inner], form.seed
            )  # fmt: skip
            rows = Rows(coded, task.y[inner], task.weights(inner), task.k, coding.places, coding.kinds)
            model = cls.learn(params, rows, form.seed, lambda *_: True, "")
            answers[outer] = model.by_k(coding.apply(task.x[outer]))
        scores = [cls.quality(task, answers[task.train, place], task.train) for place in range(most)]
        report.add_rows(method.by_k, {"k": np.arange(1, most + 1), "score": np.array(scores)})
        best = int(np.argmax(scores) if cls.higher_is_better else np.argmin(scores))
        report.chart(method.by_k_plot, titles={"y": cls.curve_title})
        text = "得分是交叉验证的" + cls.curve_title + "。{best:integer} 个近邻时最好，为 {value:num}"
        facts: dict[str, Any] = {"best": best + 1, "value": scores[best]}
        if form.n_neighbors <= most and form.n_neighbors != best + 1:
            text += "；现在的 {k:integer} 个为 {own:num}"
            facts |= {"k": form.n_neighbors, "own": scores[form.n_neighbors - 1]}
        report.note(method.by_k, text + "。差别很小时不必改。", **facts)


UNEQUAL = 10
"""Ratio of spreads beyond which the largest column alone decides who is near."""


def check_scales(report: Report, form: Any, found: Any) -> None:
    """Distances on columns as they stand are those of the column with the largest numbers."""
    if form.metric == "gower" or form.standardize:
        return
    task = found.task
    numbers = [j for j, size in enumerate(task.sizes) if not size]
    spreads = {j: float(np.nanstd(task.x[task.train, j])) for j in numbers}
    spreads = {j: spread for j, spread in spreads.items() if spread > 0}
    if len(spreads) < 2:
        return
    wide, narrow = max(spreads, key=spreads.__getitem__), min(spreads, key=spreads.__getitem__)
    ratio = spreads[wide] / spreads[narrow]
    if ratio > UNEQUAL:
        text = "没有标准化，而“{a}”的离散程度是“{b}”的 {ratio:num0} 倍：远近几乎只由“{a}”决定，请标准化自变量。"
        remedy = SetRemedy(title="标准化自变量", set={"standardize": True})
        report.check("量纲", "fail", text, remedies=[remedy], a=task.names[wide], b=task.names[narrow], ratio=ratio)
