from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Method,
    Points,
    Refusal,
    Report,
    Table,
    choice,
    figure,
    flag,
    integer,
    num,
    role,
    text,
)
from hengxi.contract.refusal import NextStep
from hengxi.methods.mathematical_modeling._shared.grid import Floats, column_of, few_names, grid, row_names
from hengxi.methods.mathematical_modeling._shared.hungarian import Pairs, best, hungarian_steps, ranked, shown

IDLE, SEVERAL = "idle", "several"
MOST_STEPS, MOST_RANKED, MOST_DRAWN, OTHERS, SAID = 10, 100, 30, 5, 6
LARGEST_TABLE = 500
CLOSE = 1e-9


class Assignment(Method):
    """Who does what, at the least total cost: the best assignment, those next to it, and the Hungarian method."""

    title, title_en = "指派问题", "Assignment problem"
    slug = "assignment"
    family = "数学建模"
    purpose = "把人员一对一分配给任务，使总成本最小或总收益最大"
    aliases = ("指派", "分配", "匈牙利法", "排班", "任务分配")
    references = ("kuhn1955", "crouse2016", "murty1968", "hillier2015")
    conventions = (
        "最优指派由 scipy 的 linear_sum_assignment 计算（Crouse，2016），与匈牙利法的结果相同。",
        "其他最优与次优指派由 Murty（1968）的方法依次求出；总成本相差不超过 1e-9（相对）算一样好。",
        "匈牙利法的演示：人数与任务数不等时补上成本为 0 的虚拟人员或任务；求最大时先用最大的数减去每个数。",
        "一人多岗：每个任务都要有人，每人不超过最多任务数。",
    )
    missing = "keep"
    row_order = True

    class Input(Form):
        name: Column | None = role("人员名称（选填）", "任意", use="label")
        cost: list[Column] = role("各任务的成本列", "定量", min=2, max=500)
        sense: str = choice("目标方向", {"min": "总成本最小", "max": "总收益最大"})
        unbalanced: str = choice("人数与任务数不等时", {IDLE: "允许空闲", SEVERAL: "一人多岗"})
        capacity: int | None = integer("每人最多任务数", 1, least=1, most=100, when={"unbalanced": SEVERAL})
        forbidden: bool = flag("空单元格视为不可指派", True)

    total = Table("结果", value=num("合计"), status=text("状态"), people=integer("人员数"), tasks=integer("任务数"),
                  pairs=integer("指派数"), layout="record", place="main")  # fmt: skip
    chosen = Table("最优指派", person=text("人员"), task=text("任务"), cost=num("成本或收益"), place="main")
    cells = Points("成本与指派", person=text("人员"), task=text("任务"), cost=num("成本或收益"), mark=text("指派"))
    heat = Chart("指派矩阵（✓ 为指派）", "heat", of=cells, row="person", column="task", value="cost", mark="mark",
                 place="main")  # fmt: skip
    others = Table(
        "其他指派", rank=integer("次序"), value=num("合计"), gap=num("与最优相差", least=0), same=text("是否一样好"),
        pairs=text("与最优不同的指派"), place="main",
    )  # fmt: skip
    steps = Table("匈牙利法的步骤", step=integer("次序"), action=text("操作"), detail=text("说明"),
                  lines=integer("覆盖线"), matrix=text("矩阵"), place="detail")  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        cost, rows = grid(form.cost, "cost", None if form.forbidden else "的成本不是数字")
        people, tasks = row_names(form.name, rows, "人员"), column_of(form.cost, "cost")
        report.used(len(rows))
        n, m = cost.shape
        if n > LARGEST_TABLE:
            raise Refusal("data.many", "有 {n} 行，最多 500 行", field="cost", n=n)
        capacity = min(int(form.capacity or 1), m) if form.unbalanced == SEVERAL else 1
        if form.unbalanced == SEVERAL and n * capacity < m:
            text_ = f"{n} 人每人最多 {capacity} 个任务，做不完 {m} 个任务，请调大“每人最多任务数”"
            raise Refusal("data.infeasible", text_, field="capacity")
        sign = -1.0 if form.sense == "max" else 1.0
        priced = np.where(np.isnan(cost), np.inf, sign * cost)
        found = best(priced, capacity)
        if found is None:
            raise _infeasible(priced, capacity, people, tasks)
        pairs = found[1]
        value = float(sum(cost[i, j] for i, j in pairs))
        report.row(cls.total, value=value, status="最优", people=n, tasks=m, pairs=len(pairs))
        for i, j in pairs:
            report.row(cls.chosen, person=people[i], task=tasks[j], cost=float(cost[i, j]))
        cls._heat(report, cost, pairs, people, tasks)
        same = cls._others(report, priced, capacity, pairs, (people, tasks), sign)
        cls._steps(report, priced, capacity, form.sense == "max")
        _words(report, form, cost, pairs, (people, tasks), value, same)
        return report

    @classmethod
    def _heat(cls, report: Report, cost: Floats, pairs: Pairs, people: list[str], tasks: list[str]) -> None:
        if max(cost.shape) > MOST_DRAWN:
            report.skip(cls.cells, f"只在人员和任务各不超过 {MOST_DRAWN} 个时给出")
            report.skip(cls.heat, f"只在人员和任务各不超过 {MOST_DRAWN} 个时给出")
            return
        for i, person in enumerate(people):
            for j, task in enumerate(tasks):
                value = None if np.isnan(cost[i, j]) else float(cost[i, j])
                report.row(cls.cells, person=person, task=task, cost=value, mark="✓" if (i, j) in pairs else "")

    @classmethod
    def _others(
        cls, report: Report, priced: Floats, capacity: int, pairs: Pairs, names: tuple[list[str], list[str]],
        sign: float,
    ) -> int | None:  # fmt: skip
        """How many further assignments are as good, None where it was not looked for."""
        if max(priced.shape) * capacity > MOST_RANKED:
            report.skip(cls.others, f"只在人员和任务各不超过 {MOST_RANKED} 个时给出")
            return None
        # One more than is shown: of six equally good ones the best is among them.
        rest = [one for one in ranked(priced, capacity, OTHERS + 1) if one[1] != pairs][:OTHERS]
        if not rest:
            report.skip(cls.others, "没有别的可行指派")
            return 0
        first = float(sum(priced[i, j] for i, j in pairs))
        same = 0
        for rank, (value, other) in enumerate(rest, 1):
            gap = max(0.0, value - first)
            equal = gap <= CLOSE * max(1.0, abs(first))
            same += equal
            changed = "，".join(f"{names[0][i]}→{names[1][j]}" for i, j in other if (i, j) not in pairs)
            report.row(cls.others, rank=rank, value=sign * value + 0.0, gap=0.0 if equal else gap,
                       same="是" if equal else "否", pairs=changed)  # fmt: skip
        return same

    @classmethod
    def _steps(cls, report: Report, priced: Floats, capacity: int, turned: bool) -> None:
        wide = np.repeat(priced, capacity, axis=0)
        size = max(wide.shape)
        if size > MOST_STEPS:
            report.skip(cls.steps, f"只在不超过 {MOST_STEPS} 阶时给出")
            return
        if turned:
            wide = wide - wide[np.isfinite(wide)].min()
        square = np.zeros((size, size))
        square[: wide.shape[0], : wide.shape[1]] = wide
        for step, one in enumerate(hungarian_steps(square), 1):
            report.row(cls.steps, step=step, action=one.action, detail=one.detail, lines=one.lines,
                       matrix=shown(one.matrix))  # fmt: skip
        notes = ["矩阵一行一段，× 表示不可指派。"] + (["开始前用最大的数减去每个数。"] if turned else [])
        report.note(cls.steps, "".join([*notes, "只有“覆盖零”数覆盖线。"]))

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        return [NextStep(title="有产量和需求量", method="mathematical_modeling/transportation",
                         form={"cost": form["cost"]}, seek=["supply"])]  # fmt: skip


def _infeasible(priced: Floats, capacity: int, people: list[str], tasks: list[str]) -> Refusal:
    """Names the tasks that too few people may do (or the people with too few tasks)."""
    wide = np.isfinite(np.repeat(priced, capacity, axis=0))
    turned = wide.shape[0] >= wide.shape[1]
    # Of the side that must be served wholly: who serves it.
    may = wide.T if turned else wide
    partner: dict[int, int] = {}

    def grown(i: int, seen: set[int]) -> bool:
        for j in np.flatnonzero(may[i]).tolist():
            if j not in seen:
                seen.add(j)
                if j not in partner or grown(partner[j], seen):
                    partner[j] = i
                    return True
        return False

    short = next(i for i in range(len(may)) if not grown(i, set()))
    left, reached = {short}, set()
    waiting = [short]
    while waiting:
        for j in np.flatnonzero(may[waiting.pop()]).tolist():
            if j not in reached:
                reached.add(j)
                if partner[j] not in left:
                    left.add(partner[j])
                    waiting.append(partner[j])
    if turned:
        names, who = [tasks[i] for i in sorted(left)], sorted({people[j // capacity] for j in reached})
        text_ = f"禁止项过多，无法为每个任务找到人员：任务 {few_names(names)} 共 {len(left)} 个，"
        text_ += f"能做的只有 {len(who)} 人。请补上可以指派的成本" if who else "没有人能做。请补上可以指派的成本"
    else:
        names = [people[i] for i in sorted(left)]
        text_ = f"禁止项过多，无法为每人找到任务：{few_names(names)} 共 {len(left)} 人只能做 {len(reached)} 个任务。"
        text_ += "请补上可以指派的成本"
    return Refusal("data.infeasible", text_, field="cost")


def _words(
    report: Report, form: Any, cost: Floats, pairs: Pairs, names: tuple[list[str], list[str]], value: float,
    same: int | None,
) -> None:  # fmt: skip
    people, tasks = names
    n, m = cost.shape
    some = "，".join(f"{people[i]}做{tasks[j]}" for i, j in pairs[:SAID]) + ("等" if len(pairs) > SAID else "")
    word = "总收益最大" if form.sense == "max" else "总成本最小"
    report.lead(word + "是 {v:num}：{some}。", [figure(word, "{v:num}")], v=value, some=some)
    if same is None:
        report.check("唯一性", "unknown", "规模较大，没有检查是否有同样好的指派。")
    elif same == 0:
        report.check("唯一性", "pass", "最优指派只有一种。")
    else:
        more = "至少" if same == OTHERS else ""
        report.check("唯一性", "care", f"{more}还有 {{k:integer}} 种指派同样好，列在“其他指派”里。", k=same)
    idle = [people[i] for i in range(n) if i not in {i for i, _ in pairs}]
    open_ = [tasks[j] for j in range(m) if j not in {j for _, j in pairs}]
    if idle:
        report.warn("data.idle", "没有任务的人员：{names}。", names=few_names(idle))
    if open_:
        text_ = "人员比任务少，没有人做的任务：{names}。要全部做完，请改为一人多岗。"
        report.warn("data.open", text_, names=few_names(open_))
    gaps = int(np.isnan(cost).sum())
    if gaps:
        report.warn("data.forbidden", "有 {k:integer} 个空单元格，按不可指派处理。", k=gaps)
    report.say(
        f"用匈牙利法求解 {{n:integer}} 人、{{m:integer}} 个任务的指派问题，{word}为 {{v:num}}。", voice="paper",
        n=n, m=m, v=value,
    )  # fmt: skip
