"""Standard gravity."""

STANDARD_GRAVITY = 9.80665
"""m/s2 (3rd General Conference on Weights and Measures, 1901)."""
