from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from hengxi.contract import (
    Arrays,
    Chart,
    Formula,
    Points,
    Progress,
    Refusal,
    Report,
    SetRemedy,
    Table,
    choice,
    estimates,
    flag,
    integer,
    interval,
    num,
    number,
    pvalue,
    stat,
    text,
)
from hengxi.methods.supervised_learning._shared import linear_words
from hengxi.methods.supervised_learning._shared.coded import column_names, references
from hengxi.methods.supervised_learning._shared.explained import LINEAR
from hengxi.methods.supervised_learning._shared.fitting import Recipe, Rows, fold_rows
from hengxi.methods.supervised_learning.regression._shared.regressor import CONVENTIONS, Regressor, RegressorForm
from hengxi.stats.learning import linear
from hengxi.stats.learning.scaling import Scaling
from hengxi.stats.learning.shapley import Shapley
from hengxi.stats.learning.value_scores import score
from hengxi.stats.moments import Floats

PENALTIES = {"none": "无", "ridge": "岭回归", "lasso": "Lasso", "elastic": "弹性网"}
PENALISED = ("ridge", "lasso", "elastic")
POINTS, LOW = 25, 1e-3
"""Strengths on the path, and the least one as a share of the greatest (of ridge: a millionth)."""
MOST_PATHS = 10


class LinearRegression(Regressor):
    """Least squares with and without a penalty, judged by rows left out."""

    title, title_en = "线性回归（机器学习）", "Linear regression (train and predict)"
    slug = "linear-regression-predictive"
    family, tier = "机器学习回归", "standard"
    purpose = "以线性方程预测定量结果，并在新样本上检验预测误差"
    aliases = ("线性回归", "岭回归", "Lasso", "弹性网", "最小二乘", "正则化", "机器学习", "预测数值")
    references = ("hoerl1970", "tibshirani1996", "zou2005", "koenker1981", "lundberg2017", "bergstra2011")
    conventions = (
        *CONVENTIONS,
        "一个变量编码成几列时，有截距就略去第一列作参照。标准化：减训练行的均值，除以标准差（除以 n − 1）。",
        "岭回归：Σ(y − ŷ)² + α·Σb²。Lasso 与弹性网：Σ(y − ŷ)²/(2n) + α·r·Σ|b| + α·(1 − r)·Σb²/2，"
        "Lasso 的 r = 1；截距不受罚。有样本权重时各行乘权重（均值化为 1）。",
        "系数的标准误、*t*、*p* 由训练行求得，样本权重当作精度权重。"
        "Breusch-Pagan 用 Koenker 的学生化形式，有权重时不做。",
        "模型重要性是标准化系数绝对值的份额，一个变量的各列相加。线性 SHAP：系数乘以（取值 − 训练行均值）。",
    )
    shap_kind, extrapolates = LINEAR, True

    class Input(RegressorForm):
        penalty: str = choice("正则化", PENALTIES)
        alpha: float = number("正则化强度α", 1, least=0, most=10000, when={"penalty": PENALISED})
        l1_ratio: float = number("弹性网L1占比", 0.5, least=0, most=1, when={"penalty": "elastic"})
        standardize: bool = flag("标准化自变量", True)
        fit_intercept: bool = flag("含截距", True, advanced=True)
        positive: bool = flag("系数非负", False, advanced=True)

    coefficients = Table(
        "回归系数", name=text("自变量"), b=num("*B*", stars="p"), se=num("标准误", least=0, around="b"), beta=num("β"),
        t=num("*t*"), p=pvalue(), ci=interval("*B* 的 95% CI", "low", "high", around="b"), vif=num("VIF", least=0),
        place="main", when={"penalty": "none", "positive": False}, claim=estimates(stat("*t*", "t", "df")),
        df=integer("*df*"),
    )  # fmt: skip
    plain = Table("模型系数", name=text("自变量"), b=num("*B*"), beta=num("β"), place="main")
    equation = Formula("模型方程")
    strengths = Table(
        "正则化强度与交叉验证", place_of=integer("序号"), alpha=num("α", least=0), log=num("log₁₀ α"),
        rmse=num("交叉验证 RMSE", least=0),
        kept=integer("非零系数"), when={"penalty": PENALISED}, place="detail",
    )  # fmt: skip
    strengths_plot = Chart(
        "正则化强度的选择", "line", of=strengths, x="log", y="rmse", when={"penalty": PENALISED}, place="detail"
    )
    paths = Points(
        "正则化路径", series=text("自变量"), log=num("log₁₀ α"), beta=num("标准化系数"), when={"penalty": PENALISED}
    )
    paths_plot = Chart(
        "正则化路径", "line", of=paths, x="log", y="beta", series="series", when={"penalty": PENALISED}, place="detail"
    )

    @classmethod
    def params(cls, form: Any) -> dict[str, Any]:
        names = ("penalty", "alpha", "l1_ratio", "standardize", "fit_intercept", "positive")
        return {name: getattr(form, name) for name in names}

    @classmethod
    def learn(cls, params: dict[str, Any], rows: Rows, seed: int, tell: Progress, text: str) -> linear.Linear:
        tell(1, 1, text)
        return linear.learn(params, rows.x, rows.y, rows.weight, references(rows.places))

    @classmethod
    def answers(cls, learner: linear.Linear, x: Floats) -> Floats:
        return learner.answers(x)

    @classmethod
    def stored(cls, learner: linear.Linear) -> Arrays:
        return learner.pack()

    @classmethod
    def restored(cls, arrays: Arrays, k: int) -> linear.Linear:
        return linear.Linear.unpack(arrays)

    @classmethod
    def weights_of(cls, learner: linear.Linear) -> Floats:
        return np.abs(learner.coefficients[:, 0] * learner.sds)

    @classmethod
    def grid(cls) -> dict[str, list[Any]]:
        return {"penalty": ["ridge", "lasso"], "alpha": [0.001, 0.01, 0.1, 1.0, 10.0, 100.0]}

    @classmethod
    def explainer(cls, learner: linear.Linear, x: Floats, k: int) -> Shapley:
        values = (x - learner.means) * learner.coefficients[:, 0]
        return Shapley(values[:, :, None], learner.answers(learner.means[None, :])[0])

    @classmethod
    def scored(cls, task: Any, form: Any, fit: Any, params: dict[str, Any], trials: list[Any]) -> Any:
        """More columns than rows: any outcome is fitted without an error, which is refused."""
        places, n = fit.coding.places, int(task.train.size)
        p = places.size - (references(places).size if form.fit_intercept else 0)
        if params["penalty"] == "none" and p + form.fit_intercept >= n:
            text = "自变量个数（编码后 {p} 列）不少于训练样本数（{n} 行），请减少变量或选择正则化"
            remedy = SetRemedy(title="改用岭回归", set={"penalty": "ridge"})
            raise Refusal("data.columns", text, field="x", also=["penalty"], remedies=[remedy], p=p, n=n)
        return super().scored(task, form, fit, params, trials)

    @classmethod
    def own(cls, report: Report, form: Any, found: Any) -> None:
        columns = Columns.of(form, found)
        if found.params["penalty"] == "none" and not form.positive:
            _write_tested(report, cls, columns)
        else:
            _write_plain(report, cls, columns)
            report.skip(cls.coefficients, "搜索选择了正则化，系数见表“模型系数”")
        head = "ŷ 为“{y}”的预测值"
        linear_words.equation(
            report, cls, r"\hat y", head, columns.intercept, list(zip(columns.names, columns.b, strict=True)),
            y=columns.y_name,
        )  # fmt: skip
        if form.penalty != "none":
            _write_path(report, cls, form, found)


@dataclass
class Columns:
    """The training rows as the table of coefficients reads them: columns with a coefficient, on their own scale."""

    names: list[str]
    z: Floats
    y: Floats
    w: Floats
    is_weighted: bool
    b: Floats
    intercept: float | None
    y_name: str

    @classmethod
    def of(cls, form: Any, found: Any) -> Columns:
        task, fit = found.task, found.fit
        coding, train = fit.coding, task.train
        x = coding.apply(task.x[train])
        used = np.setdiff1d(np.arange(x.shape[1]), references(coding.places) if form.fit_intercept else [])
        names, scales = column_names(task, coding), coding.scales[coding.places[used]]
        weight = task.weights(train)
        return cls(
            [names[j] for j in used], x[:, used] / scales, task.y[train],
            np.ones(train.size) if weight is None else weight / weight.mean(), weight is not None,
            fit.learner.coefficients[used, 0] * scales,
            float(fit.learner.intercept[0]) if form.fit_intercept else None, form.y.title,
        )  # fmt: skip

    @property
    def spreads(self) -> Floats:
        middle = np.average(self.z, axis=0, weights=self.w)
        return np.asarray(np.sqrt(np.average((self.z - middle) ** 2, axis=0, weights=self.w)))

    @property
    def betas(self) -> Floats:
        middle = np.average(self.y, weights=self.w)
        return np.asarray(self.b * self.spreads / np.sqrt(np.average((self.y - middle) ** 2, weights=self.w)))


def _write_tested(report: Report, cls: Any, columns: Columns) -> None:
    """The coefficients with their tests; of columns that are combinations of others there are none."""
    report.skip(cls.plain, "没有正则化，见表“回归系数”")
    has = columns.intercept is not None
    design = np.column_stack([np.ones(columns.y.size), columns.z]) if has else columns.z
    size = np.sqrt((design**2).mean(axis=0))
    root = np.sqrt(columns.w)[:, None]
    _, r = np.linalg.qr(design / np.where(size > 0, size, 1.0) * root)
    diagonal = np.abs(np.diag(r))
    if not size.all() or diagonal.min() < 1e-9 * diagonal.max():
        text = "自变量之间完全共线（一个变量可由其余变量算出），系数不唯一，不给标准误；预测仍可用。"
        report.warn("data.collinear", text)
        report.skip(cls.coefficients, "自变量之间完全共线，系数不唯一")
        return
    rest = (columns.y - design @ np.append([columns.intercept] if has else [], columns.b)) * root[:, 0]
    df = columns.y.size - design.shape[1]
    variance = float(rest @ rest) / df
    errors = np.sqrt(variance * (np.linalg.inv(r) ** 2).sum(axis=1)) / size
    b = np.append([columns.intercept] if has else [], columns.b)
    vif = linear_words.vifs(columns.z, columns.w if columns.is_weighted else None)
    names = (["常数项"] if has else []) + columns.names
    for j, name in enumerate(names):
        i, is_constant = j - has, has and j == 0
        t = float(b[j] / errors[j]) if errors[j] > 0 else None
        reach = float(stats.t.ppf(0.975, df)) * float(errors[j])
        report.row(
            cls.coefficients, name=name, b=float(b[j]), se=float(errors[j]), t=t, df=df,
            beta=None if is_constant else float(columns.betas[i]),
            p=None if t is None else float(2 * stats.t.sf(abs(t), df)), low=float(b[j]) - reach,
            high=float(b[j]) + reach, vif=None if is_constant or np.isnan(vif[i]) else float(vif[i]),
        )  # fmt: skip
    report.note(cls.coefficients, "系数由训练集求得；β 为标准化系数，可以互相比较大小。")
    linear_words.check_vif(report, columns.names, vif, SetRemedy(title="改用岭回归", set={"penalty": "ridge"}))
    if not columns.is_weighted:
        _breusch_pagan(report, design, rest, has)


def _breusch_pagan(report: Report, design: Floats, rest: Floats, has: bool) -> None:
    """Koenker's n·R² of the squared residuals on the columns."""
    z = design if has else np.column_stack([np.ones(rest.size), design])
    squares = rest**2
    spread = float(np.sum((squares - squares.mean()) ** 2))
    if spread <= 1e-20 * float(np.sum(squares**2)):
        return
    size = np.sqrt((z**2).mean(axis=0))
    fitted = z / size @ np.linalg.lstsq(z / size, squares, rcond=None)[0]
    lm = rest.size * (1 - float(np.sum((squares - fitted) ** 2)) / spread)
    df = z.shape[1] - 1
    facts: dict[str, Any] = {"lm": lm, "df": df, "p": float(stats.chi2.sf(lm, df))}
    test = "（Breusch-Pagan χ²({df:integer}) = {lm:num}，*p* {p:peq}）"
    if facts["p"] < 0.05:
        text = f"残差的大小随预测值变化{test}：标准误与 *p* 不准，请改用稳健标准误的线性回归；预测不受影响。"
        report.check("残差等方差", "care", text, **facts)
    else:
        report.check("残差等方差", "pass", f"没有发现残差的大小随自变量变化{test}。", **facts)


def _write_plain(report: Report, cls: Any, columns: Columns) -> None:
    if columns.intercept is not None:
        report.row(cls.plain, name="常数项", b=columns.intercept, beta=None)
    for name, b, beta in zip(columns.names, columns.b, columns.betas, strict=True):
        report.row(cls.plain, name=name, b=float(b), beta=float(beta))
    kept = int(np.sum(columns.b != 0))
    text = "系数受罚或受限，没有标准误与 *p* 值；{k:integer} 列里有 {kept:integer} 列的系数不为 0。"
    report.note(cls.plain, text, k=len(columns.names), kept=kept)


def _write_path(report: Report, cls: Any, form: Any, found: Any) -> None:
    """Coefficients and cross-validated errors over the strengths of the penalty."""
    task, params, train = found.task, found.params, found.task.train
    x = found.fit.coding.apply(task.x[train])
    z = Scaling.learn(x, params["standardize"]).apply(x)  # shifts do not matter here
    ratio = 1.0 if params["penalty"] == "lasso" else params["l1_ratio"] or 0.0
    top = linear.strongest(params["penalty"], z - z.mean(axis=0), task.y[train] - task.y[train].mean(), ratio)
    alphas = np.geomspace(top, top * (1e-6 if params["penalty"] == "ridge" else LOW), POINTS)
    names, spread = column_names(task, found.fit.coding), task.y[train].std(ddof=1)
    shown = np.sort(np.argsort(-cls.weights_of(found.fit.learner), kind="stable")[:MOST_PATHS])
    recipe = Recipe(params, cls.learn, cls.answers, form.encode, form.missing, form.seed)
    splits = list(fold_rows(task, form)) if form.cv_folds and not found.stopped else []
    errors = []
    for place, alpha in enumerate(alphas, 1):
        own = params | {"alpha": float(alpha)}
        fit = recipe.fit(task, train, lambda *_: True, "", own)
        betas = fit.learner.coefficients[:, 0] * fit.learner.sds / spread
        for j in shown:
            report.row(cls.paths, series=names[j], log=float(np.log10(alpha)), beta=float(betas[j]))
        predicted = np.full(task.y.size, np.nan)
        for inner, outer in splits:
            predicted[outer] = recipe.fit(task, inner, lambda *_: True, "", own).answers(task.x[outer])[:, 0]
        rmse = score(task.y[train], predicted[train]).rmse if splits else None
        errors.append(rmse)
        kept = int(np.sum(fit.learner.coefficients != 0))
        cells: dict[str, Any] = {"alpha": float(alpha), "log": float(np.log10(alpha)), "rmse": rmse, "kept": kept}
        report.row(cls.strengths, place_of=place, **cells)
    if len(names) > MOST_PATHS:
        report.note(cls.paths_plot, "只画标准化系数最大的 {k:integer} 列。", k=MOST_PATHS)
    known = [error for error in errors if error is not None]
    if not known:
        report.note(cls.strengths, "没有做交叉验证，只给系数的路径。")
        return
    best = int(np.argmin(known))
    text = "交叉验证误差最小的强度是 α = {best:num}，RMSE = {rmse:num}；现在用的是 α = {own:num}。"
    report.note(cls.strengths, text, best=float(alphas[best]), rmse=known[best], own=float(params["alpha"]))
