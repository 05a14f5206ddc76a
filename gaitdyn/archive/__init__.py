"""The archive: results of many sessions in one SQLite file."""

from typing import TYPE_CHECKING

from gaitdyn.types.later import imported_late

if TYPE_CHECKING:
    from gaitdyn.archive.add import add_folders, add_results
    from gaitdyn.archive.connection import in_memory, reading, writing
    from gaitdyn.archive.controls import build_norm, write_norm
    from gaitdyn.archive.curves import CurveSet, curve_frame, curve_names, mean_and_sd, read_curves
    from gaitdyn.archive.export import export_archive, write_curves
    from gaitdyn.archive.results import result_folders
    from gaitdyn.archive.where import parse_where

__all__ = [
    "CurveSet",
    "add_folders",
    "add_results",
    "build_norm",
    "curve_frame",
    "curve_names",
    "export_archive",
    "in_memory",
    "mean_and_sd",
    "parse_where",
    "read_curves",
    "reading",
    "result_folders",
    "write_curves",
    "write_norm",
    "writing",
]

__getattr__ = imported_late(
    __name__,
    add=("add_folders", "add_results"),
    connection=("in_memory", "reading", "writing"),
    controls=("build_norm", "write_norm"),
    curves=("CurveSet", "curve_frame", "curve_names", "mean_and_sd", "read_curves"),
    export=("export_archive", "write_curves"),
    results=("result_folders",),
    where=("parse_where",),
)
