"""What is said about one variable and its groups: the middle first, then the spread, then the shape."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Report, figure
from hengxi.contract.facts import rename
from hengxi.interpret import bulmer1979
from hengxi.methods.descriptive._shared.describing import TITLES, Description
from hengxi.stats.names import short

LISTED = 6
WHOLE_MOST = 1e9
"""Greater numbers are written in powers of ten, whatever decimals they have."""
FORMATS = {"n": "integer", "missing": "integer", "cv": "percent1"}
Z = 1.96
"""Below this multiple of its standard error a skewness is not told from 0."""
ALIKE = 0.01
"""Groups whose means lie nearer than this share of a standard deviation read alike."""
NEAR = 0.1
"""Mean and median within this share of a standard deviation are called close."""


def write(report: Report, whole: list[Description], parts: list[list[Description]], form: Any) -> None:
    lines: list[str] = []
    facts: dict[str, Any] = {}
    if together := _together(whole, form):
        lines.append(together[0])
        facts |= together[1]
    for i, (one, inside) in enumerate(zip(whole[:LISTED], parts, strict=False)):
        text, own = conclusion(one, inside, form)
        lines.append(rename(text, f"_{i}"))
        facts |= {f"{key}_{i}": value for key, value in own.items()}
    if len(whole) > LISTED:
        lines.append("其余 {left:integer} 个变量见总体描述结果表。")
        facts["left"] = len(whole) - LISTED
    if form.group:
        lines.append("这里只描述样本；各组是否真有差异，请作 t 检验或方差分析。")
    report.lead("\n".join(lines), _figures(whole[0], form, facts) if len(whole) == 1 else [], **facts)
    shown = [one for one in whole if one.m is not None][:LISTED]
    for one in shown:
        facts = facts_of(one, form)
        report.say(_student(one), voice="student", **facts)
        report.say(_paper(one), voice="paper", **facts)
        report.say(_brief(one), voice="brief", **facts)
    if form.group:
        _groups(report, whole, parts, form)


SCALE_MOST = 10
"""Answers on scales end here: beyond, a mean that is higher says nothing about which variable is more."""


def _together(whole: list[Description], form: Any) -> tuple[str, dict[str, Any]] | None:
    """Items of one scale in one sentence: which mean is highest, which lowest."""
    known = [one for one in whole if one.get("mean") is not None]
    if "mean" not in form.statistics or len(known) < 3 or not all("量表" in one.column.info.flags for one in known):
        return None
    if any(one.m is None or one.m.most > SCALE_MOST for one in known) or len({one.unit for one in known}) > 1:
        return None
    known.sort(key=lambda one: one.get("mean") or 0.0)
    low, high = known[0], known[-1]
    if low.get("mean") == high.get("mean"):
        return None
    names = short([one.name for one in known])
    text = "{items:integer} 题中，平均分最高的是“{top}”（{top_mean:num}），最低的是“{bottom}”（{bottom_mean:num}）。"
    return text, {
        "items": len(known), "top": names[-1], "bottom": names[0], "top_mean": high.get("mean"),
        "bottom_mean": low.get("mean"),
    }  # fmt: skip


def facts_of(one: Description, form: Any) -> dict[str, Any]:
    m = one.m
    facts: dict[str, Any] = {"v": one.name, "unit": one.unit, "n": one.n, "missing": one.missing}
    if m is None:
        return facts
    return facts | {
        "mean": m.mean, "sd": m.sd, "low": one.get("low"), "high": one.get("high"), "median": one.percentiles[50.0],
        "q1": one.percentiles[25.0], "q3": one.percentiles[75.0], "min": m.least, "max": m.most, "g1": m.skewness,
        "g2": m.kurtosis, "se1": m.skewness_se, "se2": m.kurtosis_se, "level": form.conf_level,
    }  # fmt: skip


def edge(one: Description) -> str:
    """How the least and the greatest value are written: with the decimals the data has, 18 to 60, 14.4 to 34.9."""
    m = one.m
    assert m is not None
    ends = [abs(m.least), abs(m.most)]
    if max(ends) >= WHOLE_MOST:
        return "num"
    return next((f"num{k}" for k in range(5) if all(round(x, k) == x for x in ends)), "num")


def shape_words(one: Description) -> str:
    """Empty where the skewness is unknown; a lean that may be chance is not called one."""
    m = one.m
    if m is None or m.skewness is None or not m.skewness_se:
        return ""
    if abs(m.skewness) <= Z * m.skewness_se:
        return "看不出明显的偏斜"
    return bulmer1979.skewness(m.skewness)


# ---- the conclusion ------------------------------------------------------------------------------------------------
def conclusion(one: Description, inside: list[Description], form: Any) -> tuple[str, dict[str, Any]]:
    """Only what stands in the table: statistics that were asked for."""
    asked = set(form.statistics)
    every = facts_of(one, form)
    if one.m is None:
        return "“{v}”没有有效值。", {"v": one.name}
    parts = [*_middle(one, asked), *_range(one, asked)]
    if not parts:
        keys = [key for key in form.statistics if one.get(key) is not None][:3]
        parts = [
            "、".join(f"{TITLES[key]} {{{key}:{FORMATS.get(key, 'num')}}}" for key in keys) or "所选统计量都不能计算"
        ]
        every |= {key: one.get(key) for key in keys}
    if "skewness" in asked and (word := shape_words(one)):
        parts.append(f"分布{word}")
    n = "（*n* = {n:integer}）" if "n" in asked else ""
    text = f"“{{v}}”{n}{'，'.join(parts)}。" + (_spread(inside, asked, every) if inside else "")
    used = {name: value for name, value in every.items() if f"{{{name}" in text}
    return text, used


def _middle(one: Description, asked: set[str]) -> list[str]:
    parts = []
    if one.m is not None and one.m.least == one.m.most and {"mean", "median", "min"} & asked:
        key = "mean" if "mean" in asked else "median" if "median" in asked else "min"
        same = "只有 1 个有效值：" if one.n == 1 else "全部取值都是 "
        return [f"{same}{{{key}:{edge(one)}}}{{unit}}"]
    if "mean" in asked:
        beside = ["标准差 {sd:num}"] if "sd" in asked and one.get("sd") is not None else []
        if "ci" in asked and one.get("low") is not None:
            beside.append("{level:percent} CI {low:num} 到 {high:num}")
        parts.append("平均 {mean:num}{unit}" + (f"（{'，'.join(beside)}）" if beside else ""))
    if "median" in asked:
        quarter = "（P25 到 P75 为 {q1:num} 到 {q3:num}）" if {"p25", "p75"} <= asked else ""
        parts.append("中位数 {median:num}{unit}" + quarter)
    return parts


def _range(one: Description, asked: set[str]) -> list[str]:
    if not ({"min", "max"} <= asked and one.varies):
        return []
    return [f"取值从 {{min:{edge(one)}}} 到 {{max:{edge(one)}}}"]


def _spread(inside: list[Description], asked: set[str], facts: dict[str, Any]) -> str:
    """Highest and lowest group by mean, or by median."""
    key, word = ("mean", "平均值") if "mean" in asked else ("median", "中位数") if "median" in asked else ("", "")
    known = [part for part in inside if key and part.get(key) is not None]
    if len(known) < 2:
        return ""
    values = [part.get(key) or 0.0 for part in known]
    high, low = max(values), min(values)
    if high == low:
        facts |= {"k": len(known)}
        return f"{{k:integer}} 组的{word}相同。"
    facts |= {"k": len(known), "top_value": high, "bottom_value": low}
    for end, value in (("top", high), ("bottom", low)):
        facts[end] = "”“".join(str(part.group) for part, own in zip(known, values, strict=True) if own == value)
    whole = known[0].column.numbers
    if high - low < ALIKE * float(np.nanstd(whole)):
        facts |= {"k": len(known), "top_value": high}
        return f"{{k:integer}} 组的{word}几乎相同（{{top_value:num}}）。"
    if len(known) == 2:
        return f"“{{top}}”的{word}（{{top_value:num}}）高于“{{bottom}}”（{{bottom_value:num}}）。"
    ends = "最高的是“{top}”（{top_value:num}），最低的是“{bottom}”（{bottom_value:num}）。"
    return f"{{k:integer}} 组中{word}{ends}"


def _figures(one: Description, form: Any, facts: dict[str, Any]) -> list[Any]:
    asked = set(form.statistics)
    if one.m is None:
        return []
    made = []
    if "mean_0" in facts:
        made.append(figure("均值", "{mean_0:num}{unit_0}", "标准差 {sd_0:num}" if "sd_0" in facts else None))
    if "median_0" in facts:
        note = "P25 到 P75：{q1_0:num} 到 {q3_0:num}" if "q1_0" in facts else None
        made.append(figure("中位数", "{median_0:num}{unit_0}", note))
    if "min_0" in facts and "max_0" in facts:
        made.append(figure("范围", f"{{min_0:{edge(one)}}} 到 {{max_0:{edge(one)}}}"))
    if "n" in asked:
        made.append(figure("样本量", "{n_0:integer}"))
    return made


# ---- three voices --------------------------------------------------------------------------------------------------
def _student(one: Description) -> str:
    m = one.m
    assert m is not None
    if one.n == 1:
        return f"“{{v}}”只有 1 个有效值 {{mean:{edge(one)}}}{{unit}}，不能计算标准差和分布形态。"
    if not one.varies:
        same = f"“{{v}}”的 {{n:integer}} 个有效值都是 {{mean:{edge(one)}}}{{unit}}，没有变异："
        return f"{same}标准差为 0，偏度和峰度不能计算。"
    gap = (m.mean - one.percentiles[50.0]) / m.sd if m.sd > 0 else 0.0
    skew = m.skewness or 0.0
    if abs(gap) < NEAR:
        middle = "两者接近，用哪一个代表一般水平都可以"
    elif shape_words(one).startswith("看不出"):
        middle = f"均值比中位数略{'高' if gap > 0 else '低'}，偏斜不明显，两个都可以用"
    elif gap * skew > 0:
        side = "大" if gap > 0 else "小"
        middle = f"均值比中位数{'高' if gap > 0 else '低'}，少数很{side}的值会把均值拉向那一头，中位数不受影响"
    else:
        middle = "两者不一致，请对照箱线图看分布"
    shape = f"偏度 {{g1:num}}，{_shape_sentence(one)}。" if shape_words(one) else "样本太小，偏度看不准。"
    return (
        f"先看中间：“{{v}}”的均值 {{mean:num}}{{unit}}，中位数 {{median:num}}{{unit}}，{middle}。"
        "再看离散：标准差 {sd:num}{unit}，是各个值离均值的典型距离；"
        f"中间一半的值在 {{q1:num}} 到 {{q3:num}} 之间，最小 {{min:{edge(one)}}}，最大 {{max:{edge(one)}}}。"
        f"最后看形态：{shape}"
    )


def _shape_sentence(one: Description) -> str:
    word = shape_words(one)
    if word.startswith("看不出"):
        return f"与它的标准误 {{se1:num}} 相比不大，{word}"
    return f"按 Bulmer（1979）的参考标准属“{word}”"


def _paper(one: Description) -> str:
    m = one.m
    assert m is not None
    start = "“{v}”的有效样本 {n:integer} 例" + ("，缺失 {missing:integer} 例" if one.missing else "")
    if one.n == 1 or not one.varies:
        same = "取值为" if one.n == 1 else "取值均为"
        return f"{start}，{same} {{mean:{edge(one)}}}{{unit}}。"
    ci = "，均值的 {level:percent} CI {low:num} 到 {high:num}" if one.get("low") is not None else ""
    shape = ""
    if m.skewness is not None:
        shape = "；偏度 {g1:num}（*SE* = {se1:num}）"
        shape += "，峰度 {g2:num}（*SE* = {se2:num}）" if m.kurtosis is not None else ""
    return (
        f"{start}，*M* = {{mean:num}}{{unit}}，*SD* = {{sd:num}}{ci}；中位数 {{median:num}}{{unit}}"
        f"（P25 = {{q1:num}}，P75 = {{q3:num}}），取值 {{min:{edge(one)}}} 到 {{max:{edge(one)}}}{shape}。"
    )


def _brief(one: Description) -> str:
    if one.n == 1:
        return f"“{{v}}”只有 1 个有效值：{{mean:{edge(one)}}}{{unit}}。"
    if not one.varies:
        return f"“{{v}}”取值都是 {{mean:{edge(one)}}}{{unit}}。"
    word = shape_words(one)
    tail = f"，分布{word}" if word and not word.startswith("看不出") else ""
    return "“{v}”平均 {mean:num}{unit}，中间一半的值在 {q1:num} 到 {q3:num} 之间" + tail + "。"


def _groups(report: Report, whole: list[Description], parts: list[list[Description]], form: Any) -> None:
    report.say(
        "读分组表：先比各组的均值和中位数，再看标准差是否相近、各组有多少例。例数少的组，均值不稳定。"
        "样本里的高低不等于总体里的高低，要作 t 检验或方差分析。",
        voice="student",
    )
    for one, inside in list(zip(whole, parts, strict=True))[:LISTED]:
        known = [part for part in inside if part.n > 1][:LISTED]
        if not known:
            continue
        facts: dict[str, Any] = {"v": one.name, "by": form.group.title}
        for i, part in enumerate(known):
            assert part.m is not None
            facts |= {f"g{i}": part.group, f"n{i}": part.n, f"m{i}": part.m.mean, f"s{i}": part.m.sd}
        listed = "；".join(
            f"“{{g{i}}}”（*n* = {{n{i}:integer}}）*M* = {{m{i}:num}}，*SD* = {{s{i}:num}}" for i in range(len(known))
        )
        tail = "；其余各组见表" if len([p for p in inside if p.n > 1]) > len(known) else ""
        report.say(f"按“{{by}}”分组，“{{v}}”：{listed}{tail}。", voice="paper", **facts)
