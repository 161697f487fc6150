from __future__ import annotations

from hengxi.contract import AnswerSet, Column, Form, Report, integer, words
from hengxi.methods.unsupervised_learning._shared import baskets, rules
from hengxi.methods.unsupervised_learning._shared.rules import COMMON, MOST, Association
from hengxi.stats import itemsets


class Apriori(Association):
    """Frequent itemsets level by level, and the rules they give."""

    title, title_en = "Apriori关联规则", "Association rules (Apriori)"
    slug = "apriori"
    tier = "standard"
    purpose = "从购物篮或多选题数据中找出经常同时出现的项目与规则"
    aliases = ("购物篮分析", "关联分析", "关联规则", "频繁项集", "啤酒与尿布", "支持度", "置信度", "提升度", "连带购买")
    references = (
        "agrawal1994",
        "brin1997",
        "piatetskyshapiro1991",
        "yan2009",
        "bayardo1999",
        "han2012",
        "holm1979",
    )
    conventions = (*COMMON, "项集最多含“项集最大长度”个项目；宽表里全空的行不算事务，空格算没有。")

    class Input(Form):
        items: list[Column | AnswerSet] = rules.items_role()
        tid: Column | None = rules.tid_role()
        layout: str = rules.layout("wide")
        sep: str = rules.separator()
        min_support: float = rules.bound("最小支持度", 0.1, 0.0001)
        min_confidence: float = rules.bound("最小置信度", 0.5, 0)
        min_lift: float = rules.bound("最小提升度", 1, 0, 1000)
        max_len: int = integer("项集最大长度", 4, least=1, most=10)
        consequent: str | None = words("限定后项（选填）", None, hint="只看以这个项目为后项的规则")

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        held = baskets.read(report, form)
        least = rules.least_count(form, held)
        try:
            found = itemsets.apriori(held.held, least, form.max_len, MOST)
        except itemsets.TooManyError:
            raise rules.too_many() from None
        rules.write(report, cls, form, held, found, only=(form.consequent or "").strip())
        return report
