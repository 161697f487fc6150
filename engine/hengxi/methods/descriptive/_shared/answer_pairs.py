"""Which sets of multiple answers meet which categories in a crosstab, and what cannot meet."""

from __future__ import annotations

from typing import Any

from hengxi.contract import Refusal, Report, SetRemedy, apart
from hengxi.methods.descriptive._shared.answer_crossing import AnswerCross, cross_answers
from hengxi.methods.descriptive._shared.answer_crossing_words import Crossed
from hengxi.stats.answer_sets import answers
from hengxi.stats.frequencies import frequencies
from hengxi.stats.names import level_words, titles


def crossed(report: Report, form: Any, used: Any) -> Crossed:
    """Each set against each category of the other box, with the layers; what is left out is said. `used` is filled."""
    names = titles([*form.rows, *form.columns])
    (rows, row_sets), (columns, column_sets) = apart(form.rows), apart(form.columns)
    pairs = [(one, by, True) for one in row_sets for by in columns]
    pairs += [(one, by, False) for by in rows for one in column_sets]
    known = None if form.layer is None else form.layer.codes >= 0
    counts = frequencies(form.weight)
    found: Crossed = []
    for one, by, in_rows in pairs:
        whole = cross_answers(one, by, names, in_rows, known, counts, None if known is None else "全部", form)
        if whole is None:
            text = "“{x}”与“{y}”不能交叉：基数里“{y}”只有一个类别，或没有人选任何一项，没有分析。"
            report.warn("role.levels", text, x=names[one.id], y=names[by.id], columns=[by])
            continue
        base = answers(one, one.name).base(form.set_base) & (by.codes >= 0)
        used |= base if known is None else base & known
        found.append((whole, _layers(report, whole, names, counts, form)))
    for x in row_sets:
        for y in column_sets if found or (rows and columns) else []:
            text = "“{x}”与“{y}”都是多选题，不能直接交叉，没有分析；可以把其中一个的选项逐项放入。"
            report.warn("data.sets", text, x=names[x.id], y=names[y.id])
    return found


def _layers(
    report: Report, whole: AnswerCross, names: dict[str, str], counts: Any, form: Any
) -> list[AnswerCross]:  # fmt: skip
    if form.layer is None:
        return []
    inside, skipped = [], []
    for level, word in zip(form.layer.levels, level_words(form.layer.levels), strict=True):
        held = form.layer.codes == level.code
        one = cross_answers(whole.of, whole.by, names, whole.in_rows, held, counts, word, form)
        if one is None:
            skipped.append(word)
        else:
            inside.append(one)
    if skipped:
        text = "分层{which}没有足够的有效数据（不足两组，或没有人选），已跳过。"
        report.warn("data.skipped", text, which="".join(f"“{w}”" for w in skipped), columns=[form.layer])
    return inside


def only_sets(form: Any) -> Refusal | None:
    """Nothing could be crossed, and sets are why; None where no set is there."""
    (rows, row_sets), (columns, column_sets) = apart(form.rows), apart(form.columns)
    if row_sets and column_sets and not (rows and columns):
        singly = [*(column.id for column in columns), *(c.id for one in column_sets for c in one.columns)]
        return Refusal(
            "data.sets",
            "“{x}”与“{y}”都是多选题，不能直接交叉。请在一个框里改放分类变量，或把其中一个的选项逐项放入",
            field="columns", also=["rows"], x=row_sets[0].title, y=column_sets[0].title,
            remedies=[SetRemedy(title=f"逐项加入“{column_sets[0].title}”", set={"columns": singly})],
        )  # fmt: skip
    if row_sets or column_sets:
        one, key = (row_sets[0], "rows") if row_sets else (column_sets[0], "columns")
        text = "“{x}”不能交叉：答题的人都在同一组里，或没有人选任何一项。请换一个分组变量，或放宽筛选条件"
        return Refusal("data.empty", text, field=key, also=[k for k in ("rows", "columns") if k != key], x=one.title)
    return None
