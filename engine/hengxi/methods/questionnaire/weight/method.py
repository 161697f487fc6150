from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hengxi.contract import (
    Block,
    Chart,
    Column,
    Form,
    Matrix,
    Method,
    NewColumns,
    Points,
    Refusal,
    Report,
    Row,
    SetRemedy,
    Table,
    Wide,
    at_least,
    blocks,
    choice,
    figure,
    flag,
    integer,
    many,
    num,
    percent,
    settings,
    text,
)
from hengxi.stats import indicator_weights as formulas
from hengxi.stats.moments import Floats

METHODS = {
    "mean_share": "均值归一化", "entropy": "熵值法", "pca": "主成分法", "factor": "因子法（最大方差旋转）",
    "critic": "CRITIC 法", "independence": "独立性权重法", "information": "信息量权重法", "priority_chart": "优序图法",
}  # fmt: skip
BY_MEAN = ("mean_share", "priority_chart")
"""Methods that weigh by the size of the scores; all others by spread or correlation, of which a constant has none."""
SCALED = {"none": "不处理", "minmax": "极差法", "zscore": "Z 标准化", "sum": "比重法"}
MOST, UNLIKE, LOW_R, HELD = 60, 3, 0.7, 0.05


@dataclass(frozen=True)
class Study:
    """`x`: rows × items with reversed items turned; `raw` as answered; `dimension` of each item or None."""

    columns: list[Column]
    raw: Floats
    x: Floats
    dimension: list[str | None]

    @property
    def names(self) -> list[str]:
        return [column.title for column in self.columns]


class Weight(Method):
    """Several ways to weigh the items of a scale, side by side, and how far they agree."""

    title, title_en = "权重分析(量表指标)", "Indicator weights from survey data"
    slug = "weight"
    family, tier = "问卷研究", "standard"
    purpose = "各题项或指标在总体评价中应占多大权重，不同赋权方法结果差多少"
    aliases = (
        "指标权重",
        "赋权",
        "题项权重",
        "组合权重",
        "客观赋权",
        "均值归一化",
        "熵值法",
        "CRITIC",
        "独立性权重",
        "优序图",
    )
    references = ("shannon1948", "diakoulaki1995", "jolliffe2002", "wang1999", "guo2007", "moody1983")
    conventions = (
        "负向指标先换成（最大值 + 最小值）− 得分；信息量权重的平均值用原始得分。",
        "均值归一化：平均值 ÷ 各平均值之和。优序图：两两比较平均值，高的记 1，相同记 0.5，自己对自己记 0.5。",
        "熵值法：处理后的值占该指标合计的比重，d = 1 − e，权重 = d/Σd；CRITIC：标准差（n − 1）× Σ(1 − *r*)。",
        "主成分法、因子法：相关矩阵，取特征根大于 1 的成分，至少 1 个；系数按方差解释率加权，再换成份额。",
        f"独立性权重：复相关系数 *R* 的倒数，*R* 小于 {HELD} 时按 {HELD} 算。",
        "信息量权重：变异系数，标准差以 n − 1 为分母。",
        "无量纲化只影响熵值法、CRITIC 法和综合得分列；其他方法不受它影响。",
        "综合权重是所选各方法权重的简单平均；维度权重是维度内各指标综合权重之和，维度内权重是其份额。",
        "名次从大到小，相同的并列；只用全部指标都有值的行。",
    )
    missing = "listwise"
    min_rows = 3
    limits = (at_least(1, "items"),)

    class Input(Form):
        items: list[Block] = blocks(
            "指标（可按维度分框）", "定量", min=0, size=(1, MOST), names="维度{i}", loose=True,
            hint="要两级权重时每维一框；不要时全部放在一起",
        )  # fmt: skip
        methods: list[str] = many("赋权方法", METHODS, default=("entropy", "pca"), min=1)
        direction: list[Row] = settings("指标方向", of="items", negative=flag("负向指标", False), hint="越小越好的勾选")
        normalize: str = choice("无量纲化", SCALED, default="minmax", hint="只影响熵值法、CRITIC 法和综合得分")
        save_index: bool = flag("生成综合得分列", False)

    combined = Table(
        "综合权重",
        item=text("指标"),
        weight=percent("综合权重", least=None, most=None),
        rank=integer("排名"),
        place="main",
    )
    plot = Chart("权重条形图", "bar", of=combined, x="item", y="weight", place="main")
    result = Table(
        "权重对比", item=text("指标"),
        layout=Wide(weight=percent("权重", least=None, most=None), rank=integer("排名")), place="main",
    )  # fmt: skip
    axes = Points("各方法的权重", item=text("指标"), weight=percent("权重", least=None, most=None), method=text("方法"))
    radar = Chart("方法对比雷达图", "radar", of=axes, axis="item", value="weight", group="method", place="detail")
    levels = Table(
        "两级权重", dimension=text("维度"), share=percent("维度权重", least=None, most=None), item=text("指标"),
        inside=percent("维度内权重", least=None, most=None), weight=percent("合成权重", least=None, most=None),
        merge=("dimension",), place="main",
    )  # fmt: skip
    agreement = Table(
        "方法一致性（Spearman *ρ*）",
        layout=Matrix(rho=num("*ρ*", least=-1, most=1, decimals=3), show="lower"),
        place="detail",
    )
    parts = Table(
        "计算过程", item=text("指标"), mean=num("平均值"), sd=num("标准差", least=0),
        ttl=num("优序图 TTL", when={"methods": "priority_chart"}),
        entropy=num("信息熵 *e*", decimals=4, when={"methods": "entropy"}),
        pca=num("主成分综合系数", decimals=4, when={"methods": "pca"}),
        factor=num("因子综合系数", decimals=4, when={"methods": "factor"}),
        conflict=num("CRITIC 冲突性", when={"methods": "critic"}),
        information=num("CRITIC 信息量", when={"methods": "critic"}),
        r=num("复相关系数 *R*", least=0, most=1, decimals=3, when={"methods": "independence"}),
        cv=num("变异系数", least=0, decimals=3, when={"methods": "information"}), place="detail",
    )  # fmt: skip
    saved = NewColumns("综合得分（新变量）", when={"save_index": True})

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{sum(len(block.columns) for block in form.items)} 个指标的权重"

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        study = _study(form)
        scaled = _scaled(study, form.normalize)
        parts: dict[str, Floats] = {"mean": study.x.mean(axis=0), "sd": study.x.std(axis=0, ddof=1)}
        weights = {key: _weights(key, study, scaled, parts) for key in form.methods}
        total = np.mean(list(weights.values()), axis=0)
        cls._tables(report, study, weights, total, parts)
        cls._levels(report, study, total)
        lowest = cls._agreement(report, weights)
        if form.save_index:
            report.columns(cls.saved, {"综合得分": scaled @ total})
        _words(report, study, weights, total)
        _checks(report, study, weights, parts, lowest)
        return report

    @classmethod
    def _tables(
        cls, report: Report, study: Study, weights: dict[str, Floats], total: Floats, parts: dict[str, Floats]
    ) -> None:
        ranks, each = _ranks(total), {key: _ranks(values) for key, values in weights.items()}
        for j, item in enumerate(study.names):
            report.row(cls.combined, item=item, weight=total[j], rank=ranks[j])
            wide = {METHODS[key]: {"weight": weights[key][j], "rank": each[key][j]} for key in weights}
            report.row(cls.result, item=item, wide=wide)
            report.row(cls.parts, item=item, **{key: values[j] for key, values in parts.items()})
        report.chart(cls.plot)
        if len(study.names) < 3:
            report.skip(cls.axes, "不足 3 个指标，画不成雷达图")
            return
        for key, values in weights.items():
            for item, weight in zip(study.names, values, strict=True):
                report.row(cls.axes, item=item, weight=weight, method=METHODS[key])
        report.chart(cls.radar)

    @classmethod
    def _levels(cls, report: Report, study: Study, total: Floats) -> None:
        if not any(study.dimension):
            report.skip(cls.levels, "没有分维度：把指标按维度分框后才有")
            return
        for name in dict.fromkeys(study.dimension):
            mine = [j for j, other in enumerate(study.dimension) if other == name]
            share = float(total[mine].sum())
            for j in mine:
                inside = total[j] / share if abs(share) > 1e-12 else None
                report.row(
                    cls.levels, dimension=name or "未分维度", share=share, item=study.names[j], inside=inside,
                    weight=total[j],
                )  # fmt: skip
        report.note(cls.levels, "合成权重 = 维度权重 × 维度内权重。")

    @classmethod
    def _agreement(cls, report: Report, weights: dict[str, Floats]) -> tuple[float, str, str] | None:
        """The lowest ρ and its two methods."""
        keys, lowest = list(weights), None
        if len(keys) < 2 or len(weights[keys[0]]) < 3:
            report.skip(cls.agreement, "两种以上方法、3 个以上指标时才有")
            return None
        for i, a in enumerate(keys):
            for b in keys[:i]:
                pair = np.round(np.column_stack([weights[a], weights[b]]), 12).astype(float)
                rho = None if np.any(np.ptp(pair, axis=0) == 0) else float(formulas.correlations(pair, rank=True)[0, 1])
                report.row(cls.agreement, item=METHODS[a], against=METHODS[b], rho=rho)
                if rho is not None and (lowest is None or rho < lowest[0]):
                    lowest = (rho, METHODS[b], METHODS[a])
        return lowest


def _ranks(values: Floats) -> list[int]:
    rounded = np.round(values, 12)
    return [1 + int((rounded > value).sum()) for value in rounded]


def _study(form: Any) -> Study:
    columns = [column for block in form.items for column in block.columns]
    if not 2 <= len(columns) <= MOST:
        word = "至少需要 2 个指标，请增加指标" if len(columns) < 2 else f"最多 {MOST} 个指标，请分开计算"
        raise Refusal("role.few", "现有 {k} 个指标；" + word, field="items", k=len(columns))
    raw = np.column_stack([column.numbers for column in columns]).astype(float)
    for j, column in enumerate(columns):
        size = float(np.abs(raw[:, j]).max())
        if size > 1e100 or 0 < size < 1e-100:
            raise Refusal("data.magnitude", "指标“{v}”的数值过大或过小，请换一个单位", field="items", column=column.id,
                          v=column.title)  # fmt: skip
        if np.ptp(raw[:, j]) <= 1e-12 * size and not set(form.methods) <= set(BY_MEAN):
            text_ = "指标“{v}”没有变异，熵值/CRITIC 权重为 0，请剔除，或只用均值归一化和优序图"
            way = SetRemedy(title="只用均值归一化和优序图", set={"methods": list(BY_MEAN)})
            raise Refusal("data.constant", text_, field="items", column=column.id, remedies=[way], v=column.title)
    turned = {row.column.id for row in form.direction if row.negative}
    x = np.column_stack([
        raw[:, j].max() + raw[:, j].min() - raw[:, j] if column.id in turned else raw[:, j]
        for j, column in enumerate(columns)
    ])  # fmt: skip
    return Study(columns, raw, x, [block.name for block in form.items for _ in block.columns])


def _scaled(study: Study, how: str) -> Floats:
    x = study.x
    spread = np.where(np.ptp(x, axis=0) > 0, np.ptp(x, axis=0), 1.0)
    if how == "minmax":
        return np.asarray((x - x.min(axis=0)) / spread)
    if how == "zscore":
        sd = x.std(axis=0, ddof=1)
        return np.asarray((x - x.mean(axis=0)) / np.where(sd > 0, sd, 1.0))
    if how == "sum":
        _need(study, x.min(axis=0) >= 0, "比重法要求没有负数，请改用极差法", {"normalize": "minmax"}, "改用极差法")
        _need(study, x.sum(axis=0) > 0, "比重法要求合计大于 0，请改用极差法", {"normalize": "minmax"}, "改用极差法")
        return np.asarray(x / x.sum(axis=0))
    return x


def _need(study: Study, fine: Any, why: str, way: dict[str, Any] | None = None, title: str = "") -> None:
    if not np.all(fine):
        column = study.columns[int(np.argmin(fine))]
        remedies = [SetRemedy(title=title, set=way)] if way else []
        raise Refusal(
            "data.unfit", "指标“{v}”：" + why, field="items", column=column.id, remedies=remedies, v=column.title
        )


def _weights(key: str, study: Study, scaled: Floats, parts: dict[str, Floats]) -> Floats:
    """Weights that sum to 1; what they were computed from goes into `parts`."""
    match key:
        case "mean_share":
            _need(study, parts["mean"] > 0, "平均值不大于 0，不能作均值归一化，请去掉这种方法")
            size = parts["mean"]
        case "priority_chart":
            size = parts["ttl"] = formulas.beaten(parts["mean"]).sum(axis=1)
        case "entropy":
            _need(
                study,
                scaled.min(axis=0) >= 0,
                "熵值法要求非负数据，请先选择极差标准化",
                {"normalize": "minmax"},
                "改用极差法",
            )
            parts["entropy"], size = formulas.entropy_weights(scaled)
        case "critic":
            parts["conflict"], parts["information"], size = _critic(study, scaled)
        case "information":
            _need(study, study.raw.mean(axis=0) > 0, "平均值不大于 0，变异系数没有意义，请去掉信息量权重法")
            size = parts["cv"] = study.raw.std(axis=0, ddof=1) / study.raw.mean(axis=0)
        case "independence":
            parts["r"] = _multiple(study)
            size = 1 / np.maximum(parts["r"], HELD)
        case _:
            size = parts[key] = formulas.composite(formulas.correlations(study.x), None, key == "factor").coefficients
            if size.sum() <= 1e-9:
                text_ = "{m}的系数合计不大于 0，不能换成权重；请检查指标方向，或去掉这种方法"
                raise Refusal("data.negative", text_, field="methods", m=METHODS[key])
    return np.asarray(size / size.sum())


def _critic(study: Study, scaled: Floats) -> tuple[Floats, Floats, Floats]:
    contrast = scaled.std(axis=0, ddof=1)
    conflict = (1 - formulas.correlations(scaled)).sum(axis=1)
    if (contrast * conflict).sum() <= 1e-12 * contrast.sum():
        raise Refusal(
            "data.no_conflict", "指标之间完全正相关，CRITIC 权重不可定；请只留一个，或去掉 CRITIC 法", field="methods"
        )
    conflict, information, weights = formulas.critic_parts(scaled, contrast, "pearson")
    return np.maximum(conflict, 0.0), np.maximum(information, 0.0), np.maximum(weights, 0.0)


def _multiple(study: Study) -> Floats:
    n, m = study.x.shape
    if n <= m:
        text_ = "独立性权重法要求行数多于指标数：现有 {n} 行、{m} 个指标；请减少指标，或去掉这种方法"
        raise Refusal("data.few", text_, field="methods", n=n, m=m)
    r = formulas.correlations(study.x)
    double = formulas.repeated(r)
    if double is not None:
        text_ = "指标“{v}”可由其他指标算出，独立性权重法不能用；请剔除它，或去掉这种方法"
        column = study.columns[double]
        raise Refusal("data.collinear", text_, field="items", column=column.id, v=column.title)
    return formulas.multiple_correlations(formulas.inflation(r))


def _words(report: Report, study: Study, weights: dict[str, Floats], total: Floats) -> None:
    names, order = study.names, np.argsort(-np.round(total, 12), kind="stable")
    spans = np.round(np.ptp(np.stack(list(weights.values())), axis=0), 12)
    wide = int(np.argmax(spans))
    own = [values[wide] for values in weights.values()]
    facts: dict[str, Any] = {
        "m": len(names), "n": len(study.x), "first": names[order[0]], "high": total[order[0]],
        "last": names[order[-1]], "low": total[order[-1]],
    }  # fmt: skip
    if np.isclose(facts["high"], facts["low"], rtol=1e-9):
        lead = "{m:integer} 个指标的综合权重相同，各为 {high:percent}。"
    else:
        lead = "{m:integer} 个指标里，综合权重最大的是“{first}”（{high:percent}），最小的是“{last}”（{low:percent}）。"
    report.lead(lead, [figure("最大综合权重", "{high:percent}", "{first}")], **facts)
    if len(weights) > 1:
        text_ = "{k:integer} 种方法给“{wide}”的权重相差最大：从 {least:percent} 到 {most:percent}。"
        report.say(text_, k=len(weights), wide=names[wide], least=min(own), most=max(own))
    how = "、".join(METHODS[key] for key in weights)
    text_ = "采用{how}对 {n:integer} 份答卷的 {m:integer} 个指标赋权，"
    text_ += "取各方法的平均作为综合权重。" if len(weights) > 1 else "所得权重见表。"
    report.say(text_ + "权重最大的指标是“{first}”（{high:percent}）。", voice="paper", how=how, **facts)
    if not set(weights) <= set(BY_MEAN):
        text_ = "熵值、CRITIC、信息量等方法看答案的离散程度或相关。权重大，不说明受访者认为它重要。"
        report.say(text_, voice="student")
    if set(weights) & set(BY_MEAN):
        report.say("均值归一化和优序图看平均分：平均分高的指标权重大。题目问的是重要程度时才合适。", voice="student")


def _checks(
    report: Report, study: Study, weights: dict[str, Floats], parts: dict[str, Floats],
    lowest: tuple[float, str, str] | None,
) -> None:  # fmt: skip
    n, m = study.x.shape
    if n < 5 * m:
        report.check(
            "样本量", "care", "{n:integer} 行，{m:integer} 个指标，不到 5 倍：换一批人，权重可能变化很大。", n=n, m=m
        )
    else:
        report.check("样本量", "pass", "{n:integer} 行，{m:integer} 个指标，每个指标至少 5 行。", n=n, m=m)
    if lowest is not None:
        rho, a, b = lowest
        facts: dict[str, Any] = {"rho": rho, "a": a, "b": b}
        if rho < LOW_R:
            text_ = "{a}与{b}的权重次序差别大（*ρ* = {rho:num}）。换方法结论会变，请按研究目的选定方法，并写明理由。"
            report.check("方法一致性", "care", text_, **facts)
        else:
            report.check("方法一致性", "pass", "各方法的权重次序相近，最小的 *ρ* = {rho:num}（{a}与{b}）。", **facts)
    top = np.abs(study.raw).max(axis=0)
    if set(weights) & set(BY_MEAN):
        if top.max() > UNLIKE * max(float(top.min()), 1e-300):
            facts = {"a": study.names[int(top.argmax())], "b": study.names[int(top.argmin())]}
            text_ = "“{a}”与“{b}”的取值范围相差很大。均值归一化和优序图只能用于量程相同的题，请去掉这两种方法。"
            report.check("量程", "care", text_, **facts)
        else:
            report.check("量程", "pass", "各指标的取值范围相近，可以比较平均分。")
    for key, values in weights.items():
        if (values < 0).any():
            text_ = "{how}给“{v}”负的权重：它与多数指标方向相反，请核对方向，把它勾选为负向指标。"
            report.warn("data.negative", text_, how=METHODS[key], v=study.names[int(values.argmin())])
    if "r" in parts and parts["r"].min() < HELD:
        text_ = "“{v}”与其他指标几乎不相关（*R* = {r:num}），1/*R* 会过大，已按 0.05 计算。"
        report.warn("data.independent", text_, v=study.names[int(parts["r"].argmin())], r=float(parts["r"].min()))
