from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
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
    Refusal,
    Report,
    StepRemedy,
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
    numbers,
    percent,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.families.mechanism import effects, table
from hengxi.families.mechanism.effects import Equation, Regression
from hengxi.stats.moments import Floats
from hengxi.stats.names import level_words

MOST_LEVELS = 10
CURVE = 41


@dataclass
class Model:
    """Columns of `z` by role, the three regressions, and what was taken from W and divided by (None for a category)."""

    z: Floats
    names: list[str]
    x: list[int]
    w: list[int]
    products: list[tuple[int, int, int]]
    fitted: list[Regression]
    equations: list[Equation]
    shift: tuple[float, float] | None
    raw_w: Floats | None

    def slope(self, x: int, at: Floats) -> tuple[float, float]:
        """Slope of column `x` where the columns of W are `at`, and its standard error."""
        last, inside = self.fitted[-1], self.equations[-1].x
        pick = np.zeros(len(last.b))
        pick[1 + inside.index(x)] = 1
        for place, first, second in self.products:
            if first == x:
                pick[1 + inside.index(place)] = at[self.w.index(second)]
        return float(pick @ last.b), float(np.sqrt(pick @ last.v @ pick))


class ModeratingEffects(Method):
    """Hierarchical least squares with X × W; simple slopes and Johnson-Neyman from the covariance of coefficients."""

    title, title_en = "调节作用", "Moderation"
    slug = "moderating-effects"
    family, tier = "影响机制", "standard"
    purpose = "自变量对因变量的影响是否随调节变量的水平而变化"
    aliases = ("调节效应", "moderation", "交互作用", "简单斜率", "Johnson-Neyman", "模型1", "PROCESS", "分层回归")
    references = ("aiken1991", "bauer2005", "hayes2022")
    conventions = (
        "三个模型依次放入自变量、调节变量、交互项；控制变量进入每个模型。",
        "中心化和标准化（n − 1）只作用于定量的自变量和调节变量；分类变量以第一个类别为参照变成哑变量。",
        "β 是系数乘以该列与因变量的标准差之比；交互项按乘积那一列算。",
        "分位数按 (n − 1)p + 1 插值；调节变量只有两个值时简单斜率取这两个值。",
        "HC3 时各个 *F* 是用稳健协方差的 Wald 检验除以自由度。",
        "Johnson-Neyman 的边界是简单斜率的 |*t*| 等于临界值的点，只报告落在数据范围内的。",
    )
    min_rows = 3

    class Input(Form):
        x: Column = role("自变量 X", "任意")
        w: Column = role("调节变量 W", "任意", hint="分类变量最多 10 个类别")
        y: Column = role("因变量 Y", "定量")
        controls: list[Column] = role("控制变量（选填）", "任意", min=0, max=None)
        centering: str = choice("处理方式", {"mean": "中心化", "zscore": "标准化", "none": "不处理"})
        probe: str = choice(
            "简单斜率取值",
            {"percentile_16_50_84": "16%、50%、84% 分位", "mean_sd": "平均值与 ±1 个标准差", "manual": "自定义"},
        )
        values: list[float] = numbers("W 的取值", increasing=True, min=1, max=7, when={"probe": "manual"})
        jn: bool = flag("Johnson-Neyman", True)
        se: str = choice("标准误", {"ols": "普通", "hc3": "稳健（HC3）"})
        conf_level: float = number("置信水平", 0.95, least=0.5, most=0.999, percent=True)

    changes = Table(
        "模型比较", model=text("模型"), r2=num("R²", decimals=3), adjusted=num("调整 R²", decimals=3),
        change=num("ΔR²", decimals=3), F=num("Δ*F*"), df1=integer("*df*1"), df2=integer("*df*2"), p=pvalue(),
        place="main", claim=claim("named", stat("Δ*F*", "F", "df1", "df2"), names=("model",)),
    )  # fmt: skip
    models = Table(
        "分层回归", model=text("模型"), term=text("项"), b=num("系数"), se=num("标准误", around="b"), t=num("*t*"),
        p=pvalue(), beta=num("β", decimals=3), vif=num("VIF", decimals=2), merge=("model",), place="main",
        claim=claim("named", stat("*t*", "t"), effect="b", names=("model", "term")),
    )  # fmt: skip
    slopes = Table(
        "简单斜率", x=text("自变量"), level=text("W 水平"), w=num("W 的值"), slope=num("斜率"),
        se=num("标准误", around="slope"), t=num("*t*"), p=pvalue(),
        ci=interval("CI", "low", "high", around="slope"), merge=("x",), place="main",
        claim=claim("named", stat("*t*", "t"), effect="slope", interval="ci", names=("x", "level")),
    )  # fmt: skip
    regions = Table(
        "Johnson-Neyman 区间", start=num("W 从", decimals=3), end=num("W 到", decimals=3), verdict=text("X 的斜率"),
        share=percent("样本占比"), when={"jn": True},
    )  # fmt: skip
    lines = Points(
        "简单斜率图", level=text("W 水平"), x=num("X"), y=num("Y 的预测值"), low=num("下限"), high=num("上限")
    )
    plot = Chart(
        "简单斜率图", "line", of=lines, x="x", y="y", low="low", high="high", series="level", place="main"
    )  # fmt: skip
    curve = Points("斜率曲线", w=num("W"), slope=num("斜率"), low=num("下限"), high=num("上限"), when={"jn": True})
    jn_plot = Chart(
        "Johnson-Neyman 图", "line", of=curve, x="w", y="slope", low="low", high="high", over=[Reference(y=0)],
        when={"jn": True},
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{form.w.title}的调节作用"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        inside = [form["x"], form["w"], form["y"]]
        return [NextStep(title="先看变量两两的相关", method="descriptive/correlation", form={"variables": inside})]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        model = _fit(form)
        cls._regressions(report, model)
        f, p, df1 = cls._changes(report, model, form.se == "hc3")
        told = cls._slopes(report, model, form)
        cls._lines(report, model, told, form)
        if form.jn:
            cls._neyman(report, model, form)
        _lead(report, model, told, (f, p, df1), form)
        _check(report, model)
        return report

    @classmethod
    def _regressions(cls, report: Report, model: Model) -> None:
        for k, (equation, one) in enumerate(zip(model.equations, model.fitted, strict=True), 1):
            vif = _vif(model.z, equation.x)
            for i, term in enumerate(["常数项", *(model.names[j] for j in equation.x)]):
                report.row(cls.models, model=f"模型 {k}", term=term, b=one.b[i], se=one.se[i], t=one.t[i], p=one.p[i],
                           beta=one.beta[i - 1] if i else None, vif=vif[i - 1] if i else None)  # fmt: skip

    @classmethod
    def _changes(cls, report: Report, model: Model, robust: bool) -> tuple[float, float, int]:
        before, f, p, df1 = 0.0, 0.0, 1.0, 1
        known = 0
        for k, one in enumerate(model.fitted):
            df1 = len(model.equations[k].x) - known
            change = one.r2 - before
            if robust:
                b, v = one.b[1 + known :], one.v[1 + known :, 1 + known :]
                f = float(b @ np.linalg.solve(v, b)) / df1
            else:
                f = change / df1 / ((1 - one.r2) / one.df)
            p = float(stats.f.sf(f, df1, one.df))
            name = f"模型 {k + 1}：{('自变量与控制变量', '加调节变量', '加交互项')[k]}"
            report.row(cls.changes, model=name, r2=one.r2, adjusted=one.adjusted, change=change, F=f, df1=df1,
                       df2=one.df, p=p)  # fmt: skip
            before, known = one.r2, len(model.equations[k].x)
        return f, p, df1

    @classmethod
    def _slopes(cls, report: Report, model: Model, form: Any) -> list[tuple[str, Floats, float, float]]:
        told: list[tuple[str, Floats, float, float]] = []
        df = model.fitted[-1].df
        for x in model.x:
            for name, value, at in _levels(model, form):
                b, se = model.slope(x, at)
                t = b / se
                p, reach = float(2 * stats.t.sf(abs(t), df)), float(stats.t.ppf((1 + form.conf_level) / 2, df) * se)
                report.row(cls.slopes, x=model.names[x], level=name, w=value, slope=b, se=se, t=t, p=p, low=b - reach,
                           high=b + reach)  # fmt: skip
                told.append((name, at, b, p))
        if form.centering == "zscore" and len(model.x) == 1 and not form.x.is_categorical:
            report.note(cls.slopes, "斜率是 X 每增加一个标准差时 Y 的变化；W 的值是原来的单位。")
        return told

    @classmethod
    def _lines(cls, report: Report, model: Model, told: list[tuple[str, Floats, float, float]], form: Any) -> None:
        if form.x.is_categorical or not form.x.is_number:
            report.skip(cls.lines, "自变量是分类变量，见简单斜率表")
            return
        last, inside = model.fitted[-1], model.equations[-1].x
        given, mine = form.x.numbers, model.z[:, model.x[0]]
        reach = float(stats.t.ppf((1 + form.conf_level) / 2, last.df))
        for name, at, _, _ in told:
            for k in np.linspace(0, 1, 21):
                x = mine.min() + k * (mine.max() - mine.min())
                point = np.concatenate(([1.0], model.z[:, list(inside)].mean(axis=0)))
                point[1 + inside.index(model.x[0])] = x
                for place, value in zip(model.w, at, strict=True):
                    point[1 + inside.index(place)] = value
                for place, _, second in model.products:
                    point[1 + inside.index(place)] = x * at[model.w.index(second)]
                y, se = float(point @ last.b), float(np.sqrt(point @ last.v @ point))
                report.row(cls.lines, level=name, x=given.min() + k * (given.max() - given.min()), y=y,
                           low=y - reach * se, high=y + reach * se)  # fmt: skip

    @classmethod
    def _neyman(cls, report: Report, model: Model, form: Any) -> None:
        if model.shift is None or model.raw_w is None or len(model.x) > 1 or np.unique(model.raw_w).size < 3:
            for part in (cls.regions, cls.curve):
                report.skip(part, "调节变量须是有三个以上取值的定量变量，自变量只有一列")
            return
        centre, scale = model.shift
        last, inside = model.fitted[-1], model.equations[-1].x
        i, j = 1 + inside.index(model.x[0]), 1 + inside.index(model.products[0][0])
        t = float(stats.t.ppf((1 + form.conf_level) / 2, last.df))
        b, v = last.b, last.v
        terms = (b[j] ** 2 - t**2 * v[j, j], 2 * (b[i] * b[j] - t**2 * v[i, j]), b[i] ** 2 - t**2 * v[i, i])
        low, high = float(model.raw_w.min()), float(model.raw_w.max())
        roots = sorted(float(r.real) * scale + centre for r in np.roots(terms) if abs(r.imag) < 1e-12 * (1 + abs(r)))
        ends = [low, *(r for r in roots if low < r < high), high]
        for k, (start, end) in enumerate(pairwise(ends)):
            slope, se = model.slope(model.x[0], np.array([((start + end) / 2 - centre) / scale]))
            sure = abs(slope) > t * se
            verdict = "不显著" if not sure else "显著为正" if slope > 0 else "显著为负"
            # A case on a boundary belongs to the region below it.
            mine = (model.raw_w <= end) & ((model.raw_w > start) | (k == 0))
            report.row(cls.regions, start=start, end=end, verdict=verdict, share=float(mine.mean()))
        for value in np.linspace(low, high, CURVE):
            slope, se = model.slope(model.x[0], np.array([(value - centre) / scale]))
            report.row(cls.curve, w=float(value), slope=slope, low=slope - t * se, high=slope + t * se)


def _role(column: Column, field: str, how: str) -> tuple[list[tuple[str, Floats]], tuple[float, float] | None]:
    """Columns of X or W; a number also with what was taken away and divided by."""
    if field == "w" and column.is_categorical and np.unique(column.codes).size > MOST_LEVELS:
        raise Refusal(
            "role.levels", "调节变量“{v}”类别过多：有 {k} 个，最多 {most} 个；请先合并类别", field=field,
            column=column.id, v=column.title, k=int(np.unique(column.codes).size), most=MOST_LEVELS,
            remedies=[StepRemedy(title="合并类别", step="data_processing/value_coding", columns=[column.id])],
        )  # fmt: skip
    given = table.dummies(column, field)
    if column.is_categorical or not column.is_number:
        return given, None
    ((name, x),) = given
    centre = 0.0 if how == "none" else float(x.mean())
    scale = float(x.std(ddof=1)) if how == "zscore" else 1.0
    return [(name, (x - centre) / scale)], (centre, scale)


def _fit(form: Any) -> Model:
    xs, _ = _role(form.x, "x", form.centering)
    ws, shift = _role(form.w, "w", form.centering)
    y = table.numeric(form.y, "y")
    controls = [one for column in form.controls for one in table.dummies(column, "controls")]
    pairs = [(i, len(xs) + j) for i in range(len(xs)) for j in range(len(ws))]
    columns = [x for _, x in (*xs, *ws)]
    names = [name for name, _ in (*xs, *ws)]
    with np.errstate(over="ignore", invalid="ignore"):
        made = [columns[i] * columns[j] for i, j in pairs]
        if any(not np.isfinite(one).all() or not one.std() < 1e100 for one in made):
            raise Refusal(
                "data.magnitude", "“{v}”与“{w}”的乘积过大，方差超出可计算的范围；请换一个单位或改用标准化", field="x",
                v=form.x.title, w=form.w.title,
            )  # fmt: skip
    first = len(columns)
    z = np.column_stack([*columns, *made, *(x for _, x in controls), y])
    names += [f"{names[i]} × {names[j]}" for i, j in pairs] + [name for name, _ in controls] + [form.y.title]
    x, w = list(range(len(xs))), list(range(len(xs), first))
    product = list(range(first, first + len(made)))
    rest = list(range(first + len(made), z.shape[1] - 1))
    if len(z) < z.shape[1] + 2:
        raise Refusal(
            "data.few", "有效样本 {n} 份，对 {k} 个系数来说太少，至少要 {least} 份；请减少变量或合并类别", field="x",
            n=len(z), k=z.shape[1], least=z.shape[1] + 2,
        )  # fmt: skip
    steps = ((*x, *rest), (*x, *rest, *w), (*x, *rest, *w, *product))
    equations = [Equation(z.shape[1] - 1, step) for step in steps]
    robust = form.se == "hc3"
    try:
        if robust:
            effects.regression(z, equations[-1])
            inside = z[:, list(steps[-1])] - z[:, list(steps[-1])].mean(axis=0)
            q, _ = np.linalg.qr(inside / np.sqrt(np.sum(inside**2, axis=0)))
            if 1 / len(z) + np.sum(q**2, axis=1).max() > 1 - 1e-9:
                raise Refusal(
                    "data.leverage", "有一份答卷单独决定一个系数，HC3 标准误算不出；请把标准误改为普通，或合并类别",
                    field="se",
                )  # fmt: skip
        fitted = [effects.regression(z, one, robust) for one in equations]
    except np.linalg.LinAlgError:
        with np.errstate(invalid="ignore", divide="ignore"):
            spread = z[:, list(steps[-1])].std(axis=0)
        if not spread.min() > 0:
            raise Refusal(
                "data.collinear", "“{v}”与“{w}”有的类别组合没有答卷，交互项没有变异；请合并类别", field="w",
                v=form.x.title, w=form.w.title,
            ) from None  # fmt: skip
        raise table.refuse_collinear(names, z, steps[-1], "w") from None
    if 1 - fitted[-1].r2 < 1e-12:
        raise Refusal(
            "data.perfect", "“{y}”可由其余变量完全算出，没有误差可作检验；请检查是否放入了同一变量的变形", field="y",
            y=form.y.title,
        )  # fmt: skip
    products = [(product[k], i, j) for k, (i, j) in enumerate(pairs)]
    return Model(z, names, x, w, products, fitted, equations, shift, form.w.numbers if shift else None)


def _levels(model: Model, form: Any) -> list[tuple[str, float | None, Floats]]:
    if model.shift is None or model.raw_w is None:
        present = np.unique(form.w.codes)
        words = level_words(form.w.levels)
        return [(words[i], None, np.eye(len(present))[k][1:]) for k, i in enumerate(present)]
    w = model.raw_w
    if form.probe == "manual":
        chosen = [(f"取值 {value:g}", float(value)) for value in form.values]
    elif np.unique(w).size == 2:
        chosen = [("较小的值", float(w.min())), ("较大的值", float(w.max()))]
    elif form.probe == "mean_sd":
        mean, sd = float(w.mean()), float(w.std(ddof=1))
        chosen = [("平均值 − 1 SD", mean - sd), ("平均值", mean), ("平均值 + 1 SD", mean + sd)]
    else:
        chosen = [(f"{share}% 分位", float(np.quantile(w, share / 100))) for share in (16, 50, 84)]
    centre, scale = model.shift
    return [(name, value, np.array([(value - centre) / scale])) for name, value in chosen]


def _vif(z: Floats, places: tuple[int, ...]) -> Floats:
    if len(places) == 1:
        return np.ones(1)
    found: Floats = np.diag(np.linalg.inv(np.corrcoef(z[:, list(places)].T)))
    return found


def _lead(
    report: Report, model: Model, told: list[tuple[str, Floats, float, float]], test: tuple[float, float, int],
    form: Any,
) -> None:  # fmt: skip
    f, p, df1 = test
    facts: dict[str, Any] = {
        "w": form.w.title, "x": form.x.title, "y": form.y.title, "f": f, "p": p, "df1": df1,
        "df2": model.fitted[-1].df, "change": model.fitted[-1].r2 - model.fitted[-2].r2, "n": len(model.z),
    }  # fmt: skip
    sure = p < 1 - form.conf_level
    lead = "“{w}”的调节作用显著" if sure else "没有发现“{w}”有明显的调节作用"
    lead += "：交互项 ΔR² = {change:num3}，*F*({df1:integer}, {df2:integer}) = {f:num2}，*p* {p:peq}。"
    if sure and len(model.x) == 1:
        (low_at, _, low, _), (high_at, _, high, _) = told[0], told[-1]
        lead += "“{x}”的斜率在“{low_at}”处为 {low:num3}，在“{high_at}”处为 {high:num3}。"
        facts |= {"low_at": low_at, "high_at": high_at, "low": low, "high": high}
    if not sure:
        report.note(ModeratingEffects.slopes, "交互项不显著，不宜解读各水平的斜率有什么不同。")
    report.lead(lead, [figure("交互项 ΔR²", "{change:num3}", "*p* {p:peq}")], **facts)
    student = "调节作用显著，就是“{x}”对“{y}”的影响随“{w}”而变。" if sure else "影响是否随“{w}”而变，这份数据看不出来。"
    paper = "“{x}”与“{w}”的交互项 ΔR² = {change:num3}，*F*({df1:integer}, {df2:integer}) = {f:num2}，*p* {p:peq}（n = {n:integer}）。"  # noqa: E501
    report.voices([(student, {})], [(paper, {})], [(lead, {})], **facts)


def _check(report: Report, model: Model) -> None:
    places = model.equations[-2].x
    values = _vif(model.z, places)
    worst = int(values.argmax())
    vif = float(values[worst])
    report.check(
        "共线性", "care" if vif > 10 else "pass",
        "不计交互项，最大的 VIF 是 {vif:num2}（“{name}”）" + ("，系数不稳定，请移去相近的变量。" if vif > 10 else "。"),
        vif=vif, name=model.names[places[worst]],
        more=more(
            "自变量、调节和控制变量高度相关时，系数的标准误变大。", "最大的 VIF 是 {vif:num2}。",
            "交互项与它的组成变量相关是自然的，中心化不改变交互项的检验。", "VIF 超过 10 时合并或移去相近的变量。",
        ),
    )  # fmt: skip
