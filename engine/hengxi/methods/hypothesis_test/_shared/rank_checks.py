"""What the rank test beside a comparison of means says: the same of two groups and of many."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hengxi.contract import Report, more


@dataclass(frozen=True)
class RankWords:
    """`result` as a table gives it, what may be `added` to it, and what the test is `about`."""

    test: str
    result: str
    about: str
    added: str = ""


def rank_check(
    report: Report, words: RankWords, by: str, means_p: float, alpha: float, *, p: float, **facts: Any
) -> None:
    """`by`: the test of means, in words; `p` is the rank test's."""
    same = (means_p < alpha) == (p < alpha)
    side, other = ("有" if means_p < alpha else "无"), ("有" if p < alpha else "无")
    ending = (
        f"与{by}结论相同，差异都{side}统计学意义。"
        if same
        else f"与{by}结论不同：按{by}差异{side}统计学意义，按秩检验{other}统计学意义。"
    )
    report.check(
        "稳健替代",
        "pass" if same else "care",
        f"{words.test} {words.result}{words.added}。{ending}",
        more=more(
            words.about,
            f"{words.result}。",
            "两种检验回答的问题略有不同，结论不同时多半是分布偏斜或有离群值。",
            "在论文里说明两种检验的结果，按研究前的计划选主要结果，不要挑 *p* 较小的一个。",
        ),
        p=p,
        **facts,
    )
