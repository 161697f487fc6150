from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Refusal, Report, Table, choice, num, percent, text
from hengxi.methods.hypothesis_test._shared.two_raters import KINDS, TwoRaters, of_kind
from hengxi.stats import agreement


class Kappa(TwoRaters):
    """Cohen's κ of two raters."""

    title, title_en = "Kappa一致性检验", "Cohen's kappa"
    purpose = "两名评估者（或两种方法）的分类结果是否一致"
    aliases = ("Cohen kappa", "一致性系数", "评分者信度", "诊断一致性", "PABAK", "κ")
    references = ("cohen1960", "fleiss1969", "landis1977", "byrt1993", "feinstein1990", "light1971")
    conventions = (
        "类别的次序：数值从小到大，文字按评估者1首次出现；两人的类别取并集。",
        "标准误按 Fleiss、Cohen 和 Everitt（1969）；*Z* 用一致性为 0 时的标准误，区间用渐近标准误。",
        "线性权重 1 − |i − j|/(k − 1)，平方权重 1 − (i − j)²/(k − 1)²，只在类别有次序时有意义。",
        "PABAK = (k·一致率 − 1)/(k − 1)。",
        "条件 Kappa 以评估者1选了该类为条件（Light，1971）；特定一致率 = 两人都选的 2 倍 ÷ 两人选的总数。",
        "最大 Kappa 是两人各类的人数不变时 κ 能达到的最大值。",
    )

    class Input(TwoRaters.Input):
        type: str = choice(
            "Kappa类型", {"simple": "简单", "linear": "线性加权", "quadratic": "平方加权", "pabak": "PABAK"},
            hint="类别有次序时才用加权",
        )  # fmt: skip

    categories = Table(
        "各类别的一致",
        category=text("类别"),
        specific=percent("特定一致率"),
        conditional=num("条件Kappa"),
        place="detail",
    )

    @classmethod
    def run(cls, form: Any) -> Report:
        report = Report()
        held = cls.square(report, form)
        cls.write_cross(report, form, held)
        read = of_kind(held, form.type)
        if read is None:
            raise Refusal("data.constant", "两评估者都只给出一个类别，Kappa 无定义", field="rater2", also=["rater1"])
        for kind in dict.fromkeys(("simple", form.type, "pabak")):
            one = of_kind(held, kind)
            if one is not None:
                cls.write_kappa(report, form, KINDS[kind], one, kind == form.type)
        plain = float(np.trace(held.table) / held.n)
        simple = of_kind(held, "simple")
        assert simple is not None
        for name, value in (
            ("观察一致率", plain), ("期望一致率（碰巧）", simple.expected),
            ("最大 Kappa", agreement.largest(held.table, np.eye(len(held.levels)))),
        ):  # fmt: skip
            report.row(cls.rates, measure=name, value=value)
        for word, category in zip(held.words, agreement.by_category(held.table), strict=True):
            report.row(cls.categories, category=word, specific=category.specific, conditional=category.conditional)
        report.note(cls.result, "CI 的置信水平为 {level:percent}。", level=form.conf_level)
        cls.say(report, form, held, KINDS[form.type], read, plain)
        return report
