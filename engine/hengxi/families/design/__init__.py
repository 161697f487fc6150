"""Designed experiments: making a table to be filled in, and reading it once the responses are there.

- `plan`: factors as the user names them, runs in coded and natural units, blocks, random order, the table to take away
- `two_level`: fractions of 2^k with their generators, aliases and blocks; Plackett–Burman
- `least`: a linear model of coded columns with sums of squares by groups, pure error, PRESS
- `report`: what analyses of experiments share: sources of variance, the model in one row, four pictures of residuals
- `factorial_model`, `factorial_plan`, `factorial_pictures`: two-level effects, their plan, their pictures
- `quadratic`, `surface_goal`: second-order surfaces, where they are level, and what is asked of a response
- `arrays`: orthogonal arrays with the columns of their interactions
- `uniform`: discrepancies, good lattice points, exchanges
"""
