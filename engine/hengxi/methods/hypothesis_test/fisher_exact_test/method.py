from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Form,
    Method,
    NextStep,
    Points,
    Refusal,
    Report,
    Table,
    Wide,
    alternative,
    claim,
    confidence,
    figure,
    flag,
    integer,
    interval,
    many,
    num,
    pvalue,
    role,
    text,
)
from hengxi.contract import counted as frequency_weight
from hengxi.families.counts.sides import SIDE_WORDS, span
from hengxi.methods.hypothesis_test._shared import siblings
from hengxi.stats import contingency, exact_two_by_two
from hengxi.stats.count_table import CountTable, Tabulated, counted, exact_name, happened
from hengxi.stats.exact_two_by_two import Sides

TESTS = {"fisher": "Fisher 精确", "mid_p": "Fisher mid-p", "barnard": "Barnard", "boschloo": "Boschloo"}
TOTAL = "合计"


class FisherExactTest(Method):
    """Exact tests of two categorical variables; the conclusion reads the first test chosen."""

    title, title_en = "Fisher精确检验", "Fisher exact test"
    family, tier = "率与计数检验", "standard"
    purpose = "小样本列联表两变量是否独立"
    aliases = ("费舍尔", "精确概率法", "Fisher exact", "Barnard", "Boschloo", "mid-p", "四格表确切概率", "女士品茶")
    references = (
        "fisher1922", "freeman1951", "barnard1945", "boschloo1970", "lydersen2009", "cramer1946",
    )  # fmt: skip
    conventions = (
        "Fisher 检验双侧：概率不大于观察到的表的全部表之和（相差千万分之一以内视为相等，与 R 相同）。",
        "mid-p 双侧为较小一侧的两倍。",
        "Barnard 按合并方差的 z 排序，Boschloo 按 Fisher 的 p 排序，都取干扰参数上的最大值，以组的人数为固定。",
        "OR 的条件极大似然估计和精确区间由非中心超几何分布反解；样本 OR = ad/(bc)，区间用 Woolf 法。",
        "大于指第一组的目标类别较多（OR 大于 1）；目标类别取“是”“有”“阳性”“1”，没有时取第一类。",
    )
    weights = ("frequency",)
    missing = "each"
    random = True

    class Input(Form):
        x: Column = role("变量X", "定类", levels=(2, 100))
        y: Column = role("变量Y", "定类", each=True)
        weight: Column | None = frequency_weight()
        tests: list[str] = many("检验", TESTS, default=("fisher",), hint="结论采用所选的第一种；后三种只用于 2×2 表")
        alternative: str = alternative("只用于 2×2 表；大于指第一组的目标类别较多")
        freeman_halton: bool = flag(
            "r×c精确（Freeman-Halton）", True, hint="关闭后，大于 2×2 的表直接用蒙特卡洛", advanced=True
        )
        mc_resamples: int = integer("蒙特卡洛次数", 9999, least=999, most=99999, advanced=True)
        conf_level: float = confidence()

    cross = Table(
        "列联表", option=text("类别"), layout=Wide(n=integer("频数"), expected=num("期望频数", least=0)), place="main"
    )
    result = Table(
        "检验结果", test=text("检验"), read=text("采用"), statistic=num("统计量"), p=pvalue(),
        ci=interval("*p* 的99%CI", "low", "high", around="p"), two_sided=pvalue("双侧 *p*"),
        greater=pvalue("单侧 *p*（大于）"), less=pvalue("单侧 *p*（小于）"), place="main",
        claim=claim("association", names=("test",), outcome="y", by="x", read="read"),
    )  # fmt: skip
    odds = Table(
        "OR", measure=text("估计"), value=num("OR", least=0),
        ci=interval("CI", "low", "high", around="value"), place="main",
    )  # fmt: skip
    tiles = Points("马赛克图", group=text("组"), option=text("类别"), n=integer("频数"), residual=num("调整残差"))
    mosaic = Chart("马赛克图", "mosaic", of=tiles, row="option", column="group", count="n", residual="residual")

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{form.x.title}与{form.about}的 Fisher 精确检验"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        return siblings.others("hypothesis_test/fisher_exact_test", form)

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        held = counted(report, form.x, form.y, form.weight)
        one = CountTable(table=held.table, conf_level=form.conf_level, draws=form.mc_resamples, seed=form.seed)
        cls._cross(report, one, held)
        facts: dict[str, Any] = {"x": form.x.title, "y": form.y.title, "n": one.n, "level": form.conf_level}
        if one.is_two_by_two:
            cls._two(report, form, held, facts)
        else:
            cls._larger(report, form, one, facts)
        expected = "期望频数小于 5 的单元格有 {low:integer} 个，最小 {least:num}；精确检验不受期望频数限制。"
        report.check("期望频数", "pass", expected, low=one.low, least=one.least)
        report.check("个案独立", "unknown", "每人（每份答卷）只能计一次；同一批人前后两次请用 McNemar 检验。")
        return report

    @classmethod
    def _cross(cls, report: Report, one: CountTable, held: Tabulated) -> None:
        across = one.table.sum(axis=1)
        for j, option in enumerate(held.columns):
            wide: dict[Any, dict[str, float]] = {
                level: {"n": one.table[i, j], "expected": one.expected[i, j]} for i, level in enumerate(held.row_levels)
            }
            report.row(cls.cross, option=option, wide=wide | {TOTAL: {"n": float(one.table[:, j].sum())}})
        wide = {level: {"n": across[i]} for i, level in enumerate(held.row_levels)}
        report.row(cls.cross, option=TOTAL, total=True, wide=wide | {TOTAL: {"n": one.n}})
        for i, group in enumerate(held.rows):
            for j, option in enumerate(held.columns):
                z = float(np.clip(one.residuals[i, j], -1e6, 1e6))
                report.row(cls.tiles, group=group, option=option, n=one.table[i, j], residual=z)

    # ---- 2×2 -------------------------------------------------------------------------------------------------------
    @classmethod
    def _two(cls, report: Report, form: Any, held: Tabulated, facts: dict[str, Any]) -> None:
        j = happened(held.column_levels)
        table = held.table if j == 0 else held.table[:, ::-1]
        read: tuple[str, float] | None = None
        for key in [key for key in TESTS if key in form.tests]:
            sides, statistic = cls._test(key, table, form.alternative)
            if sides is None:
                text = "{test} 只列得出各组合计不大的表（(n1+1)(n2+1) 不超过 40,000），没有给出。"
                report.warn("data.left_out", text, test=TESTS[key])
                continue
            p = sides.of(form.alternative)
            report.row(
                cls.result, test=TESTS[key], read="采用" if read is None else "", statistic=statistic, p=p,
                two_sided=sides.two_sided, greater=sides.greater, less=sides.less,
            )  # fmt: skip
            read = read or (TESTS[key], p)
        if read is None:
            raise Refusal("data.size", "所选的检验都列不完这张表，请加选 Fisher", field="tests")
        value, low, high = exact_two_by_two.conditional_odds(table, form.conf_level, form.alternative)
        report.row(cls.odds, measure="条件极大似然 OR（精确区间）", value=value, low=low, high=high)
        woolf = contingency.odds_ratio(table, form.conf_level)
        if woolf is not None:
            report.row(cls.odds, measure="样本 OR（Woolf）", value=woolf.value, low=woolf.low, high=woolf.high)
        names = {"a": held.rows[0], "b": held.rows[1], "c": held.columns[j]}
        report.note(
            cls.odds, ("OR 为“{a}”比“{b}”，看“{c}”；CI 的置信水平为 {level:percent}。"), **names, level=form.conf_level
        )
        sums = table.sum(axis=1)
        facts |= names | {"p": read[1], "test": read[0], "or": value, "low": low, "high": high}
        facts |= {"s1": float(table[0, 0] / sums[0]), "s2": float(table[1, 0] / sums[1])}
        cls._words(
            report, form, facts, "“{y}”为“{c}”的比例，“{a}”组 {s1:percent1}，“{b}”组 {s2:percent1}",
            f"，OR = {{or:num}}（{span(form.alternative)}）",
        )  # fmt: skip

    @staticmethod
    def _test(key: str, table: Any, side: str) -> tuple[Sides | None, float | None]:
        if key == "fisher":
            return exact_two_by_two.fisher(table), None
        if key == "mid_p":
            return exact_two_by_two.mid_p(table), None
        if exact_two_by_two.too_large(table):
            return None, None
        if key == "barnard":
            return exact_two_by_two.barnard(table), exact_two_by_two.pooled_z(table)
        return exact_two_by_two.boschloo(table), exact_two_by_two.fisher(table).of(side)

    # ---- larger tables ---------------------------------------------------------------------------------------------
    @classmethod
    def _larger(cls, report: Report, form: Any, one: CountTable, facts: dict[str, Any]) -> None:
        others = [TESTS[key] for key in form.tests if key != "fisher"]
        if "fisher" not in form.tests:
            raise Refusal(
                "data.shape", "“{x}”与“{y}”是 {r}×{c} 表，该检验仅适用于2×2表，请选 Fisher", field="tests",
                x=facts["x"], y=facts["y"], r=one.table.shape[0], c=one.table.shape[1],
            )  # fmt: skip
        if others or form.alternative != "two_sided":
            report.warn(
                "data.left_out", (
                    "“{x}”与“{y}”不是 2×2 表：mid-p、Barnard、Boschloo 和单侧检验仅适用于2×2表，"
                    "只给双侧的 *p*。"
                ),
                x=facts["x"], y=facts["y"],
            )  # fmt: skip
        found = one.fisher if form.freeman_halton else one.drawn
        report.row(
            cls.result, test=exact_name(one, found), read="采用", p=found.p, low=found.low, high=found.high,
            two_sided=found.p,
        )  # fmt: skip
        if found.draws is not None:
            report.note(
                cls.result, (
                    "*p* 由 {draws:integer} 次蒙特卡洛抽取得出，种子 {seed:text}，附 99% 区间。"
                    ""
                ), draws=found.draws,
                seed=str(form.seed),
            )  # fmt: skip
        report.skip(cls.odds, "OR 只在 2×2 表给出")
        i, j = (int(v) for v in np.unravel_index(int(np.abs(one.residuals).argmax()), one.residuals.shape))
        held = report.rows_of(cls.tiles)[i * one.table.shape[1] + j].cells
        facts |= {
            "a": held["group"], "c": held["option"], "p": found.p, "test": "Fisher-Freeman-Halton 精确",
            "s1": float(one.row_shares[i, j]), "s2": float(one.whole_shares[j]),
        }  # fmt: skip
        shares = "偏离最大的一处：“{a}”组中“{c}”占 {s1:percent1}，全体占 {s2:percent1}"
        cls._words(report, form, facts, shares, "")

    @classmethod
    def _words(cls, report: Report, form: Any, facts: dict[str, Any], shares: str, size: str) -> None:
        found = facts["p"] < 1 - form.conf_level
        side = "" if form.alternative == "two_sided" or not size else f"，{SIDE_WORDS[form.alternative]}"
        verdict = "“{x}”与“{y}”有关联" if found else "“{x}”与“{y}”没有发现明显的关联"
        if side:
            more_or_less = "多" if form.alternative == "greater" else "少"
            verdict = f"{'' if found else '没有发现'}“{{a}}”组的“{{c}}”比“{{b}}”组{more_or_less}"
        report.lead(
            f"{verdict}（{{test}}检验{side}，*p* {{p:peq}}）{size}。{shares}。",
            [figure("检验", "*p* {p:peq}", "{test}检验")], **facts,
        )  # fmt: skip
        meaning = "如果两个变量其实无关，很少会碰巧出现这样的表。有关联不等于因果。"
        if not found:
            meaning = "“没有发现”不等于没有关联，样本小时只有很强的关联才看得出来。"
        report.say(f"精确检验直接算出这样的表有多少见，不用近似，人少也可以用。{meaning}", voice="student")
        word = "有" if found else "没有"
        report.say(
            f"{{test}}检验（{SIDE_WORDS[form.alternative] if size else '双侧'}，*N* = {{n:integer}}）："
            f"“{{x}}”与“{{y}}”的关联{word}统计学意义，*p* {{p:peq}}{size}。{shares}。",
            voice="paper", **facts,
        )  # fmt: skip
        report.say(f"{verdict}（*p* {{p:peq}}）。{shares}。", voice="brief", **facts)
