"""Words for finding a method: what people want to know (intents.yaml), and words of one meaning (synonyms.yaml)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from hengxi import registry

HERE = Path(__file__).parent


def search_words() -> dict[str, Any]:
    """Both lists with whole paths of methods; a name that fits none or several is an error."""
    paths = sorted(registry.paths())
    intents = [
        {"ask": intent["ask"], "methods": [_path(name, paths) for name in intent["methods"]]}
        for intent in yaml.safe_load((HERE / "intents.yaml").read_text("utf-8"))
    ]
    return {"intents": intents, "synonyms": yaml.safe_load((HERE / "synonyms.yaml").read_text("utf-8"))}


def _path(name: str, paths: list[str]) -> str:
    fitting = [path for path in paths if path == name or path.endswith("/" + name)]
    if len(fitting) != 1:
        raise ValueError(f"{name} in intents.yaml fits {fitting or 'no method'}")
    return fitting[0]
