from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Form,
    Matrix,
    Method,
    NextStep,
    Points,
    Refusal,
    Report,
    Silent,
    StepRemedy,
    Table,
    claim,
    figure,
    filled,
    flag,
    integer,
    more,
    num,
    percent,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.stats import incomplete_normal
from hengxi.stats.moments import Floats, Moments, moments
from hengxi.stats.names import level_words, listed, titles
from hengxi.stats.two_groups import welch

MOST_VARIABLES, ALPHA = 50, 0.05


class MissingValueAnalysis(Method):
    """How much is missing, together with what, and whether it hangs together with the values that are there."""

    title, title_en = "缺失值分析", "Missing value analysis"
    family, tier = "描述性分析", "member"
    purpose = "数据缺了多少，缺失有没有规律，能否视为完全随机缺失"
    aliases = ("缺失模式", "Little检验", "MCAR", "MAR", "EM估计", "缺失矩阵", "完全随机缺失", "MVA")
    references = ("little1988", "rubin1976", "dempster1977", "welch1947", "enders2010")
    conventions = (
        "Little 检验和 EM 只用定量变量，假定它们联合服从正态分布；没有任何定量值的行不参加。",
        "Little（1988）检验和 EM 的协方差都是最大似然估计，以 n 为分母（与 R 的 naniar 相同）。",
        "EM（Dempster 等，1977）迭代到变动小于 10⁻¹¹，最多 5000 次；定量变量超过 50 个时不做。",
        "t 检验为 Welch：一个变量缺失的行与有值的行，比较另一个变量的均值；两边各至少 2 个值。没有多重比较校正。",
        "对照变量用 Pearson χ² 检验，不作连续性校正。",
    )
    missing = "keep"

    class Input(Form):
        variables: list[Column] = role("分析变量", "任意", min=2, max=None)
        group: Column | None = role("对照变量（选填）", "定类", levels=(2, 30))
        little: bool = flag("Little MCAR检验", True)
        t_tests: bool = flag("缺失指示与其他变量的t检验", True)
        max_patterns: int = integer("缺失模式最多显示", 20, least=5, most=200)

    overview = Table(
        "缺失概况", variable=text("变量"), missing=integer("缺失数"), share=percent("缺失率"), n=integer("有效数"),
        mean=num("有效均值"), sd=num("标准差", least=0), place="main",
    )  # fmt: skip
    bar = Chart("缺失率", "bar", of=overview, x="variable", y="share", place="main")
    patterns = Table(
        "缺失模式",
        pattern=text("缺失的变量"),
        k=integer("缺失变量数"),
        n=integer("行数"),
        share=percent("占比"),
        place="main",
    )
    cells = Points("缺失矩阵", pattern=text("模式"), variable=text("变量"), gone=num("缺失"))
    matrix = Chart("缺失矩阵图", "heat", of=cells, row="pattern", column="variable", value="gone", place="main")
    together = Points("共同缺失", a=text("变量1"), b=text("变量2"), share=percent("同时缺失"))
    heat = Chart("缺失共现热力图", "heat", of=together, row="a", column="b", value="share", place="detail")
    mcar = Table(
        "Little MCAR 检验", layout="record", chi2=num("χ²", least=0), df=integer("*df*"), p=pvalue(),
        patterns=integer("缺失模式数"), n=integer("行数"), place="main", when={"little": True},
        claim=claim("named", stat("χ²", "chi2", "df")),
    )  # fmt: skip
    tests = Table(
        "缺失与否的均值比较", gone=text("缺失的变量"), other=text("比较的变量"), mean_known=num("有值的行"),
        mean_gone=num("缺失的行"), difference=num("均值差"), t=num("*t*"), df=num("*df*"), p=pvalue(),
        n_known=integer("*n*（有值）"), n_gone=integer("*n*（缺失）"), merge=("gone",), when={"t_tests": True},
        claim=Silent("an indicator of gaps is no variable of the study; its check tells it"),
    )  # fmt: skip
    by_group = Table(
        "各组的缺失率", variable=text("变量"), group=text("组别"), n=integer("行数"), missing=integer("缺失数"),
        share=percent("缺失率"), chi2=num("χ²", least=0), df=integer("*df*"), p=pvalue(),
        merge=("variable", "chi2", "df", "p"), when={"group": filled},
        claim=Silent("an indicator of gaps is no variable of the study"),
    )  # fmt: skip
    em = Table(
        "EM 估计", variable=text("变量"), mean=num("EM 均值"), sd=num("EM 标准差", least=0), known=num("有效均值"),
        when={"little": True},
    )  # fmt: skip
    relations = Table(
        "EM 协方差与相关", layout=Matrix(covariance=num("协方差"), r=num("相关", least=-1, most=1), show="lower"),
        when={"little": True},
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{len(form.variables)} 个变量的缺失"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        again = NextStep(
            title="按一个变量比较缺失率", method="descriptive/missing_value_analysis", form=form, seek=["group"]
        )
        look = NextStep(
            title="看各变量的取值（数据概览）", method="descriptive/codebook", form={"variables": form["variables"]}
        )
        return [look] if form.get("group") else [again, look]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        columns, names = _used(report, form)
        gone = np.array([column.missing for column in columns]).T
        if not gone.any():
            raise Refusal("data.complete", "所选变量没有缺失值，无需分析；请放入有缺失的变量", field="variables")
        numbers = [i for i, column in enumerate(columns) if column.measure == "定量"]
        found = {i: moments(columns[i].numbers[~gone[:, i]], shape=False) for i in numbers}
        cls._overview(report, names, gone, found)
        cls._patterns(report, names, gone, form)
        if form.t_tests:
            cls._tests(report, columns, names, gone, numbers)
        if form.group:
            cls._groups(report, form.group, names, gone)
        made = cls._little(report, columns, names, gone, found) if form.little else None
        report.used(len(gone))
        _words(report, cls, form, names, gone, made)
        return report

    @classmethod
    def _overview(cls, report: Report, names: list[str], gone: Any, found: dict[int, Moments]) -> None:
        rows = len(gone)
        for i, name in enumerate(names):
            lost = int(gone[:, i].sum())
            m = found.get(i)
            mean, sd = (m.mean, m.sd if m.n > 1 else None) if m else (None, None)
            report.row(cls.overview, variable=name, missing=lost, share=lost / rows, n=rows - lost, mean=mean, sd=sd)
        size = min(len(names), 30)
        for a in range(size):
            for b in range(size):
                report.row(cls.together, a=names[a], b=names[b], share=float((gone[:, a] & gone[:, b]).mean()))

    @classmethod
    def _patterns(cls, report: Report, names: list[str], gone: NDArray[np.bool_], form: Any) -> None:
        kinds, counts = np.unique(gone, axis=0, return_counts=True)
        order = sorted(range(len(kinds)), key=lambda i: (-counts[i], int(kinds[i].sum()), tuple(~kinds[i])))
        for place, i in enumerate(order[: form.max_patterns]):
            which = [name for name, lost in zip(names, kinds[i], strict=True) if lost]
            told = listed(which, 5, "个变量") if which else "没有缺失"
            report.row(cls.patterns, pattern=told, k=len(which), n=int(counts[i]), share=counts[i] / len(gone))
            for name, lost in zip(names[:60], kinds[i], strict=False):
                report.row(cls.cells, pattern=f"{place + 1}（{counts[i]} 行）", variable=name, gone=float(lost))
        if len(order) > form.max_patterns:
            report.note(
                cls.patterns, "共有 {all:integer} 种模式，只列出行数最多的 {shown:integer} 种。", all=len(order),
                shown=form.max_patterns,
            )  # fmt: skip

    @classmethod
    def _tests(
        cls, report: Report, columns: list[Column], names: list[str], gone: NDArray[np.bool_], numbers: list[int]
    ) -> None:
        for i in range(len(columns)):
            for j in numbers:
                known = ~gone[:, j]
                here, there = columns[j].numbers[known & ~gone[:, i]], columns[j].numbers[known & gone[:, i]]
                if i == j or here.size < 2 or there.size < 2:
                    continue
                a = moments(here, shape=False)
                b = moments(there, anchor=a.anchor, shape=False)
                if not 0 < max(a.sd, b.sd) < 1e140 or max(a.sd, b.sd) < 1e-140:
                    continue
                t = welch(a, b)
                report.row(
                    cls.tests, gone=names[i], other=names[j], mean_known=a.mean, mean_gone=b.mean,
                    difference=t.difference, t=t.t, df=t.df, p=t.p, n_known=a.n, n_gone=b.n,
                )  # fmt: skip
        if not report.rows_of(cls.tests):
            report.skip(cls.tests, "没有一对变量在缺失与有值的行里各有至少 2 个不全相同的值")

    @classmethod
    def _groups(cls, report: Report, group: Column, names: list[str], gone: NDArray[np.bool_]) -> None:
        from scipy import stats

        words, codes = level_words(group.levels), group.codes
        sizes = np.array([np.count_nonzero(codes == k) for k in range(len(words))])
        for i, name in enumerate(names):
            lost = np.array([np.count_nonzero(gone[codes == k, i]) for k in range(len(words))])
            share = lost.sum() / sizes.sum()
            cells: dict[str, Any] = {}
            if 0 < share < 1:
                chi2 = float(np.sum((lost - sizes * share) ** 2 / (sizes * share * (1 - share))))
                cells = {"chi2": chi2, "df": len(words) - 1, "p": float(stats.chi2.sf(chi2, len(words) - 1))}
            for word, n, k in zip(words, sizes, lost, strict=True):
                report.row(cls.by_group, variable=name, group=word, n=n, missing=k, share=k / n, **cells)

    @classmethod
    def _little(
        cls, report: Report, columns: list[Column], names: list[str], gone: Any, found: dict[int, Moments]
    ) -> incomplete_normal.Estimate | None:
        apart = [names[i] for i in range(len(columns)) if i not in found]
        if apart:
            report.warn(
                "data.measure", "Little MCAR 检验仅用定量变量，{which}未参与。", which=listed(apart, 5, "个变量")
            )
        used = [i for i, m in found.items() if 1e-140 < m.sd < 1e140 and m.n > 1]
        why = None
        if not 2 <= len(used) <= MOST_VARIABLES:
            why = f"要 2 到 {MOST_VARIABLES} 个有变异的定量变量"
        elif not gone[:, used].any():
            why = "定量变量没有缺失"
        made = None if why else incomplete_normal.estimate(_rows(columns, used))
        if made is None or not made.converged:
            why = why or "EM 算法没有收敛，或变量之间共线，Little 检验不可用"
            for table in (cls.mcar, cls.em, cls.relations):
                report.skip(table, why)
            return None
        if made.p is None:
            report.skip(cls.mcar, "只有一种缺失模式，没有可比较的")
        else:
            report.row(cls.mcar, chi2=made.chi2, df=made.df, p=made.p, patterns=made.patterns, n=made.n)
        sd = np.sqrt(made.covariance.diagonal())
        for place, i in enumerate(used):
            report.row(cls.em, variable=names[i], mean=made.mean[place], sd=sd[place], known=found[i].mean)
            for other in range(place + 1):
                value = float(made.covariance[place, other])
                report.row(
                    cls.relations, item=columns[i], against=columns[used[other]], covariance=value,
                    r=1.0 if place == other else max(-1.0, min(1.0, value / float(sd[place] * sd[other]))),
                )  # fmt: skip
        return made


def _rows(columns: list[Column], used: list[int]) -> Floats:
    return np.column_stack([np.where(columns[i].missing, np.nan, columns[i].numbers) for i in used])


def _used(report: Report, form: Any) -> tuple[list[Column], list[str]]:
    """Variables with at least one value in the rows used."""
    names = titles(form.variables)
    whole = [column for column in form.variables if bool(column.missing.all())]
    if whole:
        which = listed([names[column.id] for column in whole], 5, "个变量")
        report.warn("data.empty", "{which}全部缺失，已剔除。", which=which, columns=whole)
    columns = [column for column in form.variables if column not in whole]
    if len(columns) < 2:
        raise Refusal("data.empty", "参与分析的行里，有值的变量不足 2 个；请换变量或改筛选条件", field="variables")
    return columns, [names[column.id] for column in columns]


# ---- words ---------------------------------------------------------------------------------------------------------
def _words(report: Report, cls: Any, form: Any, names: list[str], gone: NDArray[np.bool_], made: Any) -> None:
    rows, lost = len(gone), gone.sum(axis=0)
    worst = int(np.argmax(lost))
    facts: dict[str, Any] = {"v": names[worst], "lost": int(lost[worst]), "share": lost[worst] / rows}
    tested = made is not None and made.p is not None
    text_ = "缺失最多的是“{v}”：{lost:integer} 行（{share:percent1}）。"
    figures = [figure("最高缺失率", "{share:percent1}", "{v}")]
    if tested:
        facts |= {"chi2": made.chi2, "df": made.df, "p": made.p}
        figures.append(figure("Little 检验", "*p* {p:peq}", "χ²({df:integer}) = {chi2:num}"))
        random = made.p >= ALPHA
        text_ += (
            "没有发现缺失与数据有关（Little 检验 *p* {p:peq}），数据不与完全随机缺失矛盾。"
            if random
            else "缺失不是完全随机的（Little 检验 *p* {p:peq}）：缺不缺与数据的取值有关。"
        )
    report.lead(text_, figures, **facts)
    if tested:
        report.say("Little MCAR 检验：χ²({df:integer}) = {chi2:num}，*p* {p:peq}。", voice="paper", **facts)
    report.say("检验看不出缺失是不是取决于没有观测到的那个值本身；没有发现有关，也不能证明完全随机。", voice="student")
    found = report.rows_of(cls.tests) if form.t_tests else []
    odd = [(row.cells["gone"], row.cells["other"]) for row in found if row.cells["p"] < ALPHA]
    _check(report, form, odd, len(found))


def _check(report: Report, form: Any, odd: list[tuple[str, str]], tested: int) -> None:
    if not tested:
        return
    first = odd[0] if odd else ("", "")
    step = StepRemedy(title="填补缺失值", step="data_processing/missing_value", columns=[c.id for c in form.variables])
    report.check(
        "缺失与其他变量", "care" if odd else "pass",
        "{m:integer} 次均值比较中有 {k:integer} 次 *p* < .05，如“{a}”缺失与否，“{b}”的均值不同。"
        if odd else "{m:integer} 次均值比较中没有 *p* < .05 的。",
        more=more(
            "一个变量缺不缺，若与另一个变量的大小有关，删去缺失的行会使结果偏向某一类人。",
            "共比较 {m:integer} 次，*p* < .05 的有 {k:integer} 次。",
            "比较的次数多时，碰巧也会有几次 *p* < .05。",
            "有关的变量应一起放进填补（EM、多重插补）或模型，而不是删去缺失的行。",
        ),
        remedies=[step] if odd else [], m=tested, k=len(odd), a=first[0], b=first[1],
    )  # fmt: skip
