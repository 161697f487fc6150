from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Form,
    Method,
    NextStep,
    Points,
    Reference,
    Report,
    Table,
    choice,
    claim,
    confidence,
    figure,
    integer,
    interval,
    more,
    num,
    numbers,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.families.mechanism import effects, table
from hengxi.families.mechanism.effects import Equation, Regression
from hengxi.stats.moments import Floats

MODELS = {
    "7": "模型 7：W 调节 X→M", "8": "模型 8：W 调节 X→M 与 X→Y", "14": "模型 14：W 调节 M→Y",
    "15": "模型 15：W 调节 M→Y 与 X→Y", "58": "模型 58：W 调节 X→M 与 M→Y", "59": "模型 59：W 调节全部三条路径",
}  # fmt: skip
PATHS = {"7": "a", "8": "ac", "14": "b", "15": "bc", "58": "ab", "59": "abc"}
TWO = {"7": "9", "8": "10", "14": "16", "15": "17"}
CURVE = 41


@dataclass
class Model:
    """Columns of `z`: X, W, M, Y, controls, then products. `products`: (first, second) → column."""

    z: Floats
    names: list[str]
    x: int
    ws: list[int]
    ms: list[int]
    y: int
    controls: list[int]
    products: dict[tuple[int, int], int]
    equations: list[Equation]
    fitted: list[Regression]
    shifts: list[tuple[float, float]]
    """Of each W: what was taken away, and divided by."""
    raw: list[Floats]
    paths: str

    def path(self, slopes: list[Floats], at: int, source: int, moderated: bool, w: Floats) -> Floats:
        """Slope of `source` in one equation where the Ws are `w`; resamples first."""
        inside = self.equations[at].x
        found = slopes[at][:, inside.index(source)]
        if moderated:
            for place, value in zip(self.ws, w, strict=True):
                found = found + slopes[at][:, inside.index(self.products[source, place])] * value
        return found

    def indirect(self, slopes: list[Floats], k: int, w: Floats) -> Floats:
        a = self.path(slopes, k, self.x, "a" in self.paths, w)
        return a * self.path(slopes, len(self.ms), self.ms[k], "b" in self.paths, w)

    def index(self, slopes: list[Floats], k: int, j: int) -> Floats:
        """Change of the indirect effect through mediator k by one unit of W j; one path moderated."""
        last, w = len(self.ms), self.ws[j]
        if "a" in self.paths:
            a3 = slopes[k][:, self.equations[k].x.index(self.products[self.x, w])]
            return a3 * slopes[last][:, self.equations[last].x.index(self.ms[k])]
        b3 = slopes[last][:, self.equations[last].x.index(self.products[self.ms[k], w])]
        return slopes[k][:, self.equations[k].x.index(self.x)] * b3


@dataclass(frozen=True)
class Level:
    words: str
    values: tuple[float, ...]
    inner: Floats


class ModeratedMediation(Method):
    """Hayes' templates: regressions with products, conditional indirect effects with bootstrap intervals."""

    title, title_en = "有调节的中介", "Moderated mediation (conditional process)"
    slug = "moderated-mediation"
    family, tier = "影响机制", "member"
    purpose = "间接效应的大小是否随调节变量而改变"
    aliases = ("有调节的中介效应", "被调节的中介", "条件间接效应", "PROCESS", "模型7", "模型8", "模型14", "模型15",
    "模型58", "模型59",
               "IMM", "moderated mediation")  # fmt: skip
    references = ("hayes2022", "hayes2015", "preacher2007", "aiken1991")
    conventions = (
        "模型编号与方程同 PROCESS（Hayes，2022）；各方程用最小二乘，控制变量进入每个方程；多个中介并行。",
        "只处理进入乘积的变量：W 与 X（X→M 或 X→Y 被调节时）、W 与 M（M→Y 被调节时）；常数取自原样本，重抽时不变。",
        "中心化只改变低阶系数，不改变交互项、条件间接效应和 IMM；标准化会改变单位。",
        "IMM 是 W 增加一个单位时间接效应的变化；两条路径都被调节时（模型 58、59）间接效应不是 W 的直线，没有 IMM，"
        "看水平之间的差。",
        "两个调节变量时为相加的形式，不含三次交互。",
        "W 的分位数按 (n − 1)p + 1 插值；只有两个值的 W 取这两个值。",
        "Bootstrap 按行重抽；标准误是重抽值的标准差（分母 B − 1）。",
    )
    random = True
    min_rows = 3

    class Input(Form):
        x: Column = role("自变量 X", "定量", hint="0/1 变量请把类型设为定量")
        m: list[Column] = role("中介变量 M", "定量", min=1, max=4)
        w: list[Column] = role("调节变量 W", "定量", min=1, max=2)
        y: Column = role("因变量 Y", "定量")
        controls: list[Column] = role("控制变量（选填）", "任意", min=0, max=None)
        model: str = choice("模型", MODELS)
        probe: str = choice(
            "W 取值", {"mean_sd": "平均值与 ±1 个标准差", "percentile_16_50_84": "16%、50%、84% 分位",
            "manual": "自定义"},
            default="percentile_16_50_84",
        )  # fmt: skip
        values: list[float] = numbers("W 的取值", increasing=True, min=1, max=7, when={"probe": "manual"})
        centering: str = choice("处理方式", {"none": "不处理", "mean": "中心化", "zscore": "标准化"}, default="mean")
        n_boot: int = integer("Bootstrap 次数", 5000, least=500, most=20000)
        ci: str = choice("区间类型", {"percentile": "百分位", "bias_corrected": "偏差校正"})
        conf_level: float = confidence()

    conditional = Table(
        "条件间接效应", mediator=text("中介"), level=text("W 水平"), effect=num("效应值"), boot_se=num("Boot 标准误",
        around="effect"),
        ci=interval("Boot CI", "low", "high", around="effect", inside=False), merge=("mediator",), place="main",
    )  # fmt: skip
    index = Table(
        "有调节的中介指数 IMM", mediator=text("中介"), w=text("调节变量"), index=num("IMM"),
        boot_se=num("Boot 标准误", around="index"),
        ci=interval("Boot CI", "low", "high", around="index", inside=False), place="main",
        when={"model": ("7", "8", "14", "15")},
    )  # fmt: skip
    contrasts = Table(
        "条件间接效应两两之差", mediator=text("中介"), pair=text("比较"), effect=num("差"),
        boot_se=num("Boot 标准误", around="effect"),
        ci=interval("Boot CI", "low", "high", around="effect", inside=False), merge=("mediator",),
    )  # fmt: skip
    direct = Table(
        "直接效应", level=text("W 水平"), effect=num("效应值"), se=num("标准误", around="effect"), t=num("*t*"),
        p=pvalue(),
        ci=interval("CI", "low", "high", around="effect"), place="main",
        claim=claim("named", stat("*t*", "t"), effect="effect", interval="ci", names=("level",)),
    )  # fmt: skip
    models = Table(
        "回归模型", outcome=text("因变量"), term=text("项"), b=num("系数"), se=num("标准误", around="b"),
        t=num("*t*"), p=pvalue(),
        ci=interval("CI", "low", "high", around="b"), merge=("outcome",), place="main",
        claim=claim("named", stat("*t*", "t"), effect="b", interval="ci", names=("outcome", "term")),
    )  # fmt: skip
    fits = Table(
        "模型拟合", outcome=text("因变量"), r2=num("R²", decimals=3), adjusted=num("调整 R²", decimals=3), F=num("*F*"),
        df1=integer("*df*1"), df2=integer("*df*2"), p=pvalue(),
        claim=claim("named", stat("*F*", "F", "df1", "df2"), names=("outcome",)),
    )  # fmt: skip
    nodes = Points("节点", id=text("节点"), label=text("名称"), shape=text("形状"), x=num("x"), y=num("y"))
    edges = Points("连线", source=text("起点"), target=text("终点"), text=text("系数"))
    diagram = Chart(
        "路径图（回归系数）", "network", nodes=nodes, edges=edges, shape="shape", x="x", y="y", text="text",
        arrange="fixed", place="main",
    )  # fmt: skip
    curve = Points(
        "间接效应随 W 的变化",
        mediator=text("中介"),
        w=num("W"),
        effect=num("间接效应"),
        low=num("下限"),
        high=num("上限"),
    )
    plot = Chart(
        "间接效应随 W 的变化", "line", of=curve, x="w", y="effect", low="low", high="high", series="mediator",
        over=[Reference(y=0)], place="main",
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"“{form.w[0].title}”调节的“{form.m[0].title}”{'等变量' if len(form.m) > 1 else ''}的中介作用"

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        return 0.1 + (form.get("n_boot") or 5000) * (rows * columns**2 * 4e-9 + 4e-5)

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        start = {"x": [form["x"]], "m": form["m"], "y": form["y"], "controls": form.get("controls") or []}
        return [NextStep(title="不含调节的中介作用", method="questionnaire/mediating_effects", form=start)]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        model = _fit(form)
        levels = _levels(model, form)
        track = _track(model)
        k = len(model.ms)
        moderated = len(model.paths.replace("c", "")) == 1

        def made(slopes: list[Floats]) -> Floats:
            found = [model.indirect(slopes, i, one.inner) for i in range(k) for one in (*levels, *track)]
            if moderated:
                found += [model.index(slopes, i, j) for i in range(k) for j in range(len(model.ws))]
            return np.column_stack(found)

        at = made([one.b[None, 1:] for one in model.fitted])[0]
        drawn = cls._draw(report, model, made, form)
        low, high = effects.limits(drawn, at, form.conf_level, form.ci, None)
        cls._regressions(report, model, form)
        told = cls._conditional(report, model, levels, len(track), at, drawn, (low, high), form)
        cls._curve(report, model, levels, track, at, (low, high))
        indices = []
        if moderated:
            start = k * (len(levels) + len(track))
            for i, (m, j) in enumerate(product(range(k), range(len(model.ws))), start):
                scale = model.shifts[j][1]
                row = report.row(cls.index, mediator=model.names[model.ms[m]], w=model.names[model.ws[j]],
                index=at[i] / scale,
                                 boot_se=drawn[:, i].std(ddof=1) / scale, low=low[i] / scale,
                                 high=high[i] / scale)  # fmt: skip
                indices.append(row)
            report.note(cls.index, "区间不含 0，说明间接效应随 W 变化。IMM 以 W 的原来单位计。")
        cls._direct(report, model, levels, form)
        cls._picture(report, model)
        _words(report, form, model, told, indices)
        _checks(report, model)
        return report

    @classmethod
    def _draw(cls, report: Report, model: Model, made: effects.Effect, form: Any) -> Floats:
        # Centred and scaled, the cross-products lose no digits; slopes are put back afterwards.
        size = model.z.std(axis=0)
        scaled = (model.z - model.z.mean(axis=0)) / size
        parts: list[Floats] = []
        done = 0
        for moments in effects.drawn(scaled, form.n_boot, form.rng):
            slopes = [
                found * size[one.y] / size[list(one.x)]
                for found, one in zip(effects.coefficients(moments, model.equations), model.equations, strict=True)
            ]
            parts.append(made(slopes))
            done += len(moments)
            if not form.progress(done, form.n_boot, f"第 {done}/{form.n_boot} 次 Bootstrap") and done < form.n_boot:
                report.warn("model.stopped", "Bootstrap 提前停止：区间只用了 {k:integer} 次。", k=done)
                break
        return np.vstack(parts)

    @classmethod
    def _regressions(cls, report: Report, model: Model, form: Any) -> None:
        for equation, one in zip(model.equations, model.fitted, strict=True):
            outcome = model.names[equation.y]
            reach = stats.t.ppf((1 + form.conf_level) / 2, one.df) * one.se
            for i, term in enumerate(["常数项", *(model.names[j] for j in equation.x)]):
                report.row(cls.models, outcome=outcome, term=term, b=one.b[i], se=one.se[i], t=one.t[i], p=one.p[i],
                           low=one.b[i] - reach[i], high=one.b[i] + reach[i])  # fmt: skip
            report.row(cls.fits, outcome=outcome, r2=one.r2, adjusted=one.adjusted, F=one.f, df1=len(equation.x),
            df2=one.df,
                       p=one.p_f)  # fmt: skip
        if form.centering != "none":
            report.note(
                cls.models,
                "进入乘积的变量已"
                + {"mean": "减去平均值", "zscore": "标准化"}[form.centering]
                + "，低阶系数是其他变量在平均值时的影响。",
            )

    @classmethod
    def _conditional(
        cls, report: Report, model: Model, levels: list[Level], more_: int, at: Floats, drawn: Floats,
        limits: tuple[Floats, Floats], form: Any,
    ) -> list[dict[str, Any]]:  # fmt: skip
        low, high = limits
        rows = []
        for m, place in enumerate(model.ms):
            start = m * (len(levels) + more_)
            for i, one in enumerate(levels, start):
                rows.append(report.row(cls.conditional, mediator=model.names[place], level=one.words, effect=at[i],
                                       boot_se=drawn[:, i].std(ddof=1), low=low[i], high=high[i]))  # fmt: skip
            for i, j in combinations(range(len(levels)), 2):
                rest = drawn[:, [start + j]] - drawn[:, [start + i]]
                gap = at[[start + j]] - at[[start + i]]
                (a,), (b,) = effects.limits(rest, gap, form.conf_level, form.ci, None)
                report.row(cls.contrasts, mediator=model.names[place], pair=f"{levels[j].words} 减 {levels[i].words}",
                           effect=gap[0], boot_se=rest.std(ddof=1), low=a, high=b)  # fmt: skip
        report.note(
            cls.conditional, "CI 的置信水平为 {level:percent}，重抽 {times:integer} 次；区间不含 0 即显著。",
            level=form.conf_level,
            times=len(drawn),
        )  # fmt: skip
        if len(levels) == 1:
            report.skip(cls.contrasts, "只取了一个水平")
        return rows

    @classmethod
    def _curve(
        cls, report: Report, model: Model, levels: list[Level], track: list[Level], at: Floats, limits: tuple[Floats,
        Floats]
    ) -> None:  # fmt: skip
        low, high = limits
        if not track:
            report.skip(cls.curve, "W 只有两个取值，见条件间接效应表")
            return
        for m, place in enumerate(model.ms):
            start = m * (len(levels) + len(track)) + len(levels)
            for i, one in enumerate(track, start):
                report.row(
                    cls.curve, mediator=model.names[place], w=one.values[0], effect=at[i], low=low[i], high=high[i]
                )
        rest = "，另一个调节变量取平均值" if len(model.ws) > 1 else ""
        report.note(cls.plot, f"阴影为 Bootstrap 区间；横轴是 W 的原来单位{rest}。")
        report.chart(cls.plot, titles={"x": model.names[model.ws[0]]})

    @classmethod
    def _direct(cls, report: Report, model: Model, levels: list[Level], form: Any) -> None:
        last, equation = model.fitted[-1], model.equations[-1]
        reach = float(stats.t.ppf((1 + form.conf_level) / 2, last.df))
        shown = levels if "c" in model.paths else [Level("不随 W 变", (), np.zeros(len(model.ws)))]
        for one in shown:
            pick = np.zeros(len(last.b))
            pick[1 + equation.x.index(model.x)] = 1
            if "c" in model.paths:
                for place, value in zip(model.ws, one.inner, strict=True):
                    pick[1 + equation.x.index(model.products[model.x, place])] = value
            b, se = float(pick @ last.b), float(np.sqrt(pick @ last.v @ pick))
            report.row(cls.direct, level=one.words, effect=b, se=se, t=b / se, p=float(2 * stats.t.sf(abs(b / se),
            last.df)),
                       low=b - reach * se, high=b + reach * se)  # fmt: skip

    @classmethod
    def _picture(cls, report: Report, model: Model) -> None:
        spots = [(model.x, 0.0, 0.0), (model.y, 2.4, 0.0)]
        spots += [(m, 1.2, -1.0 - 0.9 * k) for k, m in enumerate(model.ms)]
        spots += [(w, 0.3 + 1.8 * j, 1.2) for j, w in enumerate(model.ws)]
        for i, across, up in spots:
            report.row(cls.nodes, id=str(i), label=model.names[i], shape="rect", x=across, y=up)
        for column in model.products.values():
            if any(column in one.x for one in model.equations):
                pair = next(key for key, value in model.products.items() if value == column)
                up = 0.6 if pair[0] == model.x else -0.4
                report.row(
                    cls.nodes,
                    id=str(column),
                    label=model.names[column],
                    shape="ellipse",
                    x=0.9 + 0.4 * (pair[0] != model.x),
                    y=up,
                )
        for equation, one in zip(model.equations, model.fitted, strict=True):
            for k, i in enumerate(equation.x, 1):
                if i not in model.controls:
                    stars = "***" if one.p[k] < 0.001 else "**" if one.p[k] < 0.01 else "*" if one.p[k] < 0.05 else ""
                    report.row(cls.edges, source=str(i), target=str(equation.y), text=f"{one.b[k]:.2f}{stars}")


# ---- the model -----------------------------------------------------------------------------------------------------
def _fit(form: Any) -> Model:
    held = table.gather(form, ("x", "w", "m", "y", "controls"))
    (x,), ws, ms, (y,), controls = (held.places[one] for one in ("x", "w", "m", "y", "controls"))
    paths = PATHS[form.model]
    z, names = held.z.copy(), list(held.names)
    raw = [held.z[:, w].copy() for w in ws]
    moved = {*ws, *([x] if "a" in paths or "c" in paths else []), *(ms if "b" in paths else [])}
    shifts = dict.fromkeys(ws, (0.0, 1.0))
    for i in moved:
        centre = 0.0 if form.centering == "none" else float(z[:, i].mean())
        scale = float(z[:, i].std(ddof=1)) if form.centering == "zscore" else 1.0
        z[:, i] = (z[:, i] - centre) / scale
        if i in shifts:
            shifts[i] = (centre, scale)
    pairs = [(x, w) for w in ws if "a" in paths or "c" in paths] + [(m, w) for m in ms for w in ws if "b" in paths]
    products: dict[tuple[int, int], int] = {}
    for first, second in pairs:
        products[first, second] = z.shape[1]
        z = np.column_stack((z, z[:, first] * z[:, second]))
        names.append(f"{names[first]} × {names[second]}")
    by_x = [products[x, w] for w in ws if (x, w) in products]
    to_m = (x, *(ws if "a" in paths else ()), *(by_x if "a" in paths else ()), *controls)
    moderated = "b" in paths or "c" in paths
    to_y = (
        x, *ms, *(ws if moderated else ()), *(by_x if "c" in paths else ()),
        *(products[m, w] for m in ms for w in ws if "b" in paths), *controls,
    )  # fmt: skip
    equations = [*(Equation(m, to_m) for m in ms), Equation(y, to_y)]
    try:
        fitted = [effects.regression(z, one) for one in equations]
    except np.linalg.LinAlgError:
        raise table.refuse_collinear(names, z, to_y if moderated else (*to_m, *ms), "m") from None
    return Model(z, names, x, ws, ms, y, controls, products, equations, fitted, [shifts[w] for w in ws], raw, paths)


def _levels(model: Model, form: Any) -> list[Level]:
    """Every combination of the chosen values of the Ws."""
    chosen: list[list[tuple[str, float]]] = []
    for w in model.raw:
        if form.probe == "manual":
            chosen.append([(f"{value:g}", float(value)) for value in form.values])
        elif np.unique(w).size == 2:
            chosen.append([(f"{value:g}", float(value)) for value in np.unique(w)])
        elif form.probe == "mean_sd":
            mean, sd = float(w.mean()), float(w.std(ddof=1))
            chosen.append([("平均值 − 1 SD", mean - sd), ("平均值", mean), ("平均值 + 1 SD", mean + sd)])
        else:
            chosen.append([(f"{share}% 分位", float(np.quantile(w, share / 100))) for share in (16, 50, 84)])
    found = []
    for combination in product(*chosen):
        words = "，".join(
            f"{model.names[place]} = {value:.4g}（{name}）"
            if name != f"{value:g}"
            else f"{model.names[place]} = {name}"
            for place, (name, value) in zip(model.ws, combination, strict=True)
        )
        values = tuple(value for _, value in combination)
        inner = np.array([(v - c) / s for v, (c, s) in zip(values, model.shifts, strict=True)])
        found.append(Level(words, values, inner))
    return found


def _track(model: Model) -> list[Level]:
    """The first W over its range, the others at their means; none where it has two values only."""
    first = model.raw[0]
    if np.unique(first).size < 3:
        return []
    rest = [float(w.mean()) for w in model.raw[1:]]
    found = []
    for value in np.linspace(first.min(), first.max(), CURVE):
        values = (float(value), *rest)
        found.append(Level("", values, np.array([(v - c) / s for v, (c, s) in zip(values, model.shifts, strict=True)])))
    return found


# ---- words ---------------------------------------------------------------------------------------------------------
def _words(
    report: Report, form: Any, model: Model, told: Sequence[dict[str, Any]], indices: Sequence[dict[str, Any]]
) -> None:
    facts: dict[str, Any] = {"level": form.conf_level, "n": len(model.z)}
    number = form.model if len(model.ws) == 1 else TWO.get(form.model, form.model)
    name = f"（PROCESS 模型 {number}）"
    if indices:
        best = max(indices, key=lambda row: (row["low"] * row["high"] > 0, abs(row["index"])))
        sure = best["low"] * best["high"] > 0
        facts |= {
            "m": best["mediator"],
            "w": best["w"],
            "index": best["index"],
            "low": best["low"],
            "high": best["high"],
        }
        size = "IMM = {index:num3}，{level:percent} CI [{low:num3}, {high:num3}]"
        lead = "经“{m}”的间接效应随“{w}”变化" if sure else "没有发现经“{m}”的间接效应随“{w}”变化"
        lead += f"{name}：{size}，{'不含' if sure else '含'} 0。"
        figures = [figure("IMM", "{index:num3}", "{level:percent} CI [{low:num3}, {high:num3}]")]
    else:
        lead = f"X→M 与 M→Y 都被调节{name}，没有单一的 IMM，看各水平之差。"
        size, figures = "", []
    where = [row for row in told if row["low"] * row["high"] > 0]
    if len(where) in (0, len(told)):
        rest = "各水平的条件间接效应都" + ("显著。" if where else "不显著。")
    else:
        facts["where"] = "；".join(f"{row['mediator']}：{row['level']}" for row in where[:4])
        rest = "条件间接效应显著的水平：{where}" + ("等。" if len(where) > 4 else "。")
    lead += rest
    report.lead(lead, figures, **facts)
    size = f"{size}。" if size else ""
    report.voices(
        [("IMM 的区间不含 0，说明间接效应的大小随 W 而变。某个水平显著、另一个不显著，不等于两个水平有差别，"
        "要看 IMM 或两两之差。"
          "一次调查的数据不能证明因果的先后。", {})],
        [(f"采用有调节的中介{name}，Bootstrap {form.n_boot} 次，*n* = {{n:integer}}。{size}{rest}", {})],
        [(lead, {})], **facts,
    )  # fmt: skip


def _checks(report: Report, model: Model) -> None:
    places = [model.x, *model.ms, *model.ws, *model.controls]
    inverse = np.linalg.inv(np.corrcoef(model.z[:, places].T))
    worst = int(np.diag(inverse).argmax())
    vif = float(np.diag(inverse)[worst])
    report.check(
        "共线性", "care" if vif > 10 else "pass",
        "不计乘积项，最大的 VIF 是 {vif:num2}（“{name}”）" + ("，系数不稳定，请移去相近的变量。" if vif > 10 else "。"),
        vif=vif, name=model.names[places[worst]],
        more=more(
            "自变量、中介、调节和控制变量高度相关时，系数的标准误变大。", "最大的 VIF 是 {vif:num2}。",
            "乘积与它的组成变量相关是自然的，中心化不改变它的检验。", "VIF 超过 10 时合并或移去相近的变量。",
        ),
    )  # fmt: skip
