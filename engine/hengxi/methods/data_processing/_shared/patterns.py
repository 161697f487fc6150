"""Expressions a user typed. The engine works in linear time, so none can run for ever; its size is bounded too."""

from __future__ import annotations

import re

import polars as pl

from hengxi.contract import Refusal


def judged(pattern: str, field: str) -> str:
    """The pattern itself, or a refusal that says what is wrong with it."""
    if not pattern:
        raise Refusal("pattern.empty", "请填写正则表达式", field=field)
    try:
        pl.Series(["a"]).str.contains(pattern, strict=True)
    except pl.exceptions.ComputeError as error:
        text_ = f"正则表达式有误：{_reason(str(error))}"
        raise Refusal("pattern.wrong", text_, field=field) from None
    return pattern


def _reason(message: str) -> str:
    known = {
        "look-around": "不支持前后查看（(?=…)、(?<=…)）",
        "backreferences": "不支持反向引用（\\1）",
        "size limit": "表达式太大，请减小重复次数",
        "unclosed group": "括号没有成对",
        "unopened group": "括号没有成对",
        "unclosed character class": "方括号没有成对",
        "repetition operator missing": "*、+、? 前面没有内容",
        "invalid character class range": "方括号里的范围应从小到大",
    }
    return next((words for sign, words in known.items() if sign in message), "请检查括号、反斜杠和重复次数")


def groups(pattern: str) -> int:
    """How many bracketed groups it has."""
    pl_groups = pl.select(pl.lit("").str.extract_groups(pattern)).to_series()
    return len(pl_groups.struct.fields)


def replacement(typed: str) -> str:
    """`\\1` and `$1` both mean the first group."""
    return re.sub(r"\\(\d)|\$(\d)", lambda found: "${" + (found[1] or found[2]) + "}", typed)
