"""Mediation and moderation by regressions: what the methods of mechanisms declare themselves on."""
