"""What the members of evaluation share: pairwise judgements, hierarchies, indicator matrices, weights, rankings."""
