"""What is read off the curves: gait parameters, peaks and work, symmetry, scores, norms."""

from gaitdyn.metrics.bursts import BURSTS
from gaitdyn.metrics.peak_definitions import DEFINITIONS, find_definition
from gaitdyn.metrics.peaks import peaks, stance_peaks

__all__ = [
    "BURSTS",
    "DEFINITIONS",
    "find_definition",
    "peaks",
    "stance_peaks",
]
