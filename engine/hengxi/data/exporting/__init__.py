"""Tables as files for other programs, one module per format; `run.export_table` is the way in."""
