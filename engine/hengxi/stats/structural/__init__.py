"""Covariance structure models: CFA, path analysis and structural equation models are all `Model`s fitted here."""
