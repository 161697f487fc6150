from __future__ import annotations

from typing import Any

import numpy as np

from hengxi.contract import Chart, Column, Form, Report, Table, figure, integer, num, percent, role
from hengxi.contract import text as words
from hengxi.methods.unsupervised_learning._shared import outliers, space
from hengxi.methods.unsupervised_learning._shared.outliers import COMMON, OutlierScores

MOST_ROWS, USUAL, EXPLAINED, MOST_TREES = 1_000_000, 0.5, 100, 300


class IsolationForest(OutlierScores):
    """Rows that random cuts part from the others soon."""

    title, title_en = "孤立森林", "Isolation forest"
    slug = "isolation-forest"
    tier = "standard"
    purpose = "用随机切分孤立样本的难易程度找出异常样本"
    aliases = ("孤立森林", "iForest", "Isolation Forest", "异常检测", "离群点检测")
    references = ("liu2008", "lundberg2020")
    conventions = (
        "得分 = 2^(−E[h]/c(ψ))，h 为样本在一棵树上被孤立所需的切分次数，叶中还有 m 个样本时加 c(m)；"
        "c(m) = 2(ln(m − 1) + 0.5772) − 2(m − 1)/m，ψ 为每棵树的样本数。",
        "没有给异常比例时，得分大于 0.5 判为异常。",
        "定类变量化成每个水平一列的 0 与 1；各列先标准化，不影响切分。",
        "变量贡献：最多 100 行、每行的平均切分次数的 TreeSHAP 值，各水平相加后取绝对值的平均；树超过 300 棵时不计算。",
        *COMMON,
    )
    random = True

    class Input(Form):
        x: list[Column] = role("检测变量", "任意", min=1, max=None)
        label: Column | None = space.identity()
        truth: Column | None = outliers.truth_role()
        n_estimators: int = integer("树的数量", 100, least=10, most=2000)
        max_samples: int = integer("每棵树样本数", 256, least=2, most=100_000)
        contamination: float | None = space.contamination()
        missing: str = space.gaps()
        append: bool = space.append()

    summary = Table(
        "异常汇总", layout="record", n=integer("*N*"), count=integer("异常数"), share=percent("占比"),
        threshold=num("得分阈值", decimals=4), largest=num("最高得分", decimals=4), drawn=integer("每棵树的样本数"),
        place="main",
    )  # fmt: skip
    contributions = Table("变量贡献", name=words("变量"), value=num("SHAP 平均绝对值", least=0, decimals=4))
    weighing = Chart("变量贡献图", "bar", of=contributions, x="name", y="value", place="detail")

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        return 1.0 + int(form.get("n_estimators") or 100) * (0.01 + rows * 4e-7)

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        held = space.space_of(
            report, form, MOST_ROWS, True, mixed=True, alike="数据没有差异，无法检测异常：各行的取值完全相同"
        )
        forest = grown(form, held)
        score = -np.asarray(forest.score_samples(held.z))
        made = outliers.scores_of(held, score, form.contamination, USUAL)
        count, drawn = int(made.odd.sum()), int(forest.max_samples_)
        report.row(
            cls.summary, n=held.n, count=count, share=count / held.n, threshold=made.threshold,
            largest=float(score.max()), drawn=drawn,
        )  # fmt: skip
        outliers.write(report, cls, form, made)
        cls._weights(report, held, forest)
        outliers.tell(
            report, cls, made, "孤立森林（{trees:integer} 棵树，每棵 {drawn:integer} 个样本）",
            "孤立森林用随机的切分把样本一个个分开。异常的样本离得远，几刀就被分出来；正常的样本挤在一起，要切很多刀。"
            "得分接近 1 很异常，0.5 以下正常。",
            [figure("最高得分", "{top:num3}", "0.5 以下为正常")], trees=form.n_estimators, drawn=drawn,
        )  # fmt: skip
        return report

    @classmethod
    def _weights(cls, report: Report, held: space.Space, forest: Any) -> None:
        if len(forest.estimators_) > MOST_TREES:
            report.skip(cls.contributions, "树超过 300 棵，没有计算变量贡献")
            return
        some = explained(held.n)
        import shap

        values = np.asarray(shap.TreeExplainer(forest).shap_values(held.z[some]))
        ids = [column.id for column in held.columns]
        names = {column.id: column.title for column in held.columns}
        sizes: dict[str, float] = {}
        for one in names:
            own = [j for j, column_id in enumerate(ids) if column_id == one]
            sizes[one] = float(np.abs(values[:, own].sum(axis=1)).mean())
        for one in sorted(sizes, key=lambda key: -round(sizes[key], 10)):
            report.row(cls.contributions, name=names[one], value=sizes[one])
        report.note(cls.contributions, "数值是变量使平均切分次数改变多少；越大，这个变量对判断越重要。")


def grown(form: Any, held: space.Space) -> Any:
    """The forest of a form; one thread, so that a run takes one core."""
    import sklearn.ensemble

    return sklearn.ensemble.IsolationForest(
        n_estimators=form.n_estimators, max_samples=min(form.max_samples, held.n), random_state=form.seed
    ).fit(held.z)


def explained(n: int) -> Any:
    """Rows whose scores are taken apart: at most 100, evenly over the fixed order."""
    return np.unique(np.linspace(0, n - 1, min(n, EXPLAINED)).astype(int))
