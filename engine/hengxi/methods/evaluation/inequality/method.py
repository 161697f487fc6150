from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    Diagonal,
    Form,
    Method,
    Points,
    Refusal,
    Report,
    SetRemedy,
    Table,
    choice,
    figure,
    filled,
    flag,
    integer,
    interval,
    many,
    num,
    number,
    option,
    percent,
    role,
    text,
)
from hengxi.methods.evaluation._shared import unevenness as uneven
from hengxi.methods.evaluation._shared.unevenness import Floats

INDICES = {"gini": "基尼系数", "theil_t": "泰尔 T 指数", "theil_l": "泰尔 L 指数", "atkinson": "Atkinson 指数",
           "cv": "变异系数", "dagum": "Dagum 基尼分解"}  # fmt: skip
GROUPED = {"group": filled}
MOST, POINTS, MOST_DRAWS = 20_000, 150, 20_000_000


class Inequality(Method):
    """How unevenly something is spread over people, and how much of it lies between groups."""

    title, title_en = "基尼系数与泰尔指数", "Gini, Theil, Atkinson and decomposition"
    slug = "inequality-index"
    family = "一致性与均衡"
    purpose = "资源或收入分布有多不均衡，差异来自组内还是组间"
    aliases = ("基尼系数", "泰尔指数", "洛伦兹曲线", "Dagum", "Atkinson", "区域差异", "均衡性", "公平性")
    references = ("gini1912", "theil1967", "atkinson1970", "shorrocks1980", "dagum1997")
    conventions = (
        "有人口时，总量先除以人口得人均量；人口份额作权数。没有人口时每行一份。",
        "基尼系数 = Σᵢ Σⱼ wᵢwⱼ|xᵢ − xⱼ| ÷ 2μ；小样本校正乘以 n/(n − 1)，n 是行数，分解不校正。",
        "泰尔 T = Σ w(x/μ)ln(x/μ)，0 的项取 0；泰尔 L = Σ w ln(μ/x)，不能有 0。",
        "Atkinson 指数 = 1 − [Σ w(x/μ)^(1−ε)]^(1/(1−ε))，ε = 1 时取几何平均；ε ≥ 1 不能有 0。",
        "变异系数用加权总体标准差（除以 n）。",
        "泰尔 T 的组间 = Σ s ln(s/p)，组内 = Σ s·T；泰尔 L 的组间 = Σ p ln(p/s)，组内 = Σ p·L；"
        "p 是人口份额，s 是总量份额。",
        "Dagum（1997）：G = 组内 + 组间净值 + 超变密度。",
        "区间：自助法对行重抽样取百分位数；刀切法 = 估计值 ± z × 刀切标准误。",
        "基尼等级按通用说法：0.2 以下高度平均，0.2–0.3 比较平均，0.3–0.4 相对合理，0.4–0.5 差距较大，"
        "0.5 以上差距悬殊。",
    )
    random = True

    class Input(Form):
        value: Column = role("指标值", "定量", each=True)
        population: Column | None = role("人口（权，选填）", "定量")
        group: Column | None = role("分组（区域，选填）", "定类", levels=(2, 100))
        year: Column | None = role("年份（选填）", "时间")
        value_is: str = choice("指标值是", {"total": "总量（除以人口）", "average": "人均量"}, when={
            "population": filled})  # fmt: skip
        indices: list[str] = many("指数", {
            **{key: title for key, title in INDICES.items() if key != "dagum"},
            "dagum": option("Dagum 基尼分解", hint="要有分组")}, default=("gini", "theil_t", "theil_l"))  # fmt: skip
        small_sample: bool = flag("基尼小样本校正 n/(n − 1)", False)
        epsilon: float = number("Atkinson 参数 ε", 0.5, above=0, most=10, when={"indices": "atkinson"})
        ci: str = choice("置信区间", {"bootstrap": "自助法", "jackknife": "刀切法", "none": "不计算"})
        conf_level: float = number("置信水平", 0.95, least=0.5, most=0.999, when={"ci": ("bootstrap", "jackknife")})
        n_boot: int = integer("Bootstrap次数", 1000, least=200, most=10000, when={"ci": "bootstrap"})

    result = Table(
        "不均衡指数", year=text("年份"), index=text("指数"), value=num("值", least=0), ci=interval("CI", inside=False),
        n=integer("行数"), grade=text("说明"), merge=("year",), place="main",
    )  # fmt: skip
    points = Points("洛伦兹曲线", x=num("人口累计份额"), y=num("指标累计份额"), year=text("年份"))
    lorenz = Chart("洛伦兹曲线", "line", of=points, x="x", y="y", series="year", over=[Diagonal(0, 1, "完全均衡")],
                   place="main")  # fmt: skip
    path = Points("各年指数", year=text("年份"), index=text("指数"), value=num("值"), when={"year": filled})
    trend = Chart("指数趋势", "line", of=path, x="year", y="value", series="index", when={"year": filled}, place="main")
    parts = Table(
        "泰尔指数分解", year=text("年份"), index=text("指数"), part=text("来源"), value=num("值"),
        share=percent("贡献率", least=None, most=None), when=GROUPED, merge=("year", "index"), place="main",
    )  # fmt: skip
    groups = Table(
        "各组", year=text("年份"), group=text("组"), n=integer("行数"), p=percent("人口份额"), s=percent("指标份额"),
        mean=num("平均", least=0), gini=num("基尼系数", least=0), theil=num("泰尔 T", least=0), when=GROUPED,
        merge=("year",), place="detail",
    )  # fmt: skip
    stacks = Points("贡献", year=text("年份"), part=text("来源"), share=num("贡献率"), when=GROUPED)
    stack = Chart("泰尔 T 的贡献", "bar", of=stacks, x="year", y="share", series="part", arrange="stacked",
                  when=GROUPED, place="detail")  # fmt: skip
    dagum = Table(
        "Dagum 基尼分解", year=text("年份"), whole=num("基尼系数", least=0), within=num("组内", least=0),
        between=num("组间净值", least=0), overlap=num("超变密度"),
        within_share=percent("组内贡献", least=None, most=None),
        between_share=percent("组间贡献", least=None, most=None),
        overlap_share=percent("超变贡献", least=None, most=None),
        when=GROUPED, place="detail",
    )  # fmt: skip

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        times = int(form.get("n_boot") or 1000) if form.get("ci") == "bootstrap" else 0
        return 0.05 + rows * times * 1.5e-7

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        x, w, years, group = _read(form)
        found: dict[tuple[str, str], float] = {}
        for year in dict.fromkeys(years):
            at = np.array([one == year for one in years])
            cls._year(report, form, year, x[at], w[at], found)
            if form.group is not None:
                cls._groups(report, form, year, x[at], w[at], group[at])
        if not report.rows_of(cls.result):
            report.skip(cls.result, "只选了 Dagum 分解")
            report.skip(cls.path, "只选了 Dagum 分解")
        if form.group is not None and "dagum" not in form.indices:
            report.skip(cls.dagum, "没有选 Dagum 分解")
        if form.group is not None and not report.rows_of(cls.parts):
            report.skip(cls.parts, "没有选泰尔指数")
        _words(report, form, x, years, found)
        return report

    @classmethod
    def _year(
        cls, report: Report, form: Any, year: str, x: Floats, w: Floats, found: dict[tuple[str, str], float]
    ) -> None:
        for key in (key for key in form.indices if key != "dagum"):

            def index(values: Floats, weights: Floats, key: str = key) -> float:
                return uneven.index(key, values, weights, form.epsilon or 0.5, form.small_sample)

            value = index(x, w)
            found[year, key] = value
            low, high = uneven.interval(form.ci, x, w, index, form.conf_level, form.n_boot, form.rng)
            grade = uneven.grade(value) if key == "gini" else ""
            report.row(
                cls.result, year=year, index=INDICES[key], value=value, low=low, high=high, n=len(x), grade=grade
            )
            if form.year is not None:
                report.row(cls.path, year=year, index=INDICES[key], value=value)
        for a, b in zip(*uneven.lorenz(x, w, POINTS), strict=True):
            report.row(cls.points, x=a, y=b, year=year)

    @classmethod
    def _groups(cls, report: Report, form: Any, year: str, x: Floats, w: Floats, group: Any) -> None:
        p = w / w.sum()
        mean = float(p @ x)
        names = list(dict.fromkeys(group))
        for name in names:
            at = group == name
            own = float(p[at].sum())
            local = float(p[at] @ x[at]) / own
            report.row(
                cls.groups, year=year, group=name, n=int(at.sum()), p=own, s=own * local / mean, mean=local,
                gini=uneven.gini(x[at], p[at]) if local > 0 else None,
                theil=uneven.theil_t(x[at], p[at]) if local > 0 else None,
            )  # fmt: skip
        for key in (key for key in ("theil_t", "theil_l") if key in form.indices):
            between, within = uneven.theil_parts(key, x, p, group, names)
            total = between + sum(within.values())
            rows = {"组间": between, "组内": sum(within.values()), **{f"组内：{k}": v for k, v in within.items()}}
            for part, value in rows.items():
                share = value / total if total > 1e-15 else None
                report.row(cls.parts, year=year, index=INDICES[key], part=part, value=value, share=share,
                           depth=int(part.startswith("组内：")))  # fmt: skip
                if key == "theil_t" and part != "组内" and share is not None:
                    report.row(cls.stacks, year=year, part=part, share=share)
        if not report.rows_of(cls.stacks):
            report.skip(cls.stacks, "没有选泰尔 T，或没有差异")
        if "dagum" in form.indices:
            within_, net, overlap = uneven.dagum(x, p, group, names)
            total = within_ + net + overlap
            shares = [v / total if total > 1e-15 else None for v in (within_, net, overlap)]
            report.row(cls.dagum, year=year, whole=total, within=within_, between=net, overlap=overlap,
                       within_share=shares[0], between_share=shares[1], overlap_share=shares[2])  # fmt: skip


def _read(form: Any) -> tuple[Floats, Floats, list[str], Any]:
    """Values per head, population weights, years and groups of the rows, in the order of the years."""
    x = form.value.numbers.astype(float)
    name = form.value.title
    if len(x) > MOST:
        raise Refusal("data.many", f"有 {len(x):,} 行，最多 {MOST:,} 行，请先筛选或汇总", field="value")
    if (x < 0).any():
        row = int(form.value.row_numbers[int(np.argmin(x))])
        text_ = f"基尼/泰尔指数不接受负值：“{name}”第 {row} 行是 {x.min():g}，请核对，或筛选掉"
        raise Refusal("data.negative", text_, field="value", column=form.value.id, row=row)
    if x.max() > 1e100 or (0 < x.max() < 1e-100):
        raise Refusal("data.magnitude", f"“{name}”的数值过大或过小，超出可计算的范围，请换一个单位", field="value")
    w = np.ones(len(x))
    if form.population is not None:
        w = form.population.numbers.astype(float)
        if (w <= 0).any():
            row = int(form.population.row_numbers[int(np.argmin(w))])
            raise Refusal(
                "data.population", f"人口要大于 0，第 {row} 行是 {w.min():g}，请核对", field="population", row=row
            )
        x = x / w if form.value_is == "total" else x
    banned = [key for key in form.indices
              if key == "theil_l" or (key == "atkinson" and (form.epsilon or 0.5) >= 1)]  # fmt: skip
    if (x == 0).any() and banned:
        row = int(form.value.row_numbers[int(np.flatnonzero(x == 0)[0])])
        rest = [key for key in form.indices if key not in banned] or ["gini"]
        text_ = f"“{name}”第 {row} 行是 0：{INDICES[banned[0]]}不接受 0 值，请改用泰尔 T 或基尼"
        raise Refusal("data.zero", text_, field="indices", row=row, remedies=[
            SetRemedy(title="只算能接受 0 的指数", set={"indices": rest})])  # fmt: skip
    if form.group is None and "dagum" in form.indices:
        raise Refusal("data.group", "Dagum 分解要有分组，请放入分组变量，或不选它", field="indices")
    if form.ci == "bootstrap" and len(x) * int(form.n_boot) > MOST_DRAWS:
        raise Refusal("data.draws", f"行数 × Bootstrap 次数超过 {MOST_DRAWS:,}，请减少次数或改用刀切法", field="n_boot")
    moments = np.zeros(len(x)) if form.year is None else form.year.numbers
    order = np.lexsort((w, x, moments))
    years = ["全部"] * len(x) if form.year is None else [str(form.year.text[k]) for k in order]
    group = (
        np.array([""] * len(x)) if form.group is None else np.array(form.group.labels, dtype=object)[form.group.codes]
    )
    for year in dict.fromkeys(years):
        part = x[order][[one == year for one in years]]
        if len(part) < 2 or part.sum() <= 0:
            text_ = f"{year}的有效行不到 2 行，或指标值全为 0，算不出不均衡指数，请筛选掉这一年"
            raise Refusal("data.few", text_, field="value")
    return x[order], w[order], years, group[order]


def _words(report: Report, form: Any, x: Floats, years: list[str], found: dict[tuple[str, str], float]) -> None:
    spans = list(dict.fromkeys(years))
    key = next((key for key in form.indices if key != "dagum"), None)
    if key is None:
        report.lead("Dagum 基尼分解见下表。")
        report.say("各组差别有多少来自组内、组间和组间重叠，见 Dagum 分解表。", voice="student")
        return
    value, first = found[spans[-1], key], found[spans[0], key]
    facts: dict[str, Any] = {"name": form.value.title, "value": value, "first": first, "a": spans[0], "b": spans[-1],
                             "n": len(x)}  # fmt: skip
    if len(spans) == 1:
        lead = f"“{{name}}”的{INDICES[key]}是 {{value:num}}" + (f"，{uneven.grade(value)}。" if key == "gini" else "。")
    else:
        turn = "上升，差距扩大" if value > first + 1e-12 else "下降，差距缩小" if value < first - 1e-12 else "不变"
        lead = f"“{{name}}”的{INDICES[key]}从 {{a}} 年的 {{first:num}} 到 {{b}} 年的 {{value:num}}：{turn}。"
    report.lead(lead, [figure(INDICES[key], "{value:num}", "{b}")], **facts)
    if len(x) / len(spans) < 10:
        report.check("行数", "care", "每年平均不到 10 行，指数偏小也不稳，请看区间，或选小样本校正。")
    else:
        report.check("行数", "pass", "每年平均不少于 10 行。")
    report.say(f"{{b}}“{{name}}”的{INDICES[key]}为 {{value:num}}（n = {{n:integer}} 行）。", voice="paper", **facts)
    report.say("指数只说分得均不均，不说总量够不够：大家都少，也可以很均衡。", voice="student")
