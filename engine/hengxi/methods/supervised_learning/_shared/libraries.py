"""Libraries that a machine may lack a part of: the method says so and what to do, instead of failing."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from hengxi.contract import Refusal

MISSING = {
    "lightgbm": "这台服务器缺少 LightGBM 要用的系统库"
    "（Debian/Ubuntu：apt-get install libgomp1；macOS：brew install libomp）；"
    "请联系管理员安装，或改用 XGBoost、梯度提升树",
}  # fmt: skip


def loaded(name: str) -> Any:
    """The module. Raises Refusal where it cannot be loaded here."""
    try:
        return import_module(name)
    except (ImportError, OSError) as trouble:
        raise Refusal("machine.library", MISSING[name]) from trouble
