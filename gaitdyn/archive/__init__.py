"""The archive: results of many sessions in one SQLite file."""

from gaitdyn.archive.add import Added, add_results
from gaitdyn.archive.connection import in_memory, reading, writing
from gaitdyn.archive.query import CurveSet, CycleRow, curve_frame, curve_names, read_curves
from gaitdyn.archive.where import Condition, parse_where

__all__ = [
    "Added",
    "Condition",
    "CurveSet",
    "CycleRow",
    "add_results",
    "curve_frame",
    "curve_names",
    "in_memory",
    "parse_where",
    "read_curves",
    "reading",
    "writing",
]
