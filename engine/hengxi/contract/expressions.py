"""What `run` reads of a `formula` field: the formula in words, and its value in the rows used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

Logic = npt.NDArray[np.uint8]
FALSE, UNKNOWN, TRUE = 0, 1, 2
ResultType = Literal["number", "text", "date", "logical"]


class Evaluated(Protocol):
    """Values of a formula in the rows used; `lost` counts cells undefined by a zero division or by the domain."""

    @property
    def values(self) -> Any: ...

    @property
    def lost(self) -> dict[str, int]: ...


@dataclass(frozen=True)
class Expression:
    """`values`: float64 (NaN missing; dates in days), or texts with None. Of a condition use `truth`."""

    source: str
    words: str
    type: ResultType
    columns: list[Any]
    """The variables it names."""
    parts: list[Expression]
    """Of a condition joined by 且 or 或: the single conditions, in order."""
    evaluate: Callable[[], Evaluated]
    read: Callable[[Literal["number", "date"]], Evaluated]
    """The texts of a formula read as numbers or dates, by the readings of the import."""

    @cached_property
    def _evaluated(self) -> Evaluated:
        return self.evaluate()

    @property
    def values(self) -> npt.NDArray[Any]:
        found: npt.NDArray[Any] = self._evaluated.values
        return found

    @property
    def lost(self) -> dict[str, int]:
        """`division` and `domain`: how many cells became missing that way."""
        return self._evaluated.lost

    @property
    def truth(self) -> Logic:
        """Three-valued: FALSE, UNKNOWN (something it needs is missing), TRUE."""
        truth: Logic = self._evaluated.values
        return truth

    @property
    def holds(self) -> npt.NDArray[np.bool_]:
        """Rows where a condition is surely true."""
        found: npt.NDArray[np.bool_] = self.truth == TRUE
        return found


@dataclass(frozen=True)
class TypedFormula:
    """A formula over what the user made (decision variables): no cells, so `run` reads its tree."""

    source: str
    words: str
    node: Any
    """A `grammar.Node`."""
