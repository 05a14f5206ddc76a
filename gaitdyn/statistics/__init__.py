"""Is a curve abnormal, has it changed: tests with an error that is known. Arrays in, arrays out."""

from gaitdyn.statistics.against_norm import NormBand, NormTest, healthy_limit, judge_against_norm
from gaitdyn.statistics.change import (
    ChangeTest,
    judge_band,
    judge_level_and_shape,
    judge_markers_on,
)
from gaitdyn.statistics.families import Run, Word, holm, rank_chance, runs_of, word_of
from gaitdyn.statistics.session_error import SessionError, error_of_pairs, error_of_sd
from gaitdyn.statistics.threshold import (
    curve_chance,
    point_chance,
    roughness,
    simultaneous_threshold,
)
from gaitdyn.statistics.variance import joint_freedom, stride_variance

__all__ = [
    "ChangeTest",
    "NormBand",
    "NormTest",
    "Run",
    "SessionError",
    "Word",
    "curve_chance",
    "error_of_pairs",
    "error_of_sd",
    "healthy_limit",
    "holm",
    "joint_freedom",
    "judge_against_norm",
    "judge_band",
    "judge_level_and_shape",
    "judge_markers_on",
    "point_chance",
    "rank_chance",
    "roughness",
    "runs_of",
    "simultaneous_threshold",
    "stride_variance",
    "word_of",
]
