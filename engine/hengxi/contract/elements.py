"""The other declared elements: formulas, rules, files, models, and data a method makes."""

from __future__ import annotations

from .tables import Element, Place
from .when import Condition


class Formula(Element):
    """An equation: `report.formula(cls.equation, "y = b_0 + b_1 x", filled="y = {b0:num} + {b1:num} x", b0=…)`."""

    type = "formula"

    def __init__(self, title: str, *, when: Condition | None = None, place: Place | None = None) -> None:
        super().__init__(title, when=when, place=place)


class Rules(Element):
    """If–then rules, each with how many rows it covers."""

    type = "rules"

    def __init__(self, title: str, *, when: Condition | None = None, place: Place | None = None) -> None:
        super().__init__(title, when=when, place=place)


class File(Element):
    """Something to download."""

    type = "file"

    def __init__(self, title: str, *, when: Condition | None = None, place: Place | None = None) -> None:
        super().__init__(title, when=when, place=place)


class SavedModel(Element):
    """A fitted model, kept for prediction."""

    type = "model"

    def __init__(self, title: str, *, when: Condition | None = None, place: Place | None = None) -> None:
        super().__init__(title, when=when, place=place)


class Try(Element):
    """New values put into a saved model, answered by its `predict`."""

    type = "try"

    def __init__(
        self, title: str, *, of: SavedModel, when: Condition | None = None, place: Place | None = None
    ) -> None:
        super().__init__(title, when=when, place=place)
        self.of = of


class NewColumns(Element):
    """Columns added to the data; of an analysis they stay with the report until the user makes a version of them."""

    type = "data"

    def __init__(self, title: str, *, when: Condition | None = None, place: Place | None = None) -> None:
        super().__init__(title, when=when, place=place)


class NewTable(Element):
    """A whole new table."""

    type = "data"

    def __init__(self, title: str, *, when: Condition | None = None, place: Place | None = None) -> None:
        super().__init__(title, when=when, place=place)
