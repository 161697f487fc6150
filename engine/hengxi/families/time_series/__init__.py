"""Series measured at equal steps of time.

`series.py` reads them (order, frequency, gaps, future rows of exogenous variables); `method.py` is the base class with
its residual checks; `forecasting.py` the fan of a forecast, the held-out end beside a naive forecast, error measures.
"""
