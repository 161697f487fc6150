"""Structural equation models: what CFA, SEM, path analysis, invariance and common method bias declare themselves on."""
