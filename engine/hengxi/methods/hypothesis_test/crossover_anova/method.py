from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import special

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Form,
    Level,
    Method,
    NextStep,
    Points,
    Reference,
    Refusal,
    Report,
    Silent,
    Table,
    claim,
    confidence,
    figure,
    flag,
    integer,
    interval,
    level,
    num,
    numbers,
    percent,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.methods.hypothesis_test._shared.finding import INDEPENDENT
from hengxi.stats.crossover import Confounded, Crossover, Source
from hengxi.stats.moments import Floats, moments
from hengxi.stats.names import level_words, unit_of, unit_words, with_unit
from hengxi.stats.normality import normality

MOST = 20
LINES = 40
CARRY = 0.10
"""Level at which a carryover is looked at: its test between subjects is weak (Grizzle 1965)."""


class CrossoverAnova(Method):
    """Each subject gets the treatments one after the other: treatments within subjects, beside periods."""

    title, title_en = "交叉设计方差分析", "Crossover design ANOVA"
    family, tier = "方差分析", "member"
    rescaled = (("y",),)
    purpose = "扣除周期与个体后，处理间是否有差异、有无残留效应"
    aliases = (
        "交叉试验",
        "2×2交叉设计",
        "生物等效性",
        "残留效应",
        "自身交叉对照",
        "Williams设计",
        "crossover",
        "bioequivalence",
    )
    references = ("jones2014", "grizzle1965", "schuirmann1987")
    conventions = (
        "模型：顺序、个体（顺序之内，固定）、周期、处理；周期与处理互相扣除（类型III），用个体内误差检验。",
        "顺序用个体（顺序之内）的均方检验，不扣除处理；两种顺序两个周期时它就是残留效应的检验。",
        "周期或处理更多时，残留效应是前一周期的处理，作为因素加入模型检验；主表不含它。",
        "最小二乘均值：各顺序同等看待；标准误只含个体内误差。",
        "生物等效：比值的 90% CI 完全落在界内（等于两个单侧 5% 检验）；个体内 CV = √(exp(MSE) − 1)。",
        "缺少任一周期的个体整个剔除。",
    )
    missing = "keep"
    min_rows = 4

    class Input(Form):
        y: Column = role("因变量Y", "定量")
        subject: Column = role("个体", "任意", use="id")
        sequence: Column = role("顺序组", "定类", levels=(2, MOST))
        period: Column = role("周期", "定类", levels=(2, MOST))
        treatment: Column = role("处理", "定类", levels=(2, MOST))
        reference: Level | None = level("参比处理", of="treatment", auto="last", hint="其余各处理都与它比较")
        log_transform: bool = flag("对数变换（生物等效）", False)
        carryover: bool = flag("检验残留效应", True)
        be_limits: list[float] = numbers(
            "生物等效界（%）", (80, 125), min=2, max=2, above=0, increasing=True, when={"log_transform": True}
        )
        conf_level: float = confidence()

    anova = Table(
        "方差分析", source=text("差异来源"), ss=num("平方和", least=0), df=num("*df*1"), df_error=num("*df*2"),
        ms=num("均方", least=0), F=num("*F*", least=0), p=pvalue(), error=text("检验用的误差"), place="main",
        claim=claim("named", stat("*F*", "F", "df", "df_error"), names=("source",), outcome="y"),
    )  # fmt: skip
    means = Table(
        "处理的最小二乘均值", treatment=text("处理"), n=integer("*n*"), mean=num("估计均值"),
        se=num("标准误", least=0), ci=interval("CI", "low", "high", around="mean"), place="main",
    )  # fmt: skip
    differences = Table(
        "处理之差", first=text("处理"), second=text("参比"), difference=num("差值", stars="p"),
        se=num("标准误", least=0), t=num("*t*"), df=num("*df*"), p=pvalue(),
        ci=interval("CI", "low", "high", around="difference"),
        ninety=interval("90% CI", "low90", "high90", around="difference"), place="main",
        claim=claim("pair", stat("*t*", "t", "df"), first="first", second="second", outcome="y"),
    )  # fmt: skip
    ratios = Table(
        "几何均值比与生物等效", first=text("处理"), second=text("参比"), ratio=percent("比值", most=None),
        ninety=interval("90% CI（%）", "low", "high", inside=False), verdict=text("与界限"),
        when={"log_transform": True}, place="main",
    )  # fmt: skip
    variation = Table(
        "个体内变异", layout="record", subjects=integer("个体数"), mse=num("个体内误差均方", least=0),
        cv=percent("个体内 CV", most=None),
    )  # fmt: skip
    carry = Table(
        "残留效应", test=text("检验"), F=num("*F*", least=0), df1=num("*df*1"), df2=num("*df*2"), p=pvalue(),
        when={"carryover": True}, claim=Silent("told by its check"),
    )  # fmt: skip
    cells = Table(
        "各顺序各周期", sequence=text("顺序"), period=text("周期"), treatment=text("处理"), n=integer("*n*"),
        mean=num("均值"), sd=num("标准差", least=0),
    )  # fmt: skip
    bars = Points("处理之差的点", label=text("比较"), y=num("差值"), low=num("下限"), high=num("上限"))
    plot = Chart(
        "处理之差与置信区间", "interval", of=bars, x="label", y="y", low="low", high="high", over=[Reference(y=0)],
        place="main",
    )  # fmt: skip
    profile = Points("顺序与周期", x=text("周期"), series=text("顺序"), y=num("均值"))
    profile_plot = Chart("各顺序的周期均值", "line", of=profile, x="x", y="y", series="series", place="main")
    paths = Points("个体", subject=text("个体"), x=text("处理"), y=num("取值"))
    path_plot = Chart("个体在各处理下的值", "line", of=paths, x="x", y="y", series="subject", place="detail")

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{form.y.title}的交叉设计方差分析"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        return [
            NextStep(title="看因变量的分布（正态性检验）", method="descriptive/normality_test",
                     form={"variables": [form["y"]]}),
        ]  # fmt: skip

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        data = Data(report, form)
        values = data.values
        if form.log_transform:
            values = np.log(values)
        try:
            model = Crossover(values, data.treatment, data.sequence)
        except Confounded:
            raise Refusal(
                "data.collinear", "处理与周期完全混杂，无法分离，请核对“{t}”和“{p}”两列", field="treatment",
                also=["period"], t=form.treatment.title, p=form.period.title,
            ) from None  # fmt: skip
        if model.df < 1 or model.n - model.groups.size < 1:
            raise Refusal("data.few", "没有剩余的误差自由度，请增加个体", field="subject")
        whole = float(((values - values.mean()) ** 2).sum())
        if whole <= 0 or model.error <= 1e-22 * whole:
            raise Refusal(
                "data.constant", "“{y}”的个体内误差为 0（没有变异或被模型完全解释），F 值无定义，请核对数据", field="y",
                column=form.y.id, y=form.y.title,
            )  # fmt: skip
        cls._anova(report, model, data)
        cls._cells(report, model, data)
        made = cls._differences(report, model, data, form)
        cls._variation(report, model, form)
        cls._draw(report, data, form)
        cls._say(report, model, data, form, made)
        cls._checks(report, model, form)
        return report

    # ---- tables ----------------------------------------------------------------------------------------------------
    @classmethod
    def _anova(cls, report: Report, model: Crossover, data: Data) -> None:
        def put(name: str, one: Source, error: str | None) -> None:
            report.row(
                cls.anova, source=name, ss=one.ss, df=one.df, df_error=one.df_error if one.F is not None else None,
                ms=one.ss / one.df if one.df else None, F=one.F, p=one.p, error=error,
            )  # fmt: skip

        put(data.names["sequence"], model.sequences, "个体")
        put(f"{data.names['subject']}（顺序之内）", model.subjects, "个体内误差")
        put(data.names["period"], model.period, "个体内误差")
        put(data.names["treatment"], model.treated, "个体内误差")
        put("个体内误差", Source(model.error, model.df), None)

    @classmethod
    def _cells(cls, report: Report, model: Crossover, data: Data) -> None:
        for g, sequence in enumerate(data.sequences):
            rows = model.sequence == g
            for p, period in enumerate(data.periods):
                x = data.values[rows, p]
                given = sorted({data.treatments[t] for t in model.treatment[rows, p]})
                report.row(
                    cls.cells, sequence=sequence, period=period, treatment="、".join(given), n=x.size,
                    mean=float(x.mean()), sd=float(x.std(ddof=1)) if x.size > 1 else None,
                )  # fmt: skip
                report.row(cls.profile, x=period, series=sequence, y=float(x.mean()))
        report.chart(cls.profile_plot, titles={"x": data.names["period"], "y": data.axis})

    @classmethod
    def _differences(cls, report: Report, model: Crossover, data: Data, form: Any) -> list[dict[str, Any]]:
        reach, ninety = (float(-special.stdtrit(model.df, (1 - one) / 2)) for one in (form.conf_level, 0.9))
        for t, name in enumerate(data.treatments):
            mean, se = model.mean(t)
            report.row(
                cls.means, treatment=name, n=int((model.treatment == t).sum()), mean=mean, se=se,
                low=mean - reach * se, high=mean + reach * se,
            )  # fmt: skip
        if form.log_transform:
            report.note(cls.means, "均值和差值都是自然对数的。")
        made: list[dict[str, Any]] = []
        for t, name in enumerate(data.treatments):
            if t == data.reference:
                continue
            value, se = model.difference(t, data.reference)
            p = min(1.0, 2 * float(special.stdtr(model.df, -abs(value / se))))
            t_value = value / se
            report.row(
                cls.differences, first=name, second=data.treatments[data.reference], difference=value, se=se,
                t=t_value, df=model.df, p=p, low=value - reach * se, high=value + reach * se,
                low90=value - ninety * se, high90=value + ninety * se,
            )  # fmt: skip
            report.row(cls.bars, label=name, y=value, low=value - reach * se, high=value + reach * se)
            one = {"name": name, "d": value, "p": p, "low": value - reach * se, "high": value + reach * se}
            if form.log_transform:
                low, high = (float(np.exp(value + sign * ninety * se)) for sign in (-1, 1))
                least, most = (bound / 100 for bound in form.be_limits)
                inside = least <= low and high <= most
                outside = high < least or low > most
                verdict = "在界内" if inside else "在界外" if outside else "跨出界限"
                report.row(
                    cls.ratios, first=name, second=data.treatments[data.reference], ratio=float(np.exp(value)),
                    low=low * 100, high=high * 100, verdict=verdict,
                )  # fmt: skip
                one |= {"ratio": float(np.exp(value)), "low90": low * 100, "high90": high * 100, "verdict": verdict}
            made.append(one)
        more = "有三个以上处理时各 *p* 没有校正。" if len(data.treatments) > 2 else ""
        report.note(
            cls.differences, "差值 = 处理 − 参比，已扣除个体和周期。" + more + "CI 的置信水平为 {level:percent}。",
            level=form.conf_level,
        )  # fmt: skip
        report.chart(cls.plot, titles={"y": f"与“{data.treatments[data.reference]}”之差"})
        return made

    @classmethod
    def _variation(cls, report: Report, model: Crossover, form: Any) -> None:
        mse = model.error / model.df
        cv = float(np.sqrt(np.expm1(mse))) if form.log_transform else None
        middle = float(model.y.mean())
        if not form.log_transform and float(model.y.min()) > 0:
            cv = float(np.sqrt(mse)) / middle
        report.row(cls.variation, subjects=model.n, mse=mse, cv=cv)
        if cv is None:
            report.note(cls.variation, "因变量有 0 或负数，不给变异系数。")

    @classmethod
    def _draw(cls, report: Report, data: Data, form: Any) -> None:
        n = len(data.values)
        shown = range(0, n, max(1, -(-n // LINES)))
        for i in shown:
            for t, name in enumerate(data.treatments):
                x = data.values[i, data.treatment[i] == t]
                if x.size:
                    report.row(cls.paths, subject=data.subjects[i], x=name, y=float(x.mean()))
        report.chart(
            cls.path_plot, titles={"x": data.names["treatment"], "y": data.axis},
            thinned=(len(shown), n) if len(shown) < n else None,
        )  # fmt: skip

    # ---- sentences -------------------------------------------------------------------------------------------------
    @classmethod
    def _say(cls, report: Report, model: Crossover, data: Data, form: Any, made: list[dict[str, Any]]) -> None:
        treated = model.treated
        shown = treated.p is not None and treated.p < 1 - form.conf_level
        facts: dict[str, Any] = {
            "y": form.y.title, "unit": "" if form.log_transform else data.unit, "ref": data.treatments[data.reference],
            "pt": treated.p, "Ft": treated.F, "df1": treated.df, "df2": treated.df_error, "t": data.names["treatment"],
        }  # fmt: skip
        verdict = "各处理的“{y}”差异有统计学意义" if shown else "各处理的“{y}”没有发现明显差异"
        lead = verdict + "（*p* {pt:peq}，已扣除个体和周期）"
        told = []
        for i, one in enumerate(made[:3]):
            facts |= {f"n{i}": one["name"], f"d{i}": one["d"], f"l{i}": one["low"], f"h{i}": one["high"]}
            if form.log_transform:
                facts |= {f"r{i}": one["ratio"], f"l{i}": one["low90"], f"h{i}": one["high90"]}
                word = {"在界内": "生物等效", "在界外": "不等效", "跨出界限": "不能说等效"}[one["verdict"]]
                told.append(
                    f"“{{n{i}}}”对“{{ref}}”的几何均值比为 {{r{i}:percent1}}"
                    f"（90% CI {{l{i}:num}}% 到 {{h{i}:num}}%），{word}"
                )
            else:
                told.append(
                    f"“{{n{i}}}”减“{{ref}}”为 {{d{i}:num}}{{unit}}（{{level:percent}} CI {{l{i}:num}} 到 {{h{i}:num}}）"
                )
        facts |= {} if form.log_transform else {"level": form.conf_level}
        lead += "；" + "；".join(told) + "。"
        figures = [figure(data.names["treatment"], "*p* {pt:peq}", "*F*({df1:integer}, {df2:integer}) = {Ft:num}")]
        report.lead(lead, figures, **{k: v for k, v in facts.items() if k != "t"})
        report.say(
            "每名个体都用过各种处理，自己与自己比，个体之间的差别不进入误差。"
            "先看残留效应：前一种处理的作用要是还在，处理的比较就不干净。再看处理之差和它的区间。"
            + ("" if shown else "没有发现差异不等于没有差异。"), voice="student",
        )  # fmt: skip
        period = model.period
        ending = "差异有统计学意义" if shown else "差异无统计学意义"
        logged = "对数变换后" if form.log_transform else ""
        report.say(
            f"采用交叉设计方差分析（{{n:integer}} 名个体，{{k:integer}} 个周期）{logged}比较各处理的“{{y}}”，{ending}，"
            "*F*({df1:integer}, {df2:integer}) = {Ft:num}，*p* {pt:peq}；周期效应 *p* {pp:peq}。"
            + "；".join(told) + "。" + INDEPENDENT.replace("各行数据", "各名个体"), voice="paper", n=model.n, k=model.k,
            pp=period.p, **facts,
        )  # fmt: skip
        report.say(lead, voice="brief", **facts)

    @classmethod
    def _checks(cls, report: Report, model: Crossover, form: Any) -> None:
        if form.carryover:
            cls._carry(report, model)
        residuals = model.residuals
        if model.k == 2:
            # Of two periods the residuals of a subject are the same number twice, with opposite signs.
            residuals = residuals[::2]
        shape, test = moments(residuals), normality(residuals)
        bad = test is not None and test.p < 0.05
        severe = bad and (model.n < 30 or abs(shape.skewness or 0) > 2)
        ending = "近似正态。" if not bad else (
            "不太正态，*p* 和区间可能不准；取值都大于 0 时可试对数变换。" if severe
            else "不太正态；个体不少，影响不大。"
        )  # fmt: skip
        report.check(
            "残差正态性", "unknown" if test is None else "fail" if severe else "care" if bad else "pass",
            ("{name} *p* {p:peq}，" if test else "不做检验（个体过少或过多），") + "偏度 {skew:num}。" + ending,
            name=test.name if test else "", p=test.p if test else None, skew=shape.skewness or 0.0,
        )  # fmt: skip
        least, most = int(model.groups.min()), int(model.groups.max())
        report.check(
            "各顺序的人数", "care" if least < 3 else "pass",
            "{k:integer} 种顺序，每种 {least:integer}" + (" 人。" if least == most else " 到 {most:integer} 人。")
            + ("人数很少，残留效应很难查出。" if least < 3 else ""), k=model.groups.size, least=least, most=most,
        )  # fmt: skip

    @classmethod
    def _carry(cls, report: Report, model: Crossover) -> None:
        found = model.carryover()
        name, one = (
            ("前一周期的处理（个体内）", found) if found is not None else ("顺序组之差（个体间）", model.sequences)
        )
        if one.F is None or one.p is None:
            report.skip(cls.carry, "个体之间没有变异，残留效应检验不了")
            return
        report.row(cls.carry, test=name, F=one.F, df1=one.df, df2=one.df_error, p=one.p)
        bad = one.p < CARRY
        ending = "没有发现残留效应（这一检验较弱，按 .10 判断）。"
        if bad:
            ending = "可能有残留效应，处理的比较会有偏差；请核对洗脱期是否够长。"
            if found is None:
                ending = "可能有残留效应（或两组人本来就不同），处理的比较会有偏差；请核对洗脱期是否够长。"
        report.check(
            "残留效应", "care" if bad else "pass",
            "{name}：*F*({df1:integer}, {df2:integer}) = {F:num}，*p* {p:peq}。" + ending, name=name, F=one.F,
            df1=one.df, df2=one.df_error, p=one.p,
        )  # fmt: skip


class Data:
    """One row a subject, one column a period, from one row a measurement."""

    def __init__(self, report: Report, form: Any) -> None:
        boxes = (form.subject, form.sequence, form.period, form.treatment)
        y = form.y.numbers
        held = np.isfinite(y) & np.all([one.codes >= 0 for one in boxes], axis=0)
        if held.sum() < 4:
            raise Refusal("data.few", "有效记录不足 4 条，请核对数据", field="y", n=int(held.sum()))
        if form.log_transform and (y[held] <= 0).any():
            raise Refusal(
                "data.range", "“{v}”含小于等于0的值，不能取对数；请去掉这些记录或不做对数变换", field="y",
                column=form.y.id, v=form.y.title,
            )  # fmt: skip
        reach = float(np.abs(y[held]).max())
        if reach > 1e150 or 0 < reach < 1e-150:
            raise Refusal(
                "data.magnitude", "“{y}”的数值过大或过小，请先换一个单位", field="y", column=form.y.id, y=form.y.title
            )
        made = [np.unique(one.codes[held], return_inverse=True) for one in boxes]
        words = [[level_words(one.levels)[i] for i in kept] for one, (kept, _) in zip(boxes, made, strict=True)]
        who, seq, per, treat = (code for _, code in made)
        for one, box, key in zip(words[1:], boxes[1:], ("sequence", "period", "treatment"), strict=True):
            if len(one) < 2:
                reason = {"sequence": "顺序组只有一种，无法分离周期与处理效应", "period": "只有一个周期，不是交叉设计",
                          "treatment": "只有一种处理，没有可以比较的"}[key]  # fmt: skip
                raise Refusal("role.levels", f"{reason}（变量“{{v}}”）", field=key, column=box.id, v=box.title)
        n, k = len(words[0]), len(words[2])
        times = np.bincount(who * k + per, minlength=n * k)
        if (times > 1).any():
            i, p = divmod(int(np.argmax(times > 1)), k)
            raise Refusal(
                "data.duplicate", "受试者“{id}”在周期“{p}”有 {times} 条记录，每人每个周期只能有一条，请先汇总",
                field="subject", column=form.subject.id, id=words[0][i], p=words[2][p], times=int(times.max()),
            )  # fmt: skip
        first = np.full(n, -1)
        first[who[::-1]] = seq[::-1]
        wrong = np.flatnonzero(first[who] != seq)
        if wrong.size:
            raise Refusal(
                "data.varies", "受试者“{id}”属于不止一个顺序组，请核对“{v}”", field="sequence",
                column=form.sequence.id, id=words[0][who[wrong[0]]], v=form.sequence.title,
            )  # fmt: skip
        values, given = np.full((n, k), np.nan), np.full((n, k), -1)
        values[who, per], given[who, per] = y[held], treat
        whole = np.isfinite(values).all(axis=1)
        self._gaps(report, words, values, whole)
        if whole.sum() < 3:
            raise Refusal(
                "data.few", "各周期都完整的受试者只有 {n} 名，至少需要 3 名", field="subject", n=int(whole.sum())
            )
        kept_seq, self.sequence = np.unique(first[whole], return_inverse=True)
        kept_treat, flat = np.unique(given[whole], return_inverse=True)
        if kept_seq.size < 2:
            raise Refusal(
                "role.levels", "剔除不完整的受试者后，顺序组只有一种，无法分离周期与处理效应；请补齐数据",
                field="sequence",
                column=form.sequence.id,
            )  # fmt: skip
        self.treatment = flat.reshape(int(whole.sum()), k)
        self.values: Floats = values[whole]
        self.subjects = [word for word, keep in zip(words[0], whole, strict=True) if keep]
        self.sequences = [words[1][i] for i in kept_seq]
        self.periods = words[2]
        self.treatments = [words[3][i] for i in kept_treat]
        self.reference = self._reference(form, made[3][0][kept_treat])
        self.unit = unit_words(unit_of(form.y))
        self.axis = with_unit(form.y.title, self.unit)
        keys = ("subject", "sequence", "period", "treatment")
        self.names = {key: box.title for key, box in zip(keys, boxes, strict=True)}
        report.used(int(whole.sum()) * k)

    @staticmethod
    def _gaps(report: Report, words: list[list[str]], values: Floats, whole: Any) -> None:
        lost = np.flatnonzero(~whole)
        if not lost.size:
            return
        i = int(lost[0])
        p = int(np.argmax(~np.isfinite(values[i])))
        rest = f"（等 {lost.size} 名受试者的周期不完整）" if lost.size > 1 else ""
        report.warn(
            "data.incomplete", "受试者“{id}”缺少周期“{p}”" + rest + "，已剔除。", id=words[0][i], p=words[2][p],
        )  # fmt: skip

    @staticmethod
    def _reference(form: Any, codes: Any) -> int:
        if form.reference is None:
            return len(codes) - 1
        found = np.flatnonzero(codes == form.reference.code)
        if not found.size:
            raise Refusal(
                "level.absent", "参比处理在完整的受试者里没有出现，请另选一个", field="reference",
            )  # fmt: skip
        return int(found[0])
