"""What to mind about descriptive numbers: gaps, skewness, far values, a coefficient of variation without a zero."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hengxi.contract import Report, SetRemedy, more
from hengxi.contract.shapes import State
from hengxi.interpret import bulmer1979
from hengxi.methods.descriptive._shared.describing import TITLES, Description
from hengxi.methods.descriptive._shared.describing_words import Z, shape_words

MUCH_MISSING = 0.2
NAMED = 5


def rows_used(whole: list[Description]) -> NDArray[np.bool_]:
    """Which rows have a value of at least one variable; as long as the columns."""
    held = ~np.isnan(whole[0].column.numbers)
    for one in whole[1:]:
        if held.all():
            break
        held |= ~np.isnan(one.column.numbers)
    return held


def report_all(report: Report, whole: list[Description], parts: list[list[Description]], form: Any) -> None:
    _warnings(report, whole, parts, form)
    _missing(report, whole)
    _skewness(report, whole, form)
    _far(report, whole)
    if "cv" in form.statistics:
        _variation(report, whole)


def names(found: list[str]) -> str:
    tail = f"等 {len(found)} 个变量" if len(found) > NAMED else ""
    return "".join(f"“{name}”" for name in found[:NAMED]) + tail


# ---- warnings ------------------------------------------------------------------------------------------------------
def _warnings(report: Report, whole: list[Description], parts: list[list[Description]], form: Any) -> None:
    asked = set(form.statistics)
    for one in whole:
        if one.n < 4:
            lost = {1: "标准差、偏度和峰度", 2: "偏度和峰度"}.get(one.n, "峰度")
            text = "“{v}”有效样本仅 {n:integer} 个，无法计算" + lost + "。"
            text = text if one.n else "“{v}”没有有效值。"
            report.warn("data.few", text, v=one.name, n=one.n, columns=[one.column])
        if one.m is not None and one.m.least <= 0 and (means := {"gmean", "hmean"} & asked):
            what = "与".join(TITLES[key] for key in ("gmean", "hmean") if key in means)
            text = "“{v}”含小于或等于 0 的值，{what}不适用。"
            report.warn("data.nonpositive", text, v=one.name, what=what, columns=[one.column])
        if one.beyond:
            what = "、".join(dict.fromkeys(one.beyond))
            text = "“{v}”的数值过大或过小，{what}超出双精度数能表示的范围，没有给出；请换一个单位。"
            report.warn("data.magnitude", text, v=one.name, what=what, columns=[one.column])
    small = [part.where for inside in parts for part in inside if part.n < 2]
    if small:
        text = "{which}的有效值不足 2 个，标准差等没有给出。"
        report.warn("data.few", text, which=names(small), columns=[form.group])
    _about_group(report, form)
    if "mode" in asked:
        _modes(report, whole)
    still = [one.name for one in whole if one.n > 1 and not one.varies]
    if still:
        text = "{which}全部取值相同，没有变异，偏度和峰度没有给出。"
        report.warn("data.constant", text, which=names(still))


def _about_group(report: Report, form: Any) -> None:
    if form.group is None:
        return
    lost = int(form.group.missing.sum())
    if lost:
        text = "“{v}”缺失的 {n:integer} 行不属于任何一组，只计入总体描述。"
        report.warn("data.dropped_group", text, v=form.group.title, n=lost, columns=[form.group])


def _modes(report: Report, whole: list[Description]) -> None:
    for one in whole:
        if one.mode is None or one.mode.shared < 2:
            continue
        if one.mode.count == 1:
            text = "“{v}”各值都只出现一次，众数没有意义，表中为最小值。"
            report.warn("data.mode", text, v=one.name, columns=[one.column])
        else:
            text = "“{v}”的众数有 {k:integer} 个（各 {n:integer} 例），表中为最小的一个。"
            report.warn("data.mode", text, v=one.name, k=one.mode.shared, n=one.mode.count, columns=[one.column])


# ---- checks --------------------------------------------------------------------------------------------------------
def _missing(report: Report, whole: list[Description]) -> None:
    worst = max(whole, key=lambda one: one.missing / max(1, one.n + one.missing))
    every = worst.n + worst.missing
    share = worst.missing / every if every else 0.0
    state: State = "care" if share > MUCH_MISSING else "pass"
    text = "没有缺失值。"
    if worst.missing:
        text = "缺失最多的是“{v}”：{lost:integer} 例，占 {share:percent1}。"
        if len(whole) == 1:
            text = "“{v}”缺失 {lost:integer} 例，占 {share:percent1}。"
        text += "缺失较多，结果只代表有值的个案。" if state == "care" else ""
    report.check(
        "缺失",
        state,
        text,
        more=more(
            "描述统计只用有值的个案；缺失的人若与有值的人不同，均值和离散程度都会偏。",
            "“{v}”全部 {every:integer} 例，缺失 {lost:integer} 例（{share:percent1}）。",
            "缺失不多时影响有限；超过两成时（参考标准），应同时报告缺失率并说明原因。",
            "查明缺失的原因；跳答题应只在该答的人里统计；拒答与空白分别设缺失码。",
        ),
        v=worst.name,
        lost=worst.missing,
        share=share,
        every=every,
    )


def _skewness(report: Report, whole: list[Description], form: Any) -> None:
    known = [one for one in whole if shape_words(one)]
    what = "均值会被长尾拉偏；偏度说明尾巴在哪一头、有多长（右偏为正，左偏为负）。"
    if not known:
        report.check("偏斜", "unknown", "有效值太少或没有变异，偏度无法判断。")
        return
    worst = max(known, key=lambda one: abs(_skew(one)))
    lean = [one.name for one in known if _skewed(one)]
    state: State = "care" if lean else "pass"
    text = "偏度绝对值最大的是“{v}”：{g1:num}（标准误 {se1:num}），{word}。"
    if len(whole) == 1:
        text = "“{v}”的偏度 {g1:num}（标准误 {se1:num}），{word}。"
    text += "{which}偏斜明显。稳健替代：以中位数和四分位数为主来报告。" if lean else ""
    wanted = [key for key in TITLES if key in {*form.statistics, "median", "p25", "p75"}]
    remedies = [SetRemedy(title="加上中位数和四分位数", set={"statistics": wanted})]
    report.check(
        "偏斜",
        state,
        text,
        more=more(
            what,
            "“{v}”的偏度 {g1:num}，标准误 {se1:num}，有效样本 {n:integer} 例。",
            "偏度绝对值不到 0.5 可视为大致对称，0.5 到 1 为中度，超过 1 为明显（参考标准，Bulmer，1979）；"
            "不到标准误的 1.96 倍时，也可能只是抽样误差。",
            "偏斜明显时同时报告中位数和 P25、P75；右偏的正数（如收入）可取对数后再分析。",
        ),
        remedies=remedies if lean and not {"median", "p25", "p75"} <= set(form.statistics) else [],
        v=worst.name,
        g1=_skew(worst),
        se1=worst.m.skewness_se if worst.m else None,
        n=worst.n,
        word=shape_words(worst),
        which=names(lean),
    )


def _skew(one: Description) -> float:
    return (one.m.skewness or 0.0) if one.m else 0.0


def _skewed(one: Description) -> bool:
    se = (one.m.skewness_se or 0.0) if one.m else 0.0
    return abs(_skew(one)) > max(bulmer1979.HIGHLY, Z * se)


def _far(report: Report, whole: list[Description]) -> None:
    known = [one for one in whole if one.box is not None and one.box.q3 > one.box.q1]
    if not known:
        report.check("离群值", "unknown", "没有变异，或超过一半的取值相同，按箱长判断离群值的规则不适用。")
        return
    far = {one.name: one.box.far for one in known if one.box}
    worst = max(known, key=lambda one: (far[one.name], one.box.outside / one.n if one.box else 0.0))
    assert worst.box is not None
    count = far[worst.name]
    with_far = [name for name, n in far.items() if n]
    beyond = "其中超过 3 倍箱长的 {far:integer} 例" if count else "没有超过 3 倍箱长的"
    text = f"“{{v}}”在 1.5 倍箱长以外的有 {{outside:integer}} 例（{{share:percent1}}），{beyond}。"
    if worst.box.outside == 0:
        text = "没有超出 1.5 倍箱长的值。"
    elif count:
        text += "{which}有离得很远的值，请先核对是不是录入错误。"
    report.check(
        "离群值",
        "care" if count else "pass",
        text,
        more=more(
            "均值、标准差、最大最小值都受个别很大或很小的值影响。这里按 Tukey（1977）的箱线图规则："
            "离折叶点超过 1.5 倍箱长为离群，超过 3 倍为远离群。",
            "“{v}”的箱体从 {q1:num} 到 {q3:num}，1.5 倍箱长以外 {outside:integer} 例，3 倍以外 {far:integer} 例。",
            "正态的数据也约有 0.7% 的值在 1.5 倍箱长以外；超过 3 倍的极少见。",
            "先核对原始记录；确认无误就保留，同时报告中位数；不要只因为数值大就删掉。",
        ),
        v=worst.name,
        outside=worst.box.outside,
        share=worst.box.outside / worst.n,
        far=count,
        q1=worst.box.q1,
        q3=worst.box.q3,
        which=names(with_far),
    )


def _variation(report: Report, whole: list[Description]) -> None:
    known = [one for one in whole if one.n > 1 and one.m is not None]
    none = [one.name for one in known if one.m is not None and one.m.mean <= 0]
    below = [one.name for one in known if one.m is not None and one.m.mean > 0 and one.m.least < 0]
    near = [one.name for one in known if one.m is not None and one.m.least >= 0 < one.m.mean < 2 * one.m.se]
    text = "各变量的均值都明显大于 0，变异系数可以比较。"
    parts = []
    if none:
        parts.append("{none}的均值不大于 0，变异系数没有意义，没有给出。")
    if below:
        parts.append("{below}有负值，零点不是“没有”，变异系数不宜使用。")
    if near:
        parts.append("{near}的均值接近 0，变异系数很不稳定。")
    report.check(
        "变异系数",
        "care" if parts else "pass",
        "".join(parts) or text,
        more=more(
            "变异系数是标准差除以均值，用来比较单位不同或水平相差很大的变量；只适用于零点表示“没有”的正数。",
            "".join(parts) or text,
            "均值接近 0 时，变异系数可以任意大，不能比较。",
            "温度、得分差这类可以为负的变量，请直接比较标准差。",
        ),
        none=names(none),
        below=names(below),
        near=names(near),
    )
