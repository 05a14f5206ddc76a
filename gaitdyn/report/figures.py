"""Figures of a report for print: kinematics and kinetics of each group, SVG or PNG."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.plots.clinic.figure import figure_sheet

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.plots.marks import Sheet
    from gaitdyn.report.report import Report

PRINT_DPI = 300
MARK = "<!-- gaitdyn -->"


def report_figures(report: Report) -> dict[str, Sheet]:
    """Return the end of a file's name -> figure: ``kinematics``, ``kinetics``, numbered by group.

    Parameters
    ----------
    report : Report
    """
    found = {}
    for i, view in enumerate(report.views, 1):
        tail = f"-{i}" if len(report.views) > 1 else ""
        found[f"kinematics{tail}"] = figure_sheet(view.kinematics, view.drawn)
        if view.has_loads:
            found[f"kinetics{tail}"] = figure_sheet(view.kinetics, view.drawn)
    return found


def figure_bytes(sheet: Sheet, ending: str, name: str) -> bytes:
    """Return the bytes of a figure, ``.svg`` or ``.png`` of 300 dpi."""
    if ending == ".svg":
        from gaitdyn.plots.svg import svg_text

        return f"{svg_text(sheet, name)}\n{MARK}\n".encode()
    from gaitdyn.plots.png import png_bytes

    return png_bytes(sheet, PRINT_DPI)


def figure_paths(path: Path, report: Report) -> dict[Path, Sheet]:
    """Return the files of the figures of a report: their kind is added to a name."""
    return {
        path.with_name(f"{path.stem}-{kind}{path.suffix}"): sheet
        for kind, sheet in report_figures(report).items()
    }
