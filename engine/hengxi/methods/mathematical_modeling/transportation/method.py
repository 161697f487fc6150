from __future__ import annotations

from dataclasses import dataclass
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
    Wide,
    choice,
    figure,
    flag,
    integer,
    num,
    numbers,
    role,
    text,
)
from hengxi.methods.mathematical_modeling._shared.flows import whole
from hengxi.methods.mathematical_modeling._shared.grid import Floats, column_of, grid, row_names
from hengxi.methods.mathematical_modeling._shared.modi import WAYS, Turn, turns

MOST_STEPS, MOST_WIDE, MOST_LISTED, MOST_CELLS = 10, 15, 1000, 60_000
DUMMY_FROM, DUMMY_TO = "虚设产地", "虚设销地"
CLOSE = 1e-9


@dataclass(frozen=True)
class Balanced:
    """Costs (as minimised; ∞ where there is no road), supplies and demands with a dummy row or column where needed."""

    cost: Floats
    supply: Floats
    demand: Floats
    origins: list[str]
    places: list[str]
    dummy: str | None


class Transportation(Method):
    """The cheapest plan from origins to destinations, its potentials, and the steps of the tableau method."""

    title, title_en = "运输问题", "Transportation problem"
    slug = "transportation"
    family = "数学建模"
    purpose = "在供需约束下求总运费最小的调运方案"
    aliases = ("运输", "调运", "产销平衡", "伏格尔", "位势法", "表上作业法")
    references = ("dantzig1963", "reinfeld1958", "huangfu2018", "hillier2015")
    conventions = (
        "产销不平衡时补一个虚设的产地或销地，单位运费 0；最优方案是线性规划的顶点，由 HiGHS 求解。",
        "检验数 = 单位运费 − 产地位势 − 销地位势；最小化时最优方案的检验数都不小于 0，最大化时都不大于 0。",
        "位势的零点：有虚设点时它的位势是 0，平衡时第一个产地的位势是 0；这时虚设点以外的位势就是影子价格。",
        "伏格尔法按次小与最小运费之差最大的行或列先分配；数相等时取在前的行、列。",
        "空的运费表示这条路线不通。",
    )
    missing = "keep"
    row_order = True

    class Input(Form):
        origin: Column | None = role("产地（选填）", "任意", use="label")
        cost: list[Column] = role("到各销地的单位运费", "定量", min=2, max=300)
        supply: Column = role("产量", "定量")
        demand: list[float] = numbers("各销地需求量", min=1, max=300, least=0, most=1e9,
                                      hint="按运费列的次序填写，用逗号隔开")  # fmt: skip
        sense: str = choice("目标方向", {"min": "总运费最小", "max": "总收益最大"})
        integer: bool = flag("运量取整", False)
        init: str = choice("初始方案演示", {**WAYS, "none": "不演示"}, default="vogel")

    total = Table("结果", value=num("合计"), status=text("状态"), routes=integer("路线数"),
                  supply=num("总产量", least=0), demand=num("总需求量", least=0),
                  balance=text("产销"), dummy=num("虚设点的运量", least=0), layout="record", place="main")  # fmt: skip
    routes = Table("最优调运", origin=text("产地"), place_=text("销地"), flow=num("运量", least=0),
                   unit=num("单位运费"), cost=num("运费"), place="main")  # fmt: skip
    plan = Table("调运表", origin=text("产地"), layout=Wide(flow=num("运量", least=0)), place="main")
    stream = Points("流向", source=text("产地"), target=text("销地"), flow=num("运量"))
    flows = Chart("流向图", "flow", of=stream, source="source", target="target", value="flow", place="main")
    prices = Table("位势", side=text("一方"), name=text("名称"), amount=num("产量或需求量", least=0),
                   potential=num("位势", hint="有虚设点时就是影子价格"), place="detail")  # fmt: skip
    reduced = Table("空格的检验数", origin=text("产地"), place_=text("销地"), unit=num("单位运费"),
                    reduced=num("检验数"), place="detail")  # fmt: skip
    other = Table("另一个最优方案", origin=text("产地"), place_=text("销地"), flow=num("运量", least=0),
                  place="detail")  # fmt: skip
    steps = Table(
        "初始方案与调整", step=integer("次序"), value=num("总运费"), entering=text("调入的空格"), reduced=num("检验数"),
        loop=text("闭回路"), amount=num("调整量", least=0), plan=text("方案"), place="detail",
    )  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        cost, problem = _read(report, form)
        sign = -1.0 if form.sense == "max" else 1.0
        flow, u, v = _solve(problem)
        at = _zero(problem, u, v)
        u, v = u - at, v + at
        real = _real(problem)
        value = float(np.nansum(np.where(flow[real] > 0, flow[real] * cost, 0.0)))
        spare = float(flow.sum() - flow[real].sum())
        balance = {DUMMY_TO: "产大于销", DUMMY_FROM: "销大于产", None: "平衡"}[problem.dummy]
        sums = (float(problem.supply[: cost.shape[0]].sum()), float(problem.demand[: cost.shape[1]].sum()))
        used = int((flow[real] > 0).sum())
        report.row(cls.total, value=value, status="最优", routes=used, supply=sums[0], demand=sums[1], balance=balance,
                   dummy=spare)  # fmt: skip
        cls._plan(report, problem, cost, flow)
        below = np.where(np.isinf(problem.cost), np.inf, problem.cost - u[:, None] - v)
        cls._prices(report, problem, sign, u, v)
        cls._reduced(report, problem, sign, flow, below)
        found = cls._other(report, problem, flow, below)
        cls._steps(report, form, problem, sign)
        _words(report, form, problem, (value, spare), sums, flow, found)
        return report

    # ---- tables --------------------------------------------------------------------------------------------------
    @classmethod
    def _plan(cls, report: Report, problem: Balanced, cost: Floats, flow: Floats) -> None:
        used = np.argwhere(flow > 0).tolist()
        for i, j in used[:MOST_LISTED]:
            unit = float(cost[i, j]) if i < cost.shape[0] and j < cost.shape[1] else 0.0
            report.row(cls.routes, origin=problem.origins[i], place_=problem.places[j], flow=float(flow[i, j]),
                       unit=unit, cost=unit * float(flow[i, j]))  # fmt: skip
            report.row(cls.stream, source=problem.origins[i], target=problem.places[j], flow=float(flow[i, j]))
        if max(flow.shape) > MOST_WIDE:
            report.skip(cls.plan, f"产地或销地超过 {MOST_WIDE} 个，见“最优调运”")
            return
        for i, origin in enumerate(problem.origins):
            wide = {place: {"flow": float(flow[i, j])} for j, place in enumerate(problem.places)}
            report.row(cls.plan, origin=origin, wide={**wide, "合计": {"flow": float(problem.supply[i])}})
        sums = {place: {"flow": float(problem.demand[j])} for j, place in enumerate(problem.places)}
        report.row(cls.plan, origin="合计", total=True, wide={**sums, "合计": {"flow": float(problem.supply.sum())}})

    @classmethod
    def _prices(cls, report: Report, problem: Balanced, sign: float, u: Floats, v: Floats) -> None:
        sides = (("产地", problem.origins, problem.supply, u), ("销地", problem.places, problem.demand, v))
        for side, names, amounts, values in sides:
            for name, amount, value in zip(names, amounts, values, strict=True):
                report.row(cls.prices, side=side, name=name, amount=float(amount), potential=sign * float(value) + 0.0)
        if problem.dummy is None:
            text_ = "产销平衡：一个产地和一个销地同时增加 1 单位，合计变化两个位势之和（在小范围内）。"
        else:
            text_ = "某地的产量或需求量增加 1 单位，合计变化它的位势（在小范围内）。"
        report.note(cls.prices, text_)

    @classmethod
    def _reduced(cls, report: Report, problem: Balanced, sign: float, flow: Floats, below: Floats) -> None:
        empty = [(i, j) for i, j in np.argwhere(flow == 0).tolist() if np.isfinite(below[i, j])]
        if not empty:
            report.skip(cls.reduced, "没有空格")
            return
        for i, j in empty[:MOST_LISTED]:
            unit, price = sign * float(problem.cost[i, j]) + 0.0, sign * _clean(below[i, j]) + 0.0
            report.row(cls.reduced, origin=problem.origins[i], place_=problem.places[j], unit=unit, reduced=price)
        report.note(cls.reduced, "检验数：这条路线多运 1 单位，合计变化多少。")

    @classmethod
    def _other(cls, report: Report, problem: Balanced, flow: Floats, below: Floats) -> bool:
        """Whether another plan costs the same; it is shown."""
        scale = CLOSE * max(1.0, float(np.abs(problem.cost[np.isfinite(problem.cost)]).max()))
        free = (below <= scale) & np.isfinite(below)
        turn = Balanced(np.where(free, np.where(flow > 0, 0.0, -1.0), np.inf), problem.supply, problem.demand,
                        problem.origins, problem.places, problem.dummy)  # fmt: skip
        second = _solve(turn)[0]
        moved = float(np.abs(second - flow).max())
        if moved <= 1e-7 * max(1.0, float(flow.max())):
            report.skip(cls.other, "最优方案只有一个")
            return False
        for i, j in np.argwhere(second > 0).tolist()[:MOST_LISTED]:
            report.row(cls.other, origin=problem.origins[i], place_=problem.places[j], flow=float(second[i, j]))
        return True

    @classmethod
    def _steps(cls, report: Report, form: Any, problem: Balanced, sign: float) -> None:
        if form.init == "none":
            report.skip(cls.steps, "选了不演示")
            return
        if max(problem.cost.shape) > MOST_STEPS:
            report.skip(cls.steps, f"只在产地和销地各不超过 {MOST_STEPS} 个时给出")
            return
        if np.isinf(problem.cost).any():
            report.skip(cls.steps, "有不通的路线")
            return
        made: list[Turn] | None = turns(problem.cost, problem.supply, problem.demand, form.init)
        if made is None:
            report.skip(cls.steps, "退化的方案使调整没有结束")
            return
        for step, one in enumerate(made, 1):
            name = "" if one.entering is None else _cell(problem, *one.entering)
            loop = " → ".join(_cell(problem, *cell) for cell in one.loop)
            plan = "，".join(
                f"{_cell(problem, i, j)} {one.plan[i, j]:g}" for i, j in np.argwhere(one.plan > 0).tolist()
            )
            reduced = None if one.reduced is None else sign * one.reduced
            report.row(cls.steps, step=step, value=sign * one.value + 0.0, entering=name or "—（最优）",
                       reduced=reduced, loop=loop or "—", amount=one.amount, plan=plan)  # fmt: skip
        report.note(
            cls.steps, f"第 1 行是{WAYS[form.init]}的初始方案；每次沿闭回路调整，最后一行是最优方案，不再调整。"
        )


# ---- reading and solving -----------------------------------------------------------------------------------------
def _read(report: Report, form: Any) -> tuple[Floats, Balanced]:
    """Costs as they stand, and the balanced problem to be minimised."""
    cost, rows = grid(form.cost, "cost", None)
    report.used(len(rows))
    origins, places = row_names(form.origin, rows, "产地"), column_of(form.cost, "cost")
    m, n = cost.shape
    if m * n > MOST_CELLS:
        raise Refusal("data.many", f"路线有 {{k}} 条，最多 {MOST_CELLS:,} 条", field="cost", k=m * n)
    if len(form.demand) != n:
        raise Refusal("data.demand", f"需要 {n} 个需求量，收到 {len(form.demand)} 个", field="demand")
    at = {int(row): k for k, row in enumerate(form.supply.row_numbers)}
    supply = np.array([form.supply.numbers[at[row]] for row in rows])
    demand = np.array(form.demand, dtype=float)
    for row, amount in zip(rows, supply, strict=True):
        if not np.isfinite(amount):
            raise Refusal("data.gap", f"第 {row} 行缺少产量，请补上", field="supply", column=form.supply.id, row=row)
        if amount < 0:
            raise Refusal("data.negative", f"产量与需求量不能为负：第 {row} 行", field="supply", row=row)
        if amount > 1e12:
            raise Refusal("data.magnitude", f"第 {row} 行的产量太大，请换一个单位", field="supply", row=row)
    if form.integer:
        supply = _whole_amounts(report, supply, demand)
    if supply.sum() == 0 or demand.sum() == 0:
        raise Refusal("data.zero", "供给与需求不能全为 0", field="supply", also=["demand"])
    closed = int(np.isnan(cost).sum())
    if closed:
        report.warn("data.closed", "有 {k:integer} 个空的运费，按不通的路线处理。", k=closed)
    priced = np.where(np.isnan(cost), np.inf, -cost if form.sense == "max" else cost)
    gap = float(supply.sum() - demand.sum())
    dummy = None
    if gap > CLOSE * max(1.0, demand.sum()):
        dummy, demand, places = DUMMY_TO, np.append(demand, gap), [*places, DUMMY_TO]
        priced = np.column_stack([priced, np.zeros(m)])
    elif gap < -CLOSE * max(1.0, demand.sum()):
        dummy, supply, origins = DUMMY_FROM, np.append(supply, -gap), [*origins, DUMMY_FROM]
        priced = np.vstack([priced, np.zeros(n)])
    return cost, Balanced(priced, supply, demand, origins, places, dummy)


def _whole_amounts(report: Report, supply: Floats, demand: Floats) -> Floats:
    if (demand != np.round(demand)).any():
        raise Refusal("data.whole", "运量取整时，各销地需求量要是整数", field="demand")
    low = np.floor(supply + 1e-9)
    if (low < supply - 1e-9).any():
        report.warn("data.whole", "运量取整：产量的小数部分运不出去，已舍去。")
    return np.asarray(low)


def _solve(problem: Balanced) -> tuple[Floats, Floats, Floats]:
    """Flows at a vertex and the potentials of origins and destinations (HiGHS, dual simplex)."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_array

    m, n = problem.cost.shape
    open_ = np.argwhere(np.isfinite(problem.cost))
    k = len(open_)
    rows = csr_array(
        (np.ones(2 * k), (np.r_[open_[:, 0], m + open_[:, 1]], np.r_[np.arange(k), np.arange(k)])), shape=(m + n, k)
    )
    found = linprog(problem.cost[open_[:, 0], open_[:, 1]], A_eq=rows, b_eq=np.r_[problem.supply, problem.demand],
                    method="highs-ds")  # fmt: skip
    if found.status != 0:
        raise Refusal("data.infeasible", "不通的路线太多，产量运不出去或需求量满足不了，请补上运费", field="cost")
    flow = np.zeros((m, n))
    flow[open_[:, 0], open_[:, 1]] = whole(np.maximum(found.x, 0.0))
    flow[flow <= 1e-9 * max(1.0, float(flow.max()))] = 0.0
    prices = np.asarray(found.eqlin.marginals)
    return flow, prices[:m], prices[m:]


def _zero(problem: Balanced, u: Floats, v: Floats) -> float:
    """What is taken from u and given to v, so that the dummy (or the first origin) has the potential 0."""
    if problem.dummy == DUMMY_TO:
        return -float(v[-1])
    return float(u[-1]) if problem.dummy == DUMMY_FROM else float(u[0])


def _real(problem: Balanced) -> tuple[slice, slice]:
    m, n = problem.cost.shape
    return slice(0, m - (problem.dummy == DUMMY_FROM)), slice(0, n - (problem.dummy == DUMMY_TO))


def _clean(value: float) -> float:
    return 0.0 if abs(value) < 1e-9 else float(value)


def _cell(problem: Balanced, i: int, j: int) -> str:
    return f"{problem.origins[i]}-{problem.places[j]}"


def _words(
    report: Report, form: Any, problem: Balanced, numbers_: tuple[float, float], sums: tuple[float, float],
    flow: Floats, other: bool,
) -> None:  # fmt: skip
    value, spare = numbers_
    word = "总收益最大" if form.sense == "max" else "总运费最小"
    used = int((flow[_real(problem)] > 0).sum())
    report.lead(word + "是 {v:num}，用 {k:integer} 条路线。", [figure(word, "{v:num}")], v=value, k=used)
    if problem.dummy is None:
        report.check("产销平衡", "pass", "总产量等于总需求量（{s:num}）。", s=sums[0])
    elif problem.dummy == DUMMY_TO:
        text_ = "产大于销：有 {x:num} 单位留在产地，记在“虚设销地”。"
        report.check("产销平衡", "care", text_, x=spare)
    else:
        text_ = "销大于产：有 {x:num} 单位的需求没有满足，记在“虚设产地”。"
        report.check("产销平衡", "care", text_, x=spare)
    if other:
        report.check("唯一性", "care", "最优方案不唯一，另一个列在明细里，合计一样。")
    else:
        report.check("唯一性", "pass", "最优方案只有一个。")
    m, n = flow.shape
    if int((flow > 0).sum()) < m + n - 1:
        text_ = "最优方案是退化的（用到的格子少于 {k:integer} 个），位势不唯一，与其他软件可能不同。"
        report.check("退化", "care", text_, k=m + n - 1)
    else:
        report.check("退化", "pass", "最优方案不退化，位势是唯一的。")
    report.say(
        f"求解 {{m:integer}} 个产地、{{n:integer}} 个销地的运输问题，{word}为 {{v:num}}。", voice="paper",
        m=m - (problem.dummy == DUMMY_FROM), n=n - (problem.dummy == DUMMY_TO), v=value,
    )  # fmt: skip
