"""Comparisons of samples: what the members of the family share. A member states its statistic, its words, its checks.

A member in four steps:

1.  `class SignTest(OneSample)` (or `PairedSamples`, `TwoSamples`, `ManySamples`, of `comparison`) brings the boxes for
    variables and the frequency weight, the tables and charts every member has (`descriptives`, `plot`, `box`), and the
    conclusion over several variables. `class Input(OneSample.Input)` adds the settings, the common ones in one line
    each from `hengxi.contract`: `confidence()`, `alternative(hint)`, `adjustment()`, `resamples()`, `counted()`.
2.  `run` reads its data: `samples.one(form)`, `.pairs(form)`, `.two(form)`, `.several(form)`, `.repeated(form)`. Each
    refuses what no member can work with (too few cases, numbers out of range, one group), with place and remedy, and
    gives `Sample`s: `name, x, counts, n, moments, ordered, shape, quartiles`, computed when first asked for.
3.  It computes with `hengxi.stats` (`two_groups`, `effect_size`, `ranks`, `one_way`), fills its own tables by
    `report.row(cls.result, …)`, and the shared ones by `cls.describe(report, samples, "mean", level)` (or "median").
4.  It says what was found: `Finding(…).write(report)` of `finding` makes the conclusion, the three voices and the key
    figures from a dozen phrases, true in each branch (one-sided or not, found or not, interval with 0 or without).
    Checks: `sample_checks.normality`, `.size`, `.ties`; several variables: `many_tests`, `many_variables`.

The oracle script sources `oracle_samples.R` (engine/tools), whose `described(name, x)` covers the shared table and
whose `SAID` holds the sentences every member says.
"""
