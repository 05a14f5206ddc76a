"""What is read off the curves: gait parameters, peaks and work, symmetry, scores, norms."""
