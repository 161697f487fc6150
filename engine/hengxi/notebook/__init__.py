"""The engine for a data scientist: `analyse` on any frame, results as data frames, no server.

See `analysis` and `result`.
"""
