"""Two groups of trials, one against the other."""
