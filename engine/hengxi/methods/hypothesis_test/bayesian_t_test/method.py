from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Level,
    Points,
    Reference,
    Refusal,
    Report,
    Table,
    alternative,
    choice,
    confidence,
    counted,
    figure,
    integer,
    interval,
    num,
    number,
    role,
    text,
)
from hengxi.methods.hypothesis_test._shared import samples, two_levels
from hengxi.methods.hypothesis_test._shared.comparison import Comparison, axis, interval_figure
from hengxi.methods.hypothesis_test._shared.finding import INDEPENDENT, UNASSIGNED
from hengxi.methods.hypothesis_test._shared.samples import Sample
from hengxi.stats import two_groups
from hengxi.stats.bayes_factor import Evidence, bayes_factor, sequence, sequence_of_two
from hengxi.stats.frequencies import frequencies
from hengxi.stats.moments import levelled

DESIGNS = {"one": "单样本", "independent": "独立样本", "paired": "配对"}
GRADES = ((100, "极强"), (30, "很强"), (10, "强"), (3, "中等"), (1, "微弱"))
STEPS, DRAWN, CURVE = 60, 5000, 201
SCALES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.707, 0.8, 0.9, 1.0, 1.2, 1.414, 1.6, 1.8, 2.0)


class BayesianTTest(Comparison):
    title, title_en = "贝叶斯t检验", "Bayesian t test"
    tier = "member"
    rescaled = (("variables",),)
    purpose = "数据对“有差异/无差异”各提供多强证据"
    aliases = ("贝叶斯因子", "Bayes factor", "BF10", "JZS", "JASP", "支持零假设", "ttestBF")
    references = ("rouder2009", "jeffreys1961", "ly2016")
    conventions = (
        "备择假设下效应量 δ 的先验为 Cauchy(0, r)，方差用 Jeffreys 先验（JZS）；"
        "默认 r = 0.707，与 BayesFactor 和 JASP 相同。",
        "贝叶斯因子由似然比对先验的数值积分得出，与 Rouder 等（2009）的公式等价。",
        "单侧检验的先验只取一侧（密度加倍），原假设仍为 δ = 0。",
        "独立样本按等方差（合并标准差），n = n₁n₂/(n₁ + n₂)，δ = (第一组 − 第二组)/标准差。",
        "证据等级按 Jeffreys（1961）：1–3 微弱，3–10 中等，10–30 强，30–100 很强，超过 100 极强。",
        "误差为两种求积节点数结果的相对差。序贯图按数据的行次序累积，有频数权重时不画。",
    )

    class Input(Form):
        design: str = choice("设计", DESIGNS, default="independent")
        variables: Column = role("检验变量Y", "定量", each=True)
        group: Column | None = role("分组变量X", "定类", min=0, when={"design": "independent"})
        pair: Column | None = role("配对变量", "定量", min=0, when={"design": "paired"})
        weight: Column | None = counted()
        groups: list[Level] = two_levels.field()
        r_scale: float = number("Cauchy先验尺度", 0.707, least=0.1, most=2, hint="0.707 中等，1 宽，1.414 很宽")
        test_value: float = number("检验值", 0, when={"design": "one"})
        alternative: str = alternative("大于、小于指第一组对第二组，或检验变量对检验值、配对变量")
        cri: float = confidence(0.5)

    result = Table(
        "贝叶斯因子", t=num("*t*"), df=num("*df*"), bf10=num("BF₁₀", least=0), bf01=num("BF₀₁", least=0),
        log=num("ln BF₁₀"), error=num("相对误差", least=0), side=text("支持"), grade=text("证据等级"), place="main",
    )  # fmt: skip
    posterior = Table(
        "后验", difference=num("均值差"), d=num("样本 *d*"), median=num("δ 后验中位数"),
        ci=interval("可信区间", "low", "high", around="median"), n=integer("*n*"), place="main",
    )  # fmt: skip
    plot = interval_figure()
    densities = Points("密度", x=num("效应量 δ"), y=num("密度"), series=text("分布"))
    posterior_plot = Chart("先验与后验", "line", of=densities, x="x", y="y", series="series", place="main")
    robust = Points("稳健性", x=num("先验尺度 r"), y=num("ln BF₁₀"))
    robust_plot = Chart(
        "先验尺度的影响", "line", of=robust, x="x", y="y", over=[Reference(y=0, label="证据相当")], place="main"
    )
    steps = Points("序贯", x=num("例数"), y=num("ln BF₁₀"))
    steps_plot = Chart(
        "证据的累积（序贯）", "line", of=steps, x="x", y="y", over=[Reference(y=0, label="证据相当")], place="detail"
    )

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{cls.title}：{form.about}"

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        held, t, n, df, sd, gap = cls._statistic(form)
        evidence = Evidence(t, n, df, form.r_scale, form.alternative)
        log = evidence.log_bf10
        if not np.isfinite(log):
            raise Refusal(
                "data.unsolved", "“{y}”的贝叶斯因子数值积分失败，请检查是否存在极端离群值", field="variables",
                column=form.variables.id, y=form.variables.title,
            )  # fmt: skip
        low, high = evidence._span
        middle = (low + high) / 2
        halves = np.logaddexp(evidence._log_integral(low, middle), evidence._log_integral(middle, high))
        size = bayes_factor(abs(log))
        grade = next((word for least, word in GRADES if size is None or size >= least), "微弱")
        side = "有差异" if log > 0 else "无差异"
        report.row(
            cls.result, t=t, df=df, bf10=bayes_factor(log), bf01=bayes_factor(-log), log=log,
            error=float(abs(np.expm1(halves - log))), side=side, grade=grade,
        )  # fmt: skip
        tail = (1 - form.cri) / 2
        median, lower, upper = (evidence.quantile(p) for p in (0.5, tail, 1 - tail))
        total = sum(s.n for s in held[:2]) if form.design == "independent" else held[0].n
        report.row(cls.posterior, difference=gap, d=gap / sd, median=median, low=lower, high=upper, n=total)
        report.note(
            cls.posterior, "可信区间的水平为 {level:percent}，两端概率相等；先验 Cauchy(0, {r:num})。", level=form.cri,
            r=form.r_scale,
        )  # fmt: skip
        cls.describe(report, held, "mean", form.cri)
        report.chart(cls.plot, titles=axis(form.variables.title, samples.unit(form.variables)))
        cls._figures(report, form, evidence, (t, n, df))
        cls._say(report, form, held, (log, bayes_factor(log), bayes_factor(-log), grade), (median, lower, upper, gap))
        return report

    @classmethod
    def _statistic(cls, form: Any) -> tuple[list[Sample], float, float, float, float, float]:
        """The samples shown, t, the effective n, df, the sd of δ, and the difference."""
        column, counts = form.variables, frequencies(form.weight)
        if form.design == "independent":
            if form.group is None:
                raise Refusal("role.required", "独立样本要有分组：请放入分组变量", field="group")
            groups = samples.two(form, "贝叶斯 t ", 2)
            a, b = levelled([s.moments for s in groups.samples])
            pooled = two_groups.pooled_sd(a, b)
            cls._judge(form, pooled, max(abs(a.most), abs(a.least), abs(b.most), abs(b.least)))
            test = two_groups.student(a, b)
            return groups.samples, test.t, a.n * b.n / (a.n + b.n), test.df, pooled, test.difference
        if form.design == "paired":
            if form.pair is None:
                raise Refusal("role.required", "配对要有第二个变量：请放入配对变量", field="pair")
            known = ~np.isnan(column.numbers) & ~np.isnan(form.pair.numbers)
            both = [
                samples.single(c, np.where(known, c.numbers, np.nan), counts, c.title, 2) for c in (column, form.pair)
            ]
            with np.errstate(over="ignore", invalid="ignore"):
                reach = max(float(np.abs(s.x).max()) for s in both)
                apart = Sample("差值", samples.snapped(both[0].x - both[1].x, reach), both[0].counts)
            samples.judge_range(column, [apart], field="pair")
            held, value, one = [*both, apart], 0.0, apart
        else:
            one = samples.single(column, column.numbers, counts, column.title, 2)
            held, value = [one], float(form.test_value)
        m = one.moments
        cls._judge(form, m.sd, max(abs(m.most), abs(m.least)))
        test = two_groups.one_sample(m, value)
        return held, test.t, float(m.n), m.n - 1.0, m.sd, test.difference

    @classmethod
    def _judge(cls, form: Any, sd: float, reach: float) -> None:
        if not sd > 1e-14 * reach or sd < 1e-150:
            raise Refusal(
                "data.constant", "“{y}”没有变异，算不出 t，请核对数据或换一个变量", field="variables",
                column=form.variables.id, y=form.variables.title,
            )  # fmt: skip

    @classmethod
    def _figures(cls, report: Report, form: Any, evidence: Evidence, found: tuple[float, float, float]) -> None:
        t, n, df = found
        low, high = (evidence.quantile(p) for p in (0.0005, 0.9995))
        wide = max(abs(low), abs(high), 2 * form.r_scale)
        grid = np.linspace(-wide, wide, CURVE)
        for name, y in (("先验", evidence.prior(grid)), ("后验", evidence.density(grid))):
            report.add_rows(cls.densities, {"x": grid, "y": y, "series": [name] * grid.size})
        logs = [Evidence(t, n, df, r, form.alternative).log_bf10 for r in SCALES]
        report.add_rows(cls.robust, {"x": np.array(SCALES), "y": np.array(logs)})
        steps = cls._steps(form)
        if steps:
            report.add_rows(
                cls.steps, {"x": np.array([float(at) for at, _ in steps]), "y": np.array([log for _, log in steps])}
            )
        else:
            report.skip(cls.steps, "有频数权重或个案太少时不画")

    @classmethod
    def _steps(cls, form: Any) -> list[tuple[int, float]]:
        if form.weight is not None:
            return []
        values = form.variables.numbers
        known = ~np.isnan(values)
        first = None
        if form.design == "independent":
            levels = two_levels.chosen(form)
            places = {level.value: level.code for level in form.group.levels}
            a, b = (form.group.codes == places[level.value] for level in levels)
            known = known & (a | b)
            first = a[known].astype(float)
        elif form.design == "paired":
            values = values - form.pair.numbers
            known = known & ~np.isnan(form.pair.numbers)
        x = values[known] - (form.test_value if form.design == "one" else 0.0)
        x = x[:DRAWN] / float(np.abs(x).max() or 1.0)
        at = (
            np.unique(np.linspace(4, x.size, min(STEPS, max(0, x.size - 3))).astype(int)).tolist() if x.size > 4 else []
        )
        if first is None:
            return sequence(x, form.r_scale, form.alternative, at)
        return sequence_of_two(x, first, form.r_scale, form.alternative, at)

    @classmethod
    def _say(
        cls, report: Report, form: Any, held: list[Sample], found: tuple[float, float | None, float | None, str],
        effect: tuple[float, float, float, float],
    ) -> None:  # fmt: skip
        log, bf10, bf01, grade = found
        median, low, high, gap = effect
        unit = samples.unit(form.variables)
        facts: dict[str, Any] = {
            "y": form.variables.title, "first": held[0].name, "bf10": bf10, "bf01": bf01, "grade": grade, "m": median,
            "low": low, "high": high, "level": form.cri, "gap": gap, "unit": unit, "r": form.r_scale, "log": log,
        }  # fmt: skip
        if form.design == "independent":
            facts |= {"second": held[1].name}
            what = "“{first}”组与“{second}”组的“{y}”"
        elif form.design == "paired":
            facts |= {"second": held[1].name}
            what = "“{first}”与“{second}”"
        else:
            facts |= {"value": float(form.test_value)}
            what = "“{y}”的均值与 {value:num} "
        way = {"two_sided": "有差异", "greater": "有正向的差异", "less": "有负向的差异"}[form.alternative]
        many = "BF₁₀ = {bf10:num}" if log > 0 else "BF₀₁ = {bf01:num}"
        many = many if (bf10 if log > 0 else bf01) is not None else "ln BF₁₀ = {log:num}"
        span = "{level:percent} 可信区间 {low:num} 到 {high:num}"
        facts = {key: value for key, value in facts.items() if value is not None}
        if grade == "微弱":
            side = way if log > 0 else "没有差异"
            lead = f"{what}有没有差异还不能下结论，证据微弱，略偏向{side}（{many}）"
        elif log > 0:
            lead = f"数据支持{what}{way}（{many}，证据{{grade}}）"
        else:
            than = "" if form.alternative == "two_sided" else f"，而不是{way}"
            lead = f"数据支持{what}没有差异{than}（{many}，证据{{grade}}）"
        close = "可以再收集数据。" if grade == "微弱" else ""
        lead += f"：均值差 {{gap:num}}{{unit}}，效应量 δ 的后验中位数 {{m:num}}（{span}）。{close}"
        report.lead(
            lead,
            [figure("贝叶斯因子", many.split("= ")[1], many.split(" =")[0]), figure("δ", "{m:num}", span)],
            **facts,
        )
        times = "{bf10:num}" if log > 0 else "{bf01:num}"
        if "ln" not in many:
            better, other = (way, "没有差异") if log > 0 else ("没有差异", way)
            report.say(
                f"贝叶斯因子的意思是：这份数据在“{better}”之下出现的可能性，是在“{other}”之下的 {times} 倍。"
                "它不是“有差异”的概率。",
                voice="student", **facts,
            )  # fmt: skip
        report.say(
            f"采用 JZS 贝叶斯 *t* 检验（先验 Cauchy(0, {{r:num}})）：{many}，δ 的后验中位数 {{m:num}}，{span}。",
            voice="paper", **facts,
        )  # fmt: skip
        report.say(INDEPENDENT + (UNASSIGNED if form.design == "independent" else ""), voice="paper")
        logs = [row.cells["y"] for row in report.rows_of(cls.robust)]
        turns = bool(logs) and min(logs) < 0 < max(logs)
        report.check(
            "先验尺度", "care" if turns else "pass",
            "先验尺度在 0.1 到 2 之间变化时，"
            + ("支持的一方会改变，结论取决于先验。" if turns else "支持的一方不变。"),
        )  # fmt: skip
