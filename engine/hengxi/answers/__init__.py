"""Answers in words that people code: which different answers a column holds, what suggests a code, coded columns."""
