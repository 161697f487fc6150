"""What is said about a crosstab: shares first, then whether the two are associated, then how strongly."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Report, figure
from hengxi.contract.facts import rename
from hengxi.interpret import cohen1988
from hengxi.methods.descriptive._shared import answer_crossing_words as of_sets
from hengxi.methods.descriptive._shared.crossing import Cross
from hengxi.methods.descriptive._shared.crossing_tables import exact_name

LISTED = 6
HAPPENED = frozenset(["1", "是", "有", "阳性", "yes", "Yes", "YES", "true", "True"])
"""Of two levels the one a reader asks for: the share that is 1, not the share that is 0."""
SEEN = 0.001
"""Shares nearer than this read alike with one decimal."""
PERCENTS = {"row": "行% 的分母是该行", "col": "列% 的分母是该列", "total": "总% 的分母是全部有效个案"}
SHRUNK = "χ² 比自由度小得多时，区间收缩到 0 附近，不能据此说没有关联"
Found = list[tuple[Cross, list[Cross]]]


def write(report: Report, found: Found, crossed: of_sets.Crossed, form: Any) -> None:
    lines, facts, alone = [], dict[str, Any](), len(found) == 1
    if len(found) > 1:
        yes = sum(significant(one, form) for one, _ in found)
        lines.append(
            "{pairs:integer} 对变量中有 {associated:integer} 对有关联（α = {level_alpha:alpha}）。"
            if yes
            else "{pairs:integer} 对变量都没有发现明显的关联（α = {level_alpha:alpha}）。"
        )
        facts |= {"pairs": len(found), "level_alpha": 1 - form.conf_level} | ({"associated": yes} if yes else {})
    for i, (one, inside) in enumerate(found[:LISTED]):
        text, own = conclusion(one, inside, form)
        lines.append(text if alone else rename(text, f"_{i}"))
        facts |= own if alone else {f"{key}_{i}": value for key, value in own.items()}
    if len(found) > LISTED:
        lines.append("其余 {left:integer} 对变量见卡方检验表。")
        facts["left"] = len(found) - LISTED
    for i, (one_set, within) in enumerate(crossed[: LISTED - len(found)]):
        text, own = of_sets.conclusion(one_set, within)
        lines.append(rename(text, f"_s{i}"))
        facts |= {f"{key}_s{i}": value for key, value in own.items()}
    if len(crossed) > max(0, LISTED - len(found)):
        lines.append("其余多选题见各选项与分组的关联。")
    figures = _figures(found[0][0], form) if alone and not crossed else []
    if len(crossed) == 1 and not found:
        figures = of_sets.figures(crossed[0][0])
        facts |= of_sets.figure_facts(crossed[0][0])
    report.lead("\n".join(lines), figures, **facts)
    for one_set, within in crossed[:LISTED]:
        of_sets.voices(report, one_set, within)
    for one, inside in found[:LISTED]:
        facts = facts_of(one, form)
        report.say(_student(one, form), voice="student", **facts)
        report.say(_paper(one, form), voice="paper", **facts)
        report.say(_brief(one, form), voice="brief", **facts)
        if inside:
            _layers(report, one, inside, form)


def significant(one: Cross, form: Any) -> bool:
    return bool(one.p < 1 - form.conf_level)


def exact_words(one: Cross) -> str:
    """The exact test in a sentence: how it was drawn stands below the table."""
    is_drawn = one.exact is not None and one.exact.draws is not None
    return "Fisher 精确检验（蒙特卡洛法）" if is_drawn else f"{exact_name(one)}检验"


def test_words(one: Cross) -> str:
    """The test that was read, with its numbers."""
    if one.read == "exact":
        return f"{exact_words(one).replace('（', '，').replace('）', '')}，*p* {{p:peq}}"
    name = "连续校正 " if one.read == "yates" else ""
    return f"{name}χ²({{df:integer}}, *N* = {{n:integer}}) = {{chi:num}}，*p* {{p:peq}}"


def place(one: Cross) -> tuple[int, int]:
    """The cell told of: what happened in a 2×2 table (1, 是), else the one that departs most from independence."""
    if one.is_two_by_two:
        return 0, next((j for j, name in enumerate(one.columns) if name in HAPPENED), 0)
    i, j = np.unravel_index(int(np.abs(one.residuals).argmax()), one.residuals.shape)
    return int(i), int(j)


def facts_of(one: Cross, form: Any) -> dict[str, Any]:
    i, j = place(one)
    chi = one.yates if one.read == "yates" and one.yates else one.pearson
    facts: dict[str, Any] = {
        "x": one.row, "y": one.column, "n": one.n, "p": one.p, "chi": chi.value, "df": chi.df, "level": form.conf_level,
        "alpha": 1 - form.conf_level, "a": one.rows[i], "c": one.columns[j], "s1": float(one.row_shares[i, j]),
        "s0": float(one.whole_shares[j]), "z": float(one.residuals[i, j]), "v": one.v.value, "v_low": one.v.low,
        "v_high": one.v.high, "low": one.low, "low_share": one.low_share, "least": one.least,
    }  # fmt: skip
    if one.is_two_by_two:
        facts |= {"b": one.rows[1], "s2": float(one.row_shares[1, j])}
    return facts


def shares(one: Cross) -> str:
    """Shares in plain words."""
    if one.is_two_by_two:
        return "“{y}”为“{c}”的比例，在“{a}”组为 {s1:percent1}，在“{b}”组为 {s2:percent1}"
    i, j = place(one)
    gap = float(one.row_shares[i, j] - one.whole_shares[j])
    start = "“{y}”为“{c}”的比例，在“{a}”组为 {s1:percent1}，"
    if is_level(one):
        return start + "与全体相同"
    if abs(gap) < SEEN:
        # Both read alike with one decimal: 16.7% is not above 16.7%.
        return f"{start}略{'高' if gap > 0 else '低'}于全体，相差不到 0.1 个百分点"
    return f"{start}{'高于' if gap > 0 else '低于'}全体的 {{s0:percent1}}"


def is_level(one: Cross) -> bool:
    """The rows have the very same shares."""
    return one.pearson.value <= 1e-12 * one.n


def shrunk(one: Cross) -> bool:
    """The interval ends below or at the sample's own V, which is biased upwards where χ² is small."""
    return one.v.high is not None and one.v.value >= one.v.high and one.v.high < 1


def interval_words(one: Cross) -> str:
    """What the interval of V leaves open; it rests on Pearson's χ², whatever test was read."""
    if shrunk(one):
        return f"。{SHRUNK}"
    if one.v.low:
        return "。区间由 Pearson χ² 得出，与采用的检验不一致时以检验为准"
    return "。真实的关联强度可能在这个范围内"


def strength(one: Cross) -> str:
    return cohen1988.association(one.v.value * float(np.sqrt(min(one.table.shape) - 1)))


# ---- the conclusion ------------------------------------------------------------------------------------------------
def conclusion(one: Cross, inside: list[Cross], form: Any) -> tuple[str, dict[str, Any]]:
    facts = facts_of(one, form)
    v = "*V* = {v:num}，{level:percent} CI {v_low:num} 到 {v_high:num}" if "cramer_v" in form.association else ""
    if significant(one, form):
        size = f"，强度{strength(one)}（{v}）" if v else ""
        most = "" if one.is_two_by_two else "偏离最大的一处："
        text = f"“{{x}}”与“{{y}}”有关联（{test_words(one)}）{size}。{most}{shares(one)}。"
    else:
        size = f"{v}{interval_words(one)}。" if v else ""
        most = "" if one.is_two_by_two else "偏离最大的一处："
        told = f"{most}{shares(one)}，这样的差别也可能只是抽样误差"
        if is_level(one):
            told, size = "样本中各组的比例完全相同", ""
        text = f"“{{x}}”与“{{y}}”没有发现明显的关联（{test_words(one)}）。{told}。{size}"
    if inside:
        text += _strata_words(one, inside, form, facts)
    shown = text + "".join(f"{one.title}{one.value}{one.note}" for one in _figures(one, form))
    return text, {name: value for name, value in facts.items() if f"{{{name}" in shown}


def _strata_words(whole: Cross, inside: list[Cross], form: Any, facts: dict[str, Any]) -> str:
    yes = [one.layer for one in inside if significant(one, form)]
    facts |= {"by": form.layer.title, "layers": len(inside), "yes": len(yes)}
    turned = _turned(whole, inside)
    if not yes:
        return "按“{by}”分成 {layers:integer} 层，各层内都没有发现明显的关联。" + turned
    if len(yes) == len(inside):
        return "按“{by}”分成 {layers:integer} 层，各层内都有关联。" + turned
    facts |= {"which": "".join(f"“{name}”" for name in yes[:LISTED])}
    return "按“{by}”分成 {layers:integer} 层，其中 {yes:integer} 层内有关联：{which}。" + turned


def _turned(whole: Cross, inside: list[Cross]) -> str:
    """Simpson's paradox: every layer leans one way, and all together lean the other."""
    if not (whole.is_two_by_two and all(part.is_two_by_two for part in inside)):
        return ""
    i, j = place(whole)
    leans = [_lean(part, whole.rows[i], whole.columns[j]) for part in inside]
    whole_lean = _lean(whole, whole.rows[i], whole.columns[j])
    if whole_lean == 0 or any(lean != -whole_lean for lean in leans):
        return ""
    side, other = ("低", "高") if whole_lean > 0 else ("高", "低")
    return f"注意方向：各层内“{{a}}”组的比例都较{side}，合在一起却较{other}（辛普森悖论），应以分层的结果为准。"


def _lean(one: Cross, row: str, column: str) -> int:
    """1 where the row's share of the column is above that of the other row, −1 below; 0 where they are alike."""
    if row not in one.rows or column not in one.columns:
        return 0
    i, j = one.rows.index(row), one.columns.index(column)
    return int(np.sign(one.residuals[i, j])) if not is_level(one) else 0


def _figures(one: Cross, form: Any) -> list[Any]:
    other = "“{b}”组 {s2:percent1}" if one.is_two_by_two else "全体 {s0:percent1}"
    made = [figure("占比", "{s1:percent1}", "“{a}”组中的“{c}”；" + other)]
    note = exact_words(one) if one.read == "exact" else "χ²({df:integer}) = {chi:num}"
    made.append(figure("检验", "*p* {p:peq}", note))
    if "cramer_v" in form.association:
        made.append(figure("关联强度", "*V* = {v:num}", "{level:percent} CI {v_low:num} 到 {v_high:num}"))
    return made


# ---- three voices --------------------------------------------------------------------------------------------------
def _student(one: Cross, form: Any) -> str:
    start = f"先看百分比：{shares(one)}。行百分比是在每一行里算的，要比较各行就看它。"
    if "row" not in form.percent:
        start = f"先看百分比：{shares(one)}。这是在每一行里算的行百分比，要比较各行就看它；"
        start += "表里没有列出，可在“百分比”里加选。"
    if one.read == "exact" and one.is_two_by_two and not one.sparse:
        why = "这是 2×2 表而总数不足 40，按惯例采用 Fisher 精确检验。"
    elif one.read == "exact":
        why = "有 {low:integer} 个单元格（{low_share:percent1}）的期望频数小于 5，最小 {least:num}，"
        why += "χ² 的近似不可靠，所以采用精确检验。"
    elif one.read == "yates":
        why = "这是 2×2 表，最小期望频数 {least:num}，在 1 到 5 之间而总数不少于 40，按惯例采用连续校正的 χ²。"
    elif one.wanted == "exact":
        why = "期望频数太小，χ² 的近似不可靠；精确检验没有打开，这个 *p* 只能参考。"
    else:
        why = "期望频数小于 5 的单元格不超过 20%，也没有小于 1 的，采用 Pearson χ²。"
        why = why if one.low else "期望频数足够大，采用 Pearson χ²。"
    if significant(one, form):
        p = (
            "*p* {p:peq}，小于 {alpha:alpha}：如果两个变量其实无关，很少会碰巧出现这么大的偏离，所以判断为有关联。"
            f"关联有多强看 *V* = {{v:num}}（0 为无关，1 为完全对应），按 Cohen（1988）的参考标准属“{strength(one)}”。"
        )
    else:
        p = "*p* {p:peq}，不小于 {alpha:alpha}：现有数据不足以说两个变量有关联。这不等于两者无关，也可能是样本不够。"
    cell = ""
    if significant(one, form):
        cell = "下一步看调整残差：绝对值超过 1.96 的格子，人数明显偏多或偏少。"
    return f"{start}再看检验：{why}{p}{cell}"


def _paper(one: Cross, form: Any) -> str:
    name = {"exact": f"采用 {exact_words(one)}", "yates": "采用连续校正的 χ² 检验"}.get(
        one.read, "采用 Pearson χ² 检验"
    )
    verdict = "关联有统计学意义" if significant(one, form) else "关联没有统计学意义"
    rule = "期望频数小于 5 的单元格占 {low_share:percent1}，最小 {least:num}。"
    if not one.low:
        rule = "各单元格的期望频数都不小于 5，最小 {least:num}。"
    causes = "关联不等于因果。" if significant(one, form) else "“不显著”不等于两者无关。"
    return (
        f"{name}（α = {{alpha:alpha}}）分析“{{x}}”与“{{y}}”的关联，*N* = {{n:integer}}。{shares(one)}。"
        f"{verdict}，{'*p* {p:peq}' if one.read == 'exact' else test_words(one)}，Cramér's *V* = {{v:num}}"
        "（{level:percent} CI {v_low:num} 到 {v_high:num}）。"
        f"{rule}{causes}{SHRUNK + '。' if shrunk(one) else ''}"
    )


def _brief(one: Cross, form: Any) -> str:
    if significant(one, form):
        return f"“{{x}}”与“{{y}}”有关联（*p* {{p:peq}}），强度{strength(one)}。{shares(one)}。"
    return f"“{{x}}”与“{{y}}”没有发现明显的关联（*p* {{p:peq}}）。{shares(one)}。"


def _layers(report: Report, one: Cross, inside: list[Cross], form: Any) -> None:
    facts: dict[str, Any] = {"x": one.row, "y": one.column, "by": form.layer.title}
    for i, part in enumerate(inside[:LISTED]):
        facts |= {f"g{i}": part.layer, f"n{i}": part.n, f"p{i}": part.p, f"v{i}": part.v.value}
    listed = "；".join(
        f"“{{g{i}}}”层 *N* = {{n{i}:integer}}，*p* {{p{i}:peq}}，*V* = {{v{i}:num}}"
        for i in range(min(len(inside), LISTED))
    )
    tail = "；其余各层见表" if len(inside) > LISTED else ""
    report.say(f"按“{{by}}”分层，“{{x}}”与“{{y}}”：{listed}{tail}。", voice="paper", **facts)
    report.say(
        "分层后各层的关联若与合在一起时方向不同，合在一起的表会误导人（辛普森悖论），应以分层的结果为准。",
        voice="student",
    )


# ---- notes ---------------------------------------------------------------------------------------------------------
def notes(report: Report, cls: Any, found: Found, form: Any) -> None:
    one = found[0][0]
    level = {"level": form.conf_level}
    base = "行为“{x}”，列为“{y}”；" if len(found) == 1 else "行、列变量见表题；"
    weights = "频数为权重“{w}”的合计；" if form.weight else ""
    bases = "，".join(said for key, said in PERCENTS.items() if key in form.percent)
    report.note(
        cls.cross, f"{base}{weights}{bases}".rstrip("；") + "。", x=one.row, y=one.column,
        w=form.weight.title if form.weight else "",
    )  # fmt: skip
    report.note(
        cls.tests,
        "论文报告“采用”一行。采用哪种检验只看期望频数和总数：期望频数 < 5 的单元格超过 20% 或最小期望 < 1 时用 Fisher；"
        "2×2 表总频数 < 40 时用 Fisher，≥ 40 且最小期望在 1 到 5 之间时用连续校正。",
    )
    every = [part for whole, inside in found for part in (whole, *inside)]
    if any(part.exact is not None and part.exact.draws is not None for part in every):
        report.note(
            cls.tests,
            "可能的表太多，列不完，*p* 由 {draws:integer} 次蒙特卡洛抽取得出，种子 {seed:text}，附 99% 区间。",
            draws=form.mc_draws, seed=str(form.seed),
        )  # fmt: skip
    if any(part.exact is None for part in every):
        large = "没有列出精确检验的表，期望频数足够而表又大，不需要做。"
        report.note(cls.tests, large if form.exact else "精确检验没有打开，没有列出。")
    if form.residuals:
        report.note(
            cls.cells,
            "调整残差近似服从标准正态分布；星号按各单元格自己的 *p*，未作多重校正，单元格多时会有碰巧的星号。",
        )
    asked = set(form.association)
    if {"cramer_v", "gamma", "tau_b", "tau_c", "kappa"} & asked:
        report.note(
            cls.symmetric,
            "CI 的置信水平为 {level:percent}。φ、V、C 的 *p* 为 Pearson χ² 的；"
            "2×2 表的 φ 带符号，第一行第一列偏多时为正。"
            "V 的区间由非中心 χ² 反解，其余用近似标准误；近似 *T* 用独立假设下的标准误。",
            **level,
        )
    if "cramer_v" in asked and any(shrunk(part) for part in every):
        report.note(cls.symmetric, f"{SHRUNK}。")
    if "cramer_v" in asked and any(significant(part, form) and not part.v.low for part in every):
        report.note(
            cls.symmetric,
            "V 的区间是双侧的，由 Pearson χ² 反解：下限为 0 而 *p* 小于 {alpha:alpha} 并不矛盾，χ² 检验只看一侧；"
            "采用精确检验或连续校正时，以采用的检验为准。",
            alpha=1 - form.conf_level,
        )
    if {"lambda", "gk_tau", "uncertainty", "somers_d", "eta"} & asked:
        report.note(
            cls.directional,
            "CI 的置信水平为 {level:percent}，用近似标准误。Goodman-Kruskal tau 的 *p* 由 χ² 近似，不确定性系数的 *p* "
            "为似然比 χ² 的；"
            "Eta 以数值变量为因变量。",
            **level,
        )
    if "risk" in asked:
        report.note(
            cls.risk,
            "CI 的置信水平为 {level:percent}。RR 是第一行与第二行中该列占比之比；回顾性（病例对照）设计只能用 OR。",
            **level,
        )
    if form.layer and any(inside for _, inside in found):
        report.note(
            cls.strata, "CI 的置信水平为 {level:percent}（Robins、Breslow 和 Greenland，1986）；不做连续性校正。"
            "齐性检验 *p* 很小时，各层的 OR 不宜合并。", **level
        )  # fmt: skip
    report.note(cls.mosaic, "横轴为行变量的各类；颜色按调整残差，越深离“无关”越远。")
