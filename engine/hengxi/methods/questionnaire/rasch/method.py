"""Rasch measurement by conditional ML: items do not depend on who was asked, people are placed afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Diagonal,
    Form,
    Method,
    MethodRemedy,
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
from hengxi.stats import rasch
from hengxi.stats.frequencies import frequencies
from hengxi.stats.item_models import Patterns
from hengxi.stats.moments import Floats, median
from hengxi.stats.multiple import adjust
from hengxi.stats.names import level_words, listed, titles
from hengxi.stats.rasch import Fit

MODELS = {"rm": "Rasch（0/1 题）", "rsm": "评定量表 RSM（各题等级间距相同）", "pcm": "部分计分 PCM"}
SHORT = {"rm": "Rasch", "rsm": "RSM", "pcm": "PCM"}
SPLITS = {"median": "得分中位数", "mean": "得分平均数", "group": "DIF 分组变量"}
MOST_LEVELS, MOST_ITEMS, MOST_WORK, CURVES, SHOWN = 10, 60, 4e8, 12, 100
LOW, HIGH = 0.7, 1.3
Z = 1.959963984540054


class Rasch(Method):
    """Conditional maximum likelihood (`stats/rasch.py`); the scale is centred on the items, not on the people."""

    title, title_en = "Rasch模型", "Rasch measurement (conditional ML)"
    slug = "rasch"
    family, tier = "问卷研究", "member"
    purpose = "题目与被试能否放在同一把等距的尺子上，哪些题目不符合 Rasch 要求"
    aliases = ("拉什模型", "RSM", "PCM", "评定量表模型", "部分计分", "怀特图", "infit", "outfit", "DIF", "Andersen",
               "Martin-Löf", "logit")  # fmt: skip
    references = ("rasch1960", "andersen1973", "masters1982", "andrich1978", "wright1982", "warm1989", "mair2007",
                  "fischer1995")  # fmt: skip
    conventions = (
        "条件最大似然：给定总分，能力从似然中消去；初等对称函数精确计算，标准误用条件信息矩阵的逆。",
        "尺度的零点：各题难度的平均为 0。等级题的难度是该题各阈值的平均；阈值是相邻两级概率相等的能力。",
        "能力：最大似然（ML）和 Warm 的加权最大似然（WLE）；标准误为 1/√测验信息。零分和满分没有 ML，用 WLE 外推。",
        "infit、outfit 在 ML 能力处计算，不含零分和满分的人；"
        "z 为 Wilson-Hilferty 立方根变换（Wright 与 Masters，1982）。",
        "点测相关为题目得分与 WLE 能力的 Pearson 相关，含全部答了该题的人。",
        "信度 =（方差 − 平均误差方差）/ 方差，方差除以 n − 1；人用 ML 能力，不含零分和满分；"
        "分离指数 = √（信度/(1 − 信度)）。",
        "Andersen LR 检验按得分率（得分/可得分）分成不高于和高于中位数（或平均数）的两组，或按分组变量；"
        "在某一组中缺少等级（RSM：没有变化）的题不参加检验，全体也用其余的题重新估计。",
        "DIF 的 Wald 检验：各组分别估计，难度以参加检验的题的平均为零点；χ² = Σ(b − b̄)²/SE²，b̄ 按 1/SE² 加权；"
        "两组时等于 z²，p 另用 Holm 法校正。",
        "Martin-Löf 检验按题目平均得分的中位数分成两半，只用答完全部题的人。",
        "空着的题不参加计算，该人的其他题仍用。",
    )
    weights = ("frequency",)
    missing = "keep"

    class Input(Form):
        items: list[Column] = role("题项（0/1 或等级）", "定量", min=3, max=MOST_ITEMS)
        group: Column | None = role("DIF 分组变量（选填）", "定类", min=0, levels=(2, 10))
        weight: Column | None = counted()
        model: str = choice("模型", MODELS)
        split: str = choice("LR 检验分组", SPLITS)

    difficulty = Table(
        "题项表", item=text("题项"), n=integer("人数"), b=num("难度", decimals=3), 
        se=num("标准误", least=0, decimals=3), ci=interval("95%CI", "low", "high", around="b", inside=False),
        infit=num("infit MNSQ", least=0),
        infit_z=num("infit z"), outfit=num("outfit MNSQ", least=0), outfit_z=num("outfit z"),
        r=num("点测相关", least=-1, most=1), place="main",
    )  # fmt: skip
    steps = Table(
        "阈值", item=text("题项"), step=text("阈值"), b=num("估计", decimals=3), se=num("标准误", least=0, decimals=3),
        ci=interval("95%CI", "low", "high", around="b", inside=False), merge=("item",),
        when={"model": ("rsm", "pcm")},
    )  # fmt: skip
    whole = Table(
        "模型", model=text("模型"), n=integer("样本量"), extreme=integer("零分或满分"), k=integer("参数个数"),
        loglik=num("条件 LogLik"), layout="record", place="main",
    )  # fmt: skip
    reliability = Table(
        "可靠性", what=text("对象"), n=integer("个数"), sd=num("标准差", least=0), rmse=num("平均标准误", least=0),
        separation=num("分离指数", least=0), reliability=num("信度", decimals=3), place="main",
    )  # fmt: skip
    tests = Table(
        "整体检验", test=text("检验"), groups=text("分成"), items=integer("题数"), chi2=num("χ²"), df=integer("*df*"),
        p=pvalue(), place="main", claim=claim("named", stat("χ²", "chi2", "df")),
    )  # fmt: skip
    by_group = Table("各组的难度", item=text("题项"), group=text("组"), b=num("难度", decimals=3),
                     se=num("标准误", least=0, decimals=3), merge=("item",))  # fmt: skip
    dif = Table(
        "各题 Wald 检验（DIF）", item=text("题项"), gap=num("最大差异", least=0, decimals=3), chi2=num("χ²", least=0),
        df=integer("*df*"), p=pvalue(), p_holm=pvalue("Holm *p*"),
        claim=Silent("a search for items that differ between groups, read together"),
    )  # fmt: skip
    scores = Table(
        "原始分与能力值", score=integer("原始分"), n=integer("人数"), share=percent("累计占比"),
        ml=num("ML 能力", decimals=3),
        ml_se=num("ML 标准误", least=0, decimals=3), wle=num("WLE 能力", decimals=3),
        wle_se=num("WLE 标准误", least=0, decimals=3),
    )  # fmt: skip
    people = Table(
        "被试拟合", pattern=text("回答"), n=integer("人数"), theta=num("ML 能力", decimals=3),
        se=num("标准误", least=0, decimals=3), infit=num("infit MNSQ", least=0), infit_z=num("infit z"),
        outfit=num("outfit MNSQ", least=0), outfit_z=num("outfit z"),
    )  # fmt: skip
    wright_points = Points("人与题的分布", theta=text("logit"), share=percent("占比"), side=text("人或题"))
    wright = Chart("人与题的分布（怀特图）", "bar", of=wright_points, x="theta", y="share", series="side", place="main")
    curve_points = Points("项目特征曲线", item=text("题项"), theta=num("能力（logit）"), p=num("答对概率或得分率"))
    curves = Chart("项目特征曲线", "line", of=curve_points, x="theta", y="p", series="item")
    grade_points = Points("等级概率曲线", item=text("题项"), theta=num("能力（logit）"), p=num("概率"),
                          grade=text("等级"), when={"model": ("rsm", "pcm")})  # fmt: skip
    grades = Chart("等级概率曲线", "line", of=grade_points, x="theta", y="p", series="grade", facet="item",
                   when={"model": ("rsm", "pcm")})  # fmt: skip
    test_points = Points("测验信息与标准误", theta=num("能力（logit）"), value=num("值"), series=text("线"))
    test = Chart("测验信息与标准误", "line", of=test_points, x="theta", y="value", series="series")
    dif_points = Points("两组的难度", item=text("题项"), first=num("第一组"), second=num("第二组"))
    dif_plot = Chart("DIF 散点图", "point", of=dif_points, x="first", y="second", label="item", over=[Diagonal()])

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{len(form.items)} 题的 Rasch 分析"

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        return 0.5 + columns**2 * rows * 8e-6

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        start = {"items": form["items"], "weight": form.get("weight")}
        return [
            NextStep(title="让各题区分度不同（2PL、GPCM）", method="questionnaire/item_response", form=start),
            NextStep(title="看信度", method="descriptive/reliability", form=start),
        ]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        study = _study(report, form)
        people = _people(study)
        weighed = _item_rows(cls, report, study, people)
        _steps(cls, report, study)
        report.row(cls.whole, model=SHORT[form.model], n=round(study.data.n), extreme=round(people.extreme),
                   k=study.fit.k, loglik=study.fit.loglik)  # fmt: skip
        person = _reliability(cls, report, study, people)
        _tests(cls, report, study, form)
        _scores(cls, report, study)
        odd = _misfit(cls, report, study, people)
        _pictures(cls, report, study, people)
        _words(report, cls, study, weighed, person)
        _checks(report, cls, study, people, odd)
        return report


# ---- data ----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Study:
    names: list[str]
    data: Patterns
    fit: Fit
    rows: Any
    counts: Floats
    grades: list[Floats]
    """The values of each item's categories."""

    @property
    def seen(self) -> Any:
        return self.data.codes >= 0

    @property
    def score(self) -> Floats:
        found: Floats = np.where(self.seen, self.data.codes, 0).sum(axis=1).astype(float)
        return found

    @property
    def most(self) -> Floats:
        found: Floats = self.seen @ (np.array(self.data.levels) - 1.0)
        return found


def _study(report: Report, form: Any) -> Study:
    if form.split == "group" and form.group is None:
        raise Refusal("role.required", "按分组变量做 LR 检验要放入“DIF 分组变量”，或改按得分分组", field="group",
                      also=["split"],
                      remedies=[SetRemedy(title="按得分中位数分组", set={"split": "median"})])  # fmt: skip
    names = list(titles(form.items).values())
    weight = frequencies(form.weight)
    x = np.column_stack([column.numbers for column in form.items])
    held = ~np.isnan(x).all(axis=1) & (True if weight is None else weight > 0)
    rows = np.flatnonzero(held)
    counts = np.ones(len(rows)) if weight is None else weight[rows]
    grades = _grades(form, names, x[rows])
    if counts.sum() < 30:
        raise Refusal("data.few", "有回答的只有 {n} 人，至少要 30 人；估计稳定最好 200 人以上，请增加样本",
                      field="items", n=int(counts.sum()))  # fmt: skip
    gaps = [
        f"“{name}”缺少等级 {'、'.join(f'{v:g}' for v in gone)}"
        for name, own in zip(names, grades, strict=True)
        if np.all(own % 1 == 0) and own[-1] - own[0] < MOST_LEVELS
        and (gone := np.setdiff1d(np.arange(own[0], own[-1] + 1), own)).size
    ]  # fmt: skip
    if gaps:
        report.warn("data.gaps", "{which}，其余等级依次编号。", which="；".join(gaps[:6]))
    codes = np.column_stack([
        np.where(np.isnan(own), -1, np.searchsorted(values, np.nan_to_num(own, nan=values[0])))
        for own, values in zip(x[rows].T, grades, strict=True)
    ]).astype(np.int64)  # fmt: skip
    data = replace(irt.patterns(codes, counts), levels=[len(values) for values in grades])
    if rasch.work(data) > MOST_WORK:
        raise Refusal(
            "data.size", "题数、等级数和缺失方式太多，一次估计超过 4 亿步运算；"
            "请减少题项、合并等级，或先删去有缺失的行",
            field="items",
        )  # fmt: skip
    if form.model == "rm" and (left := rasch.apart(data)):
        raise Refusal(
            "data.disconnected", "数据不连通，部分题目难度不可比：没有人在{which}与其他题目上互有对错；"
            "请移去这些题，或增加样本",
            field="items", which=listed([names[i] for i in left], 6),
        )  # fmt: skip
    try:
        fit = rasch.fit(form.model, data)
    except rasch.Unconverged:
        raise Refusal(
            "data.unconverged", "{model} 没有得到有限的估计：有的等级选的人太少，或数据不连通；"
            "请合并人少的等级，或减少题项",
            field="items", model=SHORT[form.model],
            remedies=[SetRemedy(title="改用 RSM", set={"model": "rsm"})] if form.model == "pcm" else [
                MethodRemedy(title="改用项目反应理论", method="questionnaire/item_response", carry=["items"])],
        ) from None  # fmt: skip
    report.used(len(rows), None if weight is None else float(counts.sum()))
    return Study(names, data, fit, rows, counts, grades)


def _grades(form: Any, names: list[str], x: Floats) -> list[Floats]:
    """Values of each item's categories, in order; refuses what the model does not take."""
    grades = [np.unique(own[~np.isnan(own)]) for own in x.T]
    if alike := [name for name, own in zip(names, grades, strict=True) if own.size < 2]:
        raise Refusal("data.constant", "所有人的回答都相同：{which}；这样的题难度是无穷大，请移去", field="items",
                      which=listed(alike, 6))  # fmt: skip
    for column, name, own in zip(form.items, names, grades, strict=True):
        if own.size > MOST_LEVELS:
            raise Refusal(
                "data.categories", "题项“{v}”有 {k} 个不同取值，最多 {most} 级；请先分级", field="items",
                column=column.id, v=name, k=own.size, most=MOST_LEVELS,
            )  # fmt: skip
        if form.model == "rm" and own.size > 2:
            raise Refusal(
                "data.binary", "题项“{v}”有 {k} 个等级，Rasch 只用于 0/1 题；请改用 RSM 或 PCM", field="model",
                also=["items"], v=name, k=own.size,
                remedies=[SetRemedy(title="改用 PCM", set={"model": "pcm"}),
                          SetRemedy(title="改用 RSM", set={"model": "rsm"})],
            )  # fmt: skip
    if form.model != "rsm":
        return grades
    everywhere = np.unique(np.concatenate(grades))
    if everywhere.size > MOST_LEVELS:
        raise Refusal("data.scale", "各题合起来有 {k} 个不同取值，最多 {most} 级；RSM 要求各题用同一套等级，请改用 PCM",
                      field="model", k=everywhere.size, most=MOST_LEVELS,
                      remedies=[SetRemedy(title="改用 PCM", set={"model": "pcm"})])  # fmt: skip
    return [everywhere] * len(grades)


# ---- people and items ----------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class People:
    """By pattern; ML is NaN for the lowest and highest score."""

    ml: Floats
    ml_se: Floats
    wle: Floats
    inner: Any
    extreme: float


def _people(study: Study) -> People:
    ml, se = rasch.abilities(study.fit, study.seen, study.score, warm=False)
    wle, _ = rasch.abilities(study.fit, study.seen, study.score, warm=True)
    inner = ~np.isnan(ml)
    return People(ml, se, wle, inner, float(study.data.counts[~inner].sum()))


def _item_rows(cls: type[Rasch], report: Report, study: Study, people: People) -> list[dict[str, Any]]:
    data, inner = study.data, people.inner
    square = rasch.mean_squares(study.fit, data.codes[inner], people.ml[inner], data.counts[inner])
    told = []
    estimates = zip(study.names, study.fit.locations, study.fit.location_errors, strict=True)
    for i, (name, b, se) in enumerate(estimates):
        own = data.codes[:, i] >= 0
        s = np.cov(data.codes[own, i], people.wle[own], fweights=np.round(data.counts[own]).astype(int))
        told.append(report.row(
            cls.difficulty, item=name, n=round(float(data.counts[own].sum())), b=float(b), se=float(se),
            low=float(b - Z * se), high=float(b + Z * se), infit=_known(square.infit[i]),
            outfit=_known(square.outfit[i]), infit_z=_known(square.infit_z[i]), outfit_z=_known(square.outfit_z[i]),
            r=float(s[0, 1] / np.sqrt(s[0, 0] * s[1, 1])) if min(s[0, 0], s[1, 1]) > 0 else None,
        ))  # fmt: skip
    report.note(cls.difficulty, "难度越大题越难，单位为 logit。infit、outfit 的期望为 1："
                "大于 1.3 说明回答比模型预期更乱，小于 0.7 说明比预期更整齐。")  # fmt: skip
    return told


def _known(value: Any) -> float | None:
    return None if np.isnan(value) else float(value)


def _steps(cls: type[Rasch], report: Report, study: Study) -> None:
    if study.fit.kind == "rm":
        return
    fit, disordered = study.fit, []
    for i, name in enumerate(study.names):
        own = np.flatnonzero(fit.owner == i)
        for k, place in enumerate(own):
            b, se = float(fit.steps[place]), float(np.sqrt(fit.v[place, place]))
            words = f"{study.grades[i][k]:g} | {study.grades[i][k + 1]:g}"
            report.row(cls.steps, item=name, step=words, b=b, se=se, low=b - Z * se, high=b + Z * se)
        if (np.diff(fit.steps[own]) < 0).any():
            disordered.append(name)
    if disordered:
        report.note(cls.steps, "阈值没有依次升高：{which}。中间有的等级在任何能力上都不是最可能的，"
                    "可考虑合并相邻等级。", which=listed(disordered, 6))  # fmt: skip


def _reliability(cls: type[Rasch], report: Report, study: Study, people: People) -> float | None:
    inner, found = people.inner, None
    lots = (
        ("人", people.ml[inner], people.ml_se[inner], study.data.counts[inner]),
        ("题", study.fit.locations, study.fit.location_errors, np.ones(len(study.names))),
    )
    for what, value, se, w in lots:
        n = float(w.sum())
        mean = float(w @ value / n)
        variance, error = float(w @ (value - mean) ** 2 / max(n - 1, 1)), float(w @ se**2 / n)
        share = (variance - error) / variance if variance > 0 else None
        apart = None if share is None else float(np.sqrt(max(share, 0) / (1 - share)))
        report.row(cls.reliability, what=what, n=round(n), sd=float(np.sqrt(variance)), rmse=float(np.sqrt(error)),
                   reliability=share, separation=apart)  # fmt: skip
        found = share if what == "人" else found
    return found


# ---- tests ---------------------------------------------------------------------------------------------------------
def _splits(study: Study, form: Any) -> list[tuple[str, list[str], list[Floats]]]:
    """Title, groups, and how often each pattern stands in each group."""
    data = study.data
    found: list[tuple[str, list[str], list[Floats]]] = []
    if form.split != "group":
        rate = study.score / study.most
        cut = median(rate, data.counts) if form.split == "median" else float(rate @ data.counts / data.n)
        low = rate <= cut + 1e-12
        found.append((SPLITS[form.split], ["低分组", "高分组"], [data.counts * low, data.counts * ~low]))
    if form.group is not None:
        codes = form.group.codes[study.rows]
        own = [
            np.bincount(data.place[codes == k], study.counts[codes == k], len(data.counts)).astype(float)
            for k in range(len(form.group.levels))
        ]
        found.append((form.group.title, level_words(form.group.levels), own))
    return found


def _tests(cls: type[Rasch], report: Report, study: Study, form: Any) -> None:
    last: tuple[str, list[str], rasch.Andersen] | None = None
    for title, groups, counts in _splits(study, form):
        test = f"Andersen LR（{title}）"
        try:
            found = rasch.andersen(form.model, study.data, counts)
        except rasch.Unconverged:
            report.row(cls.tests, test=test, groups=" | ".join(groups))
            report.note(cls.tests, "Andersen LR 检验没有结果：有一组的人太少，或其中多数题缺少等级。")
            continue
        report.row(cls.tests, test=test, groups=" | ".join(groups), items=len(found.items), chi2=found.chi2,
                   df=found.df, p=float(stats.chi2.sf(found.chi2, found.df)))  # fmt: skip
        if gone := [study.names[i] for i in range(len(study.names)) if i not in found.items]:
            report.note(cls.tests, "按{title}分组时没有参加检验的题（在某一组中缺少等级或没有变化）：{which}。",
                        title=title, which=listed(gone, 6))  # fmt: skip
        last = title, groups, found
    _martin_loef(cls, report, study)
    if last is None:
        report.skip(cls.by_group, "各组不能分别估计")
        report.skip(cls.dif, "各组不能分别估计")
    else:
        _dif(cls, report, study, *last)
    if last is None or len(last[1]) != 2:
        report.skip(cls.dif_points, "只有两组时画")


def _martin_loef(cls: type[Rasch], report: Report, study: Study) -> None:
    data = study.data
    full = study.seen.all(axis=1)
    mean = data.counts[full] @ data.codes[full]
    easy = mean > np.median(mean)
    halves = [[int(i) for i in np.flatnonzero(half)] for half in (~easy, easy)]
    if min(map(len, halves)) < 2 or not full.any():
        report.note(cls.tests, "没有 Martin-Löf 检验：两半各要至少 2 题，并且要有答完的人。")
        return
    try:
        chi2, df = rasch.martin_loef(study.fit.kind, data, halves)
    except rasch.Unconverged:
        report.note(cls.tests, "没有 Martin-Löf 检验：一半题目不能单独估计。")
        return
    report.row(cls.tests, test="Martin-Löf", groups="难的一半 | 容易的一半", items=len(study.names), chi2=chi2, df=df,
               p=float(stats.chi2.sf(chi2, df)))  # fmt: skip
    report.note(cls.tests, "*p* 很小说明模型不成立：Andersen 检验看难度是否因人群而变，"
                "Martin-Löf 检验看两半题目是否测同一种能力。"
                "Martin-Löf 检验的 *df* 很大而人数不多时，*p* 偏大。")  # fmt: skip


def _dif(cls: type[Rasch], report: Report, study: Study, title: str, groups: list[str], found: rasch.Andersen) -> None:
    b = np.array([one.locations for one in found.fits])
    se = np.array([one.location_errors for one in found.fits])
    w = 1 / se**2
    chi2 = np.sum(w * (b - np.sum(w * b, axis=0) / w.sum(axis=0)) ** 2, axis=0)
    p = stats.chi2.sf(chi2, len(groups) - 1)
    holm = adjust([float(v) for v in p], "holm")
    for j, i in enumerate(found.items):
        name = study.names[i]
        for group, own, error in zip(groups, b[:, j], se[:, j], strict=True):
            report.row(cls.by_group, item=name, group=group, b=float(own), se=float(error))
        report.row(cls.dif, item=name, gap=float(np.ptp(b[:, j])), chi2=float(chi2[j]), df=len(groups) - 1,
                   p=float(p[j]), p_holm=holm[j])  # fmt: skip
        if len(groups) == 2:
            report.row(cls.dif_points, item=name, first=float(b[0, j]), second=float(b[1, j]))
    report.note(cls.dif, "按{title}分组。Holm *p* 小于 .05 的题，能力相同的人在各组中答对的机会不同。", title=title)
    if len(groups) == 2:
        report.note(cls.dif_plot, "横轴为{first}，纵轴为{second}；离对角线远的题在两组中难度不同。", first=groups[0],
                    second=groups[1])  # fmt: skip


# ---- tables of people, pictures ------------------------------------------------------------------------------------
def _scores(cls: type[Rasch], report: Report, study: Study) -> None:
    most = sum(study.data.levels) - len(study.data.levels)
    score, everything = np.arange(most + 1.0), np.ones((most + 1, len(study.names)))
    (ml, ml_se), (wle, wle_se) = (rasch.abilities(study.fit, everything, score, warm) for warm in (False, True))
    full = study.seen.all(axis=1)
    n = np.bincount(study.score[full].astype(int), weights=study.data.counts[full], minlength=most + 1)
    for s in range(most + 1):
        report.row(cls.scores, score=s, n=round(float(n[s])), ml=_known(ml[s]), ml_se=_known(ml_se[s]),
                   share=float(n[: s + 1].sum() / n.sum()) if n.sum() else None, wle=float(wle[s]),
                   wle_se=float(wle_se[s]))  # fmt: skip
    report.note(cls.scores, "每题最低一级计 0 分。人数只算答完全部题的人；零分和满分没有 ML 能力，可用 WLE。")


def _misfit(cls: type[Rasch], report: Report, study: Study, people: People) -> float:
    """Rows of the worst patterns; how many people have |z| of infit or outfit beyond 1.96 with a mean square > 1."""
    inner = np.flatnonzero(people.inner)
    codes, w = study.data.codes[inner], study.data.counts[inner]
    square = rasch.mean_squares(study.fit, codes, people.ml[inner], None)
    order = np.argsort(-np.nan_to_num(square.outfit_z, nan=-99), kind="stable")
    for i in order[:SHOWN]:
        report.row(
            cls.people, pattern=" ".join("·" if code < 0 else str(code) for code in codes[i]), n=round(float(w[i])),
            theta=float(people.ml[inner[i]]), se=float(people.ml_se[inner[i]]), infit=float(square.infit[i]),
            infit_z=_known(square.infit_z[i]), outfit=float(square.outfit[i]), outfit_z=_known(square.outfit_z[i]),
        )  # fmt: skip
    report.note(cls.people, "按 outfit z 从大到小，最多列 100 种回答，不含零分和满分；“·”为没有回答。"
                "z 大于 1.96 的人回答与能力不符，例如难题答对而易题答错。")  # fmt: skip
    return float(w[(np.nan_to_num(square.outfit_z) > Z) | (np.nan_to_num(square.infit_z) > Z)].sum())


def _pictures(cls: type[Rasch], report: Report, study: Study, people: People) -> None:
    fit, names = study.fit, study.names
    low, high = np.floor(min(fit.steps.min(), people.wle.min())), np.ceil(max(fit.steps.max(), people.wle.max()))
    edges = np.linspace(low, high, 17)
    sides = (("人", people.wle, study.data.counts), ("题", fit.steps, np.ones(len(fit.steps))))
    for side, values, w in sides:
        n, _ = np.histogram(values, edges, weights=w)
        for i, count in enumerate(n):
            report.row(cls.wright_points, theta=f"{(edges[i] + edges[i + 1]) / 2:.2f}", share=float(count / n.sum()),
                       side=side)  # fmt: skip
    report.note(cls.wright, "人按 WLE 能力，题按难度（等级题按各阈值）。人多而题少的一段，测得不准。")
    grid = np.linspace(low - 1, high + 1, 41)
    total = np.sum(rasch.moments(fit, grid)[1], axis=1)
    for i, (name, item) in enumerate(list(zip(names, fit.items, strict=True))[:CURVES]):
        p = irt.probabilities("pcm", item, grid).astype(float)
        rate = p @ np.arange(p.shape[1]) / (p.shape[1] - 1)
        report.add_rows(cls.curve_points, {"item": [name] * len(grid), "theta": grid, "p": rate})
        if fit.kind != "rm" and i < 3:
            for k in range(p.shape[1]):
                report.add_rows(cls.grade_points, {
                    "item": [name] * len(grid), "theta": grid, "p": p[:, k],
                    "grade": [f"{study.grades[i][k]:g}"] * len(grid)})  # fmt: skip
    if len(names) > CURVES:
        report.note(cls.curves, "只画前 12 题。")
    if fit.kind != "rm" and len(names) > 3:
        report.note(cls.grades, "只画前 3 题。")
    for series, value in (("测验信息", total), ("标准误", 1 / np.sqrt(total))):
        report.add_rows(cls.test_points, {"theta": grid, "value": value, "series": [series] * len(grid)})


# ---- words ---------------------------------------------------------------------------------------------------------
def _words(report: Report, cls: type[Rasch], study: Study, items: list[dict[str, Any]], person: float | None) -> None:
    b = [row["b"] for row in items]
    odd = [row["item"] for row in items if not all(
        row[key] is None or LOW <= row[key] <= HIGH for key in ("infit", "outfit"))]  # fmt: skip
    test = next((row.cells for row in report.rows_of(cls.tests) if row.cells.get("p") is not None), None)
    facts: dict[str, Any] = {"n": round(study.data.n), "b0": min(b), "b1": max(b),
                             "hard": items[int(np.argmax(b))]["item"],
                             "easy": items[int(np.argmin(b))]["item"]}  # fmt: skip
    start = (f"{len(items)} 题，{{n:integer}} 人，{SHORT[study.fit.kind]} 模型：难度从 {{b0:num3}}（“{{easy}}”）"
             "到 {b1:num3}（“{hard}”）。")  # fmt: skip
    fits = "各题的 infit 和 outfit 都在 0.7 到 1.3 之间。"
    if odd:
        fits, facts["odd"] = "infit 或 outfit 不在 0.7 到 1.3 之间：{odd}。", listed(odd, 6)
    if unfair := [row.cells["item"] for row in report.rows_of(cls.dif) if row.cells["p_holm"] < 0.05]:
        fits += "在各组中难度不同的题（Holm *p* < .05）：{unfair}。"
        facts["unfair"] = listed(unfair, 6)
    figures, whole = [], ""
    if test is not None:
        facts |= {"chi2": test["chi2"], "df": test["df"], "p": test["p"], "test": test["test"]}
        whole = "{test}检验：" + (
            "各组的难度不同（χ²({df:integer}) = {chi2:num2}，*p* {p:peq}），不符合 Rasch 模型。" if test["p"] < 0.05
            else "没有发现各组的难度不同（χ²({df:integer}) = {chi2:num2}，*p* {p:peq}）。"
        ) if str(test["test"]).startswith("Andersen") else ""  # fmt: skip
    if whole:
        figures.append(figure("Andersen χ²", "{chi2:num2}", "*p* {p:peq}"))
    told = ""
    if person is not None:
        facts["person"] = person
        told = "人的信度为 {person:num3}。"
        figures.append(figure("人的信度", "{person:num3}"))
    report.lead(start + fits + whole, figures, **facts)
    half = "答对的机会是一半" if study.fit.kind == "rm" else "选相邻两级的机会相等"
    mark = "难度" if study.fit.kind == "rm" else "阈值"
    report.voices(
        [("先看拟合：不在范围内的题，先看题意，再决定修改或删除。"
          f"能力与{mark}用同一个单位：能力等于{mark}的人，{half}。" + told, {})],
        [(f"采用{SHORT[study.fit.kind]}模型（条件最大似然，*n* = {{n:integer}}），" + fits + whole + told, {})],
        [(start + fits + whole + told, {})], **facts,
    )  # fmt: skip


def _checks(report: Report, cls: type[Rasch], study: Study, people: People, odd: float) -> None:
    n = study.data.n
    if people.extreme > 0:
        report.warn("data.extreme", "{k:integer} 名被试得满分或零分，条件似然不含其信息，能力值用 WLE 外推。",
                    k=round(people.extreme))  # fmt: skip
    share = odd / max(n - people.extreme, 1)
    report.check(
        "被试拟合", "pass" if share <= 0.1 else "care",
        "{odd:integer} 人（{share:percent}）的回答与能力不符（z > 1.96）" + ("。" if share <= 0.1 else "，超过 10%。"),
        odd=round(odd), share=share,
        more=more("Rasch 模型预期难题答对的人易题也答对。", "infit 或 outfit 的 z 大于 1.96 的有 {odd:integer} 人。",
                  "比例约 2.5%–5% 是正常的；多了，说明有人乱答，或题目不止测一种能力。", 
                  "看“被试拟合”表，核对这些答卷。"),
    )  # fmt: skip
    report.check(
        "样本量", "care" if n < 200 else "pass",
        "{n:integer} 人" + ("，少于 200 人，难度和检验不稳。" if n < 200 else "。"), n=round(n),
    )  # fmt: skip
    if reversed_items := [
        row.cells["item"] for row in report.rows_of(cls.difficulty) if (row.cells["r"] or 0) < 0
    ]:  # fmt: skip
        report.warn("data.reversed", "点测相关为负：{which}。多半是反向题没有转换，或答案编反了。",
                    which=listed(reversed_items, 6))  # fmt: skip
