"""The reports of the toy methods, written for the tests that draw them: `python -m tests.toy.reports` from engine/.

What is compared is what the engine sends; a change of the contract shows as a difference in the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import pandas as pd

from hengxi import registry
from hengxi.contract import Method
from hengxi.testing import Trial
from tests.toy.drawings import Drawings
from tests.toy.solving import Solving

FIXTURE = Path(__file__).parents[3] / "contracts" / "src" / "testing" / "toy-reports.json"
DRAWINGS, SOLVING = "visualization/drawings", "solver/solving"
TOYS: dict[str, type[Method]] = {DRAWINGS: Drawings, SOLVING: Solving}
FRAME = pd.DataFrame({"得分": [1.0, 2.0, 3.0, 5.0, 6.0, 8.0], "组别": list("甲甲乙乙丙丙")})


@contextmanager
def registered() -> Iterator[None]:
    """The toys stand where methods do while this lasts."""
    load, folder = registry.load, registry.folder
    with (
        mock.patch.object(registry, "load", lambda path: TOYS.get(path) or load(path)),
        mock.patch.object(registry, "folder", lambda path: registry.ROOT / path if path in TOYS else folder(path)),
    ):
        yield


def documents() -> dict[str, Any]:
    """Report by path, strictly checked."""
    with registered():
        return {
            DRAWINGS: Trial(DRAWINGS, FRAME).document(value="得分", group="组别"),
            SOLVING: Trial(SOLVING).document(),
        }


def rendered() -> str:
    """The fixture: without what changes with versions of libraries and from run to run."""
    parts = {path: _stable(document) for path, document in documents().items()}
    return json.dumps(parts, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def _stable(document: dict[str, Any]) -> dict[str, Any]:
    return {**document, "libraries": {}, "elapsed": 0}


if __name__ == "__main__":
    FIXTURE.write_text(rendered(), encoding="utf-8")
