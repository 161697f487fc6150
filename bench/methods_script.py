"""What a competent user would write with pandas, SciPy, statsmodels and scikit-learn for the tables of our reports.

The same assumption tests, intervals, effect sizes and case measures as the report of each method with its defaults, on
a frame that is already loaded. Left out here as there: what the method says it leaves out at this size (tests of
normality, White's test, profile intervals). No charts and no sentences, which the report has in addition.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable
from itertools import combinations

import numpy as np
import pandas as pd
import shap
import statsmodels.api as sm
from scipy import optimize, special, stats
from sklearn import inspection, metrics, model_selection
from sklearn.cluster import KMeans
from sklearn.ensemble import RandomForestClassifier
from statsmodels.multivariate.factor_rotation import rotate_factors
from statsmodels.stats import diagnostic, oneway, stattools
from statsmodels.stats.proportion import proportion_confint

XS = [f"x{i}" for i in range(1, 9)]
LEVEL = 0.95


def frequency(frame: pd.DataFrame) -> object:
    tables = []
    for name in ("性别", "城市"):
        counts = frame[name].value_counts()
        valid, missing = int(counts.sum()), int(frame[name].isna().sum())
        table = pd.DataFrame({"n": counts, "percent": counts / (valid + missing), "valid": counts / valid})
        table["cumulative"] = table["valid"].cumsum()
        table["low"], table["high"] = proportion_confint(counts, valid, method="wilson")
        tables.append((table, missing))
    return tables


def descriptive_statistics(frame: pd.DataFrame) -> object:
    x = frame[XS]
    n = x.count()
    table = pd.DataFrame({"n": n, "mean": x.mean(), "sd": x.std(), "min": x.min(), "max": x.max()})
    table["skewness"], table["kurtosis"] = x.skew(), x.kurt()
    se = np.sqrt(6.0 * n * (n - 1) / ((n - 2) * (n + 1) * (n + 3)))
    table["skewness_z"] = table["skewness"] / se
    table["kurtosis_z"] = table["kurtosis"] / (2 * se * np.sqrt((n**2 - 1.0) / ((n - 3) * (n + 5))))
    shares = [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95]
    percentiles = np.quantile(x.to_numpy(), shares, axis=0, method="weibull")
    q1, q3 = percentiles[2], percentiles[4]
    reach = 1.5 * (q3 - q1)
    outside = ((x < q1 - reach) | (x > q3 + reach)).sum()
    return table, percentiles, outside, x.isna().sum()


def crosstabs(frame: pd.DataFrame) -> object:
    table = pd.crosstab(frame["性别"], frame["城市"])
    tests = [
        stats.chi2_contingency(table, correction=False),
        stats.chi2_contingency(table, correction=False, lambda_="log-likelihood"),
    ]
    sizes = [stats.contingency.association(table, method=method) for method in ("cramer", "pearson", "tschuprow")]
    nominal = sm.stats.Table(table)
    shares = table.div(table.sum(axis=1), axis=0), table / table.to_numpy().sum()
    return table, shares, tests, sizes, nominal.fittedvalues, nominal.standardized_resids


def correlation(frame: pd.DataFrame) -> object:
    x = frame[XS]
    n = len(x)
    r = x.corr()
    lines = []
    for a, b in combinations(XS, 2):
        value = float(r.loc[a, b])
        t = value * np.sqrt((n - 2) / (1 - value**2))
        half = stats.norm.isf((1 - LEVEL) / 2) / np.sqrt(n - 3)
        bounds = np.tanh(np.arctanh(value) - half), np.tanh(np.arctanh(value) + half)
        lines.append((a, b, value, t, 2 * stats.t.sf(abs(t), n - 2), bounds))
    return r, lines, x.mean(), x.std(), x.skew(), x.kurt(), x.count()


def _group_rows(groups: dict[str, pd.Series]) -> pd.DataFrame:
    rows = {}
    for name, group in groups.items():
        n, mean, sd = len(group), group.mean(), group.std()
        low, high = stats.t.interval(LEVEL, n - 1, mean, sd / np.sqrt(n))
        rows[name] = {"n": n, "mean": mean, "sd": sd, "se": sd / np.sqrt(n), "low": low, "high": high}
    return pd.DataFrame(rows).T


def independent_t_test(frame: pd.DataFrame) -> object:
    groups = {sex: frame.loc[frame["性别"] == sex, "y"] for sex in ("男", "女")}
    a, b = groups.values()
    tests = [stats.ttest_ind(a, b, equal_var=equal) for equal in (True, False)]
    intervals = [one.confidence_interval(LEVEL) for one in tests]
    rows = _group_rows(groups)
    quartiles = [np.quantile(group, [0.25, 0.5, 0.75], method="weibull") for group in (a, b)]
    shape = [(stats.skew(group, bias=False), stats.kurtosis(group, bias=False)) for group in (a, b)]
    even = [stats.levene(a, b, center=center) for center in ("mean", "median")]
    df = len(a) + len(b) - 2
    pooled = np.sqrt(((len(a) - 1) * a.var() + (len(b) - 1) * b.var()) / df)
    d = (a.mean() - b.mean()) / pooled
    root = np.sqrt(1 / len(a) + 1 / len(b))
    spread = np.hypot(a.std(), b.std())
    t = d / root
    ends = [
        optimize.brentq(lambda x, s=share: stats.nct.cdf(t, df, x) - s, t - 5, t + 5) * root
        for share in (1 - (1 - LEVEL) / 2, (1 - LEVEL) / 2)
    ]
    unbiased = np.exp(special.gammaln(df / 2) - special.gammaln((df - 1) / 2)) / np.sqrt(df / 2)
    effects = d, ends, d * unbiased, np.multiply(ends, unbiased), stats.norm.cdf(d * pooled / spread)
    return tests, intervals, rows, quartiles, shape, even, effects


def variance(frame: pd.DataFrame) -> object:
    grouped = frame.groupby("城市")["y"]
    groups = {str(name): group for name, group in grouped}
    values = list(groups.values())
    classic = stats.f_oneway(*values)
    others = [oneway.anova_oneway(values, use_var=kind) for kind in ("unequal", "bf")]
    rows = _group_rows(groups)
    even = [stats.levene(*values, center=center) for center in ("mean", "median")]
    n, k = len(frame), len(values)
    means = grouped.mean()
    between = float((rows["n"].to_numpy() * (means.to_numpy() - frame["y"].mean()) ** 2).sum())
    within = float(((rows["n"] - 1) * rows["sd"] ** 2).sum())
    eta = between / (between + within)
    f = classic.statistic
    ends = [
        optimize.brentq(lambda x, s=share: stats.ncf.cdf(f, k - 1, n - k, x) - s, 0, 4 * (k - 1) * f + 100)
        for share in (1 - (1 - LEVEL) / 2, (1 - LEVEL) / 2)
        if stats.f.cdf(f, k - 1, n - k) > share
    ]
    pooled = np.sqrt(within / (n - k))
    distances = [(a.mean() - b.mean()) / pooled for a, b in combinations(values, 2)]
    omega = (between - (k - 1) * within / (n - k)) / (between + within + within / (n - k))
    pairs = stats.tukey_hsd(*values, equal_var=False)
    residuals = np.concatenate([group - group.mean() for group in values])
    shape = stats.skew(residuals, bias=False), stats.kurtosis(residuals, bias=False)
    return classic, others, rows, even, eta, omega, pairs, pairs.confidence_interval(LEVEL), shape, ends, distances


def _inflation(x: pd.DataFrame) -> np.ndarray:
    return np.diag(np.linalg.inv(np.corrcoef(x.to_numpy(), rowvar=False)))


def linear_regression(frame: pd.DataFrame) -> object:
    x = sm.add_constant(frame[XS])
    fit = sm.OLS(frame["y"], x).fit()
    tables = fit.summary(), fit.conf_int(), fit.aic, fit.bic
    beta = fit.params[1:] * frame[XS].std() / frame["y"].std()
    partial = fit.tvalues / np.sqrt(fit.tvalues**2 + fit.df_resid)
    scaled = x.to_numpy() / np.linalg.norm(x.to_numpy(), axis=0)
    values, vectors = np.linalg.eigh(scaled.T @ scaled)
    shares = vectors**2 / values
    condition = np.sqrt(values.max() / values), shares / shares.sum(axis=1, keepdims=True)
    checks = (
        diagnostic.het_breuschpagan(fit.resid, x),
        stattools.jarque_bera(fit.resid),
        stattools.durbin_watson(fit.resid),
        diagnostic.acorr_breusch_godfrey(fit, nlags=1),
        diagnostic.linear_reset(fit, power=3, use_f=True),
    )
    influence = fit.get_influence()
    # Its own resid_studentized_external fits the model once for every row.
    internal, hat, cook = influence.resid_studentized_internal, influence.hat_matrix_diag, influence.cooks_distance[0]
    external = internal * np.sqrt((fit.df_resid - 1) / (fit.df_resid - internal**2))
    dffits = external * np.sqrt(hat / (1 - hat))
    unusual = np.flatnonzero((np.abs(external) > 3) | (cook > 4 / len(frame)))
    worst = unusual[np.argsort(-cook[unusual])][:100]
    cases = pd.DataFrame({"external": external[worst], "leverage": hat[worst],
                          "cook": cook[worst], "dffits": dffits[worst]})  # fmt: skip
    return tables, beta, partial, _inflation(frame[XS]), condition, checks, cases


def _delong(p: np.ndarray, y: np.ndarray) -> float:
    """Standard error of the area, from mid-ranks (Sun & Xu 2014)."""
    ones, zeros = p[y == 1], p[y == 0]
    m, n = len(ones), len(zeros)
    whole = stats.rankdata(np.concatenate((ones, zeros)))
    v10 = (whole[:m] - stats.rankdata(ones)) / n
    v01 = 1 - (whole[m:] - stats.rankdata(zeros)) / m
    return float(np.sqrt(v10.var(ddof=1) / m + v01.var(ddof=1) / n))


def logistic_regression(frame: pd.DataFrame) -> object:
    y = (frame["购买"] == "是").to_numpy().astype(float)
    x = sm.add_constant(frame[XS])
    fit = sm.Logit(y, x).fit(disp=0)
    tables = fit.summary(), np.exp(fit.params), np.exp(fit.conf_int()), fit.aic, fit.bic, fit.llr, fit.llr_pvalue
    tests = fit.wald_test_terms(scalar=True)
    effects = fit.get_margeff(at="overall").summary_frame()
    p = np.asarray(fit.predict())
    area = metrics.roc_auc_score(y, p), _delong(p, y), metrics.roc_curve(y, p)
    groups = (
        pd.DataFrame({"y": y, "p": p}).groupby(pd.qcut(p, 10, duplicates="drop"), observed=True).agg(["sum", "size"])
    )
    called = p >= 0.5
    classes = metrics.confusion_matrix(y, called), metrics.precision_recall_fscore_support(y, called, average="binary")
    brier = metrics.brier_score_loss(y, p)
    bent = pd.concat([x, (frame[XS] * np.log(frame[XS])).add_suffix("_ln")], axis=1)
    linear = sm.Logit(y, bent).fit(disp=0).pvalues
    w = p * (1 - p)
    covariance = fit.cov_params().to_numpy()
    matrix = x.to_numpy()
    leverage = w * np.einsum("ij,jk,ik->i", matrix, covariance, matrix, optimize=True)
    standardized = (y - p) / np.sqrt(w * (1 - leverage))
    cook = standardized**2 * leverage / (1 - leverage) / matrix.shape[1]
    unusual = np.flatnonzero((np.abs(standardized) > 3) | (cook > 4 / len(frame)))
    worst = unusual[np.argsort(-cook[unusual])][:100]
    cases = standardized[worst], leverage[worst], cook[worst]
    return tables, tests, effects, area, groups, classes, brier, linear, cases, _inflation(frame[XS])


def kmeans_cluster(frame: pd.DataFrame) -> object:
    x = frame[XS[:4]]
    z = ((x - x.mean()) / x.std()).to_numpy()
    labels = KMeans(3, n_init=25, random_state=1).fit(z).labels_
    part = np.random.default_rng(1).choice(len(z), min(len(z), 10_000), replace=False)
    widths = metrics.silhouette_samples(z[part], labels[part])
    indices = metrics.calinski_harabasz_score(z, labels), metrics.davies_bouldin_score(z, labels)
    centres = x.groupby(labels).agg(["mean", "std"])
    tests = [stats.f_oneway(*(group for _, group in x[name].groupby(labels))) for name in x]
    axes = np.linalg.eigh(np.cov(z, rowvar=False))[1][:, :-3:-1]
    return widths, indices, centres, tests, z @ axes


def factor_analysis(frame: pd.DataFrame) -> object:
    x = frame[XS].to_numpy()
    n, p = x.shape
    r = np.corrcoef(x, rowvar=False)
    inverse = np.linalg.inv(r)
    image = -inverse / np.sqrt(np.outer(np.diag(inverse), np.diag(inverse)))
    np.fill_diagonal(image, 0)
    plain = r - np.eye(p)
    kmo = (plain**2).sum() / ((plain**2).sum() + (image**2).sum())
    adequacy = (plain**2).sum(axis=0) / ((plain**2).sum(axis=0) + (image**2).sum(axis=0))
    chi2 = -(n - 1 - (2 * p + 5) / 6) * np.linalg.slogdet(r)[1]
    values, vectors = np.linalg.eigh(r)
    values, vectors = values[::-1], vectors[:, ::-1]
    k = int((values > 1).sum())
    loadings = vectors[:, :k] * np.sqrt(values[:k])
    common = np.sqrt((loadings**2).sum(axis=1))
    turned = rotate_factors(loadings / common[:, None], "varimax")[0] * common[:, None] if k > 1 else loadings
    weights = inverse @ turned
    z = (x - x.mean(axis=0)) / x.std(axis=0, ddof=1)
    scores = z @ weights
    shares = (turned**2).sum(axis=0) / p
    return kmo, adequacy, chi2, stats.chi2.sf(chi2, p * (p - 1) / 2), values, common**2, weights, scores @ shares


def random_forest(frame: pd.DataFrame) -> object:
    """Above 50,000 training rows: trees of 50,000 drawn rows, and no models of folds, as the report says of itself."""
    x, y = frame[XS].to_numpy(), (frame["购买"] == "是").to_numpy().astype(int)
    train, test = model_selection.train_test_split(np.arange(len(y)), train_size=0.7, stratify=y, random_state=1)
    forest = RandomForestClassifier(100, max_samples=50_000, oob_score=True, random_state=1).fit(x[train], y[train])
    importances = []
    for rows in (train, test):
        shares = forest.predict_proba(x[rows])
        called, true, p = shares.argmax(axis=1), y[rows], shares[:, 1]
        importances += [
            metrics.accuracy_score(true, called), metrics.balanced_accuracy_score(true, called),
            metrics.classification_report(true, called, output_dict=True), metrics.roc_auc_score(true, p),
            _delong(p, true), metrics.log_loss(true, shares), metrics.cohen_kappa_score(true, called),
            metrics.matthews_corrcoef(true, called), metrics.confusion_matrix(true, called),
            metrics.roc_curve(true, p), metrics.precision_recall_curve(true, p),
            metrics.average_precision_score(true, p), metrics.brier_score_loss(true, p),
        ]  # fmt: skip
    asked = np.random.default_rng(1).choice(test, 10_000, replace=False)
    lost = inspection.permutation_importance(forest, x[asked], y[asked], n_repeats=10, random_state=1)
    explained = shap.TreeExplainer(forest).shap_values(x[asked[:31]], check_additivity=False)
    errors, right, votes = [], np.zeros((len(train), 2)), np.zeros(len(train))
    single = x[train].astype(np.float32)
    for tree, drawn in zip(forest.estimators_, forest.estimators_samples_, strict=True):
        left = np.flatnonzero(np.bincount(drawn, minlength=len(train)) == 0)
        right[left] += tree.predict_proba(single[left])
        votes[left] += 1
        errors.append(np.mean(right[votes > 0].argmax(axis=1) != y[train][votes > 0]))
    frame.iloc[test, :0].assign(true=y[test], p=forest.predict_proba(x[test])[:, 1]).to_csv(io.BytesIO())
    return importances, lost, explained, forest.feature_importances_, errors, pickle.dumps(forest)


SCRIPTS: dict[str, Callable[[pd.DataFrame], object]] = {
    "descriptive/frequency": frequency,
    "descriptive/descriptive_statistics": descriptive_statistics,
    "descriptive/crosstabs": crosstabs,
    "descriptive/correlation": correlation,
    "hypothesis_test/independent_t_test": independent_t_test,
    "hypothesis_test/variance": variance,
    "statistical/linear_regression": linear_regression,
    "statistical/logistic_regression": logistic_regression,
    "statistical/kmeans_cluster": kmeans_cluster,
    "statistical/factor_analysis": factor_analysis,
    "supervised_learning/classifier/random_forest": random_forest,
}
