"""The tables and the picture a pooled report may hold; only what has rows is laid out."""

from __future__ import annotations

from hengxi.contract import Chart, Points, Report, Table, claim, integer, interval, num, percent, pvalue, stat, text
from hengxi.contract.tables import Element


class Elements:
    pooled = Table(
        "合并结果", quantity=text("估计"), name=text("项"), estimate=num("合并值", stars="p"),
        se=num("标准误", least=0), ci=interval("CI", "low", "high", around="estimate"), t=num("*t*"), df=num("*df*"),
        p=pvalue(), m=integer("份数"), fmi=percent("FMI"), place="main", merge=("quantity",),
        claim=claim("named", stat("*t*", "t", "df"), effect="estimate", interval="ci", names=("quantity", "name")),
    )  # fmt: skip
    ratios = Table(
        "合并的比值（系数的指数）", quantity=text("比值"), name=text("项"), value=num("合并值", least=0),
        ci=interval("CI", "low", "high", around="value"), m=integer("份数"), fmi=percent("FMI"), place="main",
        merge=("quantity",),
    )  # fmt: skip
    joint = Table(
        "合并的整体检验", name=text("检验"), F=num("*F*", least=0), df1=integer("*df*1"), df2=num("*df*2"), p=pvalue(),
        m=integer("份数"), riv=num("方差相对增加", least=0), place="main",
        claim=claim("named", stat("*F*", "F", "df1", "df2"), names=("name",)),
    )  # fmt: skip
    shares = Table(
        "合并的解释比例", name=text("指标"), value=num("合并值", least=0, most=1),
        ci=interval("CI", "low", "high", around="value"), m=integer("份数"), fmi=percent("FMI"), place="main",
    )  # fmt: skip
    means = Table(
        "合并的描述", quantity=text("估计"), name=text("项"), estimate=num("合并值"), se=num("标准误", least=0),
        ci=interval("CI", "low", "high", around="estimate"), df=num("*df*"), m=integer("份数"), fmi=percent("FMI"),
        place="main", merge=("quantity",),
    )  # fmt: skip
    forest_points = Points("系数", name=text("项"), y=num("合并值"), low=num("下限"), high=num("上限"))
    forest = Chart(
        "合并值与置信区间", "interval", of=forest_points, x="name", y="y", low="low", high="high", place="main"
    )
    parts = Table(
        "方差的来源", quantity=text("估计"), name=text("项"), within=num("份内方差", least=0),
        between=num("份间方差", least=0), variance=num("总方差", least=0), riv=num("方差相对增加", least=0),
        share=percent("缺失占总方差"), fmi=percent("FMI"), complete=num("完整数据的 *df*"), df=num("合并的 *df*"),
        place="detail", merge=("quantity",),
    )  # fmt: skip
    copies = Table(
        "各份的估计", quantity=text("估计"), name=text("项"), copy=integer("份"), estimate=num("估计值"),
        se=num("标准误", least=0), place="detail", merge=("quantity", "name"),
    )  # fmt: skip


def held(report: Report) -> dict[str, Element]:
    """Those of `Elements` that hold something."""
    shown = {table_id for table_id, _ in report.rows} | {chart_id for chart_id, _ in report.chart_facts}
    return {name: one for name, one in vars(Elements).items() if isinstance(one, Element) and name in shown}
