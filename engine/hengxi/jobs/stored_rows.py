"""Rows of a report's long tables beyond those inside the document: kept beside it, read page by page."""

from __future__ import annotations

from hengxi.contract.report_shapes import Part
from hengxi.data import row_pages


def write(parts: list[Part], key: str | None) -> None:
    """Take what `lay_out` left in `rest` out of the tables; store it under `key`, when there is such a key."""
    for number, part in enumerate(parts):
        for place, element in enumerate(part.elements):
            rest = element.pop("rest", None) if isinstance(element, dict) else None
            if rest is None or key is None:
                continue
            file = f"r{number}_{place}"
            row_pages.write(key, file, rest)
            element["more"]["file"] = file
