from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Chart,
    Column,
    Filled,
    Form,
    Method,
    MethodRemedy,
    NewTable,
    NextStep,
    Record,
    Refusal,
    Report,
    SetRemedy,
    Table,
    Wide,
    choice,
    claim,
    figure,
    flag,
    integer,
    interval,
    num,
    number,
    numbers,
    pvalue,
    records,
    role,
    stat,
    text,
    words,
)
from hengxi.families.design.arrays import Placing, arrays, place
from hengxi.families.design.least import Least, independent, settings_of
from hengxi.families.design.plan import LETTERS, path_of
from hengxi.families.design.report import ANALYZE, CREATE, refuse_constant, refuse_without
from hengxi.stats.moments import Floats
from hengxi.stats.names import level_words, titles, unique

ARRAYS = {
    "auto": "自动选择", "L4": "L4(2³)", "L8": "L8(2⁷)", "L8_4": "L8(4×2⁴)", "L9": "L9(3⁴)", "L12": "L12(2¹¹)",
    "L16": "L16(4⁵)", "L16_2": "L16(2¹⁵)", "L16_4": "L16(4×2¹²)", "L16_44": "L16(4²×2⁹)", "L18": "L18(2×3⁷)",
    "L25": "L25(5⁶)", "L27": "L27(3¹³)", "L32": "L32(2³¹)",
}  # fmt: skip
FOLD = {2: 0.71, 3: 0.52, 4: 0.45, 5: 0.40, 6: 0.37, 7: 0.35, 8: 0.34, 9: 0.32, 10: 0.31}
"""d of the range folded by the number of levels: R' = d·R·√r."""
MOST_LEVELS = 10
MOST_ANALYSED = 13
ANOVA = "hypothesis_test/multivariate_way_anova"


class Effects:
    """The factors of an analysis coded to sum to zero, interactions beside them."""

    def __init__(self, form: Any, y: Floats) -> None:
        names = titles(form.factors)
        self.names = [names[column.id] for column in form.factors]
        self.codes: list[Any] = []
        self.labels: list[list[str]] = []
        for column, name in zip(form.factors, self.names, strict=True):
            present = np.unique(column.codes)
            if not 2 <= present.size <= MOST_LEVELS:
                raise Refusal(
                    "role.levels",
                    "因素“{v}”有 {k} 个水平，须为 2 到 10 个，请换一个变量",
                    field="factors",
                    column=column.id,
                    v=name,
                    k=int(present.size),
                )
            self.codes.append(np.searchsorted(present, column.codes))
            self.labels.append(level_words([column.levels[i] for i in present]))
        self.pairs = pairs_of(form.interactions, self.names)
        self._judge(form, y.size)
        columns, owners = [np.ones(y.size)], [-1]
        for j, code in enumerate(self.codes):
            for column_ in contrasts(code, len(self.labels[j])):
                columns.append(column_)
                owners.append(j)
        for k, (a, b) in enumerate(self.pairs):
            for one in contrasts(self.codes[a], len(self.labels[a])):
                for other in contrasts(self.codes[b], len(self.labels[b])):
                    columns.append(one * other)
                    owners.append(len(self.names) + k)
        x = np.column_stack(columns)
        kept = independent(x)
        lost = {owners[i] for i in range(x.shape[1]) if i not in kept}
        if lost:
            raise Refusal(
                "data.collinear",
                "“{t}”与其他因素或交互落在同一列，分不开，请去掉它",
                field="interactions",
                also=["factors"],
                t=self.title(min(lost)),
            )
        self.owners = owners
        self.least = Least(x, y)

    def _judge(self, form: Any, n: int) -> None:
        for i in range(len(self.codes)):
            for j in range(i + 1, len(self.codes)):
                a, b = self.codes[i], self.codes[j]
                cells = np.bincount(a * len(self.labels[j]) + b, minlength=len(self.labels[i]) * len(self.labels[j]))
                wanted = np.outer(np.bincount(a), np.bincount(b)).ravel() / n
                if not np.allclose(cells, wanted):
                    raise Refusal(
                        "data.orthogonal", "因素“{a}”与“{b}”不正交，极差分析结果不可比，请补齐试验，或改用方差分析",
                        field="factors", a=self.names[i], b=self.names[j],
                        remedies=[MethodRemedy(title="多因素方差分析", method=ANOVA, carry=["factors"])],
                    )  # fmt: skip

    def title(self, k: int) -> str:
        if k < len(self.names):
            return self.names[k]
        a, b = self.pairs[k - len(self.names)]
        return f"{self.names[a]} × {self.names[b]}"

    @property
    def count(self) -> int:
        return len(self.names) + len(self.pairs)

    def columns(self, k: int) -> list[int]:
        return [i for i, owner in enumerate(self.owners) if owner == k]


class OrthogonalDesign(Method):
    """Plans from orthogonal arrays; ranges, variance with empty columns as error, signal to noise, the best levels."""

    title, title_en = "正交试验设计与分析", "Orthogonal array design"
    family, tier = "质量控制", "standard"
    purpose = "用少量正交试验找主次因素与最优组合"
    aliases = ("正交设计", "正交表", "极差分析", "田口方法", "信噪比", "L9", "L18", "Taguchi", "orthogonal array")
    references = ("taguchi1987", "hedayat1999", "montgomery2017")
    conventions = (
        "K 是同一水平的响应之和，k̄ 是均值，R 是 k̄ 的最大减最小；水平数不同时看折算极差 R′ = d·R·√r。",
        "方差分析用偏平方和；误差 = 空列与重复试验的合计，或只用重复试验。",
        "最优组合的预测 = 总均值 + 各因素最优水平的效应；区间用 n_e = N/(1 + 各因素自由度之和)，是均值的区间。",
        "信噪比：望大 −10lg(Σy⁻²/n)，望小 −10lg(Σy²/n)，望目 10lg(ȳ²/s²)；n 是同一试验号的重复。",
        "排表头时因素与要考察的交互各占不同的列；列号与国内教材的正交表相同。",
    )
    needs_data = "optional"
    row_order = True

    class Input(Form):
        task: str = choice("任务", {"create": "选表并生成方案", "analyze": "极差与方差分析"}, default="analyze")
        response: list[Column] = role("试验结果（分析时）", "定量", min=0, max=3, when=ANALYZE)
        factors: list[Column] = role("因素列（分析时）", "定类", min=0, max=MOST_ANALYSED, when=ANALYZE)
        array: str = choice("正交表", ARRAYS, when=CREATE)
        levels: list[float] = numbers("各因素水平数", (3, 3, 3), whole=True, least=2, most=5, max=31, when=CREATE)
        names: list[Record] = records(
            "因素（选填）", min=0, max=31, names="因素{i}", when=CREATE, name=words("名称", kind="name"),
            values=words("各水平的取值", "1,2,3", longest=300),
        )  # fmt: skip
        interactions: str | None = words("考察的交互作用", None, auto="不考察", hint="如 温度×时间；创建时也可写 A×B")
        better: str = choice("评价方向", {"larger": "越大越好", "smaller": "越小越好", "nominal": "望目"}, when=ANALYZE)
        target: float | None = number("目标值", None, auto="望目时必填", when={"better": "nominal"})
        sn_ratio: bool = flag("田口信噪比", False, when=ANALYZE)
        error_columns: bool = flag("空列作误差", True, when=ANALYZE)
        alpha: float = number("显著性水平", 0.05, least=0.001, most=0.2, when=ANALYZE)

    layout = Table(
        "表头设计", column=integer("列号"), holds=text("安排"), levels=integer("水平数"), when=CREATE, place="main"
    )
    design = Table("试验方案", run=integer("试验号"), layout=Wide(value=text("取值")), when=CREATE, place="main")
    made = NewTable("试验方案表（可存为数据文件）", when=CREATE, place="main")
    ranges = Table(
        "极差分析", order=integer("主次"), factor=text("因素"), layout=Wide(ksum=num("K"), mean=num("k̄")),
        R=num("极差 R", least=0), folded=num("折算极差 R′", least=0), best=text("最优水平"), when=ANALYZE, place="main",
    )  # fmt: skip
    variance = Table(
        "方差分析", source=text("来源"), ss=num("平方和", least=0), df=integer("df"), ms=num("均方", least=0),
        F=num("*F*", least=0), p=pvalue(), when=ANALYZE, place="main",
        claim=claim("named", stat("*F*", "F", "df"), names=("source",)),
    )  # fmt: skip
    noise = Table(
        "信噪比", factor=text("因素"), level=text("水平"), sn=num("S/N 均值（dB）"), delta=num("Delta", least=0),
        rank=integer("秩"), merge=("factor", "delta", "rank"), when={"sn_ratio": True}, place="detail",
    )  # fmt: skip
    best = Table(
        "最优组合", settings=text("组合"), tried=text("做过没有"), predicted=num("预测均值"),
        ci=interval("95% CI", "low", "high"), ne=num("有效重复数", least=0), when=ANALYZE, place="main",
    )  # fmt: skip
    trend = Table(
        "因素与指标", factor=text("因素"), level=text("水平"), mean=num("均值"), n=integer("*n*"), merge=("factor",),
        when=ANALYZE, place="detail",
    )  # fmt: skip
    plot = Chart("趋势图", "line", of=trend, x="level", y="mean", facet="factor", when=ANALYZE, place="main")

    @classmethod
    def heading(cls, form: Any) -> str:
        return cls.title if form.task == "analyze" else "正交试验方案"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        return [NextStep(title="找连续因素的最优条件", method="quality_control/response_surface", form={})]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        if form.task == "create":
            cls._create(report, form)
            return report
        refuse_without(form)
        for column in form.response:
            own = Report()
            cls._analyse(own, form, column)
            report.absorb(own, column.title, len(form.response) == 1, column.name)
        return report

    # ---- a plan ----------------------------------------------------------------------------------------------------
    @classmethod
    def _create(cls, report: Report, form: Any) -> None:
        if form.names:
            names = [row.name for row in form.names]
            values = [
                [one.strip() for one in re.split(r"[,，;；、]", row.values or "") if one.strip()] for row in form.names
            ]
            for name, own in zip(names, values, strict=True):
                if not 2 <= len(set(own)) == len(own) <= 5:
                    raise Refusal(
                        "records.cell",
                        "因素“{v}”的取值须为 2 到 5 个不同的水平，用逗号隔开，如 80,85,90",
                        field="names",
                        v=name,
                    )
        else:
            if not 1 <= len(form.levels) <= len(LETTERS):
                raise Refusal("numbers.count", "请填 1 到 20 个因素的水平数，更多时请写“因素”", field="levels")
            names = list(LETTERS[: len(form.levels)])
            values = [[str(i + 1) for i in range(int(k))] for k in form.levels]
        pairs = pairs_of(form.interactions, names)
        sizes = [len(own) for own in values]
        found = cls._placed(form, sizes, pairs)
        for c, size in enumerate(found.array.sizes):
            holds = [names[i] for i, column in enumerate(found.factors) if column == c]
            crossed = zip(pairs, found.interactions, strict=True)
            holds += [f"{names[a]} × {names[b]}" for (a, b), own in crossed if c in own]
            report.row(cls.layout, column=c + 1, holds=holds[0] if holds else "空列", levels=size)
        heads = unique(["试验号", *names, "试验结果"])
        table = found.array.table
        columns: dict[str, Any] = {heads[0]: np.arange(1.0, found.array.runs + 1)}
        for j, name in enumerate(heads[1:-1]):
            columns[name] = [values[j][code] for code in table[:, found.factors[j]]]
        for i in range(found.array.runs):
            report.row(cls.design, run=i + 1, wide={name: {"value": columns[name][i]} for name in heads[1:-1]})
        columns[heads[-1]] = np.full(found.array.runs, np.nan)
        settings = {"task": "analyze", "interactions": form.interactions}
        boxes = {"response": [heads[-1]], "factors": heads[1:-1]}
        fits = len(names) <= MOST_ANALYSED
        report.table_made(cls.made, columns, Filled(path_of(cls), settings, boxes) if fits else None)
        report.lead(
            "用 {name:text} 安排 {k:integer} 个因素，做 {n:integer} 次试验。请随机安排先后，把结果填进表里，再来分析。",
            [figure("试验次数", "{n:integer}"), figure("正交表", "{name:text}")], name=found.array.name, k=len(names),
            n=found.array.runs,
        )  # fmt: skip
        if not found.empty:
            report.say("没有空列：不做重复试验就没有误差，只能做极差分析。")
        if not found.array.vectors:
            report.say("这张表的交互散在各列里，不能单独考察交互作用。")

    @classmethod
    def _placed(cls, form: Any, sizes: list[int], pairs: list[tuple[int, int]]) -> Placing:
        known = arrays()
        keys = sorted(known, key=lambda key: known[key].runs) if form.array == "auto" else [form.array]
        for key in keys:
            found = place(known[key], sizes, pairs)
            if found is not None:
                return found
        remedies = [] if form.array == "auto" else [SetRemedy(title="自动选表", set={"array": "auto"})]
        raise Refusal(
            "data.array", "没有能安排 {k} 个因素（水平 {lv}）的正交表，请减少因素或交互，或用均匀设计", field="array",
            also=["levels"], k=len(sizes), lv="、".join(map(str, sizes)), remedies=remedies,
        )  # fmt: skip

    # ---- the analysis ----------------------------------------------------------------------------------------------
    @classmethod
    def _analyse(cls, report: Report, form: Any, column: Column) -> None:
        refuse_constant(column)
        if form.better == "nominal" and form.target is None:
            raise Refusal("number.required", "望目时请填目标值", field="target", also=["better"])
        y = column.numbers
        found = Effects(form, y)
        chosen, order, mixed = cls._ranges(report, form, found, y)
        error = cls._variance(report, form, found)
        if form.sn_ratio:
            cls._noise(report, form, found, y, column)
        cls._best(report, form, found, y, chosen, error)
        told: dict[str, Any] = {"y": column.title, "order": " > ".join(found.names[j] for j in order)}
        told["best"] = "，".join(f"{found.names[j]} {found.labels[j][chosen[j]]}" for j in range(len(chosen)))
        report.lead(
            "按极差，影响“{y}”的主次次序是 {order:text}；最优组合是 {best:text}。",
            [figure("最主要的因素", "{top:text}")], top=found.names[order[0]], **told,
        )  # fmt: skip
        if error is None:
            report.warn(
                "data.saturated", "没有误差自由度，只给极差分析：哪些因素真有作用，要留空列或做重复试验才知道。"
            )
        else:
            report.say("极差大不等于真有作用，要看方差分析的 *p*。")
        if mixed:
            report.say("各因素水平数不同，主次看折算极差 R′。")

    @classmethod
    def _ranges(cls, report: Report, form: Any, found: Effects, y: Floats) -> tuple[list[int], list[int], bool]:
        mixed = len({len(labels) for labels in found.labels}) > 1
        rows, chosen = [], []
        for j, (code, labels) in enumerate(zip(found.codes, found.labels, strict=True)):
            sums, sizes = np.bincount(code, weights=y), np.bincount(code)
            means = sums / sizes
            if form.better == "nominal":
                pick = int(np.argmin(np.abs(means - form.target)))
            else:
                pick = int(np.argmax(means) if form.better == "larger" else np.argmin(means))
            chosen.append(pick)
            size = float(np.ptp(means))
            folded = FOLD[len(labels)] * size * float(np.sqrt(y.size / len(labels)))
            rows.append((j, sums, means, sizes, size, folded))
        order = [row[0] for row in sorted(rows, key=lambda row: -(row[5] if mixed else row[4]))]
        for j, sums, means, sizes, size, folded in rows:
            wide = {
                f"水平 {i + 1}": {"ksum": float(sums[i]), "mean": float(means[i])} for i in range(len(found.labels[j]))
            }
            report.row(
                cls.ranges, order=order.index(j) + 1, factor=found.names[j], wide=wide, R=size,
                folded=folded if mixed else None, best=found.labels[j][chosen[j]],
            )  # fmt: skip
            for i, label in enumerate(found.labels[j]):
                report.row(cls.trend, factor=found.names[j], level=label, mean=float(means[i]), n=int(sizes[i]))
        told = "；".join(
            f"{found.names[j]}：" + "、".join(f"{i + 1} = {label}" for i, label in enumerate(labels))
            for j, labels in enumerate(found.labels)
        )
        report.note(cls.ranges, "{told:text}。", told=told)
        return chosen, order, mixed

    @classmethod
    def _variance(cls, report: Report, form: Any, found: Effects) -> tuple[float, int] | None:
        least = found.least
        pure, pure_df = least.pure_error(settings_of(np.column_stack(found.codes).astype(float)))
        ss, df = (least.sse, least.df) if form.error_columns else (pure, pure_df)
        error = (ss / df, df) if df > 0 and ss > 0 else None
        for k in range(found.count):
            columns = found.columns(k)
            own = least.tested(least.squares(columns), len(columns), *(error or (0.0, 0)))
            report.row(cls.variance, source=found.title(k), ss=own.ss, df=own.df, ms=own.ms, F=own.F, p=own.p)
        empty = least.df - pure_df
        if not form.error_columns and empty > 0:
            rest = least.tested(max(0.0, least.sse - pure), empty, *(error or (0.0, 0)))
            report.row(cls.variance, source="空列", ss=rest.ss, df=rest.df, ms=rest.ms, F=rest.F, p=rest.p)
        report.row(cls.variance, source="误差", ss=ss, df=df, ms=ss / df if df else None)
        report.row(cls.variance, source="合计", ss=least.total, df=least.n - 1, total=True)
        if form.error_columns and df:
            report.note(
                cls.variance, "误差由 {a:integer} 个空列自由度与 {b:integer} 个重复自由度合成。", a=empty, b=pure_df
            )
        return error

    @classmethod
    def _noise(cls, report: Report, form: Any, found: Effects, y: Floats, column: Column) -> None:
        run = settings_of(np.column_stack(found.codes).astype(float))
        if form.better != "nominal" and (y <= 0).any() and form.better == "larger":
            raise Refusal(
                "data.positive", "望大的信噪比要求“{v}”全部大于 0，请关闭田口信噪比或换一个响应", field="sn_ratio",
                also=["response"], column=column.id, v=column.title,
            )  # fmt: skip
        values = []
        for k in range(int(run.max()) + 1):
            own = y[run == k]
            spread = float(own.var(ddof=1)) if own.size > 1 else 0.0
            inner = {
                "larger": float(np.mean(1 / own**2)) if (own != 0).all() else 0.0, "smaller": float(np.mean(own**2)),
                "nominal": spread / float(own.mean()) ** 2 if own.mean() != 0 else 0.0,
            }[form.better]  # fmt: skip
            if not inner > 0:
                raise Refusal(
                    "data.noise",
                    "有的试验号算不出信噪比：望目要有重复且重复不全相同，望小要有不为 0 的值。请关闭田口信噪比",
                    field="sn_ratio",
                    also=["better"],
                    remedies=[SetRemedy(title="不算信噪比", set={"sn_ratio": False})],
                )
            values.append(-10 * float(np.log10(inner)))
        ratios = np.array(values)
        first = np.array([int(np.flatnonzero(run == k)[0]) for k in range(ratios.size)])
        means = [
            [float(ratios[code[first] == i].mean()) for i in range(len(labels))]
            for code, labels in zip(found.codes, found.labels, strict=True)
        ]
        deltas = [max(own) - min(own) for own in means]
        ranks = np.argsort(np.argsort([-one for one in deltas], kind="stable"), kind="stable") + 1
        for j, labels in enumerate(found.labels):
            for i, label in enumerate(labels):
                report.row(
                    cls.noise, factor=found.names[j], level=label, sn=means[j][i], delta=deltas[j], rank=int(ranks[j])
                )
        report.note(cls.noise, "信噪比总是越大越好。")

    @classmethod
    def _best(
        cls, report: Report, form: Any, found: Effects, y: Floats, chosen: list[int], error: tuple[float, int] | None
    ) -> None:
        gains = [float(y[code == pick].mean() - y.mean()) for code, pick in zip(found.codes, chosen, strict=True)]
        value = float(y.mean()) + sum(gains)
        df = sum(len(labels) - 1 for labels in found.labels)
        ne = y.size / (1 + df)
        tried = np.all([code == pick for code, pick in zip(found.codes, chosen, strict=True)], axis=0).any()
        span: dict[str, Any] = {}
        if error is not None:
            half = float(stats.t.isf(0.025, error[1])) * float(np.sqrt(error[0] / ne))
            span = {"low": value - half, "high": value + half}
        told = "，".join(
            f"{name} {labels[pick]}" for name, labels, pick in zip(found.names, found.labels, chosen, strict=True)
        )
        report.row(cls.best, settings=told, tried="做过" if tried else "没有做过", predicted=value, ne=ne, **span)
        if not tried:
            report.say("最优组合不在做过的试验里，要补做验证试验。")
        if found.pairs:
            report.note(cls.best, "预测只用主效应；有交互时请对照交互的方差分析，再决定组合。")


def pairs_of(told: str | None, names: Sequence[str]) -> list[tuple[int, int]]:
    """`温度×时间；A*B` → places of the factors."""
    found: list[tuple[int, int]] = []
    for part in re.split(r"[,，;；、\n]+", told or ""):
        if not part.strip():
            continue
        ends = [end.strip() for end in re.split(r"[×*]", part)]
        if len(ends) != 2 or any(end not in names for end in ends) or ends[0] == ends[1]:
            raise Refusal(
                "words.pattern",
                "交互作用“{part}”读不懂，请写成 因素×因素，用分号隔开，名称与因素相同",
                field="interactions",
                part=part.strip()[:40],
            )
        pair = tuple(sorted((names.index(ends[0]), names.index(ends[1]))))
        if pair not in found:
            found.append((pair[0], pair[1]))
    return found


def contrasts(code: Any, size: int) -> list[Floats]:
    return [(code == i).astype(float) - (code == size - 1) for i in range(size - 1)]
