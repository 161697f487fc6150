"""A solver without data that gives a panel, rules, a formula and a file: what no method of the product gives yet."""

from __future__ import annotations

from typing import Any

from hengxi.contract import (
    Chart,
    File,
    Form,
    Formula,
    Panel,
    Points,
    Report,
    Rules,
    Solver,
    Table,
    flag,
    integer,
    num,
    number,
    text,
)


class Solving(Solver):
    """The best price on a straight line of demand: sales = most − slope · price."""

    title, title_en = "定价求解", "Pricing"
    family, purpose = "规划求解", "测试"

    class Input(Form):
        most: float = number("最大销量", 100, above=0)
        slope: float = number("每元减少", 10, above=0)
        show_curve: bool = flag("画出曲线", True)

    answer = Table("最优解", item=text("量"), value=num("值"))
    certificate = Table("解的状态", status=text("状态"), gap=num("与上界相差"), steps=integer("迭代次数"))
    curve = Points("曲线", price=num("价格"), sales=num("销量"), income=num("收入"))
    demand = Chart("销量", "line", of=curve, x="price", y="sales", when={"show_curve": True})
    income = Chart("收入", "line", of=curve, x="price", y="income")
    both = Panel("价格、销量与收入", demand, income)
    rules = Rules("定价规则")
    law = Formula("需求线")
    sheet = File("计算表")

    @classmethod
    def run(cls, form: Any) -> Report:
        report = Report()
        best = form.most / (2 * form.slope)
        top = best * (form.most - form.slope * best)
        report.row(cls.answer, item="价格", value=best)
        report.row(cls.answer, item="收入", value=top)
        report.row(cls.certificate, status="已达最优", gap=0, steps=1)
        for k in range(9):
            price = best * k / 4
            sales = form.most - form.slope * price
            report.row(cls.curve, price=price, sales=sales, income=price * sales)
        report.lead("价格定为 {p:num} 时收入最高，为 {top:num}。", p=best, top=top)
        report.rule(cls.rules, [("价格", "<=", best)], "提价", 4, 0.8)
        report.rule(cls.rules, [("价格", ">", best), ("销量", "!=", 0)], "降价", 5, 1.0)
        report.formula(cls.law, "q = a - b p", "q = {a:num} - {b:num} p", a=form.most, b=form.slope)
        report.file(cls.sheet, "计算表.csv", "价格,收入\n".encode())
        return report
