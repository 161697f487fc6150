"""Times and states as the methods of survival read them: which values are the event, what no time can be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.contract import Column, Form, Level, Refusal, level, role
from hengxi.stats.moments import Floats
from hengxi.stats.names import level_words, listed, number_words
from hengxi.stats.survival import Bools, joined_times

EVENT_WORDS = (
    "1", "1.0", "是", "有", "死亡", "死", "事件", "发生", "复发", "失败", "阳性", "dead", "death", "died", "event",
    "yes", "true",
)  # fmt: skip
CENSORED_WORDS = (
    "0", "0.0", "否", "无", "删失", "截尾", "存活", "生存", "失访", "未发生", "未死亡", "未复发", "活", "alive",
    "censored", "no", "false",
)  # fmt: skip


class SurvivalForm(Form):
    """Fields of every method with a time and a state; a member adds its own below."""

    time: Column = role("生存时间", "定量", hint="从起点到事件或末次随访")
    status: Column = role("结局状态", "定类", levels=(1, 20))
    event: Level | None = level(
        "事件取值", of="status", auto="两类时取“1”“是”“死亡”等，都没有时取后一类；多于两类时必选",
        hint="其他取值都算删失",
    )  # fmt: skip


@dataclass(frozen=True)
class Cases:
    """`time`, `event` of the cases used; `state`, `others`: names of the event and of what counts as censored."""

    time: Floats
    event: Bools
    title: str
    state: str
    others: str
    guessed: bool

    @property
    def n(self) -> int:
        return self.time.size


def read(form: Any, *, positive: bool = False) -> Cases:
    """Judges times and states. `positive`: the method cannot take a time of 0."""
    return _judged(form, _event_level(form), positive)


def _event_level(form: Any) -> Level | None:
    """The value that is the event: the one chosen, else the word of two that says so, else the later one; None where
    every word says that nothing happened. Refuses two words that both say so, and numbers without a 0: of 1 and 2
    either has been the event in published tables."""
    if form.event is not None:
        return form.event  # type: ignore[no-any-return]
    levels = form.status.levels
    if len(levels) > 2:
        raise Refusal(
            "data.levels", "“{v}”有 {k} 种取值，请在“事件取值”里选出哪一种算事件；几种都算时，先合并成一种",
            field="event", column=form.status.id, v=form.status.title, k=len(levels),
        )  # fmt: skip
    words = [_word(entry) for entry in levels]
    said = [entry for entry, word in zip(levels, words, strict=True) if word in EVENT_WORDS]
    rest = [entry for entry, word in zip(levels, words, strict=True) if word not in CENSORED_WORDS]
    if len(said) > 1:
        a, b = level_words(said)
        raise Refusal(
            "data.levels", "“{v}”的两种取值“{a}”“{b}”都像事件，请在“事件取值”里选出哪一种；两种都算时，先合并成一种",
            field="event", column=form.status.id, v=form.status.title, a=a, b=b,
        )  # fmt: skip
    if len(levels) > 1 and len(rest) > 1 and all(word.replace(".", "", 1).isdecimal() for word in words):
        a, b = level_words(levels)
        raise Refusal(
            "data.levels", "看不出“{v}”的“{a}”和“{b}”哪一种是事件，请在“事件取值”里选出", field="event",
            column=form.status.id, v=form.status.title, a=a, b=b,
        )  # fmt: skip
    return said[0] if said else rest[-1] if rest else None


def _word(entry: Level) -> str:
    return (entry.label or str(entry.value)).strip().lower()


def _judged(form: Any, chosen: Level | None, positive: bool) -> Cases:
    levels = form.status.levels
    words = dict(zip((entry.value for entry in levels), level_words(levels), strict=True))
    event = np.zeros(form.time.numbers.size, bool) if chosen is None else form.status.where(chosen)
    name = "" if chosen is None else words.get(chosen.value, str(chosen.value))
    others = [words[entry.value] for entry in levels if chosen is None or entry.value != chosen.value]
    if not event.any():
        raise Refusal(
            "data.no_event", "结局“{v}”没有出现事件" + ("“{name}”" if name else "") + "，请核对“事件取值”",
            field="event", also=["status"], column=form.status.id, v=form.status.title, name=name,
        )  # fmt: skip
    time = form.time.numbers
    wrong = (time <= 0) if positive else (time < 0)
    if wrong.any():
        text = (
            "“{v}”有 {k} 行不大于 0（如 {value}），本方法的时间须大于 0，请先改正或去掉这些行" if positive
            else "“{v}”有 {k} 行为负（如 {value}），请先改正或去掉这些行"
        )  # fmt: skip
        raise Refusal(
            "data.positive" if positive else "data.negative", text, field="time", column=form.time.id,
            v=form.time.title, k=int(wrong.sum()), value=number_words(float(time[wrong][0])),
        )  # fmt: skip
    if not float(time.max()) > 0:
        raise Refusal(
            "data.constant", "“{v}”全是 0，看不出随访了多久，请换一个时间变量", field="time", column=form.time.id,
            v=form.time.title,
        )  # fmt: skip
    return Cases(joined_times(time), event, form.time.title, name, listed(others, 5, "种"), form.event is None)
