"""Difference-in-differences: who is treated since when (`reading.py`), regressions with unit and time effects
(`regression.py`), adoption at several times (`staggered.py`), tables and sentences (`report.py`)."""
