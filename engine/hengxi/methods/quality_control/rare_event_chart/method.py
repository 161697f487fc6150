from __future__ import annotations

from typing import Any

import numpy as np
from scipy import optimize, special, stats

from hengxi.contract import (
    Column,
    Form,
    FrozenLimits,
    Refusal,
    Report,
    SetRemedy,
    Table,
    choice,
    integer,
    num,
    role,
    text,
)
from hengxi.families.control.subgroups import Phases
from hengxi.methods.quality_control._shared import chart as base
from hengxi.methods.quality_control._shared.chart import Bools, Floats, Panel, Run, Standard

MODELS = {"exponential": "指数分布", "weibull": "威布尔分布"}


class RareEventChart(base.Freezes, base.SingleRun):
    """Events so rare that counts are nearly always 0: what lies between one and the next is charted instead."""

    title, title_en = "稀有事件控制图（G/T）", "G and T charts for rare events"
    tier = "member"
    purpose = "稀有事件的间隔次数或间隔时间是否受控"
    aliases = ("G图", "T图", "几何控制图", "间隔时间控制图", "院内感染间隔", "g chart", "t chart", "rare event")
    references = ("benneyan2001", "montgomery2013", "nelson1984", "gbt17989")
    conventions = (
        "控制限是概率限：分布在 1 − Φ(k) 与 Φ(k) 处的分位数，k 为控制限倍数；中心线是中位数。",
        "G 图：间隔数服从从 0 起的几何分布，p = 1/(1 + 平均间隔)，分位数取整数。",
        "T 图：间隔时间服从指数分布（平均间隔）或威布尔分布（最大似然）。",
        "发生日期按行的次序先取相邻之差，第一个事件只作起点；日期的单位是天。",
        "分布不对称，按 σ 分区的准则 5 到 8 不适用，选了也不判。",
    )
    measured = "value"
    min_rows = 3

    class Input(Form):
        value: Column = role("间隔数或发生时间", "任意")
        chart: str = choice("图类型", {"g": "G图（间隔件数，几何）", "t": "T图（间隔时间）"})
        input: str = choice("数据形式", {"interval": "间隔值", "dates": "发生日期"})
        model: str = choice("间隔时间的分布", MODELS, when={"chart": "t"})
        rules: list[str] = base.rules()
        rule_set: str = base.rule_set()
        k_sigma: float = base.k_sigma()
        frozen_limits: FrozenLimits | None = base.frozen_limits()
        center: float | None = base.known_centre()
        exclude: bool = base.exclude()

    fitted = Table(
        "间隔的分布", layout="record", model=text("分布"), events=integer("间隔个数"), mean=num("平均间隔", least=0),
        p=num("*p*（几何）", least=0, most=1), shape=num("形状", least=0), scale=num("尺度", least=0), place="main",
    )  # fmt: skip

    sized = False

    @classmethod
    def kind_of(cls, form: Any) -> tuple[str | None, str]:
        return ("g", "G 图") if form.chart == "g" else (form.model, f"T 图的{MODELS[form.model]}")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        base.check_rules(report, form)
        values, run = cls._read(form)
        form = cls.settled(form, run.n)
        if form.center is not None and not form.center > 0:
            raise Refusal("number.range", "已知的平均间隔必须大于 0", field="center")

        def estimate(kept: Bools) -> list[Panel]:
            model = cls._model(form, values[kept])
            tail = float(special.ndtr(-form.k_sigma))
            low, mid, high = (np.full(values.size, float(model.ppf(q))) for q in (tail, 0.5, 1 - tail))
            # scipy's geometric counts from 1; `loc` of −1 puts it at 0.
            se = np.full(values.size, float(model.std()))
            return [Panel("间隔", values, mid, se, lower=0.0, zones=False, lcl=low, ucl=high)]

        def spread(kept: Bools) -> Floats:
            return np.array([float(cls._model(form, values[kept]).std())])

        def rests(kept: Bools) -> list[Standard]:
            x = values[kept]
            if form.chart == "t" and form.model == "weibull":
                shape, scale = _shaped(form, x)
                return [Standard(scale * float(special.gamma(1 + 1 / shape)), extra=shape)]
            return [Standard(float(x.mean()) if form.center is None else float(form.center))]

        cls.write(report, form, run, estimate, spread, rests)
        cls._fitted(report, form, values)
        report.note(cls.plot, "间隔越长，事件越少：超过上限是事件变少，低于下限是事件变多。")
        low = report.rows_of(cls.control_limits)[0].cells["lcl"]
        if form.chart == "g" and low == 0:
            report.check(
                "下限", "care", "下限为 0，单个点低不过它，看不出事件变多；可以加选准则 2（连续点在中心线同侧）。",
                remedies=[SetRemedy(title="加选准则 2", set={"rules": sorted({*form.rules, "nelson2"})})],
            )  # fmt: skip
        return report

    @classmethod
    def _read(cls, form: Any) -> tuple[Floats, Run]:
        column = form.value
        x, rows = _numbers(column, form.input == "dates"), np.asarray(column.row_numbers)
        labels = [str(cell) for cell in column.text] if form.input == "dates" else []
        if form.input == "dates":
            back = np.flatnonzero(np.diff(x) < 0)
            if back.size:
                row = int(rows[back[0] + 1])
                raise Refusal(
                    "data.order", "发生日期必须按先后排列：第 {at} 行早于前一行，请先按“{v}”排序", field="value",
                    column=column.id, row=row, at=row, v=column.title,
                )  # fmt: skip
            x, rows, labels = np.diff(x), rows[1:], labels[1:]
        bad = np.flatnonzero(x < 0)
        if bad.size:
            row = int(rows[bad[0]])
            raise Refusal(
                "data.negative", "间隔不能为负：第 {at} 行，请核对“{v}”；放的是日期时，数据形式请选“发生日期”",
                field="value", column=column.id, row=row, at=row, v=column.title,
            )  # fmt: skip
        if form.chart == "g" and (x != np.round(x)).any():
            raise Refusal(
                "data.not_counts", "G 图要求间隔是整数（件数或天数），“{v}”有小数；请改用 T 图", field="value",
                column=column.id, v=column.title, remedies=[SetRemedy(title="改用 T 图", set={"chart": "t"})],
            )  # fmt: skip
        if x.size < 2:
            raise Refusal("data.few", "只有 {n} 个间隔，至少要 2 个", field="value", n=int(x.size))
        if not x.max() < 1e150:
            raise Refusal("data.range", "数值太大，算不出控制限，请换一个单位（例如除以 1000）", field="value")
        if x.max() == 0 or (form.chart == "t" and np.ptp(x) == 0):
            raise Refusal("data.constant", "间隔没有变异，估计不出分布，请核对“{v}”", field="value", v=column.title)
        if form.chart == "t" and form.model == "weibull" and x.min() <= 0:
            raise Refusal(
                "data.zero", "有间隔为 0，威布尔分布不能用；请改用指数分布", field="model",
                remedies=[SetRemedy(title="改用指数分布", set={"model": "exponential"})],
            )  # fmt: skip
        names = labels or [str(i + 1) for i in range(x.size)]
        phases = Phases(np.zeros(x.size, dtype=np.int64), [""])
        return x, Run(names, np.ones(x.size, dtype=np.int64), [[int(row)] for row in rows], phases)

    @classmethod
    def _model(cls, form: Any, x: Floats) -> Any:
        mean = float(x.mean()) if form.center is None else float(form.center)
        if mean <= 0:
            raise Refusal("data.constant", "参与估计的间隔全是 0，估计不出分布；请把时间记得更细", field="value")
        if form.chart == "g":
            return stats.geom(1 / (1 + mean), loc=-1)
        if form.model == "exponential":
            return stats.expon(scale=mean)
        shape, scale = _shaped(form, x)
        return stats.weibull_min(shape, scale=scale)

    @classmethod
    def _fitted(cls, report: Report, form: Any, x: Floats) -> None:
        mean = float(x.mean()) if form.center is None else float(form.center)
        cells: dict[str, Any] = {"model": "几何分布", "p": 1 / (1 + mean)}
        if form.chart == "t" and form.model == "exponential":
            cells = {"model": MODELS["exponential"], "scale": mean}
        elif form.chart == "t":
            shape, scale = _shaped(form, x)
            cells = {"model": MODELS["weibull"], "shape": shape, "scale": scale}
        report.row(cls.fitted, events=int(x.size), mean=mean, **cells)
        if form.exclude:
            report.note(cls.fitted, "由全部间隔估计；控制限是剔除失控点之后的。")


def _numbers(column: Column, dates: bool) -> Floats:
    """Gaps, or days; dates that came as text are read where they are written 2024-01-05."""
    if column.info.storage != "text":
        return np.asarray(column.numbers)
    if dates:
        try:
            return np.array([str(cell).strip() for cell in column.text], dtype="datetime64[D]").astype(np.float64)
        except ValueError:
            pass
    what = "写成 2024-01-05 的日期，或先转成日期" if dates else "数值的间隔；放的是日期时，数据形式请选“发生日期”"
    raise Refusal(
        "role.measure", "“{v}”是文字，请放" + what, field="value", column=column.id, v=column.title
    )  # fmt: skip


def _shaped(form: Any, x: Floats) -> tuple[float, float]:
    """Shape and scale: of the data, or such that their mean is the known one; of frozen limits the shape too."""
    if form.frozen_limits is not None:
        shape = float(form.frozen_limits.extra)
    else:
        shape, scale = _weibull(x)
        if form.center is None:
            return shape, scale
    return shape, float(form.center) / float(special.gamma(1 + 1 / shape))


def _weibull(x: Floats) -> tuple[float, float]:
    """Maximum likelihood: the root of the score of the shape. In units of the largest, so that powers stay in range."""
    top = float(x.max())
    log = np.log(x / top)

    def score(shape: float) -> float:
        power = np.exp(shape * log)
        return float(power @ log) / float(power.sum()) - 1 / shape - float(log.mean())

    high = 1.0
    while score(high) < 0 and high < 1e6:
        high *= 2
    low = high
    while score(low) > 0 and low > 1e-6:
        low /= 2
    shape = float(optimize.brentq(score, low, high, xtol=1e-14, rtol=1e-14))
    return shape, top * float(np.mean(np.exp(shape * log))) ** (1 / shape)
