from __future__ import annotations

from typing import Any

from hengxi.contract import (
    Arrays,
    Formula,
    Progress,
    Refusal,
    Report,
    SetRemedy,
    Table,
    flag,
    integer,
    num,
    number,
    percent,
    text,
)
from hengxi.methods.supervised_learning._shared import linear_words, machines
from hengxi.methods.supervised_learning._shared.elements import WithoutImportance
from hengxi.methods.supervised_learning._shared.fitting import Rows
from hengxi.methods.supervised_learning.regression._shared.regressor import CONVENTIONS, Regressor, RegressorForm
from hengxi.stats.learning import support
from hengxi.stats.moments import Floats


class Svm(WithoutImportance, Regressor):
    """The flattest function within a tube about the outcome."""

    title, title_en = "支持向量机回归", "Support vector regression"
    slug = "svm-regression"
    family, tier = "机器学习回归", "standard"
    purpose = "在允许误差带内寻找最平坦的函数，预测定量结果"
    aliases = ("SVM", "SVR", "支持向量机", "支持向量回归", "核函数", "机器学习", "预测数值")
    references = ("smola2004", "chang2011", "lundberg2017", "bergstra2011")
    conventions = (
        *CONVENTIONS,
        "由 LIBSVM 求解 ε-SVR（Smola 和 Schölkopf）。标准化：减训练行的均值，除以标准差（除以 n − 1）。",
        "标准化因变量时，ε 以因变量的标准差为单位，预测再换回原来的单位。样本权重乘在惩罚系数上。",
    )
    extrapolates = True

    class Input(RegressorForm):
        C: float = machines.penalty()
        epsilon: float = number("不敏感带宽ε", 0.1, least=0, most=10)
        kernel: str = machines.kernel()
        gamma: str = machines.gamma()
        gamma_value: float = machines.gamma_value()
        degree: int = machines.degree()
        standardize: bool = flag("标准化自变量", True)
        standardize_y: bool = flag("标准化因变量", True, advanced=True)
        tol: float = machines.tolerance()

    vectors = Table(
        "支持向量", layout="record", n=integer("支持向量数"), rows=integer("训练行数"), share=percent("占比"),
        intercept=num("截距"), place="main",
    )  # fmt: skip
    coefficients = Table("线性核的系数", name=text("自变量"), b=num("系数"), when={"kernel": "linear"}, place="main")
    equation = Formula("模型方程")

    @classmethod
    def params(cls, form: Any) -> dict[str, Any]:
        return machines.params(form) | {"epsilon": form.epsilon, "standardize_y": form.standardize_y}

    @classmethod
    def learn(cls, params: dict[str, Any], rows: Rows, seed: int, tell: Progress, text: str) -> support.Tube:
        tell(1, 1, text)
        return support.learn_values(params, rows.x, rows.y, rows.weight)

    @classmethod
    def answers(cls, learner: support.Tube, x: Floats) -> Floats:
        return learner.answers(x)

    @classmethod
    def stored(cls, learner: support.Tube) -> Arrays:
        return learner.pack()

    @classmethod
    def restored(cls, arrays: Arrays, k: int) -> support.Tube:
        return support.Tube.unpack(arrays)

    @classmethod
    def grid(cls) -> dict[str, list[Any]]:
        return {"C": [0.1, 1.0, 10.0, 100.0], "kernel": ["linear", "rbf"], "epsilon": [0.01, 0.1, 0.5]}

    @classmethod
    def scored(cls, task: Any, form: Any, fit: Any, params: dict[str, Any], trials: list[Any]) -> Any:
        if not fit.learner.duals.size:
            text = "ε = {e} 过大，没有支持向量，模型只会预测同一个值；请减小 ε"
            remedy = SetRemedy(title="ε 改为 0.1", set={"epsilon": 0.1, "standardize_y": True})
            raise Refusal("data.epsilon", text, field="epsilon", remedies=[remedy], e=f"{params['epsilon']:g}")
        return super().scored(task, form, fit, params, trials)

    @classmethod
    def own(cls, report: Report, form: Any, found: Any) -> None:
        task, model = found.task, found.fit.learner
        n, rows = int(model.duals.size), int(task.train.size)
        report.row(cls.vectors, n=n, rows=rows, share=n / rows, intercept=float(model.numbers[0]))
        report.note(cls.vectors, "误差超过 ε 的行（和正好在带边上的行）是支持向量，预测只由它们决定。")
        if found.params["kernel"] == "linear":
            spread, centre = float(model.numbers[2]), float(model.numbers[1])
            names, b, intercept = machines.plane(task, found.fit, model.supports, model.duals, float(model.numbers[0]))
            intercept = intercept * spread + centre
            if form.kernel == "linear":
                report.row(cls.coefficients, name="常数项", b=intercept)
                for name, value in zip(names, b * spread, strict=True):
                    report.row(cls.coefficients, name=name, b=float(value))
            terms = list(zip(names, b * spread, strict=True))
            linear_words.equation(report, cls, r"\hat y", "ŷ 为“{y}”的预测值", intercept, terms, y=form.y.title)
        else:
            report.skip(cls.equation, "只有线性核有方程")
            if form.kernel == "linear":
                report.skip(cls.coefficients, "搜索选了非线性核")
        machines.check(report, form, found)
        _check_width(report, found)


def _check_width(report: Report, found: Any) -> None:
    """A tube wider than the outcome's own spread holds nearly all rows."""
    spread = 1.0 if found.params["standardize_y"] else float(found.task.y[found.task.train].std(ddof=1))
    epsilon = float(found.params["epsilon"])
    if epsilon > spread:
        text = "ε = {e:num} 大于因变量的标准差（{s:num}）：带太宽，模型将退化为几乎不变的预测值，请减小 ε。"
        remedy = SetRemedy(title="ε 改为 0.1", set={"epsilon": 0.1})
        report.check("带宽", "care", text, remedies=[remedy], e=epsilon, s=spread)
