"""The time of a series: what its frequency is, where rows stand, what is refused."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

import numpy as np
import pytest

from hengxi.contract import Column, Form, Moment, Refusal, Timeline, moment, role, timeline
from hengxi.contract.calendar import detect, read_period, regular
from hengxi.contract.form import Judge
from hengxi.data.build import table_of
from tests.support.binding import Binder


class Input(Form):
    unit: Column | None = role("个体", "定类")
    time: Timeline = timeline("时间", panel="unit", least=3)
    since: Moment | None = moment("政策时点", of="time")


def read(
    cells: list[Any], unit: list[str] | None = None, frequency: str | None = None, since: str | None = None
) -> Any:
    table = table_of({"时间": cells, "个体": unit or ["甲", "乙"] * (len(cells) // 2) + ["甲"] * (len(cells) % 2)})
    form = {"time": {"column": "c1", "frequency": frequency}, "unit": "c2" if unit else None, "since": since}
    judge = Judge(Input, (), form, table.meta.columns)
    resolved = judge.judge()
    assert not judge.faults, judge.faults
    binder = Binder(Input, table, resolved)
    bound = Input.fields["time"].bind(resolved["time"], binder)  # type: ignore[arg-type]
    assert isinstance(bound, Timeline)
    return (bound, Input.fields["since"].bind(resolved["since"], binder)) if since else bound  # type: ignore[arg-type]


def refused(cells: list[Any], **more: Any) -> Refusal:
    with pytest.raises(Refusal) as caught:
        read(cells, **more)
    return caught.value


MONTHS = [date(2023 + k // 12, k % 12 + 1, 1) for k in range(14)]


@pytest.mark.parametrize(
    ("cells", "title", "season", "labels"),
    [
        (MONTHS, "月", 12, ("2023-01", "2024-02")),
        ([date(2023, m, d) for m, d in ((1, 31), (2, 28), (3, 31), (4, 30))], "月", 12, ("2023-01", "2023-04")),
        ([date(2020 + k // 4, 3 * (k % 4) + 1, 1) for k in range(9)], "季", 4, ("2020Q1", "2022Q1")),
        ([date(2010 + k, 12, 31) for k in range(6)], "年", None, ("2010", "2015")),
        ([date(2024, 1, 1) + timedelta(7 * k) for k in range(9)], "周", 52, ("2024-01-01", "2024-02-26")),
        ([date(2024, 1, 6) + timedelta(k) for k in range(5)], "日", 7, ("2024-01-06", "2024-01-10")),
        ([d for k in range(20) if (d := date(2024, 1, 1) + timedelta(k)).weekday() < 5], "工作日", 5, None),
        ([datetime(2024, 1, 1, 5) + timedelta(hours=k) for k in range(30)], "小时", 24, ("2024-01-01 05:00", None)),
        ([2001, 2002, 2003, 2005, 2004], "年", None, ("2001", "2005")),
        ([202311, 202312, 202401], "月", 12, ("2023-11", "2024-01")),
        ([20231130, 20231201, 20231202], "日", 7, ("2023-11-30", "2023-12-02")),
        ([1, 2, 3, 4], "序号", None, ("1", "4")),
        ([2000, 2010, 2020], "每 10 年", None, ("2000", "2020")),
    ],
)
def test_the_frequency_is_read_from_the_data(cells: list[Any], title: str, season: int | None, labels: Any) -> None:
    series = read(cells)
    assert series.calendar.title == title and series.calendar.season == season
    assert sorted(series.place) == list(range(len(cells))) and series.length == len(cells)
    first, last = labels or (None, None)
    assert first is None or series.label(0) == first
    assert last is None or series.label(len(cells) - 1) == last


def test_periods_go_on_beyond_the_end() -> None:
    assert read(MONTHS).label(15) == "2024-04"
    assert read([date(2024, 1, 4) + timedelta(k) for k in (0, 1, 4, 5, 6, 7, 8, 11, 12, 13)]).label(10) == "2024-01-18"


def test_rows_stand_in_any_order() -> None:
    series = read(MONTHS[::-1])
    assert list(series.order) == list(range(13, -1, -1))


def test_a_period_twice_is_refused_with_its_rows() -> None:
    refusal = refused([*MONTHS, date(2023, 2, 20)], frequency="month")
    assert refusal.code == "timeline.duplicate" and "“2023-02”有不止一行（第 2、15 行）" in refusal.text


def test_gaps_are_refused_and_named() -> None:
    refusal = refused([*MONTHS[:3], *MONTHS[5:]])
    assert refusal.code == "timeline.gap" and "按月计缺 2 期（2023-04、2023-05）" in refusal.text


def test_each_unit_of_a_panel_has_its_own_series() -> None:
    assert read([2001, 2002, 2003, 2001, 2002, 2003], ["甲"] * 3 + ["乙"] * 3).length == 3
    refusal = refused([2001, 2002, 2003, 2001, 2003, 2002, 2002], unit=["甲"] * 3 + ["乙"] * 4)
    assert refusal.code == "timeline.duplicate" and refusal.text.startswith("“乙”的时间“2002”")
    assert "“乙”的时间不连续" in refused([2001, 2002, 2003, 2001, 2003], unit=["甲"] * 3 + ["乙"] * 2).text


def test_too_few_missing_and_unfit_are_refused() -> None:
    assert refused([2001, 2002]).code == "timeline.short"
    assert refused([*MONTHS, None]).code == "timeline.missing"
    assert refused([5, 6, 7, 8], frequency="month").code == "timeline.frequency"


def test_a_moment_is_found_in_the_series() -> None:
    series, since = read(MONTHS, since="2023-09")
    assert since.place(series) == 8
    series, since = read([2001, 2002, 2003], since="2002")
    assert since.place(series) == 1
    series, since = read(MONTHS, since="2030-01")
    with pytest.raises(Refusal, match="不在数据的时间里（2023-01 到 2024-02）"):
        since.place(series)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("2008", "2008-01-01"),
        ("2008Q3", "2008-07-01"),
        ("2008年3月", "2008-03-01"),
        ("2008/3/5", "2008-03-05"),
        ("2008-02-30", None),
        ("某天", None),
    ],
)
def test_periods_are_read_as_people_write_them(text: str, wanted: str | None) -> None:
    days = read_period(text, True)
    assert days == (None if wanted is None else float(np.datetime64(wanted).astype(int)))


def test_a_million_rows_are_sorted_once() -> None:
    days = np.arange(1_000_000, dtype=float)
    frequency = detect(days, True)
    assert frequency == "day" and regular(days, frequency).places(days)[-1] == 999_999
