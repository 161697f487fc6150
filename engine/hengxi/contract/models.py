"""What a saved model says of itself (its card), and how a prediction meets it again on another table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from .measures import Measure, Value

Task = Literal["classification", "regression"]
FeatureKind = Literal["number", "category"]
FORMAT = 1
"""Of the files of a model; a change makes older models unreadable, and they say so."""

Matrix = npt.NDArray[np.float64]
Arrays = dict[str, npt.NDArray[Any]]


@dataclass(kw_only=True)
class ModelLevel:
    """A category the model knows; `share` among the rows it was trained on."""

    value: Value
    label: str
    share: float


@dataclass(kw_only=True)
class ModelFeature:
    """A variable the model needs. `fill` answers a gap: a number, or the place of a level; null: gaps are not answered,
    unless `gaps`: the model itself takes them.

    Numbers: range, mean and ten bins of the training rows (`edges` inside, `shares` one more). Dates count in days.
    """

    key: str
    name: str
    label: str | None
    measure: Measure
    kind: FeatureKind
    levels: list[ModelLevel] | None = None
    low: float | None = None
    high: float | None = None
    mean: float | None = None
    fill: float | None = None
    gaps: bool = False
    whole: bool = False
    edges: list[float] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)


@dataclass(kw_only=True)
class ModelTarget:
    """What is predicted; `event` is the place of the class a probability of two classes is about."""

    name: str
    label: str | None
    classes: list[ModelLevel] | None = None
    event: int | None = None


@dataclass(kw_only=True)
class ModelCard:
    """Everything but the numbers of the model itself; `settings` is the form it was made with."""

    format: int = FORMAT
    path: str = ""
    method: str = ""
    version: int = 0
    libraries: dict[str, str] = field(default_factory=dict)
    task: Task
    features: list[ModelFeature]
    target: ModelTarget
    rows: int
    threshold: float | None = None
    seed: int | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    scores: dict[str, float] = field(default_factory=dict)
    margins: dict[str, float] = field(default_factory=dict)
    """Of predicted numbers: half the width of a split conformal interval by its level ("0.9"), from rows that the model
    did not learn from; a level that these rows are too few for is absent."""


def read_card(raw: dict[str, Any]) -> ModelCard:
    """A card from JSON; keys an older engine does not know are left out."""
    target = _known(ModelTarget, raw["target"])
    target["classes"] = _levels(target.get("classes"))
    features = []
    for one in raw["features"]:
        facts = _known(ModelFeature, one)
        facts["levels"] = _levels(facts.get("levels"))
        features.append(ModelFeature(**facts))
    return ModelCard(**(_known(ModelCard, raw) | {"features": features, "target": ModelTarget(**target)}))


def _known(kind: Any, raw: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in raw.items() if key in kind.__dataclass_fields__}


def _levels(raw: list[dict[str, Any]] | None) -> list[ModelLevel] | None:
    return None if raw is None else [ModelLevel(**_known(ModelLevel, one)) for one in raw]


@dataclass
class ModelChoice:
    """A model as the form's judge sees it: who it is, and its card."""

    model_id: int
    name: str
    card: ModelCard


@dataclass
class KeptModel:
    """What `run` reads of a `model` field: the columns that answer the features, and the model itself.

    `predict` takes rows × features in the card's order (numbers, or places of levels; NaN missing) and gives
    probabilities (rows × classes) or values.
    """

    model_id: int
    name: str
    card: ModelCard
    columns: dict[str, Any]
    target: Any
    predict: Callable[[Matrix], Matrix]


@dataclass
class Fitted:
    """What a `Model` keeps: given to the platform by `report.keep`."""

    card: ModelCard
    arrays: Arrays
