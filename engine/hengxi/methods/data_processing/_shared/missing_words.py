"""What is said about missing values: how much, what was done, and what a fill cannot give back."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hengxi.contract import Report, figure, more
from hengxi.methods.data_processing._shared.gaps import Gaps, known

NAMED = 5
MODELLED = ("regression", "em", "spline", "polynomial")
"""Ways that may put in a value no case can have."""


def write(
    report: Report,
    found: list[Gaps],
    values: dict[str, npt.NDArray[Any]],
    stays: npt.NDArray[np.bool_],
    way: str,
    is_fill: bool,
    method: str,
) -> None:
    """Lead and three voices; a fill has its caution, copies have another."""
    facts: dict[str, Any] = {"kept": int(stays.sum()), "n": len(stays), "dropped": int((~stays).sum())}
    lines = []
    for i, one in enumerate(found[:NAMED]):
        facts |= {f"v{i}": one.name, f"m{i}": one.missing, f"r{i}": one.missing / len(one.gone)}
        line = f"“{{v{i}}}”缺失 {{m{i}:integer}} 个（{{r{i}:percent1}}）" if one.missing else f"“{{v{i}}}”没有缺失"
        if is_fill and one.missing:
            facts[f"f{i}"] = one.missing - int((~known(values[one.column.id])).sum())
            line += f"，{_filled(way, method)} {{f{i}:integer}} 个"
        lines.append(f"{line}。")
    if len(found) > NAMED:
        lines.append("其余变量见填补结果表。")
    if method == "drop_rows":
        lines.append("删除含缺失的 {dropped:integer} 行，剩 {kept:integer} 行。")
    if method == "mice":
        facts |= {"copies": len(stays) // len(found[0].gone), "rows": len(found[0].gone)}
        lines.append("多重插补成 {copies:integer} 份，每份 {rows:integer} 行，上下相接，份号在 _imp_ 中。")
    lead = "\n".join(lines)
    figures = [figure("缺失", "{m0:integer}", "占 {r0:percent1}")] if len(found) == 1 else []
    report.lead(lead, figures, **facts)
    report.say(
        "先想缺失为什么产生。与任何变量都无关：删除只是损失样本。与已有的变量有关：用这些变量填补较好。"
        "与没填的值本身有关（如收入高的人不填收入）：任何方法都可能有偏差。请比较处理前后的均值和标准差。",
        voice="student",
    )  # fmt: skip
    report.say(f"{lead}{_treated(way, method)}", voice="paper", **facts)
    report.say(lead, voice="brief", **facts)
    if is_fill:
        _caution(report, found)
        if method in MODELLED:
            _beyond(report, found, values)
    if method == "mice":
        _copies(report, facts)


def _filled(way: str, method: str) -> str:
    """用均值填补了, 向前填充了, 用常数“0”填补了."""
    if method in ("forward", "backward"):
        return f"{way}了"
    name = way.removesuffix("填补")
    return f"用 {name} 填补了" if name.isascii() else f"用{name}填补了"


def _treated(way: str, method: str) -> str:
    """The way of treatment, where the lines above do not tell it yet."""
    return f"处理方法：{way}。" if method in ("drop_columns", "mice", "indicator") else ""


def _copies(report: Report, facts: dict[str, Any]) -> None:
    report.check(
        "多份数据", "care", "这 {copies:integer} 份不是 {copies:integer} 倍的样本，不能合在一起分析。",
        more=more(
            "每份是一种可能的完整数据，各份之间的差别表示缺失带来的不确定。",
            "每份 {rows:integer} 行，共 {copies:integer} 份。",
            "合在一起会把样本量夸大，标准误和 *p* 值偏小。",
            "用能按 Rubin 规则合并的方法；其余方法只用第 1 份，并在文中写明。",
        ),
        copies=facts["copies"], rows=facts["rows"],
    )  # fmt: skip


def _beyond(report: Report, found: list[Gaps], values: dict[str, npt.NDArray[Any]]) -> None:
    """A model may fill what no case can have: an ozone below nothing, a score above the scale."""
    for one in found:
        if not one.is_number or not one.missing or one.gone.all():
            continue
        had = one.cells[~one.gone].astype(float)
        put = values[one.column.id][one.gone & known(values[one.column.id])].astype(float)
        low, high = float(had.min()), float(had.max())
        out = int(((put < low) | (put > high)).sum())
        if out:
            report.warn(
                "fill.beyond",
                "“{v}”有 {k:integer} 个填补值超出原有的范围 {low:num} 到 {high:num}"
                "（填补值 {least:num} 到 {most:num}）。取值有上下限时（如得分、浓度），"
                "请改用 KNN 或多重插补，它们的填补值不会超出原有的范围。",
                columns=[one.column], v=one.name, k=out, low=low, high=high,
                least=float(put.min()), most=float(put.max()),
            )  # fmt: skip


def _caution(report: Report, found: list[Gaps]) -> None:
    worst = max(found, key=lambda one: one.missing)
    share = worst.missing / len(worst.gone)
    worst_words = (
        "缺失最多的是“{v}”，缺失率 {share:percent1}。" if len(found) > 1 else "“{v}”的缺失率为 {share:percent1}。"
    )
    report.check(
        "单一填补", "care", "每个缺失只填一个值，会低估变异，标准误偏小。" + worst_words,
        more=more(
            "每个缺失只填一个值，等于把填的值当作真实数据，没有算进填补的误差。",
            "“{v}”缺失 {m:integer} 个，占 {share:percent1}。",
            "缺失很少时影响不大；超过约 5%（参考标准）时，区间和检验应谨慎。",
            "同时报告删除缺失行的结果，看结论是否一致。",
        ),
        v=worst.name, share=share, m=worst.missing,
    )  # fmt: skip


def left(one: Gaps, form: Any) -> str:
    """Why `k` gaps of the variable stay."""
    if form.method in ("forward", "backward"):
        side = "前" if form.method == "forward" else "后"
        return f"“{{v}}”有 {{k:integer}} 个缺失的{side}面没有有值的行，无法填充，已保留缺失。"
    if form.method not in ("linear", "spline", "polynomial", "nearby_mean"):
        return "“{v}”有 {k:integer} 个缺失不能填补（分组或辅助变量缺失，或组内没有有值的行），已保留缺失。"
    which = "开头或结尾"
    if form.group or form.order is not None:
        which += "、分组或次序缺失"
    if form.method == "polynomial" and (form.group or int((~one.gone).sum()) <= form.order_k):
        which += f"、有值的点不足 {form.order_k + 1} 个"
    return f"“{{v}}”{which}的缺失无法插值，已保留缺失（{{k:integer}} 个）。"
