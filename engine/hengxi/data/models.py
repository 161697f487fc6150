"""Saved models on disk: a card in JSON and plain arrays, sealed. Nothing in them can run.

    models/m_…/card.json     what the model is (contract.models.ModelCard)
    models/m_…/arrays.npz    its numbers; read with allow_pickle=False
    models/m_…/seal.json     SHA-256 of both files, and an HMAC over the key of the model and the two digests

Only our own child writes them and only it reads them again; users can neither bring nor take one. The seal is checked
before anything is parsed: a file that was changed, or put under another model's key, is refused. The secret
(`HENGXI_MODEL_KEY`) comes from the server and lies with its other keys, not with the models.
"""

from __future__ import annotations

import hashlib
import hmac
import io
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from hengxi.contract.models import FORMAT, Arrays, ModelCard, read_card
from hengxi.data import folder, store
from hengxi.data.refusal import DataRefusal

FILES = ("card.json", "arrays.npz")
MOST_BYTES = 512 * 2**20
DAMAGED = "模型文件已损坏或被改动，不能使用；请重新训练并保存模型"


def can_keep() -> bool:
    """Is there a secret to seal models with? Without a server there is none, and nothing is kept."""
    return len(_secret()) >= 32


def _secret() -> bytes:
    return os.environ.get("HENGXI_MODEL_KEY", "").encode()


def pack(card: ModelCard, arrays: Arrays) -> dict[str, bytes]:
    """The two files of a model. TypeError for an array that holds objects."""
    for name, array in arrays.items():
        if array.dtype.hasobject:
            raise TypeError(f"array {name!r} holds objects; only numbers, truth values and fixed texts may be kept")
    made = io.BytesIO()
    np.savez_compressed(made, **arrays)  # type: ignore[arg-type]
    return {"card.json": orjson.dumps(asdict(card)), "arrays.npz": made.getvalue()}


def write(key: str, card: ModelCard, arrays: Arrays) -> tuple[str, int]:
    """Writes and seals a model under a new key → (its digest, bytes). DataRefusal `model.large` above 512 MB."""
    if not can_keep():
        raise DataRefusal("model.secret", "服务器没有设置模型密钥，不能保存模型")
    files = pack(card, arrays)
    total = sum(len(content) for content in files.values())
    if total > MOST_BYTES:
        text = f"模型有 {total / 2**20:,.0f} MB，超过 {MOST_BYTES // 2**20} MB，不能保存；请减少树的数量或限制树的深度"
        raise DataRefusal("model.large", text, {"bytes": total})
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    seal = {"sha256": digests, "hmac": _sign(key, digests)}
    target = store.model_path(key)
    with store.work_folder(target.parent) as work:
        part = work / "model"
        part.mkdir()
        for name, content in (*files.items(), ("seal.json", orjson.dumps(seal))):
            (part / name).write_bytes(content)
            folder.sync(part / name)
        part.rename(target)
    folder.sync(target.parent)
    return _whole(digests), total


def read(key: str, digest: str | None) -> tuple[ModelCard, bytes]:
    """The card and the still unparsed arrays of a model, after the seal was checked against the very bytes returned.

    `digest` is what the server remembers of it. DataRefusal `model.gone`, `model.damaged`, `model.format`.
    """
    card, arrays = _sealed(store.model_path(key), key, digest)
    raw = orjson.loads(card)
    if raw.get("format") != FORMAT:
        raise DataRefusal("model.version", "模型由另一个版本的平台保存，不能使用；请重新训练并保存模型")
    return read_card(raw), arrays


def _sealed(place: Path, key: str, digest: str | None) -> tuple[bytes, bytes]:
    try:
        seal = orjson.loads((place / "seal.json").read_bytes())
        contents = {name: (place / name).read_bytes() for name in FILES}
    except FileNotFoundError as error:
        raise DataRefusal("model.gone", "未找到该模型，请先训练并保存模型") from error
    except orjson.JSONDecodeError as error:
        raise DataRefusal("model.damaged", DAMAGED) from error
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}
    stated = seal.get("hmac") if isinstance(seal, dict) else None
    is_ours = isinstance(stated, str) and hmac.compare_digest(stated.encode(), _sign(key, digests).encode())
    is_known = digest is None or hmac.compare_digest(digest.encode(), _whole(digests).encode())
    if not can_keep() or not is_ours or not is_known:
        raise DataRefusal("model.damaged", DAMAGED, {"model": key})
    return contents["card.json"], contents["arrays.npz"]


def open_arrays(content: bytes) -> Arrays:
    """The arrays of a checked model; objects cannot be in them."""
    with np.load(io.BytesIO(content), allow_pickle=False) as found:
        return {name: found[name] for name in found.files}


def _sign(key: str, digests: dict[str, str]) -> str:
    text = orjson.dumps({"key": key, **digests}, option=orjson.OPT_SORT_KEYS)
    return hmac.new(_secret(), text, hashlib.sha256).hexdigest()


def _whole(digests: dict[str, str]) -> str:
    text = orjson.dumps(digests, option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(text).hexdigest()


def in_memory(card: ModelCard, arrays: Arrays) -> tuple[ModelCard, bytes]:
    """What `read` would give after `write`: for tests, and where there is no server."""
    files: dict[str, Any] = pack(card, arrays)
    return read_card(orjson.loads(files["card.json"])), files["arrays.npz"]
