from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, pairwise
from typing import Any

import numpy as np
from scipy import special, stats

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Form,
    Method,
    NextStep,
    Points,
    Report,
    Table,
    choice,
    claim,
    figure,
    flag,
    integer,
    interval,
    more,
    num,
    number,
    percent,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.contract.report import Paragraph
from hengxi.families.mechanism import effects, table
from hengxi.families.mechanism.effects import Equation, Regression
from hengxi.stats.moments import Floats


class MediatingEffects(Method):
    """Regressions by least squares; indirect effects are products of slopes with bootstrap intervals."""

    title, title_en = "中介作用", "Mediation (simple, parallel, serial)"
    slug = "mediating-effects"
    family, tier = "影响机制", "standard"
    purpose = "自变量对因变量的影响有多少是通过中介变量传递的"
    aliases = (
        "中介效应",
        "mediation",
        "PROCESS",
        "模型4",
        "模型6",
        "Bootstrap",
        "Sobel",
        "链式中介",
        "并行中介",
        "间接效应",
        "温忠麟",
    )
    references = ("hayes2022", "baron1986", "preacher2008", "sobel1982", "zhao2010")
    conventions = (
        "各方程用最小二乘；并行即 PROCESS 模型 4，链式即模型 6；控制变量进入每个方程。",
        "有几个自变量时同时进入每个方程，各自的效应以其他自变量不变为条件。",
        "Bootstrap 按行重抽；标准误是重抽值的标准差（分母 B − 1），分位数按 (B − 1)p + 1 插值。",
        "BCa 的加速常数由逐行剔除得到；偏差校正按小于原值的比例，相等的算一半。",
        "Sobel 的标准误为 √(a²s_b² + b²s_a²)，链式路径用各系数的一阶 delta 法，只作参考。",
        "标准化时所有变量（含控制变量的哑变量）先减均值再除以标准差（n − 1）。",
    )
    random = True
    min_rows = 3

    class Input(Form):
        x: list[Column] = role("自变量 X", "定量", min=1, max=10, hint="0/1 变量请把类型设为定量")
        m: list[Column] = role("中介变量 M", "定量", min=1, max=6, ordered=True, hint="链式中介按先后次序放")
        y: Column = role("因变量 Y", "定量")
        controls: list[Column] = role("控制变量（选填）", "任意", min=0, max=None)
        model: str = choice("中介类型", {"parallel": "并行（互不影响）", "serial": "链式（前面的影响后面的）"})
        n_boot: int = integer("Bootstrap 次数", 5000, least=500, most=20000)
        ci: str = choice("区间类型", {"percentile": "百分位", "bias_corrected": "偏差校正", "bca": "BCa"})
        conf_level: float = number("置信水平", 0.95, least=0.5, most=0.999, percent=True)
        standardize: bool = flag("标准化所有变量", False)

    indirect = Table(
        "间接效应", path=text("路径"), effect=num("效应值"), boot_se=num("Boot 标准误", around="effect"),
        ci=interval("Boot CI", "low", "high", around="effect", inside=False), sobel=num("*z*（Sobel）"), p=pvalue(),
        share=percent("占总效应", most=None), place="main",
        claim=claim("named", stat("*z*", "sobel"), effect="effect", interval="ci", names=("path",)),
    )  # fmt: skip
    whole = Table(
        "效应分解", x=text("自变量"), kind=text("效应"), effect=num("效应值"), se=num("标准误", around="effect"),
        t=num("*t*"), p=pvalue(), ci=interval("CI", "low", "high", around="effect", inside=False), merge=("x",),
        place="main", claim=claim("named", stat("*t*", "t"), effect="effect", names=("x", "kind")),
    )  # fmt: skip
    models = Table(
        "回归模型", outcome=text("因变量"), term=text("自变量"), b=num("系数"), se=num("标准误", around="b"),
        t=num("*t*"), p=pvalue(), beta=num("β", decimals=3), merge=("outcome",), place="main",
        claim=claim("named", stat("*t*", "t"), effect="b", names=("outcome", "term")),
    )  # fmt: skip
    fits = Table(
        "模型拟合", outcome=text("因变量"), r2=num("R²", decimals=3), adjusted=num("调整 R²", decimals=3), F=num("*F*"),
        df1=integer("*df*1"), df2=integer("*df*2"), p=pvalue(),
        claim=claim("named", stat("*F*", "F", "df1", "df2"), names=("outcome",)),
    )  # fmt: skip
    contrasts = Table(
        "间接效应两两比较", pair=text("比较"), effect=num("差"), boot_se=num("Boot 标准误", around="effect"),
        ci=interval("Boot CI", "low", "high", around="effect", inside=False),
    )  # fmt: skip
    nodes = Points("节点", id=text("节点"), label=text("名称"), shape=text("形状"), x=num("x"), y=num("y"))
    edges = Points("连线", source=text("起点"), target=text("终点"), text=text("系数"))
    diagram = Chart(
        "路径图（回归系数）", "network", nodes=nodes, edges=edges, shape="shape", x="x", y="y", text="text",
        arrange="fixed", place="main",
    )  # fmt: skip
    bars = Points("Bootstrap 分布", path=text("路径"), low=num("下限"), high=num("上限"), count=integer("次数"))
    spread = Chart(
        "间接效应的 Bootstrap 分布", "histogram", of=bars, low="low", high="high", count="count", facet="path"
    )

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"“{form.m[0].title}”{'等变量' if len(form.m) > 1 else ''}的中介作用"

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        return 0.1 + (form.get("n_boot") or 5000) * (rows * columns**2 * 1e-9 + 2e-5)

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        inside = [*form["x"], *form["m"], form["y"]]
        return [NextStep(title="先看变量两两的相关", method="descriptive/correlation", form={"variables": inside})]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        held = table.gather(form, ("x", "m", "y", "controls"), form.standardize)
        xs, ms, (y,), controls = (held.places[role_] for role_ in ("x", "m", "y", "controls"))
        serial = form.model == "serial" and len(ms) > 1
        equations = [Equation(m, (*xs, *(ms[:i] if serial else ()), *controls)) for i, m in enumerate(ms)]
        equations += [Equation(y, (*xs, *ms, *controls)), Equation(y, (*xs, *controls))]
        try:
            fitted = [effects.regression(held.z, one) for one in equations]
        except np.linalg.LinAlgError:
            raise table.refuse_collinear(held.names, held.z, [*xs, *ms, *controls], "m") from None
        cls._regressions(report, held, equations, fitted)
        paths = [(x, chain) for x in xs for chain in _chains(ms, serial)]

        def products(slopes: list[Floats]) -> Floats:
            found = []
            for x, chain in paths:
                value = np.ones(len(slopes[0]))
                for source, target in pairwise((x, *chain, y)):
                    at = len(ms) if target == y else ms.index(target)
                    value = value * slopes[at][:, equations[at].x.index(source)]
                found.append(value)
            return np.column_stack(found)

        own = [one.b[None, 1:] for one in fitted]
        at = products(own)[0]
        drawn = cls._draw(report, held.z, equations, products, form)
        jackknife = products(effects.coefficients(effects.left_out(held.z), equations)) if form.ci == "bca" else None
        cls._indirect(report, held, fitted, equations, paths, at, drawn, jackknife, form)
        cls._picture(report, held, equations, fitted, xs, ms, y)
        _checks(report, held, xs, ms, controls)
        return report

    @classmethod
    def _draw(cls, report: Report, z: Floats, equations: list[Equation], products: effects.Effect, form: Any) -> Floats:
        # Centred and scaled, the cross-products lose no digits; slopes are put back afterwards.
        size = z.std(axis=0)
        scaled = (z - z.mean(axis=0)) / size
        parts: list[Floats] = []
        done = 0
        for moments in effects.drawn(scaled, form.n_boot, form.rng):
            slopes = [
                found * size[one.y] / size[list(one.x)]
                for found, one in zip(effects.coefficients(moments, equations), equations, strict=True)
            ]
            parts.append(products(slopes))
            done += len(moments)
            if not form.progress(done, form.n_boot, f"第 {done}/{form.n_boot} 次 Bootstrap") and done < form.n_boot:
                report.warn("model.stopped", "Bootstrap 提前停止：区间只用了 {k:integer} 次。", k=done)
                break
        return np.vstack(parts)

    @classmethod
    def _regressions(
        cls, report: Report, held: table.Variables, equations: list[Equation], fitted: list[Regression]
    ) -> None:
        names = held.names
        for number_, (equation, one) in enumerate(zip(equations, fitted, strict=True)):
            last = number_ == len(equations) - 1
            outcome = names[equation.y] + ("（总效应模型）" if last else "")
            for k, term in enumerate(["常数项", *(names[i] for i in equation.x)]):
                report.row(cls.models, outcome=outcome, term=term, b=one.b[k], se=one.se[k], t=one.t[k], p=one.p[k],
                           beta=one.beta[k - 1] if k else None)  # fmt: skip
            report.row(cls.fits, outcome=outcome, r2=one.r2, adjusted=one.adjusted, F=one.f, df1=len(equation.x),
                       df2=one.df, p=one.p_f)  # fmt: skip

    @classmethod
    def _indirect(
        cls, report: Report, held: table.Variables, fitted: list[Regression], equations: list[Equation],
        paths: list[tuple[int, tuple[int, ...]]], at: Floats, drawn: Floats, jackknife: Floats | None, form: Any,
    ) -> None:  # fmt: skip
        xs, ms, (y,) = held.places["x"], held.places["m"], held.places["y"]
        names, level = held.names, form.conf_level
        low, high = effects.limits(drawn, at, level, form.ci, jackknife)
        told = []
        for k, (x, chain) in enumerate(paths):
            total = float(fitted[-1].b[1 + xs.index(x)])
            se = _sobel((x, *chain, y), ms, y, equations, fitted)
            z = float(at[k] / se)
            name = " → ".join(names[i] for i in (x, *chain, y))
            inside = sum(at[j] for j, (other, _) in enumerate(paths) if other == x)
            share = float(at[k]) / total if at[k] * total > 0 and inside * total > 0 else None
            report.row(cls.indirect, path=name, effect=at[k], boot_se=drawn[:, k].std(ddof=1), low=low[k], high=high[k],
                       sobel=z, p=float(2 * special.ndtr(-abs(z))), share=share)  # fmt: skip
            edges = np.histogram_bin_edges(drawn[:, k], 30)
            counts, _ = np.histogram(drawn[:, k], edges)
            for i, count_ in enumerate(counts):
                report.row(cls.bars, path=name, low=edges[i], high=edges[i + 1], count=int(count_))
            told.append((name, float(at[k]), float(low[k]), float(high[k])))
        for x in xs:
            mine = [k for k, (other, _) in enumerate(paths) if other == x]
            for kind, one in (("总效应 c", fitted[-1]), ("直接效应 c′", fitted[-2])):
                i = 1 + xs.index(x)
                reach = float(stats.t.ppf((1 + level) / 2, one.df) * one.se[i])
                report.row(cls.whole, x=names[x], kind=kind, effect=one.b[i], se=one.se[i], t=one.t[i], p=one.p[i],
                           low=one.b[i] - reach, high=one.b[i] + reach)  # fmt: skip
            together, sums = at[mine].sum(keepdims=True), drawn[:, mine].sum(axis=1, keepdims=True)
            jack = None if jackknife is None else jackknife[:, mine].sum(axis=1, keepdims=True)
            (a,), (b,) = effects.limits(sums, together, level, form.ci, jack)
            report.row(cls.whole, x=names[x], kind="总间接效应", effect=together[0], se=sums.std(ddof=1), low=a, high=b)
            for i, j in combinations(mine, 2):
                gap, rest = at[[i]] - at[[j]], drawn[:, [i]] - drawn[:, [j]]
                jack = None if jackknife is None else jackknife[:, [i]] - jackknife[:, [j]]
                (a,), (b,) = effects.limits(rest, gap, level, form.ci, jack)
                report.row(cls.contrasts, pair=f"{told[i][0]} 减 {told[j][0]}", effect=gap[0],
                           boot_se=rest.std(ddof=1), low=a, high=b)  # fmt: skip
        if len(paths) == len(xs):
            report.skip(cls.contrasts, "每个自变量只有一条间接路径")
        report.note(cls.whole, "总间接效应的标准误和区间来自 Bootstrap；其余来自回归。")
        report.note(cls.indirect, "区间不含 0 即显著，以此为准；Sobel 检验只作参考。占比只在间接与总效应同号时给出。")
        _lead(report, held, fitted, told, paths, at, form)

    @classmethod
    def _picture(
        cls, report: Report, held: table.Variables, equations: list[Equation], fitted: list[Regression], xs: list[int],
        ms: list[int], y: int,
    ) -> None:  # fmt: skip
        places = [(i, 0.0, 0.8 * k) for k, i in enumerate(xs)] + [(y, 2.0, 0.0)]
        # Mediators below each other and a little aside, so that arrows between them can be seen.
        places += [(i, 0.8 + 0.3 * k, -1.0 - 0.8 * k) for k, i in enumerate(ms)]
        for i, across, up in places:
            report.row(cls.nodes, id=str(i), label=held.names[i], shape="rect", x=across, y=up)
        for equation, one in zip(equations[:-1], fitted[:-1], strict=True):
            for k, i in enumerate(equation.x, 1):
                if i in (*xs, *ms):
                    stars = "***" if one.p[k] < 0.001 else "**" if one.p[k] < 0.01 else "*" if one.p[k] < 0.05 else ""
                    report.row(cls.edges, source=str(i), target=str(equation.y), text=f"{one.b[k]:.2f}{stars}")


def _chains(ms: list[int], serial: bool) -> list[tuple[int, ...]]:
    if not serial:
        return [(m,) for m in ms]
    return [chain for k in range(1, len(ms) + 1) for chain in combinations(ms, k)]


def _sobel(nodes: tuple[int, ...], ms: list[int], y: int, equations: list[Equation], fitted: list[Regression]) -> float:
    values, errors = [], []
    for source, target in pairwise(nodes):
        at = len(ms) if target == y else ms.index(target)
        k = 1 + equations[at].x.index(source)
        values.append(float(fitted[at].b[k]))
        errors.append(float(fitted[at].se[k]))
    rest = [np.prod(values[:i] + values[i + 1 :]) for i in range(len(values))]
    return float(np.sqrt(np.sum((np.array(rest) * errors) ** 2)))


def _lead(
    report: Report, held: table.Variables, fitted: list[Regression], told: list[tuple[str, float, float, float]],
    paths: list[tuple[int, tuple[int, ...]]], at: Floats, form: Any,
) -> None:  # fmt: skip
    xs = held.places["x"]
    sure = [one for one in told if one[2] * one[3] > 0]
    facts: dict[str, Any] = {"level": form.conf_level, "n": held.n, "times": form.n_boot}
    if sure:
        name, value, low, high = max(sure, key=lambda one: abs(one[1]))
        lead = f"{len(told)} 条间接路径中 {len(sure)} 条显著" if len(told) > 1 else "间接效应显著"
        lead += "：{name}，效应 {value:num3}，{level:percent} CI [{low:num3}, {high:num3}]，不含 0。"
    else:
        name, value, low, high = max(told, key=lambda one: abs(one[1]))
        lead = "没有发现明显的中介作用："
        lead += "“{name}”的间接效应为 {value:num3}，{level:percent} CI [{low:num3}, {high:num3}]，含 0。"
    facts |= {"name": name, "value": value, "low": low, "high": high}
    words = []
    for x in xs:
        i = 1 + xs.index(x)
        direct = float(fitted[-2].b[i])
        p = float(fitted[-2].p[i])
        mine = [one for one, (other, _) in zip(told, paths, strict=True) if other == x]
        inside = [one for one in mine if one[2] * one[3] > 0]
        if not inside:
            kind = "没有发现间接效应"
        elif p >= 1 - form.conf_level:
            kind = "直接效应不显著，间接效应显著（常称完全中介）"
        elif direct * sum(one[1] for one in inside) > 0:
            kind = "直接与间接效应都显著且同号（部分中介）"
        else:
            kind = "直接与间接效应都显著但异号（遮掩）"
        words.append(f"“{held.names[x]}”：{kind}")
    facts["kinds"] = "；".join(words)
    report.lead(
        lead + "{kinds}。",
        [figure("间接效应", "{value:num3}", "{level:percent} CI [{low:num3}, {high:num3}]")],
        **facts,
    )
    student: list[Paragraph] = [
        ("间接效应是自变量经过中介变量传到因变量的部分。数据若是一次调查得来，先后次序是假设的，不能证明因果。", {})
    ]
    paper: list[Paragraph] = [
        (
            "“{name}”的间接效应为 {value:num3}，"
            "Bootstrap {level:percent} CI [{low:num3}, {high:num3}]（抽样 {times:integer} 次，*n* = {n:integer}）。",
            {},
        )
    ]
    report.voices(student, paper, [(lead, {})], **facts)


def _checks(report: Report, held: table.Variables, xs: list[int], ms: list[int], controls: list[int]) -> None:
    places = [*xs, *ms, *controls]
    inverse = np.linalg.inv(np.corrcoef(held.z[:, places].T)) if len(places) > 1 else np.eye(1)
    worst = int(np.diag(inverse).argmax())
    vif = float(np.diag(inverse)[worst])
    report.check(
        "共线性", "care" if vif > 10 else "pass",
        "最大的 VIF 是 {vif:num2}（“{name}”）" + ("，系数不稳定，请合并或移去相近的变量。" if vif > 10 else "。"),
        vif=vif, name=held.names[places[worst]],
        more=more(
            "自变量、中介和控制变量高度相关时，系数的标准误变大。", "最大的 VIF 是 {vif:num2}。",
            "中介与自变量几乎相同时，间接效应分不清。", "VIF 超过 10 时合并或移去相近的变量。",
        ),
    )  # fmt: skip
