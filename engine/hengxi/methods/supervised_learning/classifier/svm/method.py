from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Arrays,
    Formula,
    Progress,
    Report,
    Table,
    choice,
    flag,
    integer,
    num,
    percent,
    text,
)
from hengxi.methods.supervised_learning._shared import linear_words, machines
from hengxi.methods.supervised_learning._shared.elements import WithoutImportance
from hengxi.methods.supervised_learning._shared.fitting import Rows
from hengxi.methods.supervised_learning.classifier._shared.classifier import CONVENTIONS, Classifier, ClassifierForm
from hengxi.stats.learning import support
from hengxi.stats.moments import Floats


class Svm(WithoutImportance, Classifier):
    """Widest margins between classes, with calibrated probabilities."""

    title, title_en = "支持向量机分类", "Support vector classification"
    slug = "svm-classifier"
    family, tier = "机器学习分类", "standard"
    purpose = "寻找最大间隔的分界面，处理线性与非线性分类"
    aliases = ("SVM", "支持向量机", "SVC", "核函数", "最大间隔", "机器学习", "判断类别")
    references = (
        "cortes1995", "platt1999", "lin2007", "chang2011", "lundberg2017", "delong1988", "wilson1927", "cohen1960",
        "gorodkin2004", "brier1950", "bergstra2011",
    )  # fmt: skip
    conventions = (
        *CONVENTIONS,
        "由 LIBSVM 求解。标准化：减训练行的均值，除以标准差（除以 n − 1）。",
        "多于两类时，一对其余为每类一个分界面，两两为每两类一个。",
        "概率：每个分界面用 5 折里没见过的行的判别值做 Platt 校准（Lin、Lin 和 Weng 的算法），"
        "折由随机种子决定，不看分组变量；"
        "一对其余时各类的概率除以总和，两两时取平均。",
        "类别权重与样本权重乘在惩罚系数上，也用在校准里。一行在任一分界面里是支持向量，就算支持向量。",
    )

    class Input(ClassifierForm):
        C: float = machines.penalty()
        kernel: str = machines.kernel()
        gamma: str = machines.gamma()
        gamma_value: float = machines.gamma_value()
        degree: int = machines.degree()
        coef0: float = machines.constant()
        standardize: bool = flag("标准化自变量", True)
        decision: str = choice("多分类策略", {"ovr": "一对其余", "ovo": "两两"}, advanced=True)
        tol: float = machines.tolerance()

    vectors = Table(
        "支持向量", level=text("类别"), n=integer("支持向量数"), rows=integer("训练行数"), share=percent("占比"),
        place="main",
    )  # fmt: skip
    borders = Table(
        "分界面", border=text("分界面"), n=integer("支持向量数"), intercept=num("截距"), a=num("校准 A"),
        b=num("校准 B"), place="detail",
    )  # fmt: skip
    coefficients = Table(
        "线性核的系数",
        border=text("分界面"),
        name=text("自变量"),
        b=num("系数"),
        when={"kernel": "linear"},
        place="main",
    )
    equation = Formula("分界面方程")

    @classmethod
    def params(cls, form: Any) -> dict[str, Any]:
        return machines.params(form) | {"decision": form.decision}

    @classmethod
    def learn(cls, params: dict[str, Any], rows: Rows, seed: int, tell: Progress, text: str) -> support.Machines:
        return support.learn_classes(
            params, rows.x, rows.y, rows.weight, rows.k, seed, lambda done, of: tell(done, of, text)
        )

    @classmethod
    def answers(cls, learner: support.Machines, x: Floats) -> Floats:
        return learner.answers(x)

    @classmethod
    def stored(cls, learner: support.Machines) -> Arrays:
        return learner.pack()

    @classmethod
    def restored(cls, arrays: Arrays, k: int) -> support.Machines:
        return support.Machines.unpack(arrays)

    @classmethod
    def grid(cls) -> dict[str, list[Any]]:
        return {"C": [0.1, 1.0, 10.0, 100.0], "kernel": ["linear", "rbf"]}

    @classmethod
    def own(cls, report: Report, form: Any, found: Any) -> None:
        task, model = found.task, found.fit.learner
        y = task.y[task.train]
        held = np.bincount(y[model.rows], minlength=task.k)
        for c, name in enumerate(task.classes):
            rows = int(np.sum(y == c))
            share = float(held[c] / rows) if rows else None
            report.row(cls.vectors, level=name, n=int(held[c]), rows=rows, share=share)
        total = int(held.sum())
        report.row(
            cls.vectors, level="合计", n=total, rows=int(y.size), share=total / y.size, total=True,
        )  # fmt: skip
        report.note(cls.vectors, "分界面只由支持向量决定。支持向量占比很高，说明类别难以分开，或惩罚系数 C 太小。")
        words = _borders(task, model)
        for m, word in enumerate(words):
            n = int(np.sum(model.duals[:, m] != 0))
            a, b = float(model.slopes[m]), float(model.shifts[m])
            report.row(cls.borders, border=word, n=n, intercept=float(model.intercepts[m]), a=a, b=b)
        report.note(cls.borders, "概率 = 1/(1 + exp(A·f + B))，f 是判别值；A 为负时，f 越大，越像写在前面的一类。")
        if found.params["kernel"] == "linear":
            _write_planes(report, cls, form, found, words)
        else:
            report.skip(cls.equation, "只有线性核有方程")
            if form.kernel == "linear":
                report.skip(cls.coefficients, "搜索选了非线性核")
        machines.check(report, form, found)


def _borders(task: Any, model: support.Machines) -> list[str]:
    words = []
    for side in model.sides:
        yes, no = (np.flatnonzero(side == sign) for sign in (1, -1))
        rest = task.classes[int(no[0])] if no.size == 1 else "其余"
        words.append(f"{task.classes[int(yes[0])]} 对 {rest}")
    return words


def _write_planes(report: Report, cls: Any, form: Any, found: Any, words: list[str]) -> None:
    task, model = found.task, found.fit.learner
    for m, word in enumerate(words):
        names, b, intercept = machines.plane(
            task, found.fit, model.supports, model.duals[:, m], float(model.intercepts[m])
        )
        if form.kernel == "linear":
            report.row(cls.coefficients, border=word, name="常数项", b=intercept)
            for name, value in zip(names, b, strict=True):
                report.row(cls.coefficients, border=word, name=name, b=float(value))
        if len(words) == 1:
            head = "f 为判别值，越大越像“{c}”"
            c = task.classes[int(np.flatnonzero(model.sides[0] == 1)[0])]
            linear_words.equation(report, cls, "f", head, intercept, list(zip(names, b, strict=True)), c=c)
    if len(words) > 1:
        report.skip(cls.equation, "有几个分界面，各自的系数见表")
