"""Answers given without reading. Each rule is counted by itself, and nothing is judged by one number alone."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from hengxi.contract import (
    Column,
    ColumnToBe,
    Deals,
    Form,
    Level,
    Processing,
    Refusal,
    Report,
    Row,
    Table,
    choice,
    figure,
    integer,
    level,
    number,
    percent,
    role,
    rows_column,
    settings,
    text,
)
from hengxi.methods.data_processing._shared.careless import answers, longest_run, most_equal, repeats
from hengxi.methods.data_processing._shared.odd_values import mahalanobis_p
from hengxi.methods.data_processing._shared.rows import tell

MARK, TIMES = "无效样本", "触发规则数"
LISTED = 1000
Bools = npt.NDArray[np.bool_]


class InvalidSample(Processing):
    """A row is invalid where one of the rules holds; which, and how many, stands beside it."""

    title, title_en = "无效样本清理", "Screen invalid responses"
    family, tier = "数据处理", "standard"
    purpose = "找出乱答、漏答、答题过快的问卷"
    aliases = ("无效问卷", "直线作答", "乱答", "规律作答", "注意力检测", "测谎题", "careless", "longstring", "重复作答")
    references = ("meade2012", "curran2016", "huang2012")
    conventions = (
        "相同答案比例 = 最常选的答案的题数 / 答了的题数；连续相同按题项放入的先后，缺答会中断连续。",
        "缺失比例 = 没答的题数 / 题数；时长缺失不算过快。",
        "马氏距离用题项都有值的行，没有变异的题不参加，p 用 χ² 分布。题项不是数值时不用这一条。",
        "注意力检测题没有答或答错都算触发。重复标识：先出现的一份保留，后面的算重复；标识缺失不算重复。",
        "触发任一条规则就算无效。",
    )
    deals_with: ClassVar[Deals] = {
        "careless": {"same_ratio": 1, "longstring": None, "missing_ratio": None, "mahalanobis": 0, "action": "flag"}
    }
    row_order = True

    class Input(Form):
        items: list[Column] = role("题项", "任意", min=3, max=None, hint="按问卷里的先后放入")
        duration: Column | None = role("答题时长（秒，选填）", "定量", min=0)
        id: Column | None = role("去重标识（IP或手机，选填）", "任意", min=0)
        attention_items: list[Column] = role("注意力检测题（选填）", "任意", min=0, max=20, shared_with="items")
        attention: list[Row] = settings(
            "注意力检测题正确答案", of="attention_items", answer=level("正确答案", auto="first")
        )
        same_ratio: float | None = number("相同答案比例≥", 0.9, least=0.3, most=1, percent=True)
        longstring: int | None = integer("连续相同答案≥", 10, least=2, most=500)
        missing_ratio: float | None = number("缺失比例≥", 0.3, above=0, most=1, percent=True)
        min_seconds: float = number("时长低于（秒）", 60, least=0)
        mahalanobis: float = number("马氏距离p小于", 0.001, least=0, most=0.1, hint="填 0 不用这一条")
        action: str = choice("处理", {"flag": "仅标记", "drop": "删除"})

    result = Table(
        "无效样本汇总", rule=text("规则"), limit=text("界限"), hits=integer("命中数"), share=percent("占比"),
        alone=integer("只触发这一条"),
    )  # fmt: skip
    detail = Table(
        "无效样本明细", row=rows_column("行号"), rules=text("触发规则"), times=integer("规则数"), place="detail"
    )

    @classmethod
    def schema(cls, form: dict[str, Any], columns: Any) -> list[ColumnToBe]:
        if form["action"] != "flag":
            return []
        return [ColumnToBe(name=MARK, measure="定类", source=None), ColumnToBe(name=TIMES, measure="定量", source=None)]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        rows = len(form.items[0])
        rules = cls._rules(report, form)
        if not rules:
            raise Refusal("rules.none", "没有可用的规则，请至少填写一条", field="same_ratio")
        times = np.sum([hits for _, _, hits in rules], axis=0)
        bad = times > 0
        k = int(bad.sum())
        if k == rows:
            raise Refusal("data.none_left", "所有样本都被判为无效，请放宽规则", field="same_ratio")
        for name, limit, hits in rules:
            n = int(hits.sum())
            report.row(
                cls.result, rule=name, limit=limit, hits=n, share=n / rows, alone=int((hits & (times == 1)).sum())
            )
        report.row(cls.result, total=True, rule="合计（任一条）", hits=k, share=k / rows, alone=int((times == 1).sum()))
        for row in np.flatnonzero(bad)[:LISTED].tolist():
            words = "、".join(name for name, _, hits in rules if hits[row])
            report.row(cls.detail, row=int(form.items[0].row_numbers[row]), rules=words, times=int(times[row]))
        if not k:
            report.skip(cls.detail, "没有无效样本。")
        elif k > LISTED:
            report.note(cls.detail, "只列前 1000 份。")
        if form.action == "drop":
            report.take(np.flatnonzero(~bad))
        else:
            report.make(MARK, bad.astype(float), measure="定类", levels=[(0, "有效"), (1, "无效")])
            report.make(TIMES, times.astype(float), measure="定量")
        cls._say(report, form, rows, k, int((times > 1).sum()))
        return report

    # ---- the rules --------------------------------------------------------------------------------------------------
    @classmethod
    def _rules(cls, report: Report, form: Any) -> list[tuple[str, str, Bools]]:
        coded = answers(form.items)
        most, answered = most_equal(coded)
        k = len(form.items)
        rules: list[tuple[str, str, Bools]] = []
        if form.same_ratio is not None:
            share = most / np.maximum(answered, 1)
            hits = (answered > 1) & (share >= form.same_ratio - 1e-12)
            rules.append(("相同答案过多", f"≥ {form.same_ratio:.0%}", hits))
        if form.longstring is not None:
            if form.longstring > k:
                text_ = "只有 {k:integer} 题，不会有 {limit:integer} 题连续相同，这一条没有作用，请改小。"
                report.warn("rule.idle", text_, k=k, limit=form.longstring)
            rules.append(("连续相同", f"≥ {form.longstring} 题", longest_run(coded) >= form.longstring))
        if form.missing_ratio is not None:
            gone = (k - answered) / k >= form.missing_ratio - 1e-12
            rules.append(("漏答过多", f"≥ {form.missing_ratio:.0%}", gone))
        if form.duration is not None:
            rules.append(("答题过快", f"< {form.min_seconds:g} 秒", form.duration.numbers < form.min_seconds))
        if form.mahalanobis > 0:
            far = cls._far(report, form)
            if far is not None:
                rules.append(("马氏距离", f"p < {form.mahalanobis:g}", far))
        for row in form.attention or []:
            right: Level = row.answer
            rules.append((f"检测题“{row.column.title}”", f"≠ {right.label}", ~row.column.where(right)))
        if form.id is not None:
            rules.append(("重复标识", form.id.title, repeats(form.id)))
        return rules

    @classmethod
    def _far(cls, report: Report, form: Any) -> Bools | None:
        used = [one for one in form.items if one.is_number and one.varies]
        if len(used) < 2:
            report.warn("rule.no_distance", "有变异的数值题项不足 2 题，没有用马氏距离。")
            return None
        block = np.column_stack([one.numbers for one in used])
        whole = ~np.isnan(block).any(axis=1)
        found = np.zeros(len(block), dtype=np.bool_)
        try:
            found[whole] = mahalanobis_p(block[whole]) < form.mahalanobis
        except ValueError:
            report.warn("rule.singular", "题项之间完全相关或全部作答的行太少，没有用马氏距离。")
            return None
        return found

    @classmethod
    def _say(cls, report: Report, form: Any, rows: int, k: int, several: int) -> None:
        facts: dict[str, Any] = {"rows": rows, "k": k, "share": k / rows, "several": several, "kept": rows - k}
        if not k:
            text_ = "没有触发规则，不等于每份都认真作答。"
            tell(report, "{rows:integer} 份中没有发现无效样本。", text_, [], **facts)
            return
        end = f"已在变量“{MARK}”中标为 1。" if form.action == "flag" else "已删除，留下 {kept:integer} 份。"
        done = f"{{rows:integer}} 份中有 {{k:integer}} 份无效（{{share:percent1}}），{end}"
        student = "触发几条规则的更可疑：有 {several:integer} 份触发了两条以上。只触发一条的，请看原始答卷再决定。"
        student += "论文里要写明规则、界限和剔除的份数。"
        if form.mahalanobis > 0:
            student += "马氏距离大只说明答案组合少见，不一定是乱答。"
        tell(report, done, student, [figure("无效", "{k:integer}", "共 {rows:integer} 份")], **facts)
