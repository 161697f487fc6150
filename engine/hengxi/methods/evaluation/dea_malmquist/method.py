from __future__ import annotations

import itertools
from collections.abc import Callable
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
    integer,
    num,
    option,
    role,
    text,
)
from hengxi.methods.evaluation._shared.envelopment import Floats, reach
from hengxi.methods.evaluation._shared.slacks_based import directional
from hengxi.methods.evaluation._shared.units import read_positive, refuse_number

INDEX = {"adjacent": "相邻参比 Malmquist", "global": "全局参比 Malmquist", "luenberger": "Luenberger（相加）"}
MOST_CELLS, DRAWN = 6000, 30
SPLIT = {"decomposition": ("fgnz", "rd")}
KEYS = ("m", "ec", "tc", "pec", "sec")
ONLY = "只用于 Luenberger 指数"


class DeaMalmquist(Method):
    """Change of total factor productivity between periods, and what it comes from."""

    title, title_en = "DEA-Malmquist指数", "Malmquist productivity index"
    slug = "dea-malmquist"
    family, tier = "效率评价", "member"
    purpose = "全要素生产率如何随时间变化，来自效率改善还是技术进步"
    aliases = ("Malmquist", "曼奎斯特指数", "全要素生产率", "TFP", "技术进步", "Luenberger", "面板DEA")
    references = ("caves1982", "fare1992", "fare1994", "ray1997", "pastor2005", "chambers1996")
    conventions = (
        "大于 1 是提高，小于 1 是下降（Luenberger 以 0 为界）。",
        "相邻参比：M = √(前一期前沿下的效率比 × 后一期前沿下的效率比)，EC 是当期效率之比，TC = M/EC，规模报酬不变。",
        "FGLR 只分 EC 和 TC；FGNZ 再分 EC = PEC × SEC，PEC 用规模报酬可变的当期效率。",
        "RD（Ray 和 Desli）：TC 用规模报酬可变的前沿，SEC = M/(PEC × TC)；跨期规划可能无可行解，这时留空。",
        "全局参比（Pastor 和 Lovell，2005）：各期合在一起作前沿，指数可以连乘。",
        "Luenberger：方向取自己的投入（投入导向）、产出（产出导向）或两者（非导向），L = LEC + LTC，用算术平均。",
        "投入导向的效率是 θ，产出导向是 1/φ；跨期效率可以大于 1。平均用几何平均；累积指数从第一期的 1（或 0）起。",
    )

    class Input(Form):
        inputs: list[Column] = role("投入指标", "定量", min=1, max=20)
        outputs: list[Column] = role("产出指标", "定量", min=1, max=20)
        label: Column = role("决策单元", "任意")
        year: Column = role("时期", "时间")
        index: str = choice("指数类型", INDEX)
        decomposition: str = choice("分解", {
            "fglr": "EC × TC（FGLR）", "fgnz": "PEC × SEC × TC（FGNZ）",
            "rd": option("PEC × SEC × TC（RD）", unless={"index": ("global", "luenberger")},
                why="只用于相邻参比 Malmquist")},
            default="fgnz")  # fmt: skip
        orientation: str = choice("导向", {
            "input": "投入导向", "output": "产出导向",
            "none": option("非导向", unless={"index": ("adjacent", "global")}, why=ONLY)})  # fmt: skip

    result = Table(
        "指数与分解", unit=text("决策单元"), period=text("期间"), m=num("TFP 指数"), ec=num("技术效率变化 EC"),
        tc=num("技术进步 TC"), pec=num("纯技术效率变化 PEC", when=SPLIT), sec=num("规模效率变化 SEC", when=SPLIT),
        merge=("unit",), place="main",
    )  # fmt: skip
    periods = Table(
        "各期平均", period=text("期间"), m=num("TFP 指数"), ec=num("技术效率变化 EC"), tc=num("技术进步 TC"),
        pec=num("纯技术效率变化 PEC", when=SPLIT), sec=num("规模效率变化 SEC", when=SPLIT), n=integer("单元数"),
        place="main",
    )  # fmt: skip
    path = Points("平均指数", period=text("期间"), part=text("指数"), value=num("平均值"))
    plot = Chart("各期平均指数", "line", of=path, x="period", y="value", series="part", place="main")
    units = Table(
        "各单元平均", unit=text("决策单元"), m=num("TFP 指数"), ec=num("技术效率变化 EC"), tc=num("技术进步 TC"),
        pec=num("纯技术效率变化 PEC", when=SPLIT), sec=num("规模效率变化 SEC", when=SPLIT), rank=integer("排名"),
        place="detail",
    )  # fmt: skip
    shares = Points("分解", unit=text("决策单元"), part=text("来源"), value=num("贡献"))
    stack = Chart(f"TFP 变化的来源（最多 {DRAWN} 个单元；Malmquist 取对数）", "bar", of=shares, x="unit", y="value",
                  series="part", arrange="stacked", place="detail")  # fmt: skip
    total = Table("累积指数", unit=text("决策单元"), period=text("时期"), value=num("累积 TFP"), merge=("unit",),
                  place="detail")  # fmt: skip
    efficiencies = Table(
        "各期效率", unit=text("决策单元"), period=text("时期"), crs=num("规模报酬不变", least=0),
        vrs=num("规模报酬可变", least=0), merge=("unit",), place="detail",
    )  # fmt: skip

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        return 0.1 + rows * 0.012

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        names, years, x, y = _panel(form)
        own = _own(form, x, y)
        values = _luenberger(form, x, y) if form.index == "luenberger" else _malmquist(form, x, y, own)
        additive = form.index == "luenberger"
        spans = [f"{a}→{b}" for a, b in itertools.pairwise(years)]
        for i, name in enumerate(names):
            for t, span in enumerate(spans):
                report.row(cls.result, unit=name, period=span, **_cells(form, values[:, i, t]))
            steps = values[0, i]
            running = np.concatenate([[0.0], np.cumsum(steps)]) if additive else np.cumprod(np.append(1.0, steps))
            for t, year in enumerate(years):
                report.row(cls.total, unit=name, period=year, value=running[t])
                report.row(cls.efficiencies, unit=name, period=year, crs=own[0, i, t], vrs=own[1, i, t])
        overall = cls._means(report, form, names, spans, values)
        _words(report, form, names, years, values, overall)
        return report

    @classmethod
    def _means(cls, report: Report, form: Any, names: list[str], spans: list[str], values: Floats) -> Floats:
        additive = form.index == "luenberger"
        mean: Callable[[Floats], Floats] = _plain_mean if additive else _geometric
        for t, span in enumerate(spans):
            row = mean(values[:, :, t])
            report.row(cls.periods, period=span, n=len(names), **_cells(form, row))
            _draw(cls, report, span, row)
        overall = mean(values.reshape(5, -1))
        report.row(cls.periods, period="全部", n=len(names), total=True, **_cells(form, overall))
        word = "算术平均" if additive else "几何平均"
        report.note(cls.periods, f"平均是{word}；分解项按有可行解的单元计算。")
        each = np.stack([mean(values[:, i]) for i in range(len(names))], axis=1)
        order = np.argsort(-each[0], kind="stable")
        for i, name in enumerate(names):
            rank = int((np.round(each[0], 12) > np.round(each[0, i], 12)).sum()) + 1
            report.row(cls.units, unit=name, rank=rank, **_cells(form, each[:, i]))
        for i in order[:DRAWN]:
            for part, key in (("效率变化", 1), ("技术进步", 2)):
                value = each[key, i]
                if form.decomposition == "rd" and key == 1:
                    value = each[0, i] / each[2, i]
                if np.isfinite(value):
                    report.row(cls.shares, unit=names[i], part=part, value=value if additive else np.log(value))
        if not report.rows_of(cls.shares):
            report.skip(cls.shares, "技术进步没有可行解，分不出来源")
        return overall


def _draw(cls: Any, report: Report, span: str, row: Floats) -> None:
    for part, k in (("TFP 指数", 0), ("技术效率变化 EC", 1), ("技术进步 TC", 2)):
        if np.isfinite(row[k]):
            report.row(cls.path, period=span, part=part, value=row[k])


def _cells(form: Any, row: Floats) -> dict[str, Any]:
    keys = KEYS if form.decomposition != "fglr" else KEYS[:3]
    return {key: float(v) if np.isfinite(v) else None for key, v in zip(keys, row, strict=False)}


def _plain_mean(values: Floats) -> Floats:
    return np.array([row[np.isfinite(row)].mean() if np.isfinite(row).any() else np.nan for row in values])


def _geometric(values: Floats) -> Floats:
    return np.exp(_plain_mean(np.log(values)))


def _panel(form: Any) -> tuple[list[str], list[str], Floats, Floats]:
    """Units, periods in order, inputs and outputs as units × periods × indicators."""
    columns = [*form.inputs, *form.outputs]
    label, when = [str(one) for one in form.label.text], form.year.numbers
    words = {float(v): str(word) for v, word in zip(when, form.year.text, strict=True)}
    moments = sorted(words)
    names = list(dict.fromkeys(label))
    if len(moments) < 2:
        raise Refusal("data.periods", "Malmquist 指数至少需要两个时期，现在只有一个，请检查时期变量", field="year")
    refuse_number(len(names), len(columns))
    if len(names) * len(moments) > MOST_CELLS:
        text_ = f"有 {len(names):,} 个单元、{len(moments)} 期，最多 {MOST_CELLS:,} 个单元期，请先筛选"
        raise Refusal("data.many", text_, field="label")
    place: dict[tuple[str, float], int] = {}
    for row, key in enumerate(zip(label, map(float, when), strict=True)):
        if key in place:
            at = int(form.label.row_numbers[row])
            text_ = f"决策单元“{key[0]}”在 {words[key[1]]} 有两行（第 {at} 行重复），每个单元每期只能有一行"
            raise Refusal("data.repeated", text_, field="label")
        place[key] = row
    for name in names:
        for moment in moments:
            if (name, moment) not in place:
                text_ = (
                    f"决策单元“{name}”缺少 {words[moment]} 的数据（没有这一行，或有缺失值），请补齐，或筛选掉这个单元"
                )
                raise Refusal("data.unbalanced", text_, field="label")
    order = np.array([[place[name, moment] for moment in moments] for name in names])
    shown = [f"{one} {words[moment]}" for one, moment in zip(label, map(float, when), strict=True)]
    x = read_positive("inputs", form.inputs, shown, len(label))
    y = read_positive("outputs", form.outputs, shown, len(label))
    return names, [words[one] for one in moments], x[order], y[order]


def _solved(value: float | None) -> float:
    return np.nan if value is None else value


def _own(form: Any, x: Floats, y: Floats) -> Floats:
    """Efficiency in its own period: (constant, variable) × units × periods."""
    output = form.orientation == "output"
    n, periods = x.shape[:2]
    out = np.empty((2, n, periods))
    for t in range(periods):
        form.progress(t, periods, f"第 {t + 1} 期")
        for i in range(n):
            for k, returns in enumerate(("crs", "vrs")):
                out[k, i, t] = _solved(reach((x[i, t], y[i, t]), (x[:, t], y[:, t]), returns, output))  # type: ignore[arg-type]
    return np.minimum(out, 1.0)


def _malmquist(form: Any, x: Floats, y: Floats, own: Floats) -> Floats:
    """M, EC, TC, PEC, SEC × units × spans."""
    output = form.orientation == "output"
    n, periods = x.shape[:2]
    values = np.full((5, n, periods - 1), np.nan)
    whole = (x.reshape(-1, x.shape[2]), y.reshape(-1, y.shape[2]))
    across = np.array([[_solved(reach((x[i, t], y[i, t]), whole, "crs", output)) for t in range(periods)]
                       for i in range(n)]) if form.index == "global" else None  # fmt: skip
    for t in range(periods - 1):
        for i in range(n):
            now, then = (x[i, t], y[i, t]), (x[i, t + 1], y[i, t + 1])
            before, after = (x[:, t], y[:, t]), (x[:, t + 1], y[:, t + 1])
            ec = own[0, i, t + 1] / own[0, i, t]
            pec = own[1, i, t + 1] / own[1, i, t]
            if across is not None:
                m = across[i, t + 1] / across[i, t]
            else:
                ahead, behind = (_solved(reach(p, f, "crs", output)) for p, f in ((then, before), (now, after)))
                m = np.sqrt(ahead / own[0, i, t] * own[0, i, t + 1] / behind)
            tc, sec = m / ec, ec / pec
            if form.decomposition == "rd":
                ahead, behind = (_solved(reach(p, f, "vrs", output)) for p, f in ((then, before), (now, after)))
                tc = np.sqrt(ahead / own[1, i, t + 1] * own[1, i, t] / behind)
                sec = m / (pec * tc)
            values[:, i, t] = m, ec, tc, pec, sec
    return values


def _luenberger(form: Any, x: Floats, y: Floats) -> Floats:
    n, periods = x.shape[:2]
    values = np.full((5, n, periods - 1), np.nan)
    none = np.zeros((n, 0))

    def far(i: int, t: int, front: int) -> float:
        """β under constant returns follows from the radial efficiency."""
        theta = _solved(reach((x[i, t], y[i, t]), (x[:, front], y[:, front]), "crs", False))
        match form.orientation:
            case "input":
                return 1 - theta
            case "output":
                return 1 / theta - 1
        return (1 - theta) / (1 + theta)

    def pure(i: int, t: int) -> float:
        return float(directional(x[:, t], y[:, t], none, i, "vrs", form.orientation).beta or 0.0)

    own = np.array([[far(i, t, t) for t in range(periods)] for i in range(n)])
    flat = np.array([[pure(i, t) for t in range(periods)] for i in range(n)])
    for t in range(periods - 1):
        for i in range(n):
            m = (own[i, t] - far(i, t + 1, t) + far(i, t, t + 1) - own[i, t + 1]) / 2
            ec, pec = own[i, t] - own[i, t + 1], flat[i, t] - flat[i, t + 1]
            values[:, i, t] = m, ec, m - ec, pec, ec - pec
    return values


def _words(report: Report, form: Any, names: list[str], years: list[str], values: Floats, overall: Floats) -> None:
    additive, zero = form.index == "luenberger", 0.0 if form.index == "luenberger" else 1.0
    facts: dict[str, Any] = {
        "n": len(names), "t": len(years), "m": overall[0], "ec": overall[1],
        "tc": None if np.isnan(overall[2]) else overall[2], "up": int((values[0] > zero).sum()), "all": values[0].size,
    }  # fmt: skip
    turn = "提高" if overall[0] > zero + 1e-9 else "下降" if overall[0] < zero - 1e-9 else "不变"
    size = np.abs(overall[1:3] - zero if additive else np.log(overall[1:3]))
    gap = np.isnan(overall[2]) or form.decomposition == "rd"
    why = "" if turn == "不变" or gap else "，主要来自" + ("技术效率变化" if size[0] > size[1] else "技术进步变化")
    name, same = ("Luenberger 指标", "（0 为不变）") if additive else ("TFP 指数", "")
    lead = f"{{n:integer}} 个单元 {{t:integer}} 期，平均 {name} {{m:num}}{same}，总体{turn}{why}。"
    report.lead(lead, [figure(f"平均 {name}", "{m:num}", turn)], **facts)
    text_ = f"{{all:integer}} 个单元期里 {{up:integer}} 个大于 {zero:g}。"
    report.say(text_, **facts)
    missing = int(np.isnan(values[2]).sum())
    if missing:
        text_ = "{k:integer} 个单元期的跨期规划在规模报酬可变下无可行解，技术进步和规模效率变化留空。"
        report.warn("data.infeasible", text_, k=missing)
    indicators = len(form.inputs) + len(form.outputs)
    rule = max(len(form.inputs) * len(form.outputs), 3 * indicators)
    if len(names) < rule:
        few = "每期只有 {n:integer} 个单元，按经验应不少于 {rule:integer} 个；太少时很多单元会被算成有效。"
        report.check("单元个数", "care", few, n=len(names), rule=rule)
    else:
        report.check(
            "单元个数", "pass", "每期 {n:integer} 个单元，不少于经验要求的 {rule:integer} 个。", n=len(names), rule=rule
        )
    said = f"采用{INDEX[form.index]}指数，{{n:integer}} 个单元 {{t:integer}} 期的平均 TFP 指数为 {{m:num}}"
    parts = "。" if gap else "，其中技术效率变化 {ec:num}，技术进步 {tc:num}。"
    report.say(said + parts, voice="paper", **facts)
    report.say("技术进步是前沿的移动，由每期做得最好的单元决定；一个异常的单元会影响所有人的结果。", voice="student")
