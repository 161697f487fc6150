"""Ready-made fields of a regression's form; the order they are written in is the order they are shown in."""

from __future__ import annotations

from typing import Any

from hengxi.contract import cases, level, number, role, settings, terms


def predictors(title: str = "自变量X", least: int = 1) -> Any:
    """`x: list[Column] = predictors()`."""
    return role(title, "任意", min=least, max=None, varies=True)


def reference_levels() -> Any:
    """`reference: list[Row] = reference_levels()`."""
    return settings("定类自变量的参照水平", of="x", by="column", measure="定类", level=level("参照水平", auto="first"))


def model_terms() -> Any:
    """`terms: Terms = model_terms()`: main effects, interactions and powers up to the third order."""
    return terms("模型项（主效应与交互）", of="x", order=3)


def confidence_level() -> Any:
    """`conf_level: float = confidence_level()`."""
    return number("置信水平", 0.95, least=0.8, most=0.999, percent=True)


def new_cases() -> Any:
    """`predict_at: list[Case] = new_cases()`."""
    return cases("试算", of="x", max=20)
