"""The copies of a multiple imputation as one report: what `Report.estimate`, `joint` and `explained` gave, by Rubin."""
