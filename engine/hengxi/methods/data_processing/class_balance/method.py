"""Classes of uneven size made even, for training rows alone. What was made up is marked, row by row."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hengxi.contract import (
    Chart,
    Column,
    ColumnToBe,
    Form,
    Level,
    Points,
    Processing,
    Refusal,
    Report,
    SetRemedy,
    Table,
    choice,
    figure,
    integer,
    num,
    number,
    role,
    text,
)
from hengxi.contract.columns import Floats
from hengxi.contract.derived import Part
from hengxi.methods.data_processing._shared.columns_step import train_column, train_level
from hengxi.methods.data_processing._shared.rows import Rows, tell

MARK, WEIGHT = "_synthetic_", "类别权重"
MADE = ("smote", "smotenc", "borderline", "adasyn", "smote_tomek")
NEAR = (*MADE, "near_miss", "tomek")
MOST_ROWS = 200_000
DRAWN = 2000


class ClassBalance(Processing):
    """Synthetic rows lie between two neighbours of one class; rows that are not for training stay as they are."""

    title, title_en = "样本均衡", "Class balancing"
    family, tier = "数据处理", "member"
    purpose = "少数类太少时如何过采样或欠采样"
    aliases = ("不平衡", "过采样", "欠采样", "SMOTE", "ADASYN", "类别权重", "imbalanced", "Tomek")
    references = ("chawla2002", "he2008", "han2005", "vandengoorbergh2022")
    conventions = (
        "目标比例 = 少数类 / 多数类。过采样把每个较小的类补到多数类 × 比例，欠采样把每个较大的类减到少数类 / 比例。",
        "距离按标准化后的特征计算，合成的值再换回原来的单位；合成行的其他变量为空。",
        "SMOTE-NC 里定类特征取近邻中最多的类别。随机种子固定，结果可以重复。",
        "Tomek links 去掉互为最近邻的两类行中属于多数类的一行，行数由数据决定。",
        "类别权重 = 行数 / (类别数 × 该类行数)，平均为 1。",
        "放入训练标记时只处理训练行，其余的行原样保留。",
    )
    random = True
    row_order = True

    class Input(Form):
        target: Column = role("类别变量", "定类", levels=(1, 50))
        features: list[Column] = role("特征变量", "任意", min=1, max=None)
        method: str = choice(
            "方法",
            {
                "smote": "SMOTE", "random_over": "随机过采样", "smotenc": "SMOTE-NC（含定类）",
                "borderline": "Borderline-SMOTE", "adasyn": "ADASYN", "random_under": "随机欠采样",
                "near_miss": "NearMiss", "tomek": "Tomek links", "smote_tomek": "SMOTE+Tomek",
                "class_weight": "仅生成权重列",
            },
        )  # fmt: skip
        ratio: float = number(
            "目标比例（少数/多数）", 1, least=0.05, most=1,
            when={"method": ("random_over", "random_under", "near_miss", *MADE)},
        )  # fmt: skip
        k: int = integer("近邻数", 5, least=1, most=50, when={"method": (*MADE, "near_miss")})
        train: Column | None = train_column()
        train_level: Level | None = train_level()

    result = Table(
        "均衡结果", level=text("类别"), before=integer("处理前"), after=integer("处理后"), removed=integer("去掉"),
        repeated=integer("重复"), synthetic=integer("合成"), weight=num("类别权重"),
    )  # fmt: skip
    points = Points("主成分散点", x=num("第一主成分"), y=num("第二主成分"), kind=text("类别"), stage=text("阶段"))
    scatter = Chart("处理前后散点图", "point", of=points, x="x", y="y", series="kind", facet="stage")

    @classmethod
    def schema(cls, form: dict[str, Any], columns: Any) -> list[ColumnToBe]:
        if form["method"] == "class_weight":
            return [ColumnToBe(name=WEIGHT, measure="定量", source=None)]
        return [ColumnToBe(name=MARK, measure="定类", source=None)]

    @classmethod
    def run(cls, form: Input) -> Report:
        report = Report()
        target = form.target
        used = np.flatnonzero(~target.missing)
        if form.train is not None and form.train_level is not None:
            used = used[form.train.where(form.train_level)[used]]
        codes = target.codes[used].astype(np.int64)
        sizes = np.bincount(codes, minlength=len(target.levels))
        if int((sizes > 0).sum()) < 2:
            raise Refusal("target.levels", "目标变量只有一个类别，不用均衡", field="target", column=target.id)
        if form.method == "class_weight":
            cls._weights(report, form, used, codes, sizes)
            return report
        cls._judge(form, used, sizes)
        goal = cls._goal(form, sizes)
        kept, made, labels = cls._changed(form, used, codes, sizes, goal)
        cls._write(report, form, used, kept, made, labels)
        cls._account(report, form, codes, sizes, used, kept, labels)
        cls._draw(report, form, used, codes, kept, made, labels)
        return report

    @classmethod
    def _judge(cls, form: Any, used: Rows, sizes: Rows) -> None:
        if form.method not in NEAR:
            return
        if len(used) > MOST_ROWS:
            text_ = f"{cls._way(form)}最多用于 {MOST_ROWS:,} 行，现有 {len(used):,} 行，请改用随机过采样或欠采样"
            raise Refusal("data.too_many_rows", text_, field="method", rows=len(used), most=MOST_ROWS)
        for column in form.features:
            if column.missing[used].any():
                text_ = f"特征“{column.title}”含缺失值，请先处理"
                raise Refusal("data.missing", text_, field="features", column=column.id)
            if form.method != "smotenc" and (not column.is_number or column.is_categorical):
                text_ = f"特征“{column.title}”是定类变量，请改用SMOTE-NC"
                remedy = SetRemedy(title="改用SMOTE-NC", set={"method": "smotenc"})
                raise Refusal("features.measure", text_, field="features", column=column.id, remedies=[remedy])
        kinds = [not column.is_number or column.is_categorical for column in form.features]
        if form.method == "smotenc" and (all(kinds) or not any(kinds)):
            text_ = "SMOTE-NC 要同时有定量和定类特征；只有定量时用 SMOTE，只有定类时用随机过采样"
            raise Refusal("features.mixed", text_, field="features")
        least = int(sizes[sizes > 0].min())
        if form.method in MADE and least < form.k + 1:
            name = form.target.levels[int(np.where(sizes > 0, sizes, sizes.max() + 1).argmin())].label
            text_ = f"类别“{name}”只有 {least} 个样本，小于近邻数+1，请减小k"
            raise Refusal("target.few", text_, field="k", column=form.target.id)

    @classmethod
    def _goal(cls, form: Any, sizes: Rows) -> dict[int, int]:
        """Rows wanted of each class that changes."""
        if form.method == "tomek":
            return {}
        there = [i for i, n in enumerate(sizes.tolist()) if n]
        if form.method in ("random_under", "near_miss"):
            least = int(min(sizes[i] for i in there))
            wanted = round(least / form.ratio)
            return {i: min(int(sizes[i]), wanted) for i in there}
        wanted = round(int(sizes.max()) * form.ratio)
        return {i: max(int(sizes[i]), wanted) for i in there}

    # ---- the rows ---------------------------------------------------------------------------------------------------
    @classmethod
    def _changed(
        cls, form: Any, used: Rows, codes: Rows, sizes: Rows, goal: dict[int, int]
    ) -> tuple[Rows, Floats, Rows]:
        """Places (in `used`) of rows that stay or come again, features of synthetic rows, and their classes."""
        none = np.zeros((0, len(form.features))), np.zeros(0, dtype=np.int64)
        if form.method == "random_over":
            more = [
                form.rng.choice(np.flatnonzero(codes == i), n - int(sizes[i])) for i, n in goal.items() if n > sizes[i]
            ]
            return np.concatenate([np.arange(len(used)), *more]), *none
        if form.method == "random_under":
            drawn = [form.rng.permutation(np.flatnonzero(codes == i))[:n] for i, n in goal.items()]
            return np.sort(np.concatenate(drawn)), *none
        x, kinds = cls._features(form, used)
        middle, spread = x.mean(axis=0), x.std(axis=0)
        spread = np.where((spread > 0) & ~kinds, spread, 1.0)
        z = np.where(kinds, x, (x - middle) / spread)
        found = cls._resampled(form, z, codes, kinds, goal)
        if form.method in ("near_miss", "tomek"):
            return np.sort(found.sample_indices_), *none
        new, labels = found[0][len(z) :], found[1][len(z) :]
        kept = np.arange(len(used))
        if form.method == "smote_tomek":
            from imblearn.under_sampling import TomekLinks

            cleaner = TomekLinks(sampling_strategy="all")
            cleaner.fit_resample(found[0], found[1])
            stays = np.sort(cleaner.sample_indices_)
            kept, made = stays[stays < len(z)], stays[stays >= len(z)] - len(z)
            new, labels = new[made], labels[made]
        return kept, np.where(kinds, new, new * spread + middle), labels.astype(np.int64)

    @classmethod
    def _features(cls, form: Any, used: Rows) -> tuple[Floats, npt.NDArray[np.bool_]]:
        kinds = np.array([not one.is_number or one.is_categorical for one in form.features])
        columns = [
            (one.codes if kind else one.numbers)[used].astype(np.float64)
            for one, kind in zip(form.features, kinds.tolist(), strict=True)
        ]
        return np.column_stack(columns), kinds

    @classmethod
    def _resampled(cls, form: Any, z: Floats, codes: Rows, kinds: Any, goal: dict[int, int]) -> Any:
        from imblearn import over_sampling, under_sampling

        seed = int(form.seed)
        k = form.k
        if form.method == "near_miss":
            sampler: Any = under_sampling.NearMiss(sampling_strategy=goal, n_neighbors=k)
        elif form.method == "tomek":
            sampler = under_sampling.TomekLinks(sampling_strategy="not minority")
        elif form.method == "smotenc":
            places = np.flatnonzero(kinds).tolist()
            sampler = over_sampling.SMOTENC(places, sampling_strategy=goal, random_state=seed, k_neighbors=k)
        elif form.method == "adasyn":
            sampler = over_sampling.ADASYN(sampling_strategy=goal, random_state=seed, n_neighbors=k)
        elif form.method == "borderline":
            sampler = over_sampling.BorderlineSMOTE(sampling_strategy=goal, random_state=seed, k_neighbors=k)
        else:
            sampler = over_sampling.SMOTE(sampling_strategy=goal, random_state=seed, k_neighbors=k)
        try:
            found = sampler.fit_resample(z, codes)
        except (ValueError, RuntimeError):
            text_ = f"{cls._way(form)}在这份数据上得不到合成样本（两类没有交界或近邻太少），请改用SMOTE"
            raise Refusal("method.nothing", text_, field="method") from None
        return sampler if form.method in ("near_miss", "tomek") else found

    # ---- the data ---------------------------------------------------------------------------------------------------
    @classmethod
    def _write(cls, report: Report, form: Any, used: Rows, kept: Rows, made: Floats, labels: Rows) -> None:
        rows = len(form.target)
        others = np.setdiff1d(np.arange(rows), used)
        first = np.zeros(len(used), dtype=np.bool_)
        again = np.zeros(len(kept), dtype=np.bool_)
        _, where = np.unique(kept, return_index=True)
        first[kept[where]] = True
        again[np.setdiff1d(np.arange(len(kept)), where)] = True
        stays = np.sort(np.concatenate([others, used[first]]))
        more = used[kept[again]]
        index = np.concatenate([stays, more, np.full(len(made), -1)])
        report.take(index)
        if len(made):
            cls._cells(report, form, np.concatenate([stays, more]), made, labels)
        mark = np.concatenate([np.zeros(len(stays)), np.ones(len(more)), np.full(len(made), 2.0)])
        report.make(MARK, mark, measure="定类", levels=[(0, "原有"), (1, "重复"), (2, "合成")])

    @classmethod
    def _cells(cls, report: Report, form: Any, index: Rows, made: Floats, labels: Rows) -> None:
        """Synthetic cells below those of the rows that stay; categories are taken from a row that has them."""
        where = {one.code: int(np.flatnonzero(form.target.codes == one.code)[0]) for one in form.target.levels}
        new = np.array([where[code] for code in labels.tolist()], dtype=np.int64)
        report.relay(form.target, [Part(column=form.target, index=np.concatenate([index, new]))])
        for j, column in enumerate(form.features):
            if column.is_number and not column.is_categorical:
                values = np.concatenate([column.numbers[index], made[:, j]])
                report.replace(column, values, keeps_words=True)
            else:
                at = {one.code: int(np.flatnonzero(column.codes == one.code)[0]) for one in column.levels}
                rows = np.array([at[round(code)] for code in made[:, j].tolist()], dtype=np.int64)
                report.relay(column, [Part(column=column, index=np.concatenate([index, rows]))])
        if form.train is not None:
            like = int(np.flatnonzero(form.train.where(form.train_level))[0])
            rows = np.concatenate([index, np.full(len(made), like)])
            report.relay(form.train, [Part(column=form.train, index=rows)])

    @classmethod
    def _weights(cls, report: Report, form: Any, used: Rows, codes: Rows, sizes: Rows) -> None:
        there = int((sizes > 0).sum())
        each = len(used) / (there * np.maximum(sizes, 1))
        values = np.full(len(form.target), np.nan)
        values[used] = each[codes]
        report.make(WEIGHT, values, measure="定量")
        for one in form.target.levels:
            n = int(sizes[one.code])
            report.row(cls.result, level=one.label, before=n, after=n, removed=0, repeated=0, synthetic=0,
                       weight=float(each[one.code]) if n else None)  # fmt: skip
        report.skip(cls.points, "只生成权重，行没有改变。")
        report.skip(cls.scatter, "只生成权重，行没有改变。")
        student = "在支持权重的模型里放入这个变量，少数类的错误就看得更重；行数没有改变。"
        tell(report, f"已生成变量“{WEIGHT}”，{{n:integer}} 行有权重。", student, [], n=len(used))

    # ---- what is shown ----------------------------------------------------------------------------------------------
    @classmethod
    def _account(
        cls, report: Report, form: Any, codes: Rows, sizes: Rows, used: Rows, kept: Rows, labels: Rows
    ) -> None:
        k = len(sizes)
        distinct = np.bincount(codes[np.unique(kept)], minlength=k)
        repeated = np.bincount(codes[kept], minlength=k) - distinct
        synthetic = np.bincount(labels, minlength=k)
        after = distinct + repeated + synthetic
        for one in form.target.levels:
            i = one.code
            report.row(
                cls.result, level=one.label, before=int(sizes[i]), after=int(after[i]),
                removed=int(sizes[i] - distinct[i]), repeated=int(repeated[i]), synthetic=int(synthetic[i]),
            )  # fmt: skip
        facts: dict[str, Any] = {
            "before": len(used), "after": int(after.sum()), "removed": int((sizes - distinct).sum()),
            "repeated": int(repeated.sum()), "synthetic": int(synthetic.sum()),
        }  # fmt: skip
        report.row(cls.result, total=True, level="合计", **facts)
        done = f"已按{cls._way(form)}均衡：{{before:integer}} 行变为 {{after:integer}} 行"
        if facts["removed"]:
            done += "，去掉 {removed:integer} 行"
        if facts["repeated"]:
            done += "，重复 {repeated:integer} 行"
        if facts["synthetic"]:
            done += "，合成 {synthetic:integer} 行"
        student = f"只能用来训练模型。不要用均衡后的数据做检验、描述或评估；变量“{MARK}”标出了哪些行不是原有的。"
        if form.train is None:
            student += "先拆分再均衡：没有训练标记时，测试集里会有训练行的复制或邻居，得分虚高。"
        else:
            student += "只处理了训练行，其余的行没有改变。"
        student += "均衡后模型给出的概率偏高，要用概率时请重新校准。"
        tell(report, done + "。", student, [figure("处理后", "{after:integer}", "行")], **facts)

    @classmethod
    def _draw(cls, report: Report, form: Any, used: Rows, codes: Rows, kept: Rows, made: Floats, labels: Rows) -> None:
        x, _ = cls._features(form, used)
        whole = ~np.isnan(x).any(axis=1)
        if x.shape[1] < 2 or int(whole.sum()) < 3:
            for element in (cls.points, cls.scatter):
                report.skip(element, "少于 2 个特征，不画散点图。")
            return
        spread = np.where(x[whole].std(axis=0) > 0, x[whole].std(axis=0), 1.0)
        middle = x[whole].mean(axis=0)
        axes = np.linalg.svd((x[whole][:MOST_ROWS] - middle) / spread, full_matrices=False)[2][:2]
        axes = axes * np.where(axes[[0, 1], np.abs(axes).argmax(axis=1)] > 0, 1.0, -1.0)[:, None]
        names = [one.label for one in form.target.levels]
        stages = (("处理前", x, codes, False), ("处理后", np.vstack([x[kept], made]),
                  np.concatenate([codes[kept], labels]), True))  # fmt: skip
        for stage, block, own, later in stages:
            there = np.flatnonzero(~np.isnan(block).any(axis=1))
            shown = there[np.unique(np.linspace(0, len(there) - 1, min(DRAWN // 4, len(there))).astype(np.int64))]
            at = ((block[shown] - middle) / spread) @ axes.T
            new = later and len(made) > 0
            kind = [names[c] + ("（合成）" if new and row >= len(kept) else "")
                    for row, c in zip(shown.tolist(), own[shown].tolist(), strict=True)]  # fmt: skip
            cells = {"x": at[:, 0], "y": at[:, 1], "kind": kind, "stage": [stage] * len(shown)}
            report.add_rows(cls.points, cells)

    @classmethod
    def _way(cls, form: Any) -> str:
        options = cls.Input.fields["method"].options  # type: ignore[attr-defined]
        return str(next(option.title for option in options if option.key == form.method))
