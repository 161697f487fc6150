"""What multilayer perceptrons share, whatever they predict: settings, layers, rounds, checks."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

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
    num,
    number,
    text,
    words,
)
from hengxi.methods.supervised_learning._shared.fitting import Rows
from hengxi.stats.learning import networks
from hengxi.stats.moments import Floats
from hengxi.stats.thin import thin

MOST_LAYERS, MOST_UNITS = 5, 1000
ACTIVATIONS = {"relu": "ReLU", "tanh": "tanh", "logistic": "Sigmoid", "identity": "恒等（线性）"}
BY_ROUNDS = ("adam", "sgd")
CONVENTIONS = (
    "由 scikit-learn 求解。标准化：减训练行的均值，除以标准差（除以 n − 1）。",
    "初始权重、每轮的次序由随机种子决定；adam（Kingma 和 Ba）与 sgd 连续 10 轮没有改进 0.0001 就停，"
    "lbfgs 到梯度足够小为止。",
    "早停：另留训练行的一成看得分，不再变好就停；行数太少时不留。罚项为 α/(2n)·Σw²。",
)


def layers() -> Any:
    return words("隐藏层神经元数", "100", hint="用逗号分隔，每层一个数，例如 100,50", longest=60)


def activation() -> Any:
    return choice("激活函数", ACTIVATIONS)


def solver() -> Any:
    return choice("求解器", {"adam": "adam", "sgd": "随机梯度下降（sgd）", "lbfgs": "lbfgs（适合几百行以内）"})


def penalty() -> Any:
    return number("L2正则项α", 0.0001, least=0, most=100)


def rate() -> Any:
    return number("学习率", 0.001, least=0.00001, most=1, when={"solver": BY_ROUNDS}, advanced=True)


def rounds() -> Any:
    return integer("最大迭代次数", 1000, least=10, most=10000, advanced=True)


def early() -> Any:
    return flag("早停", False, when={"solver": BY_ROUNDS}, advanced=True)


def batch() -> Any:
    sizes = {"auto": "自动（200 与行数取小）", "32": "32", "64": "64", "128": "128", "256": "256"}
    return choice("批大小", sizes, when={"solver": BY_ROUNDS}, advanced=True)


def sizes_of(written: str) -> tuple[int, ...] | None:
    """The units of each hidden layer; None where the text is no such list."""
    parts = re.split(r"[,，、\s]+", written.strip())
    if not 1 <= len(parts) <= MOST_LAYERS or not all(re.fullmatch(r"[0-9]{1,4}", part) for part in parts):
        return None
    sizes = tuple(int(part) for part in parts)
    return sizes if all(1 <= size <= MOST_UNITS for size in sizes) else None


def judge_layers(form: Any) -> None:
    if sizes_of(form.hidden_layers) is None:
        text = (
            f"隐藏层请写成用逗号分隔的正整数，如 100,50（最多 {MOST_LAYERS} 层，每层不超过 {MOST_UNITS} 个），"
            "现在是“{x}”"
        )
        remedy = SetRemedy(title="改为 100", set={"hidden_layers": "100"})
        raise Refusal("data.layers", text, field="hidden_layers", remedies=[remedy], x=form.hidden_layers)


class Perceptron:
    """Elements and learning; in front of the task's own class."""

    layers = Table(
        "网络结构", layer=text("层"), units=integer("神经元数"), activation=text("激活函数"), count=integer("参数个数"),
        place="main",
    )  # fmt: skip
    nodes = Points("网络的层", node=text("层"), label=text("名称"))
    edges = Points("网络的连接", source=text("从"), target=text("到"), text=text("参数"))
    structure = Chart("网络结构图", "network", nodes=nodes, edges=edges, text="text", arrange="layers", place="detail")
    course = Points("损失", series=text("曲线"), round=integer("迭代次数"), value=num("训练损失"))
    course_plot = Chart("损失与迭代次数", "line", of=course, x="round", y="value", place="detail")
    checked = Points("早停得分", round=integer("迭代次数"), value=num("得分"), when={"early_stopping": True})
    checked_plot = Chart(
        "早停的验证得分", "line", of=checked, x="round", y="value", when={"early_stopping": True}, place="detail"
    )
    last_units: str
    """What the last layer gives."""

    @classmethod
    def params(cls, form: Any) -> dict[str, Any]:
        names = (
            "hidden_layers", "activation", "solver", "alpha", "learning_rate_init", "max_iter", "early_stopping",
            "batch", "standardize", "standardize_y",
        )  # fmt: skip
        return {name: getattr(form, name, None) for name in names}

    @classmethod
    def classes_of(cls, rows: Rows) -> int | None:
        """How many classes there are; None of values."""
        raise NotImplementedError

    @classmethod
    def learn(cls, params: dict[str, Any], rows: Rows, seed: int, tell: Progress, text: str) -> networks.Network:
        sizes = sizes_of(params["hidden_layers"]) or (100,)

        def watch(done: int, of: int, loss: float) -> bool:
            return bool(tell(done, of, f"{text}：第 {done} 轮", loss))

        try:
            return networks.learn(params, sizes, rows.x, rows.y, rows.weight, cls.classes_of(rows), seed, watch)
        except (FloatingPointError, ValueError) as error:
            if "finite" not in str(error) and "bound" not in str(error) and "NaN" not in str(error):
                raise
            text = "训练发散：权重变得无穷大；请标准化变量，减小学习率，或换求解器"
            remedy = SetRemedy(title="标准化自变量", set={"standardize": True, "learning_rate_init": 0.001})
            raise Refusal("data.diverged", text, field="learning_rate_init", remedies=[remedy]) from error

    @classmethod
    def answers(cls, learner: networks.Network, x: Floats) -> Floats:
        return learner.answers(x)

    @classmethod
    def stored(cls, learner: networks.Network) -> Arrays:
        return learner.pack()

    @classmethod
    def restored(cls, arrays: Arrays, k: int) -> networks.Network:
        return networks.Network.unpack(arrays)

    @classmethod
    def grid(cls) -> dict[str, list[Any]]:
        return {"hidden_layers": ["20", "50", "100", "50,25"], "alpha": [0.0001, 0.01, 1.0]}

    @classmethod
    def own(cls, report: Report, form: Any, found: Any) -> None:
        model = found.fit.learner
        _write_layers(report, cls, model)
        _write_rounds(report, cls, form, model)
        _check_size(report, model, int(found.task.train.size))
        _check_end(report, form, model)


def _write_layers(report: Report, cls: Any, model: networks.Network) -> None:
    names = ["输入层", *(f"隐藏层 {i + 1}" for i in range(len(model.weights) - 1)), "输出层"]
    units = [model.weights[0].shape[0], *(w.shape[1] for w in model.weights)]
    for place, (name, size) in enumerate(zip(names, units, strict=True)):
        count = model.weights[place - 1].size + model.shifts[place - 1].size if place else 0
        kind = "" if place == 0 else cls.last_units if place == len(names) - 1 else ACTIVATIONS[model.activation]
        report.row(cls.layers, layer=name, units=size, activation=kind, count=count)
        report.row(cls.nodes, node=name, label=f"{name}\n{size} 个")
        if place:
            report.row(cls.edges, source=names[place - 1], target=name, text=f"{count} 个参数")
    report.row(cls.layers, layer="合计", units=sum(units), activation="", count=model.count, total=True)


def _write_rounds(report: Report, cls: Any, form: Any, model: networks.Network) -> None:
    """The loss round by round; of the solver that takes all rows at once there is only the last."""
    for points, values in ((cls.course, model.losses), (cls.checked, model.checked)):
        if not values:
            if points is cls.course:
                report.skip(points, "lbfgs 没有逐轮的损失")
            elif form.early_stopping:
                report.skip(points, "行数太少，没有另留行来早停")
            continue
        shown = thin(len(values), most=500)
        cells: dict[str, Any] = {"round": shown + 1, "value": np.array(values)[shown]}
        if points is cls.course:
            cells["series"] = np.array(["训练损失"] * shown.size, dtype=object)
        report.add_rows(points, cells)


def _check_size(report: Report, model: networks.Network, n: int) -> None:
    facts: dict[str, Any] = {"p": model.count, "n": n}
    if model.count > n:
        text = "参数有 {p:integer} 个，多于训练行数 {n:integer}：容易过拟合，请以测试集的得分为准。"
        report.check("参数与样本", "care", text, **facts)
    else:
        report.check("参数与样本", "pass", "参数有 {p:integer} 个，不多于训练行数 {n:integer}。", **facts)


def _check_end(report: Report, form: Any, model: networks.Network) -> None:
    facts: dict[str, Any] = {"k": model.rounds, "loss": model.loss}
    if model.settled:
        report.check("收敛", "pass", "迭代 {k:integer} 次后收敛，最终的训练损失为 {loss:num}。", **facts)
    else:
        text = "迭代到上限 {k:integer} 次还没有收敛，最终的训练损失为 {loss:num}；请增加最大迭代次数，或加大学习率。"
        more = min(10000, 5 * form.max_iter)
        remedy = SetRemedy(title=f"最大迭代次数改为 {more}", set={"max_iter": more})
        report.check("收敛", "care", text, remedies=[remedy], **facts)
