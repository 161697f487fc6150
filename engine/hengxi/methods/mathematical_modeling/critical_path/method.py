from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

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
    filled,
    integer,
    interval,
    num,
    number,
    percent,
    role,
    text,
)
from hengxi.methods.mathematical_modeling._shared.grid import Floats, few_names
from hengxi.methods.mathematical_modeling._shared.project import (
    CLOSE,
    Project,
    Times,
    crash,
    critical_ways,
    edges_on,
    read,
    times,
)

DISTRIBUTIONS = {"beta": "Beta-PERT", "triangular": "三角", "normal": "正态"}
THREE = {"optimistic": filled, "pessimistic": filled}
CRASHED = {"crash_time": filled, "normal_cost": filled, "crash_cost": filled}
QUANTILES = (5, 25, 50, 75, 95)
DRAWN, STEPS, BATCH, NEAR = 60, 40, 2_000_000, 0.1


class CriticalPath(Method):
    """Times and floats of tasks, the critical way, the chance of a deadline, and what it costs to be faster."""

    title, title_en = "关键路径与计划评审(CPM/PERT)", "Critical path and PERT"
    slug = "critical-path"
    family = "数学建模"
    purpose = "由工序与先后关系求项目工期、关键路径与按期完成概率"
    aliases = ("CPM", "PERT", "网络计划", "甘特图", "工期", "项目管理", "赶工")
    references = ("kelley1961", "malcolm1959", "hillier2015", "huangfu2018")
    conventions = (
        "期望工期 = (乐观 + 4 × 最可能 + 悲观) / 6，方差 = ((悲观 − 乐观) / 6)²。",
        "总时差 = 最迟开始 − 最早开始；自由时差 = 紧后工序最早开始的最小值 − 最早完成；总时差为 0 的是关键工序。",
        "正态近似：项目工期的均值、方差是关键路径上各工序之和；有几条时取方差最大的一条。",
        "模拟：各工序独立；Beta-PERT 的参数是 1 + 4(m − a)/(b − a) 和 1 + 4(b − m)/(b − a)；正态抽到负数时取 0。",
        "赶工：每道工序的费用随工期线性变化，最省的方案是线性规划（HiGHS）。",
    )
    missing = "keep"
    row_order = True
    random = True

    class Input(Form):
        task: Column = role("工序", "任意")
        pre: Column = role("紧前工序", "任意", hint="几道用逗号隔开；开头的工序空着")
        time: Column = role("工期（最可能）", "定量")
        optimistic: Column | None = role("乐观工期（选填）", "定量")
        pessimistic: Column | None = role("悲观工期（选填）", "定量")
        crash_time: Column | None = role("赶工工期（选填）", "定量")
        normal_cost: Column | None = role("正常费用（选填）", "定量")
        crash_cost: Column | None = role("赶工费用（选填）", "定量")
        deadline: float | None = number("要求工期", None, least=0, most=1e6)
        simulate: int | None = integer("模拟次数", 10000, least=0, most=1_000_000, when=THREE, hint="0 为不做")
        dist: str = choice("工期分布", DISTRIBUTIONS, when=THREE)

    summary = Table(
        "项目工期", length=num("总工期", least=0), tasks=integer("工序数"), critical=integer("关键工序"),
        variance=num("方差", least=0, when=THREE), sd=num("标准差", least=0, when=THREE), layout="record", place="main",
    )  # fmt: skip
    plan = Table(
        "时间参数", task=text("工序"), pre=text("紧前工序"), time=num("工期", least=0),
        variance=num("方差", least=0, when=THREE), es=num("最早开始", least=0), ef=num("最早完成", least=0),
        ls=num("最迟开始", least=0), lf=num("最迟完成", least=0), slack=num("总时差", least=0),
        free=num("自由时差", least=0), critical=text("是否关键"), place="main",
    )  # fmt: skip
    ways = Table("关键路径", path=text("路径"), length=num("长度", least=0),
                 variance=num("方差", least=0, when=THREE), place="main")  # fmt: skip
    bars = Points("甘特图", task=text("工序"), start=num("最早开始"), end=num("最早完成"), kind=text("类别"))
    gantt = Chart("甘特图（按最早时间）", "bar", of=bars, x="task", y="end", start="start", series="kind", place="main")
    nodes = Points("工序", id=text("编号"), label=text("工序"), group=text("类别"))
    edges = Points("先后", source=text("从"), target=text("到"), text=text("说明"), mark=text("标记"))
    net = Chart("单代号网络图", "network", nodes=nodes, edges=edges, group="group", text="text", mark="mark",
                arrange="layers", place="main")  # fmt: skip
    chance = Table("按期完成的概率", how=text("方法"), p=percent("概率"),
                   ci=interval("95%CI", "low", "high", around="p", format="percent"), place="main",
                   when={"deadline": filled, **THREE})  # fmt: skip
    simulated = Table("模拟的工期", name=text("统计量"), value=num("值"), near=num("正态近似"), when=THREE,
                      place="detail")  # fmt: skip
    bins = Points("工期分布", low=num("从"), high=num("到"), count=integer("次数"), when=THREE)
    histogram = Chart("模拟的工期分布", "histogram", of=bins, low="low", high="high", count="count", when=THREE,
                      place="detail")  # fmt: skip
    index = Table("关键度指数", task=text("工序"), share=percent("成为关键工序的比例"), when=THREE, place="detail")
    crashes = Table(
        "工期与费用", length=num("工期", least=0), cost=num("总费用", least=0), more=num("比上一步多", least=0),
        shortened=text("压缩的工序"), when=CRASHED, place="main",
    )  # fmt: skip
    line = Chart("工期与费用", "line", of=crashes, x="length", y="cost", when=CRASHED, place="detail")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        project = read(form.task, form.pre)
        report.used(len(project.names))
        duration, variance, ends = _durations(form, project)
        found = times(project, duration)
        ways, whole = critical_ways(project, found)
        length = float(found.length)
        scale = CLOSE * max(1.0, length)
        critical = [k for k in range(len(project.names)) if found.total[k] <= scale]
        spreads = [float(variance[way].sum()) for way in ways]
        own: dict[str, Any] = {} if ends is None else {"variance": max(spreads), "sd": max(spreads) ** 0.5}
        report.row(cls.summary, length=length, tasks=len(project.names), critical=len(critical), **own)
        cls._tables(report, project, found, duration, None if ends is None else variance, set(critical))
        for way, spread in zip(ways, spreads, strict=True):
            more: dict[str, Any] = {} if ends is None else {"variance": spread}
            report.row(cls.ways, path=_path(project, way), length=length, **more)
        cls._figures(report, project, found, set(critical), ways)
        _words(report, form, project, found, (ways, whole), critical)
        if ends is not None:
            cls._chances(report, form, project, (duration, *ends), length, max(spreads))
        if form.crash_time is not None and form.normal_cost is not None and form.crash_cost is not None:
            cls._crash(report, form, project, duration, length)
        elif form.crash_time is not None or form.normal_cost is not None or form.crash_cost is not None:
            text_ = "赶工要有三列：赶工工期、正常费用、赶工费用，请补齐或都移去"
            raise Refusal("data.crash", text_, field="crash_time")
        return report

    # ---- tables --------------------------------------------------------------------------------------------------
    @classmethod
    def _tables(
        cls, report: Report, project: Project, found: Times, duration: Floats, variance: Floats | None,
        critical: set[int],
    ) -> None:  # fmt: skip
        for k, name in enumerate(project.names):
            own: dict[str, Any] = {} if variance is None else {"variance": float(variance[k])}
            report.row(
                cls.plan, task=name, pre="，".join(project.names[i] for i in project.before[k]) or "—",
                time=float(duration[k]), es=float(found.es[k]), ef=float(found.ef[k]), ls=float(found.ls[k]),
                lf=float(found.lf[k]), slack=_zero(found.total[k]), free=_zero(found.free[k]),
                critical="是" if k in critical else "否", **own,
            )  # fmt: skip

    @classmethod
    def _figures(
        cls, report: Report, project: Project, found: Times, critical: set[int], ways: list[list[int]]
    ) -> None:
        if len(project.names) > DRAWN:
            for element in (cls.bars, cls.gantt, cls.nodes, cls.edges, cls.net):
                report.skip(element, f"工序超过 {DRAWN} 道，图上看不清")
            return
        marked = edges_on(ways)
        for k in sorted(range(len(project.names)), key=lambda k: (found.es[k], k)):
            kind = "关键工序" if k in critical else "其他工序"
            report.row(cls.bars, task=project.names[k], start=float(found.es[k]), end=float(found.ef[k]), kind=kind)
            report.row(cls.nodes, id=str(k), label=project.names[k], group=kind)
            for i in project.before[k]:
                mark = "关键路径" if (i, k) in marked else ""
                report.row(cls.edges, source=str(i), target=str(k), text="", mark=mark)
        if len(project.names) == 1 or not any(project.before):
            report.skip(cls.edges, "工序之间没有先后关系")
            report.skip(cls.net, "工序之间没有先后关系")

    # ---- chances -------------------------------------------------------------------------------------------------
    @classmethod
    def _chances(
        cls, report: Report, form: Any, project: Project, three: tuple[Floats, Floats, Floats, Floats], length: float,
        variance: float,
    ) -> None:  # fmt: skip
        mean, low, most, high = three
        sd = variance**0.5
        runs = int(form.simulate or 0)
        lengths = np.zeros(0)
        if runs:
            lengths, counts = _simulate(form, project, (low, most, high), mean, runs)
            runs = len(lengths)
            cls._simulated(report, project, lengths, counts, length, sd)
        else:
            for element in (cls.simulated, cls.bins, cls.histogram, cls.index):
                report.skip(element, "模拟次数是 0")
        if form.deadline is None:
            return
        p = float(stats.norm.cdf((form.deadline - length) / sd)) if sd > 0 else float(form.deadline >= length)
        report.row(cls.chance, how="正态近似", p=p)
        facts: dict[str, Any] = {"d": form.deadline, "p": p}
        words = "在 {d:num} 内完成的概率：正态近似 {p:percent}"
        if runs:
            hits = int((lengths <= form.deadline + 1e-9).sum())
            bounds = stats.binomtest(hits, runs).proportion_ci(0.95, "wilson")
            q = hits / runs
            report.row(cls.chance, how=f"模拟 {runs:,} 次", p=q, low=bounds.low, high=bounds.high)
            facts["q"] = q
            words += "，模拟 {q:percent}"
            if p - q > 0.03:
                report.check("正态近似", "care", "模拟的概率明显更低：别的路径也会拖长工期，请以模拟为准。")
            else:
                report.check("正态近似", "pass", "正态近似与模拟相差不大。")
        report.say(words + "。", **facts)
        report.note(cls.chance, "正态近似只看一条关键路径，没有区间。")

    @classmethod
    def _simulated(
        cls, report: Report, project: Project, lengths: Floats, counts: Floats, length: float, sd: float
    ) -> None:
        report.row(cls.simulated, name="平均", value=float(lengths.mean()), near=length)
        spread = float(lengths.std(ddof=1)) if len(lengths) > 1 else None
        report.row(cls.simulated, name="标准差", value=spread, near=sd)
        for q in QUANTILES:
            report.row(cls.simulated, name=f"第 {q} 百分位", value=float(np.quantile(lengths, q / 100)),
                       near=length + sd * float(stats.norm.ppf(q / 100)))  # fmt: skip
        report.note(cls.simulated, "模拟的平均常比关键路径的长度大，因为别的路径有时也会成为关键路径。")
        number_, edges = np.histogram(lengths, bins=min(30, max(1, int(len(lengths) ** 0.5))))
        report.add_rows(cls.bins, {"low": edges[:-1], "high": edges[1:], "count": number_})
        for name, share in zip(project.names, counts, strict=True):
            report.row(cls.index, task=name, share=float(share))

    # ---- crashing ------------------------------------------------------------------------------------------------
    @classmethod
    def _crash(cls, report: Report, form: Any, project: Project, duration: Floats, length: float) -> None:
        least, normal, crashed = (
            _column(column, project, word, key)
            for column, word, key in (
                (form.crash_time, "赶工工期", "crash_time"), (form.normal_cost, "正常费用", "normal_cost"),
                (form.crash_cost, "赶工费用", "crash_cost"),
            )
        )  # fmt: skip
        for k, name in enumerate(project.names):
            if least[k] > duration[k] + CLOSE or crashed[k] < normal[k] - CLOSE:
                text_ = f"工序“{name}”的赶工工期不能比正常工期长，赶工费用不能比正常费用低"
                raise Refusal("data.crash", text_, field="crash_time")
        room = duration - least
        slope = np.divide(crashed - normal, room, out=np.zeros(len(room)), where=room > 0)
        shortest = float(times(project, least).length)
        step = 1.0 if length - shortest <= STEPS else (length - shortest) / STEPS
        targets = [length]
        while targets[-1] - step > shortest + 1e-9:
            targets.append(targets[-1] - step)
        if length - shortest > 1e-9:
            targets.append(shortest)
        if form.deadline is not None and shortest < form.deadline < length:
            targets = sorted({*targets, float(form.deadline)}, reverse=True)
        costs: dict[float, float] = {}
        for number_, target in enumerate(targets):
            shorter = crash(project, duration, least, slope, target)
            if shorter is None:
                report.skip(cls.crashes, "线性规划没有求到解")
                return
            cost = float(normal.sum() + slope @ shorter)
            more = None if number_ == 0 else max(0.0, cost - costs[targets[number_ - 1]])
            costs[target] = cost
            words = "，".join(f"{project.names[k]} {shorter[k]:.4g}" for k in np.flatnonzero(shorter > 1e-7).tolist())
            report.row(cls.crashes, length=target, cost=cost, more=more, shortened=words or "—")
        report.note(cls.crashes, "每一行是这个工期下最省的方案；后面是各工序缩短多少。")
        if form.deadline is None:
            report.say("最短可以压缩到 {t:num}，总费用 {c:num}。", t=shortest, c=costs[targets[-1]])
        elif form.deadline < shortest - 1e-9:
            text_ = "压缩到底也要 {t:num}，达不到要求的 {d:num}。"
            report.warn("data.deadline", text_, t=shortest, d=form.deadline)
        elif form.deadline < length:
            text_ = "要在 {d:num} 内完成，最少多花 {x:num}，总费用 {c:num}。"
            report.say(text_, d=form.deadline, x=costs[form.deadline] - costs[length], c=costs[form.deadline])


# ---- reading -----------------------------------------------------------------------------------------------------
def _column(column: Column, project: Project, word: str, key: str) -> Floats:
    """Numbers of the tasks; gaps and negative ones are refused by the task."""
    at = {int(row): k for k, row in enumerate(column.row_numbers)}
    values = np.array([column.numbers[at[row]] for row in project.rows])
    for name, value in zip(project.names, values, strict=True):
        if not np.isfinite(value):
            raise Refusal("data.gap", f"工序“{name}”缺少{word}，请补上", field=key, column=column.id)
        if value < 0:
            raise Refusal("data.negative", f"工序“{name}”的{word}为负，请核对", field=key, column=column.id)
        if value > 1e12:
            raise Refusal("data.magnitude", f"工序“{name}”的{word}太大，请换一个单位", field=key, column=column.id)
    return values


def _durations(form: Any, project: Project) -> tuple[Floats, Floats, tuple[Floats, Floats, Floats] | None]:
    """Expected durations, variances, and the three estimates where they are given."""
    most = _column(form.time, project, "工期", "time")
    if form.optimistic is None and form.pessimistic is None:
        return most, np.zeros(len(most)), None
    if form.optimistic is None or form.pessimistic is None:
        text_ = "三点估计要同时有乐观工期和悲观工期，请补上另一列"
        raise Refusal("data.three", text_, field="optimistic", also=["pessimistic"])
    low = _column(form.optimistic, project, "乐观工期", "optimistic")
    high = _column(form.pessimistic, project, "悲观工期", "pessimistic")
    for name, a, m, b in zip(project.names, low, most, high, strict=True):
        if not a <= m <= b:
            text_ = f"工序“{name}”应满足 乐观 ≤ 最可能 ≤ 悲观，现为 {a:g}、{m:g}、{b:g}"
            raise Refusal("data.order", text_, field="time")
    return (low + 4 * most + high) / 6, ((high - low) / 6) ** 2, (low, most, high)


def _simulate(
    form: Any, project: Project, three: tuple[Floats, Floats, Floats], mean: Floats, runs: int
) -> tuple[Floats, Floats]:
    """Lengths of the project, and of each task the share of runs in which it was critical."""
    low, most, high = three
    span = np.where(high > low, high - low, 1.0)
    n = len(mean)
    lengths, counts, done = [], np.zeros(n), 0
    while done < runs:
        size = min(runs - done, max(1, BATCH // n))
        if form.dist == "beta":
            drawn = low + span * form.rng.beta(1 + 4 * (most - low) / span, 1 + 4 * (high - most) / span, (size, n))
        elif form.dist == "triangular":
            drawn = form.rng.triangular(low, most, np.where(high > low, high, low + 1), (size, n))
        else:
            drawn = np.maximum(form.rng.normal(mean, (high - low) / 6, (size, n)), 0.0)
        drawn = np.where(high > low, drawn, low)
        found = times(project, drawn)
        lengths.append(found.length)
        counts += (found.total <= CLOSE * np.maximum(1.0, found.length)[:, None]).sum(axis=0)
        done += size
        if not form.progress(done, runs, f"模拟 {done:,}/{runs:,}"):
            break
    return np.concatenate(lengths), counts / done


def _zero(value: float) -> float:
    return 0.0 if abs(value) < 1e-9 else float(value)


def _path(project: Project, way: list[int]) -> str:
    return " → ".join(project.names[k] for k in way)


def _words(
    report: Report, form: Any, project: Project, found: Times, ways_: tuple[list[list[int]], bool], critical: list[int]
) -> None:
    ways, whole = ways_
    length = float(found.length)
    facts: dict[str, Any] = {"t": length, "w": _path(project, ways[0])}
    report.lead("总工期是 {t:num}，关键路径：{w}。", [figure("总工期", "{t:num}")], **facts)
    if len(ways) > 1:
        many = "{k:integer} 条" if whole else "50 条以上"
        report.check("关键路径", "care", f"关键路径有{many}，缩短工期要同时压缩每一条。", k=len(ways))
    else:
        report.check("关键路径", "pass", "关键路径只有一条。")
    near = [
        k for k in range(len(project.names)) if k not in critical and found.total[k] <= NEAR * length and length > 0
    ]  # fmt: skip
    if near:
        names = few_names([project.names[k] for k in near])
        text_ = "{names}的总时差不到总工期的 10%，稍有拖延就会成为关键工序。"
        report.check("次关键工序", "care", text_, names=names)
    else:
        report.check("次关键工序", "pass", "其他工序都有充足的时差。")
    if form.deadline is not None:
        if length <= form.deadline:
            report.say("要求工期是 {d:num}，按计划可以提前 {x:num} 完成。", d=form.deadline, x=form.deadline - length)
        else:
            report.say("要求工期是 {d:num}，按计划会超出 {x:num}。", d=form.deadline, x=length - form.deadline)
    report.say(
        "对 {n:integer} 道工序作关键路径分析，总工期为 {t:num}，关键路径是 {w}。", voice="paper",
        n=len(project.names), **facts,
    )  # fmt: skip
    report.say("关键工序拖延多少，总工期就拖延多少；其他工序可以拖到总时差用完。", voice="student")
