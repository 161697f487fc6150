"""What methods of choices share: from tasks to the fit, its table, refusals that name what cannot be told apart."""
