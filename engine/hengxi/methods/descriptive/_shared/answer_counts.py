"""Counts of a question of which several options may be chosen: responses, cases, and what is said about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hengxi.contract import AnswerSet, Refusal, Report, figure, more
from hengxi.contract.shapes import State
from hengxi.stats.answer_sets import BASES, answers, weighted
from hengxi.stats.moments import Floats
from hengxi.stats.proportions import wilson

LISTED = 6
MUCH_MISSING = 0.2


@dataclass(frozen=True)
class AnswerCount:
    of: AnswerSet
    name: str
    options: list[str]
    n: list[float]
    """Cases that chose each option."""
    base: float
    outside: float
    """Cases that shares are not taken of."""
    weighted: bool

    @property
    def responses(self) -> float:
        return sum(self.n)

    @property
    def mean(self) -> float:
        return self.responses / self.base

    @property
    def best(self) -> list[int]:
        return [i for i, n in enumerate(self.n) if n == max(self.n)]

    @property
    def falling(self) -> list[int]:
        return sorted(range(len(self.n)), key=lambda i: -self.n[i])


def count(of: AnswerSet, name: str, counts: Floats | None, form: Any) -> AnswerCount:
    found = answers(of, name)
    base = found.base(form.set_base)
    n = [weighted(chosen & base, counts) for chosen in found.chosen]
    if sum(n) == 0:
        text = "多选题“{v}”没有任何选项被选中，无法计算响应率和普及率，请核对题集的“计数值”，或放宽筛选条件"
        raise Refusal("data.empty", text, field="variables", column=of.id, v=name)
    options = found.options
    if form.sort != "value":
        order = sorted(range(len(n)), key=lambda i: -n[i] if form.sort == "count_desc" else n[i])
        options, n = [options[i] for i in order], [n[i] for i in order]
    return AnswerCount(of, name, options, n, weighted(base, counts), weighted(~base, counts), counts is not None)


def tables(report: Report, cls: Any, one: AnswerCount, form: Any) -> None:
    for option, n in zip(one.options, one.n, strict=True):
        low, high = wilson(n, one.base, form.conf_level) if form.conf_interval else (None, None)
        report.row(
            cls.choices, name=one.name, level=option, n=n, responses=n / one.responses, cases=n / one.base,
            low=low, high=high,
        )  # fmt: skip
        if "bar" in form.chart:
            report.row(cls.reach, at=one.name, level=option, cases=n / one.base)
    report.row(
        cls.choices, total=True, name=one.name, level="合计", n=one.responses, responses=1.0, cases=one.mean
    )  # fmt: skip
    report.row(
        cls.respondents, name=one.name, base=one.base, outside=one.outside, responses=one.responses, mean=one.mean
    )


def notes(report: Report, cls: Any, form: Any) -> None:
    report.note(
        cls.choices,
        "响应率 = 该项被选次数 ÷ 全部选择次数，各项合计 100%。普及率 = 选该项的人数 ÷ {base:text}；"
        "一个人可以选几项，合计可以超过 100%。",
        base=BASES[form.set_base],
    )
    if form.conf_interval:
        report.note(cls.choices, "普及率的 CI 的置信水平为 {level:percent}，Wilson 法。", level=form.conf_level)
    report.note(
        cls.respondents, "基数是{base:text}；部分选项空白的，空白按没选算。", base=BASES[form.set_base]
    )  # fmt: skip


# ---- sentences -----------------------------------------------------------------------------------------------------
def facts_of(one: AnswerCount, form: Any) -> dict[str, Any]:
    best = one.best
    return {
        "v": one.name, "best": one.options[best[0]], "tied": "".join(f"“{one.options[i]}”" for i in best[:3]),
        "n": one.n[best[0]], "share": one.n[best[0]] / one.base, "base": one.base, "whom": BASES[form.set_base],
        "responses": one.responses, "mean": one.mean,
    }  # fmt: skip


def conclusion(one: AnswerCount, form: Any) -> tuple[str, dict[str, Any]]:
    facts = facts_of(one, form)
    end = "占{whom}（{base:integer} 人）的 {share:percent1}。平均每人选 {mean:num} 项。"
    if len(one.best) == len(one.n):
        return f"“{{v}}”的各个选项选的人一样多，各 {{n:integer}} 人，各{end}", facts
    if len(one.best) > 1:
        return f"“{{v}}”中并列最多的是{{tied}}，各 {{n:integer}} 人，各{end}", facts
    return f"“{{v}}”中选得最多的是“{{best}}”，{{n:integer}} 人，{end}", facts


def figures() -> list[Any]:
    """Of the only question; its facts carry the number 0."""
    return [
        figure("选得最多", "{best_0:text}", "{n_0:integer} 人"),
        figure("普及率", "{share_0:percent1}", "占{whom_0}"),
        figure("基数", "{base_0:integer}", "{whom_0}"),
        figure("人均选择", "{mean_0:num} 项", "共 {responses_0:integer} 次选择"),
    ]


def voices(report: Report, one: AnswerCount, form: Any) -> None:
    facts = facts_of(one, form)
    main, _ = conclusion(one, form)
    report.say(
        f"“{{v}}”是多选题，一个人可以选几项。{main}“响应率”看每一项占全部 {{responses:integer}} 次选择的多少；"
        "“普及率”看有多少人选了它，比较各项受欢迎的程度看普及率。",
        voice="student",
        **facts,
    )
    cells: dict[str, Any] = {}
    for place, i in enumerate(one.falling[:LISTED]):
        cells |= {f"l{place}": one.options[i], f"n{place}": one.n[i], f"s{place}": one.n[i] / one.base}
    listed = "；".join(f"“{{l{i}}}”{{n{i}:integer}} 人（{{s{i}:percent1}}）" for i in range(min(len(one.n), LISTED)))
    tail = "，其余见表" if len(one.n) > LISTED else ""
    weights = "按权重合计，" if one.weighted else ""
    report.say(
        f"{weights}多选题“{{v}}”以{{whom}}为基数（*N* = {{base:integer}}），共 {{responses:integer}} 次选择。"
        f"普及率由高到低：{listed}{tail}。",
        voice="paper",
        **facts,
        **cells,
    )
    report.say(main, voice="brief", **facts)


def check(report: Report, counted: list[AnswerCount], form: Any) -> None:
    worst = max(counted, key=lambda one: one.outside / (one.outside + one.base))
    share = worst.outside / (worst.outside + worst.base)
    state: State = "care" if share > MUCH_MISSING else "pass"
    text = "“{v}”有 {outside:integer} 个个案不在基数里，占 {share:percent1}。"
    if worst.outside == 0:
        text = "全部个案都在多选题的基数里。"
    elif state == "care":
        text += "普及率只代表{whom}。"
    report.check(
        "多选题的基数",
        state,
        text,
        more=more(
            "普及率是选了某项的人占基数的比例，基数不同，普及率就不同。",
            "“{v}”的基数是{whom}，{base:integer} 个个案；不在基数里的 {outside:integer} 个。",
            "空白若表示没选，而基数里没有他们，普及率会偏高。",
            "弄清空白是没选还是没答；空白就是没选时，把“普及率的基数”改为“全部个案”。",
        ),
        v=worst.name,
        whom=BASES[form.set_base],
        outside=worst.outside,
        base=worst.base,
        share=share,
    )
