"""One proportion against a value: what the exact test and the test of large samples share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

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
    Table,
    alternative,
    confidence,
    counted,
    figure,
    interval,
    num,
    number,
    percent,
    role,
    text,
)
from hengxi.families.counts.sides import SIDE_WORDS, span
from hengxi.methods.hypothesis_test._shared import many_tests, target
from hengxi.stats import proportions

SPAN = "percent1"


class OneProportion(Method):
    """A member declares its `result` table and gives its row in `test`, with p and the interval it reads."""

    family, tier = "率与计数检验", "standard"
    weights = ("frequency",)
    missing = "each"

    NAME: ClassVar[str]

    class Input(Form):
        variables: Column = role("二分变量", "定类", each=True)
        weight: Column | None = counted()
        p0: float = number("检验比例", 0.5, above=0, below=1, hint="拿样本比例和它比较，如 0.5")
        success: Level | None = target.field("variables")
        alternative: str = alternative("大于、小于都指样本比例对检验比例")
        conf_level: float = confidence()

    effects = Table(
        "效应量", effect=text("效应量"), value=num("估计"), ci=interval("CI", "low", "high", around="value")
    )
    shares = Points("比例", label=text("类别"), share=percent("比例"), low=percent("下限"), high=percent("上限"))
    plot = Chart("比例与检验比例", "bar", of=shares, x="label", y="share", low="low", high="high", place="main")

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{form.about}的{cls.title}"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        start = {"variables": form["variables"], "weight": form.get("weight")}
        return [NextStep(title="看各类别的频数和比例（频数分析）", method="descriptive/frequency", form=start)]

    @classmethod
    def test(cls, report: Report, form: Any, word: str, count: int, n: int) -> dict[str, Any]:
        """Writes the row; gives back p, low, high, and name of the test with its statistic as a template."""
        raise NotImplementedError

    @classmethod
    def run(cls, form: Any) -> Report:
        report = Report()
        aim = target.target(form.variables, form.success, "variables")
        hits, n = aim.counts(target.weights_of(form))
        if n < 1:
            raise Refusal("data.few", "“{v}”没有有效数据", field="variables", column=form.variables.id, v=form.about)
        found = cls.test(report, form, aim.word, int(hits), int(n))
        share, side, level = hits / n, form.alternative, form.conf_level
        h = proportions.cohen_h(share, form.p0)
        ends = [proportions.cohen_h(end, form.p0) for end in (found["low"], found["high"])]
        report.row(cls.effects, effect="Cohen's h", value=h, low=ends[0], high=ends[1])
        if form.p0 == 0.5:
            low, high = found["low"] - 0.5, found["high"] - 0.5
            report.row(cls.effects, effect="Cohen's g", value=share - 0.5, low=low, high=high)
        report.row(cls.shares, label=aim.word, share=share, low=found["low"], high=found["high"])
        report.chart(
            cls.plot, titles={"x": form.variables.title, "y": "比例"}, over=[Reference(y=form.p0, label="检验比例")]
        )
        cls._words(
            report, form, aim.word, found, {"share": share, "n": n, "count": hits, "h": h, "level": level, "side": side}
        )
        report.check("个案独立", "unknown", "每人（每次）只能计一次，彼此互不影响，请按调查方式自行判断。")
        return report

    @classmethod
    def _words(cls, report: Report, form: Any, word: str, found: dict[str, Any], facts: dict[str, Any]) -> None:
        side = facts.pop("side")
        facts |= {"v": form.variables.title, "c": word, "p0": form.p0, **found["facts"]}
        yes = found["facts"]["p"] < 1 - form.conf_level
        facts |= {"low": found["low"], "high": found["high"]}
        ends = span(side, SPAN)
        where = {"two_sided": "高于" if facts["share"] > form.p0 else "低于", "greater": "高于", "less": "低于"}[side]
        lead = f"“{{v}}”为“{{c}}”的比例是 {{share:percent1}}（{ends}），"
        if yes:
            lead += f"{where}检验比例 {{p0:percent1}}，差异有统计学意义（{found['test']}）。"
        elif side == "two_sided":
            lead += f"与检验比例 {{p0:percent1}} 没有发现明显差异（{found['test']}）。"
        else:
            lead += f"没有发现{where}检验比例 {{p0:percent1}}（{found['test']}）。"
        report.lead(lead, [figure("比例", "{share:percent1}", ends), figure("检验", "*p* {p:peq}", cls.NAME)], **facts)
        student = "真实比例可能在区间里的任何地方。"
        student += ("样本比例与检验比例的差别不像是碰巧。") if yes else "“没有发现差异”不等于真实比例就是检验比例。"
        report.say(f"{{n:integer}} 例中有 {{count:integer}} 例是“{{c}}”。{student}", voice="student", **facts)
        word_of = "有" if yes else "没有"
        verdict = f"与 {{p0:percent1}} 的差异{word_of}统计学意义"
        if side != "two_sided":
            # A one-sided test says nothing of the other direction, however large the difference there.
            verdict = f"单侧检验{'支持' if yes else '没有发现'}{where} {{p0:percent1}}"
        report.say(
            f"{cls.NAME}（{SIDE_WORDS[side]}）：“{{c}}”的比例为 "
            f"{{share:percent1}}（{{count:integer}}/{{n:integer}}，{ends}），"
            f"{verdict}，{found['test']}，Cohen's *h* = {{h:num}}。",
            voice="paper", **facts,
        )  # fmt: skip
        report.say(
            f"“{{c}}”占 {{share:percent1}}（{ends}），{verdict}（*p* {{p:peq}}）。",
            voice="brief", **facts,
        )  # fmt: skip

    @classmethod
    def joined(cls, report: Report, form: dict[str, Any]) -> None:
        """Several variables: what is left when their number is counted."""
        found = {row.cells["variable"]: row.cells["p"] for row in report.rows_of(cls.result)}  # type: ignore[attr-defined]
        many_tests.family(report, {name: p for name, p in found.items() if p is not None}, 1 - form["conf_level"])
