from __future__ import annotations

from typing import Any

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Formula,
    NewColumns,
    Points,
    Reference,
    Report,
    Table,
    Wide,
    choice,
    claim,
    flag,
    integer,
    interval,
    num,
    number,
    percent,
    pvalue,
    role,
    stat,
    text,
)
from hengxi.contract import weight as weights_box
from hengxi.families.factor import checks, tables, words
from hengxi.families.factor.base import Factored
from hengxi.families.factor.model import build_model

FACTORS = ("paf", "ml", "minres")


class FactorAnalysis(Factored):
    """From the correlation matrix alone: rows are read once, everything else is of the size of the items."""

    title, title_en = "因子分析（探索性）", "Exploratory factor analysis"
    slug = "factor-analysis"
    family, tier = "多元统计", "standard"
    rescaled = (("items",),)
    purpose = "许多题项背后有几个潜在因子，每个题项归属哪个因子"
    aliases = (
        "EFA",
        "主成分分析",
        "PCA",
        "KMO",
        "Bartlett",
        "巴特利特",
        "碎石图",
        "因子载荷",
        "因子旋转",
        "维度",
        "结构效度",
        "降维",
    )
    references = (
        "kaiser1974", "bartlett1950", "kaiser1960", "horn1965", "joreskog1967", "harman1966", "heywood1931",
        "kaiser1958", "harman1976", "jennrich1966", "jennrich2002", "hendrickson1964", "thurstone1935", "olsson1979",
        "tucker1973", "browne1992", "costello2005", "gorsuch1983", "zwick1986",
    )  # fmt: skip
    conventions = (
        "主成分法得到的是成分，其余三种得到的是公因子；结论第一句写明提取方法。",
        "主轴因子以复相关系数平方为初值，迭代到公因子方差的变动小于 10⁻¹³；最大似然和最小残差的独有方差不小于 0.005。",
        "旋转均用 Kaiser 正规化；等量最大的 γ = m/2，直接斜交的 δ = 0，Promax 的 κ = 4。",
        "Promax 的目标矩阵取正规化载荷的 4 次方（SPSS 的做法）；R 的 promax 取未正规化的，结果略有不同。",
        "因子按旋转后的平方和从大到小排列；每个因子绝对值最大的载荷取正。",
        "因子得分用回归法（Thurstone），主成分法用成分得分；题项的标准差以 n − 1 为分母。",
        "平行分析用主成分特征根：100 次正态模拟，第 95 百分位，随机种子写在报告里。",
        "综合得分与权重按旋转后的方差占比加权，是国内惯例，不是检验；斜交旋转后不给。",
        "斜交旋转后的平方和是结构矩阵各列的平方和，不给方差百分比。",
        "多分格相关分两步估计：先由各题的频数求界限，再用最大似然逐对求相关；空格不加常数。",
    )
    weights = ("frequency",)
    random = True
    min_rows = 2

    class Input(Form):
        items: list[Column] = role("分析项", "定量", min=3, max=None)
        weight: Column | None = weights_box("频数权重（可选）", kind="frequency", whole=True)
        extraction: str = choice(
            "提取方法",
            {"principal": "主成分法", "paf": "主轴因子", "ml": "最大似然", "minres": "最小残差"},
            hint="主成分法得到成分；研究潜在因子用后三种",
        )
        rotation: str = choice(
            "旋转",
            {
                "none": "不旋转", "varimax": "最大方差", "quartimax": "四次方最大", "equamax": "等量最大",
                "oblimin": "直接斜交（δ = 0）", "promax": "Promax（κ = 4）",
            },
            default="varimax",
            hint="后两种是斜交旋转，允许因子相关",
        )  # fmt: skip
        n_rule: str = choice("因子个数", {"kaiser": "特征根大于1", "parallel": "平行分析", "fixed": "指定"})
        n_factors: int = integer("指定个数", 3, least=1, most=30, when={"n_rule": "fixed"})
        matrix: str = choice(
            "相关矩阵", {"pearson": "Pearson", "spearman": "Spearman", "polychoric": "多分格相关"},
            hint="等级少、偏斜的题项用多分格相关", advanced=True,
        )  # fmt: skip
        suppress: float = number("隐藏小于此值的载荷", 0, least=0, most=0.9, advanced=True)
        save: bool = flag("保存因子得分与综合得分", False)

    coefficients = Table("得分系数", item=text("题项"), layout=Wide(coefficient=num("系数", decimals=3)))
    importance = Table(
        "权重计算", factor=text("因子"), share=percent("方差%", most=None), weight=percent("权重"), place="detail",
    )  # fmt: skip
    composite = Formula("综合得分", place="detail")
    fit = Table(
        "拟合", layout="record", chi2=num("χ²", least=0, when={"extraction": "ml"}),
        df=integer("*df*", when={"extraction": "ml"}), p=pvalue(when={"extraction": "ml"}),
        rmsea=num("RMSEA", least=0, decimals=3, when={"extraction": "ml"}),
        ci=interval("RMSEA 的90%CI", "low", "high", around="rmsea", when={"extraction": "ml"}),
        tli=num("TLI", decimals=3, when={"extraction": "ml"}), bic=num("BIC", when={"extraction": "ml"}),
        rmsr=num("RMSR", least=0, decimals=3),
        claim=claim("named", stat("χ²", "chi2", "df")),
    )  # fmt: skip
    space_points = Points("旋转空间", item=text("题项"), x=num("因子1"), y=num("因子2"), series=text("归属"))
    space = Chart(
        "旋转空间图", "point", of=space_points, x="x", y="y", series="series", label="item",
        over=[Reference(x=0), Reference(y=0)], place="detail",
    )  # fmt: skip
    saved = NewColumns("因子得分与综合得分", when={"save": True})

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{len(form.items)} 个题项的因子分析"

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        return 0.1 + rows * columns * 5e-8 + columns**2 * 2e-4

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        model = build_model(form)
        tables.write(report, cls, model)
        words.Words(model).write(report)
        checks.report_all(report, model)
        return report
