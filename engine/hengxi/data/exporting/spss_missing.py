"""User-missing codes within the limits of SPSS: three values, or one range and one value; texts of at most 8 bytes."""

from __future__ import annotations

import math

import polars as pl
from pyreadstat.pyclasses import MissingRange

from hengxi.data.meta import Missing

Spec = int | float | str | MissingRange
LOWEST = math.nextafter(-1.7976931348623157e308, 0.0)
HIGHEST = 1.7976931348623157e308
"""What SPSS calls LOWEST and HIGHEST: open ends of a range."""

Span = tuple[float, float]


def as_spss(missing: Missing, cells: pl.Series, *, is_text: bool) -> tuple[list[Spec], bool]:
    """(declaration, whether it says all). Several codes become one range where no answer lies between them."""
    if is_text:
        words = [str(value) for value in missing.values]
        fitting = [word for word in words if 0 < len(word.encode()) <= 8][:3]
        return [*fitting], len(fitting) == len(words) and not missing.ranges
    spans = _spans(missing)
    points = [span for span in spans if span[0] == span[1]]
    if len(points) == len(spans) <= 3 or (len(spans) <= 2 and len(points) >= len(spans) - 1):
        return [_spec(span) for span in spans], True
    for apart in (None, spans[0], spans[-1]):
        rest = [span for span in spans if span != apart]
        joined = (rest[0][0], max(high for _, high in rest))
        if (apart is None or apart[0] == apart[1]) and not _between(cells, joined, rest):
            return [_spec(joined), *([_spec(apart)] if apart else [])], True
    ranges = [span for span in spans if span not in points]
    kept = ranges[:1] + points[:1] if ranges else points[:3]
    return [_spec(span) for span in kept], False


def _spans(missing: Missing) -> list[Span]:
    """Codes and ranges alike as spans, in order."""
    found = {(float(v), float(v)) for v in missing.values if isinstance(v, (int, float))}
    for span in missing.ranges:
        found.add((LOWEST if span.low is None else span.low, HIGHEST if span.high is None else span.high))
    return sorted(found)


def _between(cells: pl.Series, joined: Span, spans: list[Span]) -> bool:
    """Whether some cell lies in the joined range and in none of the declared ones: an answer that must not be lost."""
    frame = cells.alias("x").to_frame()
    declared = pl.any_horizontal([pl.col("x").is_between(*span) for span in spans])
    return bool(frame.select((pl.col("x").is_between(*joined) & ~declared).any()).item())


def _spec(span: Span) -> Spec:
    return span[0] if span[0] == span[1] else {"lo": span[0], "hi": span[1]}
