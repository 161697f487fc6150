"""Few new variables for many correlated ones. The space is learned from training rows, scores are given to all."""

from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Level,
    OtherTable,
    Points,
    Processing,
    Reference,
    Refusal,
    Report,
    Table,
    Wide,
    choice,
    few_of,
    figure,
    integer,
    num,
    number,
    percent,
    role,
    text,
)
from hengxi.contract.columns import Floats
from hengxi.methods.data_processing._shared import projection
from hengxi.methods.data_processing._shared.columns_step import (
    Learning,
    learn_from,
    moments_of,
    train_column,
    train_level,
)
from hengxi.methods.data_processing._shared.projection import Projection, Space
from hengxi.methods.data_processing._shared.rows import tell
from hengxi.stats.names import titles
from hengxi.stats.thin import thin

SCALED = {"method": ("pca", "kernel_pca")}
PREFIX = {"pca": "PC", "kernel_pca": "KPC", "factor": "因子", "svd": "SVD", "lda": "LD"}
MOST_VARIABLES, MOST_KERNEL_ROWS, DRAWN, LISTED = 500, 2000, 500, 50


class PcaReduction(Processing):
    """Principal and kernel components, factor scores, singular vectors, discriminants."""

    title, title_en = "数据降维", "Dimension reduction"
    family, tier = "数据处理", "standard"
    purpose = "用少数综合变量代替许多相关变量"
    aliases = (
        "主成分",
        "PCA",
        "因子得分",
        "核主成分",
        "SVD",
        "LDA",
        "线性判别",
        "碎石图",
        "双标图",
        "降维",
        "综合变量",
    )
    references = ("jolliffe2002", "kaiser1960", "gabriel1971", "scholkopf1998", "thurstone1935", "fisher1936")
    conventions = (
        "每个成分绝对值最大的载荷取正，结果可以重复；别的软件符号可能相反，含义相同。",
        "主成分得分 = (x − 均值)/标准差 与系数的乘积之和，方差等于特征值（与 R 的 prcomp 相同）；"
        "SPSS 的得分再除以特征值的平方根。协方差矩阵不除以标准差。",
        "载荷是原变量与得分在求参数的行里的相关；因子法是因子载荷。",
        "特征值大于 1 的规则用于相关矩阵；协方差、截断SVD、核主成分和判别分析改为大于平均特征值。至少保留一个。",
        "因子得分：主轴因子，不旋转，回归法。要旋转或检验，用因子分析。",
        "截断SVD 不中心化、不标准化，特征值是奇异值的平方。",
        "核：RBF exp(−‖x−y‖²/p)，多项式 (x·y/p + 1)³，余弦；p 是变量个数。核矩阵先双中心化，特征值是它的特征值。",
        "线性判别的得分在组内方差为 1、互不相关，特征值是 W⁻¹B 的特征值，最多有类别数 − 1 个。",
        "双标图里个案是除以标准差的得分，变量是载荷乘以个案的最大绝对值。",
        "有缺失的行不参与求参数，得分为缺失；放入“训练标记”或“参数取自”后，参数只由那些行求得。",
    )
    pool = True
    reads_names = True  # Columns of the version in `learn_from` are found by name.

    class Input(Form):
        variables: list[Column] = role("处理变量", "定量", min=1, max=MOST_VARIABLES)
        category: Column | None = role("类别（线性判别）", "定类", min=0, levels=(2, 100), when={"method": "lda"})
        method: str = choice(
            "方法",
            {"pca": "主成分", "kernel_pca": "核主成分", "factor": "因子得分", "svd": "截断SVD", "lda": "线性判别"},
        )
        rule: str = choice(
            "保留规则", {"eigen": "特征值>1", "variance": "累计方差", "fixed": "固定个数"}, default="variance"
        )
        variance: float = number("累计方差阈值", 0.85, least=0.3, most=0.999, when={"rule": "variance"})
        n_components: int = integer("个数", 2, least=1, most=50, when={"rule": "fixed"})
        matrix: str = choice("分析矩阵", {"correlation": "相关", "covariance": "协方差"}, when=SCALED)
        kernel: str = choice(
            "核", {"rbf": "RBF", "poly": "多项式", "cosine": "余弦"}, when={"method": "kernel_pca"}
        )  # fmt: skip
        learn_from: OtherTable | None = learn_from()
        train: Column | None = train_column()
        train_level: Level | None = train_level()

    explained = Table(
        "方差解释表", component=text("成分"), value=num("特征值", least=0), share=percent("方差%"),
        cumulative=percent("累计%"), kept=text("保留"),
    )  # fmt: skip
    loadings = Table("载荷表", variable=text("变量"), layout=Wide(loading=num("载荷", decimals=3)))
    coefficients = Table(
        "成分系数表", variable=text("变量"), center=num("中心"), scale=num("尺度"),
        layout=Wide(coefficient=num("系数", decimals=4)), place="detail",
    )  # fmt: skip
    scores = Table(
        "新变量", variable=text("变量"), n=integer("有效"), missing=integer("缺失"), mean=num("均值"),
        sd=num("标准差", least=0), least=num("最小"), most=num("最大"), place="detail",
    )  # fmt: skip
    scree = Chart("碎石图", "line", of=explained, x="component", y="value")
    score_points = Points("二维得分图", row=integer("个案"), x=num("成分1"), y=num("成分2"))
    score_plot = Chart(
        "二维得分图", "point", of=score_points, x="x", y="y", over=[Reference(x=0), Reference(y=0)]
    )  # fmt: skip
    both_points = Points("双标图", name=text("名称"), x=num("成分1"), y=num("成分2"), kind=text("类型"))
    biplot = Chart(
        "双标图", "point", of=both_points, x="x", y="y", label="name", series="kind",
        over=[Reference(x=0), Reference(y=0)], place="detail",
    )  # fmt: skip

    @classmethod
    def heading(cls, form: Any) -> str:
        return f"{few_of(list(titles(form.variables).values()))}的降维"

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        return 0.2 + rows * columns**2 * 2e-9 + (2.0 if form.get("method") == "kernel_pca" else 0.0)

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        if form.method == "lda" and form.category is None:
            raise Refusal("role.empty", "线性判别需要类别，请放入“类别”", field="category")
        x, codes = cls._training(form)
        columns, x = cls._varying(report, form, x)
        names = [titles(form.variables)[one.id] for one in columns]
        if form.rule == "fixed" and form.n_components > len(columns):
            text_ = f"成分个数不能大于变量个数 {len(columns)}，请减小“个数”"
            raise Refusal("limit.components", text_, field="n_components", also=["variables"])
        space = cls._space(form, x, codes)
        k = cls._retained(report, form, space, len(columns))
        found = space.build(k)
        made = cls._scores(report, form, columns, found, k)
        cls._tables(report, form, names, x, space, found, k)
        cls._drawn(report, names, found, x, k)
        cls._say(report, form, len(columns), len(x), space, k, made)
        return report

    # ---- what is learned -------------------------------------------------------------------------------------------
    @classmethod
    def _training(cls, form: Any) -> tuple[Floats, Floats | None]:
        """Rows without gaps that count for learning, and the category of each."""
        learning = Learning(form)
        x = np.column_stack([learning.column(one).numbers for one in form.variables]).astype(float)
        keep = learning.rows(form.variables[0]) & ~np.isnan(x).any(axis=1)
        codes = None
        if form.category is not None:
            codes = np.asarray(learning.column(form.category).codes, dtype=np.float64)
            keep &= codes >= 0
            codes = codes[keep]
        if keep.sum() < 2:
            raise Refusal("data.few", "有效样本少于2，无法降维，请减少有缺失的变量或先填补", field="variables")
        spread = np.ptp(x[keep], axis=0)
        if np.abs(x[keep]).max() > 1e100 or ((spread > 0) & (spread < 1e-100)).any():
            raise Refusal("data.large", "有数值太大或差别太小，无法计算平方和，请先换单位", field="variables")
        if form.method == "kernel_pca" and keep.sum() > MOST_KERNEL_ROWS:
            text_ = (
                f"核主成分最多由 {MOST_KERNEL_ROWS:,} 行求得，现有 {int(keep.sum()):,} 行，请放入训练标记或改用主成分"
            )
            raise Refusal("data.too_many_rows", text_, field="method")
        return x[keep], codes

    @classmethod
    def _varying(cls, report: Report, form: Any, x: Floats) -> tuple[list[Column], Floats]:
        varies = x.max(axis=0) > x.min(axis=0)
        names = titles(form.variables)
        for column in (one for one, moves in zip(form.variables, varies, strict=True) if not moves):
            text_ = "“{v}”没有变异，已剔除。"
            report.warn("role.constant", text_, columns=[column], v=names[column.id])
        if not varies.any():
            raise Refusal("role.constant", "所有变量都没有变异，无法降维，请换变量", field="variables")
        kept = [one for one, moves in zip(form.variables, varies, strict=True) if moves]
        return kept, x[:, varies]

    @classmethod
    def _space(cls, form: Any, x: Floats, codes: Floats | None) -> Space:
        if form.method == "factor" and x.shape[1] < 3:
            raise Refusal("role.few", "因子得分至少需要 3 个有变异的变量，请增加变量或改用主成分", field="variables")
        if codes is not None and len(np.unique(codes)) < 2:
            raise Refusal("data.levels", "求参数的行只有一个类别，无法判别，请核对类别", field="category")
        try:
            match form.method:
                case "pca":
                    return projection.components(x, form.matrix == "correlation")
                case "kernel_pca":
                    return projection.kernels(x, form.matrix == "correlation", form.kernel)
                case "svd":
                    return projection.truncated(x)
                case "factor":
                    return projection.factors(x)
                case _:
                    assert codes is not None
                    return projection.discriminants(x, codes)
        except projection.SingularError:
            text_ = "有变量能由其他变量算出，或行数太少，请删去多余的变量，或改用主成分"
            raise Refusal("data.singular", text_, field="variables", also=["method"]) from None

    @classmethod
    def _retained(cls, report: Report, form: Any, space: Space, p: int) -> int:
        if not len(space.values):
            raise Refusal("data.same", "各类别的均值相同或个案之间没有差别，没有可以保留的成分", field="variables")
        on_correlations = form.method == "factor" or (form.method == "pca" and form.matrix == "correlation")
        k = projection.retained(
            space, form.rule, form.variance or 0.0, form.n_components or 1, 1.0 if on_correlations else None
        )
        if form.rule == "fixed" and k < form.n_components:
            text_ = "只有 {k:integer} 个成分的特征值大于 0，已只保留这些。"
            report.warn("data.rank", text_, k=k)
        most = p // 2 if form.method == "factor" else k
        if k > most:
            text_ = "{p:integer} 个变量最多取 {k:integer} 个因子，已只保留这些。"
            report.warn("data.factors", text_, p=p, k=most)
        return min(k, most, 50)

    # ---- the cells -------------------------------------------------------------------------------------------------
    @classmethod
    def _scores(cls, report: Report, form: Any, columns: list[Column], found: Projection, k: int) -> dict[str, Any]:
        x = np.column_stack([one.numbers for one in columns]).astype(float)
        whole = ~np.isnan(x).any(axis=1)
        made = np.full((len(x), k), np.nan)
        made[whole] = found.scores(x[whole])
        for j in range(k):
            name, known = f"{PREFIX[form.method]}{j + 1}", made[whole, j]
            report.make(name, made[:, j], measure="定量", label=f"{cls._way(form)}第 {j + 1} 个得分")
            report.row(cls.scores, variable=name, missing=len(x) - len(known), **moments_of(known))
        gone = int((~whole).sum())
        if gone:
            report.warn("data.gaps", "{k:integer} 行有缺失，得分为缺失。", columns=columns, k=gone)
        return {"rows": int(whole.sum()), "gone": gone}

    # ---- what is shown ---------------------------------------------------------------------------------------------
    @classmethod
    def _tables(
        cls, report: Report, form: Any, names: list[str], x: Floats, space: Space, found: Projection, k: int
    ) -> None:
        prefix = PREFIX[form.method]
        running = np.minimum(np.cumsum(space.shares), 1.0)
        for j, value in enumerate(space.values[:LISTED]):
            kept = "是" if j < k else "否"
            report.row(
                cls.explained, component=f"{prefix}{j + 1}", value=float(value), share=float(space.shares[j]),
                cumulative=float(running[j]), kept=kept,
            )  # fmt: skip
        if len(space.values) > LISTED:
            report.note(cls.explained, "只列前 50 个成分。")
        if form.method == "factor":
            report.note(cls.explained, "特征值是相关矩阵的，方差% 不是因子抽取后的方差。")
        for i, name in enumerate(names):
            wide = {f"{prefix}{j + 1}": {"loading": found.loadings[i, j]} for j in range(k)}
            report.row(cls.loadings, variable=name, wide=wide)
        if found.coefficients is None:
            report.skip(cls.coefficients, "核主成分不是原变量的线性组合，没有系数。")
            return
        scaled = form.method == "factor" or (form.method == "pca" and form.matrix == "correlation")
        center, scale = projection.standard(x, scaled)
        center = np.zeros(len(names)) if form.method == "svd" else center
        for i, name in enumerate(names):
            wide = {f"{prefix}{j + 1}": {"coefficient": found.coefficients[i, j]} for j in range(k)}
            report.row(cls.coefficients, variable=name, center=center[i], scale=scale[i], wide=wide)

    @classmethod
    def _drawn(cls, report: Report, names: list[str], found: Projection, x: Floats, k: int) -> None:
        """The rows learned from; of many every so many-th."""
        if k < 2:
            for points in (cls.score_points, cls.both_points):
                report.skip(points, "只保留了一个成分，不画平面图。")
            return
        scores = found.scores(x)[:, :2]
        at = thin(len(scores), most=DRAWN)
        shown = scores[at]
        report.add_rows(cls.score_points, {"row": at + 1, "x": shown[:, 0], "y": shown[:, 1]})
        spread = scores.std(axis=0, ddof=1)
        unit = shown / np.where(spread > 0, spread, 1.0)
        reach = float(np.abs(unit).max())
        for row in unit:
            report.row(cls.both_points, name="", x=row[0], y=row[1], kind="个案")
        for name, loading in zip(names, found.loadings, strict=True):
            report.row(cls.both_points, name=name, x=loading[0] * reach, y=loading[1] * reach, kind="变量")

    @classmethod
    def _way(cls, form: Any) -> str:
        options = cls.Input.fields["method"].options  # type: ignore[attr-defined]
        return str(next(option.title for option in options if option.key == form.method))

    @classmethod
    def _say(cls, report: Report, form: Any, p: int, n: int, space: Space, k: int, made: dict[str, Any]) -> None:
        facts: dict[str, Any] = {
            "p": p, "k": k, "n": n, "first": float(space.shares[0]),
            "share": min(1.0, float(space.shares[:k].sum())), **made,
        }  # fmt: skip
        what = {
            "pca": "保留的成分解释总方差的 {share:percent}，第一个占 {first:percent}。",
            "svd": "保留的成分占平方和的 {share:percent}，第一个占 {first:percent}。",
            "kernel_pca": "保留的成分占核空间方差的 {share:percent}，第一个占 {first:percent}。",
            "factor": "相关矩阵前 {k:integer} 个特征值合计占 {share:percent}。",
            "lda": "保留的判别函数占组间差异的 {share:percent}，第一个占 {first:percent}。",
        }[form.method]
        lead = f"{{p:integer}} 个变量按{cls._way(form)}降为 {{k:integer}} 个，由 {{n:integer}} 行求得。{what}"
        student = "先看载荷表：载荷绝对值大的变量决定这个成分的含义，据此给它命名。"
        if form.learn_from is not None:
            student += "参数由“{source}”求得，这份数据没有参与。"
            facts["source"] = form.learn_from.name
        elif form.train is not None:
            student += "参数只由训练行求得，其余行用同一组参数。"
        elif form.method == "lda":
            student += "判别用到了类别，要训练预测模型时请先拆分数据，再放入“训练标记”。"
        else:
            student += "要训练预测模型时，请先拆分数据，再放入“训练标记”。"
        tell(report, lead, student, [figure("新变量", "{k:integer}", "{share:percent}")], **facts)
