from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Level,
    MethodRemedy,
    Points,
    Reference,
    Refusal,
    Report,
    SetRemedy,
    Table,
    alternative,
    choice,
    claim,
    confidence,
    counted,
    figure,
    integer,
    interval,
    num,
    option,
    pvalue,
    resamples,
    role,
    stat,
    text,
)
from hengxi.methods.hypothesis_test._shared import samples, two_levels
from hengxi.methods.hypothesis_test._shared.comparison import Comparison, axis, interval_figure
from hengxi.methods.hypothesis_test._shared.finding import INDEPENDENT, UNASSIGNED, Estimate, Finding
from hengxi.methods.hypothesis_test._shared.samples import Sample
from hengxi.stats import permutations
from hengxi.stats.frequencies import frequencies
from hengxi.stats.histogram import histogram
from hengxi.stats.moments import Floats, expand
from hengxi.stats.permutations import Permuted

DESIGNS = {"independent": "独立样本", "paired": "配对（符号翻转）", "correlation": "相关"}
STATISTICS = {"mean_diff": "均值差", "median_diff": "中位数差", "t": "*t*（Welch）", "f": "*F*", "r": "相关系数 *r*"}
SYMBOLS = {"t": "*t*", "f": "*F*", "r": "*r*"}
MOST = 200_000
UNEQUAL = 2.0
"""Ratio of the standard deviations from which exchangeability is doubted."""


class PermutationTest(Comparison):
    title, title_en = "置换检验", "Permutation test"
    tier = "member"
    rescaled = (("variables", "pair"),)
    purpose = "不作分布假定，组间差异是否显著"
    aliases = ("随机化检验", "排列检验", "Fisher-Pitman", "精确检验", "permutation", "randomization test", "符号翻转")
    references = ("fisher1935", "pitman1937", "tritchler1984", "phipson2010", "janssen1997", "holm1979")
    conventions = (
        "独立样本把全部个案重新分组，配对翻转差值的正负号，相关把一个变量重新配对。",
        f"排列不超过 {permutations.EXACT_MOST} 种时全部穷举，*p* 精确；更多时随机抽取，"
        "*p* = (更极端的次数 + 1)/(抽取次数 + 1)。",
        "双侧 *p* 数绝对值同样大或更大的排列；*F* 没有方向。",
        "均值差的置信区间由检验反推：区间里的每个差值都不会被这个检验拒绝。",
        "独立样本的 *t* 为 Welch 形式，两组离散程度不同时也近似成立；配对的 *t* 为配对 *t*。",
        f"个案很多时减少抽取次数，使运算不超过 {permutations.CELLS_MOST:.0e} 次；表中列出实际次数。",
    )
    random = True

    class Input(Form):
        design: str = choice("设计", DESIGNS)
        group: Column | None = role(
            "分组变量X", "定类", min=0, when={"design": "independent"}, hint="比较均值差、中位数差、t 时取两组"
        )
        variables: Column = role("检验变量Y", "定量", each=True)
        pair: Column | None = role(
            "配对变量", "定量", min=0, when={"design": ("paired", "correlation")}, hint="与每个检验变量配对"
        )
        weight: Column | None = counted()
        groups: list[Level] = two_levels.field()
        statistic: str = choice(
            "统计量",
            {
                "mean_diff": "均值差", "median_diff": "中位数差", "t": "t值",
                "f": option("F值（可多于两组）", unless={"design": ("paired", "correlation")}, why="只用于独立样本"),
                "r": option("相关系数", unless={"design": ("independent", "paired")}, why="只用于相关"),
            },
            when={"design": ("independent", "paired")},
        )  # fmt: skip
        alternative: str = alternative("大于、小于指第一组对第二组，或检验变量对配对变量")
        n_resamples: int = resamples()
        conf_level: float = confidence()

    result = Table(
        "置换检验结果", statistic=text("统计量"), observed=num("观测值"),
        ci=interval("CI", "low", "high", around="observed", inside=False), of=integer("排列次数", least=1),
        extreme=integer("同样极端的次数", least=1), how=text("算法"), p=pvalue(),
        p_ci=interval("*p* 的95%CI", "p_low", "p_high"), place="main",
        claim=claim("named", stat("观测值", "observed"), names=("statistic",)),
    )  # fmt: skip
    plot = interval_figure()
    bins = Points("置换分布", low=num("下限"), high=num("上限"), count=num("频数"))
    spread_plot = Chart("置换分布", "histogram", of=bins, low="low", high="high", count="count", place="main")

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{cls.title}：{form.about}"

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        cls._judge(form)
        kind = "r" if form.design == "correlation" else form.statistic
        held = cls._samples(form, kind)
        permuted = cls._permute(form, kind, held)
        side: Any = "two_sided" if kind == "f" else form.alternative
        p, ends = permuted.p(side), permuted.shift_interval(side, form.conf_level)
        low, high = ends or (None, None)
        p_low, p_high = permuted.p_interval(side) or (None, None)
        report.row(
            cls.result, statistic=STATISTICS[kind] if form.design != "paired" or kind != "t" else "配对 *t*",
            observed=permuted.seen, low=low, high=high, of=permuted.of, extreme=permuted.hits(side) + 1,
            how="全部穷举" if permuted.complete else "随机抽取", p=p, p_low=p_low, p_high=p_high,
        )  # fmt: skip
        if permuted.complete:
            report.note(cls.result, "全部排列都算过，*p* 是精确的。")
        else:
            report.note(cls.result, "随机种子 {seed}；次数含观测到的这一种。", seed=f"{form.seed}")
        cls.describe(report, held, "median" if kind == "median_diff" else "mean", form.conf_level)
        unit = "" if kind in SYMBOLS else samples.unit(form.variables)
        report.chart(cls.plot, titles=axis(form.variables.title, samples.unit(form.variables)))
        finite = permuted.others[np.abs(permuted.others) < 1e299]
        if finite.size and abs(permuted.seen) < 1e299:
            made = histogram(np.append(finite, permuted.seen))
            report.add_rows(cls.bins, {"low": made.edges[:-1], "high": made.edges[1:], "count": made.counts})
            name = STATISTICS[kind].replace("*", "")
            report.chart(cls.spread_plot, titles={"x": name}, over=[Reference(x=permuted.seen, label="观测值")])
        else:
            report.skip(cls.bins, "统计量没有有限的取值")
        cls._say(report, form, kind, held, permuted, (p, ends, side, unit))
        cls._checks(report, form, kind, held, permuted, side)
        return report

    @classmethod
    def _judge(cls, form: Any) -> None:
        if form.design == "independent" and form.group is None:
            raise Refusal("role.required", "独立样本要有分组：请放入分组变量", field="group")
        if form.design != "independent" and form.pair is None:
            raise Refusal("role.required", "配对与相关要有第二个变量：请放入配对变量", field="pair")

    @classmethod
    def _samples(cls, form: Any, kind: str) -> list[Sample]:
        """The samples in the figures, each case written out; of pairs: both measurements and their difference."""
        column, counts = form.variables, frequencies(form.weight)
        if form.design == "independent":
            groups = samples.several(form, 2) if kind == "f" and not form.groups else samples.two(form, "置换", 2)
            held = groups.samples
        else:
            least = 4 if kind == "r" else 2
            both = [samples.single(c, c.numbers, counts, c.title, least) for c in (column, form.pair)]
            known = ~np.isnan(column.numbers) & ~np.isnan(form.pair.numbers)
            both = [
                samples.single(c, np.where(known, c.numbers, np.nan), counts, c.title, least)
                for c in (column, form.pair)
            ]
            held = both
            if kind != "r":
                with np.errstate(over="ignore", invalid="ignore"):
                    reach = max(float(np.abs(s.x).max()) for s in both)
                    apart = samples.snapped(both[0].x - both[1].x, reach)
                held = [*both, Sample("差值", apart, both[0].counts)]
                samples.judge_range(column, held[2:], field="pair")
        samples.judge_range(column, held)
        total = held[0].n if form.design != "independent" else sum(s.n for s in held)
        if total > MOST:
            raise Refusal(
                "data.many", "“{y}”有 {n} 例，置换检验最多算 {most} 例；样本这样大时 t 检验的结果相同，请改用它",
                field="variables", column=column.id, y=column.title, n=total, most=MOST, remedies=cls._instead(form),
            )  # fmt: skip
        whole = held[2:] if len(held) == 3 and form.design == "paired" else held
        flat = [s for s in whole if s.x.min() == s.x.max()]
        same = form.design == "independent" and np.ptp(np.concatenate([s.x for s in held])) == 0
        if same or (kind == "r" and flat) or (form.design == "paired" and flat and not flat[0].x.any()):
            words = {"independent": "全部观测相同", "paired": "与配对变量完全相同", "correlation": "或配对变量没有变异"}
            raise Refusal(
                "data.constant", f"“{{y}}”{words[form.design]}，没有可以检验的差异，请换一个变量", field="variables",
                column=column.id, y=column.title,
            )  # fmt: skip
        return held

    @classmethod
    def _instead(cls, form: Any) -> list[Any]:
        if form.design != "independent":
            return []
        path = "hypothesis_test/independent_t_test"
        return [MethodRemedy(title="改用独立样本 t 检验", method=path, carry=["group", "variables", "groups"])]

    @classmethod
    def _permute(cls, form: Any, kind: str, held: list[Sample]) -> Permuted:
        cases = [_cases(s) for s in held]
        if kind == "r":
            return permutations.paired_anew(cases[0], cases[1], form.n_resamples, form.rng)
        if form.design == "paired":
            return permutations.turned(cases[2], kind, form.n_resamples, form.rng)
        return permutations.shared_out(cases, kind, form.n_resamples, form.rng)

    @classmethod
    def _say(
        cls, report: Report, form: Any, kind: str, held: list[Sample], permuted: Permuted,
        found: tuple[float, tuple[float, float] | None, Any, str],
    ) -> None:  # fmt: skip
        p, ends, side, unit = found
        a, b, seen = held[0], held[1], permuted.seen
        facts: dict[str, Any] = {
            "y": form.variables.title, "first": a.name, "second": b.name, "n1": a.n, "n2": b.n, "unit": unit,
            "s": seen,
        }  # fmt: skip
        low, high = ends or (None, None)
        symbol, estimate, observed = SYMBOLS.get(kind), None, ""
        middle = "中位数" if kind == "median_diff" else "平均值"
        if kind in ("mean_diff", "median_diff"):
            estimate = Estimate(STATISTICS[kind], seen, low, high, unit=unit)
        above = seen > 0
        if form.design == "independent":
            whose, compared = (
                "“{first}”组的“{y}”",
                "“{first}”组（*n* = {n1:integer}）与“{second}”组（*n* = {n2:integer}）的“{y}”",
            )
            other, pair = "“{second}”组", "“{first}”组与“{second}”组的“{y}”"
        else:
            whose, compared = "“{first}”", "“{first}”与“{second}”（*n* = {n1:integer} 对）"
            other, pair = "“{second}”", "“{first}”与“{second}”"
        shown = f"{whose}的{middle}{'高于' if above else '低于'}{other}"
        asked = f"{whose}的{middle}{'低于' if side == 'less' else '高于'}{other}"
        nothing, note = f"{pair}没有发现明显差异", ""
        if kind == "f":
            shown, nothing = "{k:integer} 个组“{y}”的平均值不全相同", "{k:integer} 个组的“{y}”没有发现明显差异"
            compared = "{k:integer} 个组的“{y}”"
            top, bottom = max(held, key=lambda s: s.moments.mean), min(held, key=lambda s: s.moments.mean)
            facts |= {
                "k": len(held),
                "top": top.name,
                "bottom": bottom.name,
                "t1": top.moments.mean,
                "t2": bottom.moments.mean,
            }
            observed = "平均值最高的是“{top}”组（{t1:num}），最低的是“{bottom}”组（{t2:num}）"
            note = observed + "。"
        elif kind == "r":
            shown = f"“{{first}}”与“{{second}}”{'正' if above else '负'}相关"
            asked = f"“{{first}}”与“{{second}}”{'负' if side == 'less' else '正'}相关"
            nothing, compared = "没有发现“{first}”与“{second}”相关", "“{first}”与“{second}”的相关（*n* = {n1:integer}）"
            observed = "相关系数 *r* = {s:num}"
            estimate, symbol = Estimate("相关系数 *r* =", seen, None, None), None
        else:
            value = [s.median if kind == "median_diff" else s.moments.mean for s in (a, b)]
            facts |= {"m1": value[0], "m2": value[1]}
            group = "组" if form.design == "independent" else ""
            observed = f"“{{first}}”{group}的{middle}为 {{m1:num}}，“{{second}}”{group}为 {{m2:num}}"
            note = f"{observed}。" if kind == "t" else ""
        Finding(
            test="置换检验", statistic=f"{symbol} = {{s:num}}" if symbol else "", p=p, level=form.conf_level,
            side="none" if kind == "f" else side, shown=shown, asked=asked, nothing=nothing, compared=compared,
            observed=observed, estimate=estimate, note=note,
            figures=(figure("排列次数", "{of:integer}", "全部穷举" if permuted.complete else "随机抽取"),),
            matter="相关" if kind == "r" else "差异",
            caution=INDEPENDENT + (UNASSIGNED if form.design == "independent" else ""),
            facts={**facts, "of": permuted.of},
        ).write(report)  # fmt: skip

    @classmethod
    def _checks(cls, report: Report, form: Any, kind: str, held: list[Sample], permuted: Permuted, side: Any) -> None:
        least = (2 if side == "two_sided" and kind != "f" else 1) / permuted.of
        cannot = permuted.complete and least >= 1 - form.conf_level
        ending = "数据再极端，*p* 也不可能小于 {alpha:alpha}：样本太小。" if cannot else "足够检验。"
        report.check(
            "排列次数", "fail" if cannot else "pass",
            f"共 {{of:integer}} 种排列，*p* 最小约 {{least:pvalue}}。{ending}", of=permuted.of, least=least,
            alpha=1 - form.conf_level,
        )  # fmt: skip
        if form.design == "independent":
            spreads = [s.moments.sd for s in held]
            ratio = max(spreads) / min(spreads) if min(spreads) > 0 else np.inf
            apart = ratio > UNEQUAL and kind != "t"
            words = "标准差最大的一组是最小的 {ratio:num} 倍。" if np.isfinite(ratio) else "有一组没有变异。"
            remedies = [SetRemedy(title="改用 t值（Welch）", set={"statistic": "t"})] if kind != "f" else []
            report.check(
                "离散程度相近", "care" if apart else "pass",
                words + ("置换检验假定没有差异时各组分布完全相同；离散程度不同也会使 *p* 变小。" if apart else "")
                + ("Welch 形式不要求离散程度相同。" if kind == "t" else ""),
                remedies=remedies if apart else [], ratio=ratio if np.isfinite(ratio) else None,
            )  # fmt: skip
        elif form.design == "paired":
            skewness = held[2].moments.skewness
            bent = skewness is not None and abs(skewness) > 1
            report.check(
                "差值对称", "care" if bent else "pass",
                "差值的偏度为 {skewness:num}。"
                + ("符号翻转假定差值对称；明显偏斜时，结论说的不只是中心。" if bent else "")
                if skewness is not None else "对数太少，看不出差值是否对称。",
                skewness=skewness,
            )  # fmt: skip

    @classmethod
    def joined(cls, report: Report, form: dict[str, Any]) -> None:
        cls.conclude(report, form, cls.result, "置换检验", "有差异")


def _cases(sample: Sample) -> Floats:
    return expand(sample.x, sample.counts)
