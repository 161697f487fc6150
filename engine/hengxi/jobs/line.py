"""Where runs wait for a free child: in the order they came, as many at work as there are slots.

A thread of this process supervises each, and nothing stands between it and the call: 1,000 rows are counted in a few
milliseconds, and so is what is around them. `cluster.py` is the other line, of nodes on other machines.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing.connection import Connection
from typing import Any, Protocol

from hengxi.jobs.children import Outcome
from hengxi.jobs.node import Node, Order

Say = Callable[[dict[str, Any]], None]
"""Hears `{"run_id", "begin"}` and `{"run_id", "progress"}`; must not block."""

LOST = Outcome("lost")
"""The supervising thread failed itself, or its node is gone."""


class Line(Protocol):
    """What schedules the runs; which of them there are, their states and events are `Runs`'."""

    def start(self, say: Say) -> None:
        """Call from the main thread (see Children.start)."""

    def submit(self, order: Order, ended: Callable[[Outcome], None]) -> None: ...

    def kill(self, run_id: int) -> None: ...

    def stop(self, run_id: int) -> None: ...

    def close(self) -> None: ...


LineMaker = Callable[[int, Callable[[Connection], None]], Line]
"""From the number of slots and what a child does."""


class Threads:
    """The line of one machine."""

    def __init__(self, slots: int, target: Callable[[Connection], None]) -> None:
        self.node = Node(slots, target)
        self.pool = ThreadPoolExecutor(slots, "run")
        self.kill, self.stop = self.node.kill, self.node.stop

    def start(self, say: Say) -> None:
        self.say = say
        self.node.children.start()

    def submit(self, order: Order, ended: Callable[[Outcome], None]) -> None:
        def tell(done: Future[Outcome]) -> None:
            is_lost = done.cancelled() or done.exception() is not None
            ended(LOST if is_lost else done.result())

        self.pool.submit(self.node.supervise, order, self.say).add_done_callback(tell)

    def close(self) -> None:
        self.pool.shutdown(wait=False, cancel_futures=True)
        self.node.children.close()
