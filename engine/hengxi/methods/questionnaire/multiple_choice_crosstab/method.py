"""A question of several answers against groups, or against a second one. One χ² of the whole table would count a person
once for every option, so each option is tested alone and all together by a corrected sum."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.contract import (
    AnswerSet,
    Chart,
    Column,
    ColumnInfo,
    Form,
    Level,
    Method,
    NextStep,
    Points,
    Refusal,
    Report,
    SetRemedy,
    StepRemedy,
    Table,
    Wide,
    adjustment,
    choice,
    claim,
    confidence,
    counted,
    figure,
    integer,
    num,
    percent,
    pvalue,
    resamples,
    role,
    stat,
    text,
)
from hengxi.methods.questionnaire._shared import answer_form
from hengxi.methods.questionnaire._shared.answer_form import BASE_OF, Question, read_question
from hengxi.stats import answer_independence as independence
from hengxi.stats.answer_sets import BASES
from hengxi.stats.count_table import CountTable, exact_name, pairs_of_rows
from hengxi.stats.frequencies import frequencies
from hengxi.stats.moments import Floats
from hengxi.stats.multiple import adjust, letters
from hengxi.stats.names import level_words
from hengxi.stats.proportions import wilson

MOST_GROUPS, MOST_WORK, MOST_CASES = 20, 20_000_000_000, 100_000
TOTAL = "合计"
CORRECTED = {
    "none": "没有校正",
    "bonferroni": "用 Bonferroni 法校正",
    "holm": "用 Holm 法校正",
    "fdr_bh": "用 FDR-BH 法校正",
}


@dataclass(frozen=True)
class Crossing:
    """`hits`: cases in the base × options; `member`: columns of the table × the same cases. `codes`: single groups."""

    question: Question
    hits: Floats
    member: Floats
    codes: Any
    w: Floats
    heads: list[Level | str]
    names: list[str]
    title: str

    @property
    def n(self) -> Floats:
        found: Floats = (self.member * self.w).sum(axis=1)
        return found

    @property
    def counts(self) -> Floats:
        """Options × columns."""
        found: Floats = ((self.member * self.w) @ self.hits).T
        return found


class MultipleChoiceCrosstab(Method):
    title, title_en = "多选题交叉分析", "Multiple-response crosstabulation"
    family, tier = "问卷研究", "standard"
    slug = "multiple-choice-crosstab"
    purpose = "不同人群在多选题各选项上的选择比例是否有差异"
    aliases = ("多选题交叉", "多选题与单选题交叉", "多重响应交叉表", "单选多选交叉", "多选多选交叉")
    references = ("rao1984", "bilder2004", "bilder2007", "piepho2004", "phipson2010")
    conventions = (
        "百分比可以以人数或选择次数为分母，检验总是按人数。",
        "每个选项做一次“选／不选”对各组的检验：期望频数小于 5 的格子超过两成时用 Fisher 精确检验，否则用 Pearson χ²。",
        "整体检验是各选项 χ² 之和；一阶校正除以特征根的均值，二阶校正再校正自由度（Rao 和 Scott，1984）。"
        "特征根来自各组内选项之间的协方差。",
        "没有人选或人人都选的选项不进入整体检验。",
        "字母相同的两组没有发现差异（两两比较按所选方法校正）。",
    )
    weights = ("frequency",)
    missing = "keep"
    random = True

    class Input(Form):
        items: list[Column | AnswerSet] = role("多选题选项列", "任意", min=1, max=None, sets=True)
        group: list[Column | AnswerSet] = role("分组变量（单选）或第二道多选题", "任意", min=1, max=None, sets=True)
        weight: Column | None = counted()
        layout: str = choice("交叉类型", {"single_by_multi": "单选 × 多选", "multi_by_multi": "多选 × 多选"})
        coding: str = answer_form.coding_field()
        counted_value: str = answer_form.counted_field()
        delimiter: str = answer_form.delimiter_field()
        empty_as: str = answer_form.empty_field()
        base: str = choice("百分比基数", {"cases": "人数（普及率）", "responses": "选择次数（响应率）"})
        test: str = choice(
            "整体检验", {"rao_scott": "Rao-Scott 校正", "permutation": "置换检验", "none": "不做"}
        )  # fmt: skip
        n_resamples: int = resamples(1999, 99, 99_999, when={"test": "permutation"})
        p_adjust: str = adjustment("holm")
        conf_level: float = confidence()

    cross = Table(
        "多选题交叉表", option=text("选项"), place="main",
        layout=Wide(n=integer("n"), share=percent("列百分比", most=None), letters=text("差异")),
    )  # fmt: skip
    tests = Table(
        "逐项检验", option=text("选项"), second=text("第二题的选项", when={"layout": "multi_by_multi"}),
        test=text("检验"), value=num("χ²", least=0), df=integer("*df*"), p=pvalue(), adjusted=pvalue("校正后 *p*"),
        v=num("Cramér *V*", least=0, most=1), place="main",
        claim=claim("named", stat("χ²", "value", "df"), p="adjusted", effect="v", names=("option",)),
    )  # fmt: skip
    overall = Table(
        "整体检验", test=text("检验"), sum=num("Σχ²", least=0), value=num("校正后 χ²", least=0),
        df=num("*df*", least=0), p=pvalue(), when={"test": ("rao_scott", "permutation")},
        claim=claim("named", stat("χ²", "value", "df"), names=("test",)),
    )  # fmt: skip
    gaps = Table(
        "各选项的差距", option=text("选项"), high=text("比例最高"), most=percent("比例", most=None),
        low=text("比例最低"), least=percent("比例", most=None), gap=percent("相差", most=None),
    )  # fmt: skip
    bars = Points(
        "分组条形图", option=text("选项"), share=percent("比例"), group=text("组"), low=num("l"), high=num("h")
    )
    bar = Chart(
        "分组条形图", "bar", of=bars, x="option", y="share", series="group", low="low", high="high", place="main"
    )
    cells = Points("热力图", option=text("选项"), group=text("组"), share=percent("比例"))
    heat = Chart("热力图", "heat", of=cells, row="option", column="group", value="share")

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        kept = {key: form[key] for key in ("items", "weight", "coding", "counted_value", "delimiter", "empty_as")}
        return [
            NextStep(title="只看这道多选题（多选题分析）", method="questionnaire/multiple_choice", form=kept)
        ]  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        question = read_question(form, "items", form.items)
        one = cls._single(report, form, question) if form.layout == "single_by_multi" else cls._both(form, question)
        shares = cls._table(report, form, one)
        adjusted = cls._tests(report, form, one)
        p = cls._overall(report, form, one)
        cls._words(report, form, one, shares, adjusted, p)
        report.used(len(question.base))
        return report

    # ---- reading ---------------------------------------------------------------------------------------------------
    @classmethod
    def _single(cls, report: Report, form: Any, question: Question) -> Crossing:
        if len(form.group) != 1 or isinstance(form.group[0], AnswerSet):
            raise Refusal(
                "data.one_group", "单选 × 多选只放一个分组变量；第二道多选题请改为“多选 × 多选”", field="group",
                also=["layout"], remedies=[SetRemedy(title="改为多选 × 多选", set={"layout": "multi_by_multi"})],
            )  # fmt: skip
        column = form.group[0]
        if len(column.levels) > MOST_GROUPS:
            raise Refusal(
                "role.levels", "分组变量“{v}”类别过多（{k} 个，最多 {most} 个），请先合并类别", field="group",
                column=column.id, v=column.title, k=len(column.levels), most=MOST_GROUPS,
                remedies=[StepRemedy(title="合并类别", step="data_processing/value_coding", columns=[column.id])],
            )  # fmt: skip
        w = cls._counts(form, len(column))
        rows = question.base & (column.codes >= 0) & (w > 0)
        held = np.bincount(column.codes[rows], minlength=len(column.levels)) > 0
        for level in [one for one, kept in zip(column.levels, held, strict=True) if not kept]:
            report.warn("data.empty_group", "组别“{v}”没有任何有效回答，已从检验中剔除。", v=level.label)
        levels = [one for one, kept in zip(column.levels, held, strict=True) if kept]
        if len(levels) < 2:
            raise Refusal(
                "role.levels", "分组变量“{v}”只有一个类别，无法交叉比较，请换一个分组变量",
                field="group", column=column.id,
                v=column.title,
            )  # fmt: skip
        codes = (np.cumsum(held) - 1)[column.codes[rows]]
        member = np.equal.outer(np.arange(len(levels)), codes).astype(float)
        return Crossing(
            question, question.hits(rows), member, codes, w[rows], list(levels), level_words(levels), column.title
        )  # fmt: skip

    @classmethod
    def _both(cls, form: Any, question: Question) -> Crossing:
        second = read_question(form, "group", form.group)
        w = cls._counts(form, len(question.base))
        rows = question.base & second.base & (w > 0)
        member = second.hits(rows).T
        kept = np.flatnonzero(member.sum(axis=1) > 0)
        if kept.size == 0:
            raise Refusal("data.empty", "没有人同时回答了两道多选题，无法交叉", field="group")
        names: list[Any] = [second.options[i] for i in kept]
        return Crossing(question, question.hits(rows), member[kept], None, w[rows], names, names, second.name)

    @staticmethod
    def _counts(form: Any, n: int) -> Floats:
        counts = frequencies(form.weight)
        return np.ones(n) if counts is None else counts

    # ---- tables ----------------------------------------------------------------------------------------------------
    @classmethod
    def _table(cls, report: Report, form: Any, one: Crossing) -> Floats:
        counts, people = one.counts, one.n
        whole = one.w @ one.hits
        of = people if form.base == "cases" else counts.sum(axis=0)
        shares = np.divide(counts, of, out=np.zeros_like(counts), where=of > 0)
        everybody = one.w.sum() if form.base == "cases" else whole.sum()
        for j, option in enumerate(one.question.options):
            marks = cls._letters(form, counts[j], people) if one.codes is not None else None
            wide: dict[Any, dict[str, Any]] = {
                head: {"n": counts[j, i], "share": shares[j, i], "letters": marks[i] if marks else None}
                for i, head in enumerate(one.heads)
            }
            report.row(cls.cross, option=option, wide={**wide, TOTAL: {"n": whole[j], "share": whole[j] / everybody}})
            for i, name in enumerate(one.names):
                low, high = wilson(float(counts[j, i]), float(of[i]), form.conf_level) if of[i] > 0 else (0.0, 0.0)
                report.row(cls.bars, option=option, share=shares[j, i], group=name, low=low, high=high)
                report.row(cls.cells, option=option, group=name, share=shares[j, i])
        for option, row in zip(one.question.options, shares, strict=True):
            top, bottom = int(row.argmax()), int(row.argmin())
            report.row(
                cls.gaps, option=option, high=one.names[top], most=row[top], low=one.names[bottom],
                least=row[bottom], gap=row[top] - row[bottom],
            )  # fmt: skip
        report.row(
            cls.cross, option="人数", total=True,
            wide={**{head: {"n": n} for head, n in zip(one.heads, people, strict=True)}, TOTAL: {"n": one.w.sum()}},
        )  # fmt: skip
        kind = "这一列的人数" if form.base == "cases" else "这一列的选择次数"
        report.note(cls.cross, f"列百分比的分母是{kind}；计入的是{{whom}}。", whom=BASES[BASE_OF[form.empty_as]])
        if one.codes is not None:
            report.note(cls.cross, f"同一选项中，没有相同字母的两组有差异；两两比较的 *p* {CORRECTED[form.p_adjust]}。")
        return shares

    @staticmethod
    def _letters(form: Any, chosen: Floats, people: Floats) -> list[str]:
        table = np.column_stack([chosen, people - chosen])
        alpha = 1 - form.conf_level
        different = [
            (pair.first, pair.second) for pair in pairs_of_rows(table, form.p_adjust) if pair.corrected < alpha
        ]
        return letters(len(people), different)

    @classmethod
    def _tests(cls, report: Report, form: Any, one: Crossing) -> list[float | None]:
        """Corrected p by option (and column of the second question); None where everybody answered alike."""
        found: list[tuple[str, str | None, CountTable | None]] = []
        whole, total = one.w @ one.hits, one.w.sum()
        for j, option in enumerate(one.question.options):
            if one.codes is not None:
                found.append((option, None, _tested(np.vstack([one.counts[j], one.n - one.counts[j]]), form)))
                continue
            for i, name in enumerate(one.names):
                a, b, c = float(one.counts[j, i]), float(whole[j]), float(one.n[i])
                found.append((option, name, _tested(np.array([[a, c - a], [b - a, total - b - c + a]]), form)))
        held = iter(adjust([table.p for *_, table in found if table is not None], form.p_adjust))
        adjusted = [None if table is None else next(held) for *_, table in found]
        for (option, second, table), p in zip(found, adjusted, strict=True):
            if table is None:
                report.row(cls.tests, option=option, second=second, test="选择相同，不能检验")
                continue
            chi = {"yates": table.yates, "pearson": table.pearson}.get(table.read)
            name = "Pearson χ²" if table.read == "pearson" else "连续校正 χ²"
            if table.read == "exact" and table.exact is not None:
                name = exact_name(table, table.exact)
            report.row(
                cls.tests, option=option, second=second, test=name, value=None if chi is None else chi.value,
                df=None if chi is None else chi.df, p=table.p, adjusted=p, v=table.v.value,
            )  # fmt: skip
        report.note(cls.tests, f"校正后 *p* {CORRECTED[form.p_adjust]}；没有 χ² 的一行用精确检验。")
        return adjusted

    @classmethod
    def _overall(cls, report: Report, form: Any, one: Crossing) -> float | None:
        if form.test == "none":
            return None
        of_groups = one.codes is not None
        columns = one.member.T
        found = (
            independence.of_groups(one.hits, one.codes, one.w)
            if of_groups
            else independence.of_answers(one.hits, columns, one.w)
        )
        if found is None:
            report.skip(cls.overall, "每个选项的选择都相同，无法检验")
            return None
        if form.test == "permutation":
            p = cls._permuted(form, one, found.value)
            report.row(cls.overall, test="置换检验", sum=found.value, value=found.value, p=p)
            report.note(
                cls.overall,
                "随机置换 {times:integer} 次，*p* =（达到的次数 + 1）÷（置换次数 + 1）。",
                times=form.n_resamples,
            )
            return p
        for name, chi in (("一阶校正", found.first), ("二阶校正（采用）", found.second)):
            report.row(cls.overall, test=name, sum=found.value, value=chi.value, df=chi.df, p=chi.p)
        report.note(cls.overall, "一个人可以选几项，各选项的 χ² 不独立，直接相加查 χ² 表不成立，所以要校正。")
        return found.second.p

    @staticmethod
    def _permuted(form: Any, one: Crossing, observed: float) -> float:
        n = int(one.w.sum())
        if n > MOST_CASES or n * one.hits.shape[1] * len(one.names) * form.n_resamples > MOST_WORK:
            raise Refusal(
                "data.size", "置换检验的计算量过大（{n} 人），请减少重抽样次数，或改用 Rao-Scott 校正", field="test",
                also=["n_resamples"], n=n, remedies=[SetRemedy(title="改用 Rao-Scott 校正", set={"test": "rao_scott"})],
            )  # fmt: skip
        rows = np.repeat(np.arange(len(one.w)), one.w.astype(int))
        # The order of the rows must not decide what is drawn.
        rows = rows[np.lexsort([*one.member[:, rows], *one.hits[rows].T])]
        hits, ones = one.hits[rows], np.ones(n)
        shares = hits.mean(axis=0)
        hits = hits[:, (shares > 0) & (shares < 1)]
        if one.codes is not None:
            codes = one.codes[rows]
            return independence.permuted(
                observed, lambda order: independence.group_statistic(hits, codes[order], ones), n, form.n_resamples,
                form.rng,
            )  # fmt: skip
        second = one.member[:, rows].T
        shares = second.mean(axis=0)
        second = second[:, (shares > 0) & (shares < 1)]
        x, y = ((part - part.mean(axis=0)) / part.std(axis=0) for part in (hits, second))
        return independence.permuted(
            observed, lambda order: independence.answer_statistic(x[order], y, ones), n, form.n_resamples, form.rng
        )  # fmt: skip

    # ---- words -----------------------------------------------------------------------------------------------------
    @classmethod
    def _words(
        cls, report: Report, form: Any, one: Crossing, shares: Floats, adjusted: list[float | None], p: float | None
    ) -> None:  # fmt: skip
        alpha = 1 - form.conf_level
        width = 1 if one.codes is not None else len(one.names)
        hits = [i for i, value in enumerate(adjusted) if value is not None and value < alpha]
        spread = shares.max(axis=1) - shares.min(axis=1)
        options = sorted({i // width for i in hits})
        # Told of is the option that differs most among those found to differ, else among all.
        top = max(options or range(len(spread)), key=lambda j: float(spread[j]))
        high, low = int(shares[top].argmax()), int(shares[top].argmin())
        facts: dict[str, Any] = {
            "v": one.question.name, "g": one.title, "k": len(hits), "m": len(adjusted), "o": one.question.options[top],
            "high": one.names[high], "low": one.names[low], "s1": float(shares[top, high]),
            "s2": float(shares[top, low]),
        }  # fmt: skip
        if p is None:
            verdict = ""
        else:
            facts["p"] = p
            word = "在“{g}”各组间有差异" if one.codes is not None else "与“{g}”有关联"
            verdict = f"“{{v}}”的选择{word}（整体检验 *p* {{p:peq}}）。"
            if p >= alpha:
                verdict = "没有发现" + verdict
        pieces = "{m:integer} 次逐项检验中有 {k:integer} 次显著（已校正）。" if hits else "没有哪一个选项单独显著。"
        size = "“{o}”相差最大：“{high}”{s1:percent1}，“{low}”{s2:percent1}。"
        report.lead(
            verdict + pieces + size,
            [
                figure("相差最大的选项", "{o:text}", "“{high}”{s1:percent1}，“{low}”{s2:percent1}"),
                figure("显著的检验", "{k:integer} 次", "共 {m:integer} 次"),
            ],
            **facts,
        )
        report.say(
            "一个人可以选几项，所以不能对整张表做一次普通的 χ² 检验。先看整体检验，再看每个选项的校正后 *p*，"
            "最后看交叉表里相差多少个百分点。",
            voice="student",
        )  # fmt: skip
        report.say(verdict + pieces + size, voice="paper", **facts)
        report.say(verdict + size, voice="brief", **facts)


def _tested(table: Floats, form: Any) -> CountTable | None:
    """None where nobody or everybody chose the option."""
    if (table.sum(axis=1) <= 0).any():
        return None
    held = table[:, table.sum(axis=0) > 0]
    return CountTable(table=held, conf_level=form.conf_level, seed=form.seed) if held.shape[1] > 1 else None
