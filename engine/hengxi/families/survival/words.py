"""Sentences, times and checks that the methods of survival share."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import NextStep, Refusal, Report
from hengxi.families.survival.cases import Cases
from hengxi.stats.names import number_words

FEW_EVENTS = 10
"""Below this the normal approximations of a group are poor."""

ALONE = "每个有事件的时间上，在随访的个案（分层时看同一层）都属于同一组，或全部发生了事件，或权重为 0"
"""Why the weighted differences of a test have no variance."""

METHODS = (
    ("medical/kaplan_meier", "看生存曲线与组间检验"),
    ("medical/cox", "同时看多个因素（Cox 回归）"),
    ("medical/life_table", "按区间列出寿命表"),
)


def next_steps(form: dict[str, Any], own: str) -> list[NextStep]:
    """The other methods of survival, with time, state and event taken along; those that do not stand are left out by
    the registry."""
    start = {key: form[key] for key in ("time", "status", "event") if form.get(key)}
    return [NextStep(title=title, method=path, form=start) for path, title in METHODS if path != own]


def upper_limit(form: Any, lasts: list[float]) -> float:
    """Up to where means are taken: the field, or the shortest of the longest follow-ups."""
    most = min(last for last in lasts)
    if form.tau is None:
        if most > 0:
            return most
        raise Refusal("data.short", "有一组的随访时间全是 0，请先去掉这些行", field="time", column=form.time.id)
    if form.tau > most * (1 + 1e-9):
        raise Refusal(
            "data.range", "RMST 上限 {tau} 超过了最短一组的最长随访 {most}，请改小或不填", field="tau",
            tau=number_words(form.tau), most=number_words(most),
        )  # fmt: skip
    return float(form.tau)


def axis_times(last: float, most: int) -> list[float]:
    """Round times from 0 to the last, at most `most` + 1 of them."""
    raw = last / most
    size = 10 ** np.floor(np.log10(raw))
    step = float(next(s * size for s in (1, 2, 2.5, 5, 10) if s * size >= raw * (1 - 1e-9)))
    return [float(k * step) for k in range(int(np.floor(last / step * (1 + 1e-9))) + 1)]


def some(size: int, most: int) -> Any:
    """At most `most` places of `size`, evenly, the ends kept."""
    return np.unique(np.linspace(0, size - 1, min(size, most)).round().astype(int))


def each_median(medians: list[tuple[str, float | None]], most: int = 6) -> tuple[str, dict[str, Any]]:
    """中位生存时间：“甲”31；“乙”未达到。 and its facts."""
    parts: list[str] = []
    facts: dict[str, Any] = {}
    for k, (name, value) in enumerate(medians[:most]):
        facts[f"n{k}"] = name
        parts.append(f"“{{n{k}:text}}”" + ("未达到" if value is None else f"{{m{k}:num}}"))
        if value is not None:
            facts[f"m{k}"] = value
    return f"中位生存时间：{'；'.join(parts)}{'等' if len(medians) > most else ''}。", facts


def median_words(facts: dict[str, Any]) -> str:
    """`median`, `low`, `high`, `level`, `last` (survival at the end), `t` (when)."""
    if facts["median"] is None:
        return (
            "没有达到中位生存时间：到最后一次随访（{t:text}）时，生存率为 {last:percent1}，还在一半以上。"
            if facts["last"] > 0.5 else "没有达到中位生存时间。"
        )  # fmt: skip
    if facts["low"] is None:
        return "中位生存时间为 {median:num}。"
    if facts["high"] is None:
        return "中位生存时间为 {median:num}（{level:percent} CI 从 {low:num} 起，上限未达到）。"
    return "中位生存时间为 {median:num}（{level:percent} CI {low:num} 到 {high:num}）。"


def check_events(report: Report, events: list[tuple[str, float]]) -> None:
    few = [f"“{name}”{int(count)} 例" for name, count in events if count < FEW_EVENTS]
    none = [name for name, count in events if count == 0]
    if none and len(events) > 1:
        report.warn(
            "data.no_event",
            "组{names}没有发生事件，中位生存时间没有达到。",
            names="".join(f"“{name}”" for name in none),
        )
    least = min(count for _, count in events)
    report.check(
        "事件数", "care" if few else "pass",
        "事件不足 10 例：{few:text}。生存率和检验都不稳定。" if few
        else "事件最少的一组有 {least:integer} 例。" if len(events) > 1 else "事件有 {least:integer} 例。",
        **({"few": "、".join(few)} if few else {"least": least}),
    )  # fmt: skip


def say_states(report: Report, form: Any, cases: Cases) -> None:
    """Which values were taken for the event, and what censoring asks."""
    if cases.guessed:
        facts: dict[str, Any] = {"v": form.status.title, "event": cases.state}
        if cases.others:
            facts["others"] = cases.others
        report.say("“{v:text}”中“{event:text}”算事件" + ("，{others:text}算删失。" if cases.others else "。"), **facts)
    report.say("删失须与结局无关：若病重的人更容易失访，生存率会偏高。请按随访方式自行判断。")
