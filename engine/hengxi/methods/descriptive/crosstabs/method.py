from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hengxi.contract import (
    AnswerSet,
    Chart,
    Column,
    ColumnInfo,
    Form,
    Method,
    NextStep,
    Points,
    Refusal,
    Report,
    Silent,
    Table,
    Wide,
    a_set,
    a_variable,
    apart,
    choice,
    claim,
    elsewhere,
    few_of,
    filled,
    flag,
    integer,
    interval,
    many,
    num,
    number,
    percent,
    pvalue,
    role,
    singly,
    stat,
    text,
    weight,
)
from hengxi.methods.descriptive._shared import (
    answer_crossing,
    answer_crossing_words,
    answer_pairs,
    crossing_checks,
    crossing_tables,
    crossing_words,
)
from hengxi.methods.descriptive._shared.crossing import Cross, cross
from hengxi.stats.answer_sets import BASE_HINT, BASES
from hengxi.stats.frequencies import frequencies
from hengxi.stats.names import level_words, titles

MOST_PAIRS = 100
SYMMETRIC = ("phi", "cramer_v", "contingency", "gamma", "tau_b", "tau_c", "kappa")
DIRECTIONAL = ("lambda", "gk_tau", "uncertainty", "somers_d", "eta")
ALONE: dict[str, Any] = {"rows": a_variable, "columns": a_variable}
SET: list[Any] = [{"rows": a_set}, {"columns": a_set}]
CELLS: list[Any] = [{"expected": True, **ALONE}, {"residuals": True, **ALONE}]


class Crosstabs(Method):
    """The conclusion reads one p, chosen by the margins alone; all tests stand beside each other."""

    title, title_en = "列联（交叉）分析", "Crosstabs (contingency tables)"
    family, tier = "描述性分析", "standard"
    purpose = "两个定类变量有没有关联、关联多强、差在哪一类"
    aliases = (
        "卡方检验",
        "列联分析",
        "和是否",
        "与是否",
        "交叉表",
        "交叉分析",
        "列联表",
        "χ²检验",
        "chi-square",
        "Fisher精确检验",
        "费舍尔",
        "独立性检验",
        "RR",
        "比值比",
    )
    references = (
        "pearson1900", "yates1934", "cochran1954", "fisher1922", "freeman1951", "haberman1973", "cramer1946",
        "cohen1988", "smithson2003", "goodman1972", "brown1977", "mantel1959", "robins1986", "tarone1985",
        "agresti1999", "bilder2000", "holm1979",
    )  # fmt: skip
    conventions = (
        "行、列的次序：数值编码从小到大，文字按首次出现；“变量”页里排过次序的，按排好的次序。",
        "期望频数 < 5 的单元格超过 20% 或最小期望 < 1 时，结论采用 Fisher 精确检验的 p（Cochran，1954）。",
        "2×2 表总频数 < 40 时结论采用 Fisher，≥ 40 且最小期望在 1 到 5 之间时采用连续校正 χ²"
        "（国内医学统计教材的惯例）。",
        "Fisher 检验为双侧：概率不大于观察到的表的全部表之和；表太多列不完时改用固定种子的蒙特卡洛，附 99% 区间。",
        "调整后标准化残差近似服从标准正态分布，星号按各单元格自己的 p，未作多重校正。",
        "Cramér's V 的区间由非中心 χ² 分布反解：√(λ/(n(k − 1)))，k 为行数与列数中较小的一个。",
        "有序度量与 Lambda 等的近似标准误用 delta 法（ASE1），近似 T 用独立假设下的标准误（ASE0），与 SPSS 相同。",
        "它们的区间为估计值 ± *z* × ASE1，超出取值范围的一端截到 0、−1 或 1。",
        "OR 的区间用 Woolf 法，RR 用 Katz 法；有空单元格时不给，不加 0.5。",
        "多选题逐项检验“选、不选”与分组的关联，*p* 用 Holm 法校正（Bilder 等，2000）；期望频数的规则与上面相同。",
    )
    weights = ("frequency",)
    missing = "pairwise"
    random = True

    class Input(Form):
        rows: list[Column | AnswerSet] = role("行变量X", "定类", min=1, max=None, levels=(2, 100), sets=True)
        columns: list[Column | AnswerSet] = role("列变量Y", "定类", min=1, max=None, levels=(2, 100), sets=True)
        layer: Column | None = role("分层变量（选填）", "定类", levels=(1, 30))
        weight: Column | None = weight("频数权重（选填）", kind="frequency", whole=True)
        percent: list[str] = many(
            "百分比", {"row": "行百分比", "col": "列百分比", "total": "总百分比"}, default=("row",)
        )
        set_base: str = choice("多选题普及率的基数", BASES, hint=BASE_HINT, when=SET)
        expected: bool = flag("显示期望频数", True)
        residuals: bool = flag("显示调整后标准化残差", True)
        association: list[str] = many(
            "关联强度",
            {
                "phi": "Phi", "cramer_v": "Cramér's V", "contingency": "列联系数", "lambda": "Lambda",
                "gk_tau": "Goodman-Kruskal tau", "uncertainty": "不确定性系数", "gamma": "Gamma",
                "tau_b": "Kendall tau-b", "tau_c": "Kendall tau-c", "somers_d": "Somers d", "eta": "Eta",
                "kappa": "Kappa", "risk": "OR与RR",
            },
            default=("phi", "cramer_v", "contingency"),
        )  # fmt: skip
        exact: bool = flag("小样本精确检验", True)
        mc_draws: int = integer(
            "蒙特卡洛次数（无法穷举时）", 10000, least=1000, most=1000000, when={"exact": True}, advanced=True
        )
        conf_level: float = number("置信水平", 0.95, least=0.5, most=0.999, percent=True)

    cross = Table(
        "交叉表", layer=text("分层", when={"layer": filled}), level=text("类别"), merge=("layer",),
        layout=Wide(
            n=integer("频数"), row=percent("行%", when={"percent": "row"}), col=percent("列%", when={"percent": "col"}),
            share=percent("总%", when={"percent": "total"}),
        ),
        when=ALONE,
    )  # fmt: skip
    tests = Table(
        "卡方检验", layer=text("分层", when={"layer": filled}), test=text("检验"), read=text("采用"),
        value=num("统计量", least=0), df=integer("*df*"), p=pvalue(),
        ci=interval("*p* 的99%CI", "low", "high", around="p"), merge=("layer",), place="main", when=ALONE,
        claim=claim(
            "association", stat("χ²", "value", "df"), names=("test",), within="layer", read="read",
            outcome="columns", by="rows",
            effect=elsewhere("symmetric", "value", {"measure": "Cramér's V"}, match=("layer",)),
            effect_symbol="Cramér’s *V*",
        ),
    )  # fmt: skip
    choices = Table(
        "多选题交叉表", layer=text("分层", when={"layer": filled}), level=text("类别"), merge=("layer",), place="main",
        layout=Wide(n=integer("频数"), responses=percent("响应率"), cases=percent("普及率", most=None)), when=SET,
    )  # fmt: skip
    option_tests = Table(
        "各选项与分组的关联", layer=text("分层", when={"layer": filled}), option=text("选项"), test=text("检验"),
        value=num("χ²", least=0), df=integer("*df*"), p=pvalue(), holm=pvalue("校正后 *p*（Holm）"),
        v=num("Cramér's *V*", least=0, most=1), merge=("layer",), place="main", when=SET,
        claim=Silent("the options are told together, with p by Holm"),
    )  # fmt: skip
    reach = Points("普及率条形图", option=text("选项"), cases=percent("普及率"), series=text("组"), when=SET)
    reached = Chart("普及率条形图", "bar", of=reach, x="option", y="cases", series="series", when=SET, place="main")
    tiles = Points("马赛克图", within=text("列"), x=text("行"), n=integer("频数"), residual=num("调整残差"), when=ALONE)
    mosaic = Chart("马赛克图", "mosaic", of=tiles, row="within", column="x", count="n", residual="residual", when=ALONE)
    symmetric = Table(
        "对称度量", layer=text("分层", when={"layer": filled}), measure=text("度量"), value=num("值"),
        ci=interval("CI", "low", "high", around="value"), ase=num("近似标准误", least=0), t=num("近似*T*"), p=pvalue(),
        merge=("layer",), when={"association": SYMMETRIC, **ALONE}, place="main",
        claim=Silent("the association is told by 卡方检验, with Cramér's V"),
    )  # fmt: skip
    expectations = Table(
        "有效个案与期望频数", layer=text("分层", when={"layer": filled}), n=integer("有效N"), missing=integer("缺失N"),
        cells=integer("单元格数"), low=integer("期望频数<5的单元格"), share=percent("占比"), least=num("最小期望频数"),
        when=ALONE,
    )  # fmt: skip
    cells = Table(
        "期望频数与调整残差", layer=text("分层", when={"layer": filled}), row=text("行"), column=text("列"),
        n=integer("频数"), expected=num("期望频数", least=0, when={"expected": True}),
        residual=num("调整残差", stars="p", when={"residuals": True}), p=pvalue("残差的*p*", when={"residuals": True}),
        merge=("layer", "row"), when=CELLS,
        claim=Silent("single cells are read together, not tested one by one"),
    )  # fmt: skip
    directional = Table(
        "方向度量", layer=text("分层", when={"layer": filled}), measure=text("度量"), depends=text("方向"),
        value=num("值"), ci=interval("CI", "low", "high", around="value"), ase=num("近似标准误", least=0),
        t=num("近似*T*"), p=pvalue(), merge=("layer", "measure"), when={"association": DIRECTIONAL, **ALONE},
        claim=Silent("the association is told by 卡方检验"),
    )  # fmt: skip
    risk = Table(
        "风险估计", layer=text("分层", when={"layer": filled}), measure=text("指标"), of=text("比较"),
        value=num("估计", least=0), ci=interval("CI", "low", "high", around="value"), merge=("layer",),
        when={"association": "risk", **ALONE},
    )  # fmt: skip
    strata = Table(
        "分层合并", test=text("指标"), value=num("值"), ci=interval("CI", "low", "high", around="value"),
        df=integer("*df*"), p=pvalue(), when={"layer": filled, **ALONE},
        claim=claim("named", stat("χ²", "value", "df"), names=("test",)),
    )  # fmt: skip
    stacks = Points("堆积条形图", x=text("行"), share=percent("行百分比"), series=text("列"), when=ALONE)
    stacked = Chart("堆积条形图", "bar", of=stacks, x="x", y="share", series="series", arrange="full", when=ALONE)

    @classmethod
    def heading(cls, form: Any) -> str:
        rows, columns = (few_of(list(titles(box).values())) for box in (form.rows, form.columns))
        return f"{rows}与{columns}的列联分析"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        rows, across = form["rows"], form["columns"]
        steps = []
        if not form.get("layer"):
            steps.append(
                NextStep(title="按另一个变量分层再看", method="descriptive/crosstabs", form=form, seek=["layer"])
            )
        y = next((one for one in singly(across) if one in columns and columns[one].profile.distinct == 2), None)
        if y is not None:
            title = "加入其他变量一起考虑（二元 Logistic 回归）"
            start = {
                "freq": form.get("weight"),
                "y": y,
                "x": [one for one in singly(rows) if one != y and one in columns],
            }
            steps.append(NextStep(title=title, method="statistical/logistic_regression", form=start, seek=["x"]))
        turned = {**form, "rows": across, "columns": rows}
        return [*steps, NextStep(title="行列对调", method="descriptive/crosstabs", form=turned)]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        if len(form.rows) * len(form.columns) > MOST_PAIRS:
            raise Refusal(
                "data.pairs", "行、列变量两两配对共 {k} 张表，最多 {m} 张，请分几次分析",
                field="columns", also=["rows"], k=len(form.rows) * len(form.columns), m=MOST_PAIRS,
            )  # fmt: skip
        used = np.zeros(len(cls._first(form)), dtype=bool)
        found = cls._found(report, form, used)
        crossed = answer_pairs.crossed(report, form, used)
        if not found and not crossed:
            raise answer_pairs.only_sets(form) or cls._uncrossable(form, titles([*form.rows, *form.columns]))
        counts = frequencies(form.weight)
        report.used(int(used.sum()), None if counts is None else float(counts[used].sum()))
        several = len(found) + len(crossed) > 1
        for whole, inside in found:
            at = whole.at if several else None
            cls._pair(report, whole, inside, at)
        for answers, within in crossed:
            at = answers.at if several else None
            for one in [*within, answers]:
                answer_crossing.tables(report, cls, one, at)
            answer_crossing.chart(report, cls, answers, at)
        cls._explain(report, found, crossed, form)
        crossing_words.write(report, found, crossed, form)
        if found:
            crossing_words.notes(report, cls, found, form)
        if crossed:
            answer_crossing_words.notes(report, cls, crossed, form)
        crossing_checks.report_all(report, found, crossed, form)
        return report

    @staticmethod
    def _first(form: Any) -> Column:
        """A column of the rows used, for their number."""
        columns, sets = apart(form.rows)
        return columns[0] if columns else sets[0].columns[0]

    @classmethod
    def _found(cls, report: Report, form: Any, used: Any) -> list[tuple[Cross, list[Cross]]]:
        """The tables of all pairs, each with those of its layers; what has no two categories left is said."""
        counts = frequencies(form.weight)
        names = titles([*form.rows, *form.columns])
        layer = form.layer
        known = None if layer is None else layer.codes >= 0
        found: list[tuple[Cross, list[Cross]]] = []
        for x in apart(form.rows)[0]:
            for y in apart(form.columns)[0]:
                whole = cross(x, y, names, known, counts, "全部" if layer else None, form)
                if whole is None:
                    text = "“{x}”与“{y}”都有值的行里，其中一个只有一个类别，无法构成列联表，没有分析。"
                    report.warn("role.levels", text, x=names[x.id], y=names[y.id], columns=[x, y])
                    continue
                used |= (x.codes >= 0) & (y.codes >= 0) & (True if known is None else known)
                found.append((whole, cls._layers(report, whole, names, counts, form)))
        return found

    @staticmethod
    def _uncrossable(form: Any, names: dict[str, str]) -> Refusal:
        """Each variable of one category is marked in its own box; else the rows all of them know have but one left."""
        boxes = (("rows", form.rows), ("columns", form.columns))
        text = "“{v}”只有一个类别，无法构成列联表"
        alone = [
            Refusal("role.levels", text, field=key, column=one.id, v=names[one.id])
            for key, box in boxes for one in apart(box)[0] if len(one.levels) < 2
        ]  # fmt: skip
        if alone:
            return Refusal.of([fault for refusal in alone for fault in refusal.faults])
        layered = [] if form.layer is None else [form.layer]
        named = "”“".join(few_of([names.get(one.id, one.title)]) for one in (*form.rows, *form.columns, *layered))
        text = "“{named}”都有值的行里，行或列只有一个类别，无法构成列联表"
        also = ["columns", "layer"] if layered else ["columns"]
        return Refusal("role.levels", text, field="rows", also=also, named=named)

    @staticmethod
    def _layers(report: Report, whole: Cross, names: dict[str, str], counts: Any, form: Any) -> list[Cross]:
        if form.layer is None:
            return []
        inside, skipped = [], []
        for level, word in zip(form.layer.levels, level_words(form.layer.levels), strict=True):
            one = cross(whole.x, whole.y, names, form.layer.codes == level.code, counts, word, form)
            if one is None:
                skipped.append(word)
            else:
                inside.append(one)
        if skipped:
            text = "分层{which}没有足够的有效数据（行或列不足两类），已跳过。"
            report.warn("data.skipped", text, which="".join(f"“{w}”" for w in skipped), columns=[form.layer])
        return inside

    @classmethod
    def _pair(cls, report: Report, whole: Cross, inside: list[Cross], at: str | None) -> None:
        left: list[str] = []
        for one in [*inside, whole]:
            crossing_tables.counts(report, cls, one, at)
            crossing_tables.tests(report, cls, one, at)
            left += crossing_tables.measures(report, cls, one, at)
        crossing_tables.strata(report, cls, inside, at)
        crossing_tables.charts(report, cls, whole, at)
        for reason in dict.fromkeys(left):
            report.warn("data.left_out", "{why:text}。", why=reason)

    @classmethod
    def _explain(cls, report: Report, found: list[tuple[Cross, list[Cross]]], crossed: Any, form: Any) -> None:
        """Why a declared table is absent."""
        if not crossed:
            for absent in (cls.choices, cls.option_tests, cls.reach):
                report.skip(absent, "多选题没有可以交叉的分组，原因见提示")
        if not found:
            for empty in (cls.cross, cls.tests, cls.tiles, cls.expectations, cls.cells, cls.stacks):
                report.skip(empty, "没有可以交叉的两个分类变量，原因见提示")
        if not any(name == cls.strata.id for name, _ in report.rows):
            report.skip(cls.strata, "合并OR与齐性检验只在各层都是类别相同的 2×2 表、且至少两层时给出")
        for element in (cls.symmetric, cls.directional, cls.risk):
            if not any(name == element.id for name, _ in report.rows):
                report.skip(element, "所选的度量在这些表上都不能给出，原因见提示")
