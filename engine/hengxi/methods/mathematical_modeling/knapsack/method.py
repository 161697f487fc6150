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
    integer,
    num,
    numbers,
    percent,
    role,
    text,
)
from hengxi.methods.mathematical_modeling._shared.grid import Floats, row_names
from hengxi.stats.solving.linear_program import LinearProgram, solve

KINDS = {"binary": "0-1 背包", "unbounded": "完全背包", "bounded": "多重背包", "fractional": "分数背包"}
ALGORITHMS = {"dynamic": "动态规划", "branch": "分支定界", "greedy": "贪心"}
WHOLE = {"kind": ("binary", "unbounded", "bounded")}
MOST_TABLE, MOST_CAPACITY, MOST_CELLS, MOST_ITEMS, DRAWN = 20, 50, 40_000_000, 1000, 1000
SECONDS = 60.0
CLOSE = 1e-9


@dataclass(frozen=True)
class Sack:
    """Values, weights (items × limits), the most pieces of each (∞: as many as fit), capacities."""

    names: list[str]
    value: Floats
    weight: Floats
    most: Floats
    capacity: Floats


class Knapsack(Method):
    """What to take within a capacity: the proven best choice, the table behind it, and what greed would take."""

    title, title_en = "背包问题", "Knapsack problem"
    slug = "knapsack"
    family = "数学建模"
    purpose = "在容量限制下选择物品使总价值最大"
    aliases = ("背包", "选项目", "预算分配", "装箱", "动态规划", "贪心")
    references = ("dantzig1957", "kellerer2004", "huangfu2018")
    conventions = (
        "动态规划用于一个容量、整数重量；完全背包和多重背包把件数按 1、2、4……分组后用同样的递推。",
        "重量不是整数、有几个容量或容量太大时，改用整数规划（HiGHS 的分支定界）。",
        "价值密度 = 价值 / 重量；有几个容量时，重量取各自占容量的份额之和。",
        "贪心：按价值密度从大到小，能装就装。上界是允许装一部分（分数背包）时的最优价值。",
    )
    missing = "keep"
    row_order = True

    class Input(Form):
        item: Column | None = role("物品名称（选填）", "任意", use="label")
        value: Column = role("价值", "定量")
        weight: list[Column] = role("重量或成本", "定量", min=1, max=10)
        capacity: list[float] = numbers("容量", min=1, max=10, above=0, most=1e9,
                                        hint="每列重量一个，用逗号隔开")  # fmt: skip
        kind: str = choice("类型", KINDS)
        counts: list[float] = numbers("每种物品数量", min=1, max=1000, least=0, most=1e6, whole=True,
                                      when={"kind": "bounded"}, hint="按物品的次序填写")  # fmt: skip
        algorithm: str = choice("算法", ALGORITHMS, when=WHOLE)

    total = Table(
        "结果", value=num("总价值", least=0), status=text("状态"), ran=text("实际运行"), weight=num("总重量", least=0),
        left=num("剩余容量", least=0), kinds=integer("选中的物品"), bound=num("上界（可装一部分）", least=0),
        layout="record", place="main",
    )  # fmt: skip
    chosen = Table("选中的物品", item=text("物品"), pieces=num("件数", least=0), value=num("价值", least=0),
                   weight=num("重量", least=0), density=num("价值密度", least=0), place="main")  # fmt: skip
    limits_ = Table("各个容量", name=text("重量"), used=num("用去", least=0), capacity=num("容量", least=0),
                    left=num("剩余", least=0), place="detail")  # fmt: skip
    greedy = Table(
        "与贪心比较", greedy=num("贪心的价值", least=0), best=num("最优价值", least=0), gap=num("相差", least=0),
        share=percent("贪心达到"), layout="record", when=WHOLE, place="main",
    )  # fmt: skip
    steps = Table("动态规划表", item=text("前几种物品"), layout=Wide(best=num("最大价值")), when=WHOLE, place="detail")
    points = Points("容量与价值", capacity=num("容量"), value=num("最大价值"), when=WHOLE)
    curve = Chart("容量与最大价值", "line", of=points, x="capacity", y="value", when=WHOLE, place="main")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        sack = _read(report, form)
        bound, part = _relaxed(sack)
        if form.kind == "fractional":
            pieces, ran, status, exact = part, "按价值密度" if len(sack.capacity) == 1 else "HiGHS", "最优", bound
        else:
            pieces, ran, status, exact = cls._whole(report, form, sack)
        value = float(pieces @ sack.value)
        used = pieces @ sack.weight
        left = float(sack.capacity[0] - used[0])
        report.row(cls.total, value=value, status=status, ran=ran, weight=float(used[0]), left=max(0.0, left),
                   kinds=int((pieces > 0).sum()), bound=bound)  # fmt: skip
        density = _density(sack)
        for k in np.flatnonzero(pieces > 0).tolist()[:MOST_ITEMS]:
            report.row(
                cls.chosen, item=sack.names[k], pieces=float(pieces[k]), value=float(pieces[k] * sack.value[k]),
                weight=float(pieces[k] * sack.weight[k, 0]), density=None if np.isinf(density[k]) else density[k],
            )  # fmt: skip
        if not (pieces > 0).any():
            report.skip(cls.chosen, "没有一种物品装得下")
        elif np.isinf(density[pieces > 0]).any():
            report.note(cls.chosen, "重量为 0 的物品没有价值密度。")
        if len(sack.capacity) == 1:
            report.skip(cls.limits_, "只有一个容量")
        else:
            for column, w, c in zip(form.weight, used, sack.capacity, strict=True):
                report.row(
                    cls.limits_, name=column.title, used=float(w), capacity=float(c), left=max(0.0, float(c - w))
                )
        _words(report, form, sack, pieces, (value, exact, left, bound))
        return report

    @classmethod
    def _whole(cls, report: Report, form: Any, sack: Sack) -> tuple[Floats, str, str, float]:
        """Pieces, how they were found, how good they are, and the proven best value."""
        single = len(sack.capacity) == 1
        wholes = bool((sack.weight == np.round(sack.weight)).all())
        size = len(sack.value) * (float(np.floor(sack.capacity[0])) + 1) * 8
        table = single and wholes and size <= MOST_CELLS
        exact, line = _dynamic(sack) if table else (_branched(sack), None)
        best = float(exact @ sack.value)
        cls._table(report, form, sack, line, table)
        greedy = _greedy(sack)
        got = float(greedy @ sack.value)
        gap = max(0.0, best - got)
        report.row(cls.greedy, greedy=got, best=best, gap=0.0 if gap <= CLOSE * max(1.0, best) else gap,
                   share=min(1.0, got / best) if best > 0 else 1.0)  # fmt: skip
        if form.algorithm == "greedy":
            same = gap <= CLOSE * max(1.0, best)
            return greedy, "贪心", "最优" if same else "最好可行解", best
        if form.algorithm == "branch":
            found = _branched(sack) if table else exact
            return found, "HiGHS 的分支定界", "最优", best
        if not table:
            why = "有几个容量" if not single else "重量不是整数" if not wholes else "容量太大"
            report.warn("data.dynamic", f"{why}，动态规划不适用，已改用整数规划。")
            return exact, "HiGHS 的分支定界", "最优", best
        return exact, "动态规划", "最优", best

    @classmethod
    def _table(cls, report: Report, form: Any, sack: Sack, line: Floats | None, table: bool) -> None:
        if line is None:
            for element in (cls.steps, cls.points, cls.curve):
                report.skip(element, "只在一个容量、整数重量时给出")
            return
        c = int(np.floor(sack.capacity[0]))
        at = np.unique(np.round(np.linspace(0, c, min(DRAWN, c + 1))).astype(int))
        report.add_rows(cls.points, {"capacity": at.astype(float), "value": line[at]})
        if len(sack.value) > MOST_TABLE or c > MOST_CAPACITY:
            report.skip(cls.steps, f"只在不超过 {MOST_TABLE} 种物品、容量不超过 {MOST_CAPACITY} 时给出")
            return
        for k in range(1, len(sack.value) + 1):
            part = Sack(sack.names[:k], sack.value[:k], sack.weight[:k], sack.most[:k], sack.capacity)
            best = _dynamic(part)[1]
            report.row(cls.steps, item=f"前 {k} 种（到 {sack.names[k - 1]}）",
                       wide={f"{w}": {"best": float(best[w])} for w in range(c + 1)})  # fmt: skip
        report.note(cls.steps, "列是容量，格子是只用前几种物品时的最大价值；右下角是答案。")


# ---- reading and solving -----------------------------------------------------------------------------------------
def _read(report: Report, form: Any) -> Sack:
    columns = [form.value, *form.weight]
    held = np.column_stack([column.numbers for column in columns])
    kept = np.flatnonzero(np.isfinite(held).any(axis=1))
    rows = form.value.row_numbers[kept].tolist()
    report.used(len(rows))
    held = held[kept]
    if not len(rows):
        raise Refusal("data.few", "没有物品，请核对价值和重量", field="value")
    if len(rows) > MOST_ITEMS:
        raise Refusal("data.many", f"有 {{n}} 种物品，最多 {MOST_ITEMS} 种", field="value", n=len(rows))
    for i, row in enumerate(rows):
        for j, column in enumerate(columns):
            key = "value" if j == 0 else "weight"
            if not np.isfinite(held[i, j]):
                text_ = "第 {at} 行缺少“{v}”，请补上"
                raise Refusal("data.gap", text_, field=key, column=column.id, at=row, v=column.title)
            if held[i, j] < 0:
                raise Refusal("data.negative", f"第 {row} 行的重量或价值为负，请核对", field=key, column=column.id)
            if held[i, j] > 1e12:
                raise Refusal("data.magnitude", f"第 {row} 行的数太大，请换一个单位", field=key, column=column.id)
    if len(form.capacity) != len(form.weight):
        n, k = len(form.weight), len(form.capacity)
        raise Refusal("data.capacity", f"需要 {n} 个容量，收到 {k} 个", field="capacity")
    names = row_names(form.item, rows, "物品")
    value, weight, capacity = held[:, 0], held[:, 1:], np.array(form.capacity, dtype=float)
    if form.kind == "bounded":
        if len(form.counts) != len(rows):
            text_ = f"需要 {len(rows)} 个物品数量，收到 {len(form.counts)} 个"
            raise Refusal("data.counts", text_, field="counts")
        most = np.array(form.counts, dtype=float)
    else:
        most = np.full(len(rows), np.inf if form.kind == "unbounded" else 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        room = np.where(weight > 0, np.floor(capacity / weight + CLOSE), np.inf).min(axis=1)
    if form.kind == "fractional":
        return Sack(names, value, weight, most, capacity)
    free = np.isinf(np.minimum(most, room)) & (value > 0)
    if free.any():
        name = names[int(np.flatnonzero(free)[0])]
        raise Refusal(
            "data.free", f"“{name}”的重量是 0、件数不限，总价值没有上限。请填重量或改用多重背包", field="weight"
        )
    most = np.where(np.isinf(np.minimum(most, room)), 0.0, np.minimum(most, room))
    return Sack(names, value, weight, most, capacity)


def _density(sack: Sack) -> Floats:
    """Value by weight; of several limits by the sum of the shares of each. ∞ where the weight is 0."""
    share = sack.weight[:, 0] if len(sack.capacity) == 1 else (sack.weight / sack.capacity).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(share > 0, sack.value / share, np.inf)


def _greedy(sack: Sack) -> Floats:
    left = sack.capacity.copy()
    pieces = np.zeros(len(sack.value))
    density = _density(sack)
    for k in sorted(range(len(pieces)), key=lambda k: (-density[k], k)):
        with np.errstate(divide="ignore", invalid="ignore"):
            fits = np.where(sack.weight[k] > 0, np.floor(left / sack.weight[k] + CLOSE), np.inf).min()
        pieces[k] = min(sack.most[k], fits)
        left = left - pieces[k] * sack.weight[k]
    return pieces


def _dynamic(sack: Sack) -> tuple[Floats, Floats]:
    """Pieces of the best choice and the best value for every capacity 0 … C (Kellerer et al. 2004, chapter 2)."""
    c = int(np.floor(sack.capacity[0]))
    best = np.zeros(c + 1)
    packs: list[tuple[int, int]] = []
    taken: list[Any] = []
    for k, most in enumerate(sack.most.astype(int).tolist()):
        size = 1
        while most > 0:
            # 1, 2, 4, … and the rest: every number of pieces is a sum of packs.
            n = min(size, most)
            most -= n
            size *= 2
            w = int(sack.weight[k, 0]) * n
            better = np.zeros(c + 1, dtype=bool)
            if w <= c:
                made = best[: c + 1 - w] + n * sack.value[k]
                better[w:] = made > best[w:] + CLOSE * np.maximum(1.0, best[w:])
                best[w:] = np.where(better[w:], made, best[w:])
            packs.append((k, n))
            taken.append(np.packbits(better))
    pieces = np.zeros(len(sack.value))
    room = c
    for (k, n), bits in zip(reversed(packs), reversed(taken), strict=True):
        if np.unpackbits(bits, count=c + 1)[room]:
            pieces[k] += n
            room -= int(sack.weight[k, 0]) * n
    return pieces, best


def _program(sack: Sack, whole: bool) -> LinearProgram:
    n, m = sack.weight.shape
    return LinearProgram(
        sack.value, sack.weight.T.copy(), np.full(m, -np.inf), sack.capacity, np.zeros(n), sack.most, True,
        whole=np.ones(n, dtype=bool) if whole else None,
    )  # fmt: skip


def _branched(sack: Sack) -> Floats:
    found = solve(_program(sack, True), SECONDS)
    if found.state != "optimal":
        raise Refusal("data.time", "在时间上限内没有证明最优，请减少物品或放宽容量", field="weight")
    return np.asarray(np.round(found.x) + 0.0)


def _relaxed(sack: Sack) -> tuple[float, Floats]:
    """Value and pieces where parts may be taken."""
    n = len(sack.value)
    if len(sack.capacity) > 1:
        found = solve(_program(sack, False), SECONDS)
        return float(found.value), np.where(np.abs(found.x) < CLOSE, 0.0, found.x)
    left, pieces, density = float(sack.capacity[0]), np.zeros(n), _density(sack)
    for k in sorted(range(n), key=lambda k: (-density[k], k)):
        w = float(sack.weight[k, 0])
        pieces[k] = sack.most[k] if w == 0 else min(float(sack.most[k]), left / w)
        left -= pieces[k] * w
        if left <= CLOSE * sack.capacity[0]:
            break
    return float(pieces @ sack.value), pieces


def _words(report: Report, form: Any, sack: Sack, pieces: Floats, found: tuple[float, float, float, float]) -> None:
    value, exact, left, bound = found
    picked = np.flatnonzero(pieces > 0).tolist()
    some = "".join(
        f"“{sack.names[k]}”" + ("" if pieces[k] == 1 else f"× {pieces[k]:.4g}") for k in picked[:6]
    ) + ("等" if len(picked) > 6 else "")  # fmt: skip
    facts: dict[str, Any] = {"v": value, "k": len(picked), "some": some, "n": len(sack.value)}
    short = exact - value > CLOSE * max(1.0, exact)
    word = "贪心的总价值" if short else "最大总价值"
    body = "选 {k:integer} 种：{some}。" if picked else "没有一种物品装得下。"
    report.lead(word + "是 {v:num}，" + body, [figure(word, "{v:num}")], **facts)
    if short:
        report.check("最优性", "fail", "比最优价值 {e:num} 少 {d:num}，请改用动态规划。", e=exact, d=exact - value)
    elif form.kind == "fractional":
        report.check("最优性", "pass", "可以装一部分时，这就是最优。")
    else:
        report.check("最优性", "pass", "已证明没有更好的选法。上界 {b:num} 只在能装一部分时达到。", b=bound)
    if len(sack.capacity) == 1:
        report.say("容量还剩 {left:num}。", left=max(0.0, left))
    report.say(
        f"求解含 {{n:integer}} 种物品的{KINDS[form.kind]}问题，最大总价值为 {{e:num}}。",
        voice="paper",
        e=exact,
        **facts,
    )
