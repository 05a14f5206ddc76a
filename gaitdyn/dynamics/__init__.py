"""Newton-Euler equations of a chain of segments: stacked system, substitution, power; trees."""
