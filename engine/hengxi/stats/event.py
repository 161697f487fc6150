"""Is the event the level that says that nothing happened?

Levels stand in the order of the file and the last is the event by rule, although nobody may have meant it: the reader
is told.
"""

from __future__ import annotations

# What is there, what is not.
OPPOSITES = (
    ("是", "否"), ("有", "无"), ("有", "没有"), ("阳性", "阴性"), ("患病", "未患病"), ("发生", "未发生"), ("1", "0"),
    ("yes", "no"), ("true", "false"), ("positive", "negative"),
)  # fmt: skip
NOT = ("不", "未", "没", "没有", "非", "无")


def is_absence(event: str, other: str) -> bool:
    """`event` is the negative of `other`: 否 beside 是, No beside Yes, 不愿意 beside 愿意."""
    yes, no = other.strip().lower(), event.strip().lower()
    return (yes, no) in OPPOSITES or no in (f"{word}{yes}" for word in NOT)
