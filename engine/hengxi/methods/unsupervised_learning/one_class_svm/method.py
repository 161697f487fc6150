from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Points,
    Refusal,
    Report,
    SetRemedy,
    Table,
    choice,
    figure,
    integer,
    num,
    number,
    percent,
)
from hengxi.methods.unsupervised_learning._shared import outliers, space
from hengxi.methods.unsupervised_learning._shared.outliers import COMMON, OutlierScores

MOST_ROWS, SLOW, GRID, MARGIN = 50_000, 20_000, 31, 0.15
STEPS, FLAT, BORDER = 1_000_000, 1e-3, 1e-5
KERNELS = {"rbf": "RBF", "linear": "线性", "poly": "三次多项式", "sigmoid": "sigmoid"}


class OneClassSvm(OutlierScores):
    """The border that holds all but a share of the rows, as smooth as it can be."""

    title, title_en = "单类支持向量机", "One-class SVM"
    slug = "one-class-svm"
    tier = "member"
    purpose = "学习正常样本的边界，判断样本是否异常"
    aliases = ("One-class SVM", "OCSVM", "单类SVM", "新颖性检测", "异常检测", "支持向量")
    references = ("scholkopf2001", "chang2011")
    conventions = (
        "ν 是异常比例的上限，也是支持向量比例的下限。",
        "异常得分 = −决策函数 = ρ − Σα_i K(x_i, x)，Σα_i = νn；得分大于 0 在边界外，判为异常。",
        "核系数 γ 留空时为 1 /（变量数 × 全部数值的方差），方差以 n 为分母；多项式核为三次，常数项为 0。",
        "用 libsvm 求解，收敛容差 10⁻⁸，最多一百万步；绝对值不到最大得分十万分之一的得分记为 0（在边界上）。",
        "边界图只在两个变量时给出，坐标是原始数值。",
        *COMMON[1:],
    )

    class Input(Form):
        x: list[Column] = space.variables("检测变量", 1)
        label: Column | None = space.identity()
        truth: Column | None = outliers.truth_role()
        nu: float = number("异常上限比例 ν", 0.05, least=0.001, most=0.999)
        kernel: str = choice("核函数", KERNELS)
        gamma: float | None = number(
            "核系数 γ",
            None,
            least=0.000001,
            most=1000,
            auto="按变量数和方差",
            when={"kernel": ("rbf", "poly", "sigmoid")},
        )
        standardize: bool = space.standardize()
        missing: str = space.gaps()
        append: bool = space.append()

    summary = Table(
        "异常汇总", layout="record", n=integer("*N*"), vectors=integer("支持向量数"), count=integer("异常数"),
        share=percent("占比"), rho=num("ρ"), gamma=num("γ", least=0, when={"kernel": ("rbf", "poly", "sigmoid")}),
        place="main",
    )  # fmt: skip
    field = Points("边界", x=num("横轴"), y=num("纵轴"), z=num("决策函数"))
    border = Chart("边界图（0 为边界）", "surface", of=field, x="x", y="y", z="z", draw="contour", place="detail")

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        return 0.1 + rows * rows * 2e-8 * (1 + columns / 20)

    @classmethod
    def run(cls, form: Input) -> Report:
        from sklearn.svm import OneClassSVM

        report = Report()
        held = space.space_of(report, form, MOST_ROWS)
        if held.n > SLOW:
            report.warn("data.slow", "{n:integer} 行计算较慢，建议先随机抽样。", n=held.n)
        gamma = form.gamma if form.gamma is not None else 1 / (held.u.shape[1] * float(held.u.var()))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            machine = OneClassSVM(
                nu=form.nu, kernel=form.kernel, gamma=gamma, tol=1e-8, max_iter=STEPS, cache_size=500
            )  # fmt: skip
            # Without one, libsvm's seed is drawn from the generator all code shares; it decides nothing here.
            machine.random_state = 0
            machine.fit(held.u)
        if float(-machine.intercept_[0]) < FLAT * form.nu * held.n * _own(form.kernel, gamma, held.u):
            raise Refusal(
                "data.origin", "样本围着原点，{kernel}核没有边界可画。请改用 RBF 核" , field="kernel",
                kernel=KERNELS[form.kernel], remedies=[SetRemedy(title="改用 RBF 核", set={"kernel": "rbf"})],
            )  # fmt: skip
        score = -np.asarray(machine.decision_function(held.u))
        # Support vectors on the border itself come out as the last digit falls.
        score[np.abs(score) <= BORDER * float(np.abs(score).max())] = 0.0
        odd = score > 0
        made = outliers.Scores(held, score, 0.0, odd)
        count, vectors = int(odd.sum()), int(machine.n_support_.sum())
        report.row(
            cls.summary, n=held.n, vectors=vectors, count=count, share=count / held.n,
            rho=float(-machine.intercept_[0]), gamma=None if form.kernel == "linear" else gamma,
        )  # fmt: skip
        report.note(cls.summary, "支持向量是边界上和边界外的样本，边界只由它们决定。")
        cls._border(report, machine, held)
        outliers.write(report, cls, form, made)
        space.check_units(report, held)
        outliers.tell(
            report, cls, made, f"单类支持向量机（{KERNELS[form.kernel]}核，ν = {{nu:num}}）",
            "单类支持向量机画一条把大多数样本包在里面的边界，边界外的判为异常。"
            "ν = {nu:num} 是异常比例的上限：ν 变大，边界收紧，异常变多。",
            [figure("支持向量", "{vectors:integer} 个")], nu=form.nu, vectors=vectors,
        )  # fmt: skip
        return report

    @classmethod
    def _border(cls, report: Report, machine: Any, held: space.Space) -> None:
        if len(held.names) != 2:
            report.skip(cls.field, "只有两个变量时画边界图")
            return
        low, high = held.x.min(axis=0), held.x.max(axis=0)
        room = (high - low) * MARGIN
        a, b = (np.linspace(low[j] - room[j], high[j] + room[j], GRID) for j in (0, 1))
        points = np.array([(i, j) for i in a for j in b])
        u = (points - held.x.mean(axis=0)) / held.scale if held.standardized else points / held.unit
        z = machine.decision_function(u)
        report.add_rows(cls.field, {"x": points[:, 0], "y": points[:, 1], "z": z})
        report.chart(cls.border, titles={"x": held.names[0], "y": held.names[1]})


def _own(kernel: str, gamma: float, u: Any) -> float:
    """Mean of K(x, x): what ρ is measured by."""
    squares = (u * u).sum(axis=1)
    match kernel:
        case "linear":
            held = squares
        case "poly":
            held = (gamma * squares) ** 3
        case "sigmoid":
            held = np.tanh(gamma * squares)
        case _:
            return 1.0
    return float(np.mean(held))
