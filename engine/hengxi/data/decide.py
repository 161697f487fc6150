"""From the text of a column to its type: what is certain, what is kept as text, what waits for the user's click.

Used by every format whose cells are text (csv) or may be (xlsx). A first `guess` from a sample costs nothing; it is
proved against the whole column, and a column that fails is counted cell by cell (`count`) and decided by `settle`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import polars as pl

from hengxi.contract.missing_tokens import MISSING_TOKENS
from hengxi.data.meta import ColumnReport, OddCell
from hengxi.data.plan import Counts, Plan
from hengxi.data.readings import (
    DATE_FORMS,
    DOUBTFUL,
    EXTRA,
    EXTRA_FORMS,
    GROUPED,
    LATE_DATE,
    NUMBER,
    ORDER_TITLES,
    ORDERS,
    PLAIN,
    RARE,
    READINGS,
    DateForm,
    date_forms,
    holds_numbers,
    is_token,
)

MAX_DIGITS = 15
"""A whole number with more digits does not fit a double exactly: it is a code (an identity card, an order number)."""

_LEADING_ZERO = r"^[+-]?0\d"
_LONG = rf"^[+-]?\d{{{MAX_DIGITS + 1},}}$"
_INT = re.compile(rf"[+-]?\d{{1,{MAX_DIGITS}}}")
_NUMBER = re.compile(NUMBER)
_WORDY = re.compile(_LEADING_ZERO)
_LONG_NUMBER = re.compile(_LONG)
_LATE = re.compile(LATE_DATE)
_EXTRAS = tuple(re.compile(form.pattern) for form in EXTRA_FORMS)
MIXED = 0.1
"""From this share of certain dates on numbers beside them may be days as well."""
_DOUBTS = tuple(re.compile(reading.pattern) for reading in DOUBTFUL)
KINDS = tuple(reading.key for reading in DOUBTFUL)


def guess(cells: Iterable[str]) -> Plan:
    """A plan from sampled cells. Certain enough to try; the whole column decides."""
    values = Counter(map(str.strip, cells))
    for token in MISSING_TOKENS:
        values.pop(token, None)
    total = values.total()
    are_numbers = bool(values) and holds_numbers(values)
    numbers = total if are_numbers else sum(n for v, n in values.items() if _NUMBER.fullmatch(v))
    if not values or numbers > 0.5 * total:
        if any(map(_WORDY.match, values)):
            return Plan(why="有取值以 0 开头，按编号保留为文本")
        if any(map(_LONG_NUMBER.match, values)):
            return Plan(why=f"有取值超过 {MAX_DIGITS} 位数字，按编号保留为文本")
        plain = values if are_numbers else filter(_NUMBER.fullmatch, values)
        return Plan(kind="int" if values and all(map(_INT.fullmatch, plain)) else "float")
    date_counts = date_forms(values)
    extra = sum(n for v, n in values.items() if any(pattern.match(v) for pattern in _EXTRAS))
    late = sum(n for v, n in values.items() if _LATE.match(v))
    if sum(date_counts.values()) + late > 0.5 * total:
        forms = tuple(form for form, n in date_counts.items() if n) + (ORDERS["mdy"] if late else ())
        timed = any(form.timed for form, n in date_counts.items() if n) or (late and any(":" in v for v in values))
        zones = {form.zone for form in forms if form.timed}
        return Plan(kind="datetime" if timed else "date", dates=forms, doubt=late > 0 or len(zones) > 1)
    if (dated := sum(date_counts.values())) >= MIXED * total and dated + extra > 0.5 * total:
        return Plan(kind="date", dates=tuple(form for form, n in date_counts.items() if n), doubt=True)
    doubtful = sum(n for v, n in values.items() if any(pattern.search(v) for pattern in _DOUBTS))
    return Plan(kind="float") if doubtful >= 0.5 * total else Plan()


def count(frame: pl.LazyFrame, name: str, row: str) -> Counts:
    """Counts one text column of a frame whose column `row` numbers the rows from 0."""
    text = pl.col(name).str.strip_chars()
    full = pl.col(name).is_not_null() & (text != "")
    token = full & is_token(text)
    plain = PLAIN.expr(text).is_not_null()
    kinds = {key: text.str.contains(READINGS[key].pattern) & ~plain for key in KINDS}
    # Of the doubtful ways only this one has an exponent, and may be beyond every double: then it is no number.
    kinds["comma_decimal"] &= READINGS["comma_decimal"].expr(text).is_not_null()
    doubt = pl.any_horizontal(list(kinds.values()))
    # Three times as many ways to write a moment, and hardly ever met: looked for only where there is a sign of them.
    rare = bool(frame.select(text.str.contains(RARE).any()).collect(engine="streaming").item())
    forms = [form for form in DATE_FORMS if rare or not form.rare]
    dates = {form.form: form.expr(text).is_not_null() for form in forms}
    late = text.str.contains(LATE_DATE)
    undated = full & ~token & ~late & ~pl.any_horizontal(list(dates.values()))
    spelled = (
        frame.select(
            cells=(full & ~token).sum(),
            tokens=text.filter(token).value_counts().implode(),
            plain=(full & plain).sum(),
            whole=(full & text.str.contains(r"^[+-]?\d+$")).sum(),
            zeros=(full & text.str.contains(_LEADING_ZERO)).sum(),
            long=(full & text.str.contains(_LONG)).sum(),
            odd=pl.struct(row=row, value=name).filter(undated & ~plain & ~doubt).head(5).implode(),
            undated=pl.struct(row=row, value=name).filter(undated).head(5).implode(),
            grouped=(full & text.str.contains(GROUPED) & plain).sum(),
            groups=pl.struct(row=row, value=name).filter(full & text.str.contains(GROUPED) & plain).head(5).implode(),
            doubt=pl.struct(row=row, value=name).filter(full & doubt).head(5).implode(),
            **{f"kind_{key}": (full & test).sum() for key, test in kinds.items()},
            **{f"date_{form}": (full & test).sum() for form, test in dates.items()},
            late=(full & late).sum(),
        )
        .collect(engine="streaming")
        .row(0, named=True)
    )
    counts = Counts(
        cells=spelled["cells"],
        tokens={item[name]: item["count"] for item in sorted(spelled["tokens"], key=lambda t: -t["count"])},
        plain=spelled["plain"],
        whole=spelled["whole"],
        zeros=spelled["zeros"],
        long=spelled["long"],
        kinds={key: spelled[f"kind_{key}"] for key in KINDS if spelled[f"kind_{key}"]},
        dates={f.form: spelled[f"date_{f.form}"] for f in forms if spelled[f"date_{f.form}"]},
        grouped=spelled["grouped"],
        odd=_sampled(spelled["odd"]),
        doubt=_sampled(spelled["doubt"]),
        groups=_sampled(spelled["groups"]),
    )
    dated = sum(counts.dates.values())
    if dated >= MIXED * counts.cells and spelled["undated"]:
        _count_extra(frame, name, row, counts, list(dates.values()))
    if spelled["late"] + dated + sum(counts.extra.values()) > 0.5 * counts.cells and dated + spelled["late"]:
        counts.odd = counts.odd_dates if counts.extra else _sampled(spelled["undated"])
        if spelled["late"]:
            _count_orders(frame, name, row, counts)
    return counts


def _count_extra(frame: pl.LazyFrame, name: str, row: str, counts: Counts, dates: list[pl.Expr]) -> None:
    """Numbers that are days among dates, and samples of them and of what is no date all the same."""
    text = pl.col(name).str.strip_chars()
    tests = {form.form: form.expr(text).is_not_null() for form in EXTRA_FORMS}
    extra = pl.any_horizontal(list(tests.values()))
    known = pl.any_horizontal(dates) | text.str.contains(LATE_DATE) | is_token(text) | (text == "")
    matches = (
        frame.select(
            extra=pl.struct(row=row, value=name).filter(extra).head(5).implode(),
            odd=pl.struct(row=row, value=name).filter(text.is_not_null() & ~known & ~extra).head(5).implode(),
            **{f"n_{form}": test.sum() for form, test in tests.items()},
        )
        .collect(engine="streaming")
        .row(0, named=True)
    )
    counts.extra = {form: matches[f"n_{form}"] for form in EXTRA if matches[f"n_{form}"]}
    counts.extras, counts.odd_dates = _sampled(matches["extra"]), _sampled(matches["odd"])


def _sampled(cells: list[dict[str, Any]]) -> list[OddCell]:
    return [OddCell(row=cell["row"] + 1, value=cell["value"]) for cell in cells]


def _count_orders(frame: pl.LazyFrame, name: str, row: str, counts: Counts) -> None:
    """How many dates with the year last each order takes, and samples; asked only of columns that are mostly dates."""
    text = pl.col(name).str.strip_chars()
    tests = {
        f"{order}_{place}": form.expr(text).is_not_null()
        for order, forms in ORDERS.items()
        for place, form in enumerate(forms)
    }
    late = text.str.contains(LATE_DATE)
    taken = pl.any_horizontal(list(tests.values()))
    ways = {o: pl.any_horizontal([test for key, test in tests.items() if key.startswith(o)]) for o in ORDERS}
    orders = (
        frame.select(
            late=pl.struct(row=row, value=name).filter(taken).head(5).implode(),
            unread=pl.struct(row=row, value=name).filter(late & ~taken).head(5).implode(),
            **{
                f"unfit_{order}": pl.struct(row=row, value=name).filter(taken & ~way).head(5).implode()
                for order, way in ways.items()
            },
            **{key: test.sum() for key, test in tests.items()},
        )
        .collect(engine="streaming")
        .row(0, named=True)
    )
    counts.orders = {
        order: {form.form: n for place, form in enumerate(forms) if (n := orders[f"{order}_{place}"])}
        for order, forms in ORDERS.items()
    }
    counts.unfit = {order: _sampled(orders[f"unfit_{order}"]) for order in ORDERS}
    counts.late = _sampled(orders["late"])
    counts.odd = [*_sampled(orders["unread"]), *counts.odd][:5]


def settle(
    column_id: str,
    name: str,
    counts: Counts,
    answer: str | None,
    on_doubt: str,
    decimal: str = ".",
    order: str = "",
    commas: bool = False,
) -> tuple[Plan, ColumnReport, dict[str, Any] | None]:
    """(plan, report, question or None). A question means: nothing was decided, the import waits for `answers[id]`.

    `decimal` and `order` (mdy, dmy) are what the user has set for the whole file; `commas`: its numbers look as if
    written with decimal commas.
    """
    report = ColumnReport(id=column_id, name=name, type="文本", why="")
    if counts.cells == 0:
        words = [token for token in counts.tokens if token]
        why = f"只有“{words[0]}”一类的空白记号，原样保留为文本" if words else "全部缺失"
        return Plan(why=why), report, None
    points = counts.grouped if commas or decimal == "," or "comma_decimal" in counts.kinds else 0
    if decimal == "," and set(counts.kinds) <= {"comma_decimal", "thousands"}:
        answer = answer or "comma_decimal"
    late = max(sum(forms.values()) for forms in counts.orders.values()) if counts.orders else 0
    dated = sum(counts.dates.values()) + late
    if dated + (sum(counts.extra.values()) if dated else 0) > 0.5 * counts.cells:
        if late:
            return _settle_order(report, counts, answer, on_doubt, order)
        return _settle_date(report, counts, answer, on_doubt)
    if counts.plain + _covered(counts) <= 0.5 * counts.cells:
        return Plan(), report, None
    if counts.zeros or counts.long:
        fault = (
            f"{counts.zeros} 个单元格以 0 开头" if counts.zeros else f"{counts.long} 个单元格超过 {MAX_DIGITS} 位数字"
        )
        return Plan(why=f"{fault}，按编号保留为文本"), report, None
    report.tokens = counts.tokens
    odd = counts.cells - counts.plain - _covered(counts)
    if not counts.kinds and not points and odd <= 0:
        kind = "int" if counts.whole == counts.plain else "float"
        return Plan(kind=kind, readings=("plain",), trim=True, keep_raw=bool(counts.tokens)), report, None
    report.odd = counts.cells - counts.plain + points
    report.samples = ([*counts.doubt[:3], *counts.groups[:2]] if points else counts.doubt or counts.odd)[:5]
    choices = number_ways(counts, odd, points > 0)
    kind = "/".join(counts.kinds) or ("comma_decimal" if points else "odd")
    return _answered(report, choices, answer, on_doubt, kind)


def _covered(found: Counts) -> int:
    """Cells of a doubtful kind; 1,234 is both a thousands and a decimal comma and counts once."""
    kinds = dict(found.kinds)
    both = min(kinds.get("thousands", 0), kinds.get("comma_decimal", 0))
    return sum(kinds.values()) - both


def _settle_date(
    report: ColumnReport, counts: Counts, answer: str | None, on_doubt: str
) -> tuple[Plan, ColumnReport, dict[str, Any] | None]:
    forms = tuple(form for form in DATE_FORMS if form.form in counts.dates)
    kind = "datetime" if any(form.timed for form in forms) else "date"
    if len({form.zone for form in forms if form.timed}) > 1:
        return Plan(why="时刻属于不同的时区，原样保留为文本"), report, None
    odd = counts.cells - sum(counts.dates.values())
    plan = Plan(kind=kind, dates=forms, trim=True, keep_raw=odd > 0 or bool(counts.tokens))
    report.tokens = counts.tokens
    if odd == 0:
        return plan, report, None
    report.odd, report.samples = odd, _odd_dates(counts)
    choices = [(f"{odd} 个不是日期的单元格作缺失（原文保留）", "missing", plan)]
    if counts.extra:
        wide = replace(plan, dates=(*forms, *_extra_forms(counts)), keep_raw=True)
        choices.insert(0, (_extra_title(counts, odd), "extra", wide))
    return _answered(report, choices, answer, on_doubt, "date")


def _extra_forms(counts: Counts) -> tuple[DateForm, ...]:
    return tuple(form for form in EXTRA_FORMS if form.form in counts.extra)


def _extra_title(counts: Counts, odd: int) -> str:
    """其中 3 个写成 20240405、2 个是 Excel 日期序号，也读作日期."""
    parts = "、".join(
        f"{n} 个{'写成 20240405' if form == 'compact' else '是 ' + EXTRA[form]}" for form, n in counts.extra.items()
    )
    left = odd - sum(counts.extra.values())
    return f"{parts}，也读作日期" + (f"；其余 {left} 个不是日期的单元格作缺失（原文保留）" if left > 0 else "")


def _odd_dates(counts: Counts) -> list[OddCell]:
    """Cells of both kinds: numbers that may be days, and what is no date."""
    return [*counts.extras[: 5 - len(counts.odd[:2])], *counts.odd][:5]


def _settle_order(
    report: ColumnReport, counts: Counts, answer: str | None, on_doubt: str, wanted: str
) -> tuple[Plan, ColumnReport, dict[str, Any] | None]:
    """Dates with the year last. Where one order takes more cells than the other it is that one; else the user says."""
    report.tokens = counts.tokens
    certain = tuple(form for form in DATE_FORMS if form.form in counts.dates)
    taken = {order: sum(forms.values()) for order, forms in counts.orders.items()}
    most = max(taken.values())
    ways = [order for order in ORDERS if taken[order] == most] if not wanted else [wanted]
    extra = sum(counts.extra.values())
    odd = counts.cells - sum(counts.dates.values()) - taken[ways[0]] - extra
    choices = []
    for order in ways:
        forms = certain + tuple(form for form in ORDERS[order] if form.form in counts.orders.get(order, {}))
        forms += _extra_forms(counts)
        also = f"；{_extra_title(counts, extra)}" if extra else ""
        rest = f"；其余 {odd} 个不是日期的单元格作缺失（原文保留）" if odd else ""
        kind = "datetime" if any(form.timed for form in forms) else "date"
        raw = odd > 0 or extra > 0 or bool(counts.tokens)
        plan = Plan(kind=kind, dates=forms, trim=True, keep_raw=raw)
        choices.append((f"{ORDER_TITLES[order]}{also}{rest}", order, plan))
    if len(ways) > 1:
        # Where each order leaves out another cell, no cell is odd by itself.
        others = _odd_dates(counts)[:2]
        report.odd, report.samples = most, [*counts.late[: 5 - len(others)], *others]
        return _answered(report, choices, answer, on_doubt, "order")
    report.odd, report.samples = odd + extra, [*counts.extras[:2], *counts.unfit[ways[0]], *counts.odd][:5]
    if odd + extra == 0:
        title, _, plan = choices[0]
        plan.why = f"日期，按 {title}（{'所选' if wanted else '只有这样读得通'}）"
        return plan, report, None
    return _answered(report, choices, answer, on_doubt, "date")


def number_ways(counts: Counts, odd: int, points: bool = False) -> list[tuple[str, str, Plan]]:
    """(title, key, plan) of each way to read the column as numbers; `points` may group digits, as in 2.000."""
    keys = [key for key in KINDS if key in counts.kinds]
    if not keys and not points:
        title = f"{odd} 个不是数字的单元格作缺失（原文保留）"
        return [(title, "missing", Plan(kind="float", readings=("plain",), trim=True, keep_raw=True))]
    commas = [key for key in ("thousands", "comma_decimal") if key in keys]
    # The way that loses fewest cells first; where both take a cell (1,234), each is told with what it loses.
    commas.sort(key=lambda key: -counts.kinds[key])
    others = [key for key in keys if key not in commas]
    ways = [[comma, *others] for comma in commas] or [others]
    out = []
    for way in ways:
        lost = counts.cells - counts.plain - sum(counts.kinds[key] for key in way)
        rest = f"；其余 {lost} 个不是数字的单元格作缺失（原文保留）" if lost > 0 else ""
        titles = [READINGS[key].title for key in way]
        grouping = points and "thousands" not in way
        if grouping:
            key = "+".join(way) if "comma_decimal" in way else "+".join(["comma_decimal", *way])
            readings = ("comma_decimal", "plain", *(one for one in way if one != "comma_decimal"))
            title = "，".join([*titles, "句点是千位分隔符（2.000 读作 2000）"]) + rest
            out.append((title, key, Plan(kind="float", readings=readings, trim=True, keep_raw=True)))
            titles.append("句点是小数点（2.000 读作 2）")
        plan = Plan(kind="float", readings=("plain", *way), trim=True, keep_raw=True)
        out.append(("，".join(titles) + rest, "+".join([*way, "points"] if grouping else way), plan))
    return out


_FAULTS = {"date": "不是日期", "order": "看不出月和日谁在前"}


def _answered(
    report: ColumnReport, choices: list[tuple[str, str, Plan]], answer: str | None, on_doubt: str, kind: str
) -> tuple[Plan, ColumnReport, dict[str, Any] | None]:
    for title, key, plan in choices:
        if answer == key:
            plan.why = f"按所选读法：{title}"
            return plan, report, None
    if answer == "text" or on_doubt == "text":
        why = f"{report.odd} 个单元格{_FAULTS.get(kind, '的写法不能直接当数字')}，保留为文本"
        return Plan(why=why), report, None
    question = {
        "id": report.id,
        "column": report.id,
        "name": report.name,
        "kind": kind,
        "count": report.odd,
        "samples": [{"row": cell.row, "value": cell.value} for cell in report.samples],
        "choices": [
            {"key": key, "title": title, "preview": preview(plan, report.samples)} for title, key, plan in choices
        ]
        + [{"key": "text", "title": "保留为文本，不换算", "preview": preview(Plan(), report.samples)}],
    }
    return Plan(), report, question


def preview(plan: Plan, samples: list[OddCell]) -> list[dict[str, Any]]:
    """Before and after for the sampled cells."""
    frame = pl.DataFrame({"x": [cell.value for cell in samples]}, schema={"x": pl.String})
    after = frame.select(plan.expr("x")).to_series().to_list()
    return [
        {"before": cell.value, "after": value if isinstance(value, (int, float, str)) or value is None else str(value)}
        for cell, value in zip(samples, after, strict=True)
    ]
