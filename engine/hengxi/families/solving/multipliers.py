"""What nonlinear programs with constraints add: the table of constraints, their multipliers, the feasible region."""

from __future__ import annotations

from hengxi.contract import Chart, Ellipse, Points, Report, Table, num, text

from . import figures
from .answer import Answer
from .base import Constrained
from .nonlinear import Nonlinear
from .problem import Problem


class ConstrainedNonlinear(Nonlinear, Constrained):
    multipliers = Table(
        "乘子",
        constraint=text("约束"),
        multiplier=num("乘子", hint="右端值增加 1 时目标函数值约变化多少"),
        place="detail",
    )
    room = Points("可行域网格", x=num("x"), y=num("y"), room=num("余量"))
    optimum = Points("最优点", x=num("x"), y=num("y"), a=num("半轴"), b=num("半轴"), angle=num("角"))
    region = Chart(
        "可行域", "surface", of=room, x="x", y="y", z="room", draw="region", place="detail",
        over=[Ellipse(optimum, x="x", y="y", a="a", b="b", angle="angle")],
    )  # fmt: skip

    @classmethod
    def held(cls, report: Report, problem: Problem, answer: Answer) -> None:
        """After `conditions`: the constraints and what each is worth."""
        binding = cls.constraints(report, problem, answer)
        proof = answer.certificate
        if not problem.constraints:
            figures.absent(report, "没有约束条件", cls.room, cls.optimum, cls.region)
            report.skip(cls.multipliers, "没有约束条件")
            return
        figures.region(report, cls.room, cls.region, cls.optimum, problem, answer)
        if proof is None or not proof.holds:
            report.skip(cls.multipliers, "不满足最优性条件，没有乘子")
            return
        for one, multiplier in zip(problem.constraints, proof.multipliers, strict=True):
            side = -1.0 if one.op == ">=" else 1.0
            value = -problem.sign * side * multiplier / one.scale
            report.row(cls.multipliers, constraint=one.words, multiplier=float(value) + 0.0)
        report.note(cls.multipliers, "右端值改变很小时有效。")
        names = "、".join(f"“{problem.constraints[k].words}”" for k in binding[:5])
        report.say(f"起作用的约束是{names}。" if binding else "没有约束起作用。")
