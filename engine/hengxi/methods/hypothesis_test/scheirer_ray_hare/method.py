from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Form,
    Method,
    MethodRemedy,
    NextStep,
    Refusal,
    Report,
    Table,
    choice,
    claim,
    confidence,
    figure,
    integer,
    num,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.methods.hypothesis_test._shared import sample_checks
from hengxi.methods.hypothesis_test._shared.design import Study
from hengxi.methods.hypothesis_test._shared.finding import INDEPENDENT, UNASSIGNED
from hengxi.methods.hypothesis_test._shared.samples import snapped
from hengxi.stats import linear_design, ranks
from hengxi.stats.linear_design import Cells, LinearModel, Term
from hengxi.stats.moments import Floats, Ordered
from hengxi.stats.multiple import adjust
from hengxi.stats.ranks import RankTable

TERMS: list[Term] = [(0,), (1,), (0, 1)]
FEW = 5
MEANS = MethodRemedy(title="改用双因素方差分析", method="hypothesis_test/two_way_anova", carry=["y", "factors"])


@dataclass(frozen=True)
class Effect:
    """One source of variation; `df_error` of the F of aligned ranks, None where the statistic is H."""

    term: Term
    ss: float
    df: int
    value: float
    p: float
    df_error: float | None = None


class ScheirerRayHare(Method):
    """Two factors and their interaction on ranks: Scheirer-Ray-Hare, or aligned ranks."""

    title, title_en = "Scheirer-Ray-Hare检验", "Scheirer-Ray-Hare / aligned rank transform"
    family, tier = "非参数检验", "member"
    rescaled = (("y",),)
    purpose = "非正态数据的双因素及交互是否有影响"
    aliases = ("SRH检验", "双因素秩检验", "非参数双因素方差分析", "对齐秩变换", "ART", "双因素K-W")
    references = ("scheirer1976", "wobbrock2011", "dunn1964", "conover1999")
    conventions = (
        "Scheirer-Ray-Hare：全部个案一起排秩，对秩做类型II 的双因素方差分析，*H* = 平方和 / 总均方，与 χ² 分布比较；"
        "相同的值取平均秩，总均方按实际的秩计算，所以已含结校正。",
        "对齐秩变换（ART）：对每一项分别把其余各项的效应减去，再排秩，读类型III 方差分析中这一项的 *F*"
        "（Wobbrock 等，2011）。",
        "ε² = *H* / (N − 1)。",
        "事后比较是每个因素单独的 Dunn 检验，在每个因素内用 Bonferroni 法校正。",
    )
    missing = "listwise"
    min_rows = 4

    class Input(Form):
        y: Column = role("因变量Y", "定量")
        factors: list[Column] = role("因素X", "定类", min=2, max=2, levels=(2, None))
        method: str = choice("方法", {"srh": "Scheirer-Ray-Hare", "art": "对齐秩变换ART"})
        post_hoc: str = choice("主效应事后比较", {"dunn": "Dunn-Bonferroni", "none": "不做"})
        conf_level: float = confidence(0.8, hint="显著性水平 = 1 − 此值")

    result = Table(
        "检验结果", source=text("差异来源"), ss=num("平方和（秩）", least=0), df=integer("*df*"), H=num("*H*", least=0),
        p=pvalue(), epsilon2=num("ε²", least=0), when={"method": "srh"}, place="main",
        claim=claim("named", stat("*H*", "H", "df"), effect="epsilon2", names=("source",), outcome="y"),
    )  # fmt: skip
    aligned = Table(
        "对齐秩检验结果", source=text("差异来源"), ss=num("平方和（对齐秩）", least=0), df=integer("*df*1"),
        df_error=integer("*df*2"), F=num("*F*", least=0), p=pvalue(), when={"method": "art"}, place="main",
        claim=claim("named", stat("*F*", "F", "df", "df_error"), names=("source",), outcome="y"),
    )  # fmt: skip
    cells = Table(
        "秩描述", first=text("因素1"), second=text("因素2"), n=integer("*n*"), median=num("中位数"),
        mean_rank=num("平均秩", least=0), merge=("first",), place="main",
    )  # fmt: skip
    plot = Chart("中位数交互图", "line", of=cells, x="first", y="median", series="second", place="main")
    pairs = Table(
        "主效应事后比较（Dunn）", factor=text("因素"), first=text("组I"), second=text("组J"),
        difference=num("平均秩差", stars="adjusted"), se=num("标准误", least=0), z=num("*Z*"), p=pvalue("未校正 *p*"),
        adjusted=pvalue("校正 *p*"), merge=("factor",), when={"post_hoc": "dunn"},
        claim=claim("pair", p="adjusted", first="first", second="second", outcome="y"),
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"按{form.factors[0].title}和{form.factors[1].title}比较{form.y.title}（秩）"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        start = {"y": form["y"], "factors": form["factors"]}
        return [
            NextStep(title="比较平均值（双因素方差分析）", method="hypothesis_test/two_way_anova", form=start),
            NextStep(
                title="看因变量的分布（描述性统计）", method="descriptive/descriptive_statistics",
                form={"variables": [form["y"]]},
            ),
        ]  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        study = Study.of([form.y], form.factors, [], None)
        _refuse_empty(study)
        y = form.y.numbers
        table = _by_cell(study.cells, y)
        if table.values.size == 1:
            raise Refusal(
                "data.constant", "“{y}”全部观测值相同，无法排秩，请核对数据或换一个因变量", field="y",
                column=form.y.id, y=study.y,
            )  # fmt: skip
        every = stats.rankdata(y)
        effects = _scheirer(study.cells, every) if form.method == "srh" else _art(study.cells, y)
        for effect in effects:
            source = study.name(effect.term)
            if effect.df_error is None:
                epsilon2 = effect.value / (study.n - 1)
                report.row(
                    cls.result, source=source, ss=effect.ss, df=effect.df, H=effect.value, p=effect.p,
                    epsilon2=epsilon2,
                )  # fmt: skip
            else:
                report.row(
                    cls.aligned, source=source, ss=effect.ss, df=effect.df, df_error=effect.df_error, F=effect.value,
                    p=effect.p,
                )  # fmt: skip
        cls._describe(report, study, y, every)
        report.chart(cls.plot, titles={"x": study.factors[0], "y": f"{study.y}的中位数"})
        if form.post_hoc == "dunn":
            for m in (0, 1):
                cls._dunn(report, study, y, m)
        cls._words(report, form, study, effects)
        cls._checks(report, study, table)
        return report

    @classmethod
    def _describe(cls, report: Report, study: Study, y: Floats, every: Floats) -> None:
        cells = study.cells
        for i, (a, b) in enumerate(cells.levels.tolist()):
            own = cells.of_row == i
            report.row(
                cls.cells, first=study.labels[0][a], second=study.labels[1][b], n=int(own.sum()),
                median=Ordered.of(y[own]).median, mean_rank=float(every[own].mean()),
            )  # fmt: skip
        report.note(
            cls.cells, "因素1 为“{a}”，因素2 为“{b}”。", a=study.factors[0], b=study.factors[1]
        )  # fmt: skip

    @classmethod
    def _dunn(cls, report: Report, study: Study, y: Floats, m: int) -> None:
        codes = study.cells.levels[study.cells.of_row, m]
        labels = study.labels[m]
        table = RankTable.of([(y[codes == code], None) for code in range(len(labels))])
        compared = ranks.compared(table, "dunn")
        for pair, adjusted in zip(compared, adjust([pair.p for pair in compared], "bonferroni"), strict=True):
            report.row(
                cls.pairs, factor=study.factors[m], first=labels[pair.first], second=labels[pair.second],
                difference=pair.difference, se=pair.se, z=pair.statistic, p=pair.p, adjusted=adjusted,
            )  # fmt: skip

    @classmethod
    def _words(cls, report: Report, form: Any, study: Study, effects: list[Effect]) -> None:
        alpha = 1 - form.conf_level
        facts: dict[str, Any] = {"y": study.y, "a": study.factors[0], "b": study.factors[1], "n": study.n}
        facts["alpha"] = alpha
        names = ("“{a}”的主效应", "“{b}”的主效应", "“{a}”与“{b}”的交互效应")
        verdicts, tests = [], []
        for name, key, effect in zip(names, ("a", "b", "ab"), effects, strict=True):
            facts |= {f"v_{key}": effect.value, f"d_{key}": effect.df, f"p_{key}": effect.p}
            df = f"{{d_{key}:integer}}"
            if effect.df_error is not None:
                facts["d_error"] = effect.df_error
                df += ", {d_error:integer}"
            letter = "H" if effect.df_error is None else "F"
            test = f"*{letter}*({df}) = {{v_{key}:num}}，*p* {{p_{key}:peq}}"
            verdict = "有统计学意义" if effect.p < alpha else "未达到统计学意义"
            verdicts.append(f"{name}{verdict}（*p* {{p_{key}:peq}}）")
            tests.append(f"{name}{verdict}，{test}")
        crossed = effects[2].p < alpha
        lead = f"“{{y}}”：{'；'.join(verdicts)}。" + ("两个因素有交互，主效应要分开看。" if crossed else "")
        figures = [
            figure(title, f"*p* {{p_{key}:peq}}", f"{{{slot}}}")
            for title, key, slot in (("主效应 1", "a", "a"), ("主效应 2", "b", "b"))
        ]
        report.lead(lead, [*figures, figure("交互效应", "*p* {p_ab:peq}")], **facts)
        report.say(
            "主效应问：不分另一个因素，这个因素的各类总体高低是不是不同。交互效应问：一个因素的作用是不是随另一个因素"
            "而变；中位数交互图上的线不平行，就可能有交互。" + (
                "有交互时，单说一个因素“有用”或“没用”会误导，请看各组合的中位数。" if crossed
                else "未达到统计学意义不等于没有作用。"
            ),
            voice="student",
        )  # fmt: skip
        how = "Scheirer-Ray-Hare 检验" if form.method == "srh" else "对齐秩变换（ART）方差分析"
        report.say(f"{how}（*N* = {{n:integer}}，α = {{alpha:alpha}}）：{'；'.join(tests)}。", voice="paper", **facts)
        report.say(INDEPENDENT + UNASSIGNED, voice="paper")
        report.say(lead, voice="brief", **facts)

    @classmethod
    def _checks(cls, report: Report, study: Study, table: RankTable) -> None:
        least = int(study.cells.n.min())
        few = least < FEW
        report.check(
            "样本量", "care" if few else "pass",
            "最小的组合有 {least:integer} 例。" + ("不足 5 例，*p* 不太准。" if few else "近似可用。"),
            least=least, remedies=[],
        )  # fmt: skip
        report.check(
            "交互的效率", "unknown",
            "秩检验对交互不敏感。数据大致正态时，双因素方差分析更容易发现交互。", remedies=[MEANS],
        )  # fmt: skip
        sample_checks.ties(report, table.tied, table.n, "相同的值取平均秩。")


def _refuse_empty(study: Study) -> None:
    gaps = study.cells.empty((0, 1))
    if gaps:
        a, b = (study.labels[m][code] for m, code in enumerate(gaps[0]))
        raise Refusal(
            "data.empty_cell", "组合“{a}×{b}”没有观测（这样的组合共 {k} 个），请合并类别或换一个因素", field="factors",
            a=a, b=b, k=len(gaps),
        )  # fmt: skip


def _by_cell(cells: Cells, y: Floats) -> RankTable:
    return RankTable.of([(y[cells.of_row == i], None) for i in range(cells.n.size)])


def _fitted(cells: Cells, outcome: Floats) -> tuple[LinearModel, Any]:
    """The full model of another outcome in the same cells, and its scale."""
    codes = [cells.levels[cells.of_row, m] for m in (0, 1)]
    gathered = linear_design.gather(codes, list(cells.sizes), [], [outcome], None)
    assert isinstance(gathered, Cells)  # ranks are within the range of a double
    return LinearModel(gathered, TERMS), gathered.y_scales[0]


def _df(cells: Cells, term: Term) -> int:
    return int(np.prod([cells.sizes[m] - 1 for m in term]))


def _scheirer(cells: Cells, every: Floats) -> list[Effect]:
    """H of each term: its type II sum of squares of the ranks over their total mean square."""
    model, scale = _fitted(cells, every)
    total = float(np.var(every, ddof=1))
    effects = []
    for term, squares in zip(TERMS, model.squares("II"), strict=True):
        ss = max(0.0, scale.back(float(squares[0, 0]), 2) or 0.0)
        df = _df(cells, term)
        effects.append(Effect(term, ss, df, ss / total, float(stats.chi2.sf(ss / total, df))))
    return effects


def _art(cells: Cells, y: Floats) -> list[Effect]:
    """F of each term on the ranks of the residuals and that term alone (Wobbrock et al. 2011)."""
    if cells.total <= cells.n.size:
        raise Refusal("data.few", "每个组合只有 1 例，对齐秩变换没有误差可用，请改用 Scheirer-Ray-Hare", field="method")
    z = cells.y[:, 0]
    rows = cells.levels[cells.of_row]
    own = cells.means[cells.of_row, 0]
    mains = [_means_by(rows[:, m], z) for m in (0, 1)]
    middle = float(z.mean())
    parts = [mains[0] - middle, mains[1] - middle, own - mains[0] - mains[1] + middle]
    effects = []
    for i, (term, part) in enumerate(zip(TERMS, parts, strict=True)):
        aligned = snapped(z - own + part, float(np.abs(z).max()))
        model, scale = _fitted(cells, stats.rankdata(aligned))
        if float(model.error[0, 0]) <= 1e-24 * float(model.whole[0, 0]) or float(model.whole[0, 0]) <= 0:
            raise Refusal("data.constant", "同一组合内没有变异，*F* 无定义，请改用 Scheirer-Ray-Hare", field="method")
        test = model.tests("III", 0.95)[i]
        ss = scale.back(test.ss, 2) or 0.0
        effects.append(Effect(term, ss, _df(cells, term), test.F, test.p, float(model.df)))
    return effects


def _means_by(codes: Any, values: Floats) -> Floats:
    """Of each row, the mean of its level."""
    means = np.bincount(codes, weights=values) / np.bincount(codes)
    return np.asarray(means[codes], dtype=float)
