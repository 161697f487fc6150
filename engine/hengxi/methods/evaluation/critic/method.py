from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Chart, Matrix, Refusal, Report, Table, choice, num, percent, text
from hengxi.methods.evaluation._shared import indicators
from hengxi.methods.evaluation._shared.indicators import Data, Floats
from hengxi.methods.evaluation._shared.weighting import DirectedForm, Weighting
from hengxi.stats.indicator_weights import correlations, critic_parts, entropy

WORDS = {"minmax": "极差法", "zscore": "标准化", "none": "不处理"}


class Critic(Weighting):
    """Weights by contrast and conflict: what varies, and what the others do not say already."""

    title, title_en = "CRITIC权重法", "CRITIC"
    purpose = "同时考虑指标的对比强度与冲突性，客观权重是多少"
    aliases = ("CRITIC", "客观赋权", "对比强度", "冲突性", "信息量权重")
    references = ("diakoulaki1995",)
    conventions = (
        "极差法：正向 (x − min)/(max − min)，负向 (max − x)/(max − min)；中间型、区间型 1 − d/max d。",
        "标准化时标准差都是 1，权重只由冲突性决定；负向指标变号，中间型、区间型先正向化。",
        "标准差以 n − 1 为分母；变异系数 = 标准差/均值；熵作对比强度时取 1 − e。",
        "冲突性 = Σ(1 − r)；信息量 = 对比强度 × 冲突性；权重是信息量的份额。",
    )

    class Input(DirectedForm):
        normalize: str = choice("无量纲化", {"minmax": "极差法", "zscore": "标准化（z 值）", "none": "不处理"})
        contrast: str = choice("对比强度", {"sd": "标准差", "cv": "变异系数", "entropy": "熵（1 − e）"})
        correlation: str = choice("冲突性", {
            "pearson": "1 − r（Pearson）", "abs_pearson": "1 − |r|（Pearson）",
            "spearman": "1 − r（Spearman）"})  # fmt: skip

    result = Table(
        "CRITIC 权重", item=text("指标"), contrast=num("指标变异性", least=0), conflict=num("指标冲突性", least=0),
        information=num("信息量", least=0), weight=percent("权重"), place="main",
    )  # fmt: skip
    plot = Chart("权重条形图", "bar", of=result, x="item", y="weight", place="main")
    matrix = Table(
        "相关系数", layout=Matrix(r=num("*r*", least=-1, most=1), show="lower"), item=text("指标"), place="detail"
    )

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        data = indicators.read(form)
        scaled = cls._scaled(form, data)
        contrast = cls._contrast(form, data, scaled)
        conflict, information, weights = critic_parts(scaled, contrast, form.correlation)
        if information.sum() <= 1e-12 * contrast.sum():
            text_ = "指标之间完全正相关，冲突性都是 0，权重不可定；它们说的是同一件事，请只留一个，或换一种赋权方法"
            raise Refusal("data.no_conflict", text_, field=data.indicators[0].field)
        r = correlations(scaled, form.correlation == "spearman")
        for k, name in enumerate(data.names):
            report.row(
                cls.result, item=name, contrast=contrast[k], conflict=max(conflict[k], 0.0),
                information=max(information[k], 0.0), weight=weights[k],
            )  # fmt: skip
            for j in range(k):
                report.row(cls.matrix, item=name, against=data.names[j], r=r[k, j])
        report.chart(cls.plot)
        how = f"CRITIC 权重法（{WORDS[form.normalize]}）"
        cls.finish(report, form, data, weights, scaled, how=how, student=STUDENT)
        return report

    @classmethod
    def _scaled(cls, form: Any, data: Data) -> Floats:
        scaled = indicators.range_scaled(data)
        indicators.refuse_flat(data, scaled)
        if form.normalize == "minmax":
            return scaled
        return indicators.z_scaled(data) if form.normalize == "zscore" else indicators.forwarded(data)

    @classmethod
    def _contrast(cls, form: Any, data: Data, scaled: Floats) -> Floats:
        sd = scaled.std(axis=0, ddof=1)
        if form.contrast == "sd":
            return np.asarray(sd)
        for k, one in enumerate(data.indicators):
            if scaled[:, k].min() < 0 or scaled[:, k].mean() <= 1e-12:
                text_ = f"“{one.name}”处理后有负值，不能用变异系数或熵作对比强度，请改用极差法，或用标准差"
                raise Refusal("data.not_positive", text_, field="contrast", column=one.column.id)
        if form.contrast == "cv":
            return np.asarray(sd / scaled.mean(axis=0))
        return np.asarray(1 - entropy(scaled / scaled.sum(axis=0)))


STUDENT = "一个指标差别越大、与其他指标越不重复，权重越大。权重由数据决定，不说明这个指标在道理上有多重要。"
