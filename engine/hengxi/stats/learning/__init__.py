"""What learners that predict from many variables share: coding, splits, scores, importance, trees."""
