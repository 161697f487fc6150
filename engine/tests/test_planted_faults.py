"""The shared tests find a fault of each kind they are for, in a method that is sound otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from hengxi import registry
from hengxi.contract import Method, Report
from hengxi.contract.report import Row
from tests import test_every_method as shared
from tests.support import oracle

PATH = "hypothesis_test/single_sample_t_test"
VARIABLE = "variables"


def add_to_numbers(report: Report, amount: float) -> None:
    """Every number of every table is off by so much."""
    for rows in report.rows.values():
        for row in rows:
            assert isinstance(row, Row)
            row.cells = {key: cell + amount if isinstance(cell, float) else cell for key, cell in row.cells.items()}


def columns(form: Any) -> list[Any]:
    chosen = getattr(form, VARIABLE)
    return chosen if isinstance(chosen, list) else [chosen]


def first_value(form: Any) -> float:
    return float(np.nan_to_num(columns(form)[0].numbers[0]))


def unseeded(form: Any, report: Report) -> None:
    add_to_numbers(report, float(np.random.default_rng().normal()))


def reads_the_first_row(form: Any, report: Report) -> None:
    add_to_numbers(report, first_value(form))


def fills_in_the_name(form: Any, report: Report) -> None:
    ("{0}" + columns(form)[0].name).format("均值")


def sorts_by_name(form: Any, report: Report) -> None:
    add_to_numbers(report, float(len(columns(form)[0].name)))


def touches_the_global_state(form: Any, report: Report) -> None:
    np.random.seed(1)


def is_a_little_wrong(form: Any, report: Report) -> None:
    add_to_numbers(report, 1e-6)


def breaks_where(condition: Callable[[np.ndarray[Any, Any]], bool]) -> Callable[[Any, Report], None]:
    def fault(form: Any, report: Report) -> None:
        for column in columns(form):
            if condition(column.numbers):
                raise ZeroDivisionError

    return fault


def degenerate(kind: str) -> Callable[[str], None]:
    return lambda path: shared.test_degenerate_tables_give_a_report_or_a_refusal(path, kind)


FAULTS: dict[str, tuple[Callable[[Any, Report], None], Callable[[str], None]]] = {
    "unseeded": (unseeded, shared.test_cases_give_what_is_declared_as_json_twice_the_same),
    "unseeded, by the oracle": (unseeded, shared.test_numbers_agree_with_the_oracle),
    "order": (reads_the_first_row, shared.test_order_of_rows_does_not_matter),
    "braces in a name": (fills_in_the_name, shared.test_names_do_not_matter),
    "length of a name": (sorts_by_name, shared.test_names_do_not_matter),
    "global state": (touches_the_global_state, shared.test_global_random_state_is_left_alone),
    "sixth digit": (is_a_little_wrong, shared.test_numbers_agree_with_the_oracle),
    "gaps": (breaks_where(lambda x: 5 < x.size < 60), degenerate("gaps")),
    "three rows": (breaks_where(lambda x: x.size == 3), degenerate("three_rows")),
    "huge": (breaks_where(lambda x: bool(np.abs(x).max(initial=0) > 1e290)), degenerate("huge")),
    "tiny": (breaks_where(lambda x: bool(0 < np.abs(x).max(initial=0) < 1e-290)), degenerate("tiny")),
}


def forget() -> None:
    oracle.reports.cache_clear()
    oracle.quick_reports.cache_clear()


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Callable[[Any, Report], None]], None]]:
    """Puts a fault around the run of the method; reports made with it are forgotten afterwards."""
    sound, load = registry.load(PATH), registry.load

    def put(fault: Callable[[Any, Report], None]) -> None:
        def run(cls: type[Method], form: Any) -> Report:
            # Before the run too: it may refuse what the fault would break on.
            fault(form, Report())
            report = sound.run(form)
            fault(form, report)
            return report

        faulty = type(sound.__name__, (sound,), {"run": classmethod(run), "__module__": sound.__module__})
        monkeypatch.setattr(registry, "load", lambda path: faulty if path == PATH else load(path))
        forget()

    yield put
    forget()


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found(name: str, plant: Callable[[Callable[[Any, Report], None]], None]) -> None:
    fault, test = FAULTS[name]
    test(PATH)
    plant(fault)
    with pytest.raises((AssertionError, ZeroDivisionError, IndexError, KeyError, ValueError)):
        test(PATH)
