"""What a χ² test of two categorical variables prints: shared by the test of association and the comparison of groups,
which stand in two groups of the menu and must give the same numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from hengxi.contract import (
    Chart,
    ColumnInfo,
    Method,
    MethodRemedy,
    NextStep,
    Points,
    Report,
    Silent,
    Table,
    Wide,
    claim,
    combo,
    elsewhere,
    figure,
    integer,
    interval,
    more,
    num,
    percent,
    pvalue,
    stat,
    text,
)
from hengxi.interpret import cohen1988
from hengxi.stats import association
from hengxi.stats import contingency as tables
from hengxi.stats.count_table import CountTable, Tabulated, counted, exact_name, happened, pairs_of_rows
from hengxi.stats.exact_tables import Exact

TOTAL = "合计"
PAIRS_MOST = 30
"""Groups compared pair by pair; more make hundreds of tests nobody reads."""
NAMES = {"pearson": "Pearson χ²", "yates": "连续校正 χ²（Yates）", "likelihood": "似然比 χ²"}


class ChiSquareReport(Method):
    """A form with x, y (each), weight, method and mc_resamples; a member adds its options and says its conclusion."""

    weights = ("frequency",)
    missing = "each"
    random = True

    HAS: ClassVar[str]
    HAS_NOT: ClassVar[str]
    """The conclusion where p is small, and where it is not; with the facts x and y."""

    cross = Table(
        "频数与百分比",
        option=text("类别"),
        layout=Wide(cell=combo("频数（%）", "n_percent", "n", "percent")),
        place="main",
    )
    tests = Table(
        "卡方检验分析结果", test=text("检验方法"), read=text("采用"), value=num("χ²", least=0), df=integer("*df*"),
        p=pvalue(), ci=interval("*p* 的99%CI", "low", "high", around="p"), place="main",
        claim=claim(
            "association", stat("χ²", "value", "df"), names=("test",), read="read", outcome="y", by="x",
            effect=elsewhere("effects", "value", {"measure": "Cramér's V"}), effect_symbol="Cramér’s *V*",
        ),
    )  # fmt: skip
    stacks = Points("堆积条形图", x=text("组"), share=percent("百分比"), series=text("类别"))
    stacked = Chart("堆积条形图", "bar", of=stacks, x="x", y="share", series="series", arrange="full", place="main")
    effects = Table(
        "效应量", measure=text("指标"), value=num("估计"), ci=interval("CI", "low", "high", around="value"),
    )  # fmt: skip
    cells = Table(
        "期望频数与调整残差", group=text("组"), option=text("类别"), n=integer("频数"), share=percent("组内占比"),
        whole=percent("全体占比"), expected=num("期望频数", least=0),
        residual=num("调整残差", stars="p"), p=pvalue("残差的*p*"), corrected=pvalue("校正后 *p*（Bonferroni）"),
        merge=("group",), claim=Silent("single cells are read together, not tested one by one"),
    )  # fmt: skip
    heat = Chart("调整残差热力图", "heat", of=cells, row="group", column="option", value="residual", place="detail")
    pairs = Table(
        "两两比较", first=text("组1"), second=text("组2"), value=num("χ²", least=0), df=integer("*df*"), p=pvalue(),
        corrected=pvalue("校正后 *p*"),
        claim=claim(
            "pair", stat("χ²", "value", "df"), p="corrected", outcome="y", by="x", first="first", second="second"
        ),
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{form.x.title}与{form.about}的卡方检验"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        ys = form["y"] if isinstance(form["y"], list) else [form["y"]]
        start = {"rows": [form["x"]], "columns": ys, "weight": form.get("weight")}
        title = "按另一个变量分层，或看更多关联度量（列联分析）"
        return [NextStep(title=title, method="descriptive/crosstabs", form=start, seek=["layer"])]

    @classmethod
    def run(cls, form: Any) -> Report:
        report = Report()
        held = counted(report, form.x, form.y, form.weight)
        one = CountTable(
            table=held.table, conf_level=getattr(form, "conf_level", 0.95), draws=form.mc_resamples, seed=form.seed,
        )  # fmt: skip
        read = cls._tests(report, form, one, held)
        cls._cross(report, form, one, held)
        cls._effects(report, one, held)
        cls._cells(report, one, held)
        told = cls._pairs(report, form, one, held)
        cls._words(report, form, one, held, read, told)
        cls._checks(report, form, one, read)
        return report

    @classmethod
    def _tests(cls, report: Report, form: Any, one: CountTable, held: Tabulated) -> dict[str, Any]:
        """The rows of the tests; gives back the one the conclusion reads."""
        wanted = one.wanted if form.method == "auto" else {"fisher": "exact", "monte_carlo": "exact"}.get(
            form.method, form.method
        )  # fmt: skip
        if wanted == "yates" and not one.is_two_by_two:
            wanted = "pearson"
            report.warn(
                "data.left_out", "连续校正只用于 2×2 表；“{y}”采用 Pearson χ²。", y=form.y.title, columns=[form.y]
            )
        exact: Exact | None = one.exact
        if wanted == "exact":
            exact = one.drawn if form.method == "monte_carlo" else one.fisher
        rows: list[tuple[str, str, Any]] = [("pearson", NAMES["pearson"], one.pearson)]
        if one.yates is not None:
            rows.append(("yates", NAMES["yates"], one.yates))
        rows.append(("likelihood", NAMES["likelihood"], one.likelihood))
        read: dict[str, Any] = {}
        for key, name, test in rows:
            cells = {"test": name, "value": test.value, "df": test.df, "p": test.p}
            report.row(cls.tests, read="采用" if key == wanted else "", **cells)
            read = {**cells, "key": key} if key == wanted else read
        if exact is not None:
            name = exact_name(one, exact)
            cells = {"test": name, "p": exact.p, "low": exact.low, "high": exact.high}
            report.row(cls.tests, read="采用" if wanted == "exact" else "", **cells)
            read = {**cells, "key": "exact", "draws": exact.draws} if wanted == "exact" else read
        cls.extra_tests(report, form, one, held)
        return read

    @classmethod
    def extra_tests(cls, report: Report, form: Any, one: CountTable, held: Tabulated) -> None:
        """Further rows of a member."""

    @classmethod
    def _cross(cls, report: Report, form: Any, one: CountTable, held: Tabulated) -> None:
        """Options of y down, groups of x across; shares of each group unless the form asks for shares of the row."""
        by_row = getattr(form, "percent_base", "x") == "y"
        across, down, n = one.table.sum(axis=1), one.table.sum(axis=0), one.n
        for j, option in enumerate(held.columns):
            base = [float(down[j])] * len(across) if by_row else [float(v) for v in across]
            wide: dict[Any, dict[str, float]] = {
                level: {"n": one.table[i, j], "percent": one.table[i, j] / base[i]}
                for i, level in enumerate(held.row_levels)
            }
            wide[TOTAL] = {"n": down[j], "percent": 1.0 if by_row else down[j] / n}
            report.row(cls.cross, option=option, wide=wide)
        wide = {
            level: {"n": across[i], "percent": across[i] / n if by_row else 1.0}
            for i, level in enumerate(held.row_levels)
        }
        report.row(cls.cross, option=TOTAL, total=True, wide=wide | {TOTAL: {"n": n, "percent": 1.0}})
        for i, group in enumerate(held.rows):
            for j, option in enumerate(held.columns):
                report.row(cls.stacks, x=group, share=one.row_shares[i, j], series=option)
        report.chart(cls.stacked, titles={"x": form.x.title, "y": f"“{form.y.title}”的百分比"})
        base_words = "在“{y}”的每一类里算" if by_row else "在“{x}”的每一组里算"
        report.note(cls.cross, f"括号里的百分比{base_words}。", x=form.x.title, y=form.y.title)

    @classmethod
    def _effects(cls, report: Report, one: CountTable, held: Tabulated) -> None:
        v = one.v
        if one.is_two_by_two:
            report.row(cls.effects, measure="φ", value=tables.phi(one.table))
        report.row(cls.effects, measure="Cramér's V", value=v.value, low=v.low, high=v.high)
        report.row(cls.effects, measure="偏差校正 Cramér's V", value=one.corrected_v)
        report.row(cls.effects, measure="列联系数 C", value=tables.contingency_coefficient(one.table))
        lam = association.lambdas(one.table)["columns"]
        if lam is not None:
            low, high = lam.interval(one.conf_level, 0.0)
            report.row(cls.effects, measure="λ（由X猜Y）", value=lam.value, low=low, high=high)
        if one.is_two_by_two:
            cls._ratios(report, one, held)
        report.note(cls.effects, "CI 的置信水平为 {level:percent}；V 的区间由非中心 χ² 反解。", level=one.conf_level)

    @classmethod
    def _ratios(cls, report: Report, one: CountTable, held: Tabulated) -> None:
        j = happened(held.column_levels)
        turned = one.table if j == 0 else one.table[:, ::-1]
        for name, ratio in (
            ("OR", tables.odds_ratio(turned, one.conf_level)),
            ("RR", tables.risk_ratio(one.table, j, one.conf_level)),
        ):
            if ratio is not None:
                report.row(cls.effects, measure=name, value=ratio.value, low=ratio.low, high=ratio.high)
        report.note(
            cls.effects, "OR、RR 为“{a}”比“{b}”，看“{c}”；有单元格为 0 时不给。", a=held.rows[0], b=held.rows[1],
            c=held.columns[j],
        )  # fmt: skip

    @classmethod
    def _cells(cls, report: Report, one: CountTable, held: Tabulated) -> None:
        m = one.table.size
        for i, group in enumerate(held.rows):
            for j, option in enumerate(held.columns):
                p = float(one.residual_p[i, j])
                report.row(
                    cls.cells, group=group, option=option, n=one.table[i, j], share=one.row_shares[i, j],
                    whole=one.whole_shares[j], expected=one.expected[i, j],
                    residual=float(np.clip(one.residuals[i, j], -1e6, 1e6)), p=p, corrected=min(1.0, p * m),
                )  # fmt: skip
        report.note(
            cls.cells, "调整残差绝对值超过 1.96 的格子，频数明显偏多（正）或偏少（负）；星号未校正，另列校正后的 *p*。"
        )

    @classmethod
    def _pairs(cls, report: Report, form: Any, one: CountTable, held: Tabulated) -> int | None:
        """How many pairs differ; None where they were not compared."""
        how = form.post_hoc if isinstance(form.post_hoc, str) else "bonferroni" if form.post_hoc else "none"
        k = len(held.rows)
        if how == "none" or k < 3 or k > PAIRS_MOST:
            why = "没有要求" if how == "none" else "只有两组" if k < 3 else f"组数超过 {PAIRS_MOST}"
            report.skip(cls.pairs, why)
            return None
        found = pairs_of_rows(one.table, how)
        for pair in found:
            test = pair.test
            report.row(
                cls.pairs, first=held.rows[pair.first], second=held.rows[pair.second],
                value=None if test is None else test.value, df=None if test is None else test.df, p=pair.p,
                corrected=pair.corrected,
            )  # fmt: skip
        words = {"bonferroni": "Bonferroni", "holm": "Holm", "fdr_bh": "Benjamini-Hochberg（FDR）"}[how]
        report.note(cls.pairs, f"*p* 用 {words} 法校正。每对按自己的期望频数选检验；没有 χ² 的一行用 Fisher 精确检验。")
        return sum(pair.corrected < 1 - one.conf_level for pair in found)

    @classmethod
    def _words(
        cls, report: Report, form: Any, one: CountTable, held: Tabulated, read: dict[str, Any], told: int | None
    ) -> None:
        if one.is_two_by_two:
            i, j = 0, happened(held.column_levels)
        else:
            i, j = (int(v) for v in np.unravel_index(int(np.abs(one.residuals).argmax()), one.residuals.shape))
        found = read["p"] < 1 - one.conf_level
        facts: dict[str, Any] = {
            "x": form.x.title, "y": form.y.title, "n": one.n, "p": read["p"], "v": one.v.value, "v_low": one.v.low,
            "v_high": one.v.high, "level": one.conf_level, "a": held.rows[i], "c": held.columns[j],
            "s1": float(one.row_shares[i, j]), "s0": float(one.whole_shares[j]), "alpha": 1 - one.conf_level,
        }  # fmt: skip
        if read["key"] == "exact":
            how = "Fisher 精确检验（蒙特卡洛）" if read["draws"] else "Fisher 精确检验"
            test = f"{how}，*p* {{p:peq}}"
        else:
            facts |= {"chi": read["value"], "df": read["df"]}
            how = {"pearson": "Pearson χ² 检验", "yates": "连续校正的 χ² 检验", "likelihood": "似然比 χ² 检验"}[
                read["key"]
            ]
            test = "χ²({df:integer}, *N* = {n:integer}) = {chi:num}，*p* {p:peq}"
        if one.is_two_by_two:
            facts |= {"b": held.rows[1], "s2": float(one.row_shares[1, j])}
            shares = "“{y}”为“{c}”的比例，“{a}”组 {s1:percent1}，“{b}”组 {s2:percent1}"
        else:
            shares = "偏离最大的一处：“{a}”组中“{c}”占 {s1:percent1}，全体占 {s0:percent1}"
        # Where χ² is far below its degrees of freedom the interval ends below or at V itself, which is biased upwards.
        shrunk = one.v.value >= one.v.high and one.v.high < 1
        span = "*V* = {v:num}" + ("" if shrunk else "，{level:percent} CI {v_low:num} 到 {v_high:num}")
        if shrunk:
            report.note(cls.effects, "χ² 比自由度小得多时，V 的区间收缩到 0 附近，不能据此说没有关联。")
        size = cohen1988.association(one.v.value * float(np.sqrt(min(one.table.shape) - 1)))
        if found:
            lead = f"{cls.HAS}（{test}），强度{size}（{span}）。{shares}。"
        else:
            lead = f"{cls.HAS_NOT}（{test}；{span}）。{shares}，这样的差别也可能只是抽样误差。"
        if told is not None:
            facts["pairs"] = told
            count = "有 {pairs:integer} 对" if told else "没有一对"
            lead += f"两两比较：校正后{count}达到统计学意义。"
        report.lead(lead, [figure("检验", "*p* {p:peq}", how), figure("关联强度", "{v:num}", span)], **facts)
        if found:
            student = "如果两个变量其实无关，很少会碰巧出现这么大的差别。差在哪里看调整残差；有关联不等于因果。"
        else:
            student = "“没有发现”不等于没有关联，也可能是样本不够。"
            student += "" if shrunk else "关联最强可能有多强，看 V 的区间上限。"
        report.say(f"先看百分比：{shares}。{student}", voice="student", **facts)
        verdict = "差异有统计学意义" if found else "差异没有统计学意义"
        used = how if how[0] > "z" else f" {how}"
        report.say(
            f"采用{used}（α = {{alpha:alpha}}）比较“{{x}}”各组“{{y}}”的构成，*N* = {{n:integer}}。{shares}。"
            f"{verdict}，{test}，"
            f"Cramér's {span}。",
            voice="paper", **facts,
        )  # fmt: skip
        report.say(f"{cls.HAS if found else cls.HAS_NOT}（*p* {{p:peq}}）。{shares}。", voice="brief", **facts)

    @classmethod
    def _checks(cls, report: Report, form: Any, one: CountTable, read: dict[str, Any]) -> None:
        facts: dict[str, Any] = {"low": one.low, "share": one.low_share, "least": one.least}
        data = "期望频数小于 5 的单元格有 {low:integer} 个（{share:percent1}），最小 {least:num}。"
        state, end = "pass", "采用 χ² 检验。"
        remedies: list[Any] = []
        if read["key"] == "exact":
            state, end = "care", "已采用精确检验。"
            if read["draws"]:
                end = "可能的表太多，已改用蒙特卡洛精确 *p*（{draws:integer} 次，种子 {seed:text}，附 99% 区间）。"
                facts |= {"draws": read["draws"], "seed": str(form.seed)}
            state = "care" if one.wanted == "exact" else "pass"
        elif one.wanted == "exact":
            state, end = "fail", "χ² 的近似不可靠，请改用精确检验。"
            remedies.append(
                MethodRemedy(
                    title="改用 Fisher 精确检验", method="hypothesis_test/fisher_exact_test", carry=["x", "y", "weight"]
                )
            )
        elif one.wanted == "yates":
            state = "care"
            end = "已采用连续校正。" if read["key"] == "yates" else "最小期望在 1 到 5 之间，建议看连续校正的一行。"
        report.check(
            "期望频数", state, data + end,  # type: ignore[arg-type]
            more=more(
                "χ² 检验是近似算法，期望频数（两个变量无关时各格该有的个数）太小时不准。",
                data,
                "超过 20% 的单元格期望小于 5，或有小于 1 的（Cochran，1954），*p* 可能偏大也可能偏小。",
                "用精确检验，或按专业意义合并频数很少的类别。",
            ),
            remedies=remedies, **facts,
        )  # fmt: skip
        report.check("个案独立", "unknown", "每人（每份答卷）只能计一次；同一批人前后两次请用 McNemar 检验。")
