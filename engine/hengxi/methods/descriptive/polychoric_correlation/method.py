from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special, stats

from hengxi.contract import (
    Chart,
    Column,
    ColumnInfo,
    Form,
    Matrix,
    Method,
    NextStep,
    Points,
    Refusal,
    Report,
    SetRemedy,
    Table,
    choice,
    claim,
    confidence,
    counted,
    figure,
    flag,
    integer,
    interval,
    num,
    number,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.stats.frequencies import frequencies
from hengxi.stats.moments import Floats
from hengxi.stats.names import titles
from hengxi.stats.polychoric import Latent, of_table, smoothed, with_values

TYPES = {
    "auto": "按尺度自动", "polychoric": "多分格", "tetrachoric": "四分", "polyserial": "多列",
    "point_biserial": "点二列", "biserial": "二列", "eta": "Eta",
}  # fmt: skip
FEW = 10
"""Numbers with at most so many values are read as ordered categories."""
JOINT_MOST = 12
WORDS = {"binary": "二分", "ordered": "有序", "numbers": "定量", "nominal": "无序分类"}


@dataclass(frozen=True)
class Variable:
    name: str
    kind: str
    codes: Any
    """Places of the categories, 0 …; None of numbers that are not read as categories."""
    values: Floats
    labels: list[str]


@dataclass(frozen=True)
class Pair:
    kind: str
    r: float
    se: float | None
    statistic: float | None
    p: float | None
    low: float | None
    high: float | None
    latent: Latent | None = None


class PolychoricCorrelation(Method):
    title, title_en = "多分格相关（混合相关）", "Polychoric / tetrachoric / polyserial correlation"
    family, tier = "描述性分析", "member"
    purpose = "有序或二分变量背后的连续潜变量相关有多强"
    aliases = ("polychoric", "tetrachoric", "四分相关", "多序列相关", "二列相关", "混合相关矩阵", "biserial", "Eta")
    references = ("olsson1979", "olsson1982", "pearson1900", "drasgow1986", "fisher1925")
    conventions = (
        "多分格、四分、多列、二列相关假定每个类别变量背后是正态的连续变量，两两为二元正态。",
        "两步法先由各变量的累积比例定阈值，再对相关系数作极大似然；标准误由对数似然的二阶导数得出"
        "（阈值视为已知，与 polycor 相同）。",
        "极大似然同时估计阈值和相关系数，只用于类别变量之间；有定量变量的一对仍用两步法。",
        "四格表有零格时，零格加上所设的值（默认 0.5）；更大的表不加。",
        "区间和 *p* 用 Fisher z 变换与标准误得出；点二列与 Pearson 相关的 *p* 用 *t* 分布，Eta 的 *p* 用 *F* 分布。",
        "拟合检验为似然比 χ²：*p* 小，说明二元正态的假定不合适。",
        "平滑把小于 10⁻¹² 的特征值抬高后还原成相关矩阵（与 psych::cor.smooth 相同）。",
        f"不多于 {FEW} 个不同取值的整数按有序类别处理。有缺失的行整行剔除。",
    )
    weights = ("frequency",)
    min_rows = 3

    class Input(Form):
        variables: list[Column] = role("分析变量（有序或二分，可含定量）", "任意", min=2, max=30)
        weight: Column | None = counted()
        type: str = choice("相关类型", TYPES, hint="自动：二分×二分用四分，有序用多分格，有定量变量用多列或 Pearson")
        estimator: str = choice("估计方法", {"two_step": "两步法", "ml": "极大似然"})
        zero_cell: float = number("零单元格加值", 0.5, least=0, most=1, hint="只用于四格表")
        smooth: bool = flag("非正定时平滑", True)
        conf_level: float = confidence()

    matrix = Table(
        "相关矩阵", layout=Matrix(r=num("系数", least=-1, most=1), show="lower"), item=text("变量"), place="main"
    )
    details = Table(
        "相关明细", a=text("变量1"), b=text("变量2"), kind=text("类型"), r=num("系数", least=-1, most=1),
        se=num("标准误", least=0), ci=interval("CI", "low", "high", around="r", inside=False), statistic=num("统计量"),
        p=pvalue(), n=integer("*n*"), chi2=num("拟合 χ²", least=0), df=integer("*df*"), p_fit=pvalue("拟合 *p*"),
        place="main", claim=claim("correlation", stat("*r*", "r"), first="a", second="b", interval="ci"),
    )  # fmt: skip
    cuts = Table(
        "阈值",
        variable=text("变量"),
        kind=text("尺度"),
        between=text("界于"),
        value=num("阈值"),
        merge=("variable", "kind"),
    )
    roots = Table("特征值", order=integer("次序"), value=num("特征值"), place="detail")
    cells = Points("热力图数据", row=text("行"), column=text("列"), value=num("系数"))
    heat = Chart("相关热力图", "heat", of=cells, row="row", column="column", value="value", place="main")

    @classmethod
    def heading(cls, form: Any) -> str:
        return "潜变量相关"

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Mapping[str, ColumnInfo]) -> list[NextStep]:
        start = {"variables": form["variables"], "weight": form.get("weight")}
        return [NextStep(title="与普通的相关系数比较（相关性分析）", method="descriptive/correlation", form=start)]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        counts = frequencies(form.weight)
        f: Floats = np.ones(len(form.variables[0])) if counts is None else counts
        held = f > 0
        f = f[held]
        names = titles(form.variables)
        variables = [cls._variable(form, column, names[column.id], held) for column in form.variables]
        if form.estimator == "ml" and len(variables) > JOINT_MOST:
            raise Refusal(
                "limit.most", "极大似然最多用于 {most} 个变量（现有 {k} 个），请改用两步法", field="estimator",
                most=JOINT_MOST, k=len(variables),
                remedies=[SetRemedy(title="改用两步法", set={"estimator": "two_step"})],
            )  # fmt: skip
        k, n = len(variables), round(float(f.sum()))
        r = np.eye(k)
        left, unsettled, misfit = [], [], []
        best: tuple[float, int, int, Pair] | None = None
        for i in range(k):
            for j in range(i):
                a, b = variables[j], variables[i]
                found = cls._pair(form, a, b, f, n)
                if found is None:
                    left.append(f"“{a.name}”与“{b.name}”")
                    r[i, j] = r[j, i] = np.nan
                    continue
                r[i, j] = r[j, i] = found.r
                latent = found.latent
                if latent is not None and not latent.settled:
                    unsettled.append(f"“{a.name}”与“{b.name}”")
                if latent is not None and latent.p_fit is not None and latent.p_fit < 0.05:
                    misfit.append(f"“{a.name}”与“{b.name}”")
                report.row(
                    cls.details, a=a.name, b=b.name, kind=found.kind, r=found.r, se=found.se, low=found.low,
                    high=found.high, statistic=found.statistic, p=found.p, n=n,
                    chi2=latent.chi2 if latent else None, df=latent.df or None if latent else None,
                    p_fit=latent.p_fit if latent else None,
                )  # fmt: skip
                if best is None or abs(found.r) > best[0]:
                    best = (abs(found.r), j, i, found)
        if best is None:
            raise Refusal(
                "choice.greyed", f"没有一对变量适合“{TYPES[form.type]}”相关，请在“相关类型”里选按尺度自动",
                field="type", also=["variables"], remedies=[SetRemedy(title="改为按尺度自动", set={"type": "auto"})],
            )  # fmt: skip
        cls._cuts(report, variables, f)
        proper = cls._roots(report, form, variables, r)
        if left:
            report.note(cls.details, "{pairs}的尺度不适合所选的类型，没有计算。", pairs=_some(left))
        for pair in unsettled[:5]:
            report.warn("data.unsettled", "{pair}的估计未收敛（到达 ±1），可能存在大量空单元格。", pair=pair)
        cls._say(report, form, variables, best, n)
        report.check(
            "二元正态", "care" if misfit else "pass",
            "{s:integer} 对变量偏离二元正态：{pairs}。系数只作参考，可看普通的秩相关。"
            if misfit
            else "没有发现偏离二元正态的变量对。",
            s=len(misfit), pairs=_some(misfit),
        )  # fmt: skip
        if proper is not None:
            ending = "相关矩阵里是平滑后的系数，最多改动 {moved:num}。" if form.smooth else "做因子分析前请打开平滑。"
            report.check(
                "矩阵正定", "pass" if proper[0] > 0 else "care",
                "最小的特征值为 {least:num}。" + ("" if proper[0] > 0 else "矩阵不是正定的；" + ending),
                least=proper[0], moved=proper[1],
            )  # fmt: skip
        return report

    @classmethod
    def _variable(cls, form: Any, column: Column, name: str, held: Any) -> Variable:
        """Refuses one value, many unordered categories (unless η is asked for) and texts."""
        facts: dict[str, Any] = {"field": "variables", "column": column.id, "v": name}
        numeric = column.is_number
        values = column.numbers[held] if numeric else column.codes[held].astype(float)
        present, codes = np.unique(values, return_inverse=True)
        if present.size < 2:
            raise Refusal("role.constant", "“{v}”没有变异，请移出", **facts)
        labelled = {level.code: level.label for level in column.levels} if column.is_categorical or not numeric else {}
        labels = [labelled.get(int(v), f"{v:g}") if labelled and not numeric else f"{v:g}" for v in present[:50]]
        if present.size == 2:
            return Variable(name, "binary", codes, values, labels)
        if not numeric and not column.ordered:
            if column.info.measure == "文本":
                raise Refusal("role.measure", "“{v}”是文字，不能计算，请移出或先编码", **facts)
            if form.type != "eta":
                raise Refusal("role.measure", "“{v}”是无序分类，不能计算多分格相关，请移出或把它定为有序", **facts)
            return Variable(name, "nominal", codes, values, labels)
        whole = bool((present == np.floor(present)).all())
        if column.is_categorical or column.ordered or (present.size <= FEW and whole):
            if present.size > 50:
                raise Refusal("role.levels", "“{v}”有 {k} 个类别，过多，请合并类别", k=int(present.size), **facts)
            return Variable(name, "ordered", codes, values, labels)
        return Variable(name, "numbers", None, values / float(np.abs(values).max()), [])

    @classmethod
    def _pair(cls, form: Any, a: Variable, b: Variable, f: Floats, n: int) -> Pair | None:
        kinds = {a.kind, b.kind}
        numbers = [v for v in (a, b) if v.kind == "numbers"]
        if form.type == "eta":
            return cls._eta(form, a, b, f, n)
        wanted = form.type
        if wanted == "auto":
            wanted = (
                "pearson" if len(numbers) == 2
                else "polychoric" if not numbers
                else "biserial" if "binary" in kinds
                else "polyserial"
            )  # fmt: skip
            wanted = "tetrachoric" if kinds == {"binary"} else wanted
        fits = {
            "pearson": True, "polychoric": not numbers, "tetrachoric": kinds == {"binary"},
            "polyserial": len(numbers) == 1, "biserial": kinds == {"binary", "numbers"},
            "point_biserial": "binary" in kinds,
        }[wanted]  # fmt: skip
        if not fits or "nominal" in kinds:
            return None
        if wanted in ("pearson", "point_biserial"):
            return cls._plain(form, a, b, f, n, "Pearson" if wanted == "pearson" else "点二列")
        if numbers:
            one, other = (a, b) if a.kind == "numbers" else (b, a)
            mean = float(np.dot(f, one.values) / n)
            scale = float(np.sqrt(np.dot(f, (one.values - mean) ** 2) / (n - 1)))
            latent = with_values((one.values - mean) / scale, other.codes, f)
            return cls._latent(form, "二列" if other.kind == "binary" else "多列", latent)
        table = np.zeros((len(a.labels), len(b.labels)))
        np.add.at(table, (a.codes, b.codes), f)
        if table.shape == (2, 2):
            table = np.where(table == 0, form.zero_cell, table)
        latent = of_table(table, form.estimator == "ml")
        return cls._latent(form, "四分" if table.shape == (2, 2) else "多分格", latent)

    @classmethod
    def _latent(cls, form: Any, kind: str, latent: Latent) -> Pair:
        if latent.se is None:
            return Pair(kind, latent.rho, None, None, None, None, None, latent)
        z = latent.rho / latent.se
        half = float(special.ndtri((1 + form.conf_level) / 2)) * latent.se / (1 - latent.rho**2)
        low, high = (float(np.tanh(np.arctanh(latent.rho) + side * half)) for side in (-1, 1))
        return Pair(kind, latent.rho, latent.se, z, float(2 * special.ndtr(-abs(z))), low, high, latent)

    @classmethod
    def _plain(cls, form: Any, a: Variable, b: Variable, f: Floats, n: int, kind: str) -> Pair:
        x, y = (v.values if v.codes is None else v.codes.astype(float) for v in (a, b))
        x, y = x - np.dot(f, x) / n, y - np.dot(f, y) / n
        r = float(np.clip(np.dot(f, x * y) / np.sqrt(np.dot(f, x * x) * np.dot(f, y * y)), -1, 1))
        if abs(r) > 1 - 1e-12 or n < 4:
            return Pair(kind, r, None, None, None, None, None)
        t = r * np.sqrt((n - 2) / (1 - r * r))
        half = float(special.ndtri((1 + form.conf_level) / 2)) / np.sqrt(n - 3)
        low, high = (float(np.tanh(np.arctanh(r) + side * half)) for side in (-1, 1))
        se = float(np.sqrt((1 - r * r) / (n - 2)))
        return Pair(kind, r, se, float(t), float(2 * stats.t.sf(abs(t), n - 2)), low, high)

    @classmethod
    def _eta(cls, form: Any, a: Variable, b: Variable, f: Floats, n: int) -> Pair | None:
        """The numbers by the categories; of two variables with categories, the second by the first."""
        by, y = (a, b) if a.kind != "numbers" else (b, a)
        if by.codes is None or y.kind == "nominal":
            return None
        k = len(by.labels)
        values = y.values - np.dot(f, y.values) / n
        sizes = np.bincount(by.codes, weights=f, minlength=k)
        sums = np.bincount(by.codes, weights=f * values, minlength=k)
        between, whole = float(np.sum(sums**2 / sizes)), float(np.dot(f, values**2))
        share = min(1.0, between / whole)
        if share > 1 - 1e-12 or n <= k:
            return Pair("Eta", float(np.sqrt(share)), None, None, None, None, None)
        ratio = (share / (k - 1)) / ((1 - share) / (n - k))
        return Pair("Eta", float(np.sqrt(share)), None, ratio, float(stats.f.sf(ratio, k - 1, n - k)), None, None)

    @classmethod
    def _cuts(cls, report: Report, variables: list[Variable], f: Floats) -> None:
        for v in variables:
            if v.codes is None or v.kind == "nominal":
                continue
            shares = np.cumsum(np.bincount(v.codes, weights=f)) / f.sum()
            for i, share in enumerate(shares[:-1]):
                report.row(
                    cls.cuts, variable=v.name, kind=WORDS[v.kind], between=f"{v.labels[i]} | {v.labels[i + 1]}",
                    value=float(special.ndtri(share)),
                )  # fmt: skip
        if report.rows_of(cls.cuts):
            report.note(cls.cuts, "阈值由各变量自己的累积比例得出（两步法）。")
        else:
            report.skip(cls.cuts, "没有有序或二分的变量")

    @classmethod
    def _roots(cls, report: Report, form: Any, variables: list[Variable], r: Floats) -> tuple[float, float] | None:
        moved = 0.0
        if np.isnan(r).any() or form.type == "eta":
            report.skip(cls.roots, "有的变量对没有系数，或 Eta 没有矩阵可言")
            shown: Floats = r
            least = None
        else:
            values = np.linalg.eigvalsh(r)[::-1]
            for i, value in enumerate(values, 1):
                report.row(cls.roots, order=i, value=float(value))
            least, shown = float(values[-1]), r
            if least <= 0 and form.smooth:
                shown = smoothed(r)
                moved = float(np.abs(shown - r).max())
        names = [v.name for v in variables]
        for i, one in enumerate(names):
            for j, other in enumerate(names):
                value = None if np.isnan(shown[i, j]) else float(np.clip(shown[i, j], -1, 1))
                if j <= i:
                    report.row(cls.matrix, item=one, against=other, r=value)
                if value is not None:
                    report.row(cls.cells, row=one, column=other, value=value)
        return None if least is None else (least, moved)

    @classmethod
    def _say(
        cls, report: Report, form: Any, variables: list[Variable], best: tuple[float, int, int, Pair], n: int
    ) -> None:  # fmt: skip
        _, j, i, found = best
        facts: dict[str, Any] = {
            "a": variables[j].name, "b": variables[i].name, "r": found.r, "n": n, "kind": found.kind,
        }  # fmt: skip
        inside = "{kind}相关 {r:num}"
        if found.low is not None and found.p is not None:
            facts |= {"low": found.low, "high": found.high, "p": found.p, "level": form.conf_level}
            inside += "，{level:percent} CI {low:num} 到 {high:num}，*p* {p:peq}"
        elif found.p is not None:
            facts |= {"p": found.p}
            inside += "，*p* {p:peq}"
        lead = f"“{{a}}”与“{{b}}”的关系最强（{inside}，*n* = {{n:integer}}）。"
        report.lead(lead, [figure("最强的系数", "{r:num}", "{a}、{b}"), figure("样本量", "{n:integer}")], **facts)
        report.say(
            "这里的系数说的是类别背后的连续变量之间的相关，通常比直接用分数算的 Pearson 相关大。"
            "题目只有几个等级时，做因子分析用它更合适。",
            voice="student",
        )
        report.say("相关不等于因果。", voice="student")


def _some(pairs: list[str]) -> str:
    return "、".join(pairs[:5]) + ("等" if len(pairs) > 5 else "")
