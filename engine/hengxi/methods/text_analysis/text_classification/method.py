from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from hengxi.contract import (
    Chart,
    Column,
    Method,
    NewColumns,
    NextStep,
    Points,
    Refusal,
    Report,
    SetRemedy,
    Table,
    choice,
    figure,
    flag,
    integer,
    num,
    number,
    percent,
    role,
    rows_column,
    text,
)
from hengxi.families.text.form import SEGMENTED, WordForm
from hengxi.families.text.tokens import normal, read_tokens, texts_of
from hengxi.families.text.weights import count_matrix
from hengxi.stats.moments import Floats

MODELS = {"logistic": "逻辑回归", "bayes": "朴素贝叶斯", "svm": "线性 SVM", "forest": "随机森林", "auto": "自动比较"}
FEATURES = {"words": "词 TF-IDF", "chars": "字 n-gram TF-IDF", "both": "词 + 字"}
LEAST_ROWS, FEW, TOP, ASK, LISTED, LONG, TREES, CALIBRATION = 20, 10, 10, 20, 1000, 80, 200, 3
AUTO = {"model": "auto"}


class TextClassification(Method):
    """A classifier learned from the rows that have a label, asked of those that have none."""

    title, title_en = "文本分类（自定义类别）", "Text classification"
    family, tier = "文本分析", "member"
    purpose = "用少量已标注文本训练分类器，自动给其余文本归类"
    aliases = ("文本分类", "自动编码", "开放题编码", "自动归类", "监督文本分类", "意图识别")
    references = ("salton1988", "rennie2003", "platt1999", "cohen1960")
    conventions = (
        SEGMENTED,
        "TF-IDF：词频 × [ln((1+n)/(1+df))+1]，n 和 df 只数训练的行，每行缩放到长度 1；每折各算一次。",
        "字 n-gram 是相邻的 1 个和 2 个字（去掉空白和标点）；“词 + 字”把两组特征并列。",
        "评估用分层交叉验证：每行由没有见过它的模型预测。最后的模型用全部有标注的行。",
        "逻辑回归带 L2 惩罚（C = 1）；朴素贝叶斯是互补型（平滑 1）；线性 SVM 的概率由 3 折的 Platt 校准给出；"
        f"随机森林 {TREES} 棵树。",
        "自动比较取宏 F1 最高的模型；宏 F1 是各类 F1 的平均，没有预测到的类 F1 为 0。",
        "特征词：逻辑回归和 SVM 是系数，朴素贝叶斯是权重，都减去其他类的平均；随机森林是出现该词时概率的提高。",
    )
    queue = "text"
    missing = "keep"
    random = True
    row_order = True

    class Input(WordForm):
        y: Column = role("已标注的类别", "定类", min=1, max=1, levels=(2, 30), hint="没有标注的行留空")
        model: str = choice("模型", MODELS)
        features: str = choice("特征", FEATURES)
        cv_folds: int = integer("交叉验证折数", 5, least=2, most=20)
        uncertain: float = number("待人工的概率界限", 0.5, least=0, most=1, hint="低于它的预测标为待人工")
        append: bool = flag("保存预测为新变量", True)

    overall = Table(
        "评估", n=integer("有标注的行"), accuracy=percent("准确率"), macro=num("宏 F1", decimals=3),
        kappa=num("Kappa", decimals=3), baseline=percent("基线（最多的一类）"), layout="record", place="main",
    )  # fmt: skip
    compared = Table(
        "模型比较", model=text("模型"), accuracy=percent("准确率"), macro=num("宏 F1", decimals=3),
        kappa=num("Kappa", decimals=3), used=text("采用"), when=AUTO, place="main",
    )  # fmt: skip
    classes = Table(
        "各类别", name=text("类别"), n=integer("标注行数"), precision=percent("精确率"), recall=percent("召回率"),
        f1=num("F1", decimals=3), place="main",
    )  # fmt: skip
    cells = Points("混淆矩阵", actual=text("标注"), predicted=text("预测"), n=integer("行数"))
    confusion = Chart("混淆矩阵", "heat", of=cells, row="actual", column="predicted", value="n", text="n", place="main")
    words = Table(
        "各类别的特征词", name=text("类别"), rank=integer("名次"), word=text("词"), weight=num("权重", decimals=4),
        merge=("name",),
    )  # fmt: skip
    predicted = Table(
        "未标注行的预测", row=rows_column("行"), sample=text("文本"), name=text("预测类别"), p=percent("概率"),
        check=text("处理"), place="main",
    )  # fmt: skip
    ask = Table(
        "建议优先标注", row=rows_column("行"), sample=text("文本"), name=text("预测类别"), p=percent("概率"),
    )  # fmt: skip
    wrong = Table(
        "预测错的行", row=rows_column("行"), sample=text("文本"), actual=text("标注"), name=text("预测"),
        p=percent("概率"),
    )  # fmt: skip
    saved = NewColumns("预测", when={"append": True})

    @classmethod
    def cost(cls, rows: int, columns: int, form: dict[str, Any]) -> float:
        return 2.0 + rows * 1e-3

    @classmethod
    def next_steps(cls, form: dict[str, Any], columns: Any) -> list[NextStep]:
        return [NextStep(title="用规则归类", method="text_analysis/custom_label", form={"text": form["text"]})]

    @classmethod
    def run(cls, form: Any) -> Report:
        report = Report()
        corpus = _corpus(report, form)
        folds = _folds(form, corpus.codes[corpus.known])
        kinds = [kind for kind in MODELS if kind != "auto"] if form.model == "auto" else [form.model]
        trials: dict[str, Floats] = {}
        for done, kind in enumerate(kinds):
            form.progress(done, len(kinds) + 1, f"交叉验证：{MODELS[kind]}")
            trials[kind] = _out_of_fold(form, corpus, kind, folds)
        scores = {kind: Scores.of(corpus, p.argmax(axis=1)) for kind, p in trials.items()}
        best = max(kinds, key=lambda kind: (round(scores[kind].macro, 9), -kinds.index(kind)))
        if form.model == "auto":
            for kind in kinds:
                report.row(
                    cls.compared, model=MODELS[kind], accuracy=scores[kind].accuracy, macro=scores[kind].macro,
                    kappa=scores[kind].kappa, used="是" if kind == best else None,
                )  # fmt: skip
            report.note(cls.compared, "在几个模型里挑了最好的，它的分数略微偏高。")
        _evaluation(cls, report, corpus, trials[best], scores[best])
        _predictions(cls, report, form, corpus, best, trials[best])
        _words(cls, report, form, corpus, best, scores[best])
        return report


@dataclass(frozen=True)
class Corpus:
    """All rows; `codes`: the label's place in `names`, −1 where there is none or the row has no word."""

    texts: list[str]
    blocks: list[sp.csr_matrix]
    features: list[str]
    codes: Any
    names: list[str]
    rows: Any
    usable: Any

    @property
    def known(self) -> Any:
        return np.flatnonzero(self.codes >= 0)

    @property
    def unknown(self) -> Any:
        return np.flatnonzero((self.codes < 0) & self.usable)

    def short(self, i: int) -> str:
        cell = self.texts[i].strip()
        return cell if len(cell) <= LONG else cell[:LONG] + "…"


@dataclass(frozen=True)
class Scores:
    accuracy: float
    macro: float
    kappa: float | None
    table: Any
    """Labels × predictions."""

    @classmethod
    def of(cls, corpus: Corpus, guesses: Any) -> Scores:
        k = len(corpus.names)
        table = np.zeros((k, k))
        np.add.at(table, (corpus.codes[corpus.known], guesses), 1)
        n = table.sum()
        chance = float(table.sum(axis=0) @ table.sum(axis=1)) / n**2
        accuracy = float(np.trace(table) / n)
        kappa = (accuracy - chance) / (1 - chance) if chance < 1 else None
        return cls(accuracy, float(np.mean(_f1(table))), kappa, table)


def _f1(table: Any) -> Floats:
    right = np.diag(table)
    both = table.sum(axis=0) + table.sum(axis=1)
    return np.asarray(np.divide(2 * right, both, out=np.zeros(len(table)), where=both > 0), dtype=np.float64)


def _corpus(report: Report, form: Any) -> Corpus:
    texts = texts_of(form.text)
    tokens = read_tokens(form.text, form, report, form.progress)
    order = sorted(range(len(tokens.words)), key=lambda i: tokens.words[i])
    blocks, features = [], []
    if form.features != "chars":
        blocks.append(sp.csr_matrix(count_matrix(tokens)[:, order]))
        features += [tokens.words[i] for i in order]
    if form.features != "words":
        grams, names = _grams(texts)
        blocks.append(grams)
        features += [f"字：{name}" for name in names]
    usable = np.asarray(sum(block.sum(axis=1) for block in blocks)).ravel() > 0
    given = np.asarray(form.y.codes)
    wordless = int(((given >= 0) & ~usable).sum())
    if wordless:
        report.warn("data.wordless", "{k:integer} 行有标注但没有剩下可计数的词，不参加训练。", k=wordless)
    levels = [level for level in form.y.levels if (usable & (given == level.code)).any()]
    codes = np.full(len(texts), -1)
    for j, level in enumerate(levels):
        codes[usable & (given == level.code)] = j
    _check(form, codes, [level.label for level in levels])
    return Corpus(texts, blocks, features, codes, [level.label for level in levels], form.text.row_numbers, usable)


def _grams(texts: list[str]) -> tuple[sp.csr_matrix, list[str]]:
    from sklearn.feature_extraction.text import CountVectorizer

    plain = ["".join(sign for sign in normal(cell) if sign.isalnum()) for cell in texts]
    if not any(plain):
        raise Refusal("data.no_words", "文本里没有文字，请换变量", field="text")
    counter = CountVectorizer(analyzer="char", ngram_range=(1, 2), lowercase=False)
    return sp.csr_matrix(counter.fit_transform(plain).astype(float)), list(counter.get_feature_names_out())


def _check(form: Any, codes: Any, names: list[str]) -> None:
    n = int((codes >= 0).sum())
    if n == 0:
        raise Refusal(
            "data.unlabelled", "类别列全为空，请先标注部分文本或使用“自定义标签归类”", field="y", column=form.y.id
        )
    counts = np.bincount(codes[codes >= 0], minlength=len(names))
    if len(names) < 2:
        raise Refusal("data.one_class", "至少需要两个类别，有词的标注行里只有“{c}”", field="y",
                      c=names[int(counts.argmax())])  # fmt: skip
    if n < LEAST_ROWS:
        raise Refusal("data.few", "已标注{n}行，至少需要{least}行", field="y", n=n, least=LEAST_ROWS)
    rare = int(np.argmin(counts))
    # A training part keeps at least n − ⌈n/folds⌉ rows of a class, and the scaling of the SVM needs 3 of them.
    left = int(counts[rare]) - -(-int(counts[rare]) // form.cv_folds)
    if form.model in ("svm", "auto") and counts[rare] >= form.cv_folds and left < CALIBRATION:
        raise Refusal(
            "data.rare_svm", "类别“{c}”只有{n}行：线性 SVM 的概率要求每折训练时至少有 {least} 行", field="model",
            also=["y"], c=names[rare], n=int(counts[rare]), least=CALIBRATION,
            remedies=[SetRemedy(title="改用逻辑回归", set={"model": "logistic"})],
        )  # fmt: skip
    if counts[rare] < form.cv_folds:
        fewer = int(counts[rare])
        raise Refusal(
            "data.rare", "类别“{c}”只有{n}行，少于折数{k}", field="cv_folds", also=["y"], c=names[rare], n=fewer,
            k=form.cv_folds,
            remedies=[SetRemedy(title=f"折数改为 {fewer}", set={"cv_folds": fewer})] if fewer >= 2 else [],
        )  # fmt: skip


def _folds(form: Any, labels: Any) -> list[tuple[Any, Any]]:
    from sklearn.model_selection import StratifiedKFold

    splitter = StratifiedKFold(form.cv_folds, shuffle=True, random_state=form.seed)
    return list(splitter.split(np.zeros(len(labels)), labels))


def _weighted(corpus: Corpus, train: Any) -> Callable[[Any], sp.csr_matrix]:
    """TF-IDF as the training rows have it; words they do not have are left out."""
    weights = []
    for block in corpus.blocks:
        docs = np.asarray((block[train] > 0).sum(axis=0)).ravel()
        idf = np.where(docs > 0, np.log((1 + len(train)) / (1 + docs)) + 1, 0.0)
        weights.append(sp.diags_array(idf))

    def of(rows: Any) -> sp.csr_matrix:
        parts = []
        for block, weight in zip(corpus.blocks, weights, strict=True):
            table = sp.csr_matrix(block[rows] @ weight)
            length = np.sqrt(np.asarray(table.multiply(table).sum(axis=1)).ravel())
            scale = np.divide(1.0, length, out=np.zeros_like(length), where=length > 0)
            parts.append(sp.csr_matrix(sp.diags_array(scale) @ table))
        joined = sp.csr_matrix(sp.hstack(parts))
        joined.eliminate_zeros()
        joined.sort_indices()
        return joined

    return of


def _machine(form: Any, kind: str) -> Any:
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import ComplementNB
    from sklearn.svm import LinearSVC

    if kind == "logistic":
        return LogisticRegression(C=1.0, tol=1e-10, max_iter=5000)
    if kind == "bayes":
        return ComplementNB(alpha=1.0)
    if kind == "svm":
        return CalibratedClassifierCV(
            LinearSVC(C=1.0, tol=1e-8, random_state=form.seed, max_iter=100_000), cv=CALIBRATION, ensemble=False
        )
    return RandomForestClassifier(TREES, random_state=form.seed, n_jobs=1)


def _fitted(form: Any, corpus: Corpus, kind: str, train: Any) -> tuple[Any, Callable[[Any], sp.csr_matrix]]:
    table = _weighted(corpus, train)
    return _machine(form, kind).fit(table(train), corpus.codes[train]), table


def _chances(corpus: Corpus, machine: Any, table: sp.csr_matrix) -> Floats:
    """Along all classes, one that a training part lacks with 0."""
    p = np.zeros((table.shape[0], len(corpus.names)))
    p[:, machine.classes_] = machine.predict_proba(table)
    return np.asarray(np.round(p, 12), dtype=np.float64)


def _out_of_fold(form: Any, corpus: Corpus, kind: str, folds: list[tuple[Any, Any]]) -> Floats:
    p = np.zeros((len(corpus.known), len(corpus.names)))
    for train, test in folds:
        machine, table = _fitted(form, corpus, kind, corpus.known[train])
        p[test] = _chances(corpus, machine, table(corpus.known[test]))
    return p


def _evaluation(cls: type[TextClassification], report: Report, corpus: Corpus, p: Floats, scores: Scores) -> None:
    table = scores.table
    counts = table.sum(axis=1)
    report.row(
        cls.overall, n=int(table.sum()), accuracy=scores.accuracy, macro=scores.macro, kappa=scores.kappa,
        baseline=float(counts.max() / counts.sum()),
    )  # fmt: skip
    report.note(cls.overall, "每行由没有见过它的模型预测。基线是把所有行都归为最多的一类。")
    f1 = _f1(table)
    for j, name in enumerate(corpus.names):
        asked = table[:, j].sum()
        report.row(
            cls.classes, name=name, n=int(counts[j]), precision=float(table[j, j] / asked) if asked else None,
            recall=float(table[j, j] / counts[j]), f1=float(f1[j]),
        )  # fmt: skip
        report.add_rows(
            cls.cells, {"actual": [name] * len(counts), "predicted": corpus.names, "n": table[j].astype(int)}
        )
    guesses = p.argmax(axis=1)
    missed = [i for i in range(len(guesses)) if guesses[i] != corpus.codes[corpus.known[i]]]
    if not missed:
        report.skip(cls.wrong, "没有预测错的行")
    for i in sorted(missed, key=lambda i: (-p[i].max(), i))[:ASK]:
        at = int(corpus.known[i])
        report.row(
            cls.wrong, row=[int(corpus.rows[at])], sample=corpus.short(at), actual=corpus.names[corpus.codes[at]],
            name=corpus.names[guesses[i]], p=float(p[i].max()),
        )  # fmt: skip
    if len(missed) > ASK:
        report.note(cls.wrong, "只列最有把握而错的 20 行。")


def _predictions(
    cls: type[TextClassification], report: Report, form: Any, corpus: Corpus, kind: str, known: Floats
) -> None:
    machine, table = _fitted(form, corpus, kind, corpus.known)
    _features(cls, report, corpus, machine, kind, table)
    rows = corpus.unknown
    p = _chances(corpus, machine, table(rows)) if rows.size else np.zeros((0, len(corpus.names)))
    for i, at in enumerate(rows[:LISTED]):
        report.row(
            cls.predicted, row=[int(corpus.rows[at])], sample=corpus.short(int(at)),
            name=corpus.names[p[i].argmax()], p=float(p[i].max()),
            check="待人工" if p[i].max() < form.uncertain else None,
        )  # fmt: skip
    if not rows.size:
        report.skip(cls.predicted, "所有行都有标注")
        report.skip(cls.ask, "所有行都有标注")
    elif rows.size > LISTED:
        report.note(cls.predicted, "只列前 1000 行；保存为新变量可以得到全部。")
    for i in sorted(range(rows.size), key=lambda i: (p[i].max(), i))[:ASK]:
        report.row(
            cls.ask, row=[int(corpus.rows[rows[i]])], sample=corpus.short(int(rows[i])),
            name=corpus.names[p[i].argmax()], p=float(p[i].max()),
        )  # fmt: skip
    if rows.size:
        report.note(cls.ask, "模型最没有把握的行，先标注它们通常帮助较大。")
    if not form.append:
        return
    names: list[str | None] = [None] * len(corpus.texts)
    chances = np.full(len(corpus.texts), np.nan)
    for places, values in ((corpus.known, known), (rows, p)):
        for i, at in enumerate(places):
            names[int(at)] = corpus.names[int(values[i].argmax())]
            chances[int(at)] = float(values[i].max())
    check = ["待人工" if chance < form.uncertain else None for chance in chances]
    report.columns(cls.saved, {"预测类别": names, "预测概率": chances, "待人工": check})


def _features(
    cls: type[TextClassification], report: Report, corpus: Corpus, machine: Any, kind: str, table: Any
) -> None:
    weights = _weights_of(corpus, machine, kind, table(corpus.known))
    if not (np.round(weights, 9) > 0).any():
        report.skip(cls.words, "没有一个词能区分各类")
        return
    for j, name in enumerate(corpus.names):
        order = sorted(range(len(corpus.features)), key=lambda i: (-round(float(weights[j, i]), 9), corpus.features[i]))
        for rank, i in enumerate([i for i in order[:TOP] if round(float(weights[j, i]), 9) > 0], start=1):
            report.row(cls.words, name=name, rank=rank, word=corpus.features[i], weight=float(weights[j, i]))


def _weights_of(corpus: Corpus, machine: Any, kind: str, table: sp.csr_matrix) -> Floats:
    """Classes × features: what speaks for a class against the others."""
    k = len(corpus.names)
    if kind == "forest":
        p = machine.predict_proba(table)
        there = sp.csr_matrix((table > 0).astype(float))
        n = np.asarray(there.sum(axis=0)).ravel()
        inside = np.divide(there.T @ p, n[:, None], out=np.zeros((len(n), k)), where=n[:, None] > 0)
        return np.asarray(np.where(n[:, None] > 0, inside - p.mean(axis=0), 0.0).T)
    if kind == "bayes":
        own = np.asarray(machine.feature_log_prob_)
    else:
        linear = machine.calibrated_classifiers_[0].estimator if kind == "svm" else machine
        own = np.asarray(linear.coef_)
        if own.shape[0] == 1:
            own = np.vstack([-own[0] / 2, own[0] / 2])
    return np.asarray(own - (own.sum(axis=0) - own) / (k - 1))


def _words(cls: type[TextClassification], report: Report, form: Any, corpus: Corpus, kind: str, scores: Scores) -> None:
    counts = scores.table.sum(axis=1)
    facts: dict[str, Any] = {
        "n": len(corpus.known), "k": len(corpus.names), "a": scores.accuracy, "f": scores.macro,
        "base": float(counts.max() / counts.sum()), "m": len(corpus.unknown),
    }  # fmt: skip
    sentence = (
        "用 {n:integer} 行有标注的文本学会了 {k:integer} 个类别。交叉验证的准确率是 {a:percent1}，宏 F1 {f:num3}；"
        "全归为最多的一类时准确率是 {base:percent1}。"
    )
    if facts["m"]:
        sentence += "其余 {m:integer} 行已预测。"
    report.lead(sentence, [figure("准确率", "{a:percent1}"), figure("宏 F1", "{f:num3}")], **facts)
    student = "文本分类从标好的文本里学哪些词属于哪一类，再给没有标的文本归类。先看准确率比基线高多少，再抽查几行。"
    report.voices([(student, {})], [(f"{MODELS[kind]}，{FEATURES[form.features]}：" + sentence, {})], [(sentence, {})],
                  **facts)  # fmt: skip
    if scores.accuracy <= facts["base"]:
        report.check(
            "比基线好", "fail", "准确率 {a:percent1} 不高于基线 {b:percent1}：这些词分不出类别，预测不可用。",
            a=scores.accuracy, b=facts["base"],
        )  # fmt: skip
    else:
        report.check("比基线好", "pass", "准确率比基线高 {d:num} 个百分点。", d=100 * (scores.accuracy - facts["base"]))
    rare = int(counts.argmin())
    if counts[rare] < FEW:
        report.check(
            "每类的标注", "care", "类别“{c:text}”只有 {n:integer} 行标注，不足 10 行，它的预测不可靠。",
            c=corpus.names[rare], n=int(counts[rare]),
        )  # fmt: skip
    else:
        report.check("每类的标注", "pass", "每类至少有 10 行标注。")
