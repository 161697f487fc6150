"""Customer satisfaction: how many are satisfied, with what, what matters, and what to improve first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Chart,
    Column,
    Form,
    NextStep,
    Points,
    Reference,
    Refusal,
    Report,
    SetRemedy,
    Silent,
    Table,
    Visualization,
    Wide,
    choice,
    confidence,
    figure,
    filled,
    integer,
    interval,
    num,
    number,
    percent,
    pvalue,
    role,
    text,
)
from hengxi.stats.importance import MOST_LMG, betas, lmg, relative_weights
from hengxi.stats.moments import Floats
from hengxi.stats.multiple import adjust
from hengxi.stats.names import level_words, titles, unique
from hengxi.stats.proportions import wilson

SOURCES = {
    "auto": "自动（有重要度题用题项，否则用相关）", "stated": "直接评价", "correlation": "与总体满意度的相关",
    "regression": "标准化回归系数", "relative": "相对重要性（LMG）",
}  # fmt: skip
TOPS = {"top2": "最高两级", "top1": "最高一级", "above_mid": "高于中点"}
CUTS = {"mean": "均值", "median": "中位数", "midpoint": "量表中点"}
AREAS = {(True, True): "优势区", (True, False): "改进区", (False, False): "机会区", (False, True): "维持区"}
"""(important, satisfied)."""
GROUPED: dict[str, Any] = {"group": filled}
ALPHA, MUCH = 0.05, 5.0


@dataclass(frozen=True)
class Importance:
    """Of each item; `p` where its source has one; `weights` sum to 1."""

    source: str
    values: Floats
    p: list[float | None]
    most_vif: float | None = None

    @property
    def weights(self) -> Floats:
        held = np.maximum(self.values, 0.0)
        return held / held.sum() if held.sum() > 0 else np.full(held.size, 1 / held.size)


class CustomerSatisfactionAnalysis(Visualization):
    title, title_en = "客户满意度分析", "Customer satisfaction analysis"
    family, tier = "可视化模型", "member"
    slug = "customer-satisfaction-analysis"
    purpose = "客户整体和各指标满意多少，先改进哪些指标"
    aliases = ("满意度", "CSI", "IPA", "四象限", "满意率", "重要度", "NPS")
    references = ("martilla1977", "lindeman1980", "johnson2000", "reichheld2003", "wilson1927", "holm1979")
    conventions = (
        "百分制 = (均值 − 量表最小值)/(最大值 − 最小值) × 100。满意率的 CI 用 Wilson 法。",
        "权重 = 重要度/合计，负的重要度按 0 计；没有重要度时各指标等权。",
        "CSI 是每人的百分制按权重加权后的平均，用各题都答了的人；区间为 t 区间，不含权重的不确定性。",
        "推导的重要度用各题与总体满意度都答了的人：Pearson 相关、标准化回归系数或 LMG（R² 的分解）；"
        "LMG 多于 15 题时改用相对权重（Johnson，2000）。",
        "象限以界线为准，恰在线上的算高的一侧；重要度不是直接评价时，“量表中点”对它用均值。",
        "改进次序：改进区内按 权重 × (100 − 百分制) 从大到小，其余在后。",
        "NPS = 9–10 分的比例 − 0–6 分的比例，区间为 Wald 法。",
        "组间：两组用 Welch t 检验和 Cohen d，多组用单因素方差分析和 η²；p 按 Holm 法校正。",
    )
    missing = "keep"

    class Input(Form):
        items: list[Column] = role("满意度题项（量表）", "定量", min=1, max=50)
        importance: list[Column] = role("重要度题项（选填）", "定量", min=0, max=50, hint="与满意度题项顺序对应")
        overall: Column | None = role("总体满意度（选填）", "定量", min=0)
        nps: Column | None = role("推荐意愿 0–10（选填）", "定量", min=0)
        group: Column | None = role("分组变量（选填）", "定类", min=0, levels=(2, 12))
        scale_min: float = number("量表最小值", 1)
        scale_max: float = number("量表最大值", 5)
        top_box: str = choice("满意的定义", TOPS)
        importance_source: str = choice("重要度来源", SOURCES)
        quadrant_cut: str = choice("象限分界", CUTS)
        conf_level: float = confidence()

    spots = Points("象限", name=text("指标"), satisfaction=num("满意度"), importance=num("重要度"))
    ipa = Chart("重要度—满意度四象限", "point", of=spots, x="satisfaction", y="importance", label="name", place="main")
    quadrants = Table(
        "四象限与改进次序", order=integer("次序"), name=text("指标"), importance=num("重要度"),
        satisfaction=num("满意度"), area=text("象限"), loss=num("改进空间", least=0), place="main",
    )  # fmt: skip
    result = Table(
        "满意度", name=text("指标"), n=integer("*n*"), mean=num("均值"), sd=num("标准差", least=0),
        satisfied=percent("满意率"), ci=interval("满意率的CI", "low", "high", around="satisfied", format="percent"),
        dissatisfied=percent("不满意率"), score=num("百分制", least=0, most=100, decimals=1), rank=integer("排名"),
        place="main",
    )  # fmt: skip
    weighing = Table(
        "重要度", name=text("指标"), importance=num("重要度"), weight=percent("权重"), source=text("来源"), p=pvalue(),
        claim=Silent("the p of a weight is no finding of its own"),
    )  # fmt: skip
    index = Table(
        "总体", measure=text("指标"), n=integer("*n*"), value=num("值"),
        ci=interval("CI", "low", "high", around="value"), place="main",
    )  # fmt: skip
    promoters = Table(
        "推荐意愿", layout="record", n=integer("*n*"), promoters=percent("推荐者（9–10）"),
        passives=percent("中立者（7–8）"), detractors=percent("贬损者（0–6）"),
        nps=num("NPS", least=-100, most=100, decimals=1),
        ci=interval("NPS 的CI", "low", "high", inside=False), when={"nps": filled}, place="main",
    )  # fmt: skip
    shares = Points("满意率", name=text("指标"), kind=text("类"), share=percent("比例"))
    stacked = Chart("满意率构成", "bar", of=shares, x="name", y="share", series="kind", arrange="stacked")
    radars = Points("雷达", name=text("指标"), group=text("组"), score=num("百分制"))
    radar = Chart("各指标的百分制", "radar", of=radars, axis="name", value="score", group="group")
    groups = Table(
        "分组比较", name=text("指标"), layout=Wide(mean=num("均值"), n=integer("*n*")), kind=text("统计量"),
        value=num("值"), df1=num("*df*₁"), df2=num("*df*₂"), p=pvalue("*p*（Holm）"), effect=num("效应量"),
        when=GROUPED, claim=Silent("many items at once: the sentences name those that differ"),
    )  # fmt: skip

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        return [NextStep(title="题项是否可靠", method="descriptive/reliability", form={"items": form["items"]})]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        names = unique(list(titles(form.items).values()))
        x = np.column_stack([_scaled(form, column, "items") for column in form.items])
        weighed = _importance(form, x, names)
        scores = cls._satisfaction(report, form, names, x)
        cls._weights(report, names, weighed)
        facts = cls._index(report, form, x, weighed)
        first = cls._quadrants(report, form, names, x, weighed, scores)
        if form.nps is not None:
            facts |= cls._promoters(report, form)
        cls._draw(report, form, names, x, scores)
        differing = cls._groups(report, form, names, x, weighed) if form.group is not None else None
        cls._words(report, names, scores, facts, first, differing)
        if weighed.most_vif is not None and weighed.source == "标准化回归系数":
            much = weighed.most_vif > MUCH
            report.check(
                "共线性", "care" if much else "pass",
                "最大 VIF 为 {vif:num}"
                + ("，题项高度相关，回归系数不稳定，建议改用相对重要性。" if much else "，不超过 5。"),
                vif=weighed.most_vif,
            )  # fmt: skip
        report.used(int((~np.isnan(x)).any(axis=1).sum()))
        return report

    @classmethod
    def _satisfaction(cls, report: Report, form: Any, names: list[str], x: Floats) -> Floats:
        means = np.nanmean(x, axis=0)
        scores = 100 * (means - form.scale_min) / (form.scale_max - form.scale_min)
        for j, name in enumerate(names):
            own = x[~np.isnan(x[:, j]), j]
            good, bad = _satisfied(form, own), _dissatisfied(form, own)
            low, high = wilson(float(good.sum()), float(own.size), form.conf_level)
            report.row(
                cls.result, name=name, n=own.size, mean=means[j], sd=float(own.std(ddof=1)) if own.size > 1 else None,
                satisfied=good.mean(), low=low, high=high, dissatisfied=bad.mean(), score=scores[j],
                rank=1 + int((means > means[j] + 1e-12).sum()),
            )  # fmt: skip
            for kind, share in (("满意", good.mean()), ("一般", 1 - good.mean() - bad.mean()), ("不满意", bad.mean())):
                report.row(cls.shares, name=name, kind=kind, share=max(0.0, float(share)))
        report.note(
            cls.result, "满意为{top:text}，不满意对称地取最低的几级。CI 的置信水平为 {level:percent}。",
            top=TOPS[form.top_box], level=form.conf_level,
        )  # fmt: skip
        return np.asarray(scores)

    @classmethod
    def _weights(cls, report: Report, names: list[str], weighed: Importance) -> None:
        for name, value, weight, p in zip(names, weighed.values, weighed.weights, weighed.p, strict=True):
            report.row(cls.weighing, name=name, importance=value, weight=weight, source=weighed.source, p=p)
        if (weighed.values < 0).any():
            report.note(cls.weighing, "负的重要度按 0 计算权重：它与总体满意度反向，请核对题项是否反向计分。")

    @classmethod
    def _index(cls, report: Report, form: Any, x: Floats, weighed: Importance) -> dict[str, Any]:
        persons = _index_of(form, x, weighed)
        facts: dict[str, Any] = {}
        for measure, key, values in (
            ("客户满意度指数 CSI", "csi", persons),
            ("总体满意度均值", "overall", None if form.overall is None else _known(form.overall)),
        ):
            if values is None:
                continue
            if not values.size:
                report.note(cls.index, "没有人答全各题，CSI 算不出来。")
                continue
            low, high = _t_bounds(values, form.conf_level)
            report.row(cls.index, measure=measure, n=values.size, value=values.mean(), low=low, high=high)
            facts[key] = float(values.mean())
        if not facts:
            report.skip(cls.index, "没有人答全各题")
        return facts

    @classmethod
    def _quadrants(
        cls, report: Report, form: Any, names: list[str], x: Floats, weighed: Importance, scores: Floats
    ) -> list[str]:
        """Names of the items to be improved, first first."""
        means = np.nanmean(x, axis=0)
        middle = (form.scale_min + form.scale_max) / 2
        stated = weighed.source == "直接评价"
        cut_x = {"mean": means.mean(), "median": np.median(means), "midpoint": middle}[form.quadrant_cut]
        values = weighed.values
        cut_y = {"mean": values.mean(), "median": np.median(values), "midpoint": middle if stated else values.mean()}[
            form.quadrant_cut
        ]
        areas = [AREAS[bool(v >= cut_y - 1e-12), bool(m >= cut_x - 1e-12)] for v, m in zip(values, means, strict=True)]
        loss = weighed.weights * (100 - scores)
        order = sorted(range(len(names)), key=lambda j: (areas[j] != "改进区", -loss[j], j))
        for place, j in enumerate(order, 1):
            report.row(
                cls.quadrants, order=place, name=names[j], importance=values[j], satisfaction=means[j], area=areas[j],
                loss=loss[j],
            )  # fmt: skip
            report.row(cls.spots, name=names[j], satisfaction=means[j], importance=values[j])
        report.chart(
            cls.ipa, over=[Reference(x=float(cut_x)), Reference(y=float(cut_y))],
            titles={"x": "满意度", "y": f"重要度（{weighed.source}）"},
        )  # fmt: skip
        report.note(cls.ipa, "左上改进区，右上优势区，左下机会区，右下维持区。")
        report.note(cls.quadrants, "改进空间 = 权重 × (100 − 百分制)。")
        return [names[j] for j in order if areas[j] == "改进区"]

    @classmethod
    def _promoters(cls, report: Report, form: Any) -> dict[str, Any]:
        values = form.nps.numbers
        known = values[~np.isnan(values)]
        odd = known[~np.isin(known, np.arange(11))]
        if odd.size:
            raise Refusal(
                "data.nps", "推荐意愿“{v}”必须是 0 到 10 的整数，现有“{x}”", field="nps", column=form.nps.id,
                v=form.nps.title, x=f"{odd[0]:.10g}",
            )  # fmt: skip
        up, down = float((known >= 9).mean()), float((known <= 6).mean())
        se = float(np.sqrt(max(0.0, up + down - (up - down) ** 2) / known.size))
        reach = float(stats.norm.isf((1 - form.conf_level) / 2)) * se
        report.row(
            cls.promoters, n=known.size, promoters=up, passives=1 - up - down, detractors=down, nps=100 * (up - down),
            low=100 * max(-1.0, up - down - reach), high=100 * min(1.0, up - down + reach),
        )  # fmt: skip
        return {"nps": 100 * (up - down)}

    @classmethod
    def _draw(cls, report: Report, form: Any, names: list[str], x: Floats, scores: Floats) -> None:
        whole = [("全部", scores)]
        if form.group is not None:
            for level, label in zip(form.group.levels, level_words(form.group.levels), strict=True):
                own = x[form.group.where(level)]
                known = (~np.isnan(own)).any(axis=0)
                means = np.full(len(names), np.nan)
                means[known] = np.nanmean(own[:, known], axis=0)
                whole.append((label, 100 * (means - form.scale_min) / (form.scale_max - form.scale_min)))
        if len(names) < 3:
            report.skip(cls.radars, "少于 3 个指标不画雷达图")
            return
        for label, values in whole:
            for name, score in zip(names, values, strict=True):
                if not np.isnan(score):
                    report.row(cls.radars, name=name, group=label, score=float(score))

    @classmethod
    def _groups(
        cls, report: Report, form: Any, names: list[str], x: Floats, weighed: Importance
    ) -> list[tuple[str, str]]:
        """(item, the group that is most satisfied) of those that differ after correction."""
        held = list(zip(form.group.levels, level_words(form.group.levels), strict=True))
        rows: list[dict[str, Any]] = []
        whole = _person_index(form, x, weighed)
        for name, values in [*zip(names, x.T, strict=True), ("CSI", whole)]:
            samples = []
            for level, label in held:
                own = values[form.group.where(level)]
                samples.append((level, label, own[~np.isnan(own)]))
            wide = {level: {"mean": own.mean(), "n": own.size} for level, _, own in samples if own.size}
            rows.append({"name": name, "wide": wide} | _compared([(label, own) for _, label, own in samples]))
        tested = [row for row in rows if row.get("p") is not None]
        for row, p in zip(tested, adjust([row["p"] for row in tested], "holm"), strict=True):
            row["p"] = p
        for row in rows:
            report.row(cls.groups, **{key: value for key, value in row.items() if key != "best"})
        report.note(cls.groups, "效应量：两组为 Cohen *d*，多组为 *η*²。*p* 在各指标间按 Holm 法校正。")
        return [(row["name"], row["best"]) for row in tested if row["p"] < ALPHA]

    @classmethod
    def _words(
        cls, report: Report, names: list[str], scores: Floats, facts: dict[str, Any], first: list[str],
        differing: list[tuple[str, str]] | None,
    ) -> None:  # fmt: skip
        best, worst = int(np.argmax(scores)), int(np.argmin(scores))
        parts: dict[str, Any] = {"best": names[best], "bs": float(scores[best])}
        main = ""
        if "csi" in facts:
            parts["csi"] = facts["csi"]
            main = "客户满意度指数为 {csi:num}（百分制）。"
        if len(names) > 1:
            parts |= {"worst": names[worst], "ws": float(scores[worst])}
            main += "最满意的是“{best:text}”（{bs:num}），最不满意的是“{worst:text}”（{ws:num}）。"
        else:
            main += "“{best:text}”的百分制为 {bs:num}。"
        if first:
            parts["first"] = "”“".join(first[:3])
            main += "应先改进“{first:text}”。"
        numbers = [figure("指标", f"{len(names)} 个")]
        if "csi" in facts:
            numbers.insert(0, figure("CSI", "{csi:num}"))
        if "nps" in facts:
            parts["nps"] = facts["nps"]
            main += "净推荐值为 {nps:num}。"
        report.lead(main, numbers, **parts)
        report.say(
            "改进区是重要但满意度较低的指标，改进它们最划算。象限是各指标之间相比的，不等于绝对地好或差。",
            voice="student",
        )
        report.say(main, voice="paper", **parts)
        report.say(main, voice="brief", **parts)
        if differing:
            told = "、".join(f"“{name}”（{group}最高）" for name, group in differing[:5])
            report.say(
                "各组满意度不同的有 {k:integer} 项（Holm 校正后 *p* < .05）：{told:text}。", k=len(differing), told=told
            )
        elif differing is not None:
            report.say("没有发现各组满意度不同的指标（Holm 校正后 *p* 均不小于 .05，或不能检验）。")


# ---- reading -------------------------------------------------------------------------------------------------------
def _scaled(form: Any, column: Column, field: str) -> Floats:
    """The answers of a scale; refused where a value lies beyond it."""
    if not form.scale_min < form.scale_max:
        raise Refusal("data.scale", "量表最小值要小于最大值", field="scale_min", also=["scale_max"])
    values: Floats = column.numbers
    odd = values[(values < form.scale_min) | (values > form.scale_max)]
    if odd.size:
        raise Refusal(
            "data.scale", "“{v}”含超出 {a}—{b} 的值“{x}”，请核对数据或量表两端", field=field,
            also=["scale_min", "scale_max"], column=column.id, v=column.title, a=f"{form.scale_min:g}",
            b=f"{form.scale_max:g}", x=f"{odd[0]:.10g}",
        )  # fmt: skip
    return values


def _satisfied(form: Any, x: Floats) -> Any:
    top = {"top1": form.scale_max, "top2": form.scale_max - 1}
    middle = (form.scale_min + form.scale_max) / 2
    return x > middle if form.top_box == "above_mid" else x >= top[form.top_box]


def _dissatisfied(form: Any, x: Floats) -> Any:
    low = {"top1": form.scale_min, "top2": form.scale_min + 1}
    middle = (form.scale_min + form.scale_max) / 2
    return x < middle if form.top_box == "above_mid" else (x <= low[form.top_box]) & ~_satisfied(form, x)


def _importance(form: Any, x: Floats, names: list[str]) -> Importance:
    source = form.importance_source
    if source == "auto":
        source = "stated" if form.importance else "correlation" if form.overall is not None else "equal"
    if source == "equal":
        return Importance("等权", np.full(len(names), 1 / len(names)), [None] * len(names))
    if source == "stated":
        return _stated(form)
    if form.overall is None:
        raise Refusal(
            "role.required", "由相关或回归推导重要度需要放入总体满意度", field="overall", also=["importance_source"],
            remedies=[SetRemedy(title="改为自动", set={"importance_source": "auto"})],
        )  # fmt: skip
    y = _scaled(form, form.overall, "overall")
    rows = ~np.isnan(x).any(axis=1) & ~np.isnan(y)
    return _derived(form, source, np.column_stack([x, y])[rows])


def _stated(form: Any) -> Importance:
    if len(form.importance) != len(form.items):
        raise Refusal(
            "matched.incomplete", "重要度题项与满意度题项必须一一对应（当前 {a} 对 {b}）", field="importance",
            also=["items"], a=len(form.importance), b=len(form.items),
        )  # fmt: skip
    values = [float(np.nanmean(_scaled(form, column, "importance"))) for column in form.importance]
    return Importance("直接评价", np.array(values), [None] * len(values))


def _derived(form: Any, source: str, data: Floats) -> Importance:
    n, k = data.shape[0], data.shape[1] - 1
    if n <= k + 1 or n < 4:
        raise Refusal(
            "data.few", "各题与总体满意度都答了的只有 {n} 人，不足以由 {k} 个题项推导重要度", field="items",
            also=["overall"], n=n, k=k,
        )  # fmt: skip
    for column, own in zip([*form.items, form.overall], data.T, strict=True):
        if own.min() == own.max():
            raise Refusal(
                "role.constant", "“{v}”在都答了的人中只有一个取值，不能推导重要度，请移去", field="items",
                column=column.id, v=column.title,
            )  # fmt: skip
    r = np.atleast_2d(np.corrcoef(data, rowvar=False))
    if source == "correlation":
        values = r[:-1, -1]
        with np.errstate(divide="ignore"):
            t = values * np.sqrt((n - 2) / np.maximum(1 - values**2, 0))
        return Importance("与总体满意度的相关", values, [float(p) for p in 2 * stats.t.sf(np.abs(t), n - 2)])
    if np.linalg.eigvalsh(r[:-1, :-1])[0] < 1e-9:
        raise Refusal(
            "data.collinear", "满意度题项之间完全共线，不能用回归推导重要度，请删去说同一件事的题，或改用相关",
            field="items", also=["importance_source"],
            remedies=[SetRemedy(title="改用相关", set={"importance_source": "correlation"})],
        )  # fmt: skip
    if source == "relative":
        weights = lmg(r[None]) if k <= MOST_LMG else relative_weights(r[None])
        name = "相对重要性（LMG）" if k <= MOST_LMG else "相对权重"
        return Importance(name, weights[0], [None] * k)
    beta = betas(r[None])[0]
    inverse = np.linalg.inv(r[:-1, :-1])
    df = n - k - 1
    r2 = float(beta @ r[:-1, -1])
    se = np.sqrt(np.diag(inverse) * max(1 - r2, 0.0) / df)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * stats.t.sf(np.abs(beta / se), df)
    vif = float(np.diag(inverse).max())
    return Importance("标准化回归系数", beta, [float(own) for own in p], vif if k > 1 else None)


# ---- numbers -------------------------------------------------------------------------------------------------------
def _known(column: Column) -> Floats:
    values: Floats = column.numbers
    return values[~np.isnan(values)]


def _person_index(form: Any, x: Floats, weighed: Importance) -> Floats:
    """Weighted score of each person in percent; NaN where an item is missing."""
    return np.asarray(100 * ((x - form.scale_min) / (form.scale_max - form.scale_min)) @ weighed.weights)


def _index_of(form: Any, x: Floats, weighed: Importance) -> Floats:
    scores = _person_index(form, x, weighed)
    return scores[~np.isnan(scores)]


def _t_bounds(values: Floats, level: float) -> tuple[float | None, float | None]:
    if values.size < 2:
        return None, None
    half = float(stats.t.isf((1 - level) / 2, values.size - 1)) * float(values.std(ddof=1)) / np.sqrt(values.size)
    return float(values.mean() - half), float(values.mean() + half)


def _compared(samples: list[tuple[str, Floats]]) -> dict[str, Any]:
    """Welch's t of two groups, F of more; nothing where a group is too small or nobody differs within the groups."""
    held = [(label, own) for label, own in samples if own.size > 1]
    if len(held) < 2 or all(np.ptp(own) == 0 for _, own in held):
        return {"p": None}
    best = max(held, key=lambda pair: pair[1].mean())[0]
    arrays = [own for _, own in held]
    if len(arrays) == 2:
        a, b = arrays
        parts = a.var(ddof=1) / a.size, b.var(ddof=1) / b.size
        t = float((a.mean() - b.mean()) / np.sqrt(sum(parts)))
        df = float(sum(parts) ** 2 / (parts[0] ** 2 / (a.size - 1) + parts[1] ** 2 / (b.size - 1)))
        pooled = np.sqrt(((a.size - 1) * a.var(ddof=1) + (b.size - 1) * b.var(ddof=1)) / (a.size + b.size - 2))
        p = float(2 * stats.t.sf(abs(t), df))
        return {
            "kind": "t",
            "value": t,
            "df1": df,
            "p": p,
            "effect": float((a.mean() - b.mean()) / pooled),
            "best": best,
        }
    whole = np.concatenate(arrays)
    between = sum(own.size * (own.mean() - whole.mean()) ** 2 for own in arrays)
    within = sum(((own - own.mean()) ** 2).sum() for own in arrays)
    df1, df2 = len(arrays) - 1, whole.size - len(arrays)
    value = float(between / df1 / (within / df2))
    return {
        "kind": "F", "value": value, "df1": df1, "df2": df2, "p": float(stats.f.sf(value, df1, df2)),
        "effect": float(between / (between + within)), "best": best,
    }  # fmt: skip
