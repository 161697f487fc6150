"""Rows that repeat an earlier one: the function `repeated` of the formula grammar."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from hengxi.contract.grammar import Call, Node
from hengxi.data.evaluate import FALSE, TRUE, Evaluation, Logic


def repeated(run: Evaluation, node: Call) -> Logic:
    """An earlier row holds the same in all of them; a gap equals a gap. The first of equal rows repeats nothing."""
    cells = pd.DataFrame({place: _alike(run, arg) for place, arg in enumerate(node.args)})
    return np.where(cells.duplicated(), TRUE, FALSE).astype(np.uint8)


def _alike(run: Evaluation, node: Node) -> npt.NDArray[Any]:
    """Numbers that are equal where the values are, one a row."""
    kind = run.kind(node)
    if kind == "logical":
        return run.logic(node)
    if kind != "text":
        return run.numbers(node)
    texts = run.texts(node)
    places: dict[str, int] = {}
    first = np.array([places.setdefault(word, len(places)) for word in texts.words], dtype=np.int64)
    return np.where(texts.codes < 0, -1, first[texts.codes]) if first.size else texts.codes
