from __future__ import annotations

from itertools import combinations
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
    TypedMatrix,
    choice,
    figure,
    flag,
    integer,
    interval,
    matrix,
    num,
    role,
    text,
)
from hengxi.methods.mathematical_modeling._shared.grid import Floats, column_of, grid, row_names

ZERO, BOTH = {"kind": "zero_sum"}, {"kind": "bimatrix"}
MOST_SUPPORT, MOST_RANGE, MOST_SIZE = 6, 25, 50
CLOSE = 1e-9
ONE, TWO = "局中人 I", "局中人 II"


class MatrixGame(Method):
    """Two players: saddle points, mixed strategies and the value of a zero-sum game, equilibria of a bimatrix game."""

    title, title_en = "矩阵博弈", "Matrix game"
    slug, tier = "matrix-game", "member"
    family = "数学建模"
    purpose = "求二人博弈的鞍点、混合策略与博弈值或纳什均衡"
    aliases = ("博弈论", "鞍点", "混合策略", "纳什均衡", "零和博弈", "双矩阵博弈")
    references = ("vonneumann1944", "nash1951", "hillier2015", "huangfu2018")
    conventions = (
        "收益矩阵是局中人 I 的收益，行是 I 的策略，列是 II 的策略；零和博弈里 II 的收益是它的相反数。",
        "零和博弈用线性规划求解（HiGHS），对偶解是局中人 II 的策略。",
        "严格劣策略：另一个纯策略在对方每一种策略下都更好；剔除它不会失去任何均衡。",
        "双矩阵博弈用支撑枚举：双方支撑一样大。退化的博弈还可能有别的均衡。",
    )
    missing = "keep"
    row_order = True

    class Input(Form):
        payoff: list[Column] = role("局中人 I 的收益矩阵各列", "定量", min=2, max=50)
        name: Column | None = role("行策略名称（选填）", "任意", use="label")
        kind: str = choice("类型", {"zero_sum": "零和博弈", "bimatrix": "双矩阵博弈"})
        payoff2: TypedMatrix | None = matrix("局中人 II 的收益矩阵", kind="free", size=(2, 50), when=BOTH,
                                             hint="行列的次序与上面的表相同")  # fmt: skip
        dominated: bool = flag("先剔除严格劣策略", True)

    result = Table("结果", value=num("博弈值"), low=num("最大最小值"), high=num("最小最大值"), saddle=text("鞍点"),
                   layout="record", when=ZERO, place="main")  # fmt: skip
    mixed = Table("最优策略", player=text("局中人"), strategy=text("策略"), p=num("概率", least=0, most=1),
                  range_=interval("可能的范围", "least", "most", around="p"), when=ZERO, place="main")  # fmt: skip
    equilibria = Table(
        "纳什均衡", number=integer("编号"), kind_=text("类型"), first=text("局中人 I 的策略"),
        second=text("局中人 II 的策略"), gain=num("I 的收益"), gain2=num("II 的收益"), when=BOTH, place="main",
    )  # fmt: skip
    bounds = Table("各策略的保证收益", player=text("局中人"), strategy=text("策略"), sure=num("最坏时 I 的收益"),
                   best=text("是否最好"), when=ZERO, place="detail")  # fmt: skip
    removed = Table("剔除的劣策略", order=integer("次序"), player=text("局中人"), strategy=text("策略"),
                    by=text("优于它的策略"), when={"dominated": True}, place="detail")  # fmt: skip
    points = Points("图解", p=num("概率"), value=num("I 的期望收益"), line=text("对方的策略"), when=ZERO)
    plot = Chart("图解法", "line", of=points, x="p", y="value", series="line", when=ZERO, place="main")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        a, rows = grid(form.payoff, "payoff", "缺少收益")
        report.used(len(rows))
        if not 2 <= len(rows) <= MOST_SIZE:
            text_ = f"至少需要两个行策略，最多 {MOST_SIZE} 个，现有 {len(rows)} 个"
            raise Refusal("data.few", text_, field="payoff")
        names = (row_names(form.name, rows, "策略"), column_of(form.payoff, "payoff"))
        b = -a if form.kind == "zero_sum" else _second(form, a)
        kept = _eliminate(a, b) if form.dominated else ([], (list(range(a.shape[0])), list(range(a.shape[1]))))
        if form.dominated:
            cls._removed(report, names, kept[0])
        if form.kind == "zero_sum":
            cls._zero_sum(report, a, kept[1], names)
        else:
            cls._bimatrix(report, (a, b), kept[1], names)
        return report

    @classmethod
    def _removed(cls, report: Report, names: tuple[list[str], list[str]], found: list[tuple[int, int, int]]) -> None:
        if not found:
            report.skip(cls.removed, "没有严格劣策略")
        for order, (player, k, by) in enumerate(found, 1):
            report.row(cls.removed, order=order, player=(ONE, TWO)[player], strategy=names[player][k],
                       by=names[player][by])  # fmt: skip

    # ---- zero sum ------------------------------------------------------------------------------------------------
    @classmethod
    def _zero_sum(
        cls, report: Report, a: Floats, kept: tuple[list[int], list[int]], names: tuple[list[str], list[str]]
    ) -> None:
        low, high = a.min(axis=1), a.max(axis=0)
        value, x, y = _mixed(a, kept)
        for player, (sure, own) in enumerate(((low, names[0]), (high, names[1]))):
            best = sure.max() if player == 0 else sure.min()
            for name, worst in zip(own, sure, strict=True):
                report.row(cls.bounds, player=(ONE, TWO)[player], strategy=name, sure=float(worst),
                           best="是" if worst == best else "否")  # fmt: skip
        saddles = [
            f"（{names[0][i]}，{names[1][j]}）" for i, j in np.argwhere((a == low[:, None]) & (a == high)).tolist()
        ]  # fmt: skip
        pure = bool(saddles)
        shown = report.row(cls.result, value=value, low=float(low.max()), high=float(high.min()),
                           saddle="、".join(saddles[:10]) or "没有")  # fmt: skip
        several = False
        for player, p in enumerate((x, y)):
            ranges = _ranges(a if player == 0 else -a.T, value if player == 0 else -value, p)
            for k, name in enumerate(names[player]):
                least, most = (None, None) if ranges is None else ranges[k]
                several |= least is not None and most is not None and most - least > 1e-7
                report.row(cls.mixed, player=(ONE, TWO)[player], strategy=name, p=float(p[k]), least=least, most=most)
        report.note(cls.mixed, "范围：所有最优策略里这个概率可能取到的最小和最大值。" if max(a.shape) <= MOST_RANGE
                    else f"策略超过 {MOST_RANGE} 个，没有求范围。")  # fmt: skip
        cls._figure(report, a, names)
        facts: dict[str, Any] = {"v": shown["value"], "s": saddles[0] if pure else "", "m": a.shape[0], "n": a.shape[1]}
        if pure:
            lead = "有鞍点{s}，博弈值是 {v:num}：双方都用纯策略。"
        else:
            lead = "没有鞍点，双方要用混合策略，博弈值是 {v:num}。"
        report.lead(lead, [figure("博弈值", "{v:num}")], v=facts["v"], s=facts["s"])
        if max(a.shape) > MOST_RANGE:
            report.check("唯一性", "unknown", "策略较多，没有检查最优策略是否唯一。")
        elif several:
            report.check("唯一性", "care", "最优策略不唯一，表里列出其中一个和各概率的范围。博弈值是唯一的。")
        else:
            report.check("唯一性", "pass", "双方的最优策略都是唯一的。")
        gap = max(value - float((x @ a).min()), float((a @ y).max()) - value)
        if gap <= 1e-7 * max(1.0, float(np.abs(a).max())):
            report.check("最优性", "pass", "I 至少保证得到博弈值，II 至多付出博弈值。")
        else:
            report.check("最优性", "fail", "策略的保证收益与博弈值不符，请换一个单位再算。")
        side = "对局中人 I 有利" if value > CLOSE else "对局中人 II 有利" if value < -CLOSE else "是公平的"
        report.say(f"长期看，这个博弈{side}。", voice="student")
        report.say("求解 {m:integer} × {n:integer} 的零和博弈，博弈值为 {v:num}。", voice="paper", **facts)

    @classmethod
    def _figure(cls, report: Report, a: Floats, names: tuple[list[str], list[str]]) -> None:
        if 2 not in a.shape or max(a.shape) > 12:
            report.skip(cls.points, "只在一方有两个策略、另一方不超过 12 个时给出")
            report.skip(cls.plot, "只在一方有两个策略、另一方不超过 12 个时给出")
            return
        own = 0 if a.shape[0] == 2 else 1
        held, others = (a, names[1]) if own == 0 else (a.T, names[0])
        for k, other in enumerate(others):
            for p in (0.0, 1.0):
                report.row(cls.points, p=p, value=float(p * held[0, k] + (1 - p) * held[1, k]), line=other)
        report.chart(cls.plot, titles={"x": f"{(ONE, TWO)[own]}用“{names[own][0]}”的概率", "y": "I 的期望收益"})
        edge = "下边界的最高点" if own == 0 else "上边界的最低点"
        report.note(cls.plot, f"一条线是对方的一个策略；{edge}就是博弈值。")

    # ---- bimatrix ------------------------------------------------------------------------------------------------
    @classmethod
    def _bimatrix(
        cls, report: Report, both: tuple[Floats, Floats], kept: tuple[list[int], list[int]],
        names: tuple[list[str], list[str]],
    ) -> None:  # fmt: skip
        a, b = both
        small = max(len(kept[0]), len(kept[1])) <= MOST_SUPPORT
        found, degenerate = _equilibria(a, b, kept, MOST_SUPPORT if small else 1)
        if not found:
            text_ = f"策略超过 {MOST_SUPPORT} 个，只找了纯策略均衡，没有找到。请减少策略"
            raise Refusal("data.large", text_, field="payoff")
        for number, (x, y) in enumerate(found, 1):
            report.row(
                cls.equilibria, number=number, kind_="纯策略" if x.max() == 1 and y.max() == 1 else "混合策略",
                first=_words(x, names[0]), second=_words(y, names[1]), gain=float(x @ a @ y), gain2=float(x @ b @ y),
            )  # fmt: skip
        facts: dict[str, Any] = {"k": len(found), "m": a.shape[0], "n": a.shape[1]}
        pure = sum(x.max() == 1 and y.max() == 1 for x, y in found)
        lead = "找到 {k:integer} 个纳什均衡，其中纯策略的有 {p:integer} 个。"
        report.lead(lead, [figure("纳什均衡", "{k:integer}")], k=len(found), p=pure)
        if not small:
            text_ = f"策略超过 {MOST_SUPPORT} 个，只列出纯策略均衡，混合策略的没有找。"
            report.check("是否全部", "care", text_)
        elif degenerate:
            report.check("是否全部", "care", "博弈是退化的，除了列出的，还可能有别的均衡。")
        else:
            report.check("是否全部", "pass", "博弈不退化，列出的就是全部均衡。")
        report.say("均衡时，任何一方单独改变策略都不会更好。", voice="student")
        text_ = "用支撑枚举求解 {m:integer} × {n:integer} 的双矩阵博弈，得到 {k:integer} 个纳什均衡。"
        report.say(text_, voice="paper", **facts)


# ---- solving -----------------------------------------------------------------------------------------------------
def _second(form: Any, a: Floats) -> Floats:
    if form.payoff2 is None:
        raise Refusal("matrix.required", "请填写“局中人 II 的收益矩阵”", field="payoff2")
    b = np.asarray(form.payoff2.values, dtype=float)
    if b.shape != a.shape:
        m, n = a.shape
        text_ = f"两个收益矩阵的行列数必须相同：I 是 {m} 行 {n} 列，II 是 {b.shape[0]} 行 {b.shape[1]} 列"
        raise Refusal("data.shape", text_, field="payoff2")
    return b


def _eliminate(a: Floats, b: Floats) -> tuple[list[tuple[int, int, int]], tuple[list[int], list[int]]]:
    """Strictly dominated pure strategies one after another: player, strategy, what is better; and what is left."""
    kept = (list(range(a.shape[0])), list(range(a.shape[1])))
    out: list[tuple[int, int, int]] = []
    while True:
        here = next(
            (
                (player, k, other)
                for player, held in ((0, a[np.ix_(*kept)]), (1, b[np.ix_(*kept)].T))
                for k in range(len(held))
                for other in range(len(held))
                if other != k and (held[other] > held[k]).all()
            ),
            None,
        )
        if here is None:
            return out, kept
        player, k, other = here
        out.append((player, kept[player][k], kept[player][other]))
        kept[player].pop(k)


def _mixed(a: Floats, kept: tuple[list[int], list[int]]) -> tuple[float, Floats, Floats]:
    """Value and optimal strategies: max v with x·a ≥ v; the duals are the other player's (von Neumann 1944)."""
    from scipy.optimize import linprog

    held = a[np.ix_(*kept)]
    m, n = held.shape
    scale = max(1.0, float(np.abs(held).max()))
    found = linprog(
        np.r_[np.zeros(m), -1.0], A_ub=np.column_stack([-held.T / scale, np.ones(n)]), b_ub=np.zeros(n),
        A_eq=[np.r_[np.ones(m), 0.0]], b_eq=[1.0], bounds=[(0, None)] * m + [(None, None)], method="highs-ds",
    )  # fmt: skip
    if found.status != 0:
        raise Refusal("data.number", "没有求到博弈值，请核对收益矩阵", field="payoff")
    x, y = np.zeros(a.shape[0]), np.zeros(a.shape[1])
    x[kept[0]] = _clean(found.x[:m])
    y[kept[1]] = _clean(-found.ineqlin.marginals)
    value = float(x @ a @ y)
    return (0.0 if abs(value) < 1e-12 * scale else value), x, y


def _clean(p: Floats) -> Floats:
    q = np.where(np.abs(p) < CLOSE, 0.0, np.maximum(p, 0.0))
    return np.asarray(q / q.sum())


def _ranges(a: Floats, value: float, p: Floats) -> list[tuple[float, float]] | None:
    """Of each probability the least and most among all optimal strategies of the row player."""
    from scipy.optimize import linprog

    m = a.shape[0]
    if max(a.shape) > MOST_RANGE:
        return None
    scale = max(1.0, float(np.abs(a).max()))
    out = []
    for k in range(m):
        ends = []
        for sign in (1.0, -1.0):
            goal = np.zeros(m)
            goal[k] = sign
            found = linprog(goal, A_ub=-a.T / scale, b_ub=np.full(a.shape[1], -value / scale + 1e-12),
                            A_eq=[np.ones(m)], b_eq=[1.0], bounds=[(0, 1)] * m, method="highs-ds")  # fmt: skip
            ends.append(float(found.x[k]) if found.status == 0 else float(p[k]))
        low, high = min(ends[0], float(p[k])), max(ends[1], float(p[k]))
        # What differs by rounding alone is one number.
        out.append((float(p[k]),) * 2 if high - low < 1e-7 else (low if low > CLOSE else 0.0, high))
    return out


def _equilibria(
    a: Floats, b: Floats, kept: tuple[list[int], list[int]], largest: int
) -> tuple[list[tuple[Floats, Floats]], bool]:
    """Equilibria by supports of equal size (Nash 1951), small ones first; is the game degenerate?"""
    rows, columns = kept
    tall, wide = a[np.ix_(rows, columns)], b[np.ix_(rows, columns)]
    scale = CLOSE * max(1.0, float(np.abs(tall).max()), float(np.abs(wide).max())) * 10
    found: list[tuple[Floats, Floats]] = []
    degenerate = False
    for size in range(1, min(largest, len(rows), len(columns)) + 1):
        for own in combinations(range(len(rows)), size):
            for other in combinations(range(len(columns)), size):
                y = _indifferent(tall[np.ix_(own, other)])
                x = _indifferent(wide[np.ix_(own, other)].T)
                if x is None or y is None:
                    continue
                whole_x, whole_y = np.zeros(len(rows)), np.zeros(len(columns))
                whole_x[list(own)], whole_y[list(other)] = x, y
                gains, gains2 = tall @ whole_y, whole_x @ wide
                if gains.max() > gains[list(own)].min() + scale or gains2.max() > gains2[list(other)].min() + scale:
                    continue
                degenerate |= int((gains >= gains.max() - scale).sum()) > size
                degenerate |= int((gains2 >= gains2.max() - scale).sum()) > size
                full_x, full_y = np.zeros(a.shape[0]), np.zeros(a.shape[1])
                full_x[rows], full_y[columns] = whole_x, whole_y
                found.append((full_x, full_y))
    return found, degenerate


def _indifferent(held: Floats) -> Floats | None:
    """Positive probabilities of the columns that make all rows pay the same; None where there are none."""
    k = len(held)
    system = np.zeros((k + 1, k + 1))
    system[:k, :k], system[:k, k], system[k, :k] = held, -1.0, 1.0
    try:
        p = np.linalg.solve(system, np.r_[np.zeros(k), 1.0])[:k]
    except np.linalg.LinAlgError:
        return None
    return np.asarray(p) if (p > CLOSE).all() and np.isfinite(p).all() else None


def _words(p: Floats, names: list[str]) -> str:
    if p.max() == 1:
        return names[int(p.argmax())]
    return "，".join(f"{names[k]} {p[k]:.4g}" for k in np.flatnonzero(p > 0).tolist())
