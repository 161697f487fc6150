"""How a long `run` tells where it is, and hears that it should stop with the best it has."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    def __call__(self, done: float, of: float, text: str = "", best: float | None = None) -> bool:
        """`progress(3, 5, "第 3/5 折")`; False means 停止并保留: return the best so far."""


def no_progress(done: float, of: float, text: str = "", best: float | None = None) -> bool:
    """For runs nobody watches."""
    return True
