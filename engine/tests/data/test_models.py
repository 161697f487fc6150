"""Saved models on disk: what was changed, moved or never sealed by us is refused before it is read."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path

import numpy as np
import orjson
import pytest

from hengxi.contract.models import ModelCard, ModelFeature, ModelLevel, ModelTarget
from hengxi.data import models, store
from hengxi.data.refusal import DataRefusal

KEY, OTHER = "m_" + "a" * 32, "m_" + "b" * 32


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HENGXI_DATA", str(tmp_path))
    monkeypatch.setenv("HENGXI_MODEL_KEY", "s" * 64)
    return tmp_path


def card() -> ModelCard:
    feature = ModelFeature(key="x1", name="{年龄}\"'", label=None, measure="定量", kind="number", low=1.0, high=9.0)
    classes = [ModelLevel(value="否", label="否", share=0.5), ModelLevel(value=1, label="是", share=0.5)]
    target = ModelTarget(name="流失", label=None, classes=classes, event=1)
    return ModelCard(task="classification", features=[feature], target=target, rows=10)


ARRAYS = {"weights": np.array([[1.5, -2.0]]), "places": np.arange(3), "word": np.array("onehot")}


def code(key: str, digest: str | None = None) -> str:
    with pytest.raises(DataRefusal) as caught:
        models.read(key, digest)
    return caught.value.code


def test_what_was_written_is_read_again() -> None:
    digest, size = models.write(KEY, card(), ARRAYS)
    again, content = models.read(KEY, digest)
    found = models.open_arrays(content)
    assert again == card() and size > 0
    assert all(np.array_equal(found[name], array) for name, array in ARRAYS.items())


@pytest.mark.parametrize("name", ["card.json", "arrays.npz"])
def test_one_changed_byte_is_noticed(name: str) -> None:
    models.write(KEY, card(), ARRAYS)
    file = store.model_path(KEY) / name
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(bytes(content))
    assert code(KEY) == "model.damaged"


def test_a_seal_made_without_the_secret_is_none() -> None:
    models.write(KEY, card(), ARRAYS)
    file = store.model_path(KEY) / "card.json"
    file.write_bytes(file.read_bytes().replace(b"0.5", b"0.6"))
    digests = {n: hashlib.sha256((file.parent / n).read_bytes()).hexdigest() for n in models.FILES}
    (file.parent / "seal.json").write_bytes(orjson.dumps({"sha256": digests, "hmac": "0" * 64}))
    assert code(KEY) == "model.damaged"


def test_a_model_under_the_key_of_another_is_refused() -> None:
    models.write(KEY, card(), ARRAYS)
    store.model_path(KEY).rename(store.model_path(OTHER))
    assert code(OTHER) == "model.damaged" and code(KEY) == "model.gone"


def test_another_secret_or_another_digest_opens_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    digest, _ = models.write(KEY, card(), ARRAYS)
    assert code(KEY, "0" * 64) == "model.damaged"
    monkeypatch.setenv("HENGXI_MODEL_KEY", "t" * 64)
    assert code(KEY, digest) == "model.damaged"
    monkeypatch.delenv("HENGXI_MODEL_KEY")
    assert code(KEY, digest) == "model.damaged"


def test_a_seal_that_is_no_json_is_damage() -> None:
    models.write(KEY, card(), ARRAYS)
    (store.model_path(KEY) / "seal.json").write_bytes(b"{")
    assert code(KEY) == "model.damaged"


def test_objects_are_neither_written_nor_read() -> None:
    with pytest.raises(TypeError):
        models.write(KEY, card(), {"trick": np.array([print], dtype=object)})
    pickled = io.BytesIO()
    np.savez(pickled, trick=np.array([{}], dtype=object))
    with pytest.raises(ValueError, match="allow_pickle"):
        models.open_arrays(pickled.getvalue())


def test_without_a_secret_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HENGXI_MODEL_KEY")
    with pytest.raises(DataRefusal):
        models.write(KEY, card(), ARRAYS)
    assert not store.model_path(KEY).exists()


@pytest.mark.parametrize("key", ["../../etc", "m_..", "t_" + "a" * 32, "m_" + "A" * 32])
def test_only_a_key_becomes_a_path(key: str) -> None:
    with pytest.raises(DataRefusal):
        models.read(key, None)
