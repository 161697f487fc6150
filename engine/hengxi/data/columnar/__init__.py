"""Parquet and Arrow files: columns with types of their own, read piece by piece and never believed."""
