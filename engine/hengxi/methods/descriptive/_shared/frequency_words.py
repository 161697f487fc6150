"""What is said about counts: the mode and its share first, then the base and what is missing."""

from __future__ import annotations

from typing import Any

from hengxi.contract import Report, figure, more
from hengxi.contract.shapes import State
from hengxi.methods.descriptive._shared import answer_counts
from hengxi.methods.descriptive._shared.answer_counts import AnswerCount
from hengxi.methods.descriptive._shared.counting import Counted
from hengxi.stats.proportions import wilson

LISTED = 6
MUCH_MISSING = 0.2


def write(report: Report, found: list[Counted], answered: list[AnswerCount], form: Any) -> None:
    lines: list[str] = []
    facts: dict[str, Any] = {}
    told = [conclusion(one, form) for one in found[:LISTED]]
    told += [answer_counts.conclusion(one, form) for one in answered[: LISTED - len(told)]]
    for i, (text, more_facts) in enumerate(told):
        lines.append(_renamed(text, more_facts, i))
        facts |= {f"{key}_{i}": value for key, value in more_facts.items()}
    if (left := len(found) + len(answered) - len(told)) > 0:
        lines.append("其余 {left:integer} 个变量见频数表。")
        facts["left"] = left
    report.lead("\n".join(lines), _all_figures(found, answered, facts), **facts)
    for i, one in enumerate(found[:LISTED]):
        _voices(report, one, form, first=i == 0)
    for counted in answered[:LISTED]:
        answer_counts.voices(report, counted, form)


def _all_figures(found: list[Counted], answered: list[AnswerCount], facts: dict[str, Any]) -> list[Any]:
    if len(found) + len(answered) != 1:
        return []
    return _figures(found[0], facts) if found else answer_counts.figures()


def _renamed(text: str, facts: dict[str, Any], i: int) -> str:
    for key in facts:
        text = text.replace("{" + key + "}", "{" + f"{key}_{i}" + "}").replace("{" + key + ":", "{" + f"{key}_{i}:")
    return text


def facts_of(one: Counted, form: Any) -> dict[str, Any]:
    modes = one.modes
    top = one.n[modes[0]] if modes else 0.0
    facts: dict[str, Any] = {
        "v": one.name,
        "mode": one.levels[modes[0]] if modes else "",
        "modes": one.mode_text,
        "tied_names": one.mode_names,
        "n": top,
        "share": top / one.valid if one.valid else 0.0,
        "valid": one.valid,
        "all": one.all,
        "lost": one.lost,
        "lost_share": one.lost / one.all if one.all else 0.0,
        "k": one.distinct,
        "tied": len(modes),
    }
    if form.conf_interval and one.valid:
        facts["level"] = form.conf_level
        facts["low"], facts["high"] = wilson(top, one.valid, form.conf_level)
    return facts


def conclusion(one: Counted, form: Any) -> tuple[str, dict[str, Any]]:
    facts = facts_of(one, form)
    ci = "，{level:percent} CI {low:percent1} 到 {high:percent1}" if "level" in facts else ""
    lost = "另有 {lost:integer} 例缺失，占全部的 {lost_share:percent1}。" if facts["lost"] > 0 else ""
    if not one.levels:
        return "“{v}”没有有效值，{lost:integer} 例全部缺失。", facts
    if len(one.levels) == 1:
        return f"“{{v}}”只有一个取值“{{mode}}”，{{n:integer}} 例{ci}。{lost}", facts
    if len(one.modes) == len(one.n):
        each = "各占有效个案的" if lost else "各占"
        return f"“{{v}}”的 {{k:integer}} 类频数相同，各 {{n:integer}} 例，{each} {{share:percent1}}{ci}。{lost}", facts
    if len(one.modes) > 1:
        each = "各 {n:integer} 例，各占有效个案的 {share:percent1}"
        return f"“{{v}}”中并列最多的是{{tied_names}}，{each}{ci}。{lost}", facts
    what = "“{v}”最集中的一组是 {mode}" if one.grouped else "“{v}”中最多的是“{mode}”"
    if one.many_values and not one.grouped:
        what = "“{v}”有 {k:integer} 个不同取值，最多的是“{mode}”"
    return f"{what}，{{n:integer}} 例，占有效个案的 {{share:percent1}}{ci}。{lost}", facts


def _figures(one: Counted, facts: dict[str, Any]) -> list[Any]:
    if not one.levels:
        return []
    title = "最集中的一组" if one.grouped else "众数"
    ci = "{level_0:percent} CI {low_0:percent1} 到 {high_0:percent1}" if "level_0" in facts else "占有效个案"
    return [
        figure(title, "{modes_0:text}", "{n_0:integer} 例"),
        figure("占比", "{share_0:percent1}", ci),
        figure("有效个案", "{valid_0:integer}", "共 {all_0:integer} 例"),
        figure("缺失", "{lost_0:integer}", "占 {lost_share_0:percent1}"),
    ]


def _voices(report: Report, one: Counted, form: Any, first: bool) -> None:
    """What the columns of the table mean is said with the first variable only."""
    facts = facts_of(one, form)
    main, _ = conclusion(one, form)
    if not one.levels:
        for voice in ("student", "paper", "brief"):
            report.say(main, voice=voice, **facts)
        return
    base = "按权重合计，" if form.weight else ""
    divided = f"，分成 {len(one.levels)} {'组' if one.grouped else '类'}"
    if one.many_values and not one.grouped:
        divided = ""
    held = "加权后有 {valid:integer} 例有效" if form.weight else "有 {valid:integer} 个有效值"
    columns = (
        "“百分比”的分母包含缺失，“有效百分比”的分母只有有效值；没有缺失时两列相同。"
        "“累计百分比”是到这一行为止的合计，类别有先后次序时才有意义。"
    )
    report.say(f"“{{v}}”{held}{divided}。{main}" + (columns if first else ""), voice="student", **facts)
    missing = "缺失 {lost:integer} 例（{lost_share:percent1}）。" if facts["lost"] > 0 else "没有缺失。"
    listed = "；".join(
        f"“{{l{i}}}”{{n{i}:integer}} 例（{{s{i}:percent1}}）" for i in range(min(len(one.levels), LISTED))
    )
    # Of many, a paper names the most frequent; the table has them all in their order.
    many = len(one.levels) > LISTED
    named = sorted(range(len(one.n)), key=lambda i: -one.n[i])[:LISTED] if many else range(len(one.levels))
    cells: dict[str, Any] = {}
    for i, place in enumerate(named):
        cells |= {f"l{i}": one.levels[place], f"n{i}": one.n[place], f"s{i}": one.n[place] / one.valid}
    opening, tail = (f"频数最多的 {LISTED} {'组' if one.grouped else '类'}是", "，其余见表") if many else ("其中", "")
    report.say(
        f"{base}“{{v}}”的有效个案共 {{valid:integer}} 例，{missing}{opening}{listed}{tail}。百分比以有效个案为分母，"
        f"只描述这批数据。"
        "要推断总体，看抽样方式和置信区间。",
        voice="paper",
        **facts,
        **cells,
    )
    report.say(main, voice="brief", **facts)


def checks(report: Report, found: list[Counted]) -> None:
    worst = max(found, key=lambda one: one.lost / one.all if one.all else 0.0)
    lost = worst.lost
    share = lost / worst.all if worst.all else 0.0
    state: State = "care" if share > MUCH_MISSING else "pass"
    text = (
        "没有缺失值。"
        if lost == 0
        else ("“{v}”缺失 {lost:integer} 例" if len(found) == 1 else "缺失最多的是“{v}”：{lost:integer} 例")
        + "，占 {share:percent1}。"
        + ("缺失较多，有效百分比只代表有值的个案。" if state == "care" else "")
    )
    report.check(
        "缺失",
        state,
        text,
        more=more(
            "有效百分比把缺失排除在外；缺失的个案若与有值的不同，有效百分比就会偏。",
            "“{v}”全部 {all:integer} 例，缺失 {lost:integer} 例（{share:percent1}）。",
            "缺失不多时影响有限；超过两成时（参考标准），应同时报告百分比与有效百分比。",
            "查明缺失的原因；跳答题应只在该答的人里统计；拒答与空白分别设缺失码。",
        ),
        v=worst.name,
        lost=lost,
        share=share,
        all=worst.all,
    )
