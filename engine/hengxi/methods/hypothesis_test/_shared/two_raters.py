"""Two raters of the same cases: what simple and weighted κ share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Form,
    Method,
    NextStep,
    Points,
    Refusal,
    Report,
    StepRemedy,
    Table,
    Wide,
    claim,
    combo,
    confidence,
    counted,
    figure,
    interval,
    num,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.interpret import landis1977
from hengxi.stats import agreement, square_table
from hengxi.stats.agreement import Kappa
from hengxi.stats.frequencies import frequencies
from hengxi.stats.square_table import Square

MOST_LEVELS = 50
HIGH, LOW = 0.8, 0.6
"""Agreement so common that so low a κ surprises."""


class TwoRaters(Method):
    """A member chooses which κ the conclusion reads."""

    family, tier = "一致性检验", "standard"
    weights = ("frequency",)

    class Input(Form):
        rater1: Column = role("评估者1", "定类")
        rater2: Column = role("评估者2", "定类")
        weight: Column | None = counted()
        conf_level: float = confidence()

    cross = Table(
        "一致性交叉表",
        first=text("评估者1"),
        layout=Wide(cell=combo("频数（%）", "n_percent", "n", "percent")),
        place="main",
    )
    result = Table(
        "Kappa结果", kind=text("Kappa"), read=text("采用"), kappa=num("κ"), ase=num("标准误（渐近）", least=0),
        ase0=num("H0标准误", least=0), z=num("*Z*"), p=pvalue(), ci=interval("CI", "low", "high", around="kappa"),
        strength=text("一致性强度"), place="main",
        claim=claim(
            "agreement", stat("*Z*", "z"), effect="kappa", interval="ci", outcome="rater2", by="rater1", read="read",
            names=("kind",),
        ),
    )  # fmt: skip
    rates = Table("一致率", measure=text("指标"), value=num("值"))
    cells = Points("混淆热力图", first=text("评估者1"), second=text("评估者2"), n=num("频数"))
    heat = Chart("混淆热力图", "heat", of=cells, row="first", column="second", value="n", place="main")

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{form.rater1.title}与{form.rater2.title}的一致性"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        start = {"before": form["rater1"], "after": form["rater2"], "weight": form.get("weight")}
        title = "看两人有没有一方总是偏高（McNemar、Bowker 检验）"
        return [NextStep(title=title, method="hypothesis_test/mcnemar_test", form=start)]

    # ---- for members -----------------------------------------------------------------------------------------------
    @classmethod
    def square(cls, report: Report, form: Any) -> Square:
        """The table of the two; says which categories only one of them used."""
        for column, field in ((form.rater1, "rater1"), (form.rater2, "rater2")):
            if column.distinct_least > MOST_LEVELS:
                raise Refusal(
                    "role.levels", (
                        "“{v}”的类别超过 {k} 个，"
                        "请先合并类别"
                    ), field=field, column=column.id, v=column.title,
                    k=MOST_LEVELS,
                    remedies=[StepRemedy(title="合并类别", step="data_processing/value_coding", columns=[column.id])],
                )  # fmt: skip
        held = square_table.square(form.rater1, form.rater2, frequencies(form.weight))
        if len(held.levels) < 2:
            raise Refusal(
                "data.constant", "两评估者都只给出一个类别，Kappa 无定义", field="rater2", also=["rater1"],
                column=form.rater2.id,
            )  # fmt: skip
        for names, who, other in ((held.only_second, "2", "1"), (held.only_first, "1", "2")):
            if names:
                report.warn(
                    "data.union", f"评估者{who}出现了评估者{other}没有的类别{{g}}，已按并集计算。",
                    g="".join(f"“{name}”" for name in names[:6]),
                )  # fmt: skip
        return held

    @classmethod
    def write_cross(cls, report: Report, form: Any, held: Square) -> None:
        n, rows, columns = held.n, held.table.sum(axis=1), held.table.sum(axis=0)
        for i, word in enumerate(held.words):
            wide: dict[Any, Any] = {
                one: {"n": held.table[i, j], "percent": held.table[i, j] / n} for j, one in enumerate(held.levels)
            }
            report.row(cls.cross, first=word, wide=wide | {"合计": {"n": rows[i], "percent": rows[i] / n}})
            for j, other in enumerate(held.words):
                report.row(cls.cells, first=word, second=other, n=held.table[i, j])
        wide = {one: {"n": columns[j], "percent": columns[j] / n} for j, one in enumerate(held.levels)}
        report.row(cls.cross, first="合计", total=True, wide=wide | {"合计": {"n": n, "percent": 1.0}})
        report.note(
            cls.cross, "行为“{a}”，列为“{b}”；百分比以全部 {n:integer} 例为分母。", a=form.rater1.title,
            b=form.rater2.title,
            n=n,
        )  # fmt: skip
        report.chart(cls.heat, titles={"row": form.rater1.title, "column": form.rater2.title})

    @classmethod
    def write_kappa(cls, report: Report, form: Any, name: str, one: Kappa, read: bool) -> None:
        low, high = one.interval(form.conf_level)
        report.row(
            cls.result, kind=name, read="采用" if read else "", kappa=one.value, ase=one.ase, ase0=one.ase0, z=one.z,
            p=one.p, low=low, high=high, strength=landis1977.agreement(one.value),
        )  # fmt: skip

    @classmethod
    def say(cls, report: Report, form: Any, held: Square, name: str, one: Kappa, plain: float) -> None:
        """`plain`: the share of cases the two rated alike."""
        low, high = one.interval(form.conf_level)
        facts: dict[str, Any] = {
            "kind": name, "kappa": one.value, "low": low, "high": high, "level": form.conf_level, "agree": plain,
            "n": held.n,
        }  # fmt: skip
        word = landis1977.agreement(one.value)
        span = "κ = {kappa:num}，{level:percent} CI {low:num} 到 {high:num}"
        tail = ""
        if one.p is not None:
            facts |= {"p": one.p, "z": one.z}
            tail = "，*Z* = {z:num}，*p* {p:peq}"
        strength = f"一致性{word}" if one.value >= 0 else "一致的程度比碰巧还低"
        report.lead(
            f"两人评定相同的占 {{agree:percent1}}；扣去碰巧相同的部分，{strength}（{{kind}}，{span}）。",
            [figure("κ", "{kappa:num}", "{level:percent} CI {low:num} 到 {high:num}"),
            figure("一致率", "{agree:percent1}")],
            **facts,
        )  # fmt: skip
        report.say(
            "κ 为 1 是完全一致，0 是与碰巧一样。*p* 只说明是否好于碰巧，一致得够不够要看 κ 和区间；"
            "强度的叫法是 Landis 和 Koch（1977）的参考标准。",
            voice="student",
        )  # fmt: skip
        report.say(
            f"{{n:integer}} 例的评定中，两人一致率为 {{agree:percent1}}，{{kind}} {span}{tail}，"
            f"{strength}（Landis 和 Koch，1977）。",
            voice="paper", **facts,
        )  # fmt: skip
        report.say(f"一致率 {{agree:percent1}}，κ = {{kappa:num}}，{strength}。", voice="brief", **facts)
        cls._paradox(report, held, one, plain)
        few_objects(report, round(float(held.n)))
        report.check("独立评定", "unknown", "两人应当各自评定、互不商量；每个对象只计一次。请按评定过程自行判断。")

    @classmethod
    def _paradox(cls, report: Report, held: Square, one: Kappa, plain: float) -> None:
        most = float((held.table.sum(axis=0) + held.table.sum(axis=1)).max() / (2 * held.n))
        facts: dict[str, Any] = {"agree": plain, "kappa": one.value, "most": most}
        if plain >= HIGH and one.value < LOW:
            report.check(
                "Kappa 悖论", "care",
                "一致率高达 {agree:percent1} 而 κ 只有 {kappa:num}：{most:percent1} 的评定集中在一类，"
                "碰巧相同的机会大，κ 被压低。"
                "请同时报告一致率和 PABAK。",
                **facts,
            )  # fmt: skip
        else:
            report.check(
                "Kappa 悖论", "pass", "没有出现一致率很高而 κ 很低的情形；评定最多的一类占 {most:percent1}。", most=most
            )


KINDS = {"simple": "简单 Kappa", "linear": "线性加权 Kappa", "quadratic": "平方加权 Kappa", "pabak": "PABAK"}


def of_kind(held: Square, kind: str) -> Kappa | None:
    """κ by its name."""
    if kind == "pabak":
        return agreement.pabak(held.table)
    return agreement.kappa(held.table, agreement.weights(kind, len(held.levels)))


FEW = 30


def few_objects(report: Report, n: int) -> None:
    """Said where it matters: with few objects an agreement may be luck, whatever the coefficient."""
    if n < FEW:
        report.check(
            "样本量", "care", "只评了 {n:integer} 个对象（不足 30），系数和区间都不稳定，请多评一些再下结论。", n=n
        )
