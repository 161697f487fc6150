from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    Level,
    Refusal,
    Report,
    SetRemedy,
    Table,
    Wide,
    choice,
    level,
    num,
    numbers,
    role,
    text,
)
from hengxi.methods.hypothesis_test._shared.two_raters import KINDS, TwoRaters
from hengxi.stats import agreement
from hengxi.stats.moments import Floats
from hengxi.stats.square_table import Square


class WeightedKappa(TwoRaters):
    """κ of two ratings on an ordered scale: near misses count in part."""

    title, title_en = "加权Kappa", "Weighted kappa"
    purpose = "有序等级的两次评定一致程度如何"
    aliases = ("weighted kappa", "线性加权", "平方加权", "等级一致性", "评分者信度", "二次加权Kappa")
    references = ("cohen1968", "fleiss1969", "fleiss1973", "landis1977", "mcgraw1996")
    conventions = (
        "线性权重 1 − |i − j|/(k − 1)，平方权重 1 − (i − j)²/(k − 1)²；i、j 为等级的名次。",
        "自定义权重为一致的权重：对角线为 1，其余 0 到 1，越接近 1 越算一致。",
        "标准误按 Fleiss、Cohen 和 Everitt（1969）；*Z* 用一致性为 0 时的标准误，区间用渐近标准误。",
        "ICC 为 ICC(A,1)：两因素随机、绝对一致、单次评定，得分为等级的名次 1、2、3……",
    )

    class Input(TwoRaters.Input):
        rater1: Column = role("评估者1（有序）", "定类")
        rater2: Column = role("评估者2（有序）", "定类")
        weights: str = choice("权重", {"linear": "线性", "quadratic": "平方", "custom": "自定义"})
        weight_matrix: list[float] = numbers(
            "自定义权重矩阵", (), least=0, most=1, when={"weights": "custom"},
            hint="按行填 k×k 个数，等级由低到高，对角线为 1",
        )  # fmt: skip
        order: list[Level] = level(
            "等级次序", of=("rater1", "rater2"), many=(2, None), ordered=True, auto="数值从小到大，有序变量按其次序",
            hint="由低到高；文字等级没有设成有序时要选",
        )  # fmt: skip

    scheme = Table("权重矩阵", first=text("等级"), layout=Wide(w=num("权重", least=0, most=1)))
    bubbles = Chart("气泡图", "point", of=TwoRaters.cells, x="first", y="second", size="n", place="detail")

    @classmethod
    def run(cls, form: Any) -> Report:
        report = Report()
        held = cls._ordered(form, cls.square(report, form))
        cls.write_cross(report, form, held)
        k = len(held.levels)
        kinds = {"linear": agreement.weights("linear", k), "quadratic": agreement.weights("quadratic", k)}
        names = dict(KINDS)
        if form.weights == "custom":
            kinds["custom"], names["custom"] = cls._custom(form, k), "自定义加权 Kappa"
        made = {kind: agreement.kappa(held.table, w) for kind, w in kinds.items()}
        read = made[form.weights]
        if read is None:
            raise Refusal("data.constant", "两评估者都只给出一个类别，Kappa 无定义", field="rater2", also=["rater1"])
        for kind, one in made.items():
            if one is not None:
                cls.write_kappa(report, form, names[kind], one, kind == form.weights)
        report.note(cls.result, "CI 的置信水平为 {level:percent}。", level=form.conf_level)
        plain = float(np.trace(held.table) / held.n)
        near = float(sum(np.trace(held.table, offset=d) for d in (-1, 0, 1)) / held.n)
        for name, value in (
            ("完全一致的比例", plain), ("相差不超过一级的比例", near), ("加权一致率", read.observed),
            ("期望的加权一致率（碰巧）", read.expected), ("ICC(A,1)", agreement.icc_agreement(held.table)),
        ):  # fmt: skip
            report.row(cls.rates, measure=name, value=value)
        report.note(cls.rates, "人数较多时，平方加权 Kappa 与 ICC(A,1) 几乎相等（Fleiss 和 Cohen，1973）。")
        for i, word in enumerate(held.words):
            wide = {one: {"w": kinds[form.weights][i, j]} for j, one in enumerate(held.levels)}
            report.row(cls.scheme, first=word, wide=wide)
        cls.say(report, form, held, names[form.weights], read, plain)
        order = "等级由低到高：{order}。权重由次序决定，次序错了 κ 也错。"
        report.check("等级次序", "unknown", order, order=" < ".join(held.words[:12]))
        return report

    @staticmethod
    def _ordered(form: Any, held: Square) -> Square:
        if form.order:
            place = {one.value: i for i, one in enumerate(form.order)}
            lost = [one.label for one in held.levels if one.value not in place]
            if lost:
                raise Refusal(
                    "level.order", "“等级次序”里没有“{g}”，请把出现的等级都排进去", field="order", g=lost[0]
                )  # fmt: skip
            by = sorted(range(len(held.levels)), key=lambda i: place[held.levels[i].value])
        elif any(isinstance(one.value, str) for one in held.levels) and not form.rater1.ordered:
            if not form.rater2.ordered:
                guess = [one.value for one in held.levels]
                raise Refusal(
                    "level.order", "等级是文字而没有次序，请指定等级由低到高的次序", field="order", also=["rater1"],
                    remedies=[SetRemedy(title="按首次出现的次序试算", set={"order": guess})],
                )  # fmt: skip
            place = {one.value: i for i, one in enumerate(form.rater2.all_levels)}
            by = sorted(range(len(held.levels)), key=lambda i: place.get(held.levels[i].value, len(place)))
        else:
            return held
        return Square([held.levels[i] for i in by], held.table[np.ix_(by, by)], held.only_first, held.only_second)

    @staticmethod
    def _custom(form: Any, k: int) -> Floats:
        if len(form.weight_matrix) != k * k:
            raise Refusal(
                "numbers.count", "权重矩阵应为 {k}×{k}，即 {m} 个数，已填 {n} 个", field="weight_matrix", k=k, m=k * k,
                n=len(form.weight_matrix),
            )  # fmt: skip
        w: Floats = np.array(form.weight_matrix, dtype=float).reshape(k, k)
        if not (np.all(np.diag(w) == 1) and np.allclose(w, w.T)):
            raise Refusal("numbers.each", "权重矩阵的对角线须为 1，且上下对称", field="weight_matrix")
        return w
