"""The functions of the formula grammar, one line each where one line does (types: contract/grammar_types.py)."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from hengxi.contract.grammar import Call, Column, FormulaError, Node, Number, Text, columns
from hengxi.data.arrays import Bools, Floats, as_strings, number_text
from hengxi.data.evaluation import FALSE, TRUE, UNKNOWN, Evaluation, Functions, Logic, Texts
from hengxi.data.repeats import repeated
from hengxi.data.rereading import as_days, as_numbers
from hengxi.data.values import dictionary, indices

Numeric = Callable[[Evaluation, Call], Floats]

# -- conditions --------------------------------------------------------------------------------------------------------


def _missing(run: Evaluation, node: Call) -> Logic:
    return np.where(run.missing(node.args[0]), TRUE, FALSE).astype(np.uint8)


def _nvl_logic(run: Evaluation, node: Call) -> Logic:
    first = run.logic(node.args[0])
    return np.where(first == UNKNOWN, run.logic(node.args[1]), first).astype(np.uint8)


def _if_logic(run: Evaluation, node: Call) -> Logic:
    test, yes, no = (run.logic(arg) for arg in node.args)
    return np.where(test == UNKNOWN, UNKNOWN, np.where(test == TRUE, yes, no)).astype(np.uint8)


def _between(run: Evaluation, node: Call) -> Logic:
    item, low, high = node.args
    with run.holding(item):
        return np.minimum(run.compare(">=", item, low), run.compare("<=", item, high))


def _tested(test: Callable[[str, str], bool]) -> Callable[[Evaluation, Call], Logic]:
    def run_test(run: Evaluation, node: Call) -> Logic:
        needle = _constant_text(run, node.args[1])
        return run.texts(node.args[0]).flag(lambda word: test(word, needle))

    return run_test


def _constant_text(run: Evaluation, node: Node) -> str:
    if not isinstance(node, Text):
        raise FormulaError("formula.type", "这里应是双引号中的文字", node.at)
    return node.value


LOGICAL: dict[str, Callable[[Evaluation, Call], Logic]] = {
    "missing": _missing,
    "nvl": _nvl_logic,
    "if": _if_logic,
    "between": _between,
    "contains": _tested(lambda word, part: part in word),
    "starts": _tested(str.startswith),
    "ends": _tested(str.endswith),
    "repeated": repeated,
}

# -- numbers -----------------------------------------------------------------------------------------------------------


def _map(change: Callable[[Floats], Floats], domain: Callable[[Floats], Bools] | None = None) -> Numeric:
    """A function of one number; `domain` marks where it is not defined."""

    def apply(run: Evaluation, node: Call) -> Floats:
        x = run.numbers(node.args[0])
        with np.errstate(all="ignore"):
            out = change(x)
            wrong = ~np.isfinite(out) & np.isfinite(x) if domain is None else domain(x)
        return run.undefined(out, wrong, "domain")

    return apply


def _log(run: Evaluation, node: Call) -> Floats:
    x, base = (run.numbers(arg) for arg in node.args)
    wrong = (x <= 0) | (base <= 0) | (base == 1)
    with np.errstate(all="ignore"):
        return run.undefined(np.log(x) / np.log(base), wrong, "domain")


def _round(run: Evaluation, node: Call) -> Floats:
    """Half away from zero, as people round; `ROUND(x, 2)`."""
    x = run.numbers(node.args[0])
    digits = _count(run, node, 1, 0, least=-10)
    scale = 10.0**digits
    scaled = np.abs(x) * scale
    # What a double holds of 2.675 is a little less; the nudge is far below any printed digit.
    out: Floats = np.copysign(np.floor(scaled + 0.5 + scaled * 2e-15), x) / scale
    return np.where(np.abs(x) < 1e15, out, x)


def _mod(run: Evaluation, node: Call) -> Floats:
    x, y = (run.numbers(arg) for arg in node.args)
    with np.errstate(all="ignore"):
        return run.undefined(np.mod(x, y), (y == 0) & ~np.isnan(x), "division")


def _power(run: Evaluation, node: Call) -> Floats:
    return run._arithmetic("^", run.numbers(node.args[0]), run.numbers(node.args[1]))


def _count(run: Evaluation, node: Call, place: int, default: int, least: int = 0) -> int:
    """A whole number given as a constant (`LAG(x, 2)`, `LEFT(s, 3)`)."""
    if len(node.args) <= place:
        return default
    arg = node.args[place]
    value = run.numbers(arg)[:1]
    constant = isinstance(arg, Number) or not columns(arg)
    if not constant or (len(value) and (value[0] != math.floor(value[0]) or value[0] < least)):
        raise FormulaError("formula.type", "这里应是一个整数", arg.at)
    return int(value[0]) if len(value) else default


def _rows(statistic: Callable[[Floats], Floats], least: int) -> Numeric:
    """A statistic over the arguments of each row, of the valid ones: `MEAN.3(a, b, c)` wants three."""

    def apply(run: Evaluation, node: Call) -> Floats:
        block = np.vstack([run.numbers(arg) for arg in node.args])
        valid = np.count_nonzero(~np.isnan(block), axis=0)
        enough = valid >= max(node.least or least, least)
        out = np.full(run.rows, np.nan)
        if enough.any():
            out[enough] = statistic(block[:, enough])
        return out

    return apply


def _valid(run: Evaluation, node: Call) -> Floats:
    out: Floats = np.sum([~run.missing(arg) for arg in node.args], axis=0, dtype=np.float64)
    return out


def _shift(values: Floats, by: int) -> Floats:
    out = np.full(len(values), np.nan)
    if abs(by) >= len(values):
        return out
    if by >= 0:
        out[by:] = values[: len(values) - by]
    else:
        out[:by] = values[-by:]
    return out


def _diff(run: Evaluation, node: Call) -> Floats:
    x = run.numbers(node.args[0])
    return x - _shift(x, 1)


def _cumulate(run: Evaluation, node: Call, mean: bool) -> Floats:
    """Running sum or mean of the valid values; missing stays missing."""
    x = run.numbers(node.args[0])
    gone = np.isnan(x)
    total: Floats = np.cumsum(np.where(gone, 0.0, x))
    if mean:
        total = total / np.maximum(np.cumsum(~gone), 1)
    return np.where(gone, np.nan, total)


def _rank(run: Evaluation, node: Call) -> Floats:
    """1 for the smallest; ties get their mean rank."""
    x = run.numbers(node.args[0])
    valid = np.flatnonzero(~np.isnan(x))
    out = np.full(len(x), np.nan)
    _, inverse, counts = np.unique(x[valid], return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    out[valid] = (last - (counts - 1) / 2)[inverse]
    return out


def _part(unit: str, base: str | None = None, offset: int = 0) -> Numeric:
    """A part of a date."""

    def apply(run: Evaluation, node: Call) -> Floats:
        days = run.numbers(node.args[0])
        gone = np.isnan(days)
        moments = (np.where(gone, 0.0, days) * 86_400.0).round().astype("datetime64[s]")
        whole = moments.astype(f"datetime64[{unit}]").astype(np.int64)
        if base is not None:
            whole = whole - moments.astype(f"datetime64[{base}]").astype(f"datetime64[{unit}]").astype(np.int64)
        return np.where(gone, np.nan, whole.astype(np.float64) + offset)

    return apply


def _weekday(run: Evaluation, node: Call) -> Floats:
    """1 Monday … 7 Sunday."""
    days = np.floor(run.numbers(node.args[0]))
    out: Floats = np.mod(days + 3, 7) + 1
    return out


def _quarter(run: Evaluation, node: Call) -> Floats:
    out: Floats = np.floor((_part("M", "Y", 1)(run, node) - 1) / 3) + 1
    return out


def _date(run: Evaluation, node: Call) -> Floats:
    """Days since 1970 of a calendar date; impossible dates are missing and counted."""
    year, month, day = (run.numbers(arg) for arg in node.args)
    known = ~(np.isnan(year) | np.isnan(month) | np.isnan(day))
    fits = known & (month >= 1) & (month <= 12) & (day >= 1) & (day <= 31) & (np.abs(year) < 10_000)
    y, m = np.where(fits, year, 1970).astype(np.int64), np.where(fits, month, 1).astype(np.int64)
    months = ((y - 1970) * 12 + m - 1).astype("datetime64[M]")
    days = months.astype("datetime64[D]").astype(np.int64) + np.where(fits, day, 1) - 1
    length = (months + 1).astype("datetime64[D]").astype(np.int64) - months.astype("datetime64[D]").astype(np.int64)
    fits &= np.where(fits, day, 1) <= length
    return run.undefined(np.where(fits, days, np.nan), known & ~fits, "domain")


def _if_number(run: Evaluation, node: Call) -> Floats:
    test = run.logic(node.args[0])
    chosen = np.where(test == TRUE, run.numbers(node.args[1]), run.numbers(node.args[2]))
    return np.where(test == UNKNOWN, np.nan, chosen)


def _nvl_number(run: Evaluation, node: Call) -> Floats:
    first = run.numbers(node.args[0])
    return np.where(np.isnan(first), run.numbers(node.args[1]), first)


def _to_number(run: Evaluation, node: Call) -> Floats:
    """Text read as the import reads it: 1,234, 12%, 3万, （5）; where two readings take a cell the first counts."""
    return run.texts(node.args[0]).looked_up(as_numbers)


def _to_date(run: Evaluation, node: Call) -> Floats:
    """Text read as a date as the import reads it: 2024-04-05, 20240405, 5 April 2024, 45387."""
    return run.texts(node.args[0]).looked_up(as_days)


def _of_column(node: Call) -> str:
    arg = node.args[0]
    if not isinstance(arg, Column):
        raise FormulaError("formula.type", f"“{node.name.upper()}”里应是一个变量", arg.at)
    return arg.id


def _sd(block: Floats) -> Floats:
    return np.asarray(np.nanstd(block, axis=0, ddof=1))


NUMERIC: dict[str, Numeric] = {
    "if": _if_number,
    "nvl": _nvl_number,
    "abs": _map(np.abs),
    "sign": _map(np.sign),
    "sqrt": _map(np.sqrt, lambda x: x < 0),
    "exp": _map(np.exp),
    "ln": _map(np.log, lambda x: x <= 0),
    "log10": _map(np.log10, lambda x: x <= 0),
    "lg10": _map(np.log10, lambda x: x <= 0),
    "log2": _map(np.log2, lambda x: x <= 0),
    "log": _log,
    "power": _power,
    "mod": _mod,
    "round": _round,
    "floor": _map(np.floor),
    "ceil": _map(np.ceil),
    "ceiling": _map(np.ceil),
    "trunc": _map(np.trunc),
    "int": _map(np.trunc),
    "sin": _map(np.sin),
    "cos": _map(np.cos),
    "tan": _map(np.tan),
    "asin": _map(np.arcsin, lambda x: np.abs(x) > 1),
    "acos": _map(np.arccos, lambda x: np.abs(x) > 1),
    "atan": _map(np.arctan),
    "pi": lambda run, node: np.full(run.rows, math.pi),
    "rownum": lambda run, node: np.arange(1.0, run.rows + 1),
    "mean": _rows(lambda block: np.nanmean(block, axis=0), 1),
    "sum": _rows(lambda block: np.nansum(block, axis=0), 1),
    "sd": _rows(_sd, 2),
    "var": _rows(lambda block: _sd(block) ** 2, 2),
    "min": _rows(lambda block: np.nanmin(block, axis=0), 1),
    "max": _rows(lambda block: np.nanmax(block, axis=0), 1),
    "median": _rows(lambda block: np.nanmedian(block, axis=0), 1),
    "count": _valid,
    "nvalid": _valid,
    "nmiss": lambda run, node: len(node.args) - _valid(run, node),
    "len": lambda run, node: run.texts(node.args[0]).numbers(len),
    "length": lambda run, node: run.texts(node.args[0]).numbers(len),
    "number": _to_number,
    "year": _part("Y", None, 1970),
    "quarter": _quarter,
    "month": _part("M", "Y", 1),
    "day": _part("D", "M", 1),
    "weekday": _weekday,
    "hour": _part("h", "D"),
    "minute": _part("m", "h"),
    "date": _date,
    "datevalue": _to_date,
    "datediff": lambda run, node: run.numbers(node.args[0]) - run.numbers(node.args[1]),
    "lag": lambda run, node: _shift(run.numbers(node.args[0]), _count(run, node, 1, 1)),
    "lead": lambda run, node: _shift(run.numbers(node.args[0]), -_count(run, node, 1, 1)),
    "diff": _diff,
    "rank": _rank,
    "cumsum": lambda run, node: _cumulate(run, node, False),
    "cummean": lambda run, node: _cumulate(run, node, True),
    "value": lambda run, node: run.table.entered(_of_column(node)),
}

# -- texts -------------------------------------------------------------------------------------------------------------


def _changed(change: Callable[[str], str]) -> Callable[[Evaluation, Call], Texts]:
    return lambda run, node: run.texts(node.args[0]).each(change)


def _cut(run: Evaluation, node: Call) -> Texts:
    """LEFT, RIGHT, MID: characters are counted from 1."""
    texts = run.texts(node.args[0])
    first = _count(run, node, 1, 1)
    if node.name == "left":
        return texts.each(lambda word: word[:first])
    if node.name == "right":
        return texts.each(lambda word: word[-first:] if first else "")
    length = _count(run, node, 2, 1 << 20)
    return texts.each(lambda word: word[max(first - 1, 0) : max(first - 1, 0) + length])


def _replace(run: Evaluation, node: Call) -> Texts:
    old, new = _constant_text(run, node.args[1]), _constant_text(run, node.args[2])
    return run.texts(node.args[0]).each(lambda word: word.replace(old, new) if old else word)


def _concat(run: Evaluation, node: Call) -> Texts:
    parts = [run.texts(arg) for arg in node.args]
    gone = np.any([part.codes < 0 for part in parts], axis=0)
    cells = [part.lookup()[part.codes] for part in parts]
    joined = ["".join(row) if not lost else "" for row, lost in zip(zip(*cells, strict=True), gone, strict=True)]
    return Texts(np.where(gone, -1, np.arange(run.rows)), joined)


def _to_text(run: Evaluation, node: Call) -> Texts:
    arg = node.args[0]
    if isinstance(arg, Column):
        encoded = dictionary(run.table.array(arg.id))
        codes = np.where(run.table.missing(arg.id), -1, indices(encoded).astype(np.int64))
        return Texts(codes, as_strings(encoded.dictionary).to_pylist())
    if run.kind(arg) == "text":
        return run.texts(arg)
    values = run.numbers(arg)
    distinct, inverse = np.unique(values, return_inverse=True)
    words = [number_text(float(v)) or "" for v in distinct]
    return Texts(np.where(np.isnan(values), -1, inverse), words)


def _merged(first: Texts, second: Texts, use_second: Bools) -> Texts:
    codes = np.where(second.codes < 0, -1, second.codes + len(first.words))
    return Texts(np.where(use_second, codes, first.codes), first.words + second.words)


def _if_text(run: Evaluation, node: Call) -> Texts:
    test = run.logic(node.args[0])
    out = _merged(run.texts(node.args[1]), run.texts(node.args[2]), test == FALSE)
    return Texts(np.where(test == UNKNOWN, -1, out.codes), out.words)


def _nvl_text(run: Evaluation, node: Call) -> Texts:
    first = run.texts(node.args[0])
    return _merged(first, run.texts(node.args[1]), first.codes < 0)


def _shift_text(run: Evaluation, node: Call) -> Texts:
    texts = run.texts(node.args[0])
    by = _count(run, node, 1, 1) * (1 if node.name == "lag" else -1)
    moved = _shift(texts.codes.astype(np.float64), by)
    return Texts(np.where(np.isnan(moved), -1, moved).astype(np.int64), texts.words)


TEXTUAL: dict[str, Callable[[Evaluation, Call], Texts]] = {
    "if": _if_text,
    "nvl": _nvl_text,
    "upper": _changed(str.upper),
    "lower": _changed(str.lower),
    "trim": _changed(str.strip),
    "left": _cut,
    "right": _cut,
    "mid": _cut,
    "substr": _cut,
    "concat": _concat,
    "replace": _replace,
    "text": _to_text,
    "lag": _shift_text,
    "lead": _shift_text,
    "value": lambda run, node: run.column_texts(_of_column(node), entered=True),
}

FUNCTIONS = Functions(NUMERIC, TEXTUAL, LOGICAL)
