"""Items of a scale put together into one score a dimension; reversed items are turned by the ends of the scale."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Column,
    ColumnToBe,
    Dimensions,
    Form,
    Processing,
    Refusal,
    Report,
    Row,
    Table,
    choice,
    flag,
    integer,
    num,
    number,
    percent,
    role,
    settings,
    text,
    words,
)
from hengxi.contract.columns import Floats
from hengxi.methods.data_processing._shared.columns_step import moments_of, tell_each
from hengxi.methods.data_processing._shared.rows import tell
from hengxi.stats.names import titles
from hengxi.stats.reliability import alpha

TAILS = {"mean": "均分", "sum": "总分", "weighted": "加权分", "pca": "主成分"}


class ScaleScore(Processing):
    """A score is given where enough items were answered; of a sum the answered ones stand for all."""

    title, title_en = "变量合成（量表得分）", "Scale scores"
    family, tier = "数据处理", "standard"
    purpose = "把题项按维度合成均分/总分（含反向题）"
    aliases = ("量表得分", "维度得分", "均分", "总分", "反向计分", "合成变量", "scoreItems", "计算维度均值")
    references = ("cronbach1951", "downey1998")
    conventions = (
        "反向题的得分 = 量表最小值 + 量表最大值 − 原值。",
        "缺失的题数占比不超过“允许缺失题数比例”才给得分，否则得分为缺失。",
        "均值用答了的题；总分 = 答了的题的均值 × 题数；加权分 = Σ(权重 × 得分) / Σ权重，只算答了的题。",
        "主成分是相关矩阵的第一主成分，只给全部作答的行；载荷绝对值最大的取正。",
        "Cronbach α 用全部作答的行，反向题先转换。",
    )

    takes_dimensions = Dimensions(
        items="items", rows="dimensions", reversed="reverse", name="dimension", low="scale_min", high="scale_max"
    )

    class Input(Form):
        items: list[Column] = role("题项", "定量", min=2, max=None)
        dimensions: list[Row] = settings(
            "题项设置", of="items", dimension=words("维度", "量表", kind="name", longest=40),
            reverse=flag("反向题", False), weight=number("权重", 1, least=0, most=1000),
            hint="同一维度填同一个名称；权重只在加权时用到",
        )  # fmt: skip
        method: str = choice("合成方式", {"mean": "均值", "sum": "求和", "weighted": "加权", "pca": "第一主成分"})
        scale_min: float = number("量表最小值", 1)
        scale_max: float = number("量表最大值", 5)
        max_missing: float = number(
            "允许缺失题数比例", 0.2, least=0, most=1, percent=True, when={"method": ("mean", "sum", "weighted")}
        )

    result = Table(
        "维度得分描述", dimension=text("维度"), name=text("新变量"), k=integer("题数"), reversed=integer("反向题数"),
        n=integer("有得分"), missing=integer("没有得分"), filled=integer("有缺题但给了得分"), mean=num("均值"),
        sd=num("标准差", least=0), least=num("最小"), most=num("最大"), alpha=num("Cronbach α", most=1),
        explained=percent("第一主成分的方差"),
    )  # fmt: skip
    each = Table(
        "题项", dimension=text("维度"), item=text("题项"), reversed=text("反向题"), n=integer("有效"), mean=num("均值"),
        rest=num("与其余题之和的相关", least=-1, most=1), loading=num("载荷", least=-1, most=1), merge=("dimension",),
    )  # fmt: skip

    @classmethod
    def schema(cls, form: dict[str, Any], columns: Any) -> list[ColumnToBe]:
        named = dict.fromkeys(row["dimension"] for row in form["dimensions"] if row["dimension"])
        return [ColumnToBe(name=f"{one}{TAILS[form['method']]}", measure="定量", source=None) for one in named]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        names = titles(form.items)
        if not form.scale_min < form.scale_max:
            raise Refusal("limit.less", "“量表最大值”必须大于“量表最小值”", field="scale_max")
        found: dict[str, list[Row]] = {}
        for row in form.dimensions:
            cls._judge(row.column, names[row.column.id], form)
            found.setdefault(row.dimension, []).append(row)
        told = []
        for dimension, rows in found.items():
            if len(rows) < 2:
                text_ = f"维度“{dimension}”只有 1 题，至少需要 2 题"
                raise Refusal("dimension.few", text_, field="dimensions", column=rows[0].column.id)
            told.append(cls._dimension(report, form, dimension, rows, names))
        cls._say(report, form, told)
        return report

    @classmethod
    def _judge(cls, column: Column, name: str, form: Any) -> None:
        x = column.numbers
        if outside := int(((x < form.scale_min) | (x > form.scale_max)).sum()):
            text_ = f"题项“{name}”含超出 {form.scale_min:g}—{form.scale_max:g} 的值（{outside:,} 个）"
            raise Refusal("scale.outside", text_, field="scale_min", column=column.id, k=outside)

    # ---- one dimension ----------------------------------------------------------------------------------------------
    @classmethod
    def _dimension(
        cls, report: Report, form: Any, dimension: str, rows: list[Row], names: dict[str, str]
    ) -> dict[str, Any]:
        ends = form.scale_min + form.scale_max
        items = [ends - row.column.numbers if row.reverse else row.column.numbers for row in rows]
        gaps = np.sum([np.isnan(x) for x in items], axis=0)
        whole = np.column_stack([x[gaps == 0] for x in items])
        loadings: Floats | None = None
        explained = None
        if form.method == "pca":
            score, loadings, explained = cls._component(whole, gaps, dimension, rows, names)
        else:
            score = cls._combined(items, gaps, rows, form)
        name = f"{dimension}{TAILS[form.method]}"
        report.make(name, score, measure="定量", flags=[])
        spread = np.cov(whole, rowvar=False) if len(whole) > 1 else np.zeros((len(items), len(items)))
        facts = moments_of(score)
        k = len(items)
        filled = int(((gaps > 0) & ~np.isnan(score)).sum())
        row = {
            "dimension": dimension, "name": name, "k": k, "reversed": sum(bool(one.reverse) for one in rows), **facts,
            "missing": len(score) - facts["n"], "filled": filled, "explained": explained,
            "alpha": alpha(spread) if spread.sum() > 0 else None,
        }  # fmt: skip
        report.row(cls.result, **row)
        against = []
        for j, one in enumerate(rows):
            rest = cls._rest(whole, j)
            if rest is not None and rest < 0:
                against.append(names[one.column.id])
            known = items[j][~np.isnan(items[j])]
            report.row(
                cls.each, dimension=dimension, item=names[one.column.id], reversed="是" if one.reverse else None,
                n=len(known), mean=float(known.mean()) if len(known) else None, rest=rest,
                loading=None if loadings is None else float(loadings[j]),
            )  # fmt: skip
        if against:
            text_ = "维度“{d}”里，{items}与其余题的相关是负的，可能是没有转换的反向题。"
            report.warn("items.against", text_, d=dimension, items="".join(f"“{one}”" for one in against))
        return row

    @classmethod
    def _combined(cls, items: list[Floats], gaps: Any, rows: list[Row], form: Any) -> Floats:
        """In one pass over the items, so that a million rows need no matrix."""
        total, weights = np.zeros(len(gaps)), np.zeros(len(gaps))
        for x, one in zip(items, rows, strict=True):
            weight = one.weight if form.method == "weighted" else 1.0
            known = ~np.isnan(x)
            total += np.where(known, weight * x, 0.0)
            weights += np.where(known, weight, 0.0)
        enough = (gaps <= form.max_missing * len(items) + 1e-9) & (weights > 0)
        with np.errstate(invalid="ignore", divide="ignore"):
            score = np.where(enough, total / weights, np.nan)
        return score * len(items) if form.method == "sum" else score

    @classmethod
    def _component(
        cls, whole: Floats, gaps: Any, dimension: str, rows: list[Row], names: dict[str, str]
    ) -> tuple[Floats, Floats, float]:
        if len(whole) < 3:
            raise Refusal(
                "data.few",
                f"维度“{dimension}”全部作答的行少于 3 行，求不出主成分，请换一种合成方法或补齐答卷",
                field="items",
            )
        sd = whole.std(axis=0, ddof=1)
        if not bool((sd > 0).all()):
            same = rows[int(np.argmin(sd))].column
            text_ = f"题项“{names[same.id]}”没有变异，求不出主成分，请移去"
            raise Refusal("role.constant", text_, field="items", column=same.id)
        z = (whole - whole.mean(axis=0)) / sd
        sizes, vectors = np.linalg.eigh(z.T @ z / (len(z) - 1))
        axis = vectors[:, -1] * (1.0 if vectors[int(np.abs(vectors[:, -1]).argmax()), -1] > 0 else -1.0)
        score = np.full(len(gaps), np.nan)
        score[gaps == 0] = z @ axis
        return score, axis * np.sqrt(sizes[-1]), float(sizes[-1] / len(sizes))

    @classmethod
    def _rest(cls, whole: Floats, j: int) -> float | None:
        if len(whole) < 3:
            return None
        own, rest = whole[:, j], np.delete(whole, j, axis=1).sum(axis=1)
        return float(np.corrcoef(own, rest)[0, 1]) if own.std() > 0 and rest.std() > 0 else None

    @classmethod
    def _say(cls, report: Report, form: Any, told: list[dict[str, Any]]) -> None:
        def line(i: int) -> tuple[str, dict[str, Any]]:
            one = told[i]
            own = {f"{key}{i}": one[key] for key in ("dimension", "k", "n", "mean", "sd", "alpha")}
            if one["mean"] is None or one["sd"] is None:
                return f"“{{dimension{i}}}”由 {{k{i}:integer}} 题合成，有得分的 {{n{i}:integer}} 份。", own
            words_ = f"“{{dimension{i}}}”由 {{k{i}:integer}} 题合成，均值 {{mean{i}:num}}，标准差 {{sd{i}:num}}"
            words_ += f"，α = {{alpha{i}:num}}。" if one["alpha"] is not None else "。"
            return words_, {key: value for key, value in own.items() if value is not None}

        lines, facts = tell_each(report, [one["dimension"] for one in told], line)
        gone = sum(one["missing"] for one in told)
        student = {
            "mean": "均分与题项同一个尺度，便于解释。", "sum": "有缺题时，总分按答了的题折算。",
            "weighted": "权重要有依据，论文里要写明。", "pca": "主成分的均值是 0，只表示相对高低。",
        }[form.method]  # fmt: skip
        student += "先看 α 和各题与其余题的相关，再用得分。"
        if gone:
            student += "共有 {gone:integer} 个得分因缺题太多而为缺失。"
        tell(report, lines, student, [], gone=gone, **facts)
