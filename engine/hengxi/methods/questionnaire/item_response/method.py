from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Form,
    Matrix,
    Method,
    MethodRemedy,
    NewColumns,
    NextStep,
    Points,
    Refusal,
    Report,
    SetRemedy,
    Silent,
    Table,
    choice,
    claim,
    counted,
    figure,
    flag,
    integer,
    interval,
    more,
    num,
    percent,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.stats import item_models as irt
from hengxi.stats.frequencies import frequencies
from hengxi.stats.item_models import Fit, Item, Patterns
from hengxi.stats.moments import Floats
from hengxi.stats.names import titles

MODELS = {
    "auto": "自动（0/1 题用 2PL，等级题用 GRM）", "rasch": "Rasch（a = 1）", "1pl": "1PL（a 相等）", "2pl": "2PL",
    "3pl": "3PL（含猜测）",
    "grm": "等级反应 GRM", "pcm": "部分计分 PCM", "gpcm": "广义部分计分 GPCM",
}  # fmt: skip
SHORT = {"rasch": "Rasch", "1pl": "1PL", "2pl": "2PL", "3pl": "3PL", "grm": "GRM", "pcm": "PCM", "gpcm": "GPCM"}
MOST_LEVELS, MOST_ITEMS, SHOWN, CURVES = 10, 80, 300, 16
GRID = np.linspace(-4, 4, 33)


class ItemResponse(Method):
    """Marginal maximum likelihood with a standard normal ability."""

    title, title_en = "项目反应理论IRT", "Item response theory (1PL/2PL/3PL, GRM, GPCM)"
    slug = "item-response-theory"
    family, tier = "问卷研究", "member"
    purpose = "每道题的难度和区分度是多少，被试的潜在能力如何，量表在哪一段测得最准"
    aliases = (
        "IRT",
        "2PL",
        "3PL",
        "GRM",
        "GPCM",
        "PCM",
        "难度",
        "区分度",
        "猜测度",
        "能力值",
        "项目特征曲线",
        "信息函数",
    )
    references = ("bock1981", "birnbaum1968", "samejima1969", "muraki1992", "masters1982", "orlando2000",
    "maydeu2006", "yen1984",
                  "bock1970")  # fmt: skip
    conventions = (
        "边际最大似然，能力为标准正态，在 −6 到 6 的等距节点上积分；不乘 1.7。",
        "标准误用观测信息；b = −d/a 的标准误用 delta 法；区间为估计值 ± 1.96 × 标准误，猜测 c 的区间在 logit 上计算。",
        "1PL 各题 a 相等并估计；Rasch 与 1PL 拟合相同，只把单位换成 logit（a = 1，能力的标准差为 1PL 的 a）；"
        "PCM 同样各题 a 相等。",
        "GRM 的 b_k 是得 k 及以上的概率为 0.5 的能力；PCM、GPCM 的 b_k 是相邻两级概率相等的能力。",
        "空着的题不参加计算，该人的其他题仍用。",
        "S-χ²（Orlando 与 Thissen，2000）只用于 0/1 题和答完的人，相邻总分合并到期望频数不小于 1；M₂ 同样。",
        "infit、outfit 在 EAP 能力处计算；Q3 为残差相关；经验信度 = 能力方差 /（能力方差 + 平均的误差方差）。",
    )
    weights = ("frequency",)
    missing = "keep"

    class Input(Form):
        items: list[Column] = role("题项（0/1 或等级）", "定量", min=3, max=MOST_ITEMS)
        weight: Column | None = counted()
        model: str = choice("模型", MODELS)
        quad_points: int = integer("积分节点", 41, least=15, most=121, advanced=True)
        score: str = choice("能力估计", {"eap": "EAP（后验平均）", "map": "MAP（后验众数）", "ml": "ML（最大似然）"})
        save_theta: bool = flag("保存能力值", False)

    parameters = Table(
        "题项参数", item=text("题项"), parameter=text("参数"), value=num("估计", decimals=3), se=num("标准误",
        least=0, decimals=3),
        ci=interval("95%CI", "low", "high", around="value", inside=False), merge=("item",), place="main",
    )  # fmt: skip
    model_fit = Table(
        "模型", model=text("模型"), n=integer("样本量"), k=integer("参数个数"), loglik=num("LogLik"), aic=num("AIC"),
        bic=num("BIC"),
        m2=num("M₂", least=0), df=integer("*df*"), p=pvalue(), rmsea=num("RMSEA₂", least=0, decimals=3),
        cfi=num("CFI", decimals=3),
        reliability=num("经验信度", decimals=3), layout="record", place="main", claim=claim("named", stat("M₂", "m2",
        "df")),
    )  # fmt: skip
    item_fit = Table(
        "题项拟合", item=text("题项"), chi2=num("S-χ²", least=0), df=integer("*df*"), p=pvalue(), rmsea=num("RMSEA",
        least=0, decimals=3),
        infit=num("infit", least=0), outfit=num("outfit", least=0), place="main",
        claim=Silent("a search for items that do not fit, read together"),
    )  # fmt: skip
    abilities = Table(
        "能力", pattern=text("回答"), n=integer("人数"), theta=num("θ", decimals=3), se=num("标准误", least=0,
        decimals=3),
        percentile=percent("百分位"),
    )  # fmt: skip
    q3 = Table("局部独立性（Q3）", layout=Matrix(q3=num("Q3", decimals=3), show="lower"))
    curve_points = Points("项目特征曲线", item=text("题项"), theta=num("θ"), p=num("概率或期望得分"))
    curves = Chart("项目特征曲线", "line", of=curve_points, x="theta", y="p", series="item", place="main")
    info_points = Points("项目信息函数", item=text("题项"), theta=num("θ"), info=num("信息"))
    infos = Chart("项目信息函数", "line", of=info_points, x="theta", y="info", series="item")
    test_points = Points("测验信息与标准误", theta=num("θ"), value=num("值"), series=text("线"))
    test = Chart("测验信息与标准误", "line", of=test_points, x="theta", y="value", series="series", place="main")
    wright_points = Points("人与题的分布", theta=text("θ"), share=percent("占比"), side=text("人或题"))
    wright = Chart("人与题的分布（怀特图）", "bar", of=wright_points, x="theta", y="share", series="side")
    saved = NewColumns("能力值与标准误", when={"save_theta": True})

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{len(form.items)} 题的项目反应分析"

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        return 0.3 + columns**2 * rows * 6e-6

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        start = {"items": form["items"], "weight": form.get("weight")}
        return [
            NextStep(title="看信度", method="descriptive/reliability", form=start),
            NextStep(title="看是否只有一个维度（因子分析）", method="statistical/factor_analysis", form=start),
        ]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        names, data, rows = _data(report, form)
        kind = _kind(form, data)
        try:
            found = irt.fit(kind, data, form.quad_points)
        except (irt.Unconverged, np.linalg.LinAlgError):
            raise Refusal(
                "data.unconverged",
                "{model} 没有得到稳定的估计：题目太少、样本太小，或有题与其他题几乎没有关系；请换一个参数少的模型，"
                "或移去这样的题",
                field="model", model=SHORT[kind],
                remedies=[SetRemedy(title="改用 1PL", set={"model": "1pl"})] if kind in ("2pl", "3pl") else [
                    SetRemedy(title="改用 PCM", set={"model": "pcm"})] if kind in ("grm", "gpcm") else [
                    MethodRemedy(title="先做因子分析", method="statistical/factor_analysis", carry=["items"])],
            ) from None  # fmt: skip
        cls._parameters(report, names, found)
        theta, se = _abilities(found, form.score)
        reliability = cls._people(report, found, theta, se)
        cls._fit(report, names, found, reliability)
        cls._curves(report, names, found, theta)
        if form.save_theta:
            whole = np.full((2, len(form.items[0])), np.nan)
            whole[:, rows] = np.vstack((theta, se))[:, data.place]
            report.columns(cls.saved, {"能力值": whole[0], "能力值标准误": whole[1]})
        _words(report, cls, names, found, form)
        _checks(report, names, found)
        return report

    @classmethod
    def _parameters(cls, report: Report, names: list[str], found: Fit) -> None:
        for name, item, own in zip(names, found.items, found.layout.places, strict=True):
            v = found.v[np.ix_(own, own)]
            for words, value, se, low, high in _lines(found.kind, item, v):
                report.row(cls.parameters, item=name, parameter=words, value=value, se=se, low=low, high=high)
        if found.kind == "rasch":
            report.note(cls.parameters, "能力的标准差为 {sd:num3}（logit）。", sd=found.items[0].a)
        if found.at_bound:
            report.warn(
                "model.bound", "猜测参数到了边界，没有标准误：{which}。这些题的数据不足以估计猜测，可改用 2PL。",
                which="".join(f"“{names[i]}”" for i in found.at_bound[:8]),
            )  # fmt: skip

    @classmethod
    def _people(cls, report: Report, found: Fit, theta: Floats, se: Floats) -> float | None:
        data = found.data
        known = ~np.isnan(theta)
        order = np.argsort(np.where(known, theta, np.inf), kind="stable")
        below = np.cumsum(data.counts[order]) - data.counts[order] / 2
        place = {int(i): float(below[k] / data.n) for k, i in enumerate(order)}
        for i in order[:SHOWN]:
            words = " ".join("·" if code < 0 else str(code) for code in data.codes[i])
            report.row(
                cls.abilities, pattern=words, n=round(float(data.counts[i])), theta=float(theta[i]) if known[i]
                else None,
                se=float(se[i]) if known[i] and not np.isnan(se[i]) else None, percentile=place[int(i)] if known[i]
                else None,
            )  # fmt: skip
        if len(order) > SHOWN:
            report.note(cls.abilities, "只列出能力最低的 300 种回答；全部能力值可保存为新变量。")
        if not known.all():
            report.note(cls.abilities, "全部答对或全部答错的人没有 ML 估计。")
        w, good = data.counts, known & ~np.isnan(se)
        if good.sum() < 2:
            return None
        mean = float(w[good] @ theta[good] / w[good].sum())
        spread = float(w[good] @ (theta[good] - mean) ** 2 / w[good].sum())
        return spread / (spread + float(w[good] @ se[good] ** 2 / w[good].sum()))

    @classmethod
    def _fit(cls, report: Report, names: list[str], found: Fit, reliability: float | None) -> None:
        n, k = found.data.n, found.k
        whole = irt.whole_fit(found) if found.kind in irt.BINARY and len(names) <= 30 else None
        cells: dict[str, Any] = {}
        if whole is not None:
            cells = {"m2": whole.m2, "df": whole.df, "p": float(stats.chi2.sf(whole.m2, whole.df)),
            "rmsea": whole.rmsea,
                     "cfi": whole.cfi}  # fmt: skip
        report.row(
            cls.model_fit, model=SHORT[found.kind], n=round(n), k=k, loglik=found.loglik, aic=-2 * found.loglik
            + 2 * k,
            bic=-2 * found.loglik + k * float(np.log(n)), reliability=reliability, **cells,
        )  # fmt: skip
        if whole is None:
            report.note(cls.model_fit, "没有 M₂：只对不超过 30 道的 0/1 题计算，且要有自由度。")
        for j, name in enumerate(names):
            one = irt.item_fit(found, j) if found.kind in irt.BINARY else None
            infit, outfit = irt.mean_squares(found, j)
            row: dict[str, Any] = {}
            if one is not None:
                row = {"chi2": one.chi2, "df": one.df, "p": float(stats.chi2.sf(one.chi2, one.df)), "rmsea": one.rmsea}
            report.row(cls.item_fit, item=name, infit=infit, outfit=outfit, **row)
        report.note(
            cls.item_fit, "S-χ² 的 *p* 很小说明该题的曲线与数据不符；infit、outfit 在 0.7 到 1.3 之间通常可以接受。"
        )
        if len(names) > 40:
            report.skip(cls.q3, "题项超过 40 个")
            return
        r = irt.residual_correlations(found)
        for i, name in enumerate(names):
            for j in range(i):
                if not np.isnan(r[i, j]):
                    report.row(cls.q3, item=name, against=names[j], q3=float(r[i, j]))
        report.note(cls.q3, "Q3 大于 0.2 的两题可能彼此提示或内容重复；题目少时 Q3 本来偏负。")

    @classmethod
    def _curves(cls, report: Report, names: list[str], found: Fit, theta: Floats) -> None:
        total = np.zeros(len(GRID))
        unit = found.items[0].a if found.kind == "rasch" else 1.0
        for j, (name, item) in enumerate(zip(names, found.items, strict=True)):
            p = irt.probabilities(found.kind, item, GRID).real
            score = p @ np.arange(p.shape[1]) / (p.shape[1] - 1)
            info = irt.information(found.kind, item, GRID)
            total += info
            if j < CURVES:
                report.add_rows(cls.curve_points, {"item": [name] * len(GRID), "theta": GRID * unit, "p": score})
                report.add_rows(
                    cls.info_points, {"item": [name] * len(GRID), "theta": GRID * unit, "info": info / unit**2}
                )
        if len(names) > CURVES:
            report.note(cls.curves, "只画前 16 题。")
        report.add_rows(
            cls.test_points, {"theta": GRID * unit, "value": total / unit**2, "series": ["测验信息"] * len(GRID)}
        )
        report.add_rows(
            cls.test_points, {"theta": GRID * unit, "value": unit / np.sqrt(total), "series": ["标准误"] * len(GRID)}
        )
        if found.kind not in irt.BINARY:
            report.note(cls.curves, "纵轴为期望得分占满分的比例。")
        edges = np.arange(-4.0, 4.5, 0.5)
        people, _ = np.histogram(
            np.clip(theta[~np.isnan(theta)], -3.99, 3.99), edges, weights=found.data.counts[~np.isnan(theta)]
        )
        marks = np.concatenate([_locations(found.kind, item) for item in found.items])
        places, _ = np.histogram(np.clip(marks, -3.99, 3.99), edges)
        for side, counts in (("人", people), ("题", places)):
            for i, count in enumerate(counts):
                report.row(
                    cls.wright_points,
                    theta=f"{(edges[i] + 0.25) * unit:.2f}",
                    share=float(count) / max(float(counts.sum()), 1e-300),
                    side=side,
                )
        report.note(cls.wright, "人多而题少的一段，测得不准；超过 ±4 的归入两端。")


# ---- data ----------------------------------------------------------------------------------------------------------
def _data(report: Report, form: Any) -> tuple[list[str], Patterns, Any]:
    """Names and answers of the items that vary, categories counted from 0; which rows of the table they are."""
    names = titles(form.items)
    counts = frequencies(form.weight)
    x = np.column_stack([column.numbers for column in form.items])
    held = ~np.isnan(x).all(axis=1)
    if counts is not None:
        held &= counts > 0
    rows = np.flatnonzero(held)
    x = x[rows]
    kept, coded, told = [], [], []
    for j, column in enumerate(form.items):
        own = x[:, j]
        values = np.unique(own[~np.isnan(own)])
        if values.size < 2:
            report.warn(
                "data.constant",
                "题项“{v}”无变异（全对、全错或所有人相同），已剔除。",
                v=names[column.id],
                columns=[column],
            )
            continue
        if values.size > MOST_LEVELS:
            raise Refusal(
                "data.categories", "题项“{v}”有 {k} 个不同取值，最多 {most} 级；IRT 用于 0/1 或等级题，请先分级",
                field="items",
                column=column.id, v=names[column.id], k=values.size, most=MOST_LEVELS,
            )  # fmt: skip
        whole = (
            np.arange(values[0], values[-1] + 1)
            if np.all(values % 1 == 0) and values[-1] - values[0] < MOST_LEVELS
            else values
        )
        gone = np.setdiff1d(whole, values)
        if gone.size:
            told.append(f"“{names[column.id]}”缺少等级 {'、'.join(f'{v:g}' for v in gone)}")
        codes = np.where(np.isnan(own), -1, np.searchsorted(values, np.nan_to_num(own, nan=values[0])))
        kept.append(names[column.id])
        coded.append(codes.astype(np.int64))
    if told:
        report.warn("data.gaps", "{which}，相邻等级已合并编号。", which="；".join(told[:6]))
    if len(kept) < 3:
        raise Refusal("role.few", "有变化的题项不足 3 个，不能作项目反应分析，请增加题项", field="items")
    whole_n = len(rows) if counts is None else float(counts[rows].sum())
    if whole_n < 50:
        raise Refusal(
            "data.few", "有回答的只有 {n} 人，至少要 50 人；参数估计最好 200 人以上", field="items", n=int(whole_n)
        )
    report.used(len(rows), None if counts is None else whole_n)
    return kept, irt.patterns(np.column_stack(coded), None if counts is None else counts[rows]), rows


def _kind(form: Any, data: Patterns) -> str:
    many = max(data.levels) > 2
    if form.model == "auto":
        return "grm" if many else "2pl"
    if form.model in irt.BINARY and many:
        raise Refusal(
            "data.binary", "检测到多级评分，{model} 只用于 0/1 题；请选择 GRM/PCM/GPCM", field="model",
            model=SHORT[form.model], also=["items"],
            remedies=[SetRemedy(title="改用 GRM", set={"model": "grm"}), SetRemedy(title="改用 GPCM",
            set={"model": "gpcm"})],
        )  # fmt: skip
    return str(form.model)


def _locations(kind: str, item: Item) -> Floats:
    return -item.d / item.a


def _lines(kind: str, item: Item, v: Floats) -> list[tuple[str, float, float | None, float | None, float | None]]:
    """Parameter, estimate, error and 95 % limits: a, then difficulties, then guessing."""
    z = 1.959963984540054

    def wald(words: str, value: float, variance: float) -> tuple[str, float, float | None, float | None, float | None]:
        se = float(np.sqrt(variance)) if variance > 0 else None
        return (words, value, se, None, None) if se is None else (words, value, se, value - z * se, value + z * se)

    rasch = kind == "rasch"
    found: list[tuple[str, float, float | None, float | None, float | None]] = []
    found.append(("区分度 a", 1.0, None, None, None) if rasch else wald("区分度 a", item.a, float(v[0, 0])))
    for k, d in enumerate(item.d, 1):
        words = "难度 b" if len(item.d) == 1 else f"阈值 b{k}"
        if rasch:
            found.append(wald(words, -float(d), float(v[k, k])))
            continue
        b = -float(d) / item.a
        slope = np.array([-b / item.a, -1 / item.a])
        found.append(wald(words, b, float(slope @ v[np.ix_([0, k], [0, k])] @ slope)))
    if item.g is not None:
        c, variance = item.guess, float(v[-1, -1])
        if variance > 0:
            se = float(np.sqrt(variance))
            ends = [1 / (1 + np.exp(-(item.g + sign * z * se))) for sign in (-1, 1)]
            found.append(("猜测 c", c, se * c * (1 - c), float(ends[0]), float(ends[1])))
        else:
            found.append(("猜测 c", c, None, None, None))
    return found


def _abilities(found: Fit, how: str) -> tuple[Floats, Floats]:
    theta, se = irt.expected_a_posteriori(found) if how == "eap" else irt.modes(found, how == "map")
    unit = found.items[0].a if found.kind == "rasch" else 1.0
    return theta * unit, se * unit


# ---- words ---------------------------------------------------------------------------------------------------------
def _words(report: Report, cls: type[ItemResponse], names: list[str], found: Fit, form: Any) -> None:
    (whole,) = report.rows_of(cls.model_fit)
    rows = [row.cells for row in report.rows_of(cls.parameters)]
    a = [row["value"] for row in rows if row["parameter"] == "区分度 a"]
    b = [row["value"] for row in rows if row["parameter"].startswith(("难度", "阈值"))]
    facts: dict[str, Any] = {
        "n": whole.cells["n"],
        "b0": min(b),
        "b1": max(b),
        "loglik": whole.cells["loglik"],
        "aic": whole.cells["aic"],
    }
    start = f"{len(names)} 题，{{n:integer}} 人，{SHORT[found.kind]} 模型："
    if len(set(a)) > 1:
        start += "区分度 a 从 {a0:num3} 到 {a1:num3}，"
        facts |= {"a0": min(a), "a1": max(a)}
    elif found.kind != "rasch":
        start += "各题区分度 a = {a0:num3}，"
        facts["a0"] = a[0]
    start += ("难度 b" if found.kind in irt.BINARY else "阈值 b") + " 从 {b0:num3} 到 {b1:num3}。"
    if whole.cells["reliability"] is not None:
        start += "经验信度为 {reliability:num3}。"
        facts["reliability"] = whole.cells["reliability"]
    weak = [name for name, value in zip(names, a, strict=True) if value < 0.35]
    told = ""
    if weak:
        facts["weak"] = "".join(f"“{name}”" for name in weak[:6])
        told = "区分度很低（a < 0.35）或为负的题：{weak}。"
    report.lead(start + told, [figure("LogLik", "{loglik:num2}", "AIC = {aic:num2}")], **facts)
    report.voices(
        [("b 越大题越难，a 越大越能区分能力相近的人。信息高的一段测得准，标准误小。能力的零点是这批人的平均，"
        "换一批人不能直接比较。", {})],
        [(f"采用{SHORT[found.kind]}模型（边际最大似然，*n* = {{n:integer}}），LogLik = {{loglik:num2}}，"
        f"AIC = {{aic:num2}}。", {})],
        [(start + told, {})], **facts,
    )  # fmt: skip


def _checks(report: Report, names: list[str], found: Fit) -> None:
    data = found.data
    full = (data.codes >= 0).all(axis=1)
    x, w = data.codes[full], data.counts[full]
    if w.sum() > len(names) + 1:
        s = np.cov(x.T, fweights=np.round(w).astype(int))
        spread = np.sqrt(np.diag(s))
        if spread.min() > 0:
            values = np.linalg.eigvalsh(s / np.outer(spread, spread))[::-1]
            ratio = float(values[0] / values[1])
            report.check(
                "单维性", "pass" if ratio >= 3 else "care",
                "第一与第二特征根之比为 {ratio:num2}" + ("。" if ratio >= 3
                else "，低于 3，可能不止一个维度，或题目太少太易。"),
                ratio=ratio,
                more=more(
                    "这些模型假定所有题只测一个能力。", "题项相关矩阵的第一与第二特征根之比为 {ratio:num2}。",
                    "多个维度混在一起时，a 和能力都没有清楚的含义。",
                    "先做因子分析，分维度各做一次。0/1 题的相关偏低，比值会偏小。",
                ),
            )  # fmt: skip
    least = 1000 if found.kind == "3pl" else 200
    few = data.n < least
    report.check(
        "样本量", "care" if few else "pass",
        "{n:integer} 人" + (f"，少于 {least} 人，估计不稳。" if few else "。"), n=round(data.n),
    )  # fmt: skip
    if any(item.a < 0 for item in found.items):
        which = "".join(f"“{name}”" for name, item in zip(names, found.items, strict=True) if item.a < 0)
        report.warn("data.reversed", "区分度为负：{which}。多半是反向题没有转换，或答案编反了。", which=which)
