"""A regular series as the methods read it: in order of time, without gaps, with the future rows of its regressors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hengxi.contract import Column, Form, Refusal, Report, SetRemedy, StepRemedy, Timeline, choice, role, timeline
from hengxi.stats.moments import Floats

SHOWN = 5
LARGEST = 1e100
LONGEST = 200_000


class SeriesForm(Form):
    y: Column = role("时间序列", "定量")
    time: Timeline | None = timeline(
        "时间（可选）", gaps="keep", required=False, hint="不放时按行的先后作次序，行序就是时间的先后"
    )
    gaps: str = choice(
        "缺口", {"refuse": "指出来，不计算", "linear": "线性插补"}, advanced=True,
        hint="中间缺了时点或取值时怎么办",
    )  # fmt: skip


@dataclass
class Series:
    """`y` without gaps; `exog` beside it, `future` the rows of the exogenous variables after the last y."""

    column: Column
    time: Timeline | None
    first: int
    y: Floats
    exog: Floats
    future: Floats
    filled: npt.NDArray[np.int64]
    """Places in `y` that were interpolated."""

    @property
    def n(self) -> int:
        return int(self.y.size)

    @property
    def season(self) -> int | None:
        return None if self.time is None else self.time.calendar.season

    @property
    def title(self) -> str:
        return self.column.title

    def label(self, place: int) -> str:
        """The period's name; also after the end."""
        return str(self.first + place + 1) if self.time is None else self.time.label(self.first + place)

    def labels(self, start: int, stop: int) -> list[str]:
        return [self.label(place) for place in range(start, stop)]

    @property
    def spacing(self) -> str:
        return "按行的先后" if self.time is None else f"频率：{self.time.calendar.title}"

    @property
    def axis(self) -> str:
        return "次序" if self.time is None else self.time.column.title

    def state(self, report: Report) -> None:
        """Rows used, and what was interpolated."""
        report.used(self.n - self.filled.size)
        if self.filled.size:
            named = "、".join(self.label(int(k)) for k in self.filled[:SHOWN])
            report.warn(
                "data.interpolated",
                "有 {k:integer} 期缺失，已按前后两期线性插补（{named}{rest}）；插补的期数多时，结论不可靠。",
                columns=[self.column], k=int(self.filled.size), named=named,
                rest="…" if self.filled.size > SHOWN else "",
            )  # fmt: skip


def read_series(form: Any, exog: list[Column] | None = None, least: int = 8, column: Column | None = None) -> Series:
    """Raises Refusal: too short, a gap that may not be filled, constant, too large."""
    exog, y = list(exog or []), column or form.y
    time: Timeline | None = form.time
    field = "y" if column is None else "x"
    place = np.arange(len(y)) if time is None else time.place
    length = int(place.max()) + 1 if place.size else 0
    if length > LONGEST:
        text = "“{v}”的时间跨 {k} 期，最多 {most} 期；请检查频率，或先汇总成更粗的时间"
        raise Refusal("data.long", text, field=field, column=y.id, v=y.title, k=length, most=LONGEST)
    whole = np.full((length, 1 + len(exog)), np.nan)
    for j, one in enumerate([y, *exog]):
        whole[place, j] = one.numbers
    known = np.flatnonzero(~np.isnan(whole[:, 0]))
    if known.size < least:
        raise Refusal(
            "data.few", "“{v}”只有 {k} 期有取值，至少要 {least} 期", field=field, column=y.id, v=y.title,
            k=int(known.size), least=least,
        )  # fmt: skip
    first, last = int(known[0]), int(known[-1])
    future = whole[last + 1 :, 1:]
    inside = whole[first : last + 1]
    _refuse_magnitude(inside, [y, *exog], field)
    filled = _fill(form, inside, [y, *exog], time, first, field)
    if not np.ptp(inside[:, 0]) > 0:
        raise Refusal("data.constant", "“{v}”每期都是同一个值，没有变化，不能分析", field=field, column=y.id, v=y.title)
    return Series(y, time, first, inside[:, 0].copy(), inside[:, 1:].copy(), _until_gap(future), np.flatnonzero(filled))


def _refuse_magnitude(inside: Floats, columns: list[Column], field: str) -> None:
    for j, one in enumerate(columns):
        sizes = np.abs(inside[:, j][~np.isnan(inside[:, j])])
        if sizes.size and (sizes.max() > LARGEST or 0 < sizes.max() < 1 / LARGEST):
            text = "“{v}”的数值太大或太小，无法计算，请换一个单位"
            raise Refusal("data.magnitude", text, field=field if j == 0 else "exog", column=one.id, v=one.title)


def _fill(form: Any, inside: Floats, columns: list[Column], time: Timeline | None, first: int, field: str) -> Any:
    """Interpolates in place where the form allows it; the places that lacked a value of y."""
    gone = np.isnan(inside)
    if not gone.any():
        return gone[:, 0]
    if form.gaps == "refuse":
        j = int(np.flatnonzero(gone.any(axis=0))[0])
        places = np.flatnonzero(gone[:, j])

        def name(k: int) -> str:
            return f"第 {first + k + 1} 行" if time is None else time.label(first + k)

        named = "、".join(name(int(k)) for k in places[:SHOWN])
        raise Refusal(
            "data.gaps", "“{v}”中间缺 {k} 期（{named}{rest}）；请补上这些期，或选择线性插补",
            field=field if j == 0 else "exog", column=columns[j].id, v=columns[j].title, k=int(places.size),
            named=named, rest="…" if places.size > SHOWN else "",
            remedies=[
                SetRemedy(title="线性插补", set={"gaps": "linear"}),
                StepRemedy(title="处理缺失值", step="data_processing/missing_value", columns=[columns[j].id]),
            ],
        )  # fmt: skip
    at = np.arange(inside.shape[0])
    for j in range(inside.shape[1]):
        held = ~gone[:, j]
        if not held.any():
            raise Refusal("data.few", "“{v}”没有可用的取值", field="exog", column=columns[j].id, v=columns[j].title)
        inside[:, j] = np.interp(at, at[held], inside[held, j])
    return gone[:, 0]


def _until_gap(future: Floats) -> Floats:
    """Rows after the end, up to the first that lacks an exogenous value."""
    if not future.shape[1]:
        return future[:0]
    gone = np.isnan(future).any(axis=1)
    return future[: int(np.argmax(gone))] if gone.any() else future
