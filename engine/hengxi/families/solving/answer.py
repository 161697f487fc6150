"""What an algorithm gives back, whatever it was: the point, how good it is, and how it was found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from hengxi.contract import Progress
from hengxi.stats.solving.expressions import Floats
from hengxi.stats.solving.heuristics import Search
from hengxi.stats.solving.local import Certificate

Status = Literal["最优", "局部最优", "最好可行解", "超时"]
FEASIBLE = 1e-6
"""A breach of a constraint up to this share of its right side (at least of 1) is rounding."""


@dataclass
class Answer:
    x: Floats
    value: float
    status: Status
    ran: str
    """What was really run: HiGHS 原始单纯形法."""
    iterations: int | None = None
    evaluations: int | None = None
    duals: Floats | None = None
    """Change of the target by one unit of each right side."""
    reduced: Floats | None = None
    trace: list[tuple[int, float, str]] = field(default_factory=list)
    """Iteration, target, which line."""
    search: Search | None = None
    certificate: Certificate | None = None
    exact: float | None = None
    """The proven optimum of the same program, where there is one beside the algorithm asked for."""
    bound: float | None = None
    stopped: bool = False
    out_of_time: bool = False
    before_polish: tuple[float, float] | None = None
    """Target and breach before the last local steps."""

    def __post_init__(self) -> None:
        self.x = np.asarray(self.x, dtype=float) + 0.0  # no −0


def watcher(progress: Progress, sign: float) -> Callable[[float, float, str, float | None], bool]:
    """Progress as the kernels tell it (they minimise), with the best value as the user wrote the target."""

    def tell(done: float, of: float, text: str, best: float | None) -> bool:
        shown = None if best is None or not np.isfinite(best) else sign * best
        words = text if shown is None else f"{text}，当前最好 {shown:.6g}"
        return progress(done, of, words, shown)

    return tell
