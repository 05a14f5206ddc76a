"""Tests whether a curve is abnormal or has changed, given a known error. Arrays in, arrays out."""

from gaitdyn.statistics.against_norm import judge_against_norm
from gaitdyn.statistics.change import judge_band, judge_level_and_shape, judge_markers_on
from gaitdyn.statistics.families import rank_chance
from gaitdyn.statistics.threshold import roughness, simultaneous_threshold

__all__ = [
    "judge_against_norm", "judge_band", "judge_level_and_shape", "judge_markers_on", "rank_chance",
    "roughness", "simultaneous_threshold",
]  # fmt: skip
