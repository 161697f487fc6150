"""Where a method stands in the menus: families in their order, long ones under sub-headings.

A family without sub-headings lists its methods by path. A method that no sub-heading names comes last in its family;
the tests see to it that every method of the catalogue has its place.
"""

from __future__ import annotations

from dataclasses import dataclass

from hengxi.groups import FAMILIES, GROUPS, group_of

SECTIONS: dict[str, tuple[tuple[str, str], ...]] = {
    "描述性分析": (
        (
            "概览与频数",
            "codebook frequency descriptive_statistics explore subtotal ratio_statistics confidence_interval",
        ),
        (
            "交叉与相关",
            "crosstabs chi_square correlation partial_correlation polychoric_correlation distance_similarity",
        ),
        (
            "数据质量与分布",
            "normality_test distribution_fitting multivariate_normality outlier_test missing_value_analysis"
            " reliability",
        ),
    ),
    "差异性分析": (
        ("一个样本", "single_sample_t_test single_sample_wilcoxon_test chisquare_goodness_fit z_test"),
        (
            "独立样本",
            "independent_t_test independent_samples_mann_whitney_test variance multiple_sample_kruskal_wallis_test"
            " chi_square_test yuen_test permutation_test",
        ),
        ("配对样本", "paired_sample_t_test paired_sample_wilcoxon_test multiple_paired_sample_friedman_test"),
        ("其他推断", "summary_t_test bayesian_t_test equivalence_tost"),
    ),
    "方差分析": (
        ("组间设计", "two_way_anova three_way_anova multivariate_way_anova ancova welch_anova"),
        ("重复测量与多个因变量", "repeated_measures_anova mixed_anova manova hotelling_t2"),
        ("特殊设计", "nested_anova latin_square_anova crossover_anova"),
        ("比较与齐性", "post_hoc variance_homogeneity"),
    ),
    "数据处理": (
        ("变量与编码", "variable_label value_coding type_convert rename_select dummy_variable encode_category binning"),
        (
            "生成变量",
            "compute_variable transform normalization scale_score count_values rank_cases interaction_terms"
            " generate_sequence",
        ),
        ("清洗", "missing_value outlier_handling dedupe invalid_sample text_clean split_column multi_choice_split"),
        ("选择与抽样", "filter sort sampling train_test_split weight_cases class_balance data_masking"),
        ("表的形状与合并", "merge_files append_files aggregate_file transpose pivot_wider pivot_longer"),
        ("时间与信号", "date_parts lag_difference resample_time smoothing signal_transform"),
        ("降维与特征", "pca_reduction feature_selection"),
    ),
    "问卷研究": (
        ("题型", "multiple_choice multiple_choice_crosstab ranking_question response_quality"),
        (
            "量表质量",
            "discrimination validity content_validity confirmatory_factor measurement_invariance common_method_bias icc"
            " item_response rasch weight",
        ),
        ("结构与空间", "correspondence multiple_correspondence multidimensional_scaling"),
        ("抽样与设计", "survey_sample_size raking_weight did"),
    ),
    "市场与产品研究": (
        ("产品与需求", "kano turf penalty importance_performance customer_segmentation nps"),
        ("价格", "product_price gabor_granger bpto"),
        ("选择与偏好", "conjoint choice_conjoint maxdiff"),
    ),
    "回归分析": (
        ("线性回归", "linear_regression stepwise_regression hierarchical_regression polynomial_regression"),
        (
            "共线与变量选择",
            "ridge_regression lasso_regression elastic_net_regression pls_regression principal_component_regression",
        ),
        ("稳健与分位数", "robust_regression quantile_regression"),
        (
            "分类因变量",
            "logistic_regression multinomial_logistic_regression ordinal_logistic_regression probit_regression"
            " loglinear_model",
        ),
        ("计数与受限", "poisson_regression negative_binomial_regression zero_inflated_regression tobit_regression"),
        (
            "非线性与分段",
            "curve_fitting nonlinear_regression generalized_additive_model segmented_regression",
        ),
        ("广义与分层数据", "generalized_linear_model gee linear_mixed_model"),
    ),
    "时间序列": (
        ("序列检验", "adf white_noise_test acf_pacf structural_break_test"),
        ("预测", "arima sarima exponential_smoothing additive_forecast grey_gm1n markov_prediction"),
        ("分解与滤波", "seasonal_decomposition seasonal_adjustment trend_filter"),
        ("波动与区制", "garch markov_switching"),
        ("多个序列", "var granger cointegration_test vecm ardl error_correction_model"),
    ),
    "计量经济": (
        ("面板数据", "panel_regression panel_unit_root dynamic_panel_gmm threshold_regression stochastic_frontier"),
        ("工具变量与样本选择", "two_stage_least_squares gmm heckman"),
        ("因果评价", "did_panel psm rdd synthetic_control event_study"),
        ("空间与客户", "spatial_regression rfm"),
    ),
    "医学统计": (
        ("诊断与预测模型", "roc diagnostic_test calibration_curve decision_curve nri_idi nomogram"),
        ("暴露与结局", "risk_ratio mantel_haenszel conditional_logistic dose_response rate_standardization"),
        ("临床研究报告", "baseline_table uni_multi_regression subgroup_forest restricted_cubic_spline iptw"),
        ("方法比较与综合", "bland_altman deming_regression passing_bablok meta_analysis non_inferiority"),
    ),
    "质量控制": (
        ("计量控制图", "xbar_r xbar_s i_mr ma_chart ewma_chart cusum_chart hotelling_t2_chart run_chart"),
        ("计数控制图", "p_chart np_chart c_chart u_chart rare_event_chart"),
        (
            "过程能力",
            "process_capability process_capability_nonnormal attribute_capability histogram_spec tolerance_interval",
        ),
        ("测量系统", "gage_rr gage_rr_nested gage_linearity_bias attribute_agreement"),
        ("试验设计", "factorial_doe response_surface orthogonal_design uniform_design"),
        ("质量工具", "pareto_chart fishbone_diagram acceptance_sampling"),
    ),
    "机器学习分类": (
        ("树与集成", "decision_tree random_forest extra_tree adaboost gbdt xgboost lightgbm catboost"),
        ("其他模型", "logistic_regression naive_bayes knn svm mlp"),
        ("比较与预测", "auto_model_compare classifier_predict"),
    ),
    "机器学习回归": (
        ("树与集成", "decision_tree random_forest extra_tree adaboost gbdt xgboost lightgbm catboost"),
        ("其他模型", "linear_regression knn svm mlp"),
        ("比较与预测", "auto_model_compare regression_predict"),
    ),
    "数学建模": (
        ("图与网络", "shortest_path max_flow minimum_spanning_tree tsp critical_path"),
        ("分配与决策", "assignment transportation knapsack matrix_game"),
        ("数值计算", "interpolation numerical_integration equation_solving ode"),
        ("随机模拟", "queueing monte_carlo"),
    ),
    "文本分析": (
        (
            "分词与词频",
            "text_preprocess word_segmentation word_frequency word_cloud keyword_extraction new_word_discovery",
        ),
        ("主题与关系", "lda_topic text_clustering semantic_network text_similarity"),
        ("情感与分类", "sentiment_analysis custom_label text_classification"),
    ),
}


@dataclass(frozen=True)
class Place:
    """`section`: the sub-heading, None in a family without. `order` sorts: family, sub-heading, place below it."""

    section: str | None
    order: tuple[int, int, int]


def place(path: str, family: str) -> Place:
    """Where a method of this family stands; raises ValueError for a family the menus do not have."""
    rank = FAMILIES.index(family)
    key = path.rsplit("/", 1)[-1]
    sections = SECTIONS.get(family, ())
    for number, (title, keys) in enumerate(sections):
        listed = keys.split()
        if key in listed:
            return Place(title, (rank, number, listed.index(key)))
    return Place(None, (rank, len(sections), GROUPS.index(group_of(path))))


def order(path: str, family: str) -> tuple[tuple[int, int, int], str]:
    """Sort key of menus."""
    return (place(path, family).order, path)
