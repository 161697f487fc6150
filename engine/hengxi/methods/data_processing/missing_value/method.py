"""Gaps dropped or filled. Every way says what it could not fill; a single fill never passes for an observation."""

from __future__ import annotations

import re
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    ColumnToBe,
    Deals,
    Form,
    Points,
    Processing,
    Refusal,
    Report,
    SetRemedy,
    Table,
    choice,
    few_of,
    flag,
    integer,
    num,
    number,
    percent,
    role,
    text,
    words,
)
from hengxi.contract.columns import Floats
from hengxi.methods.data_processing._shared import fill, fill_jointly, mice, missing_words
from hengxi.methods.data_processing._shared.gaps import (
    Gaps,
    filled_in,
    gaps_of,
    groups_of,
    known,
    mean_sd,
    most_frequent,
    places_of,
    value_words,
)
from hengxi.stats.names import titles

Cells = npt.NDArray[Any]
ALONE = ("mean", "median", "mode", "forward", "backward", "linear", "spline", "polynomial", "nearby_mean", "random")
ORDERED = ("forward", "backward", "linear", "spline", "polynomial", "nearby_mean")
JOINT = ("regression", "knn", "em")
FILLS = (*ALONE, "constant", *JOINT)
NUMBERS_ONLY = ("mean", "median", "linear", "spline", "polynomial", "nearby_mean", "regression", "em")
MICE = {"method": "mice"}


class MissingValue(Processing):
    """How much is missing, what was put in, and how mean and spread changed."""

    title, title_en = "缺失值处理", "Missing value treatment"
    family, tier = "数据处理", "standard"
    version = 2
    purpose = "删除或填补缺失值"
    aliases = ("缺失值", "插补", "填补", "多重插补", "KNN", "MICE", "删除缺失")
    references = ("rubin1976", "little2019", "dempster1977", "troyanskaya2001", "vanbuuren2011")
    conventions = (
        "已声明的缺失码和“视为缺失的值”都算缺失。",
        "均值、中位数、众数等只用有值的行；放入分组变量时在组内计算，分组缺失的行不填。",
        "插值以次序变量为横坐标，没有放入时用行号；不向两端以外延伸。多项式插值用最近的“阶数+1”个有值的点。",
        "KNN 的距离按标准化后的数值和类别计算，缺的不算、按比例放大；定量取近邻的均值，定类取近邻中最多的类别。",
        "EM 填补多元正态分布下的条件均值，回归填补不加随机误差：两者都会低估变异。",
        "MICE 存成 m 份长格式，_imp_ 是份号；定量用预测均值匹配（5 个候选），定类用 Logistic 抽样；随机种子固定。",
        "用于预测建模时，填补用的均值等参数应只在训练集里求得，再用到测试集。",
    )
    random = True
    row_order = True
    deals_with: ClassVar[Deals] = {"missing": {"method": "median"}, "missing_levels": {"method": "mode"}}

    class Input(Form):
        variables: list[Column] = role("处理变量", "任意", min=1, max=None)
        group: list[Column] = role("分组变量（选填，组内填补）", "定类", min=0, max=2, when={"method": ALONE})
        order: Column | None = role("时间/次序变量（插值，选填）", "任意", when={"method": ORDERED})
        predictors: list[Column] = role(
            "辅助变量（回归/KNN/EM/MICE，选填）", "任意", min=0, max=None, when={"method": (*JOINT, "mice")}
        )
        method: str = choice(
            "处理方式",
            {
                "drop_rows": "删除含缺失的行", "drop_columns": "删除缺失率过高的列", "mean": "均值", "median": "中位数",
                "mode": "众数", "constant": "常数", "forward": "向前填充", "backward": "向后填充", "linear": "线性插值",
                "spline": "三次样条插值", "polynomial": "多项式插值", "nearby_mean": "邻近点均值", "random": "随机热卡",
                "regression": "回归填补", "knn": "KNN", "em": "EM", "mice": "多重插补（MICE）",
                "indicator": "仅加缺失指示列",
            },
            default="mean",
        )  # fmt: skip
        value: str = words("常数", "0", longest=200, when={"method": "constant"})
        max_missing_rate: float = number(
            "列缺失率上限", 0.5, least=0, most=1, percent=True, when={"method": "drop_columns"}
        )
        span: int = integer("邻近点数", 2, least=1, most=50, when={"method": "nearby_mean"})
        order_k: int = integer("多项式阶数", 2, least=1, most=5, when={"method": "polynomial"})
        k: int = integer("KNN近邻数", 5, least=1, most=100, when={"method": "knn"})
        m: int = integer("MICE插补份数", 5, least=1, most=50, when={"method": "mice"})
        iterations: int = integer("MICE迭代次数", 10, least=1, most=100, when={"method": "mice"})
        indicator: bool = flag("同时加缺失指示列", False, when={"method": FILLS})
        user_missing: str | None = words("视为缺失的值", longest=200, hint="几个值用逗号隔开", advanced=True)
        mode: str = choice(
            "结果写入（填补类方法）", {"new": "新增变量", "replace": "在新版本中替换原变量"}, when={"method": FILLS}
        )
        suffix: str = words("新变量后缀", "_填补", kind="name", longest=20, when={"method": FILLS, "mode": "new"})

    result = Table(
        "填补结果", variable=text("变量"), n=integer("个案数"), missing=integer("缺失数"), rate=percent("缺失率"),
        filled=integer("填补数"), left=integer("仍缺失"), value=text("填补的类别"), low=num("填补值最小"),
        high=num("填补值最大"), mean=num("均值", span="处理前"), sd=num("标准差", least=0, span="处理前"),
        mean_after=num("均值", span="处理后"), sd_after=num("标准差", least=0, span="处理后"),
    )  # fmt: skip

    rounds = Points("MICE收敛图", iteration=integer("轮次"), mean=num("填补值均值"), copy=text("份"), when=MICE)
    trace = Chart("MICE收敛图", "line", of=rounds, x="iteration", y="mean", series="copy", when=MICE)
    curves = Points("填补密度图", value=num("取值"), density=num("密度", least=0), copy=text("份"), when=MICE)
    densities = Chart("填补密度图", "line", of=curves, x="value", y="density", series="copy", when=MICE)

    @classmethod
    def heading(cls, form: Any) -> str:
        names = list(titles(form.variables).values())
        return f"{few_of(names)}的缺失值处理"

    @classmethod
    def schema(cls, form: dict[str, Any], columns: Any) -> list[ColumnToBe]:
        chosen: list[ColumnInfo] = [c for c in columns if c.id in form["variables"] and c.profile.missing > 0]
        made = []
        for one in chosen:
            if form["method"] in FILLS and form["mode"] == "new":
                made.append(ColumnToBe(name=f"{one.name}{form['suffix']}", measure=one.measure, source=one.id))
            if form["method"] == "indicator" or form["indicator"]:
                made.append(ColumnToBe(name=f"{one.name}_缺失", measure="定类", source=one.id))
        return made

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        names = titles(form.variables)
        codes = [part.strip() for part in re.split(r"[,，;；、\s]+", form.user_missing or "") if part.strip()]
        found = [gaps_of(column, names[column.id], codes) for column in form.variables]
        made = form.again or ()  # later steps use it, also where a new upload has no gaps
        if not any(one.missing for one in found) and (form.again is None or form.method == "mice"):
            raise Refusal("data.whole", "所选变量没有缺失值，无需处理", field="variables")
        report.unchanged()
        values = {one.column.id: one.cells for one in found}
        stays = np.ones(len(found[0].gone), dtype=np.bool_)
        if form.method == "drop_rows":
            stays = cls._drop_rows(report, found, codes)
        elif form.method == "drop_columns":
            cls._drop_columns(report, found, form)
        elif form.method == "mice":
            values, stays = cls._copies(report, found, form)
        elif form.method in FILLS:
            values = cls._fill(report, found, form)
        for one in found:
            name = f"{one.column.name}_缺失"
            if (form.method == "indicator" or form.indicator) and (one.missing or name in made):
                report.make(name, one.gone.astype(np.float64), measure="定类", source=one.column,
                            levels=[(0, "有值"), (1, "缺失")])  # fmt: skip
            cls._row(report, one, values[one.column.id], stays)
        way = next(o.title for o in cls.Input.fields["method"].options if o.key == form.method)  # type: ignore[attr-defined]
        if form.method == "constant":
            way = f"常数“{form.value}”"
        elif form.method == "drop_columns":
            way = f"删除缺失率超过 {form.max_missing_rate * 100:.15g}% 的变量"
        missing_words.write(report, found, values, stays, way, form.method in FILLS, form.method)
        return report

    # ---- dropping --------------------------------------------------------------------------------------------------
    @classmethod
    def _drop_rows(cls, report: Report, found: list[Gaps], codes: list[str]) -> npt.NDArray[np.bool_]:
        stays = ~np.logical_or.reduce([one.gone for one in found])
        if not stays.any():
            raise Refusal("data.none_left", "删除含缺失的行后没有剩余数据", field="method")
        names = ", ".join(f"{{{one.column.id}}}" for one in found)
        # What only this step takes for missing is not missing in the data.
        report.take(np.flatnonzero(stays), None if codes else f"nmiss({names}) > 0")
        kept: npt.NDArray[np.bool_] = stays
        return kept

    @classmethod
    def _drop_columns(cls, report: Report, found: list[Gaps], form: Any) -> None:
        gone = [one for one in found if one.missing / len(one.gone) > form.max_missing_rate]
        if not gone and form.again is None:
            text_ = f"没有变量的缺失率超过 {form.max_missing_rate * 100:.15g}%，无需删除"
            raise Refusal("data.whole", text_, field="max_missing_rate")
        report.remove([one.column for one in gone])
        if gone:
            names = "".join(f"“{one.name}”" for one in gone)
            report.warn("data.removed", "已从新版本中删除：{names}。", names=names)

    # ---- filling ---------------------------------------------------------------------------------------------------
    @classmethod
    def _fill(cls, report: Report, found: list[Gaps], form: Any) -> dict[str, Cells]:
        for one in found:
            cls._judge(one, form)
        joint = cls._joint(found, form) if form.method in JOINT and any(one.missing for one in found) else {}
        values: dict[str, Cells] = {}
        for one in found:
            values[one.column.id] = made = one.cells
            if one.missing:
                put = joint[one.column.id] if form.method in JOINT else cls._alone(one, form)
                made = filled_in(one.cells, one.gone, put)
            elif form.mode == "replace" or f"{one.column.name}{form.suffix}" not in (form.again or ()):
                continue
            values[one.column.id] = made
            report.put(form, one.column, made, stored=one.stored, keeps_words=True)
            cls._left(report, one, made, form)
        return values

    @classmethod
    def _judge(cls, one: Gaps, form: Any) -> None:
        column = one.column
        if one.missing == len(one.gone) and form.method != "constant":
            text_ = f"“{one.name}”全部缺失，无法填补"
            raise Refusal("role.empty", text_, field="variables", column=column.id)
        if form.method in NUMBERS_ONLY and not one.is_number:
            way = next(o.title for o in cls.Input.fields["method"].options if o.key == form.method)  # type: ignore[attr-defined]
            kind = "文本" if column.measure == "文本" else "定类"
            text_ = f"“{one.name}”是{kind}变量，不能用{way}填补，请用众数"
            remedy = SetRemedy(title="改用众数", set={"method": "mode"})
            raise Refusal("fill.measure", text_, field="method", column=column.id, remedies=[remedy])

    @classmethod
    def _alone(cls, one: Gaps, form: Any) -> Cells:
        if form.method == "constant":
            return cls._constant(one, form)
        put = one.empty()
        for rows in groups_of(form.group, len(one.gone)):
            inside = Gaps(one.column, one.name, one.gone[rows], one.cells[rows])
            at = None if form.order is None else places_of(form.order)[rows]
            put[rows] = cls._series(inside, at, form)
        return put

    @classmethod
    def _series(cls, one: Gaps, at: Floats | None, form: Any) -> Cells:
        """What belongs into the gaps of one group."""
        valid = one.cells[~one.gone]
        put = one.empty()
        if not len(valid):
            return put
        if at is None:
            at = np.arange(len(one.gone), dtype=np.float64)
        match form.method:
            case "mean":
                put[:] = mean_sd(one, valid)[0] if one.stored == "number" else float(np.mean(valid))
            case "median":
                put[:] = float(np.median(valid))
            case "mode":
                put[:] = most_frequent(valid)
            case "random":
                put[one.gone] = form.rng.choice(valid, one.missing)
            case "forward" | "backward":
                order = np.argsort(at, kind="stable")
                source = fill.carried(one.gone[order], form.method == "backward")
                has = (source >= 0) & ~np.isnan(at[order])
                put[order[has]] = one.cells[order][source[has]]
            case "linear":
                put[:] = fill.linear(at, one.cells)
            case "spline":
                put[:] = fill.spline(at, one.cells)
            case "polynomial":
                put[:] = fill.polynomial(at, one.cells, form.order_k)
            case "nearby_mean":
                put[:] = fill.nearby(at, one.cells, form.span)
        return put

    @classmethod
    def _constant(cls, one: Gaps, form: Any) -> Cells:
        put = one.empty()
        if one.is_text:
            put[:] = form.value
            return put
        try:
            put[:] = float(form.value)
        except ValueError:
            text_ = f"“{one.name}”是数值变量，常数“{form.value}”不是数字"
            raise Refusal("fill.constant", text_, field="value", column=one.column.id) from None
        return put

    @classmethod
    def _joint(cls, found: list[Gaps], form: Any) -> dict[str, Cells]:
        columns = [*form.variables, *form.predictors]
        if len(columns) < 2:
            raise Refusal("role.few", "该方法至少需要 2 个变量", field="variables")
        gone = {one.column.id: one.gone for one in found}
        if form.method == "em":
            for column in form.predictors:
                cls._judge_em(column)
            block = np.column_stack([*(one.cells for one in found), *(column.numbers for column in form.predictors)])
            filled = fill_jointly.em(block)
            return {one.column.id: filled[:, i] for i, one in enumerate(found)}
        made: dict[str, Cells] = {}
        for one in found:
            if not one.missing:
                continue
            others = list(form.predictors) or [column for column in form.variables if column.id != one.column.id]
            x = fill_jointly.features(others, gone)
            if form.method == "regression":
                made[one.column.id] = fill_jointly.regression(one.cells, one.gone, x)
            else:
                made[one.column.id] = cls._near(one, x, form.k)
        return made

    @classmethod
    def _judge_em(cls, column: Column) -> None:
        if not column.is_number or column.is_categorical:
            text_ = f"“{column.title}”不是定量变量，EM 只用定量变量"
            raise Refusal("fill.measure", text_, field="predictors", column=column.id)
        if bool(np.isnan(column.numbers).all()):
            text_ = f"“{column.title}”全部缺失，不能用来填补"
            raise Refusal("role.empty", text_, field="predictors", column=column.id)

    @classmethod
    def _near(cls, one: Gaps, x: Floats, k: int) -> Cells:
        put = one.empty()
        rows, donors = fill_jointly.neighbours(x, one.gone, k)
        for row, near in zip(rows, donors, strict=True):
            cells = one.cells[near[near >= 0]]
            if len(cells):
                put[row] = float(np.mean(cells)) if one.is_number else most_frequent(cells)
        return put

    @classmethod
    def _left(cls, report: Report, one: Gaps, made: Cells, form: Any) -> None:
        left = int((~known(made)).sum())
        if not left:
            return
        report.warn("fill.left", missing_words.left(one, form), columns=[one.column], v=one.name, k=left)

    @classmethod
    def _copies(cls, report: Report, found: list[Gaps], form: Any) -> tuple[dict[str, Cells], npt.NDArray[np.bool_]]:
        if len(form.variables) + len(form.predictors) < 2:
            raise Refusal("role.few", "该方法至少需要 2 个变量", field="variables")
        extra = [gaps_of(column, column.title, []) for column in form.predictors]
        for one in [*found, *extra]:
            cls._judge(one, form)
        chain = mice.impute([*found, *extra], form)
        rows, m = len(found[0].gone), len(chain.copies)
        report.copies(m, rows)
        values: dict[str, Cells] = {}
        for i, one in enumerate(found):
            made = np.concatenate([mice.cells_of(one, copy[i]) for copy in chain.copies])
            values[one.column.id] = made
            if one.missing:
                report.replace(one.column, made, stored=one.stored, keeps_words=True)
                mice.draw(report, cls.rounds, cls.curves, one, i, chain)
                report.chart(cls.trace, at=one.name, titles={"y": f"{one.name}填补值均值"})
                report.chart(cls.densities, at=one.name, titles={"value": one.name})
        if not any(one.missing and one.is_number for one in found):
            for points in (cls.rounds, cls.curves):
                report.skip(points, "有缺失的变量都不是定量变量")
        return values, np.ones(rows * m, dtype=np.bool_)

    # ---- what is shown ---------------------------------------------------------------------------------------------
    @classmethod
    def _row(cls, report: Report, one: Gaps, values: Cells, stays: npt.NDArray[np.bool_]) -> None:
        times = len(values) // max(len(one.gone), 1)  # copies of a multiple imputation
        put = values.copy()
        put[np.tile(~one.gone, times)] = None if one.is_text else np.nan
        has = known(put)
        mean, sd = mean_sd(one, one.cells)
        after, sd_after = mean_sd(one, values[stays])
        plain = one.is_number and one.stored == "number" and has.any()
        report.row(
            cls.result, variable=one.name, n=len(one.gone), missing=one.missing, rate=one.missing / len(one.gone),
            filled=int(has.sum()) // times, left=int((~known(values[stays])).sum()) // times,
            value=value_words(one, put),
            low=float(put[has].min()) if plain else None, high=float(put[has].max()) if plain else None,
            mean=mean, sd=sd, mean_after=after, sd_after=sd_after,
        )  # fmt: skip
