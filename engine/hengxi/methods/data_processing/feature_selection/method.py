"""Which features are useful for a target, by several methods at once; only training rows are asked."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hengxi.contract import (
    Chart,
    Column,
    Form,
    Level,
    OtherTable,
    Points,
    Processing,
    Refusal,
    Report,
    SetRemedy,
    Silent,
    Table,
    Wide,
    choice,
    few_of,
    figure,
    integer,
    many,
    num,
    number,
    pvalue,
    role,
    text,
)
from hengxi.contract.columns import Floats
from hengxi.methods.data_processing._shared import selecting
from hengxi.methods.data_processing._shared.columns_step import Learning, learn_from, train_column, train_level
from hengxi.methods.data_processing._shared.rows import tell
from hengxi.methods.data_processing._shared.selecting import Outcome, binned
from hengxi.methods.data_processing._shared.woe import weights_of
from hengxi.stats.names import titles

WAYS = {
    "variance": "方差阈值", "correlation": "相关系数", "f_test": "F检验", "chi2": "卡方", "mutual_info": "互信息",
    "iv": "IV值", "lasso": "Lasso", "rfe": "递归消除RFE", "stepwise": "逐步（AIC）", "vif": "VIF剔除",
}  # fmt: skip
SUPERVISED = ("correlation", "f_test", "chi2", "mutual_info", "iv", "lasso", "rfe", "stepwise")
LINEAR = ("lasso", "rfe", "stepwise", "vif")
NUMBERS = ("variance", "correlation", *LINEAR)
MOST, MOST_LINEAR, MOST_CLASSES, MAPPED = 1000, 100, 50, 30


class FeatureSelection(Processing):
    """Each method gives a score, a rank and a vote; `combine` says how many votes a feature needs to stay."""

    title, title_en = "特征筛选", "Feature selection"
    family, tier = "数据处理", "member"
    purpose = "哪些自变量对目标最有用"
    aliases = (
        "特征选择",
        "变量筛选",
        "Lasso",
        "RFE",
        "互信息",
        "IV值",
        "VIF",
        "方差阈值",
        "feature selection",
        "SelectKBest",
    )
    references = ("guyon2003", "guyon2002", "tibshirani1996", "akaike1974", "siddiqi2006", "kaufman2012")
    conventions = (
        "方差阈值：方差（除以 n − 1）大于阈值的入选；不标准化，阈值要按变量的单位定。",
        "相关系数：与目标的 Pearson 相关，按绝对值排名；两类目标记为 0 和 1。",
        "F检验：分类时按目标的类别比较特征的均值；回归时检验斜率，类别特征比较目标的均值。",
        "卡方：定量特征比较各类别的合计（与 scikit-learn 的 chi2 相同）；类别特征用 Pearson 卡方。",
        "互信息：定量变量按十分位分箱（type 7，右闭）后由列联表求得，单位奈特；p 值由 G = 2n·MI。"
        "scikit-learn 用最近邻估计，数值不同。",
        "IV值：定量特征按十分位分箱，目标有两类；某箱有一侧为 0 时两侧各加 0.5。",
        "Lasso：标准化后的线性模型，第 i 行放在第 i mod k 折，取交叉验证误差最小的 λ；"
        "λ 从最大值到它的千分之一共 100 个。",
        "RFE：每次去掉标准化系数绝对值最小的一个，到保留个数为止；这里用线性模型。",
        "逐步：从全部特征开始，可进可出，AIC = n·ln(RSS/n) + 2p。得分是去掉（或加入）它以后 AIC 变差的量。",
        "VIF剔除：每次去掉 VIF 最大的一个，直到都不超过上限。",
        "Lasso、RFE、逐步、VIF 用所有特征和目标都有值的行；其余方法各特征用自己的有效行。p 值没有校正。",
        "放入“训练标记”或“参数取自”时，只由那些行筛选；未入选的特征从新版本中去掉，行不变。",
    )
    row_order = True
    pool = True
    reads_names = True  # Columns of the version in `learn_from` are found by name.

    class Input(Form):
        features: list[Column] = role("自变量X", "任意", min=2, max=MOST)
        target: Column | None = role("目标变量Y", "任意", min=0)
        method: list[str] = many("方法", WAYS, default=("variance", "f_test"))
        task: str = choice("任务", {"auto": "自动", "classification": "分类", "regression": "回归"}, advanced=True)
        k: int | None = integer(
            "保留个数", None, least=1, most=1000, auto="特征的一半，最多 10",
            hint="相关、F检验、卡方、互信息、IV、RFE 各保留这么多",
        )  # fmt: skip
        combine: str = choice(
            "入选条件", {"all": "所选方法都入选", "half": "至少一半的方法入选", "any": "任一方法入选"}
        )
        threshold: float = number("方差阈值", 0.01, least=0)
        most_vif: float = number("VIF上限", 10, least=1, most=1000, advanced=True)
        cv: int = integer("交叉折数（Lasso）", 5, least=2, most=20, advanced=True)
        rest: str = choice("其他变量", {"keep": "保留", "drop": "也去掉"}, hint="既不是自变量也不是目标的变量")
        learn_from: OtherTable | None = learn_from()
        train: Column | None = train_column()
        train_level: Level | None = train_level()

    result = Table(
        "特征重要性表", feature=text("特征"), n=integer("有效"),
        layout=Wide(score=num("得分"), rank=integer("排名"), p=pvalue("*p*"), kept=text("入选")),
        votes=integer("票数"), chosen=text("结果"),
        claim=Silent("a p of one feature among many is a score here, not a test"),
    )  # fmt: skip
    ways = Table("方法交集表", method=text("方法"), n=integer("入选个数"), features=text("入选特征"))
    overlap = Table(
        "两种方法共同入选", first=text("方法1"), second=text("方法2"), both=integer("共同入选"), place="detail"
    )
    bars = Points("重要性", feature=text("特征"), share=num("相对得分"), method=text("方法"))
    importance = Chart("重要性条形图", "bar", of=bars, x="feature", y="share", series="method")
    pairs = Points("相关", first=text("特征"), second=text("特征"), r=num("相关系数", least=-1, most=1))
    heat = Chart("相关热力图", "heat", of=pairs, row="first", column="second", value="r", place="detail")

    @classmethod
    def heading(cls, form: Any) -> str:
        what = f"{few_of(list(titles(form.features).values()))}的筛选"
        return what if form.target is None else f"对“{form.target.title}”有用的特征"

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        return 0.2 + rows * columns * 2e-7 + (columns**2 * 1e-3 if set(form.get("method") or ()) & set(LINEAR) else 0)

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        if not form.method:
            raise Refusal("role.empty", "请在“方法”里至少选一种", field="method")
        data = _Training(form)
        outcomes = {way: data.outcome(way) for way in WAYS if way in form.method}
        votes = np.sum([one.kept for one in outcomes.values()], axis=0)
        needed = {"all": len(outcomes), "half": -(-len(outcomes) // 2), "any": 1}[form.combine]
        chosen = votes >= needed
        if not chosen.any():
            remedy = SetRemedy(title="改为任一方法入选", set={"combine": "any"})
            raise Refusal(
                "data.nothing",
                "没有特征入选，请放宽入选条件、增加保留个数或减小阈值",
                field="combine",
                remedies=[remedy],
            )
        gone = [one for one, stays in zip(form.features, chosen, strict=True) if not stays]
        if form.rest == "drop":
            named = {one.id for one in [*form.features, *([form.target] if form.target else [])]}
            gone += [one for one in form.whole.columns if one.id not in named]
        if gone:
            report.remove(gone)
        report.unchanged()
        cls._tables(report, data, outcomes, votes, chosen)
        cls._say(report, form, data, outcomes, chosen)
        return report

    # ---- what is shown ---------------------------------------------------------------------------------------------
    @classmethod
    def _tables(
        cls, report: Report, data: _Training, outcomes: dict[str, Outcome], votes: Any, chosen: npt.NDArray[np.bool_]
    ) -> None:
        for i, name in enumerate(data.names):
            wide = {}
            for way, one in outcomes.items():
                score, rank = one.scores[i], None if one.rank is None else one.rank[i]
                cell: dict[str, Any] = {"kept": "是" if one.kept[i] else "否"}
                cell |= {} if np.isnan(score) else {"score": float(score)}
                cell |= {} if rank is None or np.isnan(rank) else {"rank": int(rank)}
                cell |= {} if one.p is None or np.isnan(one.p[i]) else {"p": float(one.p[i])}
                wide[WAYS[way]] = cell
            stays = "入选" if chosen[i] else "去掉"
            report.row(cls.result, feature=name, n=data.sizes[i], votes=int(votes[i]), chosen=stays, wide=wide)
        keys = list(outcomes)
        for at, way in enumerate(keys):
            one = outcomes[way]
            some = [name for name, stays in zip(data.names, one.kept, strict=True) if stays]
            report.row(cls.ways, method=WAYS[way], n=len(some), features="、".join(some[:MAPPED]))
            for other in keys[at + 1 :]:
                both = int((one.kept & outcomes[other].kept).sum())
                report.row(cls.overlap, first=WAYS[way], second=WAYS[other], both=both)
            size = np.abs(np.nan_to_num(one.scores))
            for i in range(min(len(size), MAPPED)):
                share = float(size[i] / size.max()) if size.max() > 0 else 0.0
                report.row(cls.bars, feature=data.names[i], share=share, method=WAYS[way])
        if len(keys) < 2:
            report.skip(cls.overlap, "只选了一种方法。")
        quantities = [i for i in range(len(data.names)) if not data.is_category[i]][:MAPPED]
        if len(quantities) < 2:
            report.skip(cls.pairs, "定量特征不到两个，没有相关可画。")
        for i in quantities:
            for j in quantities:
                known = ~np.isnan(data.x[:, i]) & ~np.isnan(data.x[:, j])
                r = selecting.correlation(data.x[known, i], data.x[known, j]) if known.sum() > 1 else float("nan")
                report.row(cls.pairs, first=data.names[i], second=data.names[j], r=None if np.isnan(r) else r)

    @classmethod
    def _say(
        cls, report: Report, form: Any, data: _Training, outcomes: dict[str, Outcome], chosen: npt.NDArray[np.bool_]
    ) -> None:
        names = [name for name, stays in zip(data.names, chosen, strict=True) if stays]
        facts: dict[str, Any] = {
            "p": len(chosen), "k": len(names), "n": len(data.x),
            "names": "、".join(names[:5]) + ("等" if len(names) > 5 else ""),
        }  # fmt: skip
        rule = {"all": "都入选才", "half": "至少一半入选就", "any": "任一入选就"}[form.combine]
        if len(outcomes) > 1:
            facts["m"] = len(outcomes)
        how = f"{{m:integer}} 种方法{rule}保留" if len(outcomes) > 1 else f"方法是{WAYS[next(iter(outcomes))]}"
        lead = f"{{p:integer}} 个特征入选 {{k:integer}} 个：{{names:text}}。{how}，由 {{n:integer}} 行求得。"
        student = "得分只在同一种方法里可以比较。单个特征的得分不看它与其他特征的重叠。"
        if form.learn_from is not None:
            student += "筛选由“{source}”求得，这份数据没有参与。"
            facts["source"] = form.learn_from.name
        elif form.train is not None:
            student += "筛选只用训练行，没有信息泄漏。"
        elif form.target is not None and set(outcomes) & set(SUPERVISED):
            student += "筛选用到了目标：要训练预测模型时，请先拆分数据并放入“训练标记”，否则测试得分偏高。"
        else:
            student += "这里没有用到目标。"
        tell(report, lead, student, [figure("入选", "{k:integer}", "共 {p:integer} 个")], **facts)
        for i, name in enumerate(data.names):
            if data.is_constant[i]:
                report.warn("role.constant", "“{v}”没有变异，不入选。", columns=[form.features[i]], v=name)
        whole = int((~np.isnan(data.x).any(axis=1)).sum())
        if set(outcomes) & set(LINEAR) and whole < len(data.x):
            text_ = "Lasso、RFE、逐步和 VIF 只用所有特征都有值的 {k:integer} 行。"
            report.note(cls.ways, text_, k=whole)
        if data.lasso_lambda is not None:
            report.note(cls.ways, "Lasso 的 λ = {v:num}。", v=data.lasso_lambda)


class _Training:
    """The rows to learn from: `x` numbers or codes (NaN where missing), `y` numbers, `classes` codes of the target."""

    def __init__(self, form: Any) -> None:
        self._form, learning = form, Learning(form)
        self.names = list(titles(form.features).values())
        self.is_category = np.array([not (one.is_number and one.measure == "定量") for one in form.features])
        keep = learning.rows(form.features[0])
        target = None if form.target is None else learning.column(form.target)
        if target is not None:
            keep = keep & ~target.missing
        if keep.sum() < 3:
            raise Refusal("data.few", "可以用来筛选的行少于 3 行，请核对目标和训练标记", field="features")
        columns = [learning.column(one) for one in form.features]
        self.x = np.column_stack(
            [_cells(one, words)[keep] for one, words in zip(columns, self.is_category, strict=True)]
        )
        if not all(_is_workable(one[~np.isnan(one)]) for one in self.x.T):
            raise Refusal("data.large", "有数值太大或差别太小，无法计算平方和，请先换单位", field="features")
        self.sizes = [int(size) for size in (~np.isnan(self.x)).sum(axis=0)]
        self.is_constant = [len(np.unique(one[~np.isnan(one)])) < 2 for one in self.x.T]
        self.lasso_lambda: float | None = None
        self.k = form.k if form.k is not None else min(10, -(-len(self.names) // 2))
        if self.k > len(self.names):
            raise Refusal("limit.k", f"保留个数不能大于特征个数 {len(self.names)}，请减小", field="k")
        self._read_target(form, target, keep)
        self._judge(form)

    def _read_target(self, form: Any, target: Column | None, keep: npt.NDArray[np.bool_]) -> None:
        self.y: Floats | None = None
        self.classes: Floats | None = None
        if target is None:
            return
        quantity = target.is_number and target.measure == "定量"
        self.is_regression = form.task == "regression" or (form.task == "auto" and quantity)
        if self.is_regression and not target.is_number:
            raise Refusal("target.words", "回归任务的目标要是数值，请改任务或换目标", field="task", also=["target"])
        cells = target.numbers[keep] if self.is_regression else np.asarray(target.codes[keep], dtype=np.float64)
        if len(np.unique(cells)) < 2:
            raise Refusal("role.constant", "目标变量没有变异，请换一个或核对训练标记", field="target")
        if self.is_regression:
            self.y = cells
            if not _is_workable(cells):
                raise Refusal("data.large", "目标的数值太大或差别太小，请先换单位", field="target")
            return
        self.classes = np.unique(cells, return_inverse=True)[1].astype(np.float64)
        count = int(self.classes.max()) + 1
        if count > MOST_CLASSES:
            text_ = f"目标有 {count:,} 类，超过上限 {MOST_CLASSES}，请改为回归任务或合并类别"
            raise Refusal("target.many", text_, field="target", also=["task"])
        if count == 2:
            self.y = self.classes

    def _judge(self, form: Any) -> None:
        """What a method cannot do with these features or this target."""
        chosen = set(form.method)
        for way in (one for one in WAYS if one in chosen):
            if way in SUPERVISED and form.target is None:
                raise Refusal(
                    "role.empty", f"该方法需要目标变量：{WAYS[way]}，请放入目标变量", field="target", also=["method"]
                )
            if way in NUMBERS and self.is_category.any():
                name = self.names[int(np.argmax(self.is_category))]
                text_ = f"“{name}”是类别，{WAYS[way]}只能用于定量变量，请先做哑变量，或改用互信息"
                raise Refusal("role.measure", text_, field="method", also=["features"])
            if way in ("correlation", "lasso", "rfe", "stepwise") and self.y is None:
                raise Refusal("target.classes", f"{WAYS[way]}要求目标是数值或两类，请改用F检验或互信息", field="method")
            if way == "chi2" and self.classes is None:
                raise Refusal("target.number", "卡方筛选要求目标是类别，请改用F检验，或把任务改为分类", field="method")
            if way == "iv" and (self.classes is None or self.y is None):
                raise Refusal("target.binary", "IV值要求目标有两类，请改用互信息", field="method")
            if way in LINEAR and len(self.names) > MOST_LINEAR:
                text_ = f"{WAYS[way]}最多用于 {MOST_LINEAR} 个特征，请先用F检验或互信息减少"
                raise Refusal("role.many", text_, field="method", also=["features"])
        for i, name in enumerate(self.names):
            if "chi2" in chosen and not self.is_category[i] and np.nanmin(self.x[:, i], initial=0) < 0:
                raise Refusal(
                    "data.negative", f"卡方筛选要求特征非负，“{name}”含负值，请去掉它或改用F检验", field="method"
                )

    # ---- each method -----------------------------------------------------------------------------------------------
    def outcome(self, way: str) -> Outcome:
        if way in LINEAR:
            return self._linear(way)
        if way == "variance":
            size = [one[~np.isnan(one)] for one in self.x.T]
            spread = np.array([one.var(ddof=1) if len(one) > 1 and one.max() > one.min() else 0.0 for one in size])
            return Outcome(spread, spread > self._form.threshold, None, selecting.ranked(spread))
        found = [self._alone(way, i) for i in range(len(self.names))]
        scores, p = np.array([one[0] for one in found]), np.array([one[1] for one in found])
        best = selecting.best(np.abs(scores), self.k, p)
        return Outcome(scores, best.kept, p, best.rank)

    def _alone(self, way: str, i: int) -> tuple[float, float]:
        """Score and p of one feature; NaN without variation."""
        none = float("nan")
        keep = ~np.isnan(self.x[:, i])
        x, is_category = self.x[keep, i], bool(self.is_category[i])
        goal = self.y if self.classes is None else self.classes
        assert goal is not None
        y = goal[keep]
        if self.is_constant[i] or len(np.unique(y)) < 2:
            return none, none
        groups = x.astype(np.int64) if is_category else binned(x)
        match way:
            case "correlation":
                return selecting.correlation(x, y), selecting.f_of_line(x, y)[1]
            case "f_test" if self.classes is not None:
                return selecting.f_of_groups(x, y.astype(np.int64)) if not is_category else (none, none)
            case "f_test":
                return selecting.f_of_groups(y, groups) if is_category else selecting.f_of_line(x, y)
            case "chi2":
                classes = y.astype(np.int64)
                if is_category:
                    return selecting.chi2_of_table(selecting.table_of(groups, classes))
                return selecting.chi2_of_sums(x, classes)
            case "mutual_info":
                return selecting.mutual_information(
                    selecting.table_of(groups, binned(y) if self.classes is None else y.astype(np.int64))
                )
            case _:
                total = weights_of(groups, y == 1, np.ones(len(y), dtype=np.bool_), int(groups.max()) + 1).total
                return (none if total is None else total), none

    def _linear(self, way: str) -> Outcome:
        """Over the features that vary, in rows without gaps."""
        whole = ~np.isnan(self.x).any(axis=1)
        x = self.x[whole]
        moves = np.array([len(np.unique(one)) > 1 for one in x.T], dtype=np.bool_)
        p = int(moves.sum())
        few = Refusal("data.few", f"{WAYS[way]}要求没有缺失的行多于特征个数，请填补缺失或减少特征", field="method")
        if p < 2 or len(x) <= p + 1:
            raise few
        r = np.asarray(np.corrcoef(x[:, moves], rowvar=False), dtype=np.float64)
        if way == "vif":
            return self._placed(selecting.inflation(r, self._form.most_vif), moves)
        assert self.y is not None
        y = self.y[whole]
        if len(np.unique(y)) < 2:
            raise few
        ry = np.array([selecting.correlation(one, y) for one in x[:, moves].T])
        try:
            if way == "stepwise":
                return self._placed(selecting.stepwise(r, ry, len(y)), moves)
            if way == "rfe":
                return self._placed(selecting.eliminated(r, ry, self.k), moves)
        except selecting.CollinearError:
            text_ = f"有特征能由其他特征算出，{WAYS[way]}无法进行，请先单独用 VIF剔除"
            raise Refusal("data.collinear", text_, field="method") from None
        if len(y) < 2 * self._form.cv:
            raise few
        found, self.lasso_lambda = selecting.lasso(x[:, moves], y, self._form.cv)
        return self._placed(found, moves)

    def _placed(self, found: Outcome, moves: npt.NDArray[np.bool_]) -> Outcome:
        """Features without variation have no score and are not kept."""
        scores, rank = np.full(len(moves), np.nan), np.full(len(moves), np.nan)
        kept = np.zeros(len(moves), dtype=np.bool_)
        scores[moves], rank[moves], kept[moves] = found.scores, found.rank, found.kept
        return Outcome(scores, kept, None, rank)


def _is_workable(known: Floats) -> bool:
    """Squares of what is there neither overflow nor vanish."""
    if not len(known):
        return True
    spread = float(np.ptp(known))
    return float(np.abs(known).max()) <= 1e100 and (spread == 0 or spread >= 1e-100)


def _cells(column: Column, is_category: bool) -> Floats:
    if not is_category:
        return np.asarray(column.numbers, dtype=np.float64)
    codes = np.asarray(column.codes, dtype=np.float64)
    return np.where(codes < 0, np.nan, codes)
