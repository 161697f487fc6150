from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Method,
    NewColumns,
    NextStep,
    Points,
    Refusal,
    Report,
    Row,
    SetRemedy,
    StepRemedy,
    Table,
    choice,
    figure,
    flag,
    integer,
    interval,
    num,
    number,
    percent,
    role,
    settings,
    text,
    weight,
    words,
)
from hengxi.stats.histogram import histogram
from hengxi.stats.moments import Floats
from hengxi.stats.names import level_words
from hengxi.stats.raking import Margin, calibrated, kish, raked, trimmed, weighted_mean

METHODS = {"cell": "单元加权（事后分层）", "raking": "Raking（迭代比例拟合）", "linear_calibration": "线性校准"}
Z = float(special.ndtri(0.975))
SETTLED = 1e-10
"""Largest relative difference of a margin from its target that is still called convergence."""


@dataclass(frozen=True)
class Wanted:
    column: Column
    levels: list[str]
    totals: Floats


class RakingWeight(Method):
    """Weights that give the sample the margins of the population, what they cost, and what they change."""

    title, title_en = "样本加权(Raking)", "Survey weighting (raking / post-stratification)"
    family, tier = "问卷研究", "member"
    purpose = "样本结构与总体不一致时，每份问卷应加多大的权重？"
    aliases = ("加权", "raking", "迭代比例拟合", "事后分层", "校准加权", "IPF", "样本代表性")
    references = ("deming1940", "deville1992", "kish1965", "lumley2010")
    conventions = (
        "Raking：轮流调整每个控制变量的边际，直到全部边际的相对偏差小于 10⁻¹⁰。",
        "线性校准：w = d(1 + x′λ)，与广义回归估计相同，可能出现负权重。",
        "总体分布填比例时，权重之和等于样本量（均值 1）；填人数时，权重之和等于总体人数。",
        "截断：超过上限的取上限，多出的按比例分给其余各份，重复到没有超过的；截断后边际不再完全相等。",
        "设计效应（Kish）= 1 + CV²，CV 的方差以 n 为分母；有效样本量 = n ÷ 设计效应。",
        "加权后的标准误：目标变量对控制变量按设计权重回归，取残差线性化（与 R 的 survey 相同）；区间取正态。",
        "控制变量或设计权重缺失、设计权重为 0 的行没有权重；目标变量缺失只影响它自己。",
    )
    missing = "keep"
    split = False

    class Input(Form):
        margins: list[Column] = role("控制变量", "定类", min=1, max=8, levels=(2, 50))
        base_weight: Column | None = weight("设计权重（选填）", kind="sampling")
        targets: list[Column] = role("目标变量（加权前后比较）", "任意", min=0, max=20)
        method: str = choice("方法", METHODS, default="raking")
        population: list[Row] = settings(
            "总体边际分布", of="margins", by="column",
            shares=words("各类别的比例或人数", None, longest=2000, auto="必填", hint="如 男=48.8；女=51.2"),
        )  # fmt: skip
        cap: bool = flag("截断过大的权重", True)
        trim: float = number("权重截断（倍均值）", 5, least=1.5, most=20, when={"cap": True})
        max_iter: int = integer("最大迭代", 100, least=1, most=10_000, when={"method": "raking"})
        save_weight: bool = flag("生成权重列", True)

    run_of = Table(
        "收敛信息", method=text("方法"), n=integer("参与加权的份数"), steps=integer("迭代次数"),
        apart=num("最大边际偏差", least=0), whole=num("权重之和"), place="detail",
    )  # fmt: skip
    compared = Table(
        "边际对照", name=text("变量"), level=text("类别"), n=integer("*n*"), sample=percent("样本"),
        population=percent("总体"), weighted=percent("加权后", least=None, most=None), merge=("name",), place="main",
    )  # fmt: skip
    diagnosis = Table(
        "权重诊断", least=num("最小"), most=num("最大"), cv=num("CV", least=0), deff=num("设计效应", least=0),
        effective=num("有效样本量", least=0), trimmed=integer("截断份数"), place="main",
    )  # fmt: skip
    changed = Table(
        "目标变量加权前后", name=text("变量"), level=text("类别"), n=integer("*n*"), before=num("加权前"),
        before_se=num("标准误", least=0), after=num("加权后"), after_se=num("标准误（加权后）", least=0),
        ci=interval("加权后 95% CI", "low", "high"), merge=("name",), place="main",
    )  # fmt: skip
    bins = Points("权重分布", low=num("下限"), high=num("上限"), n=integer("频数"))
    plot = Chart("权重直方图", "histogram", of=bins, low="low", high="high", count="n", place="main")
    bars = Points("边际", level=text("类别"), kind=text("来源"), share=num("占比"))
    margin_plot = Chart("边际对照图", "bar", of=bars, x="level", y="share", series="kind", place="main")
    saved = NewColumns("权重列", when={"save_weight": True})

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        return [NextStep(title="要多少份才够", method="questionnaire/survey_sample_size", form={})]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        used, base = cls._rows(form)
        if form.method == "cell" and len(form.margins) > 1:
            raise Refusal(
                "role.many", "单元加权要交叉后的总体分布：请先把控制变量合成一个变量（如 性别×年龄），或改用 Raking",
                field="method", also=["margins"], remedies=[SetRemedy(title="改用 Raking", set={"method": "raking"})],
            )  # fmt: skip
        wanted, counts = cls._wanted(form, used)
        total = float(wanted[0].totals.sum()) if counts else float(base.sum())
        margins = [Margin(cls._places(one, used), one.totals / one.totals.sum() * total) for one in wanted]
        made, steps = raked(base, margins, form.max_iter or 1, SETTLED)
        if form.method == "linear_calibration":
            made, steps = calibrated(base, margins), 1
        scale = 1.0 if counts else used.sum() / total
        if (made <= 0).any():
            cls._negative(report, made)
        cut = 0
        if form.cap:
            made, cut = trimmed(made, form.trim)
        final = made * scale
        cls._tell_run(report, form, margins, made, steps, final, cut)
        cls._compare(report, wanted, margins, base, made, used)
        cls._targets(report, form, margins, base, made, used)
        found = histogram(final)
        report.add_rows(cls.bins, {"low": found.edges[:-1], "high": found.edges[1:], "n": found.counts})
        if form.save_weight:
            column = np.full(used.size, np.nan)
            column[used] = final
            report.columns(cls.saved, {"加权权重": column})
        report.used(int(used.sum()))
        apart = max(margin.apart(made) for margin in margins)
        cls._say(report, form, used, final, cut, apart)
        return report

    # ---- what is asked ---------------------------------------------------------------------------------------------
    @classmethod
    def _rows(cls, form: Any) -> tuple[Any, Floats]:
        used = np.ones(len(form.margins[0]), dtype=bool)
        for column in form.margins:
            used &= column.codes >= 0
        base = np.ones(used.size)
        if form.base_weight is not None:
            base = form.base_weight.numbers
            used &= np.isfinite(base) & (base > 0)
        if used.sum() < 2:
            raise Refusal("data.few", "控制变量都有值的行不足 2 行，不能加权", field="margins", also=["base_weight"])
        return used, base[used]

    @classmethod
    def _wanted(cls, form: Any, used: Any) -> tuple[list[Wanted], bool]:
        rows = {row.column.id: row.shares for row in form.population}
        found = [cls._one(column, rows.get(column.id), used) for column in form.margins]
        sums = [float(one.totals.sum()) for one in found]
        if all(abs(one - 100) <= 0.5 for one in sums) or all(abs(one - 1) <= 0.005 for one in sums):
            return found, False
        if max(sums) - min(sums) > 1e-6 * max(sums):
            raise Refusal(
                "data.sums", "各控制变量的总体合计不同（如 {a} 与 {b}），请统一；填比例时每个变量合计应为 100 或 1",
                field="population", a=f"{max(sums):g}", b=f"{min(sums):g}",
            )  # fmt: skip
        return found, True

    @classmethod
    def _one(cls, column: Column, told: str | None, used: Any) -> Wanted:
        if not told or not told.strip():
            raise Refusal(
                "settings.required",
                "请填写“{v}”的总体分布，如 {a}=48.8；{b}=51.2",
                field="population",
                column=column.id,
                v=column.title,
                a=column.levels[0].label,
                b=column.levels[-1].label,
            )
        labels = level_words(column.levels)
        names = {label: i for i, label in enumerate(labels)} | {
            str(level.value): i for i, level in enumerate(column.levels) if str(level.value) not in labels
        }  # fmt: skip
        given: dict[int, float] = {}
        for part in re.split(r"[；;，,\n]+", told):
            if not part.strip():
                continue
            found = re.fullmatch(r"\s*(.+?)\s*[=＝:：]\s*([0-9.]+(?:[eE][+-]?\d+)?)\s*[%％]?\s*", part)
            value = cls._number(found[2]) if found else None
            if found is None or value is None:
                raise Refusal(
                    "settings.row", "“{v}”的总体分布里“{part}”读不懂，请写成 类别=数值，用分号隔开", field="population",
                    column=column.id, v=column.title, part=part.strip()[:40],
                )  # fmt: skip
            place = names.get(found[1])
            present = place is not None and bool((column.codes[used] == place).any())
            if not present and value > 0:
                raise Refusal(
                    "data.absent", "“{v}”的类别“{level}”样本为 0，无法加权，请合并类别，或核对写法", field="population",
                    column=column.id, v=column.title, level=found[1],
                    remedies=[StepRemedy(title="合并类别", step="data_processing/value_coding", columns=[column.id])],
                )  # fmt: skip
            if place is not None and present:
                given[place] = value
        for place in np.unique(column.codes[used]):
            if given.get(int(place), 0.0) <= 0:
                raise Refusal(
                    "data.margin",
                    "“{v}”的总体分布中缺少“{level}”（或为 0），请补上",
                    field="population",
                    column=column.id,
                    v=column.title,
                    level=labels[int(place)],
                )
        order = sorted(given)
        return Wanted(column, [labels[i] for i in order], np.array([given[i] for i in order]))

    @staticmethod
    def _number(cell: str) -> float | None:
        try:
            value = float(cell)
        except ValueError:
            return None
        return value if np.isfinite(value) and value < 1e15 else None

    @classmethod
    def _places(cls, one: Wanted, used: Any) -> Any:
        _, place = np.unique(one.column.codes[used], return_inverse=True)
        return place

    # ---- what was found --------------------------------------------------------------------------------------------
    @classmethod
    def _negative(cls, report: Report, made: Floats) -> None:
        report.warn(
            "data.negative",
            "线性校准给出 {k:integer} 个不大于 0 的权重，请改用 Raking，或合并类别。",
            k=int((made <= 0).sum()),
        )

    @classmethod
    def _tell_run(
        cls, report: Report, form: Any, margins: list[Margin], made: Floats, steps: int, final: Floats, cut: int
    ) -> None:
        apart = max(float(margin.apart(made)) for margin in margins)
        report.row(
            cls.run_of, method=METHODS[form.method], n=made.size, steps=steps, apart=apart, whole=float(final.sum())
        )  # fmt: skip
        if cut:
            report.note(cls.run_of, "边际偏差来自截断；放宽“权重截断”可以减小。")
        settled = cut > 0 or apart <= 1e-6
        told = (
            "加权的迭代已经收敛。"
            if settled
            else "没有收敛，最大边际偏差 {a:percent1}。类别的组合太稀时会这样，请合并类别，或加大“最大迭代”。"
        )
        facts: dict[str, Any] = {} if settled else {"a": apart}
        report.check("收敛", "pass" if settled else "fail", told, **facts)
        _, deff = kish(final)
        report.row(
            cls.diagnosis, least=float(final.min()), most=float(final.max()), cv=float(np.sqrt(deff - 1)), deff=deff,
            effective=final.size / deff, trimmed=cut,
        )  # fmt: skip

    @classmethod
    def _compare(
        cls, report: Report, wanted: list[Wanted], margins: list[Margin], base: Floats, made: Floats, used: Any
    ) -> None:
        for one, margin in zip(wanted, margins, strict=True):
            counts = np.bincount(margin.place, minlength=len(one.levels))
            after = margin.sums(made) / made.sum()
            before = margin.sums(base) / base.sum()
            target = one.totals / one.totals.sum()
            for i, level in enumerate(one.levels):
                report.row(
                    cls.compared, name=one.column.title, level=level, n=int(counts[i]), sample=float(before[i]),
                    population=float(target[i]), weighted=float(after[i]),
                )  # fmt: skip
                shown = f"{one.column.title}：{level}" if len(wanted) > 1 else level
                for kind, share in (("样本", before[i]), ("总体", target[i]), ("加权后", after[i])):
                    report.row(cls.bars, level=shown, kind=kind, share=float(share))
        if (base != base[0]).any():
            report.note(cls.compared, "“样本”一列按设计权重计算。")

    @classmethod
    def _targets(cls, report: Report, form: Any, margins: list[Margin], base: Floats, made: Floats, used: Any) -> None:
        if not form.targets:
            report.skip(cls.changed, "没有放入目标变量")
            return
        for column in form.targets:
            if column.is_number and not column.is_categorical:
                series = [("均值", column.numbers[used])]
            else:
                codes = column.codes[used]
                known = codes >= 0
                labels = level_words(column.levels)
                series = [
                    (labels[i], np.where(known, (codes == i).astype(float), np.nan))
                    for i in np.unique(codes[known])[:30]
                ]
            for level, y in series:
                held = np.isfinite(y)
                if held.sum() < 2:
                    continue
                before = weighted_mean(y, base, None, base)
                after = weighted_mean(y, made, margins, base)
                report.row(
                    cls.changed,
                    name=column.title,
                    level=level,
                    n=int(held.sum()),
                    before=before[0],
                    before_se=before[1],
                    after=after[0],
                    after_se=after[1],
                    low=after[0] - Z * after[1],
                    high=after[0] + Z * after[1],
                )
        report.note(cls.changed, "定类变量是各类别的比例，定量变量是均值。")

    @classmethod
    def _say(cls, report: Report, form: Any, used: Any, final: Floats, cut: int, apart: float) -> None:
        _, deff = kish(final)
        facts: dict[str, Any] = {
            "n": final.size, "effective": final.size / deff, "least": float(final.min()), "most": float(final.max()),
            "deff": deff, "near": "一致" if apart <= 1e-6 else "接近，但不相等",
        }  # fmt: skip
        report.lead(
            "{n:integer} 份问卷加权后，结构与总体{near:text}。权重从 {least:num} 到 {most:num}，"
            "精度相当于 {effective:integer1} 份简单随机样本。".replace(":integer1", ":num0"),
            [figure("有效样本量", "{effective:num0}"), figure("设计效应", "{deff:num}")], **facts,
        )  # fmt: skip
        if deff > 2:
            report.say(
                "设计效应 {deff:num}，超过 2：少数问卷代表了很多人，估计不稳。请合并类别，或收紧权重截断。", **facts
            )
        if cut:
            report.say("有 {cut:integer} 份的权重被截断，加权后的边际与总体略有差别，见边际对照。", cut=cut)
        lost = int(used.size - final.size)
        if lost:
            report.warn("data.gaps", "有 {lost:integer} 行缺控制变量或设计权重，没有权重。", lost=lost)
        report.say("加权只修正所选的控制变量。愿意答卷的人与不愿意的人在别的方面不同时，加权不能消除偏差。")
