"""The clinician's report: one page that opens offline, and a PDF for the patient's file.

Both are made from results folders, so their numbers agree with the tables. The panels are
described in :mod:`gaitdyn.plots.panels`; the texts are in :mod:`gaitdyn.report.contents` and the
modules of tables.
"""

from typing import TYPE_CHECKING

from gaitdyn.types.later import imported_late

if TYPE_CHECKING:
    from gaitdyn.report.files import report_files, write_report
    from gaitdyn.report.groups import Group, pooled
    from gaitdyn.report.making import make_report
    from gaitdyn.report.reading import read_groups
    from gaitdyn.report.report import Report

__all__ = [
    "Group",
    "Report",
    "make_report",
    "pooled",
    "read_groups",
    "report_files",
    "write_report",
]

__getattr__ = imported_late(
    __name__,
    groups=("Group", "pooled"),
    report=("Report",),
    making=("make_report",),
    reading=("read_groups",),
    files=("report_files", "write_report"),
)
