"""The report of pooled estimates: conclusion, tables, what each copy gave, and what could not be pooled and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hengxi.contract import Chart, Report, Table
from hengxi.contract.elements import NewColumns
from hengxi.contract.pooled import Estimate, Explained, Joint
from hengxi.contract.report import Said
from hengxi.contract.tables import Element
from hengxi.pooling import tables
from hengxi.pooling.estimates import Pools, corrected, pools
from hengxi.pooling.lead import Lead, listed
from hengxi.pooling.tables import fmi_of

REFERENCES = ("rubin1987", "barnard1999", "li1991", "reiter2007", "harel2009", "white2011")
CONVENTIONS = (
    "多重插补的合并：每份各算一次，估计取平均，总方差 = 份内方差 + (1 + 1/m) × 份间方差（Rubin）。",
    "合并估计的自由度用 Barnard-Rubin 法；缺失信息比例（FMI）按自由度校正。与 R 的 mice::pool 相同。",
    "几个系数同时为 0 的整体检验用 D1（Li-Raghunathan-Rubin），分母自由度用 Reiter 法，k(m − 1) ≤ 4 时用原法；"
    "只有一个系数时就是它的 *t* 检验。",
    "自己用正态分布检验的模型（如 Logistic 回归），完整数据的自由度取 n − k，与 mice 相同。",
    "*R*² 由 √*R*² 的 Fisher z 合并（Harel），区间用正态分布。",
)
STATES = ("pass", "unknown", "care", "fail")
"""From the best to the worst."""


@dataclass(frozen=True)
class Copy:
    """One completed copy: its number in the version, and what the method found in it."""

    number: int
    report: Report
    used: int


def write(copies: Sequence[Copy], shown: Mapping[str, Element], column: str) -> Report | None:
    """The pooled report; None where no estimate is in all copies. `shown`: the method's elements this form asks for;
    `column`: what the variable is called that numbers the copies.
    """
    found = pools([copy.report for copy in copies])
    if not (found.ones or found.joints):
        return None
    report = Report()
    report.variables = list(copies[0].report.variables)
    tested = [one for one in found.ones if one.first.tested]
    holm = corrected(tested)
    tables.write(report, found, tested, holm, [copy.number for copy in copies])
    read = [(one, holm.get(i, one.test.p)) for i, one in enumerate(tested) if one.read]
    Lead(report, found, read).write()
    _checks(report, found, copies, bool(holm))
    _account(report, copies)
    _left_out(report, found, copies, shown, column)
    return report


# ---- checks and the account ----------------------------------------------------------------------------------------
def _checks(report: Report, found: Pools, copies: Sequence[Copy], corrects: bool) -> None:
    """Whether the copies are enough; then the method's own checks, each as its worst copy says it."""
    worst = max([fmi_of(one) for one in found.ones if one.read] or [fmi_of(one) for one in found.ones], default=None)
    if worst is not None:
        _enough(report, worst, found.m)
    for (at, title), held in _by(copies, "check").items():
        if corrects and title == "多重比较":
            continue  # it speaks of the correction of one copy
        state = max((said.extra["state"] for _, said in held), key=STATES.index)
        alike = [(copy, said) for copy, said in held if said.extra["state"] == state]
        copy, said = alike[0]
        share = "各份都如此" if len(alike) == found.m else f"{found.m} 份中 {len(alike)} 份如此"
        text = f"{said.text}（{share}，以第 {copy.number} 份为例）"
        report.said.append(Said("check", text, dict(said.facts), at=at, extra=dict(said.extra)))


def _enough(report: Report, worst: float, m: int) -> None:
    """As many copies as the percent of missing information (White, Royston & Wood 2011)."""
    need = int(np.ceil(100 * worst - 1e-9))
    if m >= need:
        report.check("插补份数", "pass", "FMI 最大为 {fmi:percent}，{m:integer} 份够用。", fmi=worst, m=m)
        return
    text = (
        "FMI 最大为 {fmi:percent}，只有 {m:integer} 份：重新插补一次，数字可能不同。"
        "请回到插补前的版本，插补至少 {need:integer} 份。"
    )
    report.check("插补份数", "care", text, fmi=worst, m=m, need=need)


def _by(copies: Sequence[Copy], kind: str) -> dict[tuple[str | None, str], list[tuple[Copy, Said]]]:
    """Checks by variable and title, warnings by variable and text, in the order they were said."""
    found: dict[tuple[str | None, str], list[tuple[Copy, Said]]] = {}
    for copy in copies:
        for said in copy.report.said:
            if said.type == kind:
                key = said.extra["title"] if kind == "check" else said.text
                found.setdefault((said.at, key), []).append((copy, said))
    return found


def _account(report: Report, copies: Sequence[Copy]) -> None:
    """Warnings of the copies once each, and how many rows each copy had."""
    for (at, _), held in _by(copies, "warning").items():
        copy, said = held[0]
        text = said.text if len(held) == len(copies) else f"第 {copy.number} 份等 {len(held)} 份：{said.text}"
        extra = {**said.extra, "rows": []}
        report.said.append(Said("warning", text, dict(said.facts), at=at, extra=extra))
    least, most = min(copy.used for copy in copies), max(copy.used for copy in copies)
    if least == most:
        report.say("{m:integer} 份各有 {n:integer} 行参与分析。", m=len(copies), n=least)
    else:
        text = "{m:integer} 份参与分析的行数不同，从 {least:integer} 到 {most:integer} 行：筛选用到了插补的变量。"
        report.say(text, m=len(copies), least=least, most=most)


def _left_out(report: Report, found: Pools, copies: Sequence[Copy], shown: Mapping[str, Element], column: str) -> None:
    """What the method shows of one table and has no pooled form."""
    pooled_items: list[Estimate | Joint | Explained] = []
    for copy in copies:
        pooled_items += [*copy.report.estimates, *copy.report.joints, *copy.report.shares]
    pooled = {one.of for one in pooled_items}
    given = {table_id for table_id, _ in copies[0].report.rows}
    titles, charts = [], []
    for name, element in shown.items():
        if isinstance(element, Chart):
            charts.append(element.title)
        elif isinstance(element, Table) and not element.hidden and name in given and name not in pooled:
            titles.append(element.title)
    if titles:
        report.say(
            "没有合并的表：{tables}。Rubin 规则只合并带标准误的估计，检验统计量、效应量和描述不能这样合并。",
            tables="".join(f"“{title}”" for title in titles),
        )
    if charts:
        report.say("没有合并的图：{charts}。图画的是一份数据。", charts="".join(f"“{title}”" for title in charts))
    if titles or charts:
        report.say(
            "前提检验按各份分别做，文字里提到的表和图在单独一份的结果里。筛选“{column}”= {number} 可看第 {number} 份。",
            column=column,
            number=str(copies[0].number),
        )
    for reason, names in _reasons(found):
        report.say(reason, names=listed(names))
    if any(isinstance(shown.get(name), NewColumns) for name in copies[0].report.new_columns):
        report.say("没有保存到数据：各份的预测值和残差不同。")


def _reasons(found: Pools) -> Iterator[tuple[str, list[str]]]:
    if found.partial:
        yield "没有合并{names}：只在部分份里出现（类别或所选变量不同）。", found.partial
    if found.unfit:
        yield "没有合并{names}：有的份里标准误为 0，或协方差矩阵不可逆。", found.unfit
