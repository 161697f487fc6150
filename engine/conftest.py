"""How the suite is spread over the cores, and what a method's tests may cost.

One queue for all workers (`-n 2 --dist loadgroup --no-loadscope-reorder`): all tests of one method are one piece of it,
so that they share its reports, all tests of another file another one; the pieces that took longest come first, by the
seconds in `tests/seconds.json` (`HENGXI_WRITE_SECONDS=1 pytest …` measures them anew).
"""

from __future__ import annotations

import json
import os
import platform
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hengxi.jobs.tuning import tune

# Before numpy is loaded: libraries compute as in the product, with one thread in each of the two test processes.
# But the kernels are those every processor of the last ten years has: a network is trained in thousands of steps, which
# end elsewhere where a sum is taken in another order, and its oracle was exported from such a training.
if platform.machine() in ("x86_64", "AMD64"):
    os.environ.setdefault("OPENBLAS_CORETYPE", "Haswell")
    os.environ.setdefault("NPY_DISABLE_CPU_FEATURES", "")
tune()

import numpy as np  # noqa: E402
import pytest  # noqa: E402

ENGINE = Path(__file__).parent
SECONDS = ENGINE / "tests" / "seconds.json"
EVERY_METHOD = "test_every_method.py"
BUDGET, LONG_BUDGET = 6.0, 20.0
"""Seconds of processor the shared tests of a method may take; the longer one where oracle.json has a `quick` form."""
MEAN = 3.0
"""What a method without a `quick` form may take on average, asked where many methods ran."""
MANY = 20
SLACK = 1.5
"""A busy machine counts more seconds of processor for the same work: from here on the method is named."""
RUNAWAY = 4.0
"""From here on no machine explains it, and the run fails."""
REFERENCE = 0.045
"""What `_pace` takes on the machine the budget was set on."""


def piece_of(item: pytest.Item) -> str:
    """The piece of the queue a test belongs to: the path of its method, else its file."""
    callspec = getattr(item, "callspec", None)
    if item.path.name == EVERY_METHOD and callspec is not None and "path" in callspec.params:
        return str(callspec.params["path"])
    methods = ENGINE / "hengxi" / "methods"
    if item.path.name == "test_method.py" and item.path.is_relative_to(methods):
        return item.path.parent.relative_to(methods).as_posix()
    return item.path.relative_to(ENGINE).as_posix()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    known: dict[str, float] = json.loads(SECONDS.read_text(encoding="utf-8")) if SECONDS.is_file() else {}
    usual = sorted(known.values())[len(known) // 2] if known else 1.0
    for item in items:
        item.add_marker(pytest.mark.xdist_group(piece_of(item)))
    items.sort(key=lambda item: (-known.get(piece_of(item), usual), piece_of(item)))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    item.user_properties += [("piece", piece_of(item)), ("shared", item.path.name == EVERY_METHOD)]
    item.stash[BEGAN] = time.process_time()
    yield


BEGAN = pytest.StashKey[float]()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    if call.when == "teardown":
        # Reports travel from the workers with these; the time of the whole test is known with its last one.
        item.user_properties.append(("processor", time.process_time() - item.stash[BEGAN]))
    yield


class Spending:
    """Adds up what each piece took, where the reports of all workers arrive."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.pieces: dict[str, float] = defaultdict(float)
        self.shared: dict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        facts: dict[str, Any] = dict(report.user_properties)
        if report.when == "teardown" and "processor" in facts:
            self.pieces[facts["piece"]] += facts["processor"]
            if facts["shared"]:
                self.shared[facts["piece"]] += facts["processor"]

    def over_budget(self, slack: float = SLACK) -> list[str]:
        pace = max(1.0, _pace() / REFERENCE)
        lines = []
        for path, seconds in sorted(self.shared.items()):
            budget = LONG_BUDGET if _is_long(path) else BUDGET
            if seconds > budget * pace * slack:
                lines.append(f"{path}: {seconds / pace:.1f} s of {budget:g} s")
        usual = [seconds for path, seconds in self.shared.items() if not _is_long(path)]
        mean = sum(usual) / max(1, len(usual))
        if len(usual) >= MANY and mean > MEAN * pace * slack:
            lines.append(f"the mean of {len(usual)} methods: {mean / pace:.1f} s of {MEAN:g} s")
        return lines

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if os.environ.get("HENGXI_WRITE_SECONDS"):
            rounded = {piece: round(seconds, 1) for piece, seconds in sorted(self.pieces.items())}
            SECONDS.write_text(json.dumps(rounded, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        if self.over_budget(RUNAWAY) and session.exitstatus == 0:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        for line in self.over_budget():
            terminalreporter.write_line(f"the shared tests take too long: {line}", red=True)


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Spending(config), "spending")


def _is_long(path: str) -> bool:
    file = ENGINE / "hengxi" / "methods" / path / "oracle.json"
    return file.is_file() and "quick" in json.loads(file.read_text(encoding="utf-8"))


def _pace() -> float:
    """Seconds of processor for a fixed piece of work, the best of three: how fast this machine is."""
    return min(_work() for _ in range(3))


def _work() -> float:
    began = time.process_time()
    values = np.random.default_rng(1).normal(size=400_000)
    np.sort(values)
    sum(i * i for i in range(200_000))
    return time.process_time() - began
