"""Numbers derived from the curves: gait parameters, peaks and work, symmetry, scores, norms."""

from gaitdyn.metrics.peak_definitions import DEFINITIONS

__all__ = ["DEFINITIONS"]
