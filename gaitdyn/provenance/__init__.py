"""Results run again from the inputs and options that they record."""

from gaitdyn.provenance.differences import folder_differences
from gaitdyn.provenance.reproduce import Reproduction, reproduce
from gaitdyn.provenance.rerun import Run, recorded_run

__all__ = [
    "Reproduction",
    "Run",
    "folder_differences",
    "recorded_run",
    "reproduce",
]
