from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from hengxi.contract import (
    Block,
    Column,
    ColumnInfo,
    Form,
    Matrix,
    NextStep,
    Refusal,
    Report,
    Table,
    at_least,
    blocks,
    choice,
    confidence,
    figure,
    integer,
    interval,
    num,
    text,
)
from hengxi.families.factor import checks, tables
from hengxi.families.factor.base import Factored
from hengxi.families.factor.model import EXTRACTION_WORDS, Model, build_model
from hengxi.families.factor.words import RULES
from hengxi.families.sem import base
from hengxi.families.sem.blueprint import Blueprint, Factor
from hengxi.families.sem.ratios import ratios, resampled
from hengxi.families.sem.study import Study, gather, heywood, sample_of
from hengxi.stats import reliability
from hengxi.stats.moments import Floats
from hengxi.stats.names import listed, short

LOOSE_KMO = 0.6
REASON = "没有预设维度：把题项按维度分框后才有"


class Validity(Factored):
    """Exploratory factors of all items; a confirmatory model of the dimensions the user names."""

    title, title_en = "效度分析", "Construct validity (EFA based, with AVE/CR/HTMT)"
    slug = "validity"
    family, tier = "问卷研究", "standard"
    purpose = "量表题项是否按预期的维度聚合，结构效度、聚合效度与区分效度是否达标"
    aliases = ("结构效度", "KMO", "Bartlett", "聚合效度", "收敛效度", "区分效度", "AVE", "CR", "组合信度", "HTMT",
    "HTMT2",
               "Fornell-Larcker", "McDonald omega")  # fmt: skip
    references = (
        "kaiser1974", "bartlett1950", "horn1965", "velicer1976", "costello2005", "gorsuch1983", "zwick1986",
        "fornell1981",
        "henseler2015", "roemer2021", "mcdonald1999", "joreskog1969",
    )  # fmt: skip
    conventions = (
        "因子分析的做法与“因子分析（探索性）”相同；最小平均偏相关（MAP）按 Velicer（1976）的平方形式。",
        "AVE、CR 由验证性因子模型（最大似然，因子自由相关）的标准化载荷的绝对值计算，不用探索性因子的旋转载荷代替。",
        "α 由协方差矩阵计算；ω 为该维度单因子模型的 (Σλ)² / ((Σλ)² + Σψ)。",
        "HTMT 与 HTMT2 都用题项相关的绝对值，反向题不必先转换；HTMT2 用几何平均。",
        "HTMT 的区间为重抽答卷的百分位区间。",
        "只用全部题项都有回答的行。",
    )

    # An empty form is unfinished, not refused by a run.
    limits = (at_least(1, "items"),)

    class Input(Form):
        items: list[Block] = blocks(
            "量表题项（可按维度分框）", "定量", min=0, size=(2, None), names="维度{i}", loose=True,
            hint="有预设维度时每维一框；没有时全部放在一起",
        )  # fmt: skip
        extraction: str = choice(
            "提取方法", {"principal": "主成分法", "paf": "主轴因子", "ml": "最大似然", "minres": "最小残差"}
        )
        n_rule: str = choice(
            "因子数", {"kaiser": "特征根大于1", "fixed": "指定", "parallel": "平行分析", "map": "最小平均偏相关 MAP"}
        )
        n_factors: int = integer("固定因子数", 3, least=1, most=30, when={"n_rule": "fixed"})
        rotation: str = choice(
            "旋转",
            {"none": "不旋转", "varimax": "最大方差", "quartimax": "四次方最大", "promax": "Promax（κ = 4）",
             "oblimin": "直接斜交（δ = 0）"}, default="varimax",
        )  # fmt: skip
        matrix: str = choice(
            "相关矩阵", {"pearson": "Pearson", "spearman": "Spearman", "polychoric": "多分格相关"}, advanced=True,
            hint="只用于探索性因子；聚合与区分效度总用 Pearson 相关",
        )  # fmt: skip
        n_boot: int = integer("HTMT 区间的 Bootstrap 次数", 1000, least=200, most=10000, advanced=True)
        conf_level: float = confidence()

    placed = Table(
        "题项与预设维度", item=text("题项"), dimension=text("预设维度"), factor=text("归属的因子"),
        verdict=text("是否一致"),
        merge=("dimension",), place="main",
    )  # fmt: skip
    convergent = Table(
        "聚合效度", factor=text("维度"), items=integer("题项数"), least=num("最小标准化载荷", decimals=3),
        ave=num("AVE", decimals=3), cr=num("CR", decimals=3), alpha=num("Cronbach α", decimals=3),
        omega=num("McDonald ω", decimals=3), place="main",
    )  # fmt: skip
    discriminant = Table(
        "区分效度（Fornell-Larcker）", layout=Matrix(r=num("相关", decimals=3), show="lower", diagonal="√AVE"),
        place="main",
    )  # fmt: skip
    htmt = Table(
        "区分效度（HTMT）", pair=text("两个维度"), htmt=num("HTMT", least=0, decimals=3),
        ci=interval("CI", "low", "high", around="htmt", inside=False), htmt2=num("HTMT2", least=0, decimals=3),
        place="main",
    )  # fmt: skip
    confirmed = base.loading_table()
    fit = Table(
        "预设维度模型的拟合", n=integer("样本量"), chi2=num("χ²", least=0), df=integer("*df*"), cfi=num("CFI",
        decimals=3),
        tli=num("TLI", decimals=3), rmsea=num("RMSEA", least=0, decimals=3), srmr=num("SRMR", least=0, decimals=3),
        layout="record",
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{sum(len(block.columns) for block in form.items)} 个题项的效度"

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        return 0.3 + rows * columns * 1e-7 + columns**2 * 1e-3 + (form.get("n_boot") or 0) * rows * columns**2 * 2e-9

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        named = [block for block in form["items"] if block["id"] != "loose"]
        steps = [NextStep(title="看各量表的信度", method="descriptive/reliability", form={"items": form["items"]})]
        if named:
            steps.append(NextStep(title="完整的验证性因子分析", method="questionnaire/confirmatory_factor",
                                  form={"factors": named}))  # fmt: skip
        return steps

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        columns = [column for block in form.items for column in block.columns]
        if len(columns) < 3:
            raise Refusal("role.few", "至少需要3个题项，现在有 {k} 个，请增加题项", field="items", k=len(columns))
        model = build_model(_as_factoring(form, columns))
        tables.write_shared(report, cls, model)
        named = [block for block in form.items if block.name is not None]
        confirmed = cls._dimensions(report, form, columns, named, model) if named else None
        if confirmed is None:
            reason = REASON if not named else "验证性模型没有可用的解，见提示"
            absent = (cls.convergent, cls.discriminant, cls.htmt, cls.confirmed, cls.fit)
            for table in absent if named else (cls.placed, *absent):
                report.skip(table, reason)
        _words(report, form, model, confirmed)
        checks.report_all(report, model)
        return report

    @classmethod
    def _dimensions(
        cls, report: Report, form: Any, columns: list[Column], named: list[Block], model: Model
    ) -> dict[str, Any] | None:
        astray = cls._placed(report, columns, named, model)
        inside = [column for block in named for column in block.columns]
        factors = [Factor(block.id, block.name or "", [c.id for c in block.columns]) for block in named]
        try:
            values, scale = gather(inside, "items")
            sample = sample_of(inside, values, "items")
            names = {**base.column_titles(inside), **{factor.id: factor.name for factor in factors}}
            study = Study(Blueprint([c.id for c in inside], names, factors), [sample], scale)
        except Refusal as refusal:
            report.warn(
                "model.unconfirmed",
                "预设维度的验证性模型没有可用的解，没有聚合效度与区分效度。原因：{why}。",
                why=refusal.text,
            )
            return None
        base.write_loadings(report, cls.confirmed, study)
        found = study.indices
        report.row(cls.fit, n=found.n, chi2=found.chi2 if found.df else 0.0, df=found.df, cfi=found.cfi, tli=found.tli,
                   rmsea=found.rmsea, srmr=found.srmr)  # fmt: skip
        negative = heywood(study, report)
        rows = base.convergent(study)
        places: list[list[int]] = []
        start, without = 0, False
        for name, items, least, ave, cr in rows:
            inner = np.arange(start, start + items)
            places.append([int(i) for i in inner])
            start += items
            s = sample.s[np.ix_(inner, inner)]
            turned = _turned(s)
            omega = reliability.omega(turned, sample.n, 0.95)
            without = without or omega is None
            report.row(cls.convergent, factor=name, items=items, least=least, ave=ave, cr=cr,
                       alpha=reliability.alpha(turned * np.outer(scale.sizes[inner], scale.sizes[inner])),
                       omega=None if omega is None else omega.value)  # fmt: skip
        report.note(
            cls.convergent,
            "常用参考：标准化载荷 ≥ 0.5（最好 0.7），AVE ≥ 0.5，CR、α、ω ≥ 0.7。低于参考值不等于不能用，"
            "要看题项的内容。",
        )
        if without:
            report.note(cls.convergent, "没有 ω 的维度：不足 3 题，或单因子模型没有合理的解。")
        apart = cls._apart(report, form, study, rows, places)
        weak = [name for name, _, _, ave, _ in rows if ave < 0.5]
        return {"astray": astray, "weak": weak, "apart": apart, "heywood": negative, "dimensions": len(rows)}

    @classmethod
    def _placed(cls, report: Report, columns: list[Column], named: list[Block], model: Model) -> list[str]:
        """Items that do not go with the rest of their dimension, or whose dimension shares its factor with another."""
        place = {column.id: i for i, column in enumerate(columns)}
        homes = [Counter(int(model.main[place[c.id]]) for c in block.columns).most_common(1)[0][0] for block in named]
        shared = Counter(homes)
        astray = []
        for block, home in zip(named, homes, strict=True):
            for column in block.columns:
                i = place[column.id]
                verdict = "一致" if model.main[i] == home else "归到别的因子"
                if verdict == "一致" and shared[home] > 1:
                    verdict = "与别的维度同一因子"
                if verdict != "一致":
                    astray.append(model.names[i])
                report.row(cls.placed, item=model.names[i], dimension=block.name,
                           factor=model.factor_names[int(model.main[i])], verdict=verdict)  # fmt: skip
        return astray

    @classmethod
    def _apart(
        cls, report: Report, form: Any, study: Study, rows: Sequence[Any], places: list[list[int]]
    ) -> list[str] | None:
        if len(rows) < 2:
            for table in (cls.discriminant, cls.htmt):
                report.skip(table, "只有一个维度，没有区分效度")
            return None
        r = base.factor_correlations(study)
        sample = study.samples[0]
        spread = np.sqrt(np.diag(sample.s))
        whole = ratios(sample.s / np.outer(spread, spread), places)
        limits = resampled(sample.rows, places, form, (1 - form.conf_level) / 2)
        alike = []
        for i, (name, _, _, ave, _) in enumerate(rows):
            report.row(cls.discriminant, item=name, against=name, r=float(np.sqrt(ave)))
            for j in range(i):
                report.row(cls.discriminant, item=name, against=rows[j][0], r=float(r[i, j]))
                low, high = (None, None) if limits is None else (float(limits[0][i, j]), float(limits[1][i, j]))
                ratio = float(whole.plain[i, j])
                report.row(cls.htmt, pair=f"{rows[j][0]} — {name}", htmt=ratio, low=low, high=high,
                           htmt2=float(whole.geometric[i, j]))  # fmt: skip
                if abs(r[i, j]) >= np.sqrt(min(ave, rows[j][3])) or ratio > 0.85:
                    alike.append(f"“{rows[j][0]}”与“{name}”")
        report.note(cls.discriminant, "对角线是 √AVE，应大于同行同列的相关（Fornell-Larcker）。")
        told = (
            "CI 的置信水平为 {level:percent}，重抽 {times:integer} 次，种子 {seed:text}。"
            if limits
            else "Bootstrap 提前停止，没有区间。"
        )
        known = {"level": form.conf_level, "times": form.n_boot, "seed": str(form.seed)} if limits else {}
        report.note(
            cls.htmt,
            "HTMT 低于 0.85（宽松 0.90）、区间上限低于 1，说明两个维度能区分开（Henseler 等，2015）。" + told,
            **known,
        )
        return alike


def _as_factoring(form: Any, columns: list[Column]) -> Any:
    """What `build_model` reads."""
    return SimpleNamespace(
        items=columns, weight=None, extraction=form.extraction, rotation=form.rotation, n_rule=form.n_rule,
        n_factors=form.n_factors, matrix=form.matrix, suppress=0.0, save=False, rng=form.rng, seed=form.seed,
        progress=form.progress,
    )  # fmt: skip


def _turned(s: Floats) -> Floats:
    """The covariance matrix with items against the first axis turned, for α and ω."""
    spread = np.sqrt(np.diag(s))
    signs = np.ones(len(s))
    signs[reliability.against(s / np.outer(spread, spread))] = -1
    return s * np.outer(signs, signs)


def _words(report: Report, form: Any, model: Model, found: dict[str, Any] | None) -> None:
    fits = model.adequacy.kmo >= LOOSE_KMO and model.adequacy.p < 0.05
    facts: dict[str, Any] = {
        "items": model.p, "n": model.n, "kmo": model.adequacy.kmo, "p": model.adequacy.p, "m": model.m,
        "explained": model.explained, "chi2": model.adequacy.chi2, "df": model.adequacy.df,
    }  # fmt: skip
    start = "{items:integer} 个题项的 KMO = {kmo:num3}，Bartlett 检验 *p* {p:peq}，"
    start += "适合因子分析。" if fits else "不适合因子分析，载荷不作解读。"
    told = [start]
    if fits:
        told.append(
            f"提取 {{m:integer}} 个{model.thing}（{EXTRACTION_WORDS[form.extraction]}，{RULES[form.n_rule]}），"
            f"解释总方差的 {{explained:percent1}}。"
        )
    if found is not None and fits:
        names = short(found["astray"])
        told.append(
            "题项的归属与预设维度一致。" if not names else "{k:integer} 个题项的归属与预设维度不一致：{astray}。"
        )
        facts |= {"k": len(names), "astray": listed(names, 4)} if names else {}
    if found is not None:
        if found["heywood"]:
            told.append("验证性模型有负的方差（Heywood 现象），AVE 与 CR 不可解读。")
        else:
            told.append(
                "聚合效度：各维度的 AVE 都不低于 0.5。" if not found["weak"] else "聚合效度不足（AVE < 0.5）：{weak}。"
            )
            facts |= {"weak": "".join(f"“{w}”" for w in found["weak"])} if found["weak"] else {}
        if found["apart"] is not None:
            told.append("各维度能区分开。" if not found["apart"] else "区分不开的维度：{apart}。")
            facts |= {"apart": "；".join(found["apart"])} if found["apart"] else {}
    figures = [
        figure("KMO", "{kmo:num3}", "≥ 0.6 可作因子分析"), figure("解释的方差", "{explained:percent1}",
        f"{model.m} 个{model.thing}"),
    ]  # fmt: skip
    report.lead("".join(told), figures, **facts)
    student = (
        "效度说明题项测到的是不是同一件事、不同维度能不能分开，不说明量表测的就是您想测的概念；各界限是参考，不是判决。"
    )
    if found is not None:
        student += "探索性和验证性分析用了同一批答卷，要确认结构，请换一批答卷再验证。"
    report.voices(
        [(student, {})],
        [("对 {items:integer} 个题项（*n* = {n:integer}）作因子分析：KMO = {kmo:num3}，"
        "Bartlett χ²({df:integer}) = {chi2:num2}，"
          "*p* {p:peq}。" + "".join(told[1:]), {})],
        [("".join(told), {})], **facts,
    )  # fmt: skip
