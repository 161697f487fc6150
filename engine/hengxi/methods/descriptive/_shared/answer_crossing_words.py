"""What is said about a question of several answers against categories."""

from __future__ import annotations

from typing import Any

from hengxi.contract import Report, SetRemedy, figure, more
from hengxi.contract.shapes import State
from hengxi.methods.descriptive._shared.answer_crossing import PEOPLE, AnswerCross
from hengxi.stats.answer_sets import BASES

Crossed = list[tuple[AnswerCross, list[AnswerCross]]]
NAMED = 3


def facts_of(one: AnswerCross) -> dict[str, Any]:
    """The option told of: where shares differ, the one that differs most among those found, else among all."""
    tested = [i for i, p in enumerate(one.corrected) if p is not None]
    among = one.found or tested or list(range(len(one.options)))
    i = max(among, key=lambda at: float(one.shares[at].max() - one.shares[at].min()))
    high, low = int(one.shares[i].argmax()), int(one.shares[i].argmin())
    return {
        "v": one.name, "y": one.group, "o": one.options[i], "high": one.groups[high], "low": one.groups[low],
        "s1": float(one.shares[i, high]), "s0": float(one.shares[i, low]), "holm": one.corrected[i],
        "least": one.least_p, "k": len(one.found), "tested": len(tested), "all": len(one.options), "n": one.n,
        "alpha": 1 - one.form.conf_level, "whom": BASES[one.form.set_base],
        "which": "".join(f"“{one.options[j]}”" for j in one.found[:NAMED]),
    }  # fmt: skip


def conclusion(one: AnswerCross, inside: list[AnswerCross]) -> tuple[str, dict[str, Any]]:
    facts = facts_of(one)
    end = "“{o}”的普及率差别最大：“{high}”组 {s1:percent1}，“{low}”组 {s0:percent1}"
    if facts["tested"] == 0:
        text = "“{v}”的每个选项不是没有人选，就是人人都选，不能检验与“{y}”的关系。"
    elif one.found:
        more_of = "等 {k:integer} 项" if len(one.found) > NAMED else ""
        text = f"“{{y}}”不同的人，选“{{v}}”中{{which}}{more_of}的比例不同（逐项检验，Holm 校正）。{end}"
        text += "（校正后 *p* {holm:peq}）。"
    else:
        text = "“{v}”各选项的普及率，在“{y}”各组之间没有发现明显差异（逐项检验，校正后最小的 *p* {least:peq}）。"
        text += f"{end}，这样的差别也可能只是抽样误差。" if facts["s1"] > facts["s0"] else ""
    if inside:
        yes = sum(bool(part.found) for part in inside)
        facts["yes"], facts["layers"] = yes, len(inside)
        text += (
            "分成 {layers:integer} 层后，有 {yes:integer} 层发现差异。"
            if yes
            else "分成 {layers:integer} 层后，各层也没有发现差异。"
        )
    used = {name: value for name, value in facts.items() if f"{{{name}" in text}
    return text, used


def figures(one: AnswerCross) -> list[Any]:
    """Of the only pair; its facts carry the mark s0."""
    facts = facts_of(one)
    if facts["tested"] == 0:
        return []
    return [
        figure("差别最大的选项", "{o_s0:text}", "“{high_s0}”{s1_s0:percent1}，“{low_s0}”{s0_s0:percent1}"),
        figure("检验", "*p* {holm_s0:peq}", "Holm 校正后"),
    ]


def figure_facts(one: AnswerCross) -> dict[str, Any]:
    facts = facts_of(one)
    return {f"{key}_s0": facts[key] for key in ("o", "high", "s1", "low", "s0", "holm")} if facts["tested"] else {}


def voices(report: Report, one: AnswerCross, inside: list[AnswerCross]) -> None:
    text, facts = conclusion(one, inside)
    every = {**facts_of(one), **facts}
    report.say(
        f"“{{v}}”是多选题，先看普及率：同一个选项在“{{y}}”各组里有多少人选。{text}一个人可以选几项，"
        "所以整张表不能做一个 χ² 检验，要逐项看。",
        voice="student",
        **every,
    )
    report.say(
        f"以{{whom}}且“{{y}}”有值者为基数（*N* = {{n:integer}}），对“{{v}}”的 {{tested:integer}} 个选项逐项检验"
        f"选择与“{{y}}”的关联，*p* 值用 Holm 法校正（α = {{alpha:alpha}}）。{text}",
        voice="paper",
        **every,
    )
    report.say(text, voice="brief", **facts)


def notes(report: Report, cls: Any, crossed: Crossed, form: Any) -> None:
    weights = "频数为权重“{w:text}”的合计。" if form.weight else ""
    report.note(
        cls.choices,
        "响应率 = 该项被选次数 ÷ 该组全部选择次数，合计 100%。普及率 = 选该项的人数 ÷ 该组的人数；"
        f"一个人可以选几项，合计可以超过 100%。“{PEOPLE}”是{{whom:text}}。{weights}",
        whom=BASES[form.set_base],
        w=form.weight.title if form.weight else "",
    )
    report.note(
        cls.option_tests,
        "一个人可以选几项，会被数几次，整张表的 χ² 检验不成立。这里对每个选项检验“选、不选”与各组的关联，"
        "再用 Holm 法校正 *p*；有一项校正后小于 {alpha:alpha}，就可以说选择与分组有关（Bilder 等，2000）。",
        alpha=1 - form.conf_level,
    )
    if any(test is None for whole, inside in crossed for part in (whole, *inside) for test in part.tests):
        report.note(cls.option_tests, "没有人选、或人人都选的选项不能检验。")
    report.note(cls.reached, "各条是该组里选这一项的人的比例（普及率）。")


def check(report: Report, crossed: Crossed) -> None:
    """How many tests had too few people, and what was done."""
    every = [test for whole, inside in crossed for part in (whole, *inside) for test in part.tests if test is not None]
    sparse = [test for test in every if test.wanted == "exact"]
    undone = [test for test in sparse if test.exact is None]
    state: State = "fail" if undone else "care" if sparse else "pass"
    text = "{all:integer} 个逐项检验中，{few:integer} 个的期望频数太小，" if sparse else "各选项的期望频数足够。"
    text += "而精确检验没有打开，*p* 不可靠。" if undone else "已改用精确检验。" if sparse else ""
    report.check(
        "多选题的期望频数",
        state,
        text,
        more=more(
            "χ² 检验用连续分布近似离散的频数，选的人（或不选的人）太少时不准。",
            "一共 {all:integer} 个检验，期望频数太小的有 {few:integer} 个。",
            "期望频数小于 5 的单元格超过 20%，或有小于 1 的（参考标准，Cochran，1954），χ² 的 *p* 不可靠。",
            "采用精确检验；或把很少人选的选项合并成“其他”。",
        ),
        remedies=[SetRemedy(title="打开精确检验", set={"exact": True})] if undone else [],
        all=len(every),
        few=len(sparse),
    )
