"""How well a marker tells two states apart: curves, areas, cut points."""
