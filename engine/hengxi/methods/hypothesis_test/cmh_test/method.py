from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Form,
    Level,
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
    confidence,
    figure,
    flag,
    integer,
    interval,
    num,
    percent,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.contract import counted as frequency_weight
from hengxi.stats import contingency, stratified
from hengxi.stats.contingency import ChiSquare, Ratio
from hengxi.stats.count_table import happened
from hengxi.stats.frequencies import frequencies
from hengxi.stats.moments import Floats

MOST_STRATA = 200
MOST_LEVELS = 20
HOMOGENEITY = {"breslow_day": "Breslow-Day", "tarone": "Breslow-Day（Tarone校正）", "woolf": "Woolf"}
CONFOUNDED = 0.1
"""Change of the odds ratio by the strata from which it is said, a tenth as epidemiologists do."""


@dataclass(frozen=True)
class Stratified:
    """`counts`: (k, r, c), strata without an empty margin in 2×2 tables; `whole`: the table without strata."""

    counts: Floats
    whole: Floats
    names: list[str]
    rows: list[Level]
    columns: list[Level]

    @property
    def is_two_by_two(self) -> bool:
        return self.whole.shape == (2, 2)

    @cached_property
    def layers(self) -> list[Floats]:
        return list(self.counts)

    @property
    def n(self) -> float:
        return float(self.counts.sum())


class CmhTest(Method):
    """2×2×k: Mantel-Haenszel. Larger tables: the three statistics of Landis, Heyman & Koch."""

    title, title_en = "分层卡方检验(CMH)", "Cochran-Mantel-Haenszel test"
    family, tier = "率与计数检验", "standard"
    purpose = "控制分层因素后，两个分类变量是否仍有关联"
    aliases = ("CMH", "Mantel-Haenszel", "分层分析", "混杂", "辛普森悖论", "Breslow-Day", "合并OR", "多中心")
    references = (
        "cochran1954", "mantel1959", "robins1986", "greenland1985", "breslow1980", "tarone1985", "woolf1955",
        "landis1978",
    )  # fmt: skip
    conventions = (
        "OR、RR 为第一组对第二组，目标类别取“是”“有”“阳性”“1”，没有时取第一类。",
        "连续性校正只用于 2×2 表（与 R 的 mantelhaen.test 相同）；合并 OR 的区间用 Robins-Breslow-Greenland 法，"
        "合并 RR 的区间用 Greenland-Robins 法，各层 OR 用 Woolf 法。",
        "2×2 表中行或列合计为 0 的层没有贡献，不参加计算；Woolf 齐性检验遇到空单元格时各格加 0.5。",
        "大于 2×2 的表按 Landis 等（1978）：得分为 1、2、3……（表得分），或各层内的平均秩（秩得分）。",
    )
    weights = ("frequency",)
    min_rows = 2

    class Input(Form):
        x: Column = role("变量X", "定类", levels=(2, MOST_LEVELS))
        y: Column = role("变量Y", "定类", levels=(2, MOST_LEVELS))
        strata: list[Column] = role("分层变量", "定类", min=1, max=2)
        weight: Column | None = frequency_weight()
        correction: bool = flag("连续性校正", True, hint="只用于 2×2 表")
        homogeneity: str = choice("OR齐性检验", HOMOGENEITY, hint="各层的 OR 是否相同，只用于 2×2 表")
        scores: str = choice(
            "r×c有序得分", {"none": "一般关联", "table": "表得分", "rank": "秩得分"},
            hint="大于 2×2 的表：类别有次序时选得分",
        )  # fmt: skip
        conf_level: float = confidence()

    result = Table(
        "CMH检验结果", test=text("检验"), read=text("采用"), k=integer("层数"), n=integer("*n*"),
        chi2=num("χ²", least=0), df=integer("*df*"), p=pvalue(), place="main",
        claim=claim("association", stat("χ²", "chi2", "df"), names=("test",), outcome="y", by="x", read="read"),
    )  # fmt: skip
    common = Table(
        "合并的比值", measure=text("估计"), value=num("值", least=0), ci=interval("CI", "low", "high", around="value"),
        place="main",
    )  # fmt: skip
    layers = Table(
        "各层结果", layer=text("层"), n=integer("*n*"), first=percent("第一组的率"), second=percent("第二组的率"),
        odds=num("OR", least=0), ci=interval("CI", "low", "high", around="odds"), chi2=num("χ²", least=0),
        df=integer("*df*"), p=pvalue(), place="main",
        claim=claim(
            "association", stat("χ²", "chi2", "df"), names=("layer",), outcome="y", by="x",
        ),
    )  # fmt: skip
    equal = Table(
        "OR齐性检验", test=text("检验"), chi2=num("χ²", least=0), df=integer("*df*"), p=pvalue(), place="main",
        claim=claim("named", stat("χ²", "chi2", "df"), names=("test",)),
    )  # fmt: skip
    cells = Table(
        "各层列联表", layer=text("层"), group=text("组"), option=text("类别"), n=integer("频数"),
        share=percent("行百分比"), merge=("layer", "group"),
    )  # fmt: skip
    ratios = Points("各层OR", name=text("层"), odds=num("OR"), low=num("下限"), high=num("上限"))
    forest = Chart(
        "各层OR森林图", "interval", of=ratios, x="name", y="odds", low="low", high="high", over=[Reference(x=1)],
        place="main",
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{form.x.title}与{form.y.title}的分层卡方检验"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        start = {"x": form["x"], "y": form["y"], "weight": form.get("weight")}
        return [
            NextStep(title="不分层看百分比和关联强度（卡方检验）", method="hypothesis_test/chi_square_test", form=start)
        ]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        held = cls._strata(report, form)
        cls._list(report, held)
        facts: dict[str, Any] = {
            "x": form.x.title, "y": form.y.title, "s": "”与“".join(column.title for column in form.strata),
            "k": len(held.names), "n": held.n, "level": form.conf_level,
        }  # fmt: skip
        if held.is_two_by_two:
            cls._two(report, form, held, facts)
        else:
            cls._larger(report, form, held, facts)
        report.check("个案独立", "unknown", "每人（每份答卷）只能计一次。")
        return report

    # ---- the strata ------------------------------------------------------------------------------------------------
    @classmethod
    def _strata(cls, report: Report, form: Any) -> Stratified:
        sizes = [len(column.levels) for column in form.strata]
        if (k := int(np.prod(sizes))) > MOST_STRATA:
            raise Refusal(
                "role.levels", "分层变量有 {k} 个水平，请合并（最多 {most} 个）", field="strata", k=k, most=MOST_STRATA,
                column=form.strata[0].id,
                remedies=[
                    StepRemedy(title="合并类别", step="data_processing/value_coding", columns=[form.strata[0].id])
                ],
            )  # fmt: skip
        layer = np.zeros(form.x.codes.size, dtype=np.int64)
        for column, size in zip(form.strata, sizes, strict=True):
            layer = layer * size + column.codes
        r, c = len(form.x.levels), len(form.y.levels)
        places = (layer * r + form.x.codes) * c + form.y.codes
        counts = np.bincount(places, weights=frequencies(form.weight), minlength=k * r * c).astype(float)
        whole = counts.reshape(k, r, c)
        rows, columns = (np.flatnonzero(whole.sum(axis=axes) > 0) for axes in ((0, 2), (0, 1)))
        table = whole[:, rows][:, :, columns]
        row_levels, column_levels = [form.x.levels[i] for i in rows], [form.y.levels[j] for j in columns]
        if table.shape[1:] == (2, 2) and happened(column_levels) == 1:
            table, column_levels = table[:, :, ::-1], column_levels[::-1]
        return cls._contributing(report, form, table, row_levels, column_levels)

    @classmethod
    def _contributing(
        cls, report: Report, form: Any, table: Floats, rows: list[Level], columns: list[Level]
    ) -> Stratified:
        labels = [""]
        for column in form.strata:
            labels = [
                f"{left} × {level.label}" if left else str(level.label) for left in labels for level in column.levels
            ]
        margins = [(t.sum(axis=1) > 0).sum() >= 2 and (t.sum(axis=0) > 0).sum() >= 2 for t in table]
        occupied = table.sum(axis=(1, 2)) > 0
        gone = [label for label, kept, some in zip(labels, margins, occupied, strict=True) if some and not kept]
        if not any(margins):
            raise Refusal(
                "role.levels", "每一层里“{x}”或“{y}”都只有一个类别，分层后无法比较，请换一个分层变量", field="strata",
                also=["x", "y"], column=form.strata[0].id, x=form.x.title, y=form.y.title,
            )  # fmt: skip
        if gone:
            names = "".join(f"“{name}”" for name in gone[:6]) + (f"等 {len(gone)} 层" if len(gone) > 6 else "")
            report.warn("data.empty_level", "分层{names}中某一行或列合计为0，对合并没有贡献，已剔除。", names=names)
        return Stratified(
            table[margins], table.sum(axis=0), [label for label, kept in zip(labels, margins, strict=True) if kept],
            rows, columns,
        )  # fmt: skip

    @classmethod
    def _list(cls, report: Report, held: Stratified) -> None:
        for name, table in zip(held.names, held.layers, strict=True):
            for i, row in enumerate(held.rows):
                across = float(table[i].sum())
                for j, column in enumerate(held.columns):
                    share = table[i, j] / across if across > 0 else None
                    report.row(cls.cells, layer=name, group=row.label, option=column.label, n=table[i, j], share=share)

    # ---- 2×2 -------------------------------------------------------------------------------------------------------
    @classmethod
    def _two(cls, report: Report, form: Any, held: Stratified, facts: dict[str, Any]) -> None:
        test = stratified.mantel_haenszel_test(held.counts, form.correction)
        assert test is not None
        plain = stratified.mantel_haenszel_test(held.counts, False)
        assert plain is not None
        for name, found, read in (
            ("CMH（连续性校正）", stratified.mantel_haenszel_test(held.counts, True), form.correction),
            ("CMH（不校正）", plain, not form.correction),
        ):
            assert found is not None
            report.row(
                cls.result,
                test=name,
                read="采用" if read else "",
                k=len(held.names),
                n=held.n,
                chi2=found.value,
                df=1,
                p=found.p,
            )
        odds = contingency.mantel_haenszel(held.layers, form.conf_level)
        ratios: dict[str, Ratio | None] = {
            "Mantel-Haenszel 合并OR": odds,
            "Mantel-Haenszel 合并RR": stratified.risk_ratio(held.counts, form.conf_level),
            "粗OR（不分层）": contingency.odds_ratio(held.whole, form.conf_level),
        }
        for name, ratio in ratios.items():
            if ratio is None:
                report.note(cls.common, f"{name}有单元格合计为 0，没有给出。")
            else:
                report.row(cls.common, measure=name, value=ratio.value, low=ratio.low, high=ratio.high)
        first, second = (level.label for level in held.rows)
        facts |= {"first": first, "second": second, "target": held.columns[0].label}
        report.note(
            cls.common, "OR、RR 为“{first}”对“{second}”，目标类别是“{target}”；CI 的置信水平为 {level:percent}。",
            first=first, second=second, target=held.columns[0].label, level=form.conf_level,
        )  # fmt: skip
        cls._layers(report, form, held)
        cls._forest(report, held, odds, form.conf_level)
        equal = cls._homogeneity(report, form, held, odds)
        cls._say_two(report, form, test, odds, ratios["粗OR（不分层）"], equal, facts)

    @classmethod
    def _layers(cls, report: Report, form: Any, held: Stratified) -> None:
        empty = False
        for name, table in zip(held.names, held.layers, strict=True):
            odds, test = contingency.odds_ratio(table, form.conf_level), contingency.pearson(table)
            empty = empty or odds is None
            shares = table[:, 0] / table.sum(axis=1)
            report.row(
                cls.layers, layer=name, n=float(table.sum()), first=float(shares[0]), second=float(shares[1]),
                odds=odds.value if odds else None, low=odds.low if odds else None, high=odds.high if odds else None,
                chi2=test.value, df=1, p=test.p,
            )  # fmt: skip
        report.note(
            cls.layers, "第一组是“{first}”，第二组是“{second}”，率是“{target}”所占的比例；χ² 不作连续性校正。",
            first=held.rows[0].label, second=held.rows[1].label, target=held.columns[0].label,
        )  # fmt: skip
        if empty:
            report.note(cls.layers, "有单元格为 0 的层没有给出 OR。")

    @classmethod
    def _forest(cls, report: Report, held: Stratified, odds: Ratio | None, level: float) -> None:
        for name, table in zip(held.names, held.layers, strict=True):
            ratio = contingency.odds_ratio(table, level)
            if ratio is not None:
                report.row(cls.ratios, name=name, odds=ratio.value, low=ratio.low, high=ratio.high)
        if odds is not None:
            report.row(cls.ratios, name="合并", odds=odds.value, low=odds.low, high=odds.high)

    @classmethod
    def _homogeneity(cls, report: Report, form: Any, held: Stratified, odds: Ratio | None) -> ChiSquare | None:
        if len(held.names) < 2 or odds is None:
            report.skip(cls.equal, "少于两层，或有单元格合计为 0，齐性检验无从谈起")
            return None
        if form.homogeneity == "woolf":
            test = stratified.woolf(held.counts)
        else:
            test = contingency.breslow_day(held.layers, odds.value, tarone=form.homogeneity == "tarone")
        report.row(cls.equal, test=HOMOGENEITY[form.homogeneity], chi2=test.value, df=test.df, p=test.p)
        differ = test.p < 0.05
        report.check(
            "OR齐性", "fail" if differ else "pass",
            "{test} χ²({df:integer}) = {chi2:num}，*p* {p:peq}。"
            + ("各层的 OR 不一致，不宜合并成一个，请分层报告。" if differ else "没有发现各层的 OR 不一致。"),
            test=HOMOGENEITY[form.homogeneity], df=test.df, chi2=test.value, p=test.p,
        )  # fmt: skip
        return test

    @classmethod
    def _say_two(
        cls, report: Report, form: Any, test: ChiSquare, odds: Ratio | None, crude: Ratio | None,
        equal: ChiSquare | None, facts: dict[str, Any],
    ) -> None:  # fmt: skip
        shown = test.p < 1 - form.conf_level
        facts |= {"chi2": test.value, "p": test.p, "alpha": 1 - form.conf_level}
        size = ""
        if odds is not None:
            facts |= {"odds": odds.value, "low": odds.low, "high": odds.high}
            size = "合并 OR = {odds:num}（{level:percent} CI {low:num} 到 {high:num}）"
        differ = (
            "各层的 OR 不一致，这个合并 OR 只是平均，请看各层。"
            if equal is not None and equal.p < 0.05 and size
            else ""
        )
        verdict = "仍有关联，有统计学意义" if shown else "没有发现明显关联"
        lead = f"控制“{{s}}”后，“{{x}}”与“{{y}}”{verdict}（*p* {{p:peq}}）"
        figures = [figure("检验", "*p* {p:peq}", "χ²(1) = {chi2:num}")]
        if size:
            figures.append(figure("合并OR", "{odds:num}", "{level:percent} CI {low:num} 到 {high:num}"))
        report.lead(f"{lead}{'：' if size else ''}{size}。{differ}", figures, **facts)
        report.say(cls._student(odds, crude, equal, shown, facts), voice="student", **facts)
        ending = "关联有统计学意义" if shown else "关联无统计学意义"
        report.say(
            "采用 Cochran-Mantel-Haenszel 检验，以“{s}”分层（{k:integer} 层，*N* = {n:integer}），"
            f"分析“{{x}}”与“{{y}}”的关联：{ending}，χ²(1) = {{chi2:num}}，*p* {{p:peq}}"
            f"{'，' if size else ''}{size}。{differ}",
            voice="paper", **facts,
        )  # fmt: skip

    @classmethod
    def _student(
        cls, odds: Ratio | None, crude: Ratio | None, equal: ChiSquare | None, shown: bool, facts: dict[str, Any]
    ) -> str:  # fmt: skip
        words = "先在每一层里比较“{first}”与“{second}”，再把各层合起来，分层因素的影响就被排除了。"
        if odds is not None and crude is not None:
            facts |= {"crude": crude.value}
            words += "不分层时的粗 OR 是 {crude:num}，分层合并后是 {odds:num}"
            if abs(crude.value / odds.value - 1) < CONFOUNDED:
                words += "，变化不到一成，“{s}”没有明显混淆两者的关系。"
            else:
                words += "，变化超过一成，说明“{s}”混淆了两者的关系"
                differ = equal is not None and equal.p < 0.05
                words += "；但各层的 OR 不一致，应当分层看。" if differ else "，应当看合并 OR。"
        return words + (
            "*p* {p:peq}，小于 {alpha:alpha}。有关联不等于有因果。" if shown
            else "*p* {p:peq}，不小于 {alpha:alpha}。没有发现关联不等于没有关联，也许只是样本不够。"
        )  # fmt: skip

    # ---- larger tables ---------------------------------------------------------------------------------------------
    @classmethod
    def _larger(cls, report: Report, form: Any, held: Stratified, facts: dict[str, Any]) -> None:
        tests = {"一般关联": stratified.general(held.counts)}
        if form.scores != "none":
            scores = stratified.table_scores if form.scores == "table" else stratified.rank_scores
            rows, columns = scores(held.counts, 0), scores(held.counts, 1)
            tests = {
                "非零相关": stratified.correlation(held.counts, rows, columns),
                "行均值得分差异": stratified.row_means(held.counts, columns),
                **tests,
            }
        read = next(iter(tests))
        for name, test in tests.items():
            if test is None:
                report.note(cls.result, f"{name}在各层内没有变异，没有给出。")
                continue
            report.row(
                cls.result,
                test=name,
                read="采用" if name == read else "",
                k=len(held.names),
                n=held.n,
                chi2=test.value,
                df=test.df,
                p=test.p,
            )
        for name, table in zip(held.names, held.layers, strict=True):
            part = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
            test = contingency.pearson(part)
            report.row(cls.layers, layer=name, n=float(table.sum()), chi2=test.value, df=test.df, p=test.p)
        for element in (cls.common, cls.equal, cls.ratios):
            report.skip(element, "OR 只用于 2×2 表")
        test = tests[read]
        if test is None:
            raise Refusal(
                "data.constant", "“{x}”或“{y}”的得分在各层内没有变异，检验无法进行，请改用一般关联", field="scores",
                also=["x", "y"], x=form.x.title, y=form.y.title,
            )  # fmt: skip
        cls._say_larger(report, form, read, test, facts)

    @classmethod
    def _say_larger(cls, report: Report, form: Any, read: str, test: ChiSquare, facts: dict[str, Any]) -> None:
        shown = test.p < 1 - form.conf_level
        facts |= {"test": read, "chi2": test.value, "df": test.df, "p": test.p, "alpha": 1 - form.conf_level}
        verdict = "仍有关联，有统计学意义" if shown else "没有发现明显关联"
        report.lead(
            f"控制“{{s}}”后，“{{x}}”与“{{y}}”{verdict}（{{test}}，*p* {{p:peq}}）。",
            [figure("检验", "*p* {p:peq}", "χ²({df:integer}) = {chi2:num}")], **facts,
        )  # fmt: skip
        asked = {
            "一般关联": "它问的是各组的构成有没有任何差别，不看类别的次序",
            "非零相关": "它问的是一个变量的得分升高时，另一个是否跟着升高或降低",
        }[read]
        report.say(
            f"检验在每一层里比较，再合起来。这里采用“{{test}}”：{asked}。*p* {{p:peq}}，"
            + ("小于" if shown else "不小于")
            + (" {alpha:alpha}。有关联不等于有因果。" if shown else " {alpha:alpha}。没有发现关联不等于没有关联。"),
            voice="student", **facts,
        )  # fmt: skip
        ending = "关联有统计学意义" if shown else "关联无统计学意义"
        report.say(
            "采用 Cochran-Mantel-Haenszel 检验（{test}），以“{s}”分层（{k:integer} 层，*N* = {n:integer}），"
            f"分析“{{x}}”与“{{y}}”的关联：{ending}，χ²({{df:integer}}) = {{chi2:num}}，*p* {{p:peq}}。",
            voice="paper", **facts,
        )  # fmt: skip
