from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import nnls

from hengxi.contract import (
    Chart,
    Form,
    Method,
    Points,
    Refusal,
    Report,
    SetRemedy,
    Table,
    TypedMatrix,
    Wide,
    choice,
    figure,
    integer,
    matrix,
    num,
    number,
    percent,
    text,
)
from hengxi.methods.evaluation._shared.indicators import Floats, ranked
from hengxi.methods.evaluation._shared.weighting import SAFE
from hengxi.stats.indicator_weights import correlations

METHODS = {
    "game_theory": "博弈论组合", "multiplicative": "乘法合成", "additive": "加法合成", "min_entropy": "最小相对信息熵",
    "distance_function": "距离函数法",
}  # fmt: skip
CLOSE = 0.005


class GameTheoryWeight(Method):
    """Several sets of weights brought to one."""

    title, title_en = "组合赋权（博弈论等）", "Combined weighting"
    slug = "combined-weight"
    family, tier = "权重计算", "member"
    purpose = "主观权重与客观权重如何合理组合成一套权重"
    aliases = ("博弈论组合赋权", "主客观组合赋权", "综合权重", "最小信息熵", "乘法合成", "距离函数")
    references = ("chen2003", "guo2007")
    conventions = (
        "博弈论：Σα_k·(w_j·w_k) = w_j·w_j，解出 α 后归一；α 为负时改用 α ≥ 0 的最小二乘（nnls），并提示。",
        "乘法合成：各方法权重连乘后归一；最小相对信息熵：连乘后开方（方法数次方根）再归一。",
        "加法合成：α·第一种 + (1 − α)·第二种；多于两种时等权平均。",
        "距离函数法（两种）：d² = ½Σ(w₁ − w₂)² = (α − β)²，α + β = 1，第一种取较大的系数。",
        f"每种方法的权重之和应为 1（差在 {CLOSE} 以内按四舍五入看待，并归一）。",
    )
    needs_data = False
    split = False

    class Input(Form):
        weights: TypedMatrix | None = matrix(
            "各方法权重",
            kind="free",
            size=(2, 50),
            least=0,
            most=1,
            hint="一行一个指标，一列一种赋权方法，可从 Excel 粘贴",
        )
        method: str = choice("组合方法", METHODS)
        alpha: float = number(
            "加法组合系数", 0.5, least=0, most=1, when={"method": "additive"}, hint="第一种方法的份额"
        )

    result = Table("权重对照", item=text("指标"), weight=percent("组合权重"), rank=integer("排名"),
                   layout=Wide(own=percent("权重")), place="main")  # fmt: skip
    bars = Points("各方法的权重", item=text("指标"), source=text("方法"), weight=num("权重"))
    plot = Chart("权重对比", "bar", of=bars, x="item", y="weight", series="source", place="main")
    parts = Table("组合系数", source=text("方法"), raw=num("原系数"), share=percent("归一系数"),
                  distance=num("与组合权重的距离", least=0), r=num("与组合权重的相关", least=-1, most=1),
                      place="detail")  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        items, sources, w = _read(form)
        raw, combined = _combine(report, form, sources, w)
        ranks = ranked(combined)
        for i, item in enumerate(items):
            report.row(cls.result, item=item, weight=combined[i], rank=ranks[i],
                       wide={name: {"own": w[i, k]} for k, name in enumerate(sources)})  # fmt: skip
            for k, name in enumerate([*sources, "组合"]):
                report.row(cls.bars, item=item, source=name, weight=combined[i] if k == len(sources) else w[i, k])
        for k, name in enumerate(sources):
            r = (
                correlations(np.stack([w[:, k], combined], axis=1))[0, 1]
                if np.ptp(w[:, k]) * np.ptp(combined) > 1e-12
                else None
            )
            share = None if raw is None else raw[k] / raw.sum()
            report.row(cls.parts, source=name, raw=None if raw is None else raw[k], share=share,
                       distance=float(np.linalg.norm(w[:, k] - combined)), r=r)  # fmt: skip
        if raw is None:
            report.note(cls.parts, "这种合成没有组合系数。")
        _words(report, form, items, sources, combined)
        return report


def _read(form: Any) -> tuple[list[str], list[str], Floats]:
    if form.weights is None:
        raise Refusal("matrix.required", "请填写“各方法权重”", field="weights")
    given, sources = np.array(form.weights.values), list(form.weights.columns)
    if len(sources) < 2:
        raise Refusal("data.few", "至少要两种方法的权重才能组合，请再加一列", field="weights")
    sums = given.sum(axis=0)
    for name, total in zip(sources, sums, strict=True):
        if abs(total - 1) > CLOSE:
            cells = (given / np.where(sums > 0, sums, 1.0)).tolist()
            table = {"rows": list(form.weights.rows), "columns": sources, "values": cells}
            remedies = [SetRemedy(title="各列除以列和", set={"weights": table})] if (sums > 0).all() else []
            text_ = f"方法“{name}”权重之和为 {total:g}，应为 1，请归一化"
            raise Refusal("data.sum", text_, field="weights", remedies=remedies)
    w = given / sums
    for k in range(1, len(sources)):
        same = next((j for j in range(k) if np.allclose(w[:, j], w[:, k], atol=1e-9)), None)
        if same is not None and form.method == "game_theory":
            text_ = f"“{sources[same]}”和“{sources[k]}”两套权重完全相同，组合系数不唯一，请删去一套"
            raise Refusal("data.same", text_, field="weights")
    return list(form.weights.rows), sources, w


def _combine(report: Report, form: Any, sources: list[str], w: Floats) -> tuple[Floats | None, Floats]:
    k = len(sources)
    match form.method:
        case "multiplicative" | "min_entropy":
            power = 1.0 if form.method == "multiplicative" else 1 / k
            raw = np.prod(w**power, axis=1)
            if raw.sum() <= 0:
                text_ = "每个指标都有一种方法给了 0 权重，连乘后全是 0，请换一种组合方法"
                raise Refusal("data.zero", text_, field="method")
            return None, raw / raw.sum()
        case "additive":
            share = np.array([form.alpha, 1 - form.alpha]) if k == 2 else np.full(k, 1 / k)
        case "distance_function":
            if k != 2:
                raise Refusal("data.two", f"距离函数法只用于两种方法，现有 {k} 种，请换一种组合方法", field="method")
            d = float(np.sqrt(((w[:, 0] - w[:, 1]) ** 2).sum() / 2))
            share = np.array([(1 + d) / 2, (1 - d) / 2])
        case _:
            gram = w.T @ w
            if np.linalg.cond(gram) > 1e12:
                raise Refusal("data.same", "一套权重可由其他几套线性表示，组合系数不唯一，请删去一套", field="weights")
            share = np.linalg.solve(gram, np.diag(gram))
            if (share < 0).any():
                share = nnls(gram, np.diag(gram))[0]
                report.warn("data.negative", "博弈论系数出现负值，已改用系数不小于 0 的最小二乘。")
    combined = w @ share
    return share, combined / combined.sum()


def _words(report: Report, form: Any, items: list[str], sources: list[str], combined: Floats) -> None:
    order = np.argsort(-combined, kind="stable")
    facts: dict[str, Any] = {
        "n": len(items), "k": len(sources), "first": items[order[0]], "high": combined[order[0]], "last": items[
            order[-1]],
        "low": combined[order[-1]],
    }  # fmt: skip
    lead = "组合后权重最大的是“{first}”（{high:percent}），最小的是“{last}”（{low:percent}）。"
    report.lead(lead, [figure("最大权重", "{high:percent}", "{first}")], **facts)
    each = {f"w{i}": combined[k] for i, k in enumerate(order)}
    listed = "、".join(f"{items[k].translate(SAFE)}（{{w{i}:percent}}）" for i, k in enumerate(order))
    report.say(f"用{METHODS[form.method]}把 {{k:integer}} 套权重合成一套：{listed}。", voice="paper", **facts, **each)
    report.say("组合权重介于各套权重之间。差别很大的两套权重合在一起，要先弄清为什么差。", voice="student")
