"""What Rubin's rules pool of a regression: every coefficient, all slopes together, each term of several columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Report
from hengxi.families.regression.model import Model
from hengxi.stats.moments import Floats


def give(
    report: Report, of: Any, model: Model, covariance: Floats, scale: Floats, df: float, ratio: str | None = None
) -> None:
    """`covariance`: of the slopes in standard coordinates, `scale`: what turns such a slope into the user's units (one
    each); `df` of the complete data. `ratio`: what the exponential of a coefficient is called.
    """
    first, names = model.first, model.names
    for i, name in enumerate(names):
        report.estimate(
            of, "系数", name, model.b[i], model.se[i], df, level=model.level, read=i >= first,
            ratio=ratio if i >= first else None,
        )  # fmt: skip
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        raw = np.outer(scale, scale) * covariance
    slopes = np.asarray(model.b[first:])

    def joint(title: str, columns: list[int], read: bool) -> None:
        inside = [names[first + j] for j in columns]
        report.joint(of, title, inside, slopes[columns], raw[np.ix_(columns, columns)], df, read=read)

    if len(slopes) > 1:
        joint("全部自变量", list(range(len(slopes))), read=True)
    for term in model.design.terms:
        if 1 < term.width < len(slopes):
            joint(term.name, list(term.columns), read=False)
