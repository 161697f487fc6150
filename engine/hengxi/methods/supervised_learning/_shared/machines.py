"""What support vector machines share, whatever they predict: settings, coefficients of the linear kernel, checks."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Report, SetRemedy, choice, integer, number
from hengxi.methods.supervised_learning._shared.coded import column_names
from hengxi.stats.moments import Floats

KERNELS = {"rbf": "高斯（RBF）", "linear": "线性", "poly": "多项式", "sigmoid": "Sigmoid"}
CURVED = ("rbf", "poly", "sigmoid")
LONG = 20_000
SETTINGS = ("C", "kernel", "gamma", "gamma_value", "degree", "coef0", "tol", "standardize")


def penalty() -> Any:
    return number("惩罚系数C", 1, least=0.001, most=1000)


def kernel() -> Any:
    return choice("核函数", KERNELS)


def gamma() -> Any:
    options = {"scale": "1/(列数×方差)", "auto": "1/列数", "own": "自定义"}
    return choice("核系数γ", options, when={"kernel": CURVED}, advanced=True)


def gamma_value() -> Any:
    return number("核系数γ的值", 0.1, above=0, most=1000, when={"gamma": "own"}, advanced=True)


def degree() -> Any:
    return integer("多项式次数", 3, least=1, most=10, when={"kernel": "poly"})


def constant() -> Any:
    return number("核常数", 0, least=-10, most=10, when={"kernel": ("poly", "sigmoid")}, advanced=True)


def tolerance() -> Any:
    return number("收敛容差", 0.001, least=0.000001, most=0.1, advanced=True)


def params(form: Any) -> dict[str, Any]:
    return {name: getattr(form, name, None) for name in SETTINGS}


def plane(task: Any, fit: Any, supports: Floats, duals: Floats, intercept: float) -> tuple[list[str], Floats, float]:
    """Names and coefficients of a linear decision on the variables' own scale, and its intercept."""
    coding, scaling = fit.coding, fit.learner.scaling
    inner = duals @ supports / scaling.sds
    b = inner * coding.scales[coding.places]
    return column_names(task, coding), np.asarray(b), intercept - float(scaling.means @ inner)


def check(report: Report, form: Any, found: Any) -> None:
    """Machines that did not converge, and the time that kernels take with many rows."""
    if not found.fit.learner.settled:
        text = "训练未收敛（达到最大迭代次数），结果不可靠；请标准化自变量，或增大收敛容差。"
        remedies = [SetRemedy(title="标准化自变量", set={"standardize": True})] if not form.standardize else []
        report.check("收敛", "fail", text, remedies=remedies)
    n = int(found.task.train.size)
    if n > LONG and found.params["kernel"] != "linear":
        text = "训练集有 {n:integer} 行，超过 20000 行时非线性核很慢；可以改用线性核。"
        report.check("用时", "care", text, remedies=[SetRemedy(title="改用线性核", set={"kernel": "linear"})], n=n)
