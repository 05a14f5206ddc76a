"""Newton-Euler equations of a chain of segments, and of the measured body as a tree."""
