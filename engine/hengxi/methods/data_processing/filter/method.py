"""Rows of a condition. What is missing never satisfies it: such rows are counted, kept by 删除 and dropped by 保留."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from hengxi.contract import (
    ColumnToBe,
    Deals,
    Expression,
    Form,
    Processing,
    Refusal,
    Report,
    Table,
    choice,
    figure,
    formula,
    integer,
    percent,
    text,
)
from hengxi.contract.expressions import TRUE, UNKNOWN

FLAG = "filter_$"
Rows = npt.NDArray[np.int64]


class Filter(Processing):
    """Which rows stay, and how many each single condition takes."""

    title, title_en = "数据筛选", "Filter cases"
    family, tier = "数据处理", "standard"
    purpose = "只保留满足条件的个案"
    aliases = ("筛选个案", "子集", "剔除", "select cases")
    references = ("wickham2014", "wilson2017")
    conventions = (
        "条件用到的变量有缺失、因而不能判断真假的行不算满足条件：“保留”时不留下，“删除”时不删去，个数在表中给出。",
        "比较的是存储的取值，不是取值标签；文字区分大小写。",
        "“前N行”按数据现有的次序取；“随机N行”不放回抽取，保持原来的次序。",
    )
    random = True
    row_order = True
    deals_with: ClassVar[Deals] = {"rows": {"filter_type": "drop"}}
    pool = True

    class Input(Form):
        condition: Expression = formula("筛选条件", kind="condition", hint="可用 且、或、非 和括号嵌套")
        filter_type: str = choice(
            "筛选方式",
            {"keep": "保留满足者", "drop": "删除满足者", "flag": "仅加filter_$标记"},
        )
        take: str = choice("再从中取", {"all": "全部", "first": "前N行", "random": "随机N行"})
        take_value: int = integer("行数N", None, least=1, most=100_000_000, when={"take": ("first", "random")})

    result = Table(
        "筛选结果", condition=text("条件"), way=text("方式"), rows=integer("参与行数"), n=integer("命中行数"),
        share=percent("命中占比"), unknown=integer("条件缺失行数"), kept=integer("保留行数"),
        kept_share=percent("保留占比"), layout="record",
    )  # fmt: skip
    conditions = Table(
        "逐条件命中数", condition=text("条件"), n=integer("命中行数"), share=percent("占比"),
        unknown=integer("条件缺失行数"),
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"筛选：{form.condition.words}"

    @classmethod
    def schema(cls, form: dict[str, Any], columns: Any) -> list[ColumnToBe]:
        return [ColumnToBe(name=FLAG, measure="定类", source=None)] if form["filter_type"] == "flag" else []

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        truth = form.condition.truth
        chosen = np.flatnonzero(truth != TRUE if form.filter_type == "drop" else truth == TRUE)
        taken = cls._take(report, chosen, form)
        if not len(taken):
            raise Refusal("data.none_left", "没有满足条件的数据，未生成新版本", field="condition")
        if form.filter_type == "flag":
            marks = np.zeros(len(truth))
            marks[taken] = 1.0
            report.make(FLAG, marks, measure="定类", label=form.condition.words[:200],
                        levels=[(0, "未选中"), (1, "选中")])  # fmt: skip
        else:
            report.take(taken, cls._left_out(form) if len(taken) == len(chosen) else None)
        cls._tables(report, form, len(taken))
        cls._say(report, form, len(taken))
        return report

    @classmethod
    def _take(cls, report: Report, chosen: Rows, form: Any) -> Rows:
        if form.take == "all":
            return chosen
        wanted = form.take_value
        if len(chosen) <= wanted:
            if len(chosen) < wanted:
                text_ = "可取的只有 {n:integer} 行，不足 {wanted:integer} 行，已全部保留。"
                report.warn("data.fewer", text_, n=len(chosen), wanted=wanted)
            return chosen
        return chosen[:wanted] if form.take == "first" else np.sort(form.rng.choice(chosen, wanted, replace=False))

    @classmethod
    def _left_out(cls, form: Any) -> str:
        """What cannot be judged is not met: it is kept by 删除 and left out by 保留."""
        source: str = form.condition.source
        return source if form.filter_type == "drop" else f"not nvl(({source}), 1 = 0)"

    @classmethod
    def _tables(cls, report: Report, form: Any, kept: int) -> None:
        ways = cls.Input.fields["filter_type"].options  # type: ignore[attr-defined]
        way = next(option.title for option in ways if option.key == form.filter_type)
        total = len(form.condition.truth)
        n, unknown = _counts(form.condition)
        report.row(
            cls.result, condition=form.condition.words, way=way, rows=total, n=n, share=n / total, unknown=unknown,
            kept=kept, kept_share=kept / total,
        )  # fmt: skip
        for part in form.condition.parts or [form.condition]:
            hits, gone = _counts(part)
            report.row(cls.conditions, condition=part.words, n=hits, share=hits / total, unknown=gone)
        report.note(cls.conditions, "每个条件单独计数，互相可以重叠；“条件缺失”是用到的变量有缺失、不能判断的行。")

    @classmethod
    def _say(cls, report: Report, form: Any, kept: int) -> None:
        n, unknown = _counts(form.condition)
        facts: dict[str, Any] = {
            "condition": form.condition.words, "total": len(form.condition.truth), "n": n, "unknown": unknown,
            "kept": kept, "share": n / len(form.condition.truth), "kept_share": kept / len(form.condition.truth),
        }  # fmt: skip
        done = {
            "keep": "新版本保留 {kept:integer} 行",
            "drop": "删除后新版本有 {kept:integer} 行",
            "flag": f"新变量“{FLAG}”把其中 {{kept:integer}} 行标为 1，行数不变",
        }[form.filter_type]
        hit = "{total:integer} 行中有 {n:integer} 行（{share:percent1}）满足条件（{condition}）"
        # Where there were no more rows than wanted, none was left out.
        available = len(form.condition.truth) - n if form.filter_type == "drop" else n
        if form.take != "all" and kept < available:
            facts |= {"taken": kept, "seed": str(form.seed)}
            how = (
                "按现有次序取前 {taken:integer} 行"
                if form.take == "first"
                else "从中随机取 {taken:integer} 行（种子 {seed:text}）"
            )
            done = f"再{how}，{done}" if form.filter_type != "drop" else f"去掉它们后再{how}，{done}"
        report.lead(
            f"{hit}，{done}。",
            [
                figure("命中", "{n:integer}", "占 {share:percent1}"),
                figure("标记" if form.filter_type == "flag" else "保留", "{kept:integer}", "占 {kept_share:percent1}"),
            ],
            **facts,
        )
        missing = ""
        if unknown:
            missing = "另有 {unknown:integer} 行因所用变量缺失不能判断，按不满足处理。"
            report.warn(
                "data.unknown", "{unknown:integer} 行的条件因缺失不能判断，按不满足处理。", unknown=unknown,
                columns=form.condition.columns,
            )  # fmt: skip
        marks = f"“{FLAG}”只作标记，行数不变；要只用选中的行，请再以它为条件筛选或分层。{missing}"
        cuts = (
            f"筛选只决定哪些行进入新版本，原来的版本不变，随时可以回去。{missing}"
            "筛掉的行若与留下的行不同，后面的结论只适用于留下的人群。"
        )
        report.say(
            marks if form.filter_type == "flag" else cuts,
            voice="student", **facts,
        )  # fmt: skip
        met = "{total:integer} 行中有 {n:integer} 行（{share:percent1}）满足条件"
        report.say(f"筛选条件：{{condition}}。{met}。{missing}{done}。", voice="paper", **facts)
        report.say(f"{hit}，{done}。", voice="brief", **facts)


def _counts(condition: Expression) -> tuple[int, int]:
    truth = condition.truth
    return int((truth == TRUE).sum()), int((truth == UNKNOWN).sum())
