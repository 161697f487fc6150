"""Texts compared with texts: a document is read, freed of what only looks different, and its passages are sought in the
documents of a library.

`extracting` reads docx, pdf and txt; `normal` maps a text to the characters that count, each with its place; `prints`
picks the fingerprints; `segment` is their index on disk; `matching` finds the passages; `parts` tells apart what the
author did not write. `comparing` and `adding` are the runs.
"""
