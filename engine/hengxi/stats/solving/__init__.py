"""Mathematical programs: formulas compiled, exact linear and integer solutions, local search, heuristics."""
