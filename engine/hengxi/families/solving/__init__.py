"""What every mathematical program shares: the form, the program read from it, its solution, its report.

- `form.ProgramForm`: variables, sense, target; `with_constraints` adds the constraints; settings of the algorithms
- `problem.read`: the form as functions and linear rows, with refusals that name the place
- `base.ProgramSolver`: the tables every program has, and how an answer is told
- `linear`, `local`, `heuristic`: what an algorithm needs of the program, and what it gives back (`answer.Answer`)
- `figures`: feasible region, contours, traces

A member declares which algorithms it has and what is particular: its tree, its starts, its neighbourhood.
"""
