from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Level,
    Method,
    Points,
    Refusal,
    Report,
    Table,
    choice,
    figure,
    flag,
    integer,
    level,
    num,
    percent,
    role,
    text,
)
from hengxi.methods.mathematical_modeling._shared import tours
from hengxi.methods.mathematical_modeling._shared.grid import Floats, column_of, grid, row_names
from hengxi.methods.mathematical_modeling._shared.tours import Ints, Trace

ALGORITHMS = {
    "auto": "自动", "dynamic": "动态规划（≤ 15）", "integer": "整数规划（≤ 60）", "two_opt": "最近邻 + 2-opt",
    "or_opt": "2-opt + Or-opt", "annealing": "模拟退火", "genetic": "遗传算法", "ants": "蚁群",
}  # fmt: skip
SEARCHED = {"algorithm": ("annealing", "genetic", "ants")}
MOST_DYNAMIC, MOST_INTEGER, AUTO_DYNAMIC, AUTO_INTEGER, MOST, DRAWN, SECONDS = 15, 60, 12, 40, 500, 150, 60.0


@dataclass(frozen=True)
class Problem:
    """Distances with a helper place of no distance where the trip need not return (`open_`)."""

    names: list[str]
    d: Floats
    wide: Floats
    start: int | None
    open_: bool
    forced: float
    xy: Floats | None


class Tsp(Method):
    """The shortest trip through all places: proven where it can be, else with a bound and the gap to it."""

    title, title_en = "旅行商问题", "Travelling salesman problem"
    slug, tier = "tsp", "member"
    family = "数学建模"
    purpose = "求访问所有地点一次并返回的最短路线"
    aliases = ("TSP", "旅行商", "最短巡回", "路线规划", "送货路线", "蚁群算法")
    references = ("held1962", "held1970", "dantzig1954", "croes1958", "dorigo1997", "reinelt1991")
    conventions = (
        "平面坐标用直线距离；经纬度用大圆距离（公里，地球半径 6371.0088），度数为小数。",
        "自动：不超过 12 点用动态规划，不超过 40 点用整数规划，更多时用多个起点的 2-opt + Or-opt。",
        "整数规划遇到子回路就加约束再解（HiGHS），最多 60 秒；没有证明时改用启发式。",
        "启发式的下界：距离对称时用 1-树的次梯度上升，不对称时用指派问题；差距 = (长度 − 下界) / 长度。",
        "不回到起点时，加一个到各点距离为 0 的虚设地点。",
    )
    missing = "keep"
    row_order = True
    random = True

    class Input(Form):
        name: Column | None = role("地点名称（选填）", "任意", use="label")
        xy: list[Column] = role("坐标或距离矩阵各列", "定量", min=2, max=500, hint="坐标放 2 列；经纬度先纬度后经度")
        input: str = choice("数据形式", {"plane": "平面坐标", "geographic": "经纬度", "matrix": "距离矩阵"})
        algorithm: str = choice("算法", ALGORITHMS)
        closed: bool = flag("回到起点", True)
        start: Level | None = level("起点", of="name")
        max_iter: int | None = integer("最大迭代次数", 300, least=10, most=100_000, when=SEARCHED, advanced=True)

    result = Table("结果", total_=num("总长度", least=0), status=text("状态"), ran=text("实际运行"),
                   places=integer("地点数"), bound=num("下界", least=0), gap=percent("与下界的差距"), layout="record",
                   place="main")  # fmt: skip
    route = Table("路线", order=integer("次序"), place_=text("地点"), leg=num("本段距离", least=0),
                  running=num("累计距离", least=0), place="main")  # fmt: skip
    nodes = Points("地点", id=text("编号"), label=text("地点"), group=text("类别"), x=num("x"), y=num("y"))
    edges = Points("路段", source=text("从"), target=text("到"), text=text("距离"))
    map_ = Chart("路线图", "network", nodes=nodes, edges=edges, group="group", x="x", y="y", text="text",
                 arrange="fixed", place="main")  # fmt: skip
    compared = Table("各算法对照", algorithm=text("算法"), total_=num("长度", least=0),
                     longer=percent("比最短的长", most=None), place="main")  # fmt: skip
    trace = Points("求解过程", step=integer("迭代"), value=num("最短长度"), when=SEARCHED)
    convergence = Chart("收敛曲线", "line", of=trace, x="step", y="value", when=SEARCHED, place="detail")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        problem = _read(report, form)
        n = len(problem.names)
        tour, ran, proven, trace = _solve(form, problem)
        own = _order(problem, tour)
        total = _along(problem, own)
        low = total if proven else max(0.0, tours.bound(problem.wide, total - problem.forced) + problem.forced)
        low = min(low, total)
        gap = (total - low) / total if total > 0 else 0.0
        closed = proven or gap <= 1e-9
        report.row(cls.result, total_=total, status="最优" if closed else "最好可行解", ran=ran, places=n,
                   bound=low, gap=0.0 if closed else gap)  # fmt: skip
        cls._route(report, problem, own)
        cls._draw(report, problem, own)
        cls._compare(report, form, problem, ran, total)
        for step, value in trace:
            report.row(cls.trace, step=step, value=value + problem.forced)
        if form.algorithm in SEARCHED["algorithm"]:
            report.note(cls.trace, "最后再用 2-opt 和 Or-opt 改进，表里的长度可能更短。")
        _words(report, form, problem, own, total, low, gap, closed, ran)
        return report

    @classmethod
    def _route(cls, report: Report, problem: Problem, own: list[int]) -> None:
        running = 0.0
        stops = own if problem.open_ else [*own, own[0]]
        for order, k in enumerate(stops, 1):
            leg = 0.0 if order == 1 else float(problem.d[stops[order - 2], k])
            running += leg
            report.row(cls.route, order=order, place_=problem.names[k], leg=leg, running=running)

    @classmethod
    def _draw(cls, report: Report, problem: Problem, own: list[int]) -> None:
        n = len(own)
        if n > DRAWN:
            for element in (cls.nodes, cls.edges, cls.map_):
                report.skip(element, f"地点超过 {DRAWN} 个，图上看不清")
            return
        angle = 2 * np.pi * np.arange(n) / n
        place = {k: (float(np.cos(angle[i])), float(np.sin(angle[i]))) for i, k in enumerate(own)}
        if problem.xy is not None:
            place = {k: (float(problem.xy[k, 0]), -float(problem.xy[k, 1])) for k in own}
        for k in range(n):
            report.row(cls.nodes, id=str(k), label=problem.names[k], group="起点" if k == own[0] else "地点",
                       x=place[k][0], y=place[k][1])  # fmt: skip
        pairs = list(zip(own, own[1:] if problem.open_ else [*own[1:], own[0]], strict=False))
        for a, b in pairs:
            words = f"{problem.d[a, b]:.4g}" if n <= 30 else ""
            report.row(cls.edges, source=str(a), target=str(b), text=words)
        if problem.xy is None:
            report.note(cls.map_, "没有坐标，地点按路线的次序排在圆上。")

    @classmethod
    def _compare(cls, report: Report, form: Any, problem: Problem, ran: str, total: float) -> None:
        d = problem.wide
        rows = {"最近邻": tours.nearest(d, problem.start or 0)}
        rows["最近邻 + 2-opt"] = tours.improved(d, rows["最近邻"], False)
        rows["2-opt + Or-opt"] = tours.improved(d, rows["最近邻"], True)
        lengths = {name: tours.length(d, tour) + problem.forced for name, tour in rows.items()}
        lengths = {f"{name}（一个起点）": value for name, value in lengths.items()} | {f"本次：{ran}": total}
        best = min(lengths.values())
        for name, value in lengths.items():
            longer = (value - best) / best if best > 0 else 0.0
            report.row(cls.compared, algorithm=name, total_=value, longer=longer if longer > 1e-12 else 0.0)


# ---- reading and solving -----------------------------------------------------------------------------------------
def _read(report: Report, form: Any) -> Problem:
    values, rows = grid(form.xy, "xy", "的数缺失，距离或坐标无效")
    names = row_names(form.name, rows, "地点")
    report.used(len(rows))
    n = len(rows)
    if n < 3:
        raise Refusal("data.few", "至少需要 3 个地点", field="xy")
    if n > MOST:
        raise Refusal("data.many", f"有 {{n}} 个地点，最多 {MOST} 个", field="xy", n=n)
    xy: Floats | None = None
    if form.input == "matrix":
        if values.shape[0] != values.shape[1]:
            text_ = f"距离矩阵行数（{values.shape[0]}）与列数（{values.shape[1]}）不等"
            raise Refusal("data.shape", text_, field="xy")
        off = values + np.diag(np.zeros(n))
        bad = np.argwhere((off < 0) & ~np.eye(n, dtype=bool))
        if len(bad):
            i, j = bad[0]
            text_ = f"第 {rows[i]} 行“{form.xy[j].title}”的距离为负，无效"
            raise Refusal("data.negative", text_, field="xy", column=form.xy[j].id)
        d = values.copy()
        np.fill_diagonal(d, 0.0)
        if form.name is None:
            names = column_of(form.xy, "xy")
    else:
        if values.shape[1] != 2:
            raise Refusal(
                "data.columns", f"坐标要放 2 列，现有 {values.shape[1]} 列；距离矩阵请改“数据形式”", field="xy"
            )
        if form.input == "geographic":
            if np.abs(values[:, 0]).max() > 90 or np.abs(values[:, 1]).max() > 360:
                text_ = "纬度要在 −90 到 90 之间，经度在 −360 到 360 之间；先放纬度，后放经度"
                raise Refusal("data.degrees", text_, field="xy")
            d, xy = tours.sphere(values), values[:, ::-1]
        else:
            d, xy = tours.plane(values), values
    if not d.max() > 0 or not np.isfinite(d).all():
        raise Refusal("data.zero", "所有地点都在一处，或数值太大，没有路线可求", field="xy")
    start = None if form.start is None else _start(form, rows)
    if form.algorithm == "dynamic" and n > MOST_DYNAMIC:
        raise Refusal("data.many", "动态规划最多 15 个地点，请改用其他算法", field="algorithm")
    if form.algorithm == "integer" and n > MOST_INTEGER:
        raise Refusal("data.many", "整数规划最多 60 个地点，请改用其他算法", field="algorithm")
    if form.closed:
        return Problem(names, d, d, start, False, 0.0, xy)
    wide = np.zeros((n + 1, n + 1))
    wide[1:, 1:] = d
    forced = 0.0
    if start is not None:
        # A trip that ends anywhere but begins at `start`: the helper is tied to it by a negative distance.
        forced = 2 * float(d.max()) * n
        wide[0, start + 1] = wide[start + 1, 0] = -forced
        if not np.allclose(d, d.T):
            wide[start + 1, 0] = 0.0
    return Problem(names, d, wide, start, True, forced, xy)


def _start(form: Any, rows: list[int]) -> int:
    at = {int(row): k for k, row in enumerate(form.name.row_numbers)}
    hits = [k for k, row in enumerate(rows) if form.name.where(form.start)[at[row]]]
    if not hits:
        raise Refusal("data.node", f"找不到起点“{form.start.label}”", field="start")
    return hits[0]


def _solve(form: Any, problem: Problem) -> tuple[Ints, str, bool, Trace]:
    d, n = problem.wide, len(problem.names)
    key = form.algorithm
    if key == "auto":
        key = "dynamic" if n <= AUTO_DYNAMIC else "integer" if n <= AUTO_INTEGER else "or_opt"

    def watch(done: int, of: int, best: float) -> bool:
        shown = best + problem.forced
        return bool(form.progress(done, of, f"第 {done}/{of} 次，当前最短 {shown:.6g}", shown))

    if key == "dynamic":
        return tours.dynamic(d), "动态规划", True, []
    if key == "integer":
        found, proven = tours.integer(d, SECONDS)
        if found is not None and proven:
            return found, "整数规划（HiGHS）", True, []
        key = "or_opt"
    if key in ("two_opt", "or_opt"):
        starts = 20 if n <= 100 else 5
        return tours.searched(d, key == "or_opt", form.rng, starts), ALGORITHMS[key], False, []
    steps = int(form.max_iter or 300)
    search: Any = {"annealing": tours.annealed, "genetic": tours.bred, "ants": tours.ants}[key]
    tour, trace = search(d, form.rng, steps, watch)
    return tour, ALGORITHMS[key], False, trace


def _order(problem: Problem, tour: Ints) -> list[int]:
    """Places in order from the start; of both directions of a symmetric trip the one whose second place is first."""
    own = tour.tolist()
    if problem.open_:
        at = own.index(0)
        own = [k - 1 for k in (*own[at + 1 :], *own[:at])]
        turned = problem.start is not None and own[0] != problem.start and own[-1] == problem.start
        if turned or (problem.start is None and own[0] > own[-1] and np.allclose(problem.d, problem.d.T)):
            own = own[::-1]
        return own
    at = own.index(problem.start or 0)
    own = [*own[at:], *own[:at]]
    if len(own) > 2 and own[1] > own[-1] and np.allclose(problem.d, problem.d.T):
        own = [own[0], *own[1:][::-1]]
    return own


def _along(problem: Problem, own: list[int]) -> float:
    stops = own if problem.open_ else [*own, own[0]]
    return float(sum(problem.d[a, b] for a, b in itertools.pairwise(stops)))


def _words(
    report: Report, form: Any, problem: Problem, own: list[int], total: float, low: float, gap: float, closed: bool,
    ran: str,
) -> None:  # fmt: skip
    shown = " → ".join(problem.names[k] for k in own[:8]) + (" → ……" if len(own) > 8 else "")
    facts: dict[str, Any] = {"v": total, "n": len(own), "w": shown}
    word = "不回到起点的最短路线" if problem.open_ else "最短回路"
    report.lead((word if closed else "找到的路线") + "长 {v:num}，经过 {n:integer} 个地点：{w}。",
                [figure("总长度", "{v:num}")], **facts)  # fmt: skip
    if closed:
        report.check("最优性", "pass", "已证明没有更短的路线。")
    else:
        report.check(
            "最优性", "care", "没有证明最优：最短的路线不会短于 {l:num}，差距不超过 {g:percent}。", l=low, g=gap
        )
    if not np.allclose(problem.d, problem.d.T):
        report.warn("data.asymmetric", "距离不对称（去和回不一样长），没有用对称的加速，路线有方向。")
    report.say(
        f"用{ran}求解 {{n:integer}} 个地点的旅行商问题，路线总长 {{v:num}}。", voice="paper", n=len(own), v=total
    )
